"""The command about a search itself: `zermelo explain` describes, draws and steps through it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import registry
from ..errors import ZermeloError
from ..game import Game, State
from ..games import spelled_out
from ..history import start_of
from ..system.files import write_text
from .board_view import SEES_EVERYTHING, sees
from .explain_regrets import REGRETS, explain_regrets
from .options import AsJson, StateText, settings_in, settings_of, state_of
from .output import aside, interruptible, say, say_json

if TYPE_CHECKING:  # commands that do not search import none of it
    from ..explain.trace import Trace
    from ..search.searcher import Searcher

DEPTH = 3  # of a search in a game that is not a tree, if none is given
SIMULATIONS = 500
MAX_INTERPRETED_NODES = 20_000  # nodes, at a guess, up to which interpreting takes less time than compiling

TreeText = Annotated[str, typer.Argument(metavar="GAME|FILE", help="A game, a tree file (.tree, .json) or a tree of the lectures by name.")]


def explain(
    game: TreeText,
    state: StateText = None,
    name: Annotated[str | None, typer.Option("--with", metavar="NAME", help="minimax, alphabeta, mcts, mcts:net=RUN, cfr ...")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", help="Depth in plies (default: 3, unless the game is a tree).")] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="K=V", help="A setting of the searcher; may be repeated.")] = None,
    deepen: Annotated[bool, typer.Option("--deepen", help="Progressive deepening: each pass orders the next.")] = False,
    step: Annotated[int, typer.Option(metavar="N", help="Plies by which each pass of --deepen goes deeper.")] = 2,
    sanity: Annotated[bool, typer.Option("--sanity", help="Set each pruned leaf to minus and plus infinity: the root must stay.")] = False,
    limit: Annotated[int | None, typer.Option(metavar="N", help="Most visits to record (default: 100,000).")] = None,
    as_json: AsJson = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the tree into an SVG file.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to step through it.")] = None,
    latex: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the tree into a LaTeX file.")] = None,
) -> None:
    """Explain what a search does: every bound, every cut and what caused it.

    Trees are searched by the pseudocode of the lectures. Pictures: --svg, --latex; --html steps through it. With cfr, cfr+ or dcfr: the
    information sets of a game, and what is regretted in each, iteration by iteration.
    """
    from ..explain.trace import LIMIT

    most = LIMIT if limit is None else limit
    name, settings = settings_in(name, settings or [])
    if step < 1:
        raise ZermeloError(f"expected a step of at least 1 ply, not {step}")
    if as_json and as_markdown:
        raise ZermeloError("expected either --json or --markdown")
    if deepen and sanity:
        raise ZermeloError("expected either --deepen or --sanity")
    if deepen and (name not in (None, "alphabeta", "plain") or settings):
        raise ZermeloError("--deepen is minimax and then alpha-beta by the lectures: expected no other searcher or settings")
    if name in REGRETS:
        others: dict[str, object] = {"--state": state, "--depth": depth, "--deepen": deepen, "--sanity": sanity, "--limit": limit}
        _refuse_with(name, others | {"--html": html, "--latex": latex})
        explain_regrets(_game(game), name, settings, as_json, as_markdown, svg)
        return
    with aside(as_json):
        it = _game(game)
        s = start_of(it, state_of(it, state))
        if it.is_terminal(s):
            raise ZermeloError(f"there is nothing to search: the game is over in '{it.write_state(s)}'")
    if it.has_hidden and not as_json:
        say(f"The search sees {SEES_EVERYTHING}.")
    for file in (svg, html, latex):
        if file is not None and not file.parent.is_dir():
            raise ZermeloError(f"there is no folder {file.parent}")
    if deepen:
        traces = _deepen(it, s, depth, step, most, as_json, as_markdown)
    else:
        traces = [_explain(it, s, _searcher(it, s, name, depth, settings), most, as_json, as_markdown, sanity)]
    for file, made in ((svg, _svg), (html, _html), (latex, _latex)):
        if file is not None:
            write_text(file, made(traces))


def _refuse_with(name: str, options: dict[str, object]) -> None:
    """ZermeloError for an option that does not go with this method."""
    for option, value in options.items():
        if value is not None and value is not False:
            raise ZermeloError(f"{name} explains a whole game: expected no {option}")


def _game(text: str) -> Game:
    """The game, or the tree in this file or of this name."""
    return registry.game(text if text in registry.names() else spelled_out(text))


def _searcher(game: Game, s: State, name: str | None, depth: int | None, settings: list[str]) -> Searcher:
    from ..explain.trace import check_watched
    from ..search import by_name

    told = settings_of(settings, {} if depth is None else {"depth": depth})
    name = name or by_name.default_for(game)
    is_tree = game.tree_node(s) is not None
    if is_tree and name == "alphabeta" and not settings:
        name = "plain"  # the pseudocode; with settings of its own it is the engine
    check_watched(by_name.find(name))
    takes = set(by_name.find(name).__dataclass_fields__)
    if not is_tree and not told.keys() & {"depth", "nodes", "seconds", "simulations"}:
        told |= {"simulations": SIMULATIONS} if "simulations" in takes else {"depth": DEPTH}
    if "interpreted" not in told:
        plies = told.get("depth", 0)
        guess = max(2, game.count(s)) ** int(plies) if str(plies).isdigit() and int(plies) < 64 else MAX_INTERPRETED_NODES + 1
        simulations = int(told.get("simulations", 0)) if str(told.get("simulations", 0)).isdigit() else MAX_INTERPRETED_NODES
        few = guess <= MAX_INTERPRETED_NODES if "simulations" not in takes else simulations <= SIMULATIONS and "simulations" in told
        told["interpreted"] = is_tree or few
    return by_name.searcher(name, **told)


def _explain(game: Game, s: State, searcher: Searcher, limit: int, as_json: bool, as_markdown: bool, tested: bool) -> Trace:
    """Search and print what happened, with the sanity test if wanted; exit code 1 if that fails."""
    from ..explain import narrate
    from ..explain.sanity import sanity, sentences
    from ..explain.trace import trace

    found = interruptible(lambda: trace(searcher, game, s, limit))
    tests = sanity(found) if tested else []
    if as_json:
        told = narrate.as_object(found.story, found.result.values)
        told |= sees(game, SEES_EVERYTHING)
        if tested:
            told["sanity"] = [{"leaf": t.name, "low": t.low, "high": t.high, "holds": t.holds} for t in tests]
        say_json(told)
    else:
        for line in narrate.markdown(found.story) if as_markdown else narrate.text(found.story):
            say(line)
        if tested:
            say()
            for line in sentences(tests):
                say(line)
    if not all(t.holds for t in tests):
        raise typer.Exit(1)
    return found


def _deepen(game: Game, s: State, depth: int | None, step: int, limit: int, as_json: bool, as_markdown: bool) -> list[Trace]:
    from ..explain.passes import passes as told
    from ..explain.passes import passes_object
    from ..explain.progressive_deepening import deepen

    most = depth if depth is not None or game.tree_node(s) is not None else 2 * DEPTH - 2
    passes = interruptible(lambda: deepen(game, s, most, step, limit))
    if as_json:
        say_json(passes_object(passes) | sees(game, SEES_EVERYTHING))
    else:
        for line in told(passes, as_markdown):
            say(line)
    return [p.trace for p in passes]


def _svg(traces: list[Trace]) -> str:
    from ..explain.draw.svg import svg_of

    return svg_of(traces[-1].story)


def _html(traces: list[Trace]) -> str:
    from ..explain.html import html_of

    return html_of([story for t in traces for story in (t.stories if len(traces) == 1 else [t.story])], traces[-1].game)


def _latex(traces: list[Trace]) -> str:
    from ..explain.draw.latex import latex_of

    return latex_of(traces[-1].story)
