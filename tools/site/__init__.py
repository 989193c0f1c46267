"""The static site: build.py writes the pages, flips.py draws the figures ahead; the templates and scripts lie beside them."""
