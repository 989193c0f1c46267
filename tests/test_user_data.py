"""The reader's own data: whatever is typed, pasted or uploaded, a figure draws it or says in words why not."""

import ipywidgets
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bayeslib.figures import user_data
from bayeslib.figures.controls import box
from tests.figures import EXPLAINED, FIGURES, every_third

STRANGE = [
    "", " ", "\n\n", ",", ";;;", "nan", "inf", "-inf", "1e999", "0", "-1", "0.5", "1,2", "1;2;3", "٣", "½", "x" * 300,
    "a,b\n1", "a,a\n1,2", ",b\n1,2", "a,b\n1,2,3", "a;b\n1;2\n", "a\tb\n1\t2", 'a,b\n"1,2', "\x00", "\ud800", "💥", "<b>&amp;",
    "$x_1$", "\\alpha_", "=1+1", "a,b\n" + "1,2\n" * 300, "1 " * 5000, "x" * 250_000, "yes, no\n?, ?", "NaN,None\nnull,-",
]  # fmt: skip


def boxes(figure):
    return [name for name, each in figure.controls.items() if isinstance(each, (ipywidgets.Text, ipywidgets.Textarea))]


@pytest.mark.parametrize("name", every_third(FIGURES))
def test_no_text_breaks_a_figure(name):
    figure = FIGURES[name]()
    opening = figure.alt
    for label in boxes(figure):
        for text in STRANGE:
            figure.set(**{label: text})  # it is drawn as well
            assert figure.alt.strip() and len(figure.alt) < 1500, (label, text[:40])
    figure.preset("reset")
    assert figure.alt == opening


@settings(max_examples=60)
@example('a,"\r0')  # a quote left open at the end of a line
@given(st.text(max_size=80) | st.text(alphabet="01,;. \n\t-aé\"'", max_size=80))
def test_what_is_typed_is_read_or_refused_in_words(text):
    for read in (user_data.numbers, user_data.table, user_data.words):
        try:
            assert len(read(text)) > 0
        except ValueError as error:
            assert str(error).startswith("your ") and "must" in str(error)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_file_of_any_usual_encoding_fills_the_box(encoding):
    control = box("your table", "", lines=4, file=True)
    control.file.value = ({"content": memoryview("größe,ja\n1,2".encode(encoding))},)
    assert control.value == "größe,ja\n1,2"
    assert user_data.table(control.value).columns.tolist() == ["größe", "ja"]


def test_a_huge_file_is_cut_and_then_refused_in_words():
    text = user_data.decoded(({"content": memoryview(b"1 " * 300_000)},))
    with pytest.raises(ValueError, match="your numbers must be at most 200,000 characters"):
        user_data.numbers(text)


def test_numbers_that_cannot_be_are_named():
    with pytest.raises(ValueError, match="heights must be numbers between 50 and 250, got 'tall'"):
        user_data.numbers("170 tall", "heights", low=50, high=250)
    with pytest.raises(ValueError, match="your table, column b, must be numbers between"):
        user_data.number_column(user_data.table("a,b\n1,x"), "b")


def test_the_message_is_what_the_figure_says():
    figure = next(figure for figure in (make() for make in FIGURES.values()) if boxes(figure))
    figure.set(**{boxes(figure)[0]: "💥"})
    assert figure.alt.startswith(EXPLAINED)
