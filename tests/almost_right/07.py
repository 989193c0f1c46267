"""Almost right answers to exercise 07."""

from itertools import combinations


def _children(parents):
    return {v: [child for child in parents if v in parents[child]] for v in parents}


def _below(parents, v):
    found, waiting = {v}, [v]
    while waiting:
        for child in _children(parents)[waiting.pop()]:
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def _told(parents, a, given, connected):
    return {v: "connected" if v in connected else "separated" for v in parents if v != a and v not in given}


def _paths(parents, a):
    paths, found = [[a]], []
    while paths:
        path = paths.pop()
        found.append(path)
        paths += [[*path, v] for v in parents[path[-1]] + _children(parents)[path[-1]] if v not in path]
    return found


def _open(parents, path, given, opened, depth=None):
    for before, v, after in zip(path, path[1:], path[2:]):
        if before in parents[v] and after in parents[v]:
            if not opened(parents, v) & set(given):
                return False
        elif v in given:
            return False
    return True


def all_paths(parents, a, given):
    found = {path[-1] for path in _paths(parents, a) if _open(parents, path, given, _below)}
    return _told(parents, a, given, found)


def ball(parents, a, given, both_ways=True):
    """Walks along open paths and remembers the variable and the direction that it came from."""
    above = set()
    for v in parents:
        if _below(parents, v) & set(given):
            above.add(v)
    waiting, seen, found = [(a, "up")], set(), set()
    while waiting:
        v, way = waiting.pop()
        key = (v, way) if both_ways else v
        if key in seen:
            continue
        seen.add(key)
        if v not in given:
            found.add(v)
        if way == "up" and v not in given:
            waiting += [(p, "up") for p in parents[v]] + [(c, "down") for c in _children(parents)[v]]
        if way == "down":
            if v not in given:
                waiting += [(c, "down") for c in _children(parents)[v]]
            if v in above:
                waiting += [(p, "up") for p in parents[v]]
    return _told(parents, a, given, found)


def moral(parents, a, given, marry=True, ancestral=True):
    """The moral graph of the ancestors, cut at what is seen."""
    found = set()
    for b in parents:
        if b == a or b in given:
            continue
        keep = {v for v in parents if not ancestral or _below(parents, v) & {a, b, *given}}
        links = {frozenset((p, v)) for v in keep for p in parents[v] if p in keep}
        if marry:
            links |= {frozenset(pair) for v in keep for pair in combinations(parents[v], 2) if set(pair) <= keep}
        reached, waiting = {a}, [a]
        while waiting:
            v = waiting.pop()
            for link in links:
                if v in link:
                    (other,) = link - {v}
                    if other not in reached and other not in given:
                        reached.add(other)
                        waiting.append(other)
        if b in reached:
            found.add(b)
    return _told(parents, a, given, found)


def visited_once(parents, a, given):
    return ball(parents, a, given, both_ways=False)


def _by_path(opened):
    return lambda parents, a, given: _told(
        parents, a, given, {path[-1] for path in _paths(parents, a) if _open(parents, path, given, opened)}
    )


def one_path_only(parents, a, given):
    """Judges the first path that it meets to each variable."""
    first = {}
    for path in sorted(_paths(parents, a), key=len):
        first.setdefault(path[-1], path)
    return _told(parents, a, given, {v for v, path in first.items() if _open(parents, path, given, _below)})


def all_must_be_open(parents, a, given):
    shut = {path[-1] for path in _paths(parents, a) if not _open(parents, path, given, _below)}
    there = {path[-1] for path in _paths(parents, a)}
    return _told(parents, a, given, there - shut)


def with_itself(parents, a, given):
    return {**all_paths(parents, a, given), a: "connected"}


def with_the_seen(parents, a, given):
    return {**all_paths(parents, a, given), **dict.fromkeys(given, "separated")}


def without_the_separated(parents, a, given):
    return {v: state for v, state in all_paths(parents, a, given).items() if state == "connected"}


def true_or_false(parents, a, given):
    return {v: state == "connected" for v, state in all_paths(parents, a, given).items()}


