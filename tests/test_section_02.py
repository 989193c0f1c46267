"""Section 02: the numbers that its questions mention, and what its figures do when a reader plays."""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib import data, live
from bayeslib.concepts import ENJOY_SPORT, ConjunctiveSpace, covers
from bayeslib.live import concept_learning
from tests.lab import ROOT
from tests.sections.section_02 import between, posterior, says, verdicts

TEXT = (ROOT / "bayeslib/practice/02.toml").read_text()
LESSON = (ROOT / "notebooks/02-concept-learning.ipynb").read_text()


def test_counts_in_the_feedback_of_section_02_hold():
    assert math.prod([3, 2, 2, 2, 2, 2]) == 96 and "3 · 2 · 2 · 2 · 2 · 2 = 96" in TEXT
    assert math.prod([4, 3, 3, 3, 3, 3]) == 972 and "4 · 3 · 3 · 3 · 3 · 3 = 972" in TEXT
    assert math.prod([5, 4, 4, 4, 4, 4]) == 5120 and "5 · 4 · 4 · 4 · 4 · 4 = 5120" in TEXT
    assert (5120 - 972, round(4148 / 5120, 3)) == (4148, 0.81) and "4148/5120 = 0.810" in TEXT
    assert round(0.9**4, 3) == 0.656 and "0.9 · 0.9 · 0.9 · 0.9 = 0.656" in TEXT


def test_survivors_in_the_feedback_of_section_02_hold():
    figure = live.version_space()
    figure.preset("one yes")
    assert "64 of 973 hypotheses remain" in figure.alt and "2 · 2 · 2 · 2 · 2 · 2 = 64" in TEXT
    figure.preset("one no")
    assert "909 of 973 hypotheses remain" in figure.alt and "973 − 64 = 909" in TEXT
    left = [np.count_nonzero(verdicts("PlayTennis")[:, :k].sum(axis=1) == 0) for k in range(5)]
    assert left == [145, 129, 121, 8, 0] and "145, 129, 121, 8, 0." in TEXT
    errors = np.bincount(posterior("EnjoySport", range(4))[1])
    assert errors.tolist()[:3] == [6, 30, 102] and 973 - 6 == 967
    assert "there are 30 of those, and 102 with two" in TEXT and "the other 967" in TEXT


def test_forty_days_get_a_unanimous_vote():
    assert "32 get 0, 24 get 1, 24 get 2, 8 get 3, 8 get 6" in live.queries().alt and "On 40 of the 96 days" in TEXT


@pytest.mark.parametrize(
    "taste, s, most", [(1.0, 0.167, "6 tie"), (2.0, 0.333, "⟨Sunny, Warm, ?, Strong, ?, ?⟩"), (0.5, 0.067, "2 tie")]
)
def test_the_taste_breaks_the_tie(taste, s, most):
    figure = live.lattice()
    figure.set(taste=taste)
    assert f"S has probability {s}; most probable: {most}" in figure.alt


def test_best_questions_find_one_of_six_in_three_labels():
    figure = live.queries()
    for label in ("label it no", "label it no", "label it no"):
        figure.set(**figure.actions["go to the best day"](figure.values))
        figure.set(**figure.actions[label](figure.values))
    assert "1 of 6 hypotheses are left" in figure.alt and "there is nothing to ask" in figure.alt
    assert figure.actions["go to the best day"](figure.values) == {}
    assert figure.actions["label it yes"](figure.values) == {}, "a day is labelled once"
    figure.set(**figure.actions["take a label back"](figure.values))
    assert figure.alt.startswith("Labels added: 2. 2 of 6")


def test_a_label_that_nobody_expects_refutes_the_model_in_words():
    figure = live.queries()
    figure.preset("all six say yes")
    figure.set(**figure.actions["label it no"](figure.values))
    assert "No conjunction is left: these labels refute the model" in figure.alt


