"""Run a student's code where it can do no harm, and bring back plain data: the trusted side.

Every submission gets a sandbox of its own: bubblewrap with its own user, process, network, mount, ipc and host name
namespaces, a handful of read-only paths, a small scratch folder in memory, and Python with numpy as process 1
(inside.py). It is started ahead of time, so that nobody waits for the imports, serves one submission, a fork for each
request, and is thrown away; after a request that ended badly the rest of the submission gets a new one. So nothing is
shared between two students, not even a process.

    with Sandbox(workers=2) as sandbox:
        run = sandbox.run(["def double(x): return 2 * x"], [Request("double", [(3,), (4,)])])
        run.answers[0].values  # [6, 8]
"""

import functools
import json
import math
import os
import platform
import queue
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from bayeslib.questions import plain
from grading.bubblewrap import ENVIRONMENT, MACHINES, MB, command, permitted_calls
from grading.cgroup import Groups

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICK = 0.02  # seconds between two checks of memory and time
HERTZ = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
WHOLE = 3  # times `wall` for all requests of a submission; once that is used up, each of the others has a tenth of it
INPUT = 10 * MB  # of cells, or of cases
ASKED = 2_000  # results of other functions that one request may ask for
START = 60  # seconds that a sandbox may take to start on a busy machine
INSTALL = "install bubblewrap 0.8 or newer: sudo apt-get install bubblewrap"
COURTESY = (
    "No cgroup can be made here, so the limit of {} MB on memory is a courtesy: it is looked at 50 times a second. "
    "As root there is one, and with systemd: systemd-run --user --scope -p Delegate=yes make grade"
)
OTHER_SYSTEMS = "on macOS and Windows grade in a Linux virtual machine (WSL 2 is one) or on a Linux computer"


@dataclass(frozen=True)
class Limits:
    """What the code of one request may use, including the cells before it; cells and answer each get the whole `wall`."""

    cpu: int = 5  # seconds, of all its processes together
    wall: float = 10  # seconds
    memory: int = 512  # MB, of all its processes together
    processes: int = 16  # threads too
    scratch: int = 16  # MB, files altogether
    files: int = 64  # open at once
    cgroup: bool = False  # nothing is run where the kernel itself cannot keep the limit on memory


@dataclass(frozen=True)
class Request:
    """A function to call with each of the cases (tuples of arguments), or, without cases, a variable to read.

    The functions in `given` (name → names of their arguments) are taken from outside, by `ask`, in place of those that the cells
    define.
    """

    name: str
    cases: list | None = None
    given: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Raised:
    """A call that ended with an exception: its name, if it is Python's own (ValueError for its subclasses too), and message."""

    kind: str
    message: str


@dataclass(frozen=True)
class Answer:
    """A value or Raised for each case, or None and the reason why there is none."""

    values: list | None
    reason: str = ""


@dataclass(frozen=True)
class Run:
    """For each cell "ok" or its first error in one line, for each request an Answer, and what it took."""

    cells: list = field(default_factory=list)
    answers: list = field(default_factory=list)
    seconds: float = 0.0


class SandboxError(Exception):
    """Why a request has no answer."""


class SandboxGone(SandboxError):
    """The sandbox's process will not answer any more."""


