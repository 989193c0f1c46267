"""What a page without a kernel brings of its figures: the scenes of all drawn states, a script a figure."""

import base64
import json
import zlib

from bayeslib.figures.scene import difference


class Archive:
    """The states of one figure: the scene that it opens with, and each change from it stored once."""

    def __init__(self, figure, more=None):
        """more: gives what the figure itself has no layout for, as (layout, (size, boxes, marks))"""
        self.figure, self.more, self.openings, self.marks, self.frames = figure, more, {}, {}, {}
        figure.view.layouts = list(figure.spec.layouts) if hasattr(figure, "spec") else []

    def add(self):
        """Keep the present state; returns its number."""
        numbers = {}
        for layout, (size, boxes, marks) in {
            **self.figure.scenes(),
            **(self.more(self.figure) if self.more else {}),
        }.items():
            opening = self.openings.setdefault(layout, {"size": size, "boxes": boxes, "marks": marks})
            numbers[layout] = [self._number(mark) for mark in difference(opening["marks"], marks)]
        return self.frames.setdefault(_json(numbers), len(self.frames))

    def _number(self, mark):
        return self.marks.setdefault(_json(mark), len(self.marks))

    def text(self, **more):
        """All of it, with `more` added, as JSON."""
        head = _json(
            {"opening": self.openings, "pace": getattr(self.figure, "spec", None) and self.figure.spec.pace, **more}
        )[:-1]
        return f'{head},"marks":[{",".join(self.marks)}],"frames":[{",".join(self.frames)}]}}'


def script(name, text):
    """A text as a script that holds it, deflated: a page opened from a file may load nothing else."""
    return f'SCENES["{name}"] = "{base64.b64encode(zlib.compress(text.encode(), 9)).decode()}";\n'


def _json(content):
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
