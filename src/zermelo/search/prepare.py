"""An algorithm made ready to run on a work record, natively or interpreted, with as much room as it turns out to need."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..errors import ZermeloError
from ..game import Game
from ..layout import measure
from ..lower.facts import Facts
from .model.model import AnyModel, room_for_planes
from .notes import WATCHED, Log, begin_again, watched_by
from .records import Fields, Grows, Record, memory_of, record_of
from .stop import Stop
from .zero_sum import gains_of

W = TypeVar("W", bound=Record)
G = TypeVar("G", bound=Grows)

SHORTEST_ROW, LONGEST_ROW = 64, 1 << 20  # for the actions of a state

# ---- room that grows -------------------------------------------------------------------------


def room_for(actions: int) -> int:
    """The length of a row that holds this many actions of a state: a power of two, by which native code fills it."""
    if actions > LONGEST_ROW:
        raise ZermeloError(f"expected a game of at most {LONGEST_ROW:,} actions in a state, and one has {actions:,}")
    return max(SHORTEST_ROW, 1 << (actions - 1).bit_length())


def width_of(game: Game, actions: int = 0) -> int:
    """The length of a row for this many actions, and for those of any state as far as the game knows."""
    return room_for(max(game.max_actions, actions))


def observed_words(game: Game) -> int:
    """Words of what a player observes."""
    seen = game.observe(game.initial(), 0)
    return game.layout.words if type(seen) is game.layout.state else len(seen) if isinstance(seen, tuple) else 1


def with_room(attempt: Callable[[int, int], G], plies: int, width: int, endless: str, longest: int = 4096) -> G:
    """The record of `attempt(plies, width)`, which is called again with more room until it had enough.

    After `longest` plies the game is taken to have no end: then `endless` is the sentence.
    """
    while True:
        work = attempt(plies, width)
        if work.deepest < plies and work.widest <= width:
            return work
        if work.deepest >= longest:
            raise ZermeloError(endless)
        begin_again()
        while work.deepest >= plies:
            plies *= 2
        width = max(width, room_for(int(work.widest)))


# ---- an algorithm, ready to run ---------------------------------------------------------------


def prepare(game: Game, function: Callable[[Any, W], Any], record: type[W] | Fields, interpreted: bool, **sizes: int) -> Callable[..., W]:
    """`function(game, work)` ready to be run: call it with values for fields, get its work record back.

    The record is new at each call, so calls may run in several threads, unless one that an earlier call gave back is given as `again`: then
    it keeps what is not given anew. A `Stop` given as the first argument sets the record's field `stop` when it is made.
    """
    log = watched_by() if hasattr(record, "watch") else None
    known = sizes | {"watch": 1 if log is None else WATCHED}
    run = _interpreted_run(game, function, record, known) if interpreted else _native_run(game, function, record, known)
    return run if log is None else _watched(run, function, log)


def _interpreted_run(game: Game, function: Callable[..., Any], record: type[Record] | Fields, sizes: dict[str, int]) -> Callable[..., Any]:
    # the interpreter packs nothing, so a state may be anything there: nobody asks how many words it has
    known = {"words": 1, "players": game.players, "planes": room_for_planes(game), "gains": gains_of(game)} | sizes
    fields = record if isinstance(record, list) else record.fields(**known)
    model = _model_of(game, [name for name, _, _ in fields])

    def memory() -> dict[str, Any]:
        floats = model.sizes | {name: f.table for name, f in model.memory(True, sizes.get("plies", 0)).items()} if model else {}
        return floats | _endgames_of(game, fields, True)

    return lambda stop=None, again=None, **given: _interpreted(game, function, fields, stop, again, given if again else given | memory())


def _native_run(game: Game, function: Callable[..., Any], record: type[Record] | Fields, sizes: dict[str, int]) -> Callable[..., Any]:
    measure(game)
    ready = _prepared.setdefault(game, {})
    key = (function, tuple(record) if isinstance(record, list) else record, *sizes.items(), _build.checked)
    if key not in ready or not ready[key][0].hold(game):
        known = {"words": game.layout.words, "players": game.players, "planes": room_for_planes(game), "gains": gains_of(game)} | sizes
        ready[key] = _native(game, function, record if isinstance(record, list) else record.fields(**known), sizes.get("plies", 0))
    return ready[key][1]


#: which build of native code this process makes: ZERMELO_CHECKED=1 asks for the checked one
_build = SimpleNamespace(checked=os.environ.get("ZERMELO_CHECKED") == "1")


@contextmanager
def checked_build() -> Iterator[None]:
    """Native code that is prepared while this lasts checks every index, shift, division, conversion and size of an integer."""
    before, _build.checked = _build.checked, True
    try:
        yield
    finally:
        _build.checked = before


#: what is ready to run, as long as the game lives and its facts hold: to look up its code again would take 30 ms
_prepared: WeakKeyDictionary[Game, dict[Any, tuple[Facts, Callable[..., Any]]]] = WeakKeyDictionary()


def _watched(run: Callable[..., Any], function: Callable[..., Any], log: Log) -> Callable[..., Any]:
    def call(stop: Stop | None = None, again: Any = None, **given: Any) -> Any:
        work = run(stop, again, watch=log.field(), **given)
        log.close(function, given, work)
        return work

    return call


def _model_of(game: Game, fields: list[str]) -> AnyModel | None:
    """The model that values the states of this game, if the algorithm asks one."""
    return game.model if game.has_model and "model" in fields else None  # type: ignore[attr-defined]


def _endgames_of(game: Game, fields: Fields, interpreted: bool) -> dict[str, Any]:
    """What the record holds of the endgame table of this game, if it has one and the algorithm looks states up."""
    if not game.has_endgames or not any(name == "endgames" for name, _, _ in fields):
        return {}
    return game.endgames.given(game, interpreted)  # type: ignore[attr-defined, no-any-return]


def _native(game: Game, function: Callable[..., Any], fields: Fields, plies: int) -> tuple[Facts, Callable[..., Any]]:
    from ..lower.native import facts_of, native  # brings llvmlite, which the interpreter does not need

    record, run = memory_of(fields), native(game, function, record_of(fields), checked=_build.checked)
    facts = facts_of(game, function, record_of(fields), checked=_build.checked)
    model = _model_of(game, [name for name, _, _ in fields])
    endgames = _endgames_of(game, fields, False)  # here, and not the game in what is kept for it

    def call(stop: Stop | None = None, again: Any = None, **given: Any) -> Any:
        work = again or record()
        if again is None:
            work.model_memory = model.memory(False, plies) if model else {}  # must live as long as the code runs
            given |= endgames
            if model:
                given |= model.sizes | {name: floats.table for name, floats in work.model_memory.items()}
        for name, value in given.items():
            setattr(work, name, value)
        if stop is None:
            work.value = run(ctypes.addressof(work))
        else:
            work.stop = 0
            with stop.telling(lambda: setattr(work, "stop", 1)):
                work.value = run(ctypes.addressof(work))
        return work

    return facts, call


def _interpreted(
    game: Game, function: Callable[..., Any], fields: Fields, stop: Stop | None, again: SimpleNamespace | None, given: dict[str, Any]
) -> SimpleNamespace:
    if again is None:
        work = SimpleNamespace(**{name: given.get(name, _zeros(kind, shape)) for name, kind, shape in fields})
    else:
        work = again
        vars(work).update(given)
    try:
        if stop is None:
            work.value = function(game, work)
        else:
            work.stop = 0
            with stop.telling(lambda: setattr(work, "stop", 1)):
                work.value = function(game, work)
    except RecursionError:
        raise ZermeloError(f"{game.name} has longer lines than the interpreter follows: expected a depth, or native code") from None
    return work


def _zeros(kind: str, shape: tuple[int, ...]) -> Any:
    if not shape:
        return 0.0 if kind[0] == "f" else 0
    if len(shape) == 1:
        return [_zeros(kind, ())] * shape[0]
    return [_zeros(kind, shape[1:]) for _ in range(shape[0])]
