"""What an exercise asks and how it is marked: its reference file, read by path, never copied and never within a student's reach.

An exercise lives in a folder of the shape of `notebooks/exercises`: source/<name>/<name>.ipynb with what else is handed out,
and references/<name>.py with a dict TASKS. A private folder of the same shape may add exercises or stand in for public ones.
"""

import ast
import hashlib
import importlib.util
import io
import json
import math
import os
import re
import secrets
import sys
import threading
from collections import Counter
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bayeslib.questions import plain
from bayeslib.questions.answers import NOTHING, digests, outcome, same, wrong_keys
from bayeslib.questions.misconceptions import split

_one_at_a_time = threading.Lock()
PRIVATE = "BAYESLIB_PRIVATE"  # the environment variable that names the private folder
WORK = 120_000  # rounds of hashing for the instant check of a number: about 50 ms


@dataclass
class Exercise:
    """One exercise: its tasks, the data files that a student's cells may read, and a digest of all that decides a mark."""

    name: str
    tasks: dict
    files: dict
    digest: str
    chosen: dict


def home(name, course, kind="references"):
    """The folder that holds the exercise: the private one if it has it, else the course."""
    part = f"references/{name}.py" if kind == "references" else f"source/{name}"
    folders = [Path(os.environ[PRIVATE])] if os.environ.get(PRIVATE) else []
    for folder in [*folders, Path(course)]:
        if (folder / part).exists():
            return folder
    where = " or in ".join(map(str, [*folders, course]))
    raise ValueError(f"exercise must be one with {part}, got {name!r}: there is no such file in {where}")


def load(name, course, chosen=None):
    """The exercise called `name` of the course folder `course`; `chosen` are its variants, the first ones if none is given."""
    chosen = chosen or {}
    reference = home(name, course) / "references" / f"{name}.py"
    source = home(name, course, "source") / "source" / name
    files = {path.name: path.read_bytes() for path in sorted(source.iterdir()) if path.suffix in {".py", ".csv"}}
    tasks = _run(reference, source / "data.py").TASKS
    for task_name in tasks:
        if variants := tasks[task_name].pop("variants", None):
            tasks[task_name] |= variants[chosen.get(task_name, 0)] | {"number of variants": len(variants)}
    for task_name, task in tasks.items():
        _validate(task_name, task)
        if isinstance(task.get("builds_on"), str):
            task["builds_on"] = [task["builds_on"]]
        for earlier in task.get("builds_on", []):
            if tasks.get(earlier, {}).get("kind") != "function":
                raise ValueError(f"task {task_name!r} of the reference: builds_on must name functions, got {earlier!r}")
        if task["kind"] == "choice":
            task["salt"] = f"{name}/{task_name}"
        if task["kind"] == "number":
            task["solve"] = _of_student(task["solve"])
            task["mistakes"] = {tag: _of_student(wrong) for tag, wrong in task["mistakes"].items()}
    text = reference.read_bytes() + b"".join(files.values())
    return Exercise(name, tasks, files, hashlib.sha256(text).hexdigest(), chosen)


def rendered(cell, source, chosen=None):
    """The text of a source cell, with ⟦this‖that⟧ replaced by the word for the variant of the cell's task."""
    variant = (chosen or {}).get(cell.removesuffix("-text").removesuffix("-answer"), 0)
    return re.sub("⟦(.*?)⟧", lambda match: match[1].split("‖")[variant], source, flags=re.DOTALL)


def released_variants(folder):
    """Which variants the checks.json in a folder was written for: task to number."""
    path = Path(folder) / "checks.json"
    return json.loads(path.read_text(encoding="utf-8")).get("variants", {}) if path.exists() else {}


def _run(reference, data):
    """The reference as a module; `import data` in it means the data.py that is handed out with the exercise."""
    with _data(data):
        return _module(f"reference {reference.stem}", reference)


@contextmanager
def _data(path):
    """Make `import data` mean this file for the duration; yields what is printed."""
    with _one_at_a_time, redirect_stdout(io.StringIO()) as printed:
        before = sys.modules.pop("data", None)
        try:
            if path.exists():
                sys.modules["data"] = _module("data", path)
            yield printed
        finally:
            sys.modules.pop("data", None)
            if before is not None:
                sys.modules["data"] = before


def _module(name, path):
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path))
    # Compiled here and not by the loader, so that no __pycache__ with a copy of the reference is left behind.
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    return module


def solutions(name, course, student, chosen=None):
    """What the solutions in an exercise's source compute for a student, by name. This code is the teacher's, not a student's."""
    source = home(name, course, "source") / "source" / name
    namespace = {"student": student}
    with _data(source / "data.py"):
        for text in _code(source / f"{name}.ipynb", chosen).values():
            # without checks and figures, and with the id that is given
            if not re.search(r"bayeslib|^check\(|check\.(student|options)", text, re.MULTILINE):
                exec(compile(text, f"<{name}>", "exec"), namespace)
    return namespace


