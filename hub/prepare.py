"""`make class`: fill the class's folder. Run as root with the system's Python; every step can be repeated.

class.toml         who is in the class, written by you
env                Python, JupyterHub, the course and the grading as wheels, for everybody to read
lessons            what a student's own copy is renewed from
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
NODE = "The hub's proxy needs Node 18 or newer and npm: sudo apt-get install nodejs npm"
# Students have no use for these; without them a server starts sooner and is smaller.
OFF = ("jupyter_lsp", "notebook", "notebook_shim") + tuple(
    f"nbgrader.server_extensions.{name}" for name in ("formgrader", "course_list", "validate_assignment")
)
OFF_IN_LAB = ("formgrader", "course-list", "validate-assignment", "create-assignment")


def open_to_others(path):
    """Whether any account of this machine can enter the folder."""
    path = Path(path).resolve()
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def check(root=ROOT):
    """Check what must hold before anything is written; exit with a sentence if it does not."""
    if os.geteuid() != 0:
        sys.exit("The hub switches to each student's own account, so it is started by root: sudo make class")
    if open_to_others(root):
        sys.exit(f"Students could read the solutions in {root}. Close it, then make class again: chmod 700 {root}")
    python = Path(sys.executable).resolve()
    if not open_to_others(python.parent):
        sys.exit(f"Students cannot run {python}. Use the system's: sudo make class CLASS_PYTHON=/usr/bin/python3")
    if not shutil.which("npm") or not shutil.which("node"):
        sys.exit(NODE)


def read_settings(folder):
    """The content of class.toml; the first time, it is put there to be filled in."""
    path = folder / "class.toml"
    if not path.exists():
        shutil.copyfile(ROOT / "hub/class.toml", path)
        path.chmod(0o600)
        sys.exit(f"Write who is in the class into {path}, then make class again.")
    settings = tomllib.loads(path.read_text(encoding="utf-8"))
    for name in settings.get("students", []) + settings.get("teachers", []):
        try:
            pwd.getpwnam(name)
        except KeyError:
            sys.exit(f"{path}: there is no account {name!r} on this machine: sudo adduser {name}")
    return settings


def wheels(python, folder, root=ROOT):
    """The course and the teacher's tool as wheels, built from copies without exercises."""
    course, grading = (Path(folder) / name for name in ("course", "grading"))
    clean = {"ignore": shutil.ignore_patterns("__pycache__", "*.egg-info", "build")}
    shutil.copytree(root / "bayeslib", course / "bayeslib", **clean)
    shutil.copytree(root / "grading", grading, **clean)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in ("pyproject.toml", project["readme"], *project["license-files"]):
        shutil.copy(root / name, course)
    pip(python, "wheel", "--no-deps", "--wheel-dir", folder, course, grading)
    return [next(Path(folder).glob(f"{name}-*.whl")) for name in ("bayeslib", "bayeslib_grading")]


def pip(python, command, *arguments):
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run([python, "-m", "pip", command, *quiet, *arguments], check=True)


def environment(env):
    """Everybody's Python: what constraints.txt pins, the course as a wheel, and nbgrader's settings."""
    python, settings = env / "bin/python", env / "etc/jupyter"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", env], check=True)
    with tempfile.TemporaryDirectory() as scratch:
        course, grading = wheels(python, scratch)
        pip(python, "install", "-c", ROOT / "constraints.txt", f"bayeslib[hub] @ {course.as_uri()}", grading)
        # The same version may hold new lessons.
        pip(python, "install", "--no-deps", "--force-reinstall", course, grading)
    put(settings / "labconfig/page_config.json", disabled("@jupyterlab/apputils-extension:announcements"))
    shutil.copyfile(ROOT / "hub/nbgrader_config.py", settings / "nbgrader_config.py")


def disabled(*extensions):
    return {"disabledExtensions": dict.fromkeys(extensions, True)}


def put(path, settings):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))


def trees(folder, teachers):
    """The lessons for all; for each teacher the exercises, closed to everybody else."""
    for name in ("lessons", "teachers"):
        shutil.rmtree(folder / name, ignore_errors=True)
    students.copy(
        folder / "lessons", students.LESSONS
    )  # the exercises come through the exchange, when they are released
    (folder / "lessons/exercises/release").mkdir(parents=True)
    (folder / "teachers").mkdir(mode=0o711)
    for name in teachers:
        account, teacher_folder = pwd.getpwnam(name), folder / "teachers" / name
        teacher_folder.mkdir(mode=0o700)
        for part in ("source", "references"):
            shutil.copytree(
                ROOT / "notebooks/exercises" / part, teacher_folder / part, ignore=shutil.ignore_patterns("__pycache__")
            )
        for part in ("README.md", "nbgrader_config.py"):
            shutil.copyfile(ROOT / "notebooks/exercises" / part, teacher_folder / part)
        for path in (teacher_folder, *teacher_folder.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid)


def main(folder):
    check()
    os.umask(0o022)
    folder.mkdir(parents=True, exist_ok=True)
    if not open_to_others(folder):
        sys.exit(f"Students cannot enter {folder}: choose another, make class CLASS=/srv/…, or open it.")
    settings = read_settings(folder)
    print(f"Installing into {folder}; the first time this takes some minutes", flush=True)
    environment(folder / "env")
    trees(folder, settings.get("teachers", []))
    off = {"ServerApp": {"jpserver_extensions": dict.fromkeys(OFF, False)}}
    put(folder / "students/jupyter_server_config.d/class.json", off)
    put(folder / "students/labconfig/page_config.json", disabled(*(f"@jupyter/nbgrader:{name}" for name in OFF_IN_LAB)))
    for name in ("jupyterhub_config.py", "lay_out.py"):
        shutil.copyfile(ROOT / "hub" / name, folder / name)
    (folder / "state").mkdir(mode=0o700, exist_ok=True)
    (folder / "exchange").mkdir(exist_ok=True)
    (folder / "exchange").chmod(0o1777)  # sticky: with 0777 anybody could rename the course away
    (folder / "proxy").mkdir(exist_ok=True)
    shutil.copyfile(ROOT / "hub/package.json", folder / "proxy/package.json")
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder / "proxy", check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
