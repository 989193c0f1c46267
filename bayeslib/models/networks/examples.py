"""The networks of the course, and data to learn them from. Docstrings give the source of the numbers."""

from itertools import product

from bayeslib.models._checks import one_of, true_or_false, whole_number
from bayeslib.models.networks._skeleton import network_of
from bayeslib.models.networks.network import BeliefNetwork

T, F = True, False


def storm():
    """Mitchell's storm net (sections 07 and 08): arrows and Campfire's table are the book's, the other tables are ours.

    >>> storm().variables
    ('Storm', 'Bus', 'Lightning', 'Thunder', 'Campfire', 'ForestFire')
    """
    return BeliefNetwork(
        parents={
            "Storm": [],
            "Bus": [],
            "Lightning": ["Storm"],
            "Thunder": ["Lightning"],
            "Campfire": ["Storm", "Bus"],
            "ForestFire": ["Storm", "Lightning", "Campfire"],
        },
        tables={
            "Storm": 0.2,
            "Bus": 0.5,
            "Lightning": {T: 0.6, F: 0.05},
            "Thunder": {T: 0.9, F: 0.1},
            "Campfire": {(T, T): 0.4, (T, F): 0.1, (F, T): 0.8, (F, F): 0.2},
            "ForestFire": {
                (T, T, T): 0.25,
                (T, T, F): 0.2,
                (T, F, T): 0.05,
                (T, F, F): 0.01,
                (F, T, T): 0.6,
                (F, T, F): 0.5,
                (F, F, T): 0.15,
                (F, F, F): 0.01,
            },
        },
    )


def dog():
    """The family's dog (sections 07 and 08): O everyone is out, B tummy trouble, L light on, D dog outside, H barking heard.

    The numbers are the lecture's, except P(L|O) = 0.3 and P(H|¬D) = 0.1, which it leaves out: those are ours.

    >>> dog().variables
    ('O', 'B', 'L', 'D', 'H')
    """
    return BeliefNetwork(
        parents={"O": [], "B": [], "L": ["O"], "D": ["O", "B"], "H": ["D"]},
        tables={
            "O": 0.6,
            "B": 0.3,
            "L": {T: 0.3, F: 0.6},
            "D": {(T, T): 0.05, (T, F): 0.1, (F, T): 0.1, (F, F): 0.2},
            "H": {T: 0.3, F: 0.1},
        },
    )


def family_out():
    """Charniak's dog (section 08), with the numbers that he published: the variables and arrows of `dog`.

    E. Charniak, Bayesian Networks without Tears, AI Magazine 12(4), 1991.

    >>> family_out().table("D")[True, False][True]
    0.9
    """
    return BeliefNetwork(
        parents={"O": [], "B": [], "L": ["O"], "D": ["O", "B"], "H": ["D"]},
        tables={
            "O": 0.15,
            "B": 0.01,
            "L": {T: 0.6, F: 0.05},
            "D": {(T, T): 0.99, (T, F): 0.9, (F, T): 0.97, (F, F): 0.3},
            "H": {T: 0.7, F: 0.01},
        },
    )


def burglary():
    """Russell and Norvig's burglar alarm (sections 07 and 08), with the book's numbers.

    >>> burglary().variables
    ('Burglary', 'Earthquake', 'Alarm', 'JohnCalls', 'MaryCalls')
    """
    return BeliefNetwork(
        parents={
            "Burglary": [],
            "Earthquake": [],
            "Alarm": ["Burglary", "Earthquake"],
            "JohnCalls": ["Alarm"],
            "MaryCalls": ["Alarm"],
        },
        tables={
            "Burglary": 0.001,
            "Earthquake": 0.002,
            "Alarm": {(T, T): 0.95, (T, F): 0.94, (F, T): 0.29, (F, F): 0.001},
            "JohnCalls": {T: 0.9, F: 0.05},
            "MaryCalls": {T: 0.7, F: 0.01},
        },
    )


def student():
    """The student net (sections 09 and 11): Study and Attend lead to Know, and Know to a good Exam and Homework.

    The arrows are the lecture's, the tables are ours.

    >>> student().variables
    ('S', 'A', 'K', 'E', 'H')
    """
    return BeliefNetwork(
        parents={"S": [], "A": [], "K": ["S", "A"], "E": ["K"], "H": ["K"]},
        tables={
            "S": 0.5,
            "A": 0.6,
            "K": {(T, T): 0.9, (T, F): 0.6, (F, T): 0.5, (F, F): 0.1},
            "E": {T: 0.8, F: 0.3},
            "H": {T: 0.7, F: 0.2},
        },
    )


def star(leaves=10, witnesses=False):
    """One hub with many leaves (section 08; numbers ours): eliminating the hub first needs one huge table.

    With `witnesses` each leaf has a child. Once those are observed, no leaf sums to 1 any more.

    >>> star(leaves=3, witnesses=True).variables
    ('Hub', 'Leaf1', 'Leaf2', 'Leaf3', 'Witness1', 'Witness2', 'Witness3')
    """
    whole_number(leaves, "leaves", 1, 1000)
    parents = {"Hub": [], **{f"Leaf{i}": ["Hub"] for i in range(1, leaves + 1)}}
    if true_or_false(witnesses, "witnesses"):
        parents |= {f"Witness{i}": [f"Leaf{i}"] for i in range(1, leaves + 1)}
    return BeliefNetwork(parents, {v: {T: 0.8, F: 0.3} if p else 0.5 for v, p in parents.items()})


