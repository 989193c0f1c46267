"""The mushroom ground of exercise 14. Every id has its own; the same id always has the same."""

import hashlib
import random


def ground(student):
    """How probable each of three kinds is at one spot of the wood."""
    seed = hashlib.sha256(f"14-nearest-neighbours {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    first = 44 + int(18 * chance.random())
    second = 22 + int(9 * chance.random())
    return {"bolete": first / 100, "russula": second / 100, "parasol": (100 - first - second) / 100}
