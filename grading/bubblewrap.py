"""The walls of the sandbox: bubblewrap's command line, what is visible inside, which system calls are permitted."""

import errno
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


# The system calls that Python, numpy and process 1 need, and no others: what is not here reaches other processes, rarely used
# parts of the kernel, memory that belongs to no process, or what other sandboxes see too. name: (x86_64, aarch64)
CALLS = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "lseek": (8, 62), "open": (2, None), "openat": (257, 56), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None),
    "pipe2": (293, 59), "fcntl": (72, 25), "ioctl": (16, 29), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "fstatfs": (138, 44), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50),
    "readlink": (89, None), "readlinkat": (267, 78), "getdents64": (217, 61), "mkdir": (83, None),
    "mkdirat": (258, 34), "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None),
    "renameat": (264, 38), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "ftruncate": (77, 46),
    "umask": (95, 166), "utimensat": (280, 88), "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216),
    "mprotect": (10, 226), "madvise": (28, 233), "brk": (12, 214), "clone": (56, 220), "vfork": (58, None),
    "execve": (59, 221), "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95),
    "kill": (62, 129), "tgkill": (234, 131), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getgroups": (115, 158), "getpgid": (121, 155),
    "getpgrp": (111, None), "getsid": (124, 156), "setsid": (112, 157), "setpgid": (109, 154),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132), "alarm": (37, None), "pause": (34, None),
    "setitimer": (38, 103), "getitimer": (36, 102), "restart_syscall": (219, 128), "prctl": (157, 167),
    "arch_prctl": (158, None), "prlimit64": (302, 261), "getrlimit": (97, 163), "setrlimit": (160, 164),
    "getrusage": (98, 165), "times": (100, 153), "uname": (63, 160), "getrandom": (318, 278), "futex": (202, 98),
    "set_tid_address": (218, 96), "set_robust_list": (273, 99), "rseq": (334, 293), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "gettimeofday": (96, 169), "time": (201, None),
    "select": (23, None), "pselect6": (270, 72), "poll": (7, None), "ppoll": (271, 73),
}  # fmt: skip
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
LOAD, MASK, OR, EQUAL, ANY_OF, RETURN, RETURN_IT = 0x20, 0x54, 0x44, 0x15, 0x45, 0x06, 0x16
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
PERMITTED, REFUSED = (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERROR | errno.EPERM)
NAMESPACES = 0x7E020000  # flags of clone that make a new namespace
SHARED, HUGE = (
    0x21,
    0x40000,
)  # flags of mmap: shared memory that belongs to no file (both bits); pages that are not counted
TELLING = 1024  # added to a call's number, an error that no call of its own gives


def one_of(argument, *values):
    """A call is permitted with these values of an argument only."""
    tests = [step for value in values for step in ((EQUAL, 0, 1, value), PERMITTED)]
    return [(LOAD, 0, 0, 16 + 8 * argument), *tests, REFUSED]


# Calls of which the filter looks at an argument too.
ARGUMENTS = {
    "clone": [(LOAD, 0, 0, 16), (ANY_OF, 0, 1, NAMESPACES), REFUSED, PERMITTED],
    "mmap": [(LOAD, 0, 0, 40), (ANY_OF, 0, 1, HUGE), REFUSED, (MASK, 0, 0, SHARED), (EQUAL, 0, 1, SHARED), REFUSED, PERMITTED],
    "madvise": one_of(2, 0, 4, 8),  # give memory back; no huge pages, and nothing that moves what others read out of memory
    "prlimit64": one_of(0, 0),  # of no other process
    "fcntl": one_of(1, 0, 1, 2, 3, 4, 1030),  # descriptors and their flags; no locks, leases, notices, larger pipes
    "ioctl": one_of(1, 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),  # is it a terminal? close on exec, blocking
    # Process 1 only: to be killed with its parent, to be closed to its children, and to have no huge pages, never again.
    "prctl": [(LOAD, 0, 0, 16), (EQUAL, 0, 3, 41), (LOAD, 0, 0, 24), (EQUAL, 0, 4, 1), PERMITTED, (EQUAL, 1, 0, 1), (EQUAL, 0, 1, 4), PERMITTED, REFUSED],
}  # fmt: skip


def permitted_calls(telling=False):
    """The filter in the kernel's format: one struct sock_filter for each instruction.

    A call that is not listed is not there (ENOSYS); with `telling` its error is its number, for a test to name.
    """
    column, machine = MACHINES[platform.machine()]
    program = [(LOAD, 0, 0, 4), (EQUAL, 1, 0, machine), (RETURN, 0, 0, KILL), (LOAD, 0, 0, 0)]
    for name, numbers in CALLS.items():
        if (number := numbers[column]) is not None:
            steps = ARGUMENTS.get(name, [PERMITTED])
            program += [(EQUAL, 0, len(steps), number), *steps]
    unknown = (RETURN, 0, 0, ERROR | errno.ENOSYS)
    if telling:  # but for clone3, which the C library asks for first
        program += [(EQUAL, 0, 1, 435), unknown, (OR, 0, 0, ERROR | TELLING), (RETURN_IT, 0, 0, 0)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in [*program, unknown])
