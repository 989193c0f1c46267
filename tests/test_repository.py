"""A public project: licences, citation, workflows, ruff, addresses from one variable, and the table of sections."""

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import bayeslib as bl
from bayeslib import live
from bayeslib.sections import LESSONS, PAGES, SECTIONS, Section
from tests.figures import FIGURES
from tests.test_install import pins
from tools.sections import lessons_table, map_table, missing, models_table

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
AUTHORS = "the authors of Bayesian learning, live"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCHEMAS = [
    *(("vendor.github-workflows", path) for path in WORKFLOWS),
    *(("custom.github-workflows-require-timeout", path) for path in WORKFLOWS),
    ("vendor.dependabot", ROOT / ".github" / "dependabot.yml"),
    ("vendor.citation-file-format", ROOT / "CITATION.cff"),
]
SPEC = importlib.util.spec_from_file_location("addresses", ROOT / "tools" / "addresses.py")
addresses = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(addresses)

BOOSTED = Section(
    "17", "gradient-boosting", "Gradient boosting", "Can the errors teach?", {"gradients": ["Trees"]}, "trees"
)


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_finds_nothing(command):
    ran = subprocess.run([sys.executable, "-m", "ruff", *command, "."], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_before_a_commit_the_same_ruff_runs():
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    assert [hook["additional_dependencies"] for hook in hooks] == [[f"ruff=={pins('constraints.txt')['ruff']}"]] * 2


@pytest.mark.parametrize("schema, path", SCHEMAS, ids=lambda part: getattr(part, "name", part))
def test_a_file_for_others_fits_its_schema(schema, path):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_workflows_try_every_python_that_is_promised():
    promised = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.M)
    jobs = yaml.safe_load(text(".github/workflows/tests.yml"))["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == promised
    assert f">={promised[0]}" == PROJECT["requires-python"]
    assert jobs["reader"]["strategy"]["matrix"]["system"] == ["macos-latest", "windows-latest"]


def test_every_make_target_and_file_that_a_workflow_names_is_there():
    targets = re.findall(r"^([\w-]+):", text("Makefile"), re.M)
    steps = [
        step.get("run", "")
        for path in WORKFLOWS
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
        for step in job["steps"]
    ]
    named = re.findall(r"make ([\w-]+)", "\n".join(steps))
    assert named and set(named) <= set(targets)
    files = re.findall(r"[\w/]+\.(?:txt|py)", "\n".join(steps)) + text("tests/quick.txt").split()
    assert files and all((ROOT / name).is_file() for name in files)


def test_licences_authors_and_version_are_said_alike_everywhere():
    citation = yaml.safe_load(text("CITATION.cff"))
    assert PROJECT["license"] == " AND ".join(citation["license"]) == "BSD-3-Clause AND CC-BY-4.0"
    assert PROJECT["authors"] == citation["authors"] == [{"name": AUTHORS}]
    assert all(AUTHORS in text(name) for name in PROJECT["license-files"] if name.startswith("LICENSE"))
    assert "CC-BY-4.0" in text("LICENSE-CONTENT") and text("LICENSE").startswith("BSD 3-Clause License")
    assert citation["version"] == bl.__version__
    assert f"## {bl.__version__.partition('.dev')[0]}" in text("CHANGELOG.md")


@pytest.mark.parametrize("name", addresses.TEXTS)
def test_addresses_are_those_of_the_one_variable(name):
    assert addresses.filled(name, text(name), addresses.repository()) == text(name), "make addresses"


def test_without_a_repository_nothing_names_an_address_and_with_one_badge_and_links_appear():
    without = {name: addresses.filled(name, text(name), "") for name in addresses.TEXTS}
    filled = {name: addresses.filled(name, each, "some-owner/some-course") for name, each in without.items()}
    assert not any("mybinder.org" in each or "some-owner" in each for each in without.values())
    badge = "(https://mybinder.org/v2/gh/some-owner/some-course/HEAD?urlpath=lab/tree/notebooks/00-start-here.ipynb)"
    assert "badge_logo.svg)]" + badge in filled["README.md"]
    assert "(https://github.com/some-owner/some-course/security/advisories/new)" in filled["SECURITY.md"]
    assert yaml.safe_load(filled["CITATION.cff"])["url"] == "https://some-owner.github.io/some-course/"
    urls = tomllib.loads(filled["pyproject.toml"])["project"]["urls"]
    assert urls["Repository"] == "https://github.com/some-owner/some-course"
    assert {name: addresses.filled(name, each, "") for name, each in filled.items()} == without


# The table of sections


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_a_section_lacks_nothing(section):
    """To add a section, add its row to bayeslib/sections.py and run this."""
    assert not list(missing(section))


def test_a_new_row_is_told_every_file_that_it_lacks():
    told = "\n".join(missing(BOOSTED, lessons=(*LESSONS, BOOSTED)))
    for name in (
        "bayeslib/models/gradients.py",
        "bayeslib/plots/gradient_boosting.py",
        "bayeslib/live/gradient_boosting.py",
        "bayeslib/sections/s17_gradient_boosting/questions.toml",
        "bayeslib/sections/s17_gradient_boosting/tasks.py",
        "tests/sections/test_s17.py",
        "notebooks/17-gradient-boosting.ipynb",
        "notebooks/exercises/source/17-gradient-boosting/17-gradient-boosting.ipynb",
        "notebooks/exercises/references/17-gradient-boosting.py",
        "notebooks/exercises/release/17-gradient-boosting/17-gradient-boosting.ipynb: run make release",
    ):
        assert f"there is no {name}" in told
    assert "notebooks/16-bagging-and-boosting.ipynb does not lead on to 17-gradient-boosting.ipynb" in told


def test_numbers_run_and_no_name_is_used_twice():
    assert [each.number for each in LESSONS] == [f"{number:02}" for number in range(len(LESSONS))]
    assert len({each.slug for each in LESSONS}) == len({each.title for each in LESSONS}) == len(LESSONS)


def test_no_file_of_a_section_is_outside_the_table():
    """A lesson, an exercise or a figure without a row would be shown to nobody."""
    names = {each.name for each in SECTIONS}
    assert {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} == {each.name for each in PAGES}
    for kind in ("source", "release", "references"):
        assert {path.stem for path in (ROOT / "notebooks/exercises" / kind).iterdir() if path.name[0] != "_"} == names
    numbers = {each.number for each in SECTIONS}
    assert {path.name for path in (ROOT / "bayeslib/sections").glob("s*")} == {each.folder for each in SECTIONS}
    assert {path.stem[-2:] for path in (ROOT / "tests/sections").glob("test_s*.py")} == numbers


def test_every_public_function_of_a_live_module_is_a_figure_and_no_two_share_a_name():
    found = [name for section in SECTIONS for name in live.figures(section)]
    assert len(set(found)) == len(found) and set(found) == set(FIGURES)
    assert set(found) < set(live.__all__) and len(set(live.__all__)) == len(live.__all__)


def test_the_map_and_the_readme_are_made_from_the_table():
    assert lessons_table() + "\n" in text("README.md") and models_table() + "\n" in text("README.md"), (
        "run make sections"
    )
    cells = json.loads((ROOT / "notebooks/00-start-here.ipynb").read_text(encoding="utf-8"))["cells"]
    map_cell = "".join(next(cell["source"] for cell in cells if cell["id"] == "map"))
    assert map_table() + "\n" in map_cell, "run make sections"


def test_every_name_that_the_table_offers_is_there():
    offered = [name for section in SECTIONS for names in section.models.values() for name in names]
    assert all(callable(getattr(bl, name)) for name in offered) and set(offered) < set(bl.__all__)
