"""The commands about learning: `label` states, `train` a model of a game, `runs` that were made."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import registry
from ..errors import ZermeloError
from ..search.by_name import default_for
from ..system import interrupt
from ..system.limits import shown
from .interrupts import background
from .options import MAX_THREADS, AsJson, GameText, Seed
from .output import aside, complain, progress, say, say_json, say_table

if TYPE_CHECKING:  # commands that do none of this import none of it
    from ..learn.look import Look
    from ..learn.runs import Run

DIGITS = 18  # of a number that is given as text
ONE_SIDED = 0.98  # of what self-play learns from, won by one side: there is little to learn


def train(
    game: GameText,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="td, mc, expected, traces, q, sarsa, tdleaf, treestrap, fit, zero, expert or reinforce.")
    ] = "td",
    model: Annotated[
        str | None,
        typer.Option(
            metavar="linear|ntuple|mlp:UNITS[,UNITS]|nnue:SUMS|rote:STATES|resnet:BxF",
            help="What to learn: a linear model, tables, a network.",
        ),
    ] = None,
    games: Annotated[
        list[str] | None, typer.Option(metavar="N|FILE", help="Number of games (default: by method), or of examples; or like --data.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Time after which zero and expert end (default: by games).")] = None,
    trace: Annotated[float | None, typer.Option("--lambda", metavar="X", help="0 learns from the next value, 1 from the outcome.")] = None,
    rate: Annotated[float | None, typer.Option(metavar="X", help="How far each step goes (default: by the model).")] = None,
    epsilon: Annotated[float | None, typer.Option(metavar="X", help="How often to take any action (default: 0.2 without dice).")] = None,
    random_plies: Annotated[int, typer.Option(metavar="N", help="Random actions, at most, with which games begin.")] = 0,
    simulations: Annotated[int | None, typer.Option(metavar="N", help="Simulations of a search by zero (default: 64).")] = None,
    slots: Annotated[int | None, typer.Option(metavar="N", help="Games that are played side by side (default: by the device).")] = None,
    batch: Annotated[int | None, typer.Option(metavar="N", help="States of a step of learning (default: by the device).")] = None,
    warm_plies: Annotated[int | None, typer.Option(metavar="N", help="Plies in which zero varies its play (default: by the game).")] = None,
    full_share: Annotated[float | None, typer.Option(metavar="X", help="Share of zero's searches that are long and learned from.")] = None,
    samples: Annotated[float | None, typer.Option(metavar="X", help="How often a state is learned from (default: by method).")] = None,
    root: Annotated[str | None, typer.Option(metavar="puct|gumbel", help="How zero's searches choose at the root.")] = None,
    resign: Annotated[float | None, typer.Option(metavar="X", help="Zero's players give up below a value of -X (default: never).")] = None,
    device: Annotated[
        str | None, typer.Option(metavar="cpu|cuda", help="Where to learn (zero, expert: on a GPU, if any; others: cpu).")
    ] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Plies that tdleaf and treestrap search (default: 2).")] = None,
    data: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Games, states or labels for fit and expert; may be repeated.")
    ] = None,
    start: Annotated[str | None, typer.Option("--from", metavar="RUN", help="The run whose model or network this one begins with.")] = None,
    seed: Seed = 0,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads (default: 1); with more than one, results vary.")] = None,
    run: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The run, which is gone on with if it is there.")] = None,
    as_json: AsJson = False,
) -> None:
    """Learn to value the states of a game, by playing it against itself or from examples."""
    asked = locals() | {"random_plies": random_plies or None}  # by the names of the settings
    for name in ("game", "run", "as_json"):
        del asked[name]
    _train(game, asked, run, as_json)


def _train(game: str, asked: dict[str, Any], run: Path | None, as_json: bool) -> None:
    """Train with these settings, of which those that are None are left open."""
    from ..learn.alphago.settings import EXPERT
    from ..learn.training import FIT, OF_NETWORKS, place_for, steps, training_of
    from ..search.stop import Stop

    method = asked["method"]
    with aside(as_json):
        it, stop = registry.game(game), Stop()
        count, files = _count_and_files(asked["games"] or [])
        asked |= {"games": count, "data": (*files, *map(str, asked["data"] or ())) or None}
        training = training_of({name: value for name, value in asked.items() if value is not None})
        unit = "examples" if method in (FIT, EXPERT) else "games"
        place = place_for(it, training, run)
        if not as_json:
            say(f"{it!r}: {training.method} of {training.model or 'a network'} in {place.folder}")
    for look in background(lambda: None, lambda: steps(it, training, place, stop), stop, lambda: None):
        _say_look(look, unit, as_json)
    done, spent = place.trained
    if as_json:
        say_json({"run": str(place.folder), "games": done, "seconds": spent, "games_per_second": done / max(1e-9, spent)})
    wanted, limit = place.configuration["games"], place.configuration.get("seconds")
    if done < (wanted or 0) and (limit is None or spent < limit):
        complain(f"interrupted after {done:,} {unit}: the same command with --run {place.folder} goes on")
        raise typer.Exit(interrupt.CODE)
    if done == 0:
        raise ZermeloError(f"{limit:g} seconds were over before a game had ended: the same command with --run {place.folder} goes on")
    if not as_json:
        against = (
            f"mcts:simulations=100,net={place.folder}" if method in OF_NETWORKS else f"{default_for(it)}:seconds=1,eval={place.folder}"
        )
        say(f"play against it: zermelo play {game} --against {against}")


def _count_and_files(games: list[str]) -> tuple[int | None, list[str]]:
    """What --games says: a number of games, and files of games."""
    counts = [text for text in games if text.removeprefix("-").isdecimal()]
    if len(counts) > 1:
        raise ZermeloError(f"expected one number of games, not {' and '.join(counts)}")
    if counts and len(counts[0]) > DIGITS:
        raise ZermeloError(f"expected a number of games of at most {DIGITS} digits, not {shown(counts[0])}")
    return int(counts[0]) if counts else None, [text for text in games if text not in counts]


def label(
    game: GameText,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where labels are written, beside those that are there.")],
    positions: Annotated[int, typer.Option(metavar="N", help="Number of states to label.")] = 100_000,
    nodes: Annotated[int | None, typer.Option(metavar="N", help="Nodes after which a search goes no deeper (default: 400).")] = None,
    random_plies: Annotated[int, typer.Option(metavar="N", help="Random actions, at most, with which a game begins.")] = 10,
    epsilon: Annotated[float, typer.Option(metavar="X", help="How often to take any action.")] = 0.03,
    by: Annotated[str | None, typer.Option(metavar="PLAYER", help="Let this player play the games, or value the states of --from.")] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="FOLDER", help="Labels whose states --by values again.")] = None,
    neighbours: Annotated[int, typer.Option(metavar="N", help="Label quiet neighbours of each state of --from instead, N at most.")] = 0,
    in_flight: Annotated[int, typer.Option(metavar="N", help="Questions that an engine of --by gets before it answers the first.")] = 1,
    evaluation: Annotated[str | None, typer.Option("--eval", metavar="RUN", help="The model that values states (default: none).")] = None,
    seed: Seed = 0,
    threads: Annotated[int, typer.Option(metavar="N", help="Number of threads.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Label states with what a search or another player and the result say they are worth, in games of it against itself."""
    from ..learn.labelling import Labeller
    from ..learn.labelling import label as label_states
    from ..learn.player_games import PlayerLabeller, label_by_player
    from ..learn.relabelling import Relabeller, relabel
    from ..search.stop import Stop

    with aside(as_json):
        it, stop = registry.game(game), Stop()
        spent = {} if nodes is None else {"nodes": nodes}
        labeller = Labeller(positions=positions, random_plies=random_plies, epsilon=epsilon, eval=evaluation, seed=seed, **spent)
        if not 1 <= threads <= MAX_THREADS:
            raise ZermeloError(f"expected 1 to {MAX_THREADS:,} threads, not {threads}")
        played = PlayerLabeller(by=by or "", positions=positions, random_plies=random_plies, epsilon=epsilon, seed=seed)
        again = Relabeller(by=by or "", positions=positions, neighbours=neighbours, in_flight=in_flight, seed=seed)
        if by is None and source is not None:
            raise ZermeloError("expected --by PLAYER with --from FOLDER")
        if source is None and (neighbours or in_flight > 1):
            raise ZermeloError("expected --neighbours and --in-flight with --by PLAYER and --from FOLDER")
        if by is not None and (evaluation is not None or nodes is not None):
            raise ZermeloError(f"expected --eval and --nodes without --by: {by} has its own, as in alphabeta:nodes=400,eval=learned")

    def labels() -> Iterator[int]:
        if by is None:
            return label_states(it, labeller, folder, threads=threads, stop=stop)
        if source is None:
            return label_by_player(it, played, folder, threads=threads, stop=stop)
        return relabel(it, again, source, folder, threads=threads, stop=stop)

    done, began = 0, time.monotonic()
    for done in background(lambda: None, labels, stop, lambda: None):
        if as_json:
            say_json({"positions": done, "seconds": time.monotonic() - began})
        else:
            progress(f"{done:,} of {positions:,} states")
    if not as_json:
        progress("")
        say(f"{it!r}: {done:,} states in {folder}, {time.monotonic() - began:.1f} s")
    if stop.is_set and done < positions:
        complain(f"interrupted after {done:,} states: the same command goes on")
        raise typer.Exit(interrupt.CODE)


