"""How a verdict is shown: by sign, colour and word on a page, by sign and word in a terminal, and wrapped at words."""

import re
import sys
import textwrap
from html import escape

from bayeslib.questions import prose

SIGNS = {"correct": "✓", "partly": "◐", "wrong": "✗", "noted": "•", "open": "○"}
COLOURS = {
    "correct": "#00655C",
    "partly": "#8A5A00",
    "wrong": "#1A1D21",
    "noted": "#5A6068",
    "open": "#5A6068",
}  # all dark enough for white text
KINDS = {"Correct": "correct", "Nearly": "partly", "Not yet": "wrong", "Noted": "noted", "Your turn": "open"}


class Message:
    """The message of a check, whose first sentence is the verdict, such as "Not yet."; text between `backticks` is code.

    >>> print(Message("Correct. 3 of 3 cases agree."))
    ✓ Correct. 3 of 3 cases agree.
    """

    def __init__(self, message):
        verdict, _, self.rest = message.partition(". ")
        self.kind = KINDS[verdict]
        self.verdict = f"{SIGNS[self.kind]} {verdict}"

    def __str__(self):
        return textwrap.fill(
            prose.typed(f"{self.verdict}. {self.rest}"), 100, break_long_words=False, break_on_hyphens=False
        )

    __repr__ = __str__

    def _repr_html_(self):
        colour = COLOURS[self.kind]
        chip = f"padding: 1px 8px; border-radius: 3px; border: 1px solid; white-space: nowrap; color: white; background: {colour}"
        box = f"border-left: 4px solid {colour}; padding: 2px 10px; max-width: 60em; overflow-wrap: break-word"
        words = prose.formulas(re.sub("`(.+?)`", r"<code>\1</code>", escape(self.rest)))
        return f'<div style="{box}"><strong style="{chip}">{self.verdict}</strong> {words}</div>'


def show(markdown):
    """Show a Markdown text: on a notebook's page formatted, elsewhere printed."""
    ipython = sys.modules.get("IPython")
    if ipython and ipython.get_ipython():
        ipython.display.display(ipython.display.Markdown(markdown))
    else:
        print(markdown)


def tell(message, metadata=dict):
    """Show the message of a check: on a notebook's page with its colour, elsewhere printed.

    `metadata` is called for what the notebook keeps beside the message.
    """
    ipython = sys.modules.get("IPython")
    if ipython and ipython.get_ipython():
        ipython.display.display(Message(message), metadata=metadata())
    else:
        print(Message(message))
