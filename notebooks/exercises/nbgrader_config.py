"""nbgrader's settings for this course. README.md beside this file is the teacher's page."""

import os
import sys

c = get_config()  # noqa: F821 (nbgrader provides it)

try:
    from grading.converter import configure

    configure(c, os.path.dirname(os.path.abspath(__file__)))
except Exception as error:
    # nbgrader would go on without these settings, and run the students' code with your rights.
    sys.exit(f"The course's settings could not be read, so nothing is done: {type(error).__name__}: {error}")
