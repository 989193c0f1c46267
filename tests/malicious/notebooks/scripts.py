"""Scripts wherever a page might run them: text, outputs, attachments, names, headings, links, formulas, raw cells."""

POINTS = {"posterior": 3, "belief_after": 0, "share_sick": 1, "reading": 0, "why": None}
SAYS = "belief_after 0/3"
RUN = "window.ran = 1"


def hand_in(notebook, folder, write):
    html = f"<script>{RUN}</script><img src=x onerror='{RUN}'><svg onload='{RUN}'><iframe srcdoc=\"<script>parent.{RUN}</script>\">"
    outputs = [
        {"output_type": "display_data", "data": {"text/html": html, "application/javascript": RUN}, "metadata": {}},
        {"output_type": "stream", "name": "stdout", "text": html},
        {"output_type": "display_data", "data": {"image/svg+xml": f"<svg onload='{RUN}'/>"}, "metadata": {}},
    ]
    links = f'[a](javascript:{RUN}) [b]: javascript:{RUN}\n\n[b] <javascript:{RUN}> ![c](x"onerror="{RUN}) [c][b]'
    formula = f"$\\href{{javascript:{RUN}}}{{x}}$ $$\\require{{html}}\\style{{{html}}}{{x}}$$ $a<b$"
    text = f'# head" onmouseover="{RUN}\n\n{html}\n\n{links}\n\n{formula}\n\n```\n{html}\n```\n\n`{html}`\n\n<!-- --><{html}'
    notebook["metadata"]["title"] = html
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = outputs
        if cell["id"] == "why":
            cell |= {"source": text, "attachments": {"x": {"text/html": html}}}
        if cell["id"] == "belief_after-answer":
            cell["source"] = (
                f"class E(Exception): pass\nE.__name__ = {html!r}\ndef belief_after(prior, tests):\n    raise E({html!r})"
            )
        if cell["id"] == "reading-answer":
            cell["source"] = f"reading = {html!r}  # {html}"
    notebook["cells"] += [
        {"cell_type": kind, "id": kind, "metadata": {}, "source": text} for kind in ("raw", "markdown", "odd")
    ]
    write(notebook)
