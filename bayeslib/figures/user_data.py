"""The reader's own data: what is typed, pasted or read from a file becomes numbers or a table, or a sentence that says why not.

Nothing is stored. Every function raises a ValueError in words for what it cannot read, and a figure shows it as its caption.
"""

import csv
import math
import re

BYTES, ROWS, COLUMNS = 200_000, 200, 12


def decoded(uploaded):
    """The text of the file that the reader chose, truncated if it is too long; Excel's and Windows' encodings are understood."""
    content = bytes(uploaded[0]["content"])[: BYTES + 1] if uploaded else b""
    for encoding in ("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "latin-1"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue


def numbers(text, name="your numbers", least=1, most=1000, low=-1e9, high=1e9):
    """The numbers in a text, separated by spaces, commas, semicolons or line breaks.

    >>> numbers("1.5, 2 −3")
    [1.5, 2.0, -3.0]
    """
    words = [word for word in re.split(r"[\s,;]+", _bounded(text, name)) if word]
    values = [_number(word, name, low, high) for word in words[: most + 1]]
    if not least <= len(values) <= most:
        count = f"more than {most}" if len(values) > most else len(values)
        raise ValueError(f"{name} must be {least} to {most} numbers, got {count}")
    return values


def table(text, name="your table", most_rows=ROWS, most_columns=COLUMNS):
    """A table of words: the first line names the columns, then one line per row, separated by commas, semicolons or tabs.

    >>> table("film, long, liked\\nAlien, no, yes")["liked"].tolist()
    ['yes']
    """
    import pandas

    lines = [line for line in _bounded(text, name).splitlines() if line.strip()]
    if len(lines) < 2:
        raise ValueError(f"{name} must have a line with the names of the columns and at least one row below it")
    if len(lines) > most_rows + 1:
        raise ValueError(f"{name} must have at most {most_rows} rows, got {len(lines) - 1}")
    separator = max(",;\t", key=lines[0].count)
    try:
        # A line is a row, whatever quotes it opens.
        head, *rows = (next(csv.reader([line], delimiter=separator, skipinitialspace=True)) for line in lines)
    except csv.Error as error:
        raise ValueError(
            f"{name} must be a table with commas, semicolons or tabs between its columns: {error}"
        ) from None
    head, rows = [cell.strip() for cell in head], [[cell.strip() for cell in row] for row in rows]
    if not 2 <= len(head) <= most_columns:
        raise ValueError(f"{name} must have 2 to {most_columns} columns, got {len(head)}")
    if len(set(head)) < len(head) or "" in head:
        raise ValueError(f"{name} must give each column a name of its own, got {head}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(head):
            raise ValueError(f"{name} must have {len(head)} entries in every row, got {len(row)} in row {number}")
    return pandas.DataFrame(rows, columns=head)


def number_column(table, column, name="your table", low=-1e9, high=1e9):
    """One column of a table as numbers."""
    return [_number(word, f"{name}, column {column},", low, high) for word in table[column]]


def words(text, name="your text", least=1, most=20_000):
    """The words of a text in lower case, without punctuation and digits.

    >>> words("My mistress' eyes, my love")
    ['my', 'mistress', 'eyes', 'my', 'love']
    """
    result = re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)*", _bounded(text, name).lower().replace("’", "'"))
    if not least <= len(result) <= most:
        raise ValueError(f"{name} must be {least} to {most} words, got {len(result)}")
    return result


def plain(word, most):
    """A word that the picture's font can write, of at most `most` letters."""
    word = "".join(char if char.isprintable() and (char < "\u0530" or char in "–…∅") else "·" for char in str(word))
    return word if len(word) <= most else f"{word[: most - 1]}…"


def _bounded(text, name):
    if len(text) > BYTES:
        raise ValueError(f"{name} must be at most {BYTES:,} characters, got more")
    return text


def _number(word, name, low, high):
    try:
        value = float(word.replace("−", "-"))
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        shown = word if len(word) <= 20 else f"{word[:17]}..."
        raise ValueError(f"{name} must be numbers between {low:g} and {high:g}, got {shown!r}")
    return value
