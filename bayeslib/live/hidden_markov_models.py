"""The live figures of section 13, hidden Markov models."""

import re
from itertools import product

import ipywidgets
import numpy as np

from bayeslib import data
from bayeslib.figures import steer
from bayeslib.figures.controls import STYLE, box, choice, menu, slider
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models import hmm
from bayeslib.plots import hidden_markov_models as plots
from bayeslib.plots import theme

SEEN = {"U": "umbrella", "-": "no umbrella", "?": "nothing seen"}
AIMA = {"stay": 70, "in_rain": 90, "in_dry": 20}
FAMOUS = {**AIMA, "days": "UU-UU"}


def hidden_chain():
    """Three days of the umbrella world as a network: does day 1 still say something about day 3?"""
    picture = plots.HiddenChain(*theme.axes((0.01, 0.02, 0.5, 0.96), (0.64, 0.13, 0.35, 0.74)))
    model = hmm.umbrella()

    def chance(o1, o2, s1, s2):
        """P(umbrella on day 3 | what is known), summed over the paths that fit."""
        fits = [p for p in product(model.states, repeat=3) if s1 in (None, p[0]) and s2 in (None, p[1])]
        both, known = (sum(np.exp(model.log_joint(p, [o1, o2, o3])) for p in fits) for o3 in ("U", None))
        return float(both / known)

    def show(s1, s2, o2):
        s1, s2, o2 = (None if each == "unknown" else each for each in (s1, s2, o2))
        after = [chance(o1, o2, s1, s2) for o1 in "U-"]
        same = abs(after[0] - after[1]) < 1e-12
        picture.show(
            {"s1": s1, "s2": s2, "o2": o2}, after, "day 1 says nothing more" if same else "day 1 still matters"
        )
        facts = {"weather of day 1": s1, "weather of day 2": s2, "day 2 seen": o2}
        known = [f"{name}: {plots.HiddenChain.WORDS[value]}" for name, value in facts.items() if value]
        return (
            f"Known besides day 1’s sign: {', '.join(known) if known else 'nothing'}. P(umbrella on day 3) is "
            f"{after[0]:.4f} if day 1 had an umbrella and {after[1]:.4f} if it had none: "
            f"{'the same, so day 1’s sign says nothing more' if same else 'day 1’s sign still matters'}."
        )

    options = {"s1": ("unknown", "rain", "dry"), "s2": ("unknown", "rain", "dry"), "o2": ("unknown", "U", "-")}

    def turn(values, node):
        values, now = options[node], values[node]
        return {node: values[(values.index(now) + 1) % 3]}

    def click(values, axes, start, at):
        near = {node: np.hypot(*(np.subtract(start, place))) for node, place in picture.PLACES.items()}
        node = min(near, key=near.get)
        return turn(values, node) if node in options else {}

    labels = {"s1": "weather of day 1 (S₁)", "s2": "weather of day 2 (S₂)", "o2": "seen on day 2 (O₂)"}
    words = {"U": "umbrella", "-": "none"}
    return LiveFigure(
        picture,
        {name: choice(labels[name], [(words.get(v, v), v) for v in options[name]], "unknown") for name in options},
        show,
        presets={
            "umbrella on day 2": {"s1": "unknown", "s2": "unknown", "o2": "U"},
            "rain on day 2": {"s1": "unknown", "s2": "rain", "o2": "unknown"},
            "rain on day 1": {"s1": "rain", "s2": "unknown", "o2": "unknown"},
        },
        drag=click,
        within=[0],
        keys={str(k): lambda values, node=node: turn(values, node) for k, node in enumerate(options, start=1)},
        help="Click the nodes S₁, S₂ and O₂ to turn them; the keys 1, 2 and 3 do the same.",
    )


