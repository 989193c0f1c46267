"""Exercise 07: what is asked, the reference answers, the hidden checks and the mistakes that have a name."""

from itertools import combinations

import data

from bayeslib.models.networks import graph


def _told(parents, a, given, connected):
    """The dict of the task: `connected(variable)` for every variable that is neither a nor seen."""
    return {v: "connected" if connected(v) else "separated" for v in parents if v != a and v not in given}


def _children(parents):
    found = {v: [] for v in parents}
    for v, theirs in parents.items():
        for p in theirs:
            found[p].append(v)
    return found


def _below(children, variable):
    """The variable itself and everything that arrows lead to."""
    found, waiting = {variable}, [variable]
    while waiting:
        for child in children[waiting.pop()]:
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _walked(opens, with_arrows=False):
    """News along the paths on which every inner variable lets it pass; `opens(children, v)`: what opens the collider v."""

    def news(parents, a, given):
        children, seen, reached, paths = _children(parents), set(given), set(), [(a,)]
        opened = {v for v in parents if opens(children, v) & seen}
        while paths:
            path = paths.pop()
            here, before = path[-1], path[-2] if len(path) > 1 else None
            for v in children[here] if with_arrows else (*parents[here], *children[here]):
                collider = before in parents[here] and v in parents[here]
                if v not in path and (before is None or (here in opened if collider else here not in seen)):
                    reached.add(v)
                    paths.append((*path, v))
        return _told(parents, a, given, reached.__contains__)

    return news


news = _walked(_below)


def _all_open(parents, a, given):
    """Connected only if every path is open."""

    def connected(v):
        found = graph.paths(parents, a, v, given)
        return bool(found) and all(path.open for path in found)

    return _told(parents, a, given, connected)


def _undirected(parents, a, given):
    """Cut only by what is seen, however the arrows meet."""
    children, reached, waiting = _children(parents), {a}, [a]
    while waiting:
        here = waiting.pop()
        for v in (*parents[here], *children[here]):
            if v not in reached:
                reached.add(v)
                waiting += [v] if v not in given else []
    return _told(parents, a, given, reached.__contains__)


def _moral(ancestors=True, married=True):
    """What is seen cuts the graph without directions: of the ancestors with their parents married, or with a part left out."""

    def news(parents, a, given):
        def connected(b):
            kept = graph.ancestors(parents, [a, b, *given]) | {a, b, *given} if ancestors else parents
            links = [{p, v} for v in kept for p in parents[v]]
            links += [set(pair) for v in kept for pair in combinations(parents[v], 2) if married]
            reached = {a}
            while more := {v for link in links if link & reached for v in link} - {*reached, *given}:
                reached |= more
            return b in reached

        return _told(parents, a, given, connected)

    return news


def _shortest_open(paths):
    return bool(paths) and min(paths, key=lambda path: len(path.variables)).open


def _neighbours(parents, a, given):
    return _told(parents, a, given, lambda v: a in parents[v] or v in parents[a])


def _unseen(parents, a, given):
    found = news(parents, a, [])
    return {v: found[v] for v in found if v not in given}


NEWS = {
    "blind-below: Not only the collider and its children count, but everything below it.": _walked(
        lambda children, v: {v, *children[v]}
    ),
    "blind-below": _walked(lambda children, v: {v}),
    "collider-shut": _walked(lambda children, v: set()),
    "collider-as-fork": _undirected,
    "fixed-independence": _unseen,
    "no-arrow": _neighbours,
    "with-arrows": _walked(_below, with_arrows=True),
    "One open path is enough: two variables are separated only if all paths are blocked.": _all_open,
}


def draw_graph(random, low=5, high=8, links=0.4):
    """An acyclic graph with one collider at least; neither the names nor their order in the dict say which is above."""
    names = [str(each) for each in random.permutation(list("ABCDEFGH"))[: random.integers(low, high)]]
    parents = {v: [u for u in names[:i] if random.random() < links] for i, v in enumerate(names)}
    parents[names[2]] = list(dict.fromkeys([*parents[names[2]], names[0], names[1]]))
    return {v: parents[v] for v in map(str, random.permutation(names))}


def _question(random, seen):
    parents = draw_graph(random, links=0.3)
    names = [str(each) for each in random.permutation(list(parents))]
    return parents, names[0], names[1 : 1 + seen]


