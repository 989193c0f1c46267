"""A lesson as its reader meets it: parts and tags, what can be read in each cell, its numbers, words and symbols."""

import ast
import contextlib
import io
import re
import warnings
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from html import unescape
from pathlib import Path

import nbformat
from matplotlib.text import Text

from bayeslib import live
from bayeslib.figures.drawn import Drawn
from bayeslib.figures.figure import LiveFigure
from bayeslib.sections import PAGES

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
HEAD_LINE = r"\*\*Core: (\d+) minutes\.\*\* With all that is marked \*more\*: (\d+)\. Practice and quiz: (\d+) more\."
MINUTES = r"\*\*(\d+) minutes, rank (\d+)\.\*\*"
NO_FIGURE = set(
    "start bet raise_bet settle predict quiz source points curves drawing answers works_here look_again".split()
)


class Lesson:
    """The cells of a notebook and the parts that its `## ` headings make."""

    def __init__(self, number, cells):
        self.number, self.cells = number, cells
        self._names, self._values, self._drawn = {"live": live}, [], {}

    @classmethod
    @cache
    def read(cls, number):
        name = next(lesson.name for lesson in PAGES if lesson.number == number)
        return cls(number, nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4).cells)

    @property
    def practice(self):
        """Where the practice begins: the parts of the lecture are before it."""
        found = (i for i, cell in enumerate(self.cells) if re.match(r"## Practice\b", cell.source))
        return next(found, len(self.cells))

    @property
    def parts(self):
        """heading → cells, of all that comes before the practice; what stands before the first heading is no part."""
        parts, heading = {}, None
        for cell in self.cells[: self.practice]:
            if is_markdown(cell) and (found := re.match(r"## +(.+)", cell.source)):
                heading = found[1].strip()
                parts[heading] = []
            if heading is not None:
                parts[heading].append(cell)
        return parts

    def asked(self, kind="predict"):
        """(index of the cell, name of the question), for its predictions or its quiz."""
        for i, cell in enumerate(self.cells):
            if not is_markdown(cell):
                yield from ((i, name) for name in re.findall(rf'live\.{kind}\(\s*"([^"]+)"', cell.source))

    def texts(self, i):
        """What can be read in a cell, its stored outputs and their pictures, a piece each."""
        cell = self.cells[i]
        yield cell.source
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            yield output.get("text", "")
            yield from (data[kind] for kind in ("text/plain", "text/markdown") if kind in data)
            yield from re.findall(r'alt="([^"]*)"', data.get("text/html", ""))
            yield plain(data.get("text/html", ""))
        if any(
            "<img" in o.get("data", {}).get("text/html", "") or "image/png" in o.get("data", {})
            for o in cell.get("outputs", [])
        ):
            yield "\n".join(self.pictured(i))

    def pictured(self, i):
        """The texts in the picture that a cell shows; a prediction's is the one with its answer."""
        if i not in self._drawn:
            self._drawn[i] = drawn(self.result(i))
        return self._drawn[i]

    def result(self, i):
        """What a cell shows; a figure stands as the cell left it. Each cell is run once, after those above it."""
        with contextlib.chdir(NOTEBOOKS):
            for cell in self.cells[len(self._values) : i + 1]:
                shown = None if is_markdown(cell) else value(cell.source, self._names)
                figures = [each for each in (shown, getattr(shown, "figure", None)) if isinstance(each, LiveFigure)]
                self._values.append((shown, [(figure, figure.values) for figure in figures]))
        shown, figures = self._values[i]
        for figure, values in figures:
            figure.set(**values)
        return shown

    def names(self, id):
        """The names that a cell leaves behind."""
        self.result(next(i for i, cell in enumerate(self.cells) if cell.id == id))
        return self._names


