"""An empty notebook."""
# posterior: no function called posterior
# share: no variable called share