def draw_unseen(random):
    return _question(random, 0)


def draw_seen(random):
    return _question(random, int(random.integers(1, 4)))


def draw_descendant(random):
    """Only something below a collider is seen: a child of it, or a child of that."""
    names = [str(each) for each in random.permutation(list("ABCDEFG"))]
    one, other, collider, child, grandchild, aside, lonely = names
    parents = {
        one: [aside],
        other: [],
        collider: [one, other],
        child: [collider],
        grandchild: [child],
        aside: [],
        lonely: [other] if random.random() < 0.5 else [],
    }
    seen = [child] if random.random() < 0.4 else [grandchild]
    asked = [one, other, aside][int(random.integers(3))]
    return {v: parents[v] for v in map(str, random.permutation(names))}, asked, seen


def _sets(parents, a, b):
    others = sorted(v for v in parents if v not in (a, b))
    for size in range(len(others) + 1):
        yield [list(given) for given in combinations(others, size)]


def _screen(place, connected=news):
    """Of the smallest sets that separate a and b the one at this place."""

    def screen(parents, a, b):
        for sets in _sets(parents, a, b):
            if good := [given for given in sets if connected(parents, a, given)[b] == "separated"]:
                return good[place]
        raise ValueError("no set separates them")

    return screen


def _guarded(choose):
    """A set by a rule of its own, where the two can be separated at all."""

    def screen(parents, a, b):
        if a in parents[b] or b in parents[a]:
            raise ValueError("neighbours")
        return sorted(set(choose(parents, a, b)) - {a, b})

    return screen


def _later_parents(parents, a, b):
    """The parents of the one that comes later: by rule (7.4) they separate it from its non-descendants."""
    return parents[a] if b in graph.ancestors(parents, [a]) else parents[b]


def _silent_neighbours(place):
    def screen(parents, a, b):
        return sorted(set(parents) - {a, b}) if a in parents[b] or b in parents[a] else _screen(place)(parents, a, b)

    return screen


TOO_LARGE = "This set separates the two, but a smaller one does too."


def _screens(place):
    return {
        "Another smallest set: of several, the alphabet decides.": _screen(-1 - place),
        TOO_LARGE: _guarded(_later_parents),
        "fixed-independence: Seeing everything else also opens paths, those through colliders.": _guarded(
            lambda parents, a, b: parents
        ),
        "collider-shut": _screen(place, NEWS["collider-shut"]),
        "co-parents": _guarded(lambda parents, a, b: {*parents[a], *_children(parents)[a]}),
        "collider-as-fork": _screen(place, NEWS["collider-as-fork"]),
        "Nothing separates two neighbours, so no set is right there.": _silent_neighbours(place),
    }


def draw_small(random):
    """Two variables that one other separates, or nothing has to be seen."""
    while True:
        parents = draw_graph(random, 4, 7, 0.3)
        a, b = map(str, random.permutation(list(parents))[:2])
        if not (a in parents[b] or b in parents[a]) and len(_screen(0)(parents, a, b)) < 2:
            return parents, a, b


def draw_large(random):
    """Two variables that take more, sometimes in several ways, or that nothing separates."""
    while True:
        parents = draw_graph(random, 5, 8, 0.55)
        a, b = map(str, random.permutation(list(parents))[:2])
        linked = a in parents[b] or b in parents[a]
        if (linked and random.random() < 0.2) or (not linked and len(_screen(0)(parents, a, b)) > 1):
            return parents, a, b


def silent(student):
    one, other, none = data.alarm(student).values()
    return one * other / none


def _additive(student):
    one, other, none = data.alarm(student).values()
    return one + other - none


def _for_silence(student):
    """What the cell must be for the causes to stay apart when the alarm does not ring."""
    one, other, none = data.alarm(student).values()
    return 1 - (1 - one) * (1 - other) / (1 - none)


def _noisy_or(student):
    one, other, _ = data.alarm(student).values()
    return 1 - (1 - one) * (1 - other)


def _product(student):
    one, other, _ = data.alarm(student).values()
    return one * other


def _count(student, **wanted):
    place = {"gender": 0, "dept": 1, "outcome": 2}
    table = data.applicants(student)
    return sum(n for key, n in table.items() if all(key[place[name]] == state for name, state in wanted.items()))


