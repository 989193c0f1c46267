"""The two sellers of exercise 06. Every id has its own; the same id always has the same."""

import hashlib
import random


def sellers(student):
    """How many buyers two sellers had, and how many of these were content."""
    seed = hashlib.sha256(f"06-estimating-probabilities {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    few, many = 3 + int(6 * chance.random()), 60 + int(90 * chance.random())
    angry = 5 + int(8 * chance.random())
    return {"A": {"content": few, "buyers": few}, "B": {"content": many - angry, "buyers": many}}
