"""Questions on the page: a quiz answers back, a prediction is asked before its figure shows, answers are saved and restored.

Live they are widgets; in the stored output each option is a fold with its feedback inside, which works on GitHub and in print.
"""

import json
from contextlib import suppress
from html import escape
from math import isfinite
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

from bayeslib.live.display import Shown, img
from bayeslib.questions import record, review
from bayeslib.questions.question import STYLE, VERDICTS, Question, compose

HERE = Path(__file__).parent


class Form(anywidget.AnyWidget):
    """The front end of a question (see question.js)."""

    _esm = (HERE / "question.js").read_text(encoding="utf-8")
    _css = (HERE / "style.css").read_text(encoding="utf-8") + STYLE
    heading = traitlets.Unicode().tag(sync=True)
    prompt = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    button = traitlets.Unicode().tag(sync=True)
    skip = traitlets.Unicode().tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    verdicts = traitlets.Dict(VERDICTS).tag(sync=True)
    feedback = traitlets.Unicode().tag(sync=True)
    chosen = traitlets.Float(allow_none=True, default_value=None).tag(sync=True)
    locked = traitlets.Bool(False).tag(sync=True)
    reply = traitlets.Dict().tag(sync=True, echo_update=False)
    answered = traitlets.Int(0).tag(sync=True)  # the number of the last reply that was answered


class Quiz(Shown):
    """A question that replies to answers, by its name, such as "01/retest". The reader may try as often as they like."""

    BUTTON, SKIP, GUESS = "Check", "", ""
    PERCENT = "The question asks for percent. Did you mean {}?"

    def __init__(self, name):
        self.question = Question(name)
        self.form = Form(
            heading=self.question.title,
            prompt=self.question.prompt,
            options=self._options(),
            button=self.BUTTON,
            skip=self.SKIP,
        )
        self.form.observe(self._on_reply, "reply")
        self.form.observe(lambda change: self.form.set_trait("answered", change["new"].get("number", 0)), "reply")
        self.widget = ipywidgets.VBox([self.form])
        self.widget.add_class("bayeslib-live")

    def answer(self, value):
        """Answer the question: an option's number from 0, or a value. Returns whether it is right; None if it does not count."""
        if refused := self._refusal(value):
            self._say("", refused)
            return None
        right = self.question.judge(value)[0] == "correct"
        _, note = record.remember(self.question.name, value, right)
        self._reply(value, note)
        return right

    def words(self, value):
        """The verdict on an answer, and the reply."""
        verdict, parts = self.question.judge(value)
        return verdict, self.GUESS.format(self.question.guessed(value)) + " ".join(parts)

    def _refusal(self, value):
        """Why an answer does not count, in words; empty if it does."""
        if self.question.is_fraction(value):
            return self.PERCENT.format(f"{100 * value:g}")
        return self.question.refusal(value)

    def _reply(self, value, note=""):
        verdict, words = self.words(value)
        self._say(verdict, f"{words} ({note})" if note else words)
        self.form.chosen = value

    def _say(self, verdict, words):
        with self.form.hold_sync():  # as one change: a page never shows an old verdict beside new words
            self.form.verdict, self.form.feedback = verdict, words

    def page(self):
        """All that question.js needs on a page without Python: what the form shows, and the words of every reply.

        `folds` is what is shown without JavaScript, and in print.
        """
        question = self.question
        shown = {
            name: getattr(self.form, name) for name in ("heading", "prompt", "options", "button", "skip", "verdicts")
        }
        words = {"replies": [_joined(reply) for reply in question.replies], "solution": question.solution}
        words |= {
            "letters": [letter for letter, _ in question.lettered],
            "guess": self.GUESS,
            "percent": self.PERCENT if question.percent else "",
        }
        if not question.is_choice:
            words["otherwise"] = _joined(dict(zip(("verdict", "parts"), compose({"feedback": question.otherwise}))))
            bounds = {"low": question.low, "high": question.high}
            words |= {name: value for name, value in bounds.items() if isfinite(value)} | {
                "possible": question.possible
            }
            words |= {"answer": question.answer, "tolerance": question.tolerance, "distances": question.distances}
        options = self._option_folds() + _fold("The answer", question.solution, ' class="solution"')
        return {"name": question.name, "form": shown, **words, "folds": self._prompt() + options}

    def _on_reply(self, change):
        value = change["new"].get("answer")
        if type(value) in (int, float) and isfinite(value):
            self.answer(value)
        else:  # what a number field may send: 1e999
            self._say("", "Type a number first.")

    def _options(self):
        return [
            f"{letter}{'' if letter[0] == '(' else '.'} {option['text']}" for letter, option in self.question.lettered
        ]

    def _prompt(self):
        return f"<p><strong>{escape(self._title())}</strong> {escape(self.question.prompt)}</p>"

    def _title(self):
        return self.question.title + ("" if self.question.title[-1] in "?!" else ".")

    def _option_folds(self):
        feedback = [f"{VERDICTS[reply['verdict']]}. {' '.join(reply['parts'])}" for reply in self.question.replies]
        return "".join(map(_fold, self._options(), feedback))

    def stored(self):
        """Each answer behind its own fold."""
        folds = self._option_folds() if self.question.is_choice else _fold("The answer", self.question.solution)
        return {
            "text/plain": "\n".join([f"{self._title()} {self.question.prompt}", *self._options()]),
            "text/html": self._prompt() + folds,
        }


