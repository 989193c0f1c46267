"""The biopsies of exercise 16. Every id has its own split and its own questions; the same id always has the same."""

import csv
import hashlib
from pathlib import Path

import numpy as np

HELD_OUT = 190


def biopsies(student):
    """A committee of twenty questions, and what it says about the biopsies for training and about those held out."""
    seed = hashlib.sha256(f"16-bagging-and-boosting {student.strip().lower()}".encode()).digest()
    random = np.random.default_rng(list(seed))
    names, measures, y = _table()
    order = random.permutation(len(y))
    questions, answers = [], []
    for name, column in zip(names, measures.T):
        for threshold in np.quantile(column, [0.2, 0.4, 0.6, 0.8]):
            threshold = float(f"{threshold:.3g}")
            above = random.random() < 0.5
            questions.append(f"Is the {name} {'above' if above else 'at most'} {threshold:g}?")
            answers.append(np.where((column > threshold) == above, 1, -1))
    answers = np.array(answers)
    parts = {"train": order[HELD_OUT:], "held out": order[:HELD_OUT]}
    return {
        "questions": questions,
        "rounds": int(random.integers(10, 21)),
        **{part: {"answers": answers[:, rows].tolist(), "y": y[rows].tolist()} for part, rows in parts.items()},
    }


def _table():
    """The names of the measures, the measures, and +1 for malignant or −1 for benign."""
    with open(Path(__file__).with_name("biopsies.csv"), encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(line for line in file if not line.startswith("#"))
    y = np.array([1 if row[-1] == "malignant" else -1 for row in rows])
    return names[:-1], np.array([row[:-1] for row in rows], dtype=float), y
