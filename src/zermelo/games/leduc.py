"""Leduc poker: two suits, two rounds of betting, one card on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..bits import i8, i32, u64
from ..errors import ZermeloError
from ..game import CHANCE, Game
from ..rng import below, draw

RANKS, SUITS = "A23456789TJQK", "sh"  # the king beats all
FOLD, CALL, RAISE = 0, 1, 2
LETTERS, WORDS = "fcr", ("fold", "call", "raise")
MOST_RAISES = 2  # a round


class State(NamedTuple):
    """The cards dealt so far, and the betting."""

    cards: tuple[i8, i8]  # of both players, from 1; 0 is not dealt yet
    board: i8
    turn: i8
    paid: tuple[i8, i8]
    raises: i8  # in this round
    calls: i8
    folded: i8  # who did, from 1
    betting: i32  # all actions so far: 1 at first, then four times as much and 1 + the action, or 0 for the board


class Leduc(Game):
    """Both players ante 1 and get a card of a deck of `ranks` ranks in two suits; a round of betting, a card on the board, another round.

    Raises are of 2 in the first round and 4 in the second, two a round. A pair with the board wins, else the higher
    rank. An action of chance is the card that it deals, 2 * rank + suit; of a player, FOLD, CALL (or check) or RAISE.
    """

    ends_without_actions, is_zero_sum = True, True

    def __init__(self, ranks: int = 3):
        if not isinstance(ranks, int) or not 2 <= ranks <= len(RANKS):
            raise ZermeloError(f"leduc: expected 2 to {len(RANKS)} ranks, not {ranks}")
        self.ranks, self.deck = ranks, 2 * ranks
        self.value_range = (-13.0, 13.0)

    def initial(self) -> State:
        return State((0, 0), 0, 0, (1, 1), 0, 0, 0, 1)

    def is_round_over(self, s: State) -> bool:
        """Whether all bets of the round are called."""
        return s.calls == 2 or (s.raises > 0 and s.calls == 1)

    def is_deal(self, s: State) -> bool:
        """Whether a card is to be dealt."""
        return s.cards[1] == 0 or (s.board == 0 and s.folded == 0 and self.is_round_over(s))

    def to_move(self, s: State) -> int:
        return CHANCE if self.is_deal(s) else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if self.is_deal(s):
            for card in range(self.deck):
                if card + 1 != s.cards[0] and card + 1 != s.cards[1]:
                    yield card
        elif not self.is_terminal(s):
            if s.paid[1 - s.turn] > s.paid[s.turn]:
                yield FOLD
            yield CALL
            if s.raises < MOST_RAISES:
                yield RAISE

    def result(self, s: State, a: int) -> State:
        if s.cards[0] == 0:
            return s._replace(cards=(a + 1, 0))
        if s.cards[1] == 0:
            return s._replace(cards=(s.cards[0], a + 1))
        if self.is_deal(s):
            return s._replace(board=a + 1, turn=0, raises=0, calls=0, betting=4 * s.betting)
        betting = 4 * s.betting + 1 + a
        if a == FOLD:
            return s._replace(folded=s.turn + 1, betting=betting)
        bet = 0 if a == CALL else 2 if s.board == 0 else 4
        now = max(s.paid[0], s.paid[1]) + bet
        paid = (now, s.paid[1]) if s.turn == 0 else (s.paid[0], now)
        if a == CALL:
            return s._replace(paid=paid, calls=s.calls + 1, turn=1 - s.turn, betting=betting)
        return s._replace(paid=paid, raises=s.raises + 1, calls=0, turn=1 - s.turn, betting=betting)

    def is_terminal(self, s: State) -> bool:
        return s.folded > 0 or (s.board > 0 and self.is_round_over(s))

    def strength(self, s: State, p: int) -> int:
        """The rank of player p's card, above all ranks if it pairs the board."""
        rank = (s.cards[p] - 1) // 2
        return rank + self.ranks if rank == (s.board - 1) // 2 else rank

    def utility(self, s: State, p: int) -> float:
        if s.folded > 0:
            return -s.paid[p] if p == s.folded - 1 else s.paid[1 - p]
        mine, theirs = self.strength(s, p), self.strength(s, 1 - p)
        return 0 if mine == theirs else s.paid[1 - p] if mine > theirs else -s.paid[p]

    def probability(self, s: State, a: int) -> float:
        return 1.0 / (self.deck - self.dealt(s))

    def dealt(self, s: State) -> int:
        """How many cards the players have."""
        return 0 if s.cards[0] == 0 else 1 if s.cards[1] == 0 else 2

    def observe(self, s: State, p: int) -> tuple[int, int, int, int]:
        """The own card (0 before it is dealt), how many are dealt, the board and the betting."""
        return (s.cards[p], self.dealt(s), s.board, s.betting)

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Deal the other player's card, if it is dealt, again: each card that p does not see is equally likely."""
        if s.cards[1 - p] == 0:
            return s
        unseen = self.deck - (1 if s.cards[p] > 0 else 0) - (1 if s.board > 0 else 0)
        left, other = below(draw(seed, 0), unseen), 0
        for card in range(1, self.deck + 1):
            if card != s.cards[p] and card != s.board:
                if left == 0:
                    other = card
                left -= 1
        return s._replace(cards=(s.cards[0], other) if p == 0 else (other, s.cards[1]))

    def write_card(self, card: int) -> str:
        """Rank and suit of a card from 1; . for none."""
        return RANKS[(card - 1) // 2 - self.ranks] + SUITS[(card - 1) % 2] if card else "."

    def announce(self, s: State, a: int, p: int) -> str:
        """Whatever players do is seen by all; what is dealt is not."""
        return self.write_action(s, a) if self.to_move(s) != CHANCE else ""

    def write_action(self, s: State, a: int) -> str:
        return self.write_card(a + 1) if self.is_deal(s) else WORDS[a]

    def write_state(self, s: State) -> str:
        """The cards of both players (. before they are dealt), the betting, the board, the betting after it: `KsQh crc/Js rc`."""
        words, betting = "", s.betting
        while betting > 1:
            words, betting = "/fcr"[betting % 4] + words, betting // 4
        cards = "".join(map(self.write_card, s.cards))
        return f"{cards} {words}".strip().replace("/", f"/{self.write_card(s.board)} ").strip()

    def read_state(self, text: str) -> State:
        """The state that play reaches by this deal and this betting."""
        found = re.fullmatch(r"(\.|[^.][sh])(\.|[^.][sh])(?: ([fcr]+))?(?:/(.[sh])(?: ([fcr]+))?)?", " ".join(text.split()))
        s = self.initial()
        for name in [] if found is None else [card for card in (found[1], found[2]) if card != "."]:
            s = self._follow(text, s, name)
        for name in "" if found is None else found[3] or "":
            s = self._follow(text, s, WORDS[LETTERS.index(name)])
        for name in [] if found is None or found[4] is None else [found[4], *(WORDS[LETTERS.index(c)] for c in found[5] or "")]:
            s = self._follow(text, s, name)
        if found is None or self.write_state(s) != " ".join(text.split()):
            raise self._fault(text)
        return s

    def _follow(self, text: str, s: State, name: str) -> State:
        named = {self.write_action(s, a): a for a in self.actions(s)}
        if name not in named:
            raise self._fault(text)
        return self.result(s, named[name])

    def _fault(self, text: str) -> ZermeloError:
        ranks = RANKS[-self.ranks :]
        return ZermeloError(
            f"'{text}' is not a state of {self.name}: expected two different cards of {ranks} in suits {SUITS} (. before they are dealt), "
            f"the betting as f, c, r, then the board and more betting, like {ranks[-1]}s{ranks[-2]}h crc/{ranks[0]}s rc"
        )

    def show(self, s: State) -> str:
        turn = -1 if self.is_terminal(s) else self.to_move(s)
        rows = [
            f"player {p}: {self.write_card(card):<2}  paid {s.paid[p]}"
            + ("  to act" if p == turn else "  folded" if p == s.folded - 1 else "")
            for p, card in enumerate(s.cards)
        ]
        betting = self.write_state(s).partition(" ")[2].partition("/")
        after = betting[2].partition(" ")[2]
        return "\n".join([f"board: {self.write_card(s.board)}", *rows, f"betting: {' / '.join(filter(None, (betting[0], after))) or '-'}"])
