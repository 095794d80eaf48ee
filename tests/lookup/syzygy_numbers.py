"""The numbers of many positions in Syzygy's tables at once, as arrays: the same as `games/chess/syzygy/numbering.py` for one."""

from __future__ import annotations

import numpy as np

from zermelo.games.chess.endings import FIRSTS, KINDS, TRIANGLE
from zermelo.games.chess.syzygy import numbering
from zermelo.games.chess.syzygy.table import OTHER_COLOUR, PAWN, SyzygyTable

KING = 6
KING_PAIRS = np.zeros((64, 64), np.int64)
for (one, two), i in numbering.KING_PAIRS.items():
    KING_PAIRS[one, two] = i
IN_TRIANGLE, BELOW = np.zeros(64, np.int64), np.zeros(64, np.int64)
for table, places in ((IN_TRIANGLE, numbering.IN_TRIANGLE), (BELOW, numbering.BELOW)):
    for square, i in places.items():
        table[square] = i


def pieces_of(kinds) -> list[int]:
    """The pieces of one of KINDS as Syzygy numbers them, the mover's as White's: kings first."""
    return [KING, KING + OTHER_COLOUR, *(kind + (OTHER_COLOUR if k > 1 else 0) for k, kind in enumerate(kinds) if kind)]


def squares_of(numbers, which):
    """The squares of the pieces of these numbers of our own, as `pieces_of` lists them, and which have a pawn to take en passant."""
    rest, kinds = numbers - FIRSTS[which], [k for k in KINDS[which] if k]
    columns = []
    for _ in range(len(kinds) + 1):
        columns.append(rest & 63)
        rest = rest >> 6
    columns.append((rest >> 2) * 8 + (rest & 3) if PAWN in kinds else np.array(TRIANGLE)[rest])
    found, passing = np.stack(columns[::-1], axis=1), np.zeros(len(numbers), bool)
    for k, piece in enumerate(pieces_of(KINDS[which])):
        if piece == PAWN + OTHER_COLOUR:  # on the first rank: it has just come two squares
            passing |= found[:, k] < 8
            found[:, k] += np.where(found[:, k] < 8, 32, 0)
    return found, passing


def stored_results(table: SyzygyTable, pieces, squares):
    """The results that a table stores of positions with these pieces, of White's view and White to move: -2 to 2."""
    mine, second = sorted(".PNBRQK"[x] for x in pieces if x < OTHER_COLOUR), 0
    if mine != sorted(table.path.stem.split("v")[0]):  # White has the pieces named second: seen from the other side, who then waits
        pieces, squares, second = [x ^ OTHER_COLOUR for x in pieces], squares ^ 56, int(table.sides == 2)
    at = {piece: squares[:, k] for k, piece in enumerate(pieces)}  # each piece is there once
    found = np.zeros(len(squares), np.int64)
    lead = at[table.layouts[0][0].pieces[0]] if table.pawns[0] else np.zeros(len(squares), np.int64)
    file = np.minimum(lead & 7, 7 - (lead & 7)) if table.pawns[0] else lead
    for f in range(len(table.values)):
        some, told = file == f, table.layouts[f][second]
        values = np.frombuffer(table.values_of(f, second), np.uint8).astype(np.int64) - 2
        found[some] = values[numbers_of(told, np.stack([at[piece][some] for piece in told.pieces], axis=1))]
    return found


def numbers_of(told: numbering.Layout, squares):
    """The numbers of positions in which the pieces of a layout, each there once, stand on these squares."""
    if told.pawns[0]:
        squares = np.where(squares[:, :1] & 4 != 0, squares ^ 7, squares)
        firsts = np.zeros(64, np.int64)
        for square, i in numbering.PAWN_NUMBERS[told.pawns[0] - 1][0].items():
            firsts[square] = i
        found = firsts[squares[:, 0]]
    else:
        squares = mirrored(squares, told.groups[0])
        found = three(*squares[:, :3].T) if told.groups[0] == 3 else KING_PAIRS[squares[:, 0], squares[:, 1]]
    found, at = found * told.factors[0], told.groups[0]
    for i, (size, factor) in enumerate(zip(told.groups[1:], told.factors[1:], strict=True), 1):
        assert size == 1
        rank = squares[:, at] - (squares[:, :at] < squares[:, at : at + 1]).sum(axis=1) - (8 if i == 1 and told.pawns[1] else 0)
        found = found + factor * rank
        at += 1
    return found


def above(square):
    return (square >> 3) - (square & 7)


def mirrored(squares, first):
    """The board mirrored so that the first piece stands in the triangle, and the first one off the diagonal below it."""
    flip = np.where(squares[:, 0] & 4 != 0, 7, 0) | np.where(squares[:, 0] & 32 != 0, 56, 0)
    squares, side = squares ^ flip[:, None], np.zeros(len(squares), np.int64)
    for k in range(first):
        side = np.where(side == 0, above(squares[:, k]), side)
    return np.where(side[:, None] > 0, (squares & 7) << 3 | squares >> 3, squares)


def three(a, b, c):
    """The numbers of three pieces of which there is one each."""
    after_b, after_c = (b > a).astype(np.int64), (c > a).astype(np.int64) + (c > b)
    last = ((a >> 3) * 7 + (b >> 3) - after_b) * 6 + (c >> 3) - after_c
    found = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + last
    found = np.where(above(c) != 0, 6 * 63 * 62 + 4 * 28 * 62 + ((a >> 3) * 7 + (b >> 3) - after_b) * 28 + BELOW[c], found)
    found = np.where(above(b) != 0, 6 * 63 * 62 + ((a >> 3) * 28 + BELOW[b]) * 62 + c - after_c, found)
    return np.where(above(a) != 0, (IN_TRIANGLE[a] * 63 + b - after_b) * 62 + c - after_c, found)
