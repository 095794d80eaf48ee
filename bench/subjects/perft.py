"""Perft: the speed of move generation. Each candidate's count is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import zermelo

from ..harness import Table
from ..peers import candidate, openspiel_perft

LEAVES = {5: 16_807, 6: 117_649, 8: 5_673_234}


def tables() -> Iterator[Table]:
    yield Table(
        "Perft of Connect Four, one core",
        "nodes/s",
        [
            candidate("Zermelo, depth 8", _perft(8, False)),
            candidate("Zermelo, interpreted, depth 5", _perft(5, True)),
            candidate("OpenSpiel, depth 6", openspiel_perft("connect_four", 6, LEAVES[6])),
        ],
        note="OpenSpiel's states are C++, driven from Python: it has no perft of its own. Everybody only counts the last ply.",
    )


def _perft(depth: int, interpreted: bool) -> Callable[[], float]:
    game = zermelo.game("connect4")

    def work() -> float:
        nodes = zermelo.perft(game, depth, interpreted=interpreted)
        assert nodes == LEAVES[depth], f"{nodes} leaves at depth {depth}, not {LEAVES[depth]}"
        return nodes

    return work
