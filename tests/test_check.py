"""The check: every built-in game passes, and every mistake of an author is found, named and shown."""

from __future__ import annotations

from functools import cached_property

import helpers_broken_hints as hints
import helpers_broken_rules as rules
import pytest

import zermelo
from zermelo import Game, ZermeloError
from zermelo.check import Finding, Report, check

# ---- built-in games --------------------------------------------------------------------------------

#: small forms of the games that are large as they come; every other game is checked as it comes
SMALL: dict[str, list[str]] = {
    "backgammon": ["backgammon", "backgammon:cube=true"],
    "bins": ["bins:game=2"],
    "connect4": ["connect4:width=4,height=4"],
    "go": ["go:size=4"],
    "hex": ["hex:size=3,swap=true"],
    "hiddenwhist": ["hiddenwhist:players=2,suits=2,ranks=3,hand=2"],
    "kalah": ["kalah:houses=2,seeds=2"],
    "mnk": ["mnk:width=4,height=2,line=3"],
    "nim": ["nim:heaps=1,2,3,misere=true"],
    "othello": ["othello:size=4"],
    "pig": ["pig:target=6,players=3,sides=4"],
    "tree": ["tree:file=recitation", "tree:file=bins-2", "tree:file=three-players"],
    "trio": ["trio:width=3,height=3"],
    "whist": ["whist:suits=2,ranks=4"],
}


TEXTS = [text for name in zermelo.names() for text in SMALL.get(name, [name])]
#: games that others are like, and that take long to compile
LIKE_OTHERS = ("antichess", "backgammon:cube=true", "darkchess", "hearts", "kriegspiel", "morris", "nolimit")
#: games of which few states are looked at, because compiling or asking takes long
FEW = dict.fromkeys(("antichess", "backgammon", "backgammon:cube=true", "checkers", "chess", "go:size=4", "morris", "nolimit"), 150)
FEW |= {"kriegspiel": 8, "darkchess": 40, "ginrummy": 120, "hearts": 84}


def passes(text: str, games: int, states: int) -> None:
    report = check(zermelo.game(text), games=games, states=states, cuda=False)
    assert [f for f in report.findings if f.ok is False] == []
    assert report.ok and report.states > 5
    held = {f.what for f in report.findings if f.ok}
    assert {"interpreted = native", "playouts: interpreted = native", "states read as written", "every method is pure"} <= held


@pytest.mark.parametrize("text", [pytest.param(text, marks=pytest.mark.slow) if text in LIKE_OTHERS else text for text in TEXTS])
def test_every_built_in_game_passes(text: str) -> None:
    passes(text, 1 if text in FEW else 40, FEW.get(text, 1_500))


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text in TEXTS if text not in FEW])
def test_every_built_in_game_passes_on_many_states(text: str) -> None:
    passes(text, 40, 6_000)


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


# ---- mistakes --------------------------------------------------------------------------------------


def test_the_games_are_right_before_they_are_broken() -> None:
    for game in (rules.Take(), rules.Guess()):
        report = check(game, games=20, cuda=False)
        assert report.ok and report.exhaustive, [f for f in report.findings if f.ok is False]


