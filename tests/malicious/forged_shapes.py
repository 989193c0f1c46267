"""Sends what no honest encoder would: an array of a billion of billions, a dict with one key twice."""
# posterior: the answer could not be read
# share: the answer could not be read
import os
import struct


def say(text):
    os.write(4, b"t" + struct.pack(">I", len(text)) + text)


say(b'["cell", "ok"]')
say(b'["ready", null]')
say(b'["value", {"array": [[1000000000, 1000000000], "float", []]}]')
say(b'["value", {"dict": [["a", 1], ["a", 2]]}]')
say(b'["end", null]')
os._exit(0)
