"""Shows a lesson's own code: the functions of a model as they are in the package."""

import inspect
from pathlib import Path
from textwrap import dedent

import bayeslib

HOME = Path(bayeslib.__file__).parents[1]


class Source:
    """The code of `functions`, file by file, without the examples in their docstrings; a slide holds two or three of them.

    >>> from bayeslib.models import mixtures
    >>> print(Source(mixtures.cost))
    # bayeslib/models/mixtures.py
    <BLANKLINE>
    def cost(X, labels, means):
        \"""Σ_i |x_i − μ_(label of i)|², the squared error that k-means lowers (section 10).\"""
        return float(np.square(X - means[labels]).sum())
    """

    def __init__(self, *functions):
        files = list(dict.fromkeys(place(function)[0] for function in functions))
        self.codes = {function.__qualname__: code(function) for function in functions}
        self.text = "\n\n".join([f"# {', '.join(files)}", *self.codes.values()])

    def __repr__(self):
        return self.text

    def _repr_mimebundle_(self, **_):
        return {"text/plain": self.text, "text/markdown": f"```python\n{self.text}\n```"}


def code(function):
    """The code of a function, with its docstring cut off where the examples begin."""
    text = dedent(inspect.getsource(function)).rstrip()
    before, example, after = text.partition(">>>")
    if not example:
        return text
    before, (_, quotes, body) = before.rstrip(), after.partition('"""')
    return before + ("\n    " if "\n" in before.partition('"""')[2] else "") + quotes + body


def place(thing):
    """(file, line) where a function, property or class is defined: the file relative to the project's root."""
    thing = inspect.unwrap(thing.fget if isinstance(thing, property) else thing)
    lines, first = inspect.getsourcelines(thing)
    decorators = next(number for number, line in enumerate(lines) if line.lstrip().startswith(("def ", "class ")))
    return Path(inspect.getsourcefile(thing)).relative_to(HOME).as_posix(), first + decorators
