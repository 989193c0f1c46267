"""A student's code, clumsy or malicious, ends with values or a reason; nothing stays, and the next student is served."""

import functools
import itertools
import os
import re
import socket
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib.questions import plain
from bayeslib.questions.answers import same
from grading import bubblewrap
from grading import sandbox as module
from grading.bubblewrap import interpreter
from grading.cgroup import Groups
from grading.sandbox import Answer, Conversation, Limits, Raised, Request, Sandbox
from tests import course
from tests.figures import every_third

TESTS = Path(__file__).parent
MALICIOUS = sorted((TESTS / "malicious").glob("*.py"))
CASES = [([0.2, 0.8], [0.5, 0.25]), ([0.01, 0.99], [0.98, 0.03])]
WANTED = [[1 / 3, 2 / 3], [0.0098 / 0.0395, 0.0297 / 0.0395]]
ASKS = [Request("posterior", CASES), Request("share")]
# The answer of code that ends by itself never hangs on a limit of time, however busy the computer is.
LIMITS = Limits(cpu=60, wall=300, memory=600)
LOOPING = Limits(cpu=1, wall=300, memory=600)  # for code that computes for ever
SLEEPING = Limits(cpu=60, wall=5, memory=600)  # for code that only sleeps
DATA = {"data.py": b"def share(student):\n    return {'ada': 0.25}[student]\n"}
NAME = f"sandbox-test-{uuid.uuid4()}-"
# where malicious code tries to leave files
PLACES = [
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


def cells_of(path, **known):
    """The cells of a malicious file, with what it needs to know of its surroundings."""
    known |= {"TESTS": str(TESTS), "PACKAGE": str(TESTS.parent / "bayeslib"), "PYTHON": interpreter()}
    known |= {"NULL": "\0", "SURROGATE": "\ud800", "BRACKETS": "(" * 100_000}
    source = re.sub(r"@([A-Z]+)@", lambda word: known.get(word[1], word[0]), path.read_text())
    return re.split(r"^# %%\n", source, flags=re.MULTILINE)


HONEST = cells_of(TESTS / "malicious/honest.py")


@pytest.fixture(scope="module")
def made():
    """Makes sandboxes whose processes are known by a word at the end of their command line."""
    course.need_sandbox()
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
    """The sandboxes that a test used."""
    boxes, new_box = [], Sandbox._new_box
    monkeypatch.setattr(Sandbox, "_new_box", lambda self, job: boxes.append(new_box(self, job)) or boxes[-1])
    return boxes


def processes(name):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [path.parent.name] if name.encode() in path.read_bytes() else []
    return found


def verdict(answer, wanted):
    """An answer in the words that malicious files use for what they expect."""
    if answer.values is None:
        return answer.reason
    if raised := {each.kind for each in answer.values if isinstance(each, Raised)}:
        return "raised " + " ".join(sorted(raised))
    empty = all(type(each) is list and not each for each in answer.values)
    return "nothing" if empty else "right" if same(answer.values, wanted) else "wrong"


@pytest.mark.parametrize("path", every_third(MALICIOUS), ids=lambda path: path.stem)
def test_every_submission_ends_with_values_or_a_reason_and_leaves_nothing(path, made, used, tmp_path, monkeypatch):
    expected = re.findall(r"(?m)^# (?:posterior|share): (.*)", path.read_text())
    wanted = " ".join(expected)
    limits = SLEEPING if "\n# sleeps" in path.read_text() else LOOPING if "timed out" in wanted else LIMITS
    (tmp_path / "references").mkdir()
    for name in ("gradebook.db", "references/01.py"):
        (tmp_path / name).write_text("secret-of-the-assignment")
    monkeypatch.setenv("SECRET", "secret-of-the-assignment")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        cells = cells_of(path, HOST=str(tmp_path), PORT=str(listener.getsockname()[1]))
        run = made(limits).run(cells, ASKS, student="ada", files=DATA)
        assert [verdict(*each) for each in zip(run.answers, (WANTED, [0.25]))] == expected, run
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert len(run.cells) == len(cells) and all(text.isprintable() and len(text) <= 300 for text in run.cells)
    assert "[0.2, 0.8]" not in repr(run.cells) + repr([answer.reason for answer in run.answers])
    assert not [left for place in PLACES for left in Path(place).glob("left-behind*")]
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["01.py", "gradebook.db", "references"]
    assert (tmp_path / "gradebook.db").read_text() == "secret-of-the-assignment"
    honest = made(LIMITS).run(HONEST, ASKS, student="bea", files=DATA)
    assert [verdict(*each) for each in zip(honest.answers, (WANTED, [0.25]))] == ["right", "right"]
    assert len(used) >= 2 and not any(processes(box.process.args[-1]) for box in used)


def test_cells_are_told_apart(sandbox):
    cells = ["x = 1\n1 / 0\ny = 2", "def f(:", "%%bash\nexit", "from bayeslib import live", "import os\nos.getcwd()"]
    run = sandbox.run([*cells, "x.y"], [Request("x"), Request("y"), Request("z")])
    assert run.answers == [Answer([1]), Answer([2]), Answer(None, "no variable called z")]
    assert run.cells[0] == "ZeroDivisionError: division by zero"
    assert re.fullmatch(r"SyntaxError: invalid syntax.*\(line 1\)", run.cells[1])
    assert run.cells[2:5] == ["ok", "ImportError: the grader has numpy only: write it yourself", "ok"]
    assert run.cells[5] == "AttributeError: 'int' object has no attribute 'y'"


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
    cases = [(np.array([[1.5, np.nan]]), {("a", 1): [True, None]}), (float("inf"), (1, "ü\n"))]
    answer = sandbox.run(["def echo(*arguments):\n    return repr(arguments)"], [Request("echo", cases)]).answers[0]
    assert answer.values == [repr(case) for case in cases]


def test_grading_twice_gives_the_same_in_spite_of_chance_and_hashes(sandbox):
    cells = ["import random, numpy as np\nx = [random.random(), np.random.rand(), hash('a'), list({'a', 'b', 'c'})]"]
    assert sandbox.run(cells, [Request("x")]).answers == sandbox.run(cells, [Request("x")]).answers


def test_students_who_are_graded_at_once_do_not_meet(sandbox):
    def grade(number):
        cells = [f"mine = {number}\nopen('mine', 'x').write(student)", "seen = [mine, student, open('mine').read()]"]
        return sandbox.run(cells, [Request("seen")] * 3, student=f"s{number}").answers

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(grade, range(8)))
    assert answers == [[Answer([[number, f"s{number}", f"s{number}"]])] * 3 for number in range(8)]


