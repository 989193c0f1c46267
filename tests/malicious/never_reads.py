"""Says that it is ready and then does not read what it is asked."""
# sleeps
# posterior: timed out
# share: timed out
import os
import struct
import time

message = b'["ready", null]'
os.write(4, b't' + struct.pack(">I", 14) + b'["cell", "ok"]' + b"t" + struct.pack(">I", len(message)) + message)
time.sleep(1000)
