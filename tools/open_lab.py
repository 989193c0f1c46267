"""Open JupyterLab: what `make lab` runs.

JupyterLab writes into a notebook that it opens what the kernel says about its language, the version of Python included, and
marks it as unsaved if that was not there. So a notebook is served as if the reader's own Python had saved it.
"""

import sys
from pathlib import Path

from ipykernel.ipkernel import IPythonKernel
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyterlab.labapp import LabApp


class Notebooks(AsyncLargeFileManager):
    """The course's files; a Python notebook is served with the language information of this Python."""

    async def get(self, path, content=True, type=None, format=None, **options):
        model = await super().get(path, content, type, format, **options)
        if model["type"] == "notebook" and model["content"]:
            metadata = model["content"]["metadata"]
            if metadata.get("kernelspec", {}).get("name") == "python3":
                metadata["language_info"] = dict(IPythonKernel.language_info)
        return model


if __name__ == "__main__":
    LabApp.launch_instance([*sys.argv[1:], f"--ServerApp.contents_manager_class={Path(__file__).stem}.Notebooks"])
