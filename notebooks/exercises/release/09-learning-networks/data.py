"""The students of exercise 09. Every id has its own; the same id always has the same."""

import hashlib
import random


def rows(student):
    """Twenty-odd students: S studies, A attends, K knows the subject; 1 is yes and 0 is no."""
    seed = hashlib.sha256(f"09-learning-networks {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    knows = {(1, 1): (5, 6), (1, 0): (3, 6), (0, 1): (2, 6), (0, 0): (1, 6)}
    found = []
    for (s, a), (low, many) in knows.items():
        total, hits = many + int(3 * chance.random()), low - int(2 * chance.random())
        found += [{"S": s, "A": a, "K": int(number < hits)} for number in range(total)]
    return sorted(found, key=lambda row: chance.random())
