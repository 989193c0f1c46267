"""Section 04: what must hold of its figures."""

import json
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib import live
from bayeslib.data import load_titanic
from bayeslib.live.bayes_optimal import ODD, WEEKS
from bayeslib.models.concepts import (
    ConjunctiveSpace,
    best_number,
    draw_trials,
    expected_errors,
    gibbs_error,
    threshold_runs,
)
from tests.figures import EXPLAINED, number, placed, sized, written
from tests.lab import ROOT

TABLES = [WEEKS, ODD, "a; b; c\n1;0;1\n0;0;1", "x,y\nyes,no", "one, two\nyes, maybe", ""]
SETTINGS = {"forecasters": {"text": TABLES}}

# Weights all over the triangle, away from its borders, to measure areas by counting.
GRID = np.array([(i, j, 90 - i - j) for i in range(90) for j in range(90 - i)]) + 1 / 3
GRID = GRID / GRID.sum(axis=1, keepdims=True)


CORNERS = np.array([[0.5, np.sqrt(0.75)], [0, 0], [1, 0]])  # of the triangle, where all weight is on h1, h2, h3


def share_of_triangle(polygons):
    """The part of the triangle that the polygons, those that can be seen, cover together."""
    outlines = [polygon.get_xy().T for polygon in polygons if polygon.get_visible()]
    twice = [abs(np.dot(x[:-1], y[1:]) - np.dot(x[1:], y[:-1])) for x, y in outlines]
    return sum(twice) / np.sqrt(0.75)


def holds_weighted_vote(figure):
    parts, percent = ([figure.values[f"{kind}{h}"] for h in "123"] for kind in "wq")
    if not any(parts):
        assert figure.alt.startswith(EXPLAINED + "weights must not all be 0")
        return
    exact = [Fraction(part, sum(parts)) for part in parts]
    total = sum(weight * each / 100 for weight, each in zip(exact, percent))
    vote, other = float(total), float(1 - total)
    weights, plus, picture = np.array(exact, float), np.array(percent) / 100, figure.picture
    places, nothing = np.array([0, 1, 2, 3.7, 4.7]), np.zeros(5)
    yes, against = np.array([*weights * plus, vote, 0]), np.array([*weights * (1 - plus), 0, other])
    sized(picture.plus, x=places - 0.4, y=nothing, width=0.8, height=yes)
    sized(picture.minus, x=places - 0.4, y=yes, width=0.8, height=against)
    assert number(r"× [\d.]+ =", figure.alt) == pytest.approx(vote, abs=5.1e-5)
    assert number(r"P\(−\|D\) =", figure.alt) == pytest.approx(other, abs=5.1e-5)
    best = np.flatnonzero(weights > weights.max() - 1e-9)
    placed(picture.crown, best, weights[best] + 0.2)
    won = [label for label, share in (("+", vote), ("−", other)) if share > 0.5 - 1e-9]
    wins = [{"+": (3.7, vote + 0.2), "−": (4.7, other + 0.2)}[each] for each in won]
    placed(picture.winner, *np.transpose(wins))
    assert f"so it says {won[0] if len(won) == 1 else 'either, a tie'}." in figure.alt
    # What MAP says: each of the best hypotheses says what it holds more probable, half and half where it cannot tell.
    says = np.mean([0.5 if plus[h] == 0.5 else plus[h] > 0.5 for h in best])
    tied = abs(says - 0.5) < 1e-9 or len(won) > 1
    verdict = "a tie" if tied else "MAP and vote " + ("agree" if (says > 0.5) == (won == ["+"]) else "disagree")
    assert f"{verdict[0].upper()}{verdict[1:]};" in figure.alt
    of_map = plus[GRID.argmax(axis=1)]
    disagree = ((of_map > 0.5) & (GRID @ plus < 0.5)) | ((of_map < 0.5) & (GRID @ plus > 0.5))
    share = number(r"disagree on(?: \d+/\d+ =)?", figure.alt)
    assert share == pytest.approx(disagree.mean(), abs=0.02)
    assert share == pytest.approx(share_of_triangle(picture.parts), abs=5.1e-5)
    assert share_of_triangle([picture.says_plus]) == pytest.approx((GRID @ plus > 0.5 - 1e-9).mean(), abs=0.02)
    middles, centre = (CORNERS + CORNERS[[1, 2, 0]]) / 2, CORNERS.mean(axis=0)
    placed(picture.spokes, *np.array([end for middle in middles for end in (centre, middle)]).T)
    placed(picture.dot, *(weights @ CORNERS)[:, None])
    told = written(picture.numbers, [f"{each:.3g}" for each in (*weights, vote, other)])
    drawn = figure.alt.rpartition("disagree on ")[2].rstrip(".")  # the caption's share was measured above
    assert float(Fraction(drawn.split()[0])) == pytest.approx(share, abs=5.1e-5)
    return told + written([picture.verdict, picture.share], [verdict, drawn])


