"""Whether the native rules are the ones that the interpreter runs: state by state, and over whole games.

Single states are asked of the checked build, which reports where a rule leaves what the fast build assumes. Random games are
played in the fast build, as searches use it. A teller gets the question first: native code may go on for ever. This is the only
place where a check runs native code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import LoweringError, RuleError
from ..game import Game, State
from ..search.prepare import checked_build, prepare
from .answers import Answers, difference, games_difference
from .ask import Failed, attempt
from .probe import played, probe
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
    with checked_build():
        run = attempt(prepare, game, probe, asked.fields, False)
    if isinstance(run, Failed):
        return [Finding(BY_STATE, False, refusal(run)), Finding(BY_GAME, None, "not checked: the rules could not be lowered")]
    found = _states(asked, run, write, teller)
    if asked.games is None:
        return [found, Finding(BY_GAME, None, asked.why_no_games)]
    teller.rest()
    run = attempt(prepare, game, played, asked.fields, False)
    teller.ask(PLAYED, how=NATIVE)
    return [found, Finding(BY_GAME, False, refusal(run)) if isinstance(run, Failed) else _games(*asked.games, run)]


def refusal(failed: Failed) -> str:
    """Why lowering failed: its own sentence if it has one."""
    return str(failed.error) if isinstance(failed.error, LoweringError) else f"lowering {failed.why}"


def _states(asked: Answers, run: Callable[..., Any], write: Callable[[State], str], teller: Teller) -> Finding:
    for s, given, here in asked.states:
        teller.ask("the rules", s, NATIVE)
        there = attempt(lambda given=given: run(**given))
        if isinstance(there, Failed):
            return Finding(BY_STATE, False, _fault(there), write(s))
        if why := difference(here, there):
            return Finding(BY_STATE, False, f"{why} native{ADVICE}", write(s))
    return Finding(BY_STATE, True, f"{len(asked.states):,} states in the checked build, every method")


def _games(given: dict[str, Any], here: Any, run: Callable[..., Any]) -> Finding:
    there = attempt(lambda: run(**given))
    if isinstance(there, Failed):
        return Finding(BY_GAME, False, _fault(there))
    if why := games_difference(here, there):
        return Finding(BY_GAME, False, f"{why} native{ADVICE}")
    return Finding(BY_GAME, True, f"{given['games']} games, {here.value:,} actions")


def _fault(failed: Failed) -> str:
    """What native code did instead of answering: its own sentence if it has one."""
    return str(failed.error) if isinstance(failed.error, RuleError) else f"native code {failed.why}"
