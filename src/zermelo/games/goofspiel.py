"""Goofspiel: equal hands, and a prize a trick for the higher bid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import FULL, bit, clz, ctz, i8, i16, lowest, popcount, rest, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below, draw

ORDERS = ("descending", "ascending", "random")
NAMES = "A23456789TJQK"
SWAPS = 64  # of two cards, when a state is resampled


class State(NamedTuple):
    """The cards left, and all tricks so far, four bits a card, the first trick lowest."""

    hands: tuple[u64, u64]  # a bit for each card, bit 0 for the lowest
    prizes: u64  # a bit for each prize that is not yet shown
    shown: u64  # the prizes so far, the one to be won last, each more by one
    bids: tuple[u64, u64]  # of each player, each more by one; player 0 may be one ahead
    tricks: i8  # that are over
    points: tuple[i16, i16]


class Goofspiel(Game):
    """Both players hold the cards 1 to `cards`; prizes of the same values come up in some order, and each is won by the higher bid.

    Both bid at once: player 0 first, and player 1 does not see it. If bids are equal nobody gets the prize. Whoever has more
    points at the end wins. `order` is that of the prizes: descending, ascending or random. If the bids are `hidden`, players
    learn only who won each trick. A card is an action, less by one.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-1.0, 1.0)

    def __init__(self, cards: int = 4, order: str = "descending", hidden: bool = False):
        if not isinstance(cards, int) or not 2 <= cards <= len(NAMES):
            raise ZermeloError(f"goofspiel: expected 2 to {len(NAMES)} cards, not {cards}")
        if order not in ORDERS:
            raise ZermeloError(f"goofspiel: expected the order to be one of {', '.join(ORDERS)}, not '{order}'")
        self.cards, self.is_random, self.is_ascending = cards, order == "random", order == "ascending"
        self.has_chance, self.is_hidden = self.is_random, bool(hidden)

    def initial(self) -> State:
        hand = (1 << self.cards) - 1
        s = State((hand, hand), hand, 0, (0, 0), 0, (0, 0))
        return s if self.is_random else self.with_prize(s, 0 if self.is_ascending else self.cards - 1)

    def with_prize(self, s: State, prize: int) -> State:
        """The state in which this prize is to be won."""
        return s._replace(prizes=s.prizes & ~bit(prize), shown=s.shown | u64(prize + 1) << 4 * s.tricks)

    def is_deal(self, s: State) -> bool:
        """Whether a prize is to be shown."""
        return self.is_random and s.tricks < self.cards and s.shown >> 4 * s.tricks == 0

    def has_bid(self, s: State) -> bool:
        """Whether player 0 has bid in this trick."""
        return s.bids[0] >> 4 * s.tricks != 0

    def to_move(self, s: State) -> int:
        if self.is_deal(s):
            return CHANCE
        return 1 if self.has_bid(s) else 0

    def actions(self, s: State) -> Iterator[int]:
        cards = s.prizes if self.is_deal(s) else s.hands[1 if self.has_bid(s) else 0]
        while cards:
            yield ctz(cards)
            cards = rest(cards)

    def result(self, s: State, a: int) -> State:
        if self.is_deal(s):
            return self.with_prize(s, a)
        mark = u64(a + 1) << 4 * s.tricks
        if not self.has_bid(s):
            return s._replace(hands=(s.hands[0] & ~bit(a), s.hands[1]), bids=(s.bids[0] | mark, s.bids[1]))
        other, prize = self.card(s.bids[0], s.tricks), self.card(s.shown, s.tricks)
        points = (s.points[0] + (prize if other > a + 1 else 0), s.points[1] + (prize if a + 1 > other else 0))
        hands, bids = (s.hands[0], s.hands[1] & ~bit(a)), (s.bids[0], s.bids[1] | mark)
        t = State(hands, s.prizes, s.shown, bids, s.tricks + 1, points)
        if self.is_random or t.tricks == self.cards:
            return t
        return self.with_prize(t, t.tricks if self.is_ascending else self.cards - 1 - t.tricks)

    def card(self, word: u64, trick: int) -> int:
        """The card of a trick, from 1."""
        return int(word >> 4 * trick & 15)

    def is_terminal(self, s: State) -> bool:
        return s.tricks == self.cards

    def utility(self, s: State, p: int) -> float:
        mine, theirs = s.points[p], s.points[1 - p]
        return 1.0 if mine > theirs else -1.0 if mine < theirs else 0.0

    def evaluate(self, s: State, p: int) -> float:
        """The points so far, as a share of all."""
        return (s.points[p] - s.points[1 - p]) / (self.cards * (self.cards + 1) // 2)

    def probability(self, s: State, a: int) -> float:
        return 1.0 / popcount(s.prizes)

    def observe(self, s: State, p: int) -> tuple[u64, u64, u64, int]:
        """The own bids, those of the other in tricks that are over or who won these, the prizes, and whether it is player 1's turn."""
        theirs = s.bids[1 - p] & (bit(4 * s.tricks) - 1)
        return (s.bids[p], self.winners(s) if self.is_hidden else theirs, s.shown, 1 if self.has_bid(s) else 0)

    def winners(self, s: State) -> u64:
        """Who won each trick, four bits each: 1 for player 0, 2 for player 1, 3 for nobody."""
        won = 0
        for trick in range(s.tricks):
            first, second = self.card(s.bids[0], trick), self.card(s.bids[1], trick)
            won |= u64(1 if first > second else 2 if second > first else 3) << 4 * trick
        return won

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Exchange cards that p did not see the other bid or keep, so that the winners of all tricks stay the same."""
        first = 0 if self.is_hidden else s.tricks  # the first trick whose card p did not see
        bid_count = s.tricks + (1 if p == 1 and self.has_bid(s) else 0)
        cards = self.possible_cards(s, p)
        for k in range(SWAPS):
            i = first + below(draw(seed, u64(2 * k)), self.cards - first)
            j = first + below(draw(seed, u64(2 * k + 1)), self.cards - first)
            if self.fits(s, p, cards, i, self.card(cards, j)) and self.fits(s, p, cards, j, self.card(cards, i)):
                change = (cards >> 4 * i ^ cards >> 4 * j) & 15
                cards ^= change << 4 * i
                cards ^= change << 4 * j
        bids, hand = cards & (bit(4 * bid_count) - 1), 0
        for at in range(bid_count, self.cards):
            hand |= bit(self.card(cards, at) - 1)
        if p == 0:
            return s._replace(hands=(s.hands[0], hand), bids=(s.bids[0], bids))
        return s._replace(hands=(hand, s.hands[1]), bids=(bids, s.bids[1]))

    def possible_cards(self, s: State, p: int) -> u64:
        """Cards of the other for all tricks that fit what p saw, always the same: of a trick that p lost unseen the highest, of one
        that it won the lowest that are left."""
        cards, left = u64(0), bit(self.cards) - 1
        for trick in range(s.tricks):
            theirs = self.card(s.bids[1 - p], trick)
            if not self.is_hidden or theirs == self.card(s.bids[p], trick):
                cards, left = cards | u64(theirs) << 4 * trick, left & (FULL ^ bit(theirs - 1))
        for k in range(self.cards if self.is_hidden else 0):
            for trick in range(s.tricks):
                mine, theirs = self.card(s.bids[p], trick), self.card(s.bids[1 - p], trick)
                if (mine == self.cards - k and theirs > mine) or (mine == 1 + k and theirs < mine):
                    card = bit(63 - clz(left)) if theirs > mine else lowest(left)
                    cards, left = cards | u64(ctz(card) + 1) << 4 * trick, left ^ card
        for trick in range(s.tricks, self.cards):
            cards, left = cards | u64(ctz(left) + 1) << 4 * trick, rest(left)
        return cards

    def fits(self, s: State, p: int, cards: u64, at: int, new: int) -> bool:
        """Whether the other's card of a trick can be this one with the same winner; cards of no trick that is over always can."""
        if at >= s.tricks:
            return True
        mine, old = self.card(s.bids[p], at), self.card(cards, at)
        return (new > mine) == (old > mine) and (new < mine) == (old < mine)

    def write_action(self, s: State, a: int) -> str:
        """The card: A (1), 2 ... T, J, Q, K (13)."""
        return NAMES[a]

    def write_state(self, s: State) -> str:
        """Each trick as prize, bid of player 0, bid of player 1: `K:Q2 Q:K`; `-` if no prize was shown."""
        told = []
        for trick in range(self.cards):
            prize, bids = self.card(s.shown, trick), [self.card(word, trick) for word in s.bids]
            if prize:
                told.append(NAMES[prize - 1] + ":" + "".join(NAMES[b - 1] for b in bids if b))
        return " ".join(told) or "-"

    def read_state(self, text: str) -> State:
        """The state that play reaches by these tricks."""
        s = self.initial()
        for name in [c for part in text.split() for c in (part[2:] if not self.is_random else part[:1] + part[2:])]:
            named = {self.write_action(s, a): a for a in self.actions(s)}
            s = self.result(s, named[name]) if name in named else s
        if self.write_state(s) != " ".join(text.split()):
            cards = NAMES[self.cards - 1], NAMES[self.cards - 2]
            raise ZermeloError(
                f"'{text}' is not a state of {self.name}: expected each trick as its prize and the bids on it, "
                f"like {cards[0]}:{cards[1]}A {cards[1]}:{cards[0]}, or - before the first prize"
            )
        return s

    def show(self, s: State) -> str:
        return self.drawn(s, -1)

    def show_to(self, s: State, p: int) -> str:
        return self.drawn(s, p)

    def drawn(self, s: State, viewer: int) -> str:
        """The bids and hands as a player sees them, -1 for one who sees everything."""
        turn = -1 if self.is_terminal(s) else self.to_move(s)
        prize = self.card(s.shown, s.tricks) if s.tricks < self.cards else 0
        rows = [f"prize: {NAMES[prize - 1] if prize else '-'}"]
        for p in range(2):
            bids = [self.card(s.bids[p], trick) for trick in range(self.cards)]
            cards = [NAMES[b - 1] if b else "." for b in bids]
            held = [NAMES[c] if s.hands[p] >> c & 1 else "." for c in range(self.cards)]
            if viewer == 1 - p:
                unseen = [b > 0 and (i >= s.tricks or (self.is_hidden and b != self.card(s.bids[1 - p], i))) for i, b in enumerate(bids)]
                cards = ["?" if is_unseen else card for card, is_unseen in zip(cards, unseen, strict=True)]
                held = ["?" if any(unseen) and NAMES[c] not in cards else card for c, card in enumerate(held)]
            words = f"bids {' '.join(cards)}  holds {' '.join(held)}"
            rows.append(f"player {p}: {s.points[p]:>2} points  {words}" + ("  to bid" if p == turn else ""))
        return "\n".join(rows)
