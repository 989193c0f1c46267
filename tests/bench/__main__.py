"""Runs the rows and prints their lines."""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.bench import ROWS, models, pages, told


def main(words):
    chosen = [each for each in ROWS if not words or any(word in each.__name__ for word in words)]
    if not chosen:
        sys.exit(f"no row of {models.__name__} and {pages.__name__} is called so: {[each.__name__ for each in ROWS]}")
    for each in chosen:
        print(f"\n{each.__name__}: {each.__doc__.splitlines()[0]}", flush=True)
        # What ran before would slow memory down or speed it up.
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            print(*fresh.submit(told, each).result(), sep="\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
