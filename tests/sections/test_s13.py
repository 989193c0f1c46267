"""Section 13: what must hold of its figures, and its numbers computed once more, path by path."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib import data, live
from bayeslib.live.hidden_markov_models import ITERATIONS, ROUNDS, STRIP, SYMBOLS, _climb
from bayeslib.models import hmm
from bayeslib.models.hmm import HiddenMarkovModel, best_routes, casino, follow_back, forward, guess, umbrella
from bayeslib.models.hmm import letters as load_letters
from bayeslib.sections.s13_hidden_markov_models import tasks
from tests.figures import EXPLAINED, number, placed, places, sized, written
from tests.lab import ROOT
from tests.reading import Lesson

DAYS = ["U", "-", "?", "UU-UU", "", "u–−?", "UUUUUUUU", "-U-", "U-", "rain", "U-U-U", "??U"]  # three cannot be read
SETTINGS = {
    "umbrella_filter": {"days": [*DAYS, "UU?????"]},
    "umbrella_smooth": {"days": [*DAYS, "?UU-UU", "U?-U?-U"]},
    "trellis": {"days": [*DAYS, "UU?UU"]},
    "own_rolls": {
        "rolls": ["1" * 10, "6" * 100, "1,2;3 4.5\n6 6 6 6 6 6 6", "12345", "1234567890", "x" * 20, "16" * 25]
    },
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


def check_days(row, figure, days, day, y):
    """The signs under a picture stand at their days, and the frame around the day in question."""
    for sign, seen in (("U", 0), ("-", 1), ("?", None)):
        assert places(row.signs[sign]) == [(t, y) for t, each in enumerate(days, start=1) if each == seen]
    assert row.frame.get_x() == pytest.approx(day - 0.47) and row.frame.get_width() == 0.94


def check_band(band, beliefs, decimals=3):
    """Heights of a band over the days; returns the numbers written over it."""
    rain, dry = band.rain.get_data(), band.dry.get_data()
    assert rain.values - band.bottom == pytest.approx(beliefs) and set(dry.values - band.bottom) <= {1}
    assert rain.edges.tolist() == [t + 0.5 for t in range(len(beliefs) + 1)]
    return written(band.numbers, [f"{each:.{decimals}f}" for each in beliefs])


def holds_hidden_chain(figure):
    s1, s2, o2 = (
        {"unknown": None, "rain": 0, "dry": 1, "U": 0, "-": 1}[figure.values[name]] for name in ("s1", "s2", "o2")
    )
    picture, after = figure.picture, []
    for pattern, o1 in ((r"day 3\) is", 0), ("umbrella and", 1)):
        chance = []
        for o3 in (0, None):
            paths, chances = by_paths(*UMBRELLA, [o1, o2, o3])
            chance.append(sum(c for p, c in zip(paths, chances) if s1 in (None, p[0]) and s2 in (None, p[1])))
        after.append(chance[0] / chance[1])
        assert number(pattern, figure.alt) == pytest.approx(after[-1], abs=5.1e-5)
    assert [bar.get_width() for bar in picture.bars] == pytest.approx(after)
    assert ("nothing more" in figure.alt) == (s1 is not None or s2 is not None), "a known state separates"
    known = {(0, 0), *((place for place, value in (((0, 1), s1), ((1, 1), s2), ((1, 0), o2)) if value is not None))}
    assert set(places(picture.known)) == known
    assert set(places(picture.free)) == {(x, y) for x in range(3) for y in range(2)} - known
    weather, sign = {None: [], 0: ["rain"], 1: ["dry"]}, {None: [], 0: ["umbrella"], 1: ["none"]}
    words = [*weather[s1], *weather[s2], "either", *sign[o2]]
    verdict = "day 1 says nothing more" if "nothing more" in figure.alt else "day 1 still matters"
    said = written([picture.words[node] for node in ("s1", "s2", "o1", "o2")], words)
    said += written(list(picture.names.values()), ["S₁", "S₂", "S₃", "O₁", "O₂", "O₃"])
    return said + written(picture.numbers, [f"{each:.4f}" for each in after]) + written(picture.verdict, [verdict])


def holds_umbrella_filter(figure):
    if unreadable(figure, 7):
        return
    tables, days = world(figure)
    step, picture = figure.values["step"], figure.picture
    assert figure.controls["step"].max == 3 * len(days)
    day, stage = (-(-step // 3), (step - 1) % 3 + 1) if step else (1, 0)
    beliefs = [marginal(by_paths(*tables, days[: t + 1]), t, 0) for t in range(len(days))]
    done = beliefs[: day if stage == 3 else day - 1]
    before = beliefs[day - 2] if day > 1 else None
    pushed = marginal(by_paths(*tables, [*days[: day - 1], None]), day - 1, 0)
    told = by_paths(*tables, days[: day - 1])[1].sum() if day > 1 else 1
    chance = by_paths(*tables, days[:day])[1].sum() / told
    columns = [before, pushed, chance * beliefs[day - 1], beliefs[day - 1]]
    wholes = [1, 1, chance, 1]
    said = []
    for k, (value, whole) in enumerate(zip(columns, wholes)):
        bars = picture.rain[k], picture.dry[k]
        assert [bar.get_visible() for bar in bars] == [value is not None and k <= stage] * 2
        if bars[0].get_visible():
            assert [bar.get_height() for bar in bars] == pytest.approx([value, whole - value])
            assert {round(bar.get_width(), 9) for bar in bars} == {0.4}
            said += written(picture.numbers[k], [f"{value:.2f}", f"{whole - value:.2f}"])
        else:
            said += written(picture.numbers[k], [])
    if stage == 3:
        assert number(r"/ [\d.]+ =", figure.alt) == pytest.approx(beliefs[day - 1], abs=5.1e-5)
    elif stage == 2:
        assert number("the sum", figure.alt) == pytest.approx(chance, abs=5.1e-5)
    elif stage and day > 1:
        assert number(r"[\d.]+ × [\d.]+ =", figure.alt) == pytest.approx(pushed, abs=5.1e-5)
    else:
        assert number(r"P\(rain\) =", figure.alt) == 0.5
    check_days(picture.days, figure, days, day, -0.22)
    return said + check_band(picture.band, done, 2)


def holds_umbrella_smooth(figure):
    if unreadable(figure, 7):
        return
    tables, days = world(figure)
    day, paths, picture = min(figure.values["day"], len(days)), by_paths(*tables, days), figure.picture
    at_the_time = [marginal(by_paths(*tables, days[: t + 1]), t, 0) for t in range(len(days))]
    hindsight = [marginal(paths, t, 0) for t in range(len(days))]
    assert number(r"at the time P\(rain\) =", figure.alt) == pytest.approx(at_the_time[day - 1], abs=5.1e-5)
    assert number("in hindsight", figure.alt) == pytest.approx(hindsight[day - 1], abs=5.1e-5)
    assert number("together have probability", figure.alt) == pytest.approx(paths[1].sum(), abs=5.1e-7)
    later = np.ones((len(days), 2))  # P(what came later | rain that day), and the same of a dry day
    for t in range(1, len(days)):  # the day after a rainy one starts from its row
        later[t - 1] = [by_paths(row, *tables[1:], days[t:])[1].sum() for row in tables[1]]
    if day < len(days):
        assert number("later has probability", figure.alt) == pytest.approx(later[day - 1, 0], rel=1e-3)
        assert number("after rain that day and", figure.alt) == pytest.approx(later[day - 1, 1], rel=1e-3)
    assert ("the last day" in figure.alt) == (day == len(days))
    said = []
    for state, (bars, numbers) in enumerate(zip(picture.later, picture.numbers)):
        sized(bars, height=later[:, state] / later.max(axis=1), width=0.4, y=1.5)
        chances = [f"{each:.3f}" if each >= 0.01 else f"{each:.0e}".replace("e-0", "e−") for each in later[:, state]]
        said += written(numbers, chances)
    check_days(picture.days, figure, days, day, -0.33)
    bands = zip(picture.bands, (at_the_time, hindsight))
    return said + [text for band, beliefs in bands for text in check_band(band, beliefs)]


def holds_trellis(figure):
    if unreadable(figure, 5):
        return
    tables, days = world(figure)
    day, both, picture = min(figure.values["day"], len(days)), by_paths(*tables, days), figure.picture
    paths, chances = both[0].tolist(), both[1] / both[1].sum()
    assert number(r"Best path [a-z-]+ with probability [^=]+ =", figure.alt) == pytest.approx(chances.max(), abs=5.1e-4)
    assert number(r"Best path [a-z-]+ with probability", figure.alt) == pytest.approx(both[1].max(), rel=1e-3)
    assert number("with probability [^ ]+ /", figure.alt) == pytest.approx(both[1].sum(), rel=1e-3)
    assert number(f"Rain on day {day} has", figure.alt) == pytest.approx(marginal(both, day - 1, 0), abs=5.1e-5)
    assert number("added over", figure.alt) == 2 ** (len(days) - 1)
    best, by_day = (
        [["rain", "dry"].index(s) for s in figure.alt.split(words)[1].split(end)[0].split("-")]
        for words, end in (("Best path ", " with"), ("day by day ", ","))
    )
    assert chances[paths.index(best)] == pytest.approx(chances.max())
    for t, state in enumerate(by_day):
        assert marginal(both, t, state) >= 0.5 - 1e-9
    # The two answers under the days, in letters, and the dashed line along the best path
    for state, line in enumerate(picture.rows):
        rows = [(t, y) for y, row in ((-1.06, by_day), (-1.44, best)) for t, each in enumerate(row, 1) if each == state]
        assert places(line) == sorted(rows)
    added = figure.values["answer"] == "sum"
    assert picture.best.get_visible() != added
    assert list(picture.best.get_ydata()) == [1 - state for state in best]
    assert len(picture.moves.get_segments()) == 4 * (len(days) - 1) * added
    arrows = [arrow for arrow in picture.arrows if arrow.get_visible()]
    assert len(arrows) == 2 * (len(days) - 1) * (not added)
    nodes = []
    for state in (0, 1):
        for t in range(len(days)):
            if added:
                nodes.append(marginal(both, t, state))
            else:  # the best route that ends here
                routes, worth = by_paths(*tables, days[: t + 1])
                nodes.append(max(chance for route, chance in zip(routes, worth) if route[-1] == state))
                if t:  # an arrow comes from where a best route was the day before; of equal ones from either
                    tops = {
                        route[-2]
                        for route, chance in zip(routes, worth)
                        if route[-1] == state and chance >= nodes[-1] - 1e-12
                    }
                    into = [arrow._posA_posB for arrow in arrows if arrow._posA_posB[1] == (t + 1, 1 - state)]
                    assert len(into) == 1 and into[0][0][0] == t and 1 - into[0][0][1] in tops
    # The likeliest paths: letters, bars and numbers; where two are equally likely any order will do
    count = min(len(paths), 8)
    wanted = np.sort(chances)[::-1][:count]
    letters = sorted((y, x, state) for state, line in enumerate(picture.listed) for x, y in places(line))
    listed = [[state for y, _, state in letters if y == row] for row in range(count)]
    assert [chances[paths.index(path)] for path in listed] == pytest.approx(wanted) and len(letters) == count * len(
        days
    )
    left = 0.075 * len(days) + 0.05
    bars = [bar for bar in picture.bars if bar.get_visible()]
    assert [bar.get_width() for bar in bars] == pytest.approx((1 - left) * wanted / wanted[0])
    assert [bool(bar.get_hatch()) for bar in bars] == [path[day - 1] == 0 for path in listed]
    check_days(picture.days, figure, days, day, -0.66)
    said = written([text for row in picture.numbers for text in row], [f"{each:.3f}" for each in nodes])
    said += written(
        picture.key, ["larger, thicker: more probable" if added else "arrow: best way into a state; dashed: best path"]
    )
    return said + written(picture.chances, [f"{each:.3f}" for each in wanted])


LIKE = {face: np.array([1 / 6, 0.5 if face == 6 else 0.1]) for face in range(1, 7)}


def swaps(figure):
    """The transition table of a figure's casino and its balance."""
    f, g = figure.values["keep_fair"] / 100, figure.values["keep_loaded"] / 100
    return np.array([[f, 1 - f], [1 - g, g]]), np.array([1 - g, 1 - f]) / (2 - f - g)


