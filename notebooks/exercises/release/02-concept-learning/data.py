"""The animals of exercise 02. Every id has its own; the same id always has the same."""

import csv
import hashlib
import random
from pathlib import Path


def table():
    """The animals in zoo.csv, whose first line names the source, as a list of dicts."""
    with open(Path(__file__).with_name("zoo.csv"), encoding="utf-8") as file:
        next(file)
        return list(csv.DictReader(file))


def animals(student):
    """A class of animals, some columns with their values, labelled animals, one without a label, and the factor of a ?."""
    seed = hashlib.sha256(f"02-concept-learning {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    zoo = table()

    def shuffled(things):
        return sorted(things, key=lambda thing: chance.random())

    def fits(common, animal):
        return all(mine is None or mine == yours for mine, yours in zip(common, animal))

    while True:
        kind = shuffled(["mammal", "bird", "fish", "insect"])[0]
        columns = sorted(shuffled(list(zoo[0])[1:-1])[:6])
        rows = [
            (each["name"], tuple(each[column] for column in columns), each["type"] == kind) for each in shuffled(zoo)
        ]
        labelled = [row for row in rows if row[2]][:2] + [row for row in rows if not row[2]][:2]
        common = [one if one == two else None for one, two in zip(labelled[0][1], labelled[1][1])]
        others = [row[1] for row in labelled[2:]]
        if common.count(None) not in (1, 2, 3) or any(fits(common, animal) for animal in others):
            continue
        for name, animal, _ in rows[4:]:
            wider = [mine if mine == yours else None for mine, yours in zip(common, animal)]
            if not fits(common, animal) and wider.count(None) < 6 and not any(fits(wider, each) for each in others):
                return {
                    "class": kind,
                    "columns": columns,
                    "values": [sorted({each[column] for each in zoo}) for column in columns],
                    "examples": [(row, label) for _, row, label in labelled],
                    "names": [name for name, _, _ in labelled],
                    "asked": animal,
                    "asked name": name,
                    "factor": [0.4, 0.5, 0.6, 0.7, 0.8, 1.25, 1.5, 2.0, 2.5][int(9 * chance.random())],
                }
