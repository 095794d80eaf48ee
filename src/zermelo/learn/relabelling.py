"""States that are labelled already, with what another player says they are worth: an engine that speaks UCI, or a search.

Each part of a folder of labels becomes a part of another folder, with the same states and results and other values. What the player says
must depend on nothing but the state and its limits if the labels are to be the same again.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import numpy as np

from ..arena.clock import Clock, Control
from ..arena.players.by_text import player
from ..arena.players.player import Player
from ..arena.players.uci import UciPlayer
from ..errors import ZermeloError
from ..game import Game, State
from ..history import History
from ..search.searcher import two_players
from ..search.stop import Stop
from .labelling import Labels, begin_folder, parts_of, read_about, write_part


def relabel(
    game: Game, by: str, source: Path, folder: Path, *, positions: int, threads: int = 1, stop: Stop | None = None
) -> Iterator[int]:
    """Label the states of the source by this player into the folder; yield how many there are, now and after each part."""
    two_players("label", game)
    if read_about(source)["game"] != repr(game):
        raise ZermeloError(f"{source} has labels of {read_about(source)['game']}: expected some of {game!r}")
    begin_folder(folder, {"game": repr(game), "by": by, "source": str(source)})
    done, stop = sum(len(part) for _, part in parts_of(folder)), stop or Stop()
    yield done
    left = [path for path, _ in parts_of(source) if not (folder / path.name).exists()]
    players: SimpleQueue[Player] = SimpleQueue()
    made = [player(by) for _ in range(threads)]
    try:
        for one in made:
            one.begin(game, 0, 0)
            players.put(one)
        with ThreadPoolExecutor(threads) as pool:
            while left and done < positions and not stop.is_set:
                some, left = left[:threads], left[threads:]
                for path, part in zip(some, pool.map(lambda path: _relabelled(game, path, players, stop), some), strict=True):
                    if part is not None:
                        write_part(folder / path.name, part)
                        done += len(part)
                yield done
    finally:
        for one in made:
            one.close()


def _relabelled(game: Game, path: Path, players: SimpleQueue[Player], stop: Stop) -> Labels | None:
    """A part with the values of the next player that is free; states of which it says nothing are left out. None if it was stopped."""
    one, words, rows = players.get(), game.layout.words, list[list[int]]()
    try:
        for row in np.load(path, allow_pickle=False).tolist():
            if stop.is_set:
                return None
            value = _value(one, game, game.layout.unpack(row[:words]))
            if value is not None:
                rows.append([*row[:words], int(np.float64(value).view(np.uint64)), row[words + 1]])
    finally:
        players.put(one)
    return np.array(rows, np.uint64).reshape(-1, words + 2)


def _value(one: Player, game: Game, s: State) -> float | None:
    """What the player says that s is worth to the player to move."""
    history, clock = History(game, s), Clock(Control(), game.players)
    if isinstance(one, UciPlayer):
        return one.judge(game, history, clock)  # without the line of best play, which takes longer to read than to find
    one.choose(game, history, clock)
    return None if one.thought is None else one.thought.value
