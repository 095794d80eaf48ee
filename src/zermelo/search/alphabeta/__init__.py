"""Alpha-beta: the pseudocode, the engine and what it is made of."""
