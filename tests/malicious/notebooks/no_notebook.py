"""A scanned page and no notebook."""

POINTS = {"posterior": 0, "belief_after": 0, "share_sick": 0, "reading": 0, "why": 0}
SAYS = "no notebook was handed in, only scan.pdf"


def hand_in(notebook, folder, write):
    (folder / "scan.pdf").write_bytes(b"%PDF-1.4")
