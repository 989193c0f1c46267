"""The lecture's side of the votes: starts the process beside voila, starts it again if it dies, and queries it for the slides.

The slides talk to voila only, on 127.0.0.1; the lecturer's key stays on this side.
"""

import json
import socket
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

import segno
from jupyter_server.base.handlers import JupyterHandler
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.web import HTTPError, authenticated

KEPT = Path(__file__).parents[2] / "build" / "votes"
PORTS = range(8010, 8030)
DIRECT = build_opener(ProxyHandler({}))


def own_address():
    """The address of this machine in its LAN; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
            return probe.getsockname()[0]
        except OSError:
            sys.exit(
                "VOTES=1 needs a network that the phones are in, and this machine is in none; VOTES=rehearse needs none"
            )


def free_port(address, ports):
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
                return probe.getsockname()[1]
            except OSError as error:
                reason = error.strerror
    sys.exit(f"VOTES cannot listen at {address}, port {ports[0]}: {reason}")


class Votes:
    """The votes of one lecture. `option` is 1, rehearse, or the address (and port) at which the phones find this machine."""

    def __init__(self, option, section, keep=False):
        self.section, self.keep, self.rehearse = section, keep, option == "rehearse"
        address, _, port = ("127.0.0.1" if self.rehearse else own_address() if option == "1" else option).partition(":")
        if port and not (port.isdecimal() and int(port) < 65536):
            sys.exit(f"VOTES=1, VOTES=rehearse or VOTES=192.168.1.5:8010, for example; got VOTES={option}")
        self.address, self.port = address, free_port(address, [int(port)] if port else PORTS)
        self.began = datetime.now()

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="votes-", ignore_cleanup_errors=True)  # readable only by us
        self.process = None
        self._start()
        return self

    def __exit__(self, *_):
        tallies = self.tallies()
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()
        if tallies and self.keep:
            print(f"Counts of {len(tallies)} votes in {self.keep_these(tallies)}; make votes shows them", flush=True)

    def _start(self):
        command = [sys.executable, "-m", "tools.lecture.votes", self.folder.name, self.address, str(self.port)]
        self.process = subprocess.Popen(
            command + ["--rehearse"] * self.rehearse, stdin=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )

    def watch(self):
        """Restart the process if it is killed; it comes back with all votes, at the same address."""

        def restart_if_dead():
            if self.process.poll() is not None:
                self._start()

        PeriodicCallback(restart_if_dead, 300).start()

    @property
    def where(self):
        return f"http://{self.address}:{self.port}/"

    def ask(self, method="GET", **query):
        """What the wall should show; `step` with POST opens, closes, asks again or forgets."""
        key = (Path(self.folder.name) / "key").read_text()
        request = Request(
            f"{self.where}room?{urlencode(query)}", method=method, headers={"Authorization": f"Key {key}"}
        )
        with DIRECT.open(request, timeout=3) as answer:
            return json.load(answer)

    def tallies(self):
        """The counts so far, without any device; empty if the process does not answer."""
        try:
            return self.ask(all="1")
        except OSError:
            return {}

    def keep_these(self, tallies):
        KEPT.mkdir(parents=True, exist_ok=True)
        path = KEPT / f"{self.section}-{self.began:%Y-%m-%d-%H%M%S}.json"
        lecture = {"section": self.section, "when": f"{self.began:%Y-%m-%d %H:%M}", "rehearsal": self.rehearse}
        path.write_text(json.dumps(lecture | {"questions": tallies}, ensure_ascii=False, indent=1), encoding="utf-8")
        return path


class WallHandler(JupyterHandler):
    """Answers the requests of votes.js, behind voila's own protection: its cookie, its token against foreign pages."""

    votes = None

    @authenticated
    async def get(self):
        if not self.votes:
            return self.finish({})
        query = {
            name: self.get_query_argument(name) for name in ("question", "step") if self.get_query_argument(name, "")
        }
        if query.get("step") == "forget" and self.votes.keep and (before := self.votes.tallies()):
            self.votes.keep_these(before)
            self.votes.began = datetime.now()
        try:
            state = await IOLoop.current().run_in_executor(None, partial(self.votes.ask, self.request.method, **query))
        except OSError as error:  # also while it is being restarted
            raise HTTPError(getattr(error, "code", 503)) from None
        code = segno.make(self.votes.where, error="m").svg_data_uri(scale=8, border=2)
        self.finish(state | {"where": self.votes.where, "code": code})

    post = get


def wait_until_ready(votes, seconds=10):
    """Wait until the phones can reach their page."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex((votes.address, votes.port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"The votes did not start at {votes.where}")
