"""The class on a hub: what `make class` sets up. README.md beside this file tells how to use it."""