def without_the_collider_itself(parents, v):
    return _below(parents, v) - {v}


def above_the_collider(parents, v):
    return {u for u in parents if v in _below(parents, u)}


def stops_at_a_second_collider(parents, a, given):
    def colliders(path):
        return sum(b in parents[v] and c in parents[v] for b, v, c in zip(path, path[1:], path[2:]))

    found = {path[-1] for path in _paths(parents, a) if _open(parents, path, given, _below) and colliders(path) < 2}
    return _told(parents, a, given, found)


def parents_stand_first(parents, a, given):
    """Takes a variable that comes later in the dict for a descendant or none at all."""
    order = list(parents)

    def opened(parents, v):
        found = {v}
        for each in order[order.index(v) :]:
            if set(parents[each]) & found:
                found.add(each)
        return found

    return _by_path(opened)(parents, a, given)


def _screen(names, sizes=None, pick=lambda good: good[0], connected=all_paths):
    def screen(parents, a, b):
        others = names(v for v in parents if v not in (a, b))
        for size in sizes(others) if sizes else range(len(others) + 1):
            good = [list(s) for s in combinations(others, size) if connected(parents, a, list(s))[b] == "separated"]
            if good:
                return pick(good)
        raise ValueError

    return screen


def over_masks(parents, a, b):
    others = sorted(set(parents) - {a, b})
    sets = [[v for place, v in enumerate(others) if mask >> place & 1] for mask in range(2 ** len(others))]
    good = [each for each in sets if ball(parents, a, each)[b] == "separated"]
    if not good:
        raise ValueError
    return min(good, key=lambda each: (len(each), each))


def over_masks_unordered(parents, a, b):
    others = sorted(set(parents) - {a, b})
    sets = [[v for place, v in enumerate(others) if mask >> place & 1] for mask in range(2 ** len(others))]
    good = [each for each in sets if ball(parents, a, each)[b] == "separated"]
    if not good:
        raise ValueError
    return min(good, key=len)


def a_tuple(parents, a, b):
    return tuple(over_masks(parents, a, b))


def no_value_error(parents, a, b):
    try:
        return over_masks(parents, a, b)
    except ValueError:
        return None


def empty_for_neighbours(parents, a, b):
    try:
        return over_masks(parents, a, b)
    except ValueError:
        return []


def one_at_least(parents, a, b):
    return _screen(sorted, sizes=lambda others: range(1, len(others) + 1))(parents, a, b)


def two_at_most(parents, a, b):
    return _screen(sorted, sizes=lambda others: range(min(3, len(others) + 1)))(parents, a, b)


def one_by_one(parents, a, b):
    """Sees more until it is enough, and never takes one back."""
    given = []
    for v in sorted(set(parents) - {a, b}):
        if all_paths(parents, a, given)[b] == "separated":
            return given
        given.append(v)
    if all_paths(parents, a, given)[b] == "separated":
        return given
    raise ValueError


def thrown_out(parents, a, b):
    """Begins with everything and takes out what is not needed."""
    given = sorted(set(parents) - {a, b})
    for v in list(given):
        rest = [each for each in given if each != v]
        if all_paths(parents, a, rest)[b] == "separated":
            given = rest
    if all_paths(parents, a, given)[b] != "separated":
        raise ValueError
    return given


def parents_of_both(parents, a, b):
    if a in parents[b] or b in parents[a]:
        raise ValueError
    return sorted({*parents[a], *parents[b]})


def unsorted(parents, a, b):
    return over_masks(parents, a, b)[::-1]


def _alarm(student):
    return data.alarm(student).values()  # noqa: F821


def _counted(student, gender=None, dept=None, outcome=None):
    table = data.applicants(student)  # noqa: F821
    wanted = (gender, dept, outcome)
    return sum(n for key, n in table.items() if all(w in (None, k) for w, k in zip(wanted, key)))


def _depts(student):
    return sorted({dept for _, dept, _ in data.applicants(student)})  # noqa: F821


