"""Right results of an exercise's functions, for a later task of a student whose own function is wrong.

The arguments come from a student's code. So the reference works in a process of its own, which is ended if it takes too much.
"""

import resource
import select
import subprocess
import sys
import threading

from bayeslib.questions.answers import outcome
from bayeslib.questions.plain import Refused, dumps, loads

SECONDS, MEMORY = 3, 2_000_000_000  # for one result
UNKNOWN = ["unknown", None]


class Oracle:
    """Called with a function's name and arguments: ["value", its result], ["raised", None], or ["unknown", None]."""

    def __init__(self, name, course, chosen):
        self.command = [sys.executable, "-m", "grading.oracle", name, str(course), dumps(chosen)]
        self.process, self.turn = None, threading.Lock()

    def __call__(self, function, arguments):
        with self.turn:
            try:
                return self._ask(dumps([function, arguments]))
            except (OSError, Refused):
                self.close()
                return UNKNOWN

    def _ask(self, question):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.process.stdout.readline()  # it is ready
        self.process.stdin.write(question.encode() + b"\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], SECONDS)[0]:
            raise TimeoutError
        return loads(self.process.stdout.readline().decode().strip())

    def close(self):
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None


def main(name, course, chosen):
    from grading import references

    tasks = references.load(name, course, loads(chosen)).tasks
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(flush=True)
    for line in sys.stdin:
        function, arguments = loads(line.strip())
        result = outcome(tasks[function]["solve"], arguments)
        kind = "raised" if isinstance(result, ValueError) else "unknown" if isinstance(result, Exception) else "value"
        print(dumps([kind, result if kind == "value" else None]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
