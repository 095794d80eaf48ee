"""Where the games of a match begin: openings out of a file in one of the game's formats, or random actions.

    PGN, PDN, SGF     the start and the moves of each game
    EPD, FEN, OBF     a position a line
    anything else     a line each of a state as the game writes it, or of actions; `moves` before actions makes that sure

A file may be packed in a .zip. Each pair of games has the next opening of an order that follows from the seed; when all were
used, they come again.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..bits import FULL
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..history import History
from ..notation import epd, obf, pdn, pgn, sgf, xot
from ..rng import below, draw, split
from .referee import OPENING, Opening, begin, outcome

PLIES = 4  # of a random opening where nothing is told
TRIES = 100  # at random actions after which the game still goes on
LARGEST = 1 << 30  # bytes of a file, unpacked


Read = Callable[[Game, str], Opening]


@dataclass(frozen=True)
class Book:
    """The openings of a file, each read when it is asked for; `digest` tells one file from another."""

    texts: tuple[str, ...]
    read: Read
    name: str
    digest: str

    def opening(self, game: Game, i: int, seed: int) -> Opening:
        """The opening of pair i; ZermeloError, with its place in the file, if it is none of this game."""
        n = len(self.texts)
        k = _shuffled(i % n, n, seed)
        try:
            found = self.read(game, self.texts[k])
            begin(game, found)
        except ZermeloError as error:
            raise ZermeloError(f"{self.name}, opening {k + 1}: {error}") from None
        return Opening(found.start, found.actions, found.name or f"{k + 1}")


def _shuffled(i: int, n: int, seed: int) -> int:
    """Where i of n numbers goes in an order that follows from the seed: three rounds of a Feistel net, as often as it leaves the range.

    So the i-th opening is known without a shuffled list of all.
    """
    half = max(1, (n - 1).bit_length() + 1 >> 1)
    mask = (1 << half) - 1
    while True:
        left, right = i >> half, i & mask
        for turn in range(3):
            left, right = right, left ^ draw(split(seed & FULL, turn), right) & mask
        i = left << half | right
        if i < n:
            return i


def load(path: Path | str, game: Game) -> Book:
    """The openings in a file, for this game."""
    name, data = _content(Path(path))
    kind = Path(name).suffix.lower()
    text = sgf.decode(data) if kind == ".sgf" else _text(name, data)
    parts: list[str]
    read: Read
    if kind in (".pgn", ".pdn"):
        parts, read = _split(text), _from_pgn if kind == ".pgn" else _from_pdn
    elif kind == ".sgf":
        parts, read = [sgf.write([root]) for root in sgf.parse(text)], _from_sgf
    elif kind in (".epd", ".fen") and game.name in ("chess", "antichess"):
        parts, read = _lines(text, "#%"), _from_epd
    elif kind == ".obf":
        parts, read = _lines(text, "%"), _from_obf
    else:
        parts, read = _lines(text, "#"), _from_line
    if not parts:
        raise ZermeloError(f"{path} has no openings")
    return Book(tuple(parts), read, Path(path).name, hashlib.sha256(data).hexdigest()[:16])


def _content(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of a file, or of the only one in a .zip."""
    try:
        if path.suffix.lower() != ".zip":
            if path.stat().st_size > LARGEST:
                raise ZermeloError(f"{path} is too large: expected at most {LARGEST >> 20} MiB")
            return path.name, path.read_bytes()
        with zipfile.ZipFile(path) as packed:
            inside = [info for info in packed.infolist() if not info.is_dir()]
            if len(inside) != 1 or inside[0].file_size > LARGEST:
                raise ZermeloError(f"{path}: expected one file of at most {LARGEST >> 20} MiB inside, not {len(inside)}")
            return inside[0].filename, packed.read(inside[0])
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ZermeloError(f"{name} cannot be read: expected text in UTF-8, which byte {error.start} is not") from None


def _lines(text: str, comments: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and line.strip()[0] not in comments]


