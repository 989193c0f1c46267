"""A student's code, clumsy or hostile, ends with values or a reason; nothing of it stays, and the next student is served."""

import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayeslib.grading import plain
from bayeslib.grading import sandbox as module
from bayeslib.grading.sandbox import Answer, Ask, Box, Conversation, Limits, Raised, Sandbox
from bayeslib.practice import same

TESTS = Path(__file__).parent
HOSTILE = sorted((TESTS / "hostile").glob("*.py"))
HONEST = (TESTS / "hostile/honest.py").read_text()
CASES = [([0.2, 0.8], [0.5, 0.25]), ([0.01, 0.99], [0.98, 0.03])]
WANTED = [[1 / 3, 2 / 3], [0.0098 / 0.0395, 0.0297 / 0.0395]]
ASKS = [Ask("posterior", CASES), Ask("share")]
LIMITS = Limits(cpu=1, wall=2, memory=600)
DATA = {"data.py": b"def share(student):\n    return {'ada': 0.25}[student]\n"}
NAME = f"sandbox-test-{uuid.uuid4()}-"


def cells_of(source):
    return re.split(r"^# %%\n", source, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def sandbox():
    problem = Sandbox.available()
    if problem:
        pytest.fail(problem) if os.environ.get("CI") == "true" else pytest.skip(problem)
    numbers, command = itertools.count(), module.command
    with pytest.MonkeyPatch.context() as patch:
        # A word at the end of its command line makes every process of a sandbox known.
        patch.setattr(module, "command", lambda *rest: [*command(*rest), f"{NAME}{next(numbers)}-"])
        with Sandbox(LIMITS, workers=2) as made:
            yield made
    assert not processes(NAME)


@pytest.fixture
def used(sandbox, monkeypatch):
    """The sandboxes that a test used, by the last word of their command line."""
    names, new_box = [], Sandbox._new_box

    def remember(self, job):
        box = new_box(self, job)
        names.append(box.process.args[-1])
        return box

    monkeypatch.setattr(Sandbox, "_new_box", remember)
    return names


def processes(name):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if name.encode() in path.read_bytes() else []
        except OSError:
            pass
    return found


def traces():
    """Files that hostile code tries to leave outside."""
    places = ["/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/etc", Path.home(), Path.cwd(), TESTS, TESTS / "hostile", sys.prefix]
    return [path for place in places for path in Path(place).glob("left-behind*")]


def verdict(answer, wanted):
    """An answer in the words that hostile files use for what they expect."""
    if answer.values is None:
        return re.sub(r"^timed out after [12] s", "timed out", answer.reason)
    raised = {each.kind for each in answer.values if isinstance(each, Raised)}
    if raised:
        return "raised " + " ".join(sorted(raised))
    if all(type(each) is list and not each for each in answer.values):
        return "nothing"
    return "right" if same(answer.values, wanted) else "wrong"


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_every_submission_ends_with_values_or_a_reason_and_leaves_nothing(path, sandbox, used, tmp_path, monkeypatch):
    source = path.read_text()
    expected = [re.search(rf"^# {name}: (.*)", source, re.MULTILINE)[1] for name in ("posterior", "share")]
    host = tmp_path / "host"
    (host / "references").mkdir(parents=True)
    for name in ("gradebook.db", "references/01.py"):
        (host / name).write_text("secret-of-the-assignment")
    monkeypatch.setenv("SECRET", "secret-of-the-assignment")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        known = {"HOST": str(host), "TESTS": str(TESTS), "PACKAGE": str(TESTS.parent / "bayeslib"), "NULL": "\0"}
        known |= {"PORT": str(listener.getsockname()[1]), "PYTHON": module.interpreter(), "SURROGATE": "\ud800"}
        known |= {"BRACKETS": "(" * 100_000}
        for word, value in known.items():
            source = source.replace(f"@{word}@", value)
        run = sandbox.run(cells_of(source), ASKS, student="ada", files=DATA)
        assert [verdict(*each) for each in zip(run.answers, (WANTED, [0.25]))] == expected, run
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert len(run.cells) == len(cells_of(source))
    assert all(text.isprintable() and len(text) <= 300 for text in run.cells)
    assert "[0.2, 0.8]" not in repr(run.cells) + repr([answer.reason for answer in run.answers])
    assert not traces()
    assert sorted(each.name for each in host.rglob("*")) == ["01.py", "gradebook.db", "references"]
    assert (host / "gradebook.db").read_text() == "secret-of-the-assignment"
    honest = sandbox.run(cells_of(HONEST), ASKS, student="bea", files=DATA)
    assert [verdict(*each) for each in zip(honest.answers, (WANTED, [0.25]))] == ["right", "right"]
    assert len(used) >= 2 and not any(processes(name) for name in used)
