"""A reader's answers in one small file beside the notebooks, because a Binder session forgets.

The file is JSON: question name to the answer given, whether a right one was given, how many tries there were, under "wrong"
the wrong ones that came before it, and of a bet under "bets" the guesses in their order and whether it is "settled". Any
problem with the file or its folder is reported in words, and nothing that was not understood is overwritten: the file is
first kept under another name. What cannot be written is remembered as long as Python runs.

Whoever shows something that depends on answers calls `watch`: it is told of every change, whichever cell, tab or kernel
made it.
"""

import asyncio
import json
import math
import os
import re
import shutil
import threading
import weakref
from contextlib import suppress
from pathlib import Path

_lock = threading.Lock()
DAMAGED, OLD = ".damaged", ".old"
RENAMED = {  # question name of an earlier edition -> its name today
    "02/zoo-halves": "02/secret-animal",
    "04/order-clerks": "04/most-errors",
    "12/no-clumps": "12/class-or-function",
    "12/upside-down": "12/split-twenty",
}
SECONDS = 2  # after which the file is looked at again: another tab has a kernel of its own
_watchers, _unwritten, _seen = [], {}, {}


def path():
    """my-answers.json in the notebook's folder, or where BAYESLIB_ANSWERS points."""
    return Path(os.environ.get("BAYESLIB_ANSWERS", "my-answers.json"))


def read():
    """All answers so far; empty if there is no file, or it cannot be understood."""
    return look()[0]


def look():
    """All answers so far, and what is wrong with their file, in words; an empty text if nothing is."""
    answers, note = _look()
    return {**answers, **_unwritten.get(path(), {})}, note


def answered(name):
    """Whether a question has been answered; a bet, whether it has been settled."""
    entry = read().get(name, {})
    return entry.get("settled", bool(entry))


def task(name):
    """The name under which a practice task is remembered, such as "01/task-posterior"."""
    return name.replace("/", "/task-")


def watch(act):
    """Call `act()`, a method, after every change of the answers, as long as its object lives."""
    _watchers.append(weakref.WeakMethod(act))
    _seen.setdefault(path(), _stamp())
    _listen()


def _tell():
    _seen[path()] = _stamp()
    for watcher in [*_watchers]:
        if act := watcher():
            act()
        else:
            _watchers.remove(watcher)


def _listen(again=False):
    """Look every few seconds whether another kernel has written the file; only where an event loop runs."""
    if "loop" in _seen and not again:
        return
    with suppress(RuntimeError):
        _seen["loop"] = asyncio.get_running_loop().call_later(SECONDS, _look_again)


def _look_again():
    if _seen.get(path()) != _stamp():
        _tell()
    _listen(again=True)


def _stamp():
    with suppress(OSError):
        return path().stat().st_mtime_ns, path().stat().st_size


