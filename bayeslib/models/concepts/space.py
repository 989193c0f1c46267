"""Conjunctions as hypotheses (section 02).

A hypothesis is a tuple with one entry per attribute: a value that must be there, "?" (anything goes) or "∅" (nothing does).
One "∅" means the same as many: all of them say never, so there is one such hypothesis, ("∅", "∅", …).

Examples are pairs (instance, label), the instance a tuple in the order of the attributes or a mapping of attribute to value,
the label true or false, 1 or 0, yes or no. A pandas table will do as well: its one column that is not an attribute is the label.
"""

import math
from collections.abc import Mapping
from functools import reduce
from itertools import product
from typing import NamedTuple

import numpy as np

from bayeslib.models._checks import LARGEST as FAR
from bayeslib.models._checks import among, is_mapping, names, one_number, one_of, short, whole_number

ANY, NONE = "?", "∅"
LABELS = {True: True, False: False, "yes": True, "no": False, "true": True, "false": False}
TASTES = {"uniform": 0.0, "specific": math.log(2), "general": -math.log(2)}
LARGEST = 10**8  # hypotheses that an array may hold

# The attributes of EnjoySport with all their values; its four days show only some of them.
ENJOY_SPORT = {
    "Sky": ["Sunny", "Cloudy", "Rainy"],
    "AirTemp": ["Warm", "Cold"],
    "Humidity": ["Normal", "High"],
    "Wind": ["Strong", "Weak"],
    "Water": ["Warm", "Cool"],
    "Forecast": ["Same", "Change"],
}


def covers(hypothesis, instance):
    """h(x): a conjunction says yes to an instance when every entry is "?" or the instance's value (section 02).

    >>> covers(("Sunny", "?"), ("Sunny", "Warm"))
    True
    """
    _same_length(hypothesis, instance, "instance")
    return all(among(wanted, (ANY, value)) for wanted, value in zip(hypothesis, instance))


def _same_length(hypothesis, other, name):
    sequences = isinstance(hypothesis, (tuple, list)) and isinstance(other, (tuple, list))
    if not sequences or len(hypothesis) != len(other):
        wanted = "tuples with one entry per attribute"
        raise ValueError(f"hypothesis and {name} must be {wanted}, got {short(hypothesis)} and {short(other)}")


def more_general(hypothesis, other):
    """h ≥ h′: the first conjunction says yes wherever the other does; equal ones count (section 02).

    >>> more_general(("Sunny", "?"), ("Sunny", "Warm"))
    True
    """
    _same_length(hypothesis, other, "other")
    return among(NONE, other) or covers(hypothesis, other)


class Step(NamedTuple):
    """The boundaries after one example; before the first one, instance and label are None.

    >>> space = ConjunctiveSpace({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> space.candidate_elimination([(("Sunny", "Weak"), True)]).history[-1].specific
    [('Sunny', 'Weak')]
    """

    instance: tuple | None
    label: bool | None
    specific: list
    general: list


class Boundaries(NamedTuple):
    """The most specific (S) and most general (G) hypotheses that fit, and the steps that led there.

    >>> space = ConjunctiveSpace({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> space.candidate_elimination([(("Sunny", "Weak"), True), (("Rainy", "Weak"), False)]).general
    [('Sunny', '?')]
    """

    specific: list
    general: list
    history: list


class Beliefs(Mapping):
    """P(h|D) as a mapping from hypothesis to probability. It is one array, so a million hypotheses are not a million tuples.

    array     the probabilities in the order of the space's `hypotheses()`
    evidence  P(D) = Σ_h P(D|h) P(h); 0.0 if it is smaller than a float can hold

    >>> space = ConjunctiveSpace({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> space.posterior([(("Sunny", "Weak"), True)])["Sunny", "?"]
    0.25
    """

    def __init__(self, space, array, evidence):
        self.space, self.array, self.evidence = space, array, evidence

    def __getitem__(self, hypothesis):
        try:
            return float(self.array[self.space.index(hypothesis)])
        except ValueError:
            raise KeyError(hypothesis) from None

    def __iter__(self):
        return self.space.each()

    def __len__(self):
        return self.space.size

    def ties(self):
        """The places of the largest probability in the array: several, if MAP is not unique."""
        return np.flatnonzero(self.array >= self.array.max() * (1 - 1e-9))

    def best(self):
        """The most probable hypotheses, all of them."""
        return [self.space.hypothesis(number) for number in self.ties()]


