"""Runs the rows, prints their ratios and writes them down."""

import importlib
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from tests import lab
from tests.bench import ROWS, Ratio

RESULTS = lab.ROOT / "bench-results.json"
MODULES = ["pages", *sorted({path.stem for path in Path(__file__).parent.glob("[a-z]*.py")} - {"pages"})]


def main(words):
    for name in MODULES:
        importlib.import_module(f"tests.bench.{name}")
    chosen = [each for each in ROWS if not words or any(word in each.__name__ for word in words)]
    if not chosen:
        sys.exit(f"no row has one of {words} in its name; there are {[each.__name__ for each in ROWS]}")
    results = []
    for each in chosen:
        print(f"\n{each.__name__}: {each.__doc__}", flush=True)
        try:
            with ProcessPoolExecutor(
                1, get_context("spawn")
            ) as fresh:  # what ran before slows memory down or speeds it up
                ratios = fresh.submit(each).result()
        except Exception as error:  # the other rows shall run all the same
            ratios = [Ratio("the row itself", float("nan"), "to run", False, f"{type(error).__name__}: {error}")]
        for ratio in ratios:
            results.append(asdict(ratio))
            mark = {True: "ok  ", False: "MISS", None: "    "}[ratio.met]
            print(
                f"  {mark} {ratio.value:6.2f}  ({ratio.goal})  {ratio.name}; {ratio.detail}",
                flush=True,
            )
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print(f"\nwritten to {RESULTS.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