MISTAKES: list[tuple[type[Game], str, str, str | None]] = [
    # the class, the finding, what its detail says, and the state that shows it (None: any)
    (rules.Counter, "to_move is pure", "to_move changes self.calls: rules are pure", "5 0"),
    (rules.Diary, "result is pure", "result changes self.diary", "5 0"),
    (rules.Dice, "result is pure", "the second time it is asked", None),
    (rules.Forgetful, "evaluate is pure", "evaluate gives 0.0, but 1.0", None),
    (rules.OneIterator, "actions is pure", "actions gives [1], but [2] the second time it is asked", "5 0"),
    (rules.Twice, "actions are distinct", "actions yields 1 twice", "2 "),
    (rules.Beyond, "actions until the end", "is_terminal is true, but actions yields 1", "0 "),
    (rules.Stuck, "actions until the end", "is_terminal is false, but actions yields nothing", "1 "),
    (rules.Words, "actions answers", "actions yields 'one', expected a whole number", "5 0"),
    (rules.Wide, "actions are distinct", "actions yields 18446744073709551616, which does not fit into 64 bits", "5 0"),
    (rules.Listless, "actions answers", "actions raises TypeError: it gives None and yields nothing: write yield", "5 0"),
    (rules.Forever, "actions answers", "actions does not stop: it yields more than 100,000 values", "3 "),
    (
        rules.Crash,
        "actions answers",
        "actions raises ZeroDivisionError: integer division or modulo by zero (at helpers_broken_rules.py:",
        "3 ",
    ),
    (rules.Quits, "is_terminal answers", "is_terminal raises SystemExit", "5 0"),
    (rules.TwoArguments, "is_terminal answers", "is_terminal raises TypeError: TwoArguments.is_terminal() missing 1 required", "5 0"),
    (rules.NoAnswer, "is_terminal answers", "is_terminal gives None, expected True or False: a path through it returns nothing", "5 0"),
    (rules.Unwritten, "to_move answers", "to_move raises NotImplementedError: Unwritten must write to_move(self, s)", "5 0"),
    (rules.PlainTuple, "result gives states that fit", "result by action 1 is not a state: it is a tuple, not a State", "5 0"),
    (rules.Overflow, "result gives states that fit", "field left is 200, which no i8 can hold", "2 "),
    (rules.NoMask, "result gives states that fit", "result by action 3 is not a state: field cells is -1, which no u64 can hold", "0 0,0"),
    (rules.Lists, "result gives states that fit", "field seen is [0, 0], not a tuple of 2 numbers as in initial()", "0 0,0"),
    (
        rules.ListState,
        "initial gives a state",
        "ListState: field moves of Kept is declared list[int]: write a machine integer",
        "Kept(moves=[])",
    ),
    (
        rules.Bare,
        "initial gives a state",
        "Bare: initial() gives a tuple: write the state as a class derived from typing.NamedTuple",
        "(5, 0)",
    ),
    (rules.Shuffled, "initial gives a state", "the second time it is asked", ""),
    (rules.NoStart, "initial gives a state", "initial raises KeyError: 4 (at helpers_broken_rules.py:", ""),
    (rules.NoPlayers, "players is a number", "players is 0, expected a whole number of 1 or more", ""),
    (rules.ThirdPlayer, "to_move names a player", "to_move gives 2, expected 0 to 1, or CHANCE", "1 "),
    (rules.HiddenDice, "to_move names a player", "to_move gives CHANCE, but the game does not write probability(self, s, a)", "1 "),
    (rules.Endless, "random games end", "did not end within 100,000 actions", None),
    (rules.Miscount, "count counts the actions", "count gives 2, but actions yields 1 different actions", "1 "),
    (rules.Illegal, "sample is legal", "sample gives 2, which is not an action of this state", "1 "),
    (rules.Biased, "sample is uniform", "times, but 2 ", None),
    (rules.NinetyPercent, "probabilities sum to 1", "probability sums to 0.9 over the actions, expected 1", "0 0"),
    (rules.Negative, "probabilities sum to 1", "probability gives -1 for action 1, expected 0 to 1", "0 0"),
    (rules.NotANumber, "utilities are finite", "utility gives nan to player 1, expected a finite number", "0 "),
    (rules.Worthless, "utility answers", "utility gives None, expected a number", "0 "),
    (hints.Infinite, "evaluate is finite", "evaluate gives inf to player 0", "5 0"),
    (hints.TextOrder, "order answers", "order gives 'first', expected a whole number", "5 0"),
    (hints.NoisyNothing, "is_tactical answers", "is_tactical gives None, expected True or False", "5 0"),
    (hints.SignedKey, "key is 64 bits", "key gives -5, expected 0 to 2**64 - 1", "5 0"),
    (hints.FewFeatures, "features are equally many", "features yields 4 numbers for player 0, but 5 in the first state", "4 1"),
    (hints.FarView, "plane_view names inputs", "plane_view gives 64 for player 1, which makes input 69 of 5: expected 0 to 63", "5 0"),
    (hints.BeyondViews, "plane_view names inputs", "plane_view gives 64 for player 1, which makes input 69 of 5: expected 0 to 68", "5 0"),
    (hints.ViewOfNothing, "plane_view names inputs", "the game writes plane_view, but not planes(self, s, p)", "5 0"),
    (hints.TextPhases, "phase is one of the phases", "phases is 'two', expected a whole number", "5 0"),
    (hints.OneBound, "values are within value_range", "value_range is (1.0,), expected a tuple of two numbers", "5 0"),
    (hints.TextViews, "plane_view names inputs", "plane_views is 'many', expected a whole number", "5 0"),
    (hints.OneInput, "planes are as many as said", "plane_inputs is 5, expected a tuple of (first, step, scale) for each plane", "5 0"),
    (hints.InfiniteFeatures, "features are equally many", "features yields inf for player 0, expected finite numbers", "0 "),
    (hints.EndlessFeatures, "features answers", "features does not stop: it yields more than 100,000 values", "5 0"),
    (hints.OtherTurn, "symmetries are the same", "to_move gives 1 there, and 0 here", "5 0"),
    (hints.OneLess, "symmetries are the same", "after which other things can be done", "3 "),
    (hints.TextSeen, "observe gives numbers", "observe gives player 0 'card': expected a whole number", "0 0"),
    (hints.SeesTooLittle, "observe tells the actions", "observe gives player 0 the same here and in Card(card=0, guess=0)", "1 0"),
    (hints.SeesMore, "observe gives numbers", "observe gives player 0 (1, 0): 2 numbers, but 1 in the first state", "1 0"),
    (
        hints.Redeals,
        "resample keeps what is seen",
        "resample for player 1 gives Card(card=2, guess=0): observe gives (1, 0, 2) there",
        "1 0",
    ),
    (hints.FourthCard, "resample keeps what is seen", "resample for player 0 gives Card(card=4, guess=0): play never reaches it", "1 0"),
    (hints.Undeals, "resample keeps what is seen", "to_move gives -1 there, and 0 here", "1 0"),
    (hints.LosesTurn, "states read as written", "read_state makes State(left=4, turn=0) of '4', which write_state gives", "4"),
    (hints.TwoLines, "states read as written", r"write_state gives '5\n0', expected one line of text", "State(left=5, turn=0)"),
    (hints.BadReader, "bad text is refused", "read_state raises ValueError: not enough values to unpack", ""),
    (hints.AnyNumber, "bad text is refused", "which is not a state: field ", ""),
    (hints.AnyAction, "bad text is refused", "read_action raises KeyError: ", None),
    (hints.SameName, "actions read as written", "write_action gives 'take' for the actions 1 and 2", "5 0"),
    (hints.Blank, "actions read as written", "write_action gives ' 1' for action 1, expected a word without blanks", "5 0"),
    (hints.WrongAction, "actions read as written", "read_action gives 1 for '2', which write_action gives for 2", "5 0"),
    (hints.Invisible, "show draws", "show gives an empty text", "5 0"),
    (hints.EarlyWin, "immediate is true", "immediate gives 1 for action 2, but it does not end the game", "3 "),
    (hints.SmallWin, "immediate is true", "immediate gives 1 for action 1, which gives player 0 1, and 2 can be had", "2 0"),
    (hints.EarlyLoss, "immediate is true", "immediate gives -1 for action 2, but no reply ends the game", "5 0"),
    (hints.LostAtTheEnd, "immediate is true", "immediate gives -1 for action 2, but no opponent is to move after it", "2 "),
    (hints.InfiniteGain, "material_gain is finite", "material_gain gives inf for action 2, expected a finite number", "5 0"),
    (hints.HugeOrder, "order is small enough", "order gives 2097152 for action 2, expected at most 2**20 in size", "5 0"),
    (hints.SlowerThanSaid, "moves_left counts down", "moves_left gives 2, and 2 after action 1: expected at most 1", "4 "),
    (hints.MoreThanSaid, "upper_bound is one", "upper_bound gives player 0 -1, and more, 1, after action 1", "5 0"),
    (hints.NobodyAtLast, "final_value is that of the best action", "final_value gives player 0 0, expected ", "0 "),
    (hints.UrgentOnly, "urgent_first lists the actions", "urgent_first yields [2], expected the actions, each once", "5 0"),
    (hints.NothingRelevant, "relevant_actions are enough", "relevant_actions yields nothing, as if all were lost, but action 2 wins", "2 "),
    (hints.AlwaysRelevant, "relevant_actions are enough", "relevant_actions yields [2], expected actions of this state, each once", "1 "),
    (hints.MaybeExtended, "is_forcing answers", "is_forcing gives 'yes', expected True or False", "5 0"),
    (hints.MaybeSkipped, "allows_null_move answers", "allows_null_move gives None, expected True or False", "5 0"),
    (hints.SkipsToNothing, "null_move passes the turn", "allows_null_move is true, but the game does not write null_move(self, s)", "5 0"),
    (hints.SkipsToItself, "null_move passes the turn", "after null_move to_move gives 0, expected another player", "5 0"),
    (hints.SkipsAside, "null_move passes the turn", "which is not a state: field left is 200, which no i8 can hold", "5 0"),
    (hints.IllegalPlayout, "playout_action is legal", "playout_action gives 2, which is not an action of this state", "1 "),
    (hints.SignedPosition, "repetition_key is 64 bits", "repetition_key gives -5, expected 0 to 2**64 - 1", "5 0"),
    (hints.UnknownRule, "repetition is a known rule", "repetition is 'loss', expected '', 'draw' or 'forbidden'", ""),
    (hints.OpenTag, "svg is a picture", "svg gives what is not XML: mismatched tag", "5 0"),
    (hints.OtherPicture, "svg is a picture", "svg gives an element 'html', expected svg", "5 0"),
]


