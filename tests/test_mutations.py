"""What is drawn is what is tested: a picture that is spoiled on purpose is noticed by the figure's own invariant."""

from functools import partial

import pytest

from tests.figures import FIGURES, PICTURED, a_third
from tests.mutations import MUTATIONS, notice
from tests.test_live import holds_drawing

# (figure, mutation) → why it goes unnoticed: nothing that a reader would read is wrong.
UNNOTICED = {
    ("elimination", "labels"): "tables that wait may stand on their tiles in any order",
}


@pytest.mark.heavy
@pytest.mark.parametrize("name", a_third(PICTURED))
def test_a_spoiled_picture_is_noticed(name, monkeypatch):
    """In most of the states in which it spoils something."""
    monkeypatch.delenv("CI", raising=False)  # with it, pytest compares long lists line by line, for many minutes
    counts = notice(name, FIGURES[name](), partial(holds_drawing, name))
    missed = [kind for kind, (touched, noticed) in counts.items() if touched and noticed <= touched / 2]
    assert sorted(missed) == sorted(kind for figure, kind in UNNOTICED if figure == name), counts


def test_few_spoiled_pictures_go_unnoticed():
    """At most one in twenty of the figures that a mutation touches; the least touched are bars, in 43 figures."""
    for mutation in MUTATIONS:
        assert sum(kind == mutation.__name__ for _, kind in UNNOTICED) <= 0.05 * 43
