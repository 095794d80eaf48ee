"""Hearts: four players with hidden hands, three cards passed on, points to be avoided."""

from __future__ import annotations

from ..bits import FULL, bit, clz, ctz, i64, nth, popcount, rest, u64
from ..errors import ZermeloError
from ..rng import below, draw
from ._tricks import CARD, CARDS, DEALS, PASSED, State, Tricks

__all__ = ["Hearts", "State"]

HEARTS, ONLY_HEARTS = 1, 0b1101  # the suit, and all others as a set
QUEEN = 10  # of spades, the first suit
QUEEN_POINTS, ALL_POINTS = 13, 26
PASSING = {"none": 0, "left": 1, "across": 2, "right": 3}  # how many seats further cards are passed
SLOT = (1 << CARD) - 1


class Hearts(Tricks):
    """Hearts for four: each heart taken is a point, the queen of spades 13; who takes all 26 gives 26 to each of the others instead.

    First each player passes three cards, unseen by the others, and receives three when all have chosen. They choose in turn, each its
    cards in ascending order, so that every choice of three is one sequence of actions. There is no trump, and player 0 leads first. Hearts
    may be led when one was played, or by a player who holds nothing else. A player gets the mean of the others' points less its own.
    """

    value_range = (-26.0, 26.0)

    def __init__(self, passing: str = "left") -> None:
        if passing not in PASSING:
            raise ZermeloError(f"hearts: expected passing {', '.join(PASSING)}, not {passing!r}")
        self.prepare(4, 4, 13, 0, -1)
        self.hearts = self.suit[HEARTS]
        self.seats = PASSING[passing]
        self.passed = 4 * PASSED if self.seats else 0
        known = [{p} | ({(p - self.seats) % 4} if over else set()) for p in range(4) for over in (False, True)]
        self.views = tuple(self._seen_words({i for i in range(self.passed) if i // PASSED in some}) for some in known)

    def _seen_words(self, slots: set[int]) -> tuple[int, ...]:
        """Masks of the words of what was chosen and played that leave of the cards passed only these."""
        found = [FULL] * len(self.initial().plays)
        for i in set(range(self.passed)) - slots:
            found[i // CARDS] &= ~(SLOT << CARD * (i % CARDS))
        return tuple(found)

    def worth(self, s: State, a: int) -> int:
        """The points in the trick that card a completes."""
        points = self.points(a)
        for card in s.trick:
            points += self.points(card)
        return points

    def points(self, card: int) -> int:
        """What a card counts."""
        return 1 if card // self.ranks == HEARTS else QUEEN_POINTS if card == QUEEN else 0

    def led(self, s: State, cards: u64) -> u64:
        """Anything but hearts, unless one was played or there is nothing else."""
        others = cards & (FULL ^ self.hearts)
        return others if others != 0 and not self.is_broken(s) else cards

    def is_broken(self, s: State) -> bool:
        """Whether a heart was played."""
        return self.cards_of(s) & self.hearts != self.hearts

    def shown_lacks(self, s: State, a: int) -> int:
        """The suit led if the card is of another; all but hearts if these are led too early."""
        suit = a // self.ranks
        if s.trick[0] < 0:
            return ONLY_HEARTS if suit == HEARTS and not self.is_broken(s) else 0
        return 0 if suit == s.trick[0] // self.ranks else 1 << s.trick[0] // self.ranks

    # ---- passing ---------------------------------------------------------------------------------

    def passable(self, s: State, cards: u64) -> u64:
        """The cards after the last one chosen, but for those without which fewer than three can be chosen."""
        k = s.played % PASSED
        if k > 0:
            n = self.slot(s, s.played - 1) + 1
            cards = cards >> n << n
        for _ in range(2 - k):
            cards ^= bit(63 - clz(cards))
        return cards

    def slot(self, s: State, i: int) -> int:
        """Card i of those that were chosen and played."""
        return i64(s.plays[i // CARDS] >> CARD * (i % CARDS) & SLOT)

    def gift(self, s: State, q: int) -> u64:
        """The cards that player q has chosen to pass so far."""
        cards = u64(0)
        for i in range(PASSED * q, PASSED * q + PASSED):
            if i < min(s.played, self.passed):
                cards |= bit(self.slot(s, i))
        return cards

    def given_away(self, s: State) -> State:
        """The state after a card was chosen; when all are, they change hands."""
        if s.played < self.passed:
            return s
        return s._replace(hands=tuple(h ^ self.gift(s, q) ^ self.gift(s, (q - self.seats) % 4) for q, h in enumerate(s.hands)))

    def observe(self, s: State, p: int) -> State:
        """The own cards, those that p passed on and received, and all that was played."""
        view = self.views[2 * p + 1 if s.played >= self.passed else 2 * p]
        plays = tuple(w & view[k] for k, w in enumerate(s.plays))
        return s._replace(hands=tuple(h if q == p else 0 for q, h in enumerate(s.hands)), plays=plays)

    def with_slot(self, plays: tuple[u64, ...], i: int, card: int) -> tuple[u64, ...]:
        """What was chosen and played, with another card i."""
        clear, put = FULL ^ (u64(SLOT) << CARD * (i % CARDS)), u64(card) << CARD * (i % CARDS)
        return tuple((w & clear) | put if k == i // CARDS else w for k, w in enumerate(plays))

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Deal the cards that p does not see again, but those that p passed on; others may have passed any cards."""
        to, is_over = (p + self.seats) % 4, s.played >= self.passed
        known = self.gift(s, p) & s.hands[to] if is_over and self.seats > 0 else u64(0)
        t = self.dealt_behind(s._replace(hands=tuple(h ^ known if q == to else h for q, h in enumerate(s.hands))), p, seed)
        t = t._replace(hands=tuple(h | known if q == to else h for q, h in enumerate(t.hands)))
        for q in range(4 if self.seats > 0 else 0):
            is_known = q == p or (is_over and q == (p - self.seats) % 4)
            if not is_known and s.played > PASSED * q:
                t = self.passed_anything(t, q, seed)
        return t

    def passed_anything(self, s: State, q: int, seed: u64) -> State:
        """The state if player q has chosen other cards to pass: any three, as far as it has chosen."""
        to, chosen = (q + self.seats) % 4, u64(0)
        cards = s.hands[to] | self.played_by(s, to) if s.played >= self.passed else s.hands[q]
        for i in range(PASSED * q, PASSED * q + PASSED):
            left = cards & ~chosen
            chosen |= bit(nth(left, below(draw(seed, u64(DEALS + 1 + i)), popcount(left))))
        for i in range(PASSED * q, PASSED * q + PASSED):
            if i < s.played:
                s = s._replace(plays=self.with_slot(s.plays, i, ctz(chosen)))
            chosen = rest(chosen)
        return s

    def played_by(self, s: State, p: int) -> u64:
        """The cards that player p has played."""
        cards, leader, first, best = u64(0), 0, 0, 0
        for i in range(self.passed, s.played):
            card, at = self.slot(s, i), (i - self.passed) % 4
            if at == 0:
                best, first = card, leader
            if (first + at) % 4 == p:
                cards |= bit(card)
            if at == 0 or self.beats(card, best):  # the winner leads to the next trick
                best, leader = card, (first + at) % 4
        return cards

    # ---- points ----------------------------------------------------------------------------------

    def penalty(self, s: State, p: int) -> int:
        """The points of a player, those for taking all among them."""
        for q, points in enumerate(s.scores):
            if points == ALL_POINTS:
                return 0 if q == p else ALL_POINTS
        return s.scores[p]

    def utility(self, s: State, p: int) -> float:
        total = 0
        for q in range(self.players):
            total += self.penalty(s, q)
        return (total - self.penalty(s, p)) / 3 - self.penalty(s, p)

    def evaluate(self, s: State, p: int) -> float:
        """The points so far."""
        return self.utility(s, p)

    # ---- text ------------------------------------------------------------------------------------

    def announce(self, s: State, a: int, p: int) -> str:
        """What is played is seen by all; what is dealt or passed is not."""
        is_passed = s.played < self.passed and p != self.to_move(s)
        return "" if s.dealt < self.deck or is_passed else self.card_name(a)

    def as_dealt(self, s: State, hands: list[int]) -> list[int]:
        """The hands before cards were passed."""
        if s.played < self.passed:
            return hands
        return [h & ~self.gift(s, (q - self.seats) % 4) | self.gift(s, q) for q, h in enumerate(hands)]

    def headline(self, s: State) -> str:
        """The points so far."""
        return f"points {' '.join(map(str, s.scores))}"
