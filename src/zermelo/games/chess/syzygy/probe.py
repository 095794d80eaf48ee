"""Looking up positions of chess in a folder of Syzygy's tables.

A table does not keep what captures decide: the result of a position is the best of what its captures lead to and what the table says. DTZ
tables are of one side to move; for the other the states after its moves are looked up.

    WDL(s) = the best of -WDL(RESULT(s, a)) over captures a, and the table's value of s
    DTZ(s) = 1 if a capture or a pawn's move reaches that, else the table's, else the least 1 + DTZ(RESULT(s, a)) over moves that do
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ....errors import ZermeloError
from ....game import Game
from ..moves import occupied
from ..state import EN_PASSANT, RANK_1, RANK_8, State, as_white
from .memory import Memory
from .table import KINDS, MAGIC, OTHER_COLOUR, Board, SyzygyTable

CURSED = 100  # plies that are added to DTZ where the rule of fifty moves spoils a win
STRENGTH = "KQRBNP"
WDL = ".rtbw"


class Syzygy:
    """A folder of tables; each is opened when it is asked for."""

    longest = CURSED  # plies beyond which the rule of fifty moves makes a draw of a win

    def __init__(self, folder: Path):
        self.folder = folder
        if not folder.is_dir() or not any(folder.glob(f"*{WDL}")):
            raise ZermeloError(f"{folder} has no tables of Syzygy's: expected files like KQvK.rtbw")
        self._open = lru_cache(256)(self._opened)
        self.most = max(len(path.stem) - 1 for path in folder.glob(f"*{WDL}"))  # pieces of the largest table

    def _opened(self, name: str) -> SyzygyTable | None:
        path = self.folder / name
        return SyzygyTable(path) if path.is_file() else None

    def files(self) -> list[Path]:
        """The files of all tables."""
        return sorted(path for path in self.folder.iterdir() if path.suffix in MAGIC)

    def verify(self, path: Path) -> tuple[int, bool]:
        """How many values a file holds, and whether it is small enough for its checksum to be asked; ZermeloError if it is damaged."""
        table = SyzygyTable(path)
        return table.verify(), table.check()

    def memory(self) -> Memory:
        """All WDL tables, as `Chess.known_result` asks them; ZermeloError if one is damaged."""
        return Memory([path for path in self.files() if path.suffix == WDL])

    # ---- one position ----------------------------------------------------------------------------

    def wdl(self, game: Game, s: State) -> int | None:
        """2 if the player to move wins, 1 if only without the rule of fifty moves, 0, -1, -2; None if a table is missing."""
        if s.x & (RANK_1 | RANK_8) or occupied(s).bit_count() > self.most:
            return None
        best, actions = -3, list(game.actions(s))
        captures = [a for a in actions if is_capture(s, a)]
        for a in captures:
            found = self.wdl(game, game.result(s, a))
            if found is None:
                return None
            best = max(best, -found)
        if captures and len(captures) == len(actions):  # the table knows nothing of captures en passant
            return best
        stored = self._lookup(s, WDL, 0)
        return None if stored is None else max(best, stored)

    def dtz(self, game: Game, s: State) -> int | None:
        """Plies until the player who wins captures, moves a pawn or mates, below 0 for a loss, 0 for a draw; None if a table is missing."""
        wdl = self.wdl(game, s)
        if wdl is None or wdl == 0:
            return wdl
        sign, is_zeroing = 1 if wdl > 0 else -1, self._is_kept_by_zeroing(game, s, wdl)
        if is_zeroing is None:
            return None
        if is_zeroing:
            return sign * (1 + (CURSED if abs(wdl) == 1 else 0))
        plies = self._lookup(s, ".rtbz", wdl)
        if plies is None:
            return None
        if plies > 0:
            return sign * (plies + (CURSED if abs(wdl) == 1 else 0))
        return self._dtz_of_moves(game, s, wdl)

    def _is_kept_by_zeroing(self, game: Game, s: State, wdl: int) -> bool | None:
        """Whether a capture or a pawn's move reaches a win, or there is nothing else; None if a table is missing that could tell."""
        actions = list(game.actions(s))
        zeroing = [a for a in actions if self.is_zeroing(s, a)]
        if wdl < 0:
            return len(zeroing) == len(actions)
        after = [self.wdl(game, game.result(s, a)) for a in zeroing]
        return True if -wdl in after else None if None in after else False

    def _dtz_of_moves(self, game: Game, s: State, wdl: int) -> int | None:
        """DTZ of a position of which the table has only the other side to move, by that of the states after its moves."""
        sign, best = 1 if wdl > 0 else -1, 0
        for a in game.actions(s):
            t = game.result(s, a)
            is_zeroing = self.is_zeroing(s, a)
            after = self.wdl(game, t) if is_zeroing else self.dtz(game, t)
            if after is None:
                return None
            if is_zeroing:
                plies = -(1 if after > 0 else -1) * (1 + (CURSED if abs(after) == 1 else 0)) if after else 0
            else:
                plies = -after - (after > 0) + (after < 0)
            if not is_zeroing and plies == 2 and game.count(t) == 0:
                plies = 1  # mate
            if plies * sign > 0 and (best == 0 or plies < best):
                best = plies
        return best or -1

    def is_zeroing(self, s: State, a: int) -> bool:
        """Whether plies are counted anew after an action: a capture or a pawn's move."""
        return is_capture(s, a) or is_pawn(s, a)

    def _lookup(self, s: State, kind: str, wdl: int) -> int | None:
        """What the table of these pieces says of s: a result, or plies, 0 if it is of the other side to move; None if it is missing."""
        if occupied(s).bit_count() == 2:
            return 0
        board, black = board_of(s), bool(s.t & 1)
        white, other = (side_name(board, colour) for colour in (0, OTHER_COLOUR))
        table = self._open(f"{white}v{other}{kind}")
        turned = table is None or (white == other and black)
        if table is None:
            table = self._open(f"{other}v{white}{kind}")
        if table is None:
            return None
        if turned:
            board = {piece ^ OTHER_COLOUR: [square ^ 56 for square in squares] for piece, squares in board.items()}
            black = not black
        if kind == WDL:
            return table.wdl(board, black)
        return table.dtz(board, black, wdl) or 0


def board_of(s: State) -> Board:
    """The squares of each piece, as White sees them."""
    b = as_white(s)
    queens = b.d & b.o
    found: Board = {}
    for kind, pieces in enumerate((b.p, b.n, b.d ^ queens, b.o ^ queens, queens, b.k), 1):
        for square in range(64):
            if pieces >> square & 1:
                found.setdefault(kind if b.me >> square & 1 else kind + OTHER_COLOUR, []).append(square)
    return found


def side_name(board: Board, colour: int) -> str:
    """The pieces of a side, the king first."""
    return "".join(letter * len(board.get(KINDS.index(letter) + 1 + colour, [])) for letter in STRENGTH)


def is_capture(s: State, a: int) -> bool:
    """Whether an action takes a piece."""
    return a >> 12 == EN_PASSANT or bool((occupied(s) ^ s.me) >> (a >> 6 & 63) & 1)


def is_pawn(s: State, a: int) -> bool:
    """Whether an action moves a pawn."""
    return bool(s.p >> (a & 63) & 1)
