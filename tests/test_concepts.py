"""Claims about section 02's model: the numbers of the syllabus, and brute force as oracle."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers, more_general

SPORT, DAYS = ConjunctiveSpace(ENJOY_SPORT), bl.data.load_enjoy_sport()
ROWS = bl.data.load_play_tennis()
TENNIS = ConjunctiveSpace.from_table(ROWS, "PlayTennis")
S = ("Sunny", "Warm", "?", "Strong", "?", "?")
G = [("Sunny", "?", "?", "?", "?", "?"), ("?", "Warm", "?", "?", "?", "?")]
DAY = ("Sunny", "Warm", "Normal", "Strong", "Warm", "Same")


# The numbers of the syllabus and of the lesson


def test_enjoy_sport_has_973_conjunctions_that_differ_and_5120_that_can_be_written():
    assert (SPORT.size, SPORT.syntactic_size, TENNIS.size) == (973, 5120, 145)
    days = list(product(*ENJOY_SPORT.values()))
    assert len({tuple(covers(h, day) for day in days) for h in SPORT.hypotheses()}) == 973
    assert all(SPORT.index(h) == n and SPORT.hypothesis(n) == h for n, h in enumerate(SPORT.hypotheses()))


def test_the_version_space_shrinks_to_six_in_any_order_and_play_tennis_is_empty_at_row_four():
    assert [len(SPORT.version_space(DAYS[:k])) for k in range(5)] == [973, 64, 32, 28, 6]
    assert len({tuple(SPORT.version_space(DAYS.iloc[list(order)])) for order in permutations(range(4))}) == 1
    assert [len(TENNIS.version_space(ROWS[:k])) for k in range(5)] == [145, 129, 121, 8, 0]
    assert TENNIS.candidate_elimination(ROWS)[:2] == ([], [])
    with pytest.raises(ValueError, match="none agrees with all 14 of them"):
        TENNIS.posterior(ROWS)
    with pytest.raises(ValueError, match="examples must"):
        TENNIS.map(ROWS)


def test_boundaries_of_enjoy_sport():
    specific, general, history = SPORT.candidate_elimination(DAYS)
    assert (specific, general) == ([S], G) and [len(step.general) for step in history] == [1, 1, 1, 3, 2]
    assert history[0] == (None, None, [("∅",) * 6], [("?",) * 6]) and history[3].label is False
    assert SPORT.find_s(DAYS) == SPORT.map(DAYS) == S


@pytest.mark.parametrize(
    "prior, beliefs, best",
    [("specific", (0.333, 0.167, 0.083, 0.083), [S]), ("general", (0.067, 0.133, 0.267, 0.267), G)],
)
def test_a_taste_makes_one_end_of_the_version_space_the_most_probable(prior, beliefs, best):
    after = SPORT.posterior(DAYS, prior=prior)
    assert [after[h] for h in (S, ("Sunny", "Warm", "?", "?", "?", "?"), *G)] == pytest.approx(beliefs, abs=5e-4)
    assert after.best() == best


def test_with_noise_the_crowd_wins_and_play_tennis_has_an_answer():
    left = SPORT.version_space(DAYS)
    held = [sum(SPORT.posterior(DAYS, noise=e)[h] for h in left) for e in (0, 0.01, 0.1, 0.3, 0.5)]
    assert held == pytest.approx([1, 0.950, 0.514, 0.059, 6 / 973], abs=5e-4)
    humid = ("?", "?", "normal", "?")
    assert TENNIS.map(ROWS, noise=0.1) == humid and TENNIS.errors(ROWS)[TENNIS.index(humid)] == 4
    assert TENNIS.posterior(ROWS, noise=0.1)[humid] == pytest.approx(0.674, abs=5e-4)


# Brute force and random data


@st.composite
def problems(draw):
    """A small space and examples from it; half of them labelled by a hypothesis of the space."""
    sizes = draw(st.lists(st.integers(2, 3), min_size=1, max_size=3))
    space = ConjunctiveSpace({f"a{n}": [f"v{k}" for k in range(size)] for n, size in enumerate(sizes)})
    days = draw(st.lists(st.tuples(*(st.sampled_from(values) for values in space.domains.values())), max_size=6))
    target = draw(st.none() | st.sampled_from(space.hypotheses()))
    labels = draw(st.lists(st.booleans(), min_size=len(days), max_size=len(days)))
    return space, [(x, covers(target, x) if target else label) for x, label in zip(days, labels)]


def wrong(hypothesis, examples):
    """Labels that a hypothesis contradicts, counted without the library."""
    says = [all(e == "?" or e == v for e, v in zip(hypothesis, x)) for x, _ in examples]
    return sum(said != label for said, (_, label) in zip(says, examples))


@given(problems())
def test_version_space_boundaries_errors_and_votes_equal_brute_force(problem):
    space, examples = problem
    hypotheses, days = space.hypotheses(), list(product(*space.domains.values()))
    assert space.errors(examples).tolist() == [wrong(h, examples) for h in hypotheses]
    left = [h for h in hypotheses if not wrong(h, examples)]
    votes = [sum(not wrong(h, [(day, True)]) for h in left) for day in days]
    assert space.version_space(examples) == left and space.votes(examples).ravel().tolist() == votes
    covered = {h: {day for day in days if covers(h, day)} for h in hypotheses}
    specific, general, _ = space.candidate_elimination(examples)
    assert set(specific) == {h for h in left if not any(covered[o] < covered[h] for o in left)}
    assert set(general) == {h for h in left if not any(covered[o] > covered[h] for o in left)}
    for h in left[:9]:
        assert [more_general(h, o) for o in hypotheses] == [covered[h] >= covered[o] for o in hypotheses]
    if left:
        assert specific == [space.find_s(examples)] == [space.map(examples)]


@given(problems(), st.floats(0.01, 0.99), st.floats(-2, 2))
def test_posteriors_are_bayes_by_hand(problem, noise, taste):
    space, examples = problem
    joint = {h: math.exp(-taste * h.count("?")) for h in space.hypotheses()}
    total = sum(joint.values())
    for h in joint:
        k = wrong(h, examples)
        joint[h] *= noise**k * (1 - noise) ** (len(examples) - k) / total
    after = space.posterior(examples, taste, noise)
    assert after.evidence == pytest.approx(sum(joint.values()))
    assert dict(after) == pytest.approx({h: p / after.evidence for h, p in joint.items()})


def test_thousands_of_noisy_labels_do_not_underflow_and_a_million_hypotheses_are_no_tuples():
    space = ConjunctiveSpace({f"a{n}": range(3) for n in range(10)})
    target = (0, 1, "?", "?", "?", "?", "?", "?", "?", 2)
    random = np.random.default_rng(0)
    days = [tuple(day) for day in random.integers(0, 3, (3000, 10)).tolist()]
    examples = [(day, covers(target, day) != (random.random() < 0.1)) for day in days]
    after = space.posterior(examples, noise=0.1)
    assert len(after) == 4**10 + 1 and after.array.sum() == pytest.approx(1) and after.best() == [target]


# Examples in every form


def test_examples_come_as_pairs_mappings_or_a_table():
    pairs = SPORT.check(DAYS)
    mappings = [(dict(zip(SPORT.attributes, x)), "yes" if label else "No") for x, label in pairs]
    arrays = [(np.array(x), int(label)) for x, label in pairs]
    for form in (mappings, arrays, DAYS[DAYS.columns[::-1]], iter(pairs)):
        assert SPORT.check(form) == pairs
    assert SPORT.find_s([]) == SPORT.never and SPORT.posterior([]).array == pytest.approx(1 / 973)


@pytest.mark.parametrize(
    "examples",
    [[(("Foggy", *DAY[1:]), True)], [(DAY[:5], True)], [(DAY, "perhaps")], [DAY], None, ROWS, DAYS.drop(columns="Sky")],
)
def test_bad_examples_are_named(examples):
    with pytest.raises(ValueError, match="examples"):
        SPORT.posterior(examples)


@pytest.mark.parametrize("instance", ["SunnyW", DAY[:5], dict(zip("abcdef", DAY))])
def test_an_instance_must_be_a_tuple_with_an_entry_for_each_attribute(instance):
    with pytest.raises(ValueError, match="hypothesis and instance must be tuples"):
        covers(S, instance)


@pytest.mark.parametrize("values", [[], ["Sunny"], ["Sunny", "Sunny"], ["Sunny", "?"], "Sunny", 3])
def test_an_attribute_must_have_values_to_choose_from(values):
    with pytest.raises(ValueError, match=r"domains\['Sky'\] must"):
        ConjunctiveSpace({"Sky": values})


def test_a_space_too_large_for_an_array_still_has_boundaries():
    space = ConjunctiveSpace({f"a{n}": [0, 1] for n in range(30)})
    example = [((0,) * 30, True)]
    assert space.candidate_elimination(example).specific == [space.find_s(example)] == [(0,) * 30]
    with pytest.raises(ValueError, match="domains must make at most 100,000,000 hypotheses"):
        space.posterior(example)
    stranger = ("Foggy", *S[1:])
    assert stranger not in SPORT.posterior([]) and S in SPORT.posterior([])