def value(source, names):
    """What the last expression of a cell gives; what it prints is swallowed."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def drawn(shown):
    """The texts that stand in a picture, but for the numbers at its axes."""
    if isinstance(shown, live.predict) and shown.figure is None:
        return []
    if isinstance(shown, live.predict):
        then, shown = shown.question.then, shown.figure
        shown.set(**then)
        if "step" in shown.controls and "step" not in then:
            shown.set(step=shown.controls["step"].max)
    if isinstance(shown, Drawn):
        marks = [mark for mark in shown.marks() if mark[1] == "text"]
        return [
            words
            for name, _, _, style in marks
            if not re.match(r"\d+ [xy] |tick ", name)
            for words in style["words"]
            if words
        ]
    figure = getattr(shown, "figure", shown)
    if not hasattr(figure, "findobj"):
        return []
    ticks = {id(t) for axes in figure.axes for t in axes.get_xticklabels() + axes.get_yticklabels()}
    texts = [t for t in figure.findobj(Text) if t.get_visible() and id(t) not in ticks]
    return [t.get_text() for t in texts if t.get_text().strip()]


def is_markdown(cell):
    return cell.cell_type == "markdown"


def is_notes(cell):
    return is_markdown(cell) and "<summary>For the lecturer" in cell.source


def tags(cell):
    return [tag for tag in cell.metadata.get("tags", []) if tag in ("core", "more", "after")]


def plain(html):
    """The text of a piece of HTML."""
    return unescape(re.sub(r"<[^>]*>", "\n", html))


def words(source):
    """How many words a reader meets: what whitespace parts and has a letter or a digit, formulas too, tags and addresses not."""
    text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"<[^>]*>", " ", source))
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


# Names


class Names(ast.NodeVisitor):
    """The names that a cell needs from outside (`free`), leaves behind (`bound`, among them `imported`), and assigns into (`changed`)."""

    def __init__(self, source):
        self.free, self.bound, self.imported, self.changed, self._inner = set(), set(), set(), set(), []
        for statement in ast.parse(re.sub(r"(?m)^[%!].*$", "", source)).body:
            self.visit(statement)

    def _seen(self, name):
        return name in self.bound or any(name in inner for inner in self._inner)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.free |= set() if self._seen(node.id) else {node.id}
        else:
            (self._inner[-1] if self._inner else self.bound).add(node.id)

    def visit_Assign(self, node):
        for each in (node.value, *node.targets):
            self.visit(each)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.free |= set() if self._seen(node.target.id) else {node.target.id}
        self.visit(node.value)
        self.visit(node.target)

    def visit_For(self, node):
        for each in (node.iter, node.target, *node.body, *node.orelse):
            self.visit(each)

    def _into(self, node):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.changed.add(node.value.id)
        self.generic_visit(node)

    visit_Subscript = visit_Attribute = _into

    def visit_alias(self, node):
        name = (node.asname or node.name).partition(".")[0]
        (self._inner[-1] if self._inner else self.bound).add(name)
        self.imported.add(name)

    def _scope(self, node, names, parts):
        self._inner.append(set(names))
        for each in parts:
            self.visit(each)
        self._inner.pop()

    def visit_FunctionDef(self, node):
        arguments = node.args
        for each in (*node.decorator_list, *arguments.defaults, *filter(None, arguments.kw_defaults)):
            self.visit(each)
        (self._inner[-1] if self._inner else self.bound).add(node.name)
        self._scope(node, [a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)], node.body)

    def visit_Lambda(self, node):
        for each in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(each)
        self._scope(node, [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)], [node.body])

    def visit_ClassDef(self, node):
        (self._inner[-1] if self._inner else self.bound).add(node.name)
        self._scope(node, [], [*node.bases, *node.body])

    def _comprehension(self, node):
        inner = [each.elt] if hasattr(each := node, "elt") else [node.key, node.value]
        parts = [part for each in node.generators for part in (each.iter, each.target, *each.ifs)]
        self._scope(node, [], parts + inner)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def calls(source):
    """The names that a cell calls of `live`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "live":
                yield node.func.attr


# Numbers


@dataclass(frozen=True)
class Number:
    """A number as it is written: its value, the unit of its last digit, how many digits say something, and its dress."""

    value: float
    unit: float
    digits: int
    text: str = field(compare=False)
    share: bool = False

    def tells(self, other):
        """Do both round to the same number, to the digits of the shorter one?"""
        return abs(self.value - other.value) <= 0.5000001 * max(self.unit, other.unit)


_PLAIN = r"\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d+(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    rf"\\[dt]?frac\{{(?P<a>\d+)\}}\{{(?P<b>\d+)\}}"
    rf"|(?<![\w.])(?P<c>\d+) ?(?:/|in|of|out of) ?(?P<d>\d+)(?![\w.]*\d)"
    rf"|(?<![\w.])(?<!\.)(?P<n>{_PLAIN})(?:e(?P<e>[-−+]?\d+)|(?: ?(?:×|\\times|\\cdot) ?10\^\{{?(?P<t>[-−]?\d+)\}}?))?"
    rf"(?P<p> ?\\?%| per ?cent| percent| percentage points)?"
)


@cache
def numbers(text, parts=True):
    """The numbers in a text: 20.9%, .209, "21 in 100" and 49/235 are all shares of 1; 49 and 235 are `parts` of theirs."""
    found = []
    for each in _NUMBER.finditer(text.replace("−", "-")):
        top, bottom = (each["a"], each["b"]) if each["a"] else (each["c"], each["d"])
        if bottom:
            if float(bottom):
                found.append(_share(top, bottom, each[0]))
            if parts:
                found += [Number(float(part), 1, digits(part), part) for part in (top, bottom)]
            continue
        written = re.sub(r"[,{}]", "", each["n"])
        scale = 10.0 ** int((each["e"] or each["t"] or "0").replace("−", "-")) * (0.01 if each["p"] else 1)
        unit = 10.0 ** -len(written.partition(".")[2]) * scale
        says = len(written.lstrip("0")) if each["p"] and "." not in written else digits(written)
        found.append(Number(float(written) * scale, unit, says, each[0].strip(), bool(each["p"])))
    return found


