"""The cards of the home page: of each lesson a figure, two states that answer no question, and the detail that is shown."""

# number -> (figure, the state at rest, the state it moves to, (left, top, width) in pixels of the figure)
CARDS = {
    "01": ("population", {"step": 0}, {"step": 2}, (10, 24, 470)),
    "02": ("zoo", {"learn": "mammal"}, {"learn": "bird"}, (0, 0, 420)),
    "03": ("heights", {"step": 0}, {"step": 1}, (20, 50, 470)),
    "04": ("weighted_vote", {"step": 0}, {"step": 1}, (110, 40, 700)),
    "05": ("whose_line", {"step": 0}, {"step": 1}, (0, 30, 560)),
    "06": ("beta_flips", {"step": 0}, {"step": 2}, (0, 50, 560)),
    "07": ("observe", {}, {"evidence": {"Storm": True}}, (150, 0, 560)),
    "08": ("explaining_away", {}, {"seen": "both"}, (0, 0, 400)),
    "09": ("graph_wall", {"held": 0}, {"held": 3}, (120, 50, 420)),
    "10": ("kmeans_and_em", {"step": 0}, {"step": 9}, (366, 50, 350)),
    "11": ("strips", {"step": 0}, {"step": 1}, (0, 74, 430)),
    "12": ("shelf", {"reading": 108}, {"reading": 10}, (0, 6, 480)),
    "13": ("umbrella_filter", {"step": 3}, {"step": 7}, (0, 0, 420)),
    "14": ("drag_cells", {}, {"query": [0.5, 0.4]}, (40, 0, 560)),
    "15": ("helmet", {"query": 16.0}, {"query": 28.0}, (0, 0, 560)),
    "16": ("boost_rounds", {"step": 0}, {"step": 3}, (0, 0, 360)),
}