class Sandbox:
    """Sandboxes for many submissions, `workers` at once; `run` may be called from that many threads."""

    def __init__(self, limits=None, workers=2):
        problem = self.available()
        if problem:
            raise RuntimeError(problem)
        self.limits, self.workers = limits or Limits(), workers
        self._turn = threading.Semaphore(workers)
        self._boxes = queue.Queue(workers)
        self._closed = threading.Event()
        self._groups = Groups((self.limits.memory + self.limits.scratch) * MB)
        self.courtesy = "" if self._groups.possible() else COURTESY.format(self.limits.memory)
        if self.courtesy and self.limits.cgroup:
            raise RuntimeError(f"limits demand a cgroup. {self.courtesy}")
        threading.Thread(target=self._start_ahead, daemon=True).start()

    @staticmethod
    def available():
        """Empty if code can be run safely, otherwise a sentence that says what is missing and what to do."""
        return _problem()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._closed.set()
        while (box := self._boxes.get()) is not None:
            if isinstance(box, SandboxProcess):
                box.close()
        self._groups.close()

    def _start_ahead(self):
        while not self._closed.is_set():
            try:
                box = SandboxProcess(self.limits, self._groups)
            except Exception as error:  # raised in the thread that waits for the sandbox
                box = error
            self._boxes.put(box)
        self._boxes.put(None)

    def run(self, cells, requests, student="", files=None, spent=0.0, ask=None):
        """Run the cells and answer the requests, each in its own process. `files` (name → bytes) are in its folder, and
        `spent` are the seconds that other requests of the same submission took.

        `ask(name, arguments)` gives the results of functions that a request wants from outside: "value" or "raised", and what.
        """
        job = {
            "cells": list(cells),
            "student": student,
            "files": {name: content.decode("latin-1") for name, content in (files or {}).items()},
            "limits": {
                "RLIMIT_CPU": self.limits.cpu,
                "RLIMIT_AS": self.limits.memory * MB,
                "RLIMIT_FSIZE": self.limits.scratch * MB,
                "RLIMIT_NOFILE": self.limits.files,
                "RLIMIT_NPROC": self.limits.processes,
                "RLIMIT_CORE": 0,
                "RLIMIT_MEMLOCK": 0,
                "RLIMIT_STACK": 8 * MB,
            },
        }
        try:
            job = plain.dumps(job, INPUT).encode()
        except plain.Refused:
            return Run(["not run"] * len(cells), [Answer(None, "the cells are too long")] * len(requests))
        run = Run()
        box, seconds = None, 0.0
        with self._turn:
            try:
                for request in requests or [None]:
                    box = box or self._new_box(job)
                    wall = self.limits.wall / (1 if spent + seconds < WHOLE * self.limits.wall else 10)
                    conversation = Conversation(box, len(cells), request, wall, ask)
                    begin = time.monotonic()
                    answer = conversation.answer()
                    seconds += time.monotonic() - begin
                    if not run.answers:
                        run.cells.extend(conversation.cells)
                    if request is not None:
                        run.answers.append(answer)
                    if not conversation.ready:  # the cells themselves failed, as they would for every other request
                        run.answers.extend([answer] * (len(requests) - len(run.answers)))
                        break
                    if not conversation.over:
                        box.close()
                        box = None
            finally:
                if box:
                    box.close()
        run.cells.extend(["not run"] * (len(cells) - len(run.cells)))
        return replace(run, seconds=seconds)

    def _new_box(self, job):
        if self._closed.is_set():
            raise RuntimeError("the sandbox is closed")
        box = self._boxes.get()
        if not isinstance(box, SandboxProcess):
            raise box or RuntimeError("the sandbox is closed")
        try:
            box.wait_until_started()
            box.send(b"j", job, time.monotonic() + START)
        except SandboxGone as error:
            box.close()
            raise RuntimeError(f"the sandbox did not start: {error}") from None
        except BaseException:
            box.close()
            raise
        return box


