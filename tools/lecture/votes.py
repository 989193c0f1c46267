"""The room votes: a small separate process on the lecturer's LAN. It knows questions and counts, no kernel and no notebook.

GET /            the ballot, a few kB for a phone, which works without scripts
POST /vote       one vote for each device in each round; it may be changed while the vote is open
GET /now         which ballot is open, so that a page with scripts notices the next one
GET, POST /room  with the lecturer's key only: what stands on the wall; open, again, close, forget

Everything that must survive a crash is in one private folder, deleted with the lecture: the keys and a journal of events.
"""

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
import statistics
import sys
import time
from base64 import b64encode
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError, RequestHandler

from bayeslib.questions.misconceptions import misconception
from bayeslib.questions.prose import inline, plain
from bayeslib.questions.question import Question

ROUNDS = 2
WORDS = 75  # of a question and its options: read in half a minute, which leaves one to think
MOST = 100_000  # devices that vote in a round: more than the requests of a laptop can fill in one
# Requests that may come at once, and how many more a second. A whole room may share one address, so a phone that has its
# ballot counts by itself, whatever the others behind its address do.
FROM_DEVICE, FROM_ADDRESS = (30, 2), (3000, 200)
CONNECTIONS = 3500
REHEARSED = 40


def is_for_a_room(question):
    """Whether a room can think about it in a minute and a half: short, and a choice or a guess on a scale."""
    words = " ".join([question.prompt, *(option["text"] for option in question.options)])
    has_scale = question.is_choice or math.isfinite(question.low) and math.isfinite(question.high)
    return has_scale and (len(words.split()) <= WORDS or question.name.startswith("own/"))


class Room:
    """What was asked, and what each device answered, round by round. Every change is in the journal before it takes effect."""

    def __init__(self, folder, rehearse=False):
        self.folder, self.rehearse = Path(folder), rehearse
        self.key, self.seal = (self._stored_key(name) for name in ("key", "seal"))
        self.rounds, self.now, self.open = {}, None, False
        self.journal = (self.folder / "journal").open("a+", buffering=1, errors="replace")
        self.journal.seek(0)
        for line in (lines := self.journal.read()).splitlines():
            with suppress(ValueError, TypeError, KeyError, IndexError):  # a line cut off by a crash, or not ours
                step, *arguments = json.loads(line)
                self._steps[step](*arguments)
        self.journal.write("" if lines.endswith("\n") or not lines else "\n")

    def _stored_key(self, name):
        path = self.folder / name
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(secrets.token_urlsafe(24))
        return path.read_text()

    def do(self, step, *arguments):
        """One step: open a question, ask it again, close it, forget all, or a vote."""
        self.journal.write(json.dumps([step, *arguments]) + "\n")
        self._steps[step](*arguments)

    @property
    def _steps(self):
        return {
            "open": self._open, "again": self._again, "close": self._close, "forget": self._forget, "vote": self._vote,
        }  # fmt: skip

    def _open(self, name, again=False):
        asked = self.rounds.setdefault(Question(name).name, [])
        if not asked or again and len(asked) < ROUNDS:
            asked.append({})
        self.now, self.open = name, True

    def _again(self, name):
        self._open(name, again=True)

    def _close(self):
        self.open = False

    def _forget(self):
        self.rounds, self.now, self.open = {}, None, False

    def _vote(self, device, answer):
        Question(self.now).judge(answer)  # a ValueError if it is none
        self.rounds[self.now][-1][device] = answer

    @property
    def ballot(self):
        """The name of what is being voted on: question and round; empty if nothing is."""
        return f"{self.now}:{len(self.rounds[self.now])}" if self.open else ""

    def is_full(self, device):
        """Whether a device that has not voted before would be one too many."""
        known = any(device in voted for rounds in self.rounds.values() for voted in rounds)
        return not known and len(self.rounds[self.now][-1]) >= MOST

    def wall(self, name=None):
        """What the slide of a question shows. While the vote is open that is how many have voted, and not how."""
        rounds = self.rounds.get(name or self.now, [])
        is_open = self.open and (name or self.now) == self.now
        shown = {
            "offered": bool(name) and is_for_a_room(Question(name)),
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
        "prompt": plain(question.prompt),
        "answers": _answers(question, votes),
        "right": [len(devices) for devices in right],
        "votes": [sum(counts.values()) for counts in votes],
        "solution": question.solution,
        "beliefs": _beliefs(question, votes[-1] if votes else {}),
        "guesses": [_guess(question, counts) for counts in votes],
        "value": None if question.is_choice else question.answer,
    }
    if len(rounds) == ROUNDS:
        both = rounds[0].keys() & rounds[1].keys()
        moved = {"to_right": len(both & right[1] - right[0]), "to_wrong": len(both & right[0] - right[1])}
        result["moved"] = moved | {"both": len(both)}
    return result


