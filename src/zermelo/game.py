"""The words in which a game is written. A game is a subclass of `Game`, and needs nothing else.

    initial()             the state at the start
    to_move(s)            whose turn it is: 0..players-1, or CHANCE
    actions(s)            yields the legal actions, each a different int; none when s is terminal
    result(s, a)          the state after action a
    is_terminal(s)        whether the game is over: then what actions(s) yields does not count
    utility(s, p)         what player p gets when it is

States are immutable NamedTuples of machine integers (`layout.py`), actions are integers. Every method is a pure function of its
arguments and of the game's attributes. Nothing here assumes two players, alternate turns or payoffs that sum to zero.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from . import drawing
from .bits import FULL, i64
from .errors import RENAMED, ZermeloError, refuse_renamed
from .layout import Layout, fills, layout_of, lists, put_words
from .notation.dialects import Gnubg, Gtp, Uci
from .notation.sheet import Format, OpeningFormat
from .rng import below, mix
from .settings import parameters_of, written

CHANCE = -1  # the player that rolls the dice and deals the cards
MOST_PLAYERS = 64  # that a game may have: records hold a value for each of them, and the nodes of a tree name one in 8 bits
MOST_ACTIONS = 100_000  # that a state may have

#: what a game may vouch for, and the rules that it says it of
VOUCHED = {"ends_without_actions": {"actions", "is_terminal"}, "is_zero_sum": {"is_terminal", "utility"}}
State = Any  # each game has its own NamedTuple


def _writes(hook: str, doc: str) -> property:
    """A truth of a game: whether it writes this hook itself."""
    return property(lambda game: getattr(type(game), hook) is not getattr(Game, hook), doc=doc)


class Game:
    """The base of every game: six methods to write, the others have honest defaults."""

    players: int = 2  # without chance; `__init__` may set it
    max_actions: int = 64  # the most that a state usually has: searches begin with room for them, and anew if a state has more
    #: the least and the greatest value that `utility` and `evaluate` give; Expectiminimax prunes chance nodes by it (Star1, Star2)
    value_range: tuple[float, float] | None = None
    #: whether the game vouches that `actions` yields nothing in a terminal state: then nobody asks `is_terminal` before listing actions
    ends_without_actions: bool = False
    is_zero_sum: bool = False  # whether a game of two vouches that utilities sum to 0: then searches need not look at each end
    has_scores: bool = False  # whether the utility is a score, like a margin in discs, and no win, draw or loss: what `solve` is to find
    #: the most that a quiet action usually adds to `evaluate`; above 0, AlphaBeta prunes by futility and reduces late actions
    quiet_margin: float = 0.0
    #: what happens when a `repetition_key` comes back: "draw" ends the game at the third occurrence, "forbidden" makes the action
    #: that leads to it illegal, "" nothing. A state does not know its past: `History` applies the rule
    repetition: str = ""
    default_searcher: str = ""  # that plays this game best, as name:setting=value,... ; "" chooses by the kind (`search/by_name.py`)

    #: how each plane's bits are inputs: (first, step, scale) for bit b of a plane gives input first + b * step the value scale, so that a
    #: step of 0 counts the bits; () makes an input of each of the 64 bits of each plane
    plane_inputs: tuple[tuple[int, int, float], ...] = ()
    plane_views: int = 0  # below which the inputs are that `plane_view` makes of the planes' bits; 0 for no others than those
    #: the rows and columns of a board whose cells the `planes` describe, so that a network can look at neighbours; 0 if there is none
    board_height, board_width = 0, 0
    #: the bit of each cell in a plane, row by row from the top, 64 bits a word of the plane; if players see the board differently,
    #: the same for player 1 after that, and so on
    board_bits: tuple[int, ...] = ()
    #: how many actions a network tells apart (`policy_index`); 0 lets it tell them by their place in the list of a state's actions
    policy_size: int = 0
    phases: int = 1  # of the game, as `phase` tells them apart: a learned model has a network of its own for each
    #: what each of the `outcomes` adds to the utility of the player who reaches it, and takes from the other's: (1, 1, 1) in backgammon
    outcome_values: tuple[float, ...] = ()
    pattern_weights: int = 0  # how many weights the `patterns` of a state choose from; 0 if the game names no patterns
    #: how many sides a race has, if `index` is the pair (`bits.paired`) of the mover's side and the other's, which no longer meet; else 0
    side_count: int = 0
    numbers_opening: bool = False  # whether `index` numbers the first states of the game: a search solves those that lead beyond them
    #: files that come with the game: a model, a network and an opening book, for players `eval=learned`, `net=learned`, `book=shipped`
    learned: Path | None = None
    model_game: str = ""  # the game, as text, whose models value the states of this one, too; "" for no other
    network: Path | None = None
    book: Path | None = None
    network_plays_best: bool = False  # whether a search by that network is the strongest player of the game in the same time on one core
    #: whether a learned model values states instead of `evaluate`; if it is an n-tuple network, or a memory: `search/model/` sets all three
    has_model: bool = False
    has_tuples, has_rote = False, False
    sum_count, unseen_kinds = 0, 0  # of that model: sums that each player has (`nnue.py`), kinds of states not learned from (`kinds.py`)
    #: whether an endgame table proves the values of some states; whether it is of the game's own format: `search/endgames/` sets both
    has_endgames, has_own_tables = False, False

    # ---- what people and other programs see of the game: all of it may be left as it is -------

    player_names: tuple[str, ...] = ()  # what each player is called; () for "player 0", "player 1" ...
    #: the letters of each player's pieces in `show`, by which a terminal colours them: ("KQRBNP", "kqrbnp")
    symbols: tuple[str, ...] = ("X", "O")
    #: the colour of each player's pieces at a terminal: black, red, green, yellow, blue, magenta, cyan or white
    colours: tuple[str, ...] = ("cyan", "yellow", "magenta", "green")
    #: how much of `evaluate` is one unit, and its name, in which values are shown to people and sent by UCI: (0.01, "pawn")
    unit: tuple[float, str] | None = None
    #: the value v of the default searcher at which a player expects 1 / (1 + e^-1) = 73 % of the points: analysis judges moves by it
    value_scale: float | None = None
    #: the formats in which files keep games of this kind, by the ends of their names: {"pgn": Format(...)}; all games have json
    formats: Mapping[str, Format] = {}
    #: the formats of files of openings, by the ends of their names; "" for all others, else a state or actions a line
    opening_formats: Mapping[str, OpeningFormat] = {}
    #: how engines are spoken to about this game; None if they do not play it
    gtp: Gtp | None = None
    uci: Uci | None = None
    gnubg: Gnubg | None = None

    #: the arguments of `__init__`, with its defaults
    parameters: dict[str, Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> Game:
        game = super().__new__(cls)
        takes = parameters_of(cls)
        try:
            bound = inspect.Signature(list(takes.values())).bind(*args, **kwargs)
            bound.apply_defaults()
        except TypeError as error:
            expected = f"it takes {', '.join(takes)}" if takes else "it takes no parameters"
            raise ZermeloError(f"{game.name}: {error}: {expected}") from None
        game.parameters = dict(bound.arguments)
        return game

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for old, new in RENAMED.items():
            if old in vars(cls):
                refuse_renamed(cls, old, new, vars(cls)[old], getattr(Game, new))
        for vouched, rules in VOUCHED.items():  # a class that writes rules anew must vouch for them anew
            if vouched not in vars(cls) and vars(cls).keys() & rules:
                setattr(cls, vouched, False)
        for name in [n for n, value in vars(cls).items() if _plain(value) is not value]:
            setattr(cls, name, _plain(vars(cls)[name]))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in RENAMED and not callable(getattr(Game, RENAMED[name])):
            refuse_renamed(type(self), name, RENAMED[name], value, getattr(Game, RENAMED[name]))
        super().__setattr__(name, _plain(value))  # numpy's arrays and numbers as rules mean them: `tables.py`
        vars(self).pop("layout", None)  # the states of a changed game may be laid out otherwise

    # ---- the rules: every game writes these -------------------------------------------------

    def initial(self) -> State:
        """The state at the start."""
        raise NotImplementedError(f"{type(self).__name__} must write initial(self)")

    def to_move(self, s: State) -> int:
        """The player whose turn it is in s: 0..players-1, or CHANCE."""
        raise NotImplementedError(f"{type(self).__name__} must write to_move(self, s)")

    def actions(self, s: State) -> Iterator[int]:
        """Yield the legal actions of s, each once; nothing exactly when s is terminal, for what it yields there does not count."""
        raise NotImplementedError(f"{type(self).__name__} must write actions(self, s)")

    def result(self, s: State, a: int) -> State:
        """The state that the legal action a leads to."""
        raise NotImplementedError(f"{type(self).__name__} must write result(self, s, a)")

    def is_terminal(self, s: State) -> bool:
        """Whether the game is over in s."""
        raise NotImplementedError(f"{type(self).__name__} must write is_terminal(self, s)")

    def utility(self, s: State, p: int) -> float:
        """What player p gets in the terminal state s."""
        raise NotImplementedError(f"{type(self).__name__} must write utility(self, s, p)")

    # ---- chance and hidden information -------------------------------------------------------

    def probability(self, s: State, a: int) -> float:
        """How likely action a is in s, where to_move(s) == CHANCE. A game with chance must write it."""
        return 0.0

    def observe(self, s: State, p: int) -> Any:
        """All that player p knows in s: equal observations are one information set. Here: everything."""
        return s

    def resample(self, s: State, p: int, seed: int) -> State:
        """A random state that player p cannot tell from s. Here, because nothing is hidden: s itself."""
        return s

    # ---- listing actions ---------------------------------------------------------------------

    def count(self, s: State) -> int:
        """The number of actions of s."""
        return sum(1 for _ in self.actions(s))

    def sample(self, s: State, random: int) -> int:
        """A uniformly random action of s, made from one random word. Random playouts call it instead of `actions`."""
        actions = list(self.actions(s))
        return actions[below(random, len(actions))]

    # ---- value -------------------------------------------------------------------------------

    def evaluate(self, s: State, p: int) -> float:
        """An estimate of player p's utility in a state that is not terminal: the value of a leaf when the depth is spent. Here: 0."""
        return 0.0

    def features(self, s: State, p: int) -> Iterator[float]:
        """Yield numbers that describe s to player p, always equally many: the input of a learned evaluation. Here: none."""
        return
        yield 0.0

    def planes(self, s: State, p: int) -> Iterator[int]:
        """Yield words whose bits describe s to player p, always equally many: the inputs of a learned network. Here: the packed state."""
        return
        yield 0

    def plane_view(self, s: State, p: int) -> int:
        """How player p sees the planes of player 0: bit b of plane k is p's input (64 * k + b) ^ plane_view(s, p). Here: not written."""
        return 0

    def patterns(self, s: State, p: int) -> Iterator[int]:
        """Yield numbers below `pattern_weights`, always equally many: which weights of an n-tuple network s has for p. Here: none."""
        return
        yield 0

    def policy_index(self, s: State, a: int) -> int:
        """Which output of a network's policy, from 0 to `policy_size` - 1, stands for action a of s. Here: the action itself."""
        return a

    def board_symmetries(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Symmetries of the board, in one of which a network learns: which cell, and which policy index, comes to each. Here: none."""
        return ()

    def perspective(self, s: State) -> int:
        """The player from whose side a learned evaluation looks at s. Here: the player to move, or 0 where chance is to move."""
        p = self.to_move(s)
        return 0 if p < 0 else p

    def phase(self, s: State) -> int:
        """The phase of the game that s is in, of 0 to `phases` - 1: which network of a learned model values it. Here: the only one."""
        return 0

    def outcomes(self, s: State, p: int) -> Iterator[float]:
        """Yield for the terminal state s which of the `outcome_values` player p reached: 1 or 0 each. Here: none, but the utility."""
        return
        yield 0.0

    def equity(self, s: State, p: int, mine: tuple[float, ...], theirs: tuple[float, ...]) -> float:
        """What s is worth to player p, if these are p's and the other's chances of the outcomes. Here: the sum of `outcome_values`."""
        return sum(v * (a - b) for v, a, b in zip(self.outcome_values, mine, theirs, strict=False))

    def symmetries(self, s: State) -> Iterator[State]:
        """Yield other states that are the same as s up to a symmetry of the game. Here: none."""
        yield from ()

    def key(self, s: State) -> int:
        """A 64-bit hash of s: equal states have equal keys. Transposition tables store what they know of s under it."""
        h = 0
        for word in self.layout.pack(s):
            h = mix(h ^ word)
        return h

    def repetition_key(self, s: State) -> int:
        """64 bits that are equal for states that count as the same position under the rule of `repetition`. Here: the key."""
        return self.key(s)

    def index(self, s: State) -> int:
        """The number of s in endgame tables, the same for states that only counters or a mirror tell apart; -1 (here): none."""
        return -1

    def state_at(self, i: int) -> State:
        """A state whose index is i; if there is none, any state with another index."""
        return self.initial()

    def plies_left(self, s: State) -> int:
        """The plies within which a win of a table must come, if a rule like that of fifty moves would end the game. Here: no such rule."""
        return 1 << 30

    def known_result(self, s: State, table: Any) -> int:
        """1, 0 or -1 if the player to move wins, draws or loses, by tables in the game's own format in memory; 2 (here): not known."""
        return 2

    def endings(self, wanted: str) -> tuple[tuple[str, int, int], ...]:
        """What a table of this ending needs: names, first numbers and those after the last; each range leads to itself and earlier ones."""
        raise ZermeloError(f"{self!r} numbers no states: expected no ending")

    # ---- ordering and pruning ----------------------------------------------------------------

    def order(self, s: State, a: int) -> int:
        """How promising a looks, at most 2**20 in size: AlphaBeta tries actions of higher order first."""
        return 0

    def action_kind(self, s: State, a: int) -> int:
        """What a does, wherever it comes from, as a number of 1 to 511 (others are folded): AlphaBeta remembers which followed which."""
        return i64(a)

    def immediate(self, s: State, a: int) -> int:
        """1 if a ends the game at once with the best that its player can get, -1 if the opponent's reply can do that, 0 otherwise.
        A game that writes it claims every such win and loss, and that turns alternate: searches try nothing beside a win."""
        return 0

    def moves_left(self, s: State) -> int:
        """An upper bound on the moves until the game is over, 0 only where it is; an action without alternatives (a pass) may be
        left out. Near the end a search then needs neither table nor order, and solves the game when it can. Here: none is known."""
        return 1 << 30

    def upper_bound(self, s: State, p: int) -> float:
        """The most that player p, one of two, can still get: a search leaves s if that does not reach its window. Here: anything."""
        return math.inf

    def final_value(self, s: State, p: int) -> float:
        """What s is worth to player p, one of two, where `moves_left(s)` is at most 1: asked instead of trying the last move."""
        return 0.0

    def urgent_first(self, s: State) -> Iterator[int]:
        """Yield the actions of s, those first that are likely to be good, as far as that is cheap to tell: the order near the end."""
        yield from self.actions(s)

    def relevant_actions(self, s: State) -> Iterator[int]:
        """Yield actions of s of which one wins if any does, none only if s is lost: ProofNumber tries no others. A game that writes it
        always comes to an end, at which one of two players gets 1 and the other -1."""
        yield from self.actions(s)

    def is_tactical(self, s: State, a: int) -> bool:
        """Whether s should not be evaluated before a is tried (a capture): quiescence follows tactical actions beyond the depth."""
        return False

    def tactical_actions(self, s: State) -> Iterator[int]:
        """Yield at least the tactical actions of s, if they can be listed faster than all: quiescence looks at no others."""
        yield from (a for a in self.actions(s) if self.is_tactical(s, a))

    def material_gain(self, s: State, a: int) -> float:
        """What a captures or promotes to, in units of `evaluate`: futility assumes that a adds at most quiet_margin + material_gain."""
        return 0.0

    def loses_material(self, s: State, a: int, more: float) -> bool:
        """Whether the exchange that a begins costs its player more than this, in units of `evaluate`: such actions are left out soon."""
        return False

    def is_forcing(self, s: State) -> bool:
        """Whether the mover of s has little choice (a check): AlphaBeta searches s one ply deeper and prunes nothing that leads to it."""
        return False

    def allows_null_move(self, s: State) -> bool:
        """Whether passing the turn in s could only do harm (no check, no zugzwang): then AlphaBeta tries `null_move` as a lower bound."""
        return False

    def null_move(self, s: State) -> State:
        """The state after passing the turn, whether that is legal or not. Only called if `allows_null_move` is true."""
        return s

    # ---- simulation --------------------------------------------------------------------------

    def playout_action(self, s: State, random: int) -> int:
        """A plausible action of s, made from one random word: MCTS plays its playouts by it with policy="game". Here: any."""
        return self.sample(s, random)

    def prior_value(self, s: State, a: int) -> float:
        """What a looks worth to its player before it is tried, as a utility: MCTS counts it as `prior` visits. Here: 0."""
        return 0.0

    # ---- text --------------------------------------------------------------------------------

    def show(self, s: State) -> str:
        """The state drawn for a person, in lines of text."""
        return self.write_state(s)

    def svg(self, s: State) -> str:
        """The state as a picture, in SVG. Here: what `show` draws."""
        return drawing.lines(self.show(s), self.name)

    def show_to(self, s: State, p: int) -> str:
        """The state drawn for player p, who does not see everything. Here: "", and what all states that p may be in share is drawn."""
        return ""

    def announce(self, s: State, a: int, p: int) -> str:
        """What player p hears of action a of s, "" if nothing. Here: the action, if p takes it or nothing is hidden in the game."""
        return self.write_action(s, a) if not self.has_hidden or p == self.to_move(s) else ""

    def view(self, s: State) -> drawing.View:
        """The state as something that a notebook draws, and a prompt writes."""
        return drawing.View(self.svg(s), self.show(s))

    def player_name(self, p: int) -> str:
        """What player p is called."""
        return self.player_names[p] if p < len(self.player_names) else f"player {p}"

    @property
    def title(self) -> str:
        """What stands above a picture of the game."""
        return repr(self)

    def tree_node(self, s: State) -> drawing.TreeNode | None:
        """The node that s is, if the game is written down as a tree: then `explain` calls it by its name and shows the whole tree."""
        return None

    def write_action(self, s: State, a: int) -> str:
        """Action a of s in the game's usual notation."""
        return str(a)

    def read_action(self, s: State, text: str) -> int:
        """The legal action of s that this text means; ZermeloError if there is none."""
        wanted = text.strip()
        names = {self.write_action(s, a): a for a in self.actions(s)}
        if wanted not in names:
            some = ", ".join(list(names)[:12]) + (", ..." if len(names) > 12 else "")
            raise ZermeloError(f"'{wanted}' is not a legal action here: expected one of {some or 'none, the game is over'}")
        return names[wanted]

    def write_state(self, s: State) -> str:
        """The state as one line of text from which `read_state` makes it again."""
        return self.layout.write(s)

    def read_state(self, text: str) -> State:
        """The state that this text describes; ZermeloError if it describes none."""
        return self.layout.read(text, self.name)

    # ---- what follows from the above; not for overriding -------------------------------------

    @property
    def name(self) -> str:
        """The name under which `zermelo.game` finds this game, without its parameters."""
        cls = type(self)
        parts = cls.__module__.split(".")
        return parts[2] if parts[:2] == ["zermelo", "games"] else vars(cls).get("found_as", cls.__name__)

    def __repr__(self) -> str:
        """The game as text that `zermelo.game` reads back: name:parameter=value,..."""
        takes = parameters_of(type(self))
        told = [f"{k}={written(v)}" for k, v in self.parameters.items() if v != takes[k].default]
        return self.name + (":" + ",".join(told) if told else "")

    @cached_property
    def layout(self) -> Layout:
        """How this game's states are laid out in machine words."""
        layout = layout_of(self.initial(), type(self))
        drawing.draw_states(layout.state, self)
        return layout

    @cached_property
    def has_chance(self) -> bool:
        """Whether chance takes part: the game says how likely its actions are (`__init__` may know better)."""
        return type(self).probability is not Game.probability

    has_hidden = _writes("observe", "Whether players do not see everything.")
    has_count = _writes("count", "Whether the game counts actions without listing them.")
    has_sample = _writes("sample", "Whether the game draws a uniform action without listing them all.")
    has_evaluate = _writes("evaluate", "Whether the game estimates states itself.")
    has_order = _writes("order", "Whether the game orders actions.")
    has_immediate = _writes("immediate", "Whether the game claims every immediate win and loss.")
    has_moves_left = _writes("moves_left", "Whether the game tells how many moves are left at most.")
    has_upper_bound = _writes("upper_bound", "Whether the game tells what a player can still get at most.")
    has_final_value = _writes("final_value", "Whether the game tells the value of states with one move left.")
    has_urgent_first = _writes("urgent_first", "Whether the game has an order for the end of a game.")
    has_relevant_actions = _writes("relevant_actions", "Whether the game leaves out actions that cannot be better than others.")
    has_forcing = _writes("is_forcing", "Whether the game says which states to search deeper.")
    has_null_move = _writes("null_move", "Whether the game says what passing the turn leads to, and so allows null moves.")
    has_playout_action = _writes("playout_action", "Whether the game has its own policy for playouts.")
    has_prior_value = _writes("prior_value", "Whether the game estimates actions before they are tried.")
    has_tactical = _writes("is_tactical", "Whether the game says which actions are tactical.")
    has_tactical_actions = _writes("tactical_actions", "Whether the game lists tactical actions without listing all.")
    has_index = _writes("index", "Whether the game numbers its states for endgame tables.")
    has_planes = _writes("planes", "Whether the game says what a learned evaluation sees.")
    has_plane_view = _writes("plane_view", "Whether the game says how a player sees the planes of player 0.")
    has_patterns = _writes("patterns", "Whether the game says what an n-tuple network sees.")
    has_board = property(lambda game: game.has_planes and game.board_height > 0, doc="Whether planes are pictures of a board.")
    has_policy_index = property(lambda game: game.policy_size > 0, doc="Whether a network tells actions by an index of the game.")
    has_phases = property(lambda game: game.phases > 1, doc="Whether a learned model has several networks.")
    has_draws_by_repetition = property(lambda game: game.repetition == "draw", doc="Whether a position that comes back ends the game.")
    has_outcomes = _writes("outcomes", "Whether the game has several outcomes to learn.")
    has_equity = _writes("equity", "Whether the game says what chances of its outcomes are worth.")
    plane_words = property(lambda game: max(game.board_bits, default=0) // 64 + 1, doc="Words of a plane of the board.")

    fill, fill_tactical, fill_urgent, fill_relevant = map(lists, ("actions", "tactical_actions", "urgent_first", "relevant_actions"))
    fill_features, fill_planes, fill_patterns, fill_outcomes = map(fills, ("features", "planes", "patterns", "outcomes"))

    def has_ended(self, s: State) -> bool:
        """True if s is terminal, where actions do not count. Games with `ends_without_actions` are not asked."""
        return not self.ends_without_actions and self.is_terminal(s)

    def pack(self, s: State, out: Any) -> int:
        """Write s as 64-bit words into `out`; how many they are."""
        return put_words(self.layout.pack(s), out)

    def pack_observation(self, s: State, p: int, out: Any) -> int:
        """Write what player p observes in s as 64-bit words into `out`; how many they are."""
        seen = self.observe(s, p)
        if type(seen) is self.layout.state:
            return self.pack(seen, out)
        return put_words([x & FULL for x in seen] if isinstance(seen, tuple) else [seen & FULL], out)

    def unpack(self, row: Any) -> State:
        """The state that these words are; a state is given back as it is."""
        return self.layout.unpack(row) if isinstance(row, list) else row


def _plain(value: Any) -> Any:
    if "numpy" in sys.modules:  # or there is nothing of numpy's: a start does without it
        from . import tables

        value = tables.plain(value)
    return value
