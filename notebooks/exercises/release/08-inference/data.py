"""The patients and the samplers of exercise 08. Every id has its own patient; the same id always has the same."""

import csv
import hashlib
import random
from itertools import product
from pathlib import Path

import numpy as np

PARENTS = {
    "Male": [],
    "Disease": ["Male"],
    "NoPain": ["Disease"],
    "Angina": ["Disease", "NoPain"],
    "ST": ["Disease", "Angina"],
    "Vessels": ["Disease"],
}


def patients():
    """297 patients of the Cleveland Clinic, each a dict from a variable to True or False."""
    with open(Path(__file__).parent / "heart.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [
        {
            "Male": row["sex"] == "male",
            "Disease": row["disease"] == "yes",
            "NoPain": row["pain"] == "none",
            "Angina": row["exercise_angina"] == "yes",
            "ST": float(row["st_depression"]) >= 1,
            "Vessels": float(row["vessels"]) > 0,
        }
        for row in rows
    ]


def patient(student):
    """The facts that are known of one patient, and a table for each variable, counted from 198 others.

    Each table has its parents and then the variable itself in "variables", and one was added to each count.
    """
    seed = hashlib.sha256(f"08-inference {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    rows = sorted(patients(), key=lambda row: chance.random())
    counted = rows[:198]
    # a patient whose facts are not all alike, so that it matters which of them are true
    mine = next(row for row in rows[198:] if len({row["Male"], row["NoPain"], row["ST"]}) == 2)
    return {
        "facts": {name: mine[name] for name in ("Male", "NoPain", "ST")},
        "tables": [_table(counted, name) for name in PARENTS],
    }


def _table(rows, name):
    names = [*PARENTS[name], name]
    table = {}
    for *above, state in product([True, False], repeat=len(names)):
        alike = [row[name] for row in rows if [row[parent] for parent in PARENTS[name]] == above]
        table[*above, state] = round((alike.count(state) + 1) / (len(alike) + 2), 4)
    return {"variables": names, "table": table}


def runs():
    """Three runs of a Gibbs sampler on X → Y, 3000 rounds each: the estimate of P(Y is true) after every round.

    X is true in 4 of 10 cases, and Y agrees with X in 997 of 1000.
    """
    return [_run(seed) for seed in SEEDS]


SEEDS = (5, 8, 11)


def _run(seed, rounds=3000, prior=0.4, agree=0.997):
    given = {True: prior * agree, False: prior * (1 - agree)}  # P(X is true and Y is so)
    total = {True: given[True] + (1 - prior) * (1 - agree), False: given[False] + (1 - prior) * agree}
    draws = np.random.default_rng(seed).random((rounds, 2))
    y, found = bool(seed % 2), []
    for first, second in draws:
        x = first < given[y] / total[y]
        y = bool(second < (agree if x else 1 - agree))
        found.append(y)
    return np.cumsum(found) / np.arange(1, rounds + 1)
