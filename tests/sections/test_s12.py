"""Section 12: what must hold of its figures, and its numbers computed once more."""

import re
from fractions import Fraction
from functools import cache

import nbformat
import numpy as np
import pytest

import bayeslib as bl
from bayeslib import data, live
from bayeslib.live.unlabeled_text import LABELS as SHOWN_LABELS
from bayeslib.live.unlabeled_text import WEIGHTS as SHOWN_WEIGHTS
from bayeslib.models import text
from bayeslib.models.text import FIVE_LABELS, FIVE_ROWS, e_step, m_step
from bayeslib.plots import theme, unlabeled_text
from bayeslib.questions.question import Question
from tests.figures import EXPLAINED, number, placed, written
from tests.lab import ROOT

TALES = data.load_tales()
ABOUT_SEA = " ".join(["the sea was high and the ship went down with all her sails in the wind of the night"] * 30)
ABOUT_BREAD = " ".join(["take flour and salt and water, and let the bread rest in a warm place for an hour"] * 30)
SETTINGS = {
    "your_texts": {
        "first": [ABOUT_SEA, " ".join(TALES["text"][TALES["tale"] == "Cinderella"]), "too short"],
        "second": [ABOUT_BREAD, " ".join(TALES["text"][TALES["tale"] == "Rapunzel"])],
        "third": [ABOUT_BREAD, "the sea " * 30, " ".join(TALES["text"][TALES["tale"] == "The Ugly Duckling"][:5])],
    }
}

ROWS = [[0, 0, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]]


@cache
def by_hand(rounds, hard):
    """(P(Y=1), the estimates given 0 and given 1, the shares of rows 4 and 5) by exact fractions."""
    shares, counted = [Fraction(1), Fraction(0), Fraction(0)], ROWS[:3]
    for _ in range(rounds + 1):
        classes = [[1 - q for q in shares], shares]
        prior = sum(shares) / len(shares)
        table = [
            [(sum(q * row[i] for q, row in zip(each, counted)) + 1) / (sum(each) + 2) for i in range(4)]
            for each in classes
        ]
        open_ = []
        for row in ROWS[3:]:
            zero, one = (
                p * np.prod([given if x else 1 - given for given, x in zip(chances, row)])
                for p, chances in zip((1 - prior, prior), table)
            )
            open_.append(Fraction(one / (zero + one)).limit_denominator(10**12))
        counted, shares = ROWS, [Fraction(1), Fraction(0), Fraction(0), *(round(q) if hard else q for q in open_)]
    return float(prior), np.array(table, float), [float(q) for q in open_]


def holds_five_rows(figure):
    picture = figure.picture
    dots, starts = ([line.get_ydata() for line in lines] for lines in (picture.dots, picture.starts))
    assert [line.get_xdata().tolist() for line in picture.dots] == [
        line.get_xdata().tolist() for line in picture.starts
    ]
    assert {round(bar.get_height(), 9) for bar in (*picture.zero, *picture.one)} == {0.8}
    assert {bar.get_width() for bar in picture.zero if bar.get_visible()} == {1}
    if figure.values["counting"] == "plain":
        assert figure.alt.startswith("Plain counting") and "row 5 gets 0/0" in figure.alt
        assert np.array(dots).tolist() == np.array(starts).tolist() == [[0, 0.5, 0.5, 0], [0, 0, 1, 1]]
        assert not any(bar.get_visible() for bar in picture.one)
        # Row 5 is 0 1 0 1: P(y) and P(x|y) as plain counting of three rows gives them
        says = "row 5, Y = 1:  1/3 · 1 · 0 · 0 · 1 = 0\nrow 5, Y = 0:  2/3 · 1 · 1/2 · 1/2 · 0 = 0"
        return written(picture.shares, ["0.000", "0/0"]) + written(picture.says, [says])
    prior, table, q = by_hand(figure.values["step"], figure.values["hard"])
    assert number(r"P\(Y=1\) =", figure.alt) == pytest.approx(prior, abs=5.1e-5)
    assert number("row 4 belongs", figure.alt) == pytest.approx(q[0], abs=5.1e-5)
    assert number("row 5", figure.alt) == pytest.approx(q[1], abs=5.1e-5)
    assert np.array(dots) == pytest.approx(table) and [bar.get_width() for bar in picture.one] == pytest.approx(q)
    assert np.array(starts) == pytest.approx(by_hand(0, figure.values["hard"])[1])
    assert ("Rounded" in figure.alt) == figure.values["hard"] and "fell" not in figure.alt
    zero, one = (
        p * np.prod([chance if x else 1 - chance for chance, x in zip(chances, ROWS[4])])
        for p, chances in zip((1 - prior, prior), table)
    )
    says = f"P(Y=1) = {prior:.4f}\nrow 5:  {one:.4f} / ({one:.4f} + {zero:.4f}) = {q[1]:.4f}"
    return written(picture.shares, [f"{each:.3f}" for each in q]) + written(picture.says, [says])


