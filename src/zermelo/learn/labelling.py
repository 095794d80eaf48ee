"""Labelled states in a folder: made by games of a search against itself, in parts that a later call goes on with.

    FOLDER/labels.json           what was asked for
    FOLDER/part-00000.npy        rows of words: a packed state, its value and the result of its game, both for the player to move

A part is written whole or not at all, and depends on its number and what was asked for alone.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from tokenize import TokenError
from typing import Annotated, Any

import numpy as np

from ..errors import ZermeloError
from ..game import Game
from ..lower.memory import Words
from ..search.alphabeta.searcher import AlphaBeta
from ..search.model.facts import range_of
from ..search.model.model import find_model, with_model
from ..search.prepare import prepare, room_for, width_of
from ..search.searcher import opposed
from ..search.stop import Stop
from ..search.table import Memory
from ..settings import Range, check_ranges
from ..system.files import write_bytes, write_text
from ..system.limits import MAX_COUNT
from .labels import UNKNOWN, Labelling, Movers, label_games, list_movers

ABOUT = "labels.json"
GAMES_OF_A_PART = 64
PLIES = 128  # room for the lines of a search
TABLE = 16  # MiB
DECIDED = 6.0  # times the game's value_scale: 99.75 % of the points
Labels = np.ndarray[Any, np.dtype[np.uint64]]
Values = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, kw_only=True)
class Labeller:
    """How states are labelled.

    positions: how many are wanted. nodes: after which a search goes no deeper. random_plies: the most random actions at the beginning of
    a game, half of them the least. epsilon: how often any action is taken. longest: plies after which a game is given up. eval: the
    model that values states, as of a search. seed: of everything that is random.
    """

    positions: Annotated[int, Range(1, MAX_COUNT)] = 100_000
    nodes: Annotated[int, Range(1, MAX_COUNT)] = 400
    random_plies: Annotated[int, Range(0, MAX_COUNT)] = 10
    epsilon: Annotated[float, Range(0, 1, words="epsilon from 0 to 1")] = 0.03
    longest: Annotated[int, Range(1, 4096)] = 400
    eval: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_ranges(self)


def label(
    game: Game, labeller: Labeller, folder: Path, *, threads: int = 1, stop: Stop | None = None, interpreted: bool = False
) -> Iterator[int]:
    """Label states into the folder, with those that are there already; yield how many there are, now and after each part."""
    opposed("label", game)
    judged = game if labeller.eval is None else with_model(game, find_model(labeller.eval, game))
    stop = stop or Stop()
    begin_folder(folder, {"game": repr(game), **asdict(labeller)})
    missing = (part_of(folder, n) for n in count() if not part_of(folder, n).exists())
    yield from write_parts(folder, missing, _runner(judged, labeller, interpreted, stop), labeller.positions, threads, stop)


def _runner(game: Game, labeller: Labeller, interpreted: bool, stop: Stop) -> Callable[[Path], Labels | None]:
    """A function that labels the states of a part, None if it was stopped."""

    def run(path: Path) -> Labels | None:
        number = number_of(path)
        words, width, most = game.layout.words + 2, width_of(game), GAMES_OF_A_PART * labeller.longest
        memory = Memory(TABLE, interpreted)  # what is known of states shall not depend on other parts
        while True:
            labelled = Words(most * words, interpreted, is_cleared=False)
            ready = prepare(game, label_games, Labelling, interpreted, plies=PLIES, width=width, lines=1, length=1)
            work = ready(
                stop,
                opening=list(game.layout.pack(game.initial())),
                start=[0] * game.layout.words,
                seed=labeller.seed & (1 << 64) - 1,
                first=number * GAMES_OF_A_PART,
                games=GAMES_OF_A_PART,
                longest=labeller.longest,
                random_plies=labeller.random_plies,
                epsilon=labeller.epsilon,
                budget=labeller.nodes,
                decided=decided_value(game),
                labelled=labelled.table,
                most=most,
                table=memory.table,
                mask=memory.mask,
                pairs=memory.pairs if game.quiet_margin > 0 else 0,
                **AlphaBeta().switches(game),
            )
            if work.widest > width:
                width = room_for(int(work.widest))
                continue
            if work.deepest >= PLIES:
                raise ZermeloError(f"{game!r} has lines of more than {PLIES} plies: expected fewer nodes")
            if work.played < GAMES_OF_A_PART:
                return None
            if not work.kept_count:
                raise nothing_to_label(f"{GAMES_OF_A_PART} games of {game!r}")
            return labelled.read(0, int(work.kept_count) * words).reshape(-1, words)

    return run


def decided_value(game: Game) -> float:
    """The value from which on a game is decided; 0 for none, also where a game is worth more or less than won and lost."""
    return DECIDED * (game.value_scale or 0.0) if range_of(game) == (-1.0, 1.0) and not game.has_scores else 0.0


def nothing_to_label(games: str, more: str = "") -> ZermeloError:
    """What is said where more games would have no states either."""
    return ZermeloError(f"{games} have no quiet state to label: expected fewer random plies than a game has{more}")


# ---- the folder --------------------------------------------------------------------------------


def part_of(folder: Path, number: int) -> Path:
    """The file of a part."""
    return folder / f"part-{number:05}.npy"


def number_of(path: Path) -> int:
    """The number of the part in this file."""
    return int(path.stem.partition("-")[2])


def write_parts(
    folder: Path, missing: Iterator[Path], make: Callable[[Path], Labels | None], positions: int, threads: int, stop: Stop
) -> Iterator[int]:
    """Make missing parts until the folder has `positions` labels or all parts; yield the number of labels, first and after each round."""
    done = sum(len(part) for _, part in parts_of(folder))
    yield done
    with ThreadPoolExecutor(threads) as pool:
        while done < positions and not stop.is_set and (some := list(islice(missing, threads))):
            try:
                for path, part in zip(some, pool.map(make, some), strict=True):
                    if part is not None:
                        write_part(path, part)
                        done += len(part)
            except ZermeloError:
                stop.set()  # the others need not go on
                raise
            yield done


def parts_of(folder: Path) -> Iterator[tuple[Path, Labels]]:
    """The parts that are there; ZermeloError if one is not what was written."""
    for path in sorted(folder.glob("part-*.npy")):
        yield path, load_part(path)


def load_part(path: Path) -> Labels:
    """The rows of a part, in memory as they are looked at."""
    try:
        part = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError, TokenError):  # the header is text in Python's words
        raise ZermeloError(f"{path} is damaged: expected what zermelo label wrote") from None
    if part.dtype != np.uint64 or part.ndim != 2:
        raise ZermeloError(f"{path} is damaged: expected rows of 64-bit words")
    return part  # type: ignore[no-any-return]


def begin_folder(folder: Path, asked: dict[str, Any]) -> None:
    """Make the folder, or see that the labels there were asked for in the same words; more of them may be wanted now."""
    about = folder / ABOUT
    if not about.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_text(about, json.dumps(asked, indent=1) + "\n")
        return
    found = read_about(folder)
    for name, value in asked.items():
        if name != "positions" and found.get(name) != value:
            raise ZermeloError(f"{folder} has labels with {name} {found.get(name)}: expected that, not {value}, or another folder")


def read_about(folder: Path) -> dict[str, Any]:
    """What the labels of a folder are."""
    try:
        found = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        raise ZermeloError(f"{folder / ABOUT} cannot be read: expected what zermelo label wrote") from None
    if not isinstance(found, dict) or not isinstance(found.get("game"), str):
        raise ZermeloError(f"{folder / ABOUT} is damaged: expected what zermelo label wrote")
    return found


def write_part(path: Path, part: Labels) -> None:
    data = io.BytesIO()
    np.save(data, part)
    write_bytes(path, data.getvalue())


@dataclass(frozen=True)
class Labelled:
    """Labelled states: packed, who is to move, what they are worth and the result for that player (NaN if unknown), and their part."""

    states: Labels
    movers: Labels
    values: Values
    results: Values
    parts: np.ndarray[Any, Any]


def read_labels(game: Game, folder: Path) -> Labelled:
    """The labels of a folder."""
    found = read_about(folder)
    if found["game"] != repr(game):
        raise ZermeloError(f"{folder} has labels of {found['game']}: expected some of {game!r}")
    words = game.layout.words
    parts = [part for _, part in parts_of(folder)]
    if not parts or any(part.shape[1] != words + 2 for part in parts):
        raise ZermeloError(f"{folder} has no labels of {game!r}: expected parts of rows of {words + 2} words")
    rows = np.concatenate(parts)
    states = np.ascontiguousarray(rows[:, :words])
    values, results = (np.ascontiguousarray(rows[:, words + k]).view(np.float64) for k in range(2))
    if not np.isfinite(values).all() or np.isnan(results).any():
        raise ZermeloError(f"{folder} has values that are no numbers: expected what zermelo label wrote")
    numbers = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return Labelled(states, movers_of(game, states), values, np.where(results == UNKNOWN, np.nan, results), numbers)


def movers_of(game: Game, states: Labels) -> Labels:
    """Who is to move in each of these packed states."""
    memory, states = Words(len(states), interpreted=False, is_cleared=False), np.ascontiguousarray(states)
    prepare(game, list_movers, Movers, False)(states=states.ctypes.data, count=len(states), movers=memory.table)
    return memory.array
