"""Binder: repo2docker reads the configuration as meant; what its steps build is small and serves the course."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests import lab
from tests.lab import reveal, state, wait_for

BASE = "/user/xyz/"
# Run inside the environment: the bytes of all that is installed, and of four packages alone with what they need.
SIZES = """
import re, sys
from importlib.metadata import distribution, distributions

def size(dists):
    return sum(file.locate().stat().st_size for each in dists for file in each.files or () if file.locate().is_file())

def closure(names):
    found, todo = {}, list(names)
    while todo:
        try:
            each = distribution(todo.pop())
        except ModuleNotFoundError:
            continue  # wanted on another system only
        if each.name not in found:
            found[each.name] = each
            todo += [re.match(r"[\\w.-]+", need)[0] for need in each.requires or () if "extra ==" not in need]
    return found.values()

# pip and setuptools are in every new environment
bare = ["jupyterlab", "ipywidgets", "matplotlib", "numpy", "pip", "setuptools"]
print(size(distributions()), size(closure(bare)))
"""


def test_repo2docker_takes_the_configuration_as_meant():
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "--image-name", "course", "."]
    ran = subprocess.run(command, cwd=lab.ROOT, capture_output=True, text=True, check=True)
    assert "python=3.11" in ran.stderr
    steps = re.findall(r"^COPY .* src/ |^RUN .*pip install .*|^RUN \./.*", ran.stdout, re.M)
    assert [step.split()[-1] for step in steps] == ["src/", '"binder/requirements.txt"', "./binder/postBuild"]
    assert os.access(lab.ROOT / "binder" / "postBuild", os.X_OK)
    assert (lab.ROOT / "binder" / "requirements.txt").read_text() == "-r ../requirements.txt\n"


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The repository and a fresh environment, built by the steps of the Dockerfile."""
    folder = tmp_path_factory.mktemp("image")
    tracked = subprocess.run(["git", "ls-files"], cwd=lab.ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.split("\n"):
        if (lab.ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(lab.ROOT / name, folder / name)
    subprocess.run([sys.executable, "-m", "venv", folder / ".venv"], check=True)
    pip = [folder / ".venv/bin/pip", "install", "--quiet", "--no-cache-dir", "-r", "binder/requirements.txt"]
    subprocess.run(pip, cwd=folder, check=True)
    path = f"{folder / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["binder/postBuild"], cwd=folder, check=True, env={**os.environ, "PATH": path, "REPO_DIR": str(folder)}
    )
    return folder


@pytest.mark.heavy
def test_the_environment_is_small(image):
    code = [image / ".venv/bin/python", "-c", SIZES]
    ours, bare = map(int, subprocess.run(code, capture_output=True, text=True, check=True).stdout.split())
    told = f"{ours / 1e6:.0f} MB against {bare / 1e6:.0f} MB"
    print(told)
    assert ours <= 1.7 * bare, told
    present = subprocess.run([image / ".venv/bin/pip", "freeze"], capture_output=True, text=True, check=True).stdout
    assert not re.search("^(nbgrader|sphinx|voila|playwright|scikit-learn|pgmpy)", present, re.M | re.I)


@pytest.mark.heavy
def test_the_course_runs_under_a_base_url_and_opens_on_the_first_notebook(image, chromium):
    with lab.jupyterlab(image, image / ".venv/bin/python", BASE) as address:
        page = chromium.new_page()
        page.goto(address + "/")
        page.wait_for_url("**/lab/tree/notebooks/00-start-here.ipynb")
        page.close()
        page = lab.open_notebook(chromium, address, "notebooks/00-start-here.ipynb")
        lab.run_all(page)
        cell = lab.cell(page, "works")
        cell.get_by_role("slider").press("ArrowRight")
        cell.get_by_text("stands at 4").wait_for()
        assert not page.get_by_text("Would you like to").count(), "no question about news"
        assert page.errors == []
        page.close()
        for name, figure in (("01-bayes-theorem", "which-helps"), ("14-nearest-neighbours", "predict-k")):
            page = lab.open_notebook(chromium, address, f"notebooks/{name}.ipynb")
            lab.run_all(page)
            cell = reveal(page, figure)
            before = state(cell)
            cell.get_by_role("slider").first.press("ArrowRight")
            wait_for(cell, lambda key, before=before: key != before[0])
            assert state(cell)[1:] != before[1:]
            assert page.errors == []
            page.close()
