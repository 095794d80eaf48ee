"""Checkers as it is written and drawn: squares 1 to 32, PDN's moves and its FEN, a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ... import drawing
from ...bits import bit
from ...errors import ZermeloError
from ...notation import pdn
from .moves import BOARD, State, empty_squares, is_king, jumpers, next_chain, source, target

PLAYERS = ("Black", "White")
MAX_PIECES = 12  # pieces of a side


def square(i: int, turn: int) -> int:
    """The number of the square that is bit i for this player."""
    n = i - i // 9 + 1
    return 33 - n if turn else n


def place(n: int, turn: int) -> int:
    """The bit of square n for this player."""
    n = 33 - n if turn else n
    return n - 1 + (n - 1) // 8


# ---- actions -------------------------------------------------------------------------------------


def routes(s: State) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Every route of every capture, the first of each first: captured pieces, where it starts, and the numbers of its squares."""
    empty = empty_squares(s)
    jumping = jumpers(s, empty)
    for start in (i for i in range(35) if jumping >> i & 1):
        given = s.theirs, empty | bit(start), is_king(s, start)
        at, taken, route = next_chain(*given, start, 0, 0)
        while taken:
            left = [route >> 6 * k & 63 for k in reversed(range(taken.bit_count()))]
            yield taken, start, tuple(square(i, s.turn) for i in [*left, at])
            at, taken, route = next_chain(*given, at, taken, route)


def write_action(s: State, a: int, legal: Iterable[int]) -> str:
    start, end, taken = source(a), target(a), a & BOARD
    ends = square(start, s.turn), square(end, s.turn)
    if not taken:
        return pdn.write_move(ends, False)
    if sum((source(b), target(b)) == (start, end) for b in legal) == 1:
        return pdn.write_move(ends, True)
    return pdn.write_move(next(way for some, first, way in routes(s) if (some, first) == (taken, start)), True)


def read_action(s: State, text: str, legal: Iterable[int]) -> int:
    """The action that this text means: where it starts and ends, and any of the squares between. '-' and 'x' are not told apart."""
    actions = list(legal)

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a legal action here: expected {expected}")

    if not actions:
        raise refuse("none, the game is over")
    wanted = pdn.read_move(text)
    ways: dict[int, list[tuple[int, ...]]] = {a: [(square(source(a), s.turn), square(target(a), s.turn))] for a in actions if not a & BOARD}
    for taken, start, way in routes(s):
        ways.setdefault(next(a for a in actions if (a & BOARD, source(a)) == (taken, start)), []).append(way)
    whole = [a for a, known in ways.items() if wanted in known]
    found = whole or [a for a, known in ways.items() if any(_passes(way, wanted) for way in known)]
    if len(found) == 1:
        return found[0]
    names = [write_action(s, a, actions) for a in found or actions]
    some = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    raise refuse(f"one of {some}")


def _passes(way: tuple[int, ...], squares: tuple[int, ...]) -> bool:
    """Whether a route has these squares in this order, and begins and ends with the first and the last."""
    if len(squares) < 2 or (way[0], way[-1]) != (squares[0], squares[-1]):
        return False
    between = iter(way[1:-1])
    return all(n in between for n in squares[1:-1])


# ---- states --------------------------------------------------------------------------------------


def write_state(s: State) -> str:
    black, white = ({n: is_in(s.kings, n, s.turn) for n in range(1, 33) if is_in(side, n, s.turn)} for side in _sides(s))
    return pdn.write_fen(pdn.Position("BW"[s.turn], black, white, s.quiet))


def read_state(text: str, draw_after: int) -> State:
    """The state that `write_state` writes so. Whether play can lead to it is not asked."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of checkers: expected {expected}")

    position = pdn.read_fen(text)
    if position is None:
        raise refuse("the side to move and the squares of both as in B:W21,22,K30:B1,2,K14, with :H7 after 7 quiet plies")
    sides = position.black, position.white
    if not all(1 <= n <= 32 for side in sides for n in side):
        raise refuse("squares from 1 to 32")
    if set(sides[0]) & set(sides[1]):
        raise refuse("one piece on a square")
    turn = "BW".index(position.turn)
    for name, pieces, last in zip(PLAYERS, sides, (range(29, 33), range(1, 5)), strict=True):
        if len(pieces) > MAX_PIECES:
            raise refuse(f"at most {MAX_PIECES} pieces of {name}")
        if any(n in last and not king for n, king in pieces.items()):
            raise refuse(f"no man of {name} on the row where it is crowned")
    if not sides[1 - turn]:
        raise refuse(f"a piece of {PLAYERS[1 - turn]}, who moved last")
    if position.clock > draw_after:
        raise refuse(f"at most {draw_after} quiet plies")
    mine, theirs = (sum(bit(place(n, turn)) for n in sides[who]) for who in (turn, 1 - turn))
    kings = sum(bit(place(n, turn)) for side in sides for n, king in side.items() if king)
    return State(mine, theirs, kings, position.clock, turn)


def is_in(squares: int, n: int, turn: int) -> bool:
    """Whether square n is among these, as this player sees them."""
    return bool(squares >> place(n, turn) & 1)


def _sides(s: State) -> tuple[int, int]:
    """The pieces of Black and of White."""
    return (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)


# ---- boards --------------------------------------------------------------------------------------


def _letter(s: State, n: int) -> str:
    """What stands on square n: b, w, B or W for a king, and a point for nothing."""
    if is_in(empty_squares(s), n, s.turn):
        return "."
    letter = "bw"[s.turn if is_in(s.mine, n, s.turn) else 1 - s.turn]
    return letter.upper() if is_in(s.kings, n, s.turn) else letter


def show(s: State, is_over: bool) -> str:
    """The board with White below, and the numbers of the squares beside it."""
    rows = [range(4 * y + 1, 4 * y + 5) for y in range(8)]
    cells = [(" " * (2 - y % 2 * 2) + "   ".join(_letter(s, n) for n in row)).ljust(16) for y, row in enumerate(rows)]
    lines = [f"{line} {''.join(f'{n:3}' for n in row)}" for line, row in zip(cells, rows, strict=True)]
    return "\n".join([*lines, "the game is over" if is_over else f"{PLAYERS[s.turn]} to move"])


def svg(s: State) -> str:
    """The board with White below; a king wears a K."""
    size = 48
    fill = {"b": "#20242c", "w": "#f6f1e3"}
    parts = [drawing.shape("rect", width=8 * size, height=8 * size, fill="#e9dcc0")]
    for n in range(1, 33):
        y = (n - 1) // 4
        x = 2 * ((n - 1) % 4) + 1 - y % 2
        parts.append(drawing.shape("rect", x=x * size, y=y * size, width=size, height=size, fill="#7d9b76"))
        parts.append(drawing.text(x * size + 8, y * size + 8, str(n), size=10, fill="#1d2b1a"))
        letter = _letter(s, n)
        if letter != ".":
            middle, colour = ((x + 0.5) * size, (y + 0.5) * size), letter.lower()
            other = fill["w" if colour == "b" else "b"]
            parts.append(
                drawing.shape("circle", cx=middle[0], cy=middle[1], r=0.38 * size, fill=fill[colour], stroke=other, stroke_width=2)
            )
            if letter.isupper():
                parts.append(drawing.text(*middle, "K", size=20, fill=other))
    return drawing.svg(8 * size, 8 * size, parts, f"checkers, {PLAYERS[s.turn]} to move")
