"""What runs inside the sandbox: process 1, with numpy loaded, for the submission of one student.

Process 1 never runs a student's code. For each request it forks a child, passes bytes to and fro, and when the child
is done kills whatever else is alive in the sandbox and empties the scratch folder. The child runs the student's cells
and only then learns what is requested. Nothing that comes out of here is trusted outside (sandbox.py); the precautions
taken here (private references, private built-in functions) protect a clumsy student's answers, they do not keep a
malicious one honest.

sandbox.py and process 1, and process 1 and the child, exchange frames: a letter, four bytes of length, the content.
"""

import builtins

# A student's code may change the built-in functions of its own process. Functions below keep theirs.
__builtins__ = dict(vars(builtins))

import ctypes
import gc
import os
import random
import re
import resource
import select
import shutil
import signal
import struct
import sys
import types
from ast import Module, PyCF_ONLY_AST

sys.path.append(os.path.dirname(__file__))
import numpy.random
from plain import Refused, dumps, loads

_os = types.SimpleNamespace(**{name: getattr(os, name) for name in ("read", "write", "_exit")})
_pack, _unpack = struct.pack, struct.unpack
FROM_TRUSTED, TO_TRUSTED = 0, 1
FROM_PARENT, TO_PARENT = 3, 4
INPUT_SIZE = 50_000_000
FILES = 5_000  # in the scratch folder; each costs kernel memory, which belongs to no process
TOO_MANY = 1 << 20  # the exit code reported for a child that made more
NUMPY_ONLY = "the grader has numpy only: write it yourself"


def frame(letter, content):
    return letter + _pack(">I", len(content)) + content


def send(descriptor, letter, content=b""):
    data = frame(letter, content)
    while data:
        data = data[_os.write(descriptor, data) :]


def receive(descriptor):
    """The next frame; the end of the stream ends the process."""
    head = _exactly(descriptor, 5)
    return head[:1], _exactly(descriptor, _unpack(">I", head[1:])[0])


def _exactly(descriptor, count):
    parts = []
    while count:
        part = _os.read(descriptor, min(count, 1 << 16))
        if not part:
            _os._exit(0)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


# --- process 1 ---


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # with no handler at all, no signal from inside reaches process 1
    prctl = ctypes.CDLL(None).prctl
    prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG: killed if bubblewrap is killed
    prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: memory and descriptors are closed to the children
    prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE: one byte costs one small page, which the limit of memory counts
    gc.freeze()
    scratch = os.open(".", os.O_RDONLY)
    send(TO_TRUSTED, b"h")
    job = None
    while True:
        letter, content = receive(FROM_TRUSTED)
        if letter == b"j":
            job = loads(content.decode(), INPUT_SIZE)
        elif letter == b"a":
            handle_request(job, scratch)


def handle_request(job, scratch):
    """Fork a child for one request, pass bytes until it ends, clean up, report how it ended."""
    for_child, to_child = os.pipe()
    from_child, for_parent = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(for_child, 10)
        os.dup2(for_parent, 11)
        try:
            child(job)
        finally:
            _os._exit(1)
    os.close(for_child)
    os.close(for_parent)
    os.set_blocking(to_child, False)
    pidfd = os.pidfd_open(pid)
    sources, unsent, too_many_files = [FROM_TRUSTED, from_child, pidfd], b"", False
    while pidfd in sources:
        readable, writable, _ = select.select(sources, [to_child] if unsent else [], [], 0.05)
        if not too_many_files and files_made(scratch) > FILES:
            too_many_files = True
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        if FROM_TRUSTED in readable:  # at end of file, when the grader is gone, this ends the sandbox
            letter, content = receive(FROM_TRUSTED)
            unsent += frame(letter, content)
        if writable:
            try:
                unsent = unsent[os.write(to_child, unsent[:4096]) :]
            except BrokenPipeError:
                unsent = b""
        if from_child in readable and not _forward(from_child):
            sources.remove(from_child)
        if pidfd in readable:
            sources.remove(pidfd)
    status, usage = os.wait4(pid, 0)[1:]
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
    while _forward(from_child):  # every writer is dead, so this ends
        pass
    for descriptor in (to_child, from_child, pidfd):
        os.close(descriptor)
    empty_scratch()
    code = TOO_MANY if too_many_files else os.waitstatus_to_exitcode(status)
    send(TO_TRUSTED, b"e", _pack(">id", code, usage.ru_utime + usage.ru_stime))


def _forward(descriptor):
    data = os.read(descriptor, 1 << 16)
    if data:
        send(TO_TRUSTED, b"c", data)
    return bool(data)


def files_made(scratch):
    stats = os.fstatvfs(scratch)
    return stats.f_files - stats.f_ffree


def empty_scratch():
    """A file that cannot be removed ends the sandbox; the next request gets a new one."""
    os.chmod(".", 0o700)
    for entry in os.scandir("."):
        shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)
    os.utime(".", (0, 0))


# --- the child ---


