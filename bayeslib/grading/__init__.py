"""Graded exercises: a student's code runs in a sandbox, what it answers is compared outside.

Nothing here is needed to read the course; `bayeslib.grading.sandbox` needs Linux and bubblewrap.
"""
