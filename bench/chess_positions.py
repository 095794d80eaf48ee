"""Chess positions with scores of an engine's shallow search, for `bench.chess_weights`; needs python-chess.

    python -m bench.chess_positions FILE --engine stockfish --kind games|edits --seed 1 --count 40000

Only quiet positions: not in check, and the engine's move neither captures nor promotes. The same seed and engine give the same positions.

games: games of the engine from a random opening, with random moves among its own.
edits: games with fewer random moves, and each position again without one to four pieces, to separate their value from who is ahead.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

import chess
import chess.engine

DEPTH, LEAST_DEPTH = 5, 3
MOST = {"games": 900, "edits": 700}  # hundredths of a pawn; higher scores are won positions, which teach nothing
Label = tuple[str, int]


class Teacher:
    """An engine that gives the score of a position for the side to move, and the best move."""

    def __init__(self, command: str, most: int):
        self._engine = chess.engine.SimpleEngine.popen_uci(command)
        self._engine.configure({"Hash": 16})
        self._most, self.label = most, None  # type: int, Label | None

    def play(self, board: chess.Board, depth: int = DEPTH) -> chess.Move | None:
        """The engine's move; `label` is the score of the position, None if it is not quiet."""
        told = self._engine.play(board, chess.engine.Limit(depth=depth), info=chess.engine.INFO_SCORE)
        self.label, move = None, told.move
        score = told.info["score"].relative.score() if "score" in told.info else None
        if move is None or score is None or abs(score) >= self._most or board.is_check():
            return move
        if not board.is_capture(move) and not move.promotion:
            self.label = (board.fen(), score)
        return move

    def close(self) -> None:
        self._engine.quit()


def games(teacher: Teacher, r: random.Random) -> Iterator[Label]:
    """Yield the positions of one game."""
    board = chess.Board()
    for _ in range(r.randint(2, 9)):
        if not board.is_game_over():
            board.push(r.choice(list(board.legal_moves)))
    wild = r.choice((0.05, 0.1, 0.2, 0.3))
    while not board.is_game_over() and board.ply() < 200:
        move = teacher.play(board)
        if move is None or (teacher.label is None and not board.is_check() and r.random() < 0.05):
            return  # most of these are decided
        if teacher.label is not None:
            yield teacher.label
        board.push(r.choice(list(board.legal_moves)) if r.random() < wild else move)


def edits(teacher: Teacher, r: random.Random) -> Iterator[Label]:
    """Yield the positions of one game, and each with pieces removed."""
    board = chess.Board()
    for _ in range(r.choice((0, 2, 4))):
        board.push(r.choice(list(board.legal_moves)))
    last = r.choice((30, 80, 120))
    while not board.is_game_over() and board.ply() < last:
        move = teacher.play(board)
        if teacher.label is not None:
            yield teacher.label
        edited = board.copy(stack=False)
        for _ in range(r.choice((1, 1, 2, 2, 3, 4))):
            men = [i for i in edited.piece_map() if edited.piece_type_at(i) != chess.KING]
            if men:
                edited.remove_piece_at(r.choice(men))
        edited.turn = edited.turn if r.random() < 0.5 else not edited.turn
        edited.ep_square, edited.castling_rights = None, edited.clean_castling_rights()
        if edited.is_valid() and not edited.is_game_over():
            teacher.play(edited)
            if teacher.label is not None:
                yield teacher.label
        board.push(r.choice(list(board.legal_moves)) if move is None or r.random() < 0.12 else move)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_positions", description="Positions for fitting the evaluation of chess.")
    parser.add_argument("file", help="output file: FEN;hundredths of a pawn")
    parser.add_argument("--engine", default="stockfish", help="program that speaks UCI (stockfish)")
    parser.add_argument("--kind", choices=("games", "edits"), default="games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40000)
    told = parser.parse_args()
    r, teacher, left = random.Random(told.seed), Teacher(told.engine, MOST[told.kind]), told.count
    with open(told.file, "w", encoding="utf-8") as out:
        while left > 0:
            for fen, score in (games if told.kind == "games" else edits)(teacher, r):
                out.write(f"{fen};{score}\n")
                left -= 1
                if not left:
                    break
    teacher.close()


if __name__ == "__main__":
    main()
