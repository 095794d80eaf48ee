"""Learned models of the value of a state.

| file | what it holds |
| --- | --- |
| `inputs.py` | the inputs of a model that a state switches on |
| `network.py` | the outputs of a linear model or a network with a hidden layer, and its gradient |
| `model.py` | a model as Python holds it, and its file |
"""
