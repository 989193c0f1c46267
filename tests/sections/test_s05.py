"""Section 05: what its figures must say, and the claims of its lesson, by counting rows and words without the models."""

from collections import Counter
from functools import cache
from math import log, prod

import numpy as np
import pytest
from scipy.stats import norm

import bayeslib as bl
from bayeslib import live, poets
from tests.figures import press, says

TENNIS, GUESTS = bl.data.load_play_tennis(), bl.data.load_restaurant()
ATTRIBUTES = ["Outlook", "Temperature", "Humidity", "Wind"]
TOMORROW = dict(zip(ATTRIBUTES, ("sunny", "cool", "high", "strong")))
SHUFFLE = 500  # the seed of the shuffle that the lesson shows
SETTINGS = {
    "day_factors": {"order": [ATTRIBUTES, ATTRIBUTES[::-1], ["Wind", "Outlook", "Humidity", "Temperature"]]},
    "whose_line": {"named": ["", "MSSMMSMS", "S-M", "SSSSSSSS"]},
    "word_by_word": {
        "own": [
            "",
            "To be, or not to be: that is the question",
            "love love love love love love love love love love",
            "Unquestionably extraordinary Miltonic constellations everywhere notwithstanding my love",
            "naïve — 'tis",
            "thir",
            "one two three four five six seven eight nine ten eleven",
        ]
    },
    "poet_calibration": {"show": ["columns", "right"]},
}


def share(value, attribute, label, table=TENNIS, target="PlayTennis"):
    """P(value | label), counted."""
    mine = table[table[target] == label]
    return (mine[attribute] == value).mean()


def odds_of(day, copies=(), **more):
    """Odds of tennis, from 9 to 5."""
    return 9 / 5 * prod((share(v, a, "yes") / share(v, a, "no")) ** dict(copies).get(a, 1) for a, v in day.items())


@cache
def counted(seed=0):
    """Of a split the words of each poet, those that are counted shared and in all, and the held-out half."""
    train, test = poets.halves(seed)
    words = {poet: Counter(poets.words(" ".join(part["text"]))) for poet, part in train.groupby("author")}
    shared = [w for w in words["Milton"] if min(count[w] for count in words.values()) >= 3]
    every = [w for w in words["Milton"] | words["Shakespeare"] if sum(count[w] for count in words.values()) >= 3]
    return words, {"shared": shared, "all": every}, train, test


@cache
def worth(word, which="shared"):
    """The odds of a counted word for Shakespeare; 1 for any other."""
    words, known, *_ = counted()
    if word not in known[which]:
        return 1
    mine, other = (
        (count[word] + 1) / (sum(count[w] for w in known[which]) + len(known[which]))
        for count in (words["Shakespeare"], words["Milton"])
    )
    return mine / other


def line_odds(line, which="shared"):
    return prod(worth(word, which) for word in poets.words(line))


# What the captions of the figures say


def claims_day_factors(step, order, counted, times, said, **day):
    recorded = {each: day[each] for each in order[:step] if day[each] != "not recorded"}
    if recorded.get("Outlook") == "overcast":
        return says(said, 0)
    chance = 1 / (1 + odds_of(recorded, {counted: times}.items()))
    if 0.0005 < chance < 0.9995:
        says(said, chance, digits=3 if step == 0 else 4)


def claims_whose_line(step, named, said):
    if step < 8:
        says(said, step + 1, 8)


def claims_word_by_word(line, own, words, step, said):
    verse = (own or line).replace("’", "'").split()
    odds = line_odds(" ".join(verse[:step]), words)
    if 0.0001 < odds < 10_000:
        says(said, odds / (1 + odds))


@cache
def for_truth(text, unit):
    return getattr(poets.held_out(shuffle=SHUFFLE if text == "shuffled" else None), unit)


def claims_poet_calibration(text, unit, weight, show, said):
    if show == "right":
        return says(said, 1384, *([1510] if text == "shuffled" else []), 1520)
    odds = for_truth(text, unit) * weight
    chance, wrong = 1 / (1 + np.exp(-abs(odds))), odds < 0
    says(said, wrong.sum(), len(odds), digits=0)
    says(said, 100 * chance.mean(), 100 - 100 * wrong.mean(), digits=1)
    says(said, -np.log(1 / (1 + np.exp(-odds))).mean(), digits=3)
    if (sure := chance > 0.999).any():
        says(said, sure.sum(), (sure & ~wrong).sum(), (sure & wrong).sum(), digits=0)


