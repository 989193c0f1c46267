"""Read and write networks in the Bayesian interchange format (BIF), the text form of the standard networks of the field."""

import numpy as np

from bayeslib._checks import TOLERANCE
from bayeslib.networks.network import BOOLEAN, BeliefNetwork


def read_bif(path):
    """The network in a BIF file, plain or gzip (name ends in .gz).

    Published tables are rounded, and their rows may miss 1 by some 1e-7: each row is divided by its sum. A row that
    misses by more than 1e-6, or anything else that is not right, is a ValueError that names the line. A variable whose
    two states are called true and false, in any case, gets the states True and False.
    """
    try:
        with _open(path, "rt") as file:
            text = file.read()
    except FileNotFoundError:
        raise
    except (OSError, EOFError, UnicodeDecodeError) as error:  # a damaged archive, or no text at all
        raise ValueError(f"{path} cannot be read as BIF: {error}") from None
    return _Reader(text, str(path)).network()


def write_bif(net, path):
    """Write a network to a BIF file, plain or gzip (name ends in .gz); `read_bif` gets every number back exactly."""
    lines = ["network bayeslib {", "}"]
    for v in net.variables:
        states = ", ".join(_word(state) for state in net.states[v])
        lines += [f"variable {_word(v)} {{", f"  type discrete [ {len(net.states[v])} ] {{ {states} }};", "}"]
    for v in net.variables:
        given = " | " + ", ".join(map(_word, net.parents[v])) if net.parents[v] else ""
        lines.append(f"probability ( {_word(v)}{given} ) {{")
        for key, row in net.table(v).items():
            head = f"({', '.join(map(_word, key))})" if key else "table"
            lines.append(f"  {head} {', '.join(map(repr, row.values()))};")
        lines.append("}")
    with _open(path, "wt") as file:
        file.write("\n".join(lines) + "\n")


def _open(path, mode):
    import gzip

    opener = gzip.open if str(path).endswith(".gz") else open
    return opener(path, mode, encoding="utf-8")


def _word(name):
    """A name as BIF writes it: quoted if it holds anything but letters, digits and a few signs."""
    import re

    text = str(name)
    if '"' in text or "\n" in text:
        raise ValueError(f"names in a BIF file must not hold quotes or line breaks, got {text!r}")
    return text if re.fullmatch(r"[\w.<>=+%/-]+", text) else f'"{text}"'