def clerk_errors(p, truth, leader):
    """The errors of the clerks where + has the weight p, h_MAP says `leader`, and the truth is drawn or fixed."""
    minus = {"drawn": 1 - p, "+": 0 * p, "−": 0 * p + 1}[truth]  # how often the truth is −
    vote = np.where(p == 0.5, 0.5, np.where(p > 0.5, minus, 1 - minus))
    return {"vote": vote, "Gibbs": p * minus + (1 - p) * (1 - minus), "MAP": minus if leader == "+" else 1 - minus}


def holds_three_clerks(figure):
    p, leader, truth = figure.values["p"] / 100, figure.values["leader"], figure.values["truth"]
    picture, grid = figure.picture, np.linspace(0, 1, 201)
    errors = {clerk: float(error) for clerk, error in clerk_errors(p, truth, leader).items()}
    curves = clerk_errors(grid, truth, leader)
    vote, gibbs = errors["vote"], errors["Gibbs"]
    for clerk, line in picture.lines.items():
        hidden = (clerk == "MAP") & (curves["MAP"] == curves["vote"])  # under the vote's line
        placed(line, grid, np.where(hidden, np.nan, curves[clerk]))
        placed(picture.points[clerk], [p], [errors[clerk]])
    placed(picture.bound, grid, [min(1, 2 * each) for each in curves["vote"]])
    placed(picture.here, [p, p], [0, 1])
    sized(picture.bars, x=0, y=range(3), width=[*errors.values()], height=0.4)
    assert number("an error: vote", figure.alt) == pytest.approx(vote, abs=5.1e-4)
    assert number("Gibbs", figure.alt) == pytest.approx(gibbs, abs=5.1e-5)
    assert number(r"says [+−],", figure.alt) == pytest.approx(errors["MAP"], abs=5.1e-4)
    if vote == 0:
        assert "never errs" in figure.alt
    else:
        assert number(r"Gibbs [\d.]+,", figure.alt) == pytest.approx(gibbs / vote, abs=5.1e-3)
        assert ("above twice" in figure.alt) == (gibbs > 2 * vote)
    return written(picture.numbers, [f"{error:.3f}" for error in errors.values()])


@cache
def played(truth):
    """2000 runs with this truth: truth, points and Gibbs' cuts of the first 20 of them, and the clerks' mean errors."""
    runs = threshold_runs(30, 2000, None if truth == "drawn" else truth / 100, random_state=0)
    true, points = runs["truth"][:, None], runs["points"]
    ends = []
    for seen in range(31):
        left, right = (np.where(side, points, out)[:, :seen] for side, out in ((points < true, 0), (points >= true, 1)))
        ends.append((left.max(axis=1, initial=0), right.min(axis=1, initial=1)))
    low, high = np.transpose(ends, (1, 2, 0))
    cuts = {"vote": (low + high) / 2, "Gibbs": runs["cuts"]["Gibbs"], "MAP": high}
    assert ((low <= cuts["Gibbs"]) & (cuts["Gibbs"] <= high)).all()
    means = {clerk: np.abs(cut - true).mean(axis=0) for clerk, cut in cuts.items()}
    return runs["truth"][:20], points[:20], cuts["Gibbs"][:20], means


