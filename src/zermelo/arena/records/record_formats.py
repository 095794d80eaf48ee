"""Games in the formats of the world: PGN (chess, antichess), PDN (checkers), SGF (Go, Hex), GGF (Othello), MAT (backgammon).

What a format has no place for is left out. What a player thought of a move and how long it took is written as a comment,
`{+0.25/12 1.203s}` (value/depth, seconds), as programs that hold matches of engines do, and read back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...errors import ZermeloError
from ...games.backgammon import Backgammon, read_record, write_record
from ...games.checkers import Checkers
from ...games.checkers import records as checkers
from ...games.chess import records
from ...games.go import Go
from ...games.go import sgf as go
from ...games.hex import Hex
from ...games.othello import records as othello
from ...history import History
from ...notation import ggf, mat, pdn, pgn, sgf
from ..players.player import RESIGNED
from .record_json import Sheet, ending_of, entries_of, history_of
from .store import About, Entry

RESULTS = {(1, -1): "1-0", (-1, 1): "0-1", (0, 0): "1/2-1/2"}
TOLD = {text: tuple(float(x) for x in pair) for pair, text in RESULTS.items()} | {
    "2-0": (1.0, -1.0),  # as draughts players count
    "0-2": (-1.0, 1.0),
    "1-1": (0.0, 0.0),
}
COMMENT = re.compile(r"([+-][0-9.]{1,12}|-)/([0-9]{1,6}) ([0-9.]{1,12})s")
OWN_TAGS = {"FEN", "SetUp", "Result", "White", "Black", "Variant", "Termination"}  # that follow from the game


def _checked(sheet: Sheet, name: str, *games: str) -> History:
    if sheet.game.name not in games:
        raise ZermeloError(f"{name} is for {' and '.join(games)}: expected another format for a game of {sheet.about.game}, like json")
    return history_of(sheet)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ZermeloError(f"expected text in UTF-8, which byte {error.start} is not") from None


def _sign(sheet: Sheet) -> tuple[int, int] | None:
    """Who won, without by how much; None of a game that has not ended."""
    if sheet.ending is None or len(sheet.ending.result) != 2:
        return None
    a, b = sheet.ending.result
    return ((a > b) - (a < b), (b > a) - (b < a))


def _read_sheet(history: History, players: tuple[str, ...], tags: dict[str, str], told: Sequence[float] | None) -> Sheet:
    game = history.game
    about = About(repr(game), players, 0, game.write_state(history.states[0]), tags, "")
    return Sheet(about, entries_of(history), ending_of(history, told))


def _comment(entry: Entry) -> list[str]:
    if entry.value is None and not entry.seconds:
        return []
    value = "-" if entry.value is None else f"{entry.value:+.3f}"
    return [f"{value}/{entry.depth} {entry.seconds:.3f}s"]


def _with_comments(sheet: Sheet, moves: Iterable[pgn.Move]) -> Sheet:
    """The sheet with what the comments of its moves tell."""
    entries = []
    for entry, move in zip(sheet.moves, moves, strict=True):
        for comment in move.comments:
            if found := COMMENT.fullmatch(comment):
                try:
                    value = None if found[1] == "-" else float(found[1])
                    entry = replace(entry, value=value, depth=int(found[2]), seconds=float(found[3]))
                except ValueError:  # 1.2.3
                    continue
        entries.append(entry)
    return replace(sheet, moves=tuple(entries))


# ---- PGN, PDN ----------------------------------------------------------------------------------


def _tags(sheet: Sheet, sides: tuple[str, str]) -> dict[str, str]:
    sign = _sign(sheet)
    told = {"Event": "match", "Date": sheet.about.began[:10].replace("-", ".") or "????.??.??"}
    told |= {name: value for name, value in sheet.about.tags.items() if re.fullmatch(r"[A-Z]\w*", name)}
    told |= {side: " ".join(player.split()) for side, player in zip(sides, sheet.about.players, strict=True)}
    if sheet.ending is not None and sheet.ending.reason not in ("ended", "repetition"):
        told["Termination"] = sheet.ending.reason
    return told | {"Result": "*" if sign is None else RESULTS[sign]}


def _write_pgn(sheets: Sequence[Sheet]) -> str:
    texts = []
    for sheet in sheets:
        history = _checked(sheet, "PGN", "chess", "antichess")
        record = records.record_of(history, _tags(sheet, ("White", "Black")))
        for move, entry in zip(record.line.moves, sheet.moves, strict=True):
            move.comments = _comment(entry)
        texts.append(pgn.write(record))
    return "\n".join(texts)


def _read_pgn(data: bytes) -> list[Sheet]:
    sheets = []
    for record in pgn.read(_text(data)):
        sheets.append(_of_record(record, records.replay(record), ("White", "Black")))
    return sheets


def _of_record(record: pgn.Record, history: History, sides: tuple[str, str]) -> Sheet:
    tags = {name: value for name, value in record.tags.items() if name not in OWN_TAGS}
    players = tuple(record.tags.get(side, "?") for side in sides)
    told = TOLD.get(record.line.result or record.tags.get("Result", "*"))
    return _with_comments(_read_sheet(history, players, tags, told), record.line.moves)


def _write_pdn(sheets: Sequence[Sheet]) -> str:
    texts = []
    for sheet in sheets:
        history = _checked(sheet, "PDN", "checkers")
        assert isinstance(history.game, Checkers)
        tags = _tags(sheet, ("Black", "White"))
        record = checkers.write_down(history.game, history.taken, {"GameType": "21"} | tags, history.states[0])
        record.tags["Result"] = record.line.result = tags["Result"]
        for move, entry in zip(record.line.moves, sheet.moves, strict=True):
            move.comments = _comment(entry)
        texts.append(pdn.write(record))
    return "\n".join(texts)


def _read_pdn(data: bytes) -> list[Sheet]:
    sheets, game = [], Checkers()
    for record in pdn.read(_text(data)):
        if record.tags.get("GameType", "21").partition(",")[0] != "21":
            raise ZermeloError(f"line {record.at}: expected English draughts, GameType 21, not {record.tags['GameType'][:20]}")
        states, actions = checkers.replay(game, record)
        history = History(game, states[0])
        for a, move in zip(actions, record.line.moves, strict=True):
            if history.is_over:
                raise ZermeloError(f"line {move.at}: expected no move after the end of the game, {move.text}")
            history.do(a)
        sheets.append(_of_record(record, history, ("Black", "White")))
    return sheets


# ---- SGF ---------------------------------------------------------------------------------------

ABOUT_SGF = ("EV", "RO", "DT", "PC", "GN", "RU", "GC")
WINNER = re.compile(r"([BW])\+.*")


def _write_sgf(sheets: Sequence[Sheet]) -> str:
    roots = []
    for sheet in sheets:
        history = _checked(sheet, "SGF", "go", "hex")
        root = go.write(history) if isinstance(history.game, Go) else _hex_tree(history)
        for name, player in zip(("PB", "PW"), sheet.about.players, strict=True):
            root.properties[name] = [sgf.escaped(player)]
        told = {"DT": sheet.about.began[:10]} | dict(sheet.about.tags)
        root.properties |= {name: [sgf.escaped(told[name])] for name in ABOUT_SGF if told.get(name)}
        sign = _sign(sheet)
        if sign is not None and "RE" not in root.properties:
            how = {"time": "T", RESIGNED: "R"}.get(sheet.ending.reason if sheet.ending else "", "")
            root.properties["RE"] = ["0" if sign == (0, 0) else f"{'B' if sign[0] > 0 else 'W'}+{how}"]
        for node, entry in zip(list(root.line())[1:], sheet.moves, strict=True):
            if comment := _comment(entry):
                node.properties["C"] = [sgf.escaped(comment[0])]
        roots.append(root)
    return sgf.write(roots)


def _hex_tree(history: History) -> sgf.Node:
    """Moves by the names of their cells, as HexGui writes them."""
    game = history.game
    assert isinstance(game, Hex)
    if history.states[0] != game.initial():
        raise ZermeloError("SGF of hex: expected a game from the empty board")
    root = sgf.Node({"FF": ["4"], "GM": ["11"], "CA": ["UTF-8"], "SZ": [str(game.size)]})
    node = root
    for s, a in zip(history.states, history.taken, strict=False):
        text = game.write_action(s, a)
        node.children.append(sgf.Node({"BW"[game.to_move(s)]: ["swap-pieces" if text == "swap" else text]}))
        node = node.children[0]
    return root


def _read_sgf(data: bytes) -> list[Sheet]:
    sheets = []
    for n, root in enumerate(sgf.parse(sgf.decode(data)), 1):
        try:
            history = _read_hex(root) if (root.get("GM") or "1").strip() == "11" else go.read(root)
            players = (root.get("PB") or "?", root.get("PW") or "?")
            tags = {name: value for name in ABOUT_SGF if (value := root.get(name))}
            told, found = root.get("RE") or "", None
            if won := WINNER.fullmatch(told.strip()):
                found = (1.0, -1.0) if won[1] == "B" else (-1.0, 1.0)
            elif told.strip() in ("0", "Draw"):
                found = (0.0, 0.0)
            sheet = _read_sheet(history, players, tags, found)
            nodes = [node for node in root.line() if "B" in node.properties or "W" in node.properties]
            moves = [pgn.Move("", comments=[node.get("C") or ""]) for node in nodes[: len(sheet.moves)]]
            sheets.append(_with_comments(sheet, moves) if len(moves) == len(sheet.moves) else sheet)
        except ZermeloError as error:
            raise ZermeloError(f"game {n}: {error}") from None
    return sheets


def _read_hex(root: sgf.Node) -> History:
    size = root.get("SZ") or "11"
    if not re.fullmatch(r"[0-9]{1,2}", size.strip()):
        raise ZermeloError(f"SGF of hex: expected a size SZ, not {size[:20]!r}")
    values = [(c, node.get(c) or "") for node in root.line() for c in "BW" if c in node.properties]
    if any(name in node.properties for node in root.line() for name in ("AB", "AW", "AE")):
        raise ZermeloError("SGF of hex: expected a game from the empty board")
    history = History(Hex(int(size), swap=any(value.startswith("swap") for _, value in values)))
    for n, (colour, value) in enumerate(values, 1):
        place = f"SGF of hex, move {n}, {colour}[{value[:20]}]"
        if history.is_over:
            raise ZermeloError(f"{place}: expected no move after the end of the game")
        if colour != "BW"[history.game.to_move(history.state)]:
            raise ZermeloError(f"{place}: expected a move of the other side")
        try:
            history.do(history.game.read_action(history.state, "swap" if value.startswith("swap") else value))
        except ZermeloError as error:
            raise ZermeloError(f"{place}: {error}") from None
    return history


# ---- GGF ---------------------------------------------------------------------------------------


def _write_ggf(sheets: Sequence[Sheet]) -> str:
    records = []
    for sheet in sheets:
        history = _checked(sheet, "GGF", "othello")
        tags = {"PC": "zermelo", "DT": sheet.about.began[:10].replace("-", ".")}
        tags |= {name: value for name, value in sheet.about.tags.items() if re.fullmatch("[A-Z]{2}", name)}
        tags |= {side: re.sub(r"[\[\]\s]+", " ", p) for side, p in zip(("PB", "PW"), sheet.about.players, strict=True)}
        sign = _sign(sheet)
        if sign is not None and not history.is_over:  # a margin is not known: 64 discs, and how it came about
            how = {"time": ":t", "max plies": ":s"}.get(sheet.ending.reason if sheet.ending else "", ":r")
            tags["RE"] = f"{64 * sign[0]:+d}{how}"
        record = othello.write_record(history, {name: value for name, value in tags.items() if value})
        for move, entry in zip(record.moves, sheet.moves, strict=True):
            move.value, move.seconds = entry.value, entry.seconds or None
        records.append(record)
    return ggf.write(records)


def _read_ggf(data: bytes) -> list[Sheet]:
    sheets = []
    for n, record in enumerate(ggf.read(_text(data)), 1):
        try:
            history = othello.read_record(record)
        except ZermeloError as error:
            raise ZermeloError(f"game {n}: {error}") from None
        tags = {k: v for k, v in record.tags.items() if k not in ("GM", "TY", "PB", "PW", "RE", "BO")}
        found = re.match(r"[+-]?[0-9]{1,4}(?:\.[0-9]{0,6})?", record.tags.get("RE", ""))
        margin = float(found[0]) if found else 0.0
        told = None if not found else (float((margin > 0) - (margin < 0)), float((margin < 0) - (margin > 0)))
        sheet = _read_sheet(history, (record.tags.get("PB", "?"), record.tags.get("PW", "?")), tags, told)
        if len(record.moves) == len(sheet.moves):  # passes may have been left out
            pairs = zip(sheet.moves, record.moves, strict=True)
            moves = tuple(replace(e, value=m.value, seconds=m.seconds or 0.0) for e, m in pairs)
            sheet = replace(sheet, moves=moves)
        sheets.append(sheet)
    return sheets


# ---- MAT ---------------------------------------------------------------------------------------


def _write_mat(sheets: Sequence[Sheet]) -> str:
    match = mat.Match()
    for sheet in sheets:
        history = _checked(sheet, "MAT", "backgammon")
        assert isinstance(history.game, Backgammon)
        if history.states[0] != history.game.initial():
            raise ZermeloError("MAT: expected games from the usual start")
        first, second = (" ".join(re.sub(r"[:\s]+", " ", player).split()) or "?" for player in sheet.about.players)
        record = write_record(history.game, history.taken, (first, second))
        sign = _sign(sheet)
        if record.winner is None and sheet.ending is not None and sign is not None and any(sign):
            record.winner = int(sign[1] > 0)
            record.points = max(1, int(abs(sheet.ending.result[0])))
        match.games.append(record)
    return mat.write(match)


def _read_mat(data: bytes) -> list[Sheet]:
    match = mat.read(_text(data))
    game = Backgammon(cube=any(not turn.dice for record in match.games for turn in record.turns))
    sheets = []
    for record in match.games:
        history = History(game)
        for a in read_record(game, record):
            history.do(a)
        told = None
        if record.winner is not None:
            told = tuple(float(record.points if p == record.winner else -record.points) for p in range(2))
        sheets.append(_read_sheet(history, record.names, dict(match.tags), told))
    return sheets


FORMATS: dict[str, tuple[Callable[[Sequence[Sheet]], str], Callable[[bytes], list[Sheet]]]] = {
    "pgn": (_write_pgn, _read_pgn),
    "pdn": (_write_pdn, _read_pdn),
    "sgf": (_write_sgf, _read_sgf),
    "ggf": (_write_ggf, _read_ggf),
    "mat": (_write_mat, _read_mat),
}