def test_a_tile_is_chosen_by_a_click():
    figure = live.queries()
    axes = figure.figure.axes[0]
    x, y = axes.transData.transform((5, 1)) / (figure.figure.bbox.width, figure.figure.bbox.height)
    figure.view.pointer = {"press": 1, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert (figure.values["row"], figure.values["column"]) == (1, 5) and "gets 3 of 6" in figure.alt


def test_play_tennis_opens_where_no_conjunction_is_left():
    figure = live.version_space("PlayTennis")
    assert figure.values["step"] == 14 and "Example 4 in this order deleted the last ones" in figure.alt
    figure.set(step=3)
    assert "8 of 145 hypotheses remain" in figure.alt


def test_seven_values_keep_day_three_out_and_three_of_them_stay_above_s():
    yes, no = (("Sunny", "Warm", "?", "Strong", "Warm", "Same"), ("Rainy", "Cold", "High", "Strong", "Warm", "Change"))
    values = [(n, value) for n, known in enumerate(ENJOY_SPORT.values()) for value in known if value != no[n]]
    assert len(values) == 7 and "Seven rules with one value" in TEXT
    assert [value for n, value in values if yes[n] == value] == ["Sunny", "Warm", "Same"]
    assert len(between(3)[2]) == 3


def test_a_toy_leaves_one_rule_in_g():
    toys = ConjunctiveSpace(
        {"colour": ["red", "green", "blue"], "size": ["small", "large"], "form": ["round", "square"]}
    )
    seen = [(("red", "small", "round"), True), (("blue", "small", "round"), False)]
    assert toys.candidate_elimination(seen).general == [("red", "?", "?")]
    cafe = ConjunctiveSpace({"size": range(4), "milk": range(2), "sugar": range(2)})
    assert (cafe.size, cafe.syntactic_size, cafe.syntactic_size - cafe.size + 1) == (
        46,
        96,
        51,
    ) and "51/96 = 0.53" in TEXT


def test_half_of_the_probability_takes_fewer_questions_than_half_of_the_rules():
    """The best play to the end, after each first question, under the prior in which each ? doubles."""
    six = between(4)[0]
    weights = [Fraction(2 ** h.count("?")) for h in six]
    answers = {tuple(says(h, day) for h in six) for day in product(*ENJOY_SPORT.values())}

    def after(left, said):
        parts = [tuple(n for n in left if said[n] == label) for label in (True, False)]
        if not all(parts):
            return math.inf
        total = sum(weights[n] for n in left)
        return 1 + sum(sum(weights[n] for n in part) / total * questions(part) for part in parts)

    @cache
    def questions(left):
        return min(after(left, said) for said in answers) if len(left) > 1 else 0

    everything = tuple(range(6))
    by_count = {sum(said): float(after(everything, said)) for said in answers if 0 < sum(said) < 6}
    assert by_count == pytest.approx({1: 2.6667, 2: 2.5333, 3: 2.6}, abs=5e-5)
    assert "2.53 questions on average" in LESSON and "and 2.60 if it begins with the other" in LESSON
    assert live.queries().actions["go to the best day"](dict(taste=0.5, asked="", row=0, column=0))["row"] == 2


def test_three_picked_days_raise_s_to_three_quarters():
    covered = sorted(sum(says(h, day) for day in product(*ENJOY_SPORT.values())) for h in between(4)[0])
    assert covered == [8, 16, 16, 24, 32, 48] and "(1/8)/(1/8 + 1/16 + 1/16 + 1/24 + 1/32 + 1/48) = 0.364" in TEXT
    shares = [[count**-n / sum(each**-n for each in covered) for count in covered][0] for n in (1.0, 3.0)]
    assert shares == pytest.approx([0.364, 0.765], abs=5e-4)


def test_powers_of_two_beat_even_numbers_and_two_contradictions_cost_sixteen():
    assert round((50 / 6) ** 3) == 579 and "(50/6)³ = 579" in TEXT
    assert "16 : 1" in TEXT and round(100 * 16 / 17, 1) == 94.1


# The zoo


@cache
def zoo(kind="mammal", **corrected):
    table = data.load_zoo()
    for name, column in corrected.items():
        table.loc[table["name"] == name, column] = "yes"
    return table[concept_learning.LOOKS].assign(label=np.where(table["type"] == kind, "yes", "no"))


SPACE = ConjunctiveSpace.from_table(zoo(), label="label")


def left(examples):
    return int(np.count_nonzero(SPACE.errors(examples) == 0))


def test_the_zoo_in_the_order_of_the_file():
    counts = [left(zoo().head(rows)) for rows in range(102)]
    assert (counts[0], counts[1], counts[101]) == (1240030, 4096, 16) and SPACE.size == 1240030
    assert left([(next(zip(*[zoo()[c] for c in concept_learning.LOOKS])), False)]) == 1235934 and "1,235,934" in TEXT
    assert len(set(counts)) == 11 and set(counts[28:64]) == {96} and data.load_zoo()["name"][63] == "platypus"
    assert counts[3] == 4064 and "leave 4064 rules" in TEXT
    assert left(zoo(platypus="venomous")) == 8


def test_s_and_g_of_the_mammals():
    found = SPACE.candidate_elimination(zoo())
    demands = [{c: v for c, v in zip(concept_learning.LOOKS, h) if v != "?"} for h in (*found.specific, *found.general)]
    assert demands == [
        {"feathers": "no", "milk": "yes", "backbone": "yes", "breathes": "yes", "venomous": "no"},
        {"milk": "yes"},
    ]


@pytest.mark.parametrize("kind", [*concept_learning.TYPES, *concept_learning.SECRETS])
def test_asking_the_best_question_takes_as_many_as_the_figure_says(kind):
    figure = live.zoo()
    figure.set(learn=kind)
    while move := figure.actions["go to the best question"](figure.values):
        figure.set(**move)
        figure.set(**figure.actions["ask about this one"](figure.values))
    asked = len(figure.values["asked"].split())
    assert asked == concept_learning.HALVING[kind] and f"takes {asked}." in figure.alt
    wrong = {"reptile": "wrong about tortoise, tuatara", "invertebrate": "wrong about scorpion, slug +1"}
    assert wrong.get(kind, "right about all that was not asked") in figure.alt
    if kind == "reptile":
        assert "48 of" in figure.alt and asked == 15
    if kind == "mammal":
        assert figure.values["asked"] == figure.presets["mammal, by halves"]["asked"]


def test_a_click_asks_about_an_animal_once_and_can_be_taken_back():
    figure = live.zoo()
    axes = figure.figure.axes[0]
    for press in (1, 2):
        x, y = axes.transData.transform((1, 5)) / (figure.figure.bbox.width, figure.figure.bbox.height)
        figure.view.pointer = {"press": press, "from": [x, 1 - y], "to": [x, 1 - y]}
    assert figure.values["asked"] == "21" and "The last, platypus, belongs" in figure.alt
    figure.set(**figure.actions["take one back"](figure.values))
    assert figure.values["asked"] == ""
    for _ in range(40):
        figure.set(**figure.actions["ask at random"](figure.values))
    assert len(figure.values["asked"].split()) == 33 and "16 of 1,240,030" in figure.alt


def test_eight_animals_are_enough_whichever_mammal_comes_first():
    figure = live.zoo()
    for first in range(33):
        figure.set(learn="mammal", asked=str(first))
        if ", belongs:" in figure.alt:
            while move := figure.actions["go to the best question"](figure.values):
                figure.set(**move)
                figure.set(**figure.actions["ask about this one"](figure.values))
            assert len(figure.values["asked"].split()) == 8, first


def test_no_rule_fits_the_reptiles():
    assert left(zoo("reptile")) == left(zoo("reptile", seasnake="breathes")) == 0
    best = SPACE.posterior(zoo("reptile"), noise=0.05).best()
    missed = [
        {
            name
            for name, (x, label) in zip(data.load_zoo()["name"], SPACE.check(zoo("reptile")))
            if covers(h, x) != label
        }
        for h in best
    ]
    assert len(best) == 56 and all(each == {"seasnake"} for each in missed)


@pytest.mark.heavy
def test_random_orders_and_animals_that_were_not_seen():
    examples = SPACE.check(zoo())
    truth = np.array([label for _, label in examples])
    codes = [tuple(known.index(value) for known, value in zip(SPACE.domains.values(), x)) for x, _ in examples]
    orders = [np.random.default_rng(seed).permutation(101) for seed in range(100)]
    needed = []
    for order in orders:
        low, high = 1, 101
        while low < high:  # what is left only falls
            middle = (low + high) // 2
            low, high = (low, middle) if left([examples[n] for n in order[:middle]]) == 16 else (middle + 1, high)
        needed.append(low)
    assert np.median(needed) == 66 and "it takes 66 animals (the median of 100 orders)" in TEXT
    for n in (5, 10, 20, 40):
        rows = []
        for order in orders:
            if truth[order[:n]].any():
                seen = [examples[k] for k in order[:n]]
                count, votes = left(seen), SPACE.votes(seen)
                yes, rest = np.array([votes[codes[k]] for k in order[n:]]), truth[order[n:]]
                agreed = (yes == 0) | (yes == count)
                rows.append(
                    (count, agreed.mean(), (rest == (yes > 0))[agreed].mean(), (rest == (2 * yes > count)).mean())
                )
        counts, agreed, sure, majority = zip(*rows)
        line = f"| {n} | {np.median(counts):,.0f} | {np.mean(agreed):.0%} | {np.mean(sure):.0%} | {np.mean(majority):.0%} |"
        assert line in LESSON


def rules_left(seen):
    """How many rules fit, counted over the demands that the positive animals share (a bit for each column)."""
    first, *others = [x for x, label in seen if label]

    def bits(x):
        return sum(1 << n for n, (a, b) in enumerate(zip(first, x)) if a != b)

    rules = np.arange(1 << len(first))
    for x in others:
        rules = rules[rules & bits(x) == 0]
    for x in (x for x, label in seen if not label):
        rules = rules[rules & bits(x) != 0]
    return len(rules)


def test_the_median_of_ten_animals_moves_from_run_to_run():
    examples = SPACE.check(zoo())
    assert rules_left(examples) == 16
    medians = []
    for run in range(13):
        orders = [np.random.default_rng(seed).permutation(101)[:10] for seed in range(100 * run, 100 * run + 100)]
        draws = [[examples[n] for n in order] for order in orders]
        medians.append(np.median([rules_left(draw) for draw in draws if any(label for _, label in draw)]))
    assert (medians[0], min(medians[1:]), max(medians[1:])) == (1776, 472, 1384)
    assert "between 472 and 1,384: the 1,776 of this run" in LESSON


def test_own_tables_are_read_or_refused_in_words():
    figure = live.own_rule()
    assert "label “Jaws” next" in figure.alt
    for text, words in {
        "a,b\n1,2": "a column of names",
        "a,b,c\n1,?,yes": "got an empty entry or a mark",
        "a,b,c\n1,2,maybe": "yes, no or ? in its last column, got 'maybe'",
        "a,b,c\n" + "1,2,yes\n" * 40: "at most 36 rows",
        ",".join("abcdefghijkl")
        + "\n"
        + "\n".join(",".join([str(n)] * 11 + ["yes"]) for n in range(9)): "leave out a column",
    }.items():
        figure.set(text=text)
        assert words in figure.alt, figure.alt
