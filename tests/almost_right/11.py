"""Almost right answers to exercise 11, and right ones in another form."""

import math
from itertools import product


def _completions(parents, tables, row):
    holes, found = [name for name in row if row[name] is None], []
    for values in product((1, 0), repeat=len(holes)):
        full = {**row, **dict(zip(holes, values))}
        chances = [
            p if full[name] else 1 - p
            for name, p in ((name, tables[name][tuple(full[each] for each in parents[name])]) for name in parents)
        ]
        found.append((full, math.prod(chances)))
    return found


def counted(parents, tables, rows, child, key=None, guard=True, zeros=True, share=None, add=None):
    """Expected counts; what is given besides is done in place of the right thing."""
    key = key or (lambda full: tuple(full[each] for each in parents[child]))
    found = {values: [0.0, 0.0] for values in product((0, 1), repeat=len(parents[child]))} if zeros else {}
    for row in rows:
        strips = _completions(parents, tables, row)
        total = sum(weight for _, weight in strips)
        if total == 0:
            if guard is True:
                raise ValueError("impossible")
            if guard == "skip":
                continue
        weights = share(strips, total) if share else [weight / total for _, weight in strips]
        for (full, _), weight in zip(strips, weights):
            pair = found.setdefault(key(full), [0.0, 0.0])
            pair[1] += weight
            if (add or (lambda full, row: full[child]))(full, row):
                pair[0] += weight
    return found


def as_tuples(*case):
    return {values: tuple(pair) for values, pair in counted(*case).items()}


def by_the_joint_table(parents, tables, rows, child):
    """Right: every complete row, and which rows it fits."""
    names, found = list(parents), {values: [0.0, 0.0] for values in tables[child]}
    for row in rows:
        fits = [
            full
            for full, _ in _completions(parents, tables, dict.fromkeys(names))
            if all(row[n] in (None, full[n]) for n in names)
        ]
        chances = [_completions(parents, tables, full)[0][1] for full in fits]
        if not sum(chances):
            raise ValueError("no weight")
        for full, chance in zip(fits, chances):
            pair = found[tuple(full[each] for each in parents[child])]
            pair[0] += full[child] * chance / sum(chances)
            pair[1] += chance / sum(chances)
    return found


def in_alphabetical_order(parents, tables, rows, child):
    """The parents' values in another order than that of the list."""
    return counted(parents, tables, rows, child, key=lambda full: tuple(full[each] for each in sorted(parents[child])))


def in_order_of_the_network(parents, tables, rows, child):
    return counted(
        parents, tables, rows, child, key=lambda full: tuple(full[each] for each in parents if each in parents[child])
    )


def family_only(parents, tables, rows, child):
    """Only the child and its parents are asked; what lies below is forgotten."""
    family = [child, *parents[child]]
    above = set(family)
    while more := {each for name in above for each in parents[name]} - above:
        above |= more
    net = {name: parents[name] for name in parents if name in above}
    return counted(net, tables, [{name: row[name] for name in net} for row in rows], child)


def one_cell_at_a_time(parents, tables, rows, child):
    """The child's weight and its parents' are asked separately and multiplied."""
    found = {values: [0.0, 0.0] for values in tables[child]}
    for row in rows:
        strips = _completions(parents, tables, row)
        total = sum(weight for _, weight in strips)
        if total == 0:
            raise ValueError("impossible")
        one = sum(weight for full, weight in strips if full[child]) / total
        for full, weight in strips:
            pair = found[tuple(full[each] for each in parents[child])]
            pair[0] += one * weight / total
            pair[1] += weight / total
    return found


def each_row_once(parents, tables, rows, child):
    """Rows that occur twice are counted once."""
    return counted(parents, tables, list({repr(sorted(row.items())): row for row in rows}.values()), child)


def without_rows_all_empty(parents, tables, rows, child):
    return counted(parents, tables, [row for row in rows if set(row.values()) != {None}], child)


def filled(strips, total):
    best = max(weight for _, weight in strips)
    place = [weight for _, weight in strips].index(best)
    return [float(i == place) for i in range(len(strips))]


