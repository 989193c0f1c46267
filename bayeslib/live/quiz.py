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

from bayeslib.figures import theme
from bayeslib.figures.display import Shown, img
from bayeslib.figures.drawn import Drawn
from bayeslib.questions import record, review
from bayeslib.questions.prose import html, inline, plain
from bayeslib.questions.question import VERDICTS, Question, compose, names
from bayeslib.sections import SECTIONS

HERE = Path(__file__).parent
FIGURES = HERE.parent / "figures"
QUESTIONS = theme.css(".bayeslib-question", ".bayeslib-reveal", ".bayeslib-start")
QUESTIONS += (HERE / "question.css").read_text(encoding="utf-8")
STYLE = (FIGURES / "style.css").read_text(encoding="utf-8") + QUESTIONS


class Form(anywidget.AnyWidget):
    """The front end of a question (see question.js). Texts are HTML."""

    _esm = (HERE / "question.js").read_text(encoding="utf-8")
    _css = STYLE
    kind = traitlets.Unicode().tag(sync=True)  # quiz, predict, bet, raise or settle
    heading = traitlets.Unicode().tag(sync=True)
    place = traitlets.Unicode().tag(sync=True)  # "2 of 6"
    prompt = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    button = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)  # beside the button
    skip = traitlets.Unicode().tag(sync=True)
    verdict = traitlets.Unicode().tag(sync=True)
    verdicts = traitlets.Dict(VERDICTS).tag(sync=True)
    feedback = traitlets.Unicode().tag(sync=True)
    marks = traitlets.List(traitlets.Unicode()).tag(
        sync=True
    )  # of each option, once it is told: "right", "said", "first"
    chosen = traitlets.Float(allow_none=True, default_value=None).tag(sync=True)
    locked = traitlets.Bool(False).tag(sync=True)
    sealed = traitlets.Bool(False).tag(sync=True)  # a bet is shown in place of the question
    reply = traitlets.Dict().tag(sync=True, echo_update=False)
    answered = traitlets.Int(0).tag(sync=True)  # the number of the last reply that was answered


class Told(anywidget.AnyWidget):
    """What stands under the figure of an answered question: verdict and explanation (see sentence.js)."""

    _esm = (HERE / "sentence.js").read_text(encoding="utf-8")
    _css = STYLE
    value = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Unicode("reveal").tag(sync=True)


