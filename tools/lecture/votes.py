"""The room votes: a small separate process on the lecturer's LAN. It knows questions and counts, no kernel and no notebook.

GET /            the ballot, a few kB for a phone, which works without scripts
POST /vote       one vote for each device in each round; it may be changed while the vote is open
GET /now         which ballot is open, so that a page with scripts notices the next one
GET, POST /room  with the lecturer's key only: what stands on the wall; open, again, close, forget

Everything that must survive a crash is in one private folder, deleted with the lecture: the keys and a journal of events.
"""

import argparse
import asyncio
import hashlib
import hmac
import html
import json
import math
import os
import random
import secrets
import shutil
import signal
import sys
import time
from base64 import b64encode
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError, RequestHandler

from bayeslib.questions.misconceptions import misconception
from bayeslib.questions.question import Question

ROUNDS = 2
MOST, MOST_FROM_ONE = (
    3000,
    1000,
)  # devices that vote on a question, in all and behind one address (a whole room may share one)
REQUESTS, REFILL = 3000, 400  # that one address may send at once, and more of them a second
CONNECTIONS, CONNECTIONS_FROM_ONE = 2000, 1200
REHEARSED = 40


class Room:
    """What was asked, and what each device answered, round by round. Every change is in the journal before it takes effect."""

    def __init__(self, folder, rehearse=False):
        self.folder, self.rehearse = Path(folder), rehearse
        self.key, self.seal = (self._stored_key(name) for name in ("key", "seal"))
        self.rounds, self.now, self.open = {}, None, False
        self.homes = defaultdict(set)  # address → its devices, in memory only
        journal = self.folder / "journal"
        for line in journal.read_text().splitlines() if journal.exists() else []:
            with suppress(ValueError):  # the line that was being written when the process died
                getattr(self, "_" + (step := json.loads(line))[0])(*step[1:])
        self.journal = journal.open("a", buffering=1)

    def _stored_key(self, name):
        path = self.folder / name
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(secrets.token_urlsafe(24))
        return path.read_text()

    def do(self, step, *arguments):
        """One step: open a question, ask it again, close it, forget all, or a vote."""
        self.journal.write(json.dumps([step, *arguments]) + "\n")
        getattr(self, "_" + step)(*arguments)

    def _open(self, name):
        self.rounds.setdefault(name, [{}])
        self.now, self.open = name, True

    def _again(self, name):
        if len(self.rounds.get(name, [])) < ROUNDS:
            self.rounds.setdefault(name, []).append({})
        self.now, self.open = name, True

    def _close(self):
        self.open = False

    def _forget(self):
        self.rounds, self.now, self.open = {}, None, False

    def _vote(self, device, answer):
        self.rounds[self.now][-1][device] = answer

    @property
    def ballot(self):
        """The name of what is being voted on: question and round; empty if nothing is."""
        return f"{self.now}:{len(self.rounds[self.now])}" if self.open else ""

    def is_full(self, device, address):
        """Whether a device that has not voted yet would be one too many."""
        if device in self.homes[address]:
            return False
        voted = self.rounds[self.now][-1]
        return device not in voted and (len(voted) >= MOST or len(self.homes[address]) >= MOST_FROM_ONE)

    def wall(self, name=None):
        """What the slide of a question shows. While the vote is open that is how many have voted, and not how."""
        rounds = self.rounds.get(name or self.now, [])
        is_open = self.open and (name or self.now) == self.now
        shown = {
            "round": len(rounds),
            "open": is_open,
            "voted": len(rounds[-1]) if rounds else 0,
            "rehearsal": self.made_up(name or self.now),
        }
        return shown | tally(Question(name or self.now), rounds[:-1] if is_open else rounds) if rounds else shown

    def made_up(self, name):
        """Who votes in a rehearsal, in words; empty if it is not one."""
        if not (self.rehearse and name):
            return ""
        question = Question(name)
        how = f"as in {question.source}" if question.shares else "evenly"
        return f"Rehearsal: {REHEARSED} made-up phones vote {how}."

    def tallies(self):
        """Every question with its closed rounds, without any device."""
        closed = {
            name: rounds[: -1 if self.open and name == self.now else None] for name, rounds in self.rounds.items()
        }
        return {name: tally(Question(name), rounds) for name, rounds in closed.items() if any(rounds)}