def _share(top, bottom, text):
    share = float(top) / float(bottom)
    if bottom.strip("0") == "1":  # 21 in 100 says as much as 0.21
        return Number(share, 1 / float(bottom), len(top.lstrip("0")), text, True)
    simple = Fraction(int(top), int(bottom)).denominator <= 4
    return Number(share, 1e-4 * (share or 1), 1 if simple else 4, text, True)


def digits(written):
    """The significant digits: 0.0350 has three, 1500 has two."""
    bare = written.replace(".", "").lstrip("0")
    return len(bare if "." in written else bare.rstrip("0"))


def exact(value):
    """A number as a question's answer has it."""
    written = f"{value:.10g}"
    return Number(float(value), 10.0 ** -len(written.partition(".")[2]), digits(written), written)


# Words

STOP = set(
    "a an and any are as at be been but by can do does each every for from get had has have he her his how i if in into is it"
    " its just more most much no nor not of off on one only or other our out over own per same she so some such than that the"
    " their them then there these they this those though through to too two under until up upon was we were what when where"
    " which while who whose why will with without would yes you your about after again all alone also always because before"
    " between both did either else ever few first here him how indeed last less like many may might must neither never next"
    " nothing now once still three very way well whether yet would could should us goes go gives give say says let lets"
    " question answer number".split()
)
_GREEK = dict(zip("alpha beta gamma delta epsilon varepsilon theta lambda mu sigma pi".split(), "αβγδεεθλμσπ"))


@cache
def normal(text):
    """Words in lower case without dress: no Markdown, no LaTeX, no punctuation but within numbers."""
    text = re.sub(r"\\(\w+)", lambda found: f" {_GREEK.get(found[1], '')} ", text.replace("−", "-").replace("’", "'"))
    text = re.sub(r"(?<![\d.])\.(?=\d)", "0.", text.lower())
    return tuple(re.findall(r"\d+(?:[.,/]\d+)*%?|[^\W\d_]+(?:'[^\W\d_]+)?", text))


def stem(word):
    for end in ("ies", "ing", "ed", "es", "s", "ly"):
        if word.endswith(end) and len(word) - len(end) > 3:
            return word[: -len(end)]
    return word


@cache
def stems(text):
    return {stem(word) for word in normal(text) if word not in STOP}


@cache
def sentences(text):
    """Sentences, table rows, lines."""
    return [each for each in re.split(r"(?<=[.!?:;])\s+(?=\S)|\n+", text) if each.strip()]


# Symbols

_MATH = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+?)\$", re.S)
GREEK = set(
    "alpha beta gamma Gamma delta Delta epsilon varepsilon zeta eta theta Theta kappa lambda Lambda mu nu xi Xi pi Pi rho"
    " sigma Sigma tau phi varphi Phi chi psi Psi omega Omega ell".split()
)
DECORATED = set("hat bar tilde vec mathbf mathcal boldsymbol mathbb overline widehat widetilde dot".split())
_WORDS = r"\\(?:text\w*|operatorname\*?|mathrm|mathsf|mathit|mbox|tag|begin|end|label|phantom)\s*\{[^{}]*\}"


def formulas(markdown):
    """The formulas of a piece of Markdown, those in blocks of code left out."""
    return [a or b for a, b in _MATH.findall(re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.S))]


def symbols(formula):
    """The symbols of a formula: letters, Greek letters, decorated ones; a run of three letters, or ML in an index, is a word."""
    found, decoration, before = [], "", ""
    for token in re.findall(r"\\[A-Za-z]+|\\.|[A-Za-z]+|\S", re.sub(_WORDS, " ", formula)):
        if token[0] == "\\" and token[1:] in DECORATED:
            decoration = token
            continue
        letters = [token] if token[0] == "\\" and token[1:] in GREEK else []
        if (
            token.isascii()
            and token.isalpha()
            and len(token) < 3
            and not (len(token) == 2 and token.isupper() and before in "_^")
        ):
            letters = list(token)
        for letter in letters:
            found.append(f"{decoration}{{{letter}}}" if decoration else letter)
            decoration = ""
        if token not in "{}":
            before = token
        elif token == "}":
            decoration = ""
    return list(dict.fromkeys(found))
