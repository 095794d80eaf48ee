"""The shape of a network that guides searches: what it is given of a state, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...errors import ZermeloError
from ...game import CHANCE, Game, State
from ...rng import below, split, step
from ...system.limits import shown
from ..kept import Kept
from ..model.facts import planes_of, range_of
from ..records import Record, record_of

CHANNELS = 8  # a cell of a board has a multiple of so many floats, as the units of a GPU that multiply matrices want them
MOST_INPUTS, MOST_OUTPUTS = 1 << 16, 1 << 16
CHAIN = 3  # nodes of a simulation in a game with chance, at most: beyond that a tree fills up before its simulations are done
TRIED, LONGEST_TRY = 16, 500  # random games that tell how many actions states have, and plies of each
INDEXED = 2  # of them, in which the outputs that stand for actions are looked at


@dataclass(frozen=True)
class NetworkShape:
    """Enough to build a network, and to tell whether it fits a game."""

    game: str
    players: int
    height: int  # of the board; 0 if the game has none
    width: int
    inputs: int  # floats that describe a state
    policy: int  # outputs, one for each action that is told apart
    values: int  # 1 for two players, whose values are opposite, else one for each, beginning with the player to move
    low: float  # utilities from low to high are values from -1 to 1
    high: float
    blocks: int  # residual blocks
    filters: int  # of each layer, or its units where there is no board

    @property
    def channels(self) -> int:
        """Floats of a cell."""
        return self.inputs // (self.height * self.width) if self.height else 0


def shape_for(game: Game, blocks: int, filters: int) -> NetworkShape:
    """The shape of a network of this size for a game."""
    planes, (low, high) = planes_of(game), range_of(game)
    cells, height, width = game.board_height * game.board_width, game.board_height, game.board_width
    if game.has_board:
        _check_board(game, len(planes))
        channels = -(-(len(planes) // game.plane_words + 1) // CHANNELS) * CHANNELS
        inputs = cells * channels
    else:
        inputs, height, width = max(first + 63 * step + 1 for first, step, _ in planes), 0, 0
    policy = game.policy_size or actions_of(game)
    _check_policy_index(game)
    if inputs > MOST_INPUTS or policy > MOST_OUTPUTS:
        raise ZermeloError(
            f"{game!r} has {inputs:,} inputs and {policy:,} actions: expected at most {MOST_INPUTS:,} and {MOST_OUTPUTS:,} for a network"
        )
    values = 1 if game.players == 2 else game.players
    return NetworkShape(repr(game), game.players, height, width, inputs, policy, values, low, high, blocks, filters)


def _check_board(game: Game, words: int) -> None:
    """Refuse hooks that do not fit each other."""
    cells = game.board_height * game.board_width
    if len(game.board_bits) not in (cells, cells * game.players) or min(game.board_bits) < 0:
        raise ZermeloError(f"{game!r}: expected board_bits to be {cells} bits, or so many for each player, not {len(game.board_bits)}")
    if words % game.plane_words:
        raise ZermeloError(f"{game!r}: expected planes of {game.plane_words} words each, as board_bits say, not {words} words in all")


def _check_policy_index(game: Game) -> None:
    """Refuse outputs that are not there in some random games; code that computes for itself takes the first output for such a one."""
    if not game.has_policy_index or _indexed.of(game):
        return
    for s in (s for i in range(INDEXED) for s, _ in random_game(game, i) if game.to_move(s) != CHANCE):
        for a in game.actions(s):
            i = game.policy_index(s, a)
            if not isinstance(i, int) or not 0 <= i < game.policy_size:
                told = f"policy_index gives {shown(i)} for {game.write_action(s, a)} in {game.write_state(s)}"
                raise ZermeloError(f"{game!r}: {told}: expected 0 to {game.policy_size - 1:,}, as policy_size says")
    _indexed.of(game)["all"] = True


def actions_of(game: Game) -> int:
    """Room for the actions of one state: a power of two, as many as the game claims, or twice what some random games showed."""
    known = _rooms.of(game)
    if "actions" not in known:
        most = game.max_actions if game.max_actions != Game.max_actions else 2 * max(max(counts) for counts in random_games(game))
        known["actions"] = 1 << max(1, min(most, game.policy_size or most) - 1).bit_length()
    return known["actions"]


_indexed = Kept[bool]()  # games whose outputs were looked at
_rooms = Kept[int]()  # every search asks, and random games of Othello take 80 ms


def random_games(game: Game) -> list[list[int]]:
    """Some random games: how many actions each of their states had."""
    return [[0, *(count for _, count in random_game(game, i))] for i in range(TRIED)]


def random_game(game: Game, i: int) -> Iterator[tuple[State, int]]:
    """The states of the i-th of them before its end, and how many actions each has."""
    s, random = game.initial(), split(0, i) | 1
    for _ in range(LONGEST_TRY - 1):
        if not (actions := list(game.actions(s))):
            return
        yield s, len(actions)
        random = step(random)
        s = game.result(s, actions[below(random, len(actions))])


def nodes_for(game: Game, simulations: int) -> int:
    """Nodes of a tree of so many simulations."""
    return simulations * (CHAIN if game.has_chance else 1) + 2


def record_for(game: Game, record: type[Record], **sizes: int) -> Any:
    """The record of one game, as it lies in memory."""
    planes = 1 << (len(planes_of(game)) - 1).bit_length()
    return record_of(record.fields(**{"words": game.layout.words, "players": game.players, "planes": planes, "watch": 1} | sizes))


def plane_rows(game: Game) -> dict[str, Any]:
    """What a record holds of the planes of the game."""
    planes = planes_of(game)
    rows = [list(column) + [0] * ((1 << (len(planes) - 1).bit_length()) - len(planes)) for column in zip(*planes, strict=True)]
    return {"plane_count": len(planes), "first_input": rows[0], "input_step": rows[1], "input_scale": rows[2]}


def given(game: Game, shape: NetworkShape) -> dict[str, Any]:
    """What a record holds of the game and the shape."""
    middle, reach = (shape.low + shape.high) / 2, (shape.high - shape.low) / 2 or 1.0
    counts = {"channels": shape.channels, "input_count": shape.inputs, "output_count": shape.policy}
    return plane_rows(game) | counts | {"middle": middle, "reach": reach}
