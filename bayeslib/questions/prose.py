"""Markdown with formulas, as the course's questions are written, and what a page shows of it: HTML with MathML.

MathML needs no script, no fonts and no network, so a formula looks the same in JupyterLab, on slides, on the site and in
feedback. A formula that cannot be converted is a ValueError when its question is loaded.
"""

import re
from functools import cache
from html import escape, unescape
from xml.etree import ElementTree

import mistune
from latex2mathml.converter import convert

PARTS = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
SPACES = {'"negativethinmathspace"': '"-0.167em"', '"negativemediummathspace"': '"-0.222em"'}


@cache
def mathml(latex, display="inline"):
    """A formula as MathML; `\\tag{1.2}` puts a number beside it.

    >>> mathml(r"P(\\text{sick})")[:60], mathml(r"x \\tag{1}", "block")[-28:]
    ('<math display="inline"><mrow><mi>P</mi><mo stretchy="false">', '<span class="tag">(1)</span>')
    """
    bare, tag = re.sub(r"\\tag\{(.*?)\}", "", latex), re.search(r"\\tag\{(.*?)\}", latex)
    try:
        braces = re.sub(r"\\[{}]", "", latex)
        if braces.count("{") != braces.count("}"):
            raise ValueError("its braces do not match")
        text = convert(bare.strip(), display=display).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
        for node in ElementTree.fromstring(text).iter():
            if (node.text or "") in ("&", "$") or re.search(r"[\\$]", node.text or ""):
                raise ValueError(f"{node.text!r} is not understood")
            if len(node) != PARTS.get(node.tag, len(node)):
                raise ValueError(f"a part of {node.tag} is missing")
    except Exception as error:
        raise ValueError(f"latex must be a formula that can be shown as MathML, got {latex!r}: {error}") from None
    for old, new in SPACES.items():
        text = text.replace(old, new)
    text = re.sub("<mi>([×−·÷])</mi>", r"<mo>\1</mo>", text)
    return text + (f'<span class="tag">({escape(tag[1])})</span>' if tag else "")


class _Live(mistune.HTMLRenderer):
    def inline_math(self, text):
        return mathml(text)

    def block_math(self, text):
        return f'<div class="formula">{mathml(text, "block")}</div>\n'


class _Stored(mistune.HTMLRenderer):
    """Formulas stay as they are: where a notebook is stored, GitHub and JupyterLab typeset them."""

    def inline_math(self, text):
        return f"${escape(text)}$"

    def block_math(self, text):
        return f"<p>$${escape(text)}$$</p>\n"


@cache
def _markdown(stored, blocks):
    made = mistune.create_markdown(renderer=(_Stored if stored else _Live)(), plugins=["math", "table"])
    if not blocks:
        made.block.rules = ["blank_line"]
    return made


@cache
def html(markdown, stored=False):
    """Paragraphs, lists and formulas as HTML; to be stored, formulas stay between dollar signs."""
    return _markdown(stored, True)(markdown).strip().replace("'", "&#x27;")  # as html.escape has it


@cache
def inline(text, stored=False):
    """A text without paragraphs as HTML.

    >>> inline("*at most* 3 < 5"), inline("$x$", stored=True)
    ('<em>at most</em> 3 &lt; 5', '$x$')
    """
    shown = _markdown(stored, False)(text).strip().removeprefix("<p>").removesuffix("</p>")
    return shown.replace("'", "&#x27;")


FORMULA = re.compile(r"\$(?=\S)([^$]+?)(?<=\S)\$")


def formulas(html):
    """HTML whose formulas still stand between dollar signs, with MathML in their place; what is no formula stays."""

    def shown(found):
        try:
            return mathml(unescape(found[1]))
        except ValueError:  # a reader's own text
            return found[0]

    return FORMULA.sub(shown, html)


def plain(text):
    """A text as it is said and printed, with a formula as it would be typed.

    >>> plain(r"$h_{MAP}$ is *sick*: $P(\\text{sick} \\mid +) > 0.5$")
    'h_MAP is sick: P(sick | +) > 0.5'
    """
    said = typed(text)
    return re.sub(r"(?<![\w*])(\*{1,2})(?=\S)([^*]+?)(?<=\S)\1(?![\w*])", r"\2", said)


def typed(text):
    """A text with its formulas as they would be typed."""
    return FORMULA.sub(lambda found: _typed(found[1]), text.replace("$$", "$"))


TYPED = {
    r"\\(?:text|mathrm|operatorname|mathbf|mathcal)\{([^{}]*)\}": r"\1",
    r"\\d?frac\{([^{}]*)\}\{([^{}]*)\}": r"(\1)/(\2)",
    r"\\mid": "|",
    r"\\ell": "ℓ",
    r"\\times": "×",
    r"\\cdot": "·",
    r"\\neg\s*": "¬",
    r"\\wedge": "∧",
    r"\\propto": "∝",
    r"\\leq?\b": "≤",
    r"\\geq?\b": "≥",
    r"\\approx": "≈",
    r"\\sum": "Σ",
    r"\\log": "log",
    r"\\ln": "ln",
    r"\\[,;:! ]|\\q?quad": " ",
    r"\\(alpha|beta|gamma|delta|epsilon|varepsilon|theta|lambda|mu|pi|rho|sigma|tau|phi|chi|omega|Omega|Sigma)\b": None,
    r"\\([%$#&_{}])": r"\1",
    r"([_^])\{([^{}]*)\}": r"\1\2",
    r"\s+": " ",
}
GREEK = dict(zip("alpha beta gamma delta epsilon varepsilon theta lambda mu pi rho sigma tau phi chi omega Omega Sigma".split(), "αβγδεεθλμπρστφχωΩΣ"))  # fmt: skip


def _typed(latex):
    for pattern, by in TYPED.items():
        latex = re.sub(pattern, by if by is not None else lambda found: GREEK[found[1]], latex)
    return latex.strip()
