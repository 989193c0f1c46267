"""Hidden Markov models: AIMA's numbers, every path multiplied out, hmmlearn, section 08's network, and what is refused."""

import copy
import pickle
import re
import warnings
from contextlib import contextmanager

import nbformat
import numpy as np
import pandas as pd
import pytest
from hmmlearn.hmm import CategoricalHMM
from hypothesis import given, settings
from hypothesis import strategies as st

from bayeslib import HiddenMarkovModel, live
from bayeslib.models import hmm
from bayeslib.models.hmm import casino, guess, umbrella
from tests.lab import ROOT
from tests.sections.test_s13 import by_paths, marginal


@st.composite
def models(draw, states=st.integers(1, 3), zeros=True, steps=st.integers(1, 5)):
    """A random model and a sequence that it gave, so that the sequence is possible; some probabilities are 0."""
    k, m, T = draw(states), draw(st.integers(1, 3)), draw(steps)
    random = np.random.default_rng(draw(st.integers(0, 10**6)))

    def rows(*shape):
        weights = random.random(shape) * (random.random(shape) < 0.7 if zeros and draw(st.booleans()) else 1)
        weights[..., random.integers(shape[-1])] += 0.2
        return weights / weights.sum(axis=-1, keepdims=True)

    model = HiddenMarkovModel(rows(k), rows(k, k), rows(k, m))
    _, symbols = model.sample(T, random)
    return model, [None if random.random() < 0.15 else symbol for symbol in symbols]


def multiplied_out(model, observations):
    return by_paths(model.start_, model.transition_, model.emission_, observations)


# The umbrella world


def test_filtered_smoothed_and_best_path_of_the_books_five_days():
    model = umbrella()
    assert model.filter("UU-UU")[:, 0] == pytest.approx([0.8182, 0.8834, 0.1907, 0.7308, 0.8673], abs=5e-5)
    assert model.smooth("UU-UU")[:, 0] == pytest.approx([0.8673, 0.8204, 0.3075, 0.8204, 0.8673], abs=5e-5)
    assert model.smooth([None, *"UU-UU"])[0, 0] == pytest.approx(0.6469, abs=5e-5), "before the first day"
    assert model.viterbi("UU-UU")[0] == ["rain", "rain", "dry", "rain", "rain"]
    assert np.exp(model.log_likelihood("UU-UU")) == pytest.approx(0.0343037005)


def test_prediction_forgets_by_a_factor_of_0_4_a_day():
    belief = umbrella().predict("UU", 6)[:, 0]
    assert belief[:4] == pytest.approx([0.6533, 0.5613, 0.5245, 0.5098], abs=5e-5)
    assert (belief[1:] - 0.5) / (belief[:-1] - 0.5) == pytest.approx(0.4)


def test_observations_are_no_markov_chain():
    def next_umbrella(before):
        return np.exp(umbrella().log_likelihood([*before, "U"]) - umbrella().log_likelihood(before))

    chances = [next_umbrella(before) for before in ("UU", "-U", [None, "U"])]
    assert chances == pytest.approx([0.6573, 0.6068, 0.6391], abs=5e-5)


def test_the_best_path_is_not_the_path_of_best_states():
    model = umbrella()
    assert model.smooth("-U-")[:, 0] == pytest.approx([0.1478, 0.5540, 0.1478], abs=5e-5)
    assert model.viterbi("-U-")[0] == ["dry", "dry", "dry"]
    whole = model.log_likelihood("-U-")
    paths = {
        "ddd": 0.402,
        "drd": 0.332,
        "rrd": 0.097,
        "drr": 0.097,
        "rrr": 0.028,
        "rdd": 0.022,
        "ddr": 0.022,
        "rdr": 0.001,
    }
    for letters, chance in paths.items():
        path = [{"r": "rain", "d": "dry"}[letter] for letter in letters]
        assert np.exp(model.log_joint(path, "-U-") - whole) == pytest.approx(chance, abs=5e-4)


