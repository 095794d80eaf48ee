"""The signature of the searches: what fixed searches of every searcher find on every built-in game, as Stockfish's `bench` has it.

    python tests/search/signature.py            interpreted searches compared with the file
    python tests/search/signature.py --native   native ones
    python tests/search/signature.py --record   write the file anew: only for a change that is meant, told in CHANGELOG.md

An entry of `signature.json` is one search of one state: its action, value, line, nodes, evaluations and a digest of all scores. Interpreted
and native searches have the same entries.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import zermelo
from zermelo.errors import ZermeloError
from zermelo.rng import below, draw
from zermelo.search import by_name

FILE = Path(__file__).with_name("signature.json")

#: every built-in game, the large ones in a size that is quick when interpreted
GAMES = [
    "antichess", "backgammon", "bins", "checkers", "chess", "connect4:width=5,height=4", "connect4", "go:size=5", "hex:size=4", "kalah",
    "kuhn", "leduc", "mnk:width=4,height=3,line=3", "nim:heaps=3,4,5", "othello", "pig:target=20", "tictactoe", "tree", "trio",
    "uniform", "whist",
]  # fmt: skip

#: every searcher, and the settings that change what it does
SEARCHES = [
    "minimax:depth=2",
    "minimax:depth=1,rounds=true",
    "plain:depth=3",
    "alphabeta:depth=4",
    "alphabeta:depth=3,table=none,pvs=false,killers=false,history=false,order=false,quiescence=false,extensions=false",
    "alphabeta:depth=3,lines=3",
    "alphabeta:nodes=400",
    "expectiminimax:depth=2",
    "expectiminimax:depth=2,star=0,table=none",
    "expectiminimax:depth=3,samples=2,seed=3",
    "maxn:depth=2",
    "paranoid:depth=2",
    "mcts:simulations=60,seed=1",
    "mcts:simulations=60,seed=2,rave=100,threads=2",
    "mcts:simulations=40,seed=3,policy=game,rave=50,prior=5,solver=false",
    "montecarlo:playouts=2,seed=1",
    "rollouts:depth=4,trials=2,candidates=2,seed=1",
    "rollouts:depth=4,trials=3,candidates=3,margin=0.5,confidence=none,luck=false,seed=2",
    "bestfirst:nodes=60",
    "proofnumber:nodes=200",
    "ismcts:simulations=10,seed=1",
    "ismcts:simulations=10,seed=2,observers=one",
    "worlds:nodes=60,worlds=2,seed=1",
    "beliefs:particles=8,worlds=4,seed=1",
    "default:nodes=200",
]  # fmt: skip


def states(game: zermelo.Game, *, whole: bool) -> Iterator[tuple[str, Any]]:
    """The start, and if all is asked for, where a random game has come to after some plies, if it is not over."""
    s = game.initial()
    yield "start", s
    if not whole:
        return
    for ply in range(5):
        moves = list(game.actions(s))
        if game.has_chance and game.to_move(s) == zermelo.CHANCE:
            moves = [a for a in moves if game.probability(s, a) > 0]
        s = game.result(s, moves[below(draw(7, ply), len(moves))])
        if game.is_terminal(s):
            return
    yield "ply 5", s


def entry(result: zermelo.Result) -> list[Any]:
    digest = sha256(repr(sorted(result.scores.items())).encode()).hexdigest()[:8]
    return [result.action, repr(result.value), list(result.line), result.nodes, result.evaluations, digest, result.exact]


def searches(game: zermelo.Game, *, interpreted: bool, whole: bool) -> Iterator[tuple[str, list[Any] | str]]:
    """The name and the entry of each search; "refused" where it takes neither this game nor this state."""
    for where, s in states(game, whole=whole):
        for text in SEARCHES:
            name, _, settings = text.partition(":")
            told = dict(part.split("=") for part in settings.split(","))
            try:
                kind = by_name.default_for(game) if name == "default" else name
                told = by_name.default_settings(game) | told if name == "default" else told
                found: list[Any] | str = entry(zermelo.searcher(kind, **told, interpreted=interpreted).search(game, s))
            except ZermeloError:
                found = "refused"
            yield f"{where} {text}", found


def signature(spec: str, *, interpreted: bool, whole: bool = True) -> dict[str, list[Any] | str]:
    """All searches of one game, or those of its start, with what perft and random playouts count."""
    game = zermelo.game(spec)
    found = dict(searches(game, interpreted=interpreted, whole=whole))
    found["perft 2"] = [zermelo.perft(game, 2, interpreted=interpreted)]
    played = zermelo.playouts(game, 3, seed=1, interpreted=interpreted)
    found["playouts 3"] = [played.moves, *(repr(float(x)) for x in played.utility)]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    known = json.loads(FILE.read_text()) if FILE.exists() else {}
    found, differences = {}, 0
    for spec in GAMES:
        found[spec] = json.loads(json.dumps(signature(spec, interpreted=not options.native)))
        for name in found[spec].keys() | known.get(spec, {}).keys():
            if not options.record and known.get(spec, {}).get(name) != found[spec].get(name):
                differences += 1
                print(f"{spec} {name}: {known.get(spec, {}).get(name)} was recorded, {found[spec].get(name)} found")
        print(f"{spec}: {len(found[spec])} searches", file=sys.stderr, flush=True)
    if options.record:
        lines = [
            f"  {json.dumps(spec)}: {{\n" + ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in rows.items()) + "\n  }"
            for spec, rows in found.items()
        ]
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{differences} differences")
    return min(differences, 1)


if __name__ == "__main__":
    sys.exit(main())
