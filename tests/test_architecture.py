"""The direction of imports, colours, packaging."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from matplotlib import colors
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from bayeslib.plots import theme
from bayeslib.sections import SECTIONS
from tests.figures import PICTURED, every_third

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bayeslib"
MODULES = [*sorted(PACKAGE.rglob("*.py")), *sorted((ROOT / "grading").glob("*.py"))]
FOLDERS = {section.folder for section in SECTIONS}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
STANDARD = sys.stdlib_module_names
# layer -> what its modules may import: from outside at the top, from outside inside a function, from the project
LAYERS = {
    "table": (set(), set(), {"table"}),
    "data": (set(), {"pandas"}, {"data"}),
    "models": ({"numpy"}, {"scipy", "pandas"}, {"data", "models"}),
    "questions": ({"numpy", "mistune", "latex2mathml"}, set(), {"table", "models", "questions"}),
    "plots": ({"numpy", "matplotlib"}, {"scipy", "PIL"}, {"data", "models", "plots"}),
    "figures": (
        {"numpy", "matplotlib", "contourpy", "ipywidgets", "anywidget", "traitlets", "IPython"},
        {"PIL", "pandas"},
        {"questions", "plots", "figures"},  # the last two until every figure is a function of its section
    ),
    "section": ({"numpy"}, set(), {"data", "models", "figures"}),
    "live": (
        {"numpy", "ipywidgets", "anywidget", "traitlets", "IPython"},
        {"PIL", "pandas"},
        {"table", "data", "models", "questions", "plots", "figures", "section", "live"},
    ),
    "grading": (
        {"numpy", "nbgrader", "nbformat", "nbconvert", "traitlets", "sqlalchemy", "distributed"},
        set(),
        {"table", "models", "questions", "grading"},
    ),
}
# What runs with a student's code knows Python and numpy only.
INSIDE = {"grading.inside": {"numpy", "plain"}, "bayeslib.questions.plain": {"numpy"}}
# scikit-learn itself asks a model for its tags, so it is there.
ASKED_BY = {"bayeslib.models._model": {"sklearn"}}


def layer(dotted):
    """The layer of a module, by its folder: the package's front and the table of sections are one; a short name is a model's."""
    top, *parts = dotted.removesuffix(".__init__").split(".")
    if top == "grading":
        return top
    if parts[1:] and parts[0] == "sections":
        return "section" if parts[1] in FOLDERS else "table"
    return "table" if not parts or parts == ["sections"] else parts[0] if parts[0] in LAYERS else "models"


def imports(path):
    """(module, at the top level?) for every import in a file."""
    tree = ast.parse(path.read_text())
    inside = {node for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for node in ast.walk(f)}
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "bayeslib" else [node.module]
            )
        for name in names:
            yield name, node not in inside


def breaches(path, dotted):
    """What a module imports that its layer must not."""
    top, lazy, below = LAYERS[layer(dotted)]
    for name, at_top in imports(path):
        root = name.split(".")[0]
        if root in {"bayeslib", "grading"}:
            if dotted in INSIDE:
                yield f"{dotted} imports {name}, and runs without the package"
            if layer(name) not in below:
                yield f"{dotted} reaches up to {name}"
        elif root not in STANDARD | INSIDE.get(dotted, top) and (
            at_top or root not in lazy | ASKED_BY.get(dotted, set())
        ):
            yield f"{dotted} imports {name}"
        if name.startswith("matplotlib.pyplot"):
            yield f"{dotted} uses pyplot"


def test_nothing_imports_upwards():
    found = [b for path in MODULES for b in breaches(path, ".".join(path.relative_to(ROOT).with_suffix("").parts))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "module, line",
    [
        ("bayeslib.models.bayes", "from bayeslib import plots"),
        ("bayeslib.models.bayes", "import bayeslib.figures.figure"),
        ("bayeslib.models.bayes", "import matplotlib"),
        ("bayeslib.models.bayes", "import scipy"),
        ("bayeslib.plots.bayes_optimal", "import ipywidgets"),
        ("bayeslib.plots.bayes_optimal", "def f():\n    import ipywidgets"),
        ("bayeslib.plots.bayes_optimal", "from matplotlib.pyplot import plot"),
        ("bayeslib.plots.bayes_optimal", "from bayeslib.live import rules"),
        ("bayeslib.models.bayes", "from grading import scoring"),
        ("bayeslib.models.bayes", "from bayeslib.questions import record"),
        ("bayeslib.data", "from bayeslib import bayes"),
        ("bayeslib.sections.s05_naive_bayes.tasks", "from bayeslib.live import figure"),
        ("bayeslib.questions.exercise", "from grading import references"),
        ("bayeslib.questions.exercise", "import matplotlib"),
        ("bayeslib.questions.exercise", "from bayeslib import live"),
        ("grading.scoring", "from bayeslib.plots import theme"),
        ("grading.inside", "import nbformat"),
        ("grading.inside", "from bayeslib import bayes"),
    ],
)
def test_a_breach_is_noticed(tmp_path, module, line):
    path = tmp_path / "module.py"
    path.write_text(line)
    assert list(breaches(path, module))


def test_tools_know_the_package_and_nothing_of_the_tests_and_need_no_path():
    for path in (ROOT / "tools").rglob("*.py"):
        assert not [name for name, _ in imports(path) if name.split(".")[0] == "tests"], path
        assert "sys.path" not in path.read_text(), path


def test_every_import_line_of_notebooks_and_handouts_works():
    handouts = ROOT / "notebooks/exercises/release"
    texts = [path.read_text() for path in handouts.glob("*/*.py")]
    for path in [*NOTEBOOKS, *handouts.glob("*/*.ipynb")]:
        texts += [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    trees = [ast.parse(re.sub(r"(?m)^[%!].*$", "", text)) for text in texts]
    lines = {ast.unparse(n) for tree in trees for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))}
    assert len(lines) > 20
    exec("\n".join(sorted(lines - {"import data"})), {})  # the file beside the handout


def test_import_loads_nothing_heavy():
    code = "import sys, bayeslib; print(sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = ast.literal_eval(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    )
    assert "bayeslib" in loaded
    assert not {"numpy", "matplotlib", "scipy", "pandas", "ipywidgets", "IPython"} & set(loaded)


def literal_colours(source):
    """Strings in Python code that are colours: hex, CSS and tab names anywhere, anything but "none" as a colour argument."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if (
                re.fullmatch(r"#[0-9a-fA-F]{3,8}", text)
                or text.lower() in colors.CSS4_COLORS
                or text.startswith(("tab:", "xkcd:"))
            ):
                yield text
        if isinstance(node, ast.keyword) and node.arg and re.fullmatch(r"c|fc|ec|color|\w*colou?rs?", node.arg):
            for part in ast.walk(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value != "none":
                    if colors.is_color_like(part.value):
                        yield part.value


def test_no_colour_outside_the_theme():
    found = {
        path.name: hits
        for path in MODULES
        if path.name not in {"theme.py", "verdict.py"} and (hits := list(literal_colours(path.read_text())))
    }
    for path in NOTEBOOKS:
        code = "\n".join(c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code")
        found |= {path.name: hits} if (hits := list(literal_colours(code))) else {}
    for path in [*PACKAGE.rglob("*.css"), *PACKAGE.rglob("*.js")]:
        found |= (
            {path.name: hits}
            if (hits := re.findall(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(", path.read_text()))
            else {}
        )
    assert not found


@pytest.mark.parametrize(
    "line", ["x = '#123456'", "f(color='k')", "f(edgecolor='0.5')", "f('red')", "f(facecolors=['C1'])", "'tab:blue'"]
)
def test_the_colour_test_sees_a_literal(line):
    assert list(literal_colours(line))


def contrast(colour):
    """WCAG contrast with white."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colors.to_rgb(colour)]
    return 1.05 / (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)


def test_strong_colours_have_a_contrast_of_three_and_pale_ones_do_not_pretend():
    assert all(contrast(colour) >= 3 for colour in theme.STRONG.values())
    assert all(contrast(colour) < 3 for colour in theme.PALE.values())


@pytest.mark.parametrize("name", every_third(PICTURED))
def test_pale_colours_draw_no_line_and_no_text_and_texts_are_readable_from_the_last_row(name):
    """Of every figure: lines and texts are strong, a pale face has a dark outline, and no letter is small."""
    pale = {colors.to_hex(colour) for colour in theme.PALE.values()}
    figure = PICTURED[name]().figure
    for axes in figure.axes:
        for line in axes.lines:
            assert colors.to_hex(line.get_color()) not in pale, line
            if line.get_markerfacecolor() != "none" and colors.to_hex(line.get_markerfacecolor()) in pale:
                assert contrast(line.get_markeredgecolor()) >= 3, line
        for patch in axes.findobj(Rectangle):
            if colors.to_hex(patch.get_facecolor()) in pale:
                assert contrast(patch.get_edgecolor()) >= 3 and patch.get_linewidth() >= 1, patch
    for text in figure.findobj(Text):
        assert colors.to_hex(text.get_color()) not in pale and text.get_fontsize() >= 13, text


def test_numbers_in_captions_have_true_minus_signs_and_zero_has_none():
    said = "log-likelihood -2.63, -0.00. And -0.05, (-1, -.5), e^-3; but 1e-05, 1-NN and +-"
    assert theme.minus(said) == "log-likelihood −2.63, 0.00. And −0.05, (−1, −.5), e^−3; but 1e-05, 1-NN and +-"


def test_data_and_front_end_travel_in_the_package():
    suffixes = {path.suffix for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts} - {
        ".py"
    }
    settings = (ROOT / "pyproject.toml").read_text()
    assert all(f'"*{suffix}"' in settings for suffix in suffixes)


def test_no_file_is_large_and_none_names_this_machine():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    for path in (ROOT / name for name in tracked if name and (ROOT / name).is_file()):
        assert path.stat().st_size < 1_000_000, path
        if path.suffix in {".py", ".ipynb", ".md", ".toml", ".txt", ".js"}:
            assert not re.search(r"[\"' (]/(root|home|work|Users)/\w", path.read_text(encoding="utf-8")), path
