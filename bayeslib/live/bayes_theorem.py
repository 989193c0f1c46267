"""The live figures of section 01, Bayes' theorem."""

import ipywidgets
import numpy as np

from bayeslib import data
from bayeslib.live import steer, user_data
from bayeslib.live.controls import STYLE, box, choice, menu, slider, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.models import bayes, estimates
from bayeslib.plots import bayes_theorem as plots
from bayeslib.plots import theme

BOOK = {"sick": 8, "found": 98, "flagged": 3.0}
GROUPS = {
    "the book's numbers": BOOK,
    "rare disease": {"sick": 1, "found": 98, "flagged": 3.0},
    "common disease": {"sick": 100, "found": 98, "flagged": 3.0},
}
TESTS = {
    **GROUPS,
    "misses nobody": {"sick": 8, "found": 100, "flagged": 3.0},
    "1% false alarms": {"sick": 8, "found": 98, "flagged": 1.0},
}

# Priors at which the curve is drawn: evenly on its log scale, and closer together where it bends at the right end.
PRIORS = np.concatenate([np.geomspace(0.001, 0.9, 200), 1 - np.geomspace(0.1, 1e-4, 60)[1:], [1]])


def rules():
    """The four rules of probability as areas of a square that the reader can cut elsewhere."""
    picture = plots.Rules(*theme.axes((0.06, 0.1, 0.42, 0.86), (0.53, 0.1, 0.46, 0.86)))

    def show(a, b_a, b_not_a, rule):
        p_a, p_b_a, p_b_not_a = a / 100, b_a / 100, b_not_a / 100
        prior, likelihood = {"A": p_a, "¬A": 1 - p_a}, {"A": p_b_a, "¬A": p_b_not_a}
        p_b = bayes.total_probability(prior, likelihood)
        both, rest = p_b_a * p_a, p_b_not_a * (1 - p_a)
        either = p_a + p_b - both
        if rule == "product":
            title, lit = "Product rule", ["AB"]
            lines = ["P(A ∧ B) = P(B|A) · P(A)", f"= {p_b_a:.4g} × {p_a:.4g} = {both:.4g}", "width times height"]
            caption = f"The area of A and B together is width times height, so P(A ∧ B) = {both:.4g}."
        elif rule == "sum":
            title, lit = "Sum rule", ["AB", "A¬B", "¬AB"]
            lines = [
                "P(A ∨ B)",
                "= P(A) + P(B) − P(A ∧ B)",
                f"= {p_a:.4g} + {p_b:.4g} − {both:.4g} = {either:.4g}",
                "A ∧ B is in both: count it once",
            ]
            caption = f"P(A) and P(B) = {p_b:.4g} share the area {both:.4g}, so P(A ∨ B) = {either:.4g}."
        elif rule == "total probability":
            title, lit = "Total probability", ["AB", "¬AB"]
            lines = [
                "P(B) = P(B|A) P(A)",
                "      + P(B|¬A) P(¬A)",
                f"= {both:.4g} + {rest:.4g} = {p_b:.4g}",
                "the lower two areas together",
            ]
            caption = f"B is {both:.4g} inside A and {rest:.4g} outside, so P(B) = {p_b:.4g}."
        elif p_b == 0:
            title, lit = "Bayes' theorem", ["AB", "¬AB"]
            lines = ["P(A|B) = P(B|A) P(A) / P(B)", "P(B) = 0: B never happens,", "so nothing is given by it"]
            caption = "B never happens here: P(B) = 0, and there is no P(A|B) to speak of."
        else:
            title, lit = "Bayes' theorem", ["AB", "¬AB"]
            back = bayes.posterior(prior, likelihood)["A"]
            lines = [
                "P(A|B) = P(B|A) P(A) / P(B)",
                f"= {both:.4g} / {p_b:.4g} = {back:.4g}",
                "of the lower two areas,",
                "the share that lies in A",
            ]
            caption = f"Of the area of B, {p_b:.4g}, the part inside A is {both:.4g}, so P(A|B) = {back:.4g}."
        picture.show(p_a, p_b_a, p_b_not_a, lit, title, lines)
        return (
            f"{title}. A has width {p_a:.4g}; B has height {p_b_a:.4g} inside A and {p_b_not_a:.4g} outside. {caption}"
        )

    def drag(values, axes, start, at):
        percent = np.clip(np.round(100 * np.asarray(at)), 0, 100).astype(int).tolist()
        edge = abs(start[0] - values["a"] / 100) < 0.05  # near the upright line: move it, else move a height
        if edge:
            return {"a": percent[0]}
        return {"b_a" if start[0] < values["a"] / 100 else "b_not_a": percent[1]}

    return LiveFigure(
        picture,
        {
            "a": slider("P(A) in percent", 0, 100, 40),
            "b_a": slider("P(B|A) in percent", 0, 100, 70),
            "b_not_a": slider("P(B|not A) in percent", 0, 100, 10),
            "rule": choice(
                "rule",
                [
                    ("product", "product"),
                    ("sum", "sum"),
                    ("total probability", "total probability"),
                    ("Bayes", "bayes"),
                ],
                "product",
            ),
        },
        show,
        presets={
            "B does not depend on A": {"a": 40, "b_a": 50, "b_not_a": 50},
            "B only inside A": {"a": 40, "b_a": 70, "b_not_a": 0},
            "the rare disease, enlarged": {"a": 10, "b_a": 98, "b_not_a": 30},
        },
        drag=drag,
        within=[0],
        keys={**steer.by("a"), **steer.by("b_a", keys=steer.UP)},
        help="Drag the upright line or a height; left and right arrows move P(A), up and down P(B|A).",
    )