@pytest.mark.parametrize(("cls", "what", "detail", "state"), MISTAKES, ids=[m[0].__name__ for m in MISTAKES])
def test_a_mistake_is_found(cls: type[Game], what: str, detail: str, state: str | None) -> None:
    report = check(cls(), games=20, native=False, cuda=False)
    wrong = {f.what: f for f in report.findings if f.ok is False}
    assert not report.ok and what in wrong, wrong
    assert detail in wrong[what].detail and "\n" not in wrong[what].detail
    assert state is None or (wrong[what].state.startswith(state) and bool(wrong[what].state) == bool(state))


def test_a_mistake_does_not_hide_the_others() -> None:
    class Both(rules.Miscount, rules.NotANumber, hints.SameName, hints.Infinite):
        pass

    report = check(Both(), games=5, native=False, cuda=False)
    wrong = {f.what for f in report.findings if f.ok is False}
    assert wrong == {"count counts the actions", "utilities are finite", "actions read as written", "evaluate is finite"}


def test_a_game_without_a_start_has_no_other_findings() -> None:
    report = check(rules.NoStart(), native=False, cuda=False)
    assert report.states == 0 and [f.ok for f in report.findings].count(False) == 1
    assert all(f.detail == "not checked: the game has no initial state" for f in report.findings if f.ok is None)


