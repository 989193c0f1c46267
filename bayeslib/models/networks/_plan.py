"""Sums of products as short lists of einsum calls: elimination orders, plans, the junction tree. Variables are numbers here.

A plan is a list of steps (subscripts, inputs, below, ones). The inputs count first the factors that a plan starts from, then
the results of earlier steps; the last result is the answer. `below` is the bit set of all factors that went into the result,
`ones` a table of its shape. `run` is all it takes to follow a plan. This is the fast path of `BeliefNetwork.query` and
`.marginals`; the same sums step by step, for reading, are in `elimination`.
"""

from functools import cached_property
from math import log, log2, prod

import numpy as np

# Without numpy's check for foreign array types (__array_function__), which costs as much as a small sum.
einsum = getattr(np.einsum, "__wrapped__", np.einsum)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_OPERANDS = 20  # factors in one einsum: numpy allows 64, and twenty small numbers do not underflow
MAX_ENTRIES = 2**25  # entries of the largest table in exact inference: a quarter of a gigabyte, a second or two
ALL = -1  # every bit is set
WHOLE_AXIS = slice(None)  # as an index
TINY = 1e-100  # a probability of evidence below this is too close to underflow to be trusted


def check_width(size):
    """Refuse a table that would not fit in memory, before it is made."""
    if size > MAX_ENTRIES:
        raise ValueError(
            f"this network is too wide for exact inference: it needs a table of {size:.3g} entries "
            f"({8 * size / 2**30:.3g} GiB), the limit is {MAX_ENTRIES:.3g}. Estimate the answer by sampling instead: "
            "bayeslib.models.networks.likelihood_weighting or gibbs_sampling"
        )


def subscripts(scopes, out):
    """einsum's notation: subscripts([(3, 7), (7,)], (3,)) is "ab,b->a"."""
    letter = {}
    for scope in scopes:
        for v in scope:
            if v not in letter:
                letter[v] = LETTERS[len(letter)]
    words = ["".join([letter[v] for v in scope]) for scope in (*scopes, out)]
    return ",".join(words[:-1]) + "->" + words[-1]


def union(scopes):
    return tuple(dict.fromkeys(v for scope in scopes for v in scope))


def contract(arrays, scopes, out, einsum=einsum):
    """The product of some factors, summed over every variable that is not in `out`; with `log_einsum` all in logarithms."""
    plan = Plan(scopes, {v: n for scope, array in zip(scopes, arrays) for v, n in zip(scope, np.shape(array))})
    plan.add(range(len(arrays)), out)
    return run(plan.steps, arrays, einsum=einsum)


class Plan:
    """A plan under construction: `scopes` of all factors and results so far, and the `steps`."""

    def __init__(self, scopes, cards):
        self.scopes, self.cards, self.steps = list(scopes), cards, []
        self.below = [1 << i for i in range(len(self.scopes))]  # which factors went into each result, as bits

    def add(self, inputs, out):
        """Multiply these inputs, keep the variables `out`, and return the number of the result."""
        inputs = list(inputs)
        while len(inputs) > MAX_OPERANDS:
            some, inputs = inputs[:MAX_OPERANDS], inputs[MAX_OPERANDS:]
            inputs.append(self._step(some, union(self.scopes[i] for i in some)))
        return self._step(inputs, out)

    def _step(self, inputs, out):
        below = 0
        for i in inputs:
            below |= self.below[i]
        ones = np.broadcast_to(1.0, [self.cards[v] for v in out])
        self.steps.append((subscripts([self.scopes[i] for i in inputs], out), tuple(inputs), below, ones))
        self.scopes.append(tuple(out))
        self.below.append(below)
        return len(self.scopes) - 1


def run(steps, factors, relevant=ALL, einsum=einsum):
    """Follow a plan. A result whose factors are all barren, not in the bit set `relevant`, is not computed but set to 1.

    Barren variables have no relevant ones below them, so with any of their factors left out the sum over them is still the
    same number for all states of the others: the answer changes by a constant factor, which normalising removes.
    """
    pool = list(factors)
    for subscript, inputs, below, ones in steps:
        pool.append(einsum(subscript, *[pool[i] for i in inputs]) if below & relevant else ones)
    return pool[-1]


def run_in_logs(steps, factors):
    """Follow a plan in logarithms, where products could underflow: the answer with a largest entry of 1, and its log scale."""
    return from_logs(run(steps, logs_of(factors), einsum=log_einsum))


def logs_of(factors):
    with np.errstate(divide="ignore"):
        return [np.log(factor) for factor in factors]


def from_logs(logs):
    """e^logs scaled to a largest entry of 1, and the log scale; all 0 and −∞ if nothing is possible."""
    largest = logs.max()
    return (np.exp(logs - largest), float(largest)) if largest > -np.inf else (np.zeros(np.shape(logs)), -np.inf)


