"""What the room thought: `make votes` prints the votes that were kept, and writes them as a table and as a page with bars.

They contain no devices, only how often each answer to a question was given, in the first and the second vote.
"""

import csv
import json
import sys
from html import escape

from tools.lecture.wall import KEPT

STYLE = """
body { font: 17px/1.45 system-ui, sans-serif; max-width: 56em; margin: 2em auto; padding: 0 1em; } h3 { margin: 1.6em 0 .4em; }
table { width: 100%; border-collapse: collapse; } td { padding: 2px 6px; vertical-align: top; } td:nth-child(2) { width: 50%; }
.bar { display: block; margin: 1px 0; min-width: 1.6em; padding: 0 6px; box-sizing: border-box; color: white; background: #2f5d8a; }
.bar.first { color: black; background: repeating-linear-gradient(135deg, white 0 5px, #c9d8e8 5px 9px); outline: 1px solid #2f5d8a; }
"""


def rows(lecture):
    """One row for each question, round and answer."""
    for name, result in lecture["questions"].items():
        for answer in result["answers"]:
            for round_, votes in enumerate(answer["votes"], 1):
                yield {
                    "section": lecture["section"],
                    "when": lecture["when"],
                    "question": name,
                    "round": round_,
                    "answer": answer["text"],
                    "right": answer["right"],
                    "votes": votes,
                }


def sentences(result):
    """How a vote went, in words: how many were right, who moved, and what the wrong answers point to."""
    right = [f"{number} of {votes}" for number, votes in zip(result["right"], result["votes"])]
    yield f"Right: {', then '.join(right)}."
    if moved := result.get("moved"):
        yield (
            f"Of {moved['both']} who voted twice {moved['to_right']} moved from wrong to right and "
            f"{moved['to_wrong']} from right to wrong."
        )
    for belief in result["beliefs"]:
        yield f"{belief['votes']}: {belief['title']}. {belief['text']}"


def page(lectures):
    """All kept lectures as one page."""
    parts = []
    for lecture in lectures:
        made_up = " (a rehearsal: made-up votes)" if lecture["rehearsal"] else ""
        parts.append(f"<h2>Section {escape(lecture['section'])}, {escape(lecture['when'])}{made_up}</h2>")
        for name, result in lecture["questions"].items():
            most = max([1, *(votes for answer in result["answers"] for votes in answer["votes"])])
            table = "".join(_row(answer, most) for answer in result["answers"])
            words = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences(result))
            parts.append(f"<h3>{escape(name)}</h3><p>{escape(result['prompt'])}</p><table>{table}</table>{words}")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>What the room thought</title>'
        f"<style>{STYLE}</style><h1>What the room thought</h1>"
        f"<p>Where there were two votes, the first is hatched. ✓ marks the right answer.</p>{''.join(parts)}</html>"
    )


def _row(answer, most):
    bars = "".join(
        f'<span class="bar{" first" if at + 1 < len(answer["votes"]) else ""}" style="width: {votes / most:.0%}">{votes}</span>'
        for at, votes in enumerate(answer["votes"])
    )
    return f"<tr><td>{escape(answer['text'])}{' ✓' if answer['right'] else ''}</td><td>{bars}</td></tr>"


def main():
    lectures = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(KEPT.glob("*.json"))]
    if not lectures:
        sys.exit("No votes were kept. Keep the next ones: make lecture SECTION=10 VOTES=1 KEEP=1")
    for lecture in lectures:
        print(f"Section {lecture['section']}, {lecture['when']}{', rehearsal' if lecture['rehearsal'] else ''}")
        for name, result in lecture["questions"].items():
            print(f"\n  {name}: {result['prompt']}")
            for answer in result["answers"]:
                votes = " ".join(f"{number:4}" for number in answer["votes"])
                print(f"    {votes}  {answer['text']}{' (right)' if answer['right'] else ''}")
            print("".join(f"    {sentence}\n" for sentence in sentences(result)))
    with (KEPT / "votes.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, "section when question round answer right votes".split())
        table.writeheader()
        for lecture in lectures:
            table.writerows(rows(lecture))
    (KEPT / "votes.html").write_text(page(lectures), encoding="utf-8")
    print(f"Also as a table and a page: {KEPT / 'votes.csv'}, {KEPT / 'votes.html'}")


if __name__ == "__main__":
    main()
