"""A section as live slides: a template for voila and the server that shows it."""
