"""The practice tasks of section 09. A mistake is a function that errs in a known way, so that its name can be told."""

from itertools import combinations
from math import log, log2

from bayeslib.models.networks import FamilyScores, counts, graph

ROWS = [
    dict(zip("SAKEH", row))
    for row in ((1, 0, 1, 1, 0), (0, 1, 0, 0, 1), (0, 1, 1, 0, 0), (0, 0, 0, 1, 0), (1, 1, 1, 1, 1))
]


def _family(rows, child, parents):
    """The counts of one family, as {parents' states: {state: count}}."""
    variables = (*parents, child)
    structure = {**{p: () for p in parents}, child: parents}
    data = {v: [row[v] for row in rows] for v in variables}
    return counts(structure, data, states={v: (0, 1) for v in variables})


def _table(estimate):
    """P(child = 1 | parents) for all combinations: `estimate(n_c, n, N, m)` for each."""

    def table(rows, child, parents, m):
        tallied = _family(rows, child, parents).table(child)
        return {key: estimate(row[1], row[0] + row[1], len(rows), m) for key, row in tallied.items()}

    return table


def _fitted(rows, child, parents, m):
    fitted = _family(rows, child, parents).network("m", m=m).table(child)
    return {key: row[1] for key, row in fitted.items()}


def _score(kind):
    def score(rows, child, parents):
        variables = (*parents, child)
        data = {v: [row[v] for row in rows] for v in variables}
        return FamilyScores.from_data(data, kind, {v: (0, 1) for v in variables})(child, parents)

    return score


def _charged(price, base=log):
    """Fit minus a price: `price(number of parents)` in units of ½ ln n."""

    def score(rows, child, parents):
        fit = _score("mle")(rows, child, parents) / log(2) * base(2)
        return fit - 0.5 * base(len(rows)) * price(len(parents))

    return score


def _links(parents):
    return {frozenset((p, v)) for v in parents for p in parents[v]}


def _meetings(parents):
    return {(frozenset(pair), v) for v in parents for pair in combinations(parents[v], 2)}


CHAIN, FORK, COLLIDER = (
    {"B": [], "A": ["B"], "E": ["A"]},
    {"B": ["A"], "A": [], "E": ["A"]},
    {"B": [], "A": ["B", "E"], "E": []},
)
STUDENT = {"S": [], "A": [], "K": ["S", "A"], "E": ["K"], "H": ["K"]}

TASKS = {
    "fit-table": {
        "arguments": "rows, child, parents, m",
        "cases": [
            (ROWS, "K", ("S", "A"), 2),
            (ROWS, "K", ("S", "A"), 0),
            (ROWS, "E", ("K",), 0),
            (ROWS, "S", (), 2),
            (ROWS[:3], "K", ("S", "A"), 2),
            (ROWS[:3], "K", ("S", "A"), 0),
        ],
        "solve": _fitted,
        "right": "Only the rows with the right parents have a say, and a pile without rows gives no answer.",
        "hint": "For each combination: n rows have these parents, n_c of them have child = 1. Then section 06: m virtual rows, half of them hits.",
        "mistakes": {
            "share-of-all": _table(lambda n_c, n, total, m: (n_c + m / 2) / (total + m)),
            "add-above-only": _table(lambda n_c, n, total, m: (n_c + m / 2) / n),
            "forget-p": _table(lambda n_c, n, total, m: (n_c + m) / (n + m)),
            "unseen-zero": _table(lambda n_c, n, total, m: n_c / n if n else 0.0),
        },
    },
    "family-bic": {
        "arguments": "rows, child, parents",
        "cases": [(ROWS, "K", ("S", "A")), (ROWS, "E", ("K",)), (ROWS, "S", ()), (ROWS * 8, "H", ("K", "S", "A"))],
        "solve": _score("bic"),
        "right": "The sum of these over all families is the BIC of a drawing.",
        "hint": "Σ N_jx ln(N_jx / N_j) over the cells that are not empty, minus ½ ln n for each of the 2^(number of parents) lines.",
        "mistakes": {
            "fit-best": _score("mle"),
            "sign-flip": lambda rows, child, parents: -_score("bic")(rows, child, parents),
            "The scores here use natural logarithms; one bit is 0.693 nats.": _charged(
                lambda parents: 2**parents, log2
            ),
            "arrow-price": _charged(lambda parents: parents),
            "dependent-numbers": _charged(lambda parents: 2 * 2**parents),
        },
    },
    "equivalent": {
        "arguments": "first, second",
        "cases": [
            (CHAIN, FORK),
            (CHAIN, COLLIDER),
            ({"B": [], "E": ["B"], "A": ["B", "E"]}, {"A": [], "B": ["A"], "E": ["A", "B"]}),
            (STUDENT, {**STUDENT, "S": ["K"], "K": ["A"]}),
            (STUDENT, STUDENT),
            (CHAIN, {**CHAIN, "E": []}),
        ],
        "solve": graph.equivalent,
        "right": "Same links and same colliders: observed rows cannot tell the two apart.",
        "hint": "Collect the links without direction, and the colliders a → c ← b whose ends a and b are not linked. Both must agree.",
        "mistakes": {
            "every-collider": lambda a, b: _links(a) == _links(b) and _meetings(a) == _meetings(b),
            "same-arrows": lambda a, b: {v: set(a[v]) for v in a} == {v: set(b[v]) for v in b},
            "same-links": lambda a, b: _links(a) == _links(b),
        },
    },
}
