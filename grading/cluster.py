"""Sandboxes on other machines: `Cluster` stands in for `Sandbox` and runs every submission on a worker of Dask.

Cells, data, the student's id and the inputs of the checks go out, plain data comes back. The references, the secret and the
gradebook stay here, and so does all judging: nothing of scoring.py is ever loaded by a worker.
"""

import hashlib
import logging
import platform
import threading
import time
import uuid
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import numpy

from bayeslib.questions import plain
from grading.bubblewrap import HERE
from grading.sandbox import Sandbox

START, PATIENCE = 10, 60  # seconds without any fit worker before the grading gives up, at its start and later
CONNECT = 30  # seconds that the scheduler may take to answer
LOOK = 2  # seconds between two looks at who is still there


class Cluster:
    """The workers of the Dask scheduler at `address`; `run` may be called from `workers` threads."""

    def __init__(self, address, limits, log=None):
        from distributed import Client

        _refuse_open_doors(address)
        self.address, self.limits, self.log = address, limits, log or logging.getLogger(__name__)
        self._grading, self._lock, self._asked = uuid.uuid4().hex, threading.Lock(), {}
        self._patience = START
        try:
            self.client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:  # nobody there, or no certificates
            raise ValueError(f"cluster must be the address of a Dask scheduler, got {address}: {error}") from None
        try:
            fit = self._wait_for_fit()
        except BaseException:
            self.client.close()
            raise
        self._patience = PATIENCE
        self.workers = 2 * sum(fit.values())  # so that the next submission is there when a worker is done with one

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.client.status == "running":
            self.client.run(_close, self._grading, on_error="ignore")
        self.client.close()

    def run(self, cells, asks, student="", files=None):
        """As `Sandbox.run`. A worker that is lost meanwhile costs its time only."""
        job = [list(cells), list(asks), student, files]
        while True:
            fit = self._wait_for_fit()
            future = self.client.submit(_run, self._grading, self.limits, *job, workers=list(fit), pure=False)
            while fit.keys() & self._present():
                with suppress(TimeoutError):
                    return future.result(timeout=LOOK)
            future.cancel()  # all those who might have run it are gone; others may have come

    def _present(self):
        """address → threads, of all workers there are."""
        if self.client.status != "running":
            raise RuntimeError(f"the scheduler {self.address} is gone")
        return self.client.nthreads()

    def _wait_for_fit(self):
        """Those among them who can be sent work; newcomers are asked first. At least one, or an error."""
        deadline = time.monotonic() + self._patience
        while True:
            present = self._present()
            with self._lock:
                new = list(present.keys() - self._asked.keys())
                told = self.client.run(problem, versions(), workers=new, on_error="return") if new else {}
                for address, said in told.items():
                    self._asked[address] = said
                    if said:
                        self.log.error("%s gets no work: %s", address, said)
            fit = {address: threads for address, threads in present.items() if self._asked.get(address) == ""}
            if fit:
                return fit
            if time.monotonic() > deadline:
                self._patience = 0  # the others need not wait as long
                reasons = " ".join(sorted({str(self._asked.get(each, "")) for each in present}))
                raise RuntimeError(f"no worker of {self.address} can run a sandbox. {reasons or 'There is none.'}")
            time.sleep(0.5)


def _refuse_open_doors(address):
    parts = urlsplit(address)
    if parts.scheme != "tls" and parts.hostname != "127.0.0.1":
        raise ValueError(f"cluster must be tls://host:port (another kind on 127.0.0.1 only), got {address}")


def versions():
    """What must be the same everywhere for the same grades and comments."""
    files = (HERE / "sandbox.py", HERE / "cgroup.py", HERE / "bubblewrap.py", HERE / "inside.py", Path(plain.__file__))
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": numpy.__version__,
        "sandbox of bayeslib": hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8],
    }


# --- on a worker ---

_sandboxes = {}  # grading → Sandbox
_one_at_a_time = threading.Lock()


def problem(wanted):
    """Why this worker takes no work, in a sentence; empty if it does."""
    here = versions()
    differs = [f"{name} is {here[name]} there and {wanted[name]} here" for name in wanted if here[name] != wanted[name]]
    return Sandbox.available() or (f"{', '.join(differs)}: install the same." if differs else "")


def _run(grading, limits, cells, asks, student, files):
    from distributed import get_worker

    with _one_at_a_time:
        if grading not in _sandboxes:
            _sandboxes[grading] = Sandbox(limits, workers=get_worker().state.nthreads)
    return _sandboxes[grading].run(cells, asks, student=student, files=files)


def _close(grading):
    if sandbox := _sandboxes.pop(grading, None):
        sandbox.close()
