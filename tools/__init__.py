"""What make runs: the site, the slides, the map, the stored lessons, the pictures. `python -m tools.site`, say."""
