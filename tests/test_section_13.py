"""Section 13: the numbers that its questions mention."""

from functools import cache

import numpy as np
import pytest

from bayeslib import data, live
from bayeslib.hmm import HiddenMarkovModel, best_routes, casino, follow_back, forward, guess, letters, umbrella
from bayeslib.live.hidden_markov_models import ITERATIONS, ROUNDS, STRIP, SYMBOLS, _climb
from bayeslib.practice import tasks_13
from tests.lab import ROOT
from tests.reading import Lesson

TEXT = (ROOT / "bayeslib/practice/13.toml").read_text()


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
    new = letters(" ".join(each for each in data.load_tales().query("tale == 'The Ugly Duckling'")["text"]))[:5000]
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
    for start, transition, emission, observations in tasks_13.TASKS["viterbi"]["cases"]:
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


def letter_climbs():
    """The rows of data/letter_climbs.csv, computed again."""
    learn, new = ("_".join(tale_letters(each))[:5000] for each in ("Hansel and Gretel", "The Ugly Duckling"))
    shuffled = "".join(np.random.default_rng(0).permutation(list(learn)))
    secret = dict(zip(SYMBOLS, ["_", *np.random.default_rng(0).permutation(list(SYMBOLS[1:]))]))
    same = dict(zip(SYMBOLS, SYMBOLS))
    for name, text, code in (("tale", learn, same), ("shuffled", shuffled, same), ("secret", learn, secret)):
        seen, other = ("".join(code[each] for each in every) for every in (text, new))
        for begin in range(10):
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
    for row, wanted in zip(data.load_letter_climbs().to_numpy(), letter_climbs(), strict=True):
        assert row[:3].tolist() == wanted[:3]
        assert row[3:-1].astype(float) == pytest.approx(wanted[3:-1], abs=2e-3)
        assert sum(a != b for a, b in zip(row[-1], wanted[-1], strict=True)) <= 1, "a letter on the border"


@pytest.mark.heavy
def test_four_of_ten_starts_have_found_the_vowels():
    lesson = Lesson.read("13")
    learn, symbols, found = lesson.names("climb")["learn"], "_abcdefghijklmnopqrstuvwxyz", []
    for seed in range(10):
        random = np.random.default_rng(seed)
        begin = [0.5, 0.5], random.dirichlet([5, 5], 2), random.dirichlet([20] * 27, 2)
        model = HiddenMarkovModel(*begin, "AB", symbols).fit([learn, symbols], max_iter=300, tol=1e-3)
        side = model.emission_[0] > model.emission_[1]
        side = side if side[symbols.index("e")] else ~side
        found.append("".join(np.array(list(symbols))[side]))
    assert [seed for seed, each in enumerate(found) if each == "_aeioquz"] == [1, 2, 4, 5]
    told = "".join(cell.source for cell in lesson.cells)
    assert set(found[3]) >= set("_aeiou") and "Of ten random starts four have found the vowels" in told