def child(job):
    devnull = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(devnull, descriptor)
    os.dup2(10, FROM_PARENT)
    os.dup2(11, TO_PARENT)
    os.closerange(5, 1 << 16)
    for name, content in job["files"].items():
        with open(name, "wb") as file:
            file.write(content.encode("latin-1"))
    for name, limit in job["limits"].items():
        # A second more for code that ignores the kernel's warning, which ends any other.
        resource.setrlimit(getattr(resource, name), (limit, limit + (name == "RLIMIT_CPU")))
    namespace = new_main(job["student"])
    random.seed(0)
    numpy.random.seed(0)
    kept = {"student": job["student"]}
    for cell in job["cells"]:
        report("cell", run_cell(cell, namespace, kept))
    report("ready")
    request = loads(receive(FROM_PARENT)[1].decode(), INPUT_SIZE)
    try:
        answer(namespace, kept, job["cells"], **request)
    except MemoryError:
        report("memory")
    except Refused as refused:
        report("refused", str(refused))
    report("end")
    _os._exit(0)


def report(kind, content=None):
    send(TO_PARENT, b"t", dumps([kind, content]).encode())


def new_main(student):
    """The notebook's namespace, with what Jupyter provides and the package reduced to `exercise`."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.path.insert(0, os.getcwd())
    builtins.input = no_input
    package, questions = types.ModuleType("bayeslib"), types.ModuleType("bayeslib.questions")
    package.questions, package.__path__ = questions, []

    def check(*functions, **values):
        """Gives no feedback here."""

    check.student, check.options = lambda given=None: student, check
    questions.exercise = lambda name=None: check
    package.__getattr__ = questions.__getattr__ = no_attribute
    sys.modules |= {"bayeslib": package, "bayeslib.questions": questions}
    sys.meta_path.insert(0, NoPackage)
    main.__dict__.update(__builtins__=builtins, display=lambda *objects, **options: None, student=student)
    return main.__dict__


class NoPackage:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "bayeslib":
            raise ImportError(NUMPY_ONLY)


def no_attribute(name):
    raise AttributeError(name) if name.startswith("__") else ImportError(NUMPY_ONLY)


def no_input(prompt=None):
    raise EOFError("input() has nobody to ask in the grader: write the value into the cell")


def run_cell(source, namespace, kept):
    """Run a cell statement by statement, past errors, and give the names in `kept` their values again; "ok" or the first error."""
    try:
        tree = python_of(source)
    except BaseException as error:
        return one_line(error)
    first = "ok"
    for statement in tree.body:
        try:
            exec(compile(Module([statement], []), "<cell>", "exec", dont_inherit=True), namespace)
        except BaseException as error:
            first = one_line(error) if first == "ok" else first
        namespace |= kept  # whatever a cell assigned
    return first


BODY_IS_PYTHON = re.compile(r"\s*%%(time|timeit|capture|prun)\b.*\n?")
OTHER_CELL_MAGIC = re.compile(r"\s*%%\w")
LINE_MAGIC = re.compile(r"(?m)^([ \t]*)(?:[%!?].*|[\w., ]+=\s*[%!].*|[%\w.\[\]]+\?\??[ \t]*)$")


def python_of(source):
    """The syntax tree of a cell, without lines that only IPython understands and cells of another language."""
    try:
        return compile(source, "<cell>", "exec", PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError:
        if BODY_IS_PYTHON.match(source):
            source = BODY_IS_PYTHON.sub("\n", source, count=1)
        elif OTHER_CELL_MAGIC.match(source):
            source = ""
        return compile(LINE_MAGIC.sub(r"\1pass", source), "<cell>", "exec", PyCF_ONLY_AST, dont_inherit=True)


def one_line(error):
    return f"{type(error).__name__}: {text_of(error)}"[:300]


def text_of(error):
    try:
        text = f"{error.msg} (line {error.lineno})" if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = "an error that cannot be printed"
    return " ".join(text[:1000].split())[:250]


def asking(name, arguments):
    """A function whose results come from outside."""

    def ask(*case, **named):
        case += tuple([named[each] for each in arguments[len(case) :]])
        report("ask", [name, list(case)])
        kind, content = loads(receive(FROM_PARENT)[1].decode(), INPUT_SIZE)
        if kind == "value":
            return content
        raise ValueError("no answer exists here") if kind == "raised" else LookupError("nothing is known for this")

    return ask


def answer(namespace, kept, cells, name, cases, given):
    """Answer a request; where functions are `given`, the cells run once more, with these in place of the student's own."""
    kept |= {each: asking(each, arguments) for each, arguments in given.items()}
    for cell in cells if given else ():
        run_cell(cell, namespace, kept)
    if name not in namespace:
        report("missing")
    elif cases is None:
        report("value", namespace[name])
    elif not callable(namespace[name]):
        report("no function")
    else:
        function = namespace[name]
        for case in cases:
            try:
                value = function(*case)
            except MemoryError:
                raise
            except BaseException as error:
                kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
                report("raised", [kind[:50], text_of(error)])
            else:
                report("value", value)


if __name__ == "__main__":
    main()
