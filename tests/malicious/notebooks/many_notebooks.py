"""Two hundred notebooks, none with the right name, each slow to parse."""

import json

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "reading it took too long"


def hand_in(notebook, folder, write):
    cell = {"cell_type": "code", "metadata": {}, "source": "y = 1\n" * 15_000}
    for number in range(199):
        (folder / f"{number}.ipynb").write_text(json.dumps({"cells": [cell]}))