def tally(question, rounds):
    """How the rounds of a vote went, and what the wrong answers point to; without any device."""
    votes = [Counter(votes.values()) for votes in rounds]
    right = [{device for device, answer in votes.items() if _is_right(question, answer)} for votes in rounds]
    result = {
        "prompt": question.prompt,
        "answers": _answers(question, votes),
        "right": [len(devices) for devices in right],
        "votes": [sum(counts.values()) for counts in votes],
        "solution": question.solution,
        "beliefs": _beliefs(question, votes[-1] if votes else {}),
    }
    if len(rounds) == ROUNDS:
        both = rounds[0].keys() & rounds[1].keys()
        moved = {"to_right": len(both & right[1] - right[0]), "to_wrong": len(both & right[0] - right[1])}
        result["moved"] = moved | {"both": len(both)}
    return result


def _is_right(question, answer):
    return question.judge(answer)[0] == "correct"


def _options(question):
    return [f"{letter} {option['text']}" for letter, option in question.lettered]


def _answers(question, votes):
    """The rows of the wall: an option or a range of numbers, whether it is right, and its votes in each round."""
    if question.is_choice:
        return [
            {"text": text, "right": _is_right(question, at), "votes": [counts[at] for counts in votes]}
            for at, text in enumerate(_options(question))
        ]
    edges = _edges(question, sorted(answer for counts in votes for answer in counts.elements()))
    last = len(edges) - 2

    def within(value, at):
        return (at == 0 or edges[at] <= value) and (at == last or value < edges[at + 1])

    return [
        {
            "text": f"{edges[at]:g} to {edges[at + 1]:g}",
            "right": within(question.answer, at),
            "votes": [sum(count for value, count in counts.items() if within(value, at)) for counts in votes],
        }
        for at in range(last + 1)
    ]


def _edges(question, values, most=10):
    """The borders of about ten round ranges; what lies outside goes into the first or the last."""
    low, high = question.low, question.high
    if not (low > -1e300 and high < 1e300):
        inner = values[len(values) // 20 : len(values) - len(values) // 20] or [question.answer]
        low, high = min(inner[0], question.answer), max(inner[-1], question.answer)
    width = (high - low) / most or abs(low) or 1.0
    size = 10.0 ** math.floor(math.log10(width))
    step = next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= width * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [float(f"{at * step:.9g}") for at in range(first, max(last, first + 1) + 1)]


def _beliefs(question, votes):
    """The misconceptions behind the wrong answers, the most frequent first."""
    tags = Counter()
    for answer, count in votes.items():
        if tag := question.tag(answer):
            tags[tag] += count
    return [
        {"tag": tag, "votes": count, "title": misconception(tag).title, "text": misconception(tag).text}
        for tag, count in tags.most_common()
        if misconception(tag).kind != "slip"
    ]


# Pages

STYLE = """
:root { color-scheme: light dark; font: 1.15em/1.4 system-ui, sans-serif; } body { margin: 0 auto; max-width: 34em; padding: 1em; }
h1 { font-size: 1.15em; font-weight: 600; } button, input { font: inherit; padding: .7em; border-radius: .4em; border: 2px solid; }
button { display: block; width: 100%; margin: .6em 0; text-align: left; color: inherit; background: transparent; cursor: pointer; }
button[aria-pressed=true] { font-weight: bold; border-width: 4px; } input { width: 8em; } [role=status] { min-height: 1.4em; }
"""
# With scripts, a vote is sent until it arrives, and the page notices the next question.
SCRIPT = """
const wait = (ms) => new Promise((go) => setTimeout(go, ms));
const say = (words) => { document.querySelector("[role=status]").textContent = words; };
document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  for (let tries = 0; tries < 40; tries += 1) {
    try {
      const answer = await fetch("vote", { method: "POST", body });
      if (answer.redirected) return location.replace(answer.url);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      return document.querySelector("main").replaceWith(page.querySelector("main"));
    } catch {
      say("No connection. Your vote will be sent when there is one.");
      await wait(1500);
    }
  }
  say("Your vote did not arrive. Try again.");
});
(async () => {
  for (;;) {
    await wait(2500 + 1000 * Math.random());
    try {
      const now = await fetch("now");
      if (now.ok && (await now.text()) !== document.body.dataset.ballot) location.replace(".");
    } catch {}
  }
})();
"""
HASHED = b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{HASHED}'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


def page(title, body, ballot=""):
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{html.escape(title)}</title><link rel="icon" href="data:,"><style>{STYLE}</style>'
        f'<body data-ballot="{html.escape(ballot)}"><main>{body}</main><script>{SCRIPT}</script></html>'
    )