def climbed(parents, tables, rows, steps, empty=lambda old: old, guard=True, counts=counted, log=math.log):
    def value():
        totals = [sum(weight for _, weight in _completions(parents, tables, row)) for row in rows]
        if guard and min(totals) == 0:
            raise ValueError("impossible")
        return sum(log(total) for total in totals)

    climb = [value()]
    for _ in range(steps):
        new = {name: counts(parents, tables, rows, name) for name in parents}
        tables = {
            name: {values: a / b if b > 0 else empty(tables[name][values]) for values, (a, b) in new[name].items()}
            for name in new
        }
        climb.append(value())
    return {"tables": tables, "log_likelihood": climb}


def in_place(parents, tables, rows, steps):
    """Right, and the argument is changed."""
    end = climbed(parents, tables, rows, steps)
    for name in tables:
        tables[name].update(end["tables"][name])
    return {"tables": tables, "log_likelihood": end["log_likelihood"]}


def in_place_too_early(parents, tables, rows, steps):
    climb = [climbed(parents, tables, rows, 0)["log_likelihood"][0]]
    for _ in range(steps):
        for name in parents:
            for values, (a, b) in counted(parents, tables, rows, name).items():
                if b:
                    tables[name][values] = a / b
        climb += climbed(parents, tables, rows, 0)["log_likelihood"]
    return {"tables": tables, "log_likelihood": climb}


def smoothed(parents, tables, rows, steps):
    def counts(*case):
        return {values: [a + 1, b + 2] for values, (a, b) in counted(*case).items()}

    return climbed(parents, tables, rows, steps, counts=counts)


def without_the_last(parents, tables, rows, steps):
    """The list ends before the last step."""
    end = climbed(parents, tables, rows, steps)
    return end | {"log_likelihood": end["log_likelihood"][:-1]}


def without_the_start(parents, tables, rows, steps):
    end = climbed(parents, tables, rows, steps)
    return end | {"log_likelihood": end["log_likelihood"][1:]}


def per_row(parents, tables, rows, steps):
    end = climbed(parents, tables, rows, steps)
    return end | {"log_likelihood": [each / len(rows) for each in end["log_likelihood"]]}


def complete_rows_only(parents, tables, rows, steps):
    return climbed(parents, tables, [row for row in rows if None not in row.values()], steps)


def to_base_two(parents, tables, rows, steps):
    return climbed(parents, tables, rows, steps, log=math.log2)


def _data(student):
    found = data.titanic(student)  # noqa: F821
    return found["parents"], found["tables"], found["rows"]


def _kinds(rows):
    kinds = {}
    for row in rows:
        kinds.setdefault(tuple(row.values()), [row, 0])[1] += 1
    return kinds.values()


def _many(parents, tables, rows, child):
    """Expected counts, each kind of row once and then multiplied."""
    found = {values: [0.0, 0.0] for values in tables[child]}
    for row, number in _kinds(rows):
        for values, pair in counted(parents, tables, [row], child).items():
            found[values] = [old + number * new for old, new in zip(found[values], pair)]
    return found


def _end(student, steps=15, keep=lambda rows: rows):
    parents, tables, rows = _data(student)
    for _ in range(steps):
        new = {name: _many(parents, tables, keep(rows), name) for name in parents}
        tables = {
            name: {values: a / b if b else tables[name][values] for values, (a, b) in new[name].items()} for name in new
        }
    return tables


def boys(student, steps=15, keep=lambda rows: rows, asked=lambda row: row["C"] is None):
    parents, _, rows = _data(student)
    rows = [row for row in rows if asked(row)]
    return sum(a for a, _ in _many(parents, _end(student, steps, keep), rows, "C").values())


def boys_by_hand(student):
    """Right: in each group of T and V the share among the recorded."""
    rows, total = _data(student)[2], 0
    for t, v in product((0, 1), repeat=2):
        group = [row["C"] for row in rows if (row["T"], row["V"]) == (t, v)]
        known = [each for each in group if each is not None]
        total += group.count(None) * sum(known) / len(known)
    return total


