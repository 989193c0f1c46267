"""Directed acyclic graphs: order, d-separation and the paths behind it, Markov blankets (section 07), equivalence (09).

A graph is a mapping of every variable to its parents. `given` is what has been observed.
"""

from itertools import combinations, product
from typing import NamedTuple

from bayeslib.models._checks import among, names, sequence, short
from bayeslib.models.networks._arrows import checked, distinct, known, several

NONE_READY = object()
MOST_PATHS = 1000  # more than anybody looks at


def topological_order(parents, name="parents"):
    """Variables with parents before children, in the order given wherever that is allowed; a cycle is an error.

    >>> topological_order({"alarm": ["burglary", "earthquake"], "burglary": [], "earthquake": []})
    ['burglary', 'earthquake', 'alarm']
    """
    parents = checked(parents, name)
    order, placed, waiting = [], set(), list(parents)
    while waiting:
        ready = next((v for v in waiting if placed.issuperset(parents[v])), NONE_READY)
        if ready is NONE_READY:
            cycle = " → ".join(map(str, _cycle(parents, waiting)))
            raise ValueError(f"{name} must not form a directed cycle, got {cycle}")
        waiting.remove(ready)
        placed.add(ready)
        order.append(ready)
    return order


def ancestors(parents, variables):
    """The variables themselves and everything from which an arrow leads to them, directly or by steps.

    >>> sorted(ancestors({"a": [], "b": ["a"], "c": ["b"], "d": []}, ["c"]))
    ['a', 'b', 'c']
    """
    parents = checked(parents)
    found, waiting = set(), several(variables, "variables", parents)
    while waiting:
        variable = waiting.pop()
        if variable not in found:
            found.add(variable)
            waiting += parents[variable]
    return found


def children(parents):
    """The graph the other way round: every variable mapped to its children.

    >>> children({"a": [], "b": ["a"], "c": ["a"]})
    {'a': ('b', 'c'), 'b': (), 'c': ()}
    """
    parents = checked(parents)
    below = {variable: [] for variable in parents}
    for variable, own_parents in parents.items():
        for parent in own_parents:
            below[parent].append(variable)
    return {variable: tuple(own_children) for variable, own_children in below.items()}


def markov_blanket(parents, variable):
    """Parents, children and the children's other parents: given these, a variable is independent of all the rest.

    >>> markov_blanket({"a": [], "b": ["a"], "c": ["b", "d"], "d": [], "e": ["c"]}, "b")
    ('a', 'c', 'd')
    """
    parents = checked(parents)
    below = children(parents)[known(variable, parents, "variable")]
    blanket = {*parents[variable], *below, *(other for child in below for other in parents[child])}
    return tuple(v for v in parents if v in blanket - {variable})


def d_separated(parents, a, b, given=()):
    """Is every path between the sets a and b blocked by `given`? Then they must be independent (section 07).

    A path is blocked by an observed variable in a chain → · → or a fork ← · →, and by a collider → · ←
    if neither it nor anything below it is observed. The search walks along open paths only.

    >>> chain = {"a": [], "b": ["a"], "c": ["b"]}
    >>> d_separated(chain, {"a"}, {"c"}), d_separated(chain, {"a"}, {"c"}, given={"b"})
    (False, True)
    """
    parents = checked(parents)
    named = ((a, "a"), (b, "b"), (given, "given"))
    a, b, given = (set(several(group, name, parents)) for group, name in named)
    below = children(parents)
    opens = ancestors(parents, given)  # a collider in here is observed, or something below it is
    waiting, seen = [(variable, "from below") for variable in a], set()
    while waiting:
        variable, came = step = waiting.pop()
        if step in seen:
            continue
        seen.add(step)
        if variable in b:
            return False
        if variable not in given:
            waiting += [(child, "from above") for child in below[variable]]
        upwards = variable not in given if came == "from below" else variable in opens
        if upwards:
            waiting += [(parent, "from below") for parent in parents[variable]]
    return True


class Inner(NamedTuple):
    """A variable inside a path: how the arrows meet there, and whether it lets information through.

    >>> paths({"a": [], "b": [], "c": ["a", "b"]}, "a", "b")[0].inner[0].reason
    'collider unobserved'
    """

    variable: object
    kind: str  # "chain", "fork" or "collider"
    open: bool
    reason: str  # such as "chain observed", "collider unobserved", "collider opened by ForestFire"


class Path(NamedTuple):
    """One path between two variables, ignoring the direction of arrows; open if every inner variable is.

    >>> path = paths({"a": [], "b": [], "c": ["a", "b"]}, "a", "b", given=["c"])[0]
    >>> path.variables, path.open
    (('a', 'c', 'b'), True)
    """

    variables: tuple
    inner: tuple

    @property
    def open(self):
        return all(variable.open for variable in self.inner)

    @property
    def blocks(self):
        return tuple(variable for variable in self.inner if not variable.open)