def _is_right(question, answer):
    return question.judge(answer)[0] == "correct"


def _options(question):
    return [f"{letter} {plain(option['text'])}" for letter, option in question.lettered]


def _answers(question, votes):
    """The rows of the wall: an option or a range of numbers, whether it is right, and its votes in each round."""
    if question.is_choice:
        return [
            {"text": text, "right": _is_right(question, at), "votes": [counts[at] for counts in votes]}
            for at, text in enumerate(_options(question))
        ]
    edges = _edges(question)
    last = len(edges) - 2

    def within(value, at):
        return (at == 0 or edges[at] <= value) and (at == last or value < edges[at + 1])

    def name(at):
        """The misconception that leads to a number of this range."""
        tags = [wrong["tag"] for wrong in question.wrong if "tag" in wrong and within(wrong["value"], at)]
        return misconception(tags[0]).title if tags else ""

    return [
        {
            "text": f"{edges[at]:g} to {edges[at + 1]:g}",
            "from": edges[at],
            "to": edges[at + 1],
            "name": name(at),
            "right": within(question.answer, at),
            "votes": [sum(count for value, count in counts.items() if within(value, at)) for counts in votes],
        }
        for at in range(last + 1)
    ]


def _guess(question, votes):
    """What the room says: its most frequent choice, or the number in the middle; None if nobody voted."""
    if not votes:
        return None
    return votes.most_common(1)[0][0] if question.is_choice else statistics.median(votes.elements())


