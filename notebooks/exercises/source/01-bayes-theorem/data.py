"""The study and the town of exercise 01. Every id has its own; the same id always has the same."""

import zlib

import numpy as np


def study(student):
    """How many of the invited sick and healthy people tested positive and negative, and how many of 1000 are sick in town."""
    random = np.random.default_rng(zlib.crc32(student.strip().lower().encode()))
    sick, healthy = (100 * int(number) for number in random.integers([2, 4], [5, 9]))
    found = int(sick * random.integers(80, 99) / 100)
    flagged = int(healthy * random.integers(3, 16) / 100)
    return {
        "sick": {"+": found, "-": sick - found},
        "healthy": {"+": flagged, "-": healthy - flagged},
        "sick per 1000": int(random.integers(4, 41)),
    }