def claims_gaussian_attribute(x, spread, scale, said):
    a, b = norm.pdf(x), norm.pdf(x, 3, spread)
    says(said, max(a, b) / (a + b))


# What the figures do


def test_a_clue_can_be_dragged_and_moved_by_keys_and_the_end_stays():
    figure = live.day_factors()
    end = figure.alt.partition("P(no)")[2]
    figure.drag("bar Wind", 0, 1)
    assert figure.values["order"] == ["Wind", "Outlook", "Temperature", "Humidity"]
    figure._press("mark:ArrowDown:bar Wind")
    assert figure.values["order"] == ["Outlook", "Wind", "Temperature", "Humidity"]
    assert figure.alt.partition("P(no)")[2] == end


def test_a_poet_is_named_by_click_or_key_and_the_score_is_kept():
    figure = live.whose_line()
    figure.click("ground Milton")
    press(figure, "s", "m")
    assert figure.values["named"] == "MSM" and "2 of 3 right" in figure.alt
    figure.set(step=8)
    assert "You named 2 of 3" in figure.alt


# PlayTennis


def chance_of_no(odds):
    return 1 / (1 + odds)


def test_three_clues_argue_for_no_and_cool_for_yes():
    ratios = [share(v, a, "yes") / share(v, a, "no") for a, v in TOMORROW.items()]
    assert ratios == pytest.approx([0.370, 1.667, 0.417, 0.556], abs=5e-4)
    assert odds_of(TOMORROW) == pytest.approx(0.257, abs=5e-4)
    assert share("rain", "Outlook", "yes") / share("rain", "Outlook", "no") == pytest.approx(0.83, abs=5e-3)
    assert not len(TENNIS[(TENNIS[ATTRIBUTES] == list(TOMORROW.values())).all(axis=1)])
    assert len(TENNIS[ATTRIBUTES].drop_duplicates()) == 14


def test_a_missing_wind_leaves_its_factor_out_and_a_copied_one_puts_it_in_twice():
    calm = {a: v for a, v in TOMORROW.items() if a != "Wind"}
    found = [odds_of(calm), odds_of({**calm, "Wind": "weak"}), *(odds_of(TOMORROW, [("Wind", n)]) for n in (2, 10))]
    assert [*map(chance_of_no, found)] == pytest.approx([0.684, 0.564, 0.875, 0.9987], abs=5e-4)
    assert sum(share(v, "Wind", "yes") for v in ("strong", "weak")) == 1
    assert chance_of_no(odds_of(TOMORROW) ** 2) == pytest.approx(0.938, abs=5e-4)
    assert [odds_of(TOMORROW, [("Temperature", n)]) > 1 for n in (3, 4)] == [False, True]
    strong = ((TENNIS["Wind"] == "strong") & (TENNIS["PlayTennis"] == "no")).sum(), (TENNIS["Wind"] == "strong").sum()
    assert strong == (3, 6) and (TENNIS["Wind"] == "weak").sum() == 8


def test_an_unlisted_class_takes_the_lead():
    yes, no = 1 / 189, 18 / 875
    assert no / (yes + no + 0.03) == pytest.approx(0.368, abs=5e-4) and 0.03 > no


def test_fewer_numbers_than_combinations():
    values = [TENNIS[each].nunique() for each in ATTRIBUTES]
    assert (sum(values), prod(values), 2 * prod(values) - 1) == (10, 36, 71)
    assert 1 + 2 * sum(each - 1 for each in values) == 13


def test_on_days_left_out_it_is_worse_than_always_yes():
    X, y = TENNIS[ATTRIBUTES], TENNIS["PlayTennis"]
    right = [bl.NaiveBayes().fit(X.drop(i), y.drop(i)).predict(X.loc[i].to_dict()) == y[i] for i in X.index]
    assert sum(right) == 8 and (y == "yes").sum() == 9


