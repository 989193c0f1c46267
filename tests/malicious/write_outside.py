"""Writes wherever a folder can be named, changes what is there, makes links out."""
# posterior: nothing
# share: right
import os
import sys

import numpy

share = 0.25
# %%
def posterior(prior, likelihood):
    got = []
    places = ["/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/etc", "/grader", "/usr", "@HOST@", "@TESTS@", sys.prefix]
    standard = os.path.dirname(os.__file__)
    places += [standard, f"{standard}/site-packages", os.path.dirname(numpy.__file__)]
    for place in places:
        for attempt in (
            lambda: open(f"{place}/left-behind", "w"),
            lambda: os.mkdir(f"{place}/left-behind"),
            lambda: os.symlink("/", f"{place}/left-behind"),
            lambda: os.chmod(place, 0o777),
            lambda: os.rename(place, "/scratch/left-behind"),
        ):
            try:
                attempt()
                got.append(place)
            except OSError:
                pass
    try:
        os.symlink("@HOST@/gradebook.db", "link")
        got.append("link")
    except OSError:
        pass
    return got
