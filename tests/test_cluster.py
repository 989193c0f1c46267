"""Students' code runs on a Dask cluster: the same grades as at home, and what is lost there costs time only."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from grading.sandbox import Limits, Request
from tests import course
from tests.course import NAME

pytest.importorskip("nbgrader", reason="grading needs nbgrader: make .venv/graded")
dask = pytest.importorskip("dask", reason="a cluster needs Dask: make .venv/clustered")
distributed = pytest.importorskip("distributed", reason="a cluster needs Dask: make .venv/clustered")

from grading import cluster as ours  # noqa: E402

README = (course.EXERCISES / "README.md").read_text()


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A certificate and Dask's settings as the teacher's page has them; returns the environment that names them."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(re.search(r"^openssl req .*", README, re.M)[0].split(), cwd=folder, check=True, capture_output=True)
    settings = re.search(r"```yaml\n(.*?)```", README, re.S)[1]
    (folder / "grading.yaml").write_text(settings.replace("/path/to", str(folder)))
    return os.environ | {"DASK_CONFIG": str(folder / "grading.yaml")}


def told_of(certified):
    """Dask's settings in this process, as a context."""
    said = dask.config.collect([certified["DASK_CONFIG"]], env={})
    return dask.config.set(dask.config.merge(dask.config.config, said))


@pytest.fixture
def start(certified):
    """`start(2)`: a cluster of two processes on 127.0.0.1."""
    course.need_sandbox()
    made = []

    def cluster(workers):
        with told_of(certified):
            security = distributed.Security()
        here = {"host": "127.0.0.1", "dashboard_address": None, "protocol": "tls://", "security": security}
        made.append(distributed.LocalCluster(workers, threads_per_worker=1, processes=True, **here))
        return made[-1]

    yield cluster
    for each in made:
        each.close()