def population():
    """The cancer test in natural frequencies: people as dots, the positives ringed and gathered."""
    picture = plots.Population(*theme.axes((0.01, 0.0, 0.98, 1.0), height=3.7))

    def show(stages, step, sick, found, flagged, crowd):
        numbers = bayes.natural_frequencies(sick / 1000, found / 100, flagged / 100, crowd)
        people = _whole(numbers)
        true, false = numbers["sick", "+"], numbers["healthy", "+"]
        ill, well = true + numbers["sick", "-"], false + numbers["healthy", "-"]
        rings = people["sick", "+"] + people["healthy", "+"]
        heads = [
            f"{crowd} people",
            f"{crowd} people: filled squares are sick",
            f"{crowd} people: a ring means positive",
            f"{crowd - rings} test negative",
        ]
        captions = [
            f"{crowd} people. Who of them is sick?",
            f"{sick} in 1000 are sick: {_people(ill)} sick, {_people(well)} healthy.",
            f"Of {_people(ill)} sick the test finds {found:g} in 100: {_people(true)}. "
            f"Of {_people(well)} healthy it flags {flagged:g} in 100: {_people(false)}.",
        ]
        if true + false == 0:
            captions.append("Nobody tests positive: with these settings a positive result is impossible.")
        else:
            captions.append(
                f"Of {crowd} people {_people(ill)} {'is' if round(ill) == 1 else 'are'} sick. {_people(true + false)} test positive: {_people(true)} sick, "
                f"{_people(false)} healthy. Chance that a positive is sick: "
                f"{true:.6g}/{true + false:.6g} = {true / (true + false):.4f}."
            )
        picture.show(people, step, heads[step], f"{rings} positive: {people['sick', '+']} sick" if step == 3 else "")
        return captions[step]

    return Player(
        picture,
        {
            **_test(sick=(0, 500), found=(0, 100), flagged=(0, 50)),
            "crowd": choice("crowd", [("1000 people", 1000), ("6250 people", 6250)], 1000),
        },
        history=["everybody", "who is sick", "who tests positive", "gathered"],
        show=show,
        step="last",
        interval=2500,
        presets={**GROUPS, "perfect test": {"sick": 8, "found": 100, "flagged": 0.0}},
        main=("sick", "flagged"),
    )


