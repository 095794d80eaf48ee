"""Where the games of a match begin: openings out of a file in one of the game's formats, or random actions.

    a format of the game    by the end of the file's name (`Game.opening_formats`): PGN and EPD of chess, SGF of Go ...
    anything else           a line each of a state as the game writes it, or of actions; `moves` before actions makes that sure

A file may be packed in a .zip. Each pair of games has the next opening of an order that follows from the seed; when all were
used, they come again.
"""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

from ..bits import FULL
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..history import History, opening_of
from ..notation.sheet import Opening, OpeningFormat
from ..notation.text import decode, lines
from ..rng import below, draw, split
from .referee import OPENING, begin, outcome

PLIES = 4  # of a random opening if no number is given
TRIES = 100  # at random actions after which the game still goes on
MAX_UNPACKED_BYTES = 1 << 30  # bytes of a file, unpacked
LINES = OpeningFormat(lambda data: lines(decode(data)), opening_of)


@dataclass(frozen=True)
class Book:
    """The openings of a file, each read on demand; `digest` distinguishes one file from another."""

    texts: tuple[str, ...]
    form: OpeningFormat
    name: str
    digest: str

    def opening(self, game: Game, i: int, seed: int) -> Opening:
        """The opening of pair i; ZermeloError, with its place in the file, if it is not one of this game."""
        n = len(self.texts)
        k = _shuffled(i % n, n, seed)
        try:
            found = self.form.read(game, self.texts[k])
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
    name, data = content(Path(path))
    known = game.opening_formats
    form = known.get(Path(name).suffix.lower().removeprefix(".")) or known.get("") or LINES
    try:
        texts = form.split(data)
    except ZermeloError as error:
        raise ZermeloError(f"{path} cannot be read: {error}") from None
    if not texts:
        raise ZermeloError(f"{path} has no openings")
    return Book(tuple(texts), form, Path(path).name, hashlib.sha256(data).hexdigest()[:16])


def content(path: Path) -> tuple[str, bytes]:
    """The name and the bytes of a file, or of the only one in a .zip."""
    try:
        if path.suffix.lower() != ".zip":
            if path.stat().st_size > MAX_UNPACKED_BYTES:
                raise ZermeloError(f"{path} is too large: expected at most {MAX_UNPACKED_BYTES >> 20} MiB")
            return path.name, path.read_bytes()
        with zipfile.ZipFile(path) as packed:
            inside = [info for info in packed.infolist() if not info.is_dir()]
            if len(inside) != 1 or inside[0].file_size > MAX_UNPACKED_BYTES:
                raise ZermeloError(f"{path}: expected one file of at most {MAX_UNPACKED_BYTES >> 20} MiB inside, not {len(inside)}")
            return inside[0].filename, packed.read(inside[0])
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


# ---- random ------------------------------------------------------------------------------------


def random_opening(game: Game, plies: int, seed: int) -> Opening:
    """A number of random actions from the start after which the game still goes on; fewer if it is mostly over by then."""
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
