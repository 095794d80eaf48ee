"""One checkout of Zermelo at play for `bench.version_match`: actions on standard input, its moves on standard output.

    python version_player.py GAME PLAYER        PLAYER as of a match, a searcher and its settings: alphabeta:nodes=5000,table=16

A line is JSON: a state as text, from which a new game begins ("" for the usual one); or the actions that were taken since the last line,
after which the player is to move. It runs with the `src` folder of that checkout on its path and uses only names that every version has.
"""

from __future__ import annotations

import json
import sys

import zermelo
from zermelo.search.session import Thinking


def main() -> None:
    game, (name, _, settings) = zermelo.game(sys.argv[1]), sys.argv[2].partition(":")
    searcher = zermelo.searcher(name, **dict(part.split("=", 1) for part in settings.split(",") if part))
    history, thinking = zermelo.History(game), Thinking(searcher, game)
    for line in sys.stdin:
        told = json.loads(line)
        if isinstance(told, str):
            history, thinking = zermelo.History(game, game.read_state(told) if told else None), Thinking(searcher, game)
            continue
        for a in told:
            history.do(a)
        found = thinking.search(history)
        print(json.dumps([found.action, found.depth, found.value]), flush=True)


if __name__ == "__main__":
    main()