def _joined(reply):
    return {**reply, "parts": " ".join(reply["parts"])}


def _fold(head, body, kind=""):
    return f"<details{kind}><summary>{escape(head)}</summary>{escape(body)}</details>"


class Predict(Quiz):
    """A question that is asked before `figure` shows the answer. The guess is saved; then the figure shows how far off it was.

    Only the live figure waits for the guess, and only on the page: its cell finishes at once, so Run All never waits.
    Without a guess, as in class after a show of hands, the figure opens on its first step and a second click reveals the
    answer.
    """

    BUTTON, SKIP, TELL = "Lock in my guess", "Show me without a guess", "Tell the answer"
    GUESS = "Your guess: {}. "

    def __init__(self, name, figure):
        super().__init__(name)
        self.figure = figure
        self._opened = {control: figure.values[control] for control in self.question.first}
        answers, note = record.look()
        if name in answers:
            with suppress(ValueError):  # a restored file may hold an answer to an older form of the question
                self._reply(answers[name]["answer"], note)
                self._reveal()
        elif note:
            self._say("", note)

    def answer(self, value):
        right = super().answer(value)
        if right is not None:
            self._reveal()
        return right

    def page(self):
        return super().page() | {"tell": self.TELL}

    def _on_reply(self, change):
        if not change["new"].get("skipped"):
            super()._on_reply(change)
        elif self.figure.widget in self.widget.children:
            self._say("", self.question.solution)
            self._reveal()
        else:
            self._open_figure()
            self.widget.children = [self.form, self.figure.widget]
            self.form.skip = self.TELL

    def _reveal(self):
        """Show the figure with the answer; the reply to the guess is already shown."""
        self.form.locked = True
        self._answer_by_figure()
        self.widget.children = [self.form, self.figure.widget]

    def _open_figure(self):
        """Show the figure as it opens without a guess: it must not give the answer yet."""
        self.figure.set(**self.question.first, **({"step": 0} if "step" in self.figure.controls else {}))

    def _answer_by_figure(self):
        """Show the answer: set the question's control values, and a player to its last step if the question names none."""
        self.figure.set(**self._opened | self.question.then)
        if "step" in self.figure.controls and "step" not in self.question.then:
            self.figure.set(step=self.figure.controls["step"].max)

    def stored(self):
        bundle, before = super().stored(), self.figure.values
        self._answer_by_figure()
        picture, alt = self.figure.stored()["image/png"], self.figure.alt
        self.figure.set(**before)
        shown = img(picture, alt, self.figure.view.width)
        fold = f"<details><summary>Guess first, then open the picture</summary>{shown}<br>{escape(alt)}</details>"
        wake = "<p><em>To guess and then move the figure yourself, click here and press Shift+Enter to run the cell.</em></p>"
        return {"text/plain": f"{bundle['text/plain']}\n{alt}", "text/html": bundle["text/html"] + fold + wake}


class Copies(anywidget.AnyWidget):
    """The front end of `Answers` (see answers.js)."""

    _esm = (HERE / "answers.js").read_text(encoding="utf-8")
    _css = (HERE / "style.css").read_text(encoding="utf-8")
    text = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    restored = traitlets.Dict().tag(sync=True, echo_update=False)
    forgotten = traitlets.Int(0).tag(sync=True, echo_update=False)


