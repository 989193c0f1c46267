"""The live figures of section 05, naive Bayes."""

from itertools import product

import numpy as np

from bayeslib import data
from bayeslib.figures import steer, user_data
from bayeslib.figures.controls import State, box, choice, menu, slider
from bayeslib.figures.figure import LiveFigure, Player
from bayeslib.models import poets
from bayeslib.models.naive_bayes import NaiveBayes, borders, log_normal
from bayeslib.plots import naive_bayes as plots
from bayeslib.plots import theme

VALUES = {
    "Outlook": ["sunny", "overcast", "rain"],
    "Temperature": ["hot", "mild", "cool"],
    "Humidity": ["high", "normal"],
    "Wind": ["weak", "strong"],
}
ATTRIBUTES = list(VALUES)
DAYS = [", ".join(day) for day in product(*VALUES.values())]
BOOK = "sunny, cool, high, strong"


def _tennis():
    table = data.load_play_tennis()
    days, answers = table[ATTRIBUTES], table["PlayTennis"].tolist()
    return days, answers, NaiveBayes(domains=VALUES).fit(days, answers)


def _day(text):
    return dict(zip(ATTRIBUTES, text.split(", ")))


def count_days():
    """Counting whole days: with every attribute the cells get smaller and the rows in a cell fewer."""
    days, answers, _ = _tennis()
    rows = days.to_numpy().tolist()
    picture = plots.DayGrid(
        *theme.axes((0.01, 0.02, 0.6, 0.96), (0.64, 0.04, 0.35, 0.92)),
        list(VALUES.values()),
        [_cell(row) for row in rows],
        answers,
    )

    def show(attributes, day):
        wanted = day.split(", ")[:attributes]
        cells = list(product(*list(VALUES.values())[:attributes]))
        seen = {tuple(row[:attributes]) for row in rows}
        mine = [answer for row, answer in zip(rows, answers) if row[:attributes] == wanted]
        yes, no = mine.count("yes"), mine.count("no")
        empty = [cell for cell in cells if cell not in seen]
        found = f"P(no) = {no}/{yes + no}" if mine else "P(no) = 0/0"
        title = f"{len(cells)} kinds of day"
        lines = [f"{len(empty)} of them never seen", "", "the framed one:", f"{yes} yes, {no} no", found]
        picture.show(attributes, [_cell(cell) for cell in empty], _cell(wanted), title, lines)
        says = f"so counting says {found} = {no / len(mine):.4g}" if mine else "so counting says nothing about it"
        return (
            f"{attributes} attribute{'s' * (attributes > 1)} ({', '.join(ATTRIBUTES[:attributes])}) make{'s' * (attributes == 1)} {len(cells)} kinds "
            f"of day; the 14 rows fill {len(seen)} of them and leave {len(empty)} empty. ⟨{', '.join(wanted)}⟩ was seen "
            f"{len(mine)} time{'s' * (len(mine) != 1)}: {yes} yes, {no} no, {says}."
        )

    return LiveFigure(
        picture,
        {"attributes": slider("attributes used", 1, 4, 1), "day": menu("day", DAYS, BOOK)},
        show,
        presets={
            "Outlook only": {"attributes": 1, "day": BOOK},
            "two attributes": {"attributes": 2, "day": BOOK},
            "three": {"attributes": 3, "day": BOOK},
            "the whole day": {"attributes": 4, "day": BOOK},
        },
    )


def _cell(values):
    """Column and row of a kind of day that is given by its first values."""
    codes = [VALUES[name].index(value) for name, value in zip(ATTRIBUTES, values)]
    column = codes[0] if len(codes) == 1 else 3 * codes[0] + codes[1]
    row = 0 if len(codes) < 3 else codes[2] if len(codes) == 3 else 2 * codes[2] + codes[3]
    return column, row


