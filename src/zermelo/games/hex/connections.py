"""What is decided in Hex before the edges are joined: connections that cannot be broken, and cells that do not matter.

A *connection* is a chain of stones, from one edge to the other, whose gaps each have two free cells: if the other takes one, take
the other one of the two. No two gaps share a cell, so all can be kept closed at once. The free cells of the gaps are its carrier.

A cell is *dead* if no way of filling the board makes a difference there, and two neighbours are *captured* by a player who, whichever
of them the other takes, makes it dead by taking the second: they are as good as stones of this player.

The player to move must play where every connection that the other threatens with one stone is met: the *mustplay*. One cell is as
good as another, or better, if a stone there makes the other dead: *domination*.

Hayward, Bjornsson, Johanson, Kan, Po and van Rijswijck, "Solving 7x7 Hex with domination, fill-in, and virtual connections" (2005).
"""

from __future__ import annotations

from ...bits import FULL, ctz, popcount, rest, u64
from .board import Board, Cells, Sides


#: on the third row from the bottom: the stone, and the free cells by which it is connected, those of two ways that share no cell
ZIGGURATS = (
    ((0, 0), (1, 0), (-1, 1), (0, 1), (1, 1), (-2, 2), (-1, 2), (0, 2), (1, 2)),
    ((0, 0), (-1, 0), (-2, 1), (-1, 1), (0, 1), (-3, 2), (-2, 2), (-1, 2), (0, 2)),
)


