"""The small tables of the course, bundled with the package: nothing is ever downloaded.

Every loader returns a pandas table with named columns; `table.attrs["source"]` names where the rows come from.
"""

from importlib.resources import files


def load_play_tennis():
    """The 14 days of PlayTennis, used from section 02 on.

    >>> load_play_tennis()["PlayTennis"].value_counts().to_dict()
    {'yes': 9, 'no': 5}
    """
    return _load("play_tennis")


def load_enjoy_sport():
    """The four days of EnjoySport, taught in section 02.

    >>> load_enjoy_sport().loc[2].tolist()
    ['Rainy', 'Cold', 'High', 'Strong', 'Warm', 'Change', 'No']
    """
    return _load("enjoy_sport")


def load_zoo():
    """101 animals with 16 attributes and their type, used in section 02.

    >>> load_zoo()["type"].value_counts().to_dict()["mammal"]
    41
    """
    return _load("zoo")


def load_student():
    """The five fully observed rows of the student network, used in sections 09 and 11.

    >>> load_student().mean().to_dict()
    {'S': 0.4, 'A': 0.6, 'K': 0.6, 'E': 0.6, 'H': 0.4}
    """
    return _load("student")


def load_restaurant():
    """The twelve restaurant-waiting examples, used in section 05.

    >>> table = load_restaurant()
    >>> table[table["Patrons"] == "None"]["Wait"].tolist()
    ['no', 'no']
    """
    return _load("restaurant")


def load_galton_families():
    """Heights in inches of 934 grown children of 205 families, from Galton's notebook of 1884 to 1886, used in section 03.

    As Galton did, women's heights are multiplied by 1.08: `midparent` is the mean of both parents, `height` the child's.

    >>> load_galton_families()[["midparent", "height"]].mean().round(1).tolist()
    [69.2, 69.2]
    """
    table = _load("galton_families")
    table["midparent"] = (table["father"] + 1.08 * table["mother"]) / 2
    table["height"] = table["child"].where(table["gender"] == "male", 1.08 * table["child"])
    return table


def load_helmets():
    """133 measurements of the head in a simulated motorcycle accident, ms after the impact and acceleration in g (section 15).

    >>> load_helmets().max().tolist()
    [57.6, 75.0]
    """
    return _load("helmets")


def load_two_poets():
    """152 sonnets by Shakespeare and 152 passages of 14 lines by Milton, used in section 05; lines are joined by " / ".

    >>> load_two_poets()["text"][0][:45]
    'FROM fairest creatures we desire increase, / '
    """
    return _load("two_poets")


def load_batting_1970():
    """Hits of 18 baseball players in their first 45 at bats of 1970, and in the rest of the season, used in section 06.

    >>> load_batting_1970()[["hits_first", "hits_rest"]].sum().tolist()
    [215, 1825]
    """
    return _load("batting_1970")


def load_tales():
    """221 parts of about 100 words from three tales of Andersen and five of the brothers Grimm, used in sections 12 and 13.

    >>> load_tales().groupby("author")["tale"].nunique().to_dict()
    {'Andersen': 3, 'Grimm': 5}
    """
    return _load("tales")


def load_line():
    """Ten points on a line, from two Gaussians, used in section 10.

    >>> load_line()["x"].tolist()
    [1.0, 1.6, 2.1, 2.4, 3.4, 4.2, 5.1, 5.8, 6.3, 7.1]
    """
    return _load("line")


def load_broad_and_tight():
    """150 points in the plane, from a broad and a tight Gaussian, used in section 10.

    >>> load_broad_and_tight().groupby("component")["x"].std().round(1).tolist()
    [1.9, 0.6]
    """
    return _load("broad_and_tight")


def load_cigars():
    """120 points in two long, flat clouds, used in section 10.

    >>> load_cigars()[["x", "y"]].std().round(1).tolist()
    [3.0, 1.4]
    """
    return _load("cigars")


def load_three_blobs():
    """120 points in three round clouds, used in section 10.

    >>> load_three_blobs().groupby("component")["x"].mean().round().tolist()
    [-5.0, 3.0, 3.0]
    """
    return _load("three_blobs")


def load_penguins():
    """342 penguins of Palmer Station: species, sex, and four measures in mm and g, used in section 10.

    Where the sex was not determined it is "unknown"; two penguins that were not measured are left out.

    >>> load_penguins()["species"].value_counts().to_dict()
    {'Adelie': 151, 'Gentoo': 123, 'Chinstrap': 68}
    """
    return _load("penguins")


def load_casino_climbs():
    """Baum–Welch on 2000 rolls of the casino from seven starts, at some iterations, used by a figure of section 13.

    >>> float(load_casino_climbs()["log_likelihood"].max().round())
    -3479.0
    """
    return _load("casino_climbs")


