"""Graded exercises: from a folder of submissions to a gradebook, with the student's code in a sandbox.

references.py    what an exercise asks, its hidden checks and the secret that their inputs are drawn from
collect.py       a student's answers, out of whatever was handed in
sandbox.py       where the code runs; inside.py is what runs there, bayeslib/questions/plain.py the data that passes in and out
cluster.py       the same on the workers of a Dask cluster
scoring.py       answers to points and sentences
converter.py     nbgrader's autograde, made of the above
exports.py       rosters and CSV files
`python -m grading` is what the Makefile calls. Exercises and the teacher's page are in notebooks/exercises.
"""
