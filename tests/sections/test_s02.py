"""Section 02: what must hold of its figures, and its numbers computed once more, hypothesis by hypothesis."""

import csv
import math
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.live import concept_learning
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers
from tests.figures import EXPLAINED, number, placed, stroked, written
from tests.lab import ROOT

TABLES = {"EnjoySport": bl.data.load_enjoy_sport(), "PlayTennis": bl.data.load_play_tennis()}
SETTINGS = {
    "queries": {"asked": ["", "8+", "8-", "0-", "3+", "8+ 16-", "8+ 16- 16+", "95+"]},
    "zoo": {
        "at": [0, 6, 32],
        "asked": ["", "0", "26", "0 12", "2 6", "0 12 11 17 23 6 9 21", "9 25 22 30 20 10 27", "1 2 3 0", "31 26 0"],
    },
    "own_rule": {
        "text": [
            concept_learning.FILMS,
            concept_learning.CLASH,
            "name,a,b,label\none,x,y,no\ntwo,x,z,?",
            "name;a;label\n1;2;yes",
            "name, a, label\none, ?, yes",
            "a,b\n1,2",
        ]
    },
}


@cache
def hypotheses(table):
    """All conjunctions of a table by brute force, never first; as many as differ in what they say."""
    columns = TABLES[table].columns[:-1]
    domains = ENJOY_SPORT.values() if table == "EnjoySport" else [TABLES[table][name].unique() for name in columns]
    return [("∅",) * len(columns), *product(*([*values, "?"] for values in domains))]


@cache
def rows(table):
    return [(tuple(row[:-1]), row[-1].lower() == "yes") for row in TABLES[table].itertuples(index=False, name=None)]


def says(hypothesis, instance):
    return all(entry == "?" or entry == value for entry, value in zip(hypothesis, instance))


@cache
def verdicts(table):
    """Whether each hypothesis contradicts each row."""
    return np.array([[says(h, x) != label for x, label in rows(table)] for h in hypotheses(table)])


def layer(hypothesis):
    """The number of "?"; never is below those that have none."""
    return -1 if "∅" in hypothesis else hypothesis.count("?")


@cache
def marks(table):
    return np.array([h.count("?") for h in hypotheses(table)])


@cache
def standing(table):
    """The row of each hypothesis in the picture and its x: every row is spread evenly over the width."""
    row = np.array([layer(h) + 1 for h in hypotheses(table)])
    counts, x = np.bincount(row), np.empty(len(row))
    for each, count in enumerate(counts):
        x[row == each] = 0.5 + (np.arange(count) - (count - 1) / 2) / count
    return row, x


def posterior(table, numbers, taste=1.0, noise=0.0):
    """Belief and contradictions of every hypothesis after these rows, or None for the belief where P(D) = 0."""
    wrong = verdicts(table)[:, list(numbers)].sum(axis=1)
    joint = taste ** -marks(table).astype(float) / (taste ** -marks(table).astype(float)).sum()
    joint = joint * noise**wrong * (1 - noise) ** (len(numbers) - wrong)
    return (joint / joint.sum() if joint.sum() else None), wrong, joint.sum()


BELIEF, WRONG, _ = posterior("EnjoySport", range(4), noise=0.1)


