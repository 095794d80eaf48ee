"""An umpire of Kriegspiel over python-chess, written from the rules and sharing nothing with ours."""

from __future__ import annotations

import chess


class Referee:
    """Keeps the board of python-chess and says what the umpire says, as text."""

    def __init__(self, rules: str = "icc"):
        self.board, self.rules = chess.Board(), rules

    def is_legal(self, attempt: str) -> bool:
        return self.board.is_legal(chess.Move.from_uci(attempt))

    def play(self, attempt: str) -> list[str]:
        """Make a legal move; what is said to all."""
        move = chess.Move.from_uci(attempt)
        said = []
        if self.board.is_en_passant(move):
            square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
            said.append(self._taken(chess.PAWN, square))
        elif self.board.is_capture(move):
            said.append(self._taken(self.board.piece_type_at(move.to_square), move.to_square))
        self.board.push(move)
        return said + self._checks() + self._tries()

    def _taken(self, kind: int, square: int) -> str:
        what = "capture" if self.rules == "berkeley" else "pawn captured" if kind == chess.PAWN else "piece captured"
        return f"{what} on {chess.square_name(square)}"

    def _checks(self) -> list[str]:
        king = self.board.king(self.board.turn)
        x, y = chess.square_file(king), chess.square_rank(king)
        rising, falling = 8 - abs(x - y), 8 - abs(7 - x - y)  # squares of the two diagonals
        kinds = set()
        for square in self.board.checkers():
            dx, dy = chess.square_file(square) - x, chess.square_rank(square) - y
            if dx == 0:
                kinds.add("check on the file")
            elif dy == 0:
                kinds.add("check on the rank")
            elif abs(dx) == abs(dy):
                length, other = (rising, falling) if dx == dy else (falling, rising)
                kinds.add("check on the long diagonal" if length > other else "check on the short diagonal")
            else:
                kinds.add("check by the knight")
        order = [
            "check on the file",
            "check on the rank",
            "check on the long diagonal",
            "check on the short diagonal",
            "check by the knight",
        ]
        return [kind for kind in order if kind in kinds]

    def tries(self) -> int:
        """How many pairs of squares there are between which a pawn may capture."""
        pawns = self.board.pieces_mask(chess.PAWN, self.board.turn)
        moves = self.board.generate_legal_moves(from_mask=pawns)
        return len({(m.from_square, m.to_square) for m in moves if self.board.is_capture(m)})

    def _tries(self) -> list[str]:
        n = self.tries() if self.rules == "icc" else 0
        return [] if n == 0 else ["one pawn try"] if n == 1 else [f"{n} pawn tries"]

    def ending(self) -> str:
        if self.board.is_checkmate():
            return "checkmate"
        if self.board.is_stalemate():
            return "stalemate"
        if self.board.is_insufficient_material() or self.board.halfmove_clock >= 100:
            return "a draw"
        return ""
