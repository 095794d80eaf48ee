"""The check: every built-in game passes it, and each mistake of an author is found, named and shown."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo import CHANCE, Game, ZermeloError, below, bit, draw, i8, popcount, u64
from zermelo.check import Finding, Report, check

# ---- built-in games --------------------------------------------------------------------------------

#: small forms of the games that are large as they come; every other game is checked as it comes
SMALL: dict[str, list[str]] = {
    "bins": ["bins:game=2"],
    "connect4": ["connect4:width=4,height=4"],
    "kalah": ["kalah:houses=2,seeds=2"],
    "mnk": ["mnk:width=4,height=2,line=3"],
    "nim": ["nim:heaps=1,2,3,misere=true"],
    "pig": ["pig:target=6,players=3,sides=4"],
    "tree": ["tree:file=recitation", "tree:file=bins-2", "tree:file=three-players"],
    "trio": ["trio:width=3,height=3"],
    "whist": ["whist:suits=2,ranks=4"],
}


@pytest.mark.parametrize("text", [text for name in zermelo.names() for text in SMALL.get(name, [name])])
def test_every_built_in_game_passes(text: str) -> None:
    report = check(zermelo.game(text), games=40, states=6_000, cuda=False)
    assert [f for f in report.findings if f.ok is False] == []
    assert report.ok and report.states > 5
    held = {f.what for f in report.findings if f.ok}
    assert {"interpreted = native", "playouts: interpreted = native", "states read as written", "every method is pure"} <= held


def test_report_of_a_small_game() -> None:
    report = check(zermelo.game("kuhn"), native=False, cuda=False)
    assert (report.game, report.states, report.exhaustive) == ("kuhn", 58, True)
    told = {f.what: (f.ok, f.detail) for f in report.findings}
    assert told["every method answers"] == (True, "58 states, all of them")
    assert told["probabilities sum to 1"] == (True, "4 chance states")
    assert told["utilities are finite"] == (True, "30 terminal states; zero-sum")
    assert told["symmetries are the same"] == (None, "the game tells none")
    assert told["interpreted = native"] == (None, "not asked for")
    assert told["resample keeps what is seen"][1].startswith("58 states, all of them; another state in ")


def test_large_games_are_checked_by_random_play() -> None:
    told: list[str] = []
    report = check(zermelo.game("connect4"), games=3, states=100, native=False, cuda=False, on_progress=told.append)
    assert report.ok and not report.exhaustive and 10 < report.states <= 100
    assert next(f for f in report.findings if f.what == "every method answers").detail == f"{report.states} states of random games"
    assert told[0] == "looking for states"


def test_the_same_seed_gives_the_same_report() -> None:
    one, two, other = (check(zermelo.game("pig"), games=3, states=100, seed=seed, native=False, cuda=False) for seed in (5, 5, -6))
    assert one == two != other


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ZermeloError, match="at least 1 game and 1 state"):
        check(zermelo.game("nim"), games=0)


def test_a_report_is_ok_without_a_failure() -> None:
    assert Report("g", (Finding("a", True, ""), Finding("b", None, "")), 1, True).ok
    assert not Report("g", (Finding("a", True, ""), Finding("b", False, "")), 1, True).ok


# ---- a right game, and one that hides something, to be broken below ----------------------------------


class State(NamedTuple):
    left: i8
    turn: i8


class Take(Game):
    """Take one or two of five; who takes the last one wins."""

    def initial(self) -> State:
        return State(5, 0)

    def to_move(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for a in range(1, min(s.left, 2) + 1):
            yield a

    def result(self, s: State, a: int) -> State:
        return State(s.left - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return -1 if p == s.turn else 1


class Card(NamedTuple):
    card: i8  # 0 before it is dealt
    guess: i8  # 0 before it is made


class Guess(Game):
    """Chance deals one of three cards, which player 0 does not see and guesses; player 1 looks on."""

    def initial(self) -> Card:
        return Card(0, 0)

    def to_move(self, s: Card) -> int:
        return CHANCE if s.card == 0 else 0

    def actions(self, s: Card) -> Iterator[int]:
        if s.guess == 0:
            for a in range(1, 4):
                yield a

    def result(self, s: Card, a: int) -> Card:
        return Card(a, 0) if s.card == 0 else Card(s.card, a)

    def is_terminal(self, s: Card) -> bool:
        return s.guess != 0

    def utility(self, s: Card, p: int) -> float:
        return (2 if s.card == s.guess else -1) * (1 if p == 0 else -1)

    def probability(self, s: Card, a: int) -> float:
        return 1 / 3

    def observe(self, s: Card, p: int) -> tuple[int, int, int]:
        return (1 if s.card else 0, s.guess, s.card if p == 1 else 0)

    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return s if p == 1 or s.card == 0 else Card(1 + below(draw(seed, 0), 3), s.guess)


def test_the_games_below_are_right_before_they_are_broken() -> None:
    for game in (Take(), Guess()):
        report = check(game, games=20)
        assert report.ok and report.exhaustive, [f for f in report.findings if f.ok is False]


# ---- mistakes --------------------------------------------------------------------------------------


class Counter(Take):
    calls = 0

    def to_move(self, s: State) -> int:
        self.calls = self.calls + 1
        return s.turn


class Diary(Take):
    def __init__(self) -> None:
        self.diary: dict[str, list[int]] = {"taken": []}

    def result(self, s: State, a: int) -> State:
        self.diary["taken"].append(a)
        return super().result(s, a)


class Dice(Take):
    def result(self, s: State, a: int) -> State:
        return State(s.left - a, random.randrange(2))


SEEN: list[State] = []


class Forgetful(Take):
    def evaluate(self, s: State, p: int) -> float:
        SEEN.append(s)
        return float(len(SEEN) > 20)


class OneIterator(Take):
    def __init__(self) -> None:
        self.all = iter((1, 2))

    def actions(self, s: State) -> Iterator[int]:
        return self.all


class Twice(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from super().actions(s)
        if s.left == 2:
            yield 1


class Beyond(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from super().actions(s)
        if s.left == 0:
            yield 1


class Stuck(Take):
    def actions(self, s: State) -> Iterator[int]:
        if s.left != 1:
            yield from super().actions(s)


class Words(Take):
    def actions(self, s: State) -> Iterator[Any]:
        yield "one"


class Wide(Take):
    def actions(self, s: State) -> Iterator[int]:
        for a in super().actions(s):
            yield a << 64


class Listless(Take):
    def actions(self, s: State) -> Any:
        return None


class Forever(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from itertools.count(1) if s.left == 3 else super().actions(s)


class Crash(Take):
    def actions(self, s: State) -> Iterator[int]:
        yield from (1, 1 // (s.left - 3) * 0 + 2) if s.left > 1 else (1,) * s.left


class Quits(Take):
    def is_terminal(self, s: State) -> bool:
        raise SystemExit


class TwoArguments(Take):
    def is_terminal(self, s: State, p: int) -> bool:  # type: ignore[override]
        return s.left == 0


class NoAnswer(Take):
    def is_terminal(self, s: State) -> Any:
        return True if s.left == 0 else None


class Unwritten(Take):
    to_move = Game.to_move


class PlainTuple(Take):
    def result(self, s: State, a: int) -> Any:
        return (s.left - a, 1 - s.turn)


class Overflow(Take):
    def result(self, s: State, a: int) -> State:
        return State(s.left - a, 1 - s.turn) if s.left > 2 else State(200, 0)


class Cells(NamedTuple):
    cells: u64
    seen: tuple[i8, ...]


class Fill(Game):
    """Fill four cells; a state has a word and a tuple."""

    def initial(self) -> Cells:
        return Cells(0, (0, 0))

    def to_move(self, s: Cells) -> int:
        return popcount(s.cells) & 1

    def actions(self, s: Cells) -> Iterator[int]:
        for a in range(4):
            if s.cells >> a & 1 == 0:
                yield a

    def result(self, s: Cells, a: int) -> Cells:
        return Cells(s.cells | bit(a), s.seen)

    def is_terminal(self, s: Cells) -> bool:
        return s.cells == 15

    def utility(self, s: Cells, p: int) -> float:
        return 0


class NoMask(Fill):
    def result(self, s: Cells, a: int) -> Cells:
        return Cells(~(~s.cells & ~bit(a)) if a < 3 else ~s.cells, s.seen)


class Lists(Fill):
    def result(self, s: Cells, a: int) -> Cells:
        return Cells(s.cells | bit(a), [0, 0])  # type: ignore[arg-type]


class Kept(NamedTuple):
    moves: list[int]


class ListState(Take):
    def initial(self) -> Any:
        return Kept([])


class Bare(Take):
    def initial(self) -> Any:
        return (5, 0)


class Shuffled(Take):
    def initial(self) -> State:
        return State(random.randrange(100), 0)


class NoStart(Take):
    def initial(self) -> State:
        return {5: State(5, 0)}[4]


class NoPlayers(Take):
    players = 0


class ThirdPlayer(Take):
    def to_move(self, s: State) -> int:
        return 2 if s.left == 1 else s.turn


class HiddenDice(Take):
    def to_move(self, s: State) -> int:
        return CHANCE if s.left == 1 else s.turn


class Endless(Take):
    def result(self, s: State, a: int) -> State:
        return State(s.left, 1 - s.turn)


class Miscount(Take):
    def count(self, s: State) -> int:
        return 2


class Illegal(Take):
    def sample(self, s: State, random: u64) -> int:
        return 1 + below(random, 2)


class Biased(Take):
    def sample(self, s: State, random: u64) -> int:
        return 1 if s.left == 1 or below(random, 3) else 2


class NinetyPercent(Guess):
    def probability(self, s: Card, a: int) -> float:
        return 0.3


class Negative(Guess):
    def probability(self, s: Card, a: int) -> float:
        return (-1, 1, 1)[a - 1]


class NotANumber(Take):
    def utility(self, s: State, p: int) -> float:
        return float("nan") if p == 1 else 0.0


class Worthless(Take):
    def utility(self, s: State, p: int) -> Any:
        return None


class Infinite(Take):
    def evaluate(self, s: State, p: int) -> float:
        return float("inf")


class TextOrder(Take):
    def order(self, s: State, a: int) -> Any:
        return "first"


class NoisyNothing(Take):
    def noisy(self, s: State, a: int) -> Any:
        return True if a == 2 else None


class SignedKey(Take):
    def key(self, s: State) -> int:
        return -s.left


class FewFeatures(Take):
    def features(self, s: State, p: int) -> Iterator[float]:
        for _ in range(s.left):
            yield 1.0


class InfiniteFeatures(Take):
    def features(self, s: State, p: int) -> Iterator[float]:
        yield float(s.left) if s.left else float("inf")


class OtherTurn(Take):
    def symmetries(self, s: State) -> Iterator[State]:
        yield State(s.left, 1 - s.turn)


class OneLess(Take):
    def symmetries(self, s: State) -> Iterator[State]:
        if s.left == 3:
            yield State(4, s.turn)


class TextSeen(Guess):
    def observe(self, s: Card, p: int) -> Any:
        return "card"


class SeesTooLittle(Guess):
    def observe(self, s: Card, p: int) -> int:
        return s.guess


class SeesMore(Guess):
    def observe(self, s: Card, p: int) -> tuple[int, ...]:
        return (s.guess,) if s.card == 0 else (s.card, s.guess)


class Redeals(Guess):
    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return s if s.card == 0 else Card(s.card % 3 + 1, s.guess)


class FourthCard(Guess):
    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return s if p == 1 or s.card == 0 else Card(4, s.guess)


class Undeals(Guess):
    def observe(self, s: Card, p: int) -> int:
        return 0

    def resample(self, s: Card, p: int, seed: u64) -> Card:
        return Card(0, 0)


class LosesTurn(Take):
    def write_state(self, s: State) -> str:
        return str(s.left)

    def read_state(self, text: str) -> State:
        if text not in list("012345"):
            raise ZermeloError(f"'{text}' is no state: expected 0 to 5")
        return State(int(text), 0)


class TwoLines(Take):
    def write_state(self, s: State) -> str:
        return f"{s.left}\n{s.turn}"


class BadReader(Take):
    def read_state(self, text: str) -> State:
        left, turn = text.split()
        return State(int(left), int(turn))


class AnyNumber(Take):
    def read_state(self, text: str) -> State:
        if text.strip("0123456789 ") or not 1 < len(text.split()) < 3:
            raise ZermeloError(f"'{text}' is no state: expected two numbers")
        return State(*map(int, text.split()))


class AnyAction(Take):
    def read_action(self, s: State, text: str) -> int:
        return {"1": 1, "2": 2}[text]


class SameName(Take):
    def write_action(self, s: State, a: int) -> str:
        return "take"


class Blank(Take):
    def write_action(self, s: State, a: int) -> str:
        return f" {a}"


class WrongAction(Take):
    def read_action(self, s: State, text: str) -> int:
        if text not in ("1", "2"):
            raise ZermeloError("expected 1 or 2")
        return 1


class Invisible(Take):
    def show(self, s: State) -> str:
        return ""


MISTAKES: list[tuple[type[Game], str, str, str | None]] = [
    # the class, the finding, what its detail says, and the state that shows it (None: any)
    (Counter, "to_move is pure", "to_move changes self.calls: rules are pure", "5 0"),
    (Diary, "result is pure", "result changes self.diary", "5 0"),
    (Dice, "result is pure", "the second time it is asked", None),
    (Forgetful, "evaluate is pure", "evaluate gives 0.0, but 1.0", None),
    (OneIterator, "actions is pure", "actions gives [1], but [2] the second time it is asked", "5 0"),
    (Twice, "actions are distinct", "actions yields 1 twice", "2 "),
    (Beyond, "actions until the end", "is_terminal is true, but actions yields 1", "0 "),
    (Stuck, "actions until the end", "is_terminal is false, but actions yields nothing", "1 "),
    (Words, "actions answers", "actions yields 'one', expected a whole number", "5 0"),
    (Wide, "actions are distinct", "actions yields 18446744073709551616, which does not fit into 64 bits", "5 0"),
    (Listless, "actions answers", "actions raises TypeError: it gives None and yields nothing: write yield", "5 0"),
    (Forever, "actions answers", "actions does not stop: it yields more than 100,000 values", "3 "),
    (Crash, "actions answers", "actions raises ZeroDivisionError: integer division or modulo by zero (at test_check.py:", "3 "),
    (Quits, "is_terminal answers", "is_terminal raises SystemExit", "5 0"),
    (TwoArguments, "is_terminal answers", "is_terminal raises TypeError: TwoArguments.is_terminal() missing 1 required", "5 0"),
    (NoAnswer, "is_terminal answers", "is_terminal gives None, expected True or False: a path through it returns nothing", "5 0"),
    (Unwritten, "to_move answers", "to_move raises NotImplementedError: Unwritten must write to_move(self, s)", "5 0"),
    (PlainTuple, "result gives states that fit", "result by action 1 is no state: it is a tuple, not a State", "5 0"),
    (Overflow, "result gives states that fit", "field left is 200, which no i8 can hold", "2 "),
    (NoMask, "result gives states that fit", "result by action 3 is no state: field cells is -1, which no u64 can hold", "0 0,0"),
    (Lists, "result gives states that fit", "field seen is [0, 0], not a tuple of 2 numbers as in initial()", "0 0,0"),
    (ListState, "initial gives a state", "ListState: field moves of Kept is declared list[int]: write a machine integer", "Kept(moves=[])"),
    (Bare, "initial gives a state", "Bare: initial() gives a tuple: write the state as a class derived from typing.NamedTuple", "(5, 0)"),
    (Shuffled, "initial gives a state", "the second time it is asked", ""),
    (NoStart, "initial gives a state", "initial raises KeyError: 4 (at test_check.py:", ""),
    (NoPlayers, "players is a number", "players is 0, expected a whole number of 1 or more", ""),
    (ThirdPlayer, "to_move names a player", "to_move gives 2, expected 0 to 1, or CHANCE", "1 "),
    (HiddenDice, "to_move names a player", "to_move gives CHANCE, but the game does not write probability(self, s, a)", "1 "),
    (Endless, "random games end", "did not end within 100,000 actions", None),
    (Miscount, "count counts the actions", "count gives 2, but actions yields 1 different actions", "1 "),
    (Illegal, "sample is legal", "sample gives 2, which is no action of this state", "1 "),
    (Biased, "sample is uniform", "times, but 2 ", None),
    (NinetyPercent, "probabilities sum to 1", "probability sums to 0.9 over the actions, expected 1", "0 0"),
    (Negative, "probabilities sum to 1", "probability gives -1 for action 1, expected 0 to 1", "0 0"),
    (NotANumber, "utilities are finite", "utility gives nan to player 1, expected a finite number", "0 "),
    (Worthless, "utility answers", "utility gives None, expected a number", "0 "),
    (Infinite, "evaluate is finite", "evaluate gives inf to player 0", "5 0"),
    (TextOrder, "order answers", "order gives 'first', expected a whole number", "5 0"),
    (NoisyNothing, "noisy answers", "noisy gives None, expected True or False", "5 0"),
    (SignedKey, "key is 64 bits", "key gives -5, expected 0 to 2**64 - 1", "5 0"),
    (FewFeatures, "features are equally many", "features yields 4 numbers for player 0, but 5 in the first state", "4 1"),
    (InfiniteFeatures, "features are equally many", "features yields inf for player 0, expected finite numbers", "0 "),
    (OtherTurn, "symmetries are the same", "to_move gives 1 there, and 0 here", "5 0"),
    (OneLess, "symmetries are the same", "after which other things can be done", "3 "),
    (TextSeen, "observe gives numbers", "observe gives player 0 'card': expected a whole number", "0 0"),
    (SeesTooLittle, "observe tells the actions", "observe gives player 0 the same here and in Card(card=0, guess=0)", "1 0"),
    (SeesMore, "observe gives numbers", "observe gives player 0 (1, 0): 2 numbers, but 1 in the first state", "1 0"),
    (Redeals, "resample keeps what is seen", "resample for player 1 gives Card(card=2, guess=0): observe gives (1, 0, 2) there", "1 0"),
    (FourthCard, "resample keeps what is seen", "resample for player 0 gives Card(card=4, guess=0): play never reaches it", "1 0"),
    (Undeals, "resample keeps what is seen", "to_move gives -1 there, and 0 here", "1 0"),
    (LosesTurn, "states read as written", "read_state makes State(left=4, turn=0) of '4', which write_state gives", "4"),
    (TwoLines, "states read as written", r"write_state gives '5\n0', expected one line of text", "State(left=5, turn=0)"),
    (BadReader, "bad text is refused", "read_state raises ValueError: not enough values to unpack", ""),
    (AnyNumber, "bad text is refused", "which is no state: field ", ""),
    (AnyAction, "bad text is refused", "read_action raises KeyError: ", None),
    (SameName, "actions read as written", "write_action gives 'take' for the actions 1 and 2", "5 0"),
    (Blank, "actions read as written", "write_action gives ' 1' for action 1, expected a word without blanks", "5 0"),
    (WrongAction, "actions read as written", "read_action gives 1 for '2', which write_action gives for 2", "5 0"),
    (Invisible, "show draws", "show gives an empty text", "5 0"),
]


@pytest.mark.parametrize(("cls", "what", "detail", "state"), MISTAKES, ids=[m[0].__name__ for m in MISTAKES])
def test_a_mistake_is_found(cls: type[Game], what: str, detail: str, state: str | None) -> None:
    report = check(cls(), games=20, native=False, cuda=False)
    wrong = {f.what: f for f in report.findings if f.ok is False}
    assert not report.ok and what in wrong, wrong
    assert detail in wrong[what].detail and "\n" not in wrong[what].detail
    assert state is None or (wrong[what].state.startswith(state) and bool(wrong[what].state) == bool(state))


def test_a_mistake_does_not_hide_the_others() -> None:
    class Both(Miscount, NotANumber, SameName, Infinite):
        pass

    report = check(Both(), games=5, native=False, cuda=False)
    wrong = {f.what for f in report.findings if f.ok is False}
    assert wrong == {"count counts the actions", "utilities are finite", "actions read as written", "evaluate is finite"}


def test_a_game_without_a_start_has_no_other_findings() -> None:
    report = check(NoStart(), native=False, cuda=False)
    assert report.states == 0 and [f.ok for f in report.findings].count(False) == 1
    assert all(f.detail == "not checked: the game has no initial state" for f in report.findings if f.ok is None)


def test_what_is_computed_once_and_kept_is_no_change() -> None:
    class Careful(Take):
        @cached_property
        def half(self) -> int:
            return 2

        def evaluate(self, s: State, p: int) -> float:
            return s.left / self.half

        def __init__(self) -> None:
            self.table = ((1, 2), (3, 4))
            self.me, self.parts = self, [self.table]
            self.parts.append(self.parts)  # type: ignore[arg-type]

    assert check(Careful(), games=5, native=False, cuda=False).ok


def test_states_that_share_a_key_on_purpose_are_told() -> None:
    class Merged(Take):
        def key(self, s: State) -> int:
            return s.left

    report = check(Merged(), games=5, native=False, cuda=False)
    found = next(f for f in report.findings if f.what == "keys tell states apart")
    assert found.ok and found.detail.endswith("the game's own key is shared by 4 states with others")


def test_a_game_that_hides_but_never_deals_is_told() -> None:
    class Open(Guess):
        resample = Game.resample

    found = next(f for f in check(Open(), native=False, cuda=False).findings if f.what == "resample keeps what is seen")
    assert found.ok and "never another state than the true one" in found.detail


def test_actions_of_chance_that_cannot_happen_are_not_followed() -> None:
    class Loaded(Guess):
        def probability(self, s: Card, a: int) -> float:
            return 1.0 if a == 2 else 0.0

    report = check(Loaded(), native=False, cuda=False)
    assert report.states == 5  # nothing is dealt, the 2 is, and the three guesses
    found = next(f for f in report.findings if f.ok is False)
    assert found.what == "resample keeps what is seen" and "play never reaches it" in found.detail


# ---- native code ------------------------------------------------------------------------------------


class LostBits(Fill):
    def key(self, s: Cells) -> int:
        return (s.cells << 61) >> 60  # interpreted all bits of the word come back, native only some


class NoLowering(Take):
    def evaluate(self, s: State, p: int) -> float:
        return sum([s.left, p])


def test_native_code_that_differs_is_found() -> None:
    found = {f.what: f for f in check(LostBits(), games=5, cuda=False).findings}["interpreted = native"]
    assert found.ok is False and found.state == "8 0,0"
    assert found.detail.startswith("key gives 16 interpreted, but 0 native: mask words")


def test_what_cannot_be_lowered_is_told() -> None:
    findings = {f.what: f for f in check(NoLowering(), games=5, cuda=False).findings}
    found = findings["interpreted = native"]
    assert found.ok is False and "NoLowering.evaluate: a list cannot be lowered" in found.detail
    assert findings["playouts: interpreted = native"].ok is None


def test_rules_that_fail_are_not_run_as_native_code() -> None:
    findings = {f.what: f for f in check(Unwritten(), games=5, cuda=False).findings}
    assert findings["interpreted = native"].ok is None
    assert findings["interpreted = native"].detail.startswith("not checked: a method raises NotImplementedError")
