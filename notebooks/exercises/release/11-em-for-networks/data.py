"""The nights of exercise 11. Every id has its own; the same id always has the same."""

import hashlib
import random

PARENTS = {"B": [], "E": [], "A": ["B", "E"]}


def nights(student):
    """The net of burglar, earthquake and alarm, tables to start from, and the log of the nights, with holes (None)."""
    seed = hashlib.sha256(f"11-em-for-networks {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version

    def between(low, high):
        return low + int((high - low + 1) * chance.random())

    log = {
        (0, 0, 0): between(8, 12),
        (0, 0, 1): between(1, 2),
        (0, 1, 0): between(1, 2),
        (0, 1, 1): between(1, 2),
        (1, 0, 0): between(1, 2),
        (1, 0, 1): between(2, 4),
        (None, 0, 1): between(2, 4),
        (None, None, 1): between(1, 3),
        (1, 0, None): between(1, 2),
    }
    rows = [dict(zip("BEA", values)) for values, times in log.items() for _ in range(times)]
    tables = {
        "B": {(): between(15, 30) / 100},
        "E": {(): between(10, 20) / 100},
        "A": {(0, 0): 0.1, (0, 1): between(40, 60) / 100, (1, 0): between(60, 80) / 100, (1, 1): 0.9},
    }
    return {"parents": PARENTS, "tables": tables, "rows": sorted(rows, key=lambda row: chance.random())}
