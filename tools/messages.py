"""Every message of a section's questions and tasks, to be read aloud before a release: python -m tools.messages 07 [08 …]."""

import sys

from bayeslib.questions.misconceptions import explained
from bayeslib.questions.question import VERDICTS, Question, compose, names
from bayeslib.sections import BY_NUMBER, SECTIONS


def messages(section):
    """The lines of a section: each question with its verdicts and sentences, each task with its messages about mistakes."""
    for name in names(section):
        question = Question(name)
        yield f"\n{name} · {question.title}. {question.prompt}"
        heads = [f"{letter} {option['text']}" for letter, option in question.lettered]
        heads = heads or [f"{reply['value']:g}" for reply in question.replies]
        for head, reply in zip(heads, question.replies):
            yield f"  [{head}] {VERDICTS[reply['verdict']]}. {' '.join(reply['parts'])}"
        if not question.is_choice:
            yield f"  [else] {VERDICTS['wrong']}. {' '.join(compose({'feedback': question.otherwise})[1])}"
            yield f"  [told] {question.solution}"
    for name, task in BY_NUMBER[section].tasks().items():
        yield f"\ntask {section}/{name}. Right: {task['right']}\n  Hint: {task['hint']}"
        yield from (f"  Not yet. … returned … {explained(mistake)}" for mistake in task["mistakes"])


if __name__ == "__main__":
    for section in sys.argv[1:] or [each.number for each in SECTIONS]:
        print(f"\n=== Section {section} ===", *messages(section), sep="\n")