def boys_by_class(student):
    rows, total = _data(student)[2], 0
    end = _end(student)["C"]
    for row in rows:
        total += end[row["T"],] if row["C"] is None else 0
    return total


def boys_by_one_share(student):
    values = [row["C"] for row in _data(student)[2]]
    known = [each for each in values if each is not None]
    return values.count(None) * sum(known) / len(known)


def slope(student, how):
    parents, tables, rows = _data(student)
    above, below = _many(parents, tables, rows, "C")[1,]
    return how(above, below, tables["C"][1,])


def slope_by_differences(student):
    """Right: two log-likelihoods a little apart."""
    parents, tables, rows = _data(student)

    def value(theta):
        changed = {**tables, "C": {**tables["C"], (1,): theta}}
        return sum(
            number * math.log(sum(w for _, w in _completions(parents, changed, row))) for row, number in _kinds(rows)
        )

    theta = tables["C"][1,]
    return (value(theta + 1e-5) - value(theta - 1e-5)) / 2e-5


ALMOST_RIGHT = {
    "expected_counts": {
        "right, in another form": counted,
        "right, with tuples": as_tuples,
        "right, by the joint table": by_the_joint_table,
        "parents in alphabetical order": in_alphabetical_order,
        "parents in the order of the network": in_order_of_the_network,
        "what lies below is forgotten": family_only,
        "one cell at a time": one_cell_at_a_time,
        "the same row twice counts once": each_row_once,
        "rows without any value left out": without_rows_all_empty,
        "the most probable completion": lambda *case: counted(*case, share=filled),
        "not divided by the sum": lambda *case: counted(
            *case, share=lambda strips, total: [weight for _, weight in strips]
        ),
        "all completions alike": lambda *case: counted(
            *case, share=lambda strips, total: [1 / len(strips)] * len(strips)
        ),
        "an impossible row left out": lambda *case: counted(*case, guard="skip"),
        "an impossible row divides by 0": lambda *case: counted(*case, guard=False),
        "no entry for what is never seen": lambda *case: counted(*case, zeros=False),
        "above only where the child was seen": lambda parents, tables, rows, child: counted(
            parents, tables, rows, child, add=lambda full, row: row[child]
        ),
    },
    "em": {
        "right, in another form": climbed,
        "right, and the argument is changed": in_place,
        "tables renewed one after the other": in_place_too_early,
        "an empty combination becomes 0": lambda *case: climbed(*case, empty=lambda old: 0.0),
        "an empty combination becomes one half": lambda *case: climbed(*case, empty=lambda old: 0.5),
        "no guard": lambda *case: climbed(*case, guard=False, log=lambda p: math.log(p) if p else -math.inf),
        "virtual rows": smoothed,
        "the list ends too early": without_the_last,
        "the list begins too late": without_the_start,
        "per row": per_row,
        "complete rows only": complete_rows_only,
        "in bits": to_base_two,
    },
    "boys": {
        "right": boys,
        "right, by hand": boys_by_hand,
        "right, three decimals": lambda student: round(boys(student), 3),
        "by class alone": boys_by_class,
        "one share for all": boys_by_one_share,
        "at the start": lambda student: boys(student, 0),
        "among all": lambda student: boys(student, asked=lambda row: True),
        "those recorded": lambda student: float(sum(row["C"] or 0 for row in _data(student)[2])),
    },
    "slope": {
        "right": lambda student: slope(student, lambda a, b, p: a / p - (b - a) / (1 - p)),
        "right, by differences": slope_by_differences,
        "counts": lambda student: slope(student, lambda a, b, p: a - (b - a)),
        "above alone": lambda student: slope(student, lambda a, b, p: a / p),
        "how far EM goes": lambda student: slope(student, lambda a, b, p: a / b - p),
        "below for the rest": lambda student: slope(student, lambda a, b, p: a / p - b / (1 - p)),
        "the other sign": lambda student: slope(student, lambda a, b, p: (b - a) / (1 - p) - a / p),
    },
}