def holds_shrinking_gap(figure):
    truth, run, step, picture = figure.values["truth"], figure.values["run"] - 1, figure.values["step"], figure.picture
    truths, points, gibbs, means = played(truth)
    true, points = truths[run], points[run, :step]
    minus, plus = points[points < true], points[points >= true]
    low, high = max(minus, default=0), min(plus, default=1)
    placed(picture.minus, minus, -0.5)
    placed(picture.plus, plus, -0.5)
    placed(picture.truth, [true, true], [-1, 0.96])
    sized([picture.gap], x=low, y=-1, width=high - low, height=1.96)
    for clerk, cut in (("vote", (low + high) / 2), ("Gibbs", gibbs[run, step]), ("MAP", high)):
        placed(picture.cuts[clerk], [cut], [0.45])
        placed(picture.dots[clerk], np.arange(step + 1), means[clerk][: step + 1])
    placed(picture.here, [step, step], [0, 1])
    gap = 2 / (np.arange(31) + 2)
    for clerk, part in (("vote", 4), ("Gibbs", 3), ("MAP", 2)):
        placed(picture.theory[clerk], np.arange(31), gap / part)
    assert number("truth", figure.alt.partition("Run")[2]) == pytest.approx(true, abs=5.1e-4)
    assert number("gap from", figure.alt) == pytest.approx(low, abs=5.1e-4)
    assert number(r"gap from [\d.]+ to", figure.alt) == pytest.approx(high, abs=5.1e-4)
    now = {clerk: mean[step] for clerk, mean in means.items()}
    if truth == "drawn":
        assert [*now.values()] == pytest.approx([gap[step] / 4, gap[step] / 3, gap[step] / 2], rel=0.1)
        assert number("expected gap", figure.alt) == pytest.approx(gap[step], abs=5.1e-5)
        assert number("Gibbs", figure.alt) == pytest.approx(gap[step] / 3, abs=5.1e-5)
        assert number(r"as 3 : [\d.]+ :", figure.alt) == pytest.approx(3 * now["MAP"] / now["vote"], abs=5.1e-3)
    else:
        theta = truth / 100  # the first + is further than t beyond it if all points miss that stretch: (1 − t)^m
        assert true == theta
        assert now["MAP"] == pytest.approx((1 - theta ** (step + 1)) / (step + 1), rel=0.15)
        for clerk, error in now.items():
            assert number(clerk, figure.alt) == pytest.approx(error, abs=5.1e-5)
        assert ("never errs" in figure.alt) == (now["vote"] == 0)


def scaled(scale, low, high):
    """What is written at the ticks of a scale from `low` to `high`."""
    return written(scale.labels, [f"{low + tick * (high - low):g}" for tick in scale.ticks])


def holds_costly_errors(figure):
    p, missed, alarm = figure.values["p"] / 100, figure.values["missed"], figure.values["alarm"]
    picture, grid, top = figure.picture, np.linspace(0, 1, 201), max(missed, alarm)
    costs = {"+": (1 - p) * alarm, "−": p * missed}
    for answer, line in (("+", alarm - alarm * grid), ("−", missed * grid)):
        placed(picture.lines[answer], grid, line / top)
        placed(picture.points[answer], [p], [costs[answer] / top])
    placed(picture.here, [p, p], [0, 1])
    placed(picture.change, [alarm / (alarm + missed)] * 2, [0, 1])
    sized(picture.bars, x=0, y=range(2), width=[cost / top for cost in costs.values()], height=0.4)
    assert number(r"saying \+ costs", figure.alt) == pytest.approx(costs["+"], abs=5.1e-3)
    assert number("average, saying −", figure.alt) == pytest.approx(costs["−"], abs=5.1e-3)
    assert number(r"\d+/\d+ =", figure.alt) == pytest.approx(alarm / (alarm + missed), abs=5.1e-4)
    cheaper = "either, a tie" if costs["+"] == pytest.approx(costs["−"]) else min(costs, key=costs.get)
    assert f"the cheaper answer is {cheaper}." in figure.alt
    return scaled(picture.scale, 0, top) + written(picture.numbers, [f"{cost:.2f}" for cost in costs.values()])


