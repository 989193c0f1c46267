"""Hidden Markov models: AIMA's numbers, every path multiplied out, hmmlearn, section 08's network, and what is refused."""

import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hmmlearn.hmm import CategoricalHMM
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib import HiddenMarkovModel
from bayeslib.models import hmm
from bayeslib.models.hmm import casino, guess, umbrella

GOOD = {"start": [0.5, 0.5], "transition": [[0.7, 0.3], [0.3, 0.7]], "emission": [[0.9, 0.1], [0.2, 0.8]]}


@st.composite
def models(draw, zeros=True):
    """A random model and a sequence that it gave, so that the sequence is possible; some probabilities are 0."""
    k, m, T = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 5))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))

    def rows(*shape):
        weights = random.random(shape) * (random.random(shape) < 0.7 if zeros and draw(st.booleans()) else 1)
        weights[..., random.integers(shape[-1])] += 0.2
        return weights / weights.sum(axis=-1, keepdims=True)

    model = HiddenMarkovModel(rows(k), rows(k, k), rows(k, m))
    return model, [None if random.random() < 0.15 else symbol for symbol in model.sample(T, random)[1]]


def by_paths(model, observations):
    """Every path of states, a row each, and P(path, observations) multiplied out; None as observation weighs nothing."""
    paths = np.array(list(product(range(len(model.start)), repeat=len(observations))))
    chances = model.start[paths[:, 0]]
    for t, observation in enumerate(observations):
        chances = chances * (model.transition[paths[:, t - 1], paths[:, t]] if t else 1)
        chances = chances * (1 if observation is None else model.emission[paths[:, t], observation])
    return paths, chances


def marginals(model, observations, t):
    """P(state at t | all that was observed) for each state, summed over the paths through it."""
    paths, chances = by_paths(model, observations)
    return [chances[paths[:, t] == state].sum() / chances.sum() for state in model.states_]


# The umbrella world


def test_the_books_five_days():
    model = umbrella()
    assert model.filter("UU-UU")[:, 0] == pytest.approx([0.8182, 0.8834, 0.1907, 0.7308, 0.8673], abs=5e-5)
    assert model.smooth("UU-UU")[:, 0] == pytest.approx([0.8673, 0.8204, 0.3075, 0.8204, 0.8673], abs=5e-5)
    assert model.smooth([None, *"UU-UU"])[0, 0] == pytest.approx(0.6469, abs=5e-5), "before the first day"
    assert model.viterbi("UU-UU")[0] == ["rain", "rain", "dry", "rain", "rain"]
    assert np.exp(model.log_likelihood("UU-UU")) == pytest.approx(0.0343037005)
    ahead = model.predict("UU", 6)[:, 0] - 0.5
    assert ahead[0] == pytest.approx(0.1533, abs=5e-5) and ahead[1:] / ahead[:-1] == pytest.approx(0.4)


# Every path multiplied out


@settings(max_examples=60, deadline=None)
@given(models())
def test_every_answer_is_the_sum_or_the_best_over_all_paths(case):
    model, observations = case
    paths, chances = by_paths(model, observations)
    assert np.exp(model.log_likelihood(observations)) == pytest.approx(chances.sum())
    for t in range(len(observations)):
        assert model.filter(observations)[t] == pytest.approx(marginals(model, observations[: t + 1], t))
        assert model.smooth(observations)[t] == pytest.approx(marginals(model, observations, t))
    ahead = marginals(model, [*observations, None, None], -1)
    assert model.predict(observations, 2)[1] == pytest.approx(ahead)
    path, score = model.viterbi(observations)
    assert np.exp(score) == pytest.approx(chances.max()) and model.log_joint(path, observations) == pytest.approx(score)


@settings(max_examples=60, deadline=None)
@given(models())
def test_expected_counts_are_the_counts_of_every_path_weighted(case):
    model, observations = case
    paths, chances = by_paths(model, observations)
    *counts, log_likelihood = model.expected_counts([observations, observations])
    wanted = [np.zeros_like(table) for table in counts]
    for path, weight in zip(paths.tolist(), 2 * chances / chances.sum()):
        wanted[0][path[0]] += weight
        np.add.at(wanted[1], (path[:-1], path[1:]), weight)
        seen = [(state, symbol) for state, symbol in zip(path, observations) if symbol is not None]
        np.add.at(wanted[2], tuple(np.array(seen, dtype=int).reshape(-1, 2).T), weight)
    for mine, theirs in zip(counts, wanted):
        assert mine == pytest.approx(theirs, abs=1e-12)
    assert log_likelihood == pytest.approx(2 * np.log(chances.sum()))


