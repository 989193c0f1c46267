"""Claims about BIF files: others' files are read, what is written is read back, and a malformed line is named."""

import gzip
from pathlib import Path

import numpy as np
import pgmpy.utils
import pytest
from hypothesis import given, settings

from bayeslib.models.networks import BeliefNetwork, read_bif, write_bif
from tests.test_networks import networks

MODELS = Path(pgmpy.utils.__file__).parent / "example_models"
GOOD = """network "a net" {
  property author http://x/y;
}
// a comment
variable rain { /* and
another */
  type discrete [ 2 ] { yes, no };
  property position = (1, 2);
}
variable "my mood" {
  type discrete [ 3 ] { good, "so // so", bad };
}
probability ( rain ) {
  table 0.25, 0.75;
}
probability ( "my mood" | rain ) {
  (yes) 0.1 0.2 0.7;
  default 0.5, 0.25, 0.25;
}
"""


def read(folder, text):
    (folder / "net.bif").write_text(text)
    return read_bif(folder / "net.bif")


def test_properties_comments_defaults_quotes_and_blanks_between_numbers(tmp_path):
    net = read(tmp_path, GOOD)
    assert net.states == {"rain": ("yes", "no"), "my mood": ("good", "so // so", "bad")}
    assert net.factor("rain").tolist() == [0.25, 0.75]
    assert net.factor("my mood") == pytest.approx(np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]]))


@pytest.mark.filterwarnings("ignore")
def test_a_table_with_parents_is_read_as_pgmpy_reads_it_and_true_and_false_become_booleans(tmp_path):
    from pgmpy.readwrite import BIFReader

    plain = GOOD.replace('"my mood"', "mood").replace('"so // so"', "fair")
    rows = plain[plain.index("  (yes)") : plain.rindex("}")]
    text = plain.replace(rows, "  table 0.1, 0.5, 0.2, 0.25, 0.7, 0.25;\n")
    theirs = BIFReader(string=text).get_model().get_cpds("mood").values
    assert read(tmp_path, text).factor("mood") == pytest.approx(theirs.T)
    assert read(tmp_path, text.replace("yes, no", "TRUE, false")).states["rain"] == (True, False)
    published = read_bif(MODELS / "hailfinder.bif.gz")  # its rounded rows are divided by their sums
    assert all(published.factor(v).sum(axis=-1) == pytest.approx(1, abs=1e-15) for v in published.variables)


@settings(deadline=None)
@given(networks())
def test_what_is_written_is_read_back(tmp_path_factory, net):
    path = tmp_path_factory.mktemp("bif") / "net.bif"
    write_bif(net, path)
    again = read_bif(path)
    assert again.variables == net.variables and again.parents == net.parents and again.states == net.states
    assert all(again.factor(v) == pytest.approx(net.factor(v), abs=1e-15) for v in net.variables)


@pytest.mark.parametrize("old, new, words", [
    ("variable rain", "varible rain", "line 5: expected network, variable or probability, got 'varible'"),
    ("discrete [ 2 ]", "continuous [ 2 ]", "line 7: expected variable NAME { type discrete"),
    ("[ 2 ]", "[ 3 ]", "line 7: expected 3 distinct states of 'rain', got ['yes', 'no']"),
    ('variable "my mood"', "variable rain", "line 11: 'rain' is there twice"),
    ("probability ( rain )", "probability ( hail )", "line 13: expected variables that are declared above, got 'hail'"),
    ("0.25, 0.75", "0.25, 0.65", "tables['rain'] must sum to 1, got 0.9"),
    ("0.25, 0.75", "0.25, x", "line 14: expected 2 numbers, got ['0.25', 'x']"),
    ("0.25, 0.75;", "0.25, 0.75", "line 15: expected ';' after ['table', '0.25', '0.75']"),
    ("(yes)", "(maybe)", "line 17: expected one state of each of ['rain'], got ['maybe']"),
    ("default", "(yes)", "line 18: ('yes',) is there twice"),
    ("  default 0.5, 0.25, 0.25;\n", "", "tables['my mood'] must have a row for each of the 2 combinations"),
    (GOOD[GOOD.index('probability ( "my'):], "", "expected a probability block for 'my mood' before the end"),
    (GOOD[GOOD.index("  default"):], "", "expected '}' before the end of the file"),
    (GOOD, "a,b,c\n" * 100_000, "line 1: expected network, variable or probability, got 'a'"),
    (GOOD, "network /* " * 100_000, "line 1: expected '{' before the end of the file"),
])  # fmt: skip
def test_a_malformed_file_is_named_with_its_line(old, new, words, tmp_path):
    assert old in GOOD
    with pytest.raises(ValueError) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    assert words in str(caught.value) and "net.bif is not" in str(caught.value)


def test_what_cannot_be_read_or_written_is_an_error(tmp_path):
    (tmp_path / "net.bif.gz").write_bytes(gzip.compress(GOOD.encode())[:40])
    with pytest.raises(ValueError, match="net.bif.gz cannot be read"):
        read_bif(tmp_path / "net.bif.gz")
    with pytest.raises(ValueError, match="without quotes"):
        write_bif(BeliefNetwork({'a"b': []}, {'a"b': 0.5}), tmp_path / "net.bif")
    for path in (True, 57, None, b"net.bif", "a\0b"):  # 57 would be a file descriptor
        with pytest.raises(ValueError, match="path must be the name of a file"):
            read_bif(path)
