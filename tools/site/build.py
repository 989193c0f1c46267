"""Build the static site: every lesson as a page that needs no kernel and no network, the indexes, the map, the search.

Pages come from the stored notebooks; their live figures and questions are drawn beforehand (states.py), formulas are MathML.
The page's own script moves among states and searches; figures are drawn by the notebook's scene.js, and a question runs its
question.js.
"""

import hashlib
import json
import multiprocessing
import os
import re
import shutil
import zipfile
from functools import partial
from html import escape, unescape
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from bayeslib.figures import theme
from bayeslib.live.quiz import QUESTIONS
from bayeslib.questions import record
from bayeslib.questions.prose import mathml
from bayeslib.sections import APPENDIX, LESSONS, SECTIONS
from tools import addresses, budget, course_map
from tools.site import home, review, scene, states

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RELEASE = ROOT / "notebooks" / "exercises" / "release"
SCRIPTS = ("progress", "review", "pages", "search", "site")
NOTES = {
    "WorksHere": "This is the site: the figures show settings that were drawn beforehand: the two main sliders move "
    "together, any other control by itself. In the notebooks every setting is drawn anew.",
    "Answers": "Here your answers are kept in this browser and sent nowhere, in the format of the notebooks' file: what is "
    "saved here can be restored there.",
    "LookAgain": "Here it follows the answers that this browser keeps.",
}
NEEDS = "<noscript><p>This needs JavaScript.</p></noscript>"
PLACES = {
    "Answers": f'<div class="answers">{NEEDS}</div>',
    "LookAgain": f'<div class="again">{NEEDS}<!-- again --></div>',
}
MANIFEST = {
    "name": "Bayesian learning, live",
    "short_name": "Bayes, live",
    "start_url": "index.html",
    "scope": "./",
    "display": "standalone",
    "background_color": "#ffffff",
    "theme_color": "#ffffff",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}
EXERCISE = (
    '<p class="run">To work on it: <a href="exercises/{0}.zip" download>the notebook with its data and checks</a> (zip), with a '
    "text that says how to run it.</p>\n"
)
HOW_TO_RUN = """How to run this exercise

It needs the course, because the checks and the figures come from there.

1. Get the course{where} and start it once: make lab
   (on Windows, or without make, its README has the two commands).
2. Make a folder notebooks/exercises/mine in the course and unpack this archive there.
3. In JupyterLab open exercises/mine/{name}/{name}.ipynb.
   Write your answers where it says so, and run the cells with Shift+Enter: the line check(...)
   below an answer tells at once whether it is right.
4. Save the notebook, and hand it in the way your teacher says.
"""


class Renderer(IPythonRenderer):
    """Markdown to HTML; formulas become MathML, links to notebooks links to pages."""

    def __init__(self, page):
        super().__init__(escape=False, exclude_anchor_links=True)
        self.page = page

    def heading(self, text, level, **attrs):
        # The same anchors as JupyterLab's, so that links between notebooks work here too.
        words = _text(text)
        anchor = escape(re.sub(r"\s+", "-", words))
        self.page.headings.append((level, anchor, text))
        return f'<h{level} id="{anchor}">{text}</h{level}>\n'

    def block_math(self, body):
        formula, tag = mathml(body.strip(), "block"), re.search(r"\\tag\{([\d.]+)\}", body)
        if not tag:
            return f'<div class="formula">{formula}</div>'
        self.page.equations.append({"number": tag[1], "formula": formula, "heading": self.page.heading})
        return f'<div class="formula" id="eq-{tag[1]}">{formula}</div>'

    def inline_math(self, body):
        formula = mathml(body.strip())
        is_long = len(re.sub("<[^>]*>", "", formula)) > 24
        return f'<span class="long">{formula}</span>' if is_long else formula  # wider than a phone, perhaps: it scrolls

    def latex_environment(self, name, body):
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def link(self, text, url, title=None):
        if url.endswith(".md"):
            return text  # of the repository, not of the site
        url = re.sub(
            r"^(\.\./)+(notebooks/)?|^exercises/release/[^/]+/(?=.*\.ipynb)",
            lambda to: "" if to[1] else "exercise-",
            url,
        )
        return super().link(text, re.sub(r"\.ipynb\b", ".html", url), title)

    def table(self, text):
        return f'<div class="scroll"><table>{text}</table></div>'


