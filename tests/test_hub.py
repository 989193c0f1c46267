"""The hub: its settings refuse what is unsafe, students get what they may have and nothing else, and a class runs on it."""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile
from pathlib import Path

import jsonschema
import nbformat
import pytest
import requests
import websocket
import yaml
from traitlets.config import PyFileConfigLoader

from grading.converter import COURSE
from hub import lay_out as laying
from hub import prepare
from tests import course
from tools import students

ROOT = Path(__file__).parents[1]
NAME = course.NAME
PEOPLE = 'students = ["ada", "blaise"]\nteachers = ["thomas"]\n'
# In a solution or a reference of any exercise, and in nothing that a student may have.
SECRETS = ("BEGIN SOLUTION", "TASKS = {", "def draw_")


# --- what students may have ---


def tells(path):
    text = path.read_bytes().decode("utf-8", "replace")
    return [secret for secret in SECRETS if secret in text]


def test_the_marks_of_a_solution_are_in_every_source_and_reference():
    for folder, secret in ("source", SECRETS[0]), ("references", SECRETS[1]):
        found = [path for path in (course.EXERCISES / folder).rglob("[0-9]*-*") if path.is_file()]
        assert len(found) == 16 and all(secret in tells(path) for path in found), folder


def test_the_students_repository_holds_lessons_and_released_exercises_and_no_solution(tmp_path):
    assert students.repository(tmp_path / "repository") and not students.repository(tmp_path / "repository")
    found = [path for path in (tmp_path / "repository").rglob("*") if path.is_file() and ".git" not in path.parts]
    assert {path.suffix for path in found} == {".ipynb", ".py", ".json", ".md", ""}
    assert (tmp_path / "repository/00-start-here.ipynb") in found and len(found) == 17 + 3 * 16 + 3
    assert (tmp_path / f"repository/exercises/release/{NAME}/{NAME}.ipynb") in found
    assert not [path for path in found if tells(path)]


def test_a_students_repository_gets_a_commit_for_what_is_new_and_never_empties_another_folder(tmp_path):
    students.repository(tmp_path / "repository")
    (tmp_path / "repository/LICENSE").write_text("changed")
    (tmp_path / "repository/old.ipynb").write_text("gone from the course")
    subprocess.run(["git", *students.COMMIT, "-a", "-m", "x"], cwd=tmp_path / "repository", check=True)
    assert students.repository(tmp_path / "repository")
    assert (tmp_path / "repository/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert not (tmp_path / "repository/old.ipynb").exists()
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "thesis.tex").touch()
    with pytest.raises(SystemExit, match="must be empty"):
        students.repository(other)
    assert (other / "thesis.tex").exists()


def test_a_link_among_the_released_files_is_not_followed(tmp_path):
    folder = tmp_path / "notebooks/exercises/release/x"
    folder.mkdir(parents=True)
    (folder / "x.ipynb").symlink_to(course.EXERCISES / f"source/{NAME}/{NAME}.ipynb")
    (folder / "data.py").touch()
    assert [path.name for path in students.files(tmp_path)] == ["data.py"]


def test_the_wheels_of_the_class_hold_no_solution_and_the_students_no_grading(tmp_path):
    held = []
    for path in prepare.wheels(sys.executable, tmp_path):
        with zipfile.ZipFile(path) as wheel:
            held.append({name.split("/")[0] for name in wheel.namelist() if ".dist-info" not in name})
            wheel.extractall(tmp_path / "open")
    assert held == [{"bayeslib"}, {"grading"}]
    found = [path for path in (tmp_path / "open").rglob("*") if path.is_file()]
    names = {path.name for path in (course.EXERCISES / "references").glob("*.py")}
    assert not [path for path in found if path.suffix == ".ipynb" or path.name in names or "references" in path.parts]
    # The grading names the mark of a solution in its code; nothing else has it.
    assert not [path for path in found if SECRETS[0] in tells(path) and path.parent.name != "grading"]


# --- a student's own copy ---


@pytest.fixture
def trees(tmp_path):
    source = tmp_path / "lessons"
    (source / "exercises").mkdir(parents=True)
    lesson(source, "one")
    (source / "exercises/data.py").write_text("x = 1")
    (source / "exercises/release").mkdir()
    return source, tmp_path / "home/course"


def lesson(folder, text, name="01.ipynb", **outputs):
    cell = nbformat.v4.new_code_cell(text, id="a", **outputs)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / name)


