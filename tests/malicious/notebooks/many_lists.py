"""Eighteen megabytes of empty lists, which take thirty times as much memory once they are read."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the file holds more than 200,000 lists"


def hand_in(notebook, folder, write):
    (folder / "01-bayes-theorem.ipynb").write_text('{"cells": [' + "[]," * 6_000_000 + "[]]}")
