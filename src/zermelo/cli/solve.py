"""The commands `solve` and `strategy`: what a game is worth and how it is played best. Exact values are told by `exact.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError
from ..game import CHANCE, Game, State
from ..system import interrupt
from .board_view import seen_line
from .interrupts import background
from .options import AsJson, GameText, Seed, StateText, state_of
from .output import aside, complain, say, say_json, say_table

if TYPE_CHECKING:  # commands that do none of this import none of it
    from ..equilibrium.cards.strategy import CardStrategy
    from ..equilibrium.solve import Look, Run, Solving
    from ..equilibrium.strategy import Strategy

METHODS = "How: cfr, cfr+, dcfr or mccfr (default: cfr+); where nothing is hidden alphabeta or proofnumber (default: alphabeta)."


def solve(
    game: GameText,
    state: StateText = None,
    method: Annotated[str, typer.Option(metavar="NAME", help=METHODS)] = "",
    all_moves: Annotated[bool, typer.Option("--all", help="Find the exact value of every action.")] = False,
    table: Annotated[int | None, typer.Option(metavar="MB", help="MiB of memory for states met before (default: 256).")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds after which to stop.")] = None,
    until: Annotated[float | None, typer.Option(metavar="X", help="NashConv at which to end (default: 0.001 without iterations).")] = None,
    iterations: Annotated[int | None, typer.Option(metavar="N", help="Number of iterations after which to end.")] = None,
    buckets: Annotated[int | None, typer.Option(metavar="N", help="Of a large game of cards: buckets of like hands a round.")] = None,
    seed: Seed = 0,
    limit: Annotated[int, typer.Option(metavar="N", help="The most nodes that the game may have.")] = 50_000_000,
    run: Annotated[Path | None, typer.Option(metavar="FILE", help="The file of the strategy; one that is there is gone on with.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the exact value of a state with its best actions, or an equilibrium of a game with hidden information.

    --until to --run are for hidden information, --state to --seconds for all others. --buckets solves a game of cards too large to be
    enumerated, by sampling, for --seconds or --iterations. Ctrl-C ends it, with the strategy so far.
    """
    with aside(as_json):
        it = registry.game(game)
        _refuse_others(it, {"--state": state, "--all": all_moves or None, "--table": table}, it.has_hidden)
        _refuse_others(it, {"--seconds": seconds}, it.has_hidden and buckets is None)
        _refuse_others(it, {"--until": until, "--iterations": iterations, "--run": run, "--buckets": buckets}, not it.has_hidden)
    if buckets is not None:
        from ..equilibrium.cards.solve import CardSolving
        from .cards import solve_over_buckets

        with aside(as_json):
            if until is not None or method not in ("", "mccfr"):
                raise ZermeloError("over buckets games are sampled: expected no --until, and no --method but mccfr")
            over = CardSolving(buckets=buckets, iterations=iterations, seconds=seconds, seed=seed)
        solve_over_buckets(it, over, run, as_json)
        return
    if not it.has_hidden:
        from .exact import MEBIBYTES, Asked, solve_exactly

        with aside(as_json):
            asked = Asked(method or "alphabeta", all_moves, MEBIBYTES if table is None else table, seconds)
            s = state_of(it, state)
        solve_exactly(it, s, asked, as_json)
        return
    from ..equilibrium.solve import Solving

    with aside(as_json):
        solving = Solving(method=method or "cfr+", until=until, iterations=iterations, seed=seed, limit=limit)
    _solve_equilibrium(it, solving, run, as_json)


def _solve_equilibrium(game: Game, solving: Solving, path: Path | None, as_json: bool) -> None:
    """Iterate until the end that was asked for, or Ctrl-C; the strategy is in the file, if there is one."""
    from ..equilibrium.solve import Run
    from ..search.stop import Stop

    begun, stop = list[Run](), Stop()

    def get_ready() -> None:
        with aside(as_json):
            begun.append(Run(game, solving, path))

    for number, look in enumerate(background(get_ready, lambda: begun[0].steps(stop), stop, lambda: None)):
        if number == 0 and not as_json:
            form = begun[0].solver.form
            say(f"{game!r}: {form.nodes:,} nodes, {form.sets:,} information sets, {solving.method}")
        _say_look(look, as_json)
    last = begun[0].look
    assert last is not None
    is_done = last.nash_conv <= solving.goal or (solving.iterations is not None and last.iterations >= solving.iterations)
    if as_json:
        say_json(_summary(begun[0], last))
    elif path is not None:
        say(f"the strategy is in {path}: zermelo strategy {path} shows it, the player strategy:{path} plays it")
    if not is_done:
        complain(f"interrupted after {last.iterations:,} iterations" + (f": the same command goes on from {path}" if path else ""))
        raise typer.Exit(interrupt.CODE)