class SandboxProcess:
    """One sandbox: bubblewrap, and Python in it."""

    def __init__(self, limits, groups=None):
        self.limits, self.groups = limits, groups
        self.group = groups and groups.take()
        self.buffer = bytearray()
        self.last_check = self.cpu_before = 0
        self.handle = None
        filter_in, filter_out = os.pipe()
        info_in, info_out = os.pipe()
        os.write(filter_out, permitted_calls())
        os.close(filter_out)
        arguments = command(limits, filter_in, info_out)
        try:
            self.process = subprocess.Popen(
                self.group.wrap(arguments) if self.group else arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(filter_in, info_out, info_in),  # info_in: the pipe must not break if we die
                env=ENVIRONMENT,
                cwd="/",
                bufsize=0,
            )
        finally:
            os.close(filter_in)
            os.close(info_out)
        self.info = os.fdopen(info_in, "rb")

    def wait_until_started(self):
        try:
            self._find_process_1()
            letter, _ = self.receive(time.monotonic() + START)
        except (ValueError, ProcessLookupError, SandboxError):
            letter = b""
        if letter != b"h" or not self.usage()[0]:
            self.end()
            message = self.process.stderr.read(10_000).decode(errors="replace").strip().split("\n")[-1]
            raise RuntimeError(f"the sandbox did not start: {message or 'it said nothing'}")

    def _find_process_1(self):
        with self.info:
            self.pid = json.loads(self.info.read())["child-pid"]
        self.handle = os.pidfd_open(self.pid)

    def send(self, letter, content, deadline):
        """Send a frame; a reader that does not read cannot block us."""
        data = memoryview(letter + struct.pack(">I", len(content)) + content)
        while data:
            self._watch(deadline)
            if select.select([], [self.process.stdin], [], TICK)[1]:
                try:
                    data = data[os.write(self.process.stdin.fileno(), data[:4096]) :]  # what a ready pipe takes at once
                except BrokenPipeError:
                    raise SandboxGone(self.too_much() if self.is_starved() else "the process died") from None

    def receive(self, deadline):
        """The next frame of process 1."""
        while True:
            if len(self.buffer) >= 5:
                size = struct.unpack(">I", self.buffer[1:5])[0]
                if size > MB:
                    raise SandboxGone("the answer could not be read")
                if len(self.buffer) >= 5 + size:
                    letter, content = bytes(self.buffer[:1]), bytes(self.buffer[5 : 5 + size])
                    del self.buffer[: 5 + size]
                    return letter, content
            ready = select.select([self.process.stdout], [], [], TICK)[0]
            self._watch(math.inf if ready else deadline)  # what is there by now counts, however late it is read
            if ready:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                if not data:
                    raise SandboxGone(self.too_much() if self.is_starved() else "the process died")
                self.buffer += data

    def begin(self):
        """From here on counts the time of a request."""
        self.cpu_before = self.usage()[1]

    def _watch(self, deadline):
        now = time.monotonic()
        if now > deadline:
            raise SandboxGone("timed out")
        if now > self.last_check + TICK:
            self.last_check = now
            memory, cpu = self.usage()
            if memory > self.limits.memory * MB or self.is_starved():
                raise SandboxGone(self.too_much())
            if cpu - self.cpu_before > self.limits.cpu + 0.5:  # one process alone is stopped by the kernel before that
                raise SandboxGone("timed out")

    def too_much(self):
        return f"used more than {self.limits.memory} MB of memory"

    def is_starved(self):
        """Whether the kernel has killed one of its processes for lack of memory."""
        return bool(self.group and self.group.has_killed())

    def usage(self):
        """Bytes and seconds of the processor in use by process 1 and all its descendants, with those it has buried."""
        pages, ticks, pids = 0, 0, [self.pid]
        while pids:
            pid = pids.pop()
            try:
                *_, stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
                stat = list(map(int, stat.split()[1:22]))
                pages, ticks = pages + stat[20], ticks + sum(stat[10:14])
                for task in os.listdir(f"/proc/{pid}/task"):
                    pids += Path(f"/proc/{pid}/task/{task}/children").read_text().split()
            except (OSError, IndexError):
                continue  # it has just ended
        return pages * PAGE, ticks / HERTZ

    def end(self):
        """Kill process 1, and with it all others of its namespace; bubblewrap ends when the last of them is gone."""
        try:
            if not self.info.closed:
                self._find_process_1()
            if self.handle is not None:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
                select.select([self.handle], [], [])
        except ProcessLookupError:
            pass
        except ValueError:  # bubblewrap did not get far enough to start it
            self.process.kill()
        self.process.wait()

    def close(self):
        self.end()
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        if self.group:
            self.group.has_killed()  # so that the next sandbox is not blamed for this one
            self.groups.free.put(self.group)
            self.group = None


