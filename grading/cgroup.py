"""A limit that the kernel itself enforces: the memory of a sandbox with all its processes, where a cgroup can be made.

That needs permission: root, or a systemd unit with `Delegate=yes`. Both versions of cgroups are supported. Where none can be
made, the sandbox checks its memory itself, 50 times a second.
"""

import os
import queue
import re
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


class Groups:
    """Cgroups with a limit in bytes, used by one sandbox after another; `take` returns None where none can be made."""

    def __init__(self, limit):
        self.limit, self.free, self.made = limit, queue.SimpleQueue(), []
        if group := self._make():
            self.free.put(group)

    def possible(self):
        return bool(self.made)

    def take(self):
        with suppress(queue.Empty):
            return self.free.get_nowait()
        return self._make() if self.made else None

    def _make(self):
        name = f"bayeslib-{os.getpid()}-{id(self):x}-{len(self.made)}"
        for parent, limits, events in _places():
            with suppress(OSError):
                if limits[0] == "memory.max" and "memory" not in (parent / "cgroup.subtree_control").read_text():
                    (parent / "cgroup.subtree_control").write_text("+memory")
                for old in parent.glob("bayeslib-*"):  # left by a grading that was killed
                    if not Path("/proc", old.name.split("-")[1]).exists():
                        old.rmdir()
                (parent / name).mkdir()
                self.made.append(group := Group(parent / name, events))
                for file in limits:
                    if (group.folder / file).exists():
                        (group.folder / file).write_text("0" if "swap.max" in file else str(self.limit))
                return group
        return None

    def close(self):
        for group in self.made:
            group.remove()


class Group:
    """One cgroup: `wrap` gives the command line that runs a command in it."""

    def __init__(self, folder, events):
        self.folder, self.events = folder, folder / events
        self.kills = 0

    def wrap(self, command):
        return ["/bin/sh", "-c", 'echo 0 > "$0" && exec "$@"', str(self.folder / "cgroup.procs"), *command]

    def has_killed(self):
        """Whether the kernel has killed a process for lack of memory since the last call."""
        before = self.kills
        with suppress(OSError):
            self.kills = int((re.findall(r"^oom_kill (\d+)", self.events.read_text(), re.MULTILINE) or [0])[0])
        return self.kills > before

    def remove(self):
        for _ in range(100):  # a process that has just ended may still be counted
            with suppress(OSError):
                return self.folder.rmdir()
            if not self.folder.exists():
                return None
            time.sleep(0.01)


def _places():
    """Where a cgroup could be made, with the names of its limit files and its events file."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            limits = "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"
            yield ROOT / "memory" / path.lstrip("/"), limits, "memory.oom_control"
        elif not controllers:
            own = ROOT / path.lstrip("/")
            if os.geteuid() and os.access(own / "cgroup.procs", os.W_OK):
                with suppress(OSError):
                    _step_aside(own)
            for parent in (own, own.parent):
                yield parent, ("memory.max", "memory.swap.max"), "memory.events"


def _step_aside(own):
    """Move all processes of our own unit into a group in it, since only a group without processes may limit others."""
    aside = own / f"bayeslib-{os.getpid()}-grader"
    if not own.name.startswith("bayeslib-"):
        aside.mkdir(exist_ok=True)
        for pid in (own / "cgroup.procs").read_text().split():
            (aside / "cgroup.procs").write_text(pid)
