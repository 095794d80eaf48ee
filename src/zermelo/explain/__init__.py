"""See the search think: traces of searches, told in words and drawn in pictures.

`trace.py` watches a search and gives its `events.py`; `tree_from_events.py` makes of them the tree that was searched (`search_tree.py`),
and everything that a person looks at is made from that: `narrate.py`, `draw/svg.py`, `draw/latex.py`, `html.py`.
"""
