"""The models of the course: numpy in, numbers out. The function that a lesson explains is the function that runs."""
