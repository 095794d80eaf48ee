"""Learned models of the value of a state.

| file | what it holds |
| --- | --- |
| `inputs.py` | the words of a state that a model is given |
| `network.py` | the outputs of a linear model or a network with one or two hidden layers, and its gradient |
| `tuples.py` | the sums of an n-tuple network, and its gradient |
| `any_tuples.py` | the tuples of such a network for a game that names no patterns |
| `nnue.py` | an integer network, whose sums follow the search from state to state |
| `rote.py` | values that are remembered, state by state |
| `facts.py` | what a model must know of a game |
| `model.py`, `nnue_model.py` | a model and an integer network as Python holds them, and their files |
"""
