"""Whist with open hands: two partners against two, tricks to be won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import bit, ctz, i8, nth, popcount, rest, u64
from ..errors import ZermeloError
from ..game import Game
from ..rng import below, draw

SUITS = "SHDC"
RANKS = "23456789TJQKA"


class State(NamedTuple):
    """What the four players hold, the trick on the table, and the tricks won."""

    hands: tuple[u64, ...]  # a bit for each card
    trick: tuple[i8, ...]  # the first three cards of the trick in the order played, -1 where there is none yet
    leader: i8  # who led, or will lead, to this trick
    tricks: tuple[i8, ...]  # won by players 0 and 2, and by 1 and 3


class Whist(Game):
    """Players 0 and 2 against 1 and 3: a suit led must be followed, the highest trump or else the highest of that suit wins.

    The deck has `suits` suits (S, H, D, C) of the `ranks` highest ranks; each player gets `hand`
    cards of it (0: as many as there are for all). `trump` is the index of a suit, -1 for none, and
    `deal` the seed with which the deck is shuffled. All see all cards. An action is the card played:
    suit * ranks + rank. A side gets the tricks it won less those it lost.
    """

    ends_without_actions = True
    players = 4

    def __init__(self, suits: int = 4, ranks: int = 4, hand: int = 0, trump: int = 0, deal: int = 0):
        if not all(isinstance(x, int) for x in (suits, ranks, hand, trump, deal)):
            raise ZermeloError(f"whist: expected whole numbers, not {suits}, {ranks}, {hand}, {trump}, {deal}")
        if not (1 <= suits <= 4 and 1 <= ranks <= 13 and suits * ranks >= 4):
            raise ZermeloError(f"whist: expected 1 to 4 suits of 1 to 13 ranks, 4 cards at least, not {suits} of {ranks}")
        if not 0 <= hand <= suits * ranks // 4:
            raise ZermeloError(f"whist: expected a hand of 1 to {suits * ranks // 4} cards, or 0 for all, not {hand}")
        if not -1 <= trump < suits:
            raise ZermeloError(f"whist: expected trump 0 to {suits - 1}, or -1 for none, not {trump}")
        if not 0 <= deal < 1 << 64:
            raise ZermeloError(f"whist: expected deal to be a whole number of at most 64 bits, not {deal}")
        self.suits, self.ranks, self.trump = suits, ranks, trump
        self.hand = hand or suits * ranks // 4
        self.suit = tuple(((1 << ranks) - 1) << ranks * i for i in range(suits))  # the cards of each suit
        self.dealt = self.shuffled(deal)

    def initial(self) -> State:
        return State(self.dealt, (-1, -1, -1), 0, (0, 0))

    def to_move(self, s: State) -> int:
        return (s.leader + self.played(s)) % 4

    def actions(self, s: State) -> Iterator[int]:
        cards = self.playable(s)
        while cards:
            yield ctz(cards)
            cards = rest(cards)

    def result(self, s: State, a: int) -> State:
        turn, played = self.to_move(s), self.played(s)
        hands = tuple(h ^ bit(a) if p == turn else h for p, h in enumerate(s.hands))
        if played < 3:
            return State(hands, tuple(a if i == played else card for i, card in enumerate(s.trick)), s.leader, s.tricks)
        best, winner = s.trick[0], s.leader
        for i, card in enumerate(s.trick):
            if self.beats(card, best):
                best, winner = card, (s.leader + i) % 4
        if self.beats(a, best):
            winner = turn
        tricks = tuple(n + 1 if side == winner % 2 else n for side, n in enumerate(s.tricks))
        return State(hands, (-1, -1, -1), winner, tricks)

    def is_terminal(self, s: State) -> bool:
        return self.playable(s) == 0

    def utility(self, s: State, p: int) -> float:
        return s.tricks[p % 2] - s.tricks[1 - p % 2]

    def evaluate(self, s: State, p: int) -> float:
        """The tricks so far."""
        return self.utility(s, p)

    def count(self, s: State) -> int:
        return popcount(self.playable(s))

    def sample(self, s: State, random: u64) -> int:
        cards = self.playable(s)
        return nth(cards, below(random, popcount(cards)))

    def played(self, s: State) -> int:
        """How many cards of the trick are on the table."""
        return sum(1 if card >= 0 else 0 for card in s.trick)

    def playable(self, s: State) -> u64:
        """The cards that may be played now: those of the suit led, or any if there is none."""
        cards = s.hands[self.to_move(s)]
        if s.trick[0] >= 0:
            follow = cards & self.suit[s.trick[0] // self.ranks]
            if follow:
                cards = follow
        return cards

    def beats(self, new: int, old: int) -> bool:
        """Whether the card `new` beats `old`, the best of the trick before it was played."""
        if new // self.ranks == old // self.ranks:
            return new > old
        return new // self.ranks == self.trump

    def shuffled(self, seed: int) -> tuple[int, ...]:
        """The four hands of this deal."""
        deck = list(range(self.suits * self.ranks))
        for i in reversed(range(1, len(deck))):
            j = below(draw(seed, i), i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(sum(1 << card for card in deck[p * self.hand : (p + 1) * self.hand]) for p in range(4))

    def write_action(self, s: State, a: int) -> str:
        """Suit and rank: `SA` the ace of spades, `HT` the ten of hearts."""
        return self._write_card(a)

    def write_state(self, s: State) -> str:
        """Four hands, the leader, the cards on the table, the tricks: `AK.-.5.- ... 0 SQ,H2 3-1`.

        A hand is its spades, hearts, diamonds and clubs with dots between them, `-` for none.
        """
        table = ",".join(self._write_card(card) for card in s.trick if card >= 0)
        return " ".join([*map(self._write_hand, s.hands), str(s.leader), table or "-", f"{s.tricks[0]}-{s.tricks[1]}"])

    def read_state(self, text: str) -> State:
        """The state that this text describes. Hands of any deal may be set up, not only of this game's own."""
        parts = text.split()
        if len(parts) != 7:
            raise self._fault(text, "four hands, leader, table and tricks, like AK.-.5.- ... 0 SQ,H2 3-1")
        hands = tuple(self._read_hand(text, part) for part in parts[:4])
        names = {self._write_card(card): card for card in range(self.suits * self.ranks)}
        table = [] if parts[5] == "-" else parts[5].split(",")
        if len(table) > 3 or any(name not in names for name in table):
            raise self._fault(text, f"at most three cards like {next(iter(names))} on the table, or -")
        if parts[4] not in list("0123"):
            raise self._fault(text, "a leader from 0 to 3")
        leader, trick, left = int(parts[4]), [names[name] for name in table], popcount(hands[int(parts[4])]) + bool(table)
        cards = [card for h in hands for card in range(52) if h >> card & 1] + trick
        if len(set(cards)) < len(cards):
            raise self._fault(text, "every card once")
        if any(popcount(hands[(leader + i) % 4]) + (i < len(trick)) != left for i in range(4)):
            raise self._fault(text, "hands of equal size, but for the cards on the table")
        scores = [(n, self.hand - left - n) for n in range(self.hand - left + 1)]
        tricks = next((score for score in scores if parts[6] == f"{score[0]}-{score[1]}"), None)
        if tricks is None:
            raise self._fault(text, f"tricks that make {self.hand} with the {left} to come")
        if tricks[leader % 2] == 0 and (leader, tricks) != (0, (0, 0)):
            raise self._fault(text, "a leader who won the last trick, or 0 before the first")
        for i, card in enumerate(trick):
            led = self.suit[trick[0] // self.ranks]
            if not led >> card & 1 and hands[(leader + i) % 4] & led:
                raise self._fault(text, "the suit led to be followed by all who hold it")
        return State(hands, tuple([*trick, -1, -1, -1][:3]), leader, tricks)

    def show(self, s: State) -> str:
        trump = "no trump" if self.trump < 0 else f"trump {SUITS[self.trump]}"
        lines = [f"{trump}, tricks {s.tricks[0]} for 0 and 2, {s.tricks[1]} for 1 and 3"]
        for p in range(4):
            at = (p - s.leader) % 4
            table = f"  played {self._write_card(s.trick[at])}" if at < 3 and s.trick[at] >= 0 else ""
            turn = "  to play" if p == self.to_move(s) and not self.is_terminal(s) else ""
            suits = zip(SUITS, self._write_hand(s.hands[p]).split("."), strict=False)
            lines.append(f"{p}: " + " ".join(f"{suit}:{held}" for suit, held in suits) + table + turn)
        return "\n".join(lines)

    def _write_card(self, card: int) -> str:
        return SUITS[card // self.ranks] + RANKS[card % self.ranks - self.ranks]

    def _write_hand(self, hand: int) -> str:
        held = [
            "".join(RANKS[r - self.ranks] for r in reversed(range(self.ranks)) if hand >> i * self.ranks + r & 1) for i in range(self.suits)
        ]
        return ".".join(ranks or "-" for ranks in held)

    def _read_hand(self, text: str, part: str) -> int:
        known, suits = RANKS[-self.ranks :], part.split(".")
        held = [(i, c) for i, ranks in enumerate(suits[: self.suits]) for c in set(ranks) & set(known)]
        hand = sum(1 << i * self.ranks + known.index(c) for i, c in held)
        if len(suits) != self.suits or self._write_hand(hand) != part:
            raise self._fault(
                text, f"a hand as {self.suits} suits of ranks out of {known[::-1]} in that order, - for none, with dots between"
            )
        return hand

    def _fault(self, text: str, expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")
