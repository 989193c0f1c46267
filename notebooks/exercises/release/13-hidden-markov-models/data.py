"""The machine of exercise 13. Every id has its own; the same id always has the same."""

import hashlib
import random

STATES = ["good", "worn", "broken"]
SIGNS = ["quiet", "rattle", "smoke"]


def machine(student):
    """The tables of a machine (rows are states), the signs of 12 mornings and of a long year, and how far to look ahead."""
    seed = hashlib.sha256(f"13-hidden-markov-models {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version

    def between(low, high):
        return (low + int((high - low + 1) * chance.random())) / 100

    stay, wear, repair = between(75, 85), between(60, 70), between(8, 18)
    start = [0.7, 0.2, 0.1]
    transition = [
        [stay, round(0.95 - stay, 2), 0.05],
        [0.1, wear, round(0.9 - wear, 2)],
        [repair, 0.0, round(1 - repair, 2)],
    ]
    emission = [[0.8, 0.15, 0.05], [0.3, 0.6, 0.1], [0.1, 0.3, 0.6]]

    def one(shares):
        point = chance.random()
        return next((k for k in range(len(shares)) if point < sum(shares[: k + 1])), len(shares) - 1)

    def mornings(n):
        signs, state = [], one(start)
        for _ in range(n):
            signs.append(one(emission[state]))
            state = one(transition[state])
        return signs

    return {
        "states": STATES,
        "signs": SIGNS,
        "start": start,
        "transition": transition,
        "emission": emission,
        "mornings": [*mornings(9), 0, 1, 2],
        "days": 2 + int(3 * chance.random()),
        "year": mornings(800),
    }
