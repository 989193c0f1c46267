"""The room's votes: counted once, hidden until closed, closed to strangers; with real pages, a crash and 500 phones."""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from bayeslib.questions import question as questions
from bayeslib.questions.question import OWN, Question, names
from bayeslib.sections import LESSONS
from tests import lab
from tools.lecture import lecturer_questions, report, votes, wall

QUESTION, OTHER, NUMBER = "01/first-positive", "01/which-helps", "01/second-positive"


@pytest.fixture
def room(tmp_path):
    return votes.Room(tmp_path)


def shares(told):
    """How often each answer was given, round by round."""
    return [answer["votes"] for answer in told["answers"]]


@contextmanager
def running(**options):
    """The votes as a lecture starts them, without slides: their address, and `ask` with the lecturer's key."""
    with wall.Votes("127.0.0.1:0", "01", **options) as beside:
        wall.wait_until_ready(beside)
        yield beside


def run(coroutine):
    """In a thread of its own: the browser's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Phone:
    """A browser without scripts: a cookie, pages, forms."""

    def __init__(self, where, cookie=""):
        self.where, self.cookie = where, cookie

    def ask(self, path="", data=None, **headers):
        request = urllib.request.Request(self.where + path, data, {"Cookie": self.cookie, **headers})
        try:
            with wall.DIRECT.open(request, timeout=60) as answer:
                self.cookie = (answer.headers["Set-Cookie"] or self.cookie).split(";")[0]
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def vote(self, answer, ballot=f"{QUESTION}:1", **headers):
        return self.ask("vote", f"ballot={ballot}&answer={answer}".encode(), **headers)


# What is counted


@pytest.mark.parametrize("lesson", [lesson.number for lesson in LESSONS if lesson.number != "00"])
def test_every_question_of_a_lesson_is_a_ballot_whose_rows_hold_every_vote(lesson, room):
    for name in names(lesson):
        room.do("open", name)
        page, question = votes.ballot_page(room, "d"), Question(name)
        assert len(page.encode()) < 6000
        assert page.count("<button") == 1
        if question.is_choice:
            assert page.count('type="radio"') == len(question.options)
            continue
        assert 'inputmode="decimal"' in page
        if votes.is_for_a_room(question):
            rows = votes.tally(question, [dict(enumerate([question.low, question.answer, question.high]))])["answers"]
            assert (
                sum(row["votes"][0] for row in rows) == 3 and sum(row["right"] for row in rows) == 1 and len(rows) <= 42
            )


def test_a_device_counts_once_in_a_round_and_two_rounds_stand_side_by_side_with_who_moved(room):
    room.do("open", QUESTION)
    for device, answer in [("a", 3), ("a", 0), ("b", 0), ("c", 3), ("d", 1)]:
        room.do("vote", device, answer)
    assert room.wall()["voted"] == 4 and room.wall()["answers"][0]["votes"] == [], "not how, while it is open"
    room.do("close")
    assert shares(room.wall()) == [[2], [1], [0], [1]]
    room.do("again", QUESTION)
    for device, answer in {"a": 3, "b": 0, "c": 1, "e": 3}.items():
        room.do("vote", device, answer)
    assert room.wall()["votes"] == [4]
    room.do("close")
    told = room.wall()
    assert shares(told) == [[2, 1], [1, 1], [0, 0], [1, 2]]
    assert told["moved"] == {"to_right": 1, "to_wrong": 1, "both": 3} and told["right"] == [1, 2]
    assert [(belief["tag"], belief["votes"]) for belief in told["beliefs"]] == [("inverse", 1), ("rates-subtracted", 1)]
    room.do("again", QUESTION)
    assert room.wall()["round"] == votes.ROUNDS
    assert not re.search(r'"(a|b|c|d|e)"', json.dumps(room.tallies())), "no device in what is kept"


def test_numbers_go_into_round_ranges_with_the_truth_and_the_frequent_mistakes_on_the_same_axis():
    told = votes.tally(Question(NUMBER), [dict(enumerate([89.6, 90, 0, 100, 20.9, 41.7, 55]))])
    at = {answer["from"]: answer for answer in told["answers"]}
    assert [*at] == [2.5 * k for k in range(40)] and told["answers"][-1]["to"] == 100
    assert {low for low in at if at[low]["votes"][0]} == {0, 20, 40, 55, 87.5, 90, 97.5} and told["right"] == [2]
    assert [low for low in at if at[low]["right"]] == [87.5] and told["value"] == 89.6 and told["guesses"] == [55]
    assert {low for low in at if at[low]["name"]} == {20, 40, 97.5}


def test_only_what_a_room_can_think_about_in_a_minute_and_a_half_is_offered(room):
    offered = {name for lesson in LESSONS[1:] for name in names(lesson.number) if room.wall(name)["offered"]}
    assert {QUESTION, NUMBER, "01/mammogram"} <= offered
    assert not {"10/second-mean", "16/wrong-labels", "07/six-variables"} & offered  # arithmetic, too long, no axis


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1e999", "1e20", "0.2", "-5", "101", "1" * 50])
def test_a_number_that_cannot_be_meant_is_told_in_words_and_a_comma_is_understood(text):
    answer, problem = votes.read_answer(Question(NUMBER), text)
    assert answer is None and problem.endswith((".", "?"))
    assert [votes.read_answer(Question(NUMBER), text)[0] for text in (" 89,6 % ", "１２")] == [89.6, 12]


# What strangers can do


@pytest.fixture(scope="module")
def beside():
    with running() as each:
        yield each


def opened(beside):
    """Opens the vote on the question anew; returns a phone that has its ballot."""
    beside.ask("POST", step="forget")
    beside.ask("POST", step="open", question=QUESTION)
    phone = Phone(beside.where)
    phone.ask()
    return phone


@pytest.fixture
def phone(beside):
    return opened(beside)


def test_a_phone_without_scripts_votes_once_and_sees_that_it_counted(phone, beside):
    for _ in range(2):
        status, page = phone.vote(0)
    assert status == 200 and 'value="0" required checked' in page and "Your vote is counted" in page
    assert "src=" not in page and beside.ask()["voted"] == 1


def test_tallies_and_controls_need_the_lecturers_key_and_nothing_else_is_there(phone, beside):
    for path, data in {"room": None, "room?step=close": b"", "room?all=1": None}.items():
        for key in ({}, {"Authorization": "Key "}, {"Authorization": "Key x"}):
            assert phone.ask(path, data, **key)[0] == 403
    for path in ("api/kernels", "voila/render/x", "../etc/passwd", "room/", "journal", "key"):
        assert phone.ask(path)[0] == 404
    assert beside.ask()["open"]


def test_forged_cookies_foreign_pages_and_late_votes_do_not_count(phone, beside):
    for cookie in ("", f"device={'a' * 32}.{'b' * 32}"):
        assert Phone(beside.where, cookie).vote(0)[0] == 403
    assert phone.vote(0, Origin="http://elsewhere.example")[0] == phone.ask(Host="elsewhere.example")[0] == 403
    phone.vote(0, ballot=f"{OTHER}:1")
    assert phone.vote(9)[0] == 422 and phone.ask("vote", b"answer=0" + b"x" * 4000)[0] in (400, 413)
    assert beside.ask()["voted"] == 0
    phone.vote(0)
    beside.ask("POST", step="close")
    assert "closed" in phone.vote(3)[1]
    assert shares(beside.ask(question=QUESTION)) == [[1], [0], [0], [0]]


def test_a_laptop_behind_the_address_of_the_class_locks_nobody_out(room, monkeypatch):
    monkeypatch.setattr(votes, "MOST", 2)
    room.do("open", QUESTION)
    for device in ("early", "forged"):
        room.do("vote", device, 0)
    assert room.is_full("late") and not room.is_full("early"), "who has voted once is never refused"
    room.do("open", OTHER)
    assert not room.is_full("late") and not room.is_full("early"), "each question begins anew"
    buckets = votes.Buckets()
    assert sum(buckets.allows("10.0.0.1", votes.FROM_ADDRESS) for _ in range(10_000)) < 5000
    assert all(buckets.allows(f"device-{number}", votes.FROM_DEVICE) for number in range(1000)), (
        "a phone has a bucket of its own"
    )


def test_two_addresses_that_hold_all_connections_give_them_up(monkeypatch):
    monkeypatch.setattr(votes, "CONNECTIONS", 10)
    server, made = votes.Server(votes.Application([])), []

    class Stream:
        gone = False
        closed, close = lambda self: self.gone, lambda self: setattr(self, "gone", True)

    monkeypatch.setattr(
        votes.HTTPServer, "handle_stream", lambda self, stream, address: made.append((stream, address[0]))
    )
    for home in ["10.0.0.1"] * 20 + ["10.0.0.2"] * 20 + [f"10.0.1.{number}" for number in range(5)]:
        server.handle_stream(Stream(), (home, 1))
    left = [home for stream, home in made if not stream.closed()]
    assert len(left) == 10 and sum(home.startswith("10.0.1.") for home in left) == 5


# Crashes, and what is left


def test_a_killed_process_is_started_again_with_its_votes_at_the_same_address():
    with running() as beside:
        phone, folder, before = opened(beside), wall.Path(beside.folder.name), beside.process
        phone.vote(0)

        async def killed():
            beside.watch()
            before.kill()
            before.wait()
            with (folder / "journal").open("a") as journal:
                odd = ["{}", "[]", "3", '["vote"]', '["vote", "d", "x"]', '["open", "01/none"]', '["do", 1]', "\0"]
                journal.write("\n".join([*odd, '["vote", "half a li']))  # the line that it was writing
            while beside.process is before:
                await asyncio.sleep(0.05)

        for _ in range(2):  # what comes after a cut line is kept as well
            run(asyncio.wait_for(killed(), 120))
            wall.wait_until_ready(beside)
            before, late = beside.process, Phone(beside.where)
            late.ask()
            late.vote(3)
        assert beside.ask()["voted"] == 3 and beside.ask()["open"]
        assert "Your vote is counted" in phone.ask()[1], "the cookie still holds"
        assert folder.stat().st_mode & 0o77 == 0
    assert not folder.exists()


def test_votes_end_with_a_lecture_that_was_killed():
    code = (
        "from tools.lecture import wall; v = wall.Votes('127.0.0.1', '01').__enter__(); wall.wait_until_ready(v); "
        "print(v.folder.name, v.process.pid, flush=True); import os; os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=lab.ROOT)
    folder, pid = done.stdout.split()
    for _ in range(2400):
        if not os.path.exists(f"/proc/{pid}") and not os.path.exists(folder):
            return
        time.sleep(0.05)
    raise AssertionError("the votes outlived their lecture")


def test_nothing_is_kept_unless_asked_and_then_no_device(tmp_path, monkeypatch, capsys):
    kept = tmp_path / "kept"
    monkeypatch.setattr(wall, "KEPT", kept)
    monkeypatch.setattr(report, "KEPT", kept)
    for keep in (False, True):
        with running(keep=keep) as beside:
            phone = opened(beside)
            phone.vote(0)
            beside.ask("POST", step="close")
        assert len([*kept.glob("*.json")]) == keep
    report.main()
    said = capsys.readouterr().out
    assert QUESTION in said and re.search(r"1  A about 98%", said) and "Right: 0 of 1." in said
    device = re.search(r"device=(\w{32})", phone.cookie)[1]
    assert not any(device in path.read_text() for path in kept.iterdir())


def test_a_rehearsal_votes_by_itself_and_says_so(room, monkeypatch):
    monkeypatch.setattr(votes.random, "uniform", lambda low, high: 0)
    room.rehearse = True
    for name in (QUESTION, NUMBER):
        room.do("open", name)
        run(votes.rehearse(room, room.ballot))
        assert room.wall()["voted"] == votes.REHEARSED and "made-up phones vote evenly" in room.wall()["rehearsal"]


# A lecturer's own question


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Writes a file of the lecturer's and makes it known."""
    monkeypatch.setenv(OWN, "")

    def write(text):
        (tmp_path / "own.toml").write_text(text)
        lecturer_questions.read(str(tmp_path / "own.toml"))

    questions._read.cache_clear()
    yield write
    questions._read.cache_clear()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[x]\nprompt = 1\noptions = [{}]", "needs a text"),
        ('[x]\nprompt = "?"\noptions = [{text = "a"}]', "correct = true"),
        ('[x]\nprompt = "?"', "needs options, or an answer"),
        ('[x]\noptions = [{text = "a", correct = true}]', "prompt"),
        ('[x]\nprompt = "?"\noptions = [{text = "a", correct = true}]\nshares = [1]', "a source"),
        ("[x", "Expected"),
    ],
)
def test_a_question_file_that_cannot_be_used_is_told(text, said, own):
    with pytest.raises(SystemExit, match=said):
        own(text)