def day_factors():
    """The multiplication of naive Bayes, factor by factor, as a balance of odds."""
    _, _, model = _tennis()
    picture = plots.Balance(*theme.axes((0.287, 0.17, 0.455, 0.81)), len(ATTRIBUTES))
    tables = {name: model.counts(name) for name in ATTRIBUTES}
    classes = dict(zip(model.classes_.tolist(), model.class_count_.tolist()))

    def show(history, step, order, **day):
        factors = model.explain(day)
        ratios, worth = [classes["yes"] / classes["no"]], [f"{classes['yes']} : {classes['no']}"]
        for name in order:
            table, value = factors[f"{name} = {day[name]}"], day[name]
            ratios.append(table["yes"] / table["no"] if table["no"] else np.inf)
            yes, no = (f"{tables[name][each][value]}/{classes[each]}" for each in ("yes", "no"))
            worth.append(f"{yes} : {no}  {_times(ratios[-1])}")
        used = ["prior", *(f"{name} = {day[name]}" for name in order[:step])]
        scores = {each: float(np.prod([factors[name][each] for name in used])) for each in ("yes", "no")}
        share = scores["no"] / sum(scores.values())
        best = max(scores, key=scores.get)
        picture.show({name: day[name] for name in order}, ratios, [*worth, f"P(no) = {share:.3f}"], step)
        state = f"yes {scores['yes']:.4f}, no {scores['no']:.4f}"
        if step == 0:
            return f"Before the day is looked at: 9 yes to 5 no. Scores so far {state}, P(no) = {share:.4f}."
        name = order[step - 1]
        likely = factors[f"{name} = {day[name]}"]
        push = "yes" if likely["yes"] > likely["no"] else "no"
        end = f"v_NB = {best}" if step == len(order) else f"{best} leads"
        veto = " A count of 0 rules no out, whatever else is seen." if not scores["no"] else ""
        return (
            f"{name} = {day[name]}: {likely['yes']:.3f} of the yes days, {likely['no']:.3f} of the no days, odds "
            f"{_times(ratios[step])}, a push towards {push}. Scores so far {state}, P(no) = {share:.4f}: {end}.{veto}"
        )

    def drag(values, axes, start, at):
        old, new = (int(np.clip(round(y), 1, len(ATTRIBUTES))) - 1 for y in (start[1], at[1]))
        order = list(values["order"])
        order.insert(new, order.pop(old))
        return {"order": order}

    def day(text):
        return {**_day(text), "order": ATTRIBUTES, "step": len(ATTRIBUTES)}

    return Player(
        picture,
        {
            **{name: menu(name, values, _day(BOOK)[name]) for name, values in VALUES.items()},
            "order": State(value=ATTRIBUTES),
        },
        history=lambda order: ["prior", *order],
        show=show,
        step="last",
        interval=2000,
        presets={
            "the book's day": day(BOOK),
            "a day for tennis": day("rain, mild, normal, weak"),
            "row 6, the one it misses": day("rain, cool, normal, strong"),
            "a veto": day("overcast, cool, high, strong"),
        },
        actions={"reverse the order": lambda values: {"order": values["order"][::-1]}},
        drag=drag,
        help="Drag a row up or down to multiply in another order. Left and right arrows step, Home restarts, Space plays.",
    )


def _times(ratio):
    return f"×{ratio:.3f}" if np.isfinite(ratio) else "× no limit"


def closed_world():
    """From scores to probabilities: the division is right only if the classes on the list are all there are."""
    _, _, model = _tennis()
    picture = plots.Shares(*theme.axes((0.125, 0.12, 0.45, 0.76), (0.62, 0.12, 0.37, 0.76), height=3.3))
    known = {day: model.scores(_day(day)) for day in DAYS}

    def show(unlisted, day):
        scores = {**known[day], "unlisted": unlisted / 1000}
        total = sum(scores.values())
        shares = {name: score / total for name, score in scores.items()}
        picture.show(scores, shares)
        first, second = sorted(("yes", "no"), key=scores.get, reverse=True)
        best = max(scores, key=scores.get).replace("unlisted", "something else")
        return (
            f"⟨{day}⟩. Scores: yes {scores['yes']:.4f}, no {scores['no']:.4f}, something else {scores['unlisted']:.4f}; their "
            f"sum is {total:.4f}. Divided by it: P(yes) = {shares['yes']:.3f}, P(no) = {shares['no']:.3f}, something else "
            f"{shares['unlisted']:.3f}. {first.capitalize()} is ahead of {second}; the most probable of all is {best}."
        )

    return LiveFigure(
        picture,
        {"unlisted": slider("else, per 1000", 0, 50, 0), "day": menu("day", DAYS, BOOK)},
        show,
        presets={
            "yes and no are all": {"unlisted": 0, "day": BOOK},
            "something else: 30 per 1000": {"unlisted": 30, "day": BOOK},
        },
    )