def holds_one_number(figure):
    far, first, loss = figure.values["far"], figure.values["weight"] / 100, figure.values["loss"]
    numbers, weights = np.array([12, 16, far]), np.array([first, (1 - first) / 2, (1 - first) / 2])
    top = {"squared": 320, "absolute": 24}[loss]

    def cost(answer):
        off = np.abs(numbers - answer)
        return float(weights @ (off**2 if loss == "squared" else off))

    picture, answers = figure.picture, np.linspace(0, 40, 401)
    placed(picture.curve, answers, [cost(answer) / top for answer in answers])
    sized(picture.stems, x=numbers - 0.25, y=0, width=0.5, height=weights)
    heaviest = numbers[weights > weights.max() - 1e-9].mean()
    # half of the weight lies at or below the median, and at or above it
    (median, *_), mean = [x for x in sorted(numbers) if weights[numbers <= x].sum() >= 0.5 - 1e-9], weights @ numbers
    assert weights[numbers >= median].sum() >= 0.5 - 1e-9
    for name, answer in (("MAP", heaviest), ("median", median), ("mean", mean)):
        placed(picture.points[name], [answer], [cost(answer) / top])
        assert number(name, figure.alt.partition("loss:")[2]) == pytest.approx(answer, rel=6e-4)
        assert number(rf"{name} [\d.]+", figure.alt.partition("loss:")[2].replace("(", "")) == pytest.approx(
            cost(answer), rel=6e-4, abs=1e-9
        )
    best = mean if loss == "squared" else median
    assert all(cost(best) <= cost(answer) + 1e-9 for answer in answers)
    assert figure.alt.endswith(f"Least: the {'mean' if loss == 'squared' else 'median'}.")
    placed(picture.best, [best], [cost(best) / top + 0.14])
    told = written(picture.names, [f"h{number}: {at}" for number, at in enumerate(numbers, 1)])
    return told + scaled(picture.scale, 0, top)


@cache
def titanic():
    """Rule → (what it says of each kind), the kinds, and their people by label."""
    table = load_titanic()
    kinds = list(dict.fromkeys(zip(table["status"], table["age"], table["sex"])))
    values = [list(dict.fromkeys(table[name])) for name in ("status", "age", "sex")]
    rules = ConjunctiveSpace(dict(zip(("status", "age", "sex"), values))).hypotheses()
    says = [[all(want in ("?", have) for want, have in zip(rule, kind)) for kind in kinds] for rule in rules]
    counts = np.zeros((len(kinds), 2), int)
    for status, age, sex, survived, people in table.to_numpy().tolist():
        counts[kinds.index((status, age, sex)), int(survived == "yes")] += people
    return rules, kinds, np.array(says), counts


@cache
def clerk_scores(fates, noise):
    """By how many were seen: the weights, the weight for yes, and by score the clerks' (runs) values, rule by rule."""
    _, _, says, counts = titanic()
    found = []
    for size in (5, 10, 20, 50, 100, 200, 500):
        seen, rest = draw_trials(counts, size, 500, says if fates == "drawn" else None, 0.2, random_state=size)
        assert (seen.sum(axis=(1, 2)) == size).all() and ((seen + rest).sum(axis=2) == counts.sum(axis=1)).all()
        assert fates == "drawn" or (seen + rest == counts).all()
        wrong, left = [], []
        for rule in says:  # a rule contradicts those who died where it says yes, and who survived where it says no
            wrong.append(seen[:, rule, 0].sum(axis=1) + seen[:, ~rule, 1].sum(axis=1))
            left.append((rest[:, rule, 0].sum(axis=1) + rest[:, ~rule, 1].sum(axis=1)) / rest.sum(axis=(1, 2)))
        logs = np.array(wrong).T * np.log(noise) + (size - np.array(wrong).T) * np.log(1 - noise)
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        best = np.array(wrong).T == np.min(wrong, axis=0)[:, None]
        yes, left = np.einsum("rh,hk->rk", weights, says), np.array(left).T
        says_yes, people = np.where(np.abs(yes - 0.5) < 1e-9, 0.5, yes > 0.5), rest.sum(axis=(1, 2))
        voted = ((1 - says_yes) * rest[:, :, 1] + says_yes * rest[:, :, 0]).sum(axis=1) / people
        chance = (1 - noise) * yes + noise * (1 - yes)
        loss = -(rest[:, :, 1] * np.log(chance) + rest[:, :, 0] * np.log(1 - chance)).sum(axis=1) / people
        followed = [np.mean(each[top]) for each, top in zip(left, best)]
        error = {"vote": voted, "Gibbs": np.sum(weights * left, axis=1), "MAP": np.array(followed)}
        single = {c: -error[c] * np.log(noise) - (1 - error[c]) * np.log(1 - noise) for c in ("Gibbs", "MAP")}
        found.append((weights, yes, best, seen + rest, {"error": error, "log_loss": {"vote": loss, **single}}))
    return found


