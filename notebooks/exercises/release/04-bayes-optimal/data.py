"""The jury of exercise 04. Every id has its own; the same id always has the same."""

import hashlib
import random


def jury(student):
    """Four hypotheses: their posteriors, and how strongly each says + about a new case."""
    seed = hashlib.sha256(f"04-bayes-optimal {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    second, third = 20 + int(5 * chance.random()), 15 + int(5 * chance.random())
    fourth = 10 + int(5 * chance.random())
    return {
        "posterior": {
            "h1": (100 - second - third - fourth) / 100,
            "h2": second / 100,
            "h3": third / 100,
            "h4": fourth / 100,
        },
        "plus": {
            "h1": (90 + int(9 * chance.random())) / 100,
            "h2": (35 + int(15 * chance.random())) / 100,
            "h3": (15 + int(20 * chance.random())) / 100,
            "h4": (80 + int(19 * chance.random())) / 100,
        },
    }