def _look():
    try:
        answers, invalid = parse(path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"Your earlier answers in {path().name} cannot be read ({error.strerror})."
    except ValueError:
        return (
            {},
            f"Your earlier answers cannot be read: {path().name} is damaged. It is kept, and new answers begin afresh.",
        )
    if invalid:
        return answers, f"In {path().name} {_left_out(invalid)}."
    return answers, ""


def parse(text):
    """The answers in a saved file's text, and the names of entries that are not answers; a ValueError if it is no such file."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"text must be a saved answers file (JSON), got something else: {error}") from None
    if not isinstance(entries, dict):
        raise ValueError("text must be a saved answers file: question names, each with answer, right and tries")
    sound = {name: entry for name, entry in entries.items() if _is_name(name) and _is_answer(entry)}
    renamed = {RENAMED[name]: entry for name, entry in sound.items() if name in RENAMED}
    return renamed | sound, [ascii(name)[1:-1] for name in entries if name not in sound]


def _is_name(name):
    return re.fullmatch(r"(\d\d|own)/[a-z0-9-]{1,60}", name) is not None


def _is_answer(entry):
    return (
        isinstance(entry, dict)
        and entry.keys() - {"wrong", "bets", "settled"} == {"answer", "right", "tries"}
        and _is_number(entry["answer"])
        and isinstance(entry["right"], bool)
        and type(entry["tries"]) is int
        and 0 < entry["tries"] < 1e9
        and all(isinstance(entry.get(key, []), list) for key in ("wrong", "bets"))
        and all(map(_is_number, [*entry.get("wrong", []), *entry.get("bets", [])]))
        and isinstance(entry.get("settled", False), bool)
    )


def _is_number(value):
    return (type(value) is int and abs(value) < 10**15) or (type(value) is float and math.isfinite(value))


def _left_out(names):
    shown = ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
    return (
        f"{len(names)} {'entry is' if len(names) == 1 else 'entries are'} not understood and left out ({shown[:200]})"
    )


def remember(name, answer, right):
    """Add one answer; once right, it stays right. Returns the entry, and any problem with the file, in words."""
    with _lock:
        answers, note = look()
        earlier = answers.get(name, {"tries": 0, "right": False})
        wrong = earlier.get("wrong", [])
        if earlier["right"]:
            entry = earlier | {"tries": earlier["tries"] + 1}
        else:
            entry = {"answer": answer, "right": right, "tries": earlier["tries"] + 1}
            if not right:
                wrong = [*wrong, *([] if answer in wrong else [answer])][-20:]
            if wrong:
                entry["wrong"] = wrong
        problem = _keep(answers, name, entry, note)
    _tell()
    return entry, problem


def bet(name, answer, right):
    """Add a guess to a bet: the first, and one that confirms or changes it. Returns as `remember` does."""
    bets = bets_of(read().get(name, {}))[:1]
    return _bet(name, {"answer": answer, "right": right, "tries": 1, "bets": [*bets, answer], "settled": False})


def settle(name):
    """Settle a bet that has been placed. Returns as `remember` does."""
    return _bet(name, {**read()[name], "settled": True})


def bets_of(entry):
    """The guesses of a bet, at most two; one that was answered as a prediction of the second edition has that answer."""
    return entry.get("bets", [entry["answer"]] if entry else [])


def _bet(name, entry):
    with _lock:
        answers, note = look()
        problem = _keep(answers, name, entry, note)
    _tell()
    return entry, problem


def _keep(answers, name, entry, note):
    problem = _write({**answers, name: entry}, keep=bool(note))
    if problem:
        _unwritten.setdefault(path(), {})[name] = entry
    else:
        _unwritten.pop(path(), None)
    return " ".join(filter(None, [note, problem]))


def restore(text):
    """Merge in the text of a saved file, whose answers replace those already here. Returns what was done, in words."""
    saved, invalid = parse(text)
    if invalid and not saved:
        raise ValueError(f"text must be a saved answers file, got one in which {_left_out(invalid)}")
    with _lock:
        answers, note = look()
        replaced = sum(name in answers and answers[name] != entry for name, entry in saved.items())
        if problem := _write({**answers, **saved}, keep=bool(note), old=bool(replaced)):
            raise ValueError(problem.rstrip("."))
    _tell()
    report = [f"{len(saved)} {'answer' if len(saved) == 1 else 'answers'} restored."]
    if replaced:
        report.append(
            f"{replaced} of them took the place of another; what was here before is in {_names(OLD)[-1].name}."
        )
    if invalid:
        report.append(f"Not everything was taken: in the saved file {_left_out(invalid)}.")
    return " ".join([*report, note]).strip()


def forget():
    """Set the file aside as my-answers.json.old. Returns what was done, in words."""
    with _lock:
        if not _unwritten.pop(path(), None) and not path().exists():
            return "Nothing to forget."
        try:
            done = f"Forgotten; the old answers are in {path().replace(_free(OLD)).name}."
        except FileNotFoundError:
            done = "Forgotten."
        except OSError as error:
            return f"Nothing was forgotten: {path().name} cannot be moved ({error.strerror})."
    _tell()
    return done


def set_aside():
    """The names of damaged files that were kept."""
    return [file.name for file in _names(DAMAGED)]


def _names(suffix):
    """The existing files of one kind, oldest first."""
    number = re.compile(re.escape(path().name + suffix) + r"(?:-(\d+))?")
    pairs = [(int(match[1] or 1), file) for file in path().parent.glob("*") if (match := number.fullmatch(file.name))]
    return [file for _, file in sorted(pairs)]


def _free(suffix):
    """A path at which there is no file yet."""
    number, free = 1, path().with_name(path().name + suffix)
    while free.exists():
        number += 1
        free = path().with_name(f"{path().name}{suffix}-{number}")
    return free


def _write(answers, keep=False, old=False):
    """Write all answers; the present file is first copied, as damaged (`keep`) or as `old`. Returns any problem, in words."""
    temporary = path().with_name(f"{path().name}.{os.getpid()}")
    try:
        temporary.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        for suffix in [DAMAGED] * keep + [OLD] * old:
            if path().exists():
                shutil.copyfile(path(), _free(suffix))
        temporary.replace(path())
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        return f"Your answers could not be written to {path().name} ({error.strerror})."
    return ""