def log_einsum(subscript, *logs):
    """einsum of logarithms: sums in place of products, log Σ exp in place of sums."""
    words, out = subscript.split("->")
    words = words.split(",")
    letters = out + "".join(sorted(set("".join(words)) - set(out)))
    product = 0.0
    for word, array in zip(words, logs):
        axes = [word.index(letter) for letter in letters if letter in word]
        product = product + array.transpose(axes)[tuple([WHOLE_AXIS if letter in word else None for letter in letters])]
    return log_sum(product, tuple(range(len(out), len(letters))))


def log_sum(logs, axes):
    """log Σ exp over these axes."""
    largest = np.max(logs, axis=axes, keepdims=True)
    largest = np.where(largest > -np.inf, largest, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(logs - largest).sum(axis=axes)) + largest.squeeze(axes)


def elimination_order(scopes, cards, keep=()):
    """Min-fill: eliminate next whichever variable makes the fewest new neighbours; ties go to the smaller table.

    Neighbours are variables that meet in a factor; eliminating a variable makes all its neighbours meet.
    """
    variables = union(scopes)
    number = {v: i for i, v in enumerate(variables)}
    logs = [log2(cards[v]) for v in variables]
    neighbours = [1 << i for i in range(len(variables))]  # including the variable itself, as bits
    for scope in scopes:
        members = sum(1 << number[v] for v in scope)
        for v in scope:
            neighbours[number[v]] |= members

    def cost(i):
        others = neighbours[i] ^ 1 << i
        fill = sum((others & ~neighbours[j]).bit_count() for j in bits(others))
        return fill, sum(logs[j] for j in bits(neighbours[i]))

    waiting = {i: cost(i) for i, v in enumerate(variables) if v not in keep}
    order = []
    while waiting:
        i = min(waiting, key=waiting.get)
        order.append(variables[i])
        others = touched = neighbours[i] ^ 1 << i
        for j in bits(others):
            neighbours[j] = (neighbours[j] | others) ^ 1 << i
            if waiting[i][0]:  # new neighbours also change the cost of whatever is next to both
                touched |= neighbours[j]
        del waiting[i]
        for j in bits(touched):
            if j in waiting:
                waiting[j] = cost(j)
    return order