def plain_em(X, given, classes, weight=1.0):
    """(log prior, log table) of each round of a plain, dense EM with add-one smoothing."""
    share = np.array([[label == each for each in classes] for label in given], float)
    open_, found = share.sum(axis=1) == 0, []
    for _ in range(text.ROUNDS + 1):
        count = share * np.where(open_, weight, 1)[:, None]
        words = count.T @ X + 1
        prior, table = np.log(count.sum(axis=0) / count.sum()), np.log(words / words.sum(axis=1, keepdims=True))
        found.append((prior, table))
        scores = prior + X[open_] @ table.T
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        share[open_] = scores / scores.sum(axis=1, keepdims=True)
    return found


@cache
def oracle(task, labels, split, weight=1.0):
    """Accuracies by round of a plain EM, and the tables of each round."""
    counts, _, y, _ = text.task_data(task)
    train, given, test = text.split_documents(y, labels, split)
    unseen, classes = counts[test].toarray(), sorted(set(y))
    rounds = plain_em(counts[train].toarray(), given, classes, weight)
    says = [(prior + unseen @ table.T).argmax(axis=1) for prior, table in rounds]
    return [np.mean([classes[one] == y[row] for one, row in zip(each, test)]) for each in says], [t for _, t in rounds]


def telling(ratio, vocabulary, number):
    """The words of the largest ratios, of equals the first."""
    best = sorted(range(len(vocabulary)), key=lambda word: (-round(ratio[word], 9), word))
    return [vocabulary[word] for word in best[:number]]


