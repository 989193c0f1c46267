"""The harbour log of exercise 05. Every id has its own; the same id always has the same."""

import hashlib
import random

VALUES = {"Sky": ("clear", "grey"), "Air": ("warm", "cold"), "Wind": ("calm", "wild")}


def log(student):
    """Eighteen days with and without sailing, and today. The flag hangs when the wind is calm and flies when it is wild."""
    seed = hashlib.sha256(f"05-naive-bayes {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version

    def column(name, of_eleven, of_seven):
        """So many of eleven yes days and of seven no days with the first value, shuffled."""
        one, other = VALUES[name]
        parts = ([one] * of_eleven + [other] * (11 - of_eleven), [one] * of_seven + [other] * (7 - of_seven))
        return [each for part in parts for each in sorted(part, key=lambda value: chance.random())]

    sky = column("Sky", 5 + int(4 * chance.random()), 1 + int(3 * chance.random()))
    air = column("Air", 6 + int(3 * chance.random()), 2 + int(2 * chance.random()))
    wind = column("Wind", 5 + int(4 * chance.random()), 1 + int(3 * chance.random()))
    flag = ["hanging" if each == "calm" else "flying" for each in wind]
    order = sorted(range(18), key=lambda row: chance.random())
    rows = list(zip(sky, air, wind, flag))
    return {
        "columns": ["Sky", "Air", "Wind", "Flag"],
        "rows": [rows[row] for row in order],
        "labels": ["yes" if row < 11 else "no" for row in order],
        "today": ("clear", None, "wild", "flying") if chance.random() < 0.5 else ("grey", None, "calm", "hanging"),
    }