def ballot_page(room, device, problem="", typed=""):
    """The open question with its buttons or its number field; this device's last answer is marked."""
    if not room.open:
        message = "The vote is closed. Look at the wall." if room.now else "No question is open yet."
        return page(
            "Vote", f'<h1>{message}</h1><p role="status">The next question comes here. <a href=".">Look again</a></p>'
        )
    question, own_answer = Question(room.now), room.rounds[room.now][-1].get(device)
    hidden = f'<input type="hidden" name="ballot" value="{html.escape(room.ballot)}">'
    if question.is_choice:
        fields = "".join(
            f'<button name="answer" value="{at}" aria-pressed="{str(own_answer == at).lower()}">{html.escape(text)}</button>'
            for at, text in enumerate(_options(question))
        )
    else:
        unit = " in percent" if question.percent else f" ({question.unit.strip()})" if question.unit.strip() else ""
        value = typed or ("" if own_answer is None else f"{own_answer:g}")
        fields = (
            f'<label>Your number{html.escape(unit)}: <input name="answer" inputmode="decimal" autocomplete="off" '
            f'value="{html.escape(value)}"></label><button>Vote</button>'
        )
    again = "Second vote: talk to your neighbour first. " if len(room.rounds[room.now]) > 1 else ""
    counted = "Your vote is counted; you may change it while the vote is open." if own_answer is not None else ""
    return page(
        "Vote",
        f'<h1>{html.escape(again + question.prompt)}</h1><form method="post" action="vote">{hidden}{fields}</form>'
        f'<p role="status">{html.escape(problem or counted)}</p><p><a href=".">Look for the next question</a></p>',
        room.ballot,
    )


def read_answer(question, text):
    """The answer, and what is wrong with it, in words; one of them is None."""
    text = text.strip().replace(",", ".").replace("−", "-").rstrip("% ")
    if question.is_choice:
        is_option = text.isascii() and text.isdigit() and len(text) < 3 and int(text) < len(question.options)
        return (int(text), None) if is_option else (None, "That is not one of the answers.")
    try:
        value = float(text) if len(text) < 30 else float("nan")
    except ValueError:
        value = float("nan")
    if not abs(value) < 1e15:
        return None, "Type a number, such as 12.5."
    if question.is_fraction(value):
        return None, f"The question asks for percent. Did you mean {100 * value:g}?"
    return (None, question.refusal(value)) if question.refusal(value) else (value, None)


class Handler(RequestHandler):
    """Any request: to the address that was shown, from no other page, and no more often than a room needs."""

    def initialize(self, room, hosts):
        self.room, self.hosts = room, hosts

    def set_default_headers(self):
        for name, value in {
            "Content-Security-Policy": POLICY,
            "Cache-Control": "no-store",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "Server": "votes",
        }.items():
            self.set_header(name, value)

    def prepare(self):
        host, origin = self.request.host, self.request.headers.get("Origin")
        if host not in self.hosts or origin not in (None, f"http://{host}"):
            raise HTTPError(403)
        if not self.settings["buckets"].allows(self.request.remote_ip):
            raise HTTPError(429)

    def write_error(self, status_code, **_):
        messages = {403: "This device has no ballot yet.", 429: "Too many requests. Wait a moment."}
        self.finish(
            page(
                "Vote",
                f'<h1>{messages.get(status_code, "That did not work.")}</h1><p><a href=".">To the ballot</a></p>',
            )
        )

    def device(self):
        """The device's random name, if the seal on its cookie is ours."""
        name, _, seal = self.get_cookie("device", "").partition(".")
        return name if len(name) == 32 and hmac.compare_digest(seal.encode(), self.sealed(name).encode()) else None

    def sealed(self, name):
        return hmac.new(self.room.seal.encode(), name.encode(), hashlib.sha256).hexdigest()[:32]


class Ballot(Handler):
    def get(self):
        device = self.device()
        if not device:
            device = secrets.token_hex(16)
            self.set_cookie(
                "device", f"{device}.{self.sealed(device)}", httponly=True, samesite="Strict", max_age=6 * 3600
            )
        late = self.get_query_argument("late", "") and "The vote that you answered was closed before your answer came."
        self.finish(ballot_page(self.room, device, late))


class Vote(Handler):
    def post(self):
        room, device = self.room, self.device()
        if not device:
            raise HTTPError(403)
        if not room.open or self.get_body_argument("ballot", "") != room.ballot:
            return self.redirect(".?late=1", status=303)  # the page shows what is open now
        typed = self.get_body_argument("answer", "")
        answer, problem = read_answer(Question(room.now), typed)
        if problem:
            self.set_status(422)
            return self.finish(ballot_page(room, device, problem, typed[:30]))
        if room.is_full(device, self.request.remote_ip):
            raise HTTPError(429)
        room.homes[self.request.remote_ip].add(device)
        room.do("vote", device, answer)
        self.redirect(".", status=303)


