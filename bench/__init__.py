"""The speed of Zermelo and of its peers, measured in one run: `python -m bench` in the root of the repository.

A subject is a module of `bench.subjects` whose `tables()` yields what to measure; a new file there
is found automatically. `bench.gpu` does the same on a machine with a GPU.
"""
