"""The tree of best play as a picture: one player's best action in each state, and every answer of the other."""

from __future__ import annotations

from ..game import State
from ..lookup.best_play import BestPlay
from .draw.svg import svg_of
from .search_tree import Node, Story

NODES = 400  # of the tree; more cannot be read


def optimal_tree(play: BestPlay, player: int) -> Story:
    """The states near the start that player's best actions lead to, whatever the other does."""
    game = play.game
    story = Story(repr(game), "", "best play", 2, None, {}, 0, [], None, (), [], [], [], {}, [], title=game.title)
    todo: list[tuple[State, int | None, int | None, str]] = [(play.start, None, None, "start")]
    while todo and len(story.nodes) < NODES:
        s, parent, action, name = todo.pop(0)
        c, over = play.choice(s), game.is_terminal(s)
        ply = 0 if parent is None else story.nodes[parent].ply + 1
        id, kind = len(story.nodes), ("max", "min")[c.player]
        value = c.value if c.player == 0 else -c.value
        story.nodes[id] = Node(id, parent, action, name, c.player, ply, kind, value=value + 0.0, status="leaf" if over else "inner")
        if parent is not None:
            story.nodes[parent].children.append(id)
        moves = () if over else c.best[:1] if c.player == player else tuple(game.actions(s))
        todo += [(game.result(s, a), id, a, game.write_action(s, a)) for a in moves]
    for _, parent, _, _ in todo:
        if parent is not None:
            story.nodes[parent].more += 1
    story.value = story.nodes[0].value
    return story


def optimal_tree_svg(play: BestPlay, player: int) -> str:
    """The same as a picture."""
    return svg_of(optimal_tree(play, player))
