"""The bags of exercise 16. Every id has its own; the same id always has the same."""

import hashlib
import random


def bags(student):
    """How many rows the data have, how many each bag draws with replacement, and how many bags there are."""
    seed = hashlib.sha256(f"16-bagging-and-boosting {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    rows = 30 + int(31 * chance.random())
    drawn = int(rows * (0.4 + 0.2 * chance.random()))
    return {"rows": rows, "drawn": drawn, "bags": 9 + 2 * int(5 * chance.random())}
