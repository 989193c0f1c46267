"""A number where a function is asked for."""
# posterior: posterior is not a function
# share: right
share = 0.25
posterior = [0.5, 0.5]
