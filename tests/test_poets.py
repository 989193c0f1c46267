"""Two poets and naive Bayes in odds: the same as the multinomial model, and the numbers that section 05 tells."""

import math

import numpy as np
import pytest

import bayeslib as bl
from bayeslib import live
from bayeslib.models import poets
from tests.lab import ROOT
from tests.sections.test_s05 import told_by_poets, worth

LESSON = (ROOT / "notebooks/05-naive-bayes.ipynb").read_text()
TEXT = (ROOT / "bayeslib/sections/s05_naive_bayes/questions.toml").read_text()


def test_word_odds_are_those_of_multinomial_naive_bayes():
    train, test = poets.halves(seed=3)
    mine, other = ([w for t in train["text"][train["author"] == poet] for w in poets.words(t)] for poet in poets.POETS)
    odds = poets.word_odds(mine, other, shared=True)
    vocabulary = list(odds)

    def bag(text):
        said = poets.words(text)
        return [said.count(word) for word in vocabulary]

    model = bl.MultinomialNaiveBayes(m="laplace").fit([bag(t) for t in train["text"]], train["author"].tolist())
    scores = model.log_scores([bag(t) for t in test["text"].head(20)])
    wanted = (
        scores[:, model.classes_.tolist().index("Shakespeare")] - scores[:, model.classes_.tolist().index("Milton")]
    )
    first = (train["author"] == "Shakespeare").sum()
    prior = math.log(first / (len(train) - first))
    found = [prior + sum(math.log(odds.get(w, 1)) for w in poets.words(t)) for t in test["text"].head(20)]
    assert found == pytest.approx(wanted.tolist())


@pytest.mark.parametrize("shared", [True, False])
def test_held_out_verses_are_those_that_counting_gives(shared):
    found = poets.held_out(splits=10, shared=shared)
    np.testing.assert_allclose(found.lines, told_by_poets(shared, "lines"), atol=1e-9)
    np.testing.assert_allclose(found.passages, told_by_poets(shared, "passages"), atol=1e-9)
    lines, passages = (0.723, 0.911) if shared else (0.809, 0.987)
    assert ((found.lines > 0).mean().round(3), (found.passages > 0).mean().round(3)) == (lines, passages)


def test_what_the_lesson_says_of_the_poets():
    odds = worth(0, False)
    for word, times in (("thir", "69"), ("adam", "16"), ("god", "13.6"), ("hell", "1.8")):
        assert f"{math.exp(-odds[word]):.{1 if '.' in times else 0}f}" == times and f"{times} to 1" in TEXT
    assert "thir" not in worth(0, True)
    assert f"{math.exp(worth(0, True)['their']):.1f}" == "2.5" and "*their* speaks 2.5 to 1 for Shakespeare" in LESSON
    table = bl.data.load_two_poets()
    said = {poet: poets.words(" ".join(table["text"][table["author"] == poet])) for poet in poets.POETS}
    assert [said["Milton"].count(word) for word in ("thir", "their")] == [109, 11] and "109 of 120" in TEXT
    assert "thir" not in said["Shakespeare"]
    logs = told_by_poets(True, "passages")
    sure = np.abs(logs) > math.log(999)
    assert (len(logs), sure.sum(), (logs[sure] > 0).sum()) == (1520, 1153, 1119) and round(1153 / 34) == 34
    said = 1 / (1 + np.exp(-np.abs(logs)))
    middle = (said >= 0.9) & (said < 0.99)
    assert middle.sum() == 120 and round((logs[middle] > 0).mean(), 2) == 0.69 and "69% of 120" in LESSON
    assert [round(np.log1p(np.exp(-t * logs)).mean(), 3) for t in (1, 0.3)] == [
        0.485,
        0.231,
    ] and "0.485 to 0.231" in LESSON


def test_lines_of_the_presets_were_held_out():
    train, test = (" / ".join(half["text"]) for half in poets.halves(seed=0))
    figure = live.whose_line()
    lines = [figure.presets["a sonnet"]["line"], figure.presets["Paradise Lost"]["line"]]
    for line in [*lines, "Thir Nature, with such knowledg God endu'd"]:
        assert line in test and line not in train
    figure.preset("neither of the two")
    assert "P(Shakespeare) = 0.9884" in figure.alt


def test_a_calibrated_forecaster_is_seen_as_one():
    said = np.random.default_rng(0).uniform(0.5, 1, 20000)
    right = np.random.default_rng(1).uniform(size=20000) < said
    bins = poets.calibration(said, right, [0.5, 0.6, 0.7, 0.8, 0.9, 1])
    assert sum(each.count for each in bins) == 20000
    assert all(abs(each.said - each.right) < 0.03 for each in bins)
    assert poets.calibration([0.5, 1], [0.5, 1], [0.5, 0.75, 0.8, 1])[1] is None
    with pytest.raises(ValueError, match="said must lie between the edges 0.5 and 1"):
        poets.calibration([0.2], [1], [0.5, 1])
