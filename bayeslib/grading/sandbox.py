"""Run a student's code where it can do no harm, and bring back plain data: the trusted side.

Every submission gets a sandbox of its own: bubblewrap with its own user, process, network, mount, ipc and host name namespaces, a
handful of read-only paths, a small scratch folder in memory, and Python with numpy as process 1 (inside.py). It is started
ahead of time, so that nobody waits for the imports, serves one submission, a fork for each ask, and is thrown away; after an ask
that ended badly the rest of the submission gets a new one. So nothing is shared between two students, not even a process.

    with Sandbox(workers=2) as sandbox:
        run = sandbox.run(["def double(x): return 2 * x"], [Ask("double", [(3,), (4,)])])
        run.answers[0].values  # [6, 8]
"""

import builtins
import functools
import json
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
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path

import numpy

from bayeslib.grading import plain

MB = 1 << 20
NOBODY = 65534
HERE = Path(__file__).parent
TICK = 0.02  # seconds between two looks at the memory
INPUT = 50 * MB  # of cells, or of cases
START = 60  # seconds that a sandbox may take to start on a busy machine
HOW = "install bubblewrap 0.8 or newer: sudo apt-get install bubblewrap"
ELSEWHERE = "on macOS and Windows grade in a Linux virtual machine (WSL 2 is one) or on a Linux computer"


@dataclass(frozen=True)
class Limits:
    """What the code of one ask may use, the cells before it included; `wall` holds for the cells and for the answer apart."""

    cpu: int = 5  # seconds
    wall: float = 10  # seconds
    memory: int = 512  # MB, of all its processes together
    processes: int = 16  # threads too
    scratch: int = 16  # MB, files altogether
    files: int = 64  # open at once


@dataclass(frozen=True)
class Ask:
    """A function to call with each of the cases (tuples of arguments), or, without cases, a variable to read."""

    name: str
    cases: list | None = None


@dataclass(frozen=True)
class Raised:
    """A call that ended with an exception: the name of a built-in one (ValueError for all of its kind) and its message."""

    kind: str
    message: str


@dataclass(frozen=True)
class Answer:
    """A value or Raised for each case, or None and the reason why there are none."""

    values: list | None
    reason: str = ""


@dataclass(frozen=True)
class Run:
    """For each cell "ok" or its first error in one line, and for each ask an Answer."""

    cells: list = field(default_factory=list)
    answers: list = field(default_factory=list)


class Trouble(Exception):
    """Why an ask has no answer."""


class Lost(Trouble):
    """The process that was asked will not answer any more."""


