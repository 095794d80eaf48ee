"""`zermelo explain GAME --with cfr`: the tree of a game with its information sets, and regret minimisation step by step."""

from __future__ import annotations

from pathlib import Path

from ..errors import ZermeloError
from ..game import Game
from ..system.files import write_text
from .board_view import seen_line
from .options import settings_of
from .output import aside, interruptible, say, say_json, say_table

REGRETS = ("cfr", "cfr+", "dcfr")
ITERATIONS = 3

ABOUT = """\
Nodes with the same number in brackets are one information set: its player cannot tell them apart, and has one strategy for all of them.
regret: what an action would have earned more than the strategy, weighted by how likely chance and the others lead there; sum: of all
iterations, as the method keeps it; next: in proportion to the sums above 0; average: of all iterations. Player by player, each against
the newest strategies of the others."""


def explain_regrets(game: Game, method: str, settings: list[str], as_json: bool, as_markdown: bool, svg: Path | None) -> None:
    """Print the tree and each iteration; draw the tree with the average strategy of the last one."""
    from ..explain import regrets
    from ..explain.draw.information_sets import svg_of_sets
    from ..explain.information_sets import game_tree, lines

    told = settings_of(settings, {})
    count = str(told.pop("iterations", ITERATIONS))
    if told or not (count.isascii() and count.isdigit()):
        raise ZermeloError(f"{method}: expected iterations=N, a whole number, and no other setting")
    if svg is not None and not svg.parent.is_dir():
        raise ZermeloError(f"there is no folder {svg.parent}")
    with aside(as_json):
        tree = game_tree(game, seen_line)
        done = interruptible(lambda: list(regrets.iterations(tree, method, int(count[:9]))))
    if as_json:
        say_json(regrets.as_object(tree, method, done))
    else:
        say(f"{game!r}: {len(tree.nodes):,} nodes, {tree.form.sets:,} information sets, {method}\n")
        for line in lines(tree):
            say(line)
        say(f"\n{ABOUT}")
        for one in done:
            values = " ".join(regrets.signed(v) for v in one.values)
            say(f"\n{'## ' if as_markdown else ''}Iteration {one.number}: NashConv of the average {one.nash_conv:.4f}, values {values}\n")
            _table(regrets.HEADS, regrets.table(tree, one), as_markdown)
    if svg is not None:
        title = f"{game!r}: the average strategy of {method} after {len(done)} iteration{'s' if len(done) > 1 else ''}"
        write_text(svg, svg_of_sets(tree, regrets.average_of(tree, done[-1]), title))


def _table(heads: tuple[str, ...], rows: list[list[str]], as_markdown: bool) -> None:
    if not as_markdown:
        say_table(list(heads), rows)
        return
    for row in (heads, ["---"] * len(heads), *rows):
        say(f"| {' | '.join(row)} |")
