"""A student's bytes are read and laid out in processes of their own, one for each submission, with limits that the kernel keeps.

Whatever they do there, the grader and everybody else's work go on: the process is ended, and `Exceeded` says at which limit.
"""

import json
import os
import selectors
import signal
import warnings
from collections import deque
from contextlib import suppress
from pathlib import Path

SECONDS, WALL = (
    4,
    120,
)  # of the processor, and of the clock: that only ends what waits for ever, on a disk that does not answer, say
MEMORY = 1 << 30  # bytes beyond what the grader itself has
OUTPUT = 30_000_000  # bytes
OUT_OF_MEMORY, BROKEN = 3, 4  # exit codes


class Exceeded(Exception):
    """At which limit a student's bytes were given up, in words."""


def each(function, items, at_once=1, seconds=None):
    """(item, function(item)) for all items, as they end; an exception in place of what the function could not return.

    What it returns travels as JSON. `Exceeded` is the fault of the bytes, and any other exception that of the grader.
    """
    if not hasattr(os, "fork"):  # Windows shows what was graded elsewhere
        yield from ((item, function(item)) for item in items)
    waiting, running = deque(items if hasattr(os, "fork") else ()), {}
    with selectors.DefaultSelector() as pipes:
        try:
            while waiting or running:
                while waiting and len(running) < at_once:
                    pid, pipe = _start(function, item := waiting.popleft(), seconds or SECONDS)
                    running[pipe] = item, pid, bytearray()
                    pipes.register(pipe, selectors.EVENT_READ)
                for key, _ in pipes.select():
                    item, pid, said = running[key.fd]
                    said += (part := os.read(key.fd, 1 << 16))
                    if not part or len(said) > OUTPUT:
                        del running[key.fd]
                        pipes.unregister(key.fd)
                        yield item, _result(pid, key.fd, said)
        finally:
            for pipe, (_, pid, _) in running.items():
                _end(pid, pipe)


def call(function, *arguments, seconds=None):
    """function(*arguments), from a process of its own."""
    ((_, result),) = each(lambda _: function(*arguments), [None], seconds=seconds)
    if isinstance(result, Exception):
        raise result
    return result


def _start(function, item, seconds):
    out, into = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # of threads: those of numpy, and of Jupyter's server, which sleep
        pid = os.fork()
    if pid:
        os.close(into)
        return pid, out
    code = BROKEN
    try:
        _limit(seconds)
        try:
            answer = {"result": function(item)}
        except (MemoryError, RecursionError):
            raise
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"[:1000]}
        said = json.dumps(answer).encode()
        while said:
            said = said[os.write(into, said) :]
        code = 0
    except MemoryError:
        code = OUT_OF_MEMORY
    finally:
        os._exit(code)


def _limit(seconds):
    import resource  # not on Windows

    for number in (signal.SIGALRM, signal.SIGPIPE, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)
    signal.alarm(WALL)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    limits = {"CPU": seconds, "CORE": 0}
    with suppress(OSError):  # not on macOS
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limits["AS"] = used + MEMORY
    for name, limit in limits.items():
        hard = resource.getrlimit(number := getattr(resource, f"RLIMIT_{name}"))[1]
        resource.setrlimit(number, (limit if hard < 0 else min(limit, hard), hard))


def _result(pid, pipe, said):
    code = _end(pid, pipe, kill=len(said) > OUTPUT)
    if code == 0:
        answer = json.loads(said)
        return answer["result"] if "result" in answer else RuntimeError(answer["error"])
    if len(said) > OUTPUT:
        return Exceeded(f"more than {OUTPUT // 1_000_000} MB")
    if code == -signal.SIGXCPU:
        return Exceeded("too long")
    if code == OUT_OF_MEMORY:
        return Exceeded(f"more than {MEMORY >> 20} MB of memory")
    if code in (BROKEN, -signal.SIGSEGV, -signal.SIGABRT):
        return Exceeded("more than the reader can take")
    return RuntimeError(f"reading ended with code {code}")  # killed by somebody, or for want of memory on this computer


def _end(pid, pipe, kill=True):
    os.close(pipe)
    if kill:
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