@settings(max_examples=40, deadline=None)
@given(models(), st.integers(0, 1000))
def test_the_likelihood_never_falls_and_rows_stay_distributions(case, seed):
    model, observations = case
    sequences = [observations, model.sample(4, seed)[1]]
    model.fit(sequences, max_iter=15, tol=0)
    assert (np.diff([step.log_likelihood for step in model.history_]) >= -1e-9).all()
    for table in model.history_[-1][:3]:
        assert table.sum(axis=-1) == pytest.approx(1) and (table >= 0).all()
    assert model.history_[-1].log_likelihood == pytest.approx(sum(map(model.log_likelihood, sequences)))


def test_a_belief_below_the_smallest_float_is_not_impossible():
    """Forty signs of one state in 1e9, then a sign that only the other can give."""
    model = HiddenMarkovModel([0.5, 0.5], np.eye(2), [[1 - 1e-9, 1e-9, 0], [1e-9, 0.5, 0.5 - 1e-9]])
    signs = [0] * 40 + [2]
    by_hand = np.log(0.5) + 40 * np.log(1e-9) + np.log(0.5 - 1e-9)
    assert model.log_likelihood(signs) == pytest.approx(by_hand, abs=1e-9)
    assert model.viterbi(signs)[1] == pytest.approx(by_hand, abs=1e-9)
    assert model.smooth(signs)[0] == pytest.approx([0, 1], abs=1e-12)
    assert model.fit([signs]).emission_[1] == pytest.approx([40 / 41, 0, 1 / 41])


def test_of_equal_paths_the_first_state_wins_whatever_the_rounding():
    swapped = HiddenMarkovModel([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], [[0.5, 0.5]] * 2)
    assert swapped.viterbi([0, 1] * 250)[0] == [0] * 500


# hmmlearn and section 08's network


@pytest.mark.parametrize("states", [2, 5])
def test_hmmlearn_answers_and_learns_the_same(states):
    random = np.random.default_rng(states)
    tables = random.dirichlet([1] * states), random.dirichlet([1] * states, states), random.dirichlet([1] * 4, states)
    model, other = (
        HiddenMarkovModel(*tables),
        CategoricalHMM(states, n_features=4, init_params="", n_iter=20, tol=-np.inf),
    )
    other.startprob_, other.transmat_, other.emissionprob_ = tables
    sequences = [np.array(model.sample(length, random)[1]) for length in (300, 1, 60)]
    X, lengths = np.concatenate(sequences)[:, None], list(map(len, sequences))
    assert sum(map(model.log_likelihood, sequences)) == pytest.approx(other.score(X, lengths))
    assert np.vstack(list(map(model.smooth, sequences))) == pytest.approx(other.predict_proba(X, lengths), abs=1e-6)
    assert sum(model.viterbi(each)[1] for each in sequences) == pytest.approx(other.decode(X, lengths)[0])
    other.fit(X, lengths)
    model.fit(sequences, max_iter=20, tol=0)
    assert model.start_ == pytest.approx(other.startprob_, abs=1e-6)
    assert model.transition_ == pytest.approx(other.transmat_, abs=1e-6)
    assert model.emission_ == pytest.approx(other.emissionprob_, abs=1e-6)


def test_the_unrolled_network_gives_the_same_beliefs():
    model = umbrella()
    network, evidence = model.as_network(5), {f"O{t}": sign for t, sign in enumerate("UU-UU", start=1)}
    for t, belief in enumerate(model.smooth("UU-UU"), start=1):
        assert network.query(f"S{t}", evidence) == pytest.approx(dict(zip(model.states, belief)))
    assert network.d_separated(["S1"], ["S3"], ["S2"]) and not network.d_separated(["O1"], ["O3"], ["O2"])


# Manners


def test_samples_follow_the_tables_and_the_seed():
    states, rolls = casino().sample(20_000, random_state=1)
    assert casino().sample(20_000, random_state=1) == (states, rolls)
    loaded = [roll for state, roll in zip(states, rolls) if state == "loaded"]
    assert len(loaded) / 20_000 == pytest.approx(1 / 3, abs=0.03)
    assert loaded.count(6) / len(loaded) == pytest.approx(0.5, abs=0.02)


def test_fit_starts_from_the_given_tables_every_time_and_leaves_them_alone():
    model = umbrella().fit(["UU-UU", "-U"])
    first = model.history_
    assert first[0].start.tolist() == model.start.tolist() == [0.5, 0.5] != model.start_.tolist()
    assert [step.log_likelihood for step in model.fit(["UU-UU", "-U"]).history_] == [
        step.log_likelihood for step in first
    ]
    assert pickle.loads(pickle.dumps(model)).log_likelihood("U-") == model.log_likelihood("U-")
    before = model.filter("U-U").tolist()
    for bad in (lambda: model.fit(["UX"]), lambda: model.set_params(start=[0.5, 0.4])):
        with pytest.raises(ValueError):
            bad()
        assert model.filter("U-U").tolist() == before, "what fails changes nothing"
    assert model.set_params(start=[1, 0]).filter("-").tolist() == [[1, 0]] and not hasattr(model, "history_")