def _say_look(look: Look, unit: str, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        say_json(asdict(look))
        return
    told = f"{look.games:>10,} {unit}  {look.seconds:8.1f} s  {look.speed:9,.0f} {unit}/s  error {look.error:.4f}"
    score = f"plays as they did {look.accuracy:.1%}" if look.accuracy else f"against random {look.score:+.3f} +-{look.score_error:.3f}"
    say(f"{told}  {score}")
    if look.one_sided > ONE_SIDED:
        complain(f"one side won {look.one_sided:.1%} of what is learned from: more --random-plies give the same --run other beginnings")


def runs(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="[FOLDER ...]", help="Runs, or folders of runs (default: runs).")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw their learning curves into an SVG file.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the runs of training, compare them, and draw how they learned."""
    from ..learn.runs import Run, is_run, runs_in
    from ..search.model.model import RUNS

    found: list[Run] = []
    for folder in folders or [RUNS]:
        here = [Run(folder)] if is_run(folder) else runs_in(folder)
        if not here:
            raise ZermeloError(f"there are no runs in {folder}: expected folders that zermelo train wrote")
        found += here
    told = []
    for run in found:
        try:
            told.append(_about(run))
        except ZermeloError as error:  # the others are as good as before
            complain(str(error))
    if as_json:
        for about in told:
            say_json(about)
    else:
        heads = ["run", "game", "method", "model", "games", "seconds", "games/s", "against random"]
        say_table(heads, [[_cell(about[name]) for name in about] for about in told])
    if plot is not None:
        from ..learn.curves import draw
        from ..system.files import write_text

        write_text(plot, draw({str(run.folder): run.looks() for run in found}))


def _about(run: Run) -> dict[str, str | int | float | None]:
    asked, looks = run.configuration, run.looks()
    last = looks[-1] if looks else None
    return {
        "run": str(run.folder),
        "game": asked["game"],
        "method": asked.get("method"),
        "model": asked.get("model"),
        "games": last.games if last else 0,
        "seconds": last.seconds if last else 0.0,
        "games_per_second": last.games / max(1e-9, last.seconds) if last else 0.0,
        "score": last.score if last else None,
    }


def _cell(value: str | int | float | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3g}" if isinstance(value, float) else value
