"""A cell that never ends."""
# sleeps
# posterior: timed out in cell 1
# share: timed out in cell 1
import threading

threading.Event().wait()
