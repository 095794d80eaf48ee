"""An endgame table as a file: compressed blocks of values, each with a checksum, read as they are asked for.

    "zermelo table 1\\n", the length of the header (8 bytes), its SHA-256, the header (JSON), blocks

A block holds the values of BLOCK states, for a table by key also their keys in ascending order. Bytes of one place in a number
stand side by side, which compresses better. The header says of which rules the table is; a table of other rules is refused.

A table of results alone has a byte for each state, lost, drawn or won; a number of no state, which nobody asks about, has that of the one
before it, which compresses better. What is won or lost is so within the plies of the longest win.
"""

from __future__ import annotations

import bisect
import copy
import hashlib
import json
import mmap
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...bits import pair_at, u64
from ...errors import ZermeloError
from ...game import Game, State
from ...lower.memory import Words
from ...system.files import write_bytes
from ..kept import Kept
from ..records import WORDS, Record, record_of, room
from .folder import FolderTable
from .probe import first_slot
from .turns import ROW, is_race, race_value
from .values import DRAWN, LOST, NO_STATE, WON, expected_value, is_decided, plies_of, preference, seen_before

MAGIC = b"zermelo table 1\n"
BLOCK = 1 << 14  # states in a block
KEPT_BLOCKS = 256
MOST_HEADER = 1 << 28  # bytes

Values = np.ndarray[Any, np.dtype[np.uint16]]
Keys = np.ndarray[Any, np.dtype[np.uint64]]
Range = tuple[str, int, int]  # name, first number, the number after the last


@dataclass(frozen=True)
class About:
    """What a table says of itself."""

    game: str
    rules: str  # a hash of their text
    ranges: tuple[Range, ...]
    is_by_key: bool
    start: str  # the state from which a table by key was built
    win: float  # what a win is worth, or the greatest expected utility
    states: int
    won: int
    lost: int
    drawn: int
    longest: int  # plies of the longest win
    seconds: float  # of building
    is_results: bool = False  # whether it has no plies
    is_expected: bool = False  # whether values are expected utilities: then won and lost count those above and below 0
    sides: int = 0  # how many single sides of a race have rows, in the last range (`turns.py`)
    blocks: tuple[tuple[int, str], ...] = field(default=(), repr=False)  # bytes and checksum of each
    first_keys: tuple[int, ...] = field(default=(), repr=False)  # of each block


# ---- the rules of a table ------------------------------------------------------------------------


class Asking(Record):
    """The record of `all_rules`."""

    packed: list[u64] = room(WORDS)
    moves: list[int] = room(1)


def all_rules(game: Game, work: Asking) -> float:
    """Use every rule that a table depends on, so that its generated text is the text of them all."""
    s = game.unpack(work.packed)
    n = game.fill(s, work.moves)
    t = game.result(s, work.moves[0])
    p = game.to_move(t)
    ended = n if game.is_terminal(t) else 0
    if game.has_index:
        return game.utility(t, p) + game.index(game.state_at(ended))
    return game.utility(t, p) + game.pack(t, work.packed)


def rules_of(game: Game, uses: Callable[..., float] = all_rules, record: type[Record] = Asking, **sizes: int) -> str:
    """A hash of the rules of a game that a function uses: for a table, with the numbers or keys of states."""
    from ...lower.generate import generate

    text = generate(game, uses, {"work": record_of(record.fields(words=game.layout.words, **sizes))})
    return hashlib.sha256(text.source.encode()).hexdigest()[:32]


# ---- writing -------------------------------------------------------------------------------------


def save(path: Path, about: About, values: list[Values], keys: Keys | None) -> None:
    """Write a table, whole or not at all: the values of each range, and the keys of the one range of a table by key."""
    packed, blocks, first_keys = list[bytes](), list[tuple[int, str]](), list[int]()
    for part in values:
        for at in range(0, len(part), BLOCK):
            raw = _results(part[at : at + BLOCK]) if about.is_results else _planes(part[at : at + BLOCK])
            if keys is not None:
                some = keys[at : at + BLOCK]
                first_keys.append(int(some[0]))
                raw += _planes(np.diff(some, prepend=some[:1]))
            packed.append(zlib.compress(raw, 9 if about.is_results else 6))
            blocks.append((len(packed[-1]), _checksum(packed[-1])))
    told = asdict(about) | {"blocks": blocks, "first_keys": first_keys}
    header = json.dumps(told).encode()
    write_bytes(path, b"".join([MAGIC, len(header).to_bytes(8, "little"), hashlib.sha256(header).digest(), header, *packed]))


