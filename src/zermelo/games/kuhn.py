"""Kuhn poker: two players, three cards, one bet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..bits import i8, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below, draw

CARDS = ".JQK"  # a card is 1, 2 or 3, the king beats all; 0 is not dealt yet
PASS, BET = 0, 1

# The betting so far as a number: 1 at first, then every action doubles it, and a bet adds one.
START, P, B, PP, PB, BP, BB, PBP, PBB = 1, 2, 3, 4, 5, 6, 7, 10, 11
WORDS = {START: "", P: "p", B: "b", PP: "pp", PB: "pb", BP: "bp", BB: "bb", PBP: "pbp", PBB: "pbb"}


class State(NamedTuple):
    """The cards of player 0 and of player 1, and the betting so far."""

    first: i8
    second: i8
    betting: i8


class Kuhn(Game):
    """Both players ante 1 and get one of three cards; then each may pass, or bet 1 more.

    A bet after a bet calls and a pass after a bet folds; otherwise the higher card wins. An action
    of chance is the card it deals, to player 0 and then to player 1; of a player, PASS or BET.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-2.0, 2.0)

    def initial(self) -> State:
        return State(0, 0, START)

    def to_move(self, s: State) -> int:
        if s.second == 0:
            return CHANCE
        return 1 if s.betting in (P, B) else 0

    def actions(self, s: State) -> Iterator[int]:
        if s.second == 0:
            for card in range(1, 4):
                if card != s.first:
                    yield card
        elif not self.is_terminal(s):
            yield PASS
            yield BET

    def result(self, s: State, a: int) -> State:
        if s.first == 0:
            return State(a, 0, START)
        if s.second == 0:
            return State(s.first, a, START)
        return State(s.first, s.second, 2 * s.betting + a)

    def is_terminal(self, s: State) -> bool:
        return s.betting in (PP, BP, BB, PBP, PBB)

    def utility(self, s: State, p: int) -> float:
        stake = 2 if s.betting in (BB, PBB) else 1
        first_wins = s.betting == BP or (s.betting != PBP and s.first > s.second)
        return stake if first_wins == (p == 0) else -stake

    def probability(self, s: State, a: int) -> float:
        return 1 / 3 if s.first == 0 else 1 / 2

    def observe(self, s: State, p: int) -> tuple[int, int, int]:
        """The own card (0 before it is dealt), how many cards are dealt, and the betting."""
        dealt = 0 if s.first == 0 else 1 if s.second == 0 else 2
        return (s.first if p == 0 else s.second, dealt, s.betting)

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Deal the other player's card, if it is dealt, again: each card that p does not hold is equally likely."""
        if s.first == 0 or (p == 0 and s.second == 0):
            return s
        own = s.first if p == 0 else s.second
        unseen = 3 if own == 0 else 2
        other = (own + below(draw(seed, 0), unseen)) % 3 + 1  # the cards after `own`, around the deck
        return State(s.first, other, s.betting) if p == 0 else State(other, s.second, s.betting)

    def announce(self, s: State, a: int, p: int) -> str:
        """Whatever players do is seen by all; what is dealt is not."""
        return self.write_action(s, a) if self.to_move(s) != CHANCE else ""

    def write_action(self, s: State, a: int) -> str:
        return CARDS[a] if s.second == 0 else ("pass", "bet")[a]

    def write_state(self, s: State) -> str:
        """The cards of player 0 and of player 1 (`.` before they are dealt), and the betting: `K.`, `KQ`, `KQ pb`."""
        return f"{CARDS[s.first]}{CARDS[s.second]} {WORDS[s.betting]}".strip()

    def read_state(self, text: str) -> State:
        dealt = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b]
        states = [State(a, 0, START) for a in range(4)] + [State(a, b, word) for a, b in dealt for word in WORDS]
        named = {self.write_state(s): s for s in states}
        wanted = " ".join(text.split())
        if wanted not in named:
            raise ZermeloError(
                f"'{text}' is not a state of {self.name}: expected two different cards out of JQK, or . before they are dealt, "
                f"and the betting so far if there was any, like KQ pb"
            )
        return named[wanted]
