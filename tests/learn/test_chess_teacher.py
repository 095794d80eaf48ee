"""Labels of chess by the network of Stockfish 15.1, if that is installed, beside what its own command `eval` prints."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

import zermelo
from bench.chess_teacher import Teacher
from zermelo.history import History
from zermelo.learn.neighbours import neighbours_of
from zermelo.rng import draw

GAME = zermelo.game("chess")
PAWN = 361  # Stockfish's units in what it prints as 1


@pytest.mark.slow
def test_values_are_those_that_stockfish_prints(tmp_path) -> None:
    stockfish = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if stockfish is None:
        pytest.skip("no stockfish")
    file = tmp_path / "teacher.nnue"
    subprocess.run([stockfish], input=f"export_net {file}\nquit\n", text=True, check=True, capture_output=True)
    try:
        teacher = Teacher(file)
    except (OSError, zermelo.ZermeloError):
        pytest.skip("another Stockfish than 15.1")
    history, rows = History(GAME), []
    for i in range(160):
        if history.is_over:
            history = History(GAME)
        rows.append([*GAME.layout.pack(history.state), 0, 0])
        history.do(GAME.sample(history.state, draw(3, i)))
    made, _ = neighbours_of(GAME, np.array(rows, np.uint64), 4, 1)
    values = teacher.values(made)
    fens = [GAME.write_state(GAME.layout.unpack(row)) for row in made.tolist()]
    asked = "".join(f"position fen {fen}\neval\n" for fen in fens)
    said = subprocess.run([stockfish], input=asked + "quit\n", text=True, check=True, capture_output=True).stdout
    printed = np.array([float(x) for x in re.findall(r"NNUE evaluation\s+([+-][\d.]+)", said)])
    ours = np.array([value if " w " in fen else -value for value, fen in zip(values, fens, strict=True)]) / PAWN
    assert len(printed) == len(ours) > 100
    assert np.abs(printed - ours).max() < 0.008  # two digits are printed