def test_best_states_can_form_an_impossible_path():
    blind = HiddenMarkovModel([0.4, 0.3, 0.3], [[1, 0, 0], [0, 1, 0], [0, 1, 0]], [[1], [1], [1]], "XYZ", "o")
    assert blind.smooth("oo").tolist() == pytest.approx(np.array([[0.4, 0.3, 0.3], [0.4, 0.6, 0]]))
    assert blind.log_joint("XY", "oo") == -np.inf and blind.viterbi("oo")[0] == ["X", "X"]


# The casino


def test_sixes_in_a_row_never_make_certain():
    model = casino()
    assert model.filter([6] * 5)[:, 1] == pytest.approx([0.6, 0.7925, 0.8870, 0.9248, 0.9387], abs=5e-5)
    assert model.filter([6] * 10_000)[-1, 1] == pytest.approx(0.9462, abs=5e-5)
    assert model.smooth([6] * 20)[9, 1] == pytest.approx(0.9952, abs=5e-5)


@pytest.mark.parametrize(
    "sixes, top, loaded, never", [(3, 0.466, 0, 0.384), (4, 0.699, 0, 0.193), (5, 0.861, 5, 0.0797)]
)
def test_the_curve_bends_and_the_path_jumps(sixes, top, loaded, never):
    model, rolls = casino(), [1] * 10 + [6] * sixes + [1] * 10
    assert model.smooth(rolls)[10 : 10 + sixes, 1].max() == pytest.approx(top, abs=5e-4)
    assert model.viterbi(rolls)[0].count("loaded") == loaded
    alone = model.log_joint(["fair"] * len(rolls), rolls) - model.log_likelihood(rolls)
    assert np.exp(alone) == pytest.approx(never, abs=5e-4)


def test_rows_and_columns_of_the_transitions_are_not_interchangeable():
    model = casino()
    assert model.filter([6, 6, 1])[:, 1] == pytest.approx([0.6, 0.792, 0.611], abs=5e-4)


def test_identical_dice_stay_identical_and_random_ones_beat_the_truth():
    model = casino()
    _, rolls = model.sample(300, random_state=0)
    assert model.log_likelihood(rolls) == pytest.approx(-500.484, abs=5e-4)
    same = HiddenMarkovModel([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]], [[1 / 6] * 6] * 2, symbols=range(1, 7)).fit([rolls])
    assert len(same.history_) == 3 and same.history_[-1].log_likelihood == pytest.approx(-501.525, abs=5e-4)
    assert same.emission_[:, 5] == pytest.approx([rolls.count(6) / 300] * 2)
    ends = [guess(model, random_state=seed).fit([rolls], 400) for seed in range(6)]
    reached = [round(end.history_[-1].log_likelihood, 2) for end in ends]
    assert sorted(reached) == [-497.31] + 5 * [-494.5]
    assert [end.emission_[0, 5] > end.emission_[1, 5] for end in ends] == [False, False, True, False, False, False]


# Every path multiplied out


@settings(max_examples=150, deadline=None)
@given(models())
def test_every_answer_is_the_sum_or_the_best_over_all_paths(case):
    model, observations = case
    paths, chances = multiplied_out(model, observations)
    T, states = len(observations), model.states_
    assert np.exp(model.log_likelihood(observations)) == pytest.approx(chances.sum())
    for t in range(T):
        until = multiplied_out(model, observations[: t + 1])
        assert model.filter(observations)[t] == pytest.approx([marginal(until, t, s) for s in states])
        assert model.smooth(observations)[t] == pytest.approx([marginal((paths, chances), t, s) for s in states])
    ahead = multiplied_out(model, [*observations, None, None])
    assert model.predict(observations, 2)[1] == pytest.approx([marginal(ahead, T + 1, s) for s in states])
    path, score = model.viterbi(observations)
    assert np.exp(score) == pytest.approx(chances.max()) and model.log_joint(path, observations) == pytest.approx(score)
    with np.errstate(divide="ignore"):
        assert [model.log_joint(p, observations) for p in paths.tolist()] == pytest.approx(np.log(chances))


@settings(max_examples=100, deadline=None)
@given(models())
def test_beliefs_sum_to_1_and_the_last_day_has_no_hindsight(case):
    model, observations = case
    for beliefs in (model.filter(observations), model.smooth(observations), model.predict(observations, 3)):
        assert beliefs.sum(axis=1) == pytest.approx(1)
    assert model.smooth(observations)[-1] == pytest.approx(model.filter(observations)[-1])


