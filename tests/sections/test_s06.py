"""Section 06: what must hold of its figures, and its numbers computed once more."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from scipy import stats

import bayeslib as bl
from bayeslib import live
from bayeslib.models.estimates import best_m, beta_mean, beta_mode, dirichlet_mean, m_estimate, squared_error
from bayeslib.plots import theme
from bayeslib.questions.question import Question
from tests.figures import EXPLAINED, number, placed, sized, written
from tests.lab import ROOT

RATES = [
    "name,hits,tries\nx,1,2\ny,3,3",
    "shop; content; buyers\nAda;0;7\nBo;5;9\nCy;5;5\nDi;11;40\nEd;2;3\nFy;600;900",
    "name,hits,tries\nx,3,2\ny,1,3",
    "name,hits,tries\nx,2,2\ny,3,3",
]
SETTINGS = {
    "own_rates": {"text": RATES},
    "beta_flips": {"seen": ["", "S", "W", "SWS", "SSSWW", "W" * 40, "S" * 499, "SW" * 250, "SSSWW" * 100]},
}

TENNIS = [[str(value) for value in row] for row in bl.data.load_play_tennis().to_numpy()]
SIZES = [3, 3, 2, 2]
DAYS = [
    (outlook, temperature, humidity, wind)
    for humidity, wind, outlook, temperature in product(
        ("high", "normal"), ("weak", "strong"), ("sunny", "overcast", "rain"), ("hot", "mild", "cool")
    )
]  # as the tiles stand: outlook and temperature across, humidity and wind down


@cache
def hits(day, play):
    """How many days of this answer there are, and how many of them share each value with this day."""
    rows = [row for row in TENNIS if row[-1] == play]
    return len(rows), [sum(row[place] == value for row in rows) for place, value in enumerate(day)]


def p_no(day, m):
    """P(no) of a day by plain counting, with m virtual examples in each factor; m may be an array."""
    scores = {}
    for play in ("yes", "no"):
        number, found = hits(tuple(day), play)
        factors = [(each + m / k) / (number + m) for each, k in zip(found, SIZES)]
        scores[play] = number / len(TENNIS) * np.prod(factors, axis=0)
    return scores["no"] / (scores["yes"] + scores["no"])


def tray(left, columns, first, number):
    """Places of the first few balls, in reading order in a tray that is 20 wide."""
    place, pitch = np.arange(first, first + number), 20 / columns
    return left + (pitch - 1) / 2 + pitch * (place % columns), pitch * (place // columns)


def holds_virtual_balls(figure):
    n_c, n, p, m = (figure.values[name] for name in ("n_c", "n", "p", "m"))
    if n_c > n or n + m == 0:
        wanted = "n_c must be at most n" if n_c > n else "n + m must be above 0"
        assert figure.alt.startswith(EXPLAINED + wanted)
        return
    picture, p = figure.picture, p / 100
    estimate = (n_c + m * p) / (n + m)
    assert number(r"\) =", figure.alt) == pytest.approx(estimate, abs=5.1e-5)
    columns = 10 if max(n, m) <= 18 else 20
    placed(picture.balls["real", "hit"], *tray(0, columns, 0, n_c))
    placed(picture.balls["real", "miss"], *tray(0, columns, n_c, n - n_c))
    size, place = picture.balls["real", "hit"].get_markersize(), 0
    for sort, balls in (("hit", m * p), ("miss", m * (1 - p))):
        whole = int(balls + 1e-9)
        part = balls - whole if balls - whole > 1e-6 else 0
        placed(picture.balls["virtual", sort], *tray(21.5, columns, place, whole))
        placed(picture.parts["virtual", sort], *tray(21.5, columns, place + whole, int(part > 0)))
        if part:  # a part of a ball has that part of a whole one's area
            assert (picture.parts["virtual", sort].get_markersize() / size) ** 2 == pytest.approx(part)
        place += whole + (part > 0)
    data = n_c / n if n else p
    placed(picture.pull, [data, estimate], [0, 0])
    placed(picture.data, *([data], [0]) if n else ([], []))
    placed(picture.prior, [p], [0])
    placed(picture.estimate, [estimate], [0])
    assert min(data, p) - 1e-12 <= estimate <= max(data, p) + 1e-12
    heads = [f"real, filled: hits {n_c} of {n}", f"virtual, hollow: hits {m * p:.4g} of {m:g}"]
    told = written(picture.heads.values(), heads)
    told += written(picture.sum, [f"({n_c} + {m * p:.4g}) / ({n} + {m:g}) = {estimate:.3f}"])
    told += written(picture.words["data"], [f"data {n_c}/{n} = {data:.3f}"] if n else [])
    return told + written(picture.words["prior"], [f"prior p = {p:.2f}"])


@cache
def outline(text):
    """A text as the outline of its letters, around its middle."""
    path = TextPath((0, 0), text, size=theme.SMALL, prop=FontProperties(family="DejaVu Sans"))
    box = path.get_extents()
    return path.vertices - ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)


def whole_percent(chance):
    """Only what is impossible or certain is 0 or 100."""
    return "<1" if 0 < chance < 0.005 else "99" if 0.99 < chance < 1 else f"{100 * chance:.0f}"


def holds_smoothed_days(figure):
    m, day, picture = figure.values["m"], tuple(figure.values["day"].split(", ")), figure.picture
    chances = np.array([p_no(each, m) for each in DAYS])
    row, column = divmod(DAYS.index(day), 9)
    wanted = chances[DAYS.index(day)]
    assert number(r"P\(no\) =", figure.alt) == pytest.approx(wanted, abs=5.1e-5)
    sized([picture.frame], x=column, y=row, width=1, height=1)
    corners = np.array([(x, y) for y in range(4) for x in range(9)])
    bars = np.array([path.vertices for path in picture.bars.get_paths()])
    assert np.ptp(bars[:, :, 0], axis=1) == pytest.approx(0.84 * chances, abs=1e-9)
    assert bars.min(axis=1) == pytest.approx(corners + (0.08, 0.78)) and len(picture.tiles.get_facecolor()) == 36
    for path, chance in zip(picture.numbers.get_paths(), chances, strict=True):
        assert np.array_equal(path.vertices, outline(whole_percent(chance)))
    assert picture.numbers.get_offsets() == pytest.approx(corners + (0.5, 0.4))
    before = np.array([p_no(each, 0) for each in DAYS])
    changed = (chances > 0.5) != (before > 0.5)
    placed(picture.changed, *(corners[changed] + 0.83).T)
    assert figure.alt.endswith(
        f" {changed.sum()} of 36 decisions differ from those at m = 0." if m else " 12 of 36 days are vetoed by a zero."
    )
    if m in CHANGED:
        assert changed.sum() == CHANGED[m]
    along = picture.line.get_xdata()
    assert along[0] == 0 and along[-1] == m and (np.diff(along) > 0).all()
    placed(picture.line, along, p_no(day, along))
    placed(picture.point, [m], [wanted])
    placed(picture.limit, [0, 1], 5 / 14)


CHANGED = {0: 0, 0.1: 0, 1: 0, 2: 0, 3: 0, 5: 1, 10: 6, 30: 11, 1000: 11}  # decisions, by the storyboard


def peak_of_beta(a, b):
    """Where the density is highest: inside, at one end, or None where it is flat or highest at both."""
    if a == b == 1 or max(a, b) < 1:
        return None
    return (a - 1) / (a + b - 2) if min(a, b) > 1 else float(a > b)


def holds_beta_flips(figure):
    before, seen, picture = (figure.values["a"], figure.values["b"]), figure.values["seen"], figure.picture
    strong, weak = seen.count("S"), seen.count("W")
    a, b = before[0] + strong, before[1] + weak
    assert f"{strong} strong, {weak} weak: Beta({a:g}, {b:g})" in figure.alt
    assert number("mean", figure.alt) == pytest.approx(a / (a + b), abs=5.1e-5)
    low, high = stats.beta.interval(0.9, a, b)
    assert number("between", figure.alt) == pytest.approx(low, abs=5.1e-4)
    assert number("and", figure.alt) == pytest.approx(high, abs=5.1e-4)
    theta = np.linspace(0, 1, 401)
    density, prior = stats.beta.pdf(theta, a, b), stats.beta.pdf(theta, *before)
    # The axis has no numbers: both curves are in one scale, in which much of the height is used.
    drawn = picture.curve.get_ydata()
    highest = np.where(drawn < 1, drawn, 0).argmax()
    assert drawn[highest] > 0.3 or min(a, b) < 1, "only what climbs without end at an end may leave the rest low"
    assert drawn[highest] > 0 and 0 < density[highest] < np.inf
    scale = density[highest] / drawn[highest]
    height = np.minimum(density / scale, 2)
    placed(picture.curve, theta, height)
    placed(picture.prior, theta, np.minimum(prior / scale, 2))
    placed(picture.mean, [a / (a + b)], [0.03])
    band = picture.band.get_xy()
    assert (band[:, 0].min(), band[:, 0].max()) == pytest.approx((low, high), abs=1e-6)
    assert (band[[0, -2], 1] == 0).all()
    assert band[1:-2, 1] == pytest.approx(np.interp(band[1:-2, 0], theta, height), abs=1e-6)
    peak = peak_of_beta(a, b)
    if peak is None:
        placed(picture.mode, [], [])
        assert "no single mode" in figure.alt
    else:
        placed(picture.mode, [peak], [min(np.interp(peak, theta, height), 0.97)])
        assert number("mode", figure.alt) == pytest.approx(peak, abs=5.1e-5)
    mode = "none" if peak is None else f"{peak:.3f}"
    lines = f"Beta({a:g}, {b:g})\nmean {a / (a + b):.3f}, mode {mode}\n90%: {low:.2f} to {high:.2f}"
    return written([picture.title, picture.lines], [f"{strong} strong, {weak} weak", lines])


@cache
def chances_of_counts(n):
    """P(n_c) for each θ of the picture: a row for each θ."""
    return stats.binom.pmf(np.arange(n + 1), n, np.linspace(0, 1, 401)[:, None])


def mean_squared(n, m, p, theta, chances):
    """What (n_c + m p)/(n + m) misses θ by, squared, on average over all counts."""
    return (chances * ((np.arange(n + 1) + m * p) / (n + m) - theta) ** 2).sum(axis=-1)


def holds_smoothing_error(figure):
    n, m, p, theta = figure.values["n"], figure.values["m"], figure.values["p"] / 100, figure.values["theta"] / 100
    picture, grid = figure.picture, np.linspace(0, 1, 401)

    def errors(theta):
        chances = stats.binom.pmf(np.arange(n + 1), n, theta)
        return [mean_squared(n, each, p, theta, chances) for each in (0, m)]

    plain, smoothed = errors(theta)
    assert number("error is", figure.alt) == pytest.approx(smoothed, abs=5.1e-5)
    assert number("and", figure.alt) == pytest.approx(plain, abs=5.1e-5)
    for line, each in ((picture.plain, 0), (picture.curve, m)):
        placed(line, grid, mean_squared(n, each, p, grid[:, None], chances_of_counts(n)))
    for point, error in zip(picture.points, (plain, smoothed)):
        placed(point, [theta], [error])
    placed(picture.here, [theta, theta], [0, picture.axes.get_ylim()[1]])
    low, high = picture.helps.get_xdata()
    placed(picture.helps, [low, high], 0)
    if m == 0:
        assert np.isnan([low, high]).all() and "no smoothing" in figure.alt
    else:
        assert number("between", figure.alt) == pytest.approx(low, abs=5.1e-4)
        assert number(r"between [\d.]+ and", figure.alt) == pytest.approx(high, abs=5.1e-4)
        for end in (low, high):
            assert errors(end)[0] == pytest.approx(errors(end)[1], abs=1e-9)
        best = [
            mean_squared(n, each, p, theta, stats.binom.pmf(np.arange(n + 1), n, theta))
            for each in np.geomspace(1e-3, 1e4)
        ]
        if theta == p:
            assert figure.alt.endswith("no m is too large.") and best == sorted(best, reverse=True)
        else:
            told = number("the best m is", figure.alt)
            assert mean_squared(n, told, p, theta, stats.binom.pmf(np.arange(n + 1), n, theta)) <= min(best) + 1e-6
        assert ("hurts" in figure.alt) == (smoothed >= plain) == (not low < theta < high)


BATTING = [
    (18, 127, 367), (17, 127, 426), (16, 144, 521), (15, 61, 275), (14, 114, 418), (14, 126, 466), (13, 154, 586), (12, 29, 138),
    (11, 137, 510), (11, 46, 200), (10, 73, 277), (10, 69, 270), (10, 132, 435), (10, 142, 538), (10, 42, 186), (9, 159, 558),
    (8, 129, 408), (7, 14, 70),
]  # fmt: skip


def chance_of(hits, tries, p, m):
    """The log-probability of these hits if θ is drawn from Beta(mp, m(1 − p)), by scipy."""
    return sum(stats.betabinom.logpmf(hits, tries, m * p, m * (1 - p)))


def check_threads(picture, stages, looks, p, chosen):
    shown = [line for line in picture.lines if line.get_visible()]
    assert len(shown) == len(stages[0])
    for line, thread, look in zip(shown, np.transpose(stages), looks):
        placed(line, range(len(stages)), thread)
        assert line.get_linestyle() == look
    placed(picture.chosen, range(len(stages)), [stage[chosen] for stage in stages])
    placed(picture.level, [0, 1], p)


def holds_batting(figure):
    m, prior, player, picture = *(figure.values[name] for name in ("m", "prior", "player")), figure.picture
    hits, late, of = np.array(BATTING).T
    p = 0.5 if prior == "0.5" else 215 / 810
    names = bl.data.load_batting_1970()["player"].tolist()
    first, later = hits / 45, late / of

    def pulled(m):
        return [45 / (45 + m) * each + m / (45 + m) * p for each in first]

    def error(m):
        return (sum((a - b) ** 2 for a, b in zip(pulled(m), later)) / 18) ** 0.5

    worse = [abs(e - t) > abs(f - t) + 1e-12 for e, f, t in zip(pulled(m), first, later)]
    looks = ["--" if each else "-" if m else ":" for each in worse]  # without virtual examples nobody is closer
    check_threads(picture, [first, pulled(m), later], looks, p, names.index(player))
    ms = picture.curves[0].get_xdata()
    placed(picture.curves[0], ms, [error(each) for each in ms])
    placed(picture.points[0], [m], [error(m)])
    above = [each for each in ms if each]
    wanted = [chance_of(hits, 45, p, each) for each in above]
    assert ms[0] == 0 and np.isnan(picture.curves[1].get_ydata()[0])
    assert picture.curves[1].get_xdata() == pytest.approx(ms)
    assert picture.curves[1].get_ydata()[1:] == pytest.approx(wanted, abs=1e-6)
    placed(picture.points[1], *([m], [chance_of(hits, 45, p, m)]) if m else ([], []))
    assert number("of the season", figure.alt) == pytest.approx(error(m), abs=5.1e-5)
    assert number("plain fractions", figure.alt) == 0.0647
    assert number(rf"45/{45 + m} =", figure.alt) == pytest.approx(45 / (45 + m), abs=5.1e-4)
    off = [name.split()[-1] for name, each in zip(names, worse) if each]
    assert f"than the fraction: {', '.join(off) or 'nobody'}." in figure.alt
    mine = [stage[names.index(player)] for stage in (first, pulled(m), later)]
    return written(picture.said, [f"{player}: {mine[0]:.3f} → {mine[1]:.3f}, then {mine[2]:.3f}"])


def holds_own_rates(figure):
    text, m, picture = figure.values["text"], figure.values["m"], figure.picture
    if figure.alt.startswith(EXPLAINED):
        assert text in RATES[-2:]
        return
    rows = [[word.strip() for word in line.replace(";", ",").split(",")] for line in text.splitlines()[1:]]
    names, hits, tries = [row[0] for row in rows], *np.array([row[1:] for row in rows], float).T
    p = sum(hits) / sum(tries)
    first, pulled = [h / n for h, n in zip(hits, tries)], [(h + m * p) / (n + m) for h, n in zip(hits, tries)]
    top, most = pulled.index(max(pulled)), first.index(max(first))
    check_threads(picture, [first, pulled], ["-"] * len(rows), p, top)
    ms = picture.curves[0].get_xdata()
    likelihood = [chance_of(hits, tries, p, each) for each in ms]
    placed(picture.curves[0], ms, [max(each - max(likelihood), -12) for each in likelihood])
    here = max(chance_of(hits, tries, p, m) - max(likelihood), -12) if m else None
    placed(picture.points[0], *([m], [here]) if m else ([], []))
    assert f"First by fraction: {names[most]} with" in figure.alt
    if len(rows) < 5:
        assert "cannot be learned" in figure.alt
    else:
        assert number("largest near m =", figure.alt) == pytest.approx(ms[np.argmax(likelihood)], rel=6e-3)
    return written(picture.said, [f"first by estimate: {names[top]} {pulled[top]:.3f}"])


def holds_two_sellers(figure):
    m, p, picture = figure.values["m"], figure.values["p"] / 100, figure.picture
    grid = np.linspace(0, 1, 101)
    a, b = (4 + m * p) / (4 + m), (95 + m * p) / (100 + m)
    for line, point, n_c, n, here in zip(picture.lines, picture.points, (4, 95), (4, 100), (a, b)):
        placed(line, grid, [(n_c + m * each) / (n + m) for each in grid])
        placed(point, [p], [here])
    placed(picture.here, [p, p], [0.3, 1.02])
    x, y = picture.cross.get_data()
    if len(x):
        assert (4 + m * x[0]) / (4 + m) == pytest.approx(y[0]) and (95 + m * x[0]) / (100 + m) == pytest.approx(y[0])
        assert (a > b) == (p > x[0]) and number("every p above", figure.alt) == pytest.approx(x[0], abs=5.1e-4)
    else:
        assert 91 * m <= 20 and a > b and figure.alt.endswith("A leads for every p.")
    leads = "A leads" if a > b else "B leads"
    assert f"= {a:.3f}, B" in figure.alt and f"= {b:.3f}: {leads}." in figure.alt
    return written(picture.said, [f"A {a:.3f}, B {b:.3f}: {leads}"])


# Numbers that the lesson and its questions mention

TEXT = (ROOT / "bayeslib/sections/s06_estimating_probabilities/questions.toml").read_text()


def said(question, right=True):
    """The feedback of a question's right option, or of all its wrong ones."""
    return " ".join(
        option.get("feedback", "")
        for option in Question(f"06/{question}").options
        if option.get("correct", False) == right
    )


