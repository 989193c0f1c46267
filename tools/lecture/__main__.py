"""Show a section as live slides in the browser: `make lecture SECTION=10 MINUTES=45 VOTES=1`. Other options are voila's.

The slides are the notebook itself, cut by its cells' slide metadata; the template is index.html.j2 with slides.css and
slides.js.
"""

import argparse
import os
import sys
import tempfile
import webbrowser
from contextlib import ExitStack
from pathlib import Path

import nbformat
from jupyter_server.utils import url_path_join
from tornado.ioloop import IOLoop
from tornado.web import StaticFileHandler
from voila.app import Voila

from bayeslib.sections import LESSONS
from tools.lecture import lecturer_questions
from tools.lecture.plan import plan
from tools.lecture.wall import Votes, WallHandler

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"
FONTS = HERE.parents[1] / "bayeslib" / "figures" / "fonts"
SETTINGS = {
    "ip": "127.0.0.1",
    "VoilaConfiguration.progressive_rendering": True,  # the first slide shows while later cells still run
    "VoilaConfiguration.strip_sources": False,
    "VoilaConfiguration.show_tracebacks": True,
    "VoilaConfiguration.allow_template_override": "NO",
    "VoilaConfiguration.extension_denylist": [
        "@jupyter-notebook/lab-extension",
        "@jupyter/nbgrader",
    ],  # installed on a teacher's machine
    "VoilaExecutor.timeout": 120,
    "KernelRestarter.restart_limit": 0,  # a restarted Python without its variables would only look alive
    "MappingKernelManager.cull_idle_timeout": 300,  # for pages that vanished without ending their kernel
    "MappingKernelManager.cull_interval": 60,
    "log_level": "ERROR",
}


class Lecture(Voila):
    """Voila with our template, opened on one section; links to other sections lead to their slides."""

    section, minutes = "", None

    @property
    def address(self):
        return f"{self.display_url}voila/render/{self.section}"

    def listen(self):
        # Printed once the loop runs: only then is the free port known.
        IOLoop.current().add_callback(lambda: print(f"Slides at {self.address} (Ctrl+C ends them)", flush=True))
        if WallHandler.votes:
            print(f"The room votes at {WallHandler.votes.where}", flush=True)
            WallHandler.votes.watch()
        super().listen()

    def setup_template_dirs(self):
        super().setup_template_dirs()
        self.template_paths.insert(0, str(HERE))
        self.voila_configuration.prelaunch_hook = prepare

    def init_handlers(self):
        votes, fonts = (url_path_join(self.server_url, path) for path in ("/votes", "/fonts/(.*ttf)"))
        return [(votes, WallHandler), (fonts, StaticFileHandler, {"path": FONTS}), *super().init_handlers()]

    def launch_browser(self):
        webbrowser.open(self.address)


def prepare(handler, notebook, cwd):
    # Reading the token sets its cookie. The page sends it back when it is closed; without it, its kernel would not be ended.
    handler.xsrf_token  # noqa: B018
    cells, _ = plan(notebook.cells, Path(handler.request.path).name[:2], Lecture.minutes)
    notebook.cells = lecturer_questions.put_in(cells)


def find(section):
    """The notebook of the section with this number."""
    for lesson in LESSONS:
        if section and f"{section:0>2}" == lesson.number:
            return f"{lesson.name}.ipynb"
    sys.exit(f"make lecture SECTION=10, for example; there are {', '.join(lesson.number for lesson in LESSONS)}")


def at_most(text):
    """A number of minutes; None if none is given."""
    if text and not (text.isdecimal() and int(text)):
        sys.exit(f"make lecture SECTION=10 MINUTES=45, for example; got MINUTES={text}")
    return int(text) if text else None


# Each kernel, and so each visit, starts without guesses and leaves none behind. It loads the library while the browser loads the page.
STARTUP = """
import os, tempfile, threading
os.environ["BAYESLIB_READER"] = "we"
os.environ["BAYESLIB_ANSWERS"] = os.path.join(tempfile.mkdtemp(dir={folder!r}), "answers.json")
threading.Thread(target=__import__, args=["bayeslib.live"]).start()
"""


def main(*given):
    parser = argparse.ArgumentParser(prog="make lecture", usage="make lecture SECTION=10 [MINUTES=45] [VOTES=1]")
    parser.add_argument("section", nargs="?", default="")
    for name in ("minutes", "votes", "own", "keep"):
        parser.add_argument(f"--{name}", nargs="?", default="", const="1" if name in ("votes", "keep") else "")
    asked, options = parser.parse_known_args(given)
    Lecture.section, Lecture.minutes = find(asked.section), at_most(asked.minutes)
    lecturer_questions.read(asked.own)
    cells = nbformat.read(NOTEBOOKS / Lecture.section, as_version=4).cells
    try:
        _, summary = plan(cells, Lecture.section[:2], Lecture.minutes)
    except ValueError as error:
        sys.exit(str(error))
    if summary:
        print(summary, flush=True)
    with ExitStack() as stack:
        if asked.votes:
            WallHandler.votes = stack.enter_context(Votes(asked.votes, Lecture.section[:2], bool(asked.keep)))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        startup = Path(folder, "startup.py")
        startup.write_text(STARTUP.format(folder=folder))
        os.environ["PYTHONSTARTUP"] = str(startup)
        settings = [
            f"--{'' if '.' in name else 'Voila.'}{name}={value}"
            for name, values in SETTINGS.items()
            for value in (values if isinstance(values, list) else [values])
        ]
        Lecture.launch_instance([str(NOTEBOOKS), *settings, *options])


if __name__ == "__main__":
    main(*sys.argv[1:])