def locked():
    """X and its near copy Y (section 08; numbers ours): each holds the other in place, and Gibbs sampling hardly moves.

    >>> locked().query("X", {"Y": True})[True]
    0.999
    """
    return BeliefNetwork({"X": [], "Y": ["X"]}, {"X": 0.5, "Y": {T: 0.999, F: 0.001}})


def heart_arrows(linked=True):
    """Arrows for the patients of `data.load_heart` (section 08; chosen by us), with or without those between tests.

    >>> heart_arrows()["ST"], heart_arrows(linked=False)["ST"]
    (['Disease', 'Angina'], ['Disease'])
    """
    parents = {"Age": [], "Sex": [], "Disease": ["Age", "Sex"], "Pain": ["Disease"], "Angina": ["Disease", "Pain"]}
    parents |= {
        "Rate": ["Disease", "Age"],
        "ST": ["Disease", "Angina"],
        "Scan": ["Disease", "Sex"],
        "Vessels": ["Disease"],
    }
    if not true_or_false(linked, "linked"):
        parents |= {v: ["Disease"] for v in ("Angina", "ST", "Scan")}
    return parents


def student_start():
    """Tables for the student net to begin EM with (section 11; numbers ours, chosen so that the lecture's .6 and .2 come out).

    >>> student_start().query("E")[True]
    0.5249999999999999
    """
    return student().with_tables(
        {
            "A": 0.5,
            "K": {(T, T): 0.9, (T, F): 0.7, (F, T): 0.8, (F, F): 0.2},
            "E": {T: 0.7, F: 0.2},
            "H": {T: 0.5, F: 0.5},
        }
    )


def student_holes():
    """The lecture's five rows of the student net with two holes (section 11): K in row 2, A in row 4.

    >>> student_holes()[1]
    {'S': 0, 'A': 1, 'K': None, 'E': 0, 'H': 1}
    """
    rows = [(1, 0, 1, 1, 0), (0, 1, None, 0, 1), (0, 1, 1, 0, 0), (0, None, 0, 1, 0), (1, 1, 1, 1, 1)]
    return [dict(zip("SAKEH", row)) for row in rows]


def november_nights():
    """Twenty nights of burglary B, earthquake E and alarm A (section 11; ours); B of the last, November 27, is unknown.

    >>> len(november_nights()), november_nights()[-1]
    (20, {'B': None, 'E': 0, 'A': 1})
    """
    counts = {(0, 0, 0): 12, (0, 0, 1): 1, (1, 0, 1): 2, (1, 0, 0): 1, (0, 1, 1): 2, (0, 1, 0): 1, (None, 0, 1): 1}
    return [dict(zip("BEA", night)) for night, times in counts.items() for _ in range(times)]


def november_start():
    """Tables for the nights, counted from the nineteen complete ones, E's from all twenty (section 11).

    No night has both a burglary and an earthquake: that row is one half.

    >>> november_start().table("A")[True, True]
    {True: 0.5, False: 0.5}
    """
    alarm = {(T, T): 0.5, (T, F): 2 / 3, (F, T): 2 / 3, (F, F): 1 / 13}
    return BeliefNetwork({"B": [], "E": [], "A": ["B", "E"]}, {"B": 3 / 19, "E": 3 / 20, "A": alarm})


def student_guess(kind="leaning"):
    """Tables for the student net to begin with when K is never seen (section 11; ours): "leaning", "mirrored" or "flat".

    >>> student_guess("flat").query("K")
    {True: 0.5, False: 0.5}
    """
    leanings = {"leaning": 1, "mirrored": -1, "flat": 0}
    lean = leanings[one_of(kind, "kind", leanings)]
    know = {(T, T): 0.2, (T, F): 0.1, (F, T): 0.1, (F, F): -0.2}
    effect = {T: 0.5 + 0.1 * lean, F: 0.5 - 0.1 * lean}
    tables = {"S": 0.5, "A": 0.5, "K": {key: 0.5 + lean * by for key, by in know.items()}, "E": effect, "H": effect}
    return student().with_tables(tables)


# Data for learning (section 09)


def typical_rows(net, n):
    """About n rows in the proportions that the network gives: round(n P) of each assignment; {variable: list of states}.

    >>> len(typical_rows(student(), 100)["K"])
    99
    """
    network_of(net), whole_number(n, "n", 1, 10**6)
    weights = (n * net.joint_table()).round().astype(int).ravel().tolist()
    return _columns(net.variables, zip(product(*net.states.values()), weights))


def either_or():
    """200 rows where A is, nine times in ten, B or E but not both (section 09; counts ours).

    >>> sum(either_or()["A"])
    100
    """
    return _columns("BEA", (((b, e, a), 45 if a == (b != e) else 5) for b, e, a in product((0, 1), repeat=3)))


def _columns(variables, counted):
    rows = [row for row, times in counted for _ in range(times)]
    return {v: [row[i] for row in rows] for i, v in enumerate(variables)}
