"""The road of exercise 15. Every id has its own; the same id always has the same."""

import hashlib
import random


def road(student):
    """Heights in metres at places along two stretches of a road: one climbs evenly, one lies in a valley."""
    seed = hashlib.sha256(f"15-local-models {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    start, climb = 100 + int(200 * chance.random()), 3 + int(9 * chance.random()) / 2
    floor, bend = 150 + int(100 * chance.random()), 1 + int(7 * chance.random()) / 4
    places = list(range(11))
    return {
        "places": places,
        "climbing": [start + climb * place for place in places],
        "valley": [floor + bend * (place - 5) ** 2 for place in places],
        "h": 1.5 + int(6 * chance.random()) / 4,
    }
