"""The live figures of section 04, Bayes-optimal and Gibbs classifiers."""

from fractions import Fraction
from functools import cache

import numpy as np

from bayeslib.data import load_titanic
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import box, choice, menu, slider, stops
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models import concepts
from bayeslib.plots import bayes_optimal as plots
from bayeslib.plots import theme

SIGNS = ("+", "−")


def weighted_vote():
    """Three hypotheses vote with their weights; the triangle shows for which weights MAP and vote part."""
    picture = plots.WeightedVote(*theme.axes((0.06, 0.17, 0.55, 0.8), (0.63, 0.01, 0.365, 0.98)))
    names = picture.HYPOTHESES

    def show(w1, q1, w2, q2, w3, q3):
        parts, p_plus = (w1, w2, w3), [Fraction(each, 100) for each in (q1, q2, q3)]
        if not sum(parts):
            raise ValueError("weights must not all be 0")
        posterior = {name: Fraction(part, sum(parts)) for name, part in zip(names, parts)}
        votes = {name: dict(zip(SIGNS, (p, 1 - p))) for name, p in zip(names, p_plus)}
        vote, where = concepts.bayes_optimal(posterior, votes), concepts.weight_map(p_plus)
        best, won = concepts.winners(posterior), concepts.winners(vote)
        followed = concepts.winners(concepts.clerk_answers(posterior, votes)["MAP"])
        tied = len(won) > 1 or len(followed) > 1
        verdict = "a tie" if tied else "MAP and vote agree" if won == followed else "MAP and vote disagree"
        share = f"{_fraction(where['share'])} of the area"
        picture.show(
            [float(each) for each in posterior.values()],
            [float(p) for p in p_plus],
            [names.index(name) for name in best],
            [float(vote[sign]) for sign in SIGNS],
            [SIGNS.index(sign) for sign in won],
            where,
            verdict,
            share,
        )
        sums = " + ".join(f"{float(posterior[name]):.4g} × {float(p):.4g}" for name, p in zip(names, p_plus))
        return (
            f"Weights {', '.join(f'{float(each):.4g}' for each in posterior.values())}. MAP is {' and '.join(best)}, which "
            f"{'say' if len(best) > 1 else 'says'} {_says(followed)}. The vote: P(+|D) = {sums} = {float(vote['+']):.4f}, "
            f"P(−|D) = {float(vote['−']):.4f}, so it says {_says(won)}. {verdict[0].upper()}{verdict[1:]}; over the whole "
            f"triangle they disagree on {share}."
        )

    def drag(values, axes, start, at):
        return dict(zip(("w1", "w2", "w3"), picture.weights(at)))

    def setting(*values):
        return dict(zip(("w1", "w2", "w3", "q1", "q2", "q3"), values))

    controls = {}
    for name, weight, says in zip("123", (40, 30, 30), (100, 0, 0)):
        controls[f"w{name}"] = slider(f"h{name}: parts of weight", 0, 100, weight)
        controls[f"q{name}"] = slider(f"h{name} says + with (%)", 0, 100, says)
    return LiveFigure(
        picture,
        controls,
        show,
        presets={
            "the book's three": setting(40, 30, 30, 100, 0, 0),
            "one strong, two weak": setting(60, 20, 20, 100, 0, 0),
            "undecided": setting(40, 30, 30, 90, 40, 40),
            "exactly one half": setting(50, 25, 25, 100, 0, 0),
        },
        drag=drag,
        within=[1],
        keys=steer.by("w1"),
        help="Drag the dot in the triangle to share out the weight; left and right arrows change the parts of h1.",
    )


