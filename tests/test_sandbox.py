"""A student's code, clumsy or malicious, ends with values or a reason; nothing stays, and the next student is served."""

import functools
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib.questions import plain
from bayeslib.questions.answers import same
from grading import sandbox as module
from grading.bubblewrap import interpreter
from grading.cgroup import Groups
from grading.sandbox import Answer, Conversation, Limits, Raised, Request, Sandbox
from tests.figures import every_third

TESTS = Path(__file__).parent
MALICIOUS = sorted((TESTS / "malicious").glob("*.py"))
HONEST = (TESTS / "malicious/honest.py").read_text()
CASES = [([0.2, 0.8], [0.5, 0.25]), ([0.01, 0.99], [0.98, 0.03])]
WANTED = [[1 / 3, 2 / 3], [0.0098 / 0.0395, 0.0297 / 0.0395]]
ASKS = [Request("posterior", CASES), Request("share")]
# The answer of code that ends by itself never hangs on a limit of time, however busy the computer is.
LIMITS = Limits(cpu=60, wall=300, memory=600)
LOOPING = Limits(cpu=1, wall=300, memory=600)  # for code that computes for ever
SLEEPING = Limits(cpu=60, wall=5, memory=600)  # for code that only sleeps
DATA = {"data.py": b"def share(student):\n    return {'ada': 0.25}[student]\n"}
NAME = f"sandbox-test-{uuid.uuid4()}-"