class Now(Handler):
    def get(self):
        self.finish(self.room.ballot)


class Wall(Handler):
    """For the slides, which show the lecturer's key."""

    def prepare(self):
        header = self.request.headers.get("Authorization", "")
        if not hmac.compare_digest(header.encode(), f"Key {self.room.key}".encode()):
            raise HTTPError(403)

    def get(self):
        self.finish(self.room.tallies() if self.get_query_argument("all", "") else self.room.wall(self._question()))

    def post(self):
        step, name = self.get_query_argument("step"), self._question()
        if step not in ("open", "again", "close", "forget") or (step in ("open", "again") and not name):
            raise HTTPError(400)
        self.room.do(step, *([name] if step in ("open", "again") else []))
        if self.room.rehearse and self.room.open and step != "close":
            self.settings["rehearsals"].add(asyncio.ensure_future(rehearse(self.room, self.room.ballot)))
        self.finish(self.room.wall(name))

    def _question(self):
        name = self.get_query_argument("question", "") or None
        try:
            return name and Question(name).name
        except ValueError:
            raise HTTPError(400) from None


async def rehearse(room, ballot):
    """A made-up room votes: evenly, or with the shares that the question names a source for."""
    question = Question(room.now)
    if question.is_choice:
        choices, weights = range(len(question.options)), question.shares or None
    else:
        choices, weights = [question.answer, *(wrong["value"] for wrong in question.wrong)], None
    for number in range(REHEARSED):
        await asyncio.sleep(random.uniform(0, 0.2))
        if room.ballot != ballot:
            return
        room.do("vote", f"rehearsal-{number}", random.choices(choices, weights)[0])


class Buckets:
    """A bucket of requests for each address, filled again with time. Only recent addresses are remembered."""

    def __init__(self):
        self.left = {}

    def allows(self, address):
        now = time.monotonic()
        if len(self.left) > 10_000:
            self.left = {sender: bucket for sender, bucket in self.left.items() if now - bucket[1] < REQUESTS / REFILL}
        left, last = self.left.get(address, (REQUESTS, now))
        left = min(REQUESTS, left + (now - last) * REFILL)
        self.left[address] = (max(left - 1, 0), now)
        return left >= 1


class Server(HTTPServer):
    """A server that limits connections, in total and from one address."""

    def initialize(self, *args, **options):
        super().initialize(*args, **options)
        self.streams = defaultdict(WeakSet)

    def handle_stream(self, stream, address):
        from_address = self.streams[address[0]]
        open_ = [connection for streams in self.streams.values() for connection in streams if not connection.closed()]
        if (
            len(open_) >= CONNECTIONS
            or sum(not connection.closed() for connection in from_address) >= CONNECTIONS_FROM_ONE
        ):
            return stream.close()
        from_address.add(stream)
        super().handle_stream(stream, address)


def application(room, hosts):
    paths = {"/": Ballot, "/vote": Vote, "/now": Now, "/room": Wall}
    return Application(
        [(path, handler, {"room": room, "hosts": hosts}) for path, handler in paths.items()],
        buckets=Buckets(),
        rehearsals=set(),
        log_function=lambda handler: None,  # no address is logged
    )


async def serve(folder, address, port, rehearse_):
    room = Room(folder, rehearse_)
    hosts = {f"{name}:{port}" for name in (address, "127.0.0.1", "localhost")}
    limits = {"max_body_size": 2000, "max_header_size": 8000, "idle_connection_timeout": 20, "body_timeout": 10}
    server = Server(application(room, hosts), **limits)
    server.listen(port, address, backlog=1024)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, lambda: sys.stdin.buffer.read1(1) or ended.set())
    await ended.wait()  # the lecture holds the other end of our input; when it ends, everything we stored is deleted
    shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("address")
    parser.add_argument("port", type=int)
    parser.add_argument("--rehearse", action="store_true")
    args = parser.parse_args()
    with suppress(ImportError, ValueError, OSError):  # one file descriptor for each phone
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard) if hard > 0 else 4096, hard))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the lecture, which fetches the counts before it ends
    os.umask(0o077)
    asyncio.run(serve(args.folder, args.address, args.port, args.rehearse))


if __name__ == "__main__":
    main()
