"""Says that it is ready and then does not read what it is asked."""
# posterior: timed out after 5 s
# share: timed out after 5 s
import os
import struct
import time

message = b'["ready", null]'
os.write(4, b't' + struct.pack(">I", 14) + b'["cell", "ok"]' + b"t" + struct.pack(">I", len(message)) + message)
time.sleep(1000)
