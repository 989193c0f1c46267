"""What every public function asks of its arguments, said in words that name the argument, the wish and what came."""

import math
from numbers import Real

import numpy as np

TOLERANCE = 1e-6  # how far typed or single-precision probabilities may miss a sum of 1


def is_mapping(values):
    """A dict, a pandas column, anything with keys."""
    return hasattr(values, "keys")


def like(kind, mapping):
    """`mapping` as the kind that came in: a dict stays a dict, a pandas column a column."""
    return mapping if isinstance(kind, dict) else type(kind)(mapping)


def names(keys):
    """Keys in the order they came, as a reader would write them: {'sick', 'healthy'}."""
    return "{" + ", ".join(map(repr, keys)) + "}"


def one_probability(value, name):
    """`value` itself, once it is known to be a number in [0, 1]."""
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be a probability between 0 and 1, got {value!r}")
    if math.isnan(value) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a probability between 0 and 1, got {value}")
    return value


def whole_number(value, name, least):
    """`value` as an int, once it is known to be a whole number of at least `least`."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(value)


def generator(random_state):
    """The source of chance: None, a whole number of at least 0, or a numpy Generator, which then goes on from where it is."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    try:
        return np.random.default_rng(whole_number(random_state, "random_state", 0))
    except ValueError:
        raise ValueError(
            f"random_state must be None, a whole number of at least 0 or a numpy Generator, got {random_state!r}"
        ) from None


def as_probabilities(values, name, total=False):
    """`values` as a dict or a 1-d array of probabilities; with `total` they must sum to 1."""
    if is_mapping(values):
        values = {key: one_probability(values[key], f"{name}[{key!r}]") for key in values.keys()}
        if not values:
            raise ValueError(f"{name} must hold at least one hypothesis, got none")
        _sums_to_one(sum(values.values()), name, f"over {names(values)}", total)
        return values
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a mapping or an array of probabilities, got {values!r}") from None
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} must be one row of at least one probability, got shape {array.shape}")
    bad = ~((array >= 0) & (array <= 1))
    if bad.any():
        where = int(bad.argmax())
        raise ValueError(f"{name}[{where}] must be a probability between 0 and 1, got {array[where]}")
    _sums_to_one(array.sum(), name, f"over {array.size} hypotheses", total)
    return array


def same_keys(prior, likelihood):
    """Prior and likelihood must speak of the same hypotheses."""
    if is_mapping(prior) != is_mapping(likelihood):
        raise ValueError("prior and likelihood must both be mappings or both be arrays, got one of each")
    if is_mapping(prior):
        if prior.keys() != likelihood.keys():
            raise ValueError(f"likelihood must have the hypotheses of prior, {names(prior)}, got {names(likelihood)}")
    elif prior.shape != likelihood.shape:
        raise ValueError(
            f"likelihood must have one value per hypothesis, {prior.size} as in prior, got {likelihood.size}"
        )


def _sums_to_one(found, name, over, wanted):
    if wanted and abs(found - 1) > TOLERANCE:
        raise ValueError(f"{name} must sum to 1, got {float(found):.6g} {over}")


def as_number(value, name, low=-math.inf, high=math.inf):
    """`value`, a number or an array of numbers, once all of it is known to be finite and between `low` and `high`."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if low <= value <= high and math.isfinite(value):
            return value
    else:
        try:
            numbers = np.asarray(value, dtype=None if isinstance(value, np.ndarray) else float)
            bad = ~((numbers >= low) & (numbers <= high) & (np.abs(numbers) < math.inf))
            if not bad.any() and not isinstance(value, (bool, str)):
                return numbers
            value = value if numbers.ndim == 0 else numbers[bad][0].item()
        except (TypeError, ValueError):
            pass
    wanted = (
        f"between {low:g} and {high:g}" if high < math.inf else f"at least {low:g}" if low > -math.inf else "finite"
    )
    raise ValueError(f"{name} must be a number {wanted}, got {value!r}")
