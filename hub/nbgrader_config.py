"""nbgrader's settings for everybody on the hub; it is installed in the class's env/etc/jupyter. A teacher's course adds its own."""

from pathlib import Path

c = get_config()  # noqa: F821 (nbgrader provides it)

c.CourseDirectory.course_id = "bayesian-learning"
c.Exchange.root = str(Path(__file__).resolve().parents[3] / "exchange")
# Beside the lessons, so that the links between lesson and exercise work. Absolute, and it must exist, or the list of
# assignments shows an error.
c.Exchange.assignment_dir = str(Path.home() / "course/exercises/release")
course = Path.home() / "bayesian-learning"
if (course / "nbgrader_config.py").exists():  # a teacher; these settings put students' code into the sandbox
    c.CourseDirectory.root = str(course)