def test_a_reader_who_does_not_read_holds_nobody_up(made):
    ask = Request("f", [("x" * 3_000_000,)])
    (answer,) = made(SLEEPING).run(cells_of(TESTS / "malicious/never_reads.py"), [ask]).answers
    assert answer.reason == "timed out"


def test_cells_beyond_measure_are_a_reason(sandbox):
    run = sandbox.run(["#" * (51 << 20)], ASKS)
    assert run.answers == [Answer(None, "the cells are too long")] * 2 and run.cells == ["not run"]


@pytest.mark.parametrize("least", [1, 4, 10])
def test_a_grader_that_is_killed_leaves_no_process(made, least):
    name = f"{NAME}killed-"
    script = (
        "from grading import sandbox\n"
        "command = sandbox.command\n"
        f"sandbox.command = lambda *rest: [*command(*rest), {name!r}]\n"
        "with sandbox.Sandbox(sandbox.Limits(wall=300)) as box:\n"
        "    box.run(['import os, time\\nif os.fork() == 0: os.setsid()\\ntime.sleep(300)'], [])\n"
    )
    deadline = time.monotonic() + 120
    with subprocess.Popen([sys.executable, "-c", script], cwd=TESTS.parent) as grader:
        while len(processes(name)) < least and time.monotonic() < deadline:
            time.sleep(0.1)
        grader.kill()
    while processes(name) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not processes(name)


def test_closing_ends_what_was_started_ahead_and_refuses_more(made):
    with Sandbox(LIMITS, workers=2) as other:
        other.run(["x = 1"], [Request("x")])
    with pytest.raises(RuntimeError, match="closed"):
        other.run(["x = 1"], [Request("x")])


class Deaf:
    """Stands for a sandbox that says what a test wants it to say."""

    limits, group = LIMITS, None
    begin = staticmethod(lambda: None)
    too_much, is_starved = module.SandboxProcess.too_much, module.SandboxProcess.is_starved

    def __init__(self, frames):
        self.frames = iter(frames)

    def send(self, letter, content, deadline):
        pass

    def receive(self, deadline):
        if frame := next(self.frames, None):
            return frame
        raise module.SandboxGone("the process died")


