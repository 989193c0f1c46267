"""`make class`: fill the class's folder. Run as root with the system's Python; every step can be repeated.

class.toml         who is in the class, written by you
env                Python, JupyterHub, the course and the grading, for everybody to read
lessons            what students' own copies are made from
teachers/NAME      the exercises with their solutions, for that teacher only
students           settings of Jupyter for students only
exchange           nbgrader's, where work is handed in and given back
proxy, state       the hub's own
"""

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tools import students

ROOT = Path(__file__).resolve().parents[1]
# Students have no use for these; without them a server starts sooner and is smaller.
OFF = ("jupyter_lsp", "notebook", "notebook_shim") + tuple(
    f"nbgrader.server_extensions.{name}" for name in ("formgrader", "course_list", "validate_assignment")
)
OFF_IN_LAB = ("formgrader", "course-list", "validate-assignment", "create-assignment")


def open_to_others(path):
    """Whether any account of this machine can enter the folder."""
    path = Path(path).resolve()
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def check(folder):
    """What must hold before anything is written; exits with a sentence if it does not."""
    if os.geteuid() != 0:
        sys.exit("The hub switches to each student's own account, so it is started by root: sudo make class")
    if open_to_others(ROOT):
        sys.exit(f"Students could read the solutions in {ROOT}. Close it, then make class again: chmod 700 {ROOT}")
    for wanted in (Path(sys.executable).resolve().parent, folder):
        if not open_to_others(wanted):
            sys.exit(f"Students cannot enter {wanted}. Choose another: make class CLASS=/srv/… CLASS_PYTHON=/usr/bin/…")
    if not shutil.which("npm"):
        sys.exit("The hub's proxy needs Node 18 or newer and npm: sudo apt-get install nodejs npm")


def teachers_of(path):
    """Of those in class.toml; the first time, it is put there to be filled in."""
    if not path.exists():
        shutil.copyfile(ROOT / "hub/class.toml", path)
    path.chmod(0o600)  # it may hold an authenticator's secrets
    settings = tomllib.loads(path.read_text(encoding="utf-8"))
    people = settings["students"] + settings["teachers"]
    if not people:
        sys.exit(f"Write who is in the class into {path}, then make class again.")
    for name in people:
        try:
            if pwd.getpwnam(name).pw_uid == 0:
                sys.exit(f"{path}: {name} is root, and nobody's server runs as root")
        except KeyError:
            sys.exit(f"{path}: there is no account {name!r} on this machine: sudo adduser {name}")
    return settings["teachers"]


def environment(env):
    """Everybody's Python: what constraints.txt pins, the course without its exercises, and nbgrader's settings."""
    subprocess.run([sys.executable, "-m", "venv", env], check=True)
    pip = [env / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt"]
    with tempfile.TemporaryDirectory() as scratch:  # pip writes where it builds
        leave = shutil.ignore_patterns(".*", "build", "notebooks", "tests", "docs", "*.egg-info", "__pycache__")
        shutil.copytree(ROOT, scratch, ignore=leave, dirs_exist_ok=True)
        course, grading = f"bayeslib[hub] @ file://{scratch}", f"{scratch}/grading"
        subprocess.run([*pip, course, grading], check=True)
        # The same version may hold new lessons.
        subprocess.run([*pip, "--no-deps", "--force-reinstall", course, grading], check=True)
    put(env / "etc/jupyter/labconfig/page_config.json", disabled("@jupyterlab/apputils-extension:announcements"))
    shutil.copyfile(ROOT / "hub/nbgrader_config.py", env / "etc/jupyter/nbgrader_config.py")


def disabled(*extensions):
    return {"disabledExtensions": dict.fromkeys(extensions, True)}


def put(path, settings):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))


def exercises(folder, teachers):
    """With their solutions, for each teacher a copy that is closed to everybody else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in teachers:
        own = folder / name
        own.mkdir(mode=0o700)
        for part in ("source", "references", "README.md", "nbgrader_config.py"):
            subprocess.run(["cp", "-R", "--preserve=timestamps", ROOT / "notebooks/exercises" / part, own], check=True)
        subprocess.run(["chown", "-R", f"{name}:", own], check=True)


def main(folder):
    os.umask(0o022)
    folder.mkdir(parents=True, exist_ok=True)
    check(folder)
    teachers = teachers_of(folder / "class.toml")
    print(f"Installing into {folder}; the first time this takes some minutes", flush=True)
    environment(folder / "env")
    students.copy(folder / "lessons", students.LESSONS)  # exercises come through the exchange, when they are released
    exercises(folder / "teachers", teachers)
    off = {"ServerApp": {"jpserver_extensions": dict.fromkeys(OFF, False)}}
    put(folder / "students/jupyter_server_config.d/class.json", off)
    put(folder / "students/labconfig/page_config.json", disabled(*(f"@jupyter/nbgrader:{name}" for name in OFF_IN_LAB)))
    shutil.copy(ROOT / "hub/jupyterhub_config.py", folder)
    for name, mode in {"state": 0o700, "exchange": 0o1777, "proxy": 0o755}.items():
        (folder / name).mkdir(exist_ok=True)
        (folder / name).chmod(mode)  # sticky: with 0777 anybody could rename the course away
    shutil.copy(ROOT / "hub/package.json", folder / "proxy")
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder / "proxy", check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
