"""What `solve` and `strategy` do for games of cards whose hands are put into buckets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import ZermeloError
from ..game import Game
from ..system import interrupt
from .board_view import seen_line
from .interrupts import background
from .output import aside, complain, progress, say, say_json, say_table

if TYPE_CHECKING:
    from ..equilibrium.cards.solve import CardLook, CardRun, CardSolving
    from ..equilibrium.cards.strategy import CardStrategy


def solve_over_buckets(game: Game, solving: CardSolving, path: Path | None, as_json: bool) -> None:
    """Sample until the end that was asked for, or Ctrl-C; the strategy is in the file, if there is one."""
    from ..equilibrium.cards.solve import CardRun
    from ..search.stop import Stop

    begun, stop = list[CardRun](), Stop()

    def get_ready() -> None:
        with aside(as_json):
            begun.append(CardRun(game, solving, path, lambda name, share: progress(f"{name}: {100 * share:.0f} %")))
        progress("")

    for number, look in enumerate(background(get_ready, lambda: begun[0].steps(stop), stop, lambda: None)):
        if number == 0 and not as_json:
            table = begun[0].table
            sizes = ", ".join(f"{n:,}" for n in table.buckets.sizes)
            say(f"{game!r}: buckets {sizes}; {table.sets:,} information sets, {table.sequences:,} sequences, mccfr")
        _say_look(look, as_json)
    run = begun[0]
    assert run.look is not None
    if as_json:
        say_json(_summary(run, run.look))
    elif path is not None:
        say(f"the strategy is in {path}: the player strategy:{path} plays it")
    if not run.is_done:
        complain(f"interrupted after {run.look.iterations:,} iterations" + (f": the same command goes on from {path}" if path else ""))
        raise typer.Exit(interrupt.CODE)


def _say_look(look: CardLook, as_json: bool) -> None:
    if as_json:
        say_json({"iterations": look.iterations, "seconds": look.seconds, "value": look.value})
        return
    said = f"{look.iterations:>12,} iterations  {look.seconds:8.1f} s  {look.iterations_per_second:>10,.0f}/s"
    say(f"{said}  player 0 gets {look.value:+.3f} a deal while learning")


def _summary(run: CardRun, look: CardLook) -> dict[str, Any]:
    return {
        "game": repr(run.game),
        "method": "mccfr",
        "buckets": run.table.buckets.sizes,
        "information_sets": run.table.sets,
        "iterations": look.iterations,
        "iterations_per_second": look.iterations_per_second,
        "seconds": look.seconds,
        "value": look.value,
        "nash_conv": None,
        "run": None if run.path is None else str(run.path),
    }


def show_starting_hands(game: Game, known: CardStrategy, player: int | None, rows: int, as_json: bool) -> None:
    """What the player who acts first does with each starting hand."""
    from ..equilibrium.cards.boards import starting_hand
    from ..equilibrium.cards.game import follow

    mover, cards = known.table.tree.nodes[0].mover, [c for c in range(64) if known.table.game.deck >> c & 1]
    if player not in (None, mover):
        raise ZermeloError(f"{game.player_name(mover)} acts first: expected that player, or --state with what the other sees")
    hands = {starting_hand(1 << a | 1 << b): (a, b) for a in cards for b in cards if a < b}
    told = []
    for number in sorted(hands, reverse=True)[:rows]:
        own = hands[number]
        others = [c for c in cards if c not in own][:2]
        s = follow(game, game.initial(), [*own, *others] if mover == 0 else [*others, *own])
        told.append((seen_line(game, s, mover), {game.write_action(s, a): x for a, x in known.policy(game, s).items()}))
    if as_json:
        for seen, policy in told:
            say_json({"seen": seen, "player": mover, "policy": policy})
        return
    about, sizes = known.about, ", ".join(f"{n:,}" for n in known.table.buckets.sizes)
    say(f"{about.game}, buckets {sizes}, {about.iterations:,} iterations: what {game.player_name(mover)} does at first\n")
    say_table(["knows", "does"], [[seen, "  ".join(f"{name} {100 * x:.1f} %" for name, x in policy.items())] for seen, policy in told])
