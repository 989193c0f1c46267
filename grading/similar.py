"""Answers that resemble each other more than chance would have it: a list to look at, never a verdict.

Of each answer the words of its code are taken, with all names alike and without comments and layout, in runs of eight. Runs that
were handed out, or that many in the class have, say nothing; of the others it is counted how many two answers share.
"""

import io
import keyword
import tokenize
from collections import Counter, defaultdict
from itertools import combinations

from grading.collect import collect

RUN, LEAST, SHARE = 8, 12, 0.6
COMMON = 0.15  # of the class; a phrase that more have is the usual way to write it


def pairs(folders, name, template, tasks):
    """(share of rare runs in common, task, student, student), the most alike first."""
    handed_out = set().union(*(runs(cell.source) for cell in template.cells if cell.cell_type == "code"))
    written = defaultdict(dict)
    for student, folder in sorted(folders.items()):
        for task, answer in collect(folder, name, template, tasks).answers.items():
            if tasks[task]["kind"] == "function" and answer:
                written[task][student] = runs(answer) - handed_out
    found = []
    for task, answers in written.items():
        often = Counter(run for answer in answers.values() for run in answer)
        most = max(2, COMMON * len(answers))
        rare = {student: {run for run in answer if often[run] <= most} for student, answer in answers.items()}
        for one, other in _meeting(rare):
            both = rare[one] & rare[other]
            share = len(both) / min(len(rare[one]), len(rare[other]))
            if len(both) >= LEAST and share >= SHARE:
                found.append((share, task, one, other))
    return sorted(found, key=lambda each: (-each[0], *each[1:]))


def _meeting(rare):
    """The pairs that share a rare run at all; the others need no look."""
    where = defaultdict(list)
    for student, answer in rare.items():
        for run in answer:
            where[run].append(student)
    return sorted({pair for students in where.values() for pair in combinations(students, 2)})


def runs(source):
    """All runs of eight words of a piece of code; names are alike, and text that is no Python has none.

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