JUNK = (
    st.none()
    | st.floats()
    | st.text()
    | st.lists(st.text() | st.lists(st.text()))
    | st.dictionaries(st.text(), st.integers())
)
WORDS = st.sampled_from("cell ready value raised missing memory refused end other".split()) | st.text()
SAID = st.lists(st.tuples(WORDS, JUNK).map(list) | JUNK, max_size=8)
FRAMES = st.lists(st.tuples(st.sampled_from([b"c", b"e", b"x"]), st.binary(max_size=20)))


@settings(deadline=None)
@given(SAID, st.binary(max_size=40), st.booleans(), FRAMES)
def test_whatever_a_child_says_the_grader_stays_on_its_feet(said, noise, honest, frames):
    said = [["cell", "ok"], ["ready", None], *said, ["end", None]] if honest else said
    texts = [plain.dumps(each).encode() for each in said]
    stream = b"".join(b"t" + len(text).to_bytes(4, "big") + text for text in texts) + noise
    box = Deaf([(b"c", stream[at : at + 7]) for at in range(0, len(stream), 7)] + frames)
    for ask in ASKS:
        answer = Conversation(box, 1, ask, LIMITS.wall).answer()
        assert (answer.values is None) == bool(answer.reason) and answer.reason.isprintable()
        assert answer.values is None or len(answer.values) == len(ask.cases or [0])


def found(script):
    """A bwrap of our own, first in the PATH."""

    def change(patch, folder):
        (folder / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "bwrap").chmod(0o755)
        patch.setenv("PATH", str(folder), prepend=os.pathsep)

    return change


REFUSED = '[ "$1" = --version ] && echo bubblewrap 0.8.0 || { echo No permission >&2; exit 1; }'


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda patch, _: patch.setattr(module.sys, "platform", "darwin"), "Linux"),
        (lambda patch, _: patch.setattr(module.platform, "machine", lambda: "riscv64"), "riscv64"),
        (lambda patch, _: patch.setattr(module.platform, "release", lambda: "4.18.0-80.el8"), "5.14"),
        (lambda patch, folder: patch.setenv("PATH", str(folder)), "apt-get install bubblewrap"),
        (found("echo bubblewrap 0.4.1"), "too old"),
        (found(REFUSED), "user namespaces"),
    ],
)
def test_without_what_it_needs_it_refuses_and_says_what_to_do(monkeypatch, tmp_path, change, says):
    change(monkeypatch, tmp_path)
    monkeypatch.setattr(module, "_problem", module._problem.__wrapped__)  # without its memory
    assert says in Sandbox.available()
    with pytest.raises(RuntimeError, match=says):
        Sandbox()


def test_results_from_outside_take_the_place_of_a_function_however_it_is_called(sandbox):
    def ask(name, arguments):
        values, label = arguments
        if (name, label) != ("first", "a"):
            return ["unknown", None]
        return ["value", float(sum(values))] if sum(values) else ["raised", None]

    first = "import numpy as np\ndef first(values, name): return -1"
    second = "mine = first\ndef second(x): return mine(np.array(x), name='a') + 1"
    number = "number = [first((1, 2), 'a'), 0]\ntry: first([1], 'b')\nexcept LookupError: number[1] = 1"
    given = {"first": ["values", "name"]}
    asks = [
        Request("second", [([1, 2],), ([0],)], given),
        Request("number", None, given),
        Request("second", [([1, 2],)]),
    ]
    outside, again, plainly = sandbox.run([first, second, number], asks, ask=ask).answers
    assert outside.values[0] == 4 and outside.values[1].kind == "ValueError"
    assert again.values == [[3, 1]] and plainly.values == [0], "each request stands alone"
    flood = "def flood(x):\n    while True: first([1], 'a')"
    asks = [Request("flood", [(1,)], given), Request("other", [(1,)], {"first": ["values", "name"]})]
    spy = "def other(x):\n    return first.__closure__ and [first([1], 'a')]"
    stopped, honest = sandbox.run([first, flood, spy], asks, ask=ask).answers
    assert stopped.values is None and honest.values is not None, "it may not ask for ever"


