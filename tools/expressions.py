"""Expressions that give the numbers written in docs/map.toml and in the questions, and whether they do."""


def names(**expressions):
    """What expressions may use: the package, math and np, and names for other expressions, each of which may use those before it.

    >>> names(days="7", weeks="364 / days")["weeks"]
    52.0
    """
    found = {}
    exec("import math\nimport numpy as np\nfrom bayeslib import *\nfrom bayeslib import bayes", found)
    for name, expression in expressions.items():
        found[name] = eval(expression, found)
    return found


def agrees(value, written):
    """Is this the number that is written, to its digits, or the word?

    >>> agrees(1 / 3, "0.333"), agrees(1 / 3, "0.334"), agrees("healthy", "healthy")
    (True, False, True)
    """
    try:
        number = float(written)
    except ValueError:
        return str(value) == written
    if isinstance(value, str):
        return value == written
    digits = len(written.partition(".")[2])
    return abs(float(value) - number) <= 0.5000001 * 10**-digits
