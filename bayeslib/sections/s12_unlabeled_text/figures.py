"""The live figures of section 12, learning from unlabelled text."""

from contextlib import suppress
from functools import cache

import numpy as np

from bayeslib.data import load_tales
from bayeslib.figures import steer, user_data
from bayeslib.figures.drawn import Choice, Slider, State, Stops, Text, figure, player
from bayeslib.figures.theme import HEAD, HERO, LABEL, NUMBER, SMALL
from bayeslib.models import text
from bayeslib.models.text import ALL, AUTHORS, RANDOM, ROUNDS, WHOLE

# The shelf: eight tales, a brick for each piece

SHELVES = (
    ("The Ugly Duckling", "The Little Match-Seller"),
    ("The Philosopher's Stone",),
    ("Cinderella", "Hansel and Gretel"),
    ("The Brave Little Tailor", "Rapunzel", "The Bremen Town Musicians"),
)
SHORT = {
    "The Little Match-Seller": "Match-Seller",
    "The Philosopher's Stone": "The Philosopher’s Stone",
    "The Bremen Town Musicians": "Musicians",
}
ROLES = {"Andersen": "case", "Grimm": "other"}
EACH, READ = 5, 25  # labels of each author that a reader gives; words of a piece that are shown
MINE = []  # the pieces that the reader of this notebook has labelled, on whichever shelf
PIECES = load_tales()
TALE, AUTHOR = PIECES["tale"].to_numpy(), PIECES["author"].to_numpy()
LOOKS = {
    "shelf": {"color": "rule", "width": 3, "z": 0.5},
    "pieces": {"color": "sediment", "alpha": 0.35},
    "share": {"z": 1.2},
    "held": {"z": 1.3},
    "label": {"z": 1.4},
    "wrong": {"color": None, "edge": "ink", "width": 1.6, "z": 3},
    "cross": {"width": 1.5, "z": 3.1},
    "tale": {"size": SMALL, "color": "muted"},
    "wrong of": {"size": SMALL, "bold": True},
    "author": {"size": HEAD, "bold": True},
    "by": {"size": SMALL, "color": "muted"},
    "head": {"size": HEAD, "bold": True},
    "clause": {"color": "muted"},
    "count": {"size": HERO, "bold": True},
    "note": {"size": SMALL, "color": "muted"},
    "word": {"bold": True, "when": (0, 0.9)},
    "read": {"italic": True},
    "words of": {"size": SMALL, "color": "muted"},
    "guess": {"size": SMALL, "color": "ink", "bold": True, "ha": "right"},
}


@cache
def _places(wide):
    """Of each piece the left edge and the shelf under it, as two arrays; and where the name of each tale begins."""
    pitch, left, line, down = (11.55, 138, 124, 83) if wide else (6.25, 16, 136, 46)
    x, y, names = np.zeros(len(TALE)), np.zeros(len(TALE)), {}
    for k, row in enumerate(SHELVES if wide else [[tale] for shelf in SHELVES for tale in shelf]):
        at = left
        for tale in row:
            here = np.flatnonzero(TALE == tale)
            x[here], y[here], names[tale] = at + pitch * np.arange(len(here)), line, (at, line)
            at += pitch * (len(here) + 1.6)
        line += down + (6 if wide and k == 1 else 0)
    return x, y, names


def _bricks(wide, foot, which, share=1.0):
    """The outlines of these pieces: full, or filled from below to their share."""
    (x, *_), width, tall = _places(wide), *((9.35, 36) if wide else (4.85, 16))
    top = foot - tall * np.broadcast_to(share, len(x))
    return [
        np.array([(x[k], foot[k]), (x[k], top[k]), (x[k] + width, top[k]), (x[k] + width, foot[k])])
        for k in np.flatnonzero(which)
    ]


def _shelves(pen, page, foot, labelled, wrong=None, **ground):
    """What every shelf has: boards, bricks, bookmarks, and the names of tales and authors."""
    wide = pen.size[0] > 560
    (x, y, names), tall, flag = _places(wide), *((36, 7) if wide else (16, 4))
    width = 9.35 if wide else 4.85
    boards = [[(x[y == line].min() - 3, line + 0.5), (x[y == line].max() + width + 3, line + 0.5)] for line in set(y)]
    pen.segments(page, "shelf", sorted(boards))
    pen.area(page, "pieces", *_bricks(wide, foot, np.ones(len(x), bool)), **ground)
    for author, role in ROLES.items():
        marks = []
        for k in np.flatnonzero(labelled & (author == AUTHOR)):
            (low, left), (a, b) = (foot[k], x[k]), (x[k] + 0.18 * width, x[k] + 0.82 * width)
            high, right = low - tall, left + width
            marks.append([(left, low), (left, high), (a, high), (a, high - flag)])
            marks[-1] += [(b, high - flag), (b, high), (right, high), (right, low)]
        pen.area(page, f"label {author}", *map(np.array, marks), color=role)
        if wide:
            line = 124 if author == "Andersen" else 296
            pen.text(page, f"author {author}", 22, line - 14, author, color=role)
            pen.text(page, f"by {author}", 22, line + 8, f"{(author == AUTHOR).sum()} pieces")
    for k, (tale, (at, line)) in enumerate(names.items()):
        pen.text(
            page,
            f"tale {k}",
            at,
            line - tall - (14 if wide else 11),
            SHORT.get(tale, tale),
            **({} if wide else {"color": ROLES[AUTHOR[TALE == tale][0]]}),
        )
        if wrong is not None and (count := int(wrong[tale == TALE].sum())):
            above = line - tall - (14 if wide else 11)
            pen.text(page, f"wrong of {k}", at, above, f"{count} wrong", dx=8, after=f"tale {k}", rank=k)