MOST = 10  # copies of an attribute


def overclaim():
    """One attribute counted several times: no new information, new certainty."""
    _, _, model = _tennis()
    claims = [2**copies / (2**copies + 1) for copies in range(1, MOST + 1)]
    picture = plots.Copies(*theme.axes((0.085, 0.17, 0.54, 0.73), (0.735, 0.17, 0.25, 0.73)), MOST, claims, 2 / 3)

    def show(attribute, copies, day):
        factors = model.explain(_day(day))
        factor = next(each for name, each in factors.items() if name.startswith(attribute))
        scores = model.scores(_day(day))
        again = {each: scores[each] * np.power(factor[each], np.arange(MOST)) for each in scores}
        chances = again["no"] / (again["yes"] + again["no"])
        picture.show(chances, copies, attribute)
        now, once = chances[copies - 1], chances[0]
        flips = ": the answer flips" if (now > 0.5) != (once > 0.5) else ""
        times = "once" if copies == 1 else f"{copies} times"
        was = f", counted once {once:.4f}{flips}" if copies > 1 else ""
        return (
            f"⟨{day}⟩ with {attribute} counted {times}: P(no) = {now:.4f}{was}. A single clue of 2 to 1, counted {times}, "
            f"claims {claims[copies - 1]:.4f} and is right with probability {2 / 3:.4f}."
        )

    def state(attribute, copies, day=BOOK):
        return {"attribute": attribute, "copies": copies, "day": day}

    return LiveFigure(
        picture,
        {
            "copies": slider("copies", 1, MOST, 1),
            "day": menu("day", DAYS, BOOK),
            "attribute": choice("attribute", ATTRIBUTES, "Wind"),
        },
        show,
        presets={
            "nothing copied": state("Wind", 1),
            "Wind twice": state("Wind", 2),
            "Temperature, 5 times": state("Temperature", 5),
            "another day, Outlook twice": state("Outlook", 2, "sunny, hot, normal, weak"),
        },
    )


WORDS = 500


def underflow():
    """A long product of small numbers becomes exactly 0; the sum of the logarithms does not."""
    picture = plots.Underflow(
        *theme.axes((0.115, 0.17, 0.52, 0.8), (0.69, 0.04, 0.305, 0.93)), WORDS, np.log(np.nextafter(0, 1))
    )

    def show(words, chance):
        each = {"cook": float(chance), "sport": 2 * float(chance)}
        products = {name: np.concatenate([[1], np.cumprod(np.full(words, p))]) for name, p in each.items()}
        logs = {name: np.arange(words + 1) * np.log(p) for name, p in each.items()}
        last = {name: _tiny(values[-1]) for name, values in products.items()}
        tie = not products["cook"][-1] and not products["sport"][-1]
        picture.show(
            list(logs.values()),
            [int(np.count_nonzero(values)) - 1 for values in products.values()],
            [*(f"{name}: {value}" for name, value in last.items()), "→ a tie, 0 = 0" if tie else "→ sport"],
            [*(theme.minus(f"{name}: {values[-1]:.1f}") for name, values in logs.items()), "→ sport"],
        )
        return (
            f"After {words} word{'s' * (words > 1)} of {chance} the product is {last['cook']}, its logarithm {logs['cook'][-1]:.1f}. For "
            f"sport each word is twice as probable: product {last['sport']}, logarithm {logs['sport'][-1]:.1f}. The products "
            f"say {'cook, a tie in which the first wins' if tie else 'sport'}; the logarithms say sport."
        )

    return LiveFigure(
        picture,
        {
            "words": slider("words", 1, WORDS, 50),
            "chance": choice("P(word | cook)", ["0.1", "0.01", "0.001"], "0.01"),
        },
        show,
        presets={
            "161 words": {"words": 161, "chance": "0.01"},
            "162 words": {"words": 162, "chance": "0.01"},
            "a page of text": {"words": 400, "chance": "0.01"},
        },
    )