def _refuse_others(game: Game, options: dict[str, Any], is_other: bool) -> None:
    """ZermeloError for an option that is not for games of this kind."""
    for name, value in options.items():
        if is_other and value is not None:
            kind = "has hidden information" if game.has_hidden else "hides nothing"
            raise ZermeloError(f"{game!r} {kind}: expected no {name}")


def _say_look(look: Look, as_json: bool) -> None:
    if as_json:
        say_json(
            {"iterations": look.iterations, "seconds": look.seconds, "nash_conv": look.nash_conv, "exploitability": look.exploitability}
        )
        return
    values = " ".join(f"{v:+.6f}" for v in look.values)
    said = f"{look.iterations:>12,} iterations  {look.seconds:8.2f} s  {look.iterations_per_second:>12,.0f}/s"
    say(f"{said}  NashConv {look.nash_conv:.3e}  exploitability {look.exploitability:.3e}  values {values}")


def _summary(run: Run, look: Look) -> dict[str, Any]:
    form = run.solver.form
    return {
        "game": repr(run.game),
        "method": run.solving.method,
        "nodes": form.nodes,
        "information_sets": form.sets,
        "iterations": look.iterations,
        "iterations_per_second": look.iterations_per_second,
        "seconds": look.seconds,
        "nash_conv": look.nash_conv,
        "value": look.values[0],
        "values": look.values,
        "run": None if run.path is None else str(run.path),
    }


# ---- strategy ----------------------------------------------------------------------------------


def strategy(
    what: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A file that zermelo solve --run wrote, or a small game to solve.")],
    state: StateText = None,
    player: Annotated[int | None, typer.Option(metavar="P", help="Show what this player does (default: all).")] = None,
    rows: Annotated[int, typer.Option(metavar="N", help="Number of information sets to show, those near the start first.")] = 50,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="The game (default: the one that the file names).")] = "",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of a game: write every state and its best action (.json, .csv, .sqlite).")
    ] = None,
    tree: Annotated[Path | None, typer.Option(metavar="FILE", help="Of a game: draw the tree of best play (.svg).")] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Of a game: the most states that it may have.")] = 1_000_000,
    as_json: AsJson = False,
) -> None:
    """Show what a strategy does: how likely each action is, by what a player knows; or the best action in every state of a game."""
    from ..equilibrium.cards.strategy import CardStrategy, load_strategy

    file = Path(what)
    if not file.is_file() and (save or tree or not file.suffix or ":" in what):
        from .best_play import Wanted, show_best_play

        with aside(as_json):
            it = registry.game(what)
            if it.has_hidden:
                raise ZermeloError(f"{it!r} has hidden information: zermelo solve {what} --run FILE finds its strategy, then show FILE")
            start = state_of(it, state)
        show_best_play(it, start, Wanted(player, rows, save, tree, limit), as_json)
        return
    if save or tree:
        raise ZermeloError(f"{file} is a file: expected --save and --tree only of a game")
    with aside(as_json):
        known = load_strategy(file)
        it = registry.game(game or known.about.game)
        known.check_game(it)
        if player is not None and not 0 <= player < it.players:
            raise ZermeloError(f"expected a player from 0 to {it.players - 1}, not {player}")
        s = state_of(it, state)
        if isinstance(known, CardStrategy) and s is None:
            from .cards import show_starting_hands

            show_starting_hands(it, known, player, rows, as_json)
            return
        found = [s] if s is not None else list(_states(it, player, rows))
        told = [(seen_line(it, s, it.to_move(s)), it.to_move(s), _policy(it, known, s)) for s in found]
    if as_json:
        for seen, p, policy in told:
            say_json({"seen": seen, "player": p, "policy": policy})
        return
    if isinstance(known, CardStrategy):
        sets, quality = known.table.sets, "over buckets"
    else:
        sets = len(known.arrays["owners"])
        quality = f"NashConv {known.about.nash_conv:.3e}, values " + " ".join(f"{v:+.6f}" for v in known.about.values)
    say(f"{known.about.game}, {known.about.method}, {known.about.iterations:,} iterations: {quality}")
    say(f"{len(told):,} of {sets:,} information sets; ? is what the player does not see\n")
    say_table(
        ["knows", "player", "does"],
        [[seen, it.player_name(p), "  ".join(f"{name} {100 * x:.1f} %" for name, x in policy.items())] for seen, p, policy in told],
    )


def _policy(game: Game, strategy: Strategy | CardStrategy, s: State) -> dict[str, float]:
    return {game.write_action(s, a): x for a, x in strategy.policy(game, s).items()}


def _states(game: Game, player: int | None, most: int) -> Iterator[State]:
    """A state of each information set of a player, or of all, as many as are wanted; those of few actions first."""
    level, known = [game.initial()], set[Any]()
    while level:
        after = []
        for s in level:
            if game.is_terminal(s):
                continue
            p = game.to_move(s)
            if p != CHANCE and (player is None or p == player) and (key := (p, game.observe(s, p))) not in known:
                if len(known) == most:
                    return
                known.add(key)
                yield s
            after += [game.result(s, a) for a in game.actions(s)]
        level = after