def bayes_table():
    """The Bayes table, filled in column by column: prior, likelihood, product, posterior."""
    picture = plots.BayesTable(*theme.axes((0.01, 0.01, 0.98, 0.98), height=4.0), ["sick", "healthy"])

    def show(columns, step, sick, found, flagged):
        prior, likelihood = bayes.diagnosis(sick / 1000, found / 100, flagged / 100)
        product = {h: prior[h] * likelihood[h] for h in prior}
        evidence = bayes.total_probability(prior, likelihood)
        after = bayes.posterior(prior, likelihood) if step == 4 else product
        picture.show(
            [prior, likelihood, product, after],
            step,
            ["must be 1", "between 0 and 2", "= P(+)\n(bars: its shares)", "must be 1"],
        )
        return [
            "Before any column is filled in: two hypotheses, sick and healthy, and one positive test.",
            f"Prior: P(sick) = {prior['sick']:.3f} and P(healthy) = {prior['healthy']:.3f}; one of the two is true, so they sum to 1.",
            f"Likelihood: P(+|sick) = {likelihood['sick']:.3f}, P(+|healthy) = {likelihood['healthy']:.3f}; they sum to "
            f"{sum(likelihood.values()):.3f}, and nothing says that they must sum to 1. Best prediction: {_best(likelihood)}.",
            f"Product: {likelihood['sick']:.3f} × {prior['sick']:.3f} = {product['sick']:.5f} and {likelihood['healthy']:.3f} × "
            f"{prior['healthy']:.3f} = {product['healthy']:.5f}; their sum is P(+) = {evidence:.5f}.",
            f"Posterior: P(sick|+) = {product['sick']:.5f} / {evidence:.5f} = {after['sick']:.4f}, P(healthy|+) = "
            f"{after['healthy']:.4f}. Most probable now: {_best(product)}.",
        ][step]

    return Player(
        picture,
        _test(sick=(0, 1000), found=(0, 100), flagged=(0, 100)),
        history=["nothing yet", *picture.COLUMNS],
        show=show,
        step="last",
        interval=2500,
        presets={**GROUPS, "tells nothing": {"sick": 8, "found": 50, "flagged": 50.0}},
        main=("sick", "flagged"),
    )


def posterior_curve():
    """P(sick|+) against the prior, with the prior at which the MAP decision flips."""
    usual = bayes.posterior_curve(PRIORS, BOOK["found"] / 100, BOOK["flagged"] / 100)
    picture = plots.PosteriorCurve(*theme.axes((0.1, 0.18, 0.62, 0.78), (0.8, 0.18, 0.19, 0.7)), PRIORS, usual)

    def show(sick, found, flagged):
        prior, likelihood = bayes.diagnosis(sick / 1000, found / 100, flagged / 100)
        after = bayes.posterior(prior, likelihood)["sick"]
        flip = bayes.flip_prior(found / 100, flagged / 100)
        picture.show(PRIORS, bayes.posterior_curve(PRIORS, found / 100, flagged / 100), sick / 1000, after, flip)
        says = "sick" if after > 0.5 else "healthy" if after < 0.5 else "either, a tie"
        where = (
            f"MAP flips at {1000 * flip:.1f} per 1000"
            if flip
            else "MAP says sick at every prior, because a healthy person is never flagged"
        )
        return (
            f"{sick} per 1000 before the test, P(sick|+) = {after:.4f} after a positive: MAP says {says}. "
            f"{where}; ML says {'sick' if found > flagged else 'healthy' if found < flagged else 'either'} at every prior."
        )

    return LiveFigure(
        picture,
        _test(sick=(1, 999), found=(1, 100), flagged=(0, 50)),
        show,
        presets=TESTS,
        main=("sick", "flagged"),
        drag=steer.drag("sick"),
        within=[0],
        keys={**steer.by("sick"), **steer.by("found", keys=steer.UP)},
        help="Drag along the curve to change the prior; left and right arrows move it too, up and down move the share found.",
    )


LONGEST = 8