def test_a_state_that_is_never_visited_keeps_its_rows():
    model = HiddenMarkovModel([1, 0], [[1, 0], [0.5, 0.5]], [[0.5, 0.5], [0.2, 0.8]]).fit([[0, 1, 1]])
    assert model.transition_[1].tolist() == [0.5, 0.5] and model.emission_[1].tolist() == [0.2, 0.8]
    assert model.emission_[0] == pytest.approx([1 / 3, 2 / 3])


def test_symbols_may_come_as_a_string_a_list_or_an_array_and_letters_from_a_text():
    assert (umbrella().filter("UU-") == umbrella().filter(["U", "U", "-"])).all()
    assert (casino().filter(np.array([6, 1.0])) == casino().filter([6, 1])).all()
    assert "".join(hmm.letters("  «Hänsel», said 2 of them: o-ho!\n")) == "h_nsel_said_of_them_o_ho"


@pytest.mark.parametrize(
    "change, words",
    [
        ({"start": [0.5, 0.6]}, r"start must sum to 1, got 1.1 over \{0, 1\}"),
        ({"start": [1.5, -0.5]}, r"start\[0\] must be a probability between 0 and 1, got 1.5"),
        ({"start": "half"}, "start must be an array of probabilities, got 'half'"),
        ({"start": []}, "start must have one probability per state, at least one"),
        ({"transition": [[0.7, 0.2], [0.3, 0.7]]}, r"transition\[0\] must sum to 1, got 0.9 over \{0, 1\}"),
        ({"transition": [0.7, 0.3]}, r"transition must have shape \(2, 2\), axes \(state: 2, next state: 2\)"),
        ({"emission": [0.9, 0.1]}, r"emission must have a row per state and a column per symbol, got shape \(2,\)"),
        ({"states": ["rain"]}, r"states must be 2 names, as many as start has probabilities, got \['rain'\]"),
        ({"states": {"rain", "dry"}}, "states must be a sequence of names, got "),
        ({"symbols": ["U", pd.NA]}, "symbols must be different names, and None is not one, got "),
    ],
)
def test_bad_tables_are_named(change, words):
    with pytest.raises(ValueError, match=words):
        HiddenMarkovModel(**{**GOOD, **change})


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda m: m.filter("UX"), r"observations\[1\] must be one of the symbols \{'U', '-'\}.* got 'X'"),
        (lambda m: m.smooth([["U"]]), r"observations\[0\] must be one of .* got \['U'\]"),
        (lambda m: m.viterbi(""), "observations must hold at least one symbol, got none"),
        (lambda m: m.predict(3), "observations must be a sequence of symbols, got 3"),
        (lambda m: m.predict("U", 1.5), "steps must be a whole number of at least 1, got 1.5"),
        (lambda m: m.fit("UU"), "sequences must be a list of sequences of symbols, got 'UU'"),
        (lambda m: m.fit(["U", "-"]), r"put a single one in \[ \], got the symbol 'U'"),
        (lambda m: m.fit([]), "sequences must hold at least one sequence, got none"),
        (lambda m: m.fit(["UU", "UX"]), r"sequences\[1\]\[1\] must be one of .* got 'X'"),
        (lambda m: m.fit(["UU"], max_iter=0), "max_iter must be a whole number of at least 1, got 0"),
        (lambda m: m.fit(["UU"], tol=-1), "tol must be a number at least 0, got -1"),
        (lambda m: m.sample(0), "T must be a whole number of at least 1, got 0"),
        (lambda m: m.as_network(True), "T must be a whole number of at least 1, got True"),
        (lambda m: m.log_joint(["rain"], "UU"), "path must have a state for each of the 2 observations, got 1"),
        (lambda m: m.log_joint(["rain", "fog"], "UU"), r"path\[1\] must be one of \{'rain', 'dry'\}, got 'fog'"),
        (lambda m: guess(None), "model must be a HiddenMarkovModel, got None"),
        (lambda m: umbrella(stay=2), "stay must be a probability between 0 and 1, got 2"),
        (lambda m: casino(keep_fair=1, keep_loaded=1), "keep_fair and keep_loaded must not both be 1"),
        (lambda m: hmm.letters(3), "text must be a string, got 3"),
    ],
)
def test_other_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call(umbrella())


@pytest.mark.parametrize("ask", ["filter", "smooth", "viterbi", "log_likelihood"])
def test_impossible_observations_are_named(ask):
    model = HiddenMarkovModel([0.5, 0.5], np.eye(2), [[1, 0], [1, 0]])
    with pytest.raises(ValueError, match=r"observations\[2\] must be possible .* probability 0"):
        getattr(model, ask)([0, 0, 1, 0])
    with pytest.raises(ValueError, match=r"sequences\[1\]\[1\] must be possible"):
        model.fit([[0, 0], [0, 1]])