def test_cool_and_normal_come_together_also_within_the_class():
    def gap(rows):
        cool, normal = rows["Temperature"] == "cool", rows["Humidity"] == "normal"
        return (cool & normal).mean(), cool.mean() * normal.mean()

    overall, within = gap(TENNIS), gap(TENNIS[TENNIS["PlayTennis"] == "yes"])
    assert overall[0] == pytest.approx(2 * overall[1])
    assert within == pytest.approx((0.333, 0.222), abs=5e-4)
    assert (9 * within[0], 9 * within[1]) == pytest.approx((3, 2))
    coins = bl.NaiveBayes().fit([["H", "H"], ["H", "T"], ["T", "H"], ["T", "T"]], ["same", "differ", "differ", "same"])
    assert coins.predict_proba([["H", "H"], ["H", "T"]]) == pytest.approx(np.full((2, 2), 0.5))


def test_invented_days_are_cool_and_humid_as_no_real_one_is():
    def both(label):
        return share("cool", "Temperature", label) * share("high", "Humidity", label)

    assert 9 / 14 * both("yes") + 5 / 14 * both("no") == pytest.approx(0.129, abs=5e-4)
    assert not ((TENNIS["Temperature"] == "cool") & (TENNIS["Humidity"] == "high")).any()


# Other examples


def test_the_slide_about_the_restaurant_gives_120_percent():
    def score(label, patrons):
        guest = {"Cuisine": "Thai", "Patrons": patrons.capitalize(), "Raining": "yes"}
        return 0.5 * prod(share(v, a, label, GUESTS, "Wait") for a, v in guest.items()), prod(
            (GUESTS[a] == v).mean() for a, v in guest.items()
        )

    for patrons, wait, leave in (("some", 1.2, 0), ("full", 0.40, 0.53)):
        for label, said in (("yes", wait), ("no", leave)):
            above, below = score(label, patrons)
            assert above / below == pytest.approx(said, abs=5e-3), (patrons, label)
    assert score("yes", "full")[0] / (score("yes", "full")[0] + score("no", "full")[0]) == pytest.approx(
        0.4286, abs=5e-5
    )


@pytest.mark.parametrize(
    "text, multinomial, bernoulli",
    [
        ("match goal", 0.889, None),
        ("match", 0.667, 0.842),
        ("goal goal goal butter", None, 0.471),
        ("goal butter butter butter", None, 0.471),
    ],
)
def test_six_tiny_documents(text, multinomial, bernoulli):
    sport, cooking = (
        [each.split() for each in texts]
        for texts in (
            ("match goal team", "team wins match", "goal goal match"),
            ("salt butter pan", "pan heat butter", "match salt taste"),
        )
    )
    vocabulary = {word for each in sport + cooking for word in each}
    odds = prod((sum(sport, []).count(w) + 1) / (sum(cooking, []).count(w) + 1) for w in text.split())
    seen = 1.0
    for word in vocabulary:
        there = [(sum(word in each for each in texts) + 1) / 5 for texts in (sport, cooking)]
        seen *= np.divide(*(each if word in text.split() else 1 - each for each in there))
    assert multinomial is None or odds / (1 + odds) == pytest.approx(multinomial, abs=5e-4)
    assert bernoulli is None or seen / (1 + seen) == pytest.approx(bernoulli, abs=5e-4)


# Two poets


def test_a_line_cannot_be_looked_up():
    *_, train, test = counted()
    lines = [each for text in test["text"] for each in text.split(" / ")]
    known = {each.strip() for text in train["text"] for each in text.split(" / ")}
    assert (len(lines), sum(each.strip() in known for each in lines)) == (2128, 2)


