"""The argument checks of every public function; an error names the argument, what it must be and what it got."""

import math
from numbers import Rational, Real

import numpy as np

TOLERANCE = 1e-6  # how far typed or single-precision probabilities may miss a sum of 1
LARGEST = 1e100  # of a feature: a sum of squares of such numbers does not overflow
HUGE = 1e50  # examples, real or virtual: products of such numbers do not overflow
MOST = 10**9  # of a count: more would run for years or exhaust the memory


def is_mapping(values):
    """A dict, a pandas column, anything with keys."""
    return hasattr(values, "keys")


def is_missing(value):
    """None, NaN, and what pandas writes for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array, for example
        return False


def like(kind, mapping):
    """`mapping` converted to the type of `kind`: a dict stays a dict, a pandas column a column."""
    return mapping if isinstance(kind, dict) else type(kind)(mapping)


def names(keys):
    """Keys in their order, written as a set: {'sick', 'healthy'}."""
    return "{" + ", ".join(map(repr, keys)) + "}"


def one_probability(value, name):
    """`value` unchanged, checked to be a number in [0, 1]."""
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)) or not 0 <= value <= 1:  # NaN is not
        raise ValueError(f"{name} must be a probability between 0 and 1, got {short(value)}")
    return value


def whole_number(value, name, least=1, most=MOST):
    """`value` as an int, checked to be a whole number from `least` to `most`."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {short(value)}")
    if value > most:
        raise ValueError(f"{name} must be a whole number of at most {most}, got {short(value)}")
    return int(value)


def positive(value, name):
    """`value` as a float, checked to be one finite number above 0."""
    number = one_number(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be a number above 0, got {short(value)}")
    return number


def one_number(value, name, low=-math.inf, high=math.inf):
    """`value` as a float, checked to be one finite number between `low` and `high`."""
    number = as_number(value, name, low, high)
    if np.ndim(number):
        raise ValueError(f"{name} must be one number, got {short(value)}")
    return float(number)


def one_of(value, name, known):
    """`value` unchanged, checked to be one of the names in `known`."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {names(known)}, got {short(value)}")
    return value


def true_or_false(value, name):
    """`value` as a bool, checked to be True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {short(value)}")
    return bool(value)


def among(value, known):
    """Whether `value` is in `known`; False for what cannot be hashed or compared, such as an array."""
    try:
        hash(value)  # before the comparison, which is slow for a sparse matrix and warns
        return bool(value in known)
    except (TypeError, ValueError):
        return False


def sequence(values, name, of="values"):
    """`values` as a list, checked to be a sequence; a string, a mapping or an iterator is not one."""
    try:
        if isinstance(values, (str, bytes)) or is_mapping(values) and not hasattr(values, "iloc") or len(values) < 0:
            raise TypeError
        return list(values)
    except TypeError:
        raise ValueError(f"{name} must be a sequence of {of}, got {short(values)}") from None


def short(value):
    """The repr of `value` for an error message, cut if it is long."""
    try:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # an int of more digits than Python prints, for example
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "…"


def generator(random_state):
    """A numpy Generator from None, a whole number of at least 0, or a Generator, which continues from its present state."""
    whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool) and random_state >= 0
    if not whole and random_state is not None and not isinstance(random_state, np.random.Generator):
        raise ValueError(
            f"random_state must be None, a whole number of at least 0 or a numpy Generator, got {short(random_state)}"
        )
    return np.random.default_rng(random_state)


def as_probabilities(values, name, total=False):
    """`values` as a dict or a 1-d array of probabilities; with `total` they must sum to 1."""
    if is_mapping(values):
        values = {key: one_probability(values[key], f"{name}[{key!r}]") for key in values.keys()}
        if not values:
            raise ValueError(f"{name} must hold at least one hypothesis, got none")
        found, over = sum(values.values()), names(values)
    else:
        values = number_row(values, name, 0, 1)
        found, over = values.sum(), f"{values.size} hypotheses"
    if total and abs(found - 1) > TOLERANCE:
        raise ValueError(f"{name} must sum to 1, got {float(found):.6g} over {over}")
    return values


def exact_log(p):
    """log p, −∞ for 0. A fraction may be smaller than any float, but its numerator and denominator have logarithms."""
    numerator, denominator = (p.numerator, p.denominator) if isinstance(p, Rational) else p.as_integer_ratio()
    return math.log(numerator) - math.log(denominator) if numerator else -math.inf


def same_keys(prior, likelihood):
    """Prior and likelihood must have the same hypotheses."""
    if is_mapping(prior) != is_mapping(likelihood):
        raise ValueError("prior and likelihood must both be mappings or both be arrays, got one of each")
    if is_mapping(prior) and prior.keys() != likelihood.keys():
        raise ValueError(f"likelihood must have the hypotheses of prior, {names(prior)}, got {names(likelihood)}")
    if len(prior) != len(likelihood):
        raise ValueError(f"likelihood must have one value for each of prior, {len(prior)}, got {len(likelihood)}")


def as_number(value, name, low=-math.inf, high=math.inf):
    """`value`, a number or an array of numbers, checked to be finite and between `low` and `high`."""
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    try:
        numbers = np.asarray(value)
        numbers = numbers if numbers.dtype.kind in "iu" else np.asarray(real(value), dtype=float)
        bad = ~((numbers >= low) & (numbers <= high) & np.isfinite(numbers))
        if not bad.any() and not isinstance(value, (bool, np.bool_)):
            return value if plain else numbers
        value = value if numbers.ndim == 0 else numbers[bad][0].item()
    except (TypeError, ValueError, OverflowError):
        pass
    if high < HUGE or -math.inf < low <= -HUGE or isinstance(value, (int, float)) and high < value < math.inf:
        wanted = f"a number between {low:g} and {high:g}"  # a huge bound is only named where it is crossed
    else:
        wanted = f"a number at least {low:g}" if low > -math.inf else "a finite number"
    raise ValueError(f"{name} must be {wanted}, got {short(value)}")


