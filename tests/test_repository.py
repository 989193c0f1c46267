"""A public project: licences, citation, workflows that fit their schemas, code laid out by ruff, addresses from one variable."""

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import bayeslib
from tests.test_install import pins

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


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_finds_nothing(command):
    ran = subprocess.run([sys.executable, "-m", "ruff", *command, "."], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_before_a_commit_the_same_ruff_runs():
    hooks = yaml.safe_load(text(".pre-commit-config.yaml"))["repos"][0]["hooks"]
    assert [hook["additional_dependencies"] for hook in hooks] == [[f"ruff=={pins('constraints.txt')['ruff']}"]] * 2


def fits(schema, path):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(path)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("schema, path", SCHEMAS, ids=lambda part: getattr(part, "name", part))
def test_a_file_for_others_fits_its_schema(schema, path):
    ran = fits(schema, path)
    assert ran.returncode == 0, ran.stdout


def test_the_schema_test_sees_a_broken_workflow(tmp_path):
    broken = tmp_path / "tests.yml"
    broken.write_text(WORKFLOWS[-1].read_text(encoding="utf-8").replace("runs-on:", "runs:"), encoding="utf-8")
    assert fits("vendor.github-workflows", broken).returncode == 1


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
    assert citation["version"] == bayeslib.__version__
    assert f"## {bayeslib.__version__.partition('.dev')[0]}" in text("CHANGELOG.md")


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


@pytest.mark.parametrize("wrong", ["owner", "https://github.com/owner/name", "owner/name/more"])
def test_a_repository_that_is_no_owner_and_name_is_refused(wrong):
    with pytest.raises(ValueError, match="repository must be"):
        addresses.addresses(wrong)