# What reaches other processes, the whole computer, memory that no limit counts, or what other sandboxes see.
REFUSED = {
    "vmsplice": 278, "io_setup": 206, "modify_ldt": 154, "statmount": 457, "listmount": 458, "fadvise64": 221,
    "preadv2": 327, "cachestat": 451, "mincore": 27, "setxattr": 188, "setpriority": 141, "sysinfo": 99, "memfd_create": 319,
    "io_uring_setup": 425, "splice": 275, "unshare": 272, "keyctl": 250, "sendfile": 40, "fsync": 74, "mlock": 149,
}  # fmt: skip
# With an argument that is not listed: transparent huge pages on again, and for one mapping; a pipe of a megabyte; namespaces.
ARGUMENTS = {
    "prctl": (157, 41, 0),
    "madvise": (28, 0, 4096, 14),
    "fcntl": (72, 0, 1031, 1 << 20),
    "clone": (56, 1 << 28),
}
NEEDED = """
import csv, io, os, tempfile, threading, time
import numpy as np
matrix = np.random.default_rng(0).normal(size=(300, 300))
np.linalg.svd(matrix), np.linalg.eigh(matrix @ matrix.T), np.fft.fft(matrix), np.sort(np.arange(10**6)[::-1])
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/x", "w+") as file:
        csv.writer(file).writerow([1])
        file.truncate(1)
    os.rename(f"{folder}/x", f"{folder}/y")
thread = threading.Thread(target=time.sleep, args=[0.01])
thread.start()
thread.join()
done = open("data.py").read()
"""


@pytest.mark.skipif(module.platform.machine() != "x86_64", reason="the numbers are those of x86_64")
def test_a_call_that_is_not_listed_is_refused_and_named_and_what_exercises_need_is_listed(made, monkeypatch):
    calls = {**{name: (number, 0, 0, 0) for name, number in REFUSED.items()}, **ARGUMENTS}
    source = f"import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\ncalls = {calls}\n"
    source += "refused = {name: libc.syscall(*call) + ctypes.get_errno() + 1 for name, call in calls.items()}"
    monkeypatch.setattr(module, "permitted_calls", functools.partial(bubblewrap.permitted_calls, telling=True))
    with Sandbox(LIMITS, workers=1) as sandbox:
        run = sandbox.run([NEEDED, source], [Request("done"), Request("refused")], files=DATA)
    numbers = {numbers[0]: name for name, numbers in bubblewrap.CALLS.items()}
    told = re.search(r"\[Errno (1\d{3})\]", run.cells[0])
    assert run.cells[0] == "ok", f"refused: {told and numbers.get(int(told[1]) - bubblewrap.TELLING, told[1])}"
    found = run.answers[1].values[0]
    assert found == {name: bubblewrap.TELLING + number for name, number in REFUSED.items()} | dict.fromkeys(
        ARGUMENTS, 1
    )


def test_a_submission_that_has_used_its_time_gets_a_tenth_for_each_further_request(made, monkeypatch):
    walls = []

    class Recorded(Conversation):
        def answer(self):
            walls.append(self.wall)
            return super().answer()

    monkeypatch.setattr(module, "Conversation", Recorded)
    for spent in (0.0, module.WHOLE * LIMITS.wall):
        assert made(LIMITS).run(["x = 1"], [Request("x")], spent=spent).answers == [Answer([1])]
    assert walls == [LIMITS.wall, LIMITS.wall / 10]


def test_without_a_cgroup_it_says_that_the_limit_is_a_courtesy_or_refuses_where_one_is_demanded(made, monkeypatch):
    monkeypatch.setattr("grading.cgroup._places", lambda: [])
    with Sandbox(LIMITS, workers=1) as sandbox:
        assert "courtesy" in sandbox.courtesy
        assert sandbox.run(["x = 1"], [Request("x")]).answers == [Answer([1])]
    with pytest.raises(RuntimeError, match="demand a cgroup"):
        Sandbox(Limits(cgroup=True))


def test_the_kernel_keeps_the_limit_where_a_cgroup_can_be_made(made, monkeypatch):
    """Even if nobody looks: the memory of all processes together stays below, and the next sandbox starts afresh."""
    groups = Groups(64 << 20)
    if groups.take() is None:
        pytest.skip("no cgroup can be made here")
    groups.close()
    monkeypatch.setattr(module.SandboxProcess, "usage", lambda box: (1, 0))
    greedy = cells_of(TESTS / "malicious/memory_of_many.py")
    with Sandbox(Limits(cpu=60, wall=300, memory=300), workers=1) as sandbox:
        for _ in range(2):
            stopped = [Answer(None, "used more than 300 MB of memory")]
            assert sandbox.run(greedy, ASKS[:1], "ada", DATA).answers == stopped
            assert same(sandbox.run(HONEST, ASKS[:1], "ada", DATA).answers[0].values, WANTED)
        peaks = [each.folder / "memory.max_usage_in_bytes" for each in sandbox._groups.made]
        assert all(int(each.read_text()) <= 316 << 20 for each in peaks if each.exists())
    assert not [each for each in (*groups.made, *sandbox._groups.made) if each.folder.exists()]