def test_numbers_of_the_sellers_hold():
    assert m_estimate(4, 4, 0.5, 2) == pytest.approx(5 / 6) and m_estimate(95, 100, 0.5, 2) == pytest.approx(96 / 102)
    assert "0.833" in said("sellers") and "0.941" in said("sellers") and round(100 * (96 / 102 - 5 / 6)) == 11
    assert m_estimate(4, 4, 0.95, 2) == pytest.approx(5.9 / 6) and m_estimate(95, 100, 0.95, 2) == pytest.approx(0.95)
    assert "0.983" in said("sellers-again") and "0.950" in said("sellers-again")


def test_the_lead_changes_where_the_lesson_says():
    sellers = live.two_sellers()
    assert "every p above 0.844" in sellers.alt and "B leads" in sellers.alt
    for m in (0.1, 1, 2, 50, 100):
        sellers.set(p=95, m=m)
        assert "A leads." in sellers.alt
    sellers.set(p=50, m=0.2)
    assert "A leads." in sellers.alt


def test_numbers_of_halfway_hold():
    balls = live.virtual_balls()
    for m, words in ((1, "0.583"), (2, "0.571"), (5, "0.55")):
        balls.set(m=m)
        assert words in balls.alt and words in TEXT
    assert "data weighs n/(n + m) = 0.500" in balls.alt


