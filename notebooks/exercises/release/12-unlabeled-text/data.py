"""The postcards of exercise 12. Every id has its own; the same id always has the same."""

import hashlib
import random

WORDS = ["wave", "boat", "peak", "snow"]


def postcards(student):
    """How often each of four words stands on each postcard, the labels (None: not known), and the weight λ."""
    seed = hashlib.sha256(f"12-unlabeled-text {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version

    more = 1 + int(3 * chance.random())
    cards = [
        ([2, more, 0, 0], "sea"),
        ([0, 0, 2, 1], "mountain"),
        ([1, 0, 1, 2], "mountain"),
        ([1, 1, 0, 0], None),
        ([2, 1, 1, int(2 * chance.random())], None),
        ([1, 2 + int(2 * chance.random()), 0, 1], None),
        ([2, 1, 0, 0], None),
        ([1, 1, 0, 2], None),
    ]
    rows, labels = zip(*cards)
    order = sorted(range(len(rows)), key=lambda row: chance.random())
    weight = (10 + int(25 * chance.random())) / 100
    return {"words": WORDS, "counts": [rows[i] for i in order], "labels": [labels[i] for i in order], "weight": weight}
