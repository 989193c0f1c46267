"""Answers that resemble each other more than chance would explain: a list to look at, never a verdict.

The code of each answer is cut into runs of eight tokens, with all names alike and without comments and layout. Runs that were
handed out, or that many in the class have, prove nothing; the others are counted where two answers share them.
"""

import io
import keyword
import tokenize
from collections import Counter, defaultdict
from itertools import combinations

from grading import bounded
from grading.collect import collect

RUN, LEAST, SHARE = 8, 12, 0.6
COMMON = 0.15  # of the class; a run that more students have is the usual way to write it


def pairs(folders, name, template, tasks):
    """(share of rare runs in common, task, student, student), the most alike first."""
    handed_out = set().union(*(runs(cell.source) for cell in template.cells if cell.cell_type == "code"))
    written = defaultdict(dict)
    works = dict(collect(folders, name, template, tasks))
    for student, answers in bounded.each(lambda student: _answers(works[student], tasks), sorted(works)):
        for task, found in {} if isinstance(answers, Exception) else answers.items():
            written[task][student] = set(map(tuple, found)) - handed_out
    similar = []
    for task, answers in written.items():
        counts = Counter(run for answer in answers.values() for run in answer)
        limit = max(2, COMMON * len(answers))
        rare = {student: {run for run in answer if counts[run] <= limit} for student, answer in answers.items()}
        for first, second in _sharing(rare):
            both = rare[first] & rare[second]
            share = len(both) / min(len(rare[first]), len(rare[second]))
            if len(both) >= LEAST and share >= SHARE:
                similar.append((share, task, first, second))
    return sorted(similar, key=lambda entry: (-entry[0], *entry[1:]))


def _answers(work, tasks):
    functions = {task: answer for task, answer in work.answers.items() if tasks[task]["kind"] == "function"}
    return {task: sorted(runs(answer)) for task, answer in functions.items() if answer}


def _sharing(rare):
    """The pairs that share any rare run; the others need no comparison."""
    students_with = defaultdict(list)
    for student, answer in rare.items():
        for run in answer:
            students_with[run].append(student)
    return sorted({pair for students in students_with.values() for pair in combinations(students, 2)})


def runs(source):
    """All runs of eight tokens in a piece of code; names are alike, and text that is not Python has none.

    >>> runs("a = [x for x in data]  # mine") == runs("b = [each for each in data]")
    True
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return set()
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    words = [
        "name" if token.type == tokenize.NAME and not keyword.iskeyword(token.string) else token.string
        for token in tokens
        if token.type not in layout
    ]
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
