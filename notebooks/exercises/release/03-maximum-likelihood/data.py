"""The bag of coins of exercise 03. Every id has its own; the same id always has the same."""

import hashlib
import random


def bag(student):
    """The coins in a bag, each with its chance of heads and its prior, and the tosses of the one that was drawn."""
    seed = hashlib.sha256(f"03-maximum-likelihood {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    coins = [0.2, 0.5, (14 + int(4 * chance.random())) / 20]
    rare, other = 5 + int(11 * chance.random()), 4 + int(9 * chance.random())
    heads, tails = 3 + int(3 * chance.random()), int(2 * chance.random())
    tosses = sorted("H" * heads + "T" * tails, key=lambda toss: chance.random())
    return {"chances": coins, "prior": [other / 100, (100 - rare - other) / 100, rare / 100], "tosses": "".join(tosses)}
