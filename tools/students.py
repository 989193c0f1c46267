"""What students may have, in one list, for Binder, the hub and the students' repository.

`make students-repo` runs `python -m tools.students FOLDER`: the folder becomes a git repository of exactly these files, for
nbgitpuller to pull; a later run adds a commit. binder/postBuild calls this file with --only, which removes everything else.
"""

import argparse
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
LESSONS = ("notebooks/*.ipynb",)
EXERCISES = tuple(f"notebooks/exercises/release/*/{name}" for name in ("*.ipynb", "data.py", "checks.json"))
MAY_HAVE = (*LESSONS, *EXERCISES, "LICENSE", "LICENSE-CONTENT", "DATA-LICENCES.md")
COMMIT = ("-c", "user.name=course", "-c", "user.email=course@localhost", "commit", "--quiet")


def files(root=ROOT, patterns=MAY_HAVE):
    """The files of a checkout that students may have; no links, which might lead to what they may not have."""
    found = {path for pattern in patterns for path in Path(root).glob(pattern) if path.is_file()}
    return sorted(path for path in found if not path.is_symlink() and not path.parent.is_symlink())


def copy(folder, patterns=MAY_HAVE, root=ROOT):
    """Lays them out as students see them: the lessons on top, the exercises below; what is there already stays as it is."""
    notebooks = Path(root) / "notebooks"
    for path in files(root, patterns):
        place = Path(folder) / path.relative_to(notebooks if notebooks in path.parents else root)
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists() or place.read_bytes() != path.read_bytes():
            shutil.copyfile(path, place)


def repository(folder):
    """The same as a git repository; returns whether there was anything new."""
    folder = Path(folder).resolve()
    marker = folder / ".git" / "of-students"  # nothing but our own repository is ever emptied
    if folder.exists() and any(folder.iterdir()) and not marker.exists():
        raise SystemExit(f"FOLDER must be empty or an earlier students' repository; {folder} holds something else.")
    folder.mkdir(parents=True, exist_ok=True)

    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet", "--initial-branch=main")
    marker.touch()
    for path in folder.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    copy(folder)
    git("add", "--all")
    changed = bool(git("status", "--porcelain"))
    if changed:
        git(*COMMIT, "--message", "Renew the course")
    return changed


def only(folder):
    """Removes everything that is not for students from an image, except the package, which is installed in place, and the
    hidden files of the image's home; .git and .github go too."""
    folder = Path(folder).resolve()
    if folder != Path(os.environ.get("REPO_DIR", "/")).resolve():  # somebody's checkout
        raise SystemExit(
            f"--only is for the folder that repo2docker names in REPO_DIR; {folder} is not, and stays whole."
        )
    kept = set(files(folder))
    for path in sorted(folder.rglob("*"), reverse=True):
        top = path.relative_to(folder).parts[0]
        if path in kept or top == "bayeslib" or (top.startswith(".") and top not in {".git", ".github"}):
            continue
        if not path.is_dir() or path.is_symlink():
            path.unlink()
        elif not any(path.iterdir()):
            path.rmdir()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="store_true", help="remove all else from the folder, in an image")
    args = parser.parse_args()
    if args.only:
        only(args.folder)
    else:
        new = repository(args.folder)
        print(args.folder, "holds what students may have" if new else "has it all already")
