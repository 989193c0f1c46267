"""Claims about BIF files: what is written is read back, others' files are read, and a malformed line is named."""

import gzip
from pathlib import Path

import numpy as np
import pgmpy.utils
import pytest
from hypothesis import given, settings

from bayeslib.models.networks import BeliefNetwork, examples, read_bif, write_bif
from tests.test_networks import COURSE, networks

MODELS = Path(pgmpy.utils.__file__).parent / "example_models"


def same(one, other):
    """The same variables, arrows, states and numbers, to the last bit."""
    assert one.variables == other.variables and one.parents == other.parents and one.states == other.states
    assert all((one.factor(v) == other.factor(v)).all() for v in one.variables)


@pytest.mark.parametrize("make", COURSE)
@pytest.mark.parametrize("name", ["net.bif", "net.bif.gz"])
def test_what_is_written_is_read_back(make, name, tmp_path):
    write_bif(make(), tmp_path / name)
    assert name.endswith(".gz") == ((tmp_path / name).read_bytes()[:2] == b"\x1f\x8b")
    same(read_bif(tmp_path / name), make())


@settings(deadline=None)
@given(networks())
def test_random_networks_are_read_back(net):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        write_bif(net, Path(folder) / "net.bif")
        again = read_bif(Path(folder) / "net.bif")
    same(again, net)


@pytest.mark.parametrize("name", ["asia", "child", "insurance", "alarm", "hepar2", "hailfinder", "win95pts", "andes"])
def test_published_networks_are_read_back_to_the_last_bit(name, tmp_path):
    net = read_bif(MODELS / f"{name}.bif.gz")
    write_bif(net, tmp_path / "net.bif")
    same(read_bif(tmp_path / "net.bif"), net)