def save_results(table: Table, path: Path) -> About:
    """Write the results of a table alone; what the new one says of itself."""
    if table.about.is_expected or table.about.is_results:
        raise ZermeloError(f"{table.path} has no plies: expected a table of wins, draws and losses with the plies to them")
    about = replace(table.about, is_results=True, blocks=(), first_keys=())
    blocks = list(table.blocks())
    parts = [np.concatenate([v for at, v, _ in blocks if first <= at < last]) for _, first, last in about.ranges]
    save(path, about, parts, np.concatenate([keys for _, _, keys in blocks]) if about.is_by_key else None)
    return about


def _results(values: Values) -> bytes:
    """A byte for each value: 0 lost, 1 drawn, 2 won."""
    found = np.where(values < LOST, 1, np.where(values & 1 == 1, 2, 0)).astype(np.uint8)
    return found[np.maximum.accumulate(np.where(values != NO_STATE, np.arange(len(values)), 0))].tobytes()


def _planes(numbers: Any) -> bytes:
    """The lowest bytes of all numbers, then the next ones."""
    return numbers.astype(numbers.dtype.newbyteorder("<")).view(np.uint8).reshape(len(numbers), -1).T.tobytes()


def _numbers(raw: bytes, kind: type[Any]) -> Any:
    planes = np.frombuffer(raw, np.uint8).reshape(np.dtype(kind).itemsize, -1)
    numbers = np.zeros(planes.shape[1], kind)
    for k, plane in enumerate(planes):
        numbers |= plane.astype(kind) << kind(8 * k)
    return numbers


def _checksum(block: bytes) -> str:
    return hashlib.blake2b(block, digest_size=8).hexdigest()


# ---- reading -------------------------------------------------------------------------------------


