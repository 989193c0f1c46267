"""`lay_out.py SOURCE TARGET`: renew somebody's own copy of the course. The hub runs it with that person's rights.

Files that they have not changed are renewed; files that they have changed stay, and a new version is put beside them once.
Running a lesson does not change it: only the text of its cells counts. Uses the standard library only, not the course.
"""

import hashlib
import json
import os
import sys
from itertools import count
from pathlib import Path

NOTE = ".course.json"  # path → digest of what was laid out there
LARGEST = 20_000_000


def digest(path):
    """A digest of a file's contents, or of a notebook's cells; "" for anything that is not a file or is too large to be ours."""
    if not path.is_file() or path.stat().st_size > LARGEST:
        return ""
    data = path.read_bytes()
    if path.suffix == ".ipynb":
        try:
            cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(data)["cells"]]
            data = json.dumps(cells).encode()
        except (ValueError, LookupError, TypeError, RecursionError):
            pass  # no longer a notebook, so it was changed
    return hashlib.sha256(data).hexdigest()


def beside(target, name, known):
    """Where the new version of a changed file goes: next to a lesson, but out of the way of nbgrader, which claims every file
    in an exercise's folder; never over something that was changed as well."""
    path = target / name if len(name.parts) == 1 else target / "new" / name
    for number in count(1):
        place = path.with_stem(f"{path.stem}-new{number if number > 1 else ''}")
        if not os.path.lexists(place) or digest(place) == known.get(str(place.relative_to(target))):
            return place


def write(place, data):
    """Write the whole file or nothing."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part")
    part.write_bytes(data)
    part.replace(place)


def lay_out(source, target):
    """Returns the names of the files and folders that could not be written."""
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    target.chmod(0o700)
    try:
        known = {str(key): value for key, value in json.loads((target / NOTE).read_bytes()).items()}
    except (OSError, ValueError, AttributeError):
        known = {}
    failed = []
    for path in sorted(source.rglob("*")):
        name, fresh = path.relative_to(source), digest(path)
        place, last = target / name, known.get(str(name))
        try:
            if path.is_dir():  # an empty one too: nbgrader needs the folder that it puts exercises into
                place.mkdir(mode=0o700, exist_ok=True)
                continue
            if os.path.lexists(place) and digest(place) not in {fresh, last}:
                if last == fresh:
                    continue  # this version is beside theirs already, or they have deleted it
                place = beside(target, name, known)
            if digest(place) != fresh:
                write(place, path.read_bytes())
            known[str(name)] = known[str(place.relative_to(target))] = fresh
        except OSError:
            failed.append(str(name))
    write(target / NOTE, json.dumps(known, indent=0).encode())
    return failed


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(bool(lay_out(Path(sys.argv[1]), Path(sys.argv[2]))))
