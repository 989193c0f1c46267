"""The published tests of exercise 01, and a group of people for each id; the same id always has the same."""

import csv
import hashlib
import random
from pathlib import Path


def published():
    """The tests in tests.csv, whose first line names the sources."""
    with open(Path(__file__).with_name("tests.csv"), encoding="utf-8") as file:
        next(file)
        return list(csv.DictReader(file))


def study(student):
    """How many sick and healthy people of a published study were flagged (+) and not (-), and how many are sick elsewhere."""
    seed = hashlib.sha256(f"01-bayes-theorem {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    tests = published()
    test = tests[int(len(tests) * chance.random())]
    people, sick = int(test["people"]), int(test["sick"])
    found = round(sick * float(test["found_percent"]) / 100)
    flagged = round((people - sick) * float(test["flagged_percent"]) / 100)
    return {
        "sick": {"+": found, "-": sick - found},
        "healthy": {"+": flagged, "-": people - sick - flagged},
        "test": test["test"],
        "sick per 100,000": round(100_000 * sick / people * (2 + 6 * chance.random())),
    }
