"""The rules of heads-up limit hold'em."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...bits import bit, ctz, i8, i64, nth, popcount, rest, u64
from ...errors import ZermeloError
from ...game import CHANCE, Game
from ...rng import below, draw
from .hands import RANKS, SUITS, strength

FOLD, CALL, RAISE = 0, 1, 2
MOST_BETS = 4  # a round; before the flop the big blind is the first


class State(NamedTuple):
    """The cards dealt so far, and the betting."""

    hands: tuple[u64, u64]  # a bit for each card, 13 * suit + rank
    boards: tuple[u64, u64, u64]  # the flop, the turn, the river
    street: i8  # 0 before the flop, then 1, 2 and 3
    turn: i8
    paid: tuple[i8, i8]
    bets: i8  # in this round
    raises: i8  # in this round, without the blinds
    calls: i8  # since the last of them
    folded: i8  # who did, from 1
    betting: u64  # all actions so far: 1 at first, then four times as much and 1 + the action, or 0 for the next round


class Holdem(Game):
    """Heads-up limit hold'em: blinds of 1 and 2, bets of 2 before and after the flop, then of 4, at most four a round.

    Player 0 has the button and the small blind, and acts first before the flop, last after it. The best five of the own two cards and the
    five on the board win; with fewer ranks the deck has only the highest. An action of chance is the card that it deals, 13 * suit + rank;
    of a player, FOLD, CALL (or check) or RAISE.
    """

    ends_without_actions, is_zero_sum = True, True
    value_range = (-48.0, 48.0)
    default_searcher = "ismcts"
    board_sizes = (0, 3, 4, 5)  # in each round of betting
    letters = "fcr"  # what actions are called in the text of a state
    words: tuple[str, ...] = ("fold", "call", "raise")  # and alone
    raise_sizes = 1  # the kinds of raise, numbered from RAISE
    betting_digit = 2  # bits of an action in the word of all betting

    def __init__(self, ranks: int = 13):
        if not 4 <= ranks <= 13:
            raise ZermeloError(f"{self.name}: expected 4 to 13 ranks, not {ranks}")
        self.deck = sum((1 << 13) - (1 << 13 - ranks) << 13 * suit for suit in range(len(SUITS)))

    def initial(self) -> State:
        return State((0, 0), (0, 0, 0), 0, 0, (1, 2), 1, 0, 0, 0, 1)

    def board(self, s: State) -> u64:
        """All cards on the board."""
        return s.boards[0] | s.boards[1] | s.boards[2]

    def hand(self, s: State, p: int) -> u64:
        """The cards of player p."""
        return s.hands[p]

    def betting(self, s: State) -> u64:
        """All that the players did so far."""
        return s.betting

    def strength(self, cards: u64) -> i64:
        """How strong the best five of these cards are."""
        return strength(cards)

    def is_deal(self, s: State) -> bool:
        """Whether a card is to be dealt."""
        return popcount(s.hands[1]) < 2 or popcount(self.board(s)) < self.board_sizes[s.street]

    def to_move(self, s: State) -> int:
        return CHANCE if self.is_deal(s) else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if self.is_deal(s):
            cards = self.deck & ~(s.hands[0] | s.hands[1] | self.board(s))
            while cards:
                yield ctz(cards)
                cards = rest(cards)
        elif not self.is_terminal(s):
            if s.paid[1 - s.turn] > s.paid[s.turn]:
                yield FOLD
            yield CALL
            for a in range(RAISE, RAISE + self.raise_sizes):
                if self.may_raise(s, a):
                    yield a

    def may_raise(self, s: State, a: int) -> bool:
        """Whether the player to move may take this action, a raise."""
        return s.bets < MOST_BETS

    def result(self, s: State, a: int) -> State:
        if self.is_deal(s):
            return self.dealt(s, bit(a))
        betting = s.betting << 2 | u64(1 + a)
        if a == FOLD:
            return s._replace(folded=s.turn + 1, betting=betting)
        now = max(s.paid[0], s.paid[1])
        if a == RAISE:
            now += 2 if s.street < 2 else 4
        paid = (now, s.paid[1]) if s.turn == 0 else (s.paid[0], now)
        if a == RAISE:
            return s._replace(paid=paid, bets=s.bets + 1, raises=s.raises + 1, calls=0, turn=1 - s.turn, betting=betting)
        t = s._replace(paid=paid, calls=s.calls + 1, turn=1 - s.turn, betting=betting)
        if not self.is_round_over(t) or t.street == 3:
            return t
        return t._replace(street=t.street + 1, turn=1, bets=0, raises=0, calls=0, betting=t.betting << 2)

    def dealt(self, s: State, card: u64) -> State:
        """The state after this card is dealt."""
        if popcount(s.hands[0]) < 2:
            return s._replace(hands=(s.hands[0] | card, s.hands[1]))
        if popcount(s.hands[1]) < 2:
            return s._replace(hands=(s.hands[0], s.hands[1] | card))
        if popcount(s.boards[0]) < self.board_sizes[1]:
            return s._replace(boards=(s.boards[0] | card, s.boards[1], s.boards[2]))
        if s.boards[1] == 0:
            return s._replace(boards=(s.boards[0], card, s.boards[2]))
        return s._replace(boards=(s.boards[0], s.boards[1], card))

    def is_round_over(self, s: State) -> bool:
        """Whether all bets of the round are called."""
        return s.calls == 2 or (s.raises > 0 and s.calls == 1)

    def is_terminal(self, s: State) -> bool:
        return s.folded > 0 or (s.street == 3 and self.is_round_over(s) and not self.is_deal(s))

    def utility(self, s: State, p: int) -> float:
        if s.folded > 0:
            return -s.paid[p] if p == s.folded - 1 else s.paid[1 - p]
        board = self.board(s)
        mine, theirs = strength(s.hands[p] | board), strength(s.hands[1 - p] | board)
        return 0 if mine == theirs else s.paid[1 - p] if mine > theirs else -s.paid[p]

    def probability(self, s: State, a: int) -> float:
        return 1.0 / (popcount(self.deck) - popcount(s.hands[0] | s.hands[1] | self.board(s)))

    def observe(self, s: State, p: int) -> tuple[u64, u64, u64, u64, u64, int]:
        """The own cards, the flop, the turn, the river, the betting, and how many cards the players have."""
        return (s.hands[p], s.boards[0], s.boards[1], s.boards[2], s.betting, popcount(s.hands[0] | s.hands[1]))

    def resample(self, s: State, p: int, seed: u64) -> State:
        """Deal the other player's cards again: all that p does not see are equally likely."""
        unseen, other = self.deck & ~(s.hands[p] | self.board(s)), u64(0)
        for k in range(popcount(s.hands[1 - p])):
            card = bit(nth(unseen, below(draw(seed, u64(k)), popcount(unseen))))
            unseen, other = unseen & ~card, other | card
        return s._replace(hands=(s.hands[0], other) if p == 0 else (other, s.hands[1]))

    # ---- text ------------------------------------------------------------------------------------

    def write_cards(self, cards: int) -> str:
        """A set of cards, the highest rank first."""
        ordered = sorted((c for c in range(52) if cards >> c & 1), key=lambda c: (-(c % 13), c))
        return "".join(RANKS[c % 13] + SUITS[c // 13] for c in ordered)

    def announce(self, s: State, a: int, p: int) -> str:
        """Whatever players do is seen by all; what is dealt is not."""
        return self.write_action(s, a) if self.to_move(s) != CHANCE else ""

    def write_action(self, s: State, a: int) -> str:
        return self.write_cards(1 << a) if self.is_deal(s) else self.words[a]

    def write_betting(self, s: State) -> list[str]:
        """The actions of each round, a letter each."""
        rounds, betting = [""], s.betting
        while betting > 1:
            digit, betting = betting & (1 << self.betting_digit) - 1, betting >> self.betting_digit
            rounds = ["", *rounds] if digit == 0 else [self.letters[digit - 1] + rounds[0], *rounds[1:]]
        return rounds

    def write_state(self, s: State) -> str:
        """The cards of both players, and each round as the cards on the board and the betting: `AsKd QhQc rc/Th7s2c cr`."""
        first, *others = self.write_betting(s)
        others += [""] * (sum(map(bool, s.boards)) - len(others))  # cards that come after all betting
        told = [first, *(f"{self.write_cards(cards)} {words}".strip() for cards, words in zip(s.boards, others, strict=False))]
        hands = " ".join(self.write_cards(hand) or "-" for hand in s.hands)
        return f"{hands} {'/'.join(told)}".strip()

    def read_state(self, text: str) -> State:
        """The state that play reaches by these cards and this betting."""
        s = self.initial()
        for name in re.findall(rf"[2-9TJQKA][shdc]|[{self.letters}]", text):
            wanted = self.words[self.letters.index(name)] if len(name) == 1 else name
            named = {self.write_action(s, a): a for a in self.actions(s)}
            s = self.result(s, named[wanted]) if wanted in named else s
        if self.write_state(s) != " ".join(text.split()):
            raise ZermeloError(
                f"'{text}' is not a state of {self.name}: expected the cards of both players, the highest first (- for none), "
                f"the betting as {', '.join(self.letters)}, and each round after a /, like AsKd QhQc cc/Th7s2c cc"
            )
        return s

    def show(self, s: State) -> str:
        turn = -1 if self.is_terminal(s) else self.to_move(s)
        board = "  ".join(self.write_cards(cards) for cards in s.boards if cards)
        marks = ["  to act" if p == turn else "  folded" if p == s.folded - 1 else "" for p in range(2)]
        hands = [f"player {p}: {self.write_cards(s.hands[p]) or '-':<4}  paid {s.paid[p]}{marks[p]}" for p in range(2)]
        return "\n".join([f"board: {board or '-'}", *hands, f"betting: {'/'.join(self.write_betting(s)) or '-'}"])
