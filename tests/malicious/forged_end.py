"""Claims to be the runner: frames that only process 1 writes, as the child's words."""
# posterior: the answer could not be read
# share: the answer could not be read
import os
import struct

frame = b"e" + struct.pack(">I", 12) + struct.pack(">id", 0, 0.0)
os.write(4, frame * 3)