def cells_of(source):
    return re.split(r"^# %%\n", source, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def made():
    """Makes sandboxes whose processes are known by a word at the end of their command line."""
    problem = Sandbox.available()
    if problem:
        pytest.fail(problem) if os.environ.get("CI") == "true" else pytest.skip(problem)
    numbers, command = itertools.count(), module.command
    with pytest.MonkeyPatch.context() as patch, ExitStack() as open_ones:
        patch.setattr(module, "command", lambda *rest: [*command(*rest), f"{NAME}{next(numbers)}-"])
        yield functools.cache(lambda limits: open_ones.enter_context(Sandbox(limits)))
    assert not processes(NAME)


@pytest.fixture
def sandbox(made):
    return made(LIMITS)


@pytest.fixture
def used(monkeypatch):
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
    """Files that malicious code tries to leave outside."""
    places = [
        "/",
        "/tmp",
        "/var/tmp",
        "/dev",
        "/dev/shm",
        "/etc",
        Path.home(),
        Path.cwd(),
        TESTS,
        TESTS / "malicious",
        sys.prefix,
    ]
    return [path for place in places for path in Path(place).glob("left-behind*")]


def verdict(answer, wanted):
    """An answer in the words that malicious files use for what they expect."""
    if answer.values is None:
        return answer.reason
    raised = {each.kind for each in answer.values if isinstance(each, Raised)}
    if raised:
        return "raised " + " ".join(sorted(raised))
    if all(type(each) is list and not each for each in answer.values):
        return "nothing"
    return "right" if same(answer.values, wanted) else "wrong"


@pytest.mark.parametrize("path", every_third(MALICIOUS), ids=lambda path: path.stem)
def test_every_submission_ends_with_values_or_a_reason_and_leaves_nothing(path, made, used, tmp_path, monkeypatch):
    source = path.read_text()
    expected = [re.search(rf"^# {name}: (.*)", source, re.MULTILINE)[1] for name in ("posterior", "share")]
    wanted = " ".join(expected)
    sandbox = made(SLEEPING if "after 5 s" in wanted else LOOPING if "after 1 s" in wanted else LIMITS)
    host = tmp_path / "host"
    (host / "references").mkdir(parents=True)
    for name in ("gradebook.db", "references/01.py"):
        (host / name).write_text("secret-of-the-assignment")
    monkeypatch.setenv("SECRET", "secret-of-the-assignment")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        known = {"HOST": str(host), "TESTS": str(TESTS), "PACKAGE": str(TESTS.parent / "bayeslib"), "NULL": "\0"}
        known |= {"PORT": str(listener.getsockname()[1]), "PYTHON": interpreter(), "SURROGATE": "\ud800"}
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
    honest = made(LIMITS).run(cells_of(HONEST), ASKS, student="bea", files=DATA)
    assert [verdict(*each) for each in zip(honest.answers, (WANTED, [0.25]))] == ["right", "right"]
    assert len(used) >= 2 and not any(processes(name) for name in used)


def test_cells_are_told_apart(sandbox):
    cells = ["x = 1\n1 / 0\ny = 2", "def f(:", "%%bash\nexit", "from bayeslib import live", "import os\nos.getcwd()"]
    run = sandbox.run(cells, [Request("x"), Request("y")])
    assert [answer.values for answer in run.answers] == [[1], [2]]
    assert run.cells[0] == "ZeroDivisionError: division by zero"
    assert run.cells[1].startswith("SyntaxError: invalid syntax") and run.cells[1].endswith("(line 1)")
    assert run.cells[2:] == ["ok", "ImportError: the grader has numpy only: write it yourself", "ok"]
    assert sandbox.run(["x = 1", "x.y"], []).cells == ["ok", "AttributeError: 'int' object has no attribute 'y'"]
    assert sandbox.run([], [Request("x")]).answers == [Answer(None, "no variable called x")]


@pytest.mark.parametrize(
    "cell, wanted",
    [
        ("value = '''\n%time\n!ls\n'''", "\n%time\n!ls\n"),
        ("value = (7\n% 4)", 3),
        ("%%time\nvalue = 1", 1),
        ("%%capture out\nvalue = 1\n%pip install x", 1),
        ("value = 1\nif value:\n    !ls\nvalue += 1", 2),
        ("value = 1\n%%bash", 1),
        ("value = 1\nvalue = %time 2\nvalue = !ls", 1),
        ("value = 1\nlen??\n?len\nstr.join?", 1),
        ("%%html\nvalue = 2", None),
        ("%%writefile x.py\nvalue = 2", None),
    ],
)
def test_magics_are_left_out_and_nothing_else_is(sandbox, cell, wanted):
    assert sandbox.run(["value = None", cell], [Request("value")]).answers == [Answer([wanted])]


def test_arguments_arrive_as_they_were_sent(sandbox):
    import numpy as np

    cases = [(np.array([[1.5, np.nan]]), {("a", 1): [True, None]}), (float("inf"), (1, "ü\n"))]
    echo = "def echo(*arguments):\n    return repr(arguments)"
    answer = sandbox.run([echo], [Request("echo", cases)]).answers[0]
    assert answer.values == [repr(case) for case in cases]


def test_grading_twice_gives_the_same_in_spite_of_chance_and_hashes(sandbox):
    cells = [
        "import random, numpy as np\nvalue = [random.random(), np.random.rand(), hash('a'), list({'a', 'b', 'c'})]"
    ]
    first, second = (sandbox.run(cells, [Request("value")]).answers[0].values for _ in range(2))
    assert first == second


def test_students_who_are_graded_at_once_do_not_meet(sandbox):
    def grade(number):
        cells = [f"mine = {number}\nopen('mine', 'x').write(student)", "seen = [mine, student, open('mine').read()]"]
        return sandbox.run(cells, [Request("seen")] * 3, student=f"s{number}").answers

    with ThreadPoolExecutor(4) as pool:
        for number, answers in enumerate(pool.map(grade, range(8))):
            assert answers == [Answer([[number, f"s{number}", f"s{number}"]])] * 3


def test_a_reader_who_does_not_read_holds_nobody_up(made):
    source = (TESTS / "malicious/never_reads.py").read_text()
    answers = made(SLEEPING).run([source], [Request("f", [("x" * 3_000_000,)])]).answers
    assert answers[0].reason == "timed out after 5 s"


def test_cells_beyond_measure_are_a_reason(sandbox):
    run = sandbox.run(["#" * (51 << 20)], ASKS)
    assert run.answers == [Answer(None, "the cells are too long")] * 2 and run.cells == ["not run"]


@pytest.mark.parametrize("least", [1, 4, 10])
def test_a_grader_that_is_killed_leaves_no_process(sandbox, tmp_path, least):
    name = f"{NAME}killed-"
    script = tmp_path / "grader.py"
    script.write_text(
        "import sys\n"
        "from grading import sandbox\n"
        "command = sandbox.command\n"
        "sandbox.command = lambda *rest: [*command(*rest), sys.argv[1]]\n"
        "with sandbox.Sandbox(sandbox.Limits(wall=300)) as box:\n"
        "    box.run(['import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(300)'], [])\n"
    )
    grader = subprocess.Popen([sys.executable, str(script), name], cwd=TESTS.parent)
    deadline = time.monotonic() + 120
    while len(processes(name)) < least and time.monotonic() < deadline:
        time.sleep(0.1)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    while processes(name) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not processes(name)


def test_closing_ends_what_was_started_ahead_and_refuses_more(sandbox):
    with Sandbox(LIMITS, workers=2) as other:
        other.run(["x = 1"], [Request("x")])
    with pytest.raises(RuntimeError, match="closed"):
        other.run(["x = 1"], [Request("x")])


class Deaf:
    """Stands for a sandbox that says what a test wants it to say."""

    limits, group = LIMITS, None
    too_much, is_starved = module.SandboxProcess.too_much, module.SandboxProcess.is_starved

    def __init__(self, frames):
        self.frames = list(frames)

    def send(self, letter, content, deadline):
        pass

    def receive(self, deadline):
        if not self.frames:
            raise module.SandboxGone("the process died")
        return self.frames.pop(0)


JUNK = (
    st.none()
    | st.booleans()
    | st.floats()
    | st.text()
    | st.lists(st.text() | st.lists(st.text()))
    | st.dictionaries(st.text(), st.integers())
)
WORDS = st.sampled_from("cell ready value raised missing memory refused end other".split()) | st.text()
SAID = st.lists(st.tuples(WORDS, JUNK).map(list) | JUNK, max_size=8)


@settings(deadline=None)
@given(
    SAID,
    st.binary(max_size=40),
    st.booleans(),
    st.lists(st.tuples(st.sampled_from([b"c", b"e", b"x"]), st.binary(max_size=20))),
)
def test_whatever_a_child_says_the_grader_stays_on_its_feet(said, noise, honest, frames):
    said = [["cell", "ok"], ["ready", None], *said, ["end", None]] if honest else said
    texts = [plain.dumps(each).encode() for each in said]
    stream = b"".join(b"t" + len(text).to_bytes(4, "big") + text for text in texts) + noise
    box = Deaf([(b"c", stream[at : at + 7]) for at in range(0, len(stream), 7)] + frames)
    for ask in ASKS:
        conversation = Conversation(box, 1, ask)
        answer = conversation.answer()
        assert (answer.values is None) == bool(answer.reason)
        assert answer.values is None or len(answer.values) == len(ask.cases or [0])
        assert answer.reason.isprintable()


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda patch: patch.setattr(module.sys, "platform", "darwin"), "Linux"),
        (lambda patch: patch.setattr(module.platform, "machine", lambda: "riscv64"), "riscv64"),
        (lambda patch: patch.setattr(module.platform, "release", lambda: "4.18.0-80.el8"), "5.14"),
        (lambda patch: patch.setattr(module.shutil, "which", lambda name: None), "apt-get install bubblewrap"),
    ],
)
def test_without_what_it_needs_it_refuses_and_says_what_to_do(monkeypatch, change, says):
    change(monkeypatch)
    module._problem.cache_clear()
    try:
        assert says in Sandbox.available()
        with pytest.raises(RuntimeError, match=says):
            Sandbox()
    finally:
        module._problem.cache_clear()


