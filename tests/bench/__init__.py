"""`make bench`: the course beside its peers, both in one run, as ratios. Machines are noisy; ratios travel.

A row is one function with `@row` that yields its lines; what is printed is done in `__main__`. `make bench BENCH_ARGS="k_means"`
runs only the rows whose name contains a word.
"""

import statistics
import time
from dataclasses import dataclass, field

from threadpoolctl import threadpool_limits

ROWS = []


def row(function):
    """Adds a row to the benchmark."""
    ROWS.append(function)
    return function


@dataclass
class Line:
    """One line of the report: the times of both in `unit`, and how many times the peer's we should take at most.

    Without a peer the goal is an absolute one; without a goal the line is only reported.
    """

    name: str
    goal: float | None = None
    ours: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    unit: str = "ms"

    def __str__(self):
        ours = statistics.median(self.ours)
        value = ours / statistics.median(self.peer) if self.peer else ours
        goal = f"at most {self.goal:g}" if self.goal else "reported"
        told = f"{ours:.3g} and {statistics.median(self.peer):.3g} {self.unit}" if self.peer else self.unit
        mark = "" if not self.goal else "ok" if value <= self.goal else "MISS"
        return f"  {mark:4} {value:7.2f}  ({goal})  {self.name}; {told}"


def told(row):
    """What a row says; a row that fails says how, and the others run all the same."""
    try:
        return [str(line) for line in row()]
    except Exception as error:
        return [f"  MISS  it did not run: {type(error).__name__}: {error}"]


def beside(name, goal, ours, peer, runs=7, repeats=1):
    """A line with the CPU milliseconds of both on one thread, in turn, after one run of each to warm up."""
    line = Line(name, goal)
    with threadpool_limits(1):
        for run in range(runs + 1):
            for function, taken in ((ours, line.ours), (peer, line.peer)):
                begin = time.process_time()
                for _ in range(repeats):
                    function()
                if run:
                    taken.append(1000 * (time.process_time() - begin) / repeats)
    return line