# Small numbers


def test_a_belief_below_the_smallest_float_is_not_impossible():
    """Forty signs of one state in 1e9, then a sign that only the other can give."""
    model = HiddenMarkovModel([0.5, 0.5], np.eye(2), [[1 - 1e-9, 1e-9, 0], [1e-9, 0.5, 0.5 - 1e-9]])
    signs = [0] * 40 + [2]
    by_hand = np.log(0.5) + 40 * np.log(1e-9) + np.log(0.5 - 1e-9)
    assert model.log_likelihood(signs) == pytest.approx(by_hand, abs=1e-9)
    assert model.viterbi(signs)[1] == pytest.approx(by_hand, abs=1e-9)
    assert peer(model).score(np.array(signs)[:, None]) == pytest.approx(by_hand, abs=1e-9)
    assert model.filter(signs)[-1].tolist() == [0, 1] and model.smooth(signs)[0] == pytest.approx([0, 1], abs=1e-12)
    assert model.fit([signs]).emission_[1] == pytest.approx([40 / 41, 0, 1 / 41])


def test_a_state_that_cannot_be_is_not_asked_what_comes_later():
    """What was seen is so much likelier after the other state that the ratio is beyond every float."""
    model = HiddenMarkovModel([1, 0], np.eye(2), [[1e-9, 1 - 1e-9], [1, 0]])
    for size in (hmm.LESSON_SIZE, 0):
        with fast_above(size):
            assert model.smooth([0] * 60).tolist() == [[1, 0]] * 60
            assert model.expected_counts([[0] * 60])[1].tolist() == [[59, 0], [0, 0]]


# The fast twins


@contextmanager
def fast_above(size):
    """Sequences longer than `size` take the twins."""
    before, hmm.LESSON_SIZE = hmm.LESSON_SIZE, size
    try:
        yield
    finally:
        hmm.LESSON_SIZE = before


def answers(model, observations):
    path, score = model.viterbi(observations)
    counts = model.expected_counts([observations])
    return path, [
        model.filter(observations),
        model.smooth(observations),
        model.log_likelihood(observations),
        score,
        *counts,
    ]


@settings(max_examples=150, deadline=None)
@given(models(states=st.integers(1, 5), steps=st.sampled_from([1, 2, 5, 40, 300])))
def test_the_twins_equal_the_recursions_ties_included(case):
    model, observations = case
    path, numbers = answers(model, observations)
    with fast_above(0):
        fast_path, fast_numbers = answers(model, observations)
    assert fast_path == path
    for mine, yours in zip(fast_numbers, numbers):
        assert mine == pytest.approx(yours, abs=1e-9)


@pytest.mark.parametrize("states", [2, 3, 8])
def test_the_twins_do_not_give_up_on_a_long_sequence(states, monkeypatch):
    random = np.random.default_rng(states)
    model = HiddenMarkovModel(
        random.dirichlet([1] * states), random.dirichlet([1] * states, states), random.dirichlet([1] * 6, states)
    )
    _, symbols = model.sample(hmm.LESSON_SIZE + 1, random)
    path, numbers = answers(model, symbols[:-1])
    for name in ("forward", "backward", "best_routes", "follow_back"):
        monkeypatch.setattr(hmm, name, None)
    answers(model, symbols)
    with fast_above(0):
        fast_path, fast_numbers = answers(model, symbols[:-1])
    assert fast_path == path
    for mine, yours in zip(fast_numbers, numbers):
        assert mine == pytest.approx(yours, abs=1e-7)


def test_where_every_path_ties_the_twin_takes_the_same():
    even = HiddenMarkovModel([0.25] * 4, [[0.25] * 4] * 4, [[0.5, 0.5]] * 4)
    swapped = HiddenMarkovModel([0.5, 0.5], [[0.9, 0.1], [0.1, 0.9]], [[0.5, 0.5]] * 2)
    for model in (even, swapped):
        _, symbols = model.sample(500, random_state=0)
        path, _ = model.viterbi(symbols)
        with fast_above(0):
            assert model.viterbi(symbols)[0] == path == [0] * 500


