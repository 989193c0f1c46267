"""What the room thought: `make votes` prints the votes that were kept; `make insight` puts them beside all
else that the class did.

They contain no devices, only how often each answer to a question was given, in the first and the second vote.
"""

import json
import sys

from tools.lecture.wall import KEPT


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


if __name__ == "__main__":
    main()
