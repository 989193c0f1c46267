"""A reader's answers in one small file beside the notebooks, because a Binder session forgets.

The file is JSON: question name to the answer given, whether it was right, and how many tries it took.
"""

import json
import os
import threading
from pathlib import Path

_lock = threading.Lock()


def path():
    """my-answers.json in the notebook's folder, or where BAYESLIB_ANSWERS points."""
    return Path(os.environ.get("BAYESLIB_ANSWERS", "my-answers.json"))


def read():
    """All answers so far; none if there is no file yet. A damaged file is set aside, never overwritten."""
    try:
        return parse(path().read_text(encoding="utf-8"))
    except ValueError:
        _set_aside(".json.damaged")
    except OSError:
        pass  # no file yet, or one that may not be read
    return {}


def parse(text):
    """The answers in a saved file's text; a ValueError says what is wrong with it."""
    try:
        answers = json.loads(text)
    except ValueError as error:
        raise ValueError(f"text must be a saved answers file (JSON), got something else: {error}") from None
    if not isinstance(answers, dict) or not all(
        isinstance(entry, dict) and entry.keys() == {"answer", "right", "tries"} for entry in answers.values()
    ):
        raise ValueError("text must be a saved answers file: question names, each with answer, right and tries")
    return answers


def remember(name, answer, right):
    """Add one answer. Returns the entry, and whether it could be written (a read-only folder is no reason to fail)."""
    with _lock:
        answers = read()
        tries = answers.get(name, {"tries": 0})["tries"] + 1
        answers[name] = {"answer": answer, "right": right, "tries": tries}
        return answers[name], _write(answers)


def restore(text):
    """Put back a saved file: its answers join those already here, and win where both have one. Returns all of them."""
    saved = parse(text)
    with _lock:
        answers = {**read(), **saved}
        _write(answers)
    return answers


def forget():
    """Set the file aside as my-answers.json.old; returns that name, or None if nothing was, or could be, forgotten."""
    with _lock:
        return _set_aside(".json.old")


def _set_aside(suffix):
    try:
        return path().replace(path().with_suffix(suffix)).name
    except OSError:
        return None


def _write(answers):
    try:
        fresh = path().with_suffix(f".json.{os.getpid()}")
        fresh.write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        fresh.replace(path())
    except OSError:
        return False
    return True