def test_twelve_days_are_vetoed_and_go_to_the_class_prior():
    grid = live.smoothed_days()
    assert "12 of 36 days are vetoed" in grid.alt and "12" in Question("06/veto").options[2]["text"]
    grid.set(m=1)
    assert "P(no) = 0.1450" in grid.alt and "0.145" in said("limit", right=False)
    grid.set(m=1000)
    assert "P(no) = 0.3571" in grid.alt and "0.357" in said("limit") and round(5 / 14, 3) == 0.357


def test_sums_of_mended_tables_hold():
    assert 3 / 5 + 1 / 5 + 2 / 5 == pytest.approx(1.2) and "1.2" in Question("06/patched-sum").options[1]["text"]
    assert (4 + 1 + 3) / 5 == 1.6 and "1.6" in said("patched-sum", right=False)
    assert 4 / 6 + 1 / 6 + 3 / 6 == pytest.approx(8 / 6) and "8/6" in said("our-slide")
    assert dirichlet_mean([3, 0, 2], 1)[1] == 1 / 8 and "1/8" in said("tiny-patch")


def test_mean_and_mode_hold():
    curve = live.beta_flips()
    curve.preset("3 of 5")
    assert "mean 0.5714, mode 0.6000" in curve.alt and "mean is 0.571, the mode 0.600" in said("peak")
    assert (beta_mean(9, 2), beta_mode(9, 2)) == pytest.approx((9 / 11, 8 / 9))
    assert "0.818" in said("which-summary", right=False) and Question("06/which-summary").options[1]["text"] == "at 8/9"


