"""What is decided in Hex before the edges are joined: connections that cannot be broken, and cells that do not matter.

A *connection* is a row of chains from one edge to the other whose gaps can all be kept closed at once, because no two of them share a
free cell. A gap is two free cells, a *bridge*: if the other takes one, take the other one. Between the third row and an edge it may
also be a *ziggurat*. The free cells of all gaps are the carrier.

A cell is *dead* if a stone there makes no difference, however the rest of the board is filled. Two neighbours are *captured* by a
player who, whichever of them the other takes, makes it dead by taking the second: they are as good as stones of this player.

The player to move must meet every connection that the other threatens to make with one stone: play on its carrier, or take the cell
itself. What is left is the *mustplay*. In it a cell is *dominated* by a neighbour if a stone there makes the cell dead.

Hayward, Bjornsson, Johanson, Kan, Po, van Rijswijck: Solving 7 x 7 Hex with domination, fill-in, and virtual connections (2005).
"""

from __future__ import annotations

from ...bits import ctz, rest
from .board import Board, Cells, Sides

#: a stone on the third row above the bottom, and its carrier: two ways down, beside the stone or by a bridge, that share no cell
ZIGGURATS = (
    ((0, 0), (1, 0), (-1, 1), (0, 1), (1, 1), (-2, 2), (-1, 2), (0, 2), (1, 2)),
    ((0, 0), (-1, 0), (-2, 1), (-1, 1), (0, 1), (-3, 2), (-2, 2), (-1, 2), (0, 2)),
)


