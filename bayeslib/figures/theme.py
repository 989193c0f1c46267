"""The design language: typeface, sizes, and colours by role. The only place where a colour has a value."""

from pathlib import Path

from matplotlib import font_manager

SMALL, LABEL, HEAD, NUMBER, HERO = 14, 16, 18, 26, 40  # points at 100 dpi
DPI = 100
POINT = 72 / DPI  # points of a pixel
HALO = 5  # pixels of ground around and behind a text

FAMILY = "Course Sans"
FONTS = {  # Semibold is the family's bold
    (weight, style): Path(__file__).parent / "fonts" / f"SourceSans3-{name}.ttf"
    for name, weight, style in (("Regular", 400, "normal"), ("Semibold", 700, "normal"), ("It", 400, "italic"))
}
PAGE_FONTS = {
    (weight, style): Path(__file__).parent / "fonts" / f"course-sans-{weight}-{style}.woff" for weight, style in FONTS
}
for (weight, style), file in FONTS.items():
    font = {"fname": str(file), "name": FAMILY, "style": style, "weight": weight}
    font_manager.fontManager.ttflist.append(
        font_manager.FontEntry(**font, variant="normal", stretch="normal", size="scalable")
    )

LIGHT = dict(
    paper="#FFFFFF", ink="#1A1D21", muted="#5A6068", rule="#D5D9DE", mist="#EEF0F3",
    case="#C8491C", other="#1F66B8", belief="#6B1372", prior="#AF80B1", evidence="#CC8600", best="#00655C", fourth="#A23B72",
    case_tint="#F2C1B2", other_tint="#B9D0EC", belief_tint="#CCADCD", evidence_tint="#F3DCB4", best_tint="#AEC7C3",
    case_wash="#FCEAE4", other_wash="#E6EEF8", belief_wash="#F2E9F2", evidence_wash="#FBF1E0", best_wash="#E2ECEA", fourth_wash="#F6E8F0",
    evidence_text="#8A5A00", sediment="#989CA3", edge="#7F868F",
)  # fmt: skip
DARK = dict(
    paper="#15171A", ink="#ECEAE5", muted="#A7ADB5", rule="#363B42", mist="#22262B",
    case="#F26B2E", other="#5590DE", belief="#CBA6E8", prior="#8F74A3", evidence="#F2CB3A", best="#86E2C6", fourth="#F08CBF",
    case_tint="#6E3B27", other_tint="#2F4D74", belief_tint="#5B4A6A", evidence_tint="#6B5A22", best_tint="#3A6358",
    case_wash="#33221C", other_wash="#1C2836", belief_wash="#29232F", evidence_wash="#322C19", best_wash="#1E302C", fourth_wash="#33212C",
    evidence_text="#F2CB3A", sediment="#6F747C", edge="#757D87",
)  # fmt: skip

RC = {"font.family": [FAMILY, "DejaVu Sans"], "font.size": LABEL, "text.hinting": "none", "path.simplify": False}


def page_fonts():
    """The typeface as a page takes it: the letters that figures use, under a name of their own (tools/fonts.py)."""
    return [
        {"weight": weight, "style": style, "data": file.read_bytes()} for (weight, style), file in PAGE_FONTS.items()
    ]


def css(*places):
    """The roles as CSS variables for these selectors; which of the two values holds follows `color-scheme`."""
    roles = "".join(f"--{role.replace('_', '-')}: light-dark({LIGHT[role]}, {DARK[role]}); " for role in LIGHT)
    return f":is({', '.join(places)}) {{ {roles}}}\n"
