"""The check of a whole game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..bits import FULL
from ..errors import LoweringError, ZermeloError
from ..game import Game, State
from ..history import players_fault
from ..layout import layout_of
from .answers import answers
from .ask import Ask, Failed, attempt, same, shown
from .cuda import cuda_findings
from .endings import Endings
from .explore import random_games, reachable
from .hidden import Hidden
from .hints import Hints
from .hooks import Hooks
from .native import native_findings
from .questions import Teller, telling
from .report import Finding, Notes, Report, unchecked
from .rules import Position, Rules
from .text import Texts, is_line
from .watch import Watch

MET = 5_000  # different states of random games that are looked at
TO_PLAY = ("every method answers", "result gives states that fit", "actions until the end", "sample is legal")  # or no game is played

Progress = Callable[[str], None]


def check(
    game: Game,
    *,
    games: int = 200,
    states: int = 20_000,
    seed: int = 0,
    native: bool = True,
    cuda: bool = True,
    on_progress: Progress | None = None,
    on_report: Callable[[Report], None] | None = None,
    teller: Teller | None = None,
) -> Report:
    """Check a game by random play, and in all its states if there are at most `states`; never raises for the game's faults.

    `native` and `cuda` compare the interpreted rules with lowered ones. `on_progress` is called with what is being done, `on_report`
    what was found so far, and the teller every question before it is asked.
    """
    if games < 1 or states < 1:
        raise ZermeloError(f"check: expected at least 1 game and 1 state, not {games} and {states}")
    report = on_progress or (lambda _: None)
    seed &= FULL
    name, write = _name(game), _writer(game)
    watched = game if teller is None else telling(game, teller)
    teller, publish = teller or Teller(), on_report or (lambda _: None)
    publish(Report(name, (), 0, False))
    start = _start(watched)
    if isinstance(start, Finding):
        return Report(name, (start, *unchecked("the game has no initial state", start)), 0, False)
    notes = Notes(write)
    ask = Ask(watched, notes, Watch(game))
    ask.first(start)
    report("looking for states")
    found = reachable(ask, start, states)
    met = random_games(ask, notes, start, games, seed, min(states, MET))
    positions = _inspect(ask, notes, met if found is None else found, found, seed, report)
    n = len(met if found is None else found)
    coverage = f"{n:,} states of random games" if found is None else f"{n:,} states, all of them"
    findings = notes.findings(coverage, n)

    def so_far() -> Report:
        return Report(name, tuple(findings), n, found is not None)

    publish(so_far())
    if native or cuda:
        report("asking all rules once more")
        asked = answers(watched, [] if ask.is_endless else positions, seed, not any(map(notes.failed, TO_PLAY)))
    if native:
        report("comparing with native code")
        findings += native_findings(game, asked, write, teller)
        publish(so_far())
    else:
        findings.append(Finding("interpreted = native", None, "not asked for"))
    if cuda:
        report("comparing with CUDA code")
        teller.rest()
        findings += cuda_findings(game, asked, write)
    else:
        findings.append(Finding("interpreted = CUDA", None, "not asked for"))
    return so_far()


def _inspect(ask: Ask, notes: Notes, states: Sequence[State], found: Sequence[State] | None, seed: int, report: Progress) -> list[Position]:
    """Check every one of these states; those that a search could ask about."""
    rules, hints, hooks, texts = Rules(ask, notes), Hints(ask, notes), Hooks(ask, notes), Texts(ask, notes)
    endings = Endings(ask, notes)
    hidden = Hidden(ask, notes, seed, None if found is None else frozenset(found))
    notes.count("initial gives a state")
    positions: list[Position] = []
    for i, s in enumerate(states):
        if i % 500 == 0:
            report(f"state {i:,} of {len(states):,}")
        at = rules.repetition_key(s)
        texts.state(s)
        if at is not None:
            positions.append(at)
            rules.check(at)
            hints.check(at)
            hooks.check(at)
            endings.check(at)
            hidden.check(at)
            texts.actions(at)
        notes.count("every method answers")
        notes.count("every method is pure")
    rules.uniform(positions, seed)
    texts.pictures(positions)
    texts.hostile(positions)
    rules.end()
    hints.end(positions)
    hooks.end()
    hidden.end()
    ask.again()
    return positions


def _start(game: Game) -> State | Finding:
    """The initial state, or what is wrong with it."""
    what = "initial gives a state"
    players = attempt(lambda: game.players)
    if wrong := players.why if isinstance(players, Failed) else players_fault(players):
        return Finding("players is a number", False, wrong)
    first, second = attempt(game.initial), attempt(game.initial)
    for s in (first, second):
        if isinstance(s, Failed):
            return Finding(what, False, f"initial {s.why}")
    layout = attempt(layout_of, first, type(game))
    if isinstance(layout, Failed):
        message = (
            str(layout.error) if isinstance(layout.error, LoweringError) else f"initial gives {shown(first)}, whose layout {layout.why}"
        )
        return Finding(what, False, message, shown(first))
    if not same(first, second):
        return Finding(what, False, f"initial gives {shown(first)}, but {shown(second)} the second time it is asked")
    if isinstance(unhashable := attempt(hash, first), Failed):
        return Finding(what, False, f"hash of what initial gives {unhashable.why}", shown(first))
    return first


def _writer(game: Game) -> Callable[[Any], str]:
    """How a state is shown in a finding: as the game writes it, if it can."""

    def write(s: Any) -> str:
        text = attempt(game.write_state, s)
        return text if isinstance(text, str) and is_line(text) else repr(s)

    return write


def _name(game: Game) -> str:
    text = attempt(repr, game)
    return text if isinstance(text, str) else type(game).__name__
