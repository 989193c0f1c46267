"""Section 13: what must hold of its figures, and its numbers computed once more, path by path."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib import hmm
from bayeslib.live.hmm import ITERATIONS
from tests.figures import EXPLAINED, number

DAYS = ["U", "-", "?", "UU-UU", "", "u–−?", "UUUUUUUU", "-U-", "U-", "rain", "U-U-U", "??U"]  # three cannot be read
SETTINGS = {
    "umbrella_filter": {"days": [*DAYS, "UU?????"]},
    "umbrella_smooth": {"days": [*DAYS, "?UU-UU", "U?-U?-U"]},
    "trellis": {"days": [*DAYS, "UU?UU"]},
}


def by_paths(start, transition, emission, observations):
    """Every path of states, a row each, and P(path, observations) multiplied out; None as observation weighs nothing."""
    paths = np.array(list(product(range(len(start)), repeat=len(observations))))
    chances = np.asarray(start)[paths[:, 0]]
    for t, observation in enumerate(observations):
        chances = chances * (np.asarray(transition)[paths[:, t - 1], paths[:, t]] if t else 1)
        chances = chances * (1 if observation is None else np.asarray(emission)[paths[:, t], observation])
    return paths, chances


def marginal(both, t, state):
    """P(state at t | all that was observed), summed over the paths through it."""
    paths, chances = both
    return chances[paths[:, t] == state].sum() / chances.sum()


def world(figure):
    """The umbrella world of a figure as plain lists, and its days as numbers."""
    stay, in_rain, in_dry = (figure.values[name] / 100 for name in ("stay", "in_rain", "in_dry"))
    days = figure.values["days"].upper().replace("–", "-").replace("−", "-")
    tables = [0.5, 0.5], [[stay, 1 - stay], [1 - stay, stay]], [[in_rain, 1 - in_rain], [in_dry, 1 - in_dry]]
    return tables, [{"U": 0, "-": 1}.get(day) for day in days]


def unreadable(figure, most):
    days = figure.values["days"]
    if 1 <= len(days) <= most and not set(days.upper()) - set("U-?–−"):
        return False
    assert figure.alt.startswith(f"{EXPLAINED}days must hold 1 to {most} signs")
    return True


UMBRELLA = [0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]], [[0.9, 0.1], [0.2, 0.8]]


def percent(observations, t):
    return 100 * marginal(by_paths(*UMBRELLA, observations), t, 0)


def loaded(pushed):
    """P(loaded) in percent after a second six, once the belief was pushed to `pushed`."""
    return 100 * 0.5 * pushed / (0.5 * pushed + (1 - pushed) / 6)


NUMBERS = {
    "13/second-umbrella": percent([0, 0], 1),
    "13/hindsight": percent([0, 0, 1, 0, 0], 2),
    "13/second-six": loaded(0.6 * 0.9 + 0.4 * 0.05),
}
WRONG_NUMBERS = {
    "13/second-umbrella": {
        "no-transition": 100 * 0.81 / (0.81 + 0.04),
        "predict-for-filter": percent([0, None], 1),
        "reset": percent([0], 0),
    },
    "13/hindsight": {"past-is-fixed": percent([0, 0, 1], 2)},
    "13/second-six": {
        "no-transition": loaded(0.6),
        "transposed": loaded((0.4 * 0.1 + 0.6 * 0.9) / (0.4 * 0.95 + 0.6 * 0.05 + 0.4 * 0.1 + 0.6 * 0.9)),
        "predict-for-filter": 100 * (0.6 * 0.9 + 0.4 * 0.05),
    },
}


def holds_hidden_chain(figure):
    s1, s2, o2 = (
        {"unknown": None, "rain": 0, "dry": 1, "U": 0, "-": 1}[figure.values[name]] for name in ("s1", "s2", "o2")
    )
    for pattern, o1, bar in ((r"day 3\) is", 0, 0), ("umbrella and", 1, 1)):
        chance = []
        for o3 in (0, None):
            paths, chances = by_paths(*UMBRELLA, [o1, o2, o3])
            chance.append(sum(c for p, c in zip(paths, chances) if s1 in (None, p[0]) and s2 in (None, p[1])))
        assert number(pattern, figure.alt) == pytest.approx(chance[0] / chance[1], abs=5.1e-5)
        assert figure.figure.axes[1].patches[bar].get_width() == pytest.approx(chance[0] / chance[1])
    assert ("nothing more" in figure.alt) == (s1 is not None or s2 is not None), "a known state separates"


def holds_umbrella_filter(figure):
    if unreadable(figure, 7):
        return
    tables, days = world(figure)
    step = figure.values["step"]
    assert figure.controls["step"].max == 3 * len(days)
    day, stage = -(-step // 3), (step - 1) % 3 + 1
    beliefs = [marginal(by_paths(*tables, days[: t + 1]), t, 0) for t in range(len(days))]
    done = beliefs[: day if step and stage == 3 else max(day - 1, 0)]
    rain = [patch for patch in figure.figure.axes[0].patches if patch.get_hatch()][0].get_data()
    assert rain.values == pytest.approx(done) and len(rain.edges) == len(done) + 1
    if step and stage == 3:
        assert number(r"/ [\d.]+ =", figure.alt) == pytest.approx(beliefs[day - 1], abs=5.1e-5)
    elif step and stage == 2:
        sign = figure.figure.axes[1].patches
        assert number("the sum", figure.alt) == pytest.approx(sign[2].get_height() + sign[6].get_height(), abs=1.1e-4)
        before = by_paths(*tables, days[: day - 1])[1].sum() if day > 1 else 1
        chance = by_paths(*tables, days[:day])[1].sum() / before
        assert number("the sum", figure.alt) == pytest.approx(chance, abs=5.1e-5)
    elif step and day > 1:
        pushed = marginal(by_paths(*tables, [*days[: day - 1], None]), day - 1, 0)
        assert number(r"[\d.]+ × [\d.]+ =", figure.alt) == pytest.approx(pushed, abs=5.1e-5)
    else:
        assert number(r"P\(rain\) =", figure.alt) == 0.5


def holds_umbrella_smooth(figure):
    if unreadable(figure, 7):
        return
    tables, days = world(figure)
    day, paths = min(figure.values["day"], len(days)), by_paths(*tables, days)
    at_the_time = [marginal(by_paths(*tables, days[: t + 1]), t, 0) for t in range(len(days))]
    hindsight = [marginal(paths, t, 0) for t in range(len(days))]
    assert number(r"at the time P\(rain\) =", figure.alt) == pytest.approx(at_the_time[day - 1], abs=5.1e-5)
    assert number("in hindsight", figure.alt) == pytest.approx(hindsight[day - 1], abs=5.1e-5)
    assert number("together have probability", figure.alt) == pytest.approx(paths[1].sum(), abs=5.1e-7)
    first, _, last = [patch.get_data().values for patch in figure.figure.axes[0].patches if patch.get_hatch()]
    assert first - 3 == pytest.approx(at_the_time) and last == pytest.approx(hindsight)
    if day < len(days):
        start = np.eye(2)[0] @ np.array(tables[1])  # the day after a rainy one
        after = by_paths(start, *tables[1:], days[day:])[1].sum()
        assert number("later has probability", figure.alt) == pytest.approx(after, rel=1e-3)
    else:
        assert "the last day" in figure.alt


def holds_trellis(figure):
    if unreadable(figure, 5):
        return
    tables, days = world(figure)
    day, both = min(figure.values["day"], len(days)), by_paths(*tables, days)
    paths, chances = both[0].tolist(), both[1] / both[1].sum()
    assert number(r"Best path [a-z-]+ with probability", figure.alt) == pytest.approx(chances.max(), abs=5.1e-4)
    assert number(f"Rain on day {day} has", figure.alt) == pytest.approx(marginal(both, day - 1, 0), abs=5.1e-5)
    assert number("added over", figure.alt) == 2 ** (len(days) - 1)
    best = [["rain", "dry"].index(s) for s in figure.alt.split("Best path ")[1].split(" with")[0].split("-")]
    assert chances[paths.index(best)] == pytest.approx(chances.max())
    net, listed = figure.figure.axes
    shown = [patch for patch in listed.patches if patch.get_visible()]
    chances = np.sort(chances)[::-1][:8]
    widths = np.array([patch.get_width() for patch in shown])
    assert widths / widths[0] == pytest.approx(chances / chances[0])
    moves = net.collections[0].get_segments()
    assert len(moves) == (4 if figure.values["answer"] == "sum" else 2) * (len(days) - 1)


def holds_streak(figure):
    sixes, ones, keep_fair, keep_loaded, roll = (
        figure.values[name] for name in ("sixes", "ones", "keep_fair", "keep_loaded", "roll")
    )
    f, g = keep_fair / 100, keep_loaded / 100
    move, belief = np.array([[f, 1 - f], [1 - g, g]]), np.array([1 - g, 1 - f]) / (2 - f - g)
    like = {1: np.array([1 / 6, 0.1]), 6: np.array([1 / 6, 0.5])}
    rolls, beliefs = [1] * ones + [6] * sixes + [1] * ones, []
    for each in rolls:
        belief = belief * like[each] / (belief @ like[each])
        beliefs.append(belief[1])
        belief = belief @ move
    lines = {line.get_label(): line.get_data() for line in figure.figure.axes[0].lines}
    assert lines["at the time"][1] == pytest.approx(beliefs)
    assert lines["in hindsight"][1][-1] == pytest.approx(beliefs[-1])
    place = int(np.clip(roll - 1 + ones, 0, len(rolls) - 1))
    assert number("Roll", figure.alt.replace(":", " ")) == place + 1 - ones
    assert number(r"P\(loaded\) =", figure.alt) == pytest.approx(beliefs[place], abs=5.1e-5)
    assert number("at the time,", figure.alt) == pytest.approx(lines["in hindsight"][1][place], abs=5.1e-5)
    tops = figure.figure.axes[0].patches[0].get_data().values
    counted = int((tops > -0.4).sum())
    assert f"for {counted} rolls" in figure.alt or (counted == 0 and "never has the loaded die" in figure.alt)


@cache
def truth(rolls):
    return hmm.casino().log_likelihood(hmm.casino().sample(rolls, random_state=0)[1])


def holds_baum_welch(figure):
    begin, rolls, step = (figure.values[name] for name in ("begin", "rolls", "step"))
    assert number("iteration", figure.alt.replace(":", " ")) == ITERATIONS[step]
    gains = figure.figure.axes[0].lines[-2].get_ydata()
    assert len(gains) == step + 1 and (np.diff(gains) >= -1e-9).all(), "the likelihood never falls"
    true = truth(rolls)
    assert number(r"true dice's", figure.alt) == pytest.approx(true, abs=0.0051)
    assert number("log-likelihood", figure.alt) == pytest.approx(true + gains[-1], abs=0.0051)
    dice = [[bar.get_height() for bar in axes.patches[:6]] for axes in figure.figure.axes[1:]]
    assert [sum(die) for die in dice] == pytest.approx([1, 1])
    assert number(r"P\(6\) is", figure.alt) == pytest.approx(dice[0][5], abs=5.1e-4)
    if begin == "identical":
        assert dice[0] == pytest.approx(dice[1]), "nothing tells the two dice apart"
