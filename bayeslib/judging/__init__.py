"""What an answer is compared by, for practice and for grading, which know nothing of each other.

answers.py         what a function makes of a case, whether two answers agree, how a value is told, digests of it
misconceptions.py  known errors (misconceptions.toml): one title and one sentence each, all through the course
plain.py           answers as JSON text and back, also across the wall of the sandbox
told.py            how a check is shown: the verdict by sign, colour and word
"""
