"""The instant check of a graded exercise: `check = exercise("01-bayes-theorem")`, then `check(posterior)`.

It runs the student's function on a few public cases and says in words what is wrong, with the name of the misconception
if it recognises one; `check.case` and `check.wanted` are then the case that failed and its right result, to try again. Its
data is in checks.json beside the notebook: the public cases with the results of the right function and of the known
mistakes, and for a number only a salted, slow digest, rounded to 6 digits. So the file reveals no answer that earns a mark,
and no reference is needed. Marks are given elsewhere (`grading`), on other cases.
"""

import hashlib
import json
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from bayeslib.questions.answers import PLACEHOLDER, difference, shorten, shuffled
from bayeslib.questions.judge import Case, verdict
from bayeslib.questions.plain import loads
from bayeslib.questions.verdict import show, tell

LOG = ".checks.json"  # beside the notebook: when which task was checked, with what result


def exercise(name, folder="."):
    """The function `check` of the exercise called `name`, whose checks.json lies in `folder`, beside the notebook."""
    if os.environ.get("NBGRADER_EXECUTION"):
        raise RuntimeError(
            "a submission is not graded by running it: start nbgrader in the folder that holds nbgrader_config.py"
        )
    path = Path(folder) / "checks.json"
    if not path.is_file():
        raise ValueError(f"folder must hold checks.json, which is handed out with exercise {name}, got {folder!r}")
    checks = json.loads(path.read_text(encoding="utf-8"))
    if checks["exercise"] != name:
        raise ValueError(f"name must be {checks['exercise']!r}, the exercise that checks.json belongs to, got {name!r}")

    tasks = read(checks)
    failures = Counter()  # failed tries at each task since it was last right

    def check(function=None, /, **answer):
        """Say whether a function, or a number or choice given by its name, is right. Never raises for a wrong answer."""
        if function is not None:
            answer = {getattr(function, "__name__", ""): function}
        (task, value), *_ = answer.items() or [("", None)]
        found = judge(tasks, answer, sys._getframe(1).f_globals.get("student"))
        check.case = check.wanted = None
        hint = found.hint
        if found.case:
            check.case, check.wanted = found.case.arguments, found.case.wanted
            if isinstance(check.wanted, Exception):
                check.wanted = ValueError
            elif not failures[task]:
                hint = "If the next check fails as well, it gives a hint."
            hint = f"{hint} Try again with `{task}(*check.case)`.".lstrip()
        failures[task] = 0 if found.correct else failures[task] + (found.case is not None)
        tell(found._replace(hint=hint).message, lambda: {"checks": _logged(Path(folder) / LOG, task, found, value)})

    def options(task, student):
        """Show the options of a choice in the order that this student has."""
        texts = tasks[task]["options"]
        order = shuffled(texts, tasks[task]["salt"], student)
        show("\n".join(f"- **{shown}.** {texts[letter]}" for shown, letter in order.items()))

    check.student, check.options = _student, options
    check.case = check.wanted = None
    return check


def read(checks):
    """The tasks of a checks.json for the judge, by name."""
    tasks = checks["tasks"]
    for name, task in tasks.items():
        task |= {"salt": f"{checks['exercise']}/{name}"}
        if task["kind"] == "number":
            task |= {"wanted": None if task["varies"] else task["case"]["right"], "mistakes": task["case"]["mistakes"]}
        if task["kind"] == "function":
            task["cases"] = [
                Case(
                    loads(entry["case"]),
                    ValueError(entry["raises"]) if "raises" in entry else loads(entry["wanted"]),
                    {name: loads(text) if text else Exception() for name, text in entry["mistakes"].items()},
                )
                for entry in task["cases"]
            ]
    return tasks


def judge(tasks, answer, student=None):
    """The verdict on an answer, a name and its value; `student` is the id that its data was made for."""
    (name, value) = next(iter(answer.items()), ("", None))
    if len(answer) != 1 or name not in tasks:
        known = f"`check` takes one of {', '.join(tasks)}"
        if not name:
            known += ", and a number or a letter goes with its name, as in `check(x=x)`"
        return verdict({"kind": "number", "mistakes": {}}, None)._replace(
            problem=f"{known}{f', and got {name}' if name else ''}.", sentence=""
        )
    task = tasks[name]
    found = verdict(task, value, name, student)
    if (
        found.correct is None
        and student == PLACEHOLDER
        and (task.get("varies") or isinstance(task.get("options"), dict))
    ):
        belongs = f"{name} belongs to nobody's data: write your id where {PLACEHOLDER!r} stands."
        return found._replace(correct=False, verdict="Not yet", problem=belongs, sentence="")
    if task["kind"] != "function":
        return found
    if found.correct:
        return found._replace(hint="Your marks come from other cases.")
    if isinstance(found.value, NotImplementedError):
        return found._replace(case=None)
    if not found.case or isinstance(found.case.wanted, Exception):
        return found
    got, wanted = found.value, found.case.wanted
    problem = f"{found.problem} Expected: {shorten(wanted)}."
    if max(len(repr(got)), len(repr(wanted))) > 60 and (where := difference(got, wanted)):
        problem += f" The first difference: {where}."
    return found._replace(problem=problem)


def _logged(path, task, found, value):
    """The log of checks with one more: when, which task, what came of it, and a digest of the function. It goes into the notebook."""
    log, code = [], getattr(value, "__code__", None)
    with suppress(OSError, ValueError):
        log = json.loads(path.read_text(encoding="utf-8"))[-200:]
    written = hashlib.sha256(repr((code.co_code, code.co_names)).encode()).hexdigest()[:8] if code else ""
    log.append([round(time.time()), task, found.verdict, written])
    with suppress(OSError):
        path.write_text(json.dumps(log), encoding="utf-8")
    return log


def _student(given):
    """The student's id: the hub's user if there is one, else the id given here or in another exercise."""
    if os.environ.get("JUPYTERHUB_USER"):
        return os.environ["JUPYTERHUB_USER"]
    id_file, given = Path("..", "my-id.txt"), str(given).strip() or PLACEHOLDER
    with suppress(OSError, ValueError):  # read-only folder: the id is then asked for once per exercise
        if given != PLACEHOLDER:
            id_file.write_text(given, encoding="utf-8")
        else:
            given = id_file.read_text(encoding="utf-8").strip() or PLACEHOLDER
    if given == PLACEHOLDER:
        tell("Not yet. Write your own id there: your numbers and the order of your options depend on it.")
    else:
        tell(f"Noted. Numbers and options are those of the id {given!r}.")
    return given