def _share(rate, weight):
    """Σ weight(dept) · rate(dept) over the departments; both get the function that counts."""

    def share(student):
        def count(**wanted):
            return _count(student, **wanted)

        depts = sorted({dept for _, dept, _ in data.applicants(student)})
        return sum(weight(count, dept, depts) * rate(count, dept) for dept in depts)

    return share


def _rate(count, dept):
    return count(dept=dept, outcome="Admitted") / count(dept=dept)


def _rate_of(gender):
    return lambda count, dept: count(gender=gender, dept=dept, outcome="Admitted") / count(gender=gender, dept=dept)


def _of(gender):
    return lambda count, dept, depts: count(gender=gender, dept=dept) / count(gender=gender)


def _of_all(count, dept, depts):
    return count(dept=dept) / count()


def _evenly(count, dept, depts):
    return 1 / len(depts)


chain_share = _share(_rate, _of("Female"))

STORM = {"S": [], "B": [], "L": ["S"], "T": ["L"], "C": ["S", "B"], "F": ["S", "L", "C"]}
KITCHEN = {
    "Call": ["Alarm"],
    "Alarm": ["Smoke", "Steam"],
    "Cough": ["Smoke"],
    "Steam": [],
    "Bill": ["Call"],
    "Smoke": [],
}
KITCHEN |= {"Radio": []}
# B is a collider on one path and a link of a chain on another
BOTH = {"D": ["B"], "E": ["A", "D"], "B": ["A", "C"], "A": [], "C": []}
SQUARE = {"Z": ["B", "C"], "C": ["A"], "B": ["A"], "A": []}
SHIELD = {"Y": ["P", "Q"], "W": ["X", "Y"], "X": ["Q", "P"], "Q": [], "P": [], "V": ["W"]}
WIDE = {"Z": ["D", "B", "C"], "D": ["A"], "C": ["A"], "B": ["A"], "A": []}
LONG = {"E": ["D"], "D": ["C"], "C": ["B"], "B": ["A"], "A": []}