def test_what_a_ballot_says_is_never_markup(room, own):
    own('[x]\nprompt = "<u>P</u>"\noptions = [{text = "<script>1</script>", correct = true}, {text = "\\"&"}]')
    room.do("open", "own/x")
    page = votes.ballot_page(room, "d", "<i>", "")
    assert "<u>" not in page and "<script>1" not in page and "<i>" not in page


# Real pages


@pytest.fixture(scope="module")
def lecture(tmp_path_factory, chromium):
    """Slides with votes and an own question, the address to vote at, and a phone."""
    folder = tmp_path_factory.mktemp("votes")
    options = '[{ text = "the tram" }, { text = "the bus", correct = true, feedback = "It leaves at seven." }]'
    (folder / "own.toml").write_text(f'[tram]\nprompt = "First?"\nafter = "{QUESTION}"\noptions = {options}\n')
    with lab.slides("01", folder, "--votes=127.0.0.1:0", f"--own={folder / 'own.toml'}") as address:
        page, phone = lab.open_slides(chromium, address), lab.new_page(chromium, viewport={"width": 390, "height": 700})
        yield page, re.search(r"votes at (\S+)", (folder / "server.log").read_text())[1], phone
        assert page.errors == phone.errors == []
        page.close()
        phone.close()


def to(page, question):
    page.evaluate(
        """(name) => {
            const sections = [...document.querySelectorAll("#slides section")];
            location.hash = sections.findIndex((each) => each.querySelector(`[data-question="${name}"]`)) + 1;
        }""",
        question,
    )
    page.locator(f'section.current [data-question="{question}"] .polls').wait_for(state="attached")
    return page.locator("section.current")