@pytest.mark.parametrize(
    "script, says",
    [
        ("echo bubblewrap 0.4.1", "too old"),
        (
            '[ "$1" = --version ] && echo bubblewrap 0.8.0 || { echo No permission >&2; exit 1; }',
            "user namespaces",
        ),
    ],
)
def test_a_bubblewrap_that_cannot_is_as_good_as_none(monkeypatch, tmp_path, script, says):
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    module._problem.cache_clear()
    try:
        assert says in Sandbox.available()
    finally:
        module._problem.cache_clear()


def test_a_table_of_results_takes_the_place_of_a_function(sandbox):
    rows = [plain.dumps([([1.0, 2.0], "a"), 7.0]), plain.dumps([([0.0], "a")])]
    given = {"first": {"rows": rows, "arguments": ["values", "name"]}}
    cells = [
        "import numpy as np\ndef first(values, name): return -1",
        "def second(x): return first(np.array(x), name='a') + 1",
    ]
    cells.append("number = first((1, 2 + 1e-12), 'a')")
    asks = [
        Request("second", [([1, 2],), ([0],), ([5],)], given),
        Request("number", None, given, cells[-1]),
        Request("second", [([1, 2],)]),
    ]
    asked, number, plainly = sandbox.run(cells, asks).answers
    assert asked.values[0] == 8 and [each.kind for each in asked.values[1:]] == ["ValueError", "Exception"]
    assert number.values == [7] and plainly.values == [0], "each ask stands alone"


def test_the_kernel_keeps_the_limit_where_a_cgroup_can_be_made(made, monkeypatch):
    """Even if nobody looks: the memory of all processes together stays below, and the next sandbox starts afresh."""
    groups = Groups(64 << 20)
    if groups.take() is None:
        pytest.skip("no cgroup can be made here")
    groups.close()
    assert not [each for each in groups.made if each.folder.exists()]
    monkeypatch.setattr(module.SandboxProcess, "memory", lambda box: 1)
    source = (TESTS / "malicious/memory_of_many.py").read_text()
    with Sandbox(Limits(cpu=60, wall=300, memory=300), workers=1) as sandbox:
        for _ in range(2):
            greedy = sandbox.run(cells_of(source), ASKS[:1], "ada", DATA)
            assert greedy.answers == [Answer(None, "used more than 300 MB of memory")]
            honest = sandbox.run(cells_of(HONEST), ASKS[:1], "ada", DATA)
            assert same(honest.answers[0].values, WANTED)
        made = sandbox._groups.made
        peaks = [each.folder / "memory.max_usage_in_bytes" for each in made]
        assert all(int(each.read_text()) <= 316 << 20 for each in peaks if each.exists())
    assert not [each for each in made if each.folder.exists()]
