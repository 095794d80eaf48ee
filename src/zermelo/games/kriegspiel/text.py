"""Kriegspiel as text: attempts, states, the umpire's words, the board as each player sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from ...bits import bit, ctz, rest
from ...errors import ZermeloError
from .._hidden_chess import position
from ..chess import board, fen, moves, uci
from ..chess import state as chess
from ..chess.state import CASTLING, TO_QUEEN
from . import umpire
from .state import (
    ANY,
    CAPTURE,
    DENIED,
    FILE,
    KNIGHT,
    LONG_DIAGONAL,
    PAWN,
    PIECE,
    RANK,
    SHORT_DIAGONAL,
    SOMETHING,
    SQUARE,
    TRIED,
    TRIES,
    State,
)

CHECK_NAMES = {FILE: "file", RANK: "rank", LONG_DIAGONAL: "long diagonal", SHORT_DIAGONAL: "short diagonal", KNIGHT: "knight"}
TAKEN_NAMES = {PAWN: "pawn captured on", PIECE: "piece captured on", SOMETHING: "capture on"}
TAKEN = {PAWN: "P", PIECE: "X", SOMETHING: "?"}
NO = "no"


class Rules(Protocol):
    """What is asked of the game here."""

    is_icc: bool

    @property
    def name(self) -> str: ...
    def to_move(self, s: State) -> int: ...
    def actions(self, s: State) -> Iterator[int]: ...
    def result(self, s: State, a: int) -> State: ...
    def refused(self, s: State, a: int) -> State: ...
    def announcement(self, s: State, taken: int, at: int) -> int: ...
    def is_terminal(self, s: State) -> bool: ...
    def is_drawn(self, s: State) -> bool: ...
    def utility(self, s: State, p: int) -> float: ...
    def with_board(self, b: chess.State) -> State: ...


# ---- attempts ------------------------------------------------------------------------------------


def write_attempt(s: State, a: int) -> str:
    """The attempt by its squares, as engines write moves: e2e4, e7e8q, e1g1; or any?."""
    return "any?" if a == ANY else uci.write(position(s), a, False)


def read_attempt(s: State, text: str, actions: Iterable[int]) -> int:
    """The attempt that this text means; ZermeloError if it may not be tried."""
    legal = list(actions)
    if text.strip() in ("any", "any?") and ANY in legal:
        return ANY
    return uci.read(position(s), text.strip().replace("-", ""), [a for a in legal if a != ANY], False)


# ---- the umpire ----------------------------------------------------------------------------------


def words(said: int) -> list[str]:
    """What the umpire says after a move."""
    spoken = []
    if taken := said >> CAPTURE & 3:
        spoken.append(f"{TAKEN_NAMES[taken]} {fen.square(said >> SQUARE)}")
    spoken += [f"check by the {name}" if kind == KNIGHT else f"check on the {name}" for kind, name in CHECK_NAMES.items() if said & kind]
    if tries := said >> TRIES & 31:
        spoken.append("one pawn try" if tries == 1 else f"{tries} pawn tries")
    return spoken


def announce(game: Rules, s: State, a: int, p: int) -> str:
    """What player p hears of an action of s: its own attempt and the umpire's words, or these alone; nothing if it is told nothing."""
    after, mine = game.result(s, a), p == game.to_move(s)
    if a == ANY:
        return f"any? {NO if after.asked == DENIED else 'try!'}"
    if game.to_move(after) == game.to_move(s):
        return f"{write_attempt(s, a)}: {NO}" if mine else "" if game.is_icc else NO
    end = ending(game, after)
    return "; ".join([write_attempt(s, a) if mine else "a move", *words(after.said), *([end] if end else [])])


def ending(game: Rules, s: State) -> str:
    """How the game ended, in the umpire's words; nothing if it goes on."""
    if not game.is_terminal(s):
        return ""
    return "checkmate" if game.utility(s, 0) else "a draw" if game.is_drawn(s) else "stalemate"


# ---- boards --------------------------------------------------------------------------------------


def show(s: State) -> str:
    """The whole board, and what the umpire said."""
    return "\n".join([board.show(position(s)), *heard(s)])


def show_to(s: State, p: int, over: bool) -> str:
    """The board with the pieces of player p alone, and what the umpire said; attempts refused in this turn if p is to move."""
    lines = [board.show(own_board(s, p)), *heard(s)]
    if p == s.t & 1 and not over and any(s.tried):
        lines.append(f"refused: {' '.join(tried(s))}")
    return "\n".join(lines)


def heard(s: State) -> list[str]:
    """A line with what the umpire said last."""
    spoken = words(s.said)
    return [f"umpire: {', '.join(spoken)}"] if spoken else []