def test_a_chain_that_never_forgets_is_left_to_the_recursions():
    still = HiddenMarkovModel([0.5, 0.5], np.eye(2), [[0.5, 0.5], [0.51, 0.49]])
    _, symbols = still.sample(3000, random_state=0)
    path, numbers = answers(still, symbols)
    with fast_above(0):
        fast_path, fast_numbers = answers(still, symbols)
    assert fast_path == path and fast_numbers[3] == pytest.approx(numbers[3])


# What runs is what is taught


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_lessons_and_figures_run_the_recursions_of_the_section(every, monkeypatch):
    """The cells of notebook 13 that compute, and the figures at their presets: no twin is called. What learns is slow.

    The letters of a tale come last and are the one long sequence.
    """

    def refused(*_):
        raise AssertionError("a lesson ran a fast twin")

    for twin in ("forward", "smooth", "best_path"):
        monkeypatch.setattr(hmm._fast_hmm, twin, refused)
    calls = dict.fromkeys(("forward", "backward", "best_routes", "follow_back"), 0)
    for name in calls:
        monkeypatch.setattr(hmm, name, counted(getattr(hmm, name), calls))
    cells = nbformat.read(next(ROOT.glob("notebooks/13-*.ipynb")), 4).cells
    cells = cells[: [cell.id for cell in cells].index("letters-head")]
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    code = [source for source in code if not re.search(r"live\.(?!drawing)|check\(", source)]
    code = [source for source in code if every or ".fit(" not in source or "max_iter=1)" in source]
    exec("\n".join([*IMPORTS, *code]), {})
    lesson = dict(calls)
    for figure in (live.umbrella_filter(), live.umbrella_smooth(), live.trellis(), live.streak(), live.baum_welch()):
        for preset in figure.presets:
            if every or preset != "more rolls":
                figure.preset(preset)
    assert min(lesson.values()) > 0 and all(calls[name] > lesson[name] for name in calls)


IMPORTS = (
    "import numpy as np, pandas as pd, bayeslib as bl",
    "from bayeslib import live",
    "from bayeslib.models.hmm import casino, guess",
)


def counted(function, calls):
    def run(*args):
        calls[function.__name__] += 1
        return function(*args)

    return run


# Baum–Welch: the E step and the M step


@settings(max_examples=100, deadline=None)
@given(models())
def test_expected_counts_are_the_counts_of_every_path_weighted(case):
    model, observations = case
    paths, chances = multiplied_out(model, observations)
    start, moves, signs, log_likelihood = model.expected_counts([observations, observations])
    wanted = np.zeros_like(start), np.zeros_like(moves), np.zeros_like(signs)
    for path, weight in zip(paths.tolist(), chances / chances.sum()):
        wanted[0][path[0]] += 2 * weight
        for r, s in zip(path, path[1:]):
            wanted[1][r, s] += 2 * weight
        for state, symbol in zip(path, observations):
            if symbol is not None:
                wanted[2][state, symbol] += 2 * weight
    for mine, yours in zip((start, moves, signs), wanted):
        assert mine == pytest.approx(yours, abs=1e-12)
    assert log_likelihood == pytest.approx(2 * np.log(chances.sum()))


def expected_log_joint(counts, tables):
    """Q: the expected counts times the log-probabilities; what was never counted adds nothing."""
    return sum((c[c > 0] * np.log(table[c > 0])).sum() for c, table in zip(counts, tables))


@settings(max_examples=100, deadline=None)
@given(models(zeros=False))
def test_the_e_step_makes_the_bound_touch_and_the_m_step_lifts_it(case):
    model, observations = case
    _, chances = multiplied_out(model, observations)
    weights = chances / chances.sum()
    entropy = -(weights * np.log(weights)).sum()
    *counts, log_likelihood = model.expected_counts([observations])
    before = expected_log_joint(counts, (model.start, model.transition, model.emission))
    assert before + entropy == pytest.approx(log_likelihood), "E: the bound is the likelihood"
    model.fit([observations], max_iter=1)
    after = expected_log_joint(counts, (model.start_, model.transition_, model.emission_))
    assert after >= before - 1e-9, "M: the bound rises"
    assert after + entropy <= model.log_likelihood(observations) + 1e-9, "and never exceeds the likelihood"