class Conversation:
    """One request to a sandbox. The child's messages are untrusted data: read with limits, never believed.

    Afterwards `ready` says whether the cells ran to the end, and `over` whether the sandbox can serve another request.
    """

    def __init__(self, box, cell_count, request, wall, ask=None):
        self.box, self.cell_count, self.request, self.wall = box, cell_count, request, wall
        self.ask, self.asked = ask, 0
        self.cells = []
        self.ready = self.over = False
        self.stream = bytearray()
        self.received = 0

    def answer(self):
        try:
            values = self._listen()
        except SandboxGone as error:
            where = "" if self.ready else f" in cell {min(len(self.cells) + 1, self.cell_count)}"
            return Answer(None, str(error) + where)
        except SandboxError as error:
            self._finish()
            return Answer(None, str(error))
        self._finish()
        return Answer(values)

    def _listen(self):
        self.box.begin()
        deadline = time.monotonic() + self.wall
        self.box.send(b"a", b"", deadline)
        while not self.ready:
            kind, content = self._next(deadline)
            if kind == "cell" and type(content) is str and len(self.cells) < self.cell_count:
                self.cells.append(_safe_status(_printable(content)))
            elif kind == "ready" and len(self.cells) == self.cell_count:
                self.ready = True
            else:
                raise SandboxError("the answer could not be read")
        if self.request is None:
            return []
        values = []
        cases = self.request.cases if self.request.cases is None else [tuple(case) for case in self.request.cases]
        deadline = time.monotonic() + self.wall
        request = {"name": self.request.name, "cases": cases, "given": self.request.given}
        self.box.send(b"q", plain.dumps(request, INPUT).encode(), deadline)
        while (message := self._next(deadline))[0] != "end":
            if message[0] == "ask":
                self.box.send(b"q", self._asked(message[1]), deadline)
            else:
                values.append(self._value(*message))
        if len(values) != (1 if cases is None else len(cases)):
            raise SandboxError("the answer could not be read")
        return values

    def _asked(self, content):
        """The reply to a child that asks for the result of a function."""
        self.asked += 1
        if self.asked > ASKED or type(content) is not list or [type(part) for part in content] != [str, list]:
            raise SandboxGone("the answer could not be read")
        if content[0] not in self.request.given:
            raise SandboxGone("the answer could not be read")
        return plain.dumps(self.ask(*content), INPUT).encode()

    def _value(self, kind, content):
        if kind == "value":
            return content
        if kind == "raised" and type(content) is list and [type(part) for part in content] == [str, str]:
            return Raised(content[0] if content[0] in ERRORS else "Exception", _printable(content[1]))
        if kind == "missing":
            kind_of_name = "variable" if self.request.cases is None else "function"
            raise SandboxError(f"no {kind_of_name} called {self.request.name}")
        if kind == "no function":
            raise SandboxError(f"{self.request.name} is not a function")
        if kind == "memory":
            raise SandboxError(self.box.too_much())
        if kind == "refused" and type(content) is str:
            raise SandboxError(_refusal(content))
        raise SandboxError("the answer could not be read")

    def _next(self, deadline):
        """The next message of the child: its kind and its content."""
        while True:
            if len(self.stream) >= 5:
                size = struct.unpack(">I", self.stream[1:5])[0]
                if size > plain.SIZE:
                    raise SandboxError("too much data")
                if len(self.stream) >= 5 + size:
                    text = bytes(self.stream[5 : 5 + size]).decode("ascii", "replace")
                    del self.stream[: 5 + size]
                    return self._read(text)
            letter, content = self.box.receive(deadline)
            if letter == b"c":
                self.received += len(content)
                asks = INPUT if self.request and self.request.given else 0  # what it asks for comes with its arguments
                if self.received > 2 * plain.SIZE + asks:
                    raise SandboxError("too much data")
                self.stream += content
            elif letter == b"e" and len(content) == 12:
                self.over = True
                raise SandboxGone(self._end(*struct.unpack(">id", content)))
            else:
                raise SandboxGone("the answer could not be read")

    def _read(self, text):
        try:
            message = plain.loads(text)
        except plain.Refused as refused:
            raise SandboxError(_refusal(str(refused))) from None
        if type(message) is not list or len(message) != 2 or type(message[0]) is not str:
            raise SandboxError("the answer could not be read")
        return message

    def _end(self, code, cpu):
        if code >= 256:
            return "made too many files"
        if code == -signal.SIGXCPU or code == -signal.SIGKILL and cpu > 0.8 * self.box.limits.cpu:
            return "timed out"
        if self.box.is_starved():
            return self.box.too_much()
        return "the process died" if code < 0 else "the process ended before it had answered"

    def _finish(self):
        """The answer is complete; wait a moment for the sandbox to clean up."""
        try:
            deadline = time.monotonic() + 1
            while self.box.receive(deadline)[0] != b"e":
                pass
            self.over = True
        except SandboxError:
            pass


