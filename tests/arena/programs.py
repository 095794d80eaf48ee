"""Engines by others, if they are installed, and a game against them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

import pytest

from zermelo import Game, History
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.player import Player
from zermelo.arena.players.process import FOLDERS

PATH = os.pathsep.join([os.environ.get("PATH", ""), *FOLDERS])


def needs(program: str) -> pytest.MarkDecorator:
    """Skip the test where the program is not there."""
    return pytest.mark.skipif(shutil.which(program, path=PATH) is None, reason=f"{program} is not installed")


def play(game: Game, sides: Sequence[Player], control: str = "none", seed: int = 1, most: int = 400) -> History:
    """A game of so many actions at most."""
    history, clock = History(game), Clock(Control.read(control), 2)
    for seat, side in enumerate(sides):
        side.begin(game, seat, seed)
    while not history.is_over and len(history.taken) < most:
        history.do(sides[game.to_move(history.state)].choose(game, history, clock))
    return history
