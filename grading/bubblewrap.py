"""The walls of the sandbox: bubblewrap's command line, what is visible inside, which system calls are refused."""

import functools
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
from glob import glob
from pathlib import Path

import numpy

from bayeslib.questions import plain

MB = 1 << 20
NOBODY = 65534
HERE = Path(__file__).parent
ENVIRONMENT = {
    "HOME": "/scratch",
    "TMPDIR": "/scratch",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",  # sets come out in the same order at each grading
    "PYTHONUTF8": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
} | {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}  # some Pythons need it to start
# Modules of the standard library that are left out: they would need many more shared libraries.
NOT_OFFERED = re.compile(r"(_tkinter|_ssl|_curses\w*|_g?dbm|_sqlite3|_uuid|_test\w*|_xxtest\w*|nis|readline)\.")


def interpreter():
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


@functools.cache
def readable():
    """Path outside -> path inside, read-only: Python, numpy, their libraries, two files."""
    python = interpreter()
    standard = os.path.dirname(os.__file__)
    dynamic = next((path for path in sys.path if path.endswith("lib-dynload")), standard)
    package = os.path.dirname(numpy.__file__)
    paths = {python: python, standard: standard, package: "/grader/numpy"}
    if not dynamic.startswith(standard):
        paths[dynamic] = dynamic
    if os.path.isdir(f"{package}.libs"):
        paths[f"{package}.libs"] = "/grader/numpy.libs"
    paths |= {str(HERE / "inside.py"): "/grader/inside.py", plain.__file__: "/grader/plain.py"}
    if os.path.exists("/etc/ld.so.cache"):
        paths["/etc/ld.so.cache"] = "/etc/ld.so.cache"
    objects = [python, *glob(f"{dynamic}/*.so"), *glob(f"{package}/**/*.so", recursive=True)]
    objects = [path for path in objects if not NOT_OFFERED.match(os.path.basename(path))]
    for library in libraries(*objects):
        if not library.startswith(os.path.dirname(package)):
            paths[library] = library
    return paths


@functools.cache
def libraries(*objects):
    """The shared libraries of programs and libraries, by the paths under which the loader finds them."""
    output = subprocess.run(["ldd", *objects], capture_output=True, text=True, check=False).stdout
    return sorted(set(re.findall(r"^\t(?:.* => )?(/.*) \(0x", output, re.MULTILINE)))


def command(limits, filter_fd, info_fd):
    """The command line: bubblewrap, Python, inside.py. Root drops its privileges first, since process limits do not bind it.

    No --die-with-parent: if bubblewrap were killed while starting, it would leave a process that waits for it for ever.
    When the grader dies, process 1 reads the end of its input and exits, and all others with it.
    """
    bwrap = os.path.realpath(shutil.which("bwrap"))
    python = interpreter()
    isolation = ["--unshare-all", "--unshare-user", "--disable-userns", "--new-session", "--as-pid-1"]
    isolation += ["--cap-drop", "ALL", "--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "sandbox"]
    isolation += ["--seccomp", str(filter_fd), "--info-fd", str(info_fd)]
    scratch = ["--size", str(limits.scratch * MB), "--tmpfs", "/scratch", "--chdir", "/scratch", "--remount-ro", "/"]
    run = [python, "-s", "-S", "-P", "-B", "/grader/inside.py"]
    if os.geteuid() != 0:
        return [bwrap, *isolation, *view(readable()), *scratch, *run]
    # Root's folders may be closed to others: root builds the view and drops its privileges inside, then the sandbox starts.
    needed = {path: path for path in [bwrap, *libraries(bwrap)]}
    drop = f"import os, sys; os.setgroups([]); os.setresgid(*[{NOBODY}] * 3); os.setresuid(*[{NOBODY}] * 3)"
    outer = [bwrap, *view(readable() | needed), "--bind", "/proc", "/proc", "--dir", "/tmp"]
    outer += [python, "-I", "-S", "-c", f"{drop}; os.execv(sys.argv[1], sys.argv[1:])"]
    return [*outer, bwrap, *isolation, *view({place: place for place in readable().values()}), *scratch, *run]


def view(paths):
    """bubblewrap's options that show these paths and three devices, but no packages apart from the standard library."""
    places = [*paths.values(), *(f"/dev/{name}" for name in ("null", "random", "urandom"))]
    folders = sorted({str(folder) for place in places for folder in Path(place).parents})
    options = [arg for folder in folders for arg in ("--dir", folder)]  # they would be closed to others by default
    options += [arg for source, place in paths.items() for arg in ("--ro-bind", source, place)]
    options += [arg for place in places[len(paths) :] for arg in ("--dev-bind", place, place)]
    standard = os.path.dirname(os.__file__)
    for folder in filter(os.path.isdir, (f"{standard}/site-packages", f"{standard}/dist-packages")):
        options += ["--size", "4096", "--tmpfs", folder, "--remount-ro", folder]
    return options


# System calls that are refused: those that reach other processes or rarely used parts of the kernel, sockets (a network
# namespace does not cover every family), memory that belongs to no process, which the memory check would miss, and
# anything that reveals other sandboxes through the files that all of them see: locks and change notifications.
# name: (x86_64, aarch64)
CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "personality": (135, 92), "syslog": (103, 116), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "socket": (41, 198),
    "socketpair": (53, 199), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "inotify_init1": (294, 26), "inotify_init": (253, None), "fanotify_init": (300, 262), "flock": (73, 32),
}  # fmt: skip
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
NAMESPACES = 0x7E020000  # flags of clone that make a new namespace
SHARED = 0x21  # flags of mmap, together, for shared memory that belongs to no file
LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026)  # commands of fcntl for locks, leases and notifications


def forbidden_calls():
    """The filter in the kernel's format: one struct sock_filter for each instruction."""
    column, machine = MACHINES[platform.machine()]
    load, mask, equal, above, any_of, ret = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
    allow, kill = 0x7FFF0000, 0x80000000
    refuse, unknown = 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS
    program = [(load, 0, 0, 4), (equal, 1, 0, machine), (ret, 0, 0, kill), (load, 0, 0, 0)]
    if column == 0:
        program += [(above, 0, 1, 0x40000000), (ret, 0, 0, refuse)]
    for number in filter(None, (numbers[column] for numbers in CALLS.values())):
        program += [(equal, 0, 1, number), (ret, 0, 0, refuse)]
    program += [(equal, 0, 1, 435), (ret, 0, 0, unknown)]  # clone3, whose flags a filter cannot see
    clone, prlimit = (56, 302) if column == 0 else (220, 261)
    for number, flags in ((clone, NAMESPACES), (prlimit, 0xFFFFFFFF)):  # prlimit of another process
        program += [(equal, 0, 4, number), (load, 0, 0, 16), (any_of, 0, 1, flags), (ret, 0, 0, refuse)]
        program += [(ret, 0, 0, allow)]
    mmap, fcntl = (9, 72) if column == 0 else (222, 25)
    program += [
        (equal, 0, 5, mmap),
        (load, 0, 0, 40),
        (mask, 0, 0, SHARED),
        (equal, 0, 1, SHARED),
        (ret, 0, 0, refuse),
    ]
    program += [(ret, 0, 0, allow), (equal, 0, 2 + 2 * len(LOCKS), fcntl), (load, 0, 0, 24)]
    program += [step for lock in LOCKS for step in ((equal, 0, 1, lock), (ret, 0, 0, refuse))]
    program += [(ret, 0, 0, allow)] * 2
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
