"""Explanations of a search: traces, and what is made from them for people.

`trace.py` records a search as `events.py`; `tree_from_events.py` builds the tree that was searched (`search_tree.py`),
and text, pictures and pages are made from that: `narrate.py`, `draw/svg.py`, `draw/latex.py`, `html.py`.
"""
