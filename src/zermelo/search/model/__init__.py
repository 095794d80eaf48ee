"""Learned models of the value of a state.

| file | what it holds |
| --- | --- |
| `network.py` | the outputs of a linear model or a network with a hidden layer, and its gradient |
| `tuples.py` | the sums of an n-tuple network, and its gradient |
| `model.py` | a model as Python holds it, and its file |
"""
