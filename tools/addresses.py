"""Write what needs an address: the Binder badge and the links to the repository and the site.

One variable says where the course lives: `repository` in pyproject.toml. The texts are between two marks in four files;
while the variable is empty, there is nothing between them.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
# The marks in each file, and the text between them.
HIDDEN = ("<!-- addresses -->\n", "<!-- end of addresses -->\n")
COMMENT = ("# addresses\n", "# end of addresses\n")
TEXTS = {
    "README.md": (
        *HIDDEN,
        "[![Open in Binder](https://mybinder.org/badge_logo.svg)]({binder}) "
        "[Read it on the site]({site}) · [Source]({code})\n\n",
    ),
    "SECURITY.md": (*HIDDEN, "[Report a vulnerability]({code}/security/advisories/new)\n\n"),
    "CITATION.cff": (*COMMENT, "repository-code: {code}\nurl: {site}\n"),
    "pyproject.toml": (
        *COMMENT,
        '[project.urls]\nRepository = "{code}"\nHomepage = "{site}"\nChangelog = "{code}/blob/HEAD/CHANGELOG.md"\n',
    ),
}


def repository():
    """The variable: "owner/name", or empty."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["bayeslib"]["repository"]


def addresses(repository):
    """Where the repository, its site and its Binder are."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f'repository must be "owner/name" or empty, got {repository!r}')
    owner, name = repository.split("/")
    return {
        "code": f"https://github.com/{owner}/{name}",
        "site": f"https://{owner.lower()}.github.io/{name}/",
        "binder": f"https://mybinder.org/v2/gh/{owner}/{name}/HEAD?urlpath=lab/tree/notebooks/00-start-here.ipynb",
    }


def filled(name, text, repository):
    """The text of a file with its addresses, or with none."""
    begin, end, between = TEXTS[name]
    before, _, rest = text.partition(begin)
    _, marker, after = rest.partition(end)
    if not marker:
        raise ValueError(f"{name} must have a line {begin.strip()!r} and, later, {end.strip()!r}")
    return before + begin + (between.format(**addresses(repository)) if repository else "") + end + after


if __name__ == "__main__":
    for name in TEXTS:
        path = ROOT / name
        path.write_text(filled(name, path.read_text(encoding="utf-8"), repository()), encoding="utf-8")
