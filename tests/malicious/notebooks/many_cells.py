"""Forty thousand empty cells."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the notebook has more than 500 cells"


def hand_in(notebook, folder, write):
    write({"cells": [{}] * 40_000})