class _Reader:
    """Reads word by word and remembers the line, so that an error can say where."""

    def __init__(self, text, path):
        self.path, self.line, self.at = path, 1, 0
        self.words = list(self._split(text))
        self.states, self.parents, self.arrays = {}, {}, {}

    def network(self):
        blocks = {"network": self._network, "variable": self._variable, "probability": self._probability}
        while self.peek():
            word = self.take()
            if word not in blocks:
                self.fail(f"expected network, variable or probability, got {word!r}")
            blocks[word]()
        if not self.states:
            self.fail("expected at least one variable, got none")
        for v in self.states:
            if v not in self.arrays:
                self.fail(f"expected a probability block for the variable {v!r} before the end of the file")
        try:
            return BeliefNetwork({v: self.parents[v] for v in self.states}, self.arrays, self.states)
        except ValueError as error:  # a cycle shows only when all is read
            raise ValueError(f"{self.path}: {error}") from None

    def _split(self, text):
        import re

        # blanks and comments, quoted names, punctuation, and anything else up to the next of these
        pattern = re.compile(
            r'(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|"(?P<name>[^"\n]*)"|(?P<word>[{}()\[\]|,;]|[^\s{}()\[\]|,;"]+)', re.S
        )
        position, line = 0, 1
        while position < len(text):
            found = pattern.match(text, position)
            if not found:
                self.line = line
                self.fail("a quotation mark that is not closed")
            if found["skip"] is None:
                yield found["name"] if found["word"] is None else found["word"], line
            line += found[0].count("\n")
            position = found.end()
        yield "", line  # the end of the file

    def fail(self, what):
        raise ValueError(f"{self.path}, line {self.line}: {what}")

    def peek(self):
        return self.words[self.at][0]

    def take(self, wanted=None):
        """The next word; with `wanted`, it must be that one."""
        word, self.line = self.words[self.at]
        if wanted is not None and word != wanted or not word:
            self.fail(f"expected {wanted or 'more'!r}, got {repr(word) if word else 'the end of the file'}")
        self.at += 1
        return word

    def list_until(self, end):
        """Words up to `end`; commas between them may be left out."""
        found = []
        while (word := self.take()) != end:
            if word in "{}()[]|;":
                self.fail(f"expected {end!r}, got {word!r}")
            if word != ",":
                found.append(word)
        return found

    def _network(self):
        while self.take() != "{":
            pass
        while self.take() != "}":
            pass

    def _property(self):
        while self.take() != ";":
            pass

    def _variable(self):
        variable = self.take()
        if variable in self.states:
            self.fail(f"the variable {variable!r} is declared twice")
        self.take("{")
        while (word := self.take()) != "}":
            if word == "property":
                self._property()
            elif word == "type":
                self.take("discrete")
                self.take("[")
                count = self.take()
                self.take("]")
                self.take("{")
                states = self.list_until("}")
                if str(len(states)) != count or len(set(states)) < len(states):
                    self.fail(f"{variable!r} must have {count} distinct states, got {states}")
                words = [state.lower() for state in states]
                self.states[variable] = [w == "true" for w in words] if set(words) == {"true", "false"} else states
                self.take(";")
            else:
                self.fail(f"expected type or property, got {word!r}")
        if variable not in self.states:
            self.fail(f"the variable {variable!r} has no type")

    def _probability(self):
        self.take("(")
        variable = self.declared(self.take())
        if variable in self.arrays:
            self.fail(f"the variable {variable!r} has two probability blocks")
        parents = []
        if self.peek() == "|":
            self.take()
            parents = [self.declared(word) for word in self.list_until(")")]
        else:
            self.take(")")
        shape = [len(self.states[v]) for v in (*parents, variable)]
        array, begin = np.full(shape, np.nan), self.line
        self.take("{")
        while (word := self.take()) != "}":
            if word == "property":
                self._property()
            elif word == "table":  # the variable itself cycles slowest, the last parent fastest
                numbers = self.numbers(array.size)
                array[...] = np.moveaxis(numbers.reshape(shape[-1:] + shape[:-1]), 0, -1)
                self.normalise(array)
            elif word == "default":
                row = self.normalise(self.numbers(shape[-1]))
                array[np.isnan(array).all(axis=-1)] = row
            elif word == "(":
                key = tuple(self.code(v, s) for v, s in self.key(parents))
                if not np.isnan(array[key]).all():
                    self.fail(f"the table of {variable!r} has two rows for the same parents' states")
                array[key] = self.normalise(self.numbers(shape[-1]))
            else:
                self.fail(f"expected a row of the table of {variable!r}, got {word!r}")
        if missing := int(np.isnan(array[..., 0]).sum()):
            self.line = begin
            self.fail(f"the table of {variable!r} given {parents} misses {missing} of {array[..., 0].size} rows")
        self.parents[variable], self.arrays[variable] = parents, array

    def declared(self, word):
        if word not in self.states:
            self.fail(f"{word!r} is not declared as a variable above")
        return word

    def key(self, parents):
        states = self.list_until(")")
        if len(states) != len(parents):
            self.fail(f"expected one state for each of {parents}, got {states}")
        return zip(parents, states)

    def code(self, variable, word):
        """The number of a state."""
        states = self.states[variable]
        state = word.lower() == "true" if set(states) == set(BOOLEAN) and word.lower() in ("true", "false") else word
        if state not in states:
            self.fail(f"{variable!r} must be one of {states}, got {word!r}")
        return states.index(state)

    def numbers(self, count):
        words = self.list_until(";")
        try:
            found = np.array(words, dtype=float)
        except ValueError:
            self.fail(f"expected numbers, got {words}")
        if len(words) != count or not ((found >= 0) & (found <= 1)).all():
            self.fail(f"expected {count} probabilities between 0 and 1, got {words}")
        return found

    def normalise(self, rows):
        """Divide each row by its sum, in place, if it is 1 but for rounding."""
        sums = rows.sum(axis=-1, keepdims=True)
        if np.abs(sums - 1).max() > TOLERANCE:
            worst = sums.flat[np.abs(sums - 1).argmax()]
            self.fail(f"probabilities must sum to 1, got {worst:.6g}")
        rows /= sums
        return rows