def press(page, expected):
    """One press of the clicker; then the slide says this."""
    page.keyboard.press("PageDown")
    page.locator("section.current").get_by_text(expected).locator("visible=true").first.wait_for()


@pytest.mark.smoke
@pytest.mark.heavy
def test_question_vote_discussion_second_vote_figure_and_answer_by_a_clicker(lecture):
    page, where, phone = lecture
    slide, plain = to(page, QUESTION), Phone(where)
    phone.goto(where)
    assert "No question is open yet" in phone.inner_text("main") and plain.ask()[0] == 200
    press(page, "0 have voted")
    assert slide.locator(".polls img").get_attribute("src").startswith("data:image/svg+xml")
    phone.get_by_label("about 98%").check()  # it noticed by itself
    phone.get_by_role("button", name="Send my vote").click()
    plain.vote(3)
    slide.get_by_text("2 have voted").wait_for()
    assert slide.locator(".poll").count() == 0, "not how, while it is open"
    press(page, "2 votes")
    assert (
        slide.locator(".poll").all_inner_texts() == ["1", "", "", "1"] and not slide.locator(".bayeslib-right").count()
    )
    press(page, "Second vote: 0 have voted")
    phone.get_by_text("Second vote: talk to your neighbour first.").wait_for()
    phone.get_by_label("about 20%").check()
    phone.get_by_role("button", name="Send my vote").click()
    plain.vote(3, f"{QUESTION}:2")
    slide.get_by_text("Second vote: 2 have voted").wait_for()
    press(page, "2 voted alone, 2 after talking")
    assert [text.split() for text in slide.locator(".poll").all_inner_texts()] == [["1"], [], [], ["1", "2"]]
    page.keyboard.press("PageDown")
    slide.locator("label.bayeslib-right .poll").wait_for()
    slide.locator("""canvas[data-key*='"guess":98']""").wait_for()  # what the room said alone


