"""Zermelo's speed beside its peers', measured in one run: `python -m bench` in the repository's root.

A subject is a module of `bench.subjects` whose `tables()` yields what is to be measured; a new file there
is found by itself. `bench.gpu` does the same on a machine with a GPU.
"""