def real(values):
    """`values` unchanged; a TypeError for complex numbers, dates and strings, which numpy would convert to real numbers."""
    array = np.asarray(values)
    if array.dtype.kind in "cmMSUV" or array.dtype.kind == "O" and any(isinstance(entry, str) for entry in array.flat):
        raise TypeError
    return values


def number_row(values, name, low=-LARGEST, high=LARGEST):
    """`values` as a new array, checked to be one row of at least one number between `low` and `high`, none of them missing."""
    array = _floats(values, name, "a row of numbers")
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{name} must be one row of at least one number, got shape {array.shape}")
    bad = ~((array >= low) & (array <= high))
    if bad.any():
        where = int(bad.argmax())
        raise ValueError(f"{name}[{where}] must be a number between {low:g} and {high:g}, got {array[where]}")
    return array


def axes(values):
    """The number of axes of `values` as an array; None if they are ragged."""
    try:
        return np.ndim(values)
    except ValueError:
        return None


def rows(X, name="X", one_feature=False, copy=True):
    """X as an array of finite numbers, axes (row, attribute); with `one_feature` a plain sequence is one column.

    The array is a copy, unless `copy=False` and X already is such an array.
    """
    array = _floats(X, name, "rows of numbers, all of one length", copy)
    array = array[:, None] if one_feature and array.ndim == 1 else array
    if array.ndim != 2 or not array.size:
        raise ValueError(
            f"{name} must have two axes, rows and attributes, with at least one of each, got shape {array.shape}. "
            "Reshape your data: X.reshape(-1, 1) if it is one attribute, X.reshape(1, -1) if it is one row"
        )
    if not (array.min() >= -LARGEST and array.max() <= LARGEST):  # also where one of them is NaN
        row, column = np.argwhere(~(np.abs(array) <= LARGEST))[0].tolist()
        wanted = f"numbers between {-LARGEST:g} and {LARGEST:g}, no NaN"
        raise ValueError(f"{name} must hold {wanted}, got {array[row, column]} in row {row}, attribute {column}")
    return array


def _floats(values, name, wanted, copy=True):
    """`values` as an array of floats, a new one if `copy`."""
    try:
        return np.array(real(values), dtype=float) if copy else np.asarray(real(values), dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be {wanted}, got {short(values)}") from None


def targets(y, count, name="y"):
    """y as a new array of finite numbers, one for each of `count` rows; a table of one column will do."""
    column = rows(_given(y, name), name, one_feature=True)
    if column.shape != (count, 1):
        raise ValueError(f"{name} must have one number for each of the {count} rows of X, got {_extent(y)}")
    return column[:, 0]


def labels(y, count, name="y", least=1, most=None):
    """(the classes in order, the class number of each of `count` rows); a table of one column will do.

    None and NaN are not classes, and neither are numbers that are not whole.
    """
    array = _one_row(_given(y, name), name)
    if len(array) != count:
        raise ValueError(f"{name} must have one class for each of the {count} rows of X, got {len(array)}")
    missing = array.dtype.kind == "O" and any(map(is_missing, array.tolist()))
    if array.dtype.kind in "fc" and not np.isfinite(array).all() or missing:
        raise ValueError(f"{name} must have a class for every row, got {short(array.tolist())}")
    if array.dtype.kind == "f" and (array % 1).any():
        example = array[array % 1 > 0][0]
        raise ValueError(
            f"{name} must have class labels, got numbers that are not whole, such as {example}: to predict "
            "continuous numbers, use a regressor"
        )
    try:
        classes, codes = np.unique(array, return_inverse=True)
    except TypeError:
        raise ValueError(f"{name} must hold classes of one kind, got {short(array.tolist())}") from None
    if len(classes) < least:
        raise ValueError(
            f"{name} must hold at least {least} classes, got {len(classes)} class: {names(classes.tolist())}"
        )
    if most and len(classes) > most:
        raise ValueError(f"{name} must hold at most {most} classes, got {len(classes)}: {short(classes.tolist())}")
    return classes, codes


def _given(y, name):
    if y is None:
        raise ValueError(f"{name} must not be None: fit requires {name} to be passed, but the target {name} is None")
    return y


def _one_row(y, name):
    try:
        array = np.array(y)
    except ValueError:
        raise ValueError(f"{name} must be one row of classes, got {short(y)}") from None
    if array.dtype.kind == "U" and not all(isinstance(label, str) for label in np.array(y, dtype=object).flat):
        array = np.array(y, dtype=object)  # numpy turns NaN and 1 into strings among strings
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1 or not array.size or array.dtype.kind == "V":
        raise ValueError(f"{name} must be one row of classes, at least one, got {_extent(y)}")
    return array


def _extent(y):
    return f"shape {np.shape(y)}" if isinstance(y, np.ndarray) else short(y)


def row_weights(weights, count, name="sample_weight", of="X"):
    """The weight of each of `count` rows, 1 each by default; not negative, not all 0."""
    if weights is None:
        return np.ones(count)
    array = np.array(as_number(weights, name, low=0, high=LARGEST), dtype=float)
    if array.shape != (count,):
        raise ValueError(f"{name} must have one weight for each of the {count} rows of {of}, got {_extent(weights)}")
    if not array.any():
        raise ValueError(f"{name} must be above zero for some row")
    return array