def umbrella_filter():
    """Filtering the umbrella days in three strokes a day: push, weigh, normalise."""
    picture = plots.FilterSteps(*theme.axes((0.09, 0.17, 0.43, 0.78), (0.59, 0.17, 0.4, 0.66)))

    def history(days, stay, in_rain, in_dry):
        """For each stroke the day, the stage, and of that day: the belief before, pushed, the weights, the belief after."""
        model, symbols = _world(stay, in_rain, in_dry), _symbols(_days(days, row=picture.days))
        beliefs, days = model.filter(symbols), []
        for t, weights in enumerate(model.likelihoods(symbols)):
            before = beliefs[t - 1] if t else None
            days.append((before, before @ model.transition_ if t else model.start_, weights, beliefs[t]))
        return [(1, 0, *days[0]), *((t, stage, *day) for t, day in enumerate(days, 1) for stage in (1, 2, 3))]

    def show(history, step, days, stay, in_rain, in_dry):
        day, stage, before, pushed, weights, after = history[step]
        days, joint = _days(days), pushed * weights
        beliefs = [each[-1][0] for each in history[3 : step + 1 : 3]]
        columns = [before, pushed, joint, after]
        columns = [None if c is None or k > stage else tuple(c) for k, c in enumerate(columns)]
        picture.show(days, day, beliefs, columns)
        if stage == 0:
            return f"Before day 1 nothing has been seen: P(rain) = {pushed[0]:.4f}."
        if stage == 1:
            if day == 1:
                return f"Day 1, push: there is no day before, so the start belief stands, P(rain) = {pushed[0]:.4f}."
            return (
                f"Day {day}, push: {before[0]:.4f} × {stay / 100:.2f} + {before[1]:.4f} × {1 - stay / 100:.2f} = "
                f"{pushed[0]:.4f}. Over night, rain stays rain with probability {stay / 100:.2f}."
            )
        if stage == 2:
            return (
                f"Day {day}, {SEEN[days[day - 1]]}, weigh: rain {pushed[0]:.4f} × {weights[0]:.2f} = {joint[0]:.4f}, "
                f"dry {pushed[1]:.4f} × {weights[1]:.2f} = {joint[1]:.4f}; the sum {joint.sum():.4f} is the chance of this sign."
            )
        old = before[0] if day > 1 else pushed[0]
        old, new = (f"{100 * belief:.0f}%" for belief in (old, after[0]))
        moved = f"stays at {new}" if old == new else f"moves from {old} to {new}"
        return (
            f"Day {day}, {SEEN[days[day - 1]]}, normalise: P(rain) = {joint[0]:.4f} / {joint.sum():.4f} = "
            f"{after[0]:.4f}. The belief in rain {moved}."
        )

    def at(values):
        return max((values["step"] - 1) // 3 + 1, 1)

    return Player(
        picture,
        {"days": _days_text("UU-UU"), **_sliders()},
        main=("stay",),
        more=("in_rain", "in_dry"),
        history=history,
        show=show,
        step="last",
        presets={
            "the book's days": {**FAMOUS, "step": 15},
            "two umbrellas": {**FAMOUS, "days": "UU", "step": 6},
            "then look away": {**FAMOUS, "days": "UU?????", "step": 21},
            "no memory": {**FAMOUS, "stay": 50, "step": 15},
        },
        drag=_click_day(0, lambda day: {"step": 3 * day}),
        within=[0],
        keys=steer.two(lambda values, by: _turned(values, at(values), by), steer.UP),
        help="Click a day's sign to change it; left and right arrows step, up and down change the day's sign, Space plays.",
    )


def umbrella_smooth():
    """What was believed at the time, what the later days say, and what to believe in hindsight, as bands."""
    picture = plots.Hindsight(*theme.axes((0.15, 0.15, 0.84, 0.84), height=4.3))

    def show(days, stay, in_rain, in_dry, day):
        model, days = _world(stay, in_rain, in_dry), _days(days, row=picture.days)
        day, likelihoods = min(day, len(days)), model.likelihoods(_symbols(days))
        beliefs, logs = hmm.forward(model.start_, model.transition_, likelihoods)
        filtered, scales = np.exp(beliefs), np.exp(logs)
        messages = np.exp(hmm.backward(model.transition_, likelihoods, logs))
        smoothed = filtered * messages
        laters = messages * (scales.prod() / scales.cumprod())[:, None]  # P(later signs | state)
        picture.show(days, day, filtered[:, 0], laters, smoothed[:, 0])
        later = laters[day - 1]
        if day == len(days):
            reason = "It is the last day, so there is nothing to look back from"
        else:
            reason = (
                f"What came later has probability {later[0]:.4g} after rain that day and {later[1]:.4g} after a dry one"
            )
        return (
            f"Day {day}, {SEEN[days[day - 1]]}: at the time P(rain) = {filtered[day - 1, 0]:.4f}, in hindsight "
            f"{smoothed[day - 1, 0]:.4f}. {reason}. All {len(days)} days together have probability {scales.prod():.6f}."
        )

    return LiveFigure(
        picture,
        {"days": _days_text("UU-UU"), **_sliders(), "day": slider("look at day", 1, plots.LONGEST, 3)},
        show,
        main=("stay", "day"),
        more=("in_rain", "in_dry"),
        presets={
            "the book's days": {**FAMOUS, "day": 3},
            "only two days": {**FAMOUS, "days": "UU", "day": 1},
            "an unseen day": {**FAMOUS, "days": "UU?UU", "day": 3},
            "the day before": {**FAMOUS, "days": "?UU-UU", "day": 1},
        },
        drag=_click_day(0),
        within=[0],
        keys=_day_keys(),
        help="Click a day to look at it and its sign to change it; arrows left and right move, up and down change the sign.",
    )


def trellis():
    """Every path through the states at once: added up (day by day) or the best one kept (Viterbi)."""
    picture = plots.Trellis(*theme.axes((0.13, 0.155, 0.5, 0.835), (0.67, 0.04, 0.32, 0.94), height=4.2))
    most = 5

    def show(days, stay, in_rain, in_dry, answer, day):
        model, days = _world(stay, in_rain, in_dry), _days(days, most, picture.days)
        day, symbols, steps = min(day, len(days)), _symbols(days), range(1, len(days))
        smoothed, whole = model.smooth(symbols), model.log_likelihood(symbols)
        scores, back = hmm.best_routes(model.start_, model.transition_, model.likelihoods(symbols))
        best, by_day = hmm.follow_back(scores[-1], back), smoothed.argmax(axis=1).tolist()
        chances = {
            path: float(np.exp(model.log_joint([model.states[s] for s in path], symbols) - whole))
            for path in product((0, 1), repeat=len(days))
        }
        if answer == "sum":
            sizes = numbers = smoothed
            moves = [
                ((t, r), (t + 1, s), sum(chance for path, chance in chances.items() if path[t - 1 : t + 1] == (r, s)))
                for t in steps
                for r, s in product((0, 1), repeat=2)
            ]
        else:
            numbers = np.exp(scores)
            sizes = numbers / numbers.sum(axis=1, keepdims=True)
            moves = [((t, int(back[t - 1][s])), (t + 1, s), 0.2) for t in steps for s in (0, 1)]
        listed = sorted(chances.items(), key=lambda each: -each[1])[: picture.MOST]
        rain = smoothed[day - 1, 0]
        picture.show(answer, days, day, sizes, numbers, moves, by_day, best, listed)
        words = ["-".join(model.states[s] for s in path) for path in (best, by_day)]
        apart = "the same path" if best == by_day else f"a path of probability {chances[tuple(by_day)]:.3f}"
        shows = "P(state | all signs)" if answer == "sum" else "P(best way here and the signs so far)"
        whole, top = np.exp(whole), np.exp(scores[-1].max())
        return (
            f"Best path {words[0]} with probability {top:.4g} / {whole:.4g} = {chances[tuple(best)]:.3f}; day by day "
            f"{words[1]}, {apart}. Rain on day {day} has {rain:.4f}, added over {len(chances) // 2} paths. Numbers at the "
            f"circles: {shows}."
        )

    return LiveFigure(
        picture,
        main=("stay", "day"),
        more=("in_rain", "in_dry"),
        controls={
            "days": _days_text("-U-", most),
            **_sliders(),
            "day": slider("look at day", 1, most, 2),
            "answer": choice("moves", [("all, added up", "sum"), ("the best into each state", "max")], "sum"),
        },
        show=show,
        presets={
            "one umbrella": {**AIMA, "days": "-U-", "day": 2},
            "the book's days": {**FAMOUS, "day": 3},
            "no memory": {**AIMA, "stay": 50, "days": "-U-", "day": 2},
        },
        drag=_click_day(-0.25),
        within=[0],
        keys=_day_keys(),
        help="Click a day to look at it and its sign to change it; arrows left and right move, up and down change the sign.",
    )


def streak():
    """A run of sixes between ones: how sure may one be that the die is loaded?"""
    picture = plots.Streak(*theme.axes((0.115, 0.17, 0.875, 0.7)))

    def show(sixes, ones, keep_fair, keep_loaded, roll):
        model = hmm.casino(keep_fair / 100, keep_loaded / 100)
        rolls = [1] * ones + [6] * sixes + [1] * ones
        place = min(max(roll - 1 + ones, 0), len(rolls) - 1)
        filtered, smoothed = model.filter(rolls)[:, 1], model.smooth(rolls)[:, 1]
        never_swapped = hmm.HiddenMarkovModel(model.start, np.eye(2), model.emission, model.states, model.symbols)
        path, _ = model.viterbi(rolls)
        loaded = [state == "loaded" for state in path]
        never = np.exp(model.log_joint(["fair"] * len(rolls), rolls) - model.log_likelihood(rolls))
        picture.show(1 - ones, rolls, never_swapped.filter(rolls)[:, 1], filtered, smoothed, loaded, place)
        around = f" between {ones} ones on either side" if ones else ", nothing else"
        says = f"has the loaded die for {sum(loaded)} rolls" if any(loaded) else "never has the loaded die"
        return (
            f"{sixes} {'six' if sixes == 1 else 'sixes'}{around}. Roll {place + 1 - ones}: P(loaded) = "
            f"{filtered[place]:.4f} at the time, {smoothed[place]:.4f} in hindsight. The best path {says}; "
            f"P(never loaded) = {never:.4f}."
        )

    return LiveFigure(
        picture,
        {
            "sixes": slider("sixes in a row", 1, 20, 8),
            "ones": slider("ones before and after", 0, 10, 10),
            "keep_fair": slider("fair die kept, %", 50, 99, 95),
            "keep_loaded": slider("loaded die kept, %", 50, 99, 90),
            "roll": slider("look at roll", -9, 30, 2),
        },
        show,
        main=("sixes", "roll"),
        more=("keep_fair", "keep_loaded"),
        presets={
            "20 sixes": {"sixes": 20, "ones": 0, "keep_fair": 95, "keep_loaded": 90, "roll": 20},
            "4 sixes": {"sixes": 4, "ones": 10, "keep_fair": 95, "keep_loaded": 90, "roll": 2},
            "5 sixes": {"sixes": 5, "ones": 10, "keep_fair": 95, "keep_loaded": 90, "roll": 3},
            "dice hardly ever swapped": {"sixes": 20, "ones": 0, "keep_fair": 99, "keep_loaded": 99, "roll": 20},
        },
        drag=steer.drag("roll"),
        keys={**steer.by("roll"), **steer.by("sixes", keys=steer.UP)},
        help="Drag to look at a roll; left and right arrows move it, up and down change the number of sixes.",
    )


ITERATIONS = [*range(21), 25, 30, 40, 50, 60, 80, 100, 150, 200, 300]


def baum_welch():
    """Baum–Welch climbing on casino rolls: the log-likelihood, and the two dice it learns."""
    truth = hmm.casino()
    picture = plots.Climb(
        *theme.axes((0.12, 0.19, 0.39, 0.78), (0.58, 0.12, 0.195, 0.75), (0.795, 0.12, 0.195, 0.75)),
        ITERATIONS,
        truth.emission,
    )
    seen = {rolls: truth.sample(rolls, random_state=0)[1] for rolls in (300, 2000)}
    limits = {rolls: truth.log_likelihood(each) for rolls, each in seen.items()}

    stored = data.load_casino_climbs()

    def history(begin, rolls):
        """(log-likelihood, the two dice) at ITERATIONS; of 2000 rolls as it was computed once, which takes seconds."""
        if rolls == 300:
            return _climb(begin, seen[rolls])
        mine = stored[stored["begin"] == str(begin)].to_numpy()[:, 2:].astype(float)
        return [(row[0], row[1:].reshape(2, 6)) for row in mine]

    def show(history, step, begin, rolls):
        (_, dice), true = history[step], limits[rolls]
        gains = [total - true for total, _ in history[: step + 1]]
        picture.show(gains, dice)
        where = "above" if gains[-1] > 0 else "below"
        first, second = dice[:, 5]
        name = "identical dice at the start" if begin == "identical" else f"random start {begin}"
        return (
            f"{rolls} rolls, {name}, iteration {ITERATIONS[step]}: log-likelihood {gains[-1] + true:.2f}, that is "
            f"{abs(gains[-1]):.2f} {where} the true dice's {true:.2f}. P(6) is {first:.3f} on the first die, {second:.3f} "
            "on the second."
        )

    begins = [("identical dice", "identical"), *((f"random {seed}", seed) for seed in range(6))]
    return Player(
        picture,
        {
            "begin": menu("start from", begins, 0),
            "rolls": choice("data", [("300 rolls", 300), ("2000 rolls", 2000)], 300),
        },
        history=history,
        show=show,
        rounds=[f"iteration {each}" for each in ITERATIONS],
        step="last",
        interval=300,
        presets={
            "identical dice": {"begin": "identical", "rolls": 300, "step": len(ITERATIONS) - 1},
            "names swapped": {"begin": 2, "rolls": 300, "step": len(ITERATIONS) - 1},
            "stuck lower": {"begin": 3, "rolls": 300, "step": len(ITERATIONS) - 1},
            "more rolls": {"begin": 0, "rolls": 2000, "step": len(ITERATIONS) - 1},
        },
    )


TYPED = "352416 263154 415326 135264 621453"  # ours, an attempt to look random
LEAST, MOST = 10, 100  # rolls of a reader's own
FAIR = "".join(map(str, np.random.default_rng(0).integers(1, 7, 60)))


def own_rolls():
    """Rolls that the reader types: where would the casino's two dice see a loaded one?"""
    picture = plots.OwnRolls(*theme.axes((0.09, 0.47, 0.6, 0.39), (0.09, 0.15, 0.6, 0.25), (0.79, 0.16, 0.2, 0.74)))

    def show(rolls, keep_fair, keep_loaded):
        rolls = _rolls(rolls, picture)
        model, count = hmm.casino(keep_fair / 100, keep_loaded / 100), len(rolls)
        filtered, smoothed = model.filter(rolls)[:, 1], model.smooth(rolls)[:, 1]
        loaded = [state == "loaded" for state in model.viterbi(rolls)[0]]
        repeats = sum(a == b for a, b in zip(rolls, rolls[1:]))
        shares = [*(rolls.count(face) / count for face in range(1, 7)), repeats / (count - 1)]
        picture.show(rolls, filtered, smoothed, loaded, shares)
        top = int(smoothed.argmax())
        says = f"has the loaded die for {sum(loaded)} rolls" if any(loaded) else "never has the loaded die"
        return (
            f"{count} rolls, {rolls.count(6)} of them sixes; repeats of the roll before: {repeats} of {count - 1} (one in six "
            f"would be {(count - 1) / 6:.1f}). The best path {says}; P(loaded) in hindsight is largest at roll {top + 1}: "
            f"{smoothed[top]:.3f}. Log-likelihood {model.log_likelihood(rolls):.1f} with the casino's dice, "
            f"{-count * np.log(6):.1f} with one fair die."
        )

    fresh = {"keep_fair": 95, "keep_loaded": 90}
    return LiveFigure(
        picture,
        {
            "rolls": box("your rolls, 10 to 100", TYPED),
            "keep_fair": slider("fair die kept, %", 50, 99, 95),
            "keep_loaded": slider("loaded die kept, %", 50, 99, 90),
        },
        show,
        presets={
            "typed to look random": {**fresh, "rolls": TYPED},
            "a fair die": {**fresh, "rolls": FAIR},
            "the casino": {**fresh, "rolls": "".join(map(str, hmm.casino().sample(60, random_state=1)[1]))},
        },
        main=("keep_fair", "keep_loaded"),
    )


def _rolls(text, picture):
    """The rolls that somebody typed: the digits 1 to 6, with or without something between them; else `picture` is left wide."""
    signs = re.sub(r"[\s,;.]+", "", text[: 20 * MOST])
    wrong = re.search("[^1-6]", signs)
    if wrong or not LEAST <= len(signs) <= MOST:
        picture.scale(MOST)
        came = repr(wrong[0]) if wrong else len(signs)
        raise ValueError(f"your rolls must be {LEAST} to {MOST} digits from 1 to 6, got {came}")
    return [int(sign) for sign in signs]


TEXTS = {"tale": "the tale as it is", "shuffled": "its letters shuffled", "secret": "a secret alphabet"}


def letter_states():
    """Baum–Welch with two states on the letters of a tale: where each letter goes, and what it makes of another tale."""
    stored = data.load_letter_climbs()
    tales = data.load_tales().groupby("tale")["text"].agg(" ".join)
    learn, new = (hmm.letters(tales[each]) for each in ("Hansel and Gretel", "The Ugly Duckling"))
    counts = np.unique(learn[:5000], return_counts=True)[1]
    one_die = float((counts * np.log(counts / counts.sum())).sum())
    picture = plots.LetterStates(
        *theme.axes((0.095, 0.42, 0.575, 0.5), (0.78, 0.5, 0.21, 0.36), (0.095, 0.03, 0.895, 0.21)),
        SYMBOLS,
        "".join(new[:STRIP]),
        ROUNDS,
    )
    kept = {key: list(rows.itertuples(index=False)) for key, rows in stored.groupby(["text", "begin"])}

    def history(text, begin):
        """(log-likelihood, letters on the right side, shares in state A, states of the new letters) at ROUNDS."""
        return [(row[3], row[4], row[5:-1], row[-1]) for row in kept[text, begin]]

    def show(history, step, text, begin):
        total, right, shares, states = history[step]
        picture.show(shares, [each[0] - one_die for each in history[: step + 1]], states)
        inside = " ".join(symbol for symbol, share in zip(SYMBOLS, shares) if share > 0.5) or "no symbol"
        return (
            f"{TEXTS[text].capitalize()}, start {begin}, iteration {ROUNDS[step]}: log-likelihood {total:.1f}, one die for "
            f"all letters {one_die:.1f}. Mostly in state A: {inside}. Of the letters of the new tale {100 * right:.1f}% are "
            "on the side of their kind, where the side of e counts as that of a e i o u."
        )

    def at(text, begin, step=len(ROUNDS) - 1):
        return {"text": text, "begin": begin, "step": step}

    return Player(
        picture,
        {
            "text": choice("text", [(words, name) for name, words in TEXTS.items()], "tale"),
            "begin": menu("random start", [(str(begin), begin) for begin in range(10)], 2),
        },
        history=history,
        show=show,
        rounds=[f"iteration {each}" for each in ROUNDS],
        step="last",
        interval=300,
        presets={
            "best start": at("tale", 2),
            "names swapped": at("tale", 4),
            "a start that fails": at("tale", 6),
            "shuffled letters": at("shuffled", 6),
            "secret alphabet": at("secret", 5),
        },
    )


SYMBOLS, STRIP = "_abcdefghijklmnopqrstuvwxyz", 48  # what is learned from; how many letters of the other tale are shown
ROUNDS = [0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300]


def _climb(begin, rolls):
    """(log-likelihood, the two dice) of Baum–Welch at ITERATIONS."""
    truth = hmm.casino()
    if begin == "identical":
        model = hmm.HiddenMarkovModel([0.5] * 2, [[0.8, 0.2], [0.2, 0.8]], [[1 / 6] * 6] * 2, symbols=truth.symbols)
    else:
        model = hmm.guess(truth, random_state=begin)
    steps = model.fit([rolls], max(ITERATIONS)).history_
    steps = [steps[min(k, len(steps) - 1)] for k in ITERATIONS]
    return [(step.log_likelihood, step.emission) for step in steps]


def _world(stay, in_rain, in_dry):
    return hmm.umbrella(stay / 100, in_rain / 100, in_dry / 100)


def _sliders():
    """The three sliders of the umbrella world, standing at the book's numbers."""
    return {
        "stay": slider("weather stays, %", 50, 99, AIMA["stay"]),
        "in_rain": slider("umbrella in rain, %", 50, 99, AIMA["in_rain"]),
        "in_dry": slider("umbrella when dry, %", 1, 50, AIMA["in_dry"]),
    }


def _days_text(value, most=plots.LONGEST):
    return ipywidgets.Text(value=value, description=f"days, up to {most}: U - ?", **STYLE)


def _days(text, most=plots.LONGEST, row=None):
    """A string of the signs U, - and ?, as a reader may type it; if it cannot be read, `row` is left with empty days."""
    days = text.strip().upper().replace("−", "-").replace("–", "-")
    if not 1 <= len(days) <= most or set(days) - set(SEEN):
        if row is not None:
            row.scale(most)
        raise ValueError(f"days must hold 1 to {most} signs, each U, - or ?, got {text!r}")
    return days


def _symbols(days):
    return [None if sign == "?" else sign for sign in days]


def _turned(values, day, by=1):
    """The days with the sign of one of them changed to the next: U, -, ?; what cannot be read stays."""
    try:
        days = _days(values["days"])
    except ValueError:
        return {}
    day = min(day, len(days))
    signs = list(SEEN)
    sign = signs[(signs.index(days[day - 1]) + by) % len(signs)]
    return {"days": days[: day - 1] + sign + days[day:]}


def _click_day(below, look=lambda day: {"day": day}):
    """A click on a day looks at it; on its sign, which stands lower than `below`, it changes the sign too."""

    def click(values, axes, start, at):
        day = round(float(start[0]))
        if not 1 <= day <= len(values["days"]):
            return {}
        return {**look(day), **(_turned(values, day) if start[1] < below else {})}

    return click


def _day_keys():
    turn = steer.two(lambda values, by: _turned(values, values["day"], by), steer.UP)
    return {**steer.by("day"), **turn}
