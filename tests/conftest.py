"""Shared by all tests: a reader's answers never land in the repository, a missing browser is reported, one section can be run."""

import os

import hypothesis
import ipykernel.ipkernel  # noqa: F401 (first: it brings a manager of comms of its own, and would not know older widgets)
import ipywidgets
import pytest

from bayeslib import live
from bayeslib.questions import record
from bayeslib.sections import BY_NUMBER, START
from tests import lab

# A busy machine is slow, not wrong; and the same examples run each time, everywhere.
hypothesis.settings.register_profile("course", deadline=None, derandomize=True)
hypothesis.settings.load_profile("course")


def pytest_addoption(parser):
    parser.addoption("--section", help="run only what belongs to one section, 05 for example")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark what needs a browser; keep what belongs to the section that was asked for."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    if section := config.getoption("section"):
        if section not in BY_NUMBER:
            raise pytest.UsageError(f"--section must be one of {', '.join(BY_NUMBER)}, got {section}")
        figures = live.figures(BY_NUMBER[section]) if section != START.number else ()
        kept = [item for item in items if _belongs_to(item, BY_NUMBER[section], figures)]
        config.hook.pytest_deselected(
            items=[item for item in items if not _belongs_to(item, BY_NUMBER[section], figures)]
        )
        items[:] = kept


def _belongs_to(item, section, figures):
    """A cell of its notebook, a test in its file, or a test whose parameter is its number, name, figure, question or map row."""
    if item.path.name in (f"{section.name}.ipynb", f"test_s{section.number}.py"):
        return True
    values = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = [
        str(value.get("notebook") if isinstance(value, dict) else getattr(value, "name", value)) for value in values
    ]
    return any(
        name in figures or name[:3] in (section.number, f"{section.number}-", f"{section.number}/") for name in names
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown():
    """What runs inside a test may leave for another folder, nbgrader for one; the next test starts at home."""
    try:
        return (yield)
    finally:
        os.chdir(lab.ROOT)


@pytest.fixture(autouse=True)
def answers_file(tmp_path, monkeypatch):
    monkeypatch.setenv("BAYESLIB_ANSWERS", str(tmp_path / "my-answers.json"))
    return tmp_path / "my-answers.json"


@pytest.fixture(scope="session")
def chromium():
    if lab.chromium() is None:
        pytest.fail(lab.HOW) if os.environ.get("CI") == "true" else pytest.skip(lab.HOW)
    with lab.browser() as instance:
        yield instance


@pytest.fixture(autouse=True)
def no_widget_stays():
    """Every widget is kept until it is closed; thousands of figures would fill the memory."""
    yield
    ipywidgets.Widget.close_all()
    record._watchers.clear()
