"""The room's votes: counted once, hidden until closed, closed to strangers; with real pages, a crash and 500 phones."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from bayeslib.questions.question import OWN, Question, names
from bayeslib.sections import LESSONS
from tests import lab
from tools.lecture import lecturer_questions, report, votes, wall

QUESTION, OTHER, NUMBER = "01/first-positive", "01/which-helps", "01/second-positive"


@pytest.fixture
def room(tmp_path):
    return votes.Room(tmp_path)


@contextmanager
def running(**options):
    """The votes as a lecture starts them, without slides: their address, and `ask` with the lecturer's key."""
    with wall.Votes(options.pop("said", "127.0.0.1:0"), "01", **options) as beside:
        wall.wait_until_ready(beside)
        yield beside


def run(coroutine):
    """In a thread of its own: the browser's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


class Phone:
    """A browser without scripts: a cookie, pages, forms."""

    def __init__(self, where):
        self.where, self.cookie = where, ""

    def ask(self, path="", data=None, **headers):
        headers = {"Cookie": self.cookie, **headers}
        request = urllib.request.Request(self.where + path, data, headers)
        try:
            with wall.DIRECT.open(request, timeout=60) as answer:
                self.cookie = (answer.headers["Set-Cookie"] or self.cookie).split(";")[0]
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def vote(self, answer, ballot=f"{QUESTION}:1", **headers):
        return self.ask("vote", f"ballot={ballot}&answer={answer}".encode(), **headers)


# What is counted


def test_every_prediction_and_quiz_of_the_course_is_a_ballot(room):
    for lesson in LESSONS:
        for name in names(lesson.number) if lesson.number != "00" else []:
            room.do("open", name)
            page, question = votes.ballot_page(room, "d"), Question(name)
            assert len(page.encode()) < 6000
            if question.is_choice:
                assert page.count('<button name="answer"') == len(question.options)
            else:
                assert 'inputmode="decimal"' in page and page.count("<button>") == 1


def test_a_device_counts_once_and_may_change_its_mind(room):
    room.do("open", QUESTION)
    for answer in (0, 0, 3):
        room.do("vote", "one", answer)
    room.do("vote", "two", 1)
    assert room.wall()["voted"] == 2 and room.wall()["answers"][3]["votes"] == [], "not how, while it is open"
    room.do("close")
    told = room.wall()
    assert [answer["votes"] for answer in told["answers"]] == [[0], [1], [0], [1]]
    assert told["right"] == [1] and told["votes"] == [2]


def test_two_rounds_stand_side_by_side_with_who_moved(room):
    room.do("open", QUESTION)
    for device, answer in {"a": 0, "b": 0, "c": 3, "d": 1}.items():
        room.do("vote", device, answer)
    room.do("close")
    room.do("again", QUESTION)
    for device, answer in {"a": 3, "b": 0, "c": 1, "e": 3}.items():
        room.do("vote", device, answer)
    assert room.wall()["votes"] == [4]
    room.do("close")
    told = room.wall()
    assert [answer["votes"] for answer in told["answers"]] == [[2, 1], [1, 1], [0, 0], [1, 2]]
    assert told["moved"] == {"to_right": 1, "to_wrong": 1, "both": 3} and told["right"] == [1, 2]
    assert told["beliefs"] == [
        {"tag": "inverse", "votes": 1, "title": told["beliefs"][0]["title"], "text": told["beliefs"][0]["text"]}
    ]
    room.do("again", QUESTION)
    assert room.wall()["round"] == votes.ROUNDS
    assert not re.search(r'"(a|b|c|d|e)"', json.dumps(room.tallies())), "no device in what is kept"


def test_numbers_go_into_round_ranges_that_hold_every_vote(room):
    room.do("open", NUMBER)
    for device, answer in enumerate([89.6, 90, 0, 100, 20.9, 41.7, 55]):
        room.do("vote", str(device), answer)
    room.do("close")
    told = room.wall()
    assert [answer["text"] for answer in told["answers"]] == [f"{10 * at} to {10 * at + 10}" for at in range(10)]
    assert [answer["votes"][0] for answer in told["answers"]] == [1, 0, 1, 0, 1, 1, 0, 0, 1, 2]
    assert [answer["right"] for answer in told["answers"]].index(True) == 8 and told["right"] == [2]


@pytest.mark.parametrize("lesson", [lesson.number for lesson in LESSONS if lesson.number != "00"])
def test_ranges_hold_whatever_is_voted_and_the_truth(lesson, room):
    for name in names(lesson):
        question = Question(name)
        if question.is_choice:
            continue
        for values in ([], [question.answer], [question.answer, 3 * question.answer + 1], [-1e9, 0, 1e-9, 1e12]):
            rows = votes.tally(question, [dict(enumerate(values))])["answers"]
            assert sum(row["votes"][0] for row in rows) == len(values) and sum(row["right"] for row in rows) == 1
            assert len(rows) <= 40


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1e999", "1e20", "0.2", "-5", "101", "1" * 50, "１２"])
def test_a_number_that_cannot_be_meant_is_told_in_words(text):
    answer, problem = votes.read_answer(Question(NUMBER), text)
    assert (answer is None and problem.endswith((".", "?"))) or (text == "１２" and answer == 12)


def test_a_comma_a_percent_sign_and_a_true_minus_are_understood():
    assert votes.read_answer(Question(NUMBER), " 89,6 % ")[0] == 89.6
    assert votes.read_answer(Question(QUESTION), "3") == (3, None)
    assert votes.read_answer(Question(QUESTION), "4")[1] and votes.read_answer(Question(QUESTION), "-1")[1]


# What strangers can do


@pytest.fixture(scope="module")
def beside():
    with running() as each:
        yield each


@pytest.fixture
def phone(beside):
    beside.ask("POST", step="forget")
    beside.ask("POST", step="open", question=QUESTION)
    phone = Phone(beside.where)
    phone.ask()
    return phone


def test_a_phone_without_scripts_votes_and_sees_that_it_counted(phone, beside):
    status, page = phone.vote(0)
    assert status == 200 and 'aria-pressed="true">A about 98%' in page and "Your vote is counted" in page
    assert len(page) < 6000 and "src=" not in page
    phone.vote(0)
    assert beside.ask()["voted"] == 1


def test_tallies_and_controls_need_the_lecturers_key(phone, beside):
    for path, data in {"room": None, "room?step=close": b"", "room?all=1": None}.items():
        for key in ({}, {"Authorization": "Key "}, {"Authorization": "Key x"}):
            assert phone.ask(path, data, **key)[0] == 403
    assert beside.ask()["open"]


@pytest.mark.parametrize("path", ["api/kernels", "voila/render/x", "../etc/passwd", "room/", "journal", "key"])
def test_nothing_else_is_there(phone, path):
    assert phone.ask(path)[0] == 404


def test_forged_cookies_foreign_pages_and_late_votes_do_not_count(phone, beside):
    assert Phone(beside.where).vote(0)[0] == 403
    forged = Phone(beside.where)
    forged.cookie = f"device={'a' * 32}.{'b' * 32}"
    assert forged.vote(0)[0] == 403
    assert phone.vote(0, Origin="http://elsewhere.example")[0] == 403
    assert phone.ask(Host="elsewhere.example")[0] == 403
    phone.vote(0, ballot=f"{OTHER}:1")
    assert phone.vote(9)[0] == 422 and phone.ask("vote", b"answer=0" + b"x" * 4000)[0] in (400, 413)
    assert beside.ask()["voted"] == 0
    phone.vote(0)
    beside.ask("POST", step="close")
    assert "closed" in phone.vote(3)[1]
    assert [answer["votes"] for answer in beside.ask(question=QUESTION)["answers"]] == [[1], [0], [0], [0]]


def test_made_up_devices_are_bounded_and_the_room_goes_on(phone, room, monkeypatch):
    monkeypatch.setattr(votes, "MOST_FROM_ONE", 5)
    room.do("open", QUESTION)
    for number in range(20):
        if not room.is_full(f"forged-{number}", "10.0.0.1"):
            room.homes["10.0.0.1"].add(f"forged-{number}")
            room.do("vote", f"forged-{number}", 0)
    assert room.wall()["voted"] == 5
    assert not room.is_full("honest", "10.0.0.2") and not room.is_full("forged-1", "10.0.0.1")


def test_a_flood_from_one_address_is_cut_off_and_others_are_served(monkeypatch):
    monkeypatch.setattr(votes, "REQUESTS", 10)
    buckets = votes.Buckets()
    assert sum(buckets.allows("10.0.0.1") for _ in range(1000)) < 30
    assert all(buckets.allows(f"10.0.1.{number}") for number in range(200))


def test_what_a_ballot_says_is_never_markup(room, tmp_path, monkeypatch):
    path = tmp_path / "own.toml"
    path.write_text(
        '[x]\nprompt = "<b>P</b>"\noptions = [{text = "<script>1</script>", correct = true}, {text = "\\"&"}]'
    )
    monkeypatch.setenv(OWN, str(path))
    from bayeslib.questions import question

    question._read.cache_clear()
    room.do("open", "own/x")
    page = votes.ballot_page(room, "d", "<i>", "")
    assert "<b>" not in page and "<script>1" not in page and "<i>" not in page
    question._read.cache_clear()


# Crashes, and what is left


def test_a_killed_process_comes_back_with_its_votes_at_the_same_address():
    with running() as beside:
        beside.ask("POST", step="open", question=QUESTION)
        phone = Phone(beside.where)
        phone.ask()
        phone.vote(0)
        beside.process.send_signal(signal.SIGKILL)
        beside.process.wait()
        with (wall.Path(beside.folder.name) / "journal").open("a") as journal:
            journal.write('["vote", "half a li')  # the line that it was writing
        beside._start()
        wall.wait_until_ready(beside)
        assert beside.ask()["voted"] == 1 and beside.ask()["open"]
        assert "Your vote is counted" in phone.ask()[1], "the cookie still holds"
        folder = wall.Path(beside.folder.name)
        assert folder.stat().st_mode & 0o77 == 0
    assert not folder.exists()


def test_the_lecture_starts_killed_votes_again():
    with running() as beside:
        before = beside.process

        async def killed():
            beside.watch()
            before.kill()
            while beside.process is before:
                await asyncio.sleep(0.05)

        run(asyncio.wait_for(killed(), 120))
        wall.wait_until_ready(beside)
        assert beside.ask()["round"] == 0


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
    monkeypatch.setattr(wall, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(report, "KEPT", tmp_path / "kept")
    for keep in (False, True):
        with running(keep=keep) as beside:
            beside.ask("POST", step="open", question=QUESTION)
            phone = Phone(beside.where)
            phone.ask()
            phone.vote(0)
            beside.ask("POST", step="close")
        assert len([*(tmp_path / "kept").glob("*.json")]) == keep
    report.main()
    said, page = capsys.readouterr().out, (tmp_path / "kept/votes.html").read_text()
    assert "01/first-positive" in said and "1  A about 98%" in said and "Right: 0 of 1." in said
    assert (tmp_path / "kept/votes.csv").read_text().count("\n") == 5 and "about 98%" in page
    device = re.search(r"device=(\w{32})", phone.cookie)[1]
    assert not any(device in path.read_text() for path in (tmp_path / "kept").iterdir())


def test_a_rehearsal_votes_by_itself_and_says_so(room, monkeypatch):
    monkeypatch.setattr(votes.random, "uniform", lambda low, high: 0)
    room.rehearse = True
    for name in (QUESTION, NUMBER):
        room.do("open", name)
        run(votes.rehearse(room, room.ballot))
        assert room.wall()["voted"] == votes.REHEARSED and "made-up phones vote evenly" in room.wall()["rehearsal"]


# A lecturer's own question


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
def test_a_question_file_that_cannot_be_used_is_told(text, said, tmp_path, monkeypatch):
    from bayeslib.questions import question

    path = tmp_path / "own.toml"
    path.write_text(text)
    monkeypatch.setenv(OWN, "")
    question._read.cache_clear()
    with pytest.raises(SystemExit, match=said):
        lecturer_questions.read(str(path))
    question._read.cache_clear()


# Real pages


OWN_QUESTION = """
[tram]
prompt = "Which comes first?"
after = "01/first-positive"
options = [{ text = "the tram" }, { text = "the bus", correct = true, feedback = "It leaves at seven." }]
"""


@pytest.fixture(scope="module")
def lecture(tmp_path_factory, chromium):
    """Slides with votes and an own question, the wall, a phone and a phone without scripts."""
    folder = tmp_path_factory.mktemp("votes")
    (folder / "own.toml").write_text(OWN_QUESTION)
    with lab.slides("01", folder, "--votes=127.0.0.1:0", f"--own={folder / 'own.toml'}") as address:
        page = lab.open_slides(chromium, address)
        where = re.search(r"votes at (\S+)", (folder / "server.log").read_text())[1]
        small = {"viewport": {"width": 390, "height": 700}}
        phones = [chromium.new_context(**small), chromium.new_context(**small, java_script_enabled=False)]
        yield SimpleNamespace(page=page, where=where, phones=[each.new_page() for each in phones])
        for each in phones:
            each.close()
        assert page.errors == []
        page.close()


def to(page, question):
    page.evaluate(
        """(name) => {
            const sections = [...document.querySelectorAll("#slides section")];
            location.hash = sections.findIndex((each) => each.querySelector(`[data-question="${name}"]`)) + 1;
        }""",
        question,
    )
    page.locator(f'section.current [data-question="{question}"] .votes').wait_for()
    return page.locator("section.current")


def press(page, expected):
    """One press of the clicker; then the slide says this."""
    page.keyboard.press("PageDown")
    page.locator("section.current").get_by_text(expected).locator("visible=true").first.wait_for()


@pytest.mark.smoke
@pytest.mark.heavy
def test_question_vote_discussion_second_vote_figure_and_answer_by_a_clicker(lecture):
    page, (phone, plain) = lecture.page, lecture.phones
    slide = to(page, QUESTION)
    for each in lecture.phones:
        each.goto(lecture.where)
        assert "No question is open yet" in each.inner_text("main")
    press(page, "0 have voted")
    assert slide.locator(".votes img").get_attribute("src").startswith("data:image/svg+xml")
    phone.get_by_role("button", name="A about 98%").click()  # it noticed by itself
    plain.get_by_role("link", name="Look again").click()
    plain.get_by_role("button", name="D about 20%").click()
    assert "Your vote is counted" in plain.inner_text("main")
    slide.get_by_text("2 have voted").wait_for()
    assert slide.locator(".share").count() == 0, "not how, while it is open"
    press(page, "Discuss and vote again (A)")
    assert slide.locator(".share").all_inner_texts() == ["1", "0", "0", "1"] and slide.locator(".right").count() == 0
    press(page, "Second vote: 0 have voted")
    phone.get_by_text("Second vote: talk to your neighbour first.").wait_for()
    phone.get_by_role("button", name="D about 20%").click()
    plain.get_by_role("link", name="Look").click()
    plain.get_by_role("button", name="D about 20%").click()
    slide.get_by_text("Second vote: 2 have voted").wait_for()
    page.keyboard.press("PageDown")
    slide.locator(".share").nth(7).wait_for()
    assert slide.locator(".share").all_inner_texts() == ["1", "0", "0", "0", "0", "0", "1", "2"]
    page.keyboard.press("PageDown")
    slide.locator(lab.IMAGE).wait_for()
    assert slide.locator(".summary").inner_text() == "The room: A 1, D 1 · second vote: D 2"
    page.keyboard.press("PageDown")
    slide.get_by_text("1 moved from wrong to right").wait_for()
    assert "D ✓ 2" in slide.locator(".summary").inner_text()
    before = page.evaluate("location.hash")
    page.keyboard.press("PageDown")
    assert page.evaluate("location.hash") != before


@pytest.mark.heavy
def test_the_notes_name_what_wrong_votes_point_to(lecture):
    page, (phone, _) = lecture.page, lecture.phones
    slide = to(page, NUMBER)
    press(page, "have voted")
    phone.goto(lecture.where)
    phone.get_by_label("Your number in percent").fill("150")
    phone.get_by_role("button", name="Vote").click()
    phone.get_by_text("A percentage lies between 0 and 100.").wait_for()
    phone.get_by_label("Your number in percent").fill("98")
    phone.get_by_role("button", name="Vote").click()
    slide.get_by_text("1 has voted").wait_for()
    page.keyboard.press("PageDown")
    slide.locator(".histogram").wait_for()
    assert slide.locator(".histogram .share").all_inner_texts() == ["0"] * 9 + ["1"]
    page.keyboard.press("n")
    page.wait_for_timeout(600)
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert "right 0 of 1" in page.locator("#notes").inner_text() and "1: " in page.locator("#notes").inner_text()
    page.keyboard.press("n")
    fits = page.evaluate("(e) => (e = document.querySelector('section.current')).scrollHeight <= e.clientHeight + 1")
    assert fits


@pytest.mark.heavy
def test_an_own_question_has_its_slide_and_its_vote(lecture):
    page, (phone, _) = lecture.page, lecture.phones
    slide = to(page, "own/tram")
    press(page, "0 have voted")
    phone.goto(lecture.where)
    phone.get_by_role("button", name="B the bus").click()
    slide.get_by_text("1 has voted").wait_for()
    press(page, "Votes: first vote 1")
    press(page, "It leaves at seven.")
    assert slide.locator(".right").count() == 1


@pytest.mark.heavy
def test_a_new_group_sees_nothing_of_the_old_one(lecture):
    page = lecture.page
    slide = to(page, QUESTION)
    with page.expect_navigation():
        page.get_by_role("button", name="Forget the guesses").click()
    lab.await_slides(page)
    slide = to(page, QUESTION)
    slide.get_by_role("button", name="Open the vote (V)").wait_for()
    assert slide.locator(".share").count() == 0


@pytest.mark.heavy
def test_nothing_of_voila_is_reached_through_the_votes(lecture):
    port = int(re.search(r":(\d+)/", lecture.page.url)[1])
    assert str(port) not in Phone(lecture.where).ask()[1]
    assert Phone(lecture.where).ask("api/kernels")[0] == 404
    request = urllib.request.Request(lecture.page.url.split("/voila")[0] + "/votes?step=open&question=" + QUESTION, b"")
    with pytest.raises(urllib.error.HTTPError, match="403"):
        wall.DIRECT.open(request, timeout=60)  # without the page's token


def crowd(where, spread=0.0):
    """500 phones that vote within `spread` seconds, each by a page and a form; returns how long each answer took."""
    host, port = re.search(r"//([\d.]+):(\d+)", where).groups()
    delays = []

    async def ask(head, body=""):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"{head} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n{body}".encode())
        begin = time.perf_counter()
        answer = (await reader.read()).decode()
        delays.append(time.perf_counter() - begin)
        writer.close()
        return answer

    async def phone(number):
        await asyncio.sleep(number / 500 * spread)
        cookie = re.search(r"device=[^;]*", await ask("GET /", "\r\n"))[0]
        body = f"ballot={QUESTION}:1&answer={number % 4}"
        form = f"Cookie: {cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        assert " 303 " in (await ask("POST /vote", form)).split("\r\n")[0]

    async def phones():
        await asyncio.gather(*map(phone, range(500)))

    run(phones())
    return delays


def test_five_hundred_phones_at_once_are_all_counted_in_little_memory():
    with running() as beside:
        beside.ask("POST", step="open", question=QUESTION)
        assert len(crowd(beside.where)) == 1000
        beside.ask("POST", step="close")
        told = beside.ask(question=QUESTION)
        assert [answer["votes"] for answer in told["answers"]] == [[125]] * 4
        memory = int(re.search(r"VmHWM:\s+(\d+)", wall.Path(f"/proc/{beside.process.pid}/status").read_text())[1])
        assert memory < 150_000
