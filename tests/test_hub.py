"""The hub: only the class may log in, each keeps to their own, and a class runs on it from login to feedback."""

import contextlib
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
import requests
from traitlets.config import PyFileConfigLoader

from grading.converter import COURSE
from hub import prepare
from tests import course
from tests.test_students import SECRETS

ROOT = Path(__file__).parents[1]
NAME = course.NAME


def test_the_image_copies_nothing_that_holds_a_solution():
    text = (ROOT / "hub/Containerfile").read_text()
    copied = [word for line in re.findall("^COPY (?!--from)(.*) .*$", text, re.M) for word in line.split()]
    assert {"bayeslib", "build/students"} <= set(copied)
    assert not [name for name in copied if name in {".", "./", "*"} or name.startswith(("notebooks", "tests"))]


def test_the_settings_are_jupyterhubs_own_and_only_the_class_may_log_in(tmp_path):
    hub = pytest.importorskip("jupyterhub.app", reason="pip install '.[hub]'", exc_type=ImportError)
    shutil.copy(ROOT / "hub/jupyterhub_config.py", tmp_path)
    people = 'students = ["ada", "blaise"]\nteachers = ["thomas"]\n'
    (tmp_path / "class.toml").write_text(people + '[JupyterHub]\nssl_key = "key.pem"\n')
    config = PyFileConfigLoader("jupyterhub_config.py", str(tmp_path)).load_config()
    app = hub.JupyterHub(config=config)
    assert app.bind_url.startswith("http://127.0.0.1:8000") and app.authenticator_class.__name__ == "PAMAuthenticator"
    for known in (hub.JupyterHub, app.authenticator_class, app.spawner_class, app.proxy_class):
        for parent in known.__mro__:
            assert set(config.get(parent.__name__, {})) <= set(known.class_trait_names(config=True)), parent
    assert app.ssl_key == "key.pem" and not config.Authenticator.admin_users
    assert config.Authenticator.allowed_users == {"ada", "blaise", "thomas"}
    assert f'course_id = "{COURSE}"' in (ROOT / "hub/nbgrader_config.py").read_text()


def test_a_class_of_nobody_of_strangers_or_of_root_is_refused_with_a_sentence(tmp_path):
    path = tmp_path / "class.toml"
    for names, said in {"": "who is in the class", '["nobody-here"]': "no account", '["root"]': "is root"}.items():
        if names:
            path.write_text(f"teachers = []\nstudents = {names}")
        with pytest.raises(SystemExit, match=said):
            prepare.teachers_of(path)
    assert path.stat().st_mode & 0o777 == 0o600
    tmp_path.chmod(0o700)
    assert prepare.open_to_others("/usr/bin") and not prepare.open_to_others(tmp_path)


# A class, for real


def free_ports(number):
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [each.getsockname()[1] for each in found]


def until(true, what):
    for _ in range(600):
        with contextlib.suppress(requests.ConnectionError):
            if true():
                return
        time.sleep(0.3)
    raise AssertionError(f"not within three minutes: {what}")


