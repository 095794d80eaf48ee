"""Check what every game must hold, on random play and on every state of small games.

report.py           findings, and the notes they are made of
ask.py, watch.py    questions to rules that may be wrong; each asked twice, and nothing may change by it
explore.py          the states that are looked at
rules.py, hints.py, hooks.py, hidden.py, text.py   the properties of one state
probe.py, answers.py                     all rules asked about one state, interpreted or lowered
native.py, cuda.py                       the lowered answers compared with the interpreted ones
questions.py        what is being asked, for the process that watches
whole.py, apart.py  all of it, for one game; the same in a process of its own
"""

from __future__ import annotations

from .apart import check_apart
from .report import Finding, Report
from .whole import check

__all__ = ["Finding", "Report", "check", "check_apart"]
