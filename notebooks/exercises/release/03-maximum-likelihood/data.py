"""The families of exercise 03. Every id has its own; the same id always has the same."""

import csv
import hashlib
import random
from pathlib import Path


def table():
    """The rows of heights.csv, whose first line names the source: family, height of the mid-parent, height of a child."""
    with open(Path(__file__).with_name("heights.csv"), encoding="utf-8") as file:
        next(file)
        return [(row["family"], float(row["midparent"]), float(row["height"])) for row in csv.DictReader(file)]


def families(student):
    """60 of Galton's families: for each grown child the height of the mid-parent and its own, in inches."""
    seed = hashlib.sha256(f"03-maximum-likelihood {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    rows = table()
    chosen = set(sorted(dict.fromkeys(family for family, _, _ in rows), key=lambda family: chance.random())[:60])
    mine = [(parents, child) for family, parents, child in rows if family in chosen]
    return {"parents": [parents for parents, _ in mine], "children": [child for _, child in mine]}