def _head(pen, page, head, clause, count, of, note):
    """Above the shelf what is shown, and the one number."""
    if pen.size[0] > 560:
        pen.text(page, "head", 22, 40, head)
        pen.text(page, "clause", 22, 40, clause, dx=10, after="head")
        pen.text(page, "count", 732, 116, count)
        for k, words in enumerate(of):
            pen.text(page, f"of {k}", 732, 93 + 23 * k, words, dx=10, after="count")
        pen.text(page, "note", 878, 142, note, ha="right")
    else:
        pen.text(page, "head", 16, 32, head)
        pen.text(page, "count", 16, 64, count, size=HEAD)
        pen.text(page, "of 0", 16, 64, " ".join(of), dx=6, after="count")
        pen.text(page, "note", 374, 64, note, ha="right")


def _label(values):
    """Set or take back the label of the piece that is read; five of each author are enough."""
    mine, piece = list(values["mine"]), values["reading"]
    if piece in mine:
        mine.remove(piece)
    elif sum(AUTHOR[piece] == AUTHOR[each] for each in mine) < EACH:
        mine.append(piece)
    MINE[:] = mine
    return {"mine": mine}


def _boxes(wide):
    """Of each tale the box of its pieces, in pixels."""
    (_, _, names), pitch, tall = _places(wide), *((11.55, 36) if wide else (6.25, 16))
    return [(at, line - 2 - tall, pitch * (tale == TALE).sum(), tall) for tale, (at, line) in names.items()]


TALES = [*_places(True)[2]]


def _first(name):
    """The first piece of the tale of a mark, and how many pieces it has."""
    here = np.flatnonzero(TALE == TALES[int(name.rpartition(" ")[2])])
    return int(here[0]), len(here)


def _read(values, name, x, _):
    first, count = _first(name)
    return {"reading": first + int(np.clip(x, 0, count - 1))}


def _next(by):
    def move(values, name):
        first, count = _first(name)
        here = values["reading"] - first
        return {"reading": first + (int(np.clip(here + by, 0, count - 1)) if 0 <= here < count else 0)}

    return move


def _lines(pen, words, width, size):
    """Words broken into lines of this width."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if pen.width(longer, size) <= width else [lines[-1], word]
    return lines


@figure(
    (0, 0, 900, 480),
    *_boxes(True),
    size=(900, 480),
    narrow=((390, 570), (0, 0, 390, 570), *_boxes(False)),
    controls={"reading": State(int(_first("tale 3")[0] + 3)), "mine": State([])},
    actions={"label this piece": _label, "take all labels back": lambda values: (MINE.clear(), {"mine": []})[1]},
    drag={"touch": _read},
    mark_keys={
        "ArrowRight": ("the next piece", _next(1)),
        "ArrowLeft": ("the piece before", _next(-1)),
        "l": ("label this piece", lambda values, _: _label(values)),
    },
    help="Click a piece to read how it begins, or go along a tale with the arrow keys; L labels it.",
    looks=LOOKS | {"touch": {"color": None, "spot": True}, "reading": {"color": "ink", "z": 1.5}},
)
def shelf(pen, page, *boxes, reading, mine):
    """Eight tales in 221 pieces: the reader reads some, and labels five of each author."""
    wide, labelled = pen.size[0] > 560, np.isin(np.arange(len(TALE)), mine)
    x, y, names = _places(wide)
    lifted = np.where(np.arange(len(x)) == reading, 5.0 if wide else 4.0, 0.0)
    _shelves(pen, page, y - 2 - lifted, labelled)
    pen.area(page, "reading", *_bricks(wide, y - 2 - lifted, lifted > 0, 0.3 if labelled[reading] else 1))
    for k, (tale, box) in enumerate(zip(names, boxes)):
        count = int((tale == TALE).sum())
        box.limits((0, count), (0, 1))
        pen.bar(box, f"touch {k}", 0, 0, count, 1, grab=f"{tale}, by {AUTHOR[TALE == tale][0]}: a piece to read")
    told = len(mine)
    _head(
        pen, page, "Eight tales, 221 pieces", "read some, label five of each author", f"{told}", ("of 10", "labels"), ""
    )
    part = int(PIECES["part"][reading]) - int(PIECES["part"][TALE == TALE[reading]].min()) + 1
    words = PIECES["text"][reading].split()[:READ]
    size = LABEL if wide else SMALL
    lines = _lines(pen, ["…", *words, "…"], 740 if wide else 358, size)
    if wide:
        pen.text(page, "by this", 22, 434, f"piece {part}")
        pen.text(page, "by that", 22, 458, f"of {int((TALE == TALE[reading]).sum())}")
    for k, line in enumerate(lines):
        pen.text(
            page, f"read {k}", 138 if wide else 16, (430 if wide else 488) + (27 if wide else 24) * k, line, size=size
        )
    count = f"{told} of 10 labels set" + (f": {_said(mine)}" if mine else "")
    return (
        f"Eight tales, {len(TALE)} pieces, a brick each. {count}. Piece {part} of {TALE[reading]}, by {AUTHOR[reading]}: "
        f"“… {' '.join(words)} …”"
    )


def _said(mine):
    return " and ".join(f"{sum(AUTHOR[each] == author for each in mine)} of {author}" for author in AUTHORS)


# What EM makes of them


@cache
def _rounds(held, labels, split):
    """The trial, and of each round Andersen's share in every piece and the words that point most to each author."""
    trial = text.run_tales(held, labels, split)
    counts, words, *_ = text.tale_data()
    steps = []
    for number, step in enumerate(trial.model.history_):
        score = counts @ step.log_table.T + step.log_prior
        share = 1 / (1 + np.exp(np.clip(score[:, 1] - score[:, 0], -700, 700)))
        steps.append((share, [trial.model.top_words(author, number, 6, words) for author in AUTHORS]))
    return trial, [steps[min(k, len(steps) - 1)] for k in range(ROUNDS + 1)]