def texts(folder):
    return {path.name: nbformat.read(path, 4).cells[0].source for path in folder.glob("*.ipynb")}


def test_an_untouched_lesson_is_renewed_even_if_it_was_run_and_saved(trees):
    source, target = trees
    assert laying.lay_out(source, target) == []
    assert target.stat().st_mode & 0o777 == 0o700 and (target / "exercises/release").is_dir()
    lesson(target, "one", execution_count=3, outputs=[nbformat.v4.new_output("stream", text="hello")])
    lesson(source, "two")
    laying.lay_out(source, target)
    assert texts(target) == {"01.ipynb": "two"}


def test_a_touched_lesson_stays_with_the_new_one_beside_it_once(trees):
    source, target = trees
    laying.lay_out(source, target)
    lesson(target, "mine")
    laying.lay_out(source, target)
    assert texts(target) == {"01.ipynb": "mine"}, "there is nothing new"
    lesson(source, "two")
    laying.lay_out(source, target)
    assert texts(target) == {"01.ipynb": "mine", "01-new.ipynb": "two"}
    (target / "01-new.ipynb").unlink()
    laying.lay_out(source, target)
    assert texts(target) == {"01.ipynb": "mine"}, "thrown away is thrown away"
    lesson(source, "three")
    laying.lay_out(source, target)
    lesson(target, "mine too", "01-new.ipynb")
    lesson(source, "four")
    laying.lay_out(source, target)
    assert texts(target) == {"01.ipynb": "mine", "01-new.ipynb": "mine too", "01-new2.ipynb": "four"}


def test_what_nobody_laid_out_there_is_theirs(trees):
    source, target = trees
    target.mkdir(parents=True)
    lesson(target, "from an old course")
    os.mkfifo(target / "exercises") if hasattr(os, "mkfifo") else (target / "exercises").touch()
    assert laying.lay_out(source, target) == ["exercises", "exercises/data.py", "exercises/release"]
    assert texts(target) == {"01.ipynb": "from an old course", "01-new.ipynb": "one"}


def test_new_files_of_an_exercise_are_kept_out_of_its_folder(trees):
    source, target = trees
    laying.lay_out(source, target)
    (target / "exercises/data.py").write_text("x = 2")
    (source / "exercises/data.py").write_text("x = 3")
    laying.lay_out(source, target)
    assert {path.name for path in (target / "exercises").iterdir()} == {"data.py", "release"}
    assert (target / "new/exercises/data-new.py").read_text() == "x = 3"


# --- the settings ---


def settings(folder, text=PEOPLE, mode=0o600):
    shutil.copy(ROOT / "hub/jupyterhub_config.py", folder)
    (folder / "class.toml").write_text(text)
    (folder / "class.toml").chmod(mode)
    return PyFileConfigLoader("jupyterhub_config.py", str(folder)).load_config()


def test_every_setting_is_one_that_jupyterhub_knows(tmp_path):
    hub = pytest.importorskip("jupyterhub.app", reason="pip install '.[hub]'", exc_type=ImportError)
    from jupyterhub import auth, proxy, spawner

    known = {
        each.__name__: each
        for module in (hub, auth, proxy, spawner)
        for each in vars(module).values()
        if isinstance(each, type)
    }
    config = settings(tmp_path)
    assert {"JupyterHub", "Authenticator", "Spawner", "LocalProcessSpawner", "ConfigurableHTTPProxy"} == config.keys()
    for section, values in config.items():
        assert set(values) <= set(known[section].class_trait_names(config=True)), section
    app = hub.JupyterHub(config=config)
    assert app.bind_url.startswith("http://127.0.0.1:8000") and app.authenticator_class.__name__ == "PAMAuthenticator"


def test_only_the_class_may_log_in_and_nobody_is_an_admin(tmp_path):
    config = settings(tmp_path)
    assert config.Authenticator.allowed_users == {"ada", "blaise", "thomas"} and not config.Authenticator.admin_users
    assert "allow_all" not in config.Authenticator and "PYTHONPATH" not in config.Spawner.env_keep


