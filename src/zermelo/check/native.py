"""Whether the native rules are the ones that the interpreter runs: state by state, and over whole games.

Native code checks nothing: what would raise an error in the interpreter may end the whole process, or go on for ever. Every rule is
therefore asked by itself, and a teller is told before. This is the only place where a check runs native code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import LoweringError
from ..game import Game, State
from ..search.work import prepare
from .answers import Answers, difference, games_difference
from .ask import Failed, attempt
from .probe import ASKED, probe
from .questions import NATIVE, Teller
from .report import Finding

BY_STATE, BY_GAME = "interpreted = native", "playouts: interpreted = native"
PLAYED = "the rules in random games"
ADVICE = ": mask words after ~ - + * <<, and keep numbers within 64 bits"


def native_findings(game: Game, asked: Answers, write: Callable[[State], str], teller: Teller) -> list[Finding]:
    """Compare the interpreted answers with native ones; `write` shows a state."""
    if not asked.states:
        return [Finding(BY_STATE, None, f"not checked: {asked.failure}"), Finding(BY_GAME, None, f"not checked: {asked.failure}")]
    teller.rest()
    run = attempt(prepare, game, probe, asked.fields, False)
    if isinstance(run, Failed):
        return [Finding(BY_STATE, False, refusal(run)), Finding(BY_GAME, None, "not checked: the rules could not be lowered")]
    found = [_states(asked, run, write, teller)]
    if asked.games is not None:
        teller.ask(PLAYED, how=NATIVE)
    return [*found, _games(asked, run)]


def refusal(failed: Failed) -> str:
    """Why lowering failed: its own sentence if it has one."""
    return str(failed.error) if isinstance(failed.error, LoweringError) else f"lowering {failed.why}"


def _states(asked: Answers, run: Callable[..., Any], write: Callable[[State], str], teller: Teller) -> Finding:
    for s, given, here in asked.states:
        for number, rule in enumerate(ASKED, 1):
            teller.ask(rule, s, NATIVE)
            there = attempt(lambda given=given, number=number: run(**given, only=number))
            if isinstance(there, Failed):
                return Finding(BY_STATE, False, f"native code of {rule} {there.why}", write(s))
            if told := difference(here, there, rule):
                return Finding(BY_STATE, False, f"{told} native{ADVICE}", write(s))
    return Finding(BY_STATE, True, f"{len(asked.states):,} states, every method")


def _games(asked: Answers, run: Callable[..., Any]) -> Finding:
    if asked.games is None:
        return Finding(BY_GAME, None, asked.why_no_games)
    given, here = asked.games
    there = attempt(lambda: run(**given))
    if isinstance(there, Failed):
        return Finding(BY_GAME, False, f"native code {there.why}")
    if told := games_difference(here, there):
        return Finding(BY_GAME, False, f"{told} native{ADVICE}")
    return Finding(BY_GAME, True, f"{given['games']} games, {here.value:,} actions")
