"""Speaks for its runner: says "ready", a value and "end" before anything was asked, and leaves."""
# posterior: the answer could not be read
# share: wrong
import json
import os
import struct


def say(*message):
    text = json.dumps(message).encode()
    os.write(4, b"t" + struct.pack(">I", len(text)) + text)


say("cell", "ok")
say("ready", None)
say("value", 0.5)
say("end", None)
os._exit(0)
