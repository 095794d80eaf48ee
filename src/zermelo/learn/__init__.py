"""Learning to value states.

| file | what it does |
| --- | --- |
| `training.py`, `runs.py`, `look.py`, `curves.py` | a run of training, its folder, its progress, its picture |
| `self_play.py` | games against itself, in threads that share the weights |
| `score.py` | how well a model plays without searching |
| `td.py` | games against itself, and temporal differences learned from each: TD(lambda), from TD(0) to Monte Carlo |
"""
