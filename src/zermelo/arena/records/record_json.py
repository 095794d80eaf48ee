"""Games in and out of the record: JSON for all of them, exactly, and the formats of the world (`record_formats.py`).

    read("games.pgn", data)         sheets of all games in a file
    write("pgn", sheets)            the text of a file

Whatever is read is played again by the rules before it is believed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ... import registry
from ...errors import ZermeloError
from ...game import CHANCE, Game
from ...history import History
from .store import About, Ending, Entry, Store

KIND, VERSION = "games of zermelo", 1
UNFINISHED = "unfinished"  # the reason of a game without a result that is no longer played
AS_TOLD = "as recorded"  # ... of one whose result is not the rules' but the record's: somebody resigned, or claimed a draw


@dataclass(frozen=True)
class Sheet:
    """One game with all that is known of it, wherever it is kept."""

    about: About
    moves: tuple[Entry, ...]
    ending: Ending | None

    @property
    def game(self) -> Game:
        return registry.game(self.about.game)


def sheet_of(store: Store, number: int) -> Sheet:
    """A game of the record."""
    found = store.game(number)
    return Sheet(found.about, tuple(store.moves(number)), found.ending)


def history_of(sheet: Sheet, game: Game | None = None) -> History:
    """The game played again; ZermeloError at the first move that the rules do not know."""
    game = game or sheet.game
    history = History(game, game.read_state(sheet.about.start))
    for n, entry in enumerate(sheet.moves, 1):
        try:
            if history.is_over:
                raise ZermeloError("expected no move after the end of the game")
            seat = game.to_move(history.state)
            if seat != entry.seat:
                raise ZermeloError(f"expected a move of {'chance' if seat == CHANCE else f'player {seat}'}, not of {entry.seat}")
            history.do(game.read_action(history.state, entry.action))
        except ZermeloError as error:
            raise ZermeloError(f"move {n}, {entry.action[:40]!r}: {error}") from None
    return history


def ending_of(history: History, told: Sequence[float] | None) -> Ending:
    """How a game that was read ended: as the rules say, or else as was told, if anything was."""
    n = history.game.players
    if history.is_over:
        by_rules = tuple(history.utility(p) for p in range(n))
        if told is None or tuple(told) == by_rules:
            return Ending(by_rules, "repetition" if history.is_repeated else "ended")
    return Ending((), UNFINISHED) if told is None else Ending(tuple(told), AS_TOLD)


def entries_of(history: History) -> tuple[Entry, ...]:
    """The moves of a game without anything else about them."""
    game = history.game
    steps = zip(history.states, history.taken, strict=False)
    return tuple(Entry(game.to_move(s), game.write_action(s, a)) for s, a in steps)


# ---- JSON --------------------------------------------------------------------------------------


def write_json(sheets: Sequence[Sheet]) -> str:
    """All games, exactly."""
    games = [{"about": asdict(s.about), "moves": [asdict(m) for m in s.moves], "ending": s.ending and asdict(s.ending)} for s in sheets]
    return json.dumps({"kind": KIND, "version": VERSION, "games": games}, ensure_ascii=False, indent=1) + "\n"


def read_json(data: bytes, trusted: str = "") -> list[Sheet]:
    """What `write_json` wrote; the rules must agree with it. Of a game without a name it is asked that its text is the trusted one."""
    try:
        told = json.loads(data, parse_constant=_refuse_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise ZermeloError(f"expected JSON, and it is not: {error or 'too deep'}") from None
    told = _of(told, dict, "an object")
    if told.get("kind") != KIND or told.get("version") != VERSION:
        raise ZermeloError(f'expected an object with "kind": "{KIND}" and "version": {VERSION}')
    sheets = []
    for n, one in enumerate(_of(told.get("games"), list, "a list of games"), 1):
        try:
            sheets.append(_sheet(_of(one, dict, "an object"), trusted))
        except ZermeloError as error:
            raise ZermeloError(f"game {n}: {error}") from None
    return sheets


def _sheet(told: dict[str, Any], trusted: str) -> Sheet:
    about, ending = _of(told.get("about"), dict, "about: an object"), told.get("ending")
    tags = _of(about.get("tags", {}), dict, "tags: an object")
    players = _texts(about.get("players"), "players")
    seed = _of(about.get("seed"), int, "seed: a whole number")
    if not -(1 << 63) <= seed < 1 << 63:
        raise ZermeloError("expected a seed of 63 bits")
    sheet = Sheet(
        About(
            game=_text(about, "game"),
            players=players,
            seed=seed,
            start=_text(about, "start"),
            tags={str(k): _text(tags, k) for k in tags},
            began=_text(about, "began"),
        ),
        tuple(_entry(_of(m, dict, "moves: objects")) for m in _of(told.get("moves"), list, "moves: a list")),
        None if ending is None else _ending(_of(ending, dict, "ending: an object")),
    )
    game = _known_game(sheet.about.game, trusted)
    history = history_of(sheet, game)
    n = game.players
    end = sheet.ending
    if len(players) != n or (end is not None and (len(end.result) not in (0, n) or (end.luck is not None and len(end.luck) != n))):
        raise ZermeloError(f"expected {n} players, and as many results")
    if end is not None and end.fault is not None and not 0 <= end.fault < n:
        raise ZermeloError(f"expected a fault of a player from 0 to {n - 1}")
    if end is not None and end.reason == "ended" and end.result != ending_of(history, None).result:
        raise ZermeloError("expected the result that the rules know")
    return sheet


def _known_game(text: str, trusted: str) -> Game:
    """A game that has a name, or the trusted one: a file of games must not make us run what another file holds."""
    name = text.partition(":")[0]
    if name not in registry.names() and (text != trusted or not trusted):
        raise ZermeloError(f"expected a game of zermelo, or one that is told by --game, not {text[:80]!r}")
    return registry.game(text)


def _entry(told: dict[str, Any]) -> Entry:
    left, value = told.get("left"), told.get("value")
    depth, nodes = (_of(told.get(name, 0), int, f"{name}: a whole number") for name in ("depth", "nodes"))
    if max(abs(depth), abs(nodes)) >= 1 << 63:
        raise ZermeloError("expected a depth and nodes of 63 bits")
    return Entry(
        seat=_of(told.get("seat"), int, "seat: a whole number"),
        action=_text(told, "action"),
        left=None if left is None else _number(left, "left"),
        seconds=_number(told.get("seconds", 0.0), "seconds"),
        value=None if value is None else _number(value, "value"),
        depth=depth,
        nodes=nodes,
        line=_text(told, "line"),
        note=_text(told, "note"),
    )


def _ending(told: dict[str, Any]) -> Ending:
    luck, fault = told.get("luck"), told.get("fault")
    return Ending(
        result=_numbers(told.get("result"), "result"),
        reason=_text(told, "reason"),
        fault=None if fault is None else _of(fault, int, "fault: a whole number"),
        remark=_text(told, "remark"),
        seconds=_number(told.get("seconds", 0.0), "seconds"),
        luck=None if luck is None else _numbers(luck, "luck"),
    )


def _of(value: Any, kind: type, expected: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ZermeloError(f"expected {expected}, not {json.dumps(value)[:40]}")
    return value


def _text(told: dict[str, Any], name: str) -> str:
    text = _of(told.get(name, ""), str, f"{name}: a text")
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which JSON can write and nothing else can
        raise ZermeloError(f"expected {name}: a text of whole characters") from None
    return str(text)


def _texts(value: Any, name: str) -> tuple[str, ...]:
    return tuple(_text({name: x}, name) for x in _of(value, list, f"{name}: a list of texts"))


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e300 or not math.isfinite(value):
        raise ZermeloError(f"expected {name}: a number, not {json.dumps(value)[:40]}")
    return float(value)


def _numbers(value: Any, name: str) -> tuple[float, ...]:
    return tuple(_number(x, name) for x in _of(value, list, f"{name}: a list of numbers"))


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


# ---- files -------------------------------------------------------------------------------------


def write(kind: str, sheets: Sequence[Sheet]) -> str:
    """The games in a format by its name."""
    writer = formats()[_known(kind)][0]
    return writer(sheets)


def read(kind: str, data: bytes, trusted: str = "") -> list[Sheet]:
    """The games of a file in this format; `trusted`: a game in a file of its own that may be run."""
    if kind == "json":
        return read_json(data, trusted)
    return formats()[_known(kind)][1](data)


def kind_of(path: Path | str, told: str | None = None) -> str:
    """The format that a file's name tells, if none is told."""
    return _known(told if told is not None else Path(path).suffix.removeprefix(".").lower())


def _known(kind: str) -> str:
    if kind not in formats():
        raise ZermeloError(f"there is no format '{kind}': expected one of {', '.join(formats())}")
    return kind


Writer = Callable[[Sequence[Sheet]], str]
Reader = Callable[[bytes], list[Sheet]]


def formats() -> dict[str, tuple[Writer, Reader]]:
    """All formats by name, which is also how files end."""
    from . import record_formats

    return {"json": (write_json, read_json), **record_formats.FORMATS}