def three_clerks():
    """The errors of the vote, of Gibbs and of MAP over P(+|D), for a drawn or a fixed truth."""
    grid = np.linspace(0, 1, 201)
    picture = plots.ThreeClerks(*theme.axes((0.09, 0.17, 0.6, 0.7), (0.74, 0.1, 0.255, 0.85)), grid)

    def show(p, leader, truth):
        fixed = None if truth == "drawn" else truth
        errors = {clerk: float(error) for clerk, error in concepts.error_over_p(p / 100, leader, fixed).items()}
        picture.show(p / 100, concepts.error_over_p(grid, leader, fixed), errors)
        vote, gibbs = errors["vote"], errors["Gibbs"]
        how = "drawn with these weights" if fixed is None else f"always {fixed}"
        ratio = (
            f"{gibbs / vote:.2f} times the vote's and {'within' if gibbs <= 2 * vote else 'above'} twice of it"
            if vote
            else "while the vote never errs"
        )
        return (
            f"P(+|D) = {p / 100:.2f}, the truth is {how}. Probability of an error: vote {vote:.3f}; Gibbs {gibbs:.4f}, {ratio}; "
            f"MAP, whose hypothesis says {leader}, {errors['MAP']:.3f}."
        )

    return LiveFigure(
        picture,
        {
            "p": slider("P(+|D) in percent", 1, 99, 40),
            "leader": choice("h_MAP says", SIGNS, "+"),
            "truth": choice(
                "truth", [("drawn with these weights", "drawn"), ("always +", "+"), ("always −", "−")], "drawn"
            ),
        },
        show,
        presets={
            "the book's three": {"p": 40, "leader": "+", "truth": "drawn"},
            "nearly sure": {"p": 99, "leader": "+", "truth": "drawn"},
            "0.8 to 0.2, drawn": {"p": 80, "leader": "+", "truth": "drawn"},
            "0.8 to 0.2, always +": {"p": 80, "leader": "+", "truth": "+"},
            "the prior was wrong": {"p": 80, "leader": "+", "truth": "−"},
        },
        drag=steer.drag("p", scale=100),
        within=[0],
        keys=steer.by("p"),
        help="Drag along the curves to change P(+|D); left and right arrows move it too.",
    )


MOST, RUNS = 30, 2000


def shrinking_gap():
    """The errors of MAP, Gibbs and the vote as data arrives: a threshold on a line, example by example."""
    theory = concepts.threshold_errors(np.arange(MOST + 1))
    picture = plots.ShrinkingGap(*theme.axes((0.1, 0.83, 0.88, 0.15), (0.1, 0.145, 0.88, 0.56), height=4.3), theory)

    def history(truth, run):
        """By examples seen: the truth, the examples of one run, its gap, the clerks' cuts, and their mean errors in all runs."""
        runs = concepts.threshold_runs(MOST, RUNS, None if truth == "drawn" else truth / 100, random_state=0)
        means = {clerk: errors.mean(axis=0) for clerk, errors in runs["errors"].items()}
        true, points, low, high = (runs[name][run - 1] for name in ("truth", "points", "low", "high"))
        cuts = [{clerk: cut[run - 1, step] for clerk, cut in runs["cuts"].items()} for step in range(MOST + 1)]
        return [
            (
                true,
                points[:step],
                low[step],
                high[step],
                cuts[step],
                {clerk: means[clerk][: step + 1] for clerk in means},
            )
            for step in range(MOST + 1)
        ]

    def show(history, step, truth, run):
        true, _, low, high, _, errors = history[step]
        picture.show(*history[step])
        vote, gibbs, edge = (errors[clerk][-1] for clerk in plots.CLERKS)
        if truth == "drawn":
            promise = ", ".join(
                f"{clerk} {theory[clerk][step]:.4f} ({errors[clerk][-1]:.4f})" for clerk in plots.CLERKS
            )
            words = (
                f"expected gap {theory['gap'][step]:.4f}; errors expected (and met in {RUNS} runs): {promise}, in the runs "
                f"as 3 : {3 * gibbs / vote:.2f} : {3 * edge / vote:.2f}"
            )
        else:
            ratio = f"{gibbs / vote:.2f} times the vote's" if vote else "and the vote never errs"
            words = (
                f"truth fixed at {truth / 100:.2f}, mean errors of {RUNS} runs: vote {vote:.4f}; Gibbs {gibbs:.4f}, {ratio}; "
                f"MAP {edge:.4f}"
            )
        return f"{theme.count(step, 'example')} seen: {words}. Run {run}: truth {true:.3f}, gap from {low:.3f} to {high:.3f}."

    fixed = [(f"fixed at {place / 100:.2f}", place) for place in range(5, 100, 5)]
    return Player(
        picture,
        {
            "truth": stops("truth", [("drawn from the prior", "drawn"), *fixed], "drawn"),
            "run": slider("the run drawn on top", 1, 20, 1),
        },
        history=history,
        show=show,
        step=8,
        interval=600,
        presets={
            "truth drawn": {"truth": "drawn"},
            "truth fixed in the middle": {"truth": 50},
            "truth fixed near the end": {"truth": 95},
        },
    )