def _tiny(value, digits=3):
    """A small number as it is written by hand: 6.72·10⁻³¹²."""
    digits, _, power = f"{value:.{digits}g}".partition("e")
    return f"{digits}·10⁻{power.lstrip('-0').translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}" if power else digits


PLACES = np.linspace(-8, 10, 721)


def gaussian_attribute():
    """A number as an attribute: two Gaussian classes, and which of them a value belongs to."""
    picture = plots.TwoBells(*theme.axes((0.105, 0.17, 0.79, 0.71)), PLACES)

    def show(x, spread, share, scale):
        mean, deviation, prior = np.array([0.0, 3.0]), np.array([1.0, spread]), np.array([share, 100 - share]) / 100
        weighted = np.log(prior)[:, None] + log_normal(PLACES, mean[:, None], deviation[:, None] ** 2)
        heights = np.log(prior) + log_normal(x, mean, deviation**2)
        densities = np.exp(heights) / prior
        chance = 1 / (1 + np.exp(heights[::-1] - heights))
        best = int(heights.argmax())
        edges = borders(mean, deviation**2, prior)
        place, (in_a, in_b) = theme.minus(f"{x:.1f}"), (_tiny(density, 2) for density in densities)
        of_a, of_b = (_tiny(height, 2) for height in np.exp(heights))
        picture.show(
            weighted, x, heights, scale == "log", f"x = {place}: height of A {of_a}, of B {of_b} → class {'AB'[best]}"
        )
        return (
            f"x = {place}: density A {in_a}, B {in_b}; times the priors {prior[0]:.2f} and {prior[1]:.2f} these are the heights {of_a} "
            f"and {of_b}. Class {'AB'[best]}, "
            f"P({'AB'[best]}|x) = {chance[best]:.4f}. {_ground(edges, weighted[0] > weighted[1], spread)}"
            f"{' Heights on a log scale.' if scale == 'log' else ''}"
        )

    return LiveFigure(
        picture,
        {
            "x": slider("x", -8, 8, 1.0, step=0.1),
            "spread": slider("spread σ of B", 0.5, 4, 2.0, step=0.1),
            "share": slider("P(A) in percent", 1, 99, 50),
            "scale": choice("heights", [("density", "density"), ("log scale", "log")], "density"),
        },
        show,
        presets={
            "x = −4": {"x": -4.0, "spread": 2.0, "share": 50, "scale": "log"},
            "B narrower than A": {"x": 1.0, "spread": 0.5, "share": 50},
            "equal widths": {"x": 1.0, "spread": 1.0, "share": 50},
            "A is rare": {"x": 1.0, "spread": 2.0, "share": 5},
        },
        drag=steer.drag("x", digits=1),
        keys={**steer.by("x", 0.1), **steer.by("spread", 0.1, steer.UP)},
        help="Drag in the picture to move x; left and right arrows move it too, up and down change the width of B.",
    )


def _ground(edges, a_leads, spread):
    """Which part of the line belongs to which class, in words."""
    if not edges:
        return f"{'A' if a_leads.all() else 'B'} wins everywhere."
    ends = [f"{edge:.2f}" for edge in edges]
    if len(edges) == 1:
        return f"A wins below {ends[0]}, B above."
    return f"{'A' if spread > 1 else 'B'} wins only between {ends[0]} and {ends[1]}."


SHARED, EVERY = "words that both poets use", "all words"
LINES = {
    "a sonnet": "My mistress' eyes are nothing like the sun",
    "Paradise Lost": "Better to reign in Hell, then serve in Heav'n",
    "neither of the two": "Hello my love, I am going to the supermarket",
}
LONGEST = 12  # words of a line


