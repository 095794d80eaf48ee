"""Gin rummy for two: one hand, with the best melds and layoffs found exactly.

MELDS: which cards of a hand are in sets (three or four of a rank) and in runs (three or more of a suit in order), so that the others, the
deadwood, count least

    for each choice of no set, or any three or all four cards, of each rank of which three are held
        the best runs of the cards left are those of each suit, from a table of all sets of ranks
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..bits import FULL, bit, ctz, i8, i64, nth, popcount, rest, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below, draw, mix

SUITS, RANKS = "SHDC", "A23456789TJQK"
RANK, SUIT = 13, (1 << 13) - 1  # the bits of a suit
ACES = sum(1 << RANK * suit for suit in range(4))
NO_ACES, NO_KINGS = (1 << 52) - 1 & ~ACES, (1 << 52) - 1 & ~(ACES << 12)
#: what may happen next
DEAL, FIRST, DRAW, STOCK, DISCARD, WALL, OVER = range(7)
PHASES = ("deal", "first", "draw", "stock", "discard", "wall", "over")
KNOCK, TAKE, FROM_STOCK, PASS = 64, 128, 129, 130  # actions: to knock with a discard, to take the upcard, to draw, to pass
WALL_STOCK, MOST_TAKEN = 2, 50  # cards of the stock at which, and upcards taken after which, the hand is dead
CHOICES = 6  # of the cards of a rank: none, all but one, all


class State(NamedTuple):
    """The cards of both players and on the table, and what may happen next."""

    hands: tuple[u64, u64]  # a bit for each card: 13 * suit + rank, aces low
    known: tuple[u64, u64]  # those that their owner took as upcards
    pile: u64  # discards below the upcard
    upcard: i8  # -1 if there is none
    taken: i8  # the upcard that was taken in this turn, which may not be discarded; -1
    phase: i8
    turn: i8
    passes: i8  # on the first upcard
    upcards: i8  # that were taken, but for the first
    knocker: i8  # -1 if nobody has knocked
    heard: tuple[u64, u64]  # a hash of all that each player did and saw


class GinRummy(Game):
    """Gin rummy, one hand: with deadwood of at most `knock` points a player may knock, and gets what the other's deadwood exceeds its own.

    The other first lays cards off on the knocker's melds. With no deadwood (gin) nothing is laid off, and `bonus` points are added; the
    other gets the difference and the bonus if it has no more deadwood than the knocker (an undercut). Court cards count 10, aces 1. Melds
    and layoffs are the best ones. Nobody gets anything if two cards of the stock are left and nobody knocks. An action of chance is the
    card dealt or drawn; of a player, a card to discard, KNOCK + a card, TAKE the upcard, FROM_STOCK or PASS.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-125.0, 125.0)
    default_searcher = "ismcts"
    max_actions = 52

    def __init__(self, knock: int = 10, bonus: int = 25, hand: int = 10, suits: int = 4, ranks: int = 13):
        if not all(type(x) is int for x in (knock, bonus, hand, suits, ranks)):
            raise ZermeloError(f"{self.name}: expected whole numbers, not {knock}, {bonus}, {hand}, {suits}, {ranks}")
        if not (0 <= knock <= 10 and 0 <= bonus <= 25):
            raise ZermeloError(f"{self.name}: expected to knock with 0 to 10 points, and a bonus of 0 to 25, not {knock} and {bonus}")
        if not (1 <= suits <= 4 and 1 <= ranks <= 13 and 1 <= hand <= 10 and suits * ranks >= 2 * hand + 2 + WALL_STOCK):
            enough = f"hands of 1 to 10 cards, and {2 + WALL_STOCK} cards more"
            raise ZermeloError(f"{self.name}: expected 1 to 4 suits of 1 to 13 ranks, {enough}, not {hand} of {suits} suits of {ranks}")
        self.knock, self.bonus, self.hand = knock, bonus, hand
        self.deck = sum(((1 << ranks) - 1) << RANK * suit for suit in range(suits))
        self.counts, self.runs = _tables()

    # ---- melds -----------------------------------------------------------------------------------

    def points(self, cards: u64) -> int:
        """What cards count."""
        total = 0
        for i in range(4):
            total += self.counts[i64(cards >> RANK * i & SUIT)]
        return total

    def in_runs(self, cards: u64) -> u64:
        """The cards of the best runs."""
        found = u64(0)
        for i in range(4):
            found |= u64(self.runs[i64(cards >> RANK * i & SUIT)]) << RANK * i
        return found

    def melds(self, hand: u64) -> tuple[u64, u64]:
        """The cards in sets and those in runs, so that the others count least; sets rather than runs if both count the same."""
        best, sets, runs = -1, u64(0), u64(0)
        ranks = self.threes(hand)
        for code in range((1, CHOICES, CHOICES**2, CHOICES**3)[popcount(ranks)]):
            chosen = self.chosen_sets(hand, ranks, code)
            others = self.in_runs(hand ^ chosen)
            count = self.points(chosen | others)
            if count >= best:
                best, sets, runs = count, chosen, others
        return sets, runs

    def threes(self, hand: u64) -> u64:
        """The ranks of which at least three cards are held."""
        one, two, three = u64(0), u64(0), u64(0)
        for i in range(4):
            suit = hand >> RANK * i & SUIT
            three |= two & suit
            two |= one & suit
            one |= suit
        return three

    def chosen_sets(self, hand: u64, ranks: u64, code: int) -> u64:
        """The cards of the sets of these ranks that a number stands for, a digit each."""
        chosen = u64(0)
        while ranks:
            cards, choice = hand & (u64(ACES) << ctz(ranks)), code % CHOICES
            if 0 < choice < CHOICES - 1:
                cards &= ~(u64(SUIT) << RANK * (choice - 1))
            if choice > 0 and popcount(cards) >= 3:
                chosen |= cards
            ranks, code = rest(ranks), code // CHOICES
        return chosen

    def deadwood(self, hand: u64) -> int:
        """What the cards count that are in no meld."""
        sets, runs = self.melds(hand)
        return self.points(hand ^ (sets | runs))

    def deadwood_laid_off(self, hand: u64, sets: u64, runs: u64) -> int:
        """The deadwood of a hand of which cards may be laid off on these melds."""
        free = self.attached(hand, sets, runs)
        best, part = self.deadwood(hand), free
        while part != 0:
            if self.attached(part, sets, runs) == part:
                best = min(best, self.deadwood(hand ^ part))
            part = (part - 1) & free
        return best

    def attached(self, cards: u64, sets: u64, runs: u64) -> u64:
        """Those of the cards that can be laid off on these melds, one after the other."""
        found, left, grown = u64(0), cards, runs
        while left:
            if popcount(sets & (u64(ACES) << ctz(left) % RANK)) == 3:
                found |= bit(ctz(left))
            left = rest(left)
        for _ in range(RANK):
            grown |= ((grown << 1 & NO_ACES) | (grown >> 1 & NO_KINGS)) & cards
        return found | (grown & cards)

    # ---- the rules -------------------------------------------------------------------------------

    def initial(self) -> State:
        return State((0, 0), (0, 0), 0, -1, -1, DEAL, 0, 0, 0, -1, (0, 0))

    def to_move(self, s: State) -> int:
        return CHANCE if s.phase in (DEAL, STOCK) else s.turn

    def stock(self, s: State) -> u64:
        """The cards that are not dealt yet."""
        cards = self.deck & ~(s.hands[0] | s.hands[1] | s.pile)
        if s.upcard >= 0:
            cards &= ~bit(s.upcard)
        return cards

    def actions(self, s: State) -> Iterator[int]:
        if s.phase in (FIRST, DRAW):
            if s.passes < 2 or s.phase == DRAW:
                yield TAKE
            yield PASS if s.phase == FIRST and s.passes < 2 else FROM_STOCK
        elif s.phase != OVER:
            if s.phase == WALL:
                yield PASS
            else:
                cards = self.stock(s) if s.phase != DISCARD else self.held(s)
                while cards:
                    yield ctz(cards)
                    cards = rest(cards)
            if s.phase in (DISCARD, WALL):
                cards, hand = self.held(s), self.held_with_upcard(s)
                while cards:
                    if self.deadwood(hand ^ bit(ctz(cards))) <= self.knock:
                        yield KNOCK + ctz(cards)
                    cards = rest(cards)

    def held(self, s: State) -> u64:
        """The cards of the player to move that it may discard."""
        cards = s.hands[s.turn]
        if s.taken >= 0:
            cards &= ~bit(s.taken)
        return cards

    def held_with_upcard(self, s: State) -> u64:
        """All cards of the player to move; with the upcard, if it may be taken only in order to knock."""
        cards = s.hands[s.turn]
        if s.phase == WALL:
            cards |= bit(s.upcard)
        return cards

    def probability(self, s: State, a: int) -> float:
        return 1.0 / popcount(self.stock(s))

    def result(self, s: State, a: int) -> State:
        if s.phase == DEAL:
            return self.dealt(s, a)
        if s.phase == STOCK:
            return self.given(s, s.turn, bit(a))._replace(phase=DISCARD, heard=self.hears(s, s.turn, a))
        s = s._replace(heard=self.hears(s._replace(heard=self.hears(s, 0, a)), 1, a))
        if a == PASS:
            return s._replace(phase=OVER) if s.phase == WALL else s._replace(passes=s.passes + 1, turn=1 - s.turn)
        if a == FROM_STOCK:
            return s._replace(pile=s.pile | bit(s.upcard), upcard=-1, phase=STOCK)
        if a == TAKE:
            upcards = s.upcards + (1 if s.phase == DRAW else 0)
            if upcards == MOST_TAKEN:
                return s._replace(upcards=upcards, phase=OVER)
            card = bit(s.upcard)
            known = (s.known[0] | card, s.known[1]) if s.turn == 0 else (s.known[0], s.known[1] | card)
            return self.given(s, s.turn, card)._replace(known=known, taken=s.upcard, upcard=-1, upcards=upcards, phase=DISCARD)
        return self.discarded(s, a)

    def dealt(self, s: State, a: int) -> State:
        """The state after a card is dealt: to player 0, to player 1, then the upcard."""
        if popcount(s.hands[1]) == self.hand:
            return s._replace(upcard=a, phase=FIRST)
        return self.given(s, 0 if popcount(s.hands[0]) < self.hand else 1, bit(a))

    def given(self, s: State, p: int, card: u64) -> State:
        """The state after a card came to the hand of player p."""
        return s._replace(hands=(s.hands[0] | card, s.hands[1]) if p == 0 else (s.hands[0], s.hands[1] | card))

    def discarded(self, s: State, a: int) -> State:
        """The state after the player to move discards, and knocks if a is so much greater."""
        if s.phase == WALL:
            s = self.given(s, s.turn, bit(s.upcard))._replace(upcard=-1)
        left = FULL ^ bit(a % KNOCK)
        hands = (s.hands[0] & left, s.hands[1]) if s.turn == 0 else (s.hands[0], s.hands[1] & left)
        t = s._replace(hands=hands, known=(s.known[0] & left, s.known[1] & left), taken=-1)
        if a >= KNOCK:
            return t._replace(pile=t.pile | bit(a % KNOCK), knocker=s.turn, phase=OVER)
        t = t._replace(upcard=a, turn=1 - s.turn, phase=DRAW)
        return t._replace(phase=WALL) if popcount(self.stock(t)) == WALL_STOCK else t

    def hears(self, s: State, p: int, a: int) -> tuple[u64, u64]:
        """What both have heard after player p notices this action."""
        return (mix(s.heard[0] ^ u64(a + 1)), s.heard[1]) if p == 0 else (s.heard[0], mix(s.heard[1] ^ u64(a + 1)))

    def is_terminal(self, s: State) -> bool:
        return s.phase == OVER

    def utility(self, s: State, p: int) -> float:
        if s.knocker < 0:
            return 0
        sets, runs = self.melds(s.hands[s.knocker])
        mine, theirs = self.points(s.hands[s.knocker] ^ (sets | runs)), s.hands[1 - s.knocker]
        if mine == 0:
            gain = self.deadwood(theirs) + self.bonus
        else:
            gain = self.deadwood_laid_off(theirs, sets, runs) - mine
            gain = gain if gain > 0 else gain - self.bonus
        return gain if p == s.knocker else -gain

    def evaluate(self, s: State, p: int) -> float:
        """By how much the other's deadwood is more."""
        return self.utility(s, p) if s.phase == OVER else self.deadwood(s.hands[1 - p]) - self.deadwood(s.hands[p])

    # ---- what players know -----------------------------------------------------------------------

    def observe(self, s: State, p: int) -> tuple[u64, u64, u64, u64, u64, u64, int]:
        """The own cards, the other's once somebody has knocked, upcards taken, the pile, all that was noticed, and what may happen next."""
        theirs = s.hands[1 - p] if s.knocker >= 0 else u64(0)
        table = ((s.upcard + 1 << 6 | s.taken + 1) << 6 | s.upcards) << 3 | s.phase
        dealt = popcount(s.hands[0] | s.hands[1])
        return (s.hands[p], theirs, s.known[0], s.known[1], s.pile, s.heard[p], (table << 2 | s.passes) << 7 | dealt << 1 | s.turn)

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Deal the other's cards again, but those that it took as upcards: all that p does not see are equally likely."""
        if s.knocker >= 0:
            return s
        other, known = s.hands[1 - p], s.known[1 - p]
        unseen = (self.stock(s) | other) & ~known
        for k in range(popcount(other) - popcount(known)):
            known |= bit(nth(unseen & ~known, below(draw(seed, u64(k)), popcount(unseen & ~known))))
        hands = (s.hands[0], known) if p == 0 else (known, s.hands[1])
        heard = mix(s.heard[p] ^ u64(PASS + 2 + p))  # the other's must not tell what it did
        return s._replace(hands=hands, heard=(s.heard[0], heard) if p == 0 else (heard, s.heard[1]))

    # ---- text ------------------------------------------------------------------------------------

    def card_name(self, card: int) -> str:
        """Suit and rank: `SA` the ace of spades, `HT` the ten of hearts."""
        return SUITS[card // RANK] + RANKS[card % RANK]

    def hand_name(self, cards: int) -> str:
        """Spades, hearts, diamonds and clubs with dots between them, `-` for none."""
        held = [[RANKS[r] for r in reversed(range(RANK)) if cards >> RANK * i + r & 1] for i in range(4)]
        return ".".join("".join(ranks) or "-" for ranks in held)

    def write_action(self, s: State, a: int) -> str:
        if a >= TAKE:
            return ("take", "draw", "pass")[a - TAKE]
        return self.card_name(a) if a < KNOCK else f"knock-{self.card_name(a - KNOCK)}"

    def announce(self, s: State, a: int, p: int) -> str:
        """Whatever players do is seen by all; the card drawn from the stock by the player who drew it."""
        is_hidden = (s.phase == DEAL and popcount(s.hands[1]) < self.hand) or (s.phase == STOCK and p != s.turn)
        return "" if is_hidden else self.write_action(s, a)

    def write_state(self, s: State) -> str:
        """The hands, the pile, the upcard, and what may happen next, like `AK.Q.-.- J.T.-.- -.-.-.- HA draw0`; then what else there is."""
        cards = [*map(self.hand_name, (*s.hands, s.pile)), self._name_or_none(s.upcard), f"{PHASES[s.phase]}{s.turn}"]
        more = {"known": "/".join(map(self.hand_name, s.known)) if any(s.known) else ""}
        more |= {"taken": self.card_name(s.taken) if s.taken >= 0 else ""}
        more |= {name: str(x) if x else "" for name, x in (("passes", s.passes), ("upcards", s.upcards))}
        more |= {"knocker": str(s.knocker) if s.knocker >= 0 else ""}
        more |= {"heard": f"{s.heard[0]:x},{s.heard[1]:x}" if any(s.heard) else ""}
        return " ".join([*cards, *(f"{name}={x}" for name, x in more.items() if x)])

    def _name_or_none(self, card: int) -> str:
        return self.card_name(card) if card >= 0 else "-"

    def read_state(self, text: str) -> State:
        """The state of this text; ZermeloError if there is none."""
        hand, card = r"[A2-9TJQK-]+\." * 3 + "[A2-9TJQK-]+", "[SHDC][A2-9TJQK]"
        pattern = rf"({hand}) ({hand}) ({hand}) (-|{card}) ({'|'.join(PHASES)})([01])(?: known=({hand})/({hand}))?(?: taken=({card}))?"
        pattern += r"(?: passes=([12]))?(?: upcards=(\d+))?(?: knocker=([01]))?(?: heard=([0-9a-f]{1,16}),([0-9a-f]{1,16}))?"
        found = re.fullmatch(pattern, " ".join(text.split()))
        if found:
            first, second, pile, up, phase, turn, known, other, taken, passes, upcards, knocker, one, two = found.groups()
            cards = [self._read_hand(part or "-.-.-.-") for part in (first, second, pile, known, other)]
            numbers = (int(passes or 0), min(int(upcards or 0), MOST_TAKEN), int(knocker or -1))
            heard = (int(one or "0", 16), int(two or "0", 16))
            names = {self.card_name(c): c for c in range(52)} | {"-": -1}
            places = (names[up], names[taken or "-"], PHASES.index(phase), int(turn))
            s = State((cards[0], cards[1]), (cards[3], cards[4]), cards[2], *places, *numbers, heard)
            if self.write_state(s) == " ".join(text.split()) and self._is_sound(s):
                return s
        example = "like 3.2.A.- -.4.-.KQ -.-.-.- HA draw0"
        raise ZermeloError(
            f"'{text}' is not a state of {self.name}: expected hands, pile, upcard (- for none) and what may happen next, {example}"
        )

    def _read_hand(self, text: str) -> int:
        return sum(1 << RANK * i + r for i, suit in enumerate(text.split(".")) for r, name in enumerate(RANKS) if name in suit)

    def _is_sound(self, s: State) -> bool:
        """Whether play might reach a state, by how many cards are where."""
        shown = 1 << s.upcard if s.upcard >= 0 else 0
        parts, sizes = [*s.hands, s.pile, shown], [popcount(h) for h in s.hands]
        is_once = sum(map(popcount, parts)) == popcount(sum(parts) & self.deck) and not any(
            k & ~h for k, h in zip(s.known, s.hands, strict=True)
        )
        if s.phase == DEAL:
            return is_once and not shown and not s.pile and (sizes[1] == 0 or sizes[0] == self.hand) and max(sizes) <= self.hand
        full = [self.hand + (s.phase == DISCARD and p == s.turn) for p in range(2)]
        is_shown = bool(shown) == (s.phase in (FIRST, DRAW, WALL) or (s.phase == OVER and s.knocker < 0))
        is_taken = s.taken < 0 or (s.phase == DISCARD and s.known[s.turn] >> s.taken & 1 == 1)
        left, is_over = popcount(self.stock(s)), s.knocker < 0 or s.phase == OVER
        is_wall = (left == WALL_STOCK) == (s.phase == WALL) or (left >= WALL_STOCK and s.phase in (DISCARD, OVER))
        is_first = s.phase != FIRST or s.pile == 0
        return is_once and sizes == full and is_shown and is_taken and is_over and is_wall and is_first

    def show(self, s: State) -> str:
        return self._shown(s, (True, True))

    def show_to(self, s: State, p: int) -> str:
        return self._shown(s, (p == 0 or s.knocker >= 0, p == 1 or s.knocker >= 0))

    def _shown(self, s: State, seen: tuple[bool, bool]) -> str:
        """The table, and the hands that are seen with their deadwood."""
        stock = popcount(self.stock(s)) if s.phase != DEAL else popcount(self.deck) - 2 * self.hand
        lines = [f"stock {stock}, upcard {self._name_or_none(s.upcard)}, pile {self._held(s.pile)}"]
        for p, hand in enumerate(s.hands):
            known = f", {self._held(s.known[p])} among them" if s.known[p] else ""
            unseen = f"{popcount(hand)} cards{known}" if s.phase != DEAL else "-"
            turn = "  knocked" if p == s.knocker else "  to play" if p == s.turn and s.phase not in (DEAL, OVER) else ""
            lines.append(f"{p}: {f'{self._held(hand)}  deadwood {self.deadwood(hand)}' if seen[p] else unseen}{turn}")
        return "\n".join(lines)

    def _held(self, cards: int) -> str:
        return " ".join(f"{suit}:{held}" for suit, held in zip(SUITS, self.hand_name(cards).split("."), strict=True) if held != "-") or "-"


def _tables() -> tuple[np.ndarray[tuple[int], np.dtype[np.uint16]], np.ndarray[tuple[int], np.dtype[np.uint16]]]:
    """Of each set of ranks what it counts, and the cards of its best runs."""
    counts, runs = np.zeros(1 << RANK, np.uint16), np.zeros(1 << RANK, np.uint16)
    for ranks in range(1, 1 << RANK):
        top = ranks.bit_length() - 1
        counts[ranks] = counts[ranks ^ 1 << top] + min(top + 1, 10)
        found, run, size = int(runs[ranks ^ 1 << top]), 1 << top, 1
        while size <= top and ranks >> top - size & 1:
            run, size = run | 1 << top - size, size + 1
            whole = run | int(runs[ranks ^ run])
            if size >= 3 and counts[whole] > counts[found]:
                found = whole
        runs[ranks] = found
    return counts, runs