@settings(max_examples=60, deadline=None)
@given(models(), st.integers(0, 1000))
def test_the_likelihood_never_falls_and_rows_stay_distributions(case, seed):
    model, observations = case
    sequences = [observations, model.sample(4, seed)[1]]
    model.fit(sequences, max_iter=15, tol=0)
    climbed = [step.log_likelihood for step in model.history_]
    assert (np.diff(climbed) >= -1e-9).all()
    for step in model.history_:
        for table in step[:3]:
            assert table.sum(axis=-1) == pytest.approx(1) and (table >= 0).all()
    assert climbed[-1] == pytest.approx(sum(map(model.log_likelihood, sequences)))


def test_fit_starts_from_the_given_tables_every_time_and_leaves_them_alone():
    model = umbrella()
    first = model.fit(["UU-UU", "-U"]).history_
    assert first[0].start.tolist() == model.start.tolist() == [0.5, 0.5] and model.start_.tolist() != [0.5, 0.5]
    again = model.fit(["UU-UU", "-U"]).history_
    assert [step.log_likelihood for step in first] == [step.log_likelihood for step in again]
    assert len(model.fit(["UU-UU"], max_iter=3, tol=0).history_) == 4


def test_a_state_that_is_never_visited_keeps_its_rows():
    model = HiddenMarkovModel([1, 0], [[1, 0], [0.5, 0.5]], [[0.5, 0.5], [0.2, 0.8]]).fit([[0, 1, 1]])
    assert model.transition_[1].tolist() == [0.5, 0.5] and model.emission_[1].tolist() == [0.2, 0.8]
    assert model.emission_[0] == pytest.approx([1 / 3, 2 / 3])


# hmmlearn


def peer(model, **options):
    other = CategoricalHMM(len(model.states_), n_features=len(model.symbols_), init_params="", **options)
    other.startprob_, other.transmat_, other.emissionprob_ = model.start_, model.transition_, model.emission_
    return other


def columns(model, *sequences):
    rows = [[model.symbols_.index(symbol)] for sequence in sequences for symbol in sequence]
    return np.array(rows), [len(sequence) for sequence in sequences]


@pytest.mark.parametrize("states", [2, 3, 5])
def test_hmmlearn_gives_the_same_answers(states):
    random = np.random.default_rng(states)
    model = HiddenMarkovModel(
        random.dirichlet([1] * states), random.dirichlet([1] * states, states), random.dirichlet([1] * 4, states)
    )
    _, symbols = model.sample(300, random)
    X, _ = columns(model, symbols)
    other = peer(model)
    assert model.log_likelihood(symbols) == pytest.approx(other.score(X), abs=1e-6)
    assert model.smooth(symbols) == pytest.approx(other.predict_proba(X), abs=1e-6)
    score, path = other.decode(X)
    assert model.viterbi(symbols)[1] == pytest.approx(score, abs=1e-6)
    assert model.log_joint(path, symbols) == pytest.approx(score, abs=1e-6), "of equal paths either may be named"


def test_hmmlearn_learns_the_same_from_the_same_start():
    truth = casino()
    sequences = [truth.sample(length, seed)[1] for seed, length in enumerate((120, 1, 60))]
    model = guess(truth, random_state=1)
    X, lengths = columns(model, *sequences)
    other = peer(model, n_iter=25, tol=-np.inf).fit(X, lengths)
    model.fit(sequences, max_iter=25, tol=0)
    assert len(model.history_) == 26
    assert model.start_ == pytest.approx(other.startprob_, abs=1e-6)
    assert model.transition_ == pytest.approx(other.transmat_, abs=1e-6)
    assert model.emission_ == pytest.approx(other.emissionprob_, abs=1e-6)
    climbed = [step.log_likelihood for step in model.history_[:-1]]
    assert climbed == pytest.approx(list(other.monitor_.history), abs=1e-6)


