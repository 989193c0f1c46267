"""The static site: build.py writes the pages, states.py draws the figures ahead; the templates and scripts are beside them."""