def test_what_is_computed_once_and_kept_is_no_change() -> None:
    class Careful(rules.Take):
        @cached_property
        def half(self) -> int:
            return 2

        def evaluate(self, s: rules.State, p: int) -> float:
            return s.left / self.half

        def __init__(self) -> None:
            self.table = ((1, 2), (3, 4))
            self.me, self.parts = self, [self.table]
            self.parts.append(self.parts)  # type: ignore[arg-type]

    assert check(Careful(), games=5, native=False, cuda=False).ok


def test_states_that_share_a_key_on_purpose_are_told() -> None:
    class Merged(rules.Take):
        def key(self, s: rules.State) -> int:
            return s.left

    report = check(Merged(), games=5, native=False, cuda=False)
    found = next(f for f in report.findings if f.what == "keys tell states apart")
    assert found.ok and found.detail.endswith("the game's own key is shared by 4 states with others")


def test_a_game_that_hides_but_never_deals_is_told() -> None:
    class Open(rules.Guess):
        resample = Game.resample

    found = next(f for f in check(Open(), native=False, cuda=False).findings if f.what == "resample keeps what is seen")
    assert found.ok and "never another state than the true one" in found.detail


def test_actions_of_chance_that_cannot_happen_are_not_followed() -> None:
    class Loaded(rules.Guess):
        def probability(self, s: rules.Card, a: int) -> float:
            return 1.0 if a == 2 else 0.0

    report = check(Loaded(), native=False, cuda=False)
    assert report.states == 5  # nothing is dealt, the 2 is, and the three guesses
    found = next(f for f in report.findings if f.ok is False)
    assert found.what == "resample keeps what is seen" and "play never reaches it" in found.detail