def _by_hand(student):
    total = 0
    for dept in _depts(student):
        rate = _counted(student, None, dept, "Admitted") / _counted(student, None, dept)
        total += _counted(student, "Female", dept) * rate
    return total / _counted(student, "Female")


def _once(end):
    """A search that passes each variable only the first time that it comes by."""

    def news(parents, a, given):
        children, queue, seen = _children(parents), [(a, "up")], {a}
        open_below = set(given)
        while more := {p for v in open_below for p in parents[v]} - open_below:
            open_below |= more
        while queue:
            v, way = queue.pop(end)
            up = way == "up" and (v == a or v not in given) or way == "down" and v in open_below
            down = v not in given
            steps = [(p, "up") for p in parents[v] if up] + [(c, "down") for c in children[v] if down]
            for w, how in steps:
                if w not in seen:
                    seen.add(w)
                    queue.append((w, how))
        others = [v for v in parents if v != a and v not in given]
        return {v: "connected" if v in seen else "separated" for v in others}

    return news


ALMOST_RIGHT = {
    "news": {
        "all paths": all_paths,
        "a ball that rolls": ball,
        "the moral graph": moral,
        "every variable once, first in first out": _once(0),
        "every variable once, last in first out": _once(-1),
        "every variable once": visited_once,
        "colliders without descendants": _by_path(lambda parents, v: {v}),
        "colliders and their children": _by_path(lambda parents, v: {v, *_children(parents)[v]}),
        "below the collider only": _by_path(without_the_collider_itself),
        "above the collider": _by_path(above_the_collider),
        "one path to each": one_path_only,
        "all paths must be open": all_must_be_open,
        "itself too": with_itself,
        "the seen too": with_the_seen,
        "only the connected": without_the_separated,
        "True and False": true_or_false,
        "parents not married": lambda *case: moral(*case, marry=False),
        "the moral graph of all": lambda *case: moral(*case, ancestral=False),
        "one collider at most": stops_at_a_second_collider,
        "parents before children": parents_stand_first,
    },
    "screen": {
        "masks": over_masks,
        "a tuple": a_tuple,
        "combinations": _screen(sorted),
        "as the dict has them": _screen(list),
        "the last of ties": _screen(sorted, pick=lambda good: good[-1]),
        "masks, any of ties": over_masks_unordered,
        "None for neighbours": no_value_error,
        "[] for neighbours": empty_for_neighbours,
        "one at least": one_at_least,
        "two at most": two_at_most,
        "one after another": one_by_one,
        "thrown out": thrown_out,
        "the parents of both": parents_of_both,
        "backwards": unsorted,
        "without descendants": _screen(sorted, connected=_by_path(lambda parents, v: {v})),
    },
    "silent": {
        "the product of the ratios": lambda student: (lambda o, p, n: n * (o / n) * (p / n))(*_alarm(student)),
        "three digits": lambda student: round((lambda o, p, n: o * p / n)(*_alarm(student)), 3),
        "a sum": lambda student: (lambda o, p, n: o + p - n)(*_alarm(student)),
        "noisy-or": lambda student: (lambda o, p, n: 1 - (1 - o) * (1 - p))(*_alarm(student)),
        "noisy-or with a leak": lambda student: (lambda o, p, n: 1 - (1 - o) * (1 - p) / (1 - n))(*_alarm(student)),
        "no division": lambda student: (lambda o, p, n: o * p)(*_alarm(student)),
    },
    "chain_share": {
        "by hand": _by_hand,
        "three digits": lambda student: round(_by_hand(student), 3),
        "observed": lambda student: _counted(student, "Female", None, "Admitted") / _counted(student, "Female"),
        "of all": lambda student: _counted(student, None, None, "Admitted") / _counted(student),
        "the complement": lambda student: 1 - _by_hand(student),
        "the mean of the departments": lambda student: (
            sum(_counted(student, None, dept, "Admitted") / _counted(student, None, dept) for dept in _depts(student))
            / len(_depts(student))
        ),
    },
}
