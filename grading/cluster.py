"""Sandboxes on other machines: `Cluster` stands in for `Sandbox` and runs every submission on a worker of Dask.

Cells, data, the student's id and the inputs of the checks go out, plain data comes back. The references, the secret and the
gradebook stay here, and so does all marking: no worker ever loads scoring.py. Dask gives a worker that joins its sandboxes,
and the submissions of one that is lost to the others.
"""

from contextlib import AbstractContextManager, suppress
from urllib.parse import urlsplit
from uuid import uuid4

from distributed import Client, Queue, WorkerPlugin, get_worker
from distributed.versions import get_package_info

from grading.sandbox import Sandbox

CONNECT = 30  # seconds until there must be a scheduler, and a worker
SAME = "numpy", "bayeslib-grading"  # and Python: with the same versions come the same grades and comments


class Cluster(AbstractContextManager):
    """The workers of the Dask scheduler at `address`; `run` may be called from `workers` threads."""

    def __init__(self, address, limits, log):
        parts = urlsplit(address)
        if parts.scheme != "tls" and parts.hostname != "127.0.0.1":
            raise ValueError(f"cluster must be tls://host:port (another kind on 127.0.0.1 only), got {address}")
        self.client = Client(address, timeout=CONNECT, set_as_default=False)
        self.client.wait_for_workers(1, timeout=CONNECT)
        self.name = f"sandboxes of {self.client.id}"  # of the plugin, and of the resource that it gives a worker
        self.client.register_plugin(Sandboxes(limits, self.name), name=self.name)
        found = self.client.run(_found, self.name)
        for worker, (_, problem) in found.items():
            if problem:
                log.error("%s gets no work: %s", worker, problem)
        self.workers = 2 * sum(threads for threads, _ in found.values())  # so that the next submission is waiting there
        if not self.workers:
            self.__exit__()
            raise RuntimeError(f"no worker of {address} can run a sandbox. {found.popitem()[1][1]}")

    def __exit__(self, *_):
        if self.client.status == "running":
            self.client.unregister_worker_plugin(self.name)
        self.client.close()

    courtesy = ""  # each worker says for itself what it can do

    def run(self, cells, requests, student="", files=None, spent=0.0, ask=None):
        """As `Sandbox.run`. A worker lost meanwhile costs only time; what its student's code asks for is answered here."""
        asked, told = (Queue(f"{uuid4()}", self.client) for _ in range(2)) if ask else (None, None)
        job = self.name, list(cells), list(requests), student, files, spent, asked, told
        future = self.client.submit(_run, *job, resources={self.name: 1}, pure=False)
        while ask and not future.done():
            with suppress(TimeoutError):
                told.put(ask(*asked.get(timeout=0.2)))
        return future.result()


class Sandboxes(WorkerPlugin):
    """On a worker: its sandboxes, one for each thread, or the problem why it has none."""

    def __init__(self, limits, name):
        self.limits, self.name, self.versions = limits, name, get_package_info(SAME)

    async def setup(self, worker):
        other = [f"{name} is {here}" for name, here in get_package_info(SAME).items() if here != self.versions[name]]
        self.problem = Sandbox.available() or (f"{', '.join(other)}: install the same versions." if other else "")
        self.threads = 0
        if not self.problem:
            try:
                self.sandbox = Sandbox(self.limits, workers=worker.state.nthreads)
                self.threads = worker.state.nthreads
            except RuntimeError as error:
                self.problem = str(error)
        if self.threads:
            await worker.set_resources(**{self.name: self.threads})

    def teardown(self, worker):
        if self.threads:
            self.sandbox.close()


def _found(name, dask_worker):
    return dask_worker.plugins[name].threads, dask_worker.plugins[name].problem


def _run(name, cells, requests, student, files, spent, asked, told):
    def ask(*question):
        asked.put(question)
        return told.get()

    return get_worker().plugins[name].sandbox.run(cells, requests, student, files, spent, ask)