def filtered(rolls, move, start):
    """The beliefs in fair and loaded after each roll, and the likelihood of all rolls as a logarithm."""
    belief, beliefs, total = start, [], 0.0
    for each in rolls:
        total += np.log(belief @ LIKE[each])
        belief = belief * LIKE[each] / (belief @ LIKE[each])
        beliefs.append(belief)
        belief = belief @ move
    return np.array(beliefs), total


def in_hindsight(rolls, move, start):
    """P(loaded) at every roll, given all of them."""
    later, message = [np.ones(2)], np.ones(2)
    for each in rolls[:0:-1]:
        message = move @ (LIKE[each] * message)
        later.append(message := message / message.sum())
    both = filtered(rolls, move, start)[0] * later[::-1]
    return both[:, 1] / both.sum(axis=1)


def check_best(stairs, height, rolls, move, start):
    """The hatched part is a path; no path that differs from it at one roll or in one run is better. Returns its length."""
    states = (stairs.get_data().values > height).astype(int)

    def worth(path):
        return (
            np.log(start[path[0]])
            + np.log(move[path[:-1], path[1:]]).sum()
            + sum(np.log(LIKE[r][s]) for r, s in zip(rolls, path))
        )

    mine, runs = worth(states), [(a, b) for a in range(len(rolls)) for b in range(a + 1, min(a + 12, len(rolls)) + 1)]
    for a, b in runs[:: max(1, len(runs) // 150)] + [(0, len(rolls))]:
        for state in (0, 1):
            other = states.copy()
            other[a:b] = state
            assert worth(other) <= mine + 1e-9
    return int(states.sum())


def holds_streak(figure):
    sixes, ones, roll = (figure.values[name] for name in ("sixes", "ones", "roll"))
    move, start = swaps(figure)
    rolls, picture = [1] * ones + [6] * sixes + [1] * ones, figure.picture
    beliefs, hindsight = filtered(rolls, move, start)[0], in_hindsight(rolls, move, start)
    at = np.arange(len(rolls)) + 1 - ones
    for line, wanted in (
        (picture.still, filtered(rolls, np.eye(2), start)[0][:, 1]),
        (picture.filtered, beliefs[:, 1]),
        (picture.smoothed, hindsight),
    ):
        assert line.get_xdata().tolist() == at.tolist() and line.get_ydata() == pytest.approx(wanted)
    place = int(np.clip(roll - 1 + ones, 0, len(rolls) - 1))
    assert places(picture.here) == [(at[place], pytest.approx(hindsight[place]))]
    for face, line in picture.rolls.items():
        assert places(line) == [(t, -0.16) for t, each in zip(at.tolist(), rolls) if each == face]
    assert number("Roll", figure.alt.replace(":", " ")) == place + 1 - ones
    assert number(r"P\(loaded\) =", figure.alt) == pytest.approx(beliefs[place, 1], abs=5.1e-5)
    assert number("at the time,", figure.alt) == pytest.approx(hindsight[place], abs=5.1e-5)
    counted = check_best(picture.path, -0.4, rolls, move, start)
    assert f"for {counted} rolls" in figure.alt or (counted == 0 and "never has the loaded die" in figure.alt)


def holds_own_rolls(figure):
    rolls = [sign for sign in figure.values["rolls"] if sign not in " ,;.\n\t"]
    if set(rolls) - set("123456") or not 10 <= len(rolls) <= 100:
        assert figure.alt.startswith(f"{EXPLAINED}your rolls must be")
        return
    rolls, picture, (move, start) = [int(each) for each in rolls], figure.picture, swaps(figure)
    (beliefs, total), hindsight = filtered(rolls, move, start), in_hindsight(rolls, move, start)
    count, at = len(rolls), np.arange(1, len(rolls) + 1)
    placed(picture.filtered, at, beliefs[:, 1])
    placed(picture.smoothed, at, hindsight)
    sixes = np.array(rolls) == 6
    placed(picture.sixes, at[sixes], np.array(rolls)[sixes])
    placed(picture.others, at[~sixes], np.array(rolls)[~sixes])
    repeats = sum(rolls[t] == rolls[t + 1] for t in range(count - 1))
    shares = [*(rolls.count(face) / count for face in range(1, 7)), repeats / (count - 1)]
    sized(picture.bars, width=shares, height=0.7)
    assert figure.alt.startswith(f"{count} rolls, {sixes.sum()} of them sixes; ")
    assert f": {repeats} of {count - 1} (one in six would be {(count - 1) / 6:.1f})" in figure.alt
    assert number(r"largest at roll \d+:", figure.alt) == pytest.approx(hindsight.max(), abs=5.1e-4)
    assert hindsight[int(number("largest at roll", figure.alt.replace(":", " "))) - 1] == pytest.approx(hindsight.max())
    assert number("Log-likelihood", figure.alt) == pytest.approx(total, abs=0.051)
    assert number("casino's dice,", figure.alt) == pytest.approx(count * np.log(1 / 6), abs=0.051)
    counted = check_best(picture.path, 1, rolls, move, start)
    assert f"for {counted} rolls" in figure.alt or (counted == 0 and "never has the loaded die" in figure.alt)
    return written(picture.numbers, [f"{each:.2f}" for each in shares])


@cache
def truth(rolls):
    return hmm.casino().log_likelihood(hmm.casino().sample(rolls, random_state=0)[1])


def holds_baum_welch(figure):
    begin, rolls, step = (figure.values[name] for name in ("begin", "rolls", "step"))
    assert number("iteration", figure.alt.replace(":", " ")) == ITERATIONS[step]
    picture = figure.picture
    gains = picture.line.get_ydata()
    assert places(picture.point) == [(step, gains[-1])]
    assert len(gains) == step + 1 and (np.diff(gains) >= -1e-9).all(), "the likelihood never falls"
    true = truth(rolls)
    assert number(r"true dice's", figure.alt) == pytest.approx(true, abs=0.0051)
    assert number("log-likelihood", figure.alt) == pytest.approx(true + gains[-1], abs=0.0051)
    dice = [[bar.get_height() for bar in die] for die in picture.dice]
    assert [sum(die) for die in dice] == pytest.approx([1, 1])
    assert {round(bar.get_width(), 9) for die in picture.dice for bar in die} == {0.8}
    assert number(r"P\(6\) is", figure.alt) == pytest.approx(dice[0][5], abs=5.1e-4)
    assert number("on the first die,", figure.alt) == pytest.approx(dice[1][5], abs=5.1e-4)
    if begin == "identical":
        assert dice[0] == pytest.approx(dice[1]), "nothing tells the two dice apart"
        seen = hmm.casino().sample(rolls, random_state=0)[1]
        assert not step or dice[0] == pytest.approx([seen.count(face) / rolls for face in range(1, 7)])
    elif step:  # no die explains the rolls better than these two: their mixture has nearly the shares of the faces
        shares = np.bincount(hmm.casino().sample(rolls, random_state=0)[1], minlength=7)[1:] / rolls
        assert all(min(a, b) - 0.02 <= share <= max(a, b) + 0.02 for a, b, share in zip(*dice, shares))
    return written(picture.heads, [f"P(6) = {die[5]:.3f}" for die in dice])


@cache
def stored_letters():
    """(text, start, iteration) → the row of data/letter_climbs.csv, which a heavy test of section 13 computes again."""
    rows = data.load_letter_climbs().to_dict("records")
    return {(row["text"], row["begin"], row["iteration"]): row for row in rows}


@cache
def letters(tale):
    tales = data.load_tales()
    text = "".join(
        each if each.isascii() and each.isalpha() else " " for each in " ".join(tales["text"][tales["tale"] == tale])
    )
    return "_".join(text.lower().split())


def holds_letter_states(figure):
    text, begin, step = (figure.values[name] for name in ("text", "begin", "step"))
    picture, symbols = figure.picture, "_abcdefghijklmnopqrstuvwxyz"
    rows = [stored_letters()[text, begin, each] for each in ROUNDS[: step + 1]]
    row, seen = rows[-1], letters("Hansel and Gretel")[:5000]
    one_die = sum(np.log(seen.count(each) / 5000) for each in seen)
    for place, (symbol, line) in enumerate(zip(symbols, picture.letters)):
        placed(line, [place], [row[symbol]])
    placed(picture.line, range(step + 1), [each["log_likelihood"] - one_die for each in rows])
    placed(picture.point, [step], [row["log_likelihood"] - one_die])
    new = letters("The Ugly Duckling")[:48]
    for symbol, line in zip(symbols, picture.read):
        mine = [place for place in range(48) if new[place] == symbol]
        placed(line, mine, [float(row["strip"][place] == "A") for place in mine])
    assert f"start {begin}, iteration {ROUNDS[step]}: " in figure.alt
    assert number("log-likelihood", figure.alt) == pytest.approx(row["log_likelihood"], abs=0.051)
    assert number("one die for all letters", figure.alt) == pytest.approx(one_die, abs=0.051)
    inside = figure.alt.partition("state A: ")[2].partition(".")[0].split()
    assert inside == [each for each in symbols if row[each] > 0.5] or inside == ["no", "symbol"]
    assert number("new tale", figure.alt.replace("%", "")) == pytest.approx(100 * row["right"], abs=0.051)
    named = {"tale": "The tale as", "shuffled": "Its letters sh", "secret": "A secret"}
    assert figure.alt.startswith(named[text])


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s13_hidden_markov_models/questions.toml").read_text()


def source(cell):
    return next(each.source for each in Lesson.read("13").cells if each.id == cell)


def test_numbers_about_the_umbrella_world_hold():
    chain = live.hidden_chain()
    chain.preset("umbrella on day 2")
    assert "0.6573" in chain.alt and "0.6068" in chain.alt and "0.6573 against 0.6068" in TEXT
    days = live.umbrella_filter()
    days.preset("then look away")
    beliefs = [days.figure.axes[0].patches[1].get_data().values[day] for day in (2, 3, 4, 5)]
    assert [f"{belief:.3f}" for belief in beliefs] == ["0.653", "0.561", "0.525", "0.510"]
    assert "0.653, 0.561, 0.525, 0.510" in TEXT
    days.preset("two umbrellas")
    days.set(step=4)
    assert "0.6273" in days.alt and "down to 62.7%" in TEXT
    paths = live.trellis()
    assert "0.03136 / 0.07806 = 0.402" in paths.alt and "a path of probability 0.332" in paths.alt
    rain = paths.picture.bars[4].get_width() / paths.picture.bars[0].get_width()
    assert round(0.402 * rain, 3) == 0.028 and "and has probability 0.028" in TEXT


def test_numbers_about_the_casino_hold():
    model, run = casino(), live.streak()
    run.preset("20 sixes")
    assert "0.9462 at the time" in run.alt and "it has been 0.9462 since the tenth six" in TEXT
    assert np.round(model.filter([6] * 20)[8:11, 1], 4).tolist() == [0.9461, 0.9462, 0.9462]
    assert round(run.picture.still.get_ydata()[6], 4) == 0.9991 and "0.9991 after seven sixes" in TEXT
    run.preset("4 sixes")
    assert "P(never loaded) = 0.1930" in run.alt and "fair all the way has 0.193" in TEXT
    rolls = [1] * 10 + [6] * 4 + [1] * 10
    exactly = model.log_joint(["fair"] * 10 + ["loaded"] * 4 + ["fair"] * 10, rolls) - model.log_likelihood(rolls)
    assert round(np.exp(exactly), 3) == 0.074 and "probability 0.074" in TEXT
    assert model.smooth(rolls)[10:14, 1].min() > 0.6
    likelihoods = model.likelihoods(rolls)
    likelihoods[10:14, 0] = 0  # only paths that have the loaded die for all four
    four = forward(model.start, model.transition, likelihoods)[1].sum() - model.log_likelihood(rolls)
    assert round(np.exp(four) - np.exp(exactly), 2) == 0.43 and "have probability 0.43 together" in TEXT


def test_a_step_from_two_umbrellas_believes_in_umbrellas_only():
    """The M step of the lesson's hand: 0.883 of two days each, and every sign an umbrella."""
    first, _, signs, _ = umbrella().expected_counts(["UU"])
    assert round(first[0], 3) == 0.883 and round(signs[0, 0], 2) == 1.77 and signs[:, 1].tolist() == [0, 0]
    assert "0.883 + 0.883 = 1.77 days" in source("learn-hand") and "P(U | rain) becomes 1.77 / 1.77 = 1" in source(
        "learn-hand"
    )


def test_numbers_about_learning_hold():
    climb = live.baum_welch()
    climb.preset("identical dice")
    assert "−501.52" in climb.alt and "0.367 on the first" in climb.alt and "EM stops at −501.52" in TEXT
    climb.preset("stuck lower")
    assert "−497.31" in climb.alt and "−497.31 is lower than −494.50" in TEXT
    climb.preset("names swapped")
    assert "−494.50" in climb.alt


def test_numbers_about_the_letters_hold():
    climb, rows = live.letter_states(), data.load_letter_climbs()
    climb.preset("best start")
    assert "−13325.2, one die for all letters −13850.9" in climb.alt and "by 526 over one die" in TEXT
    assert "state A: _ a e i o q u z." in climb.alt and "99.4%" in climb.alt
    ends = rows[(rows["iteration"] == 300) & (rows["text"] == "tale")]
    assert (
        sorted(ends["right"] > 0.95).count(True) == 5
        and ends.loc[ends["right"] < 0.95, "log_likelihood"].max() < -13700
    )
    shuffled = rows[(rows["iteration"] == 300) & (rows["text"] == "shuffled")]["log_likelihood"].max()
    assert round(shuffled + 13850.9) == 26
    new = load_letters(" ".join(each for each in data.load_tales().query("tale == 'The Ugly Duckling'")["text"]))[:5000]
    assert "".join(new) == "_".join(tale_letters("The Ugly Duckling"))[:5000]
    kinds = [each in "aeiou" for each in new if each != "_"]
    assert (len(kinds), round(1 - np.mean(kinds), 3)) == (3977, 0.623)


def test_identical_dice_stay_only_in_balance():
    """From a balanced start EM never leaves two identical dice; from another it does."""
    _, rolls = casino().sample(300, random_state=0)
    for first, end in ((0.5, -501.52), (0.9, -494.50)):
        moves = [[0.8, 0.2], [0.2, 0.8]]
        model = HiddenMarkovModel([first, 1 - first], moves, [[1 / 6] * 6] * 2, symbols=range(1, 7)).fit([rolls], 400)
        assert model.history_[-1].log_likelihood == pytest.approx(end, abs=0.006)
        assert (model.emission_[0] == pytest.approx(model.emission_[1])) == (first == 0.5)


@pytest.mark.heavy
def test_the_dice_alike_are_a_saddle_and_start_3_is_a_maximum():
    """As far as 40 nudges show: of the dice, apart or one alone, and at start 3 of all tables, zeros too."""
    _, rolls = casino().sample(300, random_state=0)
    moves = [[0.8, 0.2], [0.2, 0.8]]
    saddle = HiddenMarkovModel([0.5, 0.5], moves, [[1 / 6] * 6] * 2, symbols=range(1, 7)).fit([rolls], 400)
    lower = guess(casino(), random_state=3).fit([rolls], 800)

    def nudged(model, seed, signs):
        push = np.random.default_rng(seed).normal(0, 0.02, 6)
        dice = model.emission_ * np.exp(np.outer(signs, push))
        dice /= dice.sum(axis=1, keepdims=True)
        return HiddenMarkovModel(model.start_, model.transition_, dice, symbols=range(1, 7))

    def mixed(model, seed, share=0.01):
        random = np.random.default_rng(seed)
        tables = (model.start_, [1, 1], None), (model.transition_, [1, 1], 2), (model.emission_, [1] * 6, 2)
        tables = [(1 - share) * table + share * random.dirichlet(*drawn) for table, *drawn in tables]
        return HiddenMarkovModel(*tables, symbols=range(1, 7))

    def higher(model, *nudge):
        here = model.log_likelihood(rolls)
        return sum(each.log_likelihood(rolls) > here for each in nudge)

    def ends(model):
        return model.fit([rolls], 1000, 1e-9).log_likelihood(rolls)

    for signs, found in (((1, -1), 27), ((1, 0), 0), ((0, 1), 0)):
        assert higher(saddle, *(nudged(saddle, seed, signs) for seed in range(40))) == found
        assert higher(lower, *(nudged(lower, seed, signs) for seed in range(40))) == 0
    assert higher(lower, *(mixed(lower, seed) for seed in range(40))) == 0
    assert round(ends(nudged(saddle, 0, (1, -1))), 2) == -494.50
    assert round(ends(nudged(lower, 0, (1, -1))), 2) == round(ends(mixed(lower, 0)), 2) == -497.31
    assert "moving the two dice a little apart can raise the likelihood" in TEXT and "none of 40 small nudges" in TEXT
    assert "27 of 40 small nudges raise the likelihood" in source("slip-fold")


def test_the_rolls_to_learn_from_are_new():
    longer, shorter = (casino().sample(rolls, random_state=0)[1][:300] for rolls in (2000, 300))
    assert list(longer) != list(shorter) and "Three hundred new rolls" in source("identical-head")


def test_the_code_of_a_prediction_does_not_name_its_answer():
    assert "vowel" not in source("predict-letters") and "vowel" not in source("letters")


def test_the_best_path_of_each_task_is_the_only_one():
    """Right solutions may break ties either way, so there must be none."""
    for start, transition, emission, observations in tasks.TASKS["viterbi"]["cases"]:
        likelihoods = np.array(emission).T[observations]
        scores, back = best_routes(np.array(start), np.array(transition), likelihoods)
        path = follow_back(scores[-1], back)
        gaps = [abs(np.diff(scores[-1]))]
        for t, state in enumerate(path[1:]):
            gaps.append(abs(np.diff(scores[t] + np.log(transition)[:, state])))
        assert min(gaps) > 1e-3


def climbs():
    """The rows of data/casino_climbs.csv, computed again: begin, iteration, log-likelihood, the six faces of both dice."""
    rolls = casino().sample(2000, random_state=0)[1]
    for begin in ("identical", *range(6)):
        for iteration, (total, dice) in zip(ITERATIONS, _climb(begin, rolls)):
            yield [str(begin), iteration, total, *dice.ravel()]


@cache
def tale_letters(tale, count=5000):
    """The letters of a tale as one text, "_" between words."""
    tales = data.load_tales()
    text = " ".join(tales["text"][tales["tale"] == tale]).lower()
    return "".join(each if each in SYMBOLS else " " for each in text)[: 2 * count].split()


def letter_climbs(begins):
    """The rows of data/letter_climbs.csv for some of the ten starts, computed again."""
    learn, new = ("_".join(tale_letters(each))[:5000] for each in ("Hansel and Gretel", "The Ugly Duckling"))
    shuffled = "".join(np.random.default_rng(0).permutation(list(learn)))
    secret = dict(zip(SYMBOLS, ["_", *np.random.default_rng(0).permutation(list(SYMBOLS[1:]))]))
    same = dict(zip(SYMBOLS, SYMBOLS))
    for name, text, code in (("tale", learn, same), ("shuffled", shuffled, same), ("secret", learn, secret)):
        seen, other = ("".join(code[each] for each in every) for every in (text, new))
        for begin in begins:
            random = np.random.default_rng(begin)
            tables = [0.5, 0.5], random.dirichlet([5, 5], 2), random.dirichlet([20] * 27, 2)
            steps = HiddenMarkovModel(*tables, "AB", SYMBOLS).fit([seen, SYMBOLS], max(ROUNDS), 1e-3).history_
            for iteration in ROUNDS:
                step = steps[min(iteration, len(steps) - 1)]
                model = HiddenMarkovModel(*step[:3], "AB", SYMBOLS)
                counts = model.expected_counts([seen, SYMBOLS])[2]
                share = dict(zip(SYMBOLS, counts[0] / counts.sum(axis=0)))
                inside = model.smooth(other)[:, 0] > 0.5
                with_e = share[code["e"]] > 0.5
                right = [(a == with_e) == (each in "aeiou") for a, each in zip(inside, new) if each != "_"]
                strip = "".join("AB"[not a] for a in inside[:STRIP])
                yield [
                    *(name, begin, iteration, round(model.log_likelihood(seen), 3), round(np.mean(right), 4)),
                    *(round(share[code[each]], 3) for each in SYMBOLS),
                    strip,
                ]


@pytest.mark.heavy
def test_the_stored_climbs_are_what_baum_welch_does():
    stored = data.load_casino_climbs()
    for row, wanted in zip(stored.to_numpy(), climbs(), strict=True):
        assert row[:2].tolist() == wanted[:2]
        assert row[2:].astype(float) == pytest.approx(wanted[2:], abs=2e-5)


@pytest.mark.heavy
def test_the_stored_climbs_on_letters_are_what_baum_welch_does():
    stored, begins = data.load_letter_climbs(), [1]  # one start of ten for each text: a climb takes ten seconds
    stored = stored[stored["begin"].isin(begins)]
    for row, wanted in zip(stored.to_numpy(), letter_climbs(begins), strict=True):
        assert row[:3].tolist() == wanted[:3]
        assert row[3:-1].astype(float) == pytest.approx(wanted[3:-1], abs=2e-3)
        assert sum(a != b for a, b in zip(row[-1], wanted[-1], strict=True)) <= 1, "a letter on the border"


@pytest.mark.heavy
def test_four_of_ten_starts_have_found_the_vowels():
    lesson = Lesson.read("13")
    learn, symbols, found = lesson.names("climb")["learn"], "_abcdefghijklmnopqrstuvwxyz", []
    for seed in range(4):  # of the ten; each climbs for ten seconds
        random = np.random.default_rng(seed)
        begin = [0.5, 0.5], random.dirichlet([5, 5], 2), random.dirichlet([20] * 27, 2)
        model = HiddenMarkovModel(*begin, "AB", symbols).fit([learn, symbols], max_iter=300, tol=1e-3)
        side = model.emission_[0] > model.emission_[1]
        side = side if side[symbols.index("e")] else ~side
        found.append("".join(np.array(list(symbols))[side]))
    assert [seed for seed, each in enumerate(found) if each == "_aeioquz"] == [1, 2]
    told = "".join(cell.source for cell in lesson.cells)
    assert set(found[3]) >= set("_aeiou") and "Of ten random starts four have found the vowels" in told
