"""An hour that is none, and far too long."""

POINTS = {"posterior": 3, "belief_after": 3, "share_sick": 1, "reading": 1, "why": None}
SAYS = "the hour in timestamp.txt could not be read"


def hand_in(notebook, folder, write):
    write(notebook)
    (folder / "timestamp.txt").write_text("9" * 900)
