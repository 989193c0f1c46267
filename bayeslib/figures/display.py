"""How a live figure or quiz appears in a notebook: first what is worth storing, then the widget that takes its place.

Two outputs instead of one, because JupyterLab prefers a widget view to everything else, and shows "model not found" once the
kernel is gone. The style below hides such a dead widget; style.css hides the stored part while the widget lives.
"""

from base64 import b64encode
from html import escape

from IPython.display import display

SWAP = """<style>
.jp-OutputArea-child:has(.bayeslib-stored) + .jp-OutputArea-child:has(.jupyter-widgets):not(:has(.bayeslib-live)) {display: none}
</style>"""
VIEW = "application/vnd.jupyter.widget-view+json"


class Shown:
    """Displays `stored()`, a bundle by MIME type, and over it `widget`."""

    def _repr_mimebundle_(self, **_):
        return {**self._bundle(), VIEW: self._view()}

    def _ipython_display_(self):
        display(self._bundle(), raw=True)
        display({VIEW: self._view()}, raw=True)

    def _bundle(self):
        bundle = self.stored()
        if "image/png" in bundle:
            bundle["image/png"] = b64encode(bundle["image/png"]).decode()
        return {**bundle, "text/html": f'<div class="bayeslib-stored">{SWAP}{bundle["text/html"]}</div>'}

    def _view(self):
        return {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}


def img(png, alt, width):
    """An <img> tag with the picture embedded."""
    return f'<img alt="{escape(alt)}" width="{width}" src="data:image/png;base64,{b64encode(png).decode()}">'