class Sandbox:
    """Sandboxes for many submissions, `workers` at once; `run` may be called from that many threads."""

    def __init__(self, limits=Limits(), workers=2):
        problem = self.available()
        if problem:
            raise RuntimeError(problem)
        self.limits = limits
        self._turn = threading.Semaphore(workers)
        self._boxes = queue.Queue(workers)
        self._closed, self._emptied = threading.Event(), threading.Event()
        # A sandbox dies with the thread that started it, so one thread starts all of them.
        self._starter = threading.Thread(target=self._start_ahead, daemon=True)
        self._starter.start()

    @staticmethod
    def available():
        """"" where code can be run safely, otherwise a sentence that says what is missing and what to do."""
        return _problem()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._closed.set()
        while (box := self._boxes.get()) is not None:
            if isinstance(box, Box):
                box.close()
        self._emptied.set()
        self._starter.join()

    def _start_ahead(self):
        while not self._closed.is_set():
            try:
                box = Box(self.limits)
            except Exception as error:  # whoever waits for the sandbox shall hear of it
                box = error
            self._boxes.put(box)
        self._boxes.put(None)
        self._emptied.wait()

    def run(self, cells, asks, student="", files={}):
        """Run the cells and put the asks, each in a process of its own. `files` go into the folder in which the code runs."""
        job = {
            "cells": list(cells),
            "student": student,
            "files": {name: content.decode("latin-1") for name, content in files.items()},
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
            return Run(["not run"] * len(cells), [Answer(None, "the cells are too long")] * len(asks))
        run = Run()
        box = None
        with self._turn:
            try:
                for ask in asks or [None]:
                    box = box or self._new_box(job)
                    conversation = Conversation(box, len(cells), ask)
                    answer = conversation.answer()
                    if not run.answers:
                        run.cells.extend(conversation.cells)
                    if ask is not None:
                        run.answers.append(answer)
                    if not conversation.ready:  # the cells themselves failed: so would they for every other ask
                        run.answers.extend([answer] * (len(asks) - len(run.answers)))
                        break
                    if not conversation.over:
                        box.close()
                        box = None
            finally:
                if box:
                    box.close()
        run.cells.extend(["not run"] * (len(cells) - len(run.cells)))
        return run

    def _new_box(self, job):
        if self._closed.is_set():
            raise RuntimeError("the sandbox is closed")
        box = self._boxes.get()
        if not isinstance(box, Box):
            raise box
        try:
            box.wait_until_started()
            box.send(b"j", job, time.monotonic() + START)
        except BaseException:
            box.close()
            raise
        return box


class Box:
    """One sandbox: bubblewrap, and Python in it."""

    def __init__(self, limits):
        self.limits = limits
        self.buffer = bytearray()
        self.looked = 0
        self.handle = None
        filter_in, filter_out = os.pipe()
        info_in, info_out = os.pipe()
        os.write(filter_out, forbidden_calls())
        os.close(filter_out)
        try:
            self.process = subprocess.Popen(
                command(limits, filter_in, info_out),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(filter_in, info_out),
                env=ENVIRONMENT,
                cwd="/",
                bufsize=0,
            )
        finally:
            os.close(filter_in)
            os.close(info_out)
        self.info = os.fdopen(info_in, "rb")

    def wait_until_started(self):
        with self.info:
            told = self.info.read()
        try:
            self.pid = json.loads(told)["child-pid"]
            self.handle = os.pidfd_open(self.pid)
            letter, _ = self.receive(time.monotonic() + START)
        except (ValueError, ProcessLookupError, Trouble):
            letter = b""
        if letter != b"h" or not self.memory():
            self.process.kill()
            said = self.process.stderr.read(10_000).decode(errors="replace").strip().split("\n")[-1]
            raise RuntimeError(f"the sandbox did not start: {said or 'it said nothing'}")

    def send(self, letter, content, deadline):
        """Send a frame; a reader who does not read cannot hold us up."""
        data = memoryview(letter + struct.pack(">I", len(content)) + content)
        while data:
            self._watch(deadline)
            if select.select([], [self.process.stdin], [], TICK)[1]:
                try:
                    data = data[os.write(self.process.stdin.fileno(), data[:4096]) :]  # so much a ready pipe takes at once
                except BrokenPipeError:
                    raise Lost("the process died") from None

    def receive(self, deadline):
        """The next frame of process 1."""
        while True:
            if len(self.buffer) >= 5:
                size = struct.unpack(">I", self.buffer[1:5])[0]
                if size > MB:
                    raise Lost("the answer could not be read")
                if len(self.buffer) >= 5 + size:
                    letter, content = bytes(self.buffer[:1]), bytes(self.buffer[5 : 5 + size])
                    del self.buffer[: 5 + size]
                    return letter, content
            self._watch(deadline)
            if select.select([self.process.stdout], [], [], TICK)[0]:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                if not data:
                    raise Lost("the process died")
                self.buffer += data

    def _watch(self, deadline):
        now = time.monotonic()
        if now > deadline:
            raise Lost(f"timed out after {self.limits.wall:g} s")
        if now > self.looked + TICK:
            self.looked = now
            if self.memory() > self.limits.memory * MB:
                raise Lost(f"used more than {self.limits.memory} MB of memory")

    def memory(self):
        """Bytes in use by process 1 and everything that descends from it."""
        total, pids = 0, [self.pid]
        while pids:
            pid = pids.pop()
            try:
                total += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                for task in os.listdir(f"/proc/{pid}/task"):
                    pids += Path(f"/proc/{pid}/task/{task}/children").read_text().split()
            except (OSError, IndexError):
                continue  # it has just ended
        return total * PAGE

    def close(self):
        """Kill process 1, and with it all others of its namespace; bubblewrap ends when the last of them is gone."""
        if not self.info.closed:
            with self.info:
                told = self.info.read()
            try:
                self.handle = os.pidfd_open(json.loads(told)["child-pid"])
            except (ValueError, ProcessLookupError):
                self.process.kill()
        if self.handle is not None:
            try:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            except ProcessLookupError:
                pass
            select.select([self.handle], [], [])
            os.close(self.handle)
            self.handle = None
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


class Conversation:
    """One ask put to a sandbox. What the child says is data from a stranger: read with limits, never believed.

    Afterwards `ready` tells whether its cells ran to the end, and `over` whether the sandbox can serve another ask.
    """

    def __init__(self, box, count, ask):
        self.box, self.count, self.ask = box, count, ask
        self.cells = []
        self.ready = self.over = False
        self.stream = bytearray()
        self.heard = 0

    def answer(self):
        try:
            values = self._listen()
        except Lost as trouble:
            where = "" if self.ready else f" in cell {min(len(self.cells) + 1, self.count)}"
            return Answer(None, str(trouble) + where)
        except Trouble as trouble:
            self._finish()
            return Answer(None, str(trouble))
        self._finish()
        return Answer(values)

    def _listen(self):
        deadline = time.monotonic() + self.box.limits.wall
        self.box.send(b"a", b"", deadline)
        while not self.ready:
            kind, content = self._next(deadline)
            if kind == "cell" and type(content) is str and len(self.cells) < self.count:
                self.cells.append(_printable(content))
            elif kind == "ready" and len(self.cells) == self.count:
                self.ready = True
            else:
                raise Trouble("the answer could not be read")
        if self.ask is None:
            return []
        values = []
        cases = self.ask.cases if self.ask.cases is None else [tuple(case) for case in self.ask.cases]
        deadline = time.monotonic() + self.box.limits.wall
        self.box.send(b"q", plain.dumps({"name": self.ask.name, "cases": cases}, INPUT).encode(), deadline)
        while (message := self._next(deadline))[0] != "end":
            values.append(self._value(*message))
        if len(values) != (1 if cases is None else len(cases)):
            raise Trouble("the answer could not be read")
        return values

    def _value(self, kind, content):
        if kind == "value":
            return content
        if kind == "raised" and type(content) is list and [type(each) for each in content] == [str, str]:
            return Raised(content[0] if content[0] in ERRORS else "Exception", _printable(content[1]))
        if kind == "missing":
            what = "variable" if self.ask.cases is None else "function"
            raise Trouble(f"no {what} called {self.ask.name}")
        if kind == "no function":
            raise Trouble(f"{self.ask.name} is not a function")
        if kind == "memory":
            raise Trouble(f"used more than {self.box.limits.memory} MB of memory")
        if kind == "refused" and type(content) is str:
            raise Trouble(_refusal(content))
        raise Trouble("the answer could not be read")

    def _next(self, deadline):
        """The next message of the child: its kind and its content."""
        while True:
            if len(self.stream) >= 5:
                size = struct.unpack(">I", self.stream[1:5])[0]
                if size > plain.SIZE:
                    raise Trouble("too much data")
                if len(self.stream) >= 5 + size:
                    text = bytes(self.stream[5 : 5 + size]).decode("ascii", "replace")
                    del self.stream[: 5 + size]
                    return self._read(text)
            letter, content = self.box.receive(deadline)
            if letter == b"c":
                self.heard += len(content)
                if self.heard > 2 * plain.SIZE:
                    raise Trouble("too much data")
                self.stream += content
            elif letter == b"e" and len(content) == 12:
                self.over = True
                raise Lost(self._end(*struct.unpack(">id", content)))
            else:
                raise Lost("the answer could not be read")

    def _read(self, text):
        try:
            message = plain.loads(text)
        except plain.Refused as refused:
            raise Trouble(_refusal(str(refused))) from None
        if type(message) is not list or len(message) != 2 or type(message[0]) is not str:
            raise Trouble("the answer could not be read")
        return message

    def _end(self, code, cpu):
        if code == -signal.SIGKILL and cpu > 0.8 * self.box.limits.cpu:  # the kernel counts in ticks
            return f"timed out after {self.box.limits.cpu:g} s"
        return f"the process died (signal {-code})" if code < 0 else "the process ended before it had answered"

    def _finish(self):
        """All is said; wait a moment for the sandbox to be clean again."""
        try:
            deadline = time.monotonic() + 1
            while self.box.receive(deadline)[0] != b"e":
                pass
            self.over = True
        except Trouble:
            pass


# What may be named in a reason. A student chooses the names of classes, and could write the hidden inputs there.
ERRORS = {name for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)}
NAMES = {"function", "builtin_function_or_method", "method", "type", "module", "generator", "set", "frozenset", "complex"}
NAMES |= {"bytes", "bytearray", "map", "filter", "zip", "enumerate", "reversed", "ellipsis", "slice", "object", "Decimal"}
SENTENCES = {"too much data", "nested too deeply", "a whole number of too many digits"}
SENTENCES |= {"a dict whose keys are not str, int, float, bool or tuples of these"}


