"""Graded exercises: a class beside stock nbgrader, and the instant check."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import course
from tests.bench import Ratio, faster, row

STUDENTS = 40


@row
def grading(runs=1):
    """Wall time of grading 40 correct submissions of exercise 01, sandbox included, beside stock `nbgrader autograde` on the
    same submissions in one run. Both start from the command line; both use what cores they know how to use."""
    with tempfile.TemporaryDirectory() as name:
        ours, stock = Path(name) / "ours", Path(name) / "stock"
        course.make(ours)
        work = course.solved(ours)
        for number in range(STUDENTS):
            course.submit(ours, f"student{number:02}", work)
        _stock_course(stock, ours)
        times = [], []
        for _ in range(runs):
            for folder, taken, words in (
                (ours, times[0], ["-m", "grading", "grade", course.NAME, "--force"]),
                (stock, times[1], ["-m", "nbgrader", "autograde", course.NAME, "--force"]),
            ):
                begin = time.perf_counter()
                told = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=True)
                taken.append(time.perf_counter() - begin)
                graded = len(list((folder / "autograded").glob(f"*/{course.NAME}/*.ipynb")))
                assert graded == STUDENTS, told.stdout + told.stderr
        assert {each["score"] for each in course.rows(ours).values()} == {8.0}
    return [faster(f"grading, {STUDENTS} submissions, wall time: stock nbgrader / ours", *times, 5, unit="s")]


def _stock_course(stock, ours):
    """The same submissions for nbgrader as it comes: without our settings, and with a check that is content with everything,
    because ours does not let itself be run there, and without the figure, which would cost stock nbgrader seconds more."""
    shutil.copytree(ours, stock, ignore=shutil.ignore_patterns("references", "secrets", "autograded", "gradebook*"))
    (stock / "nbgrader_config.py").write_text(f"get_config().CourseDirectory.root = {str(stock)!r}\n")
    for path in [*stock.glob("source/*/*.ipynb"), *stock.glob("submitted/*/*/*.ipynb")]:
        text = path.read_text()
        text = text.replace(
            "from bayeslib.questions import exercise", "exercise = lambda name: lambda *function, **value: None"
        )
        path.write_text(
            text.replace("from bayeslib import live", "live = None").replace("live.posterior_curve()", "live")
        )
    words = [sys.executable, "-m", "nbgrader", "generate_assignment", course.NAME, "--force"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(words, cwd=stock, capture_output=True, check=True, env=os.environ | {"PATH": path})


@row
def instant_check(runs=21):
    """Wall time of one instant check of a right answer, the slowest of all exercises; the goal is an absolute 0.2 s."""
    from bayeslib.questions.exercise import judge
    from grading import references

    slowest, where = 0.0, ""
    for reference in sorted((course.EXERCISES / "references").glob("*.py")):
        known = json.loads((course.EXERCISES / "release" / reference.stem / "checks.json").read_text())["tasks"]
        for name, task in references.load(reference.stem, course.EXERCISES).tasks.items():
            if task["kind"] == "function":
                taken = []
                for _ in range(runs):
                    begin = time.perf_counter()
                    assert judge(known, {name: task["solve"]})[0]
                    taken.append(time.perf_counter() - begin)
                if statistics.median(taken) > slowest:
                    slowest, where = statistics.median(taken), f"{reference.stem}, {name}"
    return [
        Ratio(
            "instant check, slowest exercise, seconds",
            slowest,
            "at most 0.2",
            slowest <= 0.2,
            f"{where}, {runs} runs each",
        )
    ]
