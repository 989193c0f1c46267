"""The small tables of the course, bundled with the package: nothing is ever downloaded.

Every loader returns a pandas table with named columns; `table.attrs["source"]` names where the rows come from.
"""

from importlib.resources import files


def load_play_tennis():
    """The 14 days of PlayTennis, used from section 02 on.

    >>> load_play_tennis().shape
    (14, 5)
    """
    return _load("play_tennis")


def load_enjoy_sport():
    """The four days of EnjoySport, taught in section 02.

    >>> load_enjoy_sport().shape
    (4, 7)
    """
    return _load("enjoy_sport")


def load_student():
    """The five fully observed rows of the student network, used in sections 09 and 11.

    >>> load_student().shape
    (5, 5)
    """
    return _load("student")


def load_restaurant():
    """The twelve restaurant-waiting examples, used in section 05.

    >>> load_restaurant().shape
    (12, 11)
    """
    return _load("restaurant")


def load_line():
    """Ten points on a line, from two Gaussians, used in section 10.

    >>> load_line().shape
    (10, 2)
    """
    return _load("line")


def load_broad_and_tight():
    """150 points in the plane, from a broad and a tight Gaussian, used in section 10.

    >>> load_broad_and_tight().shape
    (150, 3)
    """
    return _load("broad_and_tight")


def load_cigars():
    """120 points in two long, flat clouds, used in section 10.

    >>> load_cigars().shape
    (120, 3)
    """
    return _load("cigars")


def load_three_blobs():
    """120 points in three round clouds, used in section 10.

    >>> load_three_blobs().shape
    (120, 3)
    """
    return _load("three_blobs")


def _load(name):
    import pandas

    with (files(__name__) / f"{name}.csv").open(encoding="utf-8") as lines:
        source = next(lines).removeprefix("# Source: ").strip()
        # "None" is a value of the restaurant's Patrons column, not a missing cell.
        table = pandas.read_csv(lines, keep_default_na=False)
    table.attrs["source"] = source
    return table
