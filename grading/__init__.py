"""Graded exercises: from a folder of submissions to a gradebook, with the student's code in a sandbox.

references.py    an exercise's tasks, its hidden checks and the secret that their inputs are drawn from
collect.py       takes a student's answers from whatever was handed in
sandbox.py       runs the code; inside.py is the part inside, bayeslib/questions/plain.py the data that passes in and out
cluster.py       the same on the workers of a Dask cluster
scoring.py       turns answers into points and comments
converter.py     nbgrader's autograde, built on the above
exports.py       rosters and CSV files
`python -m grading` is what the Makefile calls. Exercises and the teacher's page are in notebooks/exercises.
"""