def load_letter_climbs():
    """Baum–Welch with two states on 5000 letters of a tale, from ten starts, at some iterations, used by a figure of section 13.

    text   the tale as it is, its letters shuffled, or each letter replaced by another (and listed under its own name here)
    right  share of the letters of another tale on the right side: a e i o u with e, the others not
    _, a … z  the share of each symbol in state A;  strip  the most probable state of the first letters of the other tale

    >>> best = load_letter_climbs().query("text == 'tale'").sort_values("log_likelihood").iloc[-1]
    >>> float(round(best["log_likelihood"], 1)), [name for name in "_abcdeiou" if best[name] > 0.5]
    (-13325.2, ['_', 'a', 'e', 'i', 'o', 'u'])
    """
    return _load("letter_climbs")


def load_heart():
    """297 patients before an angiogram: their age, sex, pain, five tests and the finding, used in sections 08 and 09.

    Numbers are binned: age at 50 and 60, the largest heart rate under load at 150 a minute, the ST depression at 1 mm, and of
    the vessels coloured by fluoroscopy there are none or some. Six of 303 patients lack a test and are left out.

    >>> load_heart()["Disease"].value_counts().to_dict()
    {'no': 160, 'yes': 137}
    """
    table = _load("heart")
    table = table[(table != "").all(axis=1)].reset_index(drop=True)
    binned = {
        "Age": (table["age"] // 10).clip(4, 6).map({4: "under 50", 5: "50-59", 6: "60+"}),
        "Sex": table["sex"],
        "Pain": table["pain"].map(lambda pain: {"non-anginal": "other"}.get(pain, pain.removesuffix(" angina"))),
        "Angina": table["exercise_angina"],
        "Rate": (table["max_heart_rate"] >= 150).map({True: "150+", False: "<150"}),
        "ST": (table["st_depression"] >= 1).map({True: "1+", False: "<1"}),
        "Scan": table["thal"].str.removesuffix(" defect"),
        "Vessels": (table["vessels"].astype(float) > 0).map({True: "some", False: "none"}),
        "Disease": table["disease"],
    }
    result = table.assign(**binned)[list(binned)]
    result.attrs = table.attrs
    return result


def load_titanic():
    """The 2201 people of the Titanic as counts: status, age, sex, survived and how many people, used in section 04.

    >>> load_titanic().groupby("survived")["people"].sum().to_dict()
    {'no': 1490, 'yes': 711}
    """
    return _load("titanic")


def load_titanic_ages():
    """1309 passengers of the Titanic: class, sex, survived, age in years and title, used in section 11.

    An age that was not recorded is an empty string.

    >>> int((load_titanic_ages()["Age"] == "").sum())
    263
    """
    return _load("titanic_ages")


def load_berkeley():
    """Applicants to the six largest departments of Berkeley in autumn 1973 as counts, used in section 07.

    >>> load_berkeley().groupby("Gender")["people"].sum().to_dict()
    {'Female': 1835, 'Male': 2691}
    """
    return _load("berkeley")


def load_digits():
    """1797 handwritten digits as 8 × 8 images: the digit, and 64 pixels from 0 (white) to 16, row by row (section 14).

    >>> image = load_digits().iloc[0]
    >>> int(image["digit"]), image["r0c0":"r0c7"].tolist()
    (0, [0, 0, 5, 13, 9, 1, 0, 0])
    """
    import pandas

    table = _load("digits")
    names = [f"r{row}c{column}" for row in range(8) for column in range(8)]
    pixels = [[int(pixel, 17) for pixel in image] for image in table["pixels"]]
    result = pandas.concat([table[["digit"]], pandas.DataFrame(pixels, columns=names)], axis=1)
    result.attrs = table.attrs
    return result


def load_biopsies():
    """569 fine-needle biopsies of the breast: ten measures of the cell nuclei and the diagnosis, used in section 16.

    Each measure is the mean of its three largest values in the sample.

    >>> load_biopsies()["diagnosis"].value_counts().to_dict()
    {'benign': 357, 'malignant': 212}
    """
    return _load("biopsies")


def load_biopsy_votes():
    """What bagging and boosting make of the biopsies in 20 splits when labels are flipped, used by a figure of section 16.

    Errors are counts of 190 held-out biopsies, by rounds in `bagging` and `boosting`; `heaviest` and `contradicted` list rows.

    >>> load_biopsy_votes().groupby("flipped")["tree"].mean().tolist()
    [13.3, 16.3, 21.85, 30.75]
    """
    return _load("biopsy_votes")


def _load(name):
    import pandas

    with (files(__name__) / f"{name}.csv").open(encoding="utf-8") as lines:
        source = next(lines).removeprefix("# Source: ").strip()
        # "None" is a value of the restaurant's Patrons column, not a missing cell.
        table = pandas.read_csv(lines, keep_default_na=False)
    table.attrs["source"] = source
    return table