def _refusal(what):
    if what == "too much data":
        return what
    if what == "not readable":
        return "the answer could not be read"
    named = what if what in NAMES | SENTENCES else "an object"
    return f"returned something that is not plain data: {named}"


def _printable(text):
    return "".join(each if each.isprintable() else " " for each in text[:300])


# --- how the sandbox is built ---

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
ENVIRONMENT = {
    "HOME": "/scratch",
    "TMPDIR": "/scratch",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # sets come out in the same order at each grading
    "PYTHONUTF8": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
# Modules of the standard library that a sandbox does not offer: they would need many more shared libraries.
NOT_OFFERED = re.compile(r"_(tkinter|ssl|curses|curses_panel|dbm|gdbm|sqlite3|uuid|test\w*|xxtest\w*)\.|nis\.|readline\.")


def interpreter():
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


@functools.cache
def readable():
    """Where things lie outside -> where they are seen inside, read only: Python, numpy, the libraries both need, two files."""
    python = interpreter()
    standard = os.path.dirname(os.__file__)
    dynamic = next((path for path in sys.path if path.endswith("lib-dynload")), standard)
    package = os.path.dirname(numpy.__file__)
    paths = {python: python, standard: standard, dynamic: dynamic, package: "/grader/numpy"}
    if os.path.isdir(f"{package}.libs"):
        paths[f"{package}.libs"] = "/grader/numpy.libs"
    paths |= {str(HERE / name): f"/grader/{name}" for name in ("inside.py", "plain.py")}
    if os.path.exists("/etc/ld.so.cache"):
        paths["/etc/ld.so.cache"] = "/etc/ld.so.cache"
    objects = [python, *glob(f"{dynamic}/*.so"), *glob(f"{package}/**/*.so", recursive=True)]
    objects = [path for path in objects if not NOT_OFFERED.match(os.path.basename(path))]
    for library in libraries(*objects):
        if not library.startswith(os.path.dirname(package)):
            paths[library] = library
    return paths


@functools.cache
def libraries(*objects):
    """The shared libraries of programs and libraries, by the paths under which the loader finds them."""
    told = subprocess.run(["ldd", *objects], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"^\t(?:.* => )?(/.*) \(0x", told, re.MULTILINE)))


