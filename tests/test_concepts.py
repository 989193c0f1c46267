"""Claims about section 02's model: the numbers of the syllabus, brute force as oracle, and the words of its errors."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayeslib as bl
from bayeslib.models.concepts import ENJOY_SPORT, ConjunctiveSpace, covers, more_general

SPORT, DAYS = ConjunctiveSpace(ENJOY_SPORT), bl.data.load_enjoy_sport()
ROWS = bl.data.load_play_tennis()
TENNIS = ConjunctiveSpace.from_table(ROWS, "PlayTennis")
S = ("Sunny", "Warm", "?", "Strong", "?", "?")
G = [("Sunny", "?", "?", "?", "?", "?"), ("?", "Warm", "?", "?", "?", "?")]


# The numbers of the syllabus and of the lesson


def test_enjoy_sport_has_973_conjunctions_of_which_5120_can_be_written():
    assert (SPORT.size, SPORT.syntactic_size, TENNIS.size) == (973, 5120, 145)
    assert len(set(SPORT.hypotheses())) == 973 and len(TENNIS.hypotheses()) == 145
    assert SPORT.posterior(DAYS[:0]).array == pytest.approx(0.001, abs=5e-5)


def test_every_hypothesis_means_something_else():
    days = list(product(*ENJOY_SPORT.values()))
    assert len({tuple(covers(h, day) for day in days) for h in SPORT.hypotheses()}) == 973


def test_the_version_space_of_enjoy_sport_shrinks_to_six():
    assert [len(SPORT.version_space(DAYS[:k])) for k in range(5)] == [973, 64, 32, 28, 6]


def test_play_tennis_is_empty_at_row_four_and_says_so():
    assert [len(TENNIS.version_space(ROWS[:k])) for k in range(6)] == [145, 129, 121, 8, 0, 0]
    assert TENNIS.version_space(ROWS) == []
    for ask in (TENNIS.posterior, TENNIS.map):
        with pytest.raises(
            ValueError, match="none agrees with all 14 of them, so P.D. = 0, evidence of probability zero"
        ):
            ask(ROWS)
    with pytest.raises(ValueError, match="no conjunction fits all 4"):
        TENNIS.best_query(ROWS[:4])
    assert TENNIS.candidate_elimination(ROWS)[:2] == ([], [])


def test_survivors_share_the_belief_and_the_evidence_is_their_share_of_all():
    for k in range(5):
        left, after = SPORT.version_space(DAYS[:k]), SPORT.posterior(DAYS[:k])
        assert after.evidence == pytest.approx(len(left) / 973)
        assert [after[h] for h in left] == pytest.approx([1 / len(left)] * len(left))
        assert np.count_nonzero(after.array) == len(left)
    assert SPORT.posterior(DAYS)[SPORT.map(DAYS)] == pytest.approx(0.1667, abs=5e-5)


def test_any_order_of_the_days_ends_at_the_same_six_but_takes_another_way():
    ends = {tuple(SPORT.version_space(DAYS.iloc[list(order)])) for order in permutations(range(4))}
    assert len(ends) == 1
    assert [len(SPORT.version_space(DAYS.iloc[[0, 3, 2, 1][:k]])) for k in (1, 2, 3, 4)] == [64, 8, 6, 6]
    assert len(SPORT.version_space(DAYS[2:3])) == 909


def test_boundaries_of_enjoy_sport():
    specific, general, history = SPORT.candidate_elimination(DAYS)
    assert (specific, general) == ([S], G) and len(history) == 5
    assert history[0] == (None, None, [("∅",) * 6], [("?",) * 6])
    assert [len(step.general) for step in history] == [1, 1, 1, 3, 2]
    assert (history[3].label, history[3].instance[0]) == (False, "Rainy")
    assert SPORT.find_s(DAYS) == SPORT.map(DAYS) == S


def test_taste_for_the_specific_makes_find_s_the_only_map():
    for taste in (0.01, 1.0, "specific"):
        assert SPORT.posterior(DAYS, prior=taste).best() == [S]
    half = SPORT.posterior(DAYS, prior="specific")
    assert [round(half[h], 3) for h in (S, ("Sunny", "Warm", "?", "?", "?", "?"), *G)] == [0.333, 0.167, 0.083, 0.083]
    double = SPORT.posterior(DAYS, prior="general")
    assert [round(double[h], 3) for h in (S, ("Sunny", "Warm", "?", "?", "?", "?"), *G)] == [0.067, 0.133, 0.267, 0.267]
    assert double.best() == G


def test_noise_lets_the_crowd_win():
    left = SPORT.version_space(DAYS)
    held = {e: sum(SPORT.posterior(DAYS, noise=e)[h] for h in left) for e in (0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5)}
    assert [round(share, 3) for share in held.values()] == [1, 0.950, 0.752, 0.514, 0.186, 0.059, 0.006]
    assert held[0.5] == pytest.approx(6 / 973)
    assert np.bincount(SPORT.errors(DAYS)).tolist() == [6, 30, 102, 783, 52]


def test_with_noise_play_tennis_has_an_answer():
    after = TENNIS.posterior(ROWS, noise=0.1)
    assert TENNIS.map(ROWS, noise=0.1) == ("?", "?", "normal", "?")
    assert after["?", "?", "normal", "?"] == pytest.approx(0.674, abs=5e-4)
    assert TENNIS.errors(ROWS)[TENNIS.index(("?", "?", "normal", "?"))] == 4


def test_votes_on_the_96_days():
    votes = SPORT.votes(DAYS)
    assert votes.shape == (3, 2, 2, 2, 2, 2)
    assert dict(zip(*np.unique(votes, return_counts=True))) == {0: 32, 1: 24, 2: 24, 3: 8, 6: 8}
    query = SPORT.best_query(DAYS)
    assert (query[0], query[1], query[3]) == ("Sunny", "Warm", "Weak")
    for label in (True, False):
        assert len(SPORT.version_space([*SPORT.check(DAYS), (query, label)])) == 3


def test_with_one_hypothesis_left_there_is_nothing_to_ask():
    space = ConjunctiveSpace({"a": [0, 1]})
    assert space.version_space([((0,), 1), ((1,), 0)]) == [(0,)]
    assert space.best_query([((0,), 1), ((1,), 0)]) is None
    assert space.candidate_elimination([((0,), 0), ((1,), 0)])[:2] == ([("∅",)], [("∅",)])


# Brute force and random data


@st.composite
def problems(draw):
    """A small space and examples from it; half of them labelled by a hypothesis of the space."""
    sizes = draw(st.lists(st.integers(2, 3), min_size=1, max_size=4))
    space = ConjunctiveSpace({f"a{n}": [f"v{k}" for k in range(size)] for n, size in enumerate(sizes)})
    day = st.tuples(*(st.sampled_from(values) for values in space.domains.values()))
    days = draw(st.lists(day, max_size=6))
    target = draw(st.none() | st.sampled_from(space.hypotheses()))
    labels = draw(st.lists(st.booleans(), min_size=len(days), max_size=len(days)))
    return space, [(x, covers(target, x) if target else label) for x, label in zip(days, labels)]


def wrong(hypothesis, examples):
    """Labels that a hypothesis contradicts, counted without the library."""
    says = [all(e == "?" or e == v for e, v in zip(hypothesis, x)) for x, _ in examples]
    return sum(said != label for said, (_, label) in zip(says, examples))


@settings(deadline=None)  # brute force takes its time on a busy machine
@given(problems())
def test_version_space_errors_and_votes_equal_brute_force(problem):
    space, examples = problem
    hypotheses = space.hypotheses()
    assert space.errors(examples).tolist() == [wrong(h, examples) for h in hypotheses]
    left = [h for h in hypotheses if not wrong(h, examples)]
    assert space.version_space(examples) == left
    days = list(product(*space.domains.values()))
    votes = [sum(not wrong(h, [(day, True)]) for h in left) for day in days]
    assert space.votes(examples).ravel().tolist() == votes
    if len(left) > 1:
        uneven = [abs(2 * number - len(left)) for number in votes]
        assert space.best_query(examples) == days[uneven.index(min(uneven))]
        assert 0 < votes[days.index(space.best_query(examples))] < len(left)


@settings(deadline=None)
@given(problems(), st.floats(0, 0.5), st.floats(-2, 2))
def test_posteriors_are_bayes_by_hand_and_sum_to_one(problem, noise, taste):
    space, examples = problem
    prior = {h: math.exp(-taste * h.count("?")) for h in space.hypotheses()}
    total = sum(prior.values())
    joint = {}
    for h, weight in prior.items():
        k = wrong(h, examples)
        joint[h] = weight / total * noise**k * (1 - noise) ** (len(examples) - k)
    evidence = sum(joint.values())
    if noise == 0 and not space.version_space(examples):
        with pytest.raises(ValueError, match="evidence of probability zero"):
            space.posterior(examples, taste, noise)
    elif evidence > 1e-250:  # smaller ones are for logarithms, not for this oracle
        after = space.posterior(examples, taste, noise)
        assert sum(after.values()) == pytest.approx(1)
        assert after.evidence == pytest.approx(evidence)
        assert dict(after) == pytest.approx({h: p / evidence for h, p in joint.items()})
        by_hand = space.posterior(examples, lambda h: 7 * prior[h], noise)
        assert dict(by_hand) == pytest.approx(dict(after))


@settings(deadline=None)
@given(problems())
def test_boundaries_delimit_exactly_the_version_space(problem):
    space, examples = problem
    specific, general, history = space.candidate_elimination(examples)
    between = [
        h
        for h in space.hypotheses()
        if any(more_general(g, h) for g in general) and any(more_general(h, s) for s in specific)
    ]
    left = space.version_space(examples)
    assert between == left and len(history) == len(examples) + 1
    assert set(specific) == {h for h in left if not any(more_general(h, o) for o in left if o != h)}
    assert set(general) == {h for h in left if not any(more_general(o, h) for o in left if o != h)}
    if left:
        assert specific == [space.find_s(examples)] == [space.map(examples)]


@settings(deadline=None)
@given(problems())
def test_more_general_means_more_instances(problem):
    space, _ = problem
    days = list(product(*space.domains.values()))
    covered = {h: {day for day in days if covers(h, day)} for h in space.hypotheses()[:60]}
    for h, mine in covered.items():
        for other, theirs in covered.items():
            assert more_general(h, other) == (mine >= theirs)


@settings(deadline=None)
@given(problems(), st.floats(0.01, 0.5))
def test_yesterdays_posterior_is_todays_prior(problem, noise):
    space, examples = problem
    at_once, belief = space.posterior(examples, noise=noise), space.posterior([])
    for example in examples:
        belief = space.posterior([example], prior=belief.get, noise=noise)
    assert belief.array == pytest.approx(at_once.array)


def test_thousands_of_noisy_labels_do_not_underflow():
    random = np.random.default_rng(0)
    days = [tuple(random.choice(values) for values in ENJOY_SPORT.values()) for _ in range(3000)]
    examples = [(day, covers(S, day) != (random.random() < 0.1)) for day in days]
    after = SPORT.posterior(examples, noise=0.1)
    assert after.array.sum() == pytest.approx(1) and after.best() == [S]


# The mapping


def test_beliefs_are_a_mapping_over_one_array():
    after = SPORT.posterior(DAYS)
    assert len(after) == 973 and list(after) == SPORT.hypotheses()
    assert after[S] == after.array[SPORT.index(S)] == pytest.approx(1 / 6)
    assert SPORT.never in after and after[SPORT.never] == 0
    for stranger in [("Foggy", *S[1:]), S[:5], (*S, "?"), "nonsense", None, 3, (["x"], *S[1:])]:
        assert stranger not in after
    assert all(SPORT.index(h) == n and SPORT.hypothesis(n) == h for n, h in enumerate(SPORT.hypotheses()))
    assert repr(after) == "<beliefs over 973 hypotheses, the largest 0.1667>"
    assert repr(TENNIS) == "<145 conjunctions over Outlook, Temperature, Humidity, Wind>"


def test_a_million_hypotheses_answer_without_a_million_tuples():
    space = ConjunctiveSpace({f"a{n}": range(3) for n in range(10)})
    target = (0, 1, "?", "?", "?", "?", "?", "?", "?", 2)
    random = np.random.default_rng(0)
    days = [tuple(day) for day in random.integers(0, 3, (40, 10)).tolist()]
    days += [(0, 1, *day[2:9], 2) for day in days[:10]]
    examples = [(day, covers(target, day)) for day in days]
    after = space.posterior(examples)
    assert len(after) == 4**10 + 1 and after.array.sum() == pytest.approx(1)
    assert after[target] == pytest.approx(1 / len(space.version_space(examples)))


# Examples in every form


def test_examples_come_as_pairs_mappings_or_a_table():
    pairs = SPORT.check(DAYS)
    assert pairs[2] == (("Rainy", "Cold", "High", "Strong", "Warm", "Change"), False)
    mappings = [(dict(zip(SPORT.attributes, x)), int(label)) for x, label in pairs]
    arrays = [(np.array(x), np.bool_(label)) for x, label in pairs]
    series = [(row.drop("EnjoySport"), row["EnjoySport"]) for _, row in DAYS.iterrows()]
    shuffled = DAYS[DAYS.columns[::-1]]
    for form in (mappings, arrays, series, shuffled, iter(pairs)):
        assert SPORT.version_space(form) == SPORT.version_space(DAYS)


def test_no_examples_leave_the_prior_alone():
    assert SPORT.posterior([]).array == pytest.approx(1 / 973)
    assert len(SPORT.version_space(DAYS[:0])) == 973
    assert SPORT.find_s([]) == SPORT.never and SPORT.candidate_elimination([]).general == [("?",) * 6]


DAY = ("Sunny", "Warm", "Normal", "Strong", "Warm", "Same")


@pytest.mark.parametrize(
    "examples, words",
    [
        ([(("Foggy", *DAY[1:]), True)], r"examples\[0\]: Sky must be one of {'Sunny', 'Cloudy', 'Rainy'}, got 'Foggy'"),
        ([(DAY, True), ((*DAY[:5], float("nan")), True)], r"examples\[1\]: Forecast must be one of .* got nan"),
        ([((["Sunny"], *DAY[1:]), True)], r"Sky must be one of"),
        ([(DAY[:5], True)], r"examples\[0\] must have 6 values, .*'Forecast'}, got \('Sunny'"),
        ([("Sunny", True)], "must have 6 values"),
        ([(dict(zip(SPORT.attributes[:5], DAY)), True)], "must have the attributes .* got {'Sky', .*'Water'}"),
        ([({**dict(zip(SPORT.attributes, DAY)), "Mood": "good"}, True)], "must have the attributes .* 'Mood'}"),
        ([(DAY, "perhaps")], "the label must be true or false, 1 or 0, yes or no, got 'perhaps'"),
        ([(DAY, 2)], "the label must be .* got 2"),
        ([(DAY, None)], "the label must be .* got None"),
        ([(DAY, [1])], "the label must be"),
        ([DAY], r"examples\[0\] must be a pair of instance and label"),
        ([7], r"must be a pair of instance and label, got 7"),
        (None, "examples must be pairs of instance and label, or a table, got None"),
        (DAYS.drop(columns="EnjoySport"), "examples must be a table with the columns .* and one label"),
        (DAYS.drop(columns="Sky"), "examples must be a table with the columns"),
        (ROWS, "examples must be a table with the columns"),
    ],
)
def test_bad_examples_are_named(examples, words):
    for ask in (SPORT.posterior, SPORT.version_space, SPORT.find_s, SPORT.candidate_elimination, SPORT.best_query):
        with pytest.raises(ValueError, match=words):
            ask(examples)


@pytest.mark.parametrize("noise", [-0.1, 0.51, 1, float("nan"), "much", None, True])
def test_noise_must_be_a_share_up_to_one_half(noise):
    with pytest.raises(ValueError, match="noise must be a share of wrong labels from 0 to 0.5, got"):
        SPORT.posterior(DAYS, noise=noise)


@pytest.mark.parametrize(
    "prior, words",
    [
        ("flat", "prior must be one of {'uniform', 'specific', 'general'}, a number or a function, got 'flat'"),
        (float("inf"), "prior must be one of"),
        (None, "prior must be one of"),
        (True, "prior must be one of"),
        (lambda h: -1.0, r"prior must give a weight of at least 0, got -1.0 for \('∅'"),
        (lambda h: float("nan"), "prior must give a weight of at least 0, got nan"),
        (lambda h: float("inf"), "prior must give a weight of at least 0, got inf"),
        (lambda h: None, "prior must give a weight of at least 0, got None"),
        (lambda h: "much", "prior must give a weight of at least 0, got 'much'"),
        (lambda h: 0, "prior must give some hypothesis a weight above 0, got 0 for all"),
    ],
)
def test_bad_priors_are_named(prior, words):
    with pytest.raises(ValueError, match=words):
        SPORT.posterior(DAYS, prior=prior)


def test_a_prior_that_rules_out_the_survivors_leaves_no_posterior():
    with pytest.raises(ValueError, match="a hypothesis with a prior above 0"):
        SPORT.posterior(DAYS, prior=lambda h: h == SPORT.never)
    assert SPORT.posterior(DAYS, prior=lambda h: h == SPORT.never, noise=0.1)[SPORT.never] == 1


@pytest.mark.parametrize(
    "domains, words",
    [
        ({}, "domains must map at least one attribute"),
        (None, "domains must map"),
        (["Sky"], "domains must map"),
        ({"Sky": []}, r"domains\['Sky'\] must have at least two values, got {}"),
        ({"Sky": ["Sunny"]}, "must have at least two values"),
        ({"Sky": ["Sunny", "Rainy", "Sunny"]}, "must name each value once"),
        ({"Sky": "Sunny"}, "must be a list of values, got 'Sunny'"),
        ({"Sky": 3}, "must be a list of values, got 3"),
        ({"Sky": ["Sunny", "?"]}, "must not use"),
        ({"Sky": ["Sunny", "∅"]}, "must not use"),
    ],
)
def test_bad_domains_are_named(domains, words):
    with pytest.raises(ValueError, match=words):
        ConjunctiveSpace(domains)


def test_a_table_gives_its_own_domains_but_not_the_values_it_never_shows():
    with pytest.raises(ValueError, match=r"domains\['Wind'\] must have at least two values, got {'Strong'}"):
        ConjunctiveSpace.from_table(DAYS, "EnjoySport")
    with pytest.raises(ValueError, match="label must be a column of the table"):
        ConjunctiveSpace.from_table(ROWS, "Tennis")


def test_a_space_too_large_for_an_array_still_has_boundaries():
    space = ConjunctiveSpace({f"a{n}": [0, 1] for n in range(30)})
    example = [((0,) * 30, True)]
    assert space.candidate_elimination(example).specific == [space.find_s(example)] == [(0,) * 30]
    with pytest.raises(ValueError, match="domains must make at most 100,000,000 hypotheses for this, got 205,891,"):
        space.posterior(example)


def test_a_hypothesis_and_an_instance_must_be_of_one_length():
    with pytest.raises(ValueError, match="instance must have 6 values"):
        covers(S, DAY[:5])


def test_examples_drawn_from_a_concept_favour_the_small_one():
    after = SPORT.posterior(DAYS, sampled=True)
    six = SPORT.version_space(DAYS)
    weights = [
        math.prod(len(values) for entry, values in zip(h, ENJOY_SPORT.values()) if entry == "?") ** -3.0 for h in six
    ]
    assert [after[h] for h in six] == pytest.approx([weight / sum(weights) for weight in weights])
    assert after[S] == pytest.approx(0.7649, abs=5e-5) and after.evidence == pytest.approx(sum(weights) / 973)
    assert [SPORT.covered(h) for h in (S, SPORT.never, ("?",) * 6)] == [8, 0, 96]
    many = [(("Sunny", "Warm", "High", "Strong", "Warm", "Same"), True)] * 1000
    assert SPORT.posterior(many, sampled=True).best() == [many[0][0]], "a thousand factors do not underflow"
    with pytest.raises(ValueError, match="noise must be 0 for sampled examples"):
        SPORT.posterior(DAYS, noise=0.1, sampled=True)
    with pytest.raises(ValueError, match="no posterior"):
        SPORT.posterior([*many, (many[0][0], False)], sampled=True)


def test_the_best_question_halves_the_probability_not_the_number():
    assert SPORT.best_query(DAYS, prior="general")[:4] == ("Sunny", "Cold", "Normal", "Strong")
    yes = SPORT.yes(DAYS, prior="general")
    assert yes[0, 1, 0, 0, 0, 0] == pytest.approx(0.4) and yes[0, 0, 0, 1, 0, 0] == pytest.approx(2 / 3)
    assert SPORT.yes(DAYS) == pytest.approx(SPORT.votes(DAYS) / 6)