TASKS = {
    "news": {
        "kind": "function",
        "points": 3,
        "arguments": "parents, a, given",
        "solve": news,
        "cases": [
            (STORM, "T", []),
            (STORM, "T", ["S"]),
            (STORM, "B", []),
            (STORM, "B", ["C"]),
            (STORM, "B", ["F"]),
            (STORM, "L", ["S", "F"]),
            (KITCHEN, "Cough", ["Call"]),
            (KITCHEN, "Steam", ["Bill"]),
            (KITCHEN, "Smoke", ["Alarm"]),
            (BOTH, "A", ["B"]),
            (BOTH, "C", ["E"]),
            (SQUARE, "C", ["Z"]),
            (SQUARE, "A", ["B"]),
            ({"A": ["C", "P"], "C": ["P", "Q"], "P": [], "Q": []}, "A", ["C"]),
        ],
        "checks": [
            {"says": "nothing seen", "points": 1, "draw": draw_unseen, "times": 6},
            {"says": "one to three variables seen", "points": 1, "draw": draw_seen, "times": 10},
            {"says": "something below a collider seen", "points": 1, "draw": draw_descendant, "times": 8},
        ],
        "mistakes": NEWS,
        "almost_right": {
            "the moral graph": _moral(),
            "parents not married": _moral(married=False),
            "the moral graph of all": _moral(ancestors=False),
            "the shortest path alone": lambda parents, a, given: _told(
                parents, a, given, lambda v: _shortest_open(graph.paths(parents, a, v, given))
            ),
        },
        "read": "When are all paths blocked?",
        "hint": "Extend paths from `a`, one neighbour at a time, and look at each variable that a path goes through: do both arrows point at it? What has to be seen, or not seen, there? A variable can be passed in one way and block in another.",
        "right": "Chain and fork, collider and descendant: you know where news can go.",
    },
    "screen": {
        "kind": "function",
        "builds_on": "news",
        "points": 2,
        "arguments": "parents, a, b",
        "solve": _screen(0),
        "cases": [
            (LONG, "A", "C"),
            (SQUARE, "A", "Z"),
            (LONG, "A", "E"),
            (WIDE, "Z", "A"),
            (STORM, "S", "B"),
            (STORM, "T", "F"),
            (STORM, "B", "F"),
            (SHIELD, "X", "Y"),
            (SHIELD, "P", "V"),
            ({"C": ["B"], "B": ["A"], "A": []}, "B", "C"),
        ],
        "checks": [
            {"says": "nothing or one variable to be seen", "points": 1, "draw": draw_small, "times": 8},
            {"says": "two variables or more, or no way at all", "points": 1, "draw": draw_large, "times": 10},
        ],
        "mistakes": _screens(0),
        "almost_right": {
            "one at least": lambda *case: _screen(0)(*case) or None,
            "two at most": lambda *case: found if len(found := _screen(0)(*case)) < 3 else None,
        },
        "read": "When are all paths blocked?",
        "hint": "Try all sets, small ones first: `itertools.combinations` of the sorted names gives those of one size in alphabetical order. Your `news` says whether a set does it.",
        "right": "No more than necessary is seen, and no collider is opened.",
        "variants": [{}, {"solve": _screen(-1), "mistakes": _screens(-1)}],
    },
    "silent": {
        "kind": "number",
        "points": 1,
        "solve": silent,
        "varies": True,
        "probability": True,
        "mistakes": {
            "differences-for-ratios": _additive,
            "other-state": _for_silence,
            "Independent ways to ring, each of which can set off the alarm alone, do not make the causes independent once it rings.": _noisy_or,
            "The alarm also rings without smoke and steam: compare both products of the diagonals.": _product,
        },
        "read": "Do causes always compete? · more",
        "hint": "Given the ringing, the odds of smoke must be the same with steam and without it. Write both, and set them equal.",
        "right": "The path is open, and yet no news comes through.",
    },
    "chain_share": {
        "kind": "number",
        "points": 1,
        "solve": chain_share,
        "varies": True,
        "probability": True,
        "mistakes": {
            "This is the share that was observed. Without an arrow from Gender, the table of Admit has one row for each department, for men and women alike.": _share(
                _rate_of("Female"), _of("Female")
            ),
            "Departments count by how many women applied to them: the table of Dept is given Gender.": _share(
                _rate, _of_all
            ),
            "Departments differ in size: weight each by the share of the women who applied to it.": _share(
                _rate, _evenly
            ),
            "This is the share for the men.": _share(_rate, _of("Male")),
            "The table of Admit comes from all applicants of a department, not from the men alone.": _share(
                _rate_of("Male"), _of("Female")
            ),
            "other-answer": lambda student: 1 - chain_share(student),
        },
        "read": "Who survived, and who was admitted? · more",
        "hint": "Add up over the departments: P(department | Female) times P(Admitted | department), each from its own counts.",
        "right": "That is what the missing arrow claims; the counts say how far it is right.",
    },
    "reading": {
        "kind": "choice",
        "points": 1,
        "options": {
            "A": "An arrow leads from MaryCalls to Alarm, so this network claims that her call sets off the alarm; it cannot have the distribution of the lesson's network.",
            "B": "This network has two arrows more than the lesson's, so its tables need two numbers more; which variables the arrows join makes no difference to that.",
            "C": "Earthquake and MaryCalls are joined by an arrow, so even if the state of the alarm is known, an earthquake changes the belief in a call, whatever the tables say.",
            "D": "Its tables need three numbers more than the lesson's, and it claims that a call from Mary tells nothing about a burglary once Alarm and Earthquake are known.",
        },
        "solve": "D",
        "mistakes": {"A": "arrow-cause", "B": "arc-count", "C": "open-dependent"},
        "read": "What does a bad order cost? · more",
        "hint": "Count the rows of each table: they double with every parent. Which paths lead from MaryCalls to Burglary, and what blocks each of them?",
        "right": "The same distribution, at a higher price.",
    },
    "why": {
        "kind": "explanation",
        "points": 2,
        "rubric": [
            "1 point: Age → Exercise and Age → Diabetes, a fork that holding the age fixed closes; Exercise → Patient ← Diabetes, a collider that is seen in all these data, so that path is open. (In words or arrows.)",
            "1 point: among patients the two are connected although they are not in the town (those who exercise less have diabetes more often; 'they look dependent' is enough), and she needs people who were not selected as patients, with the age held fixed. Accepted: a sample of the town, or of people who do not come to the hospital as well.",
        ],
    },
}
