"""Shared by all tests: a reader's answers never land in the repository, and a browser is there or its absence is said."""

import os

import hypothesis
import ipykernel.ipkernel  # noqa: F401 (first: it brings a manager of comms of its own, and would not know older widgets)
import ipywidgets
import pytest

from tests import lab

# A busy machine is slow, not wrong; and what a change broke shows by the same examples each time, new ones are tried at home.
hypothesis.settings.register_profile("course", deadline=None, derandomize=os.environ.get("CI") == "true")
hypothesis.settings.load_profile("course")


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
