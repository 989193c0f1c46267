"""A cell that never ends."""
# posterior: timed out after 5 s in cell 1
# share: timed out after 5 s in cell 1
import threading

threading.Event().wait()
