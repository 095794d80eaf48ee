"""States and points of Go as text and as pictures."""

from __future__ import annotations

import re

from ... import drawing
from ...errors import ZermeloError
from .rules import NO_POINT, Rules, State

COLUMNS = "ABCDEFGHJKLMNOPQRST"  # there is no I
COLOURS = ("Black", "White")


def vertex(game: Rules, p: int) -> str:
    """The point as GTP writes it: a letter for the column and the row, A1 at the lower left."""
    return f"{COLUMNS[p % game.row]}{p // game.row + 1}"


def read_vertex(game: Rules, text: str) -> int | None:
    """The point with this name, in letters of either case; None if the board has none."""
    found = re.fullmatch(r"([A-HJ-Ta-hj-t])([1-9][0-9]?)", text)
    if not found:
        return None
    x, y = COLUMNS.index(found[1].upper()), int(found[2]) - 1
    return y * game.row + x if x < game.size and y < game.size else None


def read_action(game: Rules, s: State, text: str) -> int:
    """The legal point, or pass, that this text means; ZermeloError if there is none."""
    word = text.strip()
    last = vertex(game, game.points[-1])
    a = game.pass_ if word.lower() == "pass" else read_vertex(game, word)
    if a is None:
        raise ZermeloError(f"'{word}' is not an action of go: expected a point from A1 to {last}, or pass")
    if a not in game.actions(s):
        why = "the game is over" if game.is_terminal(s) else fault(game, s, a)
        raise ZermeloError(f"'{word}' is not a legal action here: expected a point that may be played or pass, but {why}")
    return a


def fault(game: Rules, s: State, a: int) -> str:
    """Why the point a may not be played."""
    if game.has(s.mine, a) or game.has(s.theirs, a):
        return "there is a stone"
    return "it takes back a ko" if a == s.ko else "a stone there would have no liberty"


# ---- states ------------------------------------------------------------------------------------


def rows(game: Rules, s: State) -> list[str]:
    """The board from the top row to the bottom, X Black, O White, '.' empty."""
    black, white = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
    cells = ["X" if game.has(black, p) else "O" if game.has(white, p) else "." for p in game.points]
    return ["".join(cells[y * game.size : (y + 1) * game.size]) for y in reversed(range(game.size))]


def write_state(game: Rules, s: State) -> str:
    ko = "-" if s.ko == NO_POINT else vertex(game, s.ko)
    last = "" if s.last == NO_POINT else f" {vertex(game, s.last)}"
    return f"{'/'.join(rows(game, s))} {COLOURS[s.turn][0]} {ko} {s.passes} {s.plies}{last}"


def read_state(game: Rules, text: str) -> State:
    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {game.name}: expected {expected}")

    found = re.fullmatch(r"([XO./]+) ([BW]) (-|[A-T][0-9]{1,2}) ([012]) ([0-9]{1,5})(?: ([A-T][0-9]{1,2}))?", text.strip())
    lines = found[1].split("/") if found else []
    if not found or [len(line) for line in lines] != [game.size] * game.size:
        raise refuse(
            f"{game.size} rows of {game.size} points X, O or . joined by '/', then B or W to move, a ko point or -, passes, plies "
            "and, if it is known, the stone just played"
        )
    cells = list(zip(game.points, "".join(reversed(lines)), strict=True))
    black, white = (game.set_of(p for p, cell in cells if cell == colour) for colour in "XO")
    turn, passes, plies = "BW".index(found[2]), int(found[4]), int(found[5])
    mine, theirs = (black, white) if turn == 0 else (white, black)
    if choked(game, mine, theirs):
        raise refuse("a liberty for every group")
    if plies > game.limit or passes > plies or str(plies) != found[5]:
        raise refuse(f"plies from {passes}, the passes, to {game.limit}, the limit")
    ko = NO_POINT if found[3] == "-" else read_vertex(game, found[3])
    if ko is None:
        raise refuse(f"a ko point from A1 to {vertex(game, game.points[-1])}, or -")
    last = NO_POINT if found[6] is None else read_vertex(game, found[6])
    if last is None or (last != NO_POINT and (passes > 0 or plies == 0 or not game.has(theirs, last))):
        raise refuse("as the stone just played one of the side that is not to move")
    s = State(mine, theirs, ko, passes, plies, turn, last)
    if ko != NO_POINT and (passes > 0 or plies == 0 or not is_ko(game, s)):
        raise refuse("a ko point where just one stone was taken by a stone that could be taken back alone, or -")
    return s


