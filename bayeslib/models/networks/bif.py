"""Read and write networks in the Bayesian interchange format (BIF), the text form of the standard networks of the field.

variable Alarm { type discrete [ 2 ] { True, False }; }
probability ( Alarm | Burglary ) { (True) 0.95, 0.05; (False) 0.01, 0.99; }
"""

import os
import re
from itertools import product
from math import prod

import numpy as np

from bayeslib.models._checks import TOLERANCE, short
from bayeslib.models.networks._skeleton import network_of
from bayeslib.models.networks.network import BOOLEAN, BeliefNetwork

EXACT = "property rows exact"  # marks a file whose rows are to be read without normalising
PUNCTUATION = "{}()[]|,;"
# Quoted names, and comments where a word could begin; in http://… the slashes are part of a word.
ASIDE = re.compile(r'"([^"\n]*)"|(?<![^\s{}()\[\]|,;"])(?://[^\n]*|/\*[\s\S]*?\*/)')
PIECE = re.compile(r"([^;{}]*)([;{}])")
HEAD = re.compile(r"[()\[\]|]|[^\s,()\[\]|]+")  # the words and signs of the first line of a block


def read_bif(path):
    """The network in a BIF file, plain or gzip (name ends in .gz).

    Published tables are rounded, and their rows may miss 1 by about 1e-7: each row is divided by its sum, unless the file
    was written by `write_bif`. A row that is off by more than 1e-6, like any other fault in the file, raises a ValueError
    that names the line. Names are read as text; a variable whose two states are called true and false, in upper or lower
    case, gets the states True and False.

    >>> import tempfile
    >>> from bayeslib.models.networks import examples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bif(examples.sprinkler(), f"{folder}/sprinkler.bif")
    ...     read_bif(f"{folder}/sprinkler.bif")
    <BeliefNetwork P(Cloudy), P(Sprinkler | Cloudy), P(Rain | Cloudy), P(WetGrass | Sprinkler, Rain)>
    """
    path = _path(path)
    try:
        with _open(path, "rt") as file:
            text = file.read()
    except FileNotFoundError:
        raise
    except (OSError, EOFError, UnicodeDecodeError) as error:  # a damaged archive, or not text at all
        raise ValueError(f"path must be a BIF file, {path} cannot be read: {error}") from None
    return _Reader(text, path).network()


def write_bif(net, path):
    """Write a network to a BIF file, plain or gzip (name ends in .gz); `read_bif` recovers every number exactly.

    Names are written as text. Those that would no longer differ, such as 1 and "1", or that BIF cannot express, are
    refused.

    >>> import tempfile
    >>> from bayeslib.models.networks import examples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bif(examples.dog(), f"{folder}/dog.bif.gz")
    ...     read_bif(f"{folder}/dog.bif.gz").query("D") == examples.dog().query("D")
    True
    """
    path, text = _path(path), _bif_text(network_of(net))
    with _open(path, "wt") as file:
        file.write(text)