class ConjunctiveSpace:
    """All conjunctions over named attributes: `domains` maps each attribute to its values (section 02).

    size            conjunctions that differ in meaning, 1 + Π (values + 1): every attribute a value or "?", and never
    syntactic_size  conjunctions that differ in writing, Π (values + 2): "∅" counted wherever it may be written

    Hypotheses have an order, that of `hypotheses()`: never, then a grid with one axis per attribute, whose last place is "?".

    >>> space = ConjunctiveSpace({"Sky": ["Sunny", "Rainy"], "Wind": ["Strong", "Weak"]})
    >>> space
    <10 conjunctions over Sky, Wind>
    >>> space.version_space([(("Sunny", "Weak"), True), (("Rainy", "Weak"), False)])
    [('Sunny', 'Weak'), ('Sunny', '?')]
    """

    def __init__(self, domains):
        self.domains = _domains(domains)
        self.attributes = tuple(self.domains)
        self.never = (NONE,) * len(self.domains)
        self.shape = tuple(len(values) + 1 for values in self.domains.values())
        self.size = 1 + math.prod(self.shape)
        self.syntactic_size = math.prod(places + 1 for places in self.shape)
        self._entries = [(*values, ANY) for values in self.domains.values()]
        self._codes = [{entry: code for code, entry in enumerate(entries)} for entries in self._entries]

    def __repr__(self):
        return f"<{self.size} conjunctions over {', '.join(self.attributes)}>"

    @classmethod
    def from_table(cls, table, label):
        """The space of a pandas table: every column but the one called `label` is an attribute, with the values seen in it."""
        if not hasattr(table, "columns") or not among(label, list(table.columns)):
            raise ValueError(
                f"table must be a pandas table and label one of its columns, got {short(table)} and {short(label)}"
            )
        return cls({name: list(dict.fromkeys(table[name].tolist())) for name in table.columns if name != label})

    def each(self):
        """The hypotheses one at a time."""
        yield self.never
        yield from product(*self._entries)

    def hypotheses(self):
        """All hypotheses as a list, never first."""
        return list(self.each())

    def hypothesis(self, number):
        """The hypothesis at a place of `hypotheses()`, without making the others."""
        if whole_number(number, "number", 0, self.size - 1) == 0:
            return self.never
        return tuple(entries[code] for entries, code in zip(self._entries, np.unravel_index(number - 1, self.shape)))

    def index(self, hypothesis):
        """The place of a hypothesis in `hypotheses()`; an error if it is not one of them."""
        try:
            if tuple(hypothesis) == self.never:
                return 0
            codes = [codes[entry] for codes, entry in zip(self._codes, hypothesis, strict=True)]
        except (KeyError, TypeError, ValueError):
            raise ValueError(
                f"hypothesis must be a conjunction over {names(self.attributes)}, got {short(hypothesis)}"
            ) from None
        return 1 + int(np.ravel_multi_index(codes, self.shape))

    # Bayes

    def posterior(self, examples, prior="uniform", noise=0.0):
        """P(h|D) ∝ P(h) ε^k (1−ε)^(n−k) if h contradicts k of n labels, each wrong with probability ε (section 02).

        `noise` is ε, below 1; without it only the version space has any belief. Without examples this is the prior.
        `prior` is "uniform"; "specific" or "general", where each "?" halves or doubles P(h); or a number λ for
        P(h) ∝ e^(−λ·number of "?").
        """
        examples, noise = self.check(examples), one_number(noise, "noise", 0, 0.999)
        wrong, belief = self._errors(examples), self._prior(prior)
        possible = wrong[belief > 0]
        best = possible.min() if noise <= 0.5 else possible.max()
        if noise == 0 and best > 0:
            raise ValueError(
                f"examples must leave a hypothesis with a prior above 0: none agrees with all {len(examples)} of them, so "
                "P(D) = 0, evidence of probability zero, and there is no posterior"
            )
        # Divided by the best hypothesis' likelihood, so that nothing underflows: (ε/(1−ε))^|k − best|, or its inverse.
        belief *= (min(noise, 1 - noise) / max(noise, 1 - noise)) ** np.abs(wrong - best)
        total = belief.sum()
        belief /= total
        return Beliefs(self, belief, float(total * noise**best * (1 - noise) ** (len(examples) - best)))

    def map(self, examples, prior="uniform", noise=0.0):
        """h_MAP, a hypothesis with the largest posterior; of several the first, never a generalisation of another (section 02)."""
        return self.hypothesis(int(self.posterior(examples, prior, noise).array.argmax()))

    def errors(self, examples):
        """How many labels each hypothesis contradicts, as an array in the order of `hypotheses()`."""
        return self._errors(self.check(examples))

    def _errors(self, examples):
        """An instance is covered by 2^d hypotheses, those with its value or "?" on each of d axes: only they are touched.

        The others contradict it if it is positive. That is added for all at the end and taken back from the 2^d.
        """
        if self.size > LARGEST:
            raise ValueError(f"domains must make at most {LARGEST:,} hypotheses for this, got {self.size:,}")
        wrong = np.zeros(self.size, np.int32)
        grid = wrong[1:].reshape(self.shape)
        for instance, label in examples:
            places = [(codes[value], codes[ANY]) for codes, value in zip(self._codes, instance)]
            covering = tuple(slice(value, None, anything - value) for value, anything in places)
            grid[covering] += -1 if label else 1
        wrong += sum(label for _, label in examples)
        return wrong

    def _grid(self, combine, parts):
        """A number for each hypothesis: 0 for never, else its entries' numbers, `parts` by attribute, put together."""
        return np.append(0, reduce(combine.outer, parts))

    def _prior(self, prior):
        if isinstance(prior, str):
            taste = TASTES[one_of(prior, "prior", TASTES)]
        else:
            taste = one_number(prior, "prior", -FAR, FAR)
        marks = self._grid(np.add, [np.append(np.zeros(n - 1), 1) for n in self.shape])  # the number of "?" in each
        weights = np.exp(-taste * marks - (-taste * marks).max())
        return weights / weights.sum()

    # Without probabilities

    def version_space(self, examples):
        """The hypotheses that agree with every example, as a list; an empty one if none does (section 02)."""
        return [self.hypothesis(number) for number in np.flatnonzero(self.errors(examples) == 0)]

    def find_s(self, examples):
        """Find-S: the most specific hypothesis that covers the positive examples (section 02).

        It does not look at the negative ones, so it does not notice when no conjunction fits.
        """
        hypothesis = self.never
        for instance, label in self.check(examples):
            if label:
                hypothesis = _generalised(hypothesis, instance)
        return hypothesis

    def candidate_elimination(self, examples):
        """Candidate-Elimination: the boundaries S and G of the version space, example by example (section 02).

        A positive example makes S just general enough to cover it and drops from G what does not; a negative
        one makes G just specific enough to reject it. h fits all examples exactly if g ≥ h ≥ s for some g in G
        and s in S.
        """
        specific, general = [self.never], [(ANY,) * len(self.attributes)]
        history = [Step(None, None, specific, general)]
        for instance, label in self.check(examples):
            if label:
                general = [g for g in general if covers(g, instance)]
                specific = [_generalised(s, instance) for s in specific]
                specific = [s for s in specific if any(more_general(g, s) for g in general)]
            else:
                specific = [s for s in specific if not covers(s, instance)]
                narrower = [h for g in general for h in self._specialised(g, instance)]
                fitting = {h: None for h in narrower if any(more_general(h, s) for s in specific)}
                general = [h for h in fitting if not any(more_general(g, h) for g in fitting if g != h)]
            history.append(Step(instance, label, specific, general))
        return Boundaries(specific, general, history)

    def _specialised(self, hypothesis, instance):
        """The most general hypotheses below this one that do not cover the instance."""
        if not covers(hypothesis, instance):
            return [hypothesis]
        free = [place for place, entry in enumerate(hypothesis) if entry == ANY]
        return [
            (*hypothesis[:place], value, *hypothesis[place + 1 :])
            for place in free
            for value in self._entries[place][:-1]
            if value != instance[place]
        ] or [self.never]

    # Queries

    def votes(self, examples):
        """How many hypotheses of the version space say yes to each instance: an array with one axis per attribute."""
        return self._over_instances(self.errors(examples) == 0)

    def _over_instances(self, weights):
        """For each instance the sum over the hypotheses that cover it, those with its value or "?" on every axis."""
        sums = weights[1:].reshape(self.shape) * 1
        for axis in range(sums.ndim):
            values, anything = np.split(sums, [-1], axis)
            sums = values + anything
        return sums

    # Reading examples

    def check(self, examples):
        """`examples` as a list of pairs (tuple, bool), checked to have every value in its domain."""
        if hasattr(examples, "columns"):
            others = [name for name in examples.columns if name not in self.domains]
            if len(others) != 1 or len(examples.columns) != len(self.attributes) + 1:
                raise ValueError(
                    f"examples must be a table with the columns {names(self.attributes)} and one label, got {names(examples.columns)}"
                )
            rows = examples[list(self.attributes)].itertuples(index=False, name=None)
            examples = zip(rows, examples[others[0]])
        try:
            examples = list(examples)
        except TypeError:
            raise ValueError(
                f"examples must be pairs of instance and label, or a table, got {short(examples)}"
            ) from None
        return [self._example(f"examples[{number}]", example) for number, example in enumerate(examples)]

    def _example(self, name, example):
        if not isinstance(example, (tuple, list)) or len(example) != 2:
            raise ValueError(f"{name} must be a pair of instance and label, got {example!r}")
        instance, label = example
        if is_mapping(instance) and set(instance.keys()) == set(self.attributes):
            instance = [instance[attribute] for attribute in self.attributes]
        if not isinstance(instance, (tuple, list, np.ndarray)) or len(instance) != len(self.attributes):
            raise ValueError(f"{name} must have a value for each of {names(self.attributes)}, got {instance!r}")
        for attribute, value in zip(self.attributes, instance):
            if not among(value, self.domains[attribute]):
                wanted = names(self.domains[attribute])
                raise ValueError(f"{name}: {attribute} must be one of {wanted}, got {value!r}")
        label = label.lower() if isinstance(label, str) else label
        if not among(label, LABELS):
            raise ValueError(f"{name}: the label must be true or false, 1 or 0, yes or no, got {label!r}")
        return tuple(instance), LABELS[label]


def _generalised(hypothesis, instance):
    """The most specific hypothesis above this one that covers the instance."""
    if NONE in hypothesis:
        return instance
    return tuple(wanted if wanted == value else ANY for wanted, value in zip(hypothesis, instance))


def _domains(domains):
    if not is_mapping(domains) or not len(domains.keys()):
        raise ValueError(f"domains must map at least one attribute to its values, got {short(domains)}")
    checked = {}
    for attribute in domains.keys():
        values = domains[attribute]
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise ValueError(f"domains[{attribute!r}] must be a list of values, got {values!r}")
        values = tuple(values)
        # With a single value, that value and "?" would be two hypotheses with the same meaning.
        if len(set(values)) != len(values) or len(values) < 2 or {ANY, NONE} & set(values):
            wanted = "at least two values" if len(values) < 2 else f"different values, none of them {ANY} or {NONE}"
            raise ValueError(f"domains[{attribute!r}] must have {wanted}, got {names(values)}")
        checked[attribute] = values
    return checked