def test_after_test():
    """Belief after each of a sequence of test results; with copied results the steps shrink."""
    picture = plots.Staircase(*theme.axes((0.13, 0.17, 0.7, 0.71)), LONGEST)

    def history(results, sick, found, flagged, copied):
        if len(results) > LONGEST:
            raise ValueError(f"results must hold at most {LONGEST} signs to fit the picture, got {len(results)}")
        prior, _ = bayes.diagnosis(sick / 1000, found / 100, flagged / 100)
        shares = copied / 100, 0
        likelihoods, alone = (bayes.repeated_test(results, found / 100, flagged / 100, each) for each in shares)
        beliefs, ghosts = ([prior, *bayes.update(prior, each)] for each in (likelihoods, alone))
        return list(zip([None, *likelihoods], beliefs, ghosts))

    def show(history, step, results, sick, found, flagged, copied):
        """An entry of the history: the result's likelihoods, the belief after it, and the belief if no result were copied."""
        likelihoods, beliefs, ghosts = zip(*history[: step + 1])
        signs = results.replace("−", "-")[:step]
        path, ghost = ([(belief["sick"], belief["healthy"]) for belief in each] for each in (beliefs, ghosts))
        picture.show(path, signs, ghost, _chance(*path[-1]), len(results))
        if step == 0:
            ill, well = path[0]
            return f"Before any result P(sick) = {ill:.4g}, odds of 1 to {well / ill:.4g}. h_MAP = {_best(beliefs[0])}."
        likelihood = likelihoods[step]
        ratio = f"{likelihood['sick'] / likelihood['healthy']:.4g}" if likelihood["healthy"] else "without limit"
        together = {h: float(np.prod([each[h] for each in likelihoods[1:]])) for h in likelihood}
        alone = f" ({copied}% of the results copied: {_chance(*ghost[-1])} if none were)" if copied else ""
        return (
            f"Result {step} is {signs[-1].replace('-', '−')}: the odds are multiplied by {likelihood['sick']:.4g}/"
            f"{likelihood['healthy']:.4g} = {ratio}. After {signs.replace('-', '−')} P(sick) = {_chance(*path[-1])}"
            f"{alone}. h_ML = {_best(together)}, h_MAP = {_best(beliefs[step])}."
        )

    def add(values, sign):
        results = (values["results"] + sign)[:LONGEST]
        return {"results": results, "step": len(results)}

    def tested(results, copied=0):
        return {**BOOK, "results": results, "copied": copied, "step": len(results)}

    text = ipywidgets.Text(value="++", description="results, + or −", **STYLE)
    return Player(
        picture,
        {
            "results": text,
            **_test(sick=(1, 500), found=(1, 99), flagged=(0.5, 50)),
            "copied": slider("results copied, percent", 0, 100, 0),
        },
        history=history,
        show=show,
        step="last",
        presets={
            "no result yet": tested(""),
            "one positive": tested("+"),
            "two positives": tested("++"),
            "+ then −": tested("+-"),
            "three positives": tested("+++"),
            "same blood, same lab": tested("++", copied=50),
        },
        actions={
            "add +": lambda values: add(values, "+"),
            "add −": lambda values: add(values, "-"),
            "undo": lambda values: {"results": values["results"][:-1]},
        },
        main=("sick", "copied"),
    )


test_after_test.__test__ = False  # a figure, though pytest would take its name for a test


# How common the disease is in other groups, per 10,000; 0 stands for the group that was measured.
PER_10000 = [
    ("as measured", 0),
    *((f"{each:,}", each) for each in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)),
]
REAL_PRIORS = np.concatenate([np.geomspace(5e-5, 0.9, 150), 1 - np.geomspace(0.1, 1e-3, 30)[1:]])