# Section 08's network


@pytest.mark.parametrize("days", ["UU-UU", "-U-", "U"])
def test_the_unrolled_network_gives_the_same_beliefs(days):
    model = umbrella()
    network = model.as_network(len(days))
    evidence = {f"O{t}": sign for t, sign in enumerate(days, start=1)}
    for t, belief in enumerate(model.smooth(days), start=1):
        assert network.query(f"S{t}", evidence) == pytest.approx(dict(zip(model.states, belief)))
    ahead = model.as_network(len(days) + 1).query(f"S{len(days) + 1}", evidence)
    assert ahead == pytest.approx(dict(zip(model.states, model.predict(days)[0])))


def test_the_present_separates_the_future_from_the_past():
    network = umbrella().as_network(3)
    assert network.d_separated(["S1"], ["S3"], ["S2"]) and not network.d_separated(["O1"], ["O3"], ["O2"])
    assert network.parameter_count == 1 + 2 * 2 + 3 * 2


# Samples and long sequences


def test_samples_follow_the_tables_and_the_seed():
    model = casino()
    states, rolls = model.sample(20_000, random_state=1)
    assert model.sample(20_000, random_state=1) == (states, rolls)
    loaded = [roll for state, roll in zip(states, rolls) if state == "loaded"]
    assert len(loaded) / 20_000 == pytest.approx(1 / 3, abs=0.03) and loaded.count(6) / len(loaded) == pytest.approx(
        0.5, abs=0.02
    )
    stays = np.mean([b == "fair" for a, b in zip(states, states[1:]) if a == "fair"])
    assert stays == pytest.approx(0.95, abs=0.01)


def test_ten_thousand_rolls_do_not_underflow():
    model = casino()
    _, rolls = model.sample(10_000, random_state=0)
    assert -25_000 < model.log_likelihood(rolls) < -10_000
    assert np.isfinite(model.smooth(rolls)).all() and np.isfinite(model.viterbi(rolls)[1])


def test_symbols_may_come_as_a_string_a_list_or_an_array():
    assert (umbrella().filter("UU-") == umbrella().filter(["U", "U", "-"])).all()
    assert (casino().filter(np.array([6, 1.0])) == casino().filter([6, 1])).all()


# Manners


def test_parameters_can_be_read_changed_copied_and_pickled():
    model = umbrella()
    assert repr(model) == "HiddenMarkovModel(states=('rain', 'dry'), symbols=('U', '-'))"
    twin = HiddenMarkovModel(**model.get_params())
    assert (twin.filter("UU-") == model.filter("UU-")).all() and twin.start is model.start
    assert twin.start_ is not model.start_ is not model.start, "answers come from copies"
    learned = model.fit(["UU-UU"])
    for other in (copy.deepcopy(learned), pickle.loads(pickle.dumps(learned))):
        assert other.log_likelihood("U-") == learned.log_likelihood("U-") != umbrella().log_likelihood("U-")
    learned.set_params(start=[1, 0])
    assert learned.filter("-").tolist() == [[1, 0]] and (learned.transition_ == learned.transition).all()
    assert not hasattr(learned, "history_"), "new parameters forget what was learned"
    with pytest.raises(ValueError, match="start must sum to 1, got 0.9"):
        learned.set_params(start=[0.5, 0.4])
    with pytest.raises(ValueError, match="colour must be a parameter of HiddenMarkovModel"):
        learned.set_params(colour=1)
    assert learned.start == [1, 0]


def test_tables_are_copies():
    start, moves, signs = np.array([0.5, 0.5]), np.full((2, 2), 0.5), np.full((2, 2), 0.5)
    model = HiddenMarkovModel(start, moves, signs)
    before = model.filter([0, 1])
    for table in (start, moves, signs):
        table[:] = 7
    assert (model.filter([0, 1]) == before).all()
    with pytest.raises(ValueError, match=r"start\[0\] must be a probability between 0 and 1, got 7"):
        model.fit([[0, 1]])  # which starts from the tables as they now are
    assert (model.filter([0, 1]) == before).all()


