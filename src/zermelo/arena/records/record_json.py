"""Games as JSON: any game, exactly. Whatever is read is played again by the rules before it is believed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ... import registry
from ...errors import ZermeloError
from ...game import Game
from ...history import ending_of as final_of
from ...history import replayed
from ...notation.sheet import Sheet
from .told import about_of, ending_of, entry_of, of

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
    told = of(told, dict, "an object")
    if told.get("kind") != KIND or told.get("version") != VERSION:
        raise ZermeloError(f'expected an object with "kind": "{KIND}" and "version": {VERSION}')
    sheets = []
    for n, one in enumerate(of(told.get("games"), list, "a list of games"), 1):
        try:
            sheets.append(_sheet(of(one, dict, "an object"), trusted))
        except ZermeloError as error:
            raise ZermeloError(f"game {n}: {error}") from None
    return sheets


def _sheet(told: dict[str, Any], trusted: str) -> Sheet:
    ending = told.get("ending")
    sheet = Sheet(
        about_of(of(told.get("about"), dict, "about: an object")),
        tuple(entry_of(of(m, dict, "moves: objects")) for m in of(told.get("moves"), list, "moves: a list")),
        None if ending is None else ending_of(of(ending, dict, "ending: an object")),
    )
    game = _known_game(sheet.about.game, trusted)
    history = replayed(game, sheet)
    n, end = game.players, sheet.ending
    if len(sheet.about.players) != n or (
        end is not None and (len(end.result) not in (0, n) or (end.luck is not None and len(end.luck) != n))
    ):
        raise ZermeloError(f"expected {n} players, and as many results")
    if end is not None and end.fault is not None and not 0 <= end.fault < n:
        raise ZermeloError(f"expected a fault of a player from 0 to {n - 1}")
    if end is not None and end.reason == "ended" and end.result != final_of(history, None).result:
        raise ZermeloError("expected the result that the rules know")
    return sheet


def _known_game(text: str, trusted: str) -> Game:
    """A game that has a name, or the trusted one: a file of games must not make us run what another file holds."""
    name = text.partition(":")[0]
    if name not in registry.names() and (text != trusted or not trusted):
        raise ZermeloError(f"expected a game of zermelo, or the one given by --game, not {text[:80]!r}")
    return registry.game(text)


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a number in JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found
