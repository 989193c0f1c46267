"""Memory that belongs to no process: files in memory, System V segments, sockets full of bytes."""
# posterior: nothing
# share: right
import ctypes
import os
import socket

share = 0.25
# %%
def posterior(prior, likelihood):
    got = []
    for attempt in (
        lambda: os.memfd_create("x"),
        lambda: socket.socketpair(),
        lambda: ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600) >= 0 or 1 / 0,
        lambda: ctypes.CDLL(None).msgget(0, 0o1600) >= 0 or 1 / 0,
        lambda: open("/dev/shm/left-behind", "w"),
    ):
        try:
            attempt()
            got.append(attempt.__code__.co_firstlineno)
        except (OSError, ZeroDivisionError):
            pass
    return got
