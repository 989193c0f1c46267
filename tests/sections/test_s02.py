"""Section 02: what must hold of its figures, and its numbers computed once more, rule by rule."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib import data, live
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers
from bayeslib.sections.s02_concept_learning import figures
from tests.figures import says

RULES = [("∅",) * 6, *product(*([*values, "?"] for values in ENJOY_SPORT.values()))]
DAYS = [(row[:6], row[6] == "Yes") for row in data.load_enjoy_sport().itertuples(index=False, name=None)]
ZOO = data.load_zoo()
SETTINGS = {
    "zoo": {
        "learn": [*figures.MACHINE],
        "asked": ["", "0", "26", "0 12", "2 6", "0 12 11 17 23 6 9 21", "9 25 22 30 20 10 27", "1 2 3 0", "31 26 0"],
        "most": [2, 33],
    },
    "own_rule": {
        "text": [
            figures.FILMS,
            figures.CLASH,
            "name,a,b,label\none,x,y,no\ntwo,x,z,?",
            "name;a;label\n1;2;yes",
            "name, " + ", ".join("abcdefghij") + ", label\n" + "\n".join(f"a long name {n}, {', '.join(str(n % (2 + k % 2)) for k in range(10))}, {'yes' if n % 7 else '?'}" for n in range(33)),
            "n,a,l\n" + "\n".join(f"row {n},{n % 3},{'no' if n % 3 else 'yes'}" for n in range(15)),
            "name, a, label\none, ?, yes",
            "a,b\n1,2",
        ]
    },
}  # fmt: skip


def fits(rule, day):
    return all(entry in ("?", value) for entry, value in zip(rule, day))


def wrong(step):
    """How many of the first labels each rule contradicts."""
    return np.array([sum(fits(rule, day) != label for day, label in DAYS[:step]) for rule in RULES])


def belief(step, noise=0.0, taste=1.0):
    k, marks = wrong(step), np.array([rule.count("?") for rule in RULES])
    weight = noise**k * (1 - noise) ** (step - k) * taste**marks
    return weight / weight.sum()


def claims_version_space(step, noise, taste, said):
    k, after = wrong(step), belief(step, noise / 100, taste)
    left = int((k == 0).sum())
    if step == 0 and taste == 1:
        return says(said, 973, round(100 / 973, 1), digits=1)
    if taste != 1 or np.ptp(after[after > 0]) > 1e-12:
        says(said, after.max(), digits=3)
    if step and noise == 0:
        says(said, left, 973 - left, belief(0, 0, taste)[k == 0].sum())
    elif step:
        says(said, *(after[k == n].sum() for n in range(step + 1) if (k == n).any()), digits=3)


@cache
def left_in_the_zoo(learn, asked):
    """Rules left and the votes of each look, counted over the whole grid of rules at once, column by column."""
    columns = [ZOO[name].unique().tolist() for name in figures.LOOKS]
    grid = np.ones([len(values) + 1 for values in columns], bool)
    never = not any(label for _, label in figures._labels(learn, asked))
    for number, label in figures._labels(learn, asked):
        grid &= says_in(columns, number) == label
    return int(grid.sum()) + never, [int((grid & says_in(columns, n)).sum()) for n in range(33)]


def says_in(columns, number):
    """Which rules of the grid cover an animal."""
    masks = [[v == own for v in values] + [True] for values, own in zip(columns, figures.GROUPS[number][0])]
    covered = np.array(True)
    for mask in masks:
        covered = np.logical_and.outer(covered, mask)
    return covered


def claims_zoo(learn, asked, most, said):
    left, votes = left_in_the_zoo(learn, asked)
    if not asked:
        return says(said, 1_240_030)
    before = left_in_the_zoo(learn, asked.rpartition(" ")[0])[0]
    says(said, len(asked.split()), left, before - left)
    doubtful = [n for n in range(33) if 0 < votes[n] < left]
    if doubtful:
        best = min(doubtful, key=lambda n: abs(Fraction(votes[n], left) - Fraction(1, 2)))
        says(said, len(doubtful), votes[best])
    elif left:
        says(said, figures.MACHINE[learn])


def claims_lattice(step, said):
    k = wrong(step)
    says(said, (k == 0).sum())
    if step:
        says(said, (wrong(step - 1) == 0).sum() - (k == 0).sum())


def claims_own_rule(text, said):
    names, things, attributes, labels = figures._labelled(text)
    columns = [list(dict.fromkeys(values)) for values in zip(*things)]
    rules = [("∅",) * len(columns), *product(*([*values, "?"] for values in columns))]
    assert len(rules) == 1 + np.prod([len(values) + 1 for values in columns])
    if len(rules) < 5000:
        left = [rule for rule in rules if all(fits(rule, things[n]) == label for n, label in labels)]
        says(said, len(labels), len(names), len(left), len(rules))


# The close-up


def test_the_days_leave_64_32_28_and_6_of_973_rules_and_one_share_each_of_the_evidence():
    assert [int((wrong(n) == 0).sum()) for n in range(5)] == [973, 64, 32, 28, 6]
    assert np.bincount(wrong(4)).tolist() == [6, 30, 102, 783, 52]
    assert belief(0)[wrong(4) == 0].sum() == pytest.approx(6 / 973)
    assert sum(not fits(rule, DAYS[2][0]) for rule in RULES) == 909, "what a first no leaves"


def test_noise_readmits_the_crowd_and_half_wrong_labels_teach_nothing():
    groups = [belief(4, 0.1)[wrong(4) == n].sum() for n in range(5)]
    assert groups == pytest.approx([0.514, 0.286, 0.108, 0.092, 0.001], abs=5e-4)
    assert np.ptp(belief(4, 0.5)) < 1e-15
    assert set(wrong(4)[belief(4, 0.6) > belief(4, 0.6).max() - 1e-12]) == {4}, "beyond one half the worst lead"


def test_candidate_elimination_takes_its_first_step_from_nothing():
    space = ConjunctiveSpace(ENJOY_SPORT)
    first = space.candidate_elimination(DAYS[:1])
    assert (first.specific, first.general) == ([DAYS[0][0]], [("?",) * 6])
    third = space.candidate_elimination(DAYS[:3]).general
    assert sorted(value for rule in third for value in rule if value != "?") == ["Same", "Sunny", "Warm"]
    assert not space.version_space([*DAYS, (DAYS[0][0], False)]), "a copy of day 1 with a no empties the space"


def test_a_taste_for_the_specific_leaves_one_map_rule_and_picked_days_prefer_the_small():
    specific, general = belief(4, 0, 0.5), belief(4, 0, 2.0)
    assert RULES[specific.argmax()] == ("Sunny", "Warm", "?", "Strong", "?", "?") and specific.max() == pytest.approx(
        1 / 3
    )
    assert (general > general.max() - 1e-12).sum() == 2 and general.max() == pytest.approx(4 / 15)
    six = [RULES[n] for n in np.flatnonzero(wrong(4) == 0)]
    sizes = np.array(sorted(sum(fits(rule, day) for day in product(*ENJOY_SPORT.values())) for rule in six))
    assert sizes.tolist() == [8, 16, 16, 24, 32, 48]
    assert ((1.0 / sizes**3) / (1.0 / sizes**3).sum())[0] == pytest.approx(0.765, abs=5e-4)
    cold = [("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"), ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same")]
    yes = [sum(general[RULES.index(rule)] for rule in six if fits(rule, day)) for day in cold]
    assert yes == pytest.approx([0.4, 2 / 3]), "two rules in favour split the belief better than three"


def test_the_drawn_area_is_the_same_in_every_state():
    """Belief is a fixed amount of ink, where no rule is too light to float."""
    areas = []
    for step, noise in ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 30), (4, 60)):
        _, _, r, live_, _ = figures._spread(step, noise, 1.0, True)
        areas.append((r[live_] ** 2).sum())
    assert areas == pytest.approx([areas[0]] * 7)


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("noise", [0, 1, 10, 20, 40, 50, 60])
@pytest.mark.parametrize("taste", [0.5, 1.0, 2.0])
def test_no_disc_lies_on_another_and_none_outside(wide, noise, taste):
    for step in (1, 4):
        _, at, r, floats, _ = figures._spread(step, noise, taste, wide)
        at, r = at[floats], r[floats]
        away = np.hypot(*(at[:, None] - at).transpose(2, 0, 1)) - r[:, None] - r
        assert away[~np.eye(len(r), dtype=bool)].min(initial=0) > -0.1
        right = 614 if wide else 390
        assert (at - r[:, None] > 0).all() and (at[:, 0] + r < right).all()
        assert (at[:, 1] + r < figures.BED[wide][2]).all()


# The zoo


@pytest.mark.parametrize("learn", figures.MACHINE)
def test_the_machine_needs_as_many_as_the_figure_says(learn):
    figure = live.zoo(learn=learn)
    while move := figures._machine(figure.values):
        figure.set(**move)
    assert len(figure.values["asked"].split()) == figures.MACHINE[learn]
    if learn == "reptile":
        assert "48 of" in figure.alt and "wrong about tortoise and tuatara" in figure.alt
    else:
        assert "right about everybody" in figure.alt


def test_eight_animals_are_enough_whichever_mammal_comes_first():
    mammals = [n for n, (_, _, kind) in enumerate(figures.GROUPS) if kind == "mammal"]
    assert sum(len(figures.GROUPS[n][1]) for n in mammals) == 41
    for first in mammals:
        values = {"learn": "mammal", "asked": f"{first}", "most": 33}
        while move := figures._machine(values):
            values |= move
        assert len(values["asked"].split()) == 8 and left_in_the_zoo("mammal", values["asked"])[0] == 16


def test_the_aardvark_leaves_4096_rules_and_the_girl_halves_them():
    left, votes = left_in_the_zoo("mammal", "0")
    by_name = dict(zip(figures.ANIMALS, votes))
    assert (left, by_name["girl"], by_name["bass"]) == (4096, 2048, 32) and "bear" in figures.GROUPS[0][1]
    expected = [(n**2 + (left - n) ** 2) / left for n in (4096, 32, 2048)]
    assert expected == [4096, 4032.5, 2048]


def test_a_glass_is_asked_once_and_one_question_means_one():
    figure = live.zoo(asked="0", most=2)
    figure.click("glass 12")
    figure.click("glass 1")
    assert figure.values["asked"] == "0 12"
    figure = live.zoo()
    figure.click("glass 21")
    figure.click("glass 21")
    assert figure.values["asked"] == "21" and "platypus, is in" in figure.alt
    grabbed = [mark for mark in figure.marks() if mark[3].get("click")]
    assert len(grabbed) == 32, "every glass but the one that was asked"


@cache
def zoo_rules(kind, **corrected):
    table = ZOO.copy()
    for name, column in corrected.items():
        table.loc[table["name"] == name, column] = "yes"
    space = ConjunctiveSpace({name: table[name].unique().tolist() for name in figures.LOOKS})
    rows = zip(table[figures.LOOKS].itertuples(index=False, name=None), table["type"] == kind)
    return int((space.errors([(x, bool(label)) for x, label in rows]) == 0).sum())


def test_which_classes_a_list_of_demands_can_name():
    counts = {kind: zoo_rules(kind) for kind in ("mammal", "bird", "fish", "reptile", "invertebrate")}
    assert counts == {"mammal": 16, "bird": 752, "fish": 1136, "reptile": 0, "invertebrate": 0}
    assert zoo_rules("mammal", platypus="venomous") == 8 and zoo_rules("reptile", seasnake="breathes") == 0


@pytest.mark.heavy
def test_random_orders_need_about_65_and_asking_only_where_they_disagree_about_11():
    facts, mammal = ZOO[figures.LOOKS].to_numpy(), (ZOO["type"] == "mammal").to_numpy()
    demands = np.array(list(product([False, True], repeat=12)))

    def play(order, choosy):
        shares = facts == facts[order[0]]
        in_ = np.array([shares[:, demand].all(axis=1) for demand in demands])
        alive, asked = np.full(4096, True), 0
        for k in order:
            level = in_[alive].mean(axis=0)
            if not ((level > 0) & (level < 1)).any() and asked:
                break
            if asked == 0 or not choosy or 0 < level[k] < 1:
                alive &= in_[:, k] == mammal[k]
                asked += 1
        return asked, order[asked:], level

    draw, first = np.random.default_rng(2), np.flatnonzero(mammal)
    blind = [
        play(np.r_[k := draw.choice(first), draw.permutation(np.delete(np.arange(101), k))], False)[0]
        for _ in range(400)
    ]
    choosy = [play(np.r_[0, 1 + draw.permutation(100)], True)[0] for _ in range(400)]
    assert 60 <= np.median(blind) <= 70 and 10 <= np.median(choosy) <= 12 and min(choosy) >= 5


# What is drawn at random or typed


def test_own_tables_are_read_or_refused_in_words():
    figure = live.own_rule()
    assert "Label “Jaws” next" in figure.alt
    for text, words in {
        "a,b\n1,2": "a column of names",
        "a,b,c\n1,?,yes": "got an empty entry or a mark",
        "a,b,c\n1,2,maybe": "yes, no or ? in its last column, got 'maybe'",
        "a,b,c\n" + "1,2,yes\n" * 40: "at most 33 rows",
        ",".join("abcdefghijkl")
        + "\n"
        + "\n".join(",".join([str(n)] * 11 + ["yes"]) for n in range(9)): "leave out a column",
    }.items():
        figure.set(text=text)
        assert words in figure.alt, figure.alt


def test_the_new_situations_of_the_quiz():
    toys = ConjunctiveSpace(
        {"colour": ["red", "green", "blue"], "size": ["small", "large"], "form": ["round", "square"]}
    )
    seen = [(("red", "small", "round"), True), (("blue", "small", "round"), False)]
    assert toys.candidate_elimination(seen).general == [("red", "?", "?")]
    cafe = ConjunctiveSpace({"size": range(4), "milk": range(2), "sugar": range(2)})
    assert (cafe.size, cafe.syntactic_size, cafe.syntactic_size - cafe.size + 1) == (46, 96, 51)
    assert covers(("?", "small", "?"), ("green", "small", "square")) and round((7 / 3) ** 4, 1) == 29.6
    assert round((50 / 6) ** 3) == 579 and round(4148 / 5120, 2) == 0.81