def test_idle_servers_and_kernels_are_culled(tmp_path):
    config = settings(tmp_path)
    assert any(word.startswith("--MappingKernelManager.cull_idle_timeout=") for word in config.Spawner.args)
    (culler,) = config.JupyterHub.services
    assert "jupyterhub_idle_culler" in culler["command"]


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "names of accounts"),
        ('students = ["root"]', "not root"),
        ('students = ["ada", "ada"]', "each once"),
        ('students = ["../ada"]', "names of accounts"),
        ('students = "ada"', "of the right kind"),
        ('studnets = ["ada"]', "must be one of"),
        ("students = [", "cannot be read"),
        (PEOPLE + 'authenticator = "dummy"', "own password"),
        (PEOPLE + 'authenticator = "jupyterhub.auth.DummyAuthenticator"', "own password"),
        (PEOPLE + 'address = "0.0.0.0:8000"', "needs certificate and key"),
        (PEOPLE + 'address = ":8000"\ncertificate = "x.pem"', "needs certificate and key"),
    ],
)
def test_what_is_unsafe_is_refused_with_a_sentence(tmp_path, text, said):
    with pytest.raises(SystemExit, match=said):
        settings(tmp_path, text)


def test_a_file_of_choices_that_others_can_read_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="chmod 600"):
        settings(tmp_path, mode=0o644)


def test_an_address_with_a_certificate_and_another_authenticator_are_taken(tmp_path):
    text = (
        PEOPLE
        + 'address = ":443"\ncertificate = "c.pem"\nkey = "k.pem"\nauthenticator = "ldapauthenticator.LDAPAuthenticator"\n'
    )
    config = settings(tmp_path, text + '[settings.LDAPAuthenticator]\nserver_address = "ldap.example.org"\n')
    assert config.JupyterHub.bind_url == "https://:443" and config.JupyterHub.ssl_key == "k.pem"
    assert config.LDAPAuthenticator.server_address == "ldap.example.org"


def test_the_template_of_choices_names_nobody_and_is_refused_until_it_does(tmp_path):
    with pytest.raises(SystemExit, match="names of accounts"):
        settings(tmp_path, (ROOT / "hub/class.toml").read_text())


def test_the_hub_and_the_grading_call_the_course_by_one_name():
    assert f'course_id = "{COURSE}"' in (ROOT / "hub/nbgrader_config.py").read_text()


def test_a_checkout_that_students_can_enter_is_seen(tmp_path):
    tmp_path.chmod(0o700)
    assert prepare.open_to_others("/usr/bin") and not prepare.open_to_others(tmp_path)


# --- for a cluster ---

# Keys of the chart's schema (values.schema.yaml of Zero to JupyterHub), as far as they are used; below an open one all goes.
CHART = {
    "hub": {"config": ...},
    "singleuser": {
        "image": {"name", "tag"},
        "cmd": None,
        "defaultUrl": None,
        "memory": {"guarantee", "limit"},
        "cpu": {"guarantee", "limit"},
        "extraEnv": ...,
        "lifecycleHooks": {"postStart": ...},
        "storage": {"capacity"},
    },
    "cull": {"enabled", "timeout", "every"},
    "prePuller": {"hook": {"enabled"}},
}


def strangers(values, allowed, path=""):
    """Keys that the chart does not know."""
    for key, value in values.items():
        if key not in allowed:
            yield path + key
        elif isinstance(value, dict):
            below = allowed[key] if isinstance(allowed, dict) else None
            if below is not ...:
                yield from strangers(value, below or (), f"{path}{key}.")


def test_the_values_have_only_keys_of_the_chart():
    values = yaml.safe_load((ROOT / "hub/values.yaml").read_text())
    assert not list(strangers(values, CHART))
    values["singleuser"]["memory"]["guarante"] = values["culling"] = 1
    assert list(strangers(values, CHART)) == ["singleuser.memory.guarante", "culling"]


def without_required(schema):
    """The schema for a part of the values: the chart's defaults bring what it requires."""
    if isinstance(schema, dict):
        return {key: without_required(value) for key, value in schema.items() if key != "required"}
    return [without_required(each) for each in schema] if isinstance(schema, list) else schema


@pytest.mark.skipif(
    "Z2JH_SCHEMA" not in os.environ, reason="Z2JH_SCHEMA names no copy of the chart's values.schema.yaml"
)
def test_the_values_fit_the_schema_of_the_chart():
    schema = yaml.safe_load(Path(os.environ["Z2JH_SCHEMA"]).read_text())
    jsonschema.validate(yaml.safe_load((ROOT / "hub/values.yaml").read_text()), without_required(schema))


def test_the_image_copies_nothing_that_holds_a_solution():
    text = (ROOT / "hub/Containerfile").read_text()
    copied = [word for line in re.findall("^COPY (?!--from)(.*) .*$", text, re.M) for word in line.split()]
    assert {"bayeslib", "build/students", "hub/lay_out.py"} <= set(copied)
    assert all((ROOT / name).exists() for name in copied if name != "build/students")
    assert not [name for name in copied if name in {".", "./", "*"} or name.startswith(("notebooks", "tests"))]


