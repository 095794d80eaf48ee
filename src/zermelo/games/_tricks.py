"""Games of tricks with hidden hands: a suit led must be followed, the highest trump or else the highest card of that suit wins the trick.

What a player cannot know is dealt again so that it fits all that was played (RESAMPLE), each possible deal as likely as another:

    for each suit, that which the fewest may hold first, and each unseen card of it
        places = the places of all who may hold the suit, but those that are taken for certain by cards already dealt
        choose one of them; if it is taken, begin anew
    if that takes too long, give each card to any who may hold it, so that all others still find a place: then some deals are likelier
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import bit, ctz, i8, i16, lowest, popcount, rest, u8, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below, draw

SUITS = "SHDC"
RANKS = "23456789TJQKA"
CARD, CARDS = 6, 10  # bits of a card that was played, and how many of them a word holds
DEALS = 1000  # that are tried, each as likely as another
PASSED = 3  # cards that each player gives to another, in games in which they do


class State(NamedTuple):
    """The cards of all players, the trick on the table, and all that was played."""

    hands: tuple[u64, ...]  # a bit for each card: suit * ranks + rank
    stock: u64  # cards that nobody gets
    dealt: i8  # cards that were dealt, from the first of the deck on
    played: i8  # cards that were played
    trick: tuple[i8, ...]  # the cards on the table in the order played, but for the last; -1 where there is none
    leader: i8  # who led, or will lead, to this trick
    scores: tuple[i16, ...]  # what each player has won
    lacks: tuple[u8, ...]  # suits that each player has shown not to hold, a bit each
    plays: tuple[u64, ...]  # all cards that were played, in order


class Tricks(Game):
    """A game of tricks. A game gives `worth`, what a trick counts for who wins it, and `utility`; and may change which cards can be `led`.

    Chance deals the deck card by card: its action is the player who gets the next card, or `players` for the stock. A player's action is
    the card that it plays. Player 0 leads to the first trick.
    """

    ends_without_actions = True

    default_searcher = "ismcts"
    passed = 0  # cards that all players give to others before the first trick

    def prepare(self, players: int, suits: int, ranks: int, hand: int, trump: int) -> None:
        """Check and set the parameters."""
        if not all(type(x) is int for x in (players, suits, ranks, hand, trump)):
            raise ZermeloError(f"{self.name}: expected whole numbers, not {players}, {suits}, {ranks}, {hand}, {trump}")
        if not 2 <= players <= 4:
            raise ZermeloError(f"{self.name}: expected 2 to 4 players, not {players}")
        if not (1 <= suits <= 4 and 1 <= ranks <= 13 and suits * ranks >= players):
            raise ZermeloError(f"{self.name}: expected 1 to 4 suits of 1 to 13 ranks, {players} cards at least, not {suits} of {ranks}")
        if not 0 <= hand <= suits * ranks // players:
            raise ZermeloError(f"{self.name}: expected a hand of 1 to {suits * ranks // players} cards, or 0 for all, not {hand}")
        if not -1 <= trump < suits:
            raise ZermeloError(f"{self.name}: expected trump 0 to {suits - 1}, or -1 for none, not {trump}")
        self.players, self.suits, self.ranks, self.trump = players, suits, ranks, trump
        self.hand = hand or suits * ranks // players
        self.deck = suits * ranks
        self.in_stock = self.deck - players * self.hand
        self.suit = tuple(((1 << ranks) - 1) << ranks * i for i in range(suits))  # the cards of each suit

    def worth(self, s: State, a: int) -> int:
        """What the trick that card a completes counts for who wins it."""
        raise NotImplementedError

    def led(self, s: State, cards: u64) -> u64:
        """Which of these cards, the hand of the leader, may be led."""
        return cards

    def passable(self, s: State, cards: u64) -> u64:
        """Which of these cards, the hand of the player to move, may be given away next."""
        return cards

    def given_away(self, s: State) -> State:
        """The state after a card was chosen to be given away: hands are exchanged after the last."""
        return s

    # ---- the rules -------------------------------------------------------------------------------

    def initial(self) -> State:
        none = (0,) * self.players
        words = -(-(self.passed + self.players * self.hand) // CARDS)
        return State(none, 0, 0, 0, (-1,) * (self.players - 1), 0, none, none, (0,) * words)

    def to_move(self, s: State) -> int:
        if s.dealt < self.deck:
            return CHANCE
        return s.played // PASSED if s.played < self.passed else (s.leader + self.on_table(s)) % self.players

    def on_table(self, s: State) -> int:
        """How many cards of the trick are on the table."""
        return sum(1 if card >= 0 else 0 for card in s.trick)

    def actions(self, s: State) -> Iterator[int]:
        if s.dealt < self.deck:
            for q in range(self.players + 1):
                if self.missing(s, q) > 0:
                    yield q
        else:
            cards = self.playable(s)
            while cards:
                yield ctz(cards)
                cards = rest(cards)

    def missing(self, s: State, q: int) -> int:
        """How many cards a player, or the stock, is still to be dealt."""
        return self.in_stock - popcount(s.stock) if q == self.players else self.hand - popcount(s.hands[q])

    def playable(self, s: State) -> u64:
        """The cards that may be played now: those of the suit led, or any if there is none; a leader may be restricted."""
        cards = s.hands[self.to_move(s)]
        if s.played < self.passed:
            return self.passable(s, cards)
        if s.trick[0] < 0:
            return self.led(s, cards)
        follow = cards & self.suit[s.trick[0] // self.ranks]
        return follow if follow else cards

    def probability(self, s: State, a: int) -> float:
        return self.missing(s, a) / (self.deck - s.dealt)

    def result(self, s: State, a: int) -> State:
        if s.dealt < self.deck:
            given = bit(s.dealt)
            if a == self.players:
                return s._replace(stock=s.stock | given, dealt=s.dealt + 1)
            return s._replace(hands=tuple(h | given if q == a else h for q, h in enumerate(s.hands)), dealt=s.dealt + 1)
        plays = tuple(w | u64(a) << CARD * (s.played % CARDS) if k == s.played // CARDS else w for k, w in enumerate(s.plays))
        t = s._replace(played=s.played + 1, plays=plays)
        if s.played < self.passed:
            return self.given_away(t)
        turn, at, shown = self.to_move(s), self.on_table(s), self.shown_lacks(s, a)
        t = t._replace(hands=tuple(h ^ bit(a) if q == turn else h for q, h in enumerate(s.hands)))
        t = t._replace(lacks=tuple(lack | shown if q == turn else lack for q, lack in enumerate(s.lacks)))
        if at < self.players - 1:
            return t._replace(trick=tuple(a if i == at else card for i, card in enumerate(s.trick)))
        best, winner, won = s.trick[0], s.leader, self.worth(s, a)
        for i, card in enumerate(s.trick):
            if self.beats(card, best):
                best, winner = card, (s.leader + i) % self.players
        if self.beats(a, best):
            winner = turn
        scores = tuple(x + won if q == winner else x for q, x in enumerate(s.scores))
        return t._replace(trick=tuple(-1 for _ in s.trick), leader=winner, scores=scores)

    def shown_lacks(self, s: State, a: int) -> int:
        """The suits, a bit each, that the player to move shows not to hold by playing this card."""
        if s.trick[0] < 0 or a // self.ranks == s.trick[0] // self.ranks:
            return 0
        return 1 << s.trick[0] // self.ranks

    def beats(self, new: int, old: int) -> bool:
        """Whether the card `new` beats `old`, the best of the trick before it was played."""
        if new // self.ranks == old // self.ranks:
            return new > old
        return new // self.ranks == self.trump

    def is_terminal(self, s: State) -> bool:
        return s.played == self.passed + self.players * self.hand

    def count(self, s: State) -> int:
        if s.dealt < self.deck:
            return sum(1 if self.hand > popcount(h) else 0 for h in s.hands) + (1 if self.in_stock > popcount(s.stock) else 0)
        return popcount(self.playable(s))

    # ---- what players know -----------------------------------------------------------------------

    def observe(self, s: State, p: int) -> State:
        """The own cards and all that was played; what was won and who lacks what follow from it."""
        return s._replace(hands=tuple(h if q == p else 0 for q, h in enumerate(s.hands)), stock=u64(0))

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Deal the cards that p does not see again, so that everybody has as many as before, and none of a suit that was not followed."""
        return self.dealt_behind(s, p, seed)

    def dealt_behind(self, s: State, p: int, seed: u64) -> State:
        """The state with the cards dealt again that p does not see."""
        for k in range(DEALS):
            t = self.dealt_again(s, p, draw(seed, u64(k)))
            if self.cards_of(t) == self.cards_of(s):
                return t
        return self.dealt_safely(s, p, draw(seed, u64(DEALS)))

    def cards_of(self, s: State) -> u64:
        """All cards in hands and in the stock."""
        cards = s.stock
        for h in s.hands:
            cards |= h
        return cards

    def dealt_again(self, s: State, p: int, seed: u64) -> State:
        """The cards that p does not see dealt once; some are missing if they did not fit."""
        hands, stock, n = tuple(h if q == p else 0 for q, h in enumerate(s.hands)), u64(0), 0
        for size in range(1, self.players + 1):
            for suit in range(self.suits):
                who = self.holders(s, p, suit)
                if popcount(u64(who)) != size:
                    continue
                cards, places = self.unseen(s, p) & self.suit[suit], self.places(s, p, suit)
                while cards:
                    free = self.free(s, who, hands, stock)
                    n += 1
                    place = below(draw(seed, u64(n)), places) if free > 0 else 0
                    if place >= free:
                        return s._replace(hands=hands, stock=stock)
                    to = self.holder(s, who, hands, stock, place)
                    hands = tuple(h | lowest(cards) if q == to else h for q, h in enumerate(hands))
                    if to == self.players:
                        stock |= lowest(cards)
                    cards, places = rest(cards), places - 1
        return s._replace(hands=hands, stock=stock)

    def dealt_safely(self, s: State, p: int, seed: u64) -> State:
        """The cards that p does not see dealt once, each to somebody with whom all others find a place."""
        hands, stock, n = tuple(h if q == p else 0 for q, h in enumerate(s.hands)), u64(0), 0
        for suit in range(self.suits):
            cards = self.unseen(s, p) & self.suit[suit]
            while cards:
                n += 1
                first, to = below(draw(seed, u64(n)), self.players + 1), -1
                for i in range(self.players + 1):
                    q = (first + i) % (self.players + 1)
                    if to < 0 and self.holders(s, p, suit) >> q & 1 and self.is_safe(s, p, suit, rest(cards), q, hands, stock):
                        to = q
                hands = tuple(h | lowest(cards) if q == to else h for q, h in enumerate(hands))
                if to == self.players:
                    stock |= lowest(cards)
                cards = rest(cards)
        return s._replace(hands=hands, stock=stock)

    def is_safe(self, s: State, p: int, suit: int, left: u64, to: int, hands: tuple[u64, ...], stock: u64) -> bool:
        """Whether a card fits into this hand or the stock, and then those left of its suit, and later suits, find places too.

        By Hall's theorem they do if, for any holders, the cards that nobody else may hold are no more than their places.
        """
        for who in range(1, 1 << self.players + 1):
            n = self.free(s, who, hands, stock) - (who >> to & 1)
            for other in range(suit, self.suits):
                those = self.holders(s, p, other)
                if those & who == those:
                    n -= popcount(left if other == suit else self.unseen(s, p) & self.suit[other])
            if n < 0:
                return False
        return True

    def unseen(self, s: State, p: int) -> u64:
        """The cards that were dealt to others or to the stock, and not played."""
        return self.cards_of(s) ^ s.hands[p]

    def holders(self, s: State, p: int, suit: int) -> int:
        """Who but p may hold cards of a suit, a bit each: players who never failed to follow it, and the stock."""
        found = 1 << self.players if self.in_stock > 0 else 0
        for q, lack in enumerate(s.lacks):
            if q != p and lack >> suit & 1 == 0:
                found |= 1 << q
        return found

    def room(self, s: State, q: int) -> int:
        """How many cards a player or the stock has, or may have while cards are dealt."""
        if q == self.players:
            return self.in_stock
        return self.hand if s.dealt < self.deck else popcount(s.hands[q])

    def places(self, s: State, p: int, suit: int) -> int:
        """The places for cards of a suit that those of suits dealt before are not sure to take."""
        who, n = self.holders(s, p, suit), 0
        for q in range(self.players + 1):
            if who >> q & 1:
                n += self.room(s, q)
        for other in range(self.suits):
            those = self.holders(s, p, other)
            if those & who == those and (those != who or other < suit):
                n -= popcount(self.unseen(s, p) & self.suit[other])
        return n

    def free(self, s: State, who: int, hands: tuple[u64, ...], stock: u64) -> int:
        """How many places these holders have left."""
        n = self.in_stock - popcount(stock) if who >> self.players & 1 else 0
        for q, h in enumerate(hands):
            if who >> q & 1:
                n += self.room(s, q) - popcount(h)
        return n

    def holder(self, s: State, who: int, hands: tuple[u64, ...], stock: u64, place: int) -> int:
        """Whose place this is, of those that are left."""
        for q, h in enumerate(hands):
            if who >> q & 1:
                place -= self.room(s, q) - popcount(h)
                if place < 0:
                    return q
        return self.players

    # ---- text ------------------------------------------------------------------------------------

    def card_name(self, card: int) -> str:
        """Suit and rank: `SA` the ace of spades, `HT` the ten of hearts."""
        return SUITS[card // self.ranks] + RANKS[card % self.ranks - self.ranks]

    def hand_name(self, hand: int) -> str:
        """Spades, hearts, diamonds and clubs with dots between them, `-` for none."""
        held = [[r for r in reversed(range(self.ranks)) if hand >> i * self.ranks + r & 1] for i in range(self.suits)]
        return ".".join("".join(RANKS[r - self.ranks] for r in ranks) or "-" for ranks in held)

    def write_action(self, s: State, a: int) -> str:
        """The card that is played; of chance, the player who gets the next card, or - for the stock."""
        if s.dealt < self.deck:
            return "-" if a == self.players else str(a)
        return self.card_name(a)

    def announce(self, s: State, a: int, p: int) -> str:
        """What is played is seen by all; what is dealt is not."""
        return "" if s.dealt < self.deck else self.card_name(a)

    def played_cards(self, s: State) -> list[int]:
        """All cards that were played, in order."""
        return [int(s.plays[k // CARDS] >> CARD * (k % CARDS) & 63) for k in range(s.played)]

    def write_state(self, s: State) -> str:
        """The hands as they were dealt, and the cards played in order: `AK.Q AT.J SA,ST`; - for none, `+3` after three were dealt."""
        t, hands = self.initial()._replace(dealt=self.deck), list(s.hands)
        for card in self.played_cards(s):
            hands[self.to_move(t)] |= 1 << card
            t = self.result(t, card)
        played = ",".join(map(self.card_name, self.played_cards(s)))
        return " ".join([*map(self.hand_name, self.as_dealt(s, hands)), f"+{s.dealt}" if s.dealt < self.deck else played or "-"])

    def as_dealt(self, s: State, hands: list[int]) -> list[int]:
        """The hands before any were exchanged, of those with which play began."""
        return hands

    def read_state(self, text: str) -> State:
        """The state that play reaches from these hands by these cards."""
        parts = text.split()
        if len(parts) != self.players + 1:
            raise self._fault(text, f"{self.players} hands, and the cards played, like SA,ST, or -")
        hands = tuple(self._read_hand(text, part) for part in parts[:-1])
        last, names = parts[-1], {self.card_name(card): card for card in range(self.deck)}
        number = last[1:] if last.startswith("+") else str(self.deck)
        if not (number.isascii() and number.isdigit() and int(number[:9]) <= self.deck):
            raise self._fault(text, f"the number of cards dealt so far after +, at most {self.deck}")
        dealt = int(number)
        stock = (1 << dealt) - 1
        for h in hands:
            if h & stock != h:
                raise self._fault(text, "every card once, and no card that is still to be dealt")
            stock ^= h
        s = self.initial()._replace(hands=hands, stock=stock, dealt=dealt)
        if any(self.missing(s, q) < 0 or (dealt == self.deck and self.missing(s, q)) for q in range(self.players + 1)):
            raise self._fault(text, f"hands of {self.hand} cards as they were dealt")
        for name in [] if last == "-" or dealt < self.deck else last.split(","):
            if names.get(name, -1) not in list(self.actions(s)):
                raise self._fault(text, f"cards that were played one after another, not {name}")
            s = self.result(s, names[name])
        return s

    def _read_hand(self, text: str, part: str) -> int:
        known, suits = RANKS[-self.ranks :], part.split(".")
        held = [(i, c) for i, ranks in enumerate(suits[: self.suits]) for c in set(ranks) & set(known)]
        hand = sum(1 << i * self.ranks + known.index(c) for i, c in held)
        if len(suits) != self.suits or self.hand_name(hand) != part:
            expected = f"a hand as {self.suits} suits of ranks out of {known[::-1]} in that order, - for none, with dots between"
            raise self._fault(text, expected)
        return hand

    def _fault(self, text: str, expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a state of {self.name}: expected {expected}")

    def show(self, s: State) -> str:
        return "\n".join([self.headline(s), *(self._line(s, q, self._held(s.hands[q])) for q in range(self.players))])

    def show_to(self, s: State, p: int) -> str:
        lines = [self.headline(s)]
        for q in range(self.players):
            lacks = "".join(suit for i, suit in enumerate(SUITS[: self.suits]) if s.lacks[q] >> i & 1)
            left = popcount(s.hands[q]) if s.dealt == self.deck else 0
            unseen = f"{left} card{'' if left == 1 else 's'}" + (f", no {lacks}" if lacks else "")
            lines.append(self._line(s, q, self._held(s.hands[q]) if q == p else unseen))
        return "\n".join(lines)

    def headline(self, s: State) -> str:
        """Trumps, and what was won."""
        trump = "no trump" if self.trump < 0 else f"trump {SUITS[self.trump]}"
        return f"{trump}, won {' '.join(map(str, s.scores))}"

    def _held(self, hand: int) -> str:
        return " ".join(f"{suit}:{held}" for suit, held in zip(SUITS, self.hand_name(hand).split("."), strict=False))

    def _line(self, s: State, q: int, held: str) -> str:
        at = (q - s.leader) % self.players
        table = f"  played {self.card_name(s.trick[at])}" if at < self.players - 1 and s.trick[at] >= 0 else ""
        turn = "  to play" if q == self.to_move(s) and not self.is_terminal(s) else ""
        return f"{q}: {held}{table}{turn}"