def costly_errors():
    """What the two answers cost on average over P(+|D), when a missed + and a false alarm cost differently."""
    picture = plots.CostlyErrors(*theme.axes((0.09, 0.17, 0.6, 0.7), (0.74, 0.1, 0.255, 0.85)), np.linspace(0, 1, 201))

    def show(p, missed, alarm):
        costs = {"+": {"+": 0, "−": alarm}, "−": {"+": missed, "−": 0}}
        expected = concepts.expected_costs({"+": p / 100, "−": 1 - p / 100}, costs)
        change = Fraction(alarm, alarm + missed)
        picture.show(p / 100, alarm, missed, float(change), expected)
        best = min(expected.values())
        says = [answer for answer, cost in expected.items() if cost - best < 1e-9]
        return (
            f"A missed + costs {missed}, a false alarm {alarm}. P(+|D) = {p / 100:.2f}: saying + costs "
            f"{expected['+']:.2f} on average, saying − {expected['−']:.2f}, so the cheaper answer is {_says(says)}. "
            f"It changes at P(+|D) = {alarm}/{alarm + missed} = {float(change):.3f}."
        )

    return LiveFigure(
        picture,
        {
            "p": slider("P(+|D) in percent", 0, 100, 40),
            "missed": slider("a missed + costs", 1, 20, 1),
            "alarm": slider("a false alarm costs", 1, 20, 1),
        },
        show,
        presets={
            "equal costs": {"missed": 1, "alarm": 1},
            "frost": {"missed": 6, "alarm": 1},
            "costly alarms": {"missed": 1, "alarm": 19},
        },
        drag=steer.drag("p", scale=100),
        within=[0],
        keys=steer.by("p"),
        help="Drag along the lines to change P(+|D); left and right arrows move it too.",
    )


ANSWERS = np.linspace(0, 40, 401)


def one_number():
    """Three hypotheses predict a number: which answer has the least expected loss depends on the loss."""
    picture = plots.OneNumber(*theme.axes((0.09, 0.77, 0.89, 0.21), (0.09, 0.16, 0.89, 0.5)), ANSWERS)

    def show(far, weight, loss):
        numbers, weights = [12, 16, far], [weight / 100, (1 - weight / 100) / 2, (1 - weight / 100) / 2]
        heaviest = concepts.winners(weights)
        answers = {
            "MAP": sum(numbers[h] for h in heaviest) / len(heaviest),
            "median": concepts.best_number(weights, numbers, "absolute"),
            "mean": concepts.best_number(weights, numbers),
        }
        cost = {name: float(concepts.expected_loss(a, weights, numbers, loss)) for name, a in answers.items()}
        best = {"squared": "mean", "absolute": "median"}[loss]
        picture.show(
            numbers,
            weights,
            loss,
            concepts.expected_loss(ANSWERS, weights, numbers, loss),
            {name: (answers[name], cost[name]) for name in answers},
            (answers[best], cost[best]),
        )
        told = ", ".join(f"{name} {answers[name]:.4g} ({cost[name]:.4g})" for name in answers)
        return (
            f"The predictions {', '.join(f'{each:g}' for each in numbers)} have the weights "
            f"{', '.join(f'{each:.3g}' for each in weights)}. Answers and their expected {loss} loss: {told}. "
            f"Least: the {best}."
        )

    return LiveFigure(
        picture,
        {
            "far": slider("h3 predicts", 0, 40, 30),
            "weight": slider("weight of h1 (%)", 0, 100, 40),
            "loss": choice("loss", ["absolute", "squared"], "squared"),
        },
        show,
        presets={
            "squared": {"far": 30, "weight": 40, "loss": "squared"},
            "absolute": {"far": 30, "weight": 40, "loss": "absolute"},
            "h3 near the others": {"far": 18, "weight": 40, "loss": "squared"},
        },
        drag=steer.drag("far"),
        within=[0],
        keys=steer.by("far"),
        help="Drag in the upper panel to move what h3 predicts; left and right arrows move it too.",
    )


SEEN, DRAWS = (5, 10, 20, 50, 100, 200, 500), 500


