"""Section 09: what must hold of its figures, with counts, scores and climbs worked out once more in plain Python."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product
from math import comb, log, prod

import numpy as np
import pandas as pd
import pytest

from bayeslib import data, live
from bayeslib.models.networks import examples, family_scores, fit, graph, hill_climb, moves
from bayeslib.models.networks import score as network_score
from tests.figures import press, says

STUDENTS = ("studies", "attends", "knows", "exam", "homework")
ROWS = [dict(zip(STUDENTS, map(int, row))) for row in data.load_student().to_numpy()]
GIVEN = "".join(str(row[v]) for row in ROWS for v in STUDENTS)
ABOVE = {"studies": [], "attends": [], "knows": ["studies", "attends"], "exam": ["knows"], "homework": ["knows"]}
NOTHING, FULL = {v: [] for v in STUDENTS}, {v: list(STUDENTS[:i]) for i, v in enumerate(STUDENTS)}
HEARTS = data.load_heart()
LETTERS = {"S": [], "A": [], "K": ["S", "A"], "E": ["K"], "H": ["K"]}
LINKS = [
    None,
    ["Angina", "Rate", "out"],
    ["Disease", "Rate", "turned"],
    ["Scan", "Disease", "out"],
    ["Sex", "Rate", "out"],
]
SETTINGS = {
    "hearts": {"stage": ["drawn", "gains", "settled"], "touched": LINKS},
    "rows_and_tables": {"cells": [GIVEN, "0" * 25, "1" * 25, GIVEN[::-1], "1011001011011000001011111"]},
    "graph_wall": {"held": list(range(25))},
    "gain_and_price": {"number": [0, 7, 1999]},
}


def part(rows, child, parents):
    """The fit of one family by plain counting."""
    cells = Counter((*(row[p] for p in parents), row[child]) for row in rows)
    lines = Counter(tuple(row[p] for p in parents) for row in rows)
    return sum(n * log(n / lines[cell[:-1]]) for cell, n in cells.items())


class Table:
    """Rows of words, each family scored once, and the climb that only adds."""

    def __init__(self, columns):
        self.names, self.known = list(columns), {}
        self.rows = [dict(zip(self.names, row)) for row in zip(*(list(columns[v]) for v in self.names))]
        self.states = {v: len(set(columns[v])) for v in self.names}

    def bic(self, child, parents):
        key = child, frozenset(parents)
        if key not in self.known:
            free = (self.states[child] - 1) * prod(self.states[p] for p in parents)
            self.known[key] = part(self.rows, child, sorted(parents)) - 0.5 * log(len(self.rows)) * free
        return self.known[key]

    def score(self, arrows):
        return sum(self.bic(v, [a for a, b in arrows if b == v]) for v in self.names)

    def climb(self):
        arrows, gains = [], []
        while True:
            found = {}
            for a, b in permutations(self.names, 2):
                if (a, b) not in arrows and not leads(arrows, b, a):
                    above = [p for p, v in arrows if v == b]
                    found[a, b] = self.bic(b, [*above, a]) - self.bic(b, above)
            best = max(found, key=lambda arrow: round(found[arrow], 7))
            if found[best] <= 0:
                return arrows, gains
            arrows.append(best)
            gains.append(found[best])

    def best_pair(self):
        """What the best first arrow gains, over all pairs."""
        return max(self.bic(b, [a]) - self.bic(b, []) for a, b in combinations(self.names, 2))


def leads(arrows, a, b):
    return a == b or any(leads(arrows, v, b) for u, v in arrows if u == a)


def acyclic(arrows):
    while arrows:
        rest = [(a, b) for a, b in arrows if a in {v for _, v in arrows}]
        if len(rest) == len(arrows):
            return False
        arrows = rest
    return True


def fixed(arrows):
    """The arrows that point the same way in every drawing with the same links and colliders, found by turning them all."""

    def colliders(drawn):
        linked = {frozenset(arrow) for arrow in drawn}
        return {
            (frozenset((a, c)), b)
            for (a, b), (c, d) in combinations(drawn, 2)
            if b == d and frozenset((a, c)) not in linked
        }

    wanted, same = colliders(arrows), []
    for turned in product((False, True), repeat=len(arrows)):
        drawn = [arrow[::-1] if turn else arrow for arrow, turn in zip(arrows, turned)]
        if colliders(drawn) == wanted and acyclic(drawn):
            same.append(set(drawn))
    return set.intersection(*same) if same else set(), len(same)


def shuffled(columns, seed):
    random = np.random.default_rng(seed)
    return {v: random.permutation(columns[v]) for v in columns}


@cache
def table_of(columns="as recorded", sample=0, shuffle=0):
    """Row 0 of the draws and shuffles has the number 100: 0 means none."""
    rows = HEARTS[HEARTS.columns[::-1]] if "reversed" in columns else HEARTS
    rows = rows.drop(columns="Disease") if "without" in columns else rows
    rows = rows.sample(200, random_state=sample % 100) if sample else rows
    return Table(shuffled(rows, shuffle % 100) if shuffle else rows)


climb_of = cache(lambda *table: table_of(*table).climb())


def claims_hearts(columns, sample, shuffle, stage, touched, step, said):
    if stage == "drawn":
        return says(said, 297, digits=0)
    table, (arrows, gains) = table_of(columns, sample, shuffle), climb_of(columns, sample, shuffle)
    now = list(arrows[:step])
    if touched and tuple(touched[:2]) in now and stage == "settled":
        now.remove(tuple(touched[:2]))
        now += [tuple(touched[1::-1])] if touched[2] == "turned" else []
        says(said, abs(table.score(now) - table.score(arrows[:step])), digits=2)
    elif step:
        says(said, gains[step - 1], digits=2)
    if stage == "settled":
        heads = len(graph.compelled({v: [a for a, b in now if b == v] for v in table.names}))
        says(said, abs(table.score(now)), digits=2)
        says(said, *([heads] if heads else []), *([len(now)] if now else []), digits=0)


def claims_graph_wall(held, said):
    columns = ("Sex", "Scan", "Disease")
    scores = [network_score(each, HEARTS[list(columns)]) for each in graph.every_graph(columns)]
    (own,) = {round(each, 3) for each in scores for value in said if abs(value + each) < 5.1e-4}
    says(said, sum(abs(own - each) < 1e-3 for each in scores), digits=0)


def mean_gain(n, shuffled):
    """What Scan → Disease gains on average with n of the patients, exactly: each count is hypergeometric."""

    def mean(count, low=0):  # of k ln k, for k of `count` marked among n drawn of 297
        return sum(
            comb(count, k) * comb(297 - count, n - k) / comb(297, n) * k * log(k) for k in range(1, min(count, n) + 1)
        )

    counts = pd.crosstab(HEARTS["Scan"], HEARTS["Disease"]).to_numpy().tolist()
    rows, columns = [sum(row) for row in counts], [sum(column) for column in zip(*counts)]
    cells = sum(mean(cell) for row in counts for cell in row)
    if shuffled:  # the cell itself is hypergeometric too
        cells = sum(
            comb(c, k) * comb(297 - c, r - k) / comb(297, r) * mean(k)
            for r in rows
            for c in columns
            for k in range(1, min(r, c) + 1)
        )
    return cells - sum(map(mean, rows)) - sum(map(mean, columns)) + n * log(n)


def claims_gain_and_price(patients, number, said):
    says(said, log(patients), digits=2)
    says(said, patients, digits=0)
    real = [value for value in said if abs(value - mean_gain(patients, False)) < 0.3]
    assert real, (patients, said)


def claims_rows_and_tables(cells, step, said):
    rows = [dict(zip(STUDENTS, cells[k : k + 5])) for k in range(0, 5 * step, 5)]
    parts = [-part(rows, v, ABOVE[v]) for v in STUDENTS]
    says(said, *parts, sum(parts), digits=3)


# What the figures do


def test_a_click_strikes_a_link_out_turns_it_and_puts_it_back():
    figure = live.hearts()

    def click(name):  # before the bet is settled the reader cannot
        figure.set(**figure.spec.click(figure.values, name))
        return figure.alt

    said = click("touch Angina/Rate")
    assert "9 links" in said and "no arrowheads" in said and "(Rate −5.66)" in said
    assert "Angina – Rate turned round" in click("touch Angina/Rate")
    assert "Scan – Disease struck out" in click("touch Disease/Scan")
    said = click("touch Disease/Scan")
    assert "turned round" in said and "Disease" in said.split("(")[1] and "Scan" in said.split("(")[1]
    assert "10 links" in click("touch Disease/Scan") and "4 arrowheads" in figure.alt


def test_turning_an_arrow_leads_to_another_drawing_or_nowhere():
    figure = live.graph_wall()
    figure.click("turn Sex/Scan")
    assert "BIC −603.454, shared by 3" in figure.alt
    figure.preset("a chain")
    figure.click("turn Scan/Disease")
    assert figure.alt.startswith("Disease → Scan, Sex → Scan: BIC −616.533, shared by 1 drawing")
    figure.preset("all linked")
    before = figure.values
    figure.click("turn Sex/Disease")
    assert figure.values == before and "Turn Sex → Disease: a circle" in figure.alt
    press(figure, "t", "ArrowRight")
    assert figure.values != before


def test_one_cell_of_knows_moves_three_parts():
    figure = live.rows_and_tables()
    figure.click("cell 7")
    assert "knows 0.000, exam −2.773, homework −2.773" in figure.alt
    assert figure.alt.endswith("Moved: knows, exam, homework.")


# Numbers of the lesson


def test_the_five_students():
    parts = family_scores(ABOVE, pd.DataFrame(ROWS), "mle")
    assert [round(parts[v], 3) for v in STUDENTS] == [-3.365, -3.365, -1.386, -3.296, -3.296]
    learned = fit(ABOVE, pd.DataFrame(ROWS))
    assert learned.joint(ROWS[4]) == pytest.approx(2 / 5 * 3 / 5 * 2 / 3 / 3) and learned.parameter_count == 10
    graphs = NOTHING, ABOVE, FULL
    told = [[round(network_score(g, pd.DataFrame(ROWS), kind), 3) for g in graphs] for kind in ("mle", "bic", "bdeu")]
    assert told == [[-16.825, -14.708, -8.047], [-20.849, -22.755, -32.993], [-22.233, -25.294, -22.116]]
    assert [sum(2 ** len(g[v]) for v in g) for g in graphs] == [5, 10, 31]
    assert told[2][1] + 4 * log(0.1) == pytest.approx(-34.5, abs=0.01)
    virtual = fit(ABOVE, pd.DataFrame(ROWS), "m", m=2).table("knows")
    assert [round(row[1], 3) for row in virtual.values()] == [0.333, 0.5, 0.667, 0.667]


def test_the_arrow_from_scan_to_disease():
    counts = pd.crosstab(HEARTS["Scan"], HEARTS["Disease"]).loc[["normal", "reversible", "fixed"]].to_numpy()
    assert counts.tolist() == [[127, 37], [27, 88], [6, 12]]
    lines = [sum(n * log(n / sum(line)) for n in line) for line in counts.tolist()]
    assert [round(each, 2) for each in lines] == [-87.56, -62.67, -11.46]
    gain = part(HEARTS.to_dict("records"), "Disease", ["Scan"]) - part(HEARTS.to_dict("records"), "Disease", [])
    assert (gain, gain - log(297)) == pytest.approx((43.28, 37.59), abs=5e-3)


def test_chance_gains_one_nat_with_two_numbers_however_many_patients():
    assert (mean_gain(75, False), mean_gain(297, False)) == pytest.approx((11.8, 43.28), abs=0.05)
    assert (mean_gain(75, True), mean_gain(297, True)) == pytest.approx((1.1, 1.0), abs=0.05)
    figure = live.gain_and_price()
    for n, gain in ((75, "1.08"), (297, "1.01")):
        figure.set(patients=n)
        assert f"a shuffled scan {gain}" in figure.alt


def test_three_columns_have_25_drawings_and_11_scores():
    columns = ["Sex", "Scan", "Disease"]
    scores = [round(network_score(each, HEARTS[columns]), 3) for each in graph.every_graph(columns)]
    assert (len(scores), len(set(scores))) == (25, 11)
    assert max(scores) == -603.454 and scores.count(max(scores)) == 3
    weights = np.array([network_score(each, HEARTS[columns], "bdeu") for each in graph.every_graph(columns)])
    weights = np.exp(weights - weights.max()) / np.exp(weights - weights.max()).sum()
    drawn = [{(a, b) for b in each for a in each[b]} for each in graph.every_graph(columns)]
    assert sorted(weights.round(3))[-3:] == [0.319] * 3
    linked = sum(w for w, each in zip(weights, drawn) if {("Sex", "Disease"), ("Disease", "Sex")} & each)
    assert linked == pytest.approx(0.04, abs=5e-3)
    assert sum(w for w, each in zip(weights, drawn) if ("Scan", "Disease") in each) == pytest.approx(0.66, abs=5e-3)


def test_the_climb_on_the_hearts_ends_where_the_order_of_the_columns_lets_it():
    arrows, gains = climb_of()
    assert table_of().score(arrows) == pytest.approx(-1949.18, abs=5e-3)
    assert [round(each, 3) for each in gains[:2] + gains[-1:]] == [37.586, 33.226, 5.660]
    table = table_of()
    assert table.bic("Disease", ["Sex"]) - table.bic("Disease", []) == pytest.approx(9.067, abs=5e-4)
    turned, again = climb_of("columns reversed")
    assert {frozenset(each) for each in turned} == {frozenset(each) for each in arrows}
    assert len(set(arrows) - set(turned)) == 3 and round(again[-1], 3) == 1.457
    assert table.score(turned) == pytest.approx(-1953.39, abs=5e-3)
    back = [("Rate", "ST") if each == ("ST", "Rate") else each for each in turned]
    assert table.score(back) > table.score(turned) + 4


def test_four_heads_hang_on_one_arrow():
    arrows = climb_of()[0]
    heads, drawings = fixed(arrows)
    assert drawings == 7 and heads == {("Disease", "Rate"), ("Angina", "Rate"), ("Disease", "ST"), ("Rate", "ST")}
    assert not fixed([each for each in arrows if each != ("Angina", "Rate")])[0]


def test_what_chance_draws():
    chance = [Table(shuffled(HEARTS, seed)).best_pair() for seed in range(100)]
    assert sum(gain > 0 for gain in chance) == 26 and max(chance) == pytest.approx(4.97, abs=5e-3)
    assert max(chance) < climb_of()[1][-1]
    pairs = Counter(max(HEARTS[a].nunique(), HEARTS[b].nunique()) == 2 for a, b in combinations(HEARTS, 2))
    assert pairs == {True: 15, False: 21} and log(297) / 2 == pytest.approx(2.85, abs=5e-3)


def test_without_disease_its_neighbours_are_linked():
    found = dict(zip(map(frozenset, climb_of("without Disease")[0]), climb_of("without Disease")[1]))
    assert found[frozenset(("Angina", "Rate"))] == pytest.approx(20.0, abs=0.05)
    assert found[frozenset(("Rate", "ST"))] == pytest.approx(19.2, abs=0.05)
    assert {frozenset(("ST", "Scan")), frozenset(("Rate", "Age"))} <= found.keys()


@pytest.mark.heavy
def test_how_touchy_the_drawing_is():
    climbs = [climb_of("as recorded", number)[0] for number in range(1, 101)]
    times = Counter(frozenset(arrow) for arrows in climbs for arrow in arrows)
    assert [times[frozenset(link)] for link in (("Scan", "Disease"), ("Pain", "Angina"))] == [100, 35]
    assert sum(not graph.compelled({v: [a for a, b in arrows if b == v] for v in HEARTS}) for arrows in climbs) == 54


@pytest.mark.heavy
def test_on_new_patients_the_program_draws_about_as_well_as_we_did():
    states, told = {v: sorted(HEARTS[v].unique()) for v in HEARTS}, []
    for seed in range(20):
        mixed = HEARTS.sample(frac=1, random_state=seed)
        old, new = mixed[:200], mixed[200:].to_dict("records")
        arrows = Table(old).climb()[0]
        own = {v: [a for a, b in arrows if b == v] for v in HEARTS}
        searched = [
            hill_climb(old, kind, max_parents=limit, states=states).parents
            for kind, limit in (("bic", None), ("mle", 3))
        ]
        drawn = {v: [] for v in HEARTS}, examples.heart_arrows(), own, *searched
        told.append([np.mean([*map(fit(g, old, "laplace", states=states).log_joint, new)]) for g in drawn])
    assert np.mean(told, axis=0).round(3).tolist() == [-7.195, -6.426, -6.435, -6.445, -6.533]


@pytest.mark.heavy
def test_the_last_arrow_beats_what_chance_makes_of_it_among_the_ill_and_the_others():
    ill, angina = (pd.factorize(HEARTS[v])[0] for v in ("Disease", "Angina"))
    random, best, rate = np.random.default_rng(0), [], pd.factorize(HEARTS["Rate"])[0]
    for _ in range(2000):
        mixed = angina.copy()
        for group in (0, 1):
            mixed[ill == group] = random.permutation(mixed[ill == group])
        table = Table({"ill": ill, "angina": mixed, "rate": rate})
        best.append(table.bic("rate", ["ill", "angina"]) - table.bic("rate", ["ill"]))
    assert 2.0 < max(best) < 3.5 < climb_of()[1][-1]


def test_ideal_rows_of_the_student_network():
    rows = examples.typical_rows(examples.student(), 200)
    ends = Counter(round(hill_climb({v: rows[v] for v in order}).score, 3) for order in permutations(rows))
    assert len(rows["S"]) == 198 and ends == {-615.117: 104, -613.816: 16}
    for n, wins in ((50, False), (100, True), (200, True), (1000, True)):
        rows = examples.typical_rows(examples.student(), n)
        assert (network_score(LETTERS, rows) >= hill_climb(rows).score - 1e-6) == wins, n
    few = examples.typical_rows(examples.student(), 50)
    assert (network_score(LETTERS, few), hill_climb(few).score) == pytest.approx((-158.838, -157.685), abs=5e-4)


def test_every_first_arrow_of_the_riddle_loses_one_number_and_a_second_gains():
    riddle, empty = examples.either_or(), {v: () for v in "BEA"}
    assert [move.gain for move in moves(empty, riddle)] == pytest.approx([-0.5 * log(200)] * 6)
    both = network_score({"B": [], "E": [], "A": ["B", "E"]}, riddle) - network_score(empty, riddle)
    assert both == pytest.approx(65.665, abs=5e-4)


def test_numbers_of_the_quiz():
    assert [round(k * log(400), 2) for k in (1, 3, 6, 9)] == [5.99, 17.97, 35.95, 53.92]
    assert (2 - log(150) / 2, 4 - log(300) / 2) == pytest.approx((-0.51, 1.15), abs=6e-3)
    sprinkler = {"Rain": [], "Sprinkler": [], "Wet": ["Rain", "Sprinkler"], "Slippery": ["Wet"]}
    assert len(graph.compelled(sprinkler)) == 3


def test_a_survey_without_links_has_about_as_many_arrows():
    random = np.random.default_rng(0)
    drawn = [len(hill_climb(pd.DataFrame(random.integers(0, 2, (60, 25)))).history) for _ in range(8)]
    assert min(drawn) > 8 and np.mean(drawn) == pytest.approx(18, abs=4)