def holds_version_space(figure):
    table, order, noise, taste, step = (figure.values[name] for name in ("table", "order", "noise", "taste", "step"))
    numbers = [*(int(each) - 1 for each in order.split()), *range(4, len(rows(table)))][:step]
    belief, wrong, evidence = posterior(table, numbers, taste, noise / 100)
    left, size, picture = np.count_nonzero(wrong == 0), len(wrong), figure.picture
    gone = np.count_nonzero(posterior(table, numbers[:-1])[1] == 0) - left
    known = f"After {step} of {len(rows(table))} rows" if step else "Before any row"
    assert figure.controls["step"].max == len(rows(table)) and size == {"EnjoySport": 973, "PlayTennis": 145}[table]
    if step and not noise:
        day, label = rows(table)[numbers[-1]]
        last = [f"row {numbers[-1] + 1}: {' '.join(day)} → {'yes' if label else 'no'}, deletes {gone}"]
    told = written(picture.last, last if step and not noise else [])
    if belief is None:
        assert "no conjunction is left: the model is refuted" in figure.alt and "P(D) = 0" in figure.alt
        empty = next(k for k in range(15) if posterior(table, numbers[:k])[0] is None)
        assert number("Example", figure.alt) == empty
        for line in (picture.others, picture.fitting, picture.best):
            placed(line, [], [])
        told += written(picture.refuted, ["No conjunction fits: P(D) = 0,\nand there is no posterior"])
        told += written(picture.titles, []) + written(picture.rows, [])
        return told + written(picture.head, [f"{known}: 0 of {size} left"])
    row, x = standing(table)
    seen = belief > 1e-4
    with np.errstate(divide="ignore"):
        top = row + 0.88 * np.maximum(1 + np.log10(belief) / 4, 0)
    for line, mine in ((picture.fitting, seen & (wrong == 0)), (picture.others, seen & (wrong > 0))):
        stroked(line, np.column_stack([x, row, x, top])[mine])
    ties = np.flatnonzero(belief > belief.max() * (1 - 1e-9))
    few = ties if len(ties) <= 6 else []
    placed(picture.best, x[few], top[few] + 0.02)
    held = [(belief[row == k].sum(), np.count_nonzero((row == k) & (wrong == 0))) for k in range(row.max() + 1)]
    told += written(picture.rows, [f"{share:.3f}    {fit}" for share, fit in held if share])
    told += written(picture.refuted, []) + written(picture.head, [version_space_head(known, noise, belief, wrong)])
    told += written(picture.titles, ["belief    agree"])
    if not noise and len(ties) == left:
        assert "Most probable" not in figure.alt, "each of them has the same, and that is said"
    else:
        assert number(r"Most probable: .*,", figure.alt) == pytest.approx(belief.max(), rel=5.1e-3)
        named = f"⟨{', '.join(hypotheses(table)[ties[0]])}⟩, against {wrong[ties[0]]} of {step} labels"
        assert (named if len(ties) == 1 else f"{len(ties)} tie") in figure.alt
    if noise:
        assert number("together they hold", figure.alt) == pytest.approx(belief[wrong == 0].sum(), abs=5.1e-4)
        assert f"{left} of {size} hypotheses fit" in figure.alt
    else:
        assert f"{left} of {size} hypotheses remain" in figure.alt
        assert number(r"P\(D\) =", figure.alt) == pytest.approx(evidence, rel=1e-3)
        if step:
            assert number("it deleted", figure.alt) == gone
    if taste != 1:
        assert number("λ =", figure.alt) == pytest.approx(math.log(taste), rel=5e-3)
    return told


def version_space_head(known, noise, belief, wrong):
    fits = belief[wrong == 0]
    if noise:
        best = (
            f"the {len(fits)} that fit hold {fits.sum():.3f}"
            if len(fits)
            else f"none fits, the best holds {belief.max():.3f}"
        )
        return f"{noise}% wrong labels: {best}"
    each = f"each {fits[0]:.3g}" if np.ptp(fits) < 1e-12 else f"from {fits.min():.2g} to {fits.max():.3g}"
    return f"{known}: {len(fits)} of {len(belief)} left, {each}"


@cache
def between(step):
    """After a number of days of EnjoySport: what is left, its lower and upper end, and which of it are neighbours."""
    wrong = posterior("EnjoySport", range(step))[1]
    left = [h for h, k in zip(hypotheses("EnjoySport"), wrong) if k == 0]
    days = list(product(*ENJOY_SPORT.values()))
    yes = {h: frozenset(day for day in days if says(h, day)) for h in left}
    bottom = [h for h in left if not any(yes[o] < yes[h] for o in left)]
    top = [h for h in left if not any(yes[o] > yes[h] for o in left)]
    pairs = combinations(left if len(left) <= 64 else [], 2)
    joined = [(a, b) for a, b in pairs if abs(layer(a) - layer(b)) == 1 and (yes[a] < yes[b] or yes[b] < yes[a])]
    return left, bottom, top, joined


@cache
def stands(step):
    """Where each of the hypotheses left stands: rows by the number of "?", from the bottom to the top of the picture."""
    left = between(step)[0]
    floors = sorted(set(map(layer, left)))
    rows = [[h for h in left if layer(h) == floor] for floor in floors]
    heights = np.linspace(0, 1, len(rows)) if len(rows) > 1 else [0]
    return {h: ((k + 0.5) / len(row), y) for row, y in zip(rows, heights) for k, h in enumerate(row)}