def who_survived():
    """Rules of who survived the Titanic, weighed by people seen, and the clerks' scores on all the others."""
    space, kinds, says, counts = _titanic()
    people = [_person(kind) for kind in kinds]
    picture = plots.WhoSurvived(*theme.axes((0.1, 0.16, 0.4, 0.8), (0.6, 0.16, 0.39, 0.8)), space.size, SEEN)
    shares = counts / counts.sum(axis=1, keepdims=True)
    # The best possible on average: the majority and the shares of each kind, or the rule that was drawn.
    floors = {
        ("real", "error"): counts.min(axis=1).sum() / counts.sum(),
        ("real", "log_loss"): -(counts * np.log(np.where(shares > 0, shares, 1))).sum() / counts.sum(),
        ("drawn", "error"): 0.2,
        ("drawn", "log_loss"): -0.2 * np.log(0.2) - 0.8 * np.log(0.8),
    }
    trials = {
        fates: [concepts.draw_trials(counts, size, DRAWS, rules, 0.2, random_state=size) for size in SEEN]
        for fates, rules in (("real", None), ("drawn", says))
    }

    @cache
    def scores(fates, noise):
        return [concepts.held_out_scores(says, *each, noise / 100) for each in trials[fates]]

    def show(seen, draw, person, noise, fates, score):
        place, kind = SEEN.index(seen), people.index(person)
        found = scores(fates, noise)
        curves = {clerk: [each[score][clerk].mean() for each in found] for clerk in plots.CLERKS}
        now = found[place]
        alone = {clerk: now[score][clerk][draw - 1] for clerk in plots.CLERKS}
        weights, vote = now["weights"][draw - 1], float(now["vote"][draw - 1, kind])
        order = np.argsort(-weights, kind="stable")
        ties = concepts.winners(weights)
        answers = sorted({bool(says[h, kind]) for h in ties})
        came = sum(each[draw - 1, kind] for each in trials[fates][place])  # of this kind, seen or not: no and yes
        named, unit, limits = {
            "error": ("error rate", "", (0.1, 0.6)),
            "log_loss": ("log loss", " (nats)", (0.4, 0.9)),
        }[score]
        first = space.hypothesis(int(ties[0]))
        words = [f"weight for survived: {vote:.3f}", f"the vote: {_fate([vote > 0.5])}", f"MAP: {_fate(answers)}"]
        picture.show(
            weights[order],
            says[order, kind],
            len(ties),
            "\n".join(words),
            place,
            curves,
            alone,
            floors[fates, score],
            f"{named} on the others{unit}",
            limits,
        )
        means = ", ".join(f"{clerk} {curves[clerk][place]:.3f} ({alone[clerk]:.3f})" for clerk in curves)
        return (
            f"{seen} seen, draw {draw}. MAP: {_rule(first)}"
            f"{f', tied with {len(ties) - 1} more' if len(ties) > 1 else ''} ({weights[ties[0]]:.3f}). {person}: "
            f"{says[:, kind].sum()} of {space.size} rules, with {vote:.3f} of the weight, say survived; {came[1]} of "
            f"{came.sum()} did. On all others, mean of {DRAWS} draws (and this draw), {named}: {means}."
        )

    return LiveFigure(
        picture,
        {
            "seen": stops("people seen", [(str(size), size) for size in SEEN], 20),
            "draw": slider("which draw", 1, 20, 11),
            "person": menu("one person", people, "First class, adult, female"),
            "noise": slider("assumed noise (%)", 5, 40, 20, 5),
            "fates": choice("fates", [("real", "real"), ("drawn from the rules", "drawn")], "real"),
            "score": choice("score", [("errors", "error"), ("log loss", "log_loss")], "error"),
        },
        show,
        presets={
            "real fates": {"fates": "real", "score": "error"},
            "log loss": {"fates": "real", "score": "log_loss"},
            "truth drawn from the rules": {"fates": "drawn", "score": "error"},
        },
        keys=steer.along("seen", SEEN),
        help="Left and right arrows change how many people are seen.",
    )