@cache
def _means(held, labels):
    """In how many splits both authors have a label, and the mean accuracy over these after each round."""
    found = []
    for split in range(len(text.tale_pairs())):
        with suppress(ValueError):  # all of a reader's labels of one author may be held out
            found.append(text.run_tales(held, labels, split).right.mean(axis=1))
    return len(found), np.mean(found, axis=0)


@player(
    (0, 0, 900, 480),
    size=(900, 480),
    narrow=((390, 570), (0, 0, 390, 570)),
    history=lambda held, labels, split, mine: _rounds(held, tuple(mine) or labels, split)[1],
    pace=500,
    controls={
        "split": Slider("split", 0, 14, 0),
        "labels": Stops(
            "labels of each author", tuple((str(k) if k < ALL else "all", k) for k in (1, 2, 5, 10, 20, ALL)), EACH
        ),
        "held": Choice("held out", (RANDOM, WHOLE), RANDOM),
        "mine": State([]),
    },
    presets={
        "The Ugly Duckling": {"held": WHOLE, "labels": EACH, "split": 12, "mine": [], "step": ROUNDS},
        "every label": {"held": WHOLE, "labels": ALL, "split": 12, "mine": [], "step": 0},
    },
    actions={"my labels, or prepared ones": lambda values: {"mine": [] if values["mine"] else list(MINE)}},
    unlocks={"12/whole-tales": ["held", "The Ugly Duckling", "every label"]},
    main=("split",),
    looks=LOOKS,
)
def tales(pen, page, step, history, held, labels, split, mine):
    """EM on the shelf: labels are bookmarks, the others fill with shares, and what is held out is pulled from the shelf."""
    wide, asked, chosen, (share, words) = pen.size[0] > 560, pen.waiting, tuple(mine) or labels, history[step]
    trial, rows = _rounds(held, chosen, split)[0], np.arange(len(TALE))
    out = np.isin(rows, trial.test)
    labelled = np.isin(rows, trial.train[[label is not None for label in trial.given]]) & (not asked)
    guess = np.where(share > 0.5, *AUTHORS)
    wrong, foot = out & (guess != AUTHOR) & (not asked), _places(wide)[1] - 2 + out * (9 if wide else 4)
    right, total, always = int(trial.right[step].sum()), len(trial.test), text.tale_constant(held, split)[1]

    # A brick without a label is grey at first; later it holds Andersen's share from below, and Grimm's above it
    filled = {"color": "other_tint", "alpha": 1} if step and not asked else {}
    _shelves(pen, page, foot, labelled, wrong if held == WHOLE else None, **filled)
    if not asked:
        level = np.where((share > 0.005) & (step > 0), share, 0)
        pen.area(page, "share", *_bricks(wide, foot, ~out & ~labelled, level), color="case_tint")
        pen.area(page, "held", *_bricks(wide, foot, out), color="other")
        pen.area(page, "held Andersen", *_bricks(wide, foot, out, share > 0.5), color="case")
        at = np.array([brick.mean(axis=0) for brick in _bricks(wide, foot, wrong)]).reshape(-1, 2)
        if wide:
            pen.area(page, "wrong", *_bricks(wide, foot, wrong))
            pen.segments(page, "cross", [[(x + k, y - 3), (x - k, y + 3)] for x, y in at for k in (-3, 3)])
        else:
            pen.points(page, "wrong", *at.T, size=3.6, color="paper", edge=None)

    # Words
    many, means = _means(held, chosen)
    kind = "pairs" if held == WHOLE else "splits"
    mean = f"mean of {many} {kind}: {means[step]:.1%}"
    whose = "your labels" if mine else "all labels" if labels == ALL else f"{labels} label{'s' * (labels > 1)} each"
    now = f"round {step}" if step else "labels alone"
    head = "Two whole tales held out" if held == WHOLE else "Random pieces held out"
    if asked:
        _head(pen, page, head, "one by each author", "?", (f"of {total}", "right"), "")
        return (
            f"{head}: {' and '.join(text.tale_pairs()[split])}, {total} pieces. How many will go to the right author?"
        )
    _head(
        pen,
        page,
        head,
        f"{now}; {mean}" if wide else "",
        f"{right}",
        (f"of {total}", "right"),
        f"majority baseline: {always}" if wide or pen.guess is None else "",
    )
    if pen.guess is not None and held == WHOLE:
        pen.text(page, "guess", *((878, 163) if wide else (374, 64)), f"{pen.reader} said {pen.guess:g}%")
    for k, (author, role) in enumerate(ROLES.items()):
        low = (434 + 28 * k) if wide else (510 + 47 * k)
        pen.text(page, f"words of {author}", *((22, low) if wide else (16, low - 22)), f"{author}’s words")
        left = 16
        for j, word in enumerate(words[k]):
            if wide or left + pen.width(word, bold=True) < 378:
                pen.text(page, f"word {word}", 172 + 118 * j if wide else left, low, word, color=role, rank=10 * k + j)
            left += pen.width(word, bold=True) + 14
    _key(pen, page, wide)
    if not wide:
        pen.text(page, "clause", 16, 88, f"{now}; {mean}", size=SMALL)
    told = " ".join(f"{author}: {', '.join(each[:3])}." for author, each in zip(AUTHORS, words))
    which = f"{head}, split {split}" + (f" ({' and '.join(text.tale_pairs()[split])})" if held == WHOLE else "")
    return (
        f"{which}, {whose}, {now}: {right} of {total} right; the majority baseline gets {always}. "
        f"Mean of {many} {kind}: {means[step]:.1%}. Words that point to {told}"
    )