def holds_who_survived(figure):
    values, picture, (rules, kinds, says, counts) = figure.values, figure.picture, titanic()
    sizes = [5, 10, 20, 50, 100, 200, 500]
    status, age, sex = values["person"].lower().replace(" class", "").split(", ")
    place, kind, run = sizes.index(values["seen"]), kinds.index((status, age, sex)), values["draw"] - 1
    score = values["score"]
    found = clerk_scores(values["fates"], values["noise"] / 100)
    weights, yes, best, people, scores = found[place]
    weights, yes, best, people = weights[run], yes[run, kind], best[run], people[run, kind]
    top = next(each for each in (0.08, 0.15, 0.3, 0.6, 1) if weights.max() <= 0.8 * each or each == 1)
    sized(picture.bars, x=np.arange(46) - 0.4, y=0, width=0.8, height=np.sort(weights)[::-1] / top)
    hatched = [bool(bar.get_hatch()) for bar in picture.bars]
    heights = [bar.get_height() * top for bar in picture.bars]
    for weight in set(np.round(weights, 9)):  # among bars of one height the order is free
        tied = np.isclose(weights, weight)
        shown = [hatch for hatch, height in zip(hatched, heights) if np.isclose(height, weight)]
        assert sum(shown) == says[tied, kind].sum()
    placed(picture.crown, [(best.sum() - 1) / 2], [weights.max() / top + 0.09])
    low, high = {"error": (0.1, 0.6), "log_loss": (0.4, 0.9)}[score]
    now = {}
    for clerk, line in picture.lines.items():
        means = np.array([each[-1][score][clerk].mean() for each in found])
        alone = scores[score][clerk][run]
        aside = {"vote": -0.2, "Gibbs": 0.2, "MAP": 0}[clerk]
        placed(line, np.arange(7) + aside, (means - low) / (high - low))
        placed(picture.points[clerk], [place + aside], [min((alone - low) / (high - low), 1)])
        now[clerk] = means[place], alone
    placed(picture.here, [place, place], [0, 0.6])
    share = counts / counts.sum(axis=1, keepdims=True)
    real = {"error": np.minimum(*share.T), "log_loss": -np.sum(share * np.log(share + (share == 0)), axis=1)}
    drawn = {"error": 0.2, "log_loss": 0.2 * np.log(5) + 0.8 * np.log(1.25)}
    floor = drawn[score] if values["fates"] == "drawn" else (real[score] @ counts.sum(axis=1)) / 2201
    placed(picture.floor, [-0.4, 6.6 - 0.2], [(floor - low) / (high - low)] * 2)
    alt = figure.alt
    for clerk, (mean, alone) in now.items():
        assert number(rf"{clerk}", alt.partition("this draw)")[2]) == pytest.approx(mean, abs=5.1e-4)
        assert number(rf"{clerk} [\d.]+", alt.partition("this draw)")[2].replace("(", "")) == pytest.approx(
            alone, abs=5.1e-4
        )
    assert f"8 of 46 rules, with {yes:.3f} of the weight, say survived; {people[1]} of {people.sum()} did." in alt
    told = alt.partition("MAP: ")[2].partition(" (")[0].partition(",")[0].replace(" class", "")
    words = {"∅": "nobody survived", "": "everybody survived"}
    leading = [" and ".join(dict.fromkeys(entry for entry in rules[h] if entry != "?")) for h in np.flatnonzero(best)]
    assert told in [words.get(each, f"survived if {each}") for each in leading]
    assert (f"tied with {best.sum() - 1} more" in alt) == (best.sum() > 1)
    followed = set(says[best, kind].tolist())
    fate = "tied" if len(followed) > 1 else "survived" if followed.pop() else "did not"
    voted = "survived" if yes > 0.5 else "did not"
    words = f"weight for survived: {yes:.3f}\nthe vote: {voted}\nMAP: {fate}"
    told = written(picture.words, [words]) + scaled(picture.weights, 0, top) + scaled(picture.scale, low, high)
    return told + written(
        picture.named, [{"error": "error rate on the others", "log_loss": "log loss on the others (nats)"}[score]]
    )