def test_a_fit_that_fails_changes_nothing():
    model = umbrella().fit(["UU-UU", "-U"])
    before, history = model.filter("U-U").tolist(), model.history_
    for bad in (["UX"], [], 3):
        with pytest.raises(ValueError):
            model.fit(bad)
    with pytest.raises(ValueError, match="tol must be"):
        model.fit(["UU"], tol=-1)
    assert model.filter("U-U").tolist() == before and model.history_ is history


def test_likelihoods_are_a_row_per_step():
    assert umbrella().likelihoods(["U", None, "-"]) == pytest.approx(np.array([[0.9, 0.2], [1, 1], [0.1, 0.8]]))


# What is refused

GOOD = {"start": [0.5, 0.5], "transition": [[0.7, 0.3], [0.3, 0.7]], "emission": [[0.9, 0.1], [0.2, 0.8]]}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"start": [0.5, 0.6]}, r"start must sum to 1, got 1.1 over \{0, 1\}"),
        ({"start": [1.5, -0.5]}, r"start\[0\] must be a probability between 0 and 1, got 1.5"),
        ({"start": [float("nan"), 1]}, r"start\[0\] must be a probability .* got nan"),
        ({"start": "half"}, "start must be an array of probabilities, got 'half'"),
        ({"transition": [[0.7, 0.2], [0.3, 0.7]]}, r"transition\[0\] must sum to 1, got 0.9 over \{0, 1\}"),
        (
            {"transition": [0.7, 0.3]},
            r"transition must have shape \(2, 2\), axes \(state: 2, next state: 2\), got shape \(2,\)",
        ),
        ({"emission": [[0.9, 0.1], [0.2, 0.7]]}, r"emission\[1\] must sum to 1, got 0.9"),
        (
            {"emission": [[0.9, 0.1]]},
            r"emission must have shape \(2, 2\), axes \(state: 2, symbol: 2\), got shape \(1, 2\)",
        ),
        ({"emission": [0.9, 0.1]}, r"emission must have a row per state and a column per symbol, got shape \(2,\)"),
        ({"emission": [["a", 1], [0, 1]]}, "emission must be an array of probabilities"),
        ({"states": ["rain"]}, r"states must be 2 names, as many as start has probabilities, got \['rain'\]"),
        ({"states": ["rain", "rain"]}, "states must be different names, and None is not one, got "),
        ({"symbols": ["U", None]}, "symbols must be different names, and None is not one, got "),
        ({"states": []}, r"states must be 2 names, as many as start has probabilities, got \[\]"),
        ({"start": []}, "start must have one probability per state, at least one"),
        ({"start": [[1, 2], [3]]}, "start must be an array of probabilities"),
        ({"states": {"rain", "dry"}}, "states must be a sequence of names, got "),
        ({"symbols": iter("U-")}, "symbols must be a sequence of names, got "),
        ({"states": 5}, "states must be a sequence of names, got 5"),
        ({"symbols": [["U"], ["-"]]}, "symbols must be a sequence of names"),
        ({"symbols": ["U", float("nan")]}, "symbols must be different names, and None is not one, got "),
        ({"symbols": ["U", pd.NA]}, "symbols must be different names, and None is not one, got "),
        ({"start": [0.5 + 1j, 0.5]}, "start must be an array of probabilities"),
        ({"start": [10**400, 0]}, "start must be an array of probabilities"),
    ],
)
def test_bad_tables_are_named(change, words):
    HiddenMarkovModel(**GOOD)
    with pytest.raises(ValueError, match=words):
        HiddenMarkovModel(**{**GOOD, **change})


@pytest.mark.parametrize("ask", ["filter", "predict", "smooth", "viterbi", "log_likelihood"])
@pytest.mark.parametrize(
    "observations, words",
    [
        ("UX", r"observations\[1\] must be one of the symbols \{'U', '-'\}, or None for unseen, got 'X'"),
        ([["U"]], r"observations\[0\] must be one of .* got \['U'\]"),
        ([float("nan")], r"observations\[0\] must be one of .* got nan"),
        ("", "observations must hold at least one symbol, got none"),
        (3, "observations must be a sequence of symbols, got 3"),
    ],
)
def test_bad_observations_are_named(ask, observations, words):
    with pytest.raises(ValueError, match=words):
        getattr(umbrella(), ask)(observations)


