"""Reads the gradebook, the references, the tests and everything else of the host that it can name."""
# posterior: nothing
# share: right
import glob
import os

share = 0.25
# %%
def posterior(prior, likelihood):
    got = []
    paths = ["@HOST@/gradebook.db", "@HOST@/references/01.py", "@TESTS@/malicious/honest.py", "/etc/passwd"]
    paths += ["/etc/shadow", "/proc/1/environ", "/proc/self/environ", "/proc/1/fd/0", "/sys/kernel"]
    paths += ["/dev/mem", "/dev/tty", "/dev/kmsg"]
    got += [path for path in paths if os.path.exists(path)]
    for folder in ["@HOST@", "@PACKAGE@", "/home", "/var", "/sys", "/proc", "/run", "/boot", "/usr/bin", "/bin"]:
        got += [] if folder in "@PYTHON@" else glob.glob(folder + "/*")
    got += [name for name in os.environ if name not in
            {"HOME", "TMPDIR", "LANG", "LC_CTYPE", "PWD", "PYTHONHASHSEED", "PYTHONUTF8"} and "NUM_THREADS" not in name]
    for name in ("scipy", "pandas", "pytest", "pip", "nbgrader", "bayeslib.models.bayes", "setuptools"):
        try:
            __import__(name)
            got.append(name)
        except ImportError:
            pass
    return got
