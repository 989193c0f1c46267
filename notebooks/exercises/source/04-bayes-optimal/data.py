"""The weather models and the people of exercise 04. Every id has its own; the same id always has the same."""

import csv
import hashlib
import itertools
import random
from pathlib import Path


def _chance(student, what):
    seed = hashlib.sha256(f"04-bayes-optimal {what} {student.strip().lower()}".encode()).digest()
    return random.Random(int.from_bytes(seed, "big"))  # its random() gives the same numbers in every version


def models(student):
    """Four weather models: their posteriors, P(frost) according to each, and two costs."""
    chance = _chance(student, "models")
    second, third = 20 + int(5 * chance.random()), 15 + int(5 * chance.random())
    fourth = 10 + int(5 * chance.random())
    return {
        "posterior": {
            "h1": (100 - second - third - fourth) / 100,
            "h2": second / 100,
            "h3": third / 100,
            "h4": fourth / 100,
        },
        "frost": {
            "h1": (80 + int(15 * chance.random())) / 100,
            "h2": (35 + int(13 * chance.random())) / 100,
            "h3": (15 + int(20 * chance.random())) / 100,
            "h4": (20 + int(20 * chance.random())) / 100,
        },
        "covering": 400 + 10 * int(30 * chance.random()),
        "harvest": 660 + 10 * int(45 * chance.random()),
    }


def titanic(student):
    """Kinds of people, the rules about who survived, what they say, 20 people that were seen, and the others.

    kinds   (status, age, sex) for each column
    rules   the 46 rules; None leaves an attribute open, and the last rule is "nobody"
    table   for each rule a row: P(survived | rule) for each kind, 0.8 where the rule says so and 0.2 where not
    seen    20 people: (column, 1 if the person survived and 0 if not)
    others  for each kind, how many of the people not seen survived and how many died
    """
    with open(Path(__file__).with_name("titanic.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    kinds = sorted({(row["status"], row["age"], row["sex"]) for row in rows})
    people = {(kind, fate): 0 for kind in kinds for fate in "yes no".split()}
    for row in rows:
        people[(row["status"], row["age"], row["sex"]), row["survived"]] += int(row["people"])
    choices = [[None, *sorted(set(column))] for column in zip(*kinds)]
    rules = [*itertools.product(*choices), "nobody"]
    table = [
        [0.8 if rule != "nobody" and all(r in (None, k) for r, k in zip(rule, kind)) else 0.2 for kind in kinds]
        for rule in rules
    ]
    everybody = [(kind, fate) for (kind, fate), number in people.items() for _ in range(number)]
    chance = _chance(student, "titanic")
    order = sorted(range(len(everybody)), key=lambda place: chance.random())
    seen = [everybody[place] for place in order[:20]]
    for each in seen:
        people[each] -= 1
    return {
        "kinds": kinds,
        "rules": rules,
        "table": table,
        "seen": [(kinds.index(kind), int(fate == "yes")) for kind, fate in seen],
        "others": [(people[kind, "yes"], people[kind, "no"]) for kind in kinds],
    }
