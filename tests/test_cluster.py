"""Students' code runs on a Dask cluster: the same grades as at home, and what is lost there costs time only."""

import os
import shutil
import subprocess
import sys
import time

import pytest

from tests import course

distributed = pytest.importorskip("distributed", reason="a cluster needs Dask: make .venv/clustered")


@pytest.mark.heavy
def test_a_cluster_gives_the_same_grades_though_one_worker_cannot_and_another_is_killed(tmp_path):
    course.need_sandbox()
    folder = course.make(tmp_path / "course")
    for number in range(10):
        course.submit(folder, f"student{number}", course.solved(folder))
    course.run(folder, "grade", course.NAME)
    at_home = course.dump(folder)
    shutil.rmtree(folder / "autograded")
    with distributed.LocalCluster(2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        with course.command(
            folder, "dask", "worker", cluster.scheduler_address, "--no-nanny", env=os.environ | {"PATH": ""}
        ) as bare:
            cluster.wait_for_workers(3)
            grading = course.command(folder, "grading", "grade", course.NAME, "--cluster", cluster.scheduler_address)
            while not list((folder / "autograded").glob("*/*/grading.json")) and grading.poll() is None:
                time.sleep(0.05)
            os.kill(next(iter(cluster.workers.values())).pid, 9)
            told = grading.communicate(timeout=240)[0]
            bare.terminate()
    assert "10 graded, 0 unchanged" in told and "gets no work: bubblewrap is missing" in told, told
    assert course.dump(folder) == at_home


def test_an_address_without_tls_is_refused_and_a_worker_knows_no_reference():
    from grading.cluster import Cluster

    with pytest.raises(ValueError, match="cluster must be tls://host:port"):
        Cluster("tcp://192.0.2.1:8786", None, None)
    loads = (
        "import sys, grading.cluster as _; assert not {'grading.references', 'grading.scoring'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", loads], check=True)