def own_data(name, course, student):
    """What the cells that fetch a student's own data show: cell → its last line and the value of it."""
    source = home(name, course, "source") / "source" / name
    namespace, shown = {"student": student}, {}
    with _data(source / "data.py") as printed:
        for cell, text in _code(source / f"{name}.ipynb", None).items():
            if re.search(r"^import data$", text, re.MULTILINE) and not cell.endswith("-answer"):
                *before, last = ast.parse(text).body
                exec(compile(ast.Module(before, []), f"<{name}>", "exec"), namespace)
                value = eval(ast.unparse(last), namespace)
                shown[cell] = ast.unparse(last), printed.getvalue().strip() if value is None else value
    return shown


def _code(notebook, chosen):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    return {cell_id: rendered(cell_id, text, chosen) for cell_id, text in code.items()}


def results_for(exercise, course, task, cases, student):
    """For each task that `task` builds on, the right results for the inputs that the source's solution of `task` gives it.

    Texts of [arguments, result], or [arguments] where a ValueError is right.
    """
    namespace, tables = solutions(exercise.name, course, student, exercise.chosen), {}

    def recorder(solve, rows):
        def record(*case):
            result = outcome(solve, case)
            rows.append(plain.dumps([case] if isinstance(result, Exception) else [case, result]))
            if isinstance(result, Exception):
                raise result
            return result

        return record

    for name in exercise.tasks[task]["builds_on"]:
        tables[name] = {"rows": [], "arguments": exercise.tasks[name]["arguments"].split(", ")}
        namespace[name] = recorder(exercise.tasks[name]["solve"], tables[name]["rows"])
    if cases is None:
        source = home(exercise.name, course, "source") / "source" / exercise.name / f"{exercise.name}.ipynb"
        exec(_code(source, exercise.chosen)[f"{task}-answer"], namespace)
    else:
        for case in cases:
            outcome(namespace[task], case)
    for table in tables.values():
        table["rows"] = sorted(set(table["rows"]))
    return tables


def _of_student(answer):
    return cache(answer) if callable(answer) else lambda student: answer


def _validate(name, task):
    """Report a mistake in a reference to its author, before it marks anybody."""

    def require(condition, message):
        if not condition:
            raise ValueError(f"task {name!r} of the reference: {message}")

    kind = task.get("kind")
    require(kind in {"function", "number", "choice", "explanation"}, f"kind must be function, number, …, got {kind!r}")
    require(task.get("points", 0) > 0, f"points must be above 0, got {task.get('points')!r}")
    if kind == "explanation":
        return require(task.get("rubric"), "an explanation needs a rubric, a list of sentences")
    for key in ("solve", "mistakes", "hint", "right"):
        require(key in task, f"{key} is missing")
    for mistake in task["mistakes"].values() if kind == "choice" else task["mistakes"]:
        require(_known(mistake), f"mistakes must be tags of misconceptions.toml or sentences, got {mistake!r}")
    if kind == "choice":
        require(
            task["solve"] in list(task["options"]), f"solve must be one of {task['options']}, got {task['solve']!r}"
        )
    if kind == "function":
        require(task.get("cases") and task.get("checks"), "a function needs public cases and hidden checks")
        total = sum(check["points"] for check in task["checks"])
        require(
            math.isclose(total, task["points"]), f"points must be the sum of its checks', {total}, got {task['points']}"
        )


def _known(mistake):
    try:
        return split(mistake)
    except ValueError:
        return None


def write_checks(name, course, secret=None, kept=None):
    """Writes checks.json, the data for an exercise's instant check, beside its source notebook; returns the path.

    The secret draws a variant for each task that has several, except those in `kept`; without it the first ones are used.
    """
    path = home(name, course, "source") / "source" / name / "checks.json"
    numbers = {task: entry.get("number of variants", 0) for task, entry in load(name, course).tasks.items()}
    chosen = {
        task: int(hashlib.sha256(f"{secret}/{task}".encode()).hexdigest(), 16) % number if secret else 0
        for task, number in numbers.items()
        if number
    }
    chosen |= {task: variant for task, variant in (kept or {}).items() if variant < numbers.get(task, 0)}
    content = _checks(name, load(name, course, chosen).tasks) | ({"variants": chosen} if chosen else {})
    text = json.dumps(content, indent=None, separators=(",", ":"), ensure_ascii=False)
    text = text.replace(',"tasks":{', ',\n"tasks":{').replace('},"', '},\n"') + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def _checks(name, tasks):
    """The content of an exercise's checks.json, made from its reference: public cases in clear, numbers as digests."""
    return {
        "exercise": name,
        "tasks": {task_name: entry for task_name, task in tasks.items() if (entry := _entry(task_name, task))},
    }