class Hub:
    """A class in a folder of its own, with accounts of its own; what is not as in a class: how one logs in, and which ports."""

    def __init__(self, checkout):
        self.folder = Path(tempfile.mkdtemp(prefix="bayes-class-"))
        self.folder.chmod(0o755)
        self.checkout, self.password, self.process = checkout, secrets.token_hex(16), None
        self.people = [f"bl{secrets.token_hex(3)}{each}" for each in "abt"]
        port, api, proxy = free_ports(3)
        self.address = f"http://127.0.0.1:{port}"
        self.elsewhere = (
            f'[JupyterHub]\nbind_url = "{self.address}"\nhub_port = {api}\nauthenticator_class = "dummy"\n'
            f'[ConfigurableHTTPProxy]\napi_url = "http://127.0.0.1:{proxy}"\n'
            f'[DummyAuthenticator]\npassword = "{self.password}"\n'
        )

    def home(self, name):
        return self.folder / "home" / name

    def open(self):
        (self.folder / "home").mkdir()
        for name in self.people:
            subprocess.run(
                ["useradd", "--create-home", "--home-dir", self.home(name), "-s", "/bin/sh", name], check=True
            )
            self.home(name).chmod(0o755)  # as some systems have it: what keeps others out must not be the home alone
        *pupils, teacher = self.people
        text = f"students = {json.dumps(pupils)}\nteachers = {json.dumps([teacher])}\n"
        (self.folder / "class.toml").write_text(text + self.elsewhere)
        environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        command = ["/usr/bin/python3", "-m", "hub.prepare", self.folder]
        subprocess.run(command, cwd=self.checkout, check=True, env=environment)
        command = [self.folder / "env/bin/jupyterhub", "--config", "../jupyterhub_config.py"]
        self.process = subprocess.Popen(command, cwd=self.folder / "state", env=environment)
        until(lambda: requests.get(f"{self.address}/hub/login").ok, "the hub")

    def close(self):
        if self.process:
            self.process.terminate()  # it stops its servers
            self.process.wait(60)
        for name in self.people:
            subprocess.run(["userdel", "--force", name], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def log_in(self, name, password):
        """What their browser would do; returns its session."""
        session, login = requests.Session(), f"{self.address}/hub/login"
        session.get(login)
        form = {"username": name, "password": password, "_xsrf": session.cookies.get("_xsrf", path="/hub/")}
        session.ok = session.post(login, data=form).ok
        return session

    def start(self, name):
        """Log in and start their server, with its own copy of the lessons."""
        session, lab = self.log_in(name, self.password), f"{self.address}/user/{name}/lab"
        session.get(f"{self.address}/hub/spawn/{name}")
        until(lambda: session.get(lab).url.startswith(lab), f"{name}'s server")
        return session

    def run(self, name, *words, place=""):
        """A program as this account would run it in a terminal of JupyterLab; returns what it printed."""
        path = {"PATH": f"{self.folder}/env/bin:/usr/bin:/bin", "HOME": str(self.home(name)), "USER": name}
        options = {"user": name, "group": name, "extra_groups": [], "env": path, "umask": 0o077}
        ran = subprocess.run(words, cwd=self.home(name) / place, capture_output=True, text=True, **options)
        assert ran.returncode == 0, (words, ran.stdout, ran.stderr)
        return ran.stdout


@pytest.fixture
def hub(tmp_path):
    if os.environ.get("CI") != "true" or os.geteuid() != 0:
        pytest.skip("A hub with accounts of its own is tried as root with CI=true only")
    course.need_sandbox()
    named = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(named, cwd=ROOT, capture_output=True, text=True).stdout.splitlines():
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    tmp_path.chmod(0o700)
    made = Hub(tmp_path)
    try:
        made.open()
        yield made
    finally:
        made.close()


# Run by a student: what of other people's homes can be read, which files named like an exercise hold a solution, how many files
# could be read at all, and what they may not do. What a new account is given (.bashrc) does not count.
SPY = """
import os
theirs, told, number = [], [], 0
for place in {places!r}:
    for folder, _, files in os.walk(place):
        for path in (os.path.join(folder, name) for name in files):
            try:
                with open(path, "rb") as file:
                    text = file.read()
            except OSError:
                continue
            number += 1
            if path.startswith({home!r}) and not path.startswith(os.path.expanduser("~/")):
                theirs += [path] * (os.path.basename(path) not in os.listdir("/etc/skel"))
            if os.path.basename(path)[:2].isdigit():
                told += [path for secret in {secrets!r} if secret.encode() in text]
for do in (lambda: os.rename({exchange!r}, {exchange!r} + "-gone"), lambda: os.listdir({exchange!r} + "/inbound"),
           lambda: os.listdir({places[0]!r} + "/state"), lambda: os.listdir({places[0]!r} + "/teachers/" + {teacher!r})):
    try:
        do()
        theirs.append("something is open that must be closed")
    except PermissionError:
        pass
print(theirs, told, number)
"""


@pytest.mark.heavy
def test_a_class_from_login_to_feedback(hub):
    ada, blaise, teacher = hub.people
    for name, password in ((ada, "a guess"), ("root", hub.password)):
        assert not hub.log_in(name, password).ok
    sessions = {name: hub.start(name) for name in hub.people}
    other = sessions[ada].get(f"{hub.address}/user/{blaise}/api/contents/")
    assert not other.ok and "ipynb" not in other.text
    assert sessions[ada].get(f"{hub.address}/user/{ada}/formgrader").status_code == 404
    assert sessions[teacher].get(f"{hub.address}/user/{teacher}/formgrader").ok

    def teach(*commands):
        for words in commands:
            hub.run(teacher, *words.split(), NAME, place="bayesian-learning")

    teach("python -m grading release", "nbgrader release_assignment")
    solved = course.solved(hub.home(teacher) / "bayesian-learning")
    solved.pop("stubs")
    answers = {ada: solved, blaise: course.answer(solved, "posterior-answer", "def posterior(p, l):\n    return p")}
    place = "course/exercises/release"
    for name, notebook in answers.items():
        assert (hub.home(name) / f"course/{NAME}.ipynb").exists()
        hub.run(name, "nbgrader", "fetch_assignment", NAME, place=place)
        (hub.home(name) / place / NAME / f"{NAME}.ipynb").write_text(json.dumps(notebook).replace(SECRETS[0], ""))
        hub.run(name, "nbgrader", "submit", NAME, place=place)
    looked = {"places": [str(hub.folder), str(hub.checkout)], "secrets": SECRETS[:2], "home": str(hub.folder / "home")}
    exchange = str(hub.folder / "exchange" / COURSE)
    spied = hub.run(ada, "python", "-c", SPY.format(**looked, exchange=exchange, teacher=teacher))
    assert spied.startswith("[] [] ") and int(spied.split()[-1]) > 1000, spied[:2000]
    teach("nbgrader collect", "python -m grading grade")
    rows = course.rows(hub.home(teacher) / "bayesian-learning")
    assert [rows[name]["tasks"]["posterior"] == 3 for name in (ada, blaise)] == [True, False]
    teach("python -m grading feedback", "nbgrader release_feedback")
    for name in (ada, blaise):
        hub.run(name, "nbgrader", "fetch_feedback", NAME, place=place)
        [page] = (hub.home(name) / place / NAME / "feedback").rglob("*.html")
        assert "posterior" in page.read_text() and not [x for x in hub.people if x != name and x in page.read_text()]

    # A lesson with a new version is replaced when a server starts, and what was there is kept.
    lesson = hub.home(ada) / f"course/{NAME}.ipynb"
    lesson.write_text("mine")
    (hub.folder / f"lessons/{NAME}.ipynb").write_text("new")
    sessions[ada].delete(
        f"{hub.address}/hub/api/users/{ada}/server",
        headers={"X-XSRFToken": sessions[ada].cookies.get("_xsrf", path="/hub/")},
    )
    until(lambda: not sessions[ada].get(f"{hub.address}/user/{ada}/api").ok, "the end of a server")
    hub.start(ada)
    assert (lesson.read_text(), lesson.with_name(f"{lesson.name}.~1~").read_text()) == ("new", "mine")