def _key(pen, page, wide):
    """What a bookmark, a lowered brick and a cross mean; on a phone, whose bricks are small, in a free corner."""
    if not wide:
        for k, (name, told) in enumerate(
            {"label": "with a neck: label", "out": "low: held out", "wrong": "dot: wrong"}.items()
        ):
            pen.text(page, f"key of {name}", 374, 414 + 22 * k, told, size=SMALL, color="muted", ha="right")
        return
    for x, name in ((652, "label"), (716, "held out"), (808, "wrong")):
        low = 41 if name == "label" else 45
        brick = [(x, low), (x, low - 24), (x + 9.35, low - 24), (x + 9.35, low)]
        pen.area(page, f"key {name}", np.array(brick), color="case")
        if name == "label":
            pen.bar(page, "key flag", x + 1.7, low - 31, 6, 8, color="case")
        if name == "wrong":
            pen.area(page, "wrong key", np.array(brick))
            pen.segments(page, "cross key", [[(x + 4.7 + k, low - 15), (x + 4.7 - k, low - 9)] for k in (-3, 3)])
        pen.text(page, f"key of {name}", x + 17, 40, name, size=SMALL, color="muted")


# Words that change sides: two packages, a few labels

PACKAGES = {"numpy": "case", "matplotlib": "other"}
SHOWN, MANY = 8, 100  # words of each package, splits
OWN = np.log(3)  # a word is a package's own if it has the word at least three times as often


@cache
def _own():
    """Of each word ln P(word | numpy) / P(word | matplotlib), counted with every label."""
    counts, words, y, _ = text.task_data("two packages")
    table = [counts[np.array(y) == name].sum(axis=0) + 1 for name in PACKAGES]
    return dict(zip(words, np.log(table[0] / table[0].sum()) - np.log(table[1] / table[1].sum())))


@cache
def _telling(labels, split):
    """The trial, and of each round the words that point most to each package with their ratios (12.1)."""
    trial, words = text.run_trial("two packages", labels, split), text.task_data("two packages")[1]
    place, classes, rounds = {word: k for k, word in enumerate(words)}, trial.model.classes_.tolist(), []
    for number in range(ROUNDS + 1):
        at = min(number, len(trial.model.history_) - 1)
        table = trial.model.history_[at].log_table
        ratio = np.exp(abs(table[0] - table[1]))
        columns = {name: trial.model.top_words(name, at, SHOWN, words) for name in classes}
        rounds.append({name: [(word, float(ratio[place[word]])) for word in columns[name]] for name in PACKAGES})
    return trial, rounds


