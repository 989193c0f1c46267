"""The class on a hub: what `make class` sets up. README.md beside this file says how to use it."""