def whose_line():
    """A line of verse, or one that the reader types, word by word: does it sound like Shakespeare or like Milton?"""
    picture = plots.WordBalance(*theme.axes((0.17, 0.14, 0.61, 0.84), height=4.0), LONGEST, *poets.POETS)
    train, _ = poets.halves(seed=0)
    texts = {
        poet: [word for text in train["text"][train["author"] == poet] for word in poets.words(text)]
        for poet in poets.POETS
    }
    odds = {name: poets.word_odds(*texts.values(), shared=name == SHARED) for name in (SHARED, EVERY)}
    first, second = ((train["author"] == poet).sum() for poet in poets.POETS)

    def read(line):
        return ["", *user_data.words(line, "your line", most=LONGEST)]

    def show(history, step, line, counted):
        known, (_, *words) = odds[counted], history
        ratios = [first / second, *(known.get(word, 1) for word in words)]
        total = float(np.exp(np.log(ratios[: step + 1]).sum()))
        worth = [f"{first} : {second}", *(f"×{known[word]:.3g}" if word in known else "not counted" for word in words)]
        worth += [""] * (LONGEST + 1 - len(worth))
        chance = total / (1 + total)
        picture.show([_cut(word) for word in words], ratios, [*worth, f"P = {chance:.3f}"], step)
        end = f"P(Shakespeare) = {chance:.4f}"
        if step == 0:
            return (
                f"Before the line is read: {first} sonnets and {second} passages of Paradise Lost were counted, {end}."
            )
        word = words[step - 1]
        side, times = poets.POETS[known.get(word, 1) < 1], max(known.get(word, 1), 1 / known.get(word, 1))
        says = f"{times:.3g} times as frequent in {side}" if word in known else "not among the words that are counted"
        best = f" The line goes to {poets.POETS[total < 1]}." if step == len(words) else ""
        return f"“{_cut(word)}”: {says}. After {step} of {len(words)} words {end}.{best}"

    return Player(
        picture,
        {"line": box("your line", LINES["a sonnet"]), "counted": menu("counted", [SHARED, EVERY], SHARED)},
        history=read,
        show=show,
        step="last",
        interval=1200,
        presets={name: {"line": line, "step": len(read(line)) - 1} for name, line in LINES.items()},
        help="Type a line of up to 12 words and press Enter. Left and right arrows step, Home restarts, Space plays.",
    )


def _cut(word):
    return word if len(word) <= 12 else f"{word[:11]}…"


EDGES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.999, 1]


def poet_calibration():
    """How sure naive Bayes was of held-out verses, and how often it was right; its log odds can be scaled down."""
    picture = plots.Reliability(
        *theme.axes((0.185, 0.16, 0.57, 0.82), (0.785, 0.05, 0.21, 0.92)), [f"{100 * low:g}%" for low in EDGES[:-1]]
    )
    log_odds = {name: poets.held_out(shared=name == SHARED) for name in (SHARED, EVERY)}

    def show(weight, unit, counted):
        for_truth = getattr(log_odds[counted], unit) * weight / 100
        said, right = 1 / (1 + np.exp(-np.abs(for_truth))), np.heaviside(for_truth, 0.5)
        bins = poets.calibration(said, right, EDGES)
        accuracy, mean, loss = right.mean(), said.mean(), np.logaddexp(0, -for_truth).mean()
        picture.show(
            bins, [f"{len(said):,} {unit}", f"right: {accuracy:.3f}", f"it said: {mean:.3f}", f"log loss: {loss:.3f}"]
        )
        sure = max(place for place, each in enumerate(bins) if each)
        return (
            f"{len(said):,} held-out {unit}, {counted}, log odds counted {weight}%. Right {accuracy:.4f}, on average it said "
            f"{mean:.4f}; log loss {loss:.4f}. Its surest bin, from {EDGES[sure]:g} on: {bins[sure].count:,} {unit}, it said "
            f"{bins[sure].said:.5f} and was right in {bins[sure].right:.4f}."
        )

    def state(unit, weight, counted=SHARED):
        return {"unit": unit, "weight": weight, "counted": counted}

    return LiveFigure(
        picture,
        {
            "weight": slider("log odds counted, %", 5, 100, 100, step=5),
            "unit": choice("verses", ["lines", "passages"], "lines"),
            "counted": choice("counted", [SHARED, EVERY], SHARED),
        },
        show,
        presets={
            "single lines": state("lines", 100),
            "whole passages": state("passages", 100),
            "passages, log odds × 0.3": state("passages", 30),
        },
    )
