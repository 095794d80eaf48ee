"""How many positions of a file a search solves: `python -m bench.suite FILE.epd [--player P]`, a file of chess with best moves (`bm`)."""

from __future__ import annotations

import argparse
from pathlib import Path

import zermelo
from zermelo.notation import epd

from . import report


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.suite", description="How many positions of a file a search solves.")
    parser.add_argument("file", type=Path, help="positions in EPD with best moves")
    parser.add_argument("--player", default="alphabeta:nodes=50000,table=16,eval=learned", help="(default: %(default)s)")
    options = parser.parse_args()
    name, _, settings = options.player.partition(":")
    searcher = zermelo.searcher(name, **dict(part.split("=", 1) for part in settings.split(",") if part))
    game, missed, count = zermelo.game("chess"), list[str](), 0
    with options.file.open() as lines:
        for position in epd.read(lines):
            s, count = game.read_state(position.board), count + 1
            best = position["bm"]
            assert isinstance(best, list)
            if searcher.search(game, s).action not in [game.read_action(s, str(move)) for move in best]:
                missed.append(str(position["id"]))
            report.tell(f"{count - len(missed)} of {count}")
    report.tell("")
    print(f"{count - len(missed)} of {count} solved; missed: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
