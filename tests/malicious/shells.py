"""Runs programs: there are none but Python, and Python started anew is in the same sandbox."""
# posterior: nothing
# share: right
import os
import subprocess
import sys

share = 0.25
# %%
def posterior(prior, likelihood):
    got = []
    for program in ("/bin/sh", "sh", "bash", "/usr/bin/env", "bwrap", "mount", "ls"):
        try:
            subprocess.run([program, "-c", "true"])
            got.append(program)
        except OSError:
            pass
    if os.system("true") == 0:
        got.append("system")
    code = "import os; print([path for path in ('@HOST@', '@TESTS@', '/etc/passwd') if os.path.exists(path)])"
    python = next(each for each in ("@PYTHON@", sys.executable) if os.path.exists(each))
    told = subprocess.run([python, "-S", "-c", code], capture_output=True, text=True).stdout
    return got + ([] if told == "[]\n" else [told])
