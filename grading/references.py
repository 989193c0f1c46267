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

import numpy as np

from bayeslib.questions import plain
from bayeslib.questions.answers import NOTHING, digests, outcome, same, wrong_keys
from bayeslib.questions.judge import worked
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
            if chosen.get(task_name, 0) >= len(variants):
                raise ValueError(
                    f"{name} was released by another version of the course, with a variant of {task_name} that this one "
                    "does not have: grade it with that version"
                )
            mine = variants[chosen.get(task_name, 0)]
            others = [each.get("solve", tasks[task_name]["solve"]) for each in variants if each is not mine]
            tasks[task_name] |= mine | {"number of variants": len(variants), "other variants": others}
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


def shown(name, course, student, chosen=None):
    """What the cells with data and figures show a student: cell → its last line and the value of it, or what it printed."""
    source = home(name, course, "source") / "source" / name
    namespace, found = {"student": student}, {}
    with _data(source / "data.py") as printed:
        for cell, text in _code(source / f"{name}.ipynb", chosen).items():
            if cell.endswith("-answer") or re.search(
                r"bayeslib.questions|^check[.(]|check\.student", text, re.MULTILINE
            ):
                continue
            *before, last = ast.parse(text).body
            exec(compile(ast.Module(before, []), f"<{name}>", "exec"), namespace)
            start = len(printed.getvalue())
            value = eval(ast.unparse(last), namespace)
            found[cell] = ast.unparse(last), printed.getvalue()[start:].strip() if value is None else value
    return found


def cell_order(name, course):
    """The ids of an exercise's cells, in order."""
    source = home(name, course, "source") / "source" / name / f"{name}.ipynb"
    return [cell["id"] for cell in json.loads(source.read_text(encoding="utf-8"))["cells"]]


def solution_cells(name, course, chosen=None):
    """The code of an exercise's solutions, by task."""
    source = home(name, course, "source") / "source" / name / f"{name}.ipynb"
    return {
        cell.removesuffix("-answer"): re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", text).strip()
        for cell, text in _code(source, chosen).items()
        if cell.endswith("-answer")
    }


def _code(notebook, chosen):
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}
    return {cell_id: rendered(cell_id, text, chosen) for cell_id, text in code.items()}


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
        sums = math.isclose(sum(map(worth, task.get("rubric", []))), task["points"])
        return require(sums, f"an explanation needs a rubric whose lines are worth {task['points']} points together")
    for key in ("solve", "mistakes", "hint", "right"):
        require(key in task, f"{key} is missing")
    for mistake in task["mistakes"].values() if kind == "choice" else [*task["mistakes"], *task.get("slips", ())]:
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


def worth(line):
    """The points of a rubric line, which begins with them.

    >>> worth("1 point: names the prior."), worth("0.5 points: says why.")
    (1.0, 0.5)
    """
    number = re.match(r"([\d.]+) points?: ", line)
    if not number:
        raise ValueError(f"a rubric line must begin with its points, such as '1 point: ', got {line!r}")
    return float(number[1])


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
            tag: [portable(outcome(wrong, (student,))) for student in "abc"] for tag, wrong in task["mistakes"].items()
        }
        fixed = {tag: values[0] for tag, values in mistakes.items() if len(set(map(repr, values))) == 1}
        right = [] if varies else digests(portable(task["solve"]("a")), WORK, name, digits, tolerance)
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
    wanted, mistakes = worked(task, case)[1:]
    results = {
        tag: None if isinstance(each, Exception) else plain.dumps(portable(each)) for tag, each in mistakes.items()
    }
    right = {"raises": str(wanted)} if isinstance(wanted, Exception) else {"wanted": plain.dumps(portable(wanted))}
    return {"case": plain.dumps(case), **right, "mistakes": results}


def portable(value, digits=9):
    """Plain data with numbers rounded to some digits, or to 0 if they count as 0: the same text on every processor."""
    if isinstance(value, dict):
        return {key: portable(item, digits) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(portable(item, digits) for item in value)
    if isinstance(value, (float, np.floating)):
        return 0.0 if abs(value) < NOTHING else float(f"{value:.{digits}g}")
    return value


def secret(name, folder, graded=False):
    """The secret of an exercise, drawn once and kept in `folder`, beside the gradebook, readable only by its owner.

    Once something is `graded` none is drawn any more: another secret would ask everybody other questions.
    """
    path = Path(folder) / "secrets" / name
    advice = f"bring it back from a backup; to ask everybody new questions, remove {path} and the grades of {name}"
    if graded and not path.exists():
        raise ValueError(f"{path} is missing, and there are grades that were made with it: {advice}")
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
    text = path.read_text().strip()
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError(f"{path} must hold 64 hexadecimal digits, got {len(text)} characters: {advice}")
    return text


PILOT, MOST = 20, 500  # draws that show which mistakes a check is about, and draws at most for the cases of one check


def hidden_cases(task, check, secret, name):
    """The cases of one hidden check: those that it lists, or those that it draws from the secret.

    Marks do not depend on the secret. A mistake (or one of the near-right solutions in `near`) that shows in two of 20 draws,
    the same ones for everybody, shows in at least one case of the check; one that seldom shows there shows in none.
    """
    if "cases" in check:
        return [_silent(worked(task, case)) for case in check["cases"]]
    if "usual" not in check:  # the signs of the mistakes that this check is about
        draws = _draws(check, f"{name}/{check['says']}", PILOT)
        signs = Counter(sign for case in draws for sign in _signs(task, worked(task, case, task.get("near", {}))))
        check["usual"] = {sign for sign, number in signs.items() if number > 1}
    usual = check["usual"]
    cases, covered = [], set()
    for case in _draws(check, f"{secret}/{name}/{check['says']}", MOST):
        made = worked(task, case, task.get("near", {}))
        signs = _signs(task, made)
        enough = len(cases) >= check.get("times", 1)
        if signs <= usual and (not enough or signs - covered):
            cases.append(made)
            covered |= signs
        if len(cases) >= check.get("times", 1) and covered == usual:
            break
    for hidden in cases:
        plain.dumps(hidden.arguments, 50_000_000)  # raises for anything but plain data
    return list(map(_silent, cases))


def _silent(case):
    """A hidden case whose exception does not tell what it is about."""
    return case._replace(wanted=ValueError()) if isinstance(case.wanted, Exception) else case


def _draws(check, seed, number):
    random = np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))
    return (check["draw"](random) for _ in range(number))


def _signs(task, made):
    """Which mistakes a case distinguishes from the right answer, and in which key of a dict."""
    tolerance, keys = task.get("tolerance", 1e-6), task.get("keys")
    signs = set()
    for tag in made.mistakes.keys() - task.get("slips", {}).keys():
        value = made.mistakes[tag]
        parts = wrong_keys(value, made.wanted, keys, tolerance) if keys else [""]
        signs |= {(tag, part) for part in parts if keys or not same(value, made.wanted, tolerance)}
    return signs