def holds_lattice(figure):
    taste, step, days = (figure.values[name] for name in ("taste", "step", "days"))
    belief = posterior("EnjoySport", range(step), taste)[0]
    left, bottom, top, joined = between(step)
    assert ("picked from the concept" in figure.alt) == (days == "picked")
    if days == "picked":
        yes = sum(label for _, label in rows("EnjoySport")[:step])
        covered = np.array([sum(says(h, day) for day in product(*ENJOY_SPORT.values())) for h in left])
        places = [hypotheses("EnjoySport").index(h) for h in left]
        weight = belief[places] * np.where(covered > 0, covered, 1.0) ** -yes
        belief[places] = weight / weight.sum()
    assert f"; {len(left)} hypotheses from S to G" in figure.alt
    named = re.search(r"S = {(.*)}, G = {(.*)};", figure.alt)
    for listed, wanted in zip(named.groups(), (bottom, top)):
        assert {tuple(each.split(", ")) for each in re.findall("⟨(.*?)⟩", listed)} == set(wanted)
    share = dict(zip(hypotheses("EnjoySport"), belief))
    assert number("S has probability", figure.alt) == pytest.approx(share[bottom[0]], abs=5.1e-4)
    picture, at = figure.picture, stands(step)
    middle = [h for h in left if h not in bottom and h not in top]
    for artist, mine in ((picture.between, middle), (picture.specific, bottom), (picture.general, top)):
        np.testing.assert_allclose(artist.get_offsets(), np.reshape([at[h] for h in mine], (-1, 2)))
        by_belief = np.argsort([share[h] for h in mine])
        assert (np.diff(artist.get_sizes()[by_belief]) >= -1e-9).all(), "a larger belief is a larger mark"
    drop = 0.18 if len(left) <= 6 else 0  # a line down begins under the text of a mark that has one
    ends = [sorted(pair, key=layer) for pair in joined]
    stroked(picture.edges, [(*at[a], at[b][0], at[b][1] - drop * (b not in top)) for a, b in ends])
    boxes = [text.get_window_extent() for text in picture.labels if text.get_visible()]
    strokes = picture.edges.axes.transData.transform(picture.edges.get_xydata()).reshape(-1, 3, 2)[:, :2]
    for start, end in strokes:
        assert not any(box.contains(*point) for point in np.linspace(start, end, 50) for box in boxes), (
            "a line through a text"
        )
    named = left if len(left) <= 6 else [h for h in left if h in bottom or h in top]
    told = written(picture.labels, [f"{' '.join(h)} · {share[h]:.3f}" for h in named])
    for text, h in zip(picture.labels, named):
        (x, y), off = at[h], 0.09 if h in top else -0.09
        assert text.get_position() == pytest.approx((np.clip(x, 0.12, 0.88), y + off))
    day = f"Day {step}, {'yes' if rows('EnjoySport')[step - 1][1] else 'no'}" if step else "No day yet"
    return told + written(picture.head, [f"{day}: {len(left)} left"])


def holds_queries(figure):
    row, column, taste, asked = (figure.values[name] for name in ("row", "column", "taste", "asked"))

    def day(tile):
        sky, warm, wind, humid, water, forecast = np.unravel_index(tile, (3, 2, 2, 2, 2, 2))
        codes = (sky, warm, humid, wind, water, forecast)
        return tuple(values[code] for values, code in zip(ENJOY_SPORT.values(), codes))

    six = [h for h, k in zip(hypotheses("EnjoySport"), posterior("EnjoySport", range(4))[1]) if k == 0]
    labels = [(day(int(each[:-1])), each[-1] == "+") for each in asked.split()]
    left = [h for h in six if all(says(h, x) == label for x, label in labels)]
    votes = [sum(says(h, day(tile)) for h in left) for tile in range(96)]
    tally = {int(n): int(count) for count, n in re.findall(r"(\d+) get (\d+)", figure.alt)}
    assert tally == {n: votes.count(n) for n in set(votes)}
    weight = np.array([taste ** -h.count("?") for h in left])
    share = [(weight * [says(h, day(tile)) for h in left]).sum() / weight.sum() if left else 0 for tile in range(96)]
    yes, sure = votes[8 * row + column], share[8 * row + column]
    expected = sure * yes + (1 - sure) * (len(left) - yes)
    assert f"{' '.join(day(8 * row + column))} gets {yes} of {len(left)}." in figure.alt
    if left:
        assert number("expected", figure.alt) == pytest.approx(expected, abs=5.1e-3)
        assert number(r"P\(yes\) =", figure.alt) == pytest.approx(sure, abs=5.1e-4)
    else:
        assert "No conjunction is left" in figure.alt
    picture, votes, away = figure.picture, np.reshape(votes, (12, 8)), np.abs(np.reshape(share, (12, 8)) - 0.5)
    unanimous, nobody = (votes == len(left)) & (votes > 0), votes == 0
    split = ~(unanimous | nobody)
    best = split & (away < away.min() + 1e-9)
    kinds = {"split": split & ~best, "best": best, "yes": unanimous, "no": nobody}
    for line, mine in [(picture.tiles[kind], each) for kind, each in kinds.items()] + [
        (picture.digits[n], votes == n) for n in range(7)
    ]:
        placed(line, *np.nonzero(mine)[::-1])
    placed(picture.chosen, [column], [row])
    chosen = day(8 * row + column)
    told = written(picture.says, ["gone" if h not in left else "yes" if says(h, chosen) else "no" for h in six])
    told += written(picture.beliefs, [f"{each:.3f}" for each in weight / weight.sum()] if left else [])
    told += written(picture.day, [f"{' '.join(chosen[:3])}\n{' '.join(chosen[3:])}"])
    futures = "no hypothesis is left:\nthese labels refute\nthe model"
    if left:
        against = len(left) - yes
        futures = f"P(yes) = {sure:.3f}\nyes leaves {yes}, no leaves {against}\nexpected left: {expected:.2f}"
    return told + written(picture.futures, [futures])


