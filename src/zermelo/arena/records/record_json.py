"""Games as JSON: any game, exactly. Whatever is read is played again by the rules before it is believed."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ... import registry
from ...errors import ZermeloError
from ...game import Game
from ...history import ending_of, replayed
from ...notation.sheet import About, Ending, Entry, Sheet

KIND, VERSION = "games of zermelo", 1


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
    history = replayed(game, sheet)
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
        raise ZermeloError(f"expected a game of zermelo, or the one given by --game, not {text[:80]!r}")
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
    raise ValueError(f"{text} is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found
