"""Section 12: the numbers that its questions and its prose mention."""

import re

import nbformat
import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live, text
from bayeslib.live.unlabeled_text import LABELS, WEIGHTS
from bayeslib.practice.questions import Question
from bayeslib.text import FIVE_LABELS, FIVE_ROWS, e_step, m_step
from tests.lab import ROOT

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
    assert text.run_trial("two packages", 1, 0).unlabeled == pytest.approx(900, abs=20)


def test_split_20_ends_upside_down():
    trial = text.run_trial("two packages", 1, 20)
    assert f"{100 * trial.accuracy[0]:.0f} of 100" in words("upside-down") and (np.diff(trial.log_posterior) > 0).all()
    assert f"{100 * trial.accuracy[-1]:.0f} of 100." in read("read-upside")
    assert f"{100 - 100 * trial.accuracy[-1]:.0f} of 100 are right" in read("read-upside")
    assert [name.split(": ")[1] for name in sorted(trial.labeled)] == [
        "BezierSegment.axis_aligned_extrema",
        "broadcast_shapes",
    ]
    assert f"ends at {text.run_trial('two packages', 5, 20).accuracy[-1]:.2f}." in read("read-upside")


def test_the_learning_curve_is_as_told():
    gain = {labels: np.subtract(*np.mean(text.accuracies("three packages", labels), axis=1)[::-1]) for labels in LABELS}
    assert f"gains {100 * gain[1]:.0f} points" in read("read-curve") and max(gain, key=gain.get) == 5
    for labels in (5, 50):
        alone, both = text.accuracies("three packages", labels)
        assert f"from {alone.mean():.2f} to {both.mean():.2f}" in read("read-curve")
        assert (both < alone).sum() == {5: 0, 50: 2}[labels]


def test_class_or_function_falls_in_all_ten_splits():
    alone, both = text.accuracies("class or function", 20)
    assert (both < alone).all() and f"about {alone.mean():.0%}" in words("no-clumps")
    assert text.run_trial("class or function", 20, 0).unlabeled == pytest.approx(860, abs=10)
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
        means = {w: text.accuracies("three packages", labels, w)[1].mean() for w in WEIGHTS}
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
