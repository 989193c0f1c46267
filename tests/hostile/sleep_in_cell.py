"""A cell that never ends."""
# posterior: timed out after 2 s in cell 1
# share: timed out after 2 s in cell 1
import threading

threading.Event().wait()