@pytest.mark.heavy
def test_a_bet_is_placed_by_the_room_raised_and_settled_at_the_end(lecture):
    page, where, _ = lecture
    plain, name = Phone(where), "01/mammogram"
    plain.ask()
    for cell, ballot, answer in (("bet-letter", 1, 0), ("raise-letter", 2, 3)):
        page.evaluate(GO, cell)
        page.locator(f'section.current [data-cell="{cell}"] .polls').wait_for(state="attached")
        press(page, "0 have voted")
        plain.vote(answer, f"{name}:{ballot}")
        press(page, "1 vote" if ballot == 1 else "after talking")
        page.locator("section.current .bayeslib-sealed").wait_for()
    page.evaluate(GO, "settle-letter")
    slide = page.locator("section.current")
    slide.get_by_text("after talking").wait_for()
    assert not slide.locator(".bayeslib-right").count()
    page.keyboard.press("PageDown")
    slide.locator("label.bayeslib-right .poll").wait_for()
    assert [text.split() for text in slide.locator(".poll").all_inner_texts()] == [["1"], [], [], ["1"]]


GO = """(id) => {
    const sections = [...document.querySelectorAll("#slides section")];
    location.hash = sections.findIndex((each) => each.querySelector(`[data-cell="${id}"]`)) + 1;
}"""


