"""Section 12: what must hold of its figures, and its numbers computed once more."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.models import text
from bayeslib.sections.s12_unlabeled_text.figures import MINE
from tests.figures import says

TALES = data.load_tales()
AUTHOR, TALE = TALES["author"].to_numpy(), TALES["tale"].to_numpy()
TEN = [*np.flatnonzero(AUTHOR == "Andersen")[::21].tolist(), *np.flatnonzero(AUTHOR == "Grimm")[::24].tolist()]
ABOUT_SEA = " ".join(["the sea was high and the ship went down with all her sails in the wind of the night"] * 30)
ABOUT_BREAD = " ".join(["take flour and salt and water, and let the bread rest in a warm place for an hour"] * 30)
SETTINGS = {
    "shelf": {"reading": [0, 9, 10, 104, 150, 220], "mine": [[], [3], TEN]},
    "tales": {"mine": [[], TEN, [0, 220]]},
    "telling_words": {"swap": [False, True]},
    "your_texts": {
        "first": [ABOUT_SEA, " ".join(TALES["text"][TALE == "Cinderella"]), "too short"],
        "second": [ABOUT_BREAD, " ".join(TALES["text"][TALE == "Rapunzel"])],
        "third": [ABOUT_BREAD, "the sea " * 30, " ".join(TALES["text"][TALE == "The Ugly Duckling"][:5])],
    },
}


def em(C, given, rounds):
    """Nigam's algorithm with a loop over classes: ln P(v) and ln P(w|v) from the labelled texts, then after `rounds` rounds."""
    classes = sorted(set(given) - {None})
    labels = np.array([[label == v for v in classes] for label in given], float)
    known, learn = labels.any(axis=1), labels
    for _ in range(rounds + 1):
        prior, table = learn.sum(axis=0) / learn.sum(), []
        for share in learn.T:
            totals = share @ C + 1
            table.append(np.log(totals / totals.sum()))
        score = np.log(prior) + C @ np.transpose(table)
        shares = np.exp(score - score.max(axis=1, keepdims=True))
        learn = np.where(known[:, None], labels, shares / shares.sum(axis=1, keepdims=True))
    return np.array(classes), np.log(prior), np.array(table)


def answers(C, model):
    """The class of each text and its share."""
    classes, prior, table = model
    score = prior + C @ table.T
    shares = np.exp(score - score.max(axis=1, keepdims=True))
    return classes[score.argmax(axis=1)], shares.max(axis=1) / shares.sum(axis=1)


