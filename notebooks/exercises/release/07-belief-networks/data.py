"""The alarm of exercise 07. Every id has its own; the same id always has the same."""

import hashlib
import random


def alarm(student):
    """Three of the four chances that the alarm rings, by (smoke, steam)."""
    seed = hashlib.sha256(f"07-belief-networks {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    return {
        (True, False): (42 + int(11 * chance.random())) / 100,
        (False, True): (42 + int(11 * chance.random())) / 100,
        (False, False): (30 + int(9 * chance.random())) / 100,
    }
