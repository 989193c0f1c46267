"""The cards of the home page: of each lesson a figure, two states that answer no question, and the detail that is shown."""

# number -> (figure, the state at rest, the state it moves to, (left, top, width) in pixels of the figure)
CARDS = {
    "01": ("population", {"step": 0}, {"step": 2}, (0, 20, 420)),
    "10": ("kmeans_and_em", {"step": 0}, {"step": 9}, (366, 50, 350)),
}