@pytest.mark.parametrize("states", [2, 3])
@pytest.mark.parametrize("ask", ["filter", "smooth", "viterbi", "log_likelihood"])
def test_impossible_observations_are_named(ask, states):
    emission = np.tile([1.0, 0.0], (states, 1))
    model = HiddenMarkovModel(np.ones(states) / states, np.eye(states), emission)
    for size in (hmm.LESSON_SIZE, 0):
        with fast_above(size), warnings.catch_warnings(action="error"):
            for t, signs in ((2, [0, 0, 1, 0]), (0, [1, 0, 0]), (70, [0] * 70 + [1] + [0] * 9)):
                with pytest.raises(ValueError, match=rf"observations\[{t}\] must be possible .* probability 0"):
                    getattr(model, ask)(signs)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda m: m.fit("UU"), "sequences must be a list of sequences of symbols, got 'UU'"),
        (lambda m: m.fit(3), "sequences must be a list of sequences of symbols, got 3"),
        (lambda m: m.fit(["U", "-"]), r"put a single one in \[ \], got the symbol 'U'"),
        (lambda m: m.fit([None, "UU"]), r"put a single one in \[ \], got the symbol None"),
        (lambda m: m.fit([]), "sequences must hold at least one sequence, got none"),
        (lambda m: m.fit(["UU", "UX"]), r"sequences\[1\]\[1\] must be one of .* got 'X'"),
        (lambda m: m.fit(["UU"], max_iter=0), "max_iter must be a whole number of at least 1, got 0"),
        (lambda m: m.fit(["UU"], tol=-1), "tol must be a number at least 0, got -1"),
        (lambda m: m.predict("U", 1.5), "steps must be a whole number of at least 1, got 1.5"),
        (lambda m: m.sample(0), "T must be a whole number of at least 1, got 0"),
        (lambda m: m.as_network(True), "T must be a whole number of at least 1, got True"),
        (lambda m: m.log_joint(["rain"], "UU"), "path must have a state for each of the 2 observations, got 1"),
        (lambda m: m.log_joint(["rain", "fog"], "UU"), r"path\[1\] must be one of \{'rain', 'dry'\}, got 'fog'"),
        (lambda m: m.log_joint(5, "UU"), "path must be a sequence of states, got 5"),
        (lambda m: m.fit(["UU"], tol=[1, 2]), "tol must be one number"),
        (lambda m: m.sample(10**400), "T must be a whole number of at most"),
        (lambda m: m.sample(3, random_state="a"), "random_state must be None, a whole number"),
        (lambda m: guess(m, random_state=-1), "random_state must be None, a whole number"),
        (lambda m: guess(None), "model must be a HiddenMarkovModel, got None"),
        (lambda m: guess(m, stay=2), "stay must be a probability"),
        (lambda m: umbrella(stay=2), "stay must be a probability between 0 and 1, got 2"),
        (lambda m: umbrella(in_rain=-1), "in_rain must be a probability"),
        (lambda m: umbrella(in_dry="x"), "in_dry must be a probability"),
        (lambda m: casino(keep_fair=1.2), "keep_fair must be a probability"),
        (lambda m: casino(keep_fair=1, keep_loaded=1), "keep_fair and keep_loaded must not both be 1"),
    ],
)
def test_other_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call(umbrella())


def test_a_failed_fit_says_which_observation_of_which_sequence_is_impossible():
    model = HiddenMarkovModel([0.5, 0.5], np.eye(2), [[1, 0], [1, 0]])
    with pytest.raises(ValueError, match=r"sequences\[2\]\[1\] must be possible"):
        model.fit([[0, 0], [0], [0, 1]])


def test_letters_are_a_to_z_with_one_gap_between_words():
    assert "".join(hmm.letters("  «Hänsel», said 2 of them: o-ho!\n")) == "h_nsel_said_of_them_o_ho"
    assert hmm.letters("") == hmm.letters("123") == []
    with pytest.raises(ValueError, match="text must be a string, got 3"):
        hmm.letters(3)