class Connections(Board):
    """What is known of connections on a board of Hex."""

    def __init__(self, size: int):
        super().__init__(size)
        self.third, self.ziggurats, self.places = (), (), ()
        self.edges = (self.top, self.bottom, self.left, self.right)
        for edge in range(4):
            row = [(x, size - 3) for x in range(size)]
            self.places += tuple(sorted(self.placed(edge, row)))
            self.third += (self.packed(i for i in self.placed(edge, row) if i >= 0),)
            for x, y in row if edge % 2 else row[::-1]:
                for shape in ZIGGURATS:
                    cells = self.placed(edge, [(x + dx, y + dy) for dx, dy in shape])
                    self.ziggurats += (self.packed(cells[1:]) if min(cells) >= 0 else self.board,)  # the board is never free

    def placed(self, edge: int, places: list[tuple[int, int]]) -> list[int]:
        """The cells at these places if the bottom is turned to the top, the bottom, the left or the right (0 to 3); -1 outside of the board."""
        n = self.size
        if edge % 2 == 0:
            places = [(n - 1 - x, n - 1 - y) for x, y in places]
        if edge > 1:
            places = [(y, x) for x, y in places]
        return [y * n + x if 0 <= x < n and 0 <= y < n else -1 for x, y in places]

    def mustplay(self, mine: Cells, theirs: Cells, turn: int) -> Cells:
        """Free cells of which one wins for the player to move, if any does: none if there is no such cell, and one if it is known."""
        empty = self.outside(mine, theirs)
        mine, theirs = self.filled(mine, theirs, turn)
        free = self.outside(mine, theirs)
        if self.connection(theirs, free, 1 - turn)[0]:
            return self.none
        if self.connection(mine, free, turn)[0]:
            return self.first(empty)
        winning = self.between(mine, free, turn)
        for i in range(self.words):
            word = winning[i]
            while word:
                stone = self.cell(64 * i + ctz(word))
                word = rest(word)
                if self.connection(self.both(mine, stone), self.without(free, stone), turn)[0]:
                    return stone
        region = free
        threats = self.between(theirs, free, 1 - turn)
        for i in range(self.words):
            word = threats[i]
            while word:
                stone = self.cell(64 * i + ctz(word))
                word = rest(word)
                found, carrier = self.connection(self.both(theirs, stone), self.without(free, stone), 1 - turn)
                if found:
                    region = tuple(x & (y | z) for x, y, z in zip(region, carrier, stone))
        return self.undominated(region, mine, theirs, turn)

    def between(self, own: Cells, free: Cells, turn: int) -> Cells:
        """Free cells that are linked to both edges of this player, so that a stone there may connect them."""
        near, far = self.linked(own, free, 2 * turn), self.linked(own, free, 2 * turn + 1)
        return tuple(x & y & z for x, y, z in zip(near, far, free))

    def linked(self, own: Cells, free: Cells, edge: int) -> Cells:
        """The cells that are linked to this edge, by way of own stones or not, though links may share cells."""
        group, start = self.none, self.edges[edge]
        third = self.none
        for k in range(self.size):
            for hand in range(2):
                carrier = self.ziggurats[(edge * self.size + k) * 2 + hand]
                if all(x & ~y == 0 for x, y in zip(carrier, free)):
                    at = self.places[edge * self.size + k]
                    third = self.both(third, self.cell(at))
        while True:
            _, reached = self.reach(group, start, free)
            reached = self.both(reached, third)
            grown = tuple(x | y & z for x, y, z in zip(group, reached, own))
            if all(x == y for x, y in zip(grown, group)):
                return reached
            group = grown

    def connection(self, own: Cells, free: Cells, turn: int) -> tuple[bool, Cells]:
        """Whether this player's edges are connected, whoever is to move, and the carrier."""
        edge = self.top if turn == 0 else self.left
        goal = self.bottom if turn == 0 else self.right
        chain = self.flooded(tuple(x & y for x, y in zip(own, edge)), own)
        last = self.flooded(tuple(x & y for x, y in zip(own, goal)), own)
        beside = self.near(last)
        aims = tuple((x | y) & z for x, y, z in zip(beside, goal, free))
        found, carrier, _ = self.extended(chain, edge, last, aims, self.without(own, chain), free, self.none, turn)
        return found, carrier

    def extended(
        self, chain: Cells, edge: Cells, last: Cells, aims: Cells, others: Cells, free: Cells, carrier: Cells, turn: int
    ) -> tuple[bool, Cells, Cells]:
        """Whether a connection goes on from this chain (and this edge) by way of the other stones, its carrier, and the stones not tried."""
        if any(x & y != 0 for x, y in zip(chain, last)):
            return True, carrier, others
        beside = self.near(chain)
        hands = tuple((x | y) & z for x, y, z in zip(beside, edge, free))
        gap = self.first_two(tuple(x & y for x, y in zip(hands, aims)))
        if sum(popcount(x) for x in gap) < 2:
            gap = self.ziggurat(chain, free, 2 * turn + 1)
        if any(x != 0 for x in gap):
            return True, self.both(carrier, gap), others
        is_edge = any(x != 0 for x in edge)
        waiting = others
        if not is_edge:
            reached = self.near_two(hands)
            waiting = tuple(x & y for x, y in zip(reached, others))
        while any(x != 0 for x in waiting):
            group = self.flooded(self.first(waiting), others)
            waiting = self.without(waiting, group)
            beside = self.near(group)
            gap = self.first_two(tuple(x & y for x, y in zip(beside, hands)))
            if is_edge and sum(popcount(x) for x in gap) < 2:
                gap = self.ziggurat(group, free, 2 * turn)
            if any(x != 0 for x in gap):
                others = self.without(others, group)
                left = self.without(free, gap)
                found, whole, others = self.extended(group, self.none, last, self.without(aims, gap), others, left, self.both(carrier, gap), turn)
                if found:
                    return True, whole, others
                waiting = tuple(x & y for x, y in zip(waiting, others))
        return False, carrier, others

    def ziggurat(self, chain: Cells, free: Cells, edge: int) -> Cells:
        """The free cells by which a stone of the chain on the third row is connected to this edge; none if there is no such stone."""
        for i in range(self.words):
            word = chain[i] & self.third[edge][i]
            while word:
                a = 64 * i + ctz(word)
                word = rest(word)
                along = a // self.size if edge > 1 else a % self.size
                for k in range(2):
                    carrier = self.ziggurats[(edge * self.size + along) * 2 + k]
                    if all(x & ~y == 0 for x, y in zip(carrier, free)):
                        return carrier
        return self.none

    # ---- cells that do not matter ------------------------------------------------------------

    def filled(self, mine: Cells, theirs: Cells, turn: int) -> tuple[Cells, Cells]:
        """The stones of both, with what they have captured."""
        while True:
            new = self.captured(mine, theirs, turn)
            mine = self.both(mine, new)
            more = self.captured(theirs, mine, 1 - turn)
            theirs = self.both(theirs, more)
            if all(x | y == 0 for x, y in zip(new, more)):
                return mine, theirs

    def captured(self, own: Cells, other: Cells, turn: int) -> Cells:
        """The free cells that this player has captured by pairs."""
        a, b, c, d, e, f = self.killed(own, other, turn)
        left, above, right_above = self.sides(d)[0], self.sides(e)[1], self.sides(f)[2]
        right, below, left_below = self.sides(a)[3], self.sides(b)[4], self.sides(c)[5]
        return tuple(
            a[i] & left[i] | b[i] & above[i] | c[i] & right_above[i] | d[i] & right[i] | e[i] & below[i] | f[i] & left_below[i]
            for i in range(self.words)
        )

    def undominated(self, region: Cells, own: Cells, other: Cells, turn: int) -> Cells:
        """The region without dead cells, and without those that a cell beside them dominates which is in it, or is known to lose."""
        free = self.outside(own, other)
        lost = self.without(free, region)
        x, y = self.around(own, turn), self.around(other, 1 - turn)
        region = tuple(
            r & ~dead(x[0][i], x[1][i], x[2][i], x[3][i], x[4][i], x[5][i], y[0][i], y[1][i], y[2][i], y[3][i], y[4][i], y[5][i])
            for i, r in enumerate(region)
        )
        a, b, c, d, e, f = self.killed(own, other, turn)
        # one direction after the other: along a line nothing goes round in a circle, so the last cell of each row of them is kept
        region = self.without(region, tuple(k & z for k, z in zip(a, self.sides(self.both(region, lost))[0])))
        region = self.without(region, tuple(k & z for k, z in zip(b, self.sides(self.both(region, lost))[1])))
        region = self.without(region, tuple(k & z for k, z in zip(c, self.sides(self.both(region, lost))[2])))
        region = self.without(region, tuple(k & z for k, z in zip(d, self.sides(self.both(region, lost))[3])))
        region = self.without(region, tuple(k & z for k, z in zip(e, self.sides(self.both(region, lost))[4])))
        return self.without(region, tuple(k & z for k, z in zip(f, self.sides(self.both(region, lost))[5])))

    def killed(self, own: Cells, other: Cells, turn: int) -> Sides:
        """The free cells that a stone of this player beside them makes dead: one to the left, and so on in a circle."""
        x, y, free = self.around(own, turn), self.around(other, 1 - turn), self.outside(own, other)
        a, b, c, d, e, f = x
        g, h, j, k, m, n = y
        return (
            tuple(free[i] & dead(FULL, b[i], c[i], d[i], e[i], f[i], g[i], h[i], j[i], k[i], m[i], n[i]) for i in range(self.words)),
            tuple(free[i] & dead(a[i], FULL, c[i], d[i], e[i], f[i], g[i], h[i], j[i], k[i], m[i], n[i]) for i in range(self.words)),
            tuple(free[i] & dead(a[i], b[i], FULL, d[i], e[i], f[i], g[i], h[i], j[i], k[i], m[i], n[i]) for i in range(self.words)),
            tuple(free[i] & dead(a[i], b[i], c[i], FULL, e[i], f[i], g[i], h[i], j[i], k[i], m[i], n[i]) for i in range(self.words)),
            tuple(free[i] & dead(a[i], b[i], c[i], d[i], FULL, f[i], g[i], h[i], j[i], k[i], m[i], n[i]) for i in range(self.words)),
            tuple(free[i] & dead(a[i], b[i], c[i], d[i], e[i], FULL, g[i], h[i], j[i], k[i], m[i], n[i]) for i in range(self.words)),
        )

    # ---- sets --------------------------------------------------------------------------------

    def outside(self, own: Cells, other: Cells) -> Cells:
        """The cells of neither set."""
        return tuple(b ^ (x | y) for b, x, y in zip(self.board, own, other))

    def both(self, some: Cells, more: Cells) -> Cells:
        """The cells of either set."""
        return tuple(x | y for x, y in zip(some, more))

    def without(self, some: Cells, less: Cells) -> Cells:
        """The cells of the first set that are not in the second."""
        return tuple(x & ~y for x, y in zip(some, less))

    def first(self, cells: Cells) -> Cells:
        """The first cell of the set, which is not empty."""
        found = self.none
        for i in range(self.words):
            if cells[i] != 0 and all(x == 0 for x in found):
                found = self.cell(64 * i + ctz(cells[i]))
        return found

    def first_two(self, cells: Cells) -> Cells:
        """The first two cells of the set, or as many as it has."""
        found = self.none
        n = 0
        for i in range(self.words):
            word = cells[i]
            while word != 0 and n < 2:
                found = self.both(found, self.cell(64 * i + ctz(word)))
                word = rest(word)
                n += 1
        return found


def dead(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64, j: u64, k: u64, m: u64, n: u64) -> u64:
    """The cells that are dead, if these have stones of one player around them (a to f in a circle), and these of the other (g to n).

    Four in a row are of one player; or three are, and the one opposite to them the other's; or two are, and the two opposite
    the other's. What remains around the cell are then neighbours of each other, or of one and the same stone, so that no way to anywhere needs the cell.
    """
    ab, bc, cd, de, ef, fa = a & b, b & c, c & d, d & e, e & f, f & a
    gh, hj, jk, km, mn, ng = g & h, h & j, j & k, k & m, m & n, n & g
    four = ab & cd | bc & de | cd & ef | de & fa | ef & ab | fa & bc | gh & jk | hj & km | jk & mn | km & ng | mn & gh | ng & hj
    three = ab & c & m | bc & d & n | cd & e & g | de & f & h | ef & a & j | fa & b & k
    third = gh & j & e | hj & k & f | jk & m & a | km & n & b | mn & g & c | ng & h & d
    return four | three | third | ab & km | bc & mn | cd & ng | de & gh | ef & hj | fa & jk