def _edges(question, most=40):
    """The borders of at most forty round ranges of the question's scale."""
    width = (question.high - question.low) / most
    size = 10.0 ** math.floor(math.log10(width))
    step = next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= width * 0.999)
    first, last = math.floor(question.low / step), math.ceil(question.high / step)
    return [float(f"{at * step:.9g}") for at in range(first, last + 1)]


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
:root { color-scheme: light dark; font: 1.15rem/1.35 system-ui, sans-serif; --belief: light-dark(#6B1372, #CBA6E8); --edge: #7F868F; }
body { margin: 0 auto; max-width: 30rem; background: light-dark(#fff, #15171A); color: light-dark(#1A1D21, #ECEAE5); }
main { box-sizing: border-box; min-height: 100svh; padding: 1.1rem 1rem; display: grid; gap: .8rem; grid-template-rows: auto auto 1fr auto; }
p { margin: 0; color: light-dark(#5A6068, #A7ADB5); } h1 { margin: 0; font-size: 1.35rem; line-height: 1.25; font-weight: 600; }
form { display: contents; } fieldset { border: 0; margin: 0; padding: 0; display: grid; gap: .6rem; align-content: start; }
label { display: grid; grid-template-columns: auto 1fr auto; gap: .8rem; align-items: center; min-height: 2.6rem; padding: .7rem .9rem; border: 1.5px solid var(--edge); border-radius: .3rem; }
label:has(:checked) { border-color: var(--belief); background: light-dark(#F2E9F2, #29232F); } label b { color: var(--edge); }
input { accent-color: var(--belief); font: inherit; } [type=radio] { width: 1.3rem; height: 1.3rem; } [inputmode] { width: 100%; box-sizing: border-box; padding: .4rem; }
button { font: inherit; font-weight: 600; min-height: 3.4rem; border: 0; border-radius: .3rem; color: light-dark(#fff, #15171A); background: var(--belief); }
[role=status]:not(:empty) { color: var(--belief); font-weight: 600; } a { color: inherit; }
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
      if (answer.status === 429) throw answer;
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
    f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{HASHED}'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


def page(body, ballot=""):
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>Vote</title><link rel="icon" href="data:,"><style>{STYLE}</style>'
        f'<body data-ballot="{html.escape(ballot)}"><main>{body}</main><script>{SCRIPT}</script></html>'
    )


def ballot_page(room, device, problem="", typed=""):
    """The open question with its options or its number field; this device's last answer is marked."""
    if not room.open:
        message = "The vote is closed. Look at the wall." if room.now else "No question is open yet."
        return page(f'<h1>{message}</h1><p role="status">The next question comes here. <a href=".">Look again</a></p>')
    question, own_answer = Question(room.now), room.rounds[room.now][-1].get(device)
    if question.is_choice:
        fields = "".join(
            f'<label><input type="radio" name="answer" value="{at}" required{" checked" if own_answer == at else ""}>'
            f"<span>{inline(option['text'])}</span><b>{letter}</b></label>"
            for at, (letter, option) in enumerate(question.lettered)
        )
    else:
        unit = " in percent" if question.percent else f" ({question.unit.strip()})" if question.unit.strip() else ""
        value = typed or ("" if own_answer is None else f"{own_answer:g}")
        fields = (
            f'<label><span>Your number{html.escape(unit)}</span><input name="answer" inputmode="decimal" '
            f'autocomplete="off" required value="{html.escape(value)}"></label>'
        )
    voted = own_answer is not None
    counted = "Your vote is counted." if voted else ""
    return page(
        f"<p>{'Second vote: talk to your neighbour first.' if len(room.rounds[room.now]) > 1 else 'Vote'}</p>"
        f'<form method="post" action="vote"><h1>{inline(question.prompt)}</h1><fieldset>{fields}</fieldset><div>'
        f'<input type="hidden" name="ballot" value="{html.escape(room.ballot)}">'
        f'<button style="width: 100%">{"Change" if voted else "Send"} my vote</button>'
        f'<p role="status">{html.escape(problem or counted)}</p>'
        "<p>Nobody sees who voted for what. You may change it until the vote closes.</p></div></form>",
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
        device = self.device()
        if not self.settings["buckets"].allows(
            device or self.request.remote_ip, FROM_DEVICE if device else FROM_ADDRESS
        ):
            raise HTTPError(429)

    def write_error(self, status_code, **_):
        messages = {403: "This phone has no ballot yet.", 429: "Many phones are asking. This one asks again by itself."}
        if status_code == 429 and self.request.method == "GET":
            self.set_header("Refresh", "2")
        self.finish(
            page(f'<h1>{messages.get(status_code, "That did not work.")}</h1><p><a href=".">To the ballot</a></p>')
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
        if room.is_full(device):
            raise HTTPError(429)
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
    """A bucket of requests for each sender, filled again with time. Only recent senders are remembered."""

    def __init__(self):
        self.left = {}

    def allows(self, sender, limit):
        (most, refill), now = limit, time.monotonic()
        if len(self.left) > MOST:
            self.left = {
                name: bucket for name, bucket in self.left.items() if now - bucket[1] < 15
            }  # the others are full
        left, last = self.left.get(sender, (most, now))
        left = min(most, left + (now - last) * refill)
        self.left[sender] = (max(left - 1, 0), now)
        return left >= 1


class Server(HTTPServer):
    """When all its connections are taken, the address that holds most of them gives up its oldest."""

    def initialize(self, *args, **options):
        super().initialize(*args, **options)
        self.streams = {}

    def handle_stream(self, stream, address):
        open_ = {home: [each for each in streams if not each.closed()] for home, streams in self.streams.items()}
        self.streams = {home: streams for home, streams in open_.items() if streams}
        self.streams.setdefault(address[0], []).append(stream)
        if sum(map(len, self.streams.values())) > CONNECTIONS:
            max(self.streams.values(), key=len).pop(0).close()
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
    folder, address, port, *rehearse_ = sys.argv[1:]
    with suppress(ImportError, ValueError, OSError):  # one file descriptor for each phone
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard) if hard > 0 else 4096, hard))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the lecture, which fetches the counts before it ends
    os.umask(0o077)
    asyncio.run(serve(folder, address, int(port), bool(rehearse_)))


if __name__ == "__main__":
    main()
