"""Fit the weights of the chess evaluation to scores of an engine's shallow search.

    python -m bench.chess_weights FILE [FILE ...] --write src/zermelo/games/chess/weights.py

The files are those of `bench.chess_positions`. The evaluation is linear in its weights, so each position gives one row: how often each
weight is added, found by running `evaluation.side` with symbols in place of numbers. The fit is of the winning probability, a logistic
function of the value, by least squares (Gauss-Newton); a smoothness penalty keeps adjacent weights of a table close. A
tenth of the positions is held out to measure the fit. Finally everything is scaled so that pawns are worth 100 on average. The value of
having the move is fitted but not used: in quiet positions without captures it is higher than elsewhere.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from zermelo.bits import byteswap
from zermelo.errors import ZermeloError
from zermelo.games.chess import evaluation, fen, weights
from zermelo.games.chess.moves import occupied
from zermelo.games.chess.state import State

WIDTH = 260.0  # of the logistic curve, in units of TEACHER times the engine's
TEACHER = 1.5  # our hundredths of a pawn in one of the engine's
ROUGH, RIDGE = 60.0, 0.3  # against differences beside each other, and against large steps
STEPS = 4
OFF_THE_BOARD = (0, 7)  # ranks without pawns
MOBILITY = {"KNIGHT_MOVES": "KNIGHT_AT", "BISHOP_MOVES": "BISHOP_AT", "ROOK_MOVES": "ROOK_AT", "QUEEN_MOVES": "QUEEN_AT"}


class Sum:
    """A symbolic value: pairs of a weight's number and its count."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[tuple[int, int], ...] = ()):
        self.parts = parts

    def __add__(self, other: Sum | int) -> Sum:
        return Sum(self.parts + other.parts) if isinstance(other, Sum) else self

    def __mul__(self, times: int) -> Sum:
        return Sum(tuple((i, n * times) for i, n in self.parts)) if times else Sum()

    __radd__, __rmul__ = __add__, __mul__


def folded(i: int) -> int:
    """The number of a square's weight among 32: left and right are the same."""
    return (i >> 3) * 4 + min(i & 7, 7 - (i & 7))


class Names:
    """The column of each weight: first those of the middle game, then those of the endgame."""

    def __init__(self) -> None:
        self.at: dict[str, range] = {}
        self.size = 0
        for name, given in vars(weights).items():
            if name.isupper():
                n = 1 if isinstance(given, int) else 32 if len(given) == 64 else len(given)
                self.at[name] = range(self.size, self.size + n)
                self.size += n

    def symbols(self) -> SimpleNamespace:
        """The substitute for the module of weights."""
        made: dict[str, Any] = {}
        for name, at in self.at.items():
            given = getattr(weights, name)
            places = [at[folded(i)] for i in range(64)] if len(at) == 32 and len(given) == 64 else list(at)
            sums = [Sum(((i, 1),)) for i in places]
            made[name] = sums[0] if isinstance(given, int) else sums
        return SimpleNamespace(**made)


def row(s: State, names: Names) -> tuple[np.ndarray, float]:
    """The count of each weight in s, for the side to move minus the opponent; and its phase from 0 to 1."""
    men, turn = occupied(s), byteswap
    mine = evaluation.side(s.p, s.n, s.d, s.o, s.k, s.me, men)
    theirs = evaluation.side(turn(s.p), turn(s.n), turn(s.d), turn(s.o), turn(s.k), turn(men ^ s.me), turn(men))
    counts = np.zeros(names.size, np.float32)
    for side, sign in ((mine, 1), (theirs, -1)):
        for i, n in side.parts:  # type: ignore[attr-defined]
            counts[i] += sign * n
    counts[names.at["TEMPO"][0]] = 1
    return counts, phase_of(s) / evaluation.FULL_BOARD_PHASE


def phase_of(s: State) -> int:
    """The phase of the game by the pieces left, as the evaluation counts them."""
    return min(s.n.bit_count() + s.d.bit_count() + 2 * s.o.bit_count() + (s.d & s.o).bit_count(), evaluation.FULL_BOARD_PHASE)


def read(files: list[str], names: Names) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all distinct positions, with the weights of both phases side by side, and the engine's scores."""
    rows, told, seen = [], [], set()
    evaluation.w = names.symbols()  # type: ignore[assignment]
    for file in files:
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            text, _, score = line.partition(";")
            s = fen.read(text, "chess")
            if s[:7] in seen or is_changed(s):
                continue
            seen.add(s[:7])
            counts, phase = row(s, names)
            rows.append(np.concatenate([counts * phase, counts * (1 - phase)]).astype(np.float32))
            told.append(float(score))
    if not rows:
        raise ZermeloError("chess_weights: expected files with lines FEN;hundredths of a pawn")
    return np.array(rows), TEACHER * np.array(told)


def is_changed(s: State) -> bool:
    """Whether the evaluation scales the sum of its weights in s, because it is a drawish or special endgame."""
    them = occupied(s) ^ s.me
    return phase_of(s) <= evaluation.ENDGAME_PHASE and any(evaluation.endgame(s, v, them) != v for v in (1000, -1000))