@cache
def _ends(labels):
    """The accuracy after ten rounds in each of a hundred splits."""
    return np.array([text.run_trial("two packages", labels, split).accuracy[-1] for split in range(MANY)])


def _sorted(columns, right, swap):
    """In words, how the two columns and their names fit."""
    signs = {"numpy": 1, "matplotlib": -1}
    fits = np.mean([signs[name] * _own()[word] > np.log(1.5) for name in columns for word, _ in columns[name]])
    against = np.mean([signs[name] * _own()[word] < -np.log(1.5) for name in columns for word, _ in columns[name]])
    if max(fits, against) < 0.7:
        return "Badly sorted", "words of both packages under one name"
    under = "under the right names" if (fits > against) != swap else "under the wrong names"
    return "Well sorted" if max(right, 1 - right) >= 0.8 else "Sorting", under


@player(
    (22, 60, 572, 396),
    (656, 22, 222, 434),
    size=(900, 470),
    narrow=((390, 590), (16, 46, 358, 300), (16, 356, 358, 230)),
    history=lambda labels, split: _telling(labels, split)[1],
    pace=500,
    interval=1500,
    controls={
        "split": Slider("split", 0, MANY - 1, 7),
        "labels": Choice("labels of each package", (1, 2, 5), 1),
        "swap": State(False),
    },
    presets={
        "split 7": {"split": 7, "labels": 1, "swap": False, "step": ROUNDS},
        "split 3": {"split": 3, "labels": 1, "swap": False, "step": ROUNDS},
        "split 20": {"split": 20, "labels": 1, "swap": False, "step": ROUNDS},
        "split 20, five labels": {"split": 20, "labels": 5, "swap": False, "step": ROUNDS},
    },
    actions={"swap the headings": lambda values: {"swap": not values["swap"]}},
    unlocks={"12/one-label": [], "12/split-twenty": ["swap the headings", "split 20", "split 20, five labels"]},
    main=("split",),
    looks={
        "sign": {"z": 7, "when": (0, 1)},
        "name": {"color": "paper", "size": NUMBER, "bold": True, "ha": "center", "z": 8, "when": (0, 1)},
        "label": {"size": SMALL, "color": "muted", "ha": "center"},
        "word": {"bold": True, "ha": "center", "va": "center", "when": (0, 0.9)},
        "spine": {"color": "rule", "width": 1, "clip": False},
        "head": {"size": HEAD, "bold": True},
        "clause": {"color": "muted"},
        "count": {"size": HERO, "bold": True},
        "note": {"size": SMALL, "color": "muted"},
        "curve": {"clip": False},
        "path": {"color": "rule", "width": 1.8, "clip": False},
        "now": {"size": 12, "z": 4},
        "tick": {"size": SMALL, "color": "muted"},
        "splits": {"edge": None, "color": "sediment"},
        "this": {"z": 4, "size": 11},
    },
)
def telling_words(pen, poster, side, step, history, labels, split, swap):
    """The words that point to each package, under its sign; a word has the colour of the package that uses it more."""
    wide, trial = pen.size[0] > 560, _telling(labels, split)[0]
    covered = pen.waiting or split == 20 and not pen.answered("12/split-twenty")
    step = 0 if covered else step
    columns, accuracy = history[step], trial.accuracy
    right = 1 - accuracy[step] if swap else accuracy[step]
    middles, half, high = ((135, 437), 135, 44) if wide else ((85, 273), 85, 36)
    top, deep = (86, 306) if wide else (66, 226)

    for k, (name, role) in enumerate(PACKAGES.items()):
        x = middles[1 - k if swap else k]
        pen.bar(poster, f"sign {k}", x - half, 0, 2 * half, high, color=role, z=7 + k)
        pen.text(poster, f"name {k}", x, high / 2, name, va="center", size=NUMBER if wide else HEAD, z=7.5 + k)
        said = next(each for each in trial.labelled if each.startswith(name)).split(": ")[1].split(".")[-1]
        many = f"label: {user_data.plain(said, 22)}" if labels == 1 and wide else f"{labels} label{'s' * (labels > 1)}"
        pen.text(poster, f"label {k}", x, high + (22 if wide else 18), many)
        sizes = np.clip(
            np.rint((14.0 if wide else 14.5) + (0.95 if wide else 0.25) * np.sqrt([r for _, r in columns[name]])),
            14,
            30,
        )
        ends = np.cumsum(sizes)
        for j, ((word, _), size, end) in enumerate(zip(columns[name], sizes, ends)):
            own = _own()[word]
            role = "ink" if covered else "muted" if abs(own) < OWN else [*PACKAGES.values()][int(own < 0)]
            y = top + min(2.2 * ends[-1], deep) * (end - size / 2) / ends[-1]
            pen.text(poster, f"word {word}", middles[k], y, word, size=int(size), color=role, rank=10 * k + j)
    pen.line(poster, "spine", [(middles[0] + middles[1]) / 2] * 2, [top, top + deep])

    # The one number, and two lines: what EM climbs, and what we wanted
    now = f"round {step}" if step else "labels alone"
    first, clause = ("Whose words?", "most telling first") if covered else _sorted(columns, accuracy[step], swap)
    if step == 0 and not covered:
        first, clause = "Labels alone", "their words are all we know"
    wide_side = side.box[2]
    if wide:
        pen.text(poster, "head", 0, -26, first)
        pen.text(poster, "clause", 0, -26, clause, dx=10, after="head")
        pen.line(side, "spine side", [-36, -36], [0, 430])
    pen.text(side if wide else poster, "head split", 0, 12 if wide else -14, f"Split {split}", size=HEAD, bold=True)
    pen.text(side if wide else poster, "clause split", 0, 12 if wide else -14, now, dx=10, after="head split")
    base = 78 if wide else 30
    pen.text(side, "count", -2, base, f"{100 * right:.0f}", **({} if wide else {"size": NUMBER}))
    pen.text(side, "beside", 0, base, "of 100 right", dx=10, after="count")
    note = "the names exchanged" if swap else f"majority baseline: {100 * trial.constant:.0f}"
    pen.text(side, "note", *((0, base + 26) if wide else (358, base)), note, **({} if wide else {"ha": "right"}))
    rounds, climb = np.arange(ROUNDS + 1), trial.log_posterior - trial.log_posterior[1]
    for k, (name, role, level) in enumerate(
        (("log posterior", "belief", np.maximum(climb / climb[-1], 0)), ("right answers", "ink", accuracy))
    ):
        left, across = (0, wide_side - 8) if wide else (186 * k, 164)
        low, tall = (200 + 88 * k, 52) if wide else (110, 40)
        x, y = left + across * rounds / ROUNDS, low - tall * level
        seen = np.minimum(rounds, step)
        pen.text(side, f"note {k}", left, low - tall - (12 if wide else 10), name, color=role if k == 0 else "muted")
        if k:
            pen.line(side, f"path {k}", (left, left + across), (low, low))
        pen.line(side, f"curve {k}", x[seen], y[seen], color=role)
        pen.points(side, f"now {k}", x[[step]], y[[step]], color=role)
        if k and swap:
            pen.line(side, "curve leap", x[[step, step]], [y[step], low - tall * right], color=role, width=1.4)
            pen.points(side, "now swapped", x[[step]], [low - tall * right], color=role)

    told = pen.answered("12/one-label")
    if told:
        _strip(pen, side, labels, None if covered else split, wide)
    elif wide:
        for k, words in enumerate(
            (f"{trial.unlabelled} texts without a label,", f"{labels} label{'s' * (labels > 1)} of each package")
        ):
            pen.text(side, f"note {2 + k}", 0, 400 + 22 * k, words)
    which = f"Split {split}, {labels} labelled text{'s' * (labels > 1)} of each package, {trial.unlabelled} without a label. "
    before = f", {100 * accuracy[0]:.0f} with the labels alone" if step else ""
    under = dict(zip(PACKAGES, [*columns.values()][:: -1 if swap else 1]))
    words = " ".join(f"{name}: {', '.join(f'“{word}”' for word, _ in under[name][:3])}." for name in PACKAGES)
    every = _ends(labels)
    rest = (
        f" Of {MANY} splits {(every > 0.8).sum()} end above 80 and {(every < 0.5).sum()} below 50."
        if told and not covered
        else ""
    )
    return (
        f"{which}{now.capitalize()}{' with the names exchanged' if swap else ''}: {100 * right:.0f} of 100 right{before}; "
        f"the majority baseline gets {100 * trial.constant:.0f}. Words under {words}{rest}"
    )


