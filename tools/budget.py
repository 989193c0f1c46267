"""How long a lesson of the third edition takes one student: counted from its cells' tags, the same for the rules, the head of
the lesson and the tables.

A word is a word that the reader meets: Markdown outside formulas, folds, and the prompt and reveal of each prediction. A <!-- by hand --> in its cell.
"""

import ast
import re

from bayeslib.questions.question import Question, names

MAIN, PRACTICE, FURTHER = TAGS = ("main", "practice", "further")
QUESTIONS = ("bet", "raise_bet", "predict", "settle", "quiz")
QUIET = (*QUESTIONS, "answers", "look_again", "works_here")  # what is no figure
PER = {"prediction": 3, "display": 2, "code": 2, "by hand": 4}  # minutes
WORDS_A_MINUTE = 100
BY_HAND = "<!-- by hand -->"
CLOSING = "closing"  # the id of the cell with sources and slips, outside the count


def tag(cell):
    """The one of the three tags that a cell has; "" if it has none or more than one."""
    found = [each for each in cell.metadata.get("tags", []) if each in TAGS]
    return found[0] if len(found) == 1 else ""


def calls(source):
    """(name, first argument if it is a text) of what a cell calls of `live`, outermost first."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "live":
                first = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
                yield node.func.attr, first


def is_quiet(cell):
    """Whether a cell is not there to be read: it starts the lesson, or does nothing but show a figure or a question."""
    if cell.cell_type != "code":
        return False
    body = ast.parse(cell.source).body
    called = [name for name, _ in calls(cell.source)]
    alone = len(body) == 1 and isinstance(body[0], ast.Expr)
    return "start" in called or (alone and bool(called) and called[0] != "source")


def words(text):
    """How many words of a Markdown text are met outside formulas and code."""
    for pattern in (
        r"<!--.*?-->",
        r"```.*?```",
        r"\$\$.*?\$\$",
        r"\$[^$\n]+\$",
        r"<[^>]+>",
        r"\]\([^)]*\)",
        r"[|`*#>_]|---+",
    ):
        text = re.sub(pattern, " ", text, flags=re.S)
    return len(re.findall(r"[A-Za-zÀ-ÿ0-9][\w'’.,:%/−–-]*", text))


def asked(cells):
    """(call, Question) for each question that these cells ask; a section's number stands for its quiz."""
    for cell in cells:
        for call, name in calls(cell.source) if cell.cell_type == "code" else ():
            if call in QUESTIONS and name:
                quiz = () if "/" in name else (each for each in names(name) if Question(each).title.startswith("Quiz"))
                yield from ((call, Question(each)) for each in quiz or [name])


def shown(question, call):
    """The words of a question that are met where it is asked."""
    if call == "raise_bet":
        return " ".join([question.again, *question.once.values()])
    reveal = question.reveal if call != "bet" else ""
    prompt = question.prompt if call != "settle" else ""
    return " ".join([prompt, *(option["text"] for option in question.options if prompt), reveal])


def count(cells):
    """What the minutes are counted from: words, predictions and quiz questions, displays, cells of code to read, computations by hand."""
    markdown = [HEAD.sub("", cell.source) for cell in cells if cell.cell_type == "markdown" and cell.id != CLOSING]
    code = [cell for cell in cells if cell.cell_type == "code" and cell.id != "setup"]
    called = [[name for name, _ in calls(cell.source)] for cell in code]
    figures = [[name for name in names if name not in (*QUIET, "start", "source")] for names in called]
    questions = list(asked(cells))
    return {
        "words": sum(map(words, markdown))
        + sum(words(shown(question, call)) for call, question in questions if call != "quiz"),
        "prediction": sum(call in ("bet", "predict", "quiz") for call, _ in questions),
        "display": sum(map(len, figures)),
        "code": sum(not is_quiet(cell) for cell in code),
        "by hand": sum(text.count(BY_HAND) for text in markdown),
    }


def minutes_of(cells):
    """The minutes that these cells take."""
    counted = count(cells)
    return round(counted["words"] / WORDS_A_MINUTE + sum(counted[what] * per for what, per in PER.items()))


def minutes(cells):
    """Tag -> minutes of the cells with that tag."""
    return {each: minutes_of([cell for cell in cells if tag(cell) == each]) for each in TAGS}


HEAD = re.compile(
    r"\*\*\d+ minutes\.\*\*(?: Then practice and a quiz \(about \d+\)(?:, then \*Further\*, if you like \(about \d+\))?\.)?"
)


def head(cells):
    """The line in a lesson's head that says how long it takes; practice and Further to five minutes."""
    main, *rest = minutes(cells).values()
    practice, further = (5 * round(each / 5) for each in rest)
    then = f" Then practice and a quiz (about {practice})" if practice else ""
    return f"**{main} minutes.**{then}{f', then *Further*, if you like (about {further})' if further else ''}{'.' if then else ''}"
