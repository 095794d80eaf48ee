"""Tree search guided by a network (PUCT): one algorithm for players, for training on a CPU, and for thousands of games on a GPU."""