@pytest.mark.heavy
def test_guessed_numbers_are_dots_and_a_new_group_sees_nothing_of_the_old_one(lecture):
    page, where, phone = lecture
    slide, plain = to(page, NUMBER), Phone(where)
    press(page, "0 have voted")
    plain.ask()
    plain.vote(41.7, f"{NUMBER}:1")
    press(page, "1 vote")
    assert slide.locator("circle").count() == 1 and slide.locator("svg .told").count() == 0
    page.keyboard.press("PageDown")
    slide.locator("svg line.told").wait_for(state="attached")
    slide = to(page, "own/tram")
    press(page, "0 have voted")
    phone.goto(where)
    phone.get_by_label("the bus").check()
    phone.get_by_role("button", name="Send my vote").click()
    slide.get_by_text("1 has voted").wait_for()
    press(page, "1 vote")
    press(page, "It leaves at seven.")
    request = urllib.request.Request(page.url.split("/voila")[0] + "/votes?step=forget", b"")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        wall.DIRECT.open(request, timeout=60)  # without the page's token
    assert re.search(r":(\d+)/", page.url)[1] not in Phone(where).ask()[1], "where the slides are is not told"
    page.mouse.move(300, 300)
    with page.expect_navigation():
        page.get_by_role("button", name="Start afresh").click()
    lab.await_slides(page)
    assert to(page, "own/tram").locator(".poll").count() == 0


def test_a_thousand_phones_at_once_are_all_counted_in_little_memory():
    def vote(number):
        phone = Phone(beside.where)
        return phone.ask()[0], phone.vote(number % 4)[0]

    with running() as beside, ThreadPoolExecutor(250) as phones:
        beside.ask("POST", step="open", question=QUESTION)
        assert set(phones.map(vote, range(1000))) == {(200, 200)}
        beside.ask("POST", step="close")
        assert shares(beside.ask(question=QUESTION)) == [[250]] * 4
        memory = int(re.search(r"VmHWM:\s+(\d+)", wall.Path(f"/proc/{beside.process.pid}/status").read_text())[1])
        assert memory < 150_000
