"""See the search think: traces of searches, told in words and drawn in pictures.

`trace.py` watches a search and gives its `events.py`; `build.py` makes of them the tree that was searched (`story.py`), and
everything that a person looks at is made from that: `words.py`, `svg.py`, `latex.py`, `html.py`.
"""