class Page:
    """A page being built: its HTML, and what the indexes need from it."""

    def __init__(self, name):
        self.name, self.minutes = name, {}
        self.headings, self.equations, self.figures, self.questions, self.html = [], [], [], {}, ""
        self.markdown = MarkdownWithMath(renderer=Renderer(self))

    @property
    def heading(self):
        return self.headings[-1][2] if self.headings else ""

    @property
    def title(self):
        return next((text for level, _, text in self.headings if level == 1), self.name)

    @property
    def plain_title(self):
        return _text(self.title)

    @property
    def number(self):
        return self.name[:2]

    def read_lesson(self, path, live):
        """All cells of a stored notebook; `live` holds the figures and questions that its cells show."""
        parts = {}
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.source.startswith("**How to read this notebook.**"):
                continue  # a page has no cells to run
            inner = self.markdown(cell.source) if cell.cell_type == "markdown" else self._code(cell, live.get(cell.id))
            kind = "notes" if cell.metadata.get("slideshow", {}).get("slide_type") == "notes" else cell.cell_type
            self.html += f'<div class="cell {kind}" id="cell-{cell.id}">{inner}</div>\n'
            part = next((anchor for level, anchor, _ in reversed(self.headings) if level == 2), "")
            parts.setdefault(part, []).append(cell)
        if "main" in map(budget.tag, parts.get("", [])):
            self.minutes = {part: budget.minutes_of(cells) for part, cells in parts.items()}
        return self

    def read_exercise(self, path):
        """What students get, to read."""
        self.read_lesson(path, {})
        self.html = self.html.replace("</h1>", "</h1>" + EXERCISE.format(path.stem), 1)
        return self

    def _code(self, cell, live):
        if live is None:
            has_check = "check(" in cell.source
            outputs = '<p class="aside">This cell wants your code: in the notebook, <code>check</code> answers.</p>'
            return _highlight(cell.source) + (outputs if has_check else "".join(map(_output, cell.outputs)))
        if "note" in live:
            note = live["note"]
            if note == "Start":
                return ""  # a page needs no start
            return _highlight(cell.source) + f'<p class="aside">{NOTES[note]}</p>' + PLACES.get(note, "")
        setting = _highlight(cell.source) if len(cell.source.splitlines()) > 1 else ""
        question, figure = live.get("question"), live.get("figure")
        if "questions" in live:  # a quiz
            for each in live["questions"]:
                self.questions[each["name"]] = f"{self.name}.html#cell-{cell.id}"
            return setting + "".join(map(_question, live["questions"]))
        if question and question["form"]["kind"] != "raise":
            self.questions[question["name"]] = f"{self.name}.html#cell-{cell.id}"
        if not figure:
            return setting + _question(question)
        number = f"{int(self.number)}.{len(self.figures) + 1}"
        self.figures.append(
            {"number": number, "cell": cell.id, "heading": self.heading}
            | {name: figure[name] for name in ("shown", "width", "height")}
        )
        picture = _figure(figure, number)
        if question and "reveal" in question:
            return setting + _question(question, picture)
        fold = f'<details class="reveal"><summary>Guess first, then open the picture</summary>{picture}</details>'
        return setting + (_question(question, fold) if question else picture)

    def search(self):
        """The page's text in pieces, one for each heading."""
        for piece in re.split(r"(?=<h[123] id=)", self.html):
            match = re.match(r'<h[123] id="([^"]*)">(.*?)</h[123]>', piece)
            if match:
                address = f"{self.name}.html#{unescape(match[1])}"
                rows = (
                    re.findall(r"<tr>\s*<td>(.*?)</td>(.*?)</tr>", piece, flags=re.DOTALL)
                    if match[1] == "Glossary"
                    else []
                )
                yield from ([address, "Glossary", _text(term), _text(rest)] for term, rest in rows)
                yield [address, self.plain_title, _text(match[2]), _text(piece[match.end() :])]


def _highlight(source):
    return highlight(source, PythonLexer(), HtmlFormatter(cssclass="highlight code"))


def _output(output):
    data = output.get("data", {})
    if "text/html" in data:
        html = re.sub(r"<style.*?</style>", "", data["text/html"], flags=re.DOTALL)
        return f'<div class="scroll output">{re.sub(r" (border|style|class)=.[^>]*?(?=[ >])", "", html)}</div>'
    if "text/markdown" in data:  # the source of a function
        return _highlight(data["text/plain"])
    return f'<pre class="output">{escape(data.get("text/plain") or output.get("text", ""))}</pre>'


