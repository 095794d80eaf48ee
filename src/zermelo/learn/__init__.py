"""Learning to value states.

| file | what it does |
| --- | --- |
| `training.py`, `runs.py`, `look.py`, `curves.py` | a run of training, its folder, its progress, its picture |
| `self_play.py` | the methods by name; games against itself, in threads that share the weights |
| `score.py` | how well a model plays without searching |
| `td.py` | games against itself, and temporal differences learned from each: TD(lambda), from TD(0) to Monte Carlo |
| `traces.py` | the same by eligibility traces, while a game is played |
| `q.py` | Q-learning and SARSA |
| `tdleaf.py`, `treestrap.py`, `searched.py` | learning from searches: TD-leaf, TreeStrap, and the games that both play |
| `fit.py`, `examples.py` | fitting to recorded games and labelled positions |
| `nnue_fit.py`, `nnue_fitter.py` | fitting integer networks |
| `labels.py`, `labelling.py`, `relabelling.py` | states labelled by searches, and by other players |
"""

from __future__ import annotations

import os

# torch's threads shall sleep while they wait for each other, and not spin: with two on two cores that had other work, too, self-play had 96
# games of tic-tac-toe in 12 s, and 1,709 since. It is read when torch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