def _entry(name, task):
    tolerance = task.get("tolerance", 1e-6)
    digits = max(1, min(6, round(-math.log10(tolerance))))
    entry = {"kind": task["kind"], "hint": task.get("hint", ""), "right": task.get("right", ""), "digits": digits}
    entry["probability"] = bool(task.get("probability"))
    entry |= {key: task[key] for key in ("low", "high", "whole") if key in task}

    if task["kind"] == "function":
        cases = [_public(task, case) for case in task["cases"]]
        keys = {"keys": list(task["keys"])} if task.get("keys") else {}
        if "hints" in task:
            keys["hints"] = {key: task["hints"][key] for key in task["keys"]}
        return {**entry, "arguments": task["arguments"], "tolerance": tolerance, **keys, "cases": cases}
    if task["kind"] == "number":
        varies = bool(task.get("varies"))
        mistakes = {
            tag: [_portable(outcome(wrong, (student,))) for student in "abc"] for tag, wrong in task["mistakes"].items()
        }
        fixed = {tag: values[0] for tag, values in mistakes.items() if len(set(map(repr, values))) == 1}
        right = [] if varies else digests(_portable(task["solve"]("a")), WORK, name, digits, tolerance)
        wrong = {
            tag: digests(value, WORK, name, digits, tolerance)
            for tag, value in fixed.items()
            if not isinstance(value, Exception)
        }
        return {**entry, "varies": varies, "rounds": WORK, "case": {"mistakes": wrong, "right": right}}
    if task["kind"] == "choice":
        return {"kind": "choice", "options": task["options"]}
    return None


def _public(task, case):
    """A public case, and the results of the right function and of the mistakes; null for a mistake that raises there."""
    wanted = outcome(task["solve"], case)
    results = {tag: outcome(wrong, case) for tag, wrong in task["mistakes"].items()}
    mistakes = {
        tag: None if isinstance(result, Exception) else plain.dumps(_portable(result))
        for tag, result in results.items()
        if not same(result, wanted)
    }
    right = {"raises": str(wanted)} if isinstance(wanted, Exception) else {"wanted": plain.dumps(_portable(wanted))}
    return {"case": plain.dumps(case), **right, "mistakes": mistakes}


def _portable(value):
    """Plain data with numbers rounded to 9 digits, or to 0 if they count as 0: the stored text is the same on every processor."""
    if isinstance(value, dict):
        return {key: _portable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_portable(item) for item in value)
    if isinstance(value, (float, np.floating)):
        return 0.0 if abs(value) < NOTHING else float(f"{value:.9g}")
    return value


def secret(name, folder):
    """The secret of an exercise, drawn once and kept in `folder`, beside the gradebook, readable only by its owner."""
    path = Path(folder) / "secrets" / name
    if not path.exists():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        fresh = path.with_name(f".{name}.{os.getpid()}.{secrets.token_hex(4)}")
        with open(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
        try:
            os.link(fresh, path)  # whole or not at all, and only if no other grading was faster
        except FileExistsError:
            pass
        fresh.unlink()
    return path.read_text()


class Hidden(NamedTuple):
    """One hidden case, the reference's result for it, and that of every known mistake."""

    case: tuple
    wanted: object
    wrong: dict


PILOT, MOST = 20, 500  # draws that show which mistakes a check is about, and draws at most for the cases of one check


def hidden_cases(task, check, secret, name):
    """The cases of one hidden check: those that it lists, or those that it draws from the secret.

    Marks do not depend on the secret. A mistake (or one of the near-right solutions in `near`) that shows in two of 20 draws,
    the same ones for everybody, shows in at least one case of the check; one that seldom shows there shows in none.
    """
    if "cases" in check:
        return [_worked(task, case) for case in check["cases"]]
    if "usual" not in check:  # the signs of the mistakes that this check is about
        draws = _draws(check, f"{name}/{check['says']}", PILOT)
        signs = Counter(sign for case in draws for sign in _signs(task, _worked(task, case)))
        check["usual"] = {sign for sign, number in signs.items() if number > 1}
    usual = check["usual"]
    cases, covered = [], set()
    for case in _draws(check, f"{secret}/{name}/{check['says']}", MOST):
        worked = _worked(task, case)
        signs = _signs(task, worked)
        enough = len(cases) >= check.get("times", 1)
        if signs <= usual and (not enough or signs - covered):
            cases.append(worked)
            covered |= signs
        if len(cases) >= check.get("times", 1) and covered == usual:
            break
    for hidden in cases:
        plain.dumps(hidden.case, 50_000_000)  # raises for anything but plain data
    return cases


def _draws(check, seed, number):
    random = np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))
    return (check["draw"](random) for _ in range(number))


def _worked(task, case):
    suspects = task["mistakes"] | task.get("near", {})
    return Hidden(case, outcome(task["solve"], case), {tag: outcome(wrong, case) for tag, wrong in suspects.items()})


def _signs(task, worked):
    """Which mistakes a case distinguishes from the right answer, and in which key of a dict."""
    tolerance, keys = task.get("tolerance", 1e-6), task.get("keys")
    signs = set()
    for tag, value in worked.wrong.items():
        if isinstance(value, ValueError) and isinstance(worked.wanted, ValueError):
            continue
        parts = wrong_keys(value, worked.wanted, keys, tolerance) if keys else [""]
        signs |= {(tag, part) for part in parts if keys or not same(value, worked.wanted, tolerance)}
    return signs
