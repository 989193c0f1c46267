"""The tales of exercise 12. Every id has its own test and its own labels; the same id always has the same."""

import csv
import hashlib
import random
from pathlib import Path


def tales(student):
    """Word counts of the pieces of eight tales, a few labels, which pieces are held out, the truth, and the weight λ."""
    with open(Path(__file__).with_name("tales.csv"), encoding="utf-8") as file:
        parts = list(csv.DictReader(line for line in file if not line.startswith("#")))
    seed = hashlib.sha256(f"12-unlabeled-text {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version

    author = [part["author"] for part in parts]
    out, labelled = set(), set()
    for name in ("Andersen", "Grimm"):
        names = sorted({part["tale"] for part in parts if part["author"] == name})
        tale = names[int(len(names) * chance.random())]
        out |= {place for place, part in enumerate(parts) if part["tale"] == tale}
        mine = [place for place, each in enumerate(author) if each == name and place not in out]
        labelled |= set(sorted(mine, key=lambda place: chance.random())[:10])
    bags = [part["words"].split() for part in parts]
    words = sorted({word for bag in bags for word in bag})
    return {
        "words": words,
        "counts": [[bag.count(word) for word in words] for bag in bags],
        "labels": [name if place in labelled else None for place, name in enumerate(author)],
        "held_out": [place in out for place in range(len(parts))],
        "author": author,
        "weight": (20 + int(31 * chance.random())) / 100,
    }
