"""The line and the weather of exercise 13. Every id has its own line; the same id always has the same."""

import csv
import hashlib
import itertools
import random
from pathlib import Path

SYMBOLS = "_abcdefghijklmnopqrstuvwxyz"  # symbol 0 is the gap between words


def _rows(name):
    """The rows of a file beside this one, without its first line, which tells the source, and its header."""
    with open(Path(__file__).with_name(name), encoding="utf-8") as file:
        return list(csv.reader(file))[2:]


def line(student):
    """A line of a tale in which some symbols are illegible (None), and the tables of a machine with the states A and B."""
    seed = hashlib.sha256(f"13-hidden-markov-models {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    lines = [row[0] for row in _rows("duckling.csv")]
    text = lines[int(len(lines) * chance.random())]
    seen = [None if chance.random() < 0.35 else SYMBOLS.index(each) for each in text]
    seen[20:22] = [None, None]
    table = {symbol: (float(a), float(b)) for symbol, a, b in _rows("letters.csv")}
    return {
        "text": "".join("?" if each is None else SYMBOLS[each] for each in seen),
        "seen": seen,
        "start": [0.51, 0.49],
        "transition": [[0.277, 0.723], [0.741, 0.259]],
        "emission": [[table[symbol][state] for symbol in SYMBOLS] for state in (0, 1)],
    }


def paths():
    """All weathers of four days with no umbrella, umbrella, no umbrella, umbrella, and how probable each is then."""
    umbrella = {"R": 0.9, "D": 0.2}
    joint = {}
    for path in itertools.product("DR", repeat=4):
        joint[" ".join(path)] = 0.5
        for day, state in enumerate(path):
            night = 1 if day == 0 else 0.7 if state == path[day - 1] else 0.3
            joint[" ".join(path)] *= night * (umbrella[state] if day % 2 else 1 - umbrella[state])
    whole = sum(joint.values())
    bars = [f"{path}   {joint[path] / whole:.3f}  {'█' * round(200 * joint[path] / whole)}" for path in joint]
    return "\n".join(["day", "1 2 3 4", *bars])