@pytest.fixture
def bare_worker(certified, tmp_path):
    """A worker, started as the teacher's page says, on a machine without bubblewrap."""
    made = []
    (tmp_path / "bin").mkdir()

    def start(cluster):
        words = re.search(r"^dask (worker .*)", README, re.M)[1].replace("tls://host:8786", cluster.scheduler_address)
        words = words.replace("--nworkers auto", "--host 127.0.0.1 --no-nanny").split()
        made.append(
            subprocess.Popen(
                [sys.executable, "-m", "dask", *words],
                cwd=tmp_path,
                env=certified | {"PATH": str(tmp_path / "bin")},
                stderr=subprocess.DEVNULL,
            )
        )

    yield start
    for process in made:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A class with right, wrong, missing, endless and dying answers, not yet graded."""
    folder = course.make(tmp_path_factory.mktemp("class"))
    work = course.solved(folder)
    posterior = next(cell for cell, stub in work["stubs"].items() if "def posterior" in stub)
    for student, source in {
        "inverse": "def posterior(prior, likelihood):\n    return likelihood",
        "endless": "def posterior(prior, likelihood):\n    while True: pass",
        "dead": "import os\ndef posterior(prior, likelihood):\n    os._exit(3)",
    }.items():
        course.submit(folder, student, course.answer(work, posterior, source))
    course.submit(folder, "untouched", course.released(folder))
    for number in range(8):
        course.submit(folder, f"student{number}", work)
    return folder


@pytest.fixture
def folder(prepared, tmp_path):
    shutil.copytree(prepared, tmp_path / "course")
    return tmp_path / "course"


def grade(folder, cluster, env):
    address = cluster if isinstance(cluster, str) else cluster.scheduler_address
    return course.command(folder, "grading", "grade", NAME, "--cluster", address, env=env)


def loaded():
    """On a worker: the modules that know references, and the sandboxes that are still open."""
    known = {"grading.references", "grading.scoring", "grading.converter"}
    return known & set(sys.modules), dict(sys.modules["grading.cluster"]._sandboxes)


@pytest.mark.heavy
def test_a_cluster_gives_the_same_grades_and_comments_and_never_sees_a_reference(start, folder, tmp_path, certified):
    course.run(folder, "grade", NAME)
    away = tmp_path / "away"
    shutil.copytree(folder, away, ignore=shutil.ignore_patterns("autograded", "gradebook*"))
    course.run(away, "release", NAME, "--sample")
    cluster = start(2)
    process = grade(away, cluster, certified | {"PATH": str(tmp_path)})  # no bubblewrap on the teacher's side
    told = process.communicate(timeout=240)[0]
    assert process.returncode == 0 and "12 graded, 0 unchanged" in told, told
    here, there = course.dump(folder), course.dump(away)
    assert here == there and len(there) == 12
    assert len({str(comments) for _, comments, *_ in there.values()}) == 5  # each of the wrong ones has its own
    with distributed.Client(cluster) as client:
        assert list(client.run(loaded).values()) == [(set(), {})] * 2


@pytest.mark.heavy
def test_a_worker_killed_during_a_run_costs_nothing_but_time(start, folder, certified):
    cluster = start(2)
    process = grade(folder, cluster, certified)
    for _ in range(2400):
        if len(list((folder / "autograded").glob("*/*/grading.json"))) >= 2 or process.poll() is not None:
            break
        time.sleep(0.05)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    done = len(list((folder / "autograded").glob("*/*/grading.json")))
    told = process.communicate(timeout=240)[0]
    assert 2 <= done < 12, "killed too early or too late to tell"
    assert process.returncode == 0 and "12 graded, 0 unchanged" in told, told
    assert [row["score"] for name, row in course.rows(folder).items() if name.startswith("student")] == [8] * 8


@pytest.mark.heavy
def test_a_worker_without_bubblewrap_refuses_and_the_others_do_its_work(start, bare_worker, folder, certified):
    cluster = start(1)
    cluster.scale(0)
    bare_worker(cluster)
    process = grade(folder, cluster, certified)
    told = process.communicate(timeout=120)[0]
    assert process.returncode != 0 and "Nothing was graded" in told and "bubblewrap is missing" in told
    assert course.dump(folder) == {}
    cluster.scale(1)
    process = grade(folder, cluster, certified)
    told = process.communicate(timeout=240)[0]
    assert process.returncode == 0 and "12 graded" in told and "gets no work: bubblewrap is missing" in told, told


@pytest.mark.heavy
def test_when_all_workers_are_gone_the_grading_says_so_and_newcomers_take_over(start, certified, monkeypatch):
    monkeypatch.setattr(ours, "PATIENCE", 1)
    cluster = start(1)
    with (
        told_of(certified),
        ours.Cluster(cluster.scheduler_address, Limits()) as sandboxes,
    ):
        double = ["def double(x): return 2 * x"], [Request("double", [(3,), (4,)])]
        assert sandboxes.run(*double).answers[0].values == [6, 8]
        cluster.scale(0)
        with pytest.raises(RuntimeError, match="no worker of .* can run a sandbox. There are no workers"):
            sandboxes.run(*double)
        cluster.scale(1)
        cluster.sync(cluster._correct_state)
        cluster.wait_for_workers(1)
        assert sandboxes.run(*double).answers[0].values == [6, 8]


def test_another_numpy_is_told_and_gets_no_work():
    course.need_sandbox()
    assert ours.problem(ours.versions()) == ""
    assert "numpy is" in ours.problem(ours.versions() | {"numpy": "1.0"})


@pytest.mark.parametrize(
    "address", ["tcp://192.0.2.1:8786", "192.0.2.1:8786", "tls://127.0.0.1:9", "ftp://127.0.0.1:9"]
)
def test_an_address_without_tls_or_without_a_scheduler_is_refused(address, folder, monkeypatch):
    monkeypatch.setattr(ours, "CONNECT", 1)
    with pytest.raises(SystemExit):
        course.run(folder, "grade", NAME, "--cluster", address)
    assert course.dump(folder) == {}
