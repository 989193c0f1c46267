"""Section 04: what its figures must say, and the claims of its lesson, computed once more."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from bayeslib import data, live
from bayeslib.models import concepts
from bayeslib.sections.s04_bayes_optimal.figures import ODD, WEEKS
from tests.figures import press, says

TABLES = [WEEKS, ODD, "a; b; c\n1;0;1\n0;0;1", "x,y\nyes,no", "one, two\nyes, maybe", ""]
SETTINGS = {"forecasters": {"text": TABLES}, "weighted_vote": {"whose": ["three", "cut in two", "her"]}}
WAYS = ("vote", "MAP", "Gibbs")
SIZES = (5, 10, 20, 50, 100, 200, 500)

# What the captions of the figures say, computed from the definitions.


def claims_weighted_vote(w1, w2, w3, q1, q2, q3, whose, step, said):
    weight, plus = np.array([w1, w2, w3]) / (w1 + w2 + w3), np.array([q1, q2, q3]) / 100
    if whose == "her" and (w1, w2, w3, q1, q2, q3) == (40, 30, 30, 100, 0, 0):
        weight, plus = her()
        count = [0, 1, 9, 26, 36, 46][step]
        if count:
            says(said, count, digits=0)
            says(said, weight[:count] @ plus[:count], weight[:count] @ (1 - plus[:count]), digits=3)
        return
    if whose == "cut in two":
        weight, plus = np.r_[weight[0] / 2, weight[0] / 2, weight[1:]], plus[[0, 0, 1, 2]]
    if step == 0:
        return says(said, *weight, *plus)
    first = np.argsort(-weight, kind="stable")[: step if step < 3 else 4]
    says(said, weight[first] @ plus[first], weight[first] @ (1 - plus[first]))


def claims_three_ways(p, truth, said):
    plus = {"drawn": p, "+": 1, "−": 0}[truth]  # how often + is true
    vote = 0.5 if p == 0.5 else 1 - plus if p > 0.5 else plus
    says(said, p, 1 - plus, vote, digits=2)
    random = p * (1 - plus) + (1 - p) * plus
    says(said, random)
    if vote:
        says(said, random / vote, digits=2)


def claims_costly_errors(p, saved, lost, wait, said):
    says(said, saved, lost, digits=0)
    says(said, p, saved * (1 - p), lost * p, digits=2)
    grid = (np.arange(100_000) + 0.5) / 100_000
    cost = np.array([lost * grid, saved * (1 - grid), 0 * grid + (0.5 if wait else np.inf)])
    for turn in grid[1:][np.diff(cost.argmin(axis=0)) != 0]:
        assert any(abs(turn - each) < 6e-4 for each in said), turn


def claims_who_survived(seen, picked, fates, score, counts, noise, said):
    found = trial(fates, seen, noise, counts)[score]
    scale, digits = (100, 1) if score == "error" else (1, 3)
    says(said, seen, picked, digits=0)
    says(
        said,
        *(scale * found[way].mean() for way in WAYS),
        *(scale * found[way][picked - 1] for way in WAYS),
        digits=digits,
    )


def claims_one_number(answer, first, second, third, cost, said):
    numbers, weights = np.array([first, second, third]), np.array([0.4, 0.3, 0.3])
    power = {"absolute": 1, "squared": 2}[cost]
    tries = np.r_[answer, first, np.arange(0, 40.001, 0.1)]
    price = (np.abs(numbers - tries[:, None]) ** power) @ weights
    for each in (*price[:2], price.min()):
        assert any(abs(each - other) <= 6e-4 * max(each, 1) for other in said), each


def claims_forecasters(text, noise, step, said):
    _, *rows = [[word.strip() for word in line.replace(";", ",").split(",")] for line in text.splitlines()]
    days = np.array([[word in ("yes", "1") for word in row] for row in rows])
    wrong, sums = days[:, :-1] != days[:, -1:], dict.fromkeys(WAYS, 0.0)
    for day in range(step + 1):
        likelihood = np.prod(np.where(wrong[:day], noise, 1 - noise), axis=0)
        weight = likelihood / likelihood.sum()
        if day < step:
            against, best = weight @ wrong[day], likelihood > likelihood.max() * (1 - 1e-9)
            sums["vote"] += 0.5 if abs(against - 0.5) < 1e-9 else float(against > 0.5)
            sums["Gibbs"] += against
            sums["MAP"] += wrong[day][best].mean()
    says(said, *weight, *sums.values(), digits=3)
    says(said, wrong[:step].sum(axis=0).min(), digits=0)


# The Titanic once more, rule by rule


@cache
def titanic():
    """The kinds of people, how many of each died and survived, and of each rule its ?s and whom it says survived."""
    table = data.load_titanic()
    kinds = sorted(set(zip(table["status"], table["age"], table["sex"])))
    rows = list(zip(table["status"], table["age"], table["sex"], table["survived"], table["people"]))
    counts = np.array(
        [[sum(row[4] for row in rows if row[:4] == (*kind, fate)) for fate in ("no", "yes")] for kind in kinds]
    )
    values = [
        ["?", *dict.fromkeys(["first", "second", "third", "crew"])],
        ["?", "adult", "child"],
        ["?", "female", "male"],
    ]
    rules = [*product(*values), ("nobody",) * 3]
    covers = np.array(
        [[all(part in ("?", have) for part, have in zip(rule, kind)) for kind in kinds] for rule in rules]
    )
    return kinds, counts, np.array([rule.count("?") for rule in rules]), covers


def her():
    """The weights after draw 53, largest first, and who says that a woman in first class survived."""
    kinds, counts, _, covers = titanic()
    seen = concepts.draw_trials(counts, 20, 500, random_state=20)[0][52]
    wrong = np.array([seen[rule, 0].sum() + seen[~rule, 1].sum() for rule in covers])
    order, weight = np.argsort(wrong, kind="stable"), 0.2**wrong * 0.8 ** (20 - wrong)
    return (weight / weight.sum())[order], covers[order, kinds.index(("first", "adult", "female"))].astype(float)


@cache
def trial(fates, size, noise, counts):
    """By score and way of answering: what it comes to in each of the 500 draws."""
    _, people, open_, covers = titanic()
    truths = covers if fates == "drawn" else None
    seen, rest = concepts.draw_trials(people, size, 500, truths, 0.2, random_state=size)
    e, n = noise / 100, rest.sum(axis=(1, 2))
    wrong, left = (
        np.array([(x[:, r, 0].sum(axis=1) + x[:, ~r, 1].sum(axis=1)) for r in covers]).T for x in (seen, rest)
    )
    logs = wrong * np.log(e) + (size - wrong) * np.log(1 - e) + open_ * np.log(counts)
    weight = np.exp(logs - logs.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    best = logs > logs.max(axis=1, keepdims=True) - 1e-9
    yes = weight @ covers
    answer = np.where(np.abs(yes - 0.5) < 1e-9, 0.5, yes > 0.5)
    belief, left = (1 - e) * yes + e * (1 - yes), left / n[:, None]
    error = {
        "vote": (rest[:, :, 1] * (1 - answer) + rest[:, :, 0] * answer).sum(axis=1) / n,
        "MAP": np.array([each[top].mean() for each, top in zip(left, best)]),
        "Gibbs": (weight * left).sum(axis=1),
    }
    loss = {way: -error[way] * np.log(e) - (1 - error[way]) * np.log(1 - e) for way in ("MAP", "Gibbs")}
    loss["vote"] = -(rest[:, :, 1] * np.log(belief) + rest[:, :, 0] * np.log(1 - belief)).sum(axis=1) / n
    return {"error": error, "log_loss": loss, "yes": yes, "best": best, "weight": weight}


def means(fates="real", size=20, noise=20, counts=1, score="error"):
    return [trial(fates, size, noise, counts)[score][way].mean() for way in WAYS]


# Claims of the lesson


def test_the_most_probable_of_three_is_outvoted_and_a_cut_changes_only_which_is_best():
    three, cut = {"h1": 0.4, "h2": 0.3, "h3": 0.3}, {"a": 0.2, "b": 0.2, "h2": 0.3, "h3": 0.3}
    says_ = dict(zip(("h1", "a", "b", "h2", "h3"), "+++−−"))
    for weights, best in ((three, "+"), (cut, "−")):
        votes = {h: says_[h] for h in weights}
        assert concepts.winners(concepts.map_answer(weights, votes)) == [best]
        assert concepts.bayes_optimal(weights, votes) == pytest.approx({"+": 0.4, "−": 0.6})


def test_a_random_rule_errs_at_most_twice_as_often_as_the_vote():
    p = np.linspace(0.001, 0.999, 999)
    error = concepts.error_over_p(p)
    assert (error["Gibbs"] <= 2 * error["vote"] + 1e-12).all() and (error["vote"] <= error["Gibbs"] + 1e-12).all()
    assert concepts.gibbs_error([0.99, 0.01]) == pytest.approx(0.0198)


def test_draw_53_gives_a_third_of_the_weight_to_her_survival_and_the_best_rule_all():
    weight, lived = her()
    assert f"{weight @ lived:.3f} {0.2 + 0.6 * (weight @ lived):.2f}" == "0.333 0.40" and lived[0] == 1
    found = trial("real", 20, 20, 1)
    assert [f"{found['error'][way][52]:.4f}" for way in ("vote", "MAP")] == ["0.3246", "0.2238"]
    units = weight / weight[35]
    assert units[:36].round() == pytest.approx([64] + [16] * 8 + [4] * 17 + [1] * 10) and 0.5 < units[36:].sum() < 0.65


def test_on_the_titanic_the_best_rule_errs_least_and_the_vote_has_the_better_probabilities():
    assert [f"{100 * each:.1f}" for each in means()] == ["28.0", "26.6", "28.4"]
    gap = np.subtract(*(trial("real", 20, 20, 1)["error"][way] for way in ("vote", "MAP")))
    assert f"{100 * gap.std() / np.sqrt(500):.2f}" == "0.13"
    assert [f"{each:.3f}" for each in means(score="log_loss")[:2]] == ["0.572", "0.592"]
    assert [f"{each:.3f}" for each in means(score="log_loss", noise=30)[:2]] == ["0.588", "0.582"]
    assert np.ptp(means(size=100)) < 0.003, "with a hundred people nearly level"


def test_with_truths_drawn_from_the_prior_the_vote_errs_least():
    assert [f"{100 * each:.1f}" for each in means("drawn")] == ["23.4", "24.5", "25.2"]


def test_a_prior_that_favours_wide_rules_narrows_the_gap_and_does_not_close_it():
    _, people, open_, covers = titanic()
    seen, rest = concepts.draw_trials(people, 20, 12_000, random_state=0)
    found = []
    for each in (1, 2, 3, 4):
        prior = each**open_ / (each**open_).sum()
        error = concepts.held_out_scores(covers, seen, rest, prior=prior)["error"]
        found.append([100 * prior @ covers[:, 0], 100 * error["vote"].mean(), 100 * error["MAP"].mean()])
    told = [[17, 27.9, 26.7], [28, 27.1, 26.2], [36, 26.8, 26.2], [43, 26.5, 26.3]]
    assert (np.abs(np.subtract(found, told)) < [0.5, 0.06, 0.06]).all()


def test_where_the_vote_is_cautious_it_is_still_too_gloomy():
    _, people, _, covers = titanic()
    seen, rest = concepts.draw_trials(people, 20, 4000, random_state=0)
    found = concepts.held_out_scores(covers, seen, rest)
    belief, lived, n = 0.2 + 0.6 * found["vote"], rest[..., 1], rest.sum(axis=-1)
    best = 1 * (found["weights"] >= found["weights"].max(axis=1, keepdims=True) * (1 - 1e-9))
    share = best @ covers / best.sum(axis=1, keepdims=True)
    cells = [(belief >= low) & (belief <= low + 0.1) for low in (0.7, 0.3)]
    assert [f"{(lived * each).sum() / (n * each).sum():.2f}" for each in (share, *cells)] == ["0.69", "0.77", "0.56"]


def test_best_rule_and_vote_disagree_about_her_in_48_draws_and_always_the_same_way():
    kinds, _, _, covers = titanic()
    found, woman = trial("real", 20, 20, 1), kinds.index(("first", "adult", "female"))
    all_yes = np.array([covers[top, woman].all() for top in found["best"]])
    all_no = np.array([not covers[top, woman].any() for top in found["best"]])
    yes = found["yes"][:, woman]
    assert (all_yes & (yes < 0.5)).sum() == 48 and not (all_no & (yes > 0.5)).any()


def test_two_bits_of_three_beat_each_bit():
    bits = [concepts.expected_errors([1 / 3] * 3, bits) for bits in product((0, 1), repeat=3)]
    assert np.mean([[each["vote"], each["Gibbs"]] for each in bits], axis=0) == pytest.approx([1 / 4, 1 / 3])


# What the figures do


def test_a_slider_leads_from_her_rules_back_to_the_three():
    figure = live.weighted_vote("her")
    assert "46 rules" in figure.alt
    figure.set(w1=50)
    assert figure.alt.startswith("Three hypotheses")


def test_what_a_question_asks_is_covered_until_it_is_answered():
    figure = live.weighted_vote("undecided").wait()
    figure.set(step=3)
    drawn = {mark[0] for mark in figure.marks()}
    assert "asked 0" in drawn and "mark MAP.0" not in drawn
    assert not any(name.startswith("line") for name in (mark[0] for mark in live.three_ways().wait().marks()))
    assert "heap vote" not in {mark[0] for mark in live.who_survived().wait().marks()}


def test_arrows_choose_how_many_are_seen_and_which_draw():
    figure = live.who_survived()
    press(figure, "ArrowRight", "ArrowUp")
    assert (figure.values["seen"], figure.values["picked"]) == (50, 54)


def test_dragging_the_ring_moves_the_probability_and_stays_inside():
    for figure in (live.three_ways(), live.costly_errors()):
        figure.drag("here", 0.25, 0.5)
        assert figure.values["p"] == 0.25
        figure.drag("here", 7, 0.5)
        assert figure.values["p"] == figure.spec.controls["p"].high


@pytest.mark.parametrize(
    "text, words",
    [
        ("a,b\nyes,perhaps", "your table, column b, must hold yes or no in every row, got perhaps"),
        ("a,b,c,d,e,f,g,h,i,j\n" + ",".join(["1"] * 10), "must have 2 to 9 columns, got 10"),
        ("a", "must have a line with the names"),
    ],
)
def test_forecasts_that_cannot_be_read_are_refused_in_words(text, words):
    figure = live.forecasters()
    figure.set(text=text)
    assert words in figure.alt


def test_forecasters_may_have_any_names():
    figure = live.forecasters()
    figure.set(text="$x_1$;💥;nan;a name that is much too long;came\n+;−;1;n;yes\nno;no;0;Y;0")
    assert "“x_1”" in figure.alt and "“·”" in figure.alt and "“a name that i…”" in figure.alt
    assert len(figure.frame()) > 1000
