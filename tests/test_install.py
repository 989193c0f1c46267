"""What a reader installs: pins that every promised Python can have, and a wheel that works with the oldest of it."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The first release of the oldest Python that pyproject.toml promises; Debian 12 has 3.11.2.
OLDEST = PROJECT["requires-python"].removeprefix(">=") + ".0"
# Run inside a fresh environment: a model, and the first figure of every section's module.
TRIAL = """
import inspect
import bayeslib as bl
from bayeslib import live

assert round(bl.posterior({"sick": 0.008, "well": 0.992}, {"sick": 0.98, "well": 0.03})["sick"], 4) == 0.2085
table = bl.data.load_play_tennis()
model = bl.NaiveBayes().fit(table.drop(columns="PlayTennis"), table["PlayTennis"])
assert model.classes_.tolist() == ["no", "yes"], model.classes_
first = {}
for name in live.__all__:
    made = getattr(live, name)
    if inspect.isfunction(made):
        first.setdefault(made.__module__, made)
for module, made in first.items():
    assert made().frame().startswith(b"\\x89PNG"), module
print(len(first))
"""


def pins(name):
    """distribution -> pinned version, of a file of requirements."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if "==" in line and not line.startswith("#")]
    return {
        canonicalize_name(each.name): next(iter(each.specifier)).version
        for each in wanted
        if not each.marker or each.marker.evaluate()
    }


def installed():
    """The distributions of this environment."""
    return {
        canonicalize_name(each.metadata["Name"]): each
        for each in distributions(path=[sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    }


def shut_out(dists, version=OLDEST):
    """Those that a version of Python cannot install."""
    return [
        f"{name} {each.version} wants Python {each.metadata['Requires-Python']}"
        for name, each in dists.items()
        if version not in SpecifierSet(each.metadata.get("Requires-Python") or "")
    ]


def test_requirements_are_few_and_exact_and_agree_with_the_constraints():
    wanted = {"jupyterlab", "ipywidgets", "anywidget", "matplotlib", "numpy", "scipy", "pandas"}
    assert pins("requirements.txt").keys() == wanted | {"latex2mathml", "mistune"}
    assert pins("requirements.txt").items() <= pins("constraints.txt").items()


def test_what_is_installed_is_what_is_pinned():
    pinned, unpinned = pins("constraints.txt"), {"bayeslib", "bayeslib-grading", "pip", "setuptools", "wheel"}
    for name, each in installed().items():
        if name in pinned or (os.environ.get("CI") and name not in unpinned):
            assert pinned.get(name) == each.version, f"{name} {each.version} is not in constraints.txt"


def test_every_pin_can_be_installed_by_the_oldest_promised_python():
    pinned = {name: each for name, each in installed().items() if name in pins("constraints.txt")}
    assert len(pinned) > 50
    assert shut_out(pinned) == []


def test_the_test_of_the_pins_sees_one_that_shuts_a_python_out():
    """No pin can be had by Python 3.2, so each of them is named; soupsieve 4.1 shut out 3.11.2 alike."""
    assert any(found.startswith("numpy ") for found in shut_out(installed(), "3.2.0"))


def test_what_a_reader_needs_is_what_the_package_depends_on_and_jupyterlab():
    needed = {canonicalize_name(Requirement(each).name) for each in PROJECT["dependencies"]}
    assert pins("requirements.txt").keys() == needed | {"jupyterlab"}


def test_every_pin_is_allowed_by_the_lower_bounds():
    pinned = pins("constraints.txt")
    for each in map(Requirement, PROJECT["dependencies"]):
        assert str(each.specifier).startswith(">="), f"{each.name} has no lower bound"
        assert pinned[canonicalize_name(each.name)] in each.specifier


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy: setuptools leaves its build folder behind, and would take files from an old one."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "bayeslib", folder / "bayeslib", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", PROJECT["readme"], *PROJECT["license-files"]):
        shutil.copy(ROOT / name, folder)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, folder]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


@pytest.mark.heavy
def test_the_wheel_alone_works_with_the_lowest_of_what_it_needs(wheel, tmp_path):
    """With the lower bounds as pins; a Python that these cannot have takes the pins of the course."""
    lowest = [each.replace(">=", "==") for each in PROJECT["dependencies"]]
    wanted = ["-c", ROOT / "constraints.txt"] if sys.version_info >= (3, 13) else lowest  # numpy 2.0 is older than 3.13
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel, *wanted], check=True)
    ran = subprocess.run([python, "-c", TRIAL], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) >= 16
