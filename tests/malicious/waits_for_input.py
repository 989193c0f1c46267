"""Asks a question that nobody answers."""
# posterior: raised EOFError
# share: right
import sys

share = 0.25
name = input("Your name? ")
line = sys.stdin.readline()
# %%
def posterior(prior, likelihood):
    return float(input("posterior? "))
