"""The board drawn in text and in SVG. Player 0 is X, whose home is at the lower right; player 1 is O."""

from __future__ import annotations

from typing import Any

from ... import drawing
from .men import BAR
from .state import CENTRE, DOUBLED, MAY_DOUBLE, OPENING, TO_ROLL, Side, State, sides

NAMES = ("X", "O")
ROWS = 5  # men of a point that are drawn; of more, the last one tells how many
HALVES = ((13, 14, 15, 16, 17, 18, BAR, 19, 20, 21, 22, 23, 24), (12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1))
SIZE = 40  # of a column in the picture
COLOURS = {"X": "#8c2f2f", "O": "#f2e8d5", "board": "#d9b98a", "bar": "#7a5a36", "dark": "#a9793f", "light": "#e8d3ae", "line": "#3b2a17"}


def status(game: Any, s: State) -> str:
    """What happens next, in words."""
    name = NAMES[s.turn]
    if game.is_terminal(s):
        points = game.points(s) << s.cube
        return f"{NAMES[1 - s.turn]} has won {points} point{'' if points == 1 else 's'}"
    if s.roll > 0:
        return f"{name} to play {s.roll >> 3}-{s.roll & 7}"
    told = {
        OPENING: "the opening roll",
        TO_ROLL: f"{name} is rolling",
        MAY_DOUBLE: f"{name} to roll or double",
        DOUBLED: f"{NAMES[1 - s.turn]} doubles: {name} to take or drop",
    }
    return told[s.roll]


def stakes(game: Any, s: State) -> list[str]:
    """What the players still need in a match; what the cube shows and where it is."""
    found = []
    if game.is_match:
        found.append(f"X needs {game.left[0]}, O needs {game.left[1]}{'' if game.cube else ': the Crawford game'}")
    if game.cube:
        found.append(f"cube {1 << s.cube} {'in the middle' if s.owner == CENTRE else f'at {NAMES[s.owner]}'}")
    return found


def pips(side: Side) -> int:
    """How far a side's men have to go in all."""
    return sum(point * men for point, men in enumerate(side))


def men_at(x: Side, o: Side, point: int, upper: bool) -> tuple[str, int]:
    """Who stands on a point of X's board, or in a half of the bar, and how many."""
    if point == BAR:
        return ("O", o[BAR]) if upper else ("X", x[BAR])
    return ("X", x[point]) if x[point] else ("O", o[BAR - point])


def show(game: Any, s: State) -> str:
    """The board in lines of text; the points are numbered as the player whose turn it is counts them."""
    x, o = sides(s)

    def cell(point: int, row: int, upper: bool) -> str:
        name, men = men_at(x, o, point, upper)
        drawn = str(men) if row == ROWS - 1 and men > ROWS else name if row < men else ""
        return f"|{drawn:^3}|" if point == BAR else f"{drawn:^3}"

    def edge(points: tuple[int, ...]) -> str:
        names = "".join("-BAR-" if p == BAR else f"{BAR - p if s.turn else p:->3}" for p in points)
        return f"+{names}-+"

    upper = ["|" + "".join(cell(p, row, True) for p in HALVES[0]) + " |" for row in range(ROWS)]
    lower = ["|" + "".join(cell(p, row, False) for p in HALVES[1]) + " |" for row in reversed(range(ROWS))]
    middle = "|" + " " * 18 + "|   |" + " " * 19 + "|"
    counts = [f"{name}: {pips(side)} pips, {side[0]} off" for name, side in (("O", o), ("X", x))]
    words = [*counts, *stakes(game, s), status(game, s)]
    return "\n".join([edge(HALVES[0]), *upper, middle, *lower, edge(HALVES[1]), *words])


def svg(game: Any, s: State) -> str:
    """The board as a picture, with the men that are off at the right."""
    x, o = sides(s)
    width, height = SIZE * 15, SIZE * 13
    parts = [
        drawing.shape("rect", x=0, y=0, width=width, height=height, fill=COLOURS["bar"]),
        *(
            drawing.shape("rect", x=SIZE * left, y=SIZE, width=SIZE * 6, height=SIZE * 10, fill=COLOURS["board"], stroke=COLOURS["line"])
            for left in (0.5, 7.5)
        ),
    ]
    for points, upper in zip(HALVES, (True, False), strict=True):
        base, way = (SIZE, 1) if upper else (SIZE * 11, -1)
        for column, point in enumerate(points):
            middle = SIZE * (column + 1)
            if point != BAR:
                corners = f"{middle - SIZE / 2:g},{base} {middle + SIZE / 2:g},{base} {middle:g},{base + way * SIZE * 4.5:g}"
                parts.append(drawing.shape("polygon", points=corners, fill=COLOURS["dark" if column % 2 else "light"]))
                name = str(BAR - point if s.turn else point)
                parts.append(drawing.text(middle, base - way * SIZE * 0.4, name, 13, fill=COLOURS["light"]))
            who, men = men_at(x, o, point, upper)
            parts += _stack(who, men, middle, base, way)
        who, side = ("O", o) if upper else ("X", x)
        parts += _stack(who, side[0], SIZE * 14.2, base, way)
    words = "; ".join([*stakes(game, s), status(game, s)])
    parts.append(drawing.text(width / 2, SIZE * 12.4, words, 16, fill=COLOURS["light"]))
    return drawing.svg(width, height, parts, f"backgammon, {words}")


def _stack(who: str, men: int, middle: float, base: float, way: int) -> list[str]:
    """So many men one on another, from an edge of the board inwards; the number tells how many when not all have room."""
    r = SIZE * 0.45
    at = [base + way * SIZE * (0.5 + 0.92 * i) for i in range(min(men, ROWS))]
    drawn = [drawing.shape("circle", cx=middle, cy=y, r=r, fill=COLOURS[who], stroke=COLOURS["line"], stroke_width=2) for y in at]
    if men > ROWS:
        drawn.append(drawing.text(middle, at[-1], str(men), 16, fill=COLOURS["O" if who == "X" else "line"]))
    return drawn