def _data(content):
    """JSON for the page's script; nothing in it may end the element that holds it."""
    text = json.dumps(content, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/json">{text}</script>'


def _figure(figure, number):
    alt, (width, height) = escape(figure["shown"]["alt"]), (figure["width"], figure["height"])
    across, down = figure["tall"] or (width, height)
    picture = f'src="pictures/{figure["shown"]["png"]}.png" width="{width}" height="{height}"'
    return (
        f'<div class="flips" style="--broad: {width} / {height}; --tall: {across} / {down}">{_data(figure)}'
        f'<figure><div class="stage"><img alt="{alt}" {picture} loading="lazy"></div>'
        f'<figcaption>{f"<b>Figure {number}.</b> " if number else ""}<span class="words">{alt}</span></figcaption></figure></div>'
    )


def _question(question, picture=""):
    """The question as it stands without a script; with one, question.js takes the place of the folds."""
    data = {name: value for name, value in question.items() if name != "folds"}
    return f'<div class="question">{_data(data)}<div class="folds">{question["folds"]}</div>{picture}</div>'


def _text(html):
    """The words of a piece of HTML: no scripts, no code, and formulas only where they stand in a sentence."""
    soup = BeautifulSoup(html, "html.parser")
    for each in soup.select("script, pre, .formula"):
        each.decompose()
    for formula in soup("math"):
        formula.replace_with(formula.get_text().replace("∣", "|"))
    return " ".join(soup.get_text(" ").split())


def _draw(paths, cache):
    """The figures and questions of each lesson, drawn on all cores; prints a line as each lesson is done."""
    drawn, longest = {}, sorted(paths, key=lambda path: -path.read_text().count("live."))
    with multiprocessing.get_context("spawn").Pool(min(len(paths), os.cpu_count() or 1)) as pool:
        for lesson in pool.imap_unordered(partial(states.draw, cache=cache), longest):
            drawn[lesson["name"]] = lesson
            print(f"{lesson['name']}: {lesson['seconds']:.0f} s ({len(drawn)} of {len(paths)})", flush=True)
    return [drawn[path.stem] for path in paths]


def _archive(folder, name, where):
    """What students get for an exercise, in one zip file with a text on how to run it."""
    with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as file:
        place = f" ({where['code']})" if where else ""
        file.writestr(f"{name}/how-to-run.txt", HOW_TO_RUN.format(name=name, where=place))
        for path in sorted(path for path in (RELEASE / name).rglob("*") if path.is_file()):
            file.write(path, Path(name) / path.relative_to(RELEASE / name))


def script():
    """The site's script: the notebook's forms, and the code behind them here."""
    # As functions and not as modules: a page that is opened from a file may not load modules.
    forms = {"form": "live/question.js", "answersForm": "live/answers.js", "stageScript": "figures/scene.js"}
    live = {
        name: (ROOT / "bayeslib" / file).read_text().replace("export default", "return") for name, file in forms.items()
    }
    live["RENAMED"] = f"return {json.dumps(record.RENAMED)};"
    live["COLOURS"] = f"return {json.dumps({'light': theme.LIGHT, 'dark': theme.DARK})};"
    parts = [f"const {name} = (() => {{\n{text}}})();" for name, text in live.items()]
    return "\n\n".join(['"use strict";', *parts, *((HERE / f"{name}.js").read_text() for name in SCRIPTS)])


def _preview(html):
    """The address and the words of a page's first picture, if it has one."""
    match = re.search(r'<img alt="([^"]*)" src="([^"]*)"', html)
    return match and {"src": match[2], "alt": match[1]}


def _description(content):
    """A page's first words, for search results and previews."""
    words = _text(re.search('<p(?: class="lead")?>.*?</p>', content, flags=re.DOTALL)[0])
    return words if len(words) <= 160 else words[:160].rsplit(" ", 1)[0] + " …"


def build(target, cache, numbers=(), repository=None):
    """Write the whole site, or that of some sections only, into `target`.

    With a repository ("owner/name", that of pyproject.toml by default) pages link to it and give their own address.
    """
    paths = [ROOT / "notebooks" / f"{each.name}.ipynb" for each in LESSONS if not numbers or each.number in numbers]
    drawn = _draw(paths, cache)

    lessons = [Page(path.stem).read_lesson(path, live["cells"]) for path, live in zip(paths, drawn)]
    appendix = Page(APPENDIX.name).read_lesson(ROOT / "notebooks" / f"{APPENDIX.name}.ipynb", {})
    released = [RELEASE / path.stem / path.name for path in paths if (RELEASE / path.stem).is_dir()]
    exercises = [Page(f"exercise-{path.stem}").read_exercise(path) for path in released]
    places = {name: place for lesson in lessons for name, place in lesson.questions.items()}
    lessons[0].html = lessons[0].html.replace("<!-- again -->", _data(review.data(places)))
    teaching = Page("teaching")
    teaching.html = teaching.markdown((ROOT / "docs" / "teaching.md").read_text())
    known = [(lesson.name, lesson.plain_title, list(lesson.questions)) for lesson in lessons]
    templates = Environment(loader=FileSystemLoader(HERE), autoescape=False, trim_blocks=True, lstrip_blocks=True)
    repository = addresses.repository() if repository is None else repository
    where = addresses.addresses(repository) if repository else {}
    shared = {
        "lessons": lessons,
        "sections": SECTIONS,
        "addresses": where,
        "appendix": appendix.name,
        "sources": course_map.SOURCES,
        "entries": course_map.read(),
        "questions": _data({"lessons": known}),
        "hero": states.hero(cache),
        "cards": {number: _data(states.card(cache, *shown)) for number, shown in home.CARDS.items()},
        "minutes": {
            page.number: match[1] for page in lessons if (match := re.search(r"<strong>(\d+) minutes", page.html))
        },
    }
    shared["hero"] = _figure(shared["hero"], "")
    pages = {lesson.name: {"title": lesson.title, "content": lesson.html, "lesson": lesson} for lesson in lessons}
    pages |= {each.name: {"title": each.title, "content": each.html} for each in (*exercises, teaching, appendix)}
    for name in ("index", "figures", "equations", "map", "search"):
        content = templates.get_template(f"{name}.html").render(**shared)
        pages[name] = {"title": re.search("<h1>(.*?)</h1>", content)[1], "content": content}

    shutil.rmtree(target, ignore_errors=True)
    for folder in ("pictures", "scenes", "exercises", "fonts"):
        (target / folder).mkdir(parents=True)
    for page in exercises:
        _archive(target / "exercises", page.name.removeprefix("exercise-"), where)
    picture = next(filter(None, (_preview(lesson.html) for lesson in lessons)), None)
    for name, page in pages.items():
        page |= {"description": _description(page["content"]), "picture": _preview(page["content"]) or picture}
        html = templates.get_template("page.html").render(name=name, **page, **shared)
        (target / f"{name}.html").write_text(html)
        for kind, digest in {*re.findall(r'"(scene|png)": "([0-9a-f]{16})"', html)}:
            file = {"scene": f"scenes/{digest}.js", "png": f"pictures/{digest}.png"}[kind]
            shutil.copy(cache / file, target / file)
    for font in theme.PAGE_FONTS.values():
        shutil.copy(font, target / "fonts")
    shutil.copy(font.parent / "LICENSE.md", target / "fonts")
    index = [piece for page in (*lessons, appendix, *exercises) for piece in page.search()]
    (target / "words.js").write_text(scene.script("words", json.dumps(index, ensure_ascii=False)))
    (target / "site.css").write_text(theme.css(":root") + (HERE / "site.css").read_text() + QUESTIONS)
    (target / "site.js").write_text(script())
    shutil.copy(HERE / "icon.svg", target)
    (target / "manifest.webmanifest").write_text(json.dumps(MANIFEST))
    named = (
        path for path in target.rglob("*.*") if path.suffix != ".zip" and not re.fullmatch("[0-9a-f]{16}", path.stem)
    )
    files = sorted(path.relative_to(target).as_posix() for path in named)
    version = hashlib.sha256(b"".join((target / name).read_bytes() for name in files)).hexdigest()[:16]
    head = f"const VERSION = {json.dumps(version)}, FILES = {json.dumps(files)};\n"
    (target / "worker.js").write_text(head + (HERE / "worker.js").read_text())
    every = sorted(path for path in target.rglob("*.*") if path.suffix != ".zip")
    whole = {
        "files": [path.relative_to(target).as_posix() for path in every],
        "bytes": sum(path.stat().st_size for path in every),
    }
    (target / "files.json").write_text(json.dumps(whole))