WEEKS = """app, radio, neighbour, almanac, old knee, rain?
no, yes, yes, yes, yes, yes
no, yes, no, no, no, no
yes, yes, no, yes, yes, yes
no, no, no, yes, no, no
no, no, no, no, yes, no
no, yes, yes, yes, no, yes
no, yes, no, no, no, no
yes, yes, no, yes, yes, yes
no, no, no, yes, no, no
yes, yes, yes, yes, no, yes"""
ODD = """one, two, three, came
yes, no, no, no
no, yes, yes, yes
yes, no, no, no
no, yes, no, yes
yes, no, yes, no"""
SAID = {"yes": True, "y": True, "1": True, "true": True, "+": True}
SAID |= {"no": False, "n": False, "0": False, "false": False, "-": False, "−": False}


def forecasters():
    """The reader's own forecasters: a column each, the last column is what came; weighed and voting day by day."""
    picture = plots.Forecasters(*theme.axes((0.03, 0.17, 0.37, 0.8), (0.5, 0.17, 0.48, 0.8)))

    def show(text, noise):
        names, days, came = _forecasts(text)
        found = concepts.day_by_day(days, came, noise)
        wrong = (days != came[:, None]).sum(axis=0)
        sums = {clerk: np.concatenate([[0], np.cumsum(each)]) for clerk, each in found["errors"].items()}
        first = int(wrong.argmin())
        best = np.concatenate([[0], np.cumsum(days[:, first] != came)])
        picture.show(names, found["weights"][-1], wrong, sums, best)
        weights = ", ".join(f"“{name}” {weight:.3f}" for name, weight in zip(names, found["weights"][-1]))
        errors = ", ".join(f"{clerk} {each[-1]:.4g}" for clerk, each in sums.items())
        return (
            f"{len(came)} days, each forecast wrong with probability {noise:g}. Weights after the last day: {weights}. Errors "
            f"in all days: {errors}; the best forecaster, “{names[first]}”, {wrong[first]}."
        )

    return LiveFigure(
        picture,
        {
            "text": box("your table", WEEKS, lines=3, file=True),
            "noise": choice("wrong with probability", [0.05, 0.1, 0.2, 0.3, 0.4], 0.2),
        },
        show,
        presets={
            "ten days of rain": {"text": WEEKS, "noise": 0.2},
            "one that is always wrong": {"text": ODD, "noise": 0.2},
        },
    )


def _forecasts(text):
    """The names of the forecasters, what they said, days × forecasters, and what came."""
    table = user_data.table(text, most_columns=plots.Forecasters.MOST + 1)
    rows = np.empty(table.shape, bool)
    for number, column in enumerate(table.columns):
        for row, said in enumerate(table[column]):
            if said.lower() not in SAID:
                raise ValueError(
                    f"your table, column {user_data.plain(column, 14)}, must hold yes or no in every row, got {user_data.plain(said, 14)}"
                )
            rows[row, number] = SAID[said.lower()]
    return [user_data.plain(column, 14) for column in table.columns[:-1]], rows[:, :-1], rows[:, -1]


@cache
def _titanic():
    """The rules, the kinds of people, what each rule says of each kind, and how many of each kind died and survived."""
    table = load_titanic()
    attributes = ["status", "age", "sex"]
    space = concepts.ConjunctiveSpace({name: list(dict.fromkeys(table[name])) for name in attributes})
    kinds = list(dict.fromkeys(table[attributes].itertuples(index=False, name=None)))
    counts = np.zeros((len(kinds), 2), int)
    for *kind, survived, people in table.itertuples(index=False, name=None):
        counts[kinds.index(tuple(kind)), int(survived == "yes")] = people
    return space, kinds, np.array([[concepts.covers(h, kind) for kind in kinds] for h in space.each()]), counts


def _person(kind):
    status, age, sex = kind
    return f"{'Crew' if status == 'crew' else f'{status.capitalize()} class'}, {age}, {sex}"


def _rule(hypothesis):
    """A rule in words: whoever has what it names survived."""
    if "∅" in hypothesis:
        return "nobody survived"
    named = [f"{each} class" if each in ("first", "second", "third") else each for each in hypothesis if each != "?"]
    return f"survived if {' and '.join(named)}" if named else "everybody survived"


def _fate(answers):
    return "tied" if len(answers) > 1 else "survived" if answers[0] else "did not"


def _says(labels):
    return labels[0] if len(labels) == 1 else "either, a tie"


def _fraction(share):
    """A short fraction as it is, with its decimals; a long one as decimals only."""
    exact = f"{share} = " if 0 < share < 1 and share.denominator <= 100 else ""
    return f"{exact}{float(share):.4f}"