# What a reason may name. A student chooses the names of classes and could encode hidden inputs in them, even by a choice
# among Python's own, so only those that such code really meets are named.
ERRORS = (
    "ArithmeticError AssertionError AttributeError EOFError FileNotFoundError FloatingPointError ImportError IndexError"
)
ERRORS = {*ERRORS.split(), "KeyError", "ModuleNotFoundError", "NameError", "NotImplementedError", "OverflowError"}
ERRORS |= {"RecursionError", "RuntimeError", "StopIteration", "SyntaxError", "TypeError", "UnboundLocalError"}
ERRORS |= {"IndentationError", "KeyboardInterrupt", "SystemExit", "TabError", "ValueError", "ZeroDivisionError"}
NAMES = (
    "function builtin_function_or_method method type module generator set frozenset complex bytes bytearray map filter"
)
NAMES = {*NAMES.split(), "zip", "enumerate", "reversed", "ellipsis", "slice", "object", "Decimal"}
SENTENCES = {"too much data", "nested too deeply", "a whole number of too many digits"}
SENTENCES |= {"a dict whose keys are not str, int, float, bool or tuples of these"}


def _refusal(reason):
    if reason == "too much data":
        return reason
    if reason == "not readable":
        return "the answer could not be read"
    safe = reason if reason in NAMES | SENTENCES else "an object"
    return f"returned something that is not plain data: {safe}"


def _safe_status(status):
    """A cell's status, "ok" or an error in one line; an exception class that the student defined loses its name."""
    name, colon, text = status.partition(":")
    return status if status == "ok" or name in ERRORS else f"an exception of its own{colon}{text}"


def _printable(text):
    return "".join(char if char.isprintable() else " " for char in text[:300])


@functools.cache
def _problem():
    if sys.platform != "linux":
        return f"Student code is run on Linux only: {OTHER_SYSTEMS}."
    if platform.machine() not in MACHINES:
        return f"Student code is run on {' and '.join(MACHINES)} only, this computer is {platform.machine()}."
    if not shutil.which("bwrap"):
        return f"bubblewrap is missing: {INSTALL}."
    output = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(map(int, re.findall(r"\d+", output)))
    if version < (0, 8):
        return f"bubblewrap is too old ({output.strip()}): {INSTALL}."
    if tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < (5, 14):
        return f"Linux 5.14 or newer is needed, this is {platform.release()}."
    box = SandboxProcess(Limits())
    try:
        box.wait_until_started()
    except RuntimeError as error:
        return (
            f"Without user namespaces there is no sandbox ({error}). Allow them: "
            "sudo sysctl kernel.unprivileged_userns_clone=1 (Debian) or kernel.apparmor_restrict_unprivileged_userns=0 "
            "(Ubuntu); in a container, start it with --privileged."
        )
    finally:
        box.close()
    return ""
