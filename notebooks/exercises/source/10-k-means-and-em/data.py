"""The penguins of exercise 10. Every id has its own 200; the same id always has the same."""

import csv
import hashlib
import random
from pathlib import Path


def penguins(student):
    """Flipper lengths in mm and species of 200 of the 342 penguins, in two lists of the same order."""
    with open(Path(__file__).with_name("penguins.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    seed = hashlib.sha256(f"10-k-means-and-em {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    order = sorted(range(len(rows)), key=lambda row: chance.random())[:200]
    return {
        "flipper": [float(rows[row]["flipper_length_mm"]) for row in order],
        "species": [rows[row]["species"] for row in order],
    }