def holds_forecasters(figure):
    text, noise, picture = figure.values["text"], figure.values["noise"], figure.picture
    if figure.alt.startswith(EXPLAINED):
        assert text in TABLES[-2:]
        return
    head, *rows = [[word.strip() for word in line.replace(";", ",").split(",")] for line in text.splitlines()]
    said = np.array([[word in ("yes", "1") for word in row] for row in rows])
    days, came, names = said[:, :-1], said[:, -1], head[:-1]
    wrong = [[int(days[day, f] != came[day]) for day in range(len(came))] for f in range(len(names))]
    sums = {clerk: [0.0] for clerk in ("vote", "Gibbs", "MAP")}
    for day in range(len(came) + 1):
        likelihood = np.array([noise ** sum(each[:day]) * (1 - noise) ** (day - sum(each[:day])) for each in wrong])
        weights = likelihood / likelihood.sum()
        if day < len(came):
            misses = np.array([each[day] for each in wrong])
            against = float(weights @ misses)
            top = likelihood > likelihood.max() * (1 - 1e-9)
            now = {"vote": 0.5 if abs(against - 0.5) < 1e-9 else float(against > 0.5), "Gibbs": against}
            for clerk, error in {**now, "MAP": misses[top].mean()}.items():
                sums[clerk].append(sums[clerk][-1] + error)
    sized(picture.bars, x=0, y=range(len(names)), width=weights, height=0.45)
    for clerk, line in picture.lines.items():
        placed(line, range(len(came) + 1), sums[clerk])
        assert number(clerk, figure.alt.partition("all days:")[2]) == pytest.approx(sums[clerk][-1], rel=6e-4, abs=1e-9)
    totals = [sum(each) for each in wrong]
    best = wrong[totals.index(min(totals))]
    placed(picture.best, range(len(came) + 1), np.cumsum([0, *best]))
    assert f"the best forecaster, “{names[totals.index(min(totals))]}”, {min(totals)}." in figure.alt
    for name, weight in zip(names, weights):
        assert number(f"“{name}”", figure.alt) == pytest.approx(weight, abs=5.1e-4)
    told = written(picture.names, [f"{name}: {total} wrong" for name, total in zip(names, totals)])
    return told + written(picture.numbers, [f"{weight:.3f}" for weight in weights])


# Numbers that the lesson and its questions mention

CELLS = json.loads((ROOT / "notebooks/04-bayes-optimal.ipynb").read_text(encoding="utf-8"))["cells"]
LESSON = "\n".join("".join(cell["source"]) for cell in CELLS)
QUESTIONS = (ROOT / "bayeslib/sections/s04_bayes_optimal/questions.toml").read_text(encoding="utf-8")