class Quiz(Shown):
    """A question that replies to answers, by its name, such as "01/retest"; or all quiz questions of a section, such as "01".

    The reader may try as often as they like.
    """

    KIND, BUTTON, SKIP, GUESS = "quiz", "Check", "", ""
    PERCENT = "The question asks for percent. Did you mean {}?"

    def __new__(cls, name, *_, **__):
        return super().__new__(cls) if "/" in name else Quizzes(name)

    def __init__(self, name):
        self.question = Question(name)
        self.form = Form(
            kind=self.KIND,
            heading=self.question.title,
            prompt=inline(self.question.prompt),
            options=[*map(inline, self._options())],
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
        right = self.question.is_right(value)
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
            self.form.verdict, self.form.feedback = verdict, inline(words)

    def page(self):
        """All that question.js needs on a page without Python: what the form shows, and the words of every reply.

        `folds` is what is shown without JavaScript, and in print.
        """
        question = self.question
        shown = {
            name: getattr(self.form, name)
            for name in ("kind", "heading", "place", "prompt", "options", "button", "note", "skip", "verdicts")
        }
        words = {"replies": [_joined(reply) for reply in question.replies], "solution": inline(question.solution)}
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
        options = self._option_folds() + _fold("The answer", inline(question.solution), ' class="solution"')
        return {"name": question.name, "form": shown, **words, "folds": self._prompt() + options}

    def _on_reply(self, change):
        value = change["new"].get("answer")
        if "room" in change["new"]:
            self._hear(change["new"]["room"])
        elif type(value) in (int, float) and isfinite(value):
            self.answer(value)
        else:  # what a number field may send: 1e999
            self._say("", "Type a number first.")

    def _hear(self, value):
        """What a lecture room said, None without a vote: it counts as an answer, and the right one is told without a verdict."""
        self.answer(self.question.best if value is None else value)
        self._say("", self.question.solution)
        self.form.locked = True

    def _options(self):
        return [
            f"{letter}{'' if letter[0] == '(' else '.'} {option['text']}" for letter, option in self.question.lettered
        ]

    def _prompt(self, stored=False):
        return f"<p><strong>{escape(self._title())}</strong> {inline(self.question.prompt, stored)}</p>"

    def _title(self):
        return self.question.title + ("" if self.question.title[-1] in "?!" else ".")

    def _option_folds(self, stored=False):
        feedback = [f"{VERDICTS[reply['verdict']]}. {' '.join(reply['parts'])}" for reply in self.question.replies]
        return "".join(
            _fold(inline(head, stored), inline(body, stored)) for head, body in zip(self._options(), feedback)
        )

    def stored(self):
        """Each answer behind its own fold."""
        solution = inline(self.question.solution, stored=True)
        folds = self._option_folds(stored=True) if self.question.is_choice else _fold("The answer", solution)
        return {"text/plain": self._plain(), "text/html": self._prompt(stored=True) + folds}

    def _plain(self):
        return "\n".join(map(plain, [f"{self._title()} {self.question.prompt}", *self._options()]))


class Quizzes(Shown):
    """All quiz questions of a section in one cell."""

    def __init__(self, section):
        found = [name for name in names(section) if Question(name).title.startswith("Quiz")]
        self.quizzes = [Quiz(name) for name in found]
        for number, quiz in enumerate(self.quizzes, 1):
            quiz.form.heading, quiz.form.place = "Quiz", f"{number} of {len(found)}"
        self.widget = ipywidgets.VBox([quiz.form for quiz in self.quizzes])
        self.widget.add_class("bayeslib-live")

    def page(self):
        return [quiz.page() for quiz in self.quizzes]

    def stored(self):
        bundles = [quiz.stored() for quiz in self.quizzes]
        return {
            "text/plain": "\n\n".join(each["text/plain"] for each in bundles),
            "text/html": "".join(each["text/html"] for each in bundles),
        }


def _joined(reply):
    return {**reply, "parts": inline(" ".join(reply["parts"]))}


def _fold(head, body, kind=""):
    return f"<details{kind}><summary>{head}</summary>{body}</details>"


class Predict(Quiz):
    """A question that is asked before `figure` shows the answer. The guess is saved; then the figure shows how far off it was.

    Only the live figure waits for the guess, and only on the page: its cell finishes at once, so Run All never waits. It
    stands there as it opens, with only the controls that `offers` names; the answer brings the others, and the explanation.
    In the second edition it is not shown at all before the guess. Without a guess, as in class after a show of hands, it
    opens on its first step and a second click reveals the answer.
    """

    KIND, BUTTON, SKIP, TELL = "predict", "Lock in my guess", "Show me without a guess", "Tell the answer"
    GUESS = "Your guess: {}. "

    def __init__(self, name, figure=None, offers=()):
        super().__init__(name)
        self.figure, self.offers, self.told, self._entry = figure, offers, Told(), None
        self._start = figure.values if figure else {}
        if self.question.reveal:
            self._place = self._number()
            self.form.options = [inline(option["text"]) for option in self.question.options]
            self.widget.children = [self.form, *([figure.widget] if figure else []), self.told]
            self._ask()
        elif figure is None:
            raise ValueError(f"figure is missing: question {name!r} has no reveal, so a figure must answer it")
        note = record.look()[1]
        self._follow()
        if note and not self.form.locked:
            self._say("", note)
        record.watch(self._follow)

    def _number(self):
        """Which of the lesson's predictions it is."""
        section = [name for name in names(self.question.name.partition("/")[0]) if Question(name).is_prediction]
        return f"{section.index(self.question.name) + 1} of {len(section)}"

    def page(self):
        page = super().page() | {"tell": self.TELL}
        if not self.question.reveal:
            return page
        question = self.question
        said = "" if question.is_choice else inline(question.solution)
        page |= {"reveal": html(question.reveal), "unguessed": said, "open": Settle.OPEN, "right": []}
        page |= {"said": [inline(option["text"]) for option in question.options], "again": inline(question.again)}
        page |= {"once": {name: inline(text) for name, text in question.once.items()}}
        if question.is_choice:
            page |= {"guess": "", "right": [bool(option.get("correct")) for option in question.options]}
        fold = _fold(
            "Guess first, then open this", f"<p>{inline(question.solution)}</p>{page['reveal']}", ' class="solution"'
        )
        return page | {
            "folds": self._prompt() + self._stored_options() + (fold if self.KIND in ("predict", "settle") else "")
        }

    def _follow(self):
        """Show what the record says, whichever cell or tab has changed it."""
        entry = record.read().get(self.question.name)
        if entry == self._entry:
            return
        self._entry = entry
        if entry:
            with suppress(ValueError):  # a restored file may hold an answer to an older form of the question
                self._reply(entry["answer"], record.look()[1])
                self._reveal()
        elif self.question.reveal:
            self._ask()

    def _ask(self):
        """The question as it stands before anybody has answered."""
        with self.form.hold_sync():
            self.form.locked, self.form.chosen, self.form.marks, self.form.skip = False, None, [], self.SKIP
            self.form.place = self._place
            self.form.verdict, self.form.feedback, self.form.sealed, self.told.value = "", "", False, ""
        if self.figure:
            self._ghost(None)
            self.figure.wait(*self.offers)
            self._open_figure()

    def _ghost(self, value):
        if isinstance(self.figure, Drawn):
            self.figure.guess(value)

    def _say(self, verdict, words):
        super()._say(verdict, words)
        if self.question.reveal and verdict:
            self._tell(verdict, words)

    def _tell(self, verdict, words):
        """Verdict and explanation, under the figure."""
        self.form.verdict = self.form.feedback = ""
        self.told.kind, self.told.value = f"reveal {verdict}", self._told_of(verdict, inline(words))

    def _told_of(self, verdict, words):
        head = f"<strong>{VERDICTS[verdict]}.</strong>" if verdict else ""
        first = f'<p class="verdict">{head} {words}</p>' if head or words else ""
        return first + html(self.question.reveal)

    def words(self, value):
        verdict, words = super().words(value)
        if self.question.reveal and self.question.is_choice:  # the page marks what was said
            words = " ".join(self.question.judge(value)[1])
        return verdict, words

    def _on_reply(self, change):
        if not change["new"].get("skipped"):
            super()._on_reply(change)
        elif self.question.reveal or self.figure.widget in self.widget.children:
            said = not self.question.reveal or not self.question.is_choice  # else the page marks the right one
            (self._tell if self.question.reveal else self._say)("", self.question.solution if said else "")
            self._reveal()
        else:
            self._open_figure()
            self.widget.children = [self.form, self.figure.widget]
            self.form.skip = self.TELL

    def _hear(self, value):
        super()._hear(value)
        if self.question.reveal:
            self._tell("", self.question.solution)
        if value is None:
            self._ghost(None)

    def _reveal(self):
        """Show the figure with the answer; the reply to the guess is already shown."""
        self.form.locked = True
        entry = self._entry
        self.form.marks = self._marks([entry["answer"]] if entry else [])
        if not self.figure:
            return
        if entry:
            self._ghost(self.question.ghost(entry["answer"]))
        self.figure.go_on()
        self._answer_by_figure()
        if not self.question.reveal:
            self.widget.children = [self.form, self.figure.widget]

    def _marks(self, guesses):
        """What stands beside each option once it is told."""
        said = dict(zip(map(float, guesses), ("first", "said") if len(guesses) > 1 else ("said",)))
        return [
            " ".join(filter(None, ["right" if option.get("correct") else "", said.get(float(number), "")]))
            for number, option in enumerate(self.question.options)
        ]

    def _open_figure(self):
        """Show the figure as it opens without a guess: it must not give the answer yet."""
        self.figure.set(**self._start | ({"step": 0} if "step" in self._start else {}) | self.question.first)

    def _answer_by_figure(self):
        """Show the answer: set the question's control values, and a player to its last step if the question names none."""
        then = {name: value for name, value in self.question.then.items() if name in self.figure.controls}
        self.figure.set(**{control: self._start[control] for control in self.question.first} | then)
        if "step" in self.figure.controls and "step" not in self.question.then:
            self.figure.set(step=self.figure.controls["step"].max)

    def stored(self):
        bundle = super().stored()
        words, shown = [bundle["text/plain"]], ""
        if self.figure:
            (opening, asked), (picture, alt) = self._pictures()
            words, shown = [*words, asked if self.question.reveal else alt], img(picture, alt, self.figure.view.width)
            shown = f"{shown}<br>{escape(alt)}"
        if not self.question.reveal:
            fold = _fold("Guess first, then open the picture", shown)
            wake = "<p><em>To guess and then move the figure yourself, click here and press Shift+Enter to run the cell.</em></p>"
            return {"text/plain": "\n".join(words), "text/html": bundle["text/html"] + fold + wake}
        above = img(opening, asked, self.figure.view.width) if self.figure and self.KIND == "predict" else ""
        solution = f"<p>{inline(self.question.solution, stored=True)}</p>{html(self.question.reveal, stored=True)}"
        body = self._prompt(stored=True) + self._stored_options() + above + _fold(self.FOLD, solution + shown)
        return {"text/plain": "\n".join(words), "text/html": body}

    FOLD = "Guess first, then open this"

    def _stored_options(self):
        return f"<ul>{''.join(f'<li>{inline(option, stored=True)}</li>' for option in self._options())}</ul>"

    def _pictures(self):
        """(picture, words) of the figure before and after the answer. What is stored does not depend on who ran it."""
        before, offers, guess = self.figure.values, self.figure._offers, getattr(self.figure, "_guess", None)
        self._ghost(None)
        made = []
        for act in (self._open_figure, self._answer_by_figure):
            if self.question.reveal:
                self.figure.wait() if not made else self.figure.go_on()
            act()
            made.append((self.figure.canvas.stored(), self.figure.alt))
        self._ghost(guess)
        if offers is not None:
            self.figure.wait(*offers)
        self.figure.set(**before)
        return made


class Bet(Predict):
    """The lesson's opening question: a guess is stored and not marked. The figure stays as it opens."""

    KIND, BUTTON, SKIP = "bet", "Place my bet", ""

    def __init__(self, name, figure=None, offers=()):
        if not Question(name).is_bet:
            raise ValueError(f"name must be a question whose title is Bet, got {name!r}")
        super().__init__(name, figure, offers)

    def answer(self, value):
        """Place the bet, or confirm or change it. Returns None, as a bet is not marked."""
        if refused := self._refusal(value):
            self._say("", refused)
        elif not self._done():
            _, note = record.bet(self.question.name, value, self.question.is_right(value))
            if note:
                self.form.feedback += f" ({inline(note)})"

    def _hear(self, value):
        if value is not None:
            self.answer(value)

    def _done(self):
        return bool(self._entry)

    def _follow(self):
        entry = record.read().get(self.question.name)
        if entry == self._entry and (entry or self.form.note):
            return
        self._entry = entry
        self._bets = [self.question.said(each) for each in record.bets_of(entry)] if entry else []
        self._ask()
        self._show()

    def _show(self):
        """The sealed bet, or the question."""
        self.form.note = inline(self.question.note or "Not marked now; we settle it at the end.")
        if self._entry:
            self._seal("Your bet", "settled" if record.answered(self.question.name) else "sealed")
            if self.figure:
                self._ghost(self.question.ghost(self._entry["answer"]))
                if record.answered(self.question.name):
                    self.figure.go_on()

    def _seal(self, heading, place):
        """In place of the question: the bet, and the one before it."""
        *earlier, last = map(inline, self._bets)
        was = "".join(f"<s>{each}</s> " for each in earlier if each != last)
        with self.form.hold_sync():
            self.form.locked = self.form.sealed = True
            self.form.heading, self.form.place = heading, place
            self.form.feedback = f'You bet <span class="bayeslib-stake">{was}<b>{last}</b></span>'

    def _ask(self):
        super()._ask()
        self.form.heading = "Your bet"

    def stored(self):
        above, words = "", [self._plain()]
        if self.figure:
            (opening, asked), _ = self._pictures()
            above, words = img(opening, asked, self.figure.view.width), [*words, asked]
        return {"text/plain": "\n".join(words), "text/html": self._prompt(stored=True) + self._stored_options() + above}


class RaiseBet(Bet):
    """Half-way through the lesson: keep the bet, or change it once. Without a bet it is placed here."""

    KIND, BUTTON = "raise", "Keep my bet"

    def __init__(self, name):
        super().__init__(name)

    def _done(self):
        return len(self._bets) > 1

    def _follow(self):
        said = [text for name, text in self.question.once.items() if record.answered(name)]
        entry = record.read().get(self.question.name)
        if (entry, said) != (self._entry, getattr(self, "_said", None)):
            self._entry, self._said = None, said
            super()._follow()
            self._entry = entry

    def _show(self):
        self.form.note, self.form.button = "", self.BUTTON if self._entry else Bet.BUTTON
        if not self._entry:
            self.form.prompt = inline(self.question.prompt)
        elif self._done() or record.answered(self.question.name):
            self._seal("Your bet", "settled" if record.answered(self.question.name) else "sealed")
        else:
            again = self.question.again or "You bet {}. Keep your bet, or change it?"
            self.form.prompt = inline(" ".join([again.format(self._bets[-1]), *self._said]))
            self.form.heading, self.form.place = "Your bet", "may still change"
            self.form.chosen = self._entry["answer"]

    def stored(self):
        again = (self.question.again or "Keep your bet, or change it?").format("…")
        return {"text/plain": plain(again), "text/html": f"<p>{inline(again, stored=True)}</p>"}


class Settle(Bet):
    """The end of the lesson: the bet and the truth. Without a bet the question is asked first."""

    KIND, BUTTON, OPEN, FOLD = "settle", "Place my bet", "Settle the bet", "Bet first, then open this"

    def answer(self, value):
        """Place the bet if there is none, and settle it."""
        if not self._entry:
            super().answer(value)
        if self._entry:
            record.settle(self.question.name)

    def _on_reply(self, change):
        if self._entry and "room" not in change["new"]:
            record.settle(self.question.name)
        else:
            super()._on_reply(change)

    def _hear(self, value):
        voted = bool(self._entry)
        self.answer(self.question.best)
        self._tell("", self.question.solution)
        if not voted:
            self._ghost(None)

    def _show(self):
        self.form.button = self.OPEN if self._entry else self.BUTTON
        if record.answered(self.question.name):
            verdict, parts = self.question.judge(self._entry["answer"])
            self._tell(verdict, " ".join(parts))
            self._reveal()
            with self.form.hold_sync():
                self.form.marks, self.form.chosen = self._marks(record.bets_of(self._entry)), self._entry["answer"]
                self.form.heading, self.form.place, self.form.note = "Your bet", "settled", ""
        elif self._entry:
            self._seal("Your bet", "not settled yet")
            self.form.locked = False

    def stored(self):
        return Predict.stored(self)


class Starter(anywidget.AnyWidget):
    """The front end of `Start` (see start.js)."""

    _esm = (HERE / "start.js").read_text(encoding="utf-8")
    _css = STYLE
    own = traitlets.Unicode().tag(sync=True)  # the id of this model, by which the page finds it


class Start(Shown):
    """What the first cell of a lesson shows: a button that runs the cells below, while the page stays where it is."""

    def __init__(self):
        self.form = Starter()
        self.form.own = self.form.model_id
        self.widget = ipywidgets.VBox([self.form])
        self.widget.add_class("bayeslib-live")

    def stored(self):
        text = "To start this lesson, click here and press Shift+Enter; then press the button that appears."
        return {"text/plain": text, "text/html": f"<p><em>{text}</em></p>"}


class Copies(anywidget.AnyWidget):
    """The front end of `Answers` (see answers.js)."""

    _esm = (HERE / "answers.js").read_text(encoding="utf-8")
    _css = STYLE
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
        tasks = [record.task(f"{section.number}/{name}") for section in SECTIONS for name in section.tasks()]
        solved = sum(answers.get(name, {}).get("right", False) for name in tasks)
        counted = (
            f"{len(current)} questions answered so far, {right} of them right. {solved} of {len(tasks)} tasks solved."
        )
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
                f"<li>{self._where(question)}: {escape(_beginning(plain(question.prompt)))}</li>" for question in retry
            )
            parts.append(f"<p><strong>Try once more</strong></p><ul>{items}</ul>")
        parts += [f"<p>{escape(note)}</p>"] if note else []
        return f'<div style="font-size: 1.1em; line-height: 1.4">{"".join(parts)}</div>'

    def _shown(self, shown):
        places = "; ".join(map(self._where, shown.questions))
        symbol = not shown.title[1].isalpha()  # x regressed on y
        title = shown.title if symbol else shown.title[0].upper() + shown.title[1:]
        return f"<li><strong>{inline(title)}.</strong> {inline(shown.text)} <em>({places})</em></li>"

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


class WorksHere(Shown):
    """The first thing a reader runs: a slider and a sentence that follows it, so that a dead page is noticed at once."""

    def __init__(self):
        self.slider = ipywidgets.IntSlider(value=3, min=0, max=10, description="drag me")
        self.sentence = Told(kind="")
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