# ---- native code ------------------------------------------------------------------------------------


def test_native_code_that_differs_is_found() -> None:
    found = {f.what: f for f in check(hints.LostBits(), games=5, cuda=False).findings}["interpreted = native"]
    assert found.ok is False and found.state == "8 0,0"
    assert ": LostBits.key: `s.cells << 61`: a word beyond 64 bits is used: mask it before" in found.detail


def test_what_cannot_be_lowered_is_told() -> None:
    findings = {f.what: f for f in check(hints.NoLowering(), games=5, cuda=False).findings}
    found = findings["interpreted = native"]
    assert found.ok is False and "NoLowering.evaluate: a list cannot be lowered" in found.detail
    assert findings["playouts: interpreted = native"].ok is None


def test_hooks_of_searches_hold_and_are_the_same_in_native_code() -> None:
    report = check(hints.Sound(), games=5, cuda=False)
    told = {f.what: f.detail for f in report.findings if f.ok}
    assert report.ok and told["immediate is true"].endswith(" claims") and told["interpreted = native"].endswith("every method")
    assert {
        "material_gain is finite",
        "null_move passes the turn",
        "playout_action is legal",
        "repetition_key is 64 bits",
        "svg is a picture",
    } <= set(told)


@pytest.mark.parametrize(
    ("cls", "method"),
    [
        (hints.LostGain, "material_gain"),
        (hints.LostLoss, "loses_material"),
        (hints.LostKind, "action_kind"),
        (hints.LostPosition, "repetition_key"),
        (hints.LostPlayout, "playout_action"),
        (hints.LostSkip, "null_move"),
    ],
)
def test_hooks_that_differ_in_native_code_are_found(cls: type[Game], method: str) -> None:
    found = {f.what: f for f in check(cls(), games=5, cuda=False).findings}
    assert found["interpreted = native"].ok is False
    assert f": {cls.__name__}.{method}: `s.cells << 61`: a word beyond 64 bits is used" in found["interpreted = native"].detail
    assert [what for what, f in found.items() if f.ok is False] == ["interpreted = native"]


@pytest.mark.parametrize(
    ("cls", "why"), [(rules.Unwritten, "a method raises NotImplementedError"), (hints.EndlessFeatures, "no state could be asked")]
)
def test_rules_that_fail_are_not_run_as_native_code(cls: type[Game], why: str) -> None:
    findings = {f.what: f for f in check(cls(), games=5, cuda=False).findings}
    assert findings["interpreted = native"].ok is None
    assert findings["interpreted = native"].detail.startswith(f"not checked: {why}")