def _strip(pen, side, labels, split, wide):
    """A hundred splits, a dot each, by the share of right answers after ten rounds; this one in ink."""
    ends, base, width = _ends(labels), 404 if wide else 202, side.box[2]
    bins = np.minimum((10 * ends).astype(int), 9)
    per = 4 if wide and np.bincount(bins).max() <= 72 else 6
    pitch = (width / 10 - 1) / per
    rank = np.zeros(MANY, int)
    for each in range(10):
        mine = np.flatnonzero(bins == each)
        rank[mine[np.argsort(ends[mine], kind="stable")]] = np.arange(len(mine))
    x, y = width / 10 * bins + pitch * (rank % per + 0.6), base - pitch * (rank // per + 0.7)
    pen.line(side, "path strip", (0, width), (base, base))
    pen.points(side, "splits", x, y, size=0.84 * pitch)
    if split is not None:
        pen.points(side, "this", x[[split]], y[[split]])
    ticks = ("0", 0, "left"), ("right, in 100 splits", width / 2 - 6, "center"), ("100", width, "right")
    for k, (words, at, ha) in enumerate(ticks):
        pen.text(side, f"tick {k}", at, base + 22, words, ha=ha)


# More labels, and another question

LABELS = (1, 2, 5, 10, 20, 50)
TASKS = {"which package?": "three packages", "class or function?": "class or function"}


def _label_at(values, _, x, y):
    return {"labels": min(LABELS, key=lambda each: abs(np.log(each / max(x, 0.1))))}


@figure(
    (46, 62, 520, 268),
    (660, 62, 160, 268),
    size=(900, 400),
    narrow=((390, 650), (36, 64, 330, 230), (96, 424, 180, 180)),
    controls={
        "task": Choice("question", tuple(TASKS), "which package?"),
        "labels": Stops("labels of each", tuple((f"{each}", each) for each in LABELS), 5),
    },
    keys=steer.along("labels", LABELS),
    help="Drag the ring along the curve, or press left and right arrows: more labels, or fewer.",
    drag={"ring": _label_at},
    mark_keys={
        key: ("more or fewer labels", lambda values, _, act=act: act(values))
        for key, act in steer.along("labels", LABELS).items()
    },
    unlocks={"12/class-or-function": ["task"]},
    looks={
        "gap": {"color": "belief_wash"},
        "mean alone": {"color": "prior", "width": 3.6, "z": 3},
        "mean EM": {"color": "belief", "width": 3.6, "z": 3.1},
        "say": {"bold": True, "ha": "center"},
        "always": {"color": "muted", "width": 1.6},
        "ring": {"color": "paper", "edge": "belief", "width": 3, "size": 17, "z": 4, "grab": "how many labels"},
        "ten": {"width": 1.8, "z": 2.5},
        "count": {"size": NUMBER, "bold": True},
        "beside": {"color": "muted", "size": SMALL},
    },
)
def label_curve(pen, curve, pairs, task, labels):
    """Accuracy by the number of labels, with and without the unlabelled texts; and the ten splits one by one."""
    every, always = [text.accuracies(TASKS[task], each) for each in LABELS], text.task_constant(TASKS[task])
    wide, at = pen.size[0] > 560, LABELS.index(labels)
    yticks = (0, 0.5, 1)
    curve.limits((0.9, 55), (0, 1), log=True)
    pen.axes(
        curve, (0.9, 55), (0, 1), {each: f"{each}" for each in LABELS}, yticks, "labels of each class", "", log=True
    )
    pen.line(curve, "always", (0.9, 55), (always, always))
    pen.text(
        curve, "beside always", 55, always, f"majority baseline {always:.2f}", dy=7 if always > 0.7 else -20, ha="right"
    )
    for k, name in enumerate(("alone", "EM")):
        pen.line(curve, f"mean {name}", LABELS, [each[k].mean() for each in every])
    alone, both = (np.array([each[k].mean() for each in every]) for k in (0, 1))
    upper = both[2] > alone[2]
    pen.area(curve, "gap", np.column_stack([[*LABELS, *LABELS[::-1]], [*alone, *both[::-1]]]))
    pen.text(curve, "say EM", 5, both[2], "with EM", dy=16 if upper else -26, color="belief")
    where, ha = (3, "left") if upper else (4, "center")
    pen.text(curve, "say alone", LABELS[where], alone[where], "labels alone", dy=-24, ha=ha, color="muted")
    pen.points(curve, "ring", [labels], [both[at]])

    before, after = every[at]
    fell = after < before
    pairs.limits((0, 1), (0, 1))
    for k in range(len(fell)):
        pen.line(pairs, f"ten {k}", (0, 1), (before[k], after[k]), color="ink" if fell[k] else "belief", clip=False)
    pen.points(pairs, "before", np.zeros(len(fell)), before, color="prior", size=9)
    pen.points(pairs, "after", np.ones(len(fell)), after, color="belief", size=9)
    for k, words in enumerate(("alone", "with EM")):
        pen.text(pairs, f"beside {k}", k, 0, words, dy=-20, ha="center", va="top")
    pen.text(pairs, "count", 0, 1, f"{fell.sum()}", dx=-18, dy=22 if wide else 30)
    pen.text(
        pairs,
        "beside count",
        0,
        1,
        f"of 10 splits {'falls' if fell.sum() == 1 else 'fall'}",
        dx=8,
        dy=22 if wide else 30,
        after="count",
        size=LABEL,
    )
    ends = (("start", before, 0, -12, "right"), ("end", after, 1, 12, "left"))
    for name, values, x, dx, ha in ends:
        pen.text(
            pairs,
            f"mean of {name}",
            x,
            values.mean(),
            f"{values.mean():.3f}",
            dx=dx,
            ha=ha,
            va="center",
            bold=True,
            size=SMALL,
            color="belief" if x else "muted",
        )
    pen.head(curve, task.capitalize(), "accuracy, mean of ten splits" if wide else "mean accuracy", y=22)
    return (
        f"{task.capitalize()} {labels} label{'s' * (labels > 1)} of each class, ten splits. Labels alone: {before.mean():.3f} on "
        f"average, from {before.min():.3f} to {before.max():.3f}. With EM: {after.mean():.3f}, from {after.min():.3f} to "
        f"{after.max():.3f}; {fell.sum()} of 10 splits {'falls' if fell.sum() == 1 else 'fall'}. The majority baseline gets {always:.3f}."
    )


# The reader's own texts

SIZE, NTH = 40, ("first", "second", "third")
SAMPLE = [
    " ".join(PIECES["text"][TALE == tale][:5]) for tale in ("The Little Match-Seller", "Rapunzel", "The Ugly Duckling")
]
REACH = 15  # log odds that are shown


@figure(
    (136, 66, 742, 226),
    size=(900, 400),
    narrow=((390, 436), (16, 72, 358, 236)),
    controls={
        **{name: Text(f"{name} text", words, lines=2) for name, words in zip(NTH, SAMPLE)},
        "labels": Stops("labels of each text", (("1", 1), ("2", 2), ("3", 3), ("5", 5)), 2),
    },
    presets={
        "Andersen, Grimm, Andersen": {**dict(zip(NTH, SAMPLE)), "labels": 2},
        "one author twice": {"first": SAMPLE[0], "second": SAMPLE[2], "third": SAMPLE[1], "labels": 2},
    },
    help="Paste at least 400 words of two texts and at least 40 of a third, and press Enter after each.",
    looks={
        "ground": {"z": 0.2},
        "middle": {"color": "rule", "width": 2},
        "piece": {"size": 17, "width": 1.5},
        "row": {"va": "center"},
        "word": {"bold": True},
        "small": {"size": SMALL, "color": "muted"},
        "count": {"size": NUMBER, "bold": True},
    },
)
def your_texts(pen, lane, first, second, third, labels):
    """Two texts of the reader's own: EM learns from a few labelled pieces of each, and says whose a third text seems."""
    given = [user_data.words(each, f"the {name} text", most=8000) for each, name in zip((first, second, third), NTH)]
    found, wide = text.compare_texts(*given, labels, SIZE), pen.size[0] > 560
    lane.limits((REACH + 1, -REACH - 1), (2.6, -0.6))
    for name, x, role in (("first", 0, "case"), ("second", -REACH - 1, "other")):
        pen.bar(lane, f"ground {name}", x, -0.6, REACH + 1, 3.2, color=f"{role}_wash")
    pen.line(lane, "middle", (0, 0), (-0.6, 2.6))
    roles, shapes = ("case", "other", "belief"), ("s", "o", "D")
    for row, odds in enumerate(found.odds):
        x, wrong = np.clip(odds, -REACH, REACH), (odds < 0) if row == 0 else (odds >= 0) if row == 1 else odds > np.inf
        looks = [{"color": roles[row], "shape": shapes[row], "edge": edge} for edge in ("paper", "ink")]
        y = row + 0.07 * (np.arange(len(x)) % 5 - 2) + 0.1
        pen.points(lane, f"piece {row}", x, y, of=wrong, looks=looks)
        place = (REACH + 1, {"dx": -10, "ha": "right"}) if wide else (REACH, {"dy": 26})
        pen.text(lane, f"row {row}", place[0], row, f"{NTH[row]} text", color=roles[row], **place[1])
    kept, asked, side = sum(map(len, found.odds[:2])), len(found.odds[2]), int((found.odds[2] > 0).sum())
    pen.text(lane, "count", REACH + 1, -0.6, f"{found.right[1]} of {kept}", dy=22)
    pen.text(lane, "beside", REACH + 1, -0.6, "held-out pieces right", dx=10, dy=22, after="count")
    if wide:
        pen.text(lane, "small alone", -REACH - 1, -0.6, f"labels alone: {found.right[0]}", dy=22, ha="right")
    for k, (words, role) in enumerate(zip(found.words, roles)):
        (far, ha), down = (
            (((REACH + 1, "left"), (-REACH - 1, "right"))[k], 0) if wide else ((REACH + 1, "left"), 58 * k)
        )
        pen.text(lane, f"small {k}", far, 2.6, f"like the {NTH[k]}", dy=-24 - down, ha=ha)
        line = ""
        for word in [user_data.plain(each, 14) for each in words]:
            longer = f"{line}  {word}".strip()
            line = longer if pen.width(longer, bold=True) < (360 if wide else 350) else line
        pen.text(lane, f"word {k}", far, 2.6, line, dy=-50 - down, ha=ha, color=role)
    majority = max(map(len, found.odds[:2]))
    return (
        f"Pieces of {SIZE} words, {labels} labelled of each text, {found.unlabelled} without a label. Of {kept} held-out pieces "
        f"labels alone get {found.right[0]} right, EM {found.right[1]}, the majority baseline {majority}. Of the third text "
        f"{side} of {asked} pieces {'goes' if side == 1 else 'go'} to the first."
    )