class Connections(Board):
    """What is known of connections on a board of Hex."""

    def __init__(self, size: int):
        super().__init__(size)
        self.third: tuple[Cells, ...] = ()  # the third row from each edge
        self.ziggurats: tuple[Cells, ...] = ()  # the carriers of its cells from the left or the top: two each, the board if there is none
        for edge in range(4):
            row = [(x, size - 3) for x in range(size)]
            self.third += (self.packed(i for i in self.turned(edge, row) if i >= 0),)
            for x, y in row if edge % 2 else row[::-1]:
                for shape in ZIGGURATS:
                    cells = self.turned(edge, [(x + dx, y + dy) for dx, dy in shape])
                    self.ziggurats += (self.packed(cells[1:]) if min(cells) >= 0 else self.board,)

    def turned(self, edge: int, places: list[tuple[int, int]]) -> list[int]:
        """The cells at these places (x, y) if what is the bottom here is this edge; -1 outside of the board."""
        n = self.size
        if edge % 2 == 0:
            places = [(n - 1 - x, n - 1 - y) for x, y in places]
        if edge > 1:
            places = [(y, x) for x, y in places]
        return [y * n + x if 0 <= x < n and 0 <= y < n else -1 for x, y in places]

    # ---- what must be played -----------------------------------------------------------------

    def mustplay(self, mine: Cells, theirs: Cells, turn: int) -> Cells:
        """Free cells of which one wins for the player to move, if any does: none if all are known to lose, one if it is known to win."""
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
                if self.connection(self.either(mine, stone), self.without(free, stone), turn)[0]:
                    return stone
        region = free
        threats = self.between(theirs, free, 1 - turn)
        for i in range(self.words):
            word = threats[i]
            while word:
                stone = self.cell(64 * i + ctz(word))
                word = rest(word)
                found, carrier = self.connection(self.either(theirs, stone), self.without(free, stone), 1 - turn)
                if found:
                    region = tuple(x & (y | z) for x, y, z in zip(region, carrier, stone))
        return self.undominated(region, mine, theirs, turn)

    def undominated(self, region: Cells, own: Cells, other: Cells, turn: int) -> Cells:
        """The region without dead cells, and without those that are dominated by one that is in it, or that loses as it is not."""
        lost = self.without(self.outside(own, other), region)
        region = self.without(region, self.dead(self.around(own, turn), self.around(other, 1 - turn)))
        killed = self.killed(own, other, turn)
        for k in range(6):  # one direction at a time: on a line domination does not go round in a circle, so that no last one is left out
            by = self.sides(self.either(region, lost))[k]
            region = tuple(x & ~(y & z) for x, y, z in zip(region, killed[k], by))
        return region

    # ---- connections -------------------------------------------------------------------------

    def connection(self, own: Cells, free: Cells, turn: int) -> tuple[bool, Cells]:
        """Whether this player's edges are known to be connected, whoever is to move, and the carrier."""
        edge, goal = self.edges[2 * turn], self.edges[2 * turn + 1]
        first = self.flooded(self.common(own, edge), own)
        last = self.flooded(self.common(own, goal), own)
        aims = self.common(self.either(self.near(last), goal), free)
        found, carrier, _ = self.extended(first, edge, last, aims, self.without(own, first), free, self.none, turn)
        return found, carrier

    def extended(
        self, chain: Cells, edge: Cells, last: Cells, aims: Cells, others: Cells, free: Cells, carrier: Cells, turn: int
    ) -> tuple[bool, Cells, Cells]:
        """Whether a connection goes on from this chain (with the edge, at first) to the last one, its carrier, and the stones not tried.

        Depth first, each of the other chains once: so not every connection is found, but the time is bounded.
        """
        if any(x & y != 0 for x, y in zip(chain, last)):
            return True, carrier, others
        hands = self.common(self.either(self.near(chain), edge), free)
        gap = self.first_two(self.common(hands, aims))
        if all(x == 0 for x in gap):
            gap = self.ziggurat(chain, free, 2 * turn + 1)
        if any(x != 0 for x in gap):
            return True, self.either(carrier, gap), others
        is_edge = any(x != 0 for x in edge)
        waiting = others if is_edge else self.common(self.near_two(hands), others)
        while any(x != 0 for x in waiting):
            group = self.flooded(self.first(waiting), others)
            waiting = self.without(waiting, group)
            gap = self.first_two(self.common(self.near(group), hands))
            if is_edge and all(x == 0 for x in gap):
                gap = self.ziggurat(group, free, 2 * turn)
            if any(x != 0 for x in gap):
                left, beyond, used = self.without(free, gap), self.without(aims, gap), self.either(carrier, gap)
                found, whole, others = self.extended(group, self.none, last, beyond, self.without(others, group), left, used, turn)
                if found:
                    return True, whole, others
                waiting = self.common(waiting, others)
        return False, carrier, others

    def ziggurat(self, chain: Cells, free: Cells, edge: int) -> Cells:
        """The cells of a ziggurat that connects the chain to this edge; empty if there is none."""
        for i in range(self.words):
            word = chain[i] & self.third[edge][i]
            while word:
                at = 64 * i + ctz(word)
                word = rest(word)
                k = 2 * (edge * self.size + (at % self.size if edge < 2 else at // self.size))
                for j in range(k, k + 2):
                    if all(x & ~y == 0 for x, y in zip(self.ziggurats[j], free)):
                        return self.ziggurats[j]
        return self.none

    def between(self, own: Cells, free: Cells, turn: int) -> Cells:
        """The free cells that are linked to both edges of this player: only a stone there can connect them."""
        return self.common(free, self.common(self.linked(own, free, 2 * turn), self.linked(own, free, 2 * turn + 1)))

    def linked(self, own: Cells, free: Cells, edge: int) -> Cells:
        """The cells from which gaps, whether they share cells or not, lead to this edge by way of own stones."""
        above = self.none
        for i in range(self.words):
            word = self.third[edge][i]
            while word:
                stone = self.cell(64 * i + ctz(word))
                word = rest(word)
                if any(x != 0 for x in self.ziggurat(stone, free, edge)):
                    above = self.either(above, stone)
        group = self.none
        while True:
            _, reached = self.reach(group, self.edges[edge], free)
            grown = tuple(x | (y | z) & w for x, y, z, w in zip(group, reached, above, own))
            if all(x == y for x, y in zip(grown, group)):
                return self.either(reached, above)
            group = grown

    # ---- cells that do not matter ------------------------------------------------------------

    def filled(self, mine: Cells, theirs: Cells, turn: int) -> tuple[Cells, Cells]:
        """The stones of both, with what they have captured."""
        while True:
            new = self.captured(mine, theirs, turn)
            mine = self.either(mine, new)
            more = self.captured(theirs, mine, 1 - turn)
            theirs = self.either(theirs, more)
            if all(x | y == 0 for x, y in zip(new, more)):
                return mine, theirs

    def captured(self, own: Cells, other: Cells, turn: int) -> Cells:
        """The free cells that this player has captured."""
        killed = self.killed(own, other, turn)
        found = self.none
        for k in range(6):  # the neighbour in one direction, whose neighbour in the opposite direction is the cell
            second = self.sides(killed[(k + 3) % 6])[k]
            found = tuple(x | y & z for x, y, z in zip(found, killed[k], second))
        return found

    def killed(self, own: Cells, other: Cells, turn: int) -> Sides:
        """The free cells that a stone of this player in each direction beside them would make dead."""
        a, b, c, d, e, f = self.around(own, turn)
        x, free, every = self.around(other, 1 - turn), self.outside(own, other), self.board
        return (
            self.common(free, self.dead((every, b, c, d, e, f), x)),
            self.common(free, self.dead((a, every, c, d, e, f), x)),
            self.common(free, self.dead((a, b, every, d, e, f), x)),
            self.common(free, self.dead((a, b, c, every, e, f), x)),
            self.common(free, self.dead((a, b, c, d, every, f), x)),
            self.common(free, self.dead((a, b, c, d, e, every), x)),
        )

    def dead(self, own: Sides, other: Sides) -> Cells:
        """The cells that are dead if these have stones of the players beside them.

        Four in a row are of one player; or three, and the one opposite to them of the other; or two, and the two opposite of the other.
        The remaining neighbours then touch each other or one and the same stone: no way from one of them to another needs the cell.
        """
        found = self.none
        for k in range(6):
            a, b, c, d, e = own[k], own[(k + 1) % 6], own[(k + 2) % 6], own[(k + 3) % 6], own[(k + 4) % 6]
            g, h, i, j, m = other[k], other[(k + 1) % 6], other[(k + 2) % 6], other[(k + 3) % 6], other[(k + 4) % 6]
            found = tuple(
                found[n] | a[n] & b[n] & (c[n] & (d[n] | m[n]) | j[n] & m[n]) | g[n] & h[n] & i[n] & (j[n] | e[n])
                for n in range(self.words)
            )
        return found
