"""The commands about search: `zermelo search` looks for the best action, `zermelo ordering` measures what an order is worth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError
from ..game import Game, State
from ..history import line_of, start_of
from .board_view import SEES_EVERYTHING, SEES_KNOWN, sees
from .options import MAX_THREADS, AsJson, GameText, Seed, StateText, settings_in, settings_of, state_of
from .output import aside, interruptible, is_terminal, progress, say, say_json, say_table

if TYPE_CHECKING:  # commands that do not search import none of it
    from ..explain.ordering_experiment import Measured
    from ..search.searcher import Result, Searcher

SECONDS = 5.0  # for a search that nothing else limits
LIMITS = {"depth", "nodes", "seconds", "simulations"}


# ---- search ----------------------------------------------------------------------------------


def search(
    game: GameText,
    state: StateText = None,
    name: Annotated[str | None, typer.Option("--with", metavar="NAME", help="The searcher, like maxn or mcts:simulations=1000.")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Depth in plies.")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Seconds after which to stop (default: 5 without a limit).")] = None,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Number of states after which to stop.")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="A setting of the searcher; may be repeated.")] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Number of threads, if the searcher can use several.")] = None,
    lines: Annotated[int | None, typer.Option(metavar="N", help="Number of best lines to find, if the searcher can find several.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the best action of a state.

    Ctrl-C ends it with the best so far.
    """
    from ..search import by_name

    with aside(as_json):
        it = registry.game(game)
        s = start_of(it, state_of(it, state), "search")
        name, settings = settings_in(name, settings or [])
        usual = {} if name else by_name.default_settings(it)
        name = name or by_name.default_for(it)
        given = {"depth": depth, "seconds": seconds, "nodes": nodes, "threads": threads, "lines": lines}
        told = settings_of(settings, {key: value for key, value in given.items() if value is not None})
        takes = {f.name for f in fields(by_name.find(name))}
        if threads is not None:
            if "threads" not in takes:
                raise ZermeloError(f"{name} searches in one thread: expected no --threads")
            if threads > MAX_THREADS:
                raise ZermeloError(f"expected at most {MAX_THREADS:,} threads, not {threads:,}")
        if lines is not None and "lines" not in takes:
            raise ZermeloError(f"{name} finds one line: expected no --lines")
        searcher = by_name.searcher(name, **usual | ({} if told.keys() & LIMITS else {"seconds": SECONDS}) | told)
    view = SEES_KNOWN if searcher.imagines else SEES_EVERYTHING
    if it.has_hidden and not as_json:
        say(f"{name} sees {view}.")
    interrupted: list[bool] = []
    live, last = is_terminal(sys.stdout) and not as_json, ""
    for result in _steps(searcher, it, s, lambda: interrupted.append(True)):
        last = "\n".join([_line(it, s, result), *_others(it, s, result)])
        if as_json:
            say_json({"game": repr(it), "searcher": name} | sees(it, view) | _object(it, s, result))
        elif live:
            progress(last.partition("\n")[0])
        else:
            say(last)
        sys.stdout.flush()
    if live:
        progress("")
        say(last)
    if interrupted:
        raise typer.Exit(130)


def _steps(searcher: Searcher, game: Game, state: State, on_interrupt: Callable[[], None]) -> Iterator[Result]:
    """What the search finds step by step; the first Ctrl-C stops it with an answer."""
    from ..search.stop import Stop
    from .interrupts import background

    stop = Stop()

    def get_ready() -> None:
        if not searcher.interpreted:  # compiles what is to be run: that is not what seconds are given for
            progress("getting ready")
            replace(searcher, nodes=1, seconds=None).search(game, state)
            progress("")

    return background(get_ready, lambda: searcher.deepen(game, state, stop), stop, on_interrupt)


def _line(game: Game, s: State, r: Result) -> str:
    """A Result on one line."""
    value = f"value {r.value:+.4g}" if game.players == 2 else "values " + " ".join(f"{v:+.4g}" for v in r.values)
    speed = f"{r.nodes:,} nodes in {r.seconds:.2f} s, {r.nodes / max(r.seconds, 1e-9):,.0f}/s"
    line = " ".join(line_of(game, s, r.line)) or ("the game is over" if r.action is None and not r.scores else "")
    return f"depth {r.depth:<3} {value}{' exact' if r.exact else ''}   {speed}   {line}".rstrip()


def _others(game: Game, s: State, r: Result) -> Iterator[str]:
    """The best lines after the first, each on a line."""
    for number, line in enumerate(r.others, 2):
        yield f"{number:>9} value {r.score(line[0])}   {' '.join(line_of(game, s, line))}"


def _object(game: Game, s: State, r: Result) -> dict[str, Any]:
    """A Result as JSON has it, actions in the game's notation."""
    keys = ("depth", "value", "values", "nodes", "evaluations", "seconds", "exact")
    return {key: getattr(r, key) for key in keys} | {
        "action": None if r.action is None else game.write_action(s, r.action),
        "line": line_of(game, s, r.line),
        "others": [line_of(game, s, line) for line in r.others],
        "scores": {game.write_action(s, a): score for a, score in r.scores.items()},
        "policy": {game.write_action(s, a): x for a, x in r.policy.items()},
        "bounds": {game.write_action(s, a): bound for a, bound in r.bounds.items()},
        "errors": {game.write_action(s, a): error for a, error in r.errors.items()},
    }


# ---- ordering ----------------------------------------------------------------------------------


def ordering(
    branching: Annotated[int, typer.Option(metavar="B", help="Children of every state.")] = 3,
    depth: Annotated[int, typer.Option(metavar="D", help="Greatest depth of the trees, in plies.")] = 8,
    trees: Annotated[int, typer.Option(metavar="N", help="Number of trees of each depth.")] = 20,
    seed: Seed = 0,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it into a .png or .svg file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure what the order of children saves alpha-beta.

    Leaves that it looks at in random trees, against the formulas.
    """
    from ..explain import ordering_experiment as experiment

    if plot is not None:
        experiment.can_plot(plot)
    results: list[Measured] = []

    def work() -> None:
        progress("getting ready")
        for m in experiment.measure(branching, depth, trees, seed):
            results.append(m)
            progress(f"depth {m.depth} of {depth}")

    interruptible(work)
    progress("")
    if as_json:
        for m in results:
            leaves = {"mean": m.mean, "least": min(m.leaves), "most": max(m.leaves)}
            say_json({"branching": branching, "depth": m.depth, "order": m.order, "trees": trees, "leaves": leaves, "formulas": m.formulas})
    else:
        _table(results)
    if plot is not None:
        experiment.plot(results, plot)


def _table(results: list[Measured]) -> None:
    """Leaves by depth and order, each order with what its formulas expect, and the formulas."""
    depths = sorted({m.depth for m in results})
    deepest = [m for m in results if m.depth == depths[-1]]
    heads = ["depth", *(head for m in deepest for head in (m.order, *("expected" for _ in m.formulas)))]
    rows = []
    for d in depths:
        row = [x for m in results if m.depth == d for x in (m.mean, *m.formulas.values())]
        rows.append([str(d), *(f"{x:,.0f}" if x == int(x) else f"{x:,.1f}" for x in row)])
    say_table(heads, rows)
    for m in deepest:
        for text, value in m.formulas.items():
            root = 1 / m.depth
            say(f"{m.order:<8}{text}   per ply at depth {m.depth}: {m.mean**root:.3f}, expected {value**root:.3f}")