def _bif_text(net):
    word = {v: _word(v, "variables") for v in net.variables}
    states = {v: [_word(state, f"states[{v!r}]") for state in net.states[v]] for v in net.variables}
    _distinct(word.values(), "variables")
    lines = ["network bayeslib {", f"  {EXACT};", "}"]
    for v in net.variables:
        _distinct(states[v], f"states[{v!r}]")
        lines += [f"variable {word[v]} {{", f"  type discrete [ {len(states[v])} ] {{ {', '.join(states[v])} }};", "}"]
    for v in net.variables:
        parents = net.parents[v]
        given = " | " + ", ".join(word[p] for p in parents) if parents else ""
        lines.append(f"probability ( {word[v]}{given} ) {{")
        rows = net.factor(v).reshape(-1, len(states[v])).tolist()
        for key, row in zip(product(*(states[p] for p in parents)), rows):
            head = f"({', '.join(key)})" if key else "table"
            lines.append(f"  {head} {', '.join(map(repr, row))};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _path(path):
    """A path as text. A number is refused: to `open` it would be a file descriptor, perhaps the terminal's."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str) or not str(path):
        raise ValueError(f"path must be the name of a file, got {short(path)}")
    if "\0" in str(path):
        raise ValueError(f"path must not hold a null character, got {short(path)}")
    return os.fspath(path)


def _open(path, mode):
    import gzip

    return (gzip.open if path.endswith(".gz") else open)(path, mode, encoding="utf-8")


def _word(name, where):
    """A name as BIF writes it: quoted if it contains anything but letters, digits and a few signs."""
    text = str(name)
    if not text.strip() or text in PUNCTUATION:
        raise ValueError(
            f"net.{where}: a name in a BIF file must be more than blanks or one punctuation mark, got {name!r}"
        )
    if set(text) & set('"\n\r') or not text.isascii() and text != text.encode(errors="ignore").decode():
        raise ValueError(f"net.{where}: names in a BIF file must not hold quotes or line breaks, got {name!r}")
    plain = re.fullmatch(r"[\w.<>=+%/-]+", text) and "//" not in text and "/*" not in text
    return text if plain else f'"{text}"'


def _distinct(words, where):
    words = list(words)
    if len(set(words)) < len(words):
        repeated = next(word for word in words if words.count(word) > 1)
        raise ValueError(f"net.{where}: names must differ as text in a BIF file, {repeated} appears twice")


class _Reader:
    """Reads piece by piece, up to each ; { or }, and keeps track of the position, so that an error can name the line.

    Comments become blanks, and quoted names placeholders without blanks or punctuation, so that pieces can simply be split.
    All numbers of a table are checked together; only if one is wrong, row by row, to find it.
    """

    def __init__(self, text, path):
        self.path, self.quoted, self.exact = path, {}, False
        self.states, self.codes, self.parents, self.arrays = {}, {}, {}, {}
        self.text = ASIDE.sub(self._placeholder, text) if '"' in text or "/" in text else text
        self.at = self.text.find('"')  # the position that an error names
        if self.at >= 0:
            self.fail("a quotation mark that is not closed")
        self.pieces = PIECE.finditer(self.text)

    def _placeholder(self, match):
        if match[1] is None:
            return " " + "\n" * match[0].count("\n")
        word = f"\0{len(self.quoted)}\0"
        self.quoted[word] = match[1]
        return f" {word} "

    def network(self):
        blocks = {"network": self._network, "variable": self._variable, "probability": self._probability}
        while (piece := self.piece(None)) is not None:
            words = HEAD.findall(piece[0])
            if not words or words[0] not in blocks:
                self.fail(
                    f"expected network, variable or probability, got {self.shown(words[0] if words else piece[1])}"
                )
            if piece[1] != "{":
                self.at = self.end - 1
                self.fail(f"expected '{{', got {piece[1]!r}")
            blocks[words[0]](words[1:])
        if not self.states:
            self.fail("expected at least one variable, got none")
        for v in self.states:
            if v not in self.arrays:
                self.fail(f"expected a probability block for the variable {v!r} before the end of the file")
        try:
            return BeliefNetwork({v: self.parents[v] for v in self.states}, self.arrays, self.states)
        except ValueError as error:  # a cycle can be seen only when everything is read
            raise ValueError(f"{self.path}: {error}") from None

    def piece(self, expected):
        """The next piece of text and the mark that ends it; at the end of the file None, or an error if `expected` is missing."""
        match = next(self.pieces, None)
        if match is None:
            rest = self.text[self.text.rfind("\n", 0, len(self.text.rstrip())) + 1 :].strip()
            self.at = len(self.text.rstrip())
            if expected or rest and rest[-1] not in ";{}":
                self.fail(f"expected {expected or '{'!r}, got the end of the file")
            return None
        self.at, self.end = match.span()
        words, mark = match.groups()
        return words.strip(), mark

    def statements(self):
        """The statements of a block, each as (its first word, the rest of it); properties are skipped."""
        while True:
            words, mark = self.piece("}")
            if words.startswith("property"):
                while mark != ";":
                    _, mark = self.piece(";")
                self.exact |= words.split() == EXACT.split()
            elif mark == "}":
                if words:
                    self.at = self.end - 1
                    self.fail("expected ';', got '}'")
                return
            elif words:
                yield words, mark
            elif mark == "{":
                self.fail("expected a word, got '{'")

    def fail(self, message):
        """An error at the first word from `at` on."""
        rest = self.text[self.at :].lstrip()
        line = self.text.count("\n", 0, len(self.text) - len(rest) if rest else self.at) + 1
        raise ValueError(f"{self.path}, line {line}: {message}")

    def name(self, word):
        return self.quoted.get(word, word)

    def shown(self, word):
        return repr(self.name(word))

    def _network(self, words):
        for _ in self.statements():
            pass

    def _variable(self, words):
        variable = self.name(words[0]) if len(words) == 1 else self.fail(f"expected one name, got {words}")
        if variable in self.states:
            self.fail(f"the variable {variable!r} is declared twice")
        for statement, mark in self.statements():
            kind, *words = HEAD.findall(statement)
            if kind != "type":
                self.fail(f"expected type or property, got {self.shown(kind)}")
            if words[:1] != ["discrete"]:
                self.fail(f"expected 'discrete', got {self.shown(words[0]) if words else repr(mark)}")
            if len(words) != 4 or words[1] != "[" or words[3] != "]" or mark != "{":
                self.fail(f"expected [ number of states ] and the states in braces, got {statement!r}")
            listed, mark = self.piece("}")
            if mark != "}" or self.piece(";") != ("", ";"):
                self.fail(f"expected '}}' and ';' after the states of {variable!r}")
            self._declare(variable, [self.name(word) for word in _split(listed)], words[2])
        if variable not in self.states:
            self.fail(f"the variable {variable!r} has no type")

    def _declare(self, variable, states, count):
        if str(len(states)) != count or len(set(states)) < len(states):
            self.fail(f"{variable!r} must have {count} distinct states, got {states}")
        lower = [state.lower() for state in states]
        boolean = len(states) == 2 and set(lower) == {"true", "false"}
        self.states[variable] = [word == "true" for word in lower] if boolean else states
        self.codes[variable] = {state: code for code, state in enumerate(states)}

    def _probability(self, words):
        begin = self.at
        if words[:1] != ["("] or words[-1:] != [")"] or len(words) < 3:
            self.fail("expected ( a variable ) or ( a variable | its parents )")
        variable, *parents = [self.declared(word) for word in words[1:-1] if word != "|"]
        if words[2:3] == ["|"] and not parents or words[2:3] != ["|"] and parents:
            self.fail(f"expected '|' between {variable!r} and its parents")
        if variable in self.arrays:
            self.fail(f"the variable {variable!r} has two probability blocks")
        shape = [len(self.states[v]) for v in (*parents, variable)]
        numbers, places, default = self._rows(variable, parents, shape)
        rows = range(prod(shape[:-1]))
        missing = [row for row in rows if row not in numbers] if len(numbers) < len(rows) else []
        if missing and default is None:
            self.at = begin
            self.fail(f"the table of {variable!r} given {parents} misses {len(missing)} of {len(rows)} rows")
        numbers.update(dict.fromkeys(missing, default))
        array = np.array([numbers[row] for row in rows])
        self.normalise(array, places)
        self.parents[variable], self.arrays[variable] = parents, array.reshape(shape)

    def _rows(self, variable, parents, shape):
        """{number of a row: its numbers}, {number of a row, None for the default: its place in the text}, the default row."""
        rows, places, default = {}, {}, None
        codes = [self.codes[p] for p in parents]
        for statement, mark in self.statements():
            if mark != ";":
                self.at = self.end - 1
                self.fail(f"expected ';', got {mark!r}")
            head, closed, numbers = statement.partition(")")
            if closed and head[0] == "(":
                row = self.row(parents, codes, _split(head[1:]))
                if row in rows:
                    self.fail(f"the table of {variable!r} has two rows for the same parents' states")
                rows[row], places[row] = self.numbers(numbers, shape[-1]), self.at
                continue
            kind, *rest = statement.split(maxsplit=1)
            if kind == "table":  # the variable itself cycles slowest, the last parent fastest
                table = np.array(self.numbers(*rest or [""], prod(shape))).reshape(shape[-1], -1).T
                rows.update(enumerate(table.tolist()))
                places.update(dict.fromkeys(rows, self.at))
            elif kind == "default":
                default, places[None] = self.numbers(*rest or [""], shape[-1]), self.at
            else:
                self.fail(f"expected a row of the table of {variable!r}, got {self.shown(kind)}")
        return rows, places, default

    def declared(self, word):
        variable = self.name(word)
        if variable not in self.states:
            self.fail(f"{variable!r} is not declared as a variable above")
        return variable

    def row(self, parents, codes, words):
        """The number of the row for these states of the parents, the last parent changing fastest."""
        if len(words) != len(parents):
            self.fail(f"expected one state for each of {parents}, got {[self.name(word) for word in words]}")
        row = 0
        for i, word in enumerate(words):
            code = codes[i].get(word)
            row = row * len(codes[i]) + (self.code(parents[i], self.name(word)) if code is None else code)
        return row

    def code(self, variable, word):
        """The number of a state that was quoted, or written in a different case from its declaration."""
        states, lower = self.states[variable], word.lower()
        state = lower == "true" if set(states) == set(BOOLEAN) and lower in ("true", "false") else word
        if state not in states:
            self.fail(f"{variable!r} must be one of {states}, got {word!r}")
        return states.index(state)

    def numbers(self, text, count):
        words = _split(text)
        try:
            probs = list(map(float, words))
        except ValueError:
            self.fail(f"expected numbers, got {[self.name(word) for word in words]}")
        if len(probs) != count or not (min(probs) >= 0 and max(probs) <= 1 and sum(probs) <= count):  # NaN fails too
            self.fail(f"expected {count} probabilities between 0 and 1, got {words}")
        return probs

    def normalise(self, rows, places):
        """Divide each row by its sum, in place; the sum must be 1 up to rounding."""
        sums = rows.sum(axis=1, keepdims=True)
        error = np.abs(sums - 1)
        if error.max() > TOLERANCE:
            row = int(error.argmax())
            self.at = places[row] if row in places else places[None]
            self.fail(f"probabilities must sum to 1, got {sums[row, 0]:.6g}")
        if not self.exact:
            rows /= sums


def _split(text):
    """Words with blanks or commas between them."""
    return text.replace(",", " ").split()
