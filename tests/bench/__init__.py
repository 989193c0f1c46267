"""`make bench`: the course beside its peers, both in one run, as ratios. Machines are noisy; ratios travel.

A row is one function with `@row`, in the module of its subject, that returns its ratios; what is printed and written is done
in `__main__`. `make bench BENCH_ARGS="import"` runs only the rows whose name contains a word.
"""

import statistics
import time
from dataclasses import dataclass

ROWS = []


@dataclass
class Ratio:
    """One line of the report: `value` is a ratio of two medians, `goal` says in words what it should be.

    Where `met` is None nothing is promised: the ratio is what a choice rests on.
    """

    name: str
    value: float
    goal: str
    met: bool | None
    detail: str


def row(function):
    """Adds a row to the benchmark."""
    ROWS.append(function)
    return function


def faster(name, ours, peer, by, unit="ms"):
    """We should be at least `by` times faster than the peer; 0 means that the ratio is only reported."""
    value = statistics.median(peer) / statistics.median(ours)
    return Ratio(name, value, f"at least {by}" if by else "reported", value >= by, _medians(ours, peer, unit))


def within(name, ours, peer, limit, unit="ms"):
    """We should take at most `limit` times what the peer takes."""
    value = statistics.median(ours) / statistics.median(peer)
    return Ratio(name, value, f"at most {limit}", value <= limit, _medians(ours, peer, unit))


def reported(name, ours, peer, unit="ms"):
    """How many times what the peer takes we take, without a goal."""
    value = statistics.median(ours) / statistics.median(peer)
    return Ratio(name, value, "reported", True, _medians(ours, peer, unit))


def _medians(ours, peer, unit):
    return f"medians {statistics.median(ours):.3g} and {statistics.median(peer):.3g} {unit}, {len(ours)} runs each"


def alternate(ours, peer, runs, repeats=1):
    """CPU milliseconds of both on one thread, in turn, after one run of each to warm up."""
    from threadpoolctl import threadpool_limits

    times = [], []
    with threadpool_limits(1):
        for run in range(runs + 1):
            for function, taken in zip((ours, peer), times):
                begin = time.process_time()
                for _ in range(repeats):
                    function()
                if run:
                    taken.append(1000 * (time.process_time() - begin) / repeats)
    return times