def roughness(names: Names) -> np.ndarray:
    """The quadratic form of differences between adjacent weights."""
    form = np.zeros((2 * names.size, 2 * names.size))

    def link(i: int, j: int) -> None:
        form[[i, j], [i, j]] += ROUGH
        form[[i, j], [j, i]] -= ROUGH

    for base in (0, names.size):
        for name, at in names.at.items():
            is_board = name.endswith("_AT")
            for k in range(len(at)):
                if k + 1 < len(at) and (not is_board or k % 4 < 3):
                    link(base + at[k], base + at[k + 1])
                if is_board and k + 4 < len(at):
                    link(base + at[k], base + at[k + 4])
    return form


def chance(v: np.ndarray) -> np.ndarray:
    """The winning probability at a value."""
    return 1 / (1 + np.exp(-v / WIDTH))


def fit(rows: np.ndarray, told: np.ndarray, names: Names) -> np.ndarray:
    """The weights."""
    held = np.random.default_rng(0).random(len(told)) < 0.1
    goal, form = chance(told), roughness(names)
    w = np.zeros(2 * names.size)
    for name, worth in {"PAWN_AT": 100, "KNIGHT_AT": 350, "BISHOP_AT": 350, "ROOK_AT": 550, "QUEEN_AT": 1050}.items():
        for base in (0, names.size):
            w[base + names.at[name][0] : base + names.at[name][-1] + 1] = worth  # where to begin
    for step in range(STEPS + 1):
        now = chance(rows @ w.astype(np.float32))
        error = (now - goal) ** 2
        print(f"step {step}: mean square error {error[~held].mean():.5f}, held back {error[held].mean():.5f}", file=sys.stderr, flush=True)
        if step == STEPS:
            return w
        slope = 4 * now * (1 - now)
        a = rows[~held] * slope[~held, None].astype(np.float32)
        pull = a.T @ (4 * WIDTH * (goal - now)[~held]).astype(np.float32)
        w = w + np.linalg.solve((a.T @ a).astype(np.float64) + form + RIDGE * np.eye(len(w)), pull - form @ w)
    raise AssertionError


def settled(w: np.ndarray, rows: np.ndarray, names: Names) -> np.ndarray:
    """The same evaluation, scaled, with tables of mobility and king squares centred at 0, and files and attacks that begin at 0."""
    use = np.abs(rows).sum(0)
    for base in (0, names.size):
        parts = {name: slice(base + at[0], base + at[-1] + 1) for name, at in names.at.items()}
        for moves, places in MOBILITY.items():
            mean = np.average(w[parts[moves]], weights=use[parts[moves]] + 1e-9)
            w[parts[moves]] -= mean
            w[parts[places]] += mean
        w[parts["KING_ATTACK"]] -= w[parts["KING_ATTACK"]][0]
        w[parts["ROOK_AT"]] += w[parts["OPEN_FILES"]][0]
        w[parts["OPEN_FILES"]] -= w[parts["OPEN_FILES"]][0]
        w[parts["KING_AT"]] -= np.average(w[parts["KING_AT"]], weights=use[parts["KING_AT"]])
    pawns = [names.at["PAWN_AT"][k] + base for base in (0, names.size) for k in range(4, 28)]
    return np.rint(w * 100 / w[pawns].mean()).astype(int)


def written(w: np.ndarray, names: Names, text: str) -> str:
    """The source of the module with these numbers."""
    for name, at in names.at.items():
        if name == "TEMPO":
            continue
        middle, end = ([int(w[base + i]) for i in at] for base in (0, names.size))
        if name.endswith("_AT"):
            lines = []
            for y in reversed(range(8)):
                both = [0] * 8 if name == "PAWN_AT" and y in OFF_THE_BOARD else middle[4 * y : 4 * y + 4] + end[4 * y : 4 * y + 4]
                lines.append("    " + " ".join(f"{x:4}" for x in both[:4]) + "   " + " ".join(f"{x:4}" for x in both[4:]))
            new = f'{name} = squares("""\n' + "\n".join(lines) + '\n""")'
        elif len(at) == 1:
            new = f"{name} = pair({middle[0]}, {end[0]})"
        else:
            both_text = [f'"{" ".join(map(str, x))}"' for x in (middle, end)]
            new = f"{name} = table(\n    {both_text[0]},\n    {both_text[1]},\n)"
        text, found = re.subn(rf"(?ms)^{name} = \w+\(.*?\)(?=$|  #)", lambda _, new=new: new, text, count=1)
        assert found, name
    return text


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_weights", description="Fit the weights of chess's evaluation.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="positions from bench.chess_positions")
    parser.add_argument("--write", metavar="FILE", help="module whose numbers are replaced (default: print it)")
    told = parser.parse_args()
    names, source = Names(), Path(weights.__file__).read_text(encoding="utf-8")
    rows, scores = read(told.files, names)
    print(f"{len(scores):,} positions, {2 * names.size} weights", file=sys.stderr, flush=True)
    text = written(settled(fit(rows, scores, names), rows, names), names, source)
    if told.write:
        Path(told.write).write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
