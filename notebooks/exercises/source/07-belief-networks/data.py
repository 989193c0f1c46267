"""The alarm and the applicants of exercise 07. Every id has its own; the same id always has the same."""

import csv
import hashlib
import random
from itertools import product
from pathlib import Path


def _chance(student):
    seed = hashlib.sha256(f"07-belief-networks {student.strip().lower()}".encode()).digest()
    return random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version


def alarm(student):
    """Three of the four chances that the alarm rings, by (smoke, steam)."""
    chance = _chance(student)
    return {
        (True, False): (42 + int(11 * chance.random())) / 100,
        (False, True): (42 + int(11 * chance.random())) / 100,
        (False, False): (30 + int(9 * chance.random())) / 100,
    }


def applicants(student):
    """Berkeley, autumn 1973: (gender, department, outcome) to the number of applicants, in A and two to four of five others."""
    with open(Path(__file__).parent / "berkeley.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    chance = _chance(f"{student.strip()} applies")
    others = sorted("BCDEF", key=lambda name: chance.random())
    kept = sorted(["A", *others[: 2 + int(3 * chance.random())]])
    return {
        (row["Gender"], row["Dept"], row["Admit"]): int(row["people"])
        for name in kept
        for row in rows
        if row["Dept"] == name
    }


def odd_order():
    """The burglary net, built again in another order: variable to parents, tables in which no number counts, and places."""
    parents = {
        "Earthquake": [],
        "MaryCalls": ["Earthquake"],
        "Alarm": ["Earthquake", "MaryCalls"],
        "JohnCalls": ["Alarm"],
        "Burglary": ["Earthquake", "Alarm"],
    }
    places = [(0.45, 0.9), (0.15, 0.5), (0.45, 0.15), (0.83, 0.12), (0.83, 0.62)]
    tables = {name: dict.fromkeys(product([True, False], repeat=len(above)), 0.5) for name, above in parents.items()}
    tables |= {"Earthquake": 0.5, "MaryCalls": {True: 0.5, False: 0.5}, "JohnCalls": {True: 0.5, False: 0.5}}
    return parents, tables, dict(zip(parents, places))
