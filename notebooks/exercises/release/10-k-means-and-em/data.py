"""The two machines of exercise 10. Every id has its own; the same id always has the same."""

import hashlib
import random


def bags(student):
    """Which share of the bags each machine fills, its mean and its σ in grams, and the weight of one bag."""
    seed = hashlib.sha256(f"10-k-means-and-em {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    first = 20 + int(20 * chance.random())
    mean = 498 + int(5 * chance.random())
    sigmas = 2 + int(3 * chance.random()) / 2, 6 + int(5 * chance.random()) / 2
    return {
        "weights": [first / 100, (100 - first) / 100],
        "means": [mean, mean + 8 + int(5 * chance.random())],
        "sigmas": list(sigmas),
        "bag": mean + 3 + int(3 * chance.random()),
    }
