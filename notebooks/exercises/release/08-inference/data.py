"""The house of exercise 08. Every id has its own; the same id always has the same."""

import hashlib
import random


def house(student):
    """Chances of a burglary and of an earthquake, and of the alarm by (burglary, earthquake)."""
    seed = hashlib.sha256(f"08-inference {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    return {
        "burglary": (2 + int(7 * chance.random())) / 100,
        "earthquake": (3 + int(8 * chance.random())) / 100,
        "alarm": {
            (True, True): (90 + int(9 * chance.random())) / 100,
            (True, False): (75 + int(15 * chance.random())) / 100,
            (False, True): (25 + int(20 * chance.random())) / 100,
            (False, False): (1 + int(3 * chance.random())) / 100,
        },
    }
