"""Read and write networks in the Bayesian interchange format (BIF), the text form of the standard networks of the field.

variable Alarm { type discrete [ 2 ] { True, False }; }
probability ( Alarm | Burglary ) { (True) 0.95, 0.05; (False) 0.01, 0.99; }
"""

import gzip
import os
import re
from itertools import product

import numpy as np

from bayeslib.models._checks import TOLERANCE, short
from bayeslib.models.networks._skeleton import network_of
from bayeslib.models.networks.network import BeliefNetwork

# Comments, quoted names, punctuation and words; in http://… the slashes are part of a word.
TOKEN = re.compile(r'//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"[^"\n]*"?|[{}()\[\]|,;]|[^\s{}()\[\]|,;"]+')


def read_bif(path):
    """The network in a BIF file, plain or gzip (name ends in .gz).

    Published tables are rounded, and their rows may miss 1 by about 1e-7: each row is divided by its sum. A row that is off
    by more than 1e-6, like any other fault in the file, raises a ValueError. Names are read as text; a variable whose two
    states are called true and false, in upper or lower case, gets the states True and False.

    >>> import tempfile
    >>> from bayeslib.models.networks import examples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bif(examples.dog(), f"{folder}/dog.bif")
    ...     read_bif(f"{folder}/dog.bif")
    <BeliefNetwork P(O), P(B), P(L | O), P(D | O, B), P(H | D)>
    """
    path = _path(path)
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        raise
    except (OSError, EOFError, UnicodeDecodeError) as error:  # a damaged archive, or not text at all
        raise ValueError(f"path must be a BIF file, {path} cannot be read: {error}") from None
    try:
        return _Reader(text).network()
    except ValueError as error:
        raise ValueError(f"path must be a BIF file, {path} is not: {error}") from None


def write_bif(net, path):
    """Write a network to a BIF file, with names as text.

    >>> import tempfile
    >>> from bayeslib.models.networks import examples
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bif(examples.dog(), f"{folder}/dog.bif")
    ...     round(read_bif(f"{folder}/dog.bif").query("D")[True], 3)
    0.119
    """
    path, lines = _path(path), ["network bayeslib {", "}"]
    for v in network_of(net).variables:
        states = ", ".join(map(_quoted, net.states[v]))
        lines += [f"variable {_quoted(v)} {{", f"  type discrete [ {len(net.states[v])} ] {{ {states} }};", "}"]
    for v in net.variables:
        given = " | " + ", ".join(map(_quoted, net.parents[v])) if net.parents[v] else ""
        lines.append(f"probability ( {_quoted(v)}{given} ) {{")
        for key, row in net.table(v).items():
            head = f"({', '.join(map(_quoted, key))})" if key else "table"
            lines.append(f"  {head} {', '.join(map(repr, row.values()))};")
        lines.append("}")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _path(path):
    """A path as text. A number is refused: to `open` it would be a file descriptor, perhaps the terminal's."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str) or "\0" in str(path):
        raise ValueError(f"path must be the name of a file, got {short(path)}")
    return os.fspath(path)


def _quoted(name):
    """A name as BIF writes it: quoted if it contains anything but letters, digits and a few signs."""
    if set(str(name)) & set('"\r\n'):
        raise ValueError(f"net must have names without quotes and line breaks for a BIF file, got {name!r}")
    return str(name) if re.fullmatch(r"[\w.<>=+%-]+", str(name)) else f'"{name}"'


class _Reader:
    """Reads word by word, and keeps track of the position, so that an error can name the line."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.words = (match for match in TOKEN.finditer(text) if match[0][:2] not in ("//", "/*"))
        self.states, self.parents, self.tables = {}, {}, {}

    def network(self):
        blocks = {"network": self._network, "variable": self._variable, "probability": self._probability}
        while (word := self.word()) is not None:
            if word not in blocks:
                self.fail(f"expected network, variable or probability, got {short(word)}")
            head = [_name(each) for each in iter(lambda: self.word("{"), "{") if each not in "()|,"]
            blocks[word](head)
        if missing := [v for v in self.states if v not in self.tables]:
            self.fail(f"expected a probability block for {missing[0]!r} before the end")
        states = {v: tuple(each.values()) for v, each in self.states.items()}
        return BeliefNetwork({v: self.parents[v] for v in states}, self.tables, states)

    def word(self, expected=None):
        """The next word; at the end of the file None, or an error if something is `expected`."""
        match = next(self.words, None)
        self.at = match.start() if match else len(self.text)
        if match is None and expected:
            self.fail(f"expected {expected!r} before the end of the file")
        return match[0] if match else None

    def statements(self):
        """The statements of a block, each as a list of its words without commas."""
        words, depth = [], 0
        while (word := self.word("}")) != "}" or depth:
            depth += (word == "{") - (word == "}")
            if word != ";":
                words += [word] * (word != ",")
                continue
            if words[:1] != ["property"]:
                yield words
            words = []
        if words:
            self.fail(f"expected ';' after {words}")

    def fail(self, message):
        raise ValueError(f"line {self.text.count(chr(10), 0, self.at) + 1}: {message}")

    def once(self, known, key, value):
        if key in known:
            self.fail(f"{key!r} is there twice")
        known[key] = value

    def _network(self, head):
        for _ in self.statements():
            pass

    def _variable(self, head):
        for words in self.statements():
            if words[:3] != ["type", "discrete", "["] or words[4:6] != ["]", "{"] or words[-1] != "}" or len(head) != 1:
                self.fail(f"expected variable NAME {{ type discrete [ number ] {{ states }}; }}, got {words}")
            listed = [_name(word) for word in words[6:-1]]
            boolean = sorted(word.lower() for word in listed) == ["false", "true"]
            states = {word: word.lower() == "true" if boolean else word for word in listed}
            if str(len(states)) != words[3]:
                self.fail(f"expected {words[3]} distinct states of {head[0]!r}, got {listed}")
            self.once(self.states, head[0], states)

    def _probability(self, head):
        for v in head:
            if v not in self.states:
                self.fail(f"expected variables that are declared above, got {v!r}")
        variable, *self.parents[head[0]] = head
        parents, rows, default = self.parents[variable], {}, None
        keys = list(product(*(self.states[p].values() for p in parents)))
        for words in self.statements():
            if words[0] == "(" and ")" in words:
                end = words.index(")")
                key = tuple(self.states[p].get(_name(word)) for p, word in zip(parents, words[1:end]))
                if None in key or end != len(parents) + 1:
                    self.fail(f"expected one state of each of {parents}, got {words[1:end]}")
                self.once(rows, key, self.numbers(words[end + 1 :], len(self.states[variable])))
            elif words[0] == "table":  # the variable itself cycles slowest, the last parent fastest
                table = self.numbers(words[1:], len(keys) * len(self.states[variable]))
                rows = dict(zip(keys, table.reshape(-1, len(keys)).T))
            elif words[0] == "default":
                default = self.numbers(words[1:], len(self.states[variable]))
            else:
                self.fail(f"expected a row of the table of {variable!r}, got {short(words[0])}")
        if default is not None:
            rows = {key: rows.get(key, default) for key in keys}
        rows = {key: row / row.sum() if abs(row.sum() - 1) <= TOLERANCE else row for key, row in rows.items()}
        self.once(self.tables, variable, rows if parents else rows.get((), ()))

    def numbers(self, words, count):
        try:
            numbers = np.array([float(word) for word in words])
        except ValueError:
            numbers = np.array([])
        if len(numbers) != count:
            self.fail(f"expected {count} numbers, got {short(words)}")
        return numbers


def _name(word):
    return word.strip('"')