def bits(number):
    """The positions of the 1s in a binary number."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def largest_table(scopes, cards, order, keep):
    """Entries of the largest product that eliminating in this order makes, without making any."""
    waiting, largest = [set(scope) for scope in scopes], prod(cards[v] for v in keep)
    for v in order:
        joined = set().union(*(scope for scope in waiting if v in scope))
        waiting = [scope for scope in waiting if v not in scope] + [joined - {v}]
        largest = max(largest, prod(cards[u] for u in joined))
    return largest


def elimination_plan(scopes, cards, keep):
    """Steps that sum every variable but `keep` out of the product of factors with these scopes, in min-fill order."""
    order = elimination_order(scopes, cards, keep)
    check_width(largest_table(scopes, cards, order, keep))
    plan, waiting = Plan(scopes, cards), list(range(len(scopes)))
    for v in order:
        used = [i for i in waiting if v in plan.scopes[i]]
        scope = union(plan.scopes[i] for i in used)
        waiting = [i for i in waiting if v not in plan.scopes[i]]
        waiting.append(plan.add(used, [u for u in scope if u != v]))
    plan.add(waiting, keep)
    return plan.steps


class Clique:
    """A node of the junction tree: a set of variables, the factors assigned to it, and its links in the tree."""

    def __init__(self, scope):
        self.scope, self.factors = scope, []
        self.parent, self.children, self.separator = None, [], ()


class Tree:
    """A junction tree: elimination in one fixed order, laid out so that two sweeps answer for every variable.

    The first sweep sends sums from the leaves to the root, as elimination does; the second sends everything else back.
    """

    def __init__(self, scopes, cards):
        self.scopes, self.cards = scopes, cards
        order = elimination_order(scopes, cards)
        position = {v: i for i, v in enumerate(order)}
        # The clique of v: v and its neighbours when it is eliminated. Its parent is the clique of the next of them.
        groups = {v: set() for v in order}
        for scope in scopes:
            groups[min(scope, key=position.get)].update(scope)
        for v in order:
            later = groups[v] - {v}
            if later:
                groups[min(later, key=position.get)] |= later
        home = {}
        for v in reversed(order):
            later = groups[v] - {v}
            above = home[min(later, key=position.get)] if later else None
            if above is not None and len(later) == len(above.scope) and above.scope == tuple(sorted(later)):
                above.scope = tuple(sorted(groups[v]))  # v's clique contains it: merge the two
                home[v] = above
                continue
            home[v] = clique = Clique(tuple(sorted(groups[v])))
            if above is not None:
                clique.parent, clique.separator = above, tuple(sorted(later))
                above.children.append(clique)
        cliques = list(dict.fromkeys(home.values()))  # parents before children
        for clique in cliques[1:]:
            if clique.parent is None:  # another component: no variable in common, so its message is one number
                clique.parent = cliques[0]
                cliques[0].children.append(clique)
        self.cliques = cliques
        for number, scope in enumerate(scopes):
            home[min(scope, key=position.get)].factors.append(number)
        sizes = [prod(cards[v] for v in clique.scope) for clique in cliques]
        self.size, self.largest = sum(sizes), max(sizes)
        self._steps = {}

    def clique(self, wanted):
        """The smallest clique that contains all these variables, or None."""
        fit = [c for c in self.cliques if wanted.issubset(c.scope)]
        return min(fit, key=lambda c: prod(self.cards[v] for v in c.scope), default=None)

    def steps(self, wanted):
        """A plan for the sum over all variables but these, or None if no clique contains them all."""
        if wanted not in self._steps:
            root = self.clique(set(wanted))
            self._steps[wanted] = root and self._steps_to(root, wanted)
        return self._steps[wanted]

    def _steps_to(self, root, wanted):
        """Every clique sends one message towards the root."""
        routes = [(root, None, wanted)]
        for clique, origin, _ in routes:  # the loop extends it
            around = [(child, child.separator) for child in clique.children]
            around += [(clique.parent, clique.separator)] if clique.parent else []
            routes += [(other, clique, separator) for other, separator in around if other is not origin]
        plan, inbox = Plan(self.scopes, self.cards), {clique: list(clique.factors) for clique in self.cliques}
        for clique, towards, separator in reversed(routes):
            message = plan.add(inbox[clique], separator)
            if towards:
                inbox[towards].append(message)
        return plan.steps

    @cached_property
    def _upward(self):
        """Leaves first, for each clique: the steps of its product, and the subscripts of its message."""
        plan, inbox, upward = (
            Plan(self.scopes, self.cards),
            {clique: list(clique.factors) for clique in self.cliques},
            [],
        )
        for clique in reversed(self.cliques):
            begin = len(plan.steps)
            product = plan.add(inbox[clique], clique.scope)
            upward.append((plan.steps[begin:], subscripts([clique.scope], clique.separator)))
            if clique.parent:
                plan.scopes.append(clique.separator)
                plan.below.append(0)
                inbox[clique.parent].append(product + 1)
        return upward

    @cached_property
    def _downward(self):
        """Root first, for each clique but the root: its parent's number, subscripts of the message and of the product."""
        number = {clique: i for i, clique in enumerate(self.cliques)}
        return [
            (
                number[clique.parent],
                subscripts([clique.parent.scope], clique.separator),
                subscripts([clique.scope, clique.separator], clique.scope),
            )
            for clique in self.cliques[1:]
        ]

    @cached_property
    def readings(self):
        """Where to read a variable alone, and its whole family: (number of a clique, subscripts) for each variable."""
        number = {clique: i for i, clique in enumerate(self.cliques)}
        alone, family = [], []
        for scope in self.scopes:
            for readings, wanted in ((alone, scope[-1:]), (family, scope)):
                clique = self.clique(set(wanted))
                readings.append((number[clique], subscripts([clique.scope], wanted)))
        return alone, family

    def beliefs(self, factors):
        """P(clique | evidence) for every clique, in two sweeps, and log P(evidence); no beliefs and −∞ if it is impossible."""
        products, messages = self._towards_root(factors, einsum)
        total = float(products[0].sum())
        if total < TINY:
            return self._beliefs_in_logs(factors)
        beliefs = [products[0] / total]
        for i, (parent, subscript, product) in enumerate(self._downward, 1):
            # The parent's belief without the message it got from this clique; where that was 0, the belief is 0 as well.
            update = einsum(subscript, beliefs[parent]) / np.maximum(messages[i], 1e-300)
            beliefs.append(einsum(product, products[i], update))
        return beliefs, log(total)

    def _beliefs_in_logs(self, factors):
        """The same two sweeps in logarithms, where products could underflow."""
        products, messages = self._towards_root(logs_of(factors), log_einsum)
        total = float(log_sum(products[0], tuple(range(products[0].ndim))))
        if total == -np.inf:
            return None, total
        beliefs = [products[0] - total]
        for i, (parent, subscript, product) in enumerate(self._downward, 1):
            sent = np.where(messages[i] > -np.inf, messages[i], 0.0)
            beliefs.append(log_einsum(product, products[i], log_einsum(subscript, beliefs[parent]) - sent))
        beliefs = [np.exp(belief) for belief in beliefs]
        return [belief / belief.sum() for belief in beliefs], total

    def _towards_root(self, factors, einsum):
        """The first sweep: each clique's product of its factors and incoming messages, and the message it sends on; root first."""
        pool, products, messages = list(factors), [], []
        for steps, subscript in self._upward:
            for product, inputs, *_ in steps:
                pool.append(einsum(product, *[pool[i] for i in inputs]))
            products.append(pool[-1])
            messages.append(einsum(subscript, pool[-1]))
            pool.append(messages[-1])
        return products[::-1], messages[::-1]