def paths(parents, a, b, given=()):
    """Every simple path between the variables a and b, each with the state of its inner variables (section 07).

    Open paths come first, short ones before long ones. More than 1,000 paths are an error: too many to look at.

    >>> [(path.variables, path.open) for path in paths({"a": [], "b": ["a"], "c": ["b"]}, "a", "c", given=["b"])]
    [(('a', 'b', 'c'), False)]
    """
    parents = checked(parents)
    known(a, parents, "a"), known(b, parents, "b")
    below, given, complete = children(parents), set(several(given, "given", parents)), []
    observed_below = {v: [g for g in given if v in ancestors(parents, [g])] for v in parents}

    def inner(before, variable, after):
        into, out_of = before in parents[variable], after in parents[variable]
        kind = "collider" if into and out_of else "chain" if into or out_of else "fork"
        if kind != "collider":
            seen = variable in given
            return Inner(variable, kind, not seen, f"{kind} {'observed' if seen else 'unobserved'}")
        if variable in given:
            return Inner(variable, kind, True, "collider observed")
        opened_by = [v for v in parents if v in observed_below[variable]]
        reason = f"collider opened by {', '.join(map(str, opened_by))}" if opened_by else "collider unobserved"
        return Inner(variable, kind, bool(opened_by), reason)

    waiting = [(a,)]
    while waiting:
        path = waiting.pop()
        if path[-1] == b:
            complete.append(Path(path, tuple(inner(*path[i : i + 3]) for i in range(len(path) - 2))))
            if len(complete) > MOST_PATHS:
                raise ValueError(
                    f"a and b must have at most {MOST_PATHS} paths between them, {a!r} and {b!r} have more"
                )
            continue
        waiting += [path + (v,) for v in (*parents[path[-1]], *below[path[-1]]) if v not in path]
    return sorted(complete, key=lambda path: (not path.open, len(path.variables)))


def colliders(parents):
    """Every a → c ← b whose ends have no arrow between them, as (frozenset of the ends, c) (section 09).

    >>> [(sorted(ends), middle) for ends, middle in colliders({"a": [], "b": [], "c": ["a", "b"]})]
    [(['a', 'b'], 'c')]
    """
    parents = checked(parents)
    return {
        (frozenset(ends), v)
        for v, own_parents in parents.items()
        for ends in combinations(own_parents, 2)
        if not _linked(parents, *ends)
    }


def equivalent(parents, others):
    """Can both graphs represent the same distributions? They can if their links and their `colliders` are the same (section 09).

    >>> equivalent({"a": [], "b": ["a"]}, {"a": ["b"], "b": []})
    True
    """
    parents, others = checked(parents), checked(others, "others")
    links = [
        {frozenset((p, v)) for v, own_parents in graph.items() for p in own_parents} for graph in (parents, others)
    ]
    return parents.keys() == others.keys() and links[0] == links[1] and colliders(parents) == colliders(others)


def compelled(parents):
    """The arrows that point the same way in every `equivalent` graph; data can reverse none of them (section 09).

    These are the arrows into colliders, and all whose reversal would then make a new collider or a cycle (Meek's rules).

    >>> sorted(compelled({"a": [], "b": [], "c": ["a", "b"], "d": ["c"]}))
    [('a', 'c'), ('b', 'c'), ('c', 'd')]
    """
    parents = checked(parents)
    fixed = {(end, middle) for ends, middle in colliders(parents) for end in ends}
    arrows = {(p, v) for v, own_parents in parents.items() for p in own_parents}

    def follows(a, b):
        into = [c for c in parents[b] if (c, b) in fixed and c != a]
        beside = [c for c in into if _linked(parents, a, c) and (c, a) not in fixed]
        return (
            any((c, a) in fixed and not _linked(parents, c, b) for c in parents[a])
            or any((a, c) in fixed for c in into)
            or any(not _linked(parents, *pair) for pair in combinations(beside, 2))
        )

    while new := {arrow for arrow in arrows - fixed if follows(*arrow)}:
        fixed |= new
    return fixed


def every_graph(variables):
    """All acyclic graphs over a few variables: 3, 25, 543 and 29,281 of them for 2, 3, 4 and 5 (section 09).

    >>> sum(1 for _ in every_graph("abc"))
    25
    """
    variables = distinct(variables, "variables")
    pairs = list(combinations(variables, 2))
    for directions in product((None, 0, 1), repeat=len(pairs)):
        parents = {v: () for v in variables}
        for pair, direction in zip(pairs, directions):
            if direction is not None:
                parents[pair[1 - direction]] += (pair[direction],)
        try:
            topological_order(parents)
        except ValueError:
            continue
        yield parents


def _linked(parents, a, b):
    return a in parents[b] or b in parents[a]


def smallest_parents(parents, order):
    """For variables taken in this order, the fewest earlier ones that separate each from the earlier rest (section 07).

    Any order can represent the same joint distribution; orders against the arrows need more parents.

    >>> smallest_parents({"a": [], "b": ["a"]}, ["b", "a"])
    {'b': (), 'a': ('b',)}
    """
    parents = checked(parents)
    order = sequence(order, "order", "variables")
    if len(order) != len(parents) or not all(among(v, order) for v in parents):
        raise ValueError(f"order must name every variable once, {names(parents)} as in parents, got {short(order)}")
    chosen = {}
    for variable in order:
        needed = list(chosen)
        for other in list(chosen):
            rest = [v for v in needed if v != other]
            if d_separated(parents, {variable}, {other}, rest):
                needed = rest
        chosen[variable] = tuple(needed)
    return chosen


def _cycle(parents, stuck):
    """One directed cycle among variables that wait for each other, first variable repeated at the end."""
    path = [stuck[0]]
    while True:
        before = next(v for v in parents[path[-1]] if v in stuck)
        if before in path:
            return [*path[path.index(before) :], before][::-1]
        path.append(before)
