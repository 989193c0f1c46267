"""What make runs: the site, the slides, the map, the stored lessons, the pictures. For example: `python -m tools.site`."""
