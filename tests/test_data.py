"""The bundled tables: the rows that the sources print, and no missing cells."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from bayeslib import data

SHAPES = {
    "play_tennis": (14, 5),
    "enjoy_sport": (4, 7),
    "zoo": (101, 18),
    "student": (5, 5),
    "restaurant": (12, 11),
    "galton_families": (934, 7),
    "two_poets": (304, 3),
    "tales": (221, 4),
    "batting_1970": (18, 5),
    "line": (10, 2),
    "broad_and_tight": (150, 3),
    "cigars": (120, 3),
    "three_blobs": (120, 3),
    "penguins": (342, 6),
    "casino_climbs": (217, 15),
    "letter_climbs": (540, 33),
    "titanic": (24, 5),
    "titanic_ages": (1309, 5),
    "berkeley": (24, 4),
    "heart": (297, 9),
    "biopsies": (569, 11),
    "biopsy_votes": (80, 10),
    "helmets": (133, 2),
    "digits": (1797, 65),
}
# Numbers that a source states about its table.
STATED = [
    ("play_tennis", lambda t: t.groupby("Wind")["PlayTennis"].value_counts()["strong"].to_dict(), {"yes": 3, "no": 3}),
    ("student", lambda t: t[(t["S"] == 0) & (t["A"] == 1)]["K"].mean(), 0.5),
    ("restaurant", lambda t: t.groupby("Patrons")["Wait"].agg(lambda w: (w == "yes").mean()).to_list(), [1 / 3, 0, 1]),
    ("galton_families", lambda t: (t["family"].nunique(), (t["gender"] == "male").sum()), (205, 481)),  # Hanley, 2004
    ("galton_families", lambda t: t["midparent"][1], (78.5 + 1.08 * 67) / 2),
    ("titanic", lambda t: t.groupby("status")["people"].sum().to_list(), [885, 325, 285, 706]),
    ("titanic_ages", lambda t: (t["Age"] == "").groupby(t["Sex"]).sum().to_list(), [78, 185]),
    ("berkeley", lambda t: t.groupby(["Admit", "Gender"])["people"].sum()["Admitted"].to_list(), [557, 1198]),  # Bickel
    ("tales", lambda t: t["author"].value_counts().to_dict(), {"Grimm": 116, "Andersen": 105}),
    ("digits", lambda t: (t.to_numpy()[:, 1:] == load_digits().data).all(), True),
]
# The clouds of section 10: a seed, and (number, centre, width) of each part.
RECIPES = {
    "broad_and_tight": (3, [(100, (0, 0), 1.8), (50, (4, 1.5), 0.5)]),
    "cigars": (0, [(60, (0, 1.3), (3, 0.4)), (60, (0, -1.3), (3, 0.4))]),
    "three_blobs": (0, [(40, (-5, 0), 0.7), (40, (3, 2), 0.7), (40, (3, -2), 0.7)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_each_table_has_its_rows_its_source_and_no_missing_cell_and_is_new_at_each_call(name):
    table = getattr(data, f"load_{name}")()
    assert table.shape == SHAPES[name] and not table.isna().any().any()
    assert len(table.attrs["source"]) > 20 and "#" not in table.attrs["source"]
    table["mine"] = 0
    assert getattr(data, f"load_{name}")().shape == SHAPES[name]


@pytest.mark.parametrize("name, ask, wanted", STATED)
def test_what_a_source_states_comes_out(name, ask, wanted):
    assert ask(getattr(data, f"load_{name}")()) == pytest.approx(wanted)


@pytest.mark.parametrize("name", RECIPES)
def test_the_clouds_of_section_10_are_those_of_their_recipe(name):
    seed, parts = RECIPES[name]
    table, random = getattr(data, f"load_{name}")(), np.random.default_rng(seed)
    drawn = np.vstack([random.normal(centre, width, (number, 2)) for number, centre, width in parts])
    assert table[["x", "y"]].to_numpy() == pytest.approx(drawn.round(1))


def test_every_bundled_file_is_small_and_its_terms_are_named():
    told = (Path(__file__).parents[1] / "DATA-LICENCES.md").read_text(encoding="utf-8")
    for path in Path(data.__file__).parent.glob("*.*"):
        assert path.suffix == ".py" or f"`{path.name}`" in told and path.stat().st_size < 450_000, path.name
