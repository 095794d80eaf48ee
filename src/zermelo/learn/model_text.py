"""Models by text: linear, ntuple, mlp:80, mlp:80,32, rote:1000; nnue:64 is read by `nnue_fitter.py`."""

from __future__ import annotations

from ..errors import ZermeloError
from ..search.model.model import MAX_HIDDEN_UNITS
from ..search.model.rote import MAX_STATES, MIN_STATES, ROTE
from ..system.limits import shown
from .nnue_fitter import NNUE, nnue_sums

NTUPLE = "ntuple"


def hidden_layers(text: str) -> tuple[int, ...]:
    """The units of each hidden layer of a model given as text; none of a linear one and an n-tuple network."""
    kind, _, units = text.partition(":") if isinstance(text, str) else ("", "", "")
    if text in ("linear", NTUPLE) or (kind == NNUE and nnue_sums(text)) or rote_states(text):
        return ()
    layers = units.split(",")
    if kind == "mlp" and len(layers) <= 2 and all(map(_is_width, layers)):
        return tuple(map(int, layers))
    expected = f"linear, ntuple, nnue:SUMS, mlp:UNITS or mlp:UNITS,UNITS with 1 to {MAX_HIDDEN_UNITS:,} units"
    raise ZermeloError(f"expected a model {expected}, not {shown(text)}")


def rote_states(text: str) -> int:
    """How many states a memory given as text has room for, 0 if it is none."""
    kind, _, states = text.partition(":") if isinstance(text, str) else ("", "", "")
    if kind != ROTE:
        return 0
    if not (states.isascii() and states.isdigit() and len(states) < 9 and MIN_STATES <= int(states) <= MAX_STATES):
        raise ZermeloError(f"expected rote:STATES with {MIN_STATES} to {MAX_STATES:,} states, not {shown(text)}")
    return int(states)


def _is_width(text: str) -> bool:
    """Whether this is how many units a layer may have."""
    return text.isascii() and text.isdigit() and len(text) <= len(str(MAX_HIDDEN_UNITS)) and 1 <= int(text) <= MAX_HIDDEN_UNITS
