"""The batters, the sellers and the curves of exercise 06. Batters and sellers depend on the id."""

import csv
import hashlib
import random
from pathlib import Path

import numpy as np


def _chance(student, what):
    seed = hashlib.sha256(f"06-estimating-probabilities {what} {student.strip().lower()}".encode()).digest()
    return random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version


def batters(student):
    """Twelve of the eighteen batters of 1970, and how many hits each of them had in his first 45 tries."""
    with open(Path(__file__).with_name("batting.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    chance = _chance(student, "batters")
    return {row["player"]: int(row["hits_first"]) for row in sorted(rows, key=lambda row: chance.random())[:12]}


def sellers(student):
    """How many buyers two sellers had, and how many of these were happy."""
    chance = _chance(student, "sellers")
    few, many = 3 + int(6 * chance.random()), 60 + int(90 * chance.random())
    angry = 5 + int(8 * chance.random())
    return {"A": {"happy": few, "buyers": few}, "B": {"happy": many - angry, "buyers": many}}


def errors():
    """The true θ, and the mean squared error of three estimates from samples of five, with p = ½."""
    theta = np.linspace(0, 0.6, 121)
    names = {"the plain fraction": 0, "m = 2": 2, "m = 10": 10}
    curves = {name: (5 * theta * (1 - theta) + m**2 * (0.5 - theta) ** 2) / (5 + m) ** 2 for name, m in names.items()}
    return theta, curves