def commonest(task, split):
    """The share of the class that has most of the test documents."""
    y = text.task_data(task)[2]
    test = [y[row] for row in np.random.default_rng(split).permutation(len(y))[: len(y) // 4]]
    return max(map(test.count, set(test))) / len(test)


CHECKED = {(1, 7), (1, 20), (1, 3), (5, 20), (50, 0)}  # the oracle is slow: the settings of the presets and one more


def holds_telling_words(figure):
    labels, split, step = (figure.values[name] for name in ("labels", "split", "step"))
    accuracy, climb, words = figure.figure.axes
    constant, shown = figure.picture.constant, figure.picture.accuracy.get_ydata()
    placed(constant, accuracy.get_xlim(), commonest("two packages", split))
    assert number("always the commoner package:", figure.alt) == pytest.approx(constant.get_ydata()[0], abs=5.1e-4)
    (heights,) = (line.get_ydata() for line in climb.lines)
    assert len(shown) == len(heights) == step + 1
    assert (np.diff(heights) > -1e-9).all() and heights[0] == 0 and -1e-9 <= heights[-1] <= 1 + 1e-9
    assert number("accuracy", figure.alt) == pytest.approx(shown[-1], abs=5.1e-4)
    assert f"Split {split}, {labels} label" in figure.alt and f"Round {step}:" in figure.alt
    lists = [(name, re.findall("“(.+?)”", named)) for name, named in re.findall(r"For (\w+): (.+?)\.", figure.alt)]
    assert [name for name, _ in lists] == ["numpy", "matplotlib"] and not {*lists[0][1]} & {*lists[1][1]}
    labelled, listed = words.collections
    assert (len(labelled.get_paths()), len(listed.get_paths())) == (3, 14)
    if (labels, split) in CHECKED:
        accuracies, tables = oracle("two packages", labels, split)
        assert shown == pytest.approx(accuracies[: step + 1])
        counts, vocabulary, _, _ = text.task_data("two packages")
        ratio = tables[step][1] - tables[step][0]  # the classes in order: matplotlib, numpy
        assert [named for _, named in lists] == [telling(sign * ratio, vocabulary, 3) for sign in (1, -1)]


def check_splits(figure, task, labels, weight, place, shown):
    """`shown` are all accuracies of this setting."""
    picture, (curve, slopes) = figure.picture, figure.figure.axes
    before, after = shown[place]
    for x, line, values in zip((0, 1), picture.ends, (before, after)):
        assert len(values) == 10
        placed(line, np.full(10, x), values)
    placed(picture.here, place, curve.get_ylim())
    for line, values in zip((picture.alone, picture.both), np.mean(shown, axis=2).T):
        placed(line, range(6), values)
    constant = np.mean([commonest(task, split) for split in range(10)])
    placed(picture.constant, curve.get_xlim(), constant)
    assert number("Always the largest class:", figure.alt) == pytest.approx(constant, abs=5.1e-4)
    for words, values in (("Labels alone: accuracy", before), ("unlabelled documents:", after)):
        assert number(words, figure.alt) == pytest.approx(values.mean(), abs=5.1e-4)
    assert f"worse in {(after < before).sum()} of 10 splits" in figure.alt
    better, worse = (len(each.get_segments()) for each in slopes.collections)
    assert (better, worse) == ((after >= before).sum(), (after < before).sum())
    for split in (0, 3) if (labels, weight) in {(5, 1), (20, 1), (50, 0.1), (5, 0.1)} else ():
        accuracies, _ = oracle(task, labels, split, weight)
        assert (before[split], after[split]) == pytest.approx((accuracies[0], accuracies[-1]))


LABELS, WEIGHTS = [1, 2, 5, 10, 20, 50], [0, 0.01, 0.03, 0.1, 0.3, 1]


def holds_package_curve(figure):
    holds_label_curve(figure)


def holds_label_curve(figure):
    labels, task = figure.values["labels"], figure.values.get("task", "three packages")
    assert figure.alt.startswith(f"{task.capitalize()}, {labels} label")
    check_splits(figure, task, labels, 1, LABELS.index(labels), [text.accuracies(task, each) for each in LABELS])


def holds_text_weight(figure):
    labels, weight = figure.values["labels"], figure.values["weight"]
    assert f"{labels} labels of each class, an unlabelled document counts {weight:g}." in figure.alt
    shown = [text.accuracies("three packages", labels, each) for each in WEIGHTS]
    check_splits(figure, "three packages", labels, weight, WEIGHTS.index(weight), shown)
    before, after = (line.get_ydata() for line in figure.picture.ends)
    assert weight or (before == after).all()


# The tales, counted here without the package


@cache
def tale_counts():
    """(counts, words) of the parts: words of three letters or more that occur in three parts."""
    bags = [re.findall("[a-z]{3,}", part.lower()) for part in TALES["text"]]
    every = sorted({word for bag in bags for word in bag})
    words = [word for word in every if sum(word in bag for bag in map(set, bags)) >= 3]
    return np.array([[bag.count(word) for word in words] for bag in bags], float), words


TITLES = list(dict.fromkeys(TALES["tale"]))
PAIRS = [(a, g) for a in TITLES[:3] for g in TITLES[3:]]


@cache
def tale_oracle(keep, labels, split):
    """(train, given, test, right by round, tables by round) for a number of labels of each author; None stands for all."""
    random, author = np.random.default_rng(split), TALES["author"].to_numpy()
    if keep == "random parts":
        order = random.permutation(221)
        train, test = order[55:], order[:55]
    else:
        back = TALES["tale"].isin(PAIRS[split]).to_numpy()
        train, test = random.permutation(np.flatnonzero(~back)), np.flatnonzero(back)
    given = np.full(len(train), None, dtype=object)
    for name in ("Andersen", "Grimm"):
        given[np.flatnonzero(author[train] == name)[:labels]] = name
    counts, names = tale_counts()[0], np.array(["Andersen", "Grimm"])
    rounds = plain_em(counts[train], given, names)
    right = [names[(prior + counts[test] @ table.T).argmax(axis=1)] == author[test] for prior, table in rounds]
    return train, given, test, np.array(right), [table for _, table in rounds]


@cache
def tale_means(keep):
    """The two curves, and the mean of saying one name for all parts that are kept back."""
    runs = [[tale_oracle(keep, labels, split)[3] for split in range(15)] for labels in (1, 2, 5, 10, 20, None)]
    curves = [[np.mean([right[at].mean() for right in each]) for each in runs] for at in (0, -1)]
    shares = [(TALES["author"][tale_oracle(keep, 1, split)[2]] == "Grimm").mean() for split in range(15)]
    return curves, np.mean([max(share, 1 - share) for share in shares])


def holds_tales(figure):
    keep, labels, split, step = (figure.values[name] for name in ("keep", "labels", "split", "step"))
    train, given, test, right, tables = tale_oracle(keep, labels, split)
    known, kinds = np.array([each is not None for each in given]), {}
    kinds = {
        "right": test[right[step]],
        "wrong": test[~right[step]],
        "labelled": train[known],
        "unlabelled": train[~known],
    }
    for name, rows in kinds.items():
        rows = TALES.loc[rows]
        found = sorted(zip(*(each.tolist() for each in getattr(figure.picture, name).get_data())))
        assert found == sorted(zip(rows["part"], map(TITLES.index, rows["tale"])))
    curves, constant = tale_means(keep)
    place = [1, 2, 5, 10, 20].index(labels)
    _, curve, _ = figure.figure.axes
    placed(figure.picture.here, place, curve.get_ylim())
    placed(figure.picture.constant, curve.get_xlim(), constant)
    for line, means in zip((figure.picture.alone, figure.picture.both), curves):
        placed(line, range(6), means)
    said = re.search(r"Round (\d+): (\d+) of (\d+) kept-back parts", figure.alt)
    assert [int(each) for each in said.groups()] == [step, right[step].sum(), len(test)]
    assert f"Labels of each author: {labels};" in figure.alt
    assert (" and ".join(PAIRS[split]) if keep == "a pair of tales" else "drawn at random") in figure.alt
    assert step == 0 or f", {right[0].sum()} before EM" in figure.alt
    authors = TALES["author"][test].tolist()
    best = max(("Andersen", "Grimm"), key=authors.count)
    assert f"always saying {best} gets {authors.count(best)}." in figure.alt
    wanted = {"labels alone": curves[0][place], "with EM": curves[1][place], "one name for all": constant}
    for words, value in wanted.items():
        assert number(words, figure.alt.partition("Mean of")[2]) == pytest.approx(value, abs=5.1e-4)
    vocabulary, ratio = tale_counts()[1], tables[step][0] - tables[step][1]
    model, lettering = text.run_tales(keep, labels, split).model, []
    for name, sign in (("Andersen", 1), ("Grimm", -1)):
        named = model.top_words(name, min(step, len(model.history_) - 1), 5, vocabulary)
        best = [sign * ratio[vocabulary.index(word)] for word in telling(sign * ratio, vocabulary, 5)]
        assert [sign * ratio[vocabulary.index(word)] for word in named] == pytest.approx(
            best, abs=1e-6
        )  # of equals any
        lettering += [len(unlabeled_text._lettering(word, theme.SMALL)) for word in named]
    assert [len(path) for path in figure.picture.words.get_paths()] == lettering


def holds_your_texts(figure):
    if figure.alt.startswith(EXPLAINED):
        return None
    texts, labels = [figure.values[name] for name in ("first", "second", "third")], figure.values["labels"]
    bags = [re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", each.lower().replace("’", "'")) for each in texts]
    parts = [[bag[at : at + 40] for at in range(0, len(bag) // 40 * 40, 40)] for bag in bags]
    both = [set(part) for part in parts[0] + parts[1]]
    words = [word for word in sorted(set().union(*both)) if sum(word in part for part in both) > 1]
    counts = [np.array([[part.count(word) for word in words] for part in text], float) for text in parts]
    ends = [len(text) - len(text) // 4 for text in parts]
    learn = np.vstack([counts[0][: ends[0]], counts[1][: ends[1]]])
    given = [k if row < labels else None for k in (0, 1) for row in range(ends[k])]
    rounds = plain_em(learn, given, [0, 1])
    kept = [counts[0][ends[0] :], counts[1][ends[1] :], counts[2]]
    (start, first), (prior, last) = rounds[0], rounds[-1]
    odds = [(prior + each @ last.T) @ [1, -1] for each in kept]
    total, begin = sum(map(len, odds)), 0
    for line, values in zip(figure.picture.parts, odds):
        placed(line, (begin + np.arange(len(values)) + 0.5) / total, np.clip(values, -15, 15), atol=1e-6)
        begin += len(values)
    before = [(start + each @ first.T) @ [1, -1] for each in kept]
    right = [int((each[0] >= 0).sum() + (each[1] < 0).sum()) for each in (before, odds)]
    assert f"labels alone get {right[0]} right, EM gets {right[1]}, and" in figure.alt
    sizes = [len(each) for each in kept]
    assert f"one name for all would get {max(sizes[:2])}." in figure.alt
    assert f"Labelled: {labels} of each text; unlabelled: {given.count(None)}; kept back: {sizes[0]} of" in figure.alt
    assert f"Of the third text {(odds[2] > 0).sum()} of {sizes[2]} parts" in figure.alt
    ratio = last[0] - last[1]
    lists = [telling(sign * ratio, words, 6) for sign in (1, -1)]
    shown = [word if len(word) <= 14 else f"{word[:13]}…" for each in lists for word in each]
    return written(figure.picture.words, shown)


# Numbers that the lesson and its questions mention

CELLS = {cell.id: cell for cell in nbformat.read(next(ROOT.glob("notebooks/12-*.ipynb")), 4).cells}


def read(cell):
    return CELLS[cell].source


def words(question):
    asked = Question(f"12/{question}")
    return asked.prompt + " " + " ".join(option["text"] + " " + option.get("feedback", "") for option in asked.options)


def ends(task, labels, splits=10):
    return np.array([text.run_trial(task, labels, split).accuracy for split in range(splits)])


def test_the_five_rows_by_hand_are_those_of_the_text():
    prior, table = m_step(FIVE_ROWS[:3], FIVE_LABELS[:3])
    share = e_step(prior, table, FIVE_ROWS, FIVE_LABELS)
    assert f"{share[3]:.4f}" in words("new-prior") and f"{share[4]:.4f}" in words("new-prior")
    prior, table = m_step(FIVE_ROWS, share)
    assert f"= {prior:.4f}." in read("hand-m") and f"= {table[1, 3]:.4f}." in read("hand-m")


def test_the_document_by_hand():
    """E step 3 to 1; M step P(goal|sport) = 3.5/8.25 = 0.424; "ball" speaks most for sport."""
    model = bl.MultinomialNaiveBayes(m="laplace", max_iter=1, tol=0)
    model.fit([[2, 1, 0], [0, 1, 2], [1, 2, 0]], ["sport", "cook", None])
    assert model.history_[0].shares[0] == pytest.approx([0.25, 0.75])
    assert np.exp(model.history_[1].log_table[1]) == pytest.approx(np.array([3.75, 3.5, 1]) / 8.25)
    assert model.top_words("sport", n=1, words=["ball", "goal", "oven"]) == ["ball"]


def test_the_first_fit_is_told_with_its_baseline():
    trial = text.run_trial("three packages", 5, 0)
    said = "".join(each.text for each in CELLS["first-fit-code"].outputs)
    assert f"15 labels alone: {trial.accuracy[0]:.3f} right" in said and trial.accuracy[0] == pytest.approx(
        0.490, abs=5e-4
    )
    assert f"documents: {trial.accuracy[-1]:.3f} right" in said and trial.accuracy[-1] == pytest.approx(0.893, abs=5e-4)
    assert f"always matplotlib: {trial.constant:.3f} right" in said


def test_one_label_has_several_outcomes():
    found = ends("two packages", 1)
    first, last = found[:, 0], found[:, -1]
    assert f"between {first.min():.2f} and {first.max():.2f}" in words("one-label")
    assert f"from {first.mean():.2f} to {last.mean():.2f}" in words("one-label")
    assert f"The mean of the ten is {last.mean():.2f}" in read("read-one-label")
    assert (last > 0.9).sum() == 5 and (last < 0.5).sum() == 4 and (abs(last - last.mean()) > 0.1).all()
    assert np.flatnonzero(last > 0.9).tolist() == [0, 2, 4, 7, 9] and np.flatnonzero(last < 0.5).tolist() == [
        1,
        3,
        5,
        8,
    ]
    assert f"between {last.min():.2f} and {last[last < 0.5].max():.2f}" in read("read-one-label")
    assert f"split 6 at {last[6]:.2f}" in read("read-one-label") and (last > 0.8).sum() == 6
    assert text.run_trial("two packages", 1, 0).unlabelled == pytest.approx(900, abs=20)


def test_split_20_ends_upside_down():
    trial = text.run_trial("two packages", 1, 20)
    assert f"{100 * trial.accuracy[0]:.0f} of 100" in words("upside-down") and (np.diff(trial.log_posterior) > 0).all()
    assert f"{100 * trial.accuracy[-1]:.0f} of 100." in read("read-upside")
    assert f"{100 - 100 * trial.accuracy[-1]:.0f} of 100 are right" in read("read-upside")
    assert [name.split(": ")[1] for name in sorted(trial.labelled)] == [
        "BezierSegment.axis_aligned_extrema",
        "broadcast_shapes",
    ]
    assert f"ends at {text.run_trial('two packages', 5, 20).accuracy[-1]:.2f}." in read("read-upside")


def test_the_learning_curve_is_as_told():
    gain = {
        labels: np.subtract(*np.mean(text.accuracies("three packages", labels), axis=1)[::-1])
        for labels in SHOWN_LABELS
    }
    assert f"gains {100 * gain[1]:.0f} points" in read("read-curve") and max(gain, key=gain.get) == 5
    for labels in (5, 50):
        alone, both = text.accuracies("three packages", labels)
        assert f"from {alone.mean():.2f} to {both.mean():.2f}" in read("read-curve")
        assert (both < alone).sum() == {5: 0, 50: 2}[labels]


def test_class_or_function_falls_in_all_ten_splits():
    alone, both = text.accuracies("class or function", 20)
    assert (both < alone).all() and f"about {alone.mean():.0%}" in words("no-clumps")
    assert text.run_trial("class or function", 20, 0).unlabelled == pytest.approx(860, abs=10)
    assert text.task_constant("class or function") == pytest.approx(0.86, abs=0.005)
    means = [np.mean(text.accuracies("class or function", labels)[0]) for labels in (10, 20, 50)]
    assert means == sorted(means, reverse=True)


def test_why_the_labels_alone_get_worse_and_what_class_comes_to_mean():
    counts, _, kinds, names = text.task_data("class or function")
    kinds, ours = np.array(kinds), np.array([name.startswith("matplotlib") for name in names])
    recall, agree = {}, []
    for labels in (10, 20, 50):
        found = []
        for split in range(10):
            train, given, test = text.split_documents(kinds.tolist(), labels, split)
            said = bl.MultinomialNaiveBayes("laplace", max_iter=0).fit(counts[train], given).predict(counts[test])
            found.append([np.mean(said[kinds[test] == kind] == kind) for kind in ("class", "function")])
            if labels == 20:
                model = bl.MultinomialNaiveBayes("laplace", max_iter=10).fit(counts[train], given)
                agree.append(np.mean((model.predict(counts[test]) == "class") == ours[test]))
        recall[labels] = np.mean(found, axis=0)
    for place, kind in enumerate(("classes", "functions")):
        assert ", ".join(f"{recall[each][place]:.0%}" for each in recall) + f" of the {kind}" in read("read-no-clumps")
    assert f"for {min(agree):.0%} to {max(agree):.0%}" in read("read-no-clumps")


def test_a_small_weight_is_worse_than_none():
    before, small = text.accuracies("three packages", 5, 0.03)
    full = text.accuracies("three packages", 5, 1)[1].mean()
    said = [f"{each:.2f}" for each in (before.mean(), full, small.mean())]
    assert all(each in words("cautious") for each in said)
    shares = [each.shares.mean(axis=0) for each in text.run_trial("three packages", 5, 0, 0.03).model.history_]
    assert (shares[0].argmax(), shares[-1].argmax()) == (2, 2)  # numpy
    assert f"with {shares[0][2]:.0%}" in read("read-weight") and f"with {shares[-1][2]:.1%}" in read("read-weight")
    _, capped = text.accuracies("three packages", 5, 0.03, m="capped")
    assert (capped > before).all() and f"is {capped.mean():.2f}." in read("read-weight")


def test_the_weight_that_is_chosen_is_nearly_the_best_with_many_labels():
    for labels in (20, 50):
        means = {w: text.accuracies("three packages", labels, w)[1].mean() for w in SHOWN_WEIGHTS}
        chosen = [text.choose_weight("three packages", labels, split) for split in range(10)]
        tested = [text.run_trial("three packages", labels, k, w).accuracy[-1] for k, w in enumerate(chosen)]
        assert max(means, key=means.get) == {20: 0.3, 50: 0.1}[labels] and np.mean(tested) > max(means.values()) - 0.01
        assert abs(means[0.1] - means[0.3]) < 0.0025
    assert "0.1 and 0.3 differ by less than a quarter of a point" in read("choose-head")
    chosen = [text.choose_weight("three packages", 5, split) for split in range(10)]
    tested = [text.run_trial("three packages", 5, k, w).accuracy[-1] for k, w in enumerate(chosen)]
    assert np.mean(tested) < text.accuracies("three packages", 5, 1)[1].mean() - 0.1


def runs_of(make, kinds, labels, splits=10, task="three packages"):
    """Accuracy, split by split, of what `make(weight, split)` makes: labels alone, and with the unlabelled documents."""
    counts, _, names, _ = text.task_data(task)
    y, found = [kinds(each) for each in names], []
    for split in range(splits):
        train, given, test = text.split_documents(y, labels, split)
        for weight in (0, 1):
            found.append(make(weight, split).fit(counts[train], given).score(counts[test], np.array(y)[test]))
    return np.reshape(found, (-1, 2))


def mean_of(*args, **options):
    return runs_of(*args, **options).mean(axis=0)


def test_several_components_for_a_class_of_two_kinds():
    def made(k):
        return lambda weight, split: bl.MixtureNaiveBayes(k, "laplace", weight, 10, random_state=split)

    def pil(each):
        return each if each == "PIL" else "other"

    every = {k: runs_of(made(k), pil, 20) for k in (1, 2, 3, 4)}
    means, worse = ({k: each.mean(axis=0) for k, each in every.items()}, every[3][:, 1] < every[3][:, 0])
    assert means[1] == pytest.approx([0.919, 0.621], abs=5e-4)
    assert "92%" in words("two-kinds") and "62%" in words("two-kinds") and "62% in ten rounds" in read("read-kinds")
    assert means[3][1] > means[3][0] > 0.874 and worse.sum() == 4 and "in four of ten splits" in read("read-components")
    assert max(max(each) for each in means.values()) == means[1][0]
    assert f"best number of the table is {means[1][0]:.3f}, one component" in read("read-components")


@pytest.mark.heavy
def test_components_at_the_end_of_the_climb_and_for_class_or_function():
    def made(k, rounds):
        return lambda weight, split: bl.MixtureNaiveBayes(k, "laplace", weight, rounds, random_state=split)

    ended = mean_of(made(1, 300), lambda each: each if each == "PIL" else "other", 20)[1]
    assert f"to {ended:.0%} if EM runs to its end" in read("read-kinds")
    one, four = (mean_of(made(k, 10), str, 20, task="class or function") for k in (1, 4))
    assert f"rises from {one[1]:.2f} to {four[1]:.2f}, still below" in read("read-components")
    assert one[1] < four[1] < min(one[0], four[0])


def test_presence_goes_by_length():
    alone, both = mean_of(lambda weight, _: bl.BernoulliNaiveBayes(weight=weight, max_iter=10), str, 20)
    assert (f"{alone:.0%}", f"{both:.0%}") == ("63%", "46%") and "63%" in words("present") and "46%" in words("present")


def test_the_tales_are_told_as_they_are():
    five, every = (text.tale_accuracies("a pair of tales", labels) for labels in (5, text.ALL))
    random = text.tale_accuracies("random parts", text.ALL)[0].mean()
    said = read("read-tales")
    assert f"{five[1].mean():.0%}." in said and f"it is {random:.0%} on parts" in said
    assert f"and {every[0].mean():.0%} on whole tales" in said
    assert f"give only {every[0].mean():.0%} on unseen tales" in words("whole-tales")
    assert f"from {five[1].min():.0%} to {five[1].max():.0%}" in said
    best = [
        text.tale_constant("a pair of tales", k)[1] / len(text.split_tales("a pair of tales", k)[1]) for k in range(15)
    ]
    assert f"{np.mean(best):.0%}" in words("whole-tales")
    assert f"{text.tale_accuracies('random parts', 5)[1].mean():.0%} come out right" in words("whole-tales")
    model = text.run_tales("random parts", 5, 0).model
    for name, told in (("Andersen", "truth, brothers, book"), ("Grimm", "hansel, gretel, rapunzel")):
        assert ", ".join(model.top_words(name, n=3, words=text.tale_words())) == told and told in said


def test_the_sources_collections_and_words_are_told():
    said = read("found-head")
    assert all(
        each in said for each in ("20 newsgroups", "1000 of each", "4199", "four classes", "12,902", "90 topics")
    )
    assert re.search(r"artificial.*lecture.*lecture", read("found-table"))


def test_the_figures_open_where_the_notebook_says():
    assert "Split 7, 1 label" in live.telling_words().alt and "Round 0" in live.telling_words().alt
    assert live.package_curve().alt.startswith("Three packages, 1 label of")
    assert "5 labels of each class, an unlabelled document counts 1." in live.text_weight().alt


def test_two_of_the_splits_were_only_slow_and_two_have_come_to_rest():
    counts, _, y, _ = text.task_data("two packages")
    found = {}
    for split in (1, 3, 5, 8):
        train, given, test = text.split_documents(y, 1, split)
        model = bl.MultinomialNaiveBayes("laplace", 1.0, max_iter=50, tol=0).fit(counts[train], given)
        found[split] = model.score(counts[test], np.array(y)[test])
    assert found[3] == text.run_trial("two packages", 1, 3).accuracy[-1] < 0.5
    assert found[5] == text.run_trial("two packages", 1, 5).accuracy[-1] < 0.5
    assert f"splits 1 and 8 leave the fonts and reach {found[1]:.2f} and {found[8]:.2f}" in read("read-one-label")


def test_the_first_start_of_the_clusters_was_still_climbing():
    counts, _, y, _ = text.task_data("two packages")
    start = np.random.default_rng(1).dirichlet([1, 1], len(y))
    model = bl.MultinomialNaiveBayes(classes=["A", "B"], max_iter=150).fit(counts, [None] * len(y), start=start)
    right = np.mean((model.predict(counts) == "A") == (np.array(y) == "numpy"))
    assert f"(after {len(model.history_) - 1}, at {right:.0%})" in read("read-cluster")


def test_absent_words_make_short_and_long_classes():
    counts, _, y, _ = text.task_data("three packages")
    lengths, found = (counts > 0).sum(axis=1), []
    for split in range(10):
        train, given, test = text.split_documents(y, 20, split)
        model = bl.BernoulliNaiveBayes("laplace", max_iter=10).fit(counts[train], given)
        called = model.predict(counts[test])
        words_of = {each: lengths[test][called == each].mean() for each in model.classes_}
        found.append((model.score(counts[test], np.array(y)[test]), words_of))
    short = [each for each in found if each[1]["PIL"] < 40]
    assert len(short) == 7 and all(31 <= round(each["PIL"]) <= 35 for _, each in short)
    assert all(each["matplotlib"] > 100 < each["numpy"] for _, each in short)
    assert all(0.36 <= round(right, 2) <= 0.44 for right, _ in short)
    assert all(0.59 <= right <= 0.63 and each["matplotlib"] < 40 for right, each in found if (right, each) not in short)


def test_no_other_split_of_a_hundred_is_upside_down():
    low = [split for split in range(100) if text.run_trial("two packages", 1, split).accuracy[-1] < 0.2]
    assert low == [20] and "of splits 0 to 99 it alone ends below 0.2" in read("read-upside")