def real_tests():
    """What a positive of a published test is worth, or of a test that the reader counted, in groups of any base rate."""
    picture = plots.RealTest(*theme.axes((0.01, 0.01, 0.36, 0.98), (0.47, 0.19, 0.5, 0.6)))
    rows = {row["test"]: row for _, row in data.load_real_tests().iterrows()}

    def show(test, sick, counts):
        if counts.strip():
            prior, found, flagged, alarms = _rates(counts)
            name, published = "Your own counts (empty the box for the published tests)", None
        else:
            row = rows[test]
            prior, found, flagged = (
                row["sick_per_1000"] / 1000,
                row["found_percent"] / 100,
                row["flagged_percent"] / 100,
            )
            name, published, alarms = (
                f"{test[0].upper()}{test[1:]}, {row['group']}",
                (prior, row["published_percent"] / 100),
                None,
            )
        measured = prior if sick == 0 else sick / 10_000
        after = bayes.posterior(*bayes.diagnosis(measured, found, flagged))["sick"]
        interval = estimates.beta_interval(1 + alarms[0], 1 + alarms[1]) if alarms and sick == 0 else None
        curve = bayes.posterior_curve(REAL_PRIORS, found, flagged)
        picture.show(REAL_PRIORS, curve, measured, after, published, interval)
        people = bayes.natural_frequencies(measured, found, flagged, 10_000)
        true, false = people["sick", "+"], people["healthy", "+"]
        if sick:
            rest = "In this group nobody measured it."
        elif interval:
            low, high = interval
            rest = f"With {sum(alarms):g} alarms the 90% interval is {low:.3f} to {high:.3f} (section 06)."
        else:
            rest = f"Published: {100 * published[1]:.2g}%."
        return (
            f"{name}. Base rate {10_000 * measured:.4g} in 10,000; the test finds {100 * found:.4g}% of the sick and flags "
            f"{100 * flagged:.4g}% of the others. Of 10,000 people {_people(true + false)} are flagged, {_people(true)} of them "
            f"rightly: P(sick|+) = {after:.4f}. {rest}"
        )

    first, counts = next(iter(rows)), box("or my own counts", "")
    counts.placeholder = "right alarms, missed, false alarms, rest"
    published = {"sick": 0, "counts": ""}
    return LiveFigure(
        picture,
        {
            "test": menu("test", list(rows), first),
            "sick": stops("sick per 10,000", PER_10000, 0),
            "counts": counts,
        },
        show,
        presets={
            **{name: {"test": name, **published} for name in rows},
            "where 1 in 10 is sick": {"test": first, "sick": 1000, "counts": ""},
            "own counts": {"sick": 0, "counts": "12, 3, 30, 955"},
        },
        main=("sick",),
        help="Your own counts are four numbers: right alarms, cases missed, false alarms, and all the rest.",
    )


def _rates(text):
    """(prior, sensitivity, false-positive rate, (right, false alarms)) of four counts as a reader typed them."""
    name = "your four counts (right alarms, missed, false alarms, rest)"
    if "?" in text:
        raise ValueError(f"{name} must all be counted: without the cases that were missed there is no sensitivity")
    right, missed, false, rest = user_data.numbers(text, name, least=4, most=4, low=0, high=1e6)
    if right + missed == 0 or false + rest == 0:
        raise ValueError(f"{name} must hold at least one real case and one other, or a rate has nothing to divide by")
    if right + false == 0:
        raise ValueError(f"{name} must hold at least one alarm")
    whole = right + missed + false + rest
    return (right + missed) / whole, right / (right + missed), false / (false + rest), (right, false)


def _test(sick, found, flagged):
    """The three sliders of a test, each over its range, standing at the book's numbers."""
    return {
        "sick": slider("sick per 1000", *sick, BOOK["sick"]),
        "found": slider("found of 100 sick", *found, BOOK["found"]),
        "flagged": slider("flagged of 100 healthy", *flagged, BOOK["flagged"], step=0.5),
    }


def _chance(probability, rest):
    """Four decimals, but never 1 for what is not certain: 1 − 3e-07 instead of 1.0000, and `rest` may be less than 1e-16."""
    if 0.0001 <= probability <= 0.9999:
        return f"{probability:.4f}"
    return f"{probability:.2g}" if probability < 0.5 else f"1 − {rest:.2g}"


def _best(weights):
    """The hypothesis with the largest weight, or word of a tie."""
    return max(weights, key=weights.get) if len(set(weights.values())) > 1 else "a tie"


def _whole(numbers):
    """Whole people: round down, then give the missing ones to the largest remainders."""
    whole = {kind: int(number + 1e-9) for kind, number in numbers.items()}
    short = round(sum(numbers.values())) - sum(whole.values())
    for kind in sorted(numbers, key=lambda kind: whole[kind] - numbers[kind])[:short]:
        whole[kind] += 1
    return whole


def _people(number):
    """A count of people, with ≈ where somebody would be a fraction."""
    nearest = round(number)
    return f"{nearest}" if abs(number - nearest) < 1e-6 else f"≈{nearest}"