class Answers(Shown):
    """How many questions have been answered so far, with buttons that save the answers, restore them, and forget them."""

    def __init__(self):
        self.form = Copies()
        self.form.observe(lambda _: self.forget(), "forgotten")
        self.form.observe(lambda change: self.restore(change["new"]["text"]), "restored")
        self.widget = ipywidgets.VBox([self.form])
        self.widget.add_class("bayeslib-live")
        self._show()

    def restore(self, text):
        """Restore the answers from a saved file's text; anything else is refused in words and changes nothing."""
        try:
            done = record.restore(text)
        except ValueError as error:
            self._show(f"Nothing was changed: {error}.")
        else:
            self._show(f"{done} Run a notebook's cells again to see your guesses.")

    def forget(self):
        """Start afresh, for a new class or after a rehearsal; the old file is kept under another name."""
        self._show(record.forget())

    def _show(self, *messages):
        answers, note = record.look()
        # Answers to questions of another edition are kept, but not counted.
        current = [answers[name] for name in review.all_names() if name in answers]
        right = sum(entry["right"] for entry in current)
        self.form.text = json.dumps(answers, indent=1, sort_keys=True)
        counted = f"{len(current)} questions answered so far, {right} of them right."
        damaged = [f"An answers file that was damaged is kept as {name}." for name in record.set_aside()]
        self.form.status = " ".join(filter(None, [*messages, counted, note, *damaged]))

    def stored(self):
        text = "Run this cell to see how many questions you have answered, and to save or restore your answers."
        return {"text/plain": text, "text/html": f"<p><em>{text}</em></p>"}


class LookAgain(Shown):
    """What to look at again, from the reader's own answers: the misconceptions shown, and three questions to try once more."""

    MOST = 8

    def __init__(self):
        self.widget = ipywidgets.VBox([ipywidgets.HTML(self.html())])
        self.widget.add_class("bayeslib-live")

    def html(self):
        """The whole text, whatever the record contains."""
        answers, note = record.look()
        shown, retry = review.misconceptions(answers), review.questions(answers)
        if not answers:
            parts = [
                "<p>There are no answers of yours yet. Answer some questions of a lesson, then run this cell again.</p>"
            ]
        elif not shown:
            parts = ["<p>None of your answers so far shows one of the known misconceptions.</p>"]
        else:
            items = "".join(map(self._shown, shown[: self.MOST]))
            more = f"<p>And {len(shown) - self.MOST} more.</p>" if len(shown) > self.MOST else ""
            parts = [f"<p><strong>Your answers point to</strong></p><ul>{items}</ul>{more}"]
        if answers and retry:
            items = "".join(
                f"<li>{self._where(question)}: {escape(_beginning(question.prompt))}</li>" for question in retry
            )
            parts.append(f"<p><strong>Try once more</strong></p><ul>{items}</ul>")
        parts += [f"<p>{escape(note)}</p>"] if note else []
        return f'<div style="font-size: 1.1em; line-height: 1.4">{"".join(parts)}</div>'

    def _shown(self, shown):
        places = "; ".join(map(self._where, shown.questions))
        symbol = not shown.title[1].isalpha()  # x regressed on y
        title = shown.title if symbol else shown.title[0].upper() + shown.title[1:]
        return f"<li><strong>{escape(title)}.</strong> {escape(shown.text)} <em>({places})</em></li>"

    @staticmethod
    def _where(question):
        return f"Section {question.name[:2]}, {escape(question.title)}"

    def stored(self):
        text = (
            "Run this cell after some lessons: from your own answers it tells which misconceptions they point to, and three "
            "questions to try once more."
        )
        return {"text/plain": text, "text/html": f"<p><em>{text}</em></p>"}


def _beginning(text, most=90):
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


class Sentence(anywidget.AnyWidget):
    """A line of text that comes to the page as the figures do, so it shows only where they can (see sentence.js)."""

    _esm = (HERE / "sentence.js").read_text(encoding="utf-8")
    _css = (HERE / "style.css").read_text(encoding="utf-8")
    value = traitlets.Unicode().tag(sync=True)


class WorksHere(Shown):
    """The first thing a reader runs: a slider and a sentence that follows it, so that a dead page is noticed at once."""

    def __init__(self):
        self.slider = ipywidgets.IntSlider(value=3, min=0, max=10, description="drag me")
        self.sentence = Sentence()
        ipywidgets.dlink((self.slider, "value"), (self.sentence, "value"), self.say)
        self.widget = ipywidgets.VBox([self.slider, self.sentence])
        self.widget.add_class("bayeslib-live")

    @staticmethod
    def say(value):
        return f"The slider stands at {value}, and Python knows it: everything works here."

    def stored(self):
        """Also what stays on the page where widgets do not work, so it must serve a reader who has just run the cell."""
        text = (
            "Nothing moves yet. Run this cell: click into it and press Shift+Enter. If you have just done so and this "
            "sentence is still here after a few seconds, live figures do not work on this page: reload it in the browser "
            "and run the cell again. If that does not help, do what the list below says."
        )
        return {"text/plain": text, "text/html": f"<p>{text}</p>"}
