"""A real JupyterLab in a real Chromium, for the pictures, the browser tests and the benchmarks."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from bayeslib.sections import LESSONS

ROOT = Path(__file__).parents[1]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOW = "Chromium is missing: sudo apt-get install chromium (macOS: put a `chromium` command on the PATH)"


def chromium():
    """The path of the browser, or None."""
    return shutil.which("chromium")


@contextmanager
def jupyterlab(folder, python=sys.executable, base="/", formgrader=False, start=("-m", "jupyterlab")):
    """Serve `folder` on 127.0.0.1 below the path `base`; yields the address. Settings and state stay in the folder.

    The extensions of nbgrader, which only a teacher installs, are left out unless the folder is a course to be graded.
    """
    home = folder / ".home"
    env = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
        "BAYESLIB_ANSWERS": str(folder / "my-answers.json"),
    }
    command = [python, *start, "--no-browser", "--allow-root", "--expose-app-in-browser", "--ip=127.0.0.1"]
    options = ["--ServerApp.token=", f"--ServerApp.root_dir={folder}", f"--ServerApp.base_url={base}"]
    if not formgrader:
        names = ("formgrader", "validate_assignment", "assignment_list", "course_list")
        options.append(
            f"--ServerApp.jpserver_extensions={ {f'nbgrader.server_extensions.{name}': False for name in names} }"
        )
    with served([*command, *options], f"{base}api", folder, env) as address:
        yield address + base.rstrip("/")


@contextmanager
def served(command, ready, folder, env=None, start_in=None):
    """A server on a free port of 127.0.0.1; yields its address once it answers to the path `ready`. Its log is in the folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}"
    log = folder / "server.log"
    with log.open("w") as file:
        port = f"--port={address.split(':')[-1]}"
        server = subprocess.Popen([*command, port], cwd=start_in or folder, env=env, stdout=file, stderr=file)
    try:
        for _ in range(900):
            try:
                urllib.request.urlopen(address + ready, timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError("the server did not start: " + log.read_text())
        yield address
    finally:
        server.terminate()
        server.wait(20)


@contextmanager
def browser():
    """A fresh Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield instance
        instance.close()


def new_page(instance, **view):
    """A page that collects its console errors in `page.errors` and the addresses it requested in `page.requests`."""
    page = instance.new_page(**{"viewport": {"width": 1280, "height": 900}, **view})
    page.errors, page.requests = [], []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.requests.append(request.url))
    page.on("websocket", lambda socket: page.requests.append(socket.url))
    return page


def open_notebook(instance, address, name, without=None, at="lab/tree", **view):
    """A page with the notebook open and its kernel idle; requests to addresses like `without` are blocked.

    `at` is "lab/tree" in JupyterLab and "notebooks" in Notebook 7.
    """
    page = new_page(instance, **view)
    if without:
        page.route(without, lambda route: route.abort())
    page.goto(f"{address}/{at}/{name}?reset")  # no tabs of an earlier page
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.evaluate(
        """async () => {
            const panel = window.jupyterapp.shell.currentWidget;
            await panel.context.ready;
            await panel.sessionContext.ready;
            await panel.sessionContext.session.kernel.info;
        }"""
    )
    return page


def run_all(page):
    """Run All Cells, by the command behind the menu's item."""
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")


def cell(page, cell_id):
    """The part of the page that belongs to one cell, scrolled into view."""
    page.evaluate(
        """async (id) => {
            const notebook = window.jupyterapp.shell.currentWidget.content;
            const at = notebook.widgets.findIndex((each) => each.model.id === id);
            await notebook.scrollToItem(at, "start");
            notebook.widgets[at].node.dataset.cell = id;
        }""",
        cell_id,
    )
    return page.locator(f'[data-cell="{cell_id}"]')


@contextmanager
def slides(section, folder, *options):
    """Show a section as `make lecture` does; yields the address of its slides."""
    command = [sys.executable, "-m", "tools.lecture", section, *options, "--no-browser"]
    path = f"/voila/render/{next(each.name for each in LESSONS if each.number == section)}.ipynb"
    with served(command, "/voila/static/voila.js", folder, start_in=ROOT) as address:
        yield address + path


def open_slides(instance, address):
    """A projector's page with a section's slides, all cells run."""
    page = new_page(instance, viewport={"width": 1280, "height": 720})
    page.goto(address)
    await_slides(page)
    return page


def await_slides(page):
    """Wait until all cells of the slides have run."""
    page.wait_for_function(
        """() => document.querySelector("#bar") &&
            [...document.querySelectorAll(".jp-CodeCell")].every((cell) => cell.querySelector(".jp-Cell-outputWrapper"))""",
        timeout=180_000,
    )