class Table:
    """A table in a file; what it says is checked as it is read."""

    is_in_memory = True

    def __init__(self, path: Path):
        self.path = path
        self._file = _mapped(path)
        self.about, at = self._header()
        self._begins = [at]
        for size, _ in self.about.blocks:
            self._begins.append(self._begins[-1] + size)
        if self._begins[-1] != len(self._file):
            raise ZermeloError(f"{path} is damaged: expected {self._begins[-1]:,} bytes, not {len(self._file):,}")
        rows = self.about.sides * ROW
        self.size = max(last for _, _, last in self.about.ranges) - rows  # of the numbers of states
        self._range_blocks = [0]  # the first block of each range
        for _, first, last in self.about.ranges:
            self._range_blocks.append(self._range_blocks[-1] + -(-(last - first) // BLOCK))
        self._memory: dict[bool, tuple[Words, int]] = {}
        self._block = lru_cache(KEPT_BLOCKS)(self._read_block)

    def _header(self) -> tuple[About, int]:
        """What the table says of itself, and where its blocks begin."""
        begin = len(MAGIC) + 8 + 32
        head = self._file[:begin]
        if head[: len(MAGIC)] != MAGIC or len(head) < begin:
            raise ZermeloError(f"{self.path} is not an endgame table: expected a file that zermelo table build wrote")
        size = int.from_bytes(head[len(MAGIC) : len(MAGIC) + 8], "little")
        text = self._file[begin : begin + size] if size <= MOST_HEADER else b""
        if hashlib.sha256(text).digest() != head[-32:]:
            raise ZermeloError(f"{self.path} is damaged: its header has another checksum")
        told = json.loads(text)
        tuples = {name: tuple(map(tuple, told[name])) for name in ("ranges", "blocks")}
        return About(**told | tuples | {"first_keys": tuple(told["first_keys"])}), begin + size

    def check_game(self, game: Game) -> None:
        """ZermeloError unless the table is of the rules of this game."""
        if rules_of(without_numbers(game) if self.about.is_by_key else game) == self.about.rules:
            return
        if repr(game) != self.about.game:
            raise ZermeloError(f"{self.path} is a table of {self.about.game}: expected one of {game!r}")
        raise ZermeloError(f"{self.path} was built with other rules of {game!r}: build it again")

    def value(self, game: Game, s: State) -> int:
        """The value of s in 16 bits (`values.py`), NO_STATE if the table does not have it."""
        if self.about.is_by_key:
            return self._value_of_key(Game.key(game, s))  # of the whole state, whatever key the game writes
        i = game.index(s)
        for k, (_, first, last) in enumerate(self.about.ranges):
            if first <= i < min(last, self.size):
                at = i - first
                return int(self._block(self._range_blocks[k] + at // BLOCK)[0][at % BLOCK])
        return NO_STATE

    def expected(self, game: Game, s: State) -> float | None:
        """What s is worth on average to the player of its `perspective`, of a table of expected values; None if it does not have it."""
        v = self.value(game, s)
        if v != NO_STATE:
            return expected_value(v, self.about.win)
        words, i = Words(0, True), game.index(s)
        rows: Any = SimpleNamespace(endgames=words.table, endgames_size=self.size, endgames_sides=self.about.sides)
        if not is_race(i, rows):
            return None
        for a in set(pair_at(i)):
            block, at = divmod(a * ROW, BLOCK)
            put_values(words, self.size + a * ROW, self._block(self._range_blocks[-2] + block)[0][at : at + ROW])
        return race_value(i, rows)

    def action_values(self, game: Game, s: State) -> dict[int, int]:
        """What each action of s is worth to the player to move, in 16 bits; ZermeloError if the table lacks a state after them.

        There are none where the table of an opening ends.
        """
        me, values = game.to_move(s), dict[int, int]()
        for a in game.actions(s):
            t = game.result(s, a)
            v = self.value(game, t)
            if v == NO_STATE and game.is_terminal(t):
                u = game.utility(t, game.to_move(t))
                v = WON if u > 0 else LOST if u < 0 else DRAWN
            if v == NO_STATE and game.numbers_opening and not self.about.is_by_key:
                return {}
            if v == NO_STATE:
                raise ZermeloError(f"{self.path} does not have the state {game.write_state(t)}: build it again")
            values[a] = seen_before(v, game.to_move(t) == me)
        return values

    def _value_of_key(self, key: int) -> int:
        block = bisect.bisect_right(self.about.first_keys, key) - 1
        if block < 0:
            return NO_STATE
        values, keys = self._block(block)
        at = int(np.searchsorted(keys, np.uint64(key)))
        return int(values[at]) if at < len(keys) and int(keys[at]) == key else NO_STATE

    def check_blocks(self) -> None:
        """ZermeloError if any block is damaged, which is otherwise found when it is read."""
        for n in range(len(self.about.blocks)):
            self._packed_block(n)

    def _packed_block(self, n: int) -> bytes:
        size, checksum = self.about.blocks[n]
        packed = self._file[self._begins[n] : self._begins[n] + size]
        if _checksum(packed) != checksum:
            raise ZermeloError(f"{self.path} is damaged: block {n:,} of {len(self.about.blocks):,} has another checksum")
        return packed

    def _read_block(self, n: int) -> tuple[Values, Keys]:
        """The values of a block, and its keys if the table is by key."""
        raw = zlib.decompress(self._packed_block(n))
        width = 1 if self.about.is_results else 2  # bytes of a value
        if not self.about.is_by_key:
            return self._values(raw), np.zeros(0, np.uint64)
        count = len(raw) // (width + 8)
        keys = np.cumsum(_numbers(raw[width * count :], np.uint64), dtype=np.uint64) + np.uint64(self.about.first_keys[n])
        return self._values(raw[: width * count]), keys

    def _values(self, raw: bytes) -> Values:
        """The values of a block; of results alone such that they hold whatever the plies are."""
        if not self.about.is_results:
            return _numbers(raw, np.uint16)  # type: ignore[no-any-return]
        longest = 2 * self.about.longest
        return np.array([LOST + longest, DRAWN, WON + longest], np.uint16)[np.frombuffer(raw, np.uint8)]

    def blocks(self) -> Iterator[tuple[int, Values, Keys]]:
        """The first number, the values and the keys of each block."""
        for k, (_, first, last) in enumerate(self.about.ranges):
            for n, at in enumerate(range(first, last, BLOCK), self._range_blocks[k]):
                yield at, *self._read_block(n)

    def given(self, game: Game, interpreted: bool) -> dict[str, Any]:
        """The whole table, read once, as the record of an algorithm holds it."""
        if interpreted not in self._memory:
            self._memory[interpreted] = self.memory(interpreted)
        words, size = self._memory[interpreted]
        given = {"endgames": words.table, "endgames_size": size, "endgames_win": self.about.win, "endgames_sides": self.about.sides}
        return given | {"endgames_state": [0] * game.layout.words}

    def memory(self, interpreted: bool = False) -> tuple[Words, int]:
        """The whole table as `probe.py` reads it, and its size."""
        if not self.about.is_by_key:
            words = Words(-(-(self.size + self.about.sides * ROW) // 4), interpreted)
            for at, values, _ in self.blocks():
                put_values(words, at, values)
            return words, self.size
        slots = 1 << (2 * self.about.states).bit_length()
        words = Words(2 * slots, interpreted)
        for _, values, keys in self.blocks():
            put_keys(words, slots, values, keys)
        return words, slots


def put_values(words: Words, first: int, values: Values) -> None:
    """Put values of 16 bits into memory, from number `first` on."""
    if not words.is_sparse:
        words.array.view(np.uint16)[first : first + len(values)] = values
        return
    for i, v in enumerate(values.tolist(), first):
        words.table[i >> 2] |= v << 16 * (i & 3)


def get_values(words: Words, first: int, last: int) -> Values:
    """The values of 16 bits from number `first` to `last`, as they are in memory."""
    begin = first >> 2
    return words.read(begin, -(-last // 4)).view(np.uint16)[first - 4 * begin : last - 4 * begin]


def put_keys(words: Words, slots: int, values: Values, keys: Keys) -> None:
    """Put keys with their values into memory, each into the first free slot from its own on."""
    if words.is_sparse:
        for key, v in zip(keys.tolist(), values.tolist(), strict=True):
            i = first_slot(u64(key), slots)
            while words.table[2 * i + 1] != 0:
                i = (i + 1) & (slots - 1)
            words.table[2 * i], words.table[2 * i + 1] = key, v
        return
    pairs = words.array.reshape(-1, 2)
    at = (keys & np.uint64(slots - 1)).astype(np.int64)
    while len(keys):  # of those that find the same slot free, the last one gets it
        free = pairs[at, 1] == 0
        pairs[at[free]] = np.stack([keys[free], values[free].astype(np.uint64)], 1)
        left = pairs[at, 0] != keys
        keys, values, at = keys[left], values[left], (at[left] + 1) & (slots - 1)


def _mapped(path: Path) -> mmap.mmap | bytes:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}") from None


def find_table(text: str) -> Table | FolderTable:
    """The table in this file, or the tables of the game's own format in this folder, opened once as long as it stays the same."""
    path = Path(text)
    try:
        about = path.stat()
    except (OSError, ValueError):
        raise ZermeloError(f"there is no table '{text}': expected a file that zermelo table build wrote") from None
    return _opened(path.resolve(), about.st_mtime_ns, about.st_size)


def is_table(path: Path) -> bool:
    """Whether a file says that it is a table."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@lru_cache(maxsize=16)
def _opened(path: Path, *version: int) -> Table | FolderTable:
    return FolderTable(path) if path.is_dir() else Table(path)


def without_numbers(game: Game) -> Game:
    """The game as tables by key know it: one that numbers its opening does not number its states there."""
    if not game.numbers_opening:
        return game
    plain = copy.copy(game)
    plain.numbers_opening = False
    return plain


def known_values(table: Table | FolderTable, game: Game, s: State) -> dict[int, int]:
    """What each action of s is worth to the player to move, in 16 bits; none if the table does not have s, or ends with it."""
    return {} if table.value(game, s) == NO_STATE else table.action_values(game, s)


def best_of(values: dict[int, int]) -> list[int]:
    """Of actions and what they are worth those that win quickest, else draw, else lose slowest."""
    best = max(map(preference, values.values()), default=0)
    return [a for a, v in values.items() if preference(v) == best]


def is_known(game: Game, s: State) -> bool:
    """Whether the table of a game proves who wins in s, and when, asked from Python: see `probe.is_tabled`."""
    if game.endgames.about.is_expected:  # type: ignore[attr-defined]
        return False
    v = game.endgames.value(game, s)  # type: ignore[attr-defined]
    return v != NO_STATE and (not is_decided(v) or plies_of(v) <= game.plies_left(s))


def has_no_way(game: Game, s: State) -> bool:
    """Whether the table of a game has s without the way to a win: no plies, so that any state will do, or no state after it."""
    table = game.endgames  # type: ignore[attr-defined]
    if table.value(game, s) == NO_STATE:
        return False
    return bool(table.about.is_results) or (game.numbers_opening and not table.action_values(game, s))


_with_tables = Kept[tuple[Table | FolderTable, Game]]()


def with_table(game: Game, table: Table | FolderTable) -> Game:
    """The game in which the table proves values: the same object for the same game and table."""
    known = _with_tables.of(game)
    if id(table) not in known:
        table.check_game(game)
        proven = copy.copy(without_numbers(game) if isinstance(table, Table) and table.about.is_by_key else game)
        proven.has_endgames, proven.has_own_tables = True, isinstance(table, FolderTable)
        proven.endgames = table  # type: ignore[attr-defined]
        known[id(table)] = (table, proven)
    return known[id(table)][1]