def choked(game: Rules, mine: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """Whether some group has no liberty."""
    empty = game.rest_of(mine, theirs)
    return any(any(game.taken(stones, stones, empty)) for stones in (mine, theirs))


def is_ko(game: Rules, s: State) -> bool:
    """Whether the last stone may have taken one on the ko point: it is ringed by the other, and a stone there would take just one."""
    if game.has(s.mine, s.ko) or game.has(s.theirs, s.ko):
        return False
    at = game.point(s.ko)
    around = game.near(at)
    empty = game.rest_of(tuple(x | y for x, y in zip(s.mine, at, strict=True)), s.theirs)
    ringed = all(x & ~y == 0 for x, y in zip(around, s.theirs, strict=True))
    return ringed and game.size_of(game.taken(around, s.theirs, empty)) == 1


# ---- pictures ----------------------------------------------------------------------------------


def stars(game: Rules) -> set[int]:
    """The points that are marked: on the third or fourth lines, and in the middle."""
    size, low, middle = game.size, 2 if game.size < 13 else 3, game.size // 2
    lines = {low, size - 1 - low} if size >= 7 else set()
    marked = {(y, x) for y in lines for x in lines}
    if size % 2:
        marked.add((middle, middle))
    if size % 2 and size >= 15:
        marked |= {(y, middle) for y in lines} | {(middle, x) for x in lines}
    return {y * game.row + x for y, x in marked}


def show(game: Rules, s: State) -> str:
    marked, wide = stars(game), len(str(game.size))
    names = " " * (wide + 1) + " ".join(COLUMNS[: game.size])
    lines = [names]
    for y, row in zip(reversed(range(game.size)), rows(game, s), strict=True):
        cells = ["+" if c == "." and y * game.row + x in marked else c for x, c in enumerate(row)]
        lines.append(f"{y + 1:>{wide}} {' '.join(cells)} {y + 1}")
    ko = "" if s.ko == NO_POINT else f", not at {vertex(game, s.ko)} (ko)"
    last = "the game is over" if game.is_terminal(s) else f"{COLOURS[s.turn]} ({'XO'[s.turn]}) to move{ko}"
    return "\n".join([*lines, names, last])


def svg(game: Rules, s: State) -> str:
    step, size = 30, game.size
    wide = step * (size + 1)

    def place(p: int) -> tuple[int, int]:
        return step * (p % game.row + 1), step * (size - p // game.row)

    parts = [drawing.shape("rect", width=wide, height=wide, fill="#dcb35c")]
    for i in range(1, size + 1):
        for x1, y1, x2, y2 in ((1, i, size, i), (i, 1, i, size)):
            parts.append(drawing.shape("line", x1=step * x1, y1=step * y1, x2=step * x2, y2=step * y2, stroke="#222"))
        for x, y, name in ((i, 0.3, COLUMNS[i - 1]), (0.3, size + 1 - i, str(i))):
            parts.append(drawing.text(step * x, step * y, name, 10, fill="#222"))
    for p in sorted(stars(game)):
        parts.append(drawing.shape("circle", cx=place(p)[0], cy=place(p)[1], r=3, fill="#222"))
    for fill, stones in zip(("#111", "#fff")[:: 1 if s.turn == 0 else -1], (s.mine, s.theirs), strict=True):
        for p in game.list_of(stones):
            parts.append(drawing.shape("circle", cx=place(p)[0], cy=place(p)[1], r=step * 0.47, fill=fill, stroke="#111"))
    if s.ko != NO_POINT:
        x, y = place(s.ko)
        parts.append(drawing.shape("rect", x=x - 6, y=y - 6, width=12, height=12, fill="none", stroke="#c00", stroke_width=2))
    return drawing.svg(wide, wide, parts, f"Go {size} x {size}, {show(game, s).splitlines()[-1]}")
