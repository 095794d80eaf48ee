"""TD(lambda) with thousands of games side by side, on a GPU or a processor: the rules as kernels, the network in torch."""
