"""The days of exercise 02. Every id has its own; the same id always has the same."""

import hashlib
import random

VALUES = {
    "Sky": ["Sunny", "Cloudy", "Rainy"],
    "AirTemp": ["Warm", "Cold"],
    "Humidity": ["Normal", "High"],
    "Wind": ["Strong", "Weak"],
    "Water": ["Warm", "Cool"],
    "Forecast": ["Same", "Change"],
}


def days(student):
    """Three labelled days, a day without a label, and the factor by which each ? changes the prior of a rule."""
    seed = hashlib.sha256(f"02-concept-learning {student.strip().lower()}".encode()).digest()
    chance = random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version
    places = sorted(range(6), key=lambda place: chance.random())
    shape = [
        ("abcd", "ab", "a"),
        ("abcd", "ab", "ac"),
        ("abcd", "abc", "ab"),
        ("abcd", "abc", "ad"),
        ("abc", "ab", "a"),
    ]
    same, against, asked = shape[int(5 * chance.random())]
    first = [values[int(len(values) * chance.random())] for values in VALUES.values()]

    def changed(*others):
        day = list(first)
        for place in others:
            options = list(VALUES.values())[place]
            day[place] = options[(options.index(day[place]) + 1) % len(options)]
        return tuple(day)

    letters = dict(zip("abcdef", places))
    labelled = [
        (tuple(first), True),
        (changed(*(letters[each] for each in "abcdef" if each not in same)), True),
        (changed(*(letters[each] for each in against)), False),
    ]
    return {
        "examples": labelled,
        "today": changed(*(letters[each] for each in asked)),
        "factor": [0.4, 0.5, 0.6, 0.7, 0.8, 1.25, 1.5, 2.0, 2.5][int(9 * chance.random())],
    }
