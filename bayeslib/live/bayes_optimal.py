"""The live figures of section 04, Bayes optimal and Gibbs."""

from fractions import Fraction

import numpy as np

from bayeslib import concepts
from bayeslib.live import steer
from bayeslib.live.controls import choice, slider, stops
from bayeslib.live.figure import LiveFigure, Player
from bayeslib.plots import bayes_optimal as plots
from bayeslib.plots import theme

SIGNS = ("+", "−")


def weighted_vote():
    """Three hypotheses vote with their weights; the triangle shows for which weights MAP and vote part."""
    figure = theme.figure((0.06, 0.17, 0.55, 0.8), (0.63, 0.01, 0.365, 0.98))
    picture = plots.WeightedVote(*figure.axes)
    names = picture.HYPOTHESES

    def show(w1, q1, w2, q2, w3, q3):
        parts, p_plus = (w1, w2, w3), [Fraction(each, 100) for each in (q1, q2, q3)]
        if not sum(parts):
            raise ValueError("weights must not all be 0, or nobody votes")
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
        return dict(zip(("w1", "w2", "w3"), picture.weights(at))) if axes is figure.axes[1] else {}

    def setting(*values):
        return dict(zip(("w1", "w2", "w3", "q1", "q2", "q3"), values))

    controls = {}
    for name, weight, says in zip("123", (40, 30, 30), (100, 0, 0)):
        controls[f"w{name}"] = slider(f"h{name}: parts of weight", 0, 100, weight)
        controls[f"q{name}"] = slider(f"h{name} says + with (%)", 0, 100, says)
    return LiveFigure(
        figure,
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
        keys=steer.by("w1"),
        help="Drag the dot in the triangle to share out the weight; left and right arrows change the parts of h1.",
    )


def three_clerks():
    """The errors of the vote, of Gibbs and of MAP over P(+|D), for a drawn or a fixed truth."""
    figure = theme.figure((0.09, 0.17, 0.6, 0.7), (0.74, 0.1, 0.255, 0.85))
    grid = np.linspace(0, 1, 201)
    picture = plots.ThreeClerks(*figure.axes, grid)

    def show(p, leader, truth):
        fixed = None if truth == "drawn" else truth
        errors = {clerk: float(error) for clerk, error in concepts.error_over_p(p / 100, leader, fixed).items()}
        picture.show(p / 100, concepts.error_over_p(grid, leader, fixed), errors)
        vote, gibbs = errors["vote"], errors["Gibbs"]
        how = "drawn with these weights" if fixed is None else f"always {fixed}"
        ratio = (
            f"{gibbs / vote:.2f} times the vote's, {'within' if gibbs <= 2 * vote else 'above'} the ceiling of {2 * vote:.3f}"
            if vote
            else "while the vote never errs, so no multiple of its error is enough"
        )
        return (
            f"P(+|D) = {p / 100:.2f}, the truth is {how}: the vote errs {vote:.3f}; Gibbs errs {gibbs:.4f}, {ratio}; "
            f"MAP, whose hypothesis says {leader}, errs {errors['MAP']:.3f}."
        )

    return LiveFigure(
        figure,
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
            "a wrong prior": {"p": 80, "leader": "+", "truth": "−"},
        },
        drag=steer.drag("p", figure.axes[0], 100),
        keys=steer.by("p"),
        help="Drag along the curves to change P(+|D); left and right arrows move it too.",
    )


MOST, RUNS = 30, 2000


def shrinking_gap():
    """The errors of MAP, Gibbs and the vote as data arrives: a threshold on a line, example by example."""
    figure = theme.figure((0.1, 0.83, 0.88, 0.15), (0.1, 0.145, 0.88, 0.56), height=4.3)
    theory = concepts.threshold_errors(np.arange(MOST + 1))
    picture = plots.ShrinkingGap(*figure.axes, theory)

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
        return f"{step} example{'' if step == 1 else 's'} seen: {words}. Run {run}: truth {true:.3f}, gap from {low:.3f} to {high:.3f}."

    fixed = [(f"fixed at {place / 100:.2f}", place) for place in range(5, 100, 5)]
    return Player(
        figure,
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


def _says(labels):
    return labels[0] if len(labels) == 1 else "either, a tie"


def _fraction(share):
    """A short fraction as it is, with its decimals; a long one as decimals only."""
    exact = f"{share} = " if 0 < share < 1 and share.denominator <= 100 else ""
    return f"{exact}{float(share):.4f}"
