"""JSON, but nothing that a notebook could be."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "the file is not a notebook"


def hand_in(notebook, folder, write):
    write([{"cells": 3}])