def command(limits, filter_fd, info_fd):
    """The command line: bubblewrap, Python, inside.py. Root first steps down, since limits on processes do not bind it."""
    bwrap = os.path.realpath(shutil.which("bwrap"))
    python = interpreter()
    alone = ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session", "--as-pid-1"]
    alone += ["--cap-drop", "ALL", "--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "sandbox"]
    alone += ["--seccomp", str(filter_fd), "--info-fd", str(info_fd)]
    scratch = ["--size", str(limits.scratch * MB), "--tmpfs", "/scratch", "--chdir", "/scratch", "--remount-ro", "/"]
    run = [python, "-s", "-S", "-P", "-B", "/grader/inside.py"]
    if os.geteuid() != 0:
        return [bwrap, *alone, *view(readable()), *scratch, *run]
    # Root's folders may be closed to others: root makes the view, steps down in it, and the sandbox is built from there.
    own = {path: path for path in [bwrap, *libraries(bwrap)]}
    down = f"import os, sys; os.setgroups([]); os.setresgid(*[{NOBODY}] * 3); os.setresuid(*[{NOBODY}] * 3)"
    first = [bwrap, "--die-with-parent", *view(readable() | own), "--bind", "/proc", "/proc", "--dir", "/tmp"]
    first += [python, "-I", "-S", "-c", f"{down}; os.execv(sys.argv[1], sys.argv[1:])"]
    return [*first, bwrap, *alone, *view({place: place for place in readable().values()}), *scratch, *run]


def view(paths):
    """Options of bubblewrap that show these paths and four devices, and hide packages that lie within the standard library."""
    places = [*paths.values(), *(f"/dev/{name}" for name in ("null", "zero", "random", "urandom"))]
    options = [word for folder in sorted({f for each in places for f in map(str, Path(each).parents)}) for word in ("--dir", folder)]
    options += [word for source, place in paths.items() for word in ("--ro-bind", source, place)]
    options += [word for place in places[len(paths) :] for word in ("--dev-bind", place, place)]
    standard = os.path.dirname(os.__file__)
    for folder in filter(os.path.isdir, (f"{standard}/site-packages", f"{standard}/dist-packages")):
        options += ["--size", "4096", "--tmpfs", folder, "--remount-ro", folder]
    return options


# System calls that are refused: those that reach other processes or the kernel's rarer parts, sockets (a network namespace does not
# cover all of their families), and memory that belongs to no process, which the watch over memory would not see.
# name: (x86_64, aarch64)
CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "personality": (135, 92), "syslog": (103, 116),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),
    "mq_open": (240, 180), "socket": (41, 198), "socketpair": (53, 199), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
}  # fmt: skip
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
NAMESPACES = 0x7E020000  # the flags of clone that make a new namespace


