"""The harbour log, the two poets and the points of exercise 05. The log and the poets' split depend on the id."""

import csv
import hashlib
import random
import re
from pathlib import Path

import numpy as np

VALUES = {"Sky": ("clear", "grey"), "Air": ("warm", "cold"), "Wind": ("calm", "wild")}
WORDS = (
    "and the to of in with his or all from but i that for on not as a thou by now they then thy yet so what be when who"
)
VOCABULARY = (WORDS + " shall thee this it her where if my which how").split()  # forty small words


def _chance(student, what):
    seed = hashlib.sha256(f"05-naive-bayes {what} {student.strip().lower()}".encode()).digest()
    return random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version


def log(student):
    """Eighteen days with and without sailing, and today; None where the air was not recorded."""
    chance = _chance(student, "log")

    def column(name, of_eleven, of_seven):
        """So many of eleven yes days and of seven no days with the first value, shuffled."""
        one, other = VALUES[name]
        parts = ([one] * of_eleven + [other] * (11 - of_eleven), [one] * of_seven + [other] * (7 - of_seven))
        return [sorted(part, key=lambda value: chance.random()) for part in parts]

    sky = sum(column("Sky", 5 + int(4 * chance.random()), 1 + int(3 * chance.random())), [])
    wind = sum(column("Wind", 5 + int(4 * chance.random()), 1 + int(3 * chance.random())), [])
    yes, no = column("Air", 7 + int(2 * chance.random()), 2 + int(2 * chance.random()))
    for part, gaps in ((yes, 2), (no, 1)):
        for value in VALUES["Air"][:gaps]:
            part[part.index(value)] = None
    air = yes + no
    flag = ["hanging" if each == "calm" else "flying" for each in wind]
    order = sorted(range(18), key=lambda row: chance.random())
    rows = list(zip(sky, air, wind, flag))
    return {
        "columns": ["Sky", "Air", "Wind", "Flag"],
        "rows": [rows[row] for row in order],
        "labels": ["yes" if row < 11 else "no" for row in order],
        "today": ("clear", "warm", "wild", "flying") if chance.random() < 0.5 else ("grey", "warm", "calm", "hanging"),
    }


def poems(student):
    """The words of 180 passages of six lines: 120 to learn from, by poet, and 60 held out, each with its poet."""
    path = Path(__file__).with_name("poets.csv")
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    passages = [(row["author"], re.findall(r"[a-z]+(?:'[a-z]+)*", row["text"].lower())) for row in rows]
    chance = _chance(student, "poems")
    passages = [passages[place] for place in sorted(range(len(passages)), key=lambda place: chance.random())]
    known = {poet: [words for author, words in passages[60:] if author == poet] for poet in ("Shakespeare", "Milton")}
    return {**known, "held out": passages[:60], "vocabulary": VOCABULARY}


def points(number):
    """The points of the first, second or third figure: their x, their y, and 0 for a circle, 1 for a triangle."""
    chance = np.random.default_rng(42)
    along, across = chance.normal(0, 1.6, (2, 40)), chance.normal(0, 0.25, (2, 40))
    if number == 1:
        x, y = chance.normal([[-1.6], [1.6]], 0.75, (2, 40)), chance.normal([[-1.6], [1.6]], 0.75, (2, 40))
    elif number == 2:
        x, y = along + across, np.array([[1], [-1]]) * (along - across)
    else:
        centre = np.array([[-2], [2]])
        x, y = centre + along / 2 + across, centre + along / 2 - across
    return x.ravel(), y.ravel(), [0] * 40 + [1] * 40