@cache
def on_tales(held, labels, split, rounds):
    """(whether each held-out piece is right, its share) once more, or None if an author has no label."""
    C = text.word_counts(TALES["text"].tolist(), without=())[0].toarray()
    random = np.random.default_rng(split)
    if held == "random pieces":
        order = random.permutation(221)
        rest, out = order[55:], order[:55]
    else:
        andersen, grimm = (list(dict.fromkeys(TALE[AUTHOR == name])) for name in ("Andersen", "Grimm"))
        pair = andersen[split // 5], grimm[split % 5]
        rest, out = random.permutation(np.flatnonzero(~np.isin(TALE, pair))), np.flatnonzero(np.isin(TALE, pair))
    if isinstance(labels, tuple):
        given = [AUTHOR[row] if row in labels else None for row in rest]
    else:
        seen = {name: np.cumsum(AUTHOR[rest] == name) for name in ("Andersen", "Grimm")}
        given = [AUTHOR[row] if seen[AUTHOR[row]][k] <= labels else None for k, row in enumerate(rest)]
    if len(set(given) - {None}) < 2:
        return None
    said, share = answers(C[out], em(C[rest], given, rounds))
    return said == AUTHOR[out], share


def mean_on_tales(held, labels, rounds):
    found = [on_tales(held, labels, split, rounds) for split in range(15)]
    return float(np.mean([each[0].mean() for each in found if each]))


@cache
def on_strings(task, labels, split, rounds):
    """The accuracy on the documentation strings of a split, once more."""
    counts, _, y, _ = text.task_data(task)
    train, given, test = text.split_documents(y, labels, split)
    said, _ = answers(counts[test].toarray(), em(counts[train].toarray(), given, rounds))
    return float(np.mean(said == np.array(y)[test]))


# What the captions of the figures say, from the definitions


def claims_shelf(reading, mine, said):
    says(said, 221, len(mine), (TALES["part"][TALE == TALE[reading]] <= TALES["part"][reading]).sum(), digits=0)


def claims_tales(held, labels, split, mine, step, said):
    chosen = tuple(mine) or labels
    right, _ = on_tales(held, chosen, split, step)
    says(said, right.sum(), len(right), digits=0)
    if step in (0, 10) and split in (0, 7, 12):
        says(said, 100 * mean_on_tales(held, chosen, step), digits=1)


def claims_telling_words(split, labels, swap, step, said):
    if split != 20 or step == 0:
        right = on_strings("two packages", labels, split, step)
        says(said, 100 * (1 - right if swap else right), digits=0)


def claims_label_curve(task, labels, said):
    task = {"which package?": "three packages"}.get(task, "class or function")
    for rounds in (0, 10):
        found = [on_strings(task, labels, split, rounds) for split in range(10)]
        says(said, np.mean(found), min(found), max(found), digits=3)


def claims_your_texts(first, second, third, labels, said):
    pieces = []
    for each in (first, second, third):
        words = "".join(letter.lower() if letter.isalpha() or letter in "'’" else " " for letter in each).split()
        words = [word for word in words if word.strip("'’")]
        pieces.append([words[k : k + 40] for k in range(0, len(words) - 39, 40)])
    held = [len(each) // 4 for each in pieces[:2]]
    says(said, sum(held), max(held), sum(map(len, pieces[:2])) - sum(held) - 2 * labels, len(pieces[2]), digits=0)


# What the figures do


def test_a_piece_is_read_labelled_and_its_label_taken_back():
    shelf = live.shelf()
    shelf.drag("touch 0", 37.2, 0.5)
    assert "Piece 38 of The Ugly Duckling, by Andersen" in shelf.alt
    shelf._press("mark:l:touch 0")
    assert shelf.values["mine"] == MINE == [104] and "1 of 10 labels set" in shelf.alt
    shelf._press("mark:ArrowLeft:touch 0")
    assert "Piece 37 of The Ugly Duckling" in shelf.alt
    shelf._press("mark:ArrowRight:touch 3")
    assert "Piece 1 of Cinderella, by Grimm" in shelf.alt
    shelf.set(reading=104, **shelf.actions["label this piece"]({"mine": [104], "reading": 104}))
    assert shelf.values["mine"] == MINE == []


def test_five_labels_of_an_author_are_enough():
    shelf = live.shelf()
    for piece in range(7):
        shelf.set(reading=piece)
        shelf.set(**shelf.actions["label this piece"](shelf.values))
    assert shelf.values["mine"] == [0, 1, 2, 3, 4]
    shelf.set(**shelf.actions["take all labels back"](shelf.values))
    assert MINE == []


def test_labels_of_the_reader_move_to_the_other_figure_and_back():
    MINE[:] = TEN
    figure = live.tales()
    figure.set(**figure.actions["my labels, or prepared ones"](figure.values))
    assert "your labels" in figure.alt and figure.values["mine"] == TEN
    figure.set(**figure.actions["my labels, or prepared ones"](figure.values))
    assert "5 labels each" in figure.alt
    MINE.clear()


def test_labels_that_are_all_held_out_are_refused_in_words():
    with pytest.raises(ValueError, match="labels must include a piece of each author .* got none by Andersen"):
        text.run_tales("two tales", (10, 11, 220), 5)


def test_swapping_the_headings_swaps_right_and_wrong():
    figure = live.telling_words()
    figure.set(step=10)
    assert "94 of 100 right" in figure.alt
    figure.set(**figure.actions["swap the headings"](figure.values))
    assert "names exchanged: 6 of 100 right" in figure.alt and "under numpy: “labels”, “tick”" in figure.alt


# Numbers of the lesson


def test_ten_labels_and_the_unlabelled_pieces():
    alone, both = ([on_tales("random pieces", 5, k, rounds)[0].mean() for k in range(15)] for rounds in (0, 10))
    assert (f"{np.mean(alone):.1%}", f"{np.mean(both):.1%}") == ("73.5%", "83.5%")
    gain = np.subtract(both, alone)
    assert (gain > 0).sum() == 13 and (gain < 0).sum() == 1
    most = [text.tale_constant("random pieces", split)[1] / 55 for split in range(15)]
    assert f"{np.mean(most):.0%}" == "55%"


def test_words_of_ten_scraps_and_of_round_ten():
    model, words = text.run_tales("random pieces", 5, 0).model, text.tale_data()[1]

    def top(author, iteration, n):
        return set(model.top_words(author, iteration, n, words))

    assert {"from", "like", "trees", "branches"} <= top("Andersen", 0, 8)
    assert {"bread", "had", "little", "tailor"} <= top("Grimm", 0, 8)
    assert top("Andersen", -1, 3) == {"truth", "brothers", "book"}
    assert top("Grimm", -1, 3) == {"hansel", "gretel", "rapunzel"}


def test_where_there_is_a_giant_the_tailor_is_not_far():
    trial, (counts, words, *_) = text.run_tales("random pieces", 5, 0), text.tale_data()
    giant, tailor = ((counts[:, [words.index(word)]].toarray() > 0).ravel() for word in ("giant", "tailor"))
    assert giant.sum() == 11 and tailor[giant].all()
    labelled = np.array([label is not None for label in trial.given])
    assert not giant[trial.train[labelled]].any() and giant[trial.train[~labelled]].sum() == 7


def test_one_round_by_hand():
    C, given = np.array([[2, 1, 0], [0, 1, 2], [1, 2, 0]]), ["Andersen", "Grimm", None]
    assert answers(C[2:], em(C, given, 0))[1] == pytest.approx(0.75)
    table = np.exp(em(C, given, 1)[2])
    assert table[0] == pytest.approx(np.array([3.75, 3.5, 1]) / 8.25) and table[0, 0] < 1 / 2
    assert answers(C[2:], em(C, given, 1))[1] == pytest.approx(0.8185, abs=5e-5)


def test_one_label_each_has_several_outcomes():
    runs = np.array([text.run_trial("two packages", 1, split).accuracy for split in range(100)])
    first, last = runs[:, 0], runs[:, -1]
    assert (f"{first.min():.2f}", f"{first.max():.2f}", f"{first.mean():.2f}") == ("0.39", "0.87", "0.58")
    assert ((last > 0.8).sum(), (last < 0.5).sum(), f"{last.mean():.2f}") == (67, 19, "0.79")
    assert (abs(last - last.mean()) < 0.1).sum() == 11 and np.flatnonzero(last < 0.2).tolist() == [20]
    assert (last[[1, 3, 5, 8]] < 0.5).all()
    constant = np.mean([text.run_trial("two packages", 1, split).constant for split in range(100)])
    assert f"{constant:.2f}" == "0.56" and text.run_trial("two packages", 1, 0).unlabelled == 904


def test_two_of_the_fonts_were_only_slow():
    counts, _, y, _ = text.task_data("two packages")
    found = {}
    for split in (1, 3, 5, 8):
        train, given, test = text.split_documents(y, 1, split)
        model = bl.MultinomialNaiveBayes("laplace", max_iter=60, tol=0).fit(counts[train], given)
        found[split] = model.score(counts[test], np.array(y)[test])
    assert found[1] > 0.9 < found[8] and found[3] < 0.5 > found[5]


def test_split_20_ends_under_the_wrong_names():
    trial = text.run_trial("two packages", 1, 20)
    assert (np.diff(trial.log_posterior) > 0).all()
    assert [round(100 * each) for each in trial.accuracy[[0, -1]]] == [58, 6]
    assert any("axis_aligned_extrema" in name for name in trial.labelled)
    ends = [f"{text.run_trial('two packages', labels, 20).accuracy[-1]:.2f}" for labels in (2, 5)]
    assert ends == ["0.95", "0.97"]


def test_more_text_helps_most_where_labels_are_few():
    table = {n: [f"{each.mean():.3f}" for each in text.accuracies("three packages", n)] for n in (1, 5, 50)}
    assert table == {1: ["0.460", "0.654"], 5: ["0.641", "0.879"], 50: ["0.903", "0.914"]}
    worse = [int(np.greater(*text.accuracies("three packages", n)).sum()) for n in (5, 50)]
    first = text.run_trial("three packages", 5, 0)
    assert worse == [0, 2] and [f"{each:.3f}" for each in (*first.accuracy[[0, -1]], first.constant)] == [
        "0.490",
        "0.893",
        "0.490",
    ]


def test_class_or_function_finds_the_packages():
    alone, both = text.accuracies("class or function", 20)
    assert (both < alone).all() and (f"{alone.mean():.3f}", f"{both.mean():.3f}") == ("0.745", "0.567")
    assert f"{text.task_constant('class or function'):.0%}" == "86%"
    assert text.run_trial("class or function", 20, 0).unlabelled == 866
    counts, _, y, names = text.task_data("class or function")
    ours, agree = np.array([name.startswith("matplotlib") for name in names]), []
    for split in range(10):
        test = text.split_documents(y, 20, split)[2]
        said = text.run_trial("class or function", 20, split).model.predict(counts[test]) == "class"
        agree.append(np.mean(said == ours[test]))
    assert (f"{min(agree):.0%}", f"{max(agree):.0%}") == ("91%", "98%")


def test_a_share_ranks_but_does_not_promise():
    pooled = {}
    for held in ("random pieces", "two tales"):
        runs = [on_tales(held, 5, split, 10) for split in range(15)]
        right, share = (np.concatenate(each) for each in zip(*runs))
        sure = share >= 0.99
        pooled[held] = len(right), sure.sum(), (~right[sure]).sum(), (~sure).sum(), (~right[~sure]).sum()
    assert pooled["random pieces"] == (825, 701, 86, 124, 50)
    total, sure, wrong, _, other = pooled["two tales"]
    assert (total, sure, f"{1 - wrong / sure:.0%}", f"{1 - (wrong + other) / total:.1%}") == (873, 521, "65%", "59.8%")


def test_whole_tales_are_another_question():
    ends = [on_tales("two tales", 5, split, 10)[0].mean() for split in range(15)]
    assert (f"{np.mean(ends):.0%}", f"{min(ends):.0%}", f"{max(ends):.0%}") == ("61%", "33%", "83%")
    assert f"{mean_on_tales('two tales', 5, 0):.0%}" == "55%"
    every = {held: f"{mean_on_tales(held, text.ALL, 0):.0%}" for held in ("random pieces", "two tales")}
    assert every == {"random pieces": "96%", "two tales": "64%"}
    most = [text.tale_constant("two tales", k)[1] / len(text.split_tales("two tales", k)[1]) for k in range(15)]
    assert f"{np.mean(most):.0%}" == "68%"
    duckling = [on_tales("two tales", 5, 12, rounds)[0] for rounds in (0, 10)]
    assert [each.sum() for each in duckling] == [26, 22] and len(duckling[0]) == 52


# Further


ROWS = [[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


def five_rows(rounds, hard=False):
    """P(Y=1), the estimates given 0 and 1, the shares of rows 4 and 5, by exact fractions."""
    shares, counted = [Fraction(1), Fraction(0), Fraction(0)], ROWS[:3]
    for _ in range(rounds + 1):
        classes = [[1 - q for q in shares], shares]
        prior, table = sum(shares) / len(shares), []
        for each in classes:
            ones = [sum(q * row[i] for q, row in zip(each, counted)) for i in range(4)]
            table.append([(one + 1) / (sum(each) + 2) for one in ones])
        found = []
        for row in ROWS[3:]:
            products = [
                chance * np.prod([p if x else 1 - p for p, x in zip(each, row)])
                for chance, each in zip((1 - prior, prior), table)
            ]
            found.append(Fraction(products[1] / sum(products)).limit_denominator(10**9))
        counted, shares = ROWS, [Fraction(1), Fraction(0), Fraction(0), *(map(round, found) if hard else found)]
    return float(prior), np.array(table, float), [float(q) for q in found]


def test_the_five_rows():
    assert five_rows(0)[2] == pytest.approx([128 / 857, 128 / 371])
    prior, table, shares = five_rows(1)
    assert (round(prior, 4), [round(q, 4) for q in shares]) == (0.2989, [0.1224, 0.308])
    assert table[1].round(4).tolist() == [0.2862, 0.4277, 0.6151, 0.6711]


def test_rounding_the_shares_ends_lower_on_the_five_rows():
    def log_posterior(prior, table, _):
        X = np.array(ROWS)
        joint = np.log([1 - prior, prior]) + np.log(np.where(X[:, None] == 1, table, 1 - table)).sum(axis=2)
        found = joint[0, 1] + joint[1, 0] + joint[2, 0] + np.logaddexp(*joint[3:].T).sum()
        return f"{found + np.log(table * (1 - table)).sum():.4f}"

    assert (log_posterior(*five_rows(9)), log_posterior(*five_rows(9, hard=True))) == ("-24.3833", "-24.4509")


def test_a_small_weight_is_worse_than_none_with_few_labels():
    before, small = text.accuracies("three packages", 5, 0.03)
    assert f"{small.mean():.2f}" == "0.44" and before.mean() - small.mean() == pytest.approx(0.2, abs=0.005)
    shown = [f"{text.accuracies('three packages', 20, weight)[1].mean():.3f}" for weight in (0.1, 1.0)]
    assert shown == ["0.917", "0.900"] and text.task_data("three packages")[0].shape[1] == 3124


def runs_of(k):
    """Mean accuracy on Pillow or not, from twenty labels of each kind: labels alone, and with EM, `k` components a class."""
    counts, _, names, _ = text.task_data("three packages")
    y, found = np.array([each if each == "PIL" else "other" for each in names]), []
    for split in range(10):
        train, given, test = text.split_documents(y.tolist(), 20, split)
        for weight in (0, 1):
            model = bl.MixtureNaiveBayes(k, "laplace", weight, 10, random_state=split).fit(counts[train], given)
            found.append(model.score(counts[test], y[test]))
    return [f"{each:.3f}" for each in np.mean(np.reshape(found, (-1, 2)), axis=0)]


def test_a_class_of_two_kinds_wants_several_components():
    assert runs_of(1) == ["0.919", "0.621"] and runs_of(3)[1] == "0.899"


def test_without_labels_most_starts_find_the_packages_and_some_swap_the_names():
    counts, _, y, _ = text.task_data("two packages")
    agree = []
    for seed in range(6):
        start = np.random.default_rng(seed).dirichlet([1, 1], len(y))
        model = bl.MultinomialNaiveBayes("laplace", classes=["A", "B"], max_iter=60).fit(counts, [None] * len(y), start)
        agree.append((np.mean((model.predict(counts) == "A") == (np.array(y) == "numpy")), model.history_[-1]))
    right = np.array([each for each, _ in agree])
    found = np.maximum(right, 1 - right) > 0.9
    assert found.sum() == 5 and (right[found] < 0.5).sum() == 2
    assert np.argmin([step.log_posterior for _, step in agree]) == np.flatnonzero(~found)[0]