def test_what_words_are_worth():
    words, known, train, test = counted()
    total = {poet: [sum(words[poet][w] for w in known[each]) for each in known] for poet in words}
    assert [len(each) for each in known.values()] == [217, 863]
    assert total == {"Shakespeare": [5329, 7271], "Milton": [4164, 5730]}
    assert (words["Shakespeare"]["my"], words["Milton"]["my"]) == (213, 31)
    assert [worth(w) for w in ("my", "are", "like", "the")] == pytest.approx([5.28, 2.69, 1.09, 0.52], abs=5e-3)
    sonnet = "My mistress' eyes are nothing like the sun"
    assert line_odds(sonnet) == pytest.approx(8.05, abs=5e-3) and sonnet in " ".join(test["text"])
    assert line_odds("Hello my love, I am going to the supermarket") == pytest.approx(83, abs=0.5)
    signs = {"god": 13.6, "adam": 16, "thir": 69, "hell": 1.8}
    assert {w: 1 / worth(w, "all") for w in signs} == pytest.approx(signs, abs=0.1)
    assert [words["Milton"][w] for w in signs] == [21, 12, 55, 9] and words["Shakespeare"]["hell"] == 6
    assert worth("their") == pytest.approx(2.5, abs=0.05)
    everything = [w for text in bl.data.load_two_poets().query("author == 'Milton'")["text"] for w in poets.words(text)]
    assert (everything.count("thir"), everything.count("thir") + everything.count("their")) == (109, 120)


def test_love_is_a_sign_and_so_is_its_absence():
    *_, train, _ = counted()
    there = {poet: sum("love" in poets.words(text) for text in part["text"]) for poet, part in train.groupby("author")}
    assert there == {"Milton": 5, "Shakespeare": 44} and (train["author"] == "Shakespeare").sum() == 77
    assert (45 / 79) / (6 / 77) == pytest.approx(7.3, abs=0.05) and (34 / 79) / (71 / 77) == pytest.approx(
        0.47, abs=5e-3
    )


def test_the_machine_has_six_of_the_eight_lines_and_70_percent_of_all():
    figure = live.whose_line()
    figure._locks = {}
    figure.set(step=8)
    assert "The machine has 6 of them" in figure.alt
    assert (poets.held_out(splits=1).lines > 0).mean() == pytest.approx(0.70, abs=5e-3)


def test_it_is_right_about_91_percent_of_passages_and_72_of_lines():
    assert (for_truth("as written", "passages") > 0).sum() == 1384
    assert (for_truth("as written", "lines") > 0).mean() == pytest.approx(0.723, abs=5e-4)
    assert (poets.held_out(shared=False).passages > 0).mean() == pytest.approx(0.987, abs=5e-4)


def test_of_those_it_is_sure_of_one_in_34_is_wrong_and_elsewhere_more_than_one_in_four():
    odds = for_truth("as written", "passages")
    sure, wrong = abs(odds) > log(999), odds < 0
    places = np.concatenate([poets.halves(seed)[1].index for seed in range(10)])
    assert (sure.sum(), (sure & wrong).sum(), len(set(places[sure & wrong]))) == (1153, 34, 13)
    assert 1 - wrong[~sure].mean() == pytest.approx(0.72, abs=5e-3)
    losses = [np.logaddexp(0, -odds * by).mean() for by in (1, 0.3)]
    assert losses == pytest.approx([0.485, 0.231], abs=5e-4)
    known = set(counted()[1]["shared"])
    lengths = [sum(word in known for word in poets.words(text)) for text in counted()[3]["text"]]
    assert np.mean(lengths) == pytest.approx(62, abs=1)


def test_a_shuffle_keeps_each_poets_words_and_the_lengths_of_his_lines():
    from bayeslib.models.poets import _lines

    for poet in poets.POETS:
        his = np.flatnonzero(bl.data.load_two_poets()["author"] == poet)
        as_written, shuffled = ([line for i in his for line in _lines(seed)[i]] for seed in (None, SHUFFLE))
        assert [*map(len, as_written)] == [*map(len, shuffled)]
        assert Counter(sum(as_written, [])) == Counter(sum(shuffled, [])) and as_written != shuffled


@pytest.mark.heavy
def test_shuffled_words_are_told_apart_in_other_shuffles_too():
    right = [(poets.held_out(shuffle=seed).passages > 0).mean() for seed in range(12)]
    assert (min(right), max(right)) == pytest.approx((0.980, 0.997), abs=5e-4)


def test_a_product_of_162_words_is_zero():
    assert 0.01**161 > 0 and prod([0.01] * 162) == 0