def test_half_a_hit_and_half_a_miss_are_a_belief_in_the_ends():
    curve = live.beta_flips()
    curve.preset("prior Beta(½, ½)")
    assert "no single mode" in curve.alt
    ends, middle = (stats.beta(0.5, 0.5).cdf(x) for x in (0.1, 0.55))
    assert 2 * ends > 0.4 and middle - stats.beta(0.5, 0.5).cdf(0.45) < 0.07


@pytest.mark.parametrize("m, words", [(0, "0.0095"), (0.25, "0.0091"), (2, "0.0214"), (5, "0.0530")])
def test_errors_of_the_best_m_hold(m, words):
    assert f"{squared_error(0.05, 5, 0.5, m):.4f}" == words
    assert words in said("best-m") + said("best-m", right=False)
    assert squared_error(0.05, 5, 0.5, m) >= squared_error(0.05, 5, 0.5, best_m(0.05, 0.5))


def test_the_batters_shrink_by_four_fifths():
    figure = live.batting()
    for m, words in ((0, "0.0647"), (2, "0.0622"), (45, "0.0403"), (200, "0.0344")):
        figure.set(m=m)
        assert f"season {words};" in figure.alt
        assert f"{float(words):.3f}" in said("batting") + said("batting", right=False)
    assert "each start counts 45/245 = 0.184" in figure.alt
    assert figure.alt.count("Clemente, Swoboda, Rodriguez, Alvis") == 1


def test_the_two_drugs_hold():
    assert m_estimate(3, 3, 0.3, 10) == pytest.approx(0.46, abs=5e-3) and "0.46" in said("whose-p")
    assert m_estimate(160, 200, 0.3, 10) == pytest.approx(0.78, abs=5e-3) and "0.78" in said("whose-p")
    assert round(m_estimate(3, 3, 0.5, 10), 3) == 0.615 < m_estimate(160, 200, 0.5, 10)


def test_the_small_decision_flips_at_four():
    def scores(m):
        return 8 / 12 * m_estimate(1, 8, 0.5, m), 4 / 12 * m_estimate(2, 4, 0.5, m)

    assert (
        scores(4) == pytest.approx((1 / 6, 1 / 6))
        and scores(3.9)[0] < scores(3.9)[1]
        and scores(4.1)[0] > scores(4.1)[1]
    )
    for m, yes, no in ((2, 0.133, 0.167), (8, 0.208, 0.167)):
        assert scores(m) == pytest.approx((yes, no), abs=5e-4)
        assert f"{yes:.3f}" in said("flip-m", right=False) and f"{no:.3f}" in said("flip-m", right=False)
