"""How a verdict is shown: by sign, colour and word on a page, by sign and word in a terminal, and wrapped at words."""

import re
import sys
import textwrap
from html import escape

SIGNS = {"correct": "✓", "partly": "◐", "wrong": "✗", "noted": "•"}
COLOURS = {
    "correct": "#1a7f37",
    "partly": "#946200",
    "wrong": "#c4352b",
    "noted": "#5f6368",
}  # all dark enough for white text
KINDS = {"Correct": "correct", "Nearly": "partly", "Not yet": "wrong", "Noted": "noted"}


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
        return textwrap.fill(f"{self.verdict}. {self.rest}", 100, break_long_words=False, break_on_hyphens=False)

    __repr__ = __str__

    def _repr_html_(self):
        colour = COLOURS[self.kind]
        chip = f"padding: 1px 8px; border-radius: 3px; white-space: nowrap; color: white; background: {colour}"
        box = f"border-left: 4px solid {colour}; padding: 2px 10px; max-width: 60em; overflow-wrap: break-word"
        words = re.sub("`(.+?)`", r"<code>\1</code>", escape(self.rest))
        return f'<div style="{box}"><strong style="{chip}">{self.verdict}</strong> {words}</div>'


def show(markdown):
    """Show a Markdown text: on a notebook's page formatted, elsewhere printed."""
    ipython = sys.modules.get("IPython")
    if ipython and ipython.get_ipython():
        ipython.display.display(ipython.display.Markdown(markdown))
    else:
        print(markdown)


def tell(message):
    """Show the message of a check: on a notebook's page with its colour, elsewhere printed."""
    ipython = sys.modules.get("IPython")
    if ipython and ipython.get_ipython():
        ipython.display.display(Message(message))
    else:
        print(Message(message))