def test_numbers_in_the_feedback_hold():
    errors = expected_errors({"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"h1": "+", "h2": "−", "h3": "−"})
    assert [f"{errors[clerk]:.2f}" for clerk in ("MAP", "Gibbs", "vote")] == ["0.60", "0.48", "0.40"]
    assert "MAP errs with probability 0.60, Gibbs with 0.48 and the vote with 0.40" in QUESTIONS
    undecided = live.weighted_vote()
    undecided.preset("undecided")
    assert "P(+|D) = 0.4 × 0.9 + 0.3 × 0.4 + 0.3 × 0.4 = 0.6000" in undecided.alt
    assert "Adding 0.36, 0.12 and 0.12 gives 0.60" in QUESTIONS
    bits = [expected_errors([1 / 3] * 3, bits) for bits in product((0, 1), repeat=3)]
    assert np.mean([[each["vote"], each["Gibbs"]] for each in bits], axis=0) == pytest.approx([1 / 4, 1 / 3])
    fixed = live.three_clerks()
    fixed.preset("0.8 to 0.2, always +")
    assert "vote 0.000; Gibbs 0.2000, while the vote never errs" in fixed.alt
    fixed.preset("0.8 to 0.2, drawn")
    assert "vote 0.200; Gibbs 0.3200" in fixed.alt and "errs with probability 0.2 and Gibbs with 0.32" in QUESTIONS
    assert 1 - gibbs_error([0.7, 0.3]) == pytest.approx(0.58) and "= 58% of the rolls" in QUESTIONS
    assert 0.7 * 0.6 + 0.3 * 0.1 == pytest.approx(0.45) and "0.42 + 0.03 = 0.45" in QUESTIONS


def test_costs_and_numbers_of_the_questions_hold():
    frost = live.costly_errors()
    frost.preset("frost")
    assert frost.alt.endswith("It changes at P(+|D) = 1/7 = 0.143.")
    for percent, minus, plus in ((50, "3.00", "0.50"), (17, "1.02", "0.83"), (86, "5.16", "0.14")):
        frost.set(p=percent)
        assert f"saying + costs {plus} on average, saying − {minus}" in frost.alt
    assert 0.03 * 60 == pytest.approx(1.80) and "0.03 × 60 = 1.80" in QUESTIONS
    numbers = live.one_number()
    numbers.preset("absolute")
    assert "MAP 12 (6.6), median 16 (5.8), mean 18.6 (6.84)" in numbers.alt
    weights, minutes = [0.46, 0.14, 0.40], [22, 27, 94]
    assert best_number(weights, minutes, "absolute") == 27 and best_number(weights, minutes) == pytest.approx(
        51.5, abs=0.05
    )


def test_the_titanic_is_as_the_lesson_tells():
    figure = live.who_survived()
    assert "8 of 46 rules, with 0.363 of the weight, say survived; 140 of 144 did." in figure.alt
    assert "vote 0.280 (0.323), Gibbs 0.284 (0.303), MAP 0.266 (0.261)" in figure.alt
    assert "MAP errs on 26.6% of the people, the vote on 28.0% and Gibbs on 28.4%" in QUESTIONS
    assert "MAP errs on 26.6%, the vote on 28.0% and Gibbs on 28.4%" in LESSON

    def means(**values):
        figure.set(**values)
        return [float(line.get_ydata()[2]) for line in figure.picture.lines.values()]  # vote, Gibbs, MAP at 20 seen

    vote, gibbs, best = means(fates="drawn")
    assert vote < min(gibbs, best), "as proved"
    vote, gibbs, best = means(fates="real", score="log_loss")
    assert vote < best < gibbs, "the vote's probabilities are better"
    vote, _, best = means(noise=30)
    assert best < vote, "with 30% the advantage is gone"


def test_twenty_people_hold_six_or_seven_survivors_and_sometimes_two():
    random = np.random.default_rng(0)
    survivors = random.hypergeometric(711, 1490, 20, 4000)
    assert 6 < survivors.mean() < 7 and 0.002 < (survivors <= 2).mean() < 0.05


def test_the_truth_near_the_end_favours_map_for_eight_examples():
    runs = threshold_runs(30, 2000, 0.95, random_state=0)
    vote, gibbs, best = (runs["errors"][clerk].mean(axis=0) for clerk in ("vote", "Gibbs", "MAP"))
    assert (best[:9] < np.minimum(vote, gibbs)[:9]).all() and (vote[9:] < best[9:]).all()


def test_the_example_of_the_forecasters():
    figure = live.forecasters()
    assert "vote 1, Gibbs 3.334, MAP 4.717; the best forecaster, “app”, 2." in figure.alt
    figure.set(text=ODD)
    assert figure.picture.names[0].get_text() == "one: 5 wrong", "the one that is always wrong"


def test_the_vote_of_the_undecided_turns_at_65_percent():
    figure = live.weighted_vote()
    figure.preset("undecided")
    for percent, says in ((66, "+"), (65, "either, a tie"), (64, "−")):
        figure.set(q1=percent)
        assert f"so it says {says}." in figure.alt


def test_the_dot_of_the_triangle_can_be_dragged_to_any_weights():
    figure = live.weighted_vote()
    triangle = figure.figure.axes[1]

    def press(number, *place):
        x, y = triangle.transData.transform(place) / (figure.figure.bbox.width, figure.figure.bbox.height)
        figure.view.pointer = {"press": number, "from": [x, 1 - y], "to": [x, 1 - y]}
        return [figure.values[f"w{h}"] for h in "123"]

    assert press(1, 0, 0) == [0, 100, 0]
    assert press(2, 0.75, 0.433) == [50, 0, 50]
    assert sum(press(3, 0.5, 0.3)) == 100
    assert press(4, 1.1, -0.1) == [0, 0, 100], "beside the triangle: its nearest corner"


@pytest.mark.parametrize(
    "text, words",
    [
        ("a,b\nyes,perhaps", "your table, column b, must hold yes or no in every row, got perhaps"),
        ("a,b,c,d,e,f,g,h,i,j\n" + ",".join(["1"] * 10), "must have 2 to 9 columns, got 10"),
        ("a", "must have a line with the names"),
    ],
)
def test_forecasts_that_cannot_be_read_are_refused_in_words(text, words):
    figure = live.forecasters()
    figure.set(text=text)
    assert words in figure.alt


def test_forecasters_may_have_any_names():
    figure = live.forecasters()
    figure.set(text="$x_1$;💥;nan;a name that is much too long;came\n+;−;1;n;yes\nno;no;0;Y;0")
    assert "“$x_1$”" in figure.alt and "“·”" in figure.alt and "“a name that i…”" in figure.alt
    assert len(figure.frame()) > 1000
