"""Learned models of the value of a state.

| file | what it holds |
| --- | --- |
| `inputs.py` | the words of a state that a model is given |
| `network.py` | the outputs of a linear model or a network with a hidden layer, and its gradient |
| `tuples.py` | the sums of an n-tuple network, and its gradient |
| `any_tuples.py` | the tuples of such a network for a game that names no patterns |
| `model.py` | a model as Python holds it, and its file |
"""
