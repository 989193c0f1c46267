"""A lecturer's own questions, in a TOML file like those of the course: on the slides, and to vote on.

[bus-or-train]
prompt = "Which of the two …?"
options = [{ text = "the bus" }, { text = "the train", correct = true, feedback = "Because …" }]
after = "10/second-mean"    # the question of the lesson that it follows; left out, it comes before the recap
"""

import os
import sys
from pathlib import Path

from nbformat.v4 import new_code_cell

from bayeslib.questions.question import OWN, Question, names, raw
from tools.lecture.votes import is_for_a_room


def read(path):
    """Make the file known here, to the votes and to the slides' kernels; exits with a sentence if something is wrong with it."""
    if not path:
        return
    if not Path(path).is_file():
        sys.exit(f"OWN=questions.toml, for example; there is no file {path}")
    os.environ[OWN] = str(Path(path).resolve())
    try:
        for name in names("own"):
            _check(Question(name))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        sys.exit(f"{path}: {error}" if isinstance(error, ValueError) else f"{path}: an entry lacks {error}")


def _check(question):
    right = [option for option in question.options if option.get("correct")]
    if question.is_choice and not all(isinstance(option.get("text"), str) for option in question.options):
        raise ValueError(f"every option of {question.name} needs a text")
    if question.is_choice and (len(right) != 1 or len(question.options) > 8):
        raise ValueError(f"{question.name} must have at most 8 options, one of them with correct = true")
    if question.shares and (len(question.shares) != len(question.options) or not question.source):
        raise ValueError(f"the shares of {question.name} need one number for each option, and a source")
    if not question.is_choice and not (isinstance(question.answer, (int, float)) and is_for_a_room(question)):
        raise ValueError(f"{question.name} needs options, or an answer that is a number, with low and high")


def put_in(cells):
    """The lesson's cells with the lecturer's questions among them, each on its own slide."""
    if OWN not in os.environ:
        return cells
    cells, starts = list(cells), [at for at, cell in enumerate(cells) if cell.metadata.slideshow.slide_type == "slide"]
    recap = next((at for at in starts if cells[at].id == "recap"), len(cells))
    wanted = []
    for name in names("own"):
        asked = [at for at, cell in enumerate(cells) if cell.metadata.get("question") == raw(name).get("after", name)]
        at = next((start for start in starts if asked and start > asked[0]), recap)
        shown = {"role": "quiz", "question": name, "part": "", "slideshow": {"slide_type": "slide"}}
        shown["planned"] = cells[min(at, len(cells) - 1)].metadata.get("planned", 0)
        wanted.append((at, new_code_cell(f'live.quiz("{name}")', id=name.replace("/", "-"), metadata=shown)))
    for at, code in sorted(wanted, key=lambda each: each[0], reverse=True):
        cells.insert(at, code)
    return cells
