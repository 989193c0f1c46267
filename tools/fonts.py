"""Write the typeface of the figures as a page takes it: python -m tools.fonts, after a change of typeface or letters.

A page needs few letters of Source Sans 3. "Source" is a reserved name, so what is cut out of it is called Course Sans.
"""

from fontTools import subset

from bayeslib.figures import theme

LETTERS = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3CA)])) + (
    "–—‘’“”„•…′″←↑→↓⇒∂∆∈∏∑−√∞∧∨∩∪∫≈≠≤≥⟨⟩■□▲△●○◆✓ₐ₀₁₂₃₄₅₆₇₈₉⁰⁴⁵⁶⁷⁸⁹"
)


def write(source, target, weight):
    """One font with these letters only, its kerning and its figures."""
    options = subset.Options(
        flavor="woff", layout_features=["kern", "tnum", "lnum"], hinting=False, name_IDs=[0, 13, 14]
    )
    font = subset.load_font(source, options)
    cut = subset.Subsetter(options)
    cut.populate(text=LETTERS)
    cut.subset(font)
    for number, name in {
        1: theme.FAMILY,
        2: str(weight),
        4: f"{theme.FAMILY} {weight}",
        6: f"CourseSans-{weight}",
    }.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    font["head"].modified = font["head"].created  # the same file on every day
    subset.save_font(font, target, options)


if __name__ == "__main__":
    for look, source in theme.FONTS.items():
        write(source, theme.PAGE_FONTS[look], look[0])
