"""Sandboxes on other machines: `Cluster` stands in for `Sandbox` and runs every submission on a worker of Dask.

Cells, data, the student's id and the inputs of the checks go out, plain data comes back. The references, the secret and the
gradebook stay here, and so does all marking: no worker ever loads scoring.py.
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

START, PATIENCE = 10, 60  # seconds without a usable worker before the grading gives up, at its start and later
CONNECT = 30  # seconds that the scheduler may take to answer
POLL = 2  # seconds between two checks of which workers are still there


class Cluster:
    """The workers of the Dask scheduler at `address`; `run` may be called from `workers` threads."""

    def __init__(self, address, limits, log=None):
        from distributed import Client

        _check_address(address)
        self.address, self.limits, self.log = address, limits, log or logging.getLogger(__name__)
        self._grading_id, self._lock, self._reasons = uuid.uuid4().hex, threading.Lock(), {}
        self._patience = START
        try:
            self.client = Client(address, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:  # no scheduler there, or no certificates
            raise ValueError(f"cluster must be the address of a Dask scheduler, got {address}: {error}") from None
        try:
            usable = self._wait_for_workers()
        except BaseException:
            self.client.close()
            raise
        self._patience = PATIENCE
        self.workers = 2 * sum(usable.values())  # so that the next submission is waiting when a worker finishes one

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.client.status == "running":
            self.client.run(_close, self._grading_id, on_error="ignore")
        self.client.close()

    def run(self, cells, requests, student="", files=None):
        """As `Sandbox.run`. A worker lost meanwhile costs only time."""
        job = [list(cells), list(requests), student, files]
        while True:
            usable = self._wait_for_workers()
            future = self.client.submit(_run, self._grading_id, self.limits, *job, workers=list(usable), pure=False)
            while usable.keys() & self._present():
                with suppress(TimeoutError):
                    return future.result(timeout=POLL)
            future.cancel()  # every worker that might have run it is gone; others may have joined

    def _present(self):
        """address → threads, for all connected workers."""
        if self.client.status != "running":
            raise RuntimeError(f"the scheduler {self.address} is gone")
        return self.client.nthreads()

    def _wait_for_workers(self):
        """The connected workers that can run a sandbox; new ones are checked first. Raises if there is none in time."""
        deadline = time.monotonic() + self._patience
        while True:
            present = self._present()
            with self._lock:
                new = list(present.keys() - self._reasons.keys())
                results = self.client.run(problem, versions(), workers=new, on_error="return") if new else {}
                for address, reason in results.items():
                    self._reasons[address] = reason
                    if reason:
                        self.log.error("%s gets no work: %s", address, reason)
            usable = {address: threads for address, threads in present.items() if self._reasons.get(address) == ""}
            if usable:
                return usable
            if time.monotonic() > deadline:
                self._patience = 0  # later calls need not wait as long
                reasons = " ".join(sorted({str(self._reasons.get(address, "")) for address in present}))
                raise RuntimeError(
                    f"no worker of {self.address} can run a sandbox. {reasons or 'There are no workers.'}"
                )
            time.sleep(0.5)


def _check_address(address):
    parts = urlsplit(address)
    if parts.scheme != "tls" and parts.hostname != "127.0.0.1":
        raise ValueError(f"cluster must be tls://host:port (another kind on 127.0.0.1 only), got {address}")


def versions():
    """What must be the same on every machine for the same grades and comments."""
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
    """Why this worker cannot take work, in a sentence; empty if it can."""
    here = versions()
    differs = [f"{name} is {here[name]} there and {wanted[name]} here" for name in wanted if here[name] != wanted[name]]
    return Sandbox.available() or (f"{', '.join(differs)}: install the same versions." if differs else "")


def _run(grading, limits, cells, requests, student, files):
    from distributed import get_worker

    with _one_at_a_time:
        if grading not in _sandboxes:
            _sandboxes[grading] = Sandbox(limits, workers=get_worker().state.nthreads)
    return _sandboxes[grading].run(cells, requests, student=student, files=files)


def _close(grading):
    if sandbox := _sandboxes.pop(grading, None):
        sandbox.close()