def _split(text: str) -> list[str]:
    """The games of a PGN text: each begins with a tag that no tag is before. A long file is not read whole for a few of them."""
    parts: list[list[str]] = [[]]
    in_tags, in_comment = True, False
    for line in text.splitlines():
        if line.strip():
            is_tag = not in_comment and re.match(r'\[\w+ "', line) is not None
            if is_tag and not in_tags:
                parts.append([])
            in_tags = is_tag and line.rstrip().endswith("]")
            if not is_tag:
                in_comment = line.rfind("{") > line.rfind("}") or (in_comment and "}" not in line)
        parts[-1].append(line)
    return ["\n".join(part) for part in parts if any(line.strip() for line in part)]


# ---- formats -----------------------------------------------------------------------------------


def _from_pgn(game: Game, text: str) -> Opening:
    return _of_record(next(pgn.read(text)))


def _from_pdn(game: Game, text: str) -> Opening:
    return _of_record(next(pdn.read(text)))


def _of_record(record: pgn.Record) -> Opening:
    return Opening(record.tags.get("FEN", ""), tuple(move.text for move in record.line.moves))


def _from_sgf(game: Game, text: str) -> Opening:
    from ..games.go import sgf as go

    if game.name != "go":
        raise ZermeloError(f"expected openings of {game.name} in another format than SGF")
    history = go.read(sgf.parse(text)[0])
    if history.game.parameters["size"] != game.parameters["size"]:
        raise ZermeloError(f"expected a board of {game.parameters['size']} lines, not {history.game.parameters['size']}")
    texts = [game.write_action(s, a) for s, a in zip(history.states, history.taken, strict=False)]
    start = history.states[0]
    return Opening("" if start == game.initial() else game.write_state(start), tuple(texts))


def _from_epd(game: Game, line: str) -> Opening:
    position = epd.read_line(line)
    named = position.operations.get("id")
    return Opening(position.fen, name=named if isinstance(named, str) else "")


def _from_obf(game: Game, line: str) -> Opening:
    return Opening(obf.read_line(line).position)


def _from_line(game: Game, line: str) -> Opening:
    """A state, or actions one after another."""
    if line.startswith("moves "):
        return Opening("", _actions(game, line.removeprefix("moves ").replace(",", " ").split()))
    if game.name == "othello" and re.fullmatch(r"(?:[a-hA-H][1-8])+", line):
        return Opening("", _actions(game, xot.read_moves(line)))
    try:
        game.read_state(line)
        return Opening(line)
    except ZermeloError as error:
        try:
            return Opening("", _actions(game, line.replace(",", " ").split()))
        except ZermeloError:
            raise error from None


def _actions(game: Game, texts: list[str]) -> tuple[str, ...]:
    """The actions written so, as the game writes them; a pass that is forced may be left out."""
    history, told = History(game), list[str]()
    for text in texts:
        a = None
        try:
            a = game.read_action(history.state, text)
        except ZermeloError:
            only = list(history.actions())
            if len(only) != 1 or game.write_action(history.state, only[0]) != "pass":
                raise
            told.append("pass")
            history.do(only[0])
            a = game.read_action(history.state, text)
        told.append(game.write_action(history.state, a))
        history.do(a)
    return tuple(told)


# ---- random ------------------------------------------------------------------------------------


def random_opening(game: Game, plies: int, seed: int) -> Opening:
    """So many random actions from the start, after which the game still goes on; fewer where it is over before, most of the time."""
    key = split(seed & FULL, OPENING)
    for attempt in range(TRIES):
        history, stream = History(game), split(key, attempt)
        wanted = plies - attempt * plies // TRIES
        for i in range(wanted):
            actions = list(history.actions())
            if not actions:
                break
            word = draw(stream, i)
            is_chance = game.to_move(history.state) == CHANCE
            history.do(outcome(game, history.state, word) if is_chance else actions[below(word, len(actions))])
        if len(history.taken) == wanted and not history.is_over:
            texts = [game.write_action(s, a) for s, a in zip(history.states, history.taken, strict=False)]
            return Opening("", tuple(texts), f"{wanted} random plies")
    return Opening()