# --- a class, for real ---


def free_ports(number):
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(number)]
        return [each.getsockname()[1] for each in found]


def processes(uids):
    """Of some accounts."""
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if path.stat().st_uid in uids:
                yield int(path.name)


def pss(numbers):
    """The memory of some processes in MB; what several share counts in parts."""
    rolled = [Path(f"/proc/{number}/smaps_rollup").read_text() for number in numbers]
    return sum(int(text.split("Pss:")[1].split()[0]) for text in rolled) / 1024


def until(true, seconds, what):
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.3)
    return found


class Person:
    """Somebody at the hub, with what their browser would send."""

    def __init__(self, hub, name):
        self.hub, self.name, self.session = hub, name, requests.Session()
        self.at = f"{hub.address}/user/{name}"

    def log_in(self, password):
        login = f"{self.hub.address}/hub/login"
        self.session.get(login)
        form = {"username": self.name, "password": password, "_xsrf": self.session.cookies.get("_xsrf", path="/hub/")}
        return self.session.post(login, data=form)

    def start(self):
        """Their server; its first page brings the cookies that all else must carry."""
        self.session.get(f"{self.hub.address}/hub/spawn/{self.name}")
        until(lambda: self.session.get(f"{self.at}/lab").url.startswith(f"{self.at}/lab"), 180, f"{self.name}'s server")
        self.ask("GET", "api/status")

    def ask(self, method, path, **options):
        token = self.session.cookies.get("_xsrf", path=f"/user/{self.name}/")
        answer = self.session.request(
            method, f"{self.at}/{path}", headers={"X-XSRFToken": token}, timeout=120, **options
        )
        assert answer.ok, f"{self.name}: {method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.text else None

    @contextlib.contextmanager
    def kernel(self):
        """A function that runs code in a kernel of theirs, over the websocket, and returns what was printed."""
        identity = self.ask("POST", "api/kernels", json={"name": "python3"})["id"]
        request = requests.Request("GET", f"{self.at}/api/kernels/{identity}/channels")
        cookies = self.session.prepare_request(request).headers["Cookie"]
        line = websocket.create_connection(request.url.replace("http", "ws", 1), cookie=cookies, timeout=180)

        def run(code):
            message = uuid.uuid4().hex
            header = {
                "msg_id": message,
                "msg_type": "execute_request",
                "username": "",
                "session": "x",
                "version": "5.3",
            }
            content = {
                "code": code,
                "silent": False,
                "store_history": True,
                "user_expressions": {},
                "allow_stdin": False,
            }
            line.send(
                json.dumps(
                    {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
                )
            )
            said, idle, reply = [], False, None
            while not (idle and reply):
                got = line.recv()
                got = json.loads(got) if isinstance(got, str) else {"parent_header": {}}
                if got["parent_header"].get("msg_id") != message:
                    continue
                if got["msg_type"] == "stream":
                    said.append(got["content"]["text"])
                idle |= got["msg_type"] == "status" and got["content"]["execution_state"] == "idle"
                reply = got["content"] if got["msg_type"] == "execute_reply" else reply
            assert reply["status"] == "ok", "\n".join(reply.get("traceback", []))
            return "".join(said)

        try:
            yield run
        finally:
            line.close()
            self.ask("DELETE", f"api/kernels/{identity}")


class Hub:
    """A class in a folder of its own, with accounts of its own; `close` takes everything away again."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="bayes-class-"))
        self.folder.chmod(0o755)
        self.process, self.made = None, []
        word = secrets.token_hex(3)
        self.students = [f"bl{word}{each}" for each in "abc"]
        self.teacher = f"bl{word}t"

    def open(self, checkout):
        (self.folder / "home").mkdir()
        for name in (*self.students, self.teacher):
            home = self.folder / "home" / name
            self.made.append(name)
            subprocess.run(["useradd", "--create-home", "--home-dir", home, "--shell", "/bin/bash", name], check=True)
            home.chmod(0o755)  # as some systems have it: what keeps others out must not be the home alone
        text = f"students = {json.dumps(self.students)}\nteachers = {json.dumps([self.teacher])}\n"
        (self.folder / "class.toml").write_text(text)
        (self.folder / "class.toml").chmod(0o600)
        environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        command = ["/usr/bin/python3", "-m", "hub.prepare", self.folder]
        subprocess.run(command, cwd=checkout, check=True, env=environment)
        self.password, self.token = secrets.token_hex(16), secrets.token_hex(32)
        port, self.api, proxy = free_ports(3)
        self.address = f"http://127.0.0.1:{port}"
        # The only thing that is not as in a class: how one logs in, and on which ports.
        (self.folder / "state/test_config.py").write_text(
            f"load_subconfig({str(self.folder / 'jupyterhub_config.py')!r})\n"
            f"c.JupyterHub.bind_url = {self.address!r}\nc.JupyterHub.hub_port = {self.api}\n"
            f"c.ConfigurableHTTPProxy.api_url = 'http://127.0.0.1:{proxy}'\n"
            f"c.JupyterHub.authenticator_class = 'dummy'\nc.DummyAuthenticator.password = {self.password!r}\n"
            f"c.JupyterHub.services.append({{'name': 'test', 'api_token': {self.token!r}}})\n"
            "c.JupyterHub.load_roles.append({**c.JupyterHub.load_roles[0], 'name': 'test', 'services': ['test']})\n"
        )
        with open(self.folder / "state/log", "w") as log:
            command = [self.folder / "env/bin/jupyterhub", "--config", "test_config.py"]
            self.process = subprocess.Popen(
                command,
                cwd=self.folder / "state",
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

        def up():
            assert self.process.poll() is None, (self.folder / "state/log").read_text()
            with contextlib.suppress(requests.ConnectionError):
                return requests.get(f"{self.address}/hub/login").ok

        until(up, 120, "the hub")
        return self

    def uids(self, *names):
        import pwd

        return {pwd.getpwnam(name).pw_uid for name in names}

    def close(self):
        if self.process:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(60)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            print((self.folder / "state/log").read_text()[-20_000:])  # shown where a test fails
        for name in self.made:
            with contextlib.suppress(KeyError):
                for each in processes(self.uids(name)):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(each, signal.SIGKILL)
                subprocess.run(["userdel", "--force", name], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    if os.environ.get("CI") != "true" or os.geteuid() != 0:
        pytest.skip("A hub with accounts of its own is tried as root with CI=true only")
    course.need_sandbox()
    checkout = tmp_path_factory.mktemp("checkout")  # which others cannot enter
    named = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    for name in named.stdout.splitlines():
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    made = Hub()
    try:
        made.checkout = checkout
        yield made.open(checkout)
    finally:
        made.close()


# Run by a student: what of other people's homes can be read, which files named like an exercise hold a solution, and how
# many files could be read at all. What a new account is given (.bashrc) does not count.
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
print(theirs, told, number)
"""


@pytest.mark.heavy
def test_a_class_from_login_to_feedback(hub):
    ada, blaise, cleo = people = [Person(hub, name) for name in hub.students]
    teacher = Person(hub, hub.teacher)

    # Nobody else, and nobody without a password.
    assert Person(hub, "root").log_in(hub.password).status_code == 403
    assert ada.log_in("a guess").status_code == 403
    for each in (teacher, *people):
        assert each.log_in(hub.password).ok
        each.start()

    # The teacher releases.
    lines = []
    with teacher.kernel() as run:
        shell = "import subprocess, os\nos.chdir(os.path.expanduser('~/bayesian-learning'))\n"
        shell += "def sh(*words):\n    ran = subprocess.run(words, capture_output=True, text=True)\n"
        shell += "    print(ran.stdout, ran.stderr)\n    assert ran.returncode == 0, ran.stderr\n"
        run(shell)

        def sh(*words):
            lines.append(run(f"sh(*{words!r})"))
            return lines[-1]

        sh("python", "-m", "grading", "release", NAME)
        sh("nbgrader", "release_assignment", NAME)

        # Students read lesson 01, fetch, answer and hand in.
        lesson = nbformat.read(hub.checkout / f"notebooks/{NAME}.ipynb", 4)
        solved = course.solved(hub.folder / "home" / hub.teacher / "bayesian-learning")
        solved.pop("stubs")
        answers = {ada: solved, blaise: course.answer(solved, "posterior-answer", "def posterior(p, l):\n    return p")}
        for each in people:
            assert each.ask("GET", f"api/contents/{NAME}.ipynb?content=0")["type"] == "notebook"
            listed = each.ask("GET", "assignments", params={"course_id": COURSE})
            assert [(x["assignment_id"], x["status"]) for x in listed["value"]] == [(NAME, "released")]
            chosen = {"course_id": COURSE, "assignment_id": NAME}
            assert each.ask("POST", "assignments/fetch", data=chosen)["success"]
            path = f"api/contents/exercises/release/{NAME}/{NAME}.ipynb"
            if each in answers:
                each.ask("PUT", path, json={"type": "notebook", "content": answers[each]})
            assert each.ask("POST", "assignments/submit", data=chosen)["success"]

        with contextlib.ExitStack() as stack:
            for each in people:
                cells = stack.enter_context(each.kernel())
                for cell in lesson.cells:
                    if cell.cell_type == "code":
                        cells(cell.source)
            memory = [pss(processes(hub.uids(each.name))) for each in people]  # all lessons are open
            places = [str(hub.folder), str(hub.checkout)]
            spied = cells(SPY.format(places=places, secrets=SECRETS[:2], home=str(hub.folder / "home")))
        print(f"memory of a student with lesson 01 run: {', '.join(f'{x:.0f}' for x in memory)} MB (PSS)")
        assert max(memory) <= 350
        assert spied.startswith("[] [] ") and int(spied.split()[-1]) > 1000, spied[:2000]

        # The exchange is everybody's, but only to put something in.
        with ada.kernel() as own:
            tries = f"""
import os
for done in (lambda: os.rename({str(hub.folder / "exchange" / COURSE)!r}, {str(hub.folder / "exchange/gone")!r}),
             lambda: os.listdir({str(hub.folder / "exchange" / COURSE / "inbound")!r}),
             lambda: os.listdir({str(hub.folder / "state")!r}),
             lambda: os.listdir({str(hub.folder / "teachers" / hub.teacher)!r})):
    try:
        done()
    except PermissionError:
        print("no")
"""
            assert own(tries).split() == ["no"] * 4
            assert own("import os; print(os.environ['BAYESLIB_ANSWERS'])").strip() == str(
                hub.folder / "home" / ada.name / "my-answers.json"
            )
        other = ada.session.get(f"{blaise.at}/api/contents")
        assert other.status_code in {403, 404} and "ipynb" not in other.text
        assert ada.session.get(f"{ada.at}/formgrader").status_code == 404, "students have no formgrader"

        # The teacher collects, grades, looks and gives back.
        sh("nbgrader", "collect", NAME)
        sh("python", "-m", "grading", "grade", NAME)
        rows = course.rows(hub.folder / "home" / hub.teacher / "bayesian-learning")
        assert rows.keys() == set(hub.students)
        points = [rows[each.name]["tasks"]["posterior"] for each in people]
        assert points[0] == 3 and points[1] < 3 and points[2] == 0
        assigned = teacher.ask("GET", "formgrader/api/assignments")
        assert {x["name"]: x["num_submissions"] for x in assigned}[NAME] == 3
        again = teacher.ask("POST", f"formgrader/api/submission/{NAME}/{ada.name}/autograde")
        assert again["success"], again
        note = hub.folder / f"home/{hub.teacher}/bayesian-learning/autograded/{ada.name}/{NAME}/grading.json"
        assert note.exists(), "the form's button runs our grading, in the sandbox"
        sh("python", "-m", "grading", "feedback", NAME)
        sh("nbgrader", "release_feedback", NAME)

    # Students read their feedback.
    for each in people:
        chosen = {"course_id": COURSE, "assignment_id": NAME}
        assert each.ask("POST", "assignments/fetch_feedback", data=chosen)["success"]
        (folder,) = each.ask("GET", f"api/contents/exercises/release/{NAME}/feedback")["content"]
        (page,) = each.ask("GET", f"api/contents/{folder['path']}")["content"]
        text = each.ask("GET", f"api/contents/{page['path']}")["content"]
        assert "posterior" in text and not [x for x in hub.students if x != each.name and x in text]

    # Who does nothing is stopped.
    culler = [hub.folder / "env/bin/python", "-m", "jupyterhub_idle_culler", "--timeout=1", "--cull-every=2"]
    environment = {"JUPYTERHUB_API_TOKEN": hub.token, "JUPYTERHUB_API_URL": f"http://127.0.0.1:{hub.api}/hub/api"}
    with subprocess.Popen(
        [*culler, f"--url={environment['JUPYTERHUB_API_URL']}"], env={**os.environ, **environment}
    ) as process:
        try:
            until(lambda: not list(processes(hub.uids(*hub.students))), 120, "the culler")
        finally:
            process.kill()
    assert (hub.folder / f"home/{ada.name}/course/{NAME}.ipynb").exists()
