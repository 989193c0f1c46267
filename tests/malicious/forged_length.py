"""Announces four gigabytes."""
# posterior: too much data
# share: too much data
import os

os.write(4, b"t\xff\xff\xff\xff" + b"x" * 1000)