def test_rows_that_miss_1_by_what_the_constructor_allows_are_read_back_as_they_are(tmp_path):
    net = BeliefNetwork({"a": []}, {"a": [0.3333333, 0.3333333, 0.3333333]}, {"a": ["x", "y", "z"]})
    write_bif(net, tmp_path / "net.bif")
    same(read_bif(tmp_path / "net.bif"), net)
    (tmp_path / "plain.bif").write_text((tmp_path / "net.bif").read_text().replace("  property rows exact;\n", ""))
    assert read_bif(tmp_path / "plain.bif").factor("a").sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    "states, words",
    [
        (["(", ")"], r"net.states\['a'\].*punctuation mark, got '\('"),
        (["", "x"], "more than blanks"),
        ([" ", "x"], "more than blanks"),
        ([",", "x"], "punctuation"),
        (["1", 1], "must differ as text in a BIF file, 1 appears twice"),
        ([True, "True"], "must differ as text"),
        (["x\ry", "x"], "line breaks"),
        (["\ud800", "x"], "must not hold"),
    ],
)
def test_names_that_could_not_be_read_back_are_refused(states, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        write_bif(BeliefNetwork({"a": []}, {"a": 0.5}, {"a": states}), tmp_path / "net.bif")
    assert not (tmp_path / "net.bif").exists()


@pytest.mark.parametrize(
    "name", ["a//b", "//", "/*", "{x}", "a,b", "ä ö", "table", "property", "-", "x;y", "\u2028z", "0.5"]
)
def test_odd_names_are_read_back(name, tmp_path):
    states = {name: [name, "other", "(x)"], "below": ["true", name]}
    tables = {name: [0.5, 0.25, 0.25], "below": {name: 0.1, "other": 0.2, "(x)": 0.7}}
    net = BeliefNetwork({name: [], "below": [name]}, tables, states)
    write_bif(net, tmp_path / "net.bif")
    same(read_bif(tmp_path / "net.bif"), net)


def test_variables_that_differ_only_in_kind_are_refused(tmp_path):
    with pytest.raises(ValueError, match="net.variables: names must differ as text in a BIF file, 1 appears twice"):
        write_bif(BeliefNetwork({1: [], "1": []}, {1: 0.5, "1": 0.5}), tmp_path / "net.bif")


@pytest.mark.parametrize("path", [True, 1, 57, None, b"net.bif", "", 1.5, "a\0b"])
def test_only_the_name_of_a_file_is_a_path(path):
    for call in (lambda: read_bif(path), lambda: write_bif(examples.dog(), path)):
        with pytest.raises(ValueError, match="path must"):
            call()
    with pytest.raises(ValueError, match="net must be a BeliefNetwork, got None"):
        write_bif(None, "net.bif")


def test_names_with_blanks_and_signs_are_quoted(tmp_path):
    states = {"my mood": ["very good", "so-so", "bad (really)"]}
    net = BeliefNetwork({"my mood": []}, {"my mood": [0.5, 0.25, 0.25]}, states)
    write_bif(net, tmp_path / "net.bif")
    same(read_bif(tmp_path / "net.bif"), net)
    with pytest.raises(ValueError, match="must not hold quotes"):
        write_bif(BeliefNetwork({'a"b': []}, {'a"b': 0.5}), tmp_path / "net.bif")


@pytest.mark.filterwarnings("ignore")
def test_pgmpy_and_pyagrum_read_what_we_write(tmp_path):
    import pyagrum
    from pgmpy.readwrite import BIFReader

    net = examples.asia()
    write_bif(net, tmp_path / "asia.bif")
    pgm, agrum = BIFReader(str(tmp_path / "asia.bif")).get_model(), pyagrum.loadBN(str(tmp_path / "asia.bif"))
    for v in net.variables:
        table = pgm.get_cpds(v)
        values = np.moveaxis(table.values, 0, -1)
        assert tuple(table.variables[1:]) == net.parents[v] and values == pytest.approx(net.factor(v))
    assert agrum.cpt("dysp")[{"bronc": "True", "either": "False", "dysp": "True"}] == pytest.approx(0.8)


@pytest.mark.parametrize(
    "name", ["asia", "cancer", "earthquake", "survey", "sachs", "child", "insurance", "alarm", "hepar2"]
)
def test_published_tables_are_normalised(name):
    net = read_bif(MODELS / f"{name}.bif.gz")
    assert all(net.factor(v).sum(axis=-1) == pytest.approx(1, abs=1e-15) for v in net.variables)


def test_words_with_slashes_are_no_comments(tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(GOOD.replace("author nobody", "url = http://x/y"))
    assert read_bif(path).states["mood"] == ("good", "fair", "bad")


def test_true_and_false_become_booleans():
    assert read_bif(MODELS / "earthquake.bif.gz").states["Alarm"] == (True, False)
    assert read_bif(MODELS / "asia.bif.gz").states["tub"] == ("yes", "no")


GOOD = """network "a net" {
  property author nobody;
}
// a comment
variable rain { /* and
another */
  type discrete [ 2 ] { yes, no };
  property position = (1, 2);
}
variable mood {
  type discrete [ 3 ] { good, fair, bad };
}
probability ( rain ) {
  table 0.25, 0.75;
}
probability ( mood | rain ) {
  (yes) 0.1 0.2 0.7;
  default 0.5, 0.25, 0.25;
}
"""


def test_properties_comments_defaults_and_blanks_between_numbers(tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(GOOD)
    net = read_bif(path)
    assert net.factor("mood").tolist() == [pytest.approx([0.1, 0.2, 0.7]), [0.5, 0.25, 0.25]]
    assert net.factor("rain").tolist() == [0.25, 0.75]


@pytest.mark.filterwarnings("ignore")
def test_a_table_with_parents_runs_as_pgmpy_reads_it(tmp_path):
    from pgmpy.readwrite import BIFReader

    path = tmp_path / "net.bif"
    rows = GOOD[GOOD.index("  (yes)") : GOOD.rindex("}")]
    path.write_text(GOOD.replace(rows, "  table 0.1, 0.5, 0.2, 0.25, 0.7, 0.25;\n"))
    assert read_bif(path).factor("mood").tolist() == [pytest.approx([0.1, 0.2, 0.7]), [0.5, 0.25, 0.25]]
    theirs = BIFReader(str(path)).get_model().get_cpds("mood").values
    assert theirs.T == pytest.approx(read_bif(path).factor("mood"))


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("variable rain", "varible rain", "line 5: expected network, variable or probability, got 'varible'"),
        ("discrete [ 2 ]", "continuous [ 2 ]", "line 7: expected 'discrete', got 'continuous'"),
        ("[ 2 ]", "[ 3 ]", "line 7: 'rain' must have 3 distinct states, got ['yes', 'no']"),
        ("{ yes, no }", "{ yes, yes }", "line 7: 'rain' must have 2 distinct states"),
        ("  type discrete [ 3 ] { good, fair, bad };\n", "", "line 11: the variable 'mood' has no type"),
        ("variable mood", "variable rain", "line 10: the variable 'rain' is declared twice"),
        ("type discrete [ 3 ]", "kind discrete [ 3 ]", "line 11: expected type or property, got 'kind'"),
        ("( mood | rain )", "( mood | snow )", "line 16: 'snow' is not declared as a variable above"),
        ("probability ( rain )", "probability ( hail )", "line 13: 'hail' is not declared"),
        ("0.25, 0.75", "0.25, 0.65", "line 14: probabilities must sum to 1, got 0.9"),
        ("0.25, 0.75", "0.25", "line 14: expected 2 probabilities between 0 and 1, got ['0.25']"),
        ("0.25, 0.75", "1.25, -0.25", "line 14: expected 2 probabilities between 0 and 1"),
        ("0.25, 0.75", "0.25, x", "line 14: expected numbers, got ['0.25', 'x']"),
        ("0.25, 0.75", "0.25, nan", "line 14: expected 2 probabilities"),
        ("0.25, 0.75;", "0.25, 0.75", "line 15: expected ';', got '}'"),
        ("(yes)", "(maybe)", "line 17: 'rain' must be one of ['yes', 'no'], got 'maybe'"),
        ("(yes)", "(yes, no)", "line 17: expected one state for each of ['rain'], got ['yes', 'no']"),
        ("default", "(yes)", "line 18: the table of 'mood' has two rows for the same parents' states"),
        ("default", "rest", "line 18: expected a row of the table of 'mood', got 'rest'"),
        ("  default 0.5, 0.25, 0.25;\n", "", "line 16: the table of 'mood' given ['rain'] misses 1 of 2 rows"),
        (
            "probability ( mood | rain )",
            "probability ( rain | mood )",
            "line 16: the variable 'rain' has two probability blocks",
        ),
        ('"a net"', '"a net', "line 1: a quotation mark that is not closed"),
        (GOOD[GOOD.index("probability ( mood") :], "", "expected a probability block for the variable 'mood'"),
        (GOOD[GOOD.index("  default") :], "", "line 17: expected '}', got the end of the file"),
        (GOOD, "network x {\n}\n", "expected at least one variable, got none"),
        (
            "probability ( rain ) {\n  table 0.25, 0.75;",
            "probability ( rain | mood ) {\n  default 0.25, 0.75;",
            "directed cycle",
        ),
    ],
)
def test_a_malformed_file_is_named_with_its_line(old, new, words, tmp_path):
    assert old in GOOD
    path = tmp_path / "bad.bif"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(ValueError) as caught:
        read_bif(path)
    assert words in str(caught.value) and "bad.bif" in str(caught.value)


def test_a_broken_archive_and_a_missing_file_are_errors(tmp_path):
    (tmp_path / "net.bif.gz").write_bytes(gzip.compress(GOOD.encode())[:40])
    with pytest.raises(ValueError, match="net.bif.gz"):
        read_bif(tmp_path / "net.bif.gz")
    (tmp_path / "net.bif.gz").write_text(GOOD)
    with pytest.raises(ValueError, match="net.bif.gz"):
        read_bif(tmp_path / "net.bif.gz")
    with pytest.raises(FileNotFoundError):
        read_bif(tmp_path / "none.bif")
