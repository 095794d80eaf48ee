"""Dark chess as text: moves, states, and the board as each player sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...bits import byteswap
from ...errors import ZermeloError
from .._hidden_chess import position
from ..chess import board, fen, uci
from ..chess.sliders import pawns_up
from ..chess.state import turned
from . import sight
from .state import State

FOG = "?"


def write_move(s: State, a: int) -> str:
    """The move by its squares, as engines write moves: e2e4, e7e8q, e1g1."""
    return uci.write(position(s), a, False)


def read_move(s: State, text: str, actions: Iterable[int]) -> int:
    """The move that this text means; ZermeloError if there is none."""
    return uci.read(position(s), text.strip().replace("-", ""), actions, False)


def announce(s: State, a: int, after: State, p: int) -> str:
    """What player p hears of a move of s that leads to `after`."""
    if p == s.t & 1:
        return write_move(s, a)
    return "a move" if after.taken < 0 else f"a capture on {fen.square(after.taken)}"


# ---- boards --------------------------------------------------------------------------------------


def show(s: State) -> str:
    """The whole board."""
    return board.show(position(s))


def show_to(s: State, p: int) -> str:
    """The board with a question mark on each square that player p does not see."""
    see = sight.visible(sight.facing(s, p == s.t & 1))
    see = see if p == 0 else byteswap(see)
    men = fen.letters(position(s))
    cells = [(men[i] or ".") if see >> i & 1 else FOG for i in range(64)]
    rows = [f"{y + 1} " + " ".join(cells[8 * y : 8 * y + 8]) for y in reversed(range(8))]
    lost = [f"captured on {fen.square(s.taken)}"] if s.taken >= 0 else []
    return "\n".join([*rows, "  " + " ".join(fen.FILES), f"{'Black' if s.t & 1 else 'White'} to move", *lost])


# ---- states --------------------------------------------------------------------------------------


def write_state(s: State) -> str:
    """The position as FEN; then where the last move captured, what was captured in all, and what was seen, as hashes."""
    parts = [fen.write(position(s))]
    if s.taken >= 0:
        parts.append(f"taken={fen.square(s.taken)}")
    if any(s.gone):
        parts.append(f"gone={s.gone[0]:x},{s.gone[1]:x}")
    if any(s.heard):
        parts.append(f"heard={s.heard[0]:x},{s.heard[1]:x}")
    return " ".join(parts)


def read_state(name: str, text: str) -> State:
    """The state that this text describes: a FEN, and whatever `write_state` adds; ZermeloError if it describes none.

    Kings may be attacked, whoever is to move, and one of them may be captured: the game is over then.
    """

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {name}: expected {expected}")

    parts = text.split()
    extra = [part for part in parts if "=" in part]
    more = {key: value for key, _, value in (part.partition("=") for part in extra)}
    if parts[len(parts) - len(extra) :] != extra or len(more) < len(extra) or more.keys() - {"taken", "gone", "heard"}:
        raise refuse("a FEN, and after it each of taken=, gone=, heard= at most once")
    b, side, rights, target = fen.fields(" ".join(parts[: len(parts) - len(extra)]), refuse)
    for own in (b.me, (b.p | b.n | b.d | b.o | b.k) ^ b.me):
        if own.bit_count() > 16 or (b.p & own).bit_count() > 8 or (b.k & own).bit_count() > 1:
            raise refuse("at most sixteen pieces, eight pawns and one king of each side")
    b = b._replace(x=fen.castling(b, rights, refuse))
    b = turned(b) if side == "b" else b
    if b.k & ~b.me == 0:
        raise refuse("a king of the side that has just moved")
    if target != "-":
        to = fen.passed(b, target, refuse)
        b = b._replace(x=b.x | (to if pawns_up(b.p & b.me) & to else 0))
    taken, gone, heard = more.get("taken", ""), more.get("gone", "0,0"), more.get("heard", "0,0")
    if taken and not re.fullmatch("[a-h][1-8]", taken):
        raise refuse(f"a square as taken=, not {taken!r}")
    if not re.fullmatch("[0-9a-f]{1,5},[0-9a-f]{1,5}", gone):
        raise refuse(f"two numbers of at most five hexadecimal digits as gone=, not {gone!r}")
    if not re.fullmatch("[0-9a-f]{1,16},[0-9a-f]{1,16}", heard):
        raise refuse(f"two words of hexadecimal digits as heard=, not {heard!r}")
    at = fen.FILES.index(taken[0]) + 8 * (int(taken[1]) - 1) if taken else -1
    lost, told = ([int(word, 16) for word in both.split(",")] for both in (gone, heard))
    return State(*b, at, (lost[0], lost[1]), (told[0], told[1]))