@cache
def animals():
    """(names, looks, types) of the zoo's tiles: animals with the same twelve entries share one, in the order of the file."""
    with open(bl.data.__path__[0] + "/zoo.csv", encoding="utf-8") as file:
        next(file)
        table = list(csv.DictReader(file))
    alike = {}
    for animal in table:
        alike.setdefault(tuple(animal[name] for name in concept_learning.LOOKS), []).append(animal)
    names = [f"{each[0]['name']} +{len(each) - 1}".removesuffix(" +0") for each in alike.values()]
    names[names.index("frog")] = "frog 2"
    return names, list(alike), [each[0]["type"] for each in alike.values()]


def belongs(learn):
    """Which tiles belong to a class or to what a secret rule covers."""
    _, looks, types = animals()
    rule = concept_learning.SECRETS.get(learn)
    if rule is None:
        return [each == learn for each in types]
    return [all(look[concept_learning.LOOKS.index(name)] == value for name, value in rule.items()) for look in looks]


@cache
def covering(look):
    """All rules that cover a look, each as its demands."""
    return frozenset(frozenset(part) for k in range(len(look) + 1) for part in combinations(list(enumerate(look)), k))


@cache
def after(looks, labels):
    """What fits labelled looks: (how many rules, the votes of `every`, S, the rules of G as sets of demands).

    After a yes a rule is a part of what all yes have in common that every no violates. Before it, all but those that cover a no.
    """
    every, seen = looks
    yes, no = ([look for look, label in zip(seen, labels) if label is each] for each in (True, False))
    if not yes:
        gone = frozenset().union(*map(covering, no))
        values = [set(column) for column in zip(*every)]
        size = 1 + math.prod(len(each) + 1 for each in values)
        votes = [len(covering(look) - gone) for look in every]
        space = ConjunctiveSpace(dict(enumerate(values)))
        general = space.candidate_elimination([(look, False) for look in no]).general
        return size - len(gone), votes, None, [{e for e in enumerate(g) if e[1] not in "?∅"} for g in general]
    shared = frozenset.intersection(*(frozenset(enumerate(look)) for look in yes))
    parts = [frozenset(part) for k in range(len(shared) + 1) for part in combinations(sorted(shared), k)]
    fit = [part for part in parts if all(part - set(enumerate(look)) for look in no)]
    votes = [sum(part <= set(enumerate(look)) for part in fit) for look in every]
    general = []
    for part in fit:  # smaller ones come first
        if not any(found < part for found in general):
            general.append(part)
    return len(fit), votes, shared, general


