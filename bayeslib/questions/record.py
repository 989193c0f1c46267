"""A reader's answers in one small file beside the notebooks, because a Binder session forgets.

The file is JSON: question name to the answer given, whether a right one was given, how many tries there were, and, under
"wrong", the wrong ones that came before it. Whatever is wrong with the file or its place is told in words, and nothing that was
not understood is overwritten: the file is kept under another name first.
"""

import json
import math
import os
import re
import shutil
import threading
from contextlib import suppress
from pathlib import Path

_lock = threading.Lock()
DAMAGED, OLD = ".damaged", ".old"


def path():
    """my-answers.json in the notebook's folder, or where BAYESLIB_ANSWERS points."""
    return Path(os.environ.get("BAYESLIB_ANSWERS", "my-answers.json"))


def read():
    """All answers so far; none if there is no file, or none that can be understood."""
    return look()[0]


def look():
    """All answers so far, and what is wrong with their file, in words; empty if nothing is."""
    try:
        answers, strange = parse(path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ""
    except OSError as error:
        return {}, f"Your earlier answers in {path().name} cannot be read ({error.strerror})."
    except ValueError:
        return (
            {},
            f"Your earlier answers cannot be read: {path().name} is damaged. It is kept, and new answers begin afresh.",
        )
    if strange:
        return answers, f"In {path().name} {_left_out(strange)}."
    return answers, ""


def parse(text):
    """The answers in a saved file's text, and the names of entries that are none; a ValueError says that it is no such file."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"text must be a saved answers file (JSON), got something else: {error}") from None
    if not isinstance(entries, dict):
        raise ValueError("text must be a saved answers file: question names, each with answer, right and tries")
    answers = {name: entry for name, entry in entries.items() if _is_name(name) and _is_answer(entry)}
    return answers, [ascii(name)[1:-1] for name in entries if name not in answers]


def _is_name(name):
    return re.fullmatch(r"\d\d/[a-z0-9-]{1,60}", name) is not None


def _is_answer(entry):
    return (
        isinstance(entry, dict)
        and entry.keys() - {"wrong"} == {"answer", "right", "tries"}
        and _is_number(entry["answer"])
        and isinstance(entry["right"], bool)
        and type(entry["tries"]) is int
        and 0 < entry["tries"] < 1e9
        and isinstance(wrong := entry.get("wrong", []), list)
        and all(map(_is_number, wrong))
    )


def _is_number(value):
    return (type(value) is int and abs(value) < 10**15) or (type(value) is float and math.isfinite(value))


def _left_out(names):
    shown = ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
    return (
        f"{len(names)} {'entry is' if len(names) == 1 else 'entries are'} not understood and left out ({shown[:200]})"
    )


def remember(name, answer, right):
    """Add one answer; right once stays right. Returns the entry, and what the reader should know of the file, in words."""
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
        return entry, " ".join(filter(None, [note, _write({**answers, name: entry}, keep=bool(note))]))


def restore(text):
    """Put back a saved file: its answers join those already here, and win where both have one. Returns what was done, in words."""
    saved, strange = parse(text)
    if strange and not saved:
        raise ValueError(f"text must be a saved answers file, got one in which {_left_out(strange)}")
    with _lock:
        answers, note = look()
        lost = sum(name in answers and answers[name] != entry for name, entry in saved.items())
        if trouble := _write({**answers, **saved}, keep=bool(note), old=bool(lost)):
            raise ValueError(trouble.rstrip("."))
    said = [f"{len(saved)} {'answer' if len(saved) == 1 else 'answers'} restored."]
    if lost:
        said.append(f"{lost} of them took the place of another; what was here before is in {_names(OLD)[-1].name}.")
    if strange:
        said.append(f"Not everything was taken: in the saved file {_left_out(strange)}.")
    return " ".join([*said, note]).strip()


def forget():
    """Set the file aside as my-answers.json.old; tells what was done, in words."""
    with _lock:
        if not path().exists():
            return "Nothing to forget."
        try:
            return f"Forgotten; the old answers are in {path().replace(_free(OLD)).name}."
        except OSError as error:
            return f"Nothing was forgotten: {path().name} cannot be moved ({error.strerror})."


def set_aside():
    """The names of damaged files that were kept."""
    return [each.name for each in _names(DAMAGED)]


def _names(suffix):
    """The files of one kind that are there, in the order of their making."""
    number = re.compile(re.escape(path().name + suffix) + r"(?:-(\d+))?")
    found = [(int(match[1] or 1), each) for each in path().parent.glob("*") if (match := number.fullmatch(each.name))]
    return [each for _, each in sorted(found)]


def _free(suffix):
    """A name that no file has yet."""
    number, free = 1, path().with_name(path().name + suffix)
    while free.exists():
        number += 1
        free = path().with_name(f"{path().name}{suffix}-{number}")
    return free


def _write(answers, keep=False, old=False):
    """Write all answers; `keep` the file that is there, because it was not wholly understood, or as an `old` one. Tells trouble."""
    fresh = path().with_name(f"{path().name}.{os.getpid()}")
    try:
        fresh.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        for suffix in [DAMAGED] * keep + [OLD] * old:
            if path().exists():
                shutil.copyfile(path(), _free(suffix))
        fresh.replace(path())
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        return f"Your answers could not be written to {path().name} ({error.strerror})."
    return ""
