"""Build the static site: `make site`, or `python -m tools.site 00 01` for some sections."""

import argparse
from pathlib import Path

from tools.site.build import ROOT, build

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sections", nargs="*", help="only these, such as 00 01")
    parser.add_argument("--target", type=Path, default=ROOT / "build" / "site")
    args = parser.parse_args()
    build(args.target, ROOT / "build" / "drawn", args.sections)
    size = sum(path.stat().st_size for path in args.target.rglob("*.*"))
    print(f"{args.target}/index.html: {size / 1e6:.1f} MB in {len(list(args.target.rglob('*.*')))} files")
