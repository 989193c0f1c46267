"""An empty folder."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "no notebook was handed in"


def hand_in(notebook, folder, write):
    pass
