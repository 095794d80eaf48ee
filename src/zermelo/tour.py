"""What `zermelo tour` shows: commands that anybody can type, each run before one's eyes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

STEPS: list[tuple[str, list[str]]] = [
    ("Games are found by name; one of your own is found by its file.", ["games"]),
    ("A board in play: Connect Four after eight moves, and what may be played now.", ["show", "connect4", "--state", "44354352"]),
    ("Rules are plain Python. Here the interpreter counts the ways to play five moves ...", ["perft", "connect4", "5", "--interpreted"]),
    ("... and here native code, made of the same rules, the ways to play eight.", ["perft", "connect4", "8"]),
    ("Random games, on every core.", ["playouts", "connect4", "--seconds", "1"]),
    ("What every game must hold, checked on every state of Kuhn poker, with its hidden cards.", ["check", "kuhn", "--no-cuda"]),
]

NEXT = """\
What to try next:
  zermelo new Takeaway                  a game of your own, with its test
  zermelo playouts connect4:width=5     a game with other parameters
  zermelo show tree:file=recitation     a tree of the lectures
  zermelo --help                        the other commands"""


def tour(run: Callable[[Sequence[str]], int], say: Callable[[str], None]) -> int:
    """Run every step, telling what it is; the exit code of the first that fails."""
    for what, command in STEPS:
        say(what)
        say(f"$ zermelo {shlex.join(command)}")
        code = run(command)
        if code:
            return code
        say("")
    say(NEXT)
    return 0
