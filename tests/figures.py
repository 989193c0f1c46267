"""Every live figure of the course: the functions of `bayeslib.live`."""

import inspect

from bayeslib import live

FIGURES = {name: getattr(live, name) for name in live.__all__ if inspect.isfunction(getattr(live, name))}
