"""The passengers of exercise 11. Every id has its own 300 men and boys; the same id always has the same."""

import csv
import hashlib
import random
from pathlib import Path


def titanic(student):
    """The network, tables to start from, and the rows: third class (T), a boy under 14 (C, None without an age), survived (V)."""
    with open(Path(__file__).with_name("titanic_men.csv"), encoding="utf-8") as file:
        people = list(csv.DictReader(line for line in file if not line.startswith("#")))
    seed = hashlib.sha256(f"11-em-for-networks {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version

    def between(low, high):
        return (low + int((high - low + 1) * chance.random())) / 100

    tables = {
        "T": {(): between(40, 60)},
        "C": {(0,): between(10, 20), (1,): between(20, 35)},
        "V": {(0, 0): between(15, 25), (0, 1): between(60, 80), (1, 0): between(10, 20), (1, 1): between(40, 60)},
    }
    mine = sorted(range(len(people)), key=lambda row: chance.random())[:300]
    rows = [
        {
            "T": int(people[row]["Class"] == "3rd"),
            "C": int(float(people[row]["Age"]) < 14) if people[row]["Age"] else None,
            "V": int(people[row]["Survived"] == "yes"),
        }
        for row in mine
    ]
    return {"parents": {"T": [], "C": ["T"], "V": ["T", "C"]}, "tables": tables, "rows": rows}