def check_tiles(figure, names, attributes, every, labels):
    """Tiles, S, G and numbers of a state; returns what is written and the state."""
    picture, seen = figure.picture, tuple(every[n] for n in labels)
    left, votes, shared, general = state = after((tuple(every), seen), tuple(labels.values()))
    place = {n: (n % 4, n // 4) for n in range(len(every))}
    opens = [n for n, yes in enumerate(votes) if 0 < yes < left and n not in labels]
    words = {
        "yes": [n for n in labels if labels[n]],
        "no": [n for n in labels if not labels[n]],
        "all yes": [n for n in place if n not in labels and votes[n] == left > 0],
        "all no": [n for n in place if n not in labels and votes[n] == 0 < left],
        "none left": [n for n in place if n not in labels and not left],
    }
    for word, mine in words.items():
        drop = 0.25 if "yes" in word else 0.2
        placed(picture.words[word], *np.reshape([(x, y + drop) for x, y in map(place.get, sorted(mine))], (-1, 2)).T)
    for line, mine in ((picture.asked, sorted(labels)), (picture.open, opens)):
        placed(line, *np.reshape([(x, y + 0.2) for x, y in map(place.get, mine)], (-1, 2)).T)
    bars = [(place[n], votes[n] / left) for n in opens]
    stroked(picture.shares, [(x - 0.44, y + 0.2, x - 0.44 + 0.88 * share, y + 0.2) for (x, y), share in bars])
    placed(picture.outlines, *np.array(list(place.values())).T)
    told = written(picture.names, names) + written(picture.attributes, attributes)
    demands = (
        [dict(shared).get(n, "?") for n in range(len(attributes))] if shared is not None else ["∅"] * len(attributes)
    )
    told += written(picture.specific, ["S", *demands] if left else [])
    counts = [sum(n in dict(rule) for rule in general) for n in range(len(attributes))]
    told += written(picture.general, [f"in G: {len(general)}", *(str(each) for each in counts if each)] if left else [])
    assert f"{left:,} of {1 + math.prod(len(set(column)) + 1 for column in zip(*every)):,} rules" in figure.alt
    if left:
        assert f"G has {len(general)} rule" in figure.alt
    else:
        clash = [n for n, label in labels.items() if not label and shared <= set(enumerate(every[n]))]
        assert "No conjunction fits" in figure.alt
        assert figure.alt.rstrip(".").partition("also covers ")[2].split(", ") == [names[n] for n in clash]
    if left and shared is not None:
        said = ", ".join(f"{attributes[n]} {value}" for n, value in sorted(shared)) or "nothing is demanded"
        assert f" S: {said}." in figure.alt
    return told, state, opens


def holds_zoo(figure):
    learn, at, asked = (figure.values[name] for name in ("learn", "at", "asked"))
    names, looks, _ = animals()
    truth, numbers = belongs(learn), [int(each) for each in asked.split()]
    labels = {n: truth[n] for n in numbers}
    told, (left, votes, _, _), opens = check_tiles(figure, names, concept_learning.LOOKS, looks, labels)
    picture = figure.picture
    placed(picture.chosen, [at % 4], [at // 4])
    assert f"The frame is round {names[at]}: {votes[at]:,} say yes." in figure.alt
    told += written(picture.head, [f"{learn}: {len(labels)} asked\n{left:,} rules left"])
    assert figure.alt.startswith(f"{learn}: {len(labels)} asked about") and f"{len(opens)} tiles open" in figure.alt
    last = []
    if numbers:
        before = after((tuple(looks), tuple(looks[n] for n in numbers[:-1])), tuple(truth[n] for n in numbers[:-1]))[0]
        last = [f"{names[numbers[-1]].partition(' +')[0]} deleted {before - left:,}"]
        assert f"it deleted {before - left:,}." in figure.alt
    if left and not opens:
        wrong = [names[n] for n in range(len(looks)) if n not in labels and (votes[n] > 0) != truth[n]]
        assert (f"wrong about {', '.join(wrong)}." if wrong else "right about all that was not asked") in figure.alt
    return told + written(picture.last, last)


def holds_own_rule(figure):
    if figure.alt.startswith(EXPLAINED):
        return []
    head, *table = [
        [each.strip() for each in re.split("[,;]", line)] for line in figure.values["text"].splitlines() if line
    ]
    said = {"yes": True, "no": False}
    labels = {n: said[row[-1]] for n, row in enumerate(table) if row[-1] in said}
    names, looks = [row[0] for row in table], [tuple(row[1:-1]) for row in table]
    told, (left, votes, _, _), opens = check_tiles(figure, names, head[1:-1], looks, labels)
    told += written(figure.picture.head, [f"{len(labels)} rows labelled\n{left:,} rules left"])
    assert figure.alt.startswith(f"{len(labels)} of {len(table)} rows are labelled")
    best = min(opens, key=lambda n: abs(votes[n] - left / 2), default=None)
    placed(figure.picture.chosen, *([[], []] if best is None else [[best % 4], [best // 4]]))
    if best is not None:
        assert f"label “{names[best]}” next, {votes[best]:,} say yes" in figure.alt
    return told + written(figure.picture.last, [] if best is None else [f"ask: {names[best]}"])


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s02_concept_learning/questions.toml").read_text()
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
