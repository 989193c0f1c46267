"""The bundled tables: the rows that the sources print, no network, no missing cells."""

import socket
from pathlib import Path

import numpy as np
import pytest

from bayeslib import data

SHAPES = {
    "real_tests": (3, 7),
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
    "penguin_fits": (40, 5),
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


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a loader reached for the network")

    monkeypatch.setattr(socket, "socket", refuse)


@pytest.mark.parametrize("name", SHAPES)
def test_each_table_has_its_rows_its_source_and_no_missing_cell(name):
    table = getattr(data, f"load_{name}")()
    assert table.shape == SHAPES[name]
    assert not table.isna().any().any()
    assert len(table.attrs["source"]) > 20 and "#" not in table.attrs["source"]


def test_play_tennis_counts_are_those_of_the_chapter():
    table = data.load_play_tennis()
    strong = table[table["Wind"] == "strong"]["PlayTennis"].value_counts()
    assert table["PlayTennis"].value_counts().to_dict() == {"yes": 9, "no": 5}
    assert strong.to_dict() == {"yes": 3, "no": 3}


def test_student_rows_give_one_half():
    table = data.load_student()
    assert table[(table["S"] == 0) & (table["A"] == 1)]["K"].mean() == 0.5


def test_restaurant_rows_give_the_numbers_of_the_syllabus():
    table = data.load_restaurant()
    thai_full_rain = [("Cuisine", "Thai"), ("Patrons", "Full"), ("Raining", "yes")]

    def product(rows):
        result = len(rows) / 12
        for column, value in thai_full_rain:
            result *= (rows[column] == value).mean()
        return result

    wait, leave = (product(table[table["Wait"] == answer]) for answer in ("yes", "no"))
    assert wait / (wait + leave) == pytest.approx(0.4286, abs=5e-5)
    assert set(table["Patrons"]) == {"None", "Some", "Full"}


def test_galton_families_are_those_that_hanley_describes():
    """934 children of 205 families (The American Statistician 58, 2004); the factor 1.08 is Galton's."""
    table = data.load_galton_families()
    assert table["family"].nunique() == 205 and table["gender"].value_counts().to_dict() == {"male": 481, "female": 453}
    one = table.loc[1]
    assert (one["midparent"], one["height"]) == pytest.approx(((78.5 + 1.08 * 67) / 2, 1.08 * 69.2))


def test_the_titles_of_the_titanic_tell_boys_from_men():
    table = data.load_titanic_ages()
    known = table[(table["Age"] != "") & (table["Sex"] == "male")]
    boy, master = known["Age"].astype(float) < 14, known["Title"] == "Master"
    assert (boy.sum(), master.sum(), (boy & master).sum(), len(known)) == (53, 53, 52, 658)
    assert table[table["Age"] == ""]["Sex"].value_counts().to_dict() == {"male": 185, "female": 78}
    assert table["Class"].value_counts().to_dict() == {"3rd": 709, "1st": 323, "2nd": 277}


def test_the_people_of_the_titanic_are_all_there():
    table = data.load_titanic()
    assert not table.duplicated(["status", "age", "sex", "survived"]).any()
    assert table.groupby("status")["people"].sum().to_dict() == {"crew": 885, "first": 325, "second": 285, "third": 706}
    assert table.groupby("age")["people"].sum().to_dict() == {"adult": 2092, "child": 109}
    women = table[(table["sex"] == "female") & (table["status"] == "first") & (table["age"] == "adult")]
    assert dict(zip(women["survived"], women["people"])) == {"no": 4, "yes": 140}


RECIPES = {
    "broad_and_tight": (3, [(100, (0, 0), 1.8), (50, (4, 1.5), 0.5)], (206.5, 89.0)),
    "cigars": (0, [(60, (0, 1.3), (3, 0.4)), (60, (0, -1.3), (3, 0.4))], (-50.5, 4.3)),
    "three_blobs": (0, [(40, (-5, 0), 0.7), (40, (3, 2), 0.7), (40, (3, -2), 0.7)], (28.0, 8.8)),
}


@pytest.mark.parametrize("name", RECIPES)
def test_the_clouds_of_section_10_are_those_of_their_recipe(name):
    seed, parts, sums = RECIPES[name]
    table, random = getattr(data, f"load_{name}")(), np.random.default_rng(seed)
    drawn = np.vstack([random.normal(centre, width, (number, 2)) for number, centre, width in parts])
    assert table[["x", "y"]].to_numpy() == pytest.approx(drawn.round(1))
    assert table[["x", "y"]].sum().tolist() == pytest.approx(sums)
    assert table["component"].value_counts().to_dict() == {j: part[0] for j, part in enumerate(parts)}


def test_berkeley_has_the_margins_that_bickel_gives_for_the_six_departments():
    table = data.load_berkeley()
    admitted = table[table["Admit"] == "Admitted"].groupby("Gender")["people"].sum()
    assert table["people"].sum() == 4526 and admitted.to_dict() == {"Female": 557, "Male": 1198}


def test_the_digits_are_those_of_scikit_learn():
    from sklearn.datasets import load_digits

    table, known = data.load_digits(), load_digits()
    assert (table["digit"] == known.target).all() and (table.iloc[:, 1:].to_numpy() == known.data).all()


def test_the_tales_are_whole_and_no_part_is_there_twice():
    table = data.load_tales()
    assert table["author"].value_counts().to_dict() == {"Grimm": 116, "Andersen": 105} and table["text"].is_unique
    for _, parts in table.groupby("tale")["part"]:
        assert parts.tolist() == list(range(1, len(parts) + 1))


def test_each_call_gives_a_table_of_its_own():
    mine = data.load_student()
    mine["S"] = 7
    assert set(data.load_student()["S"]) == {0, 1}


def test_every_bundled_file_is_small_and_its_terms_are_named():
    told = (Path(__file__).parents[1] / "DATA-LICENCES.md").read_text(encoding="utf-8")
    for path in Path(data.__file__).parent.glob("*.*"):
        if path.suffix != ".py":
            assert f"`{path.name}`" in told and path.stat().st_size < 450_000, path.name