def forbidden_calls():
    """The filter in the kernel's form: struct sock_filter, an instruction each."""
    column, machine = MACHINES[platform.machine()]
    load, equal, above, some, back = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, kill = 0x7FFF0000, 0x80000000
    refuse, unknown = 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS
    program = [(load, 0, 0, 4), (equal, 1, 0, machine), (back, 0, 0, kill), (load, 0, 0, 0)]
    if column == 0:
        program += [(above, 0, 1, 0x40000000), (back, 0, 0, refuse)]
    for numbers in CALLS.values():
        program += [(equal, 0, 1, numbers[column]), (back, 0, 0, refuse)]
    program += [(equal, 0, 1, 435), (back, 0, 0, unknown)]  # clone3, whose flags a filter cannot see
    for number, flags in (((56, 220)[column], NAMESPACES), ((302, 261)[column], 0xFFFFFFFF)):  # clone; prlimit64 of others
        program += [(equal, 0, 4, number), (load, 0, 0, 16), (some, 0, 1, flags), (back, 0, 0, refuse), (back, 0, 0, allow)]
    program += [(back, 0, 0, allow)]
    return b"".join(struct.pack("=HBBI", *each) for each in program)


@functools.cache
def _problem():
    if sys.platform != "linux":
        return f"Student code is run on Linux only: {ELSEWHERE}."
    if platform.machine() not in MACHINES:
        return f"Student code is run on {' and '.join(MACHINES)} only, this computer is {platform.machine()}."
    if not shutil.which("bwrap"):
        return f"bubblewrap is missing: {HOW}."
    told = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(map(int, re.findall(r"\d+", told)))
    if version < (0, 8):
        return f"bubblewrap is too old ({told.strip()}): {HOW}."
    if tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < (5, 14):
        return f"Linux 5.14 or newer is needed, this is {platform.release()}."
    box = Box(Limits())
    try:
        box.wait_until_started()
    except RuntimeError as error:
        return (
            f"Without user namespaces there is no sandbox ({error}). Allow them: sudo sysctl kernel.unprivileged_userns_clone=1 "
            "(Debian) or kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu); in a container, start it with --privileged."
        )
    finally:
        box.close()
    return ""