def own_board(s: State, p: int) -> chess.State:
    """The position without the pieces of the other player."""
    own = s.me if p == s.t & 1 else moves.occupied(position(s)) ^ s.me
    p_, n, d, o, k = (word & own for word in s[:5])
    return chess.State(p_, n, d, o, k, s.me & own, 0, s.t)


def tried(s: State) -> list[str]:
    """The attempts that were refused in this turn."""
    found, n, movers = [], 0, s.me
    while movers:
        i = ctz(movers)
        to = umpire.attempts(s, i)
        while to:
            j = ctz(to)
            if umpire.is_tried(s, n):
                kind = CASTLING if s.me & bit(j) else TO_QUEEN if s.p & bit(i) and j >= 56 else 0
                found.append(write_attempt(s, i | j << 6 | kind << 12))
            n += 1
            to = rest(to)
        movers = rest(movers)
    return found


# ---- states --------------------------------------------------------------------------------------


def write_state(s: State) -> str:
    """The position as FEN; then what was captured last, the answer to any?, known losses of pawns, refusals and what was heard."""
    parts = [fen.write(position(s))]
    if taken := s.said >> CAPTURE & 3:
        parts.append(f"taken={TAKEN[taken]}{fen.square(s.said >> SQUARE)}")
    if s.asked:
        parts.append(f"asked={s.asked}")
    if any(s.gone):
        parts.append(f"gone={s.gone[0]},{s.gone[1]}")
    if any(s.tried):
        parts.append(f"refused={','.join(tried(s))}")
    if any(s.heard):
        parts.append(f"heard={s.heard[0]:x},{s.heard[1]:x}")
    return " ".join(parts)


def read_state(game: Rules, text: str) -> State:
    """The state that this text describes: a FEN, and whatever `write_state` adds; ZermeloError if it describes none."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {game.name}: expected {expected}")

    parts = text.split()
    extra = [part for part in parts if "=" in part]
    if parts[len(parts) - len(extra) :] != extra or len({part.partition("=")[0] for part in extra}) < len(extra):
        raise refuse("a FEN, and after it each of taken=, asked=, gone=, refused=, heard= at most once")
    try:
        b = fen.read(" ".join(parts[: len(parts) - len(extra)]), game.name)
    except ZermeloError as error:
        raise refuse(str(error).partition(": expected ")[2]) from None
    s = game.with_board(b)
    more = {name: value for name, _, value in (part.partition("=") for part in extra)}
    s = _told(game, s, more, refuse)
    for name in more.pop("refused", "").split(",") if "refused" in more else ():
        try:
            a = uci.read(b, name, game.actions(s), False)
        except ZermeloError:
            raise refuse(f"attempts that may be refused, not {name!r}") from None
        if umpire.legal(s, a) >= 0 or a == ANY:
            raise refuse(f"attempts that are not legal as refused, not {name!r}")
        s = game.refused(s, a)._replace(heard=s.heard, asked=s.asked)
    if more.keys() - {"taken", "asked", "gone", "heard"}:
        raise refuse(f"taken=, asked=, gone=, refused= or heard= after the FEN, not {sorted(more)[0]}=")
    return s


def _told(game: Rules, s: State, more: dict[str, str], refuse: fen.Refuse) -> State:
    """The state with what text adds to the board."""
    if taken := more.get("taken"):
        kinds = {letter: kind for kind, letter in TAKEN.items() if (kind == SOMETHING) != game.is_icc}
        if not re.fullmatch("[PX?][a-h][1-8]", taken) or taken[0] not in kinds:
            raise refuse(f"{' or '.join(kinds)} and a square as taken=, not {taken!r}")
        at = fen.FILES.index(taken[1]) + 8 * (int(taken[2]) - 1)
        s = s._replace(said=game.announcement(s, kinds[taken[0]], at))
    if asked := more.get("asked"):
        if game.is_icc or not re.fullmatch(f"[{DENIED}-{TRIED}]", asked) or (int(asked) == DENIED) != (umpire.pawn_tries(s) == 0):
            raise refuse(f"the answer that pawns of this position give as asked=, not {asked!r}")
        s = s._replace(asked=int(asked))
    if gone := more.get("gone"):
        if not game.is_icc or not re.fullmatch("[0-8],[0-8]", gone):
            raise refuse(f"two numbers from 0 to 8 as gone=, not {gone!r}")
        s = s._replace(gone=(int(gone[0]), int(gone[2])))
    if heard := more.get("heard"):
        if not re.fullmatch("[0-9a-f]{1,16},[0-9a-f]{1,16}", heard):
            raise refuse(f"two words of hexadecimal digits as heard=, not {heard!r}")
        one, _, other = heard.partition(",")
        s = s._replace(heard=(int(one, 16), int(other, 16)))
    return s
