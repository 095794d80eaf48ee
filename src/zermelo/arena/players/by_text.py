"""Players by text that can be written down and read back.

alphabeta:seconds=1,table=64            any searcher, with its settings
default:seconds=2                       what suits the game, with settings
chinook:seconds=1                       alpha-beta with the book and the tables of a game that has both
deepblue1997:seconds=1                  alpha-beta with the book and tables of chess and an evaluation of many terms
level:1 to level:10                     the default at a strength for people
random, greedy                          for comparison
perfect                                 solves the game before every action
lookup:FILE                             actions from a file, `random` if it has none
lookup:FILE|PLAYER                      ... or another player
table:FILE                              perfect play from an endgame table or a stored strategy, `default` where it ends
table:FILE|PLAYER                       ... or another player
strategy:FILE                           a strategy that zermelo solve found
net:RUN                                 the action that a network likes best, without searching
uci:stockfish?UCI_Elo=1800&Threads=1    an engine that speaks UCI, and its options
gtp:gnugo --mode gtp --level 10         an engine that speaks GTP
gnubg:plies=0                           GNU Backgammon
json:COMMAND                            an engine that speaks the protocol of `zermelo serve-json`
human                                   a person
"""

from __future__ import annotations

from collections.abc import Callable

from ...errors import ZermeloError, nearest
from ...search import by_name
from ...settings import read_pairs
from .baselines import Ask, GreedyPlayer, HumanPlayer, RandomPlayer
from .chinook import ChinookPlayer
from .deepblue import DeepBluePlayer
from .gnubg import GnubgPlayer
from .gtp import GtpPlayer
from .jsonl import JsonPlayer
from .levels import LevelPlayer
from .lookup import LookupPlayer
from .perfect import PerfectPlayer
from .player import Player
from .search_player import DEFAULT, SearchPlayer
from .strategy import StrategyPlayer
from .table import TablePlayer
from .uci import UciPlayer


def player(text: str, ask: Ask | None = None) -> Player:
    """The player that this text describes; `ask` is how a person is asked for an action."""
    wanted = text.strip()
    name, colon, rest = wanted.partition(":")
    if name == "human" and not colon:
        return HumanPlayer(ask)
    if name in PLAIN and not colon:
        return PLAIN[name]()
    if name in OTHERS:
        if not rest.strip():
            raise ZermeloError(f"'{text}': expected {OTHERS[name][1]} after '{name}:'")
        return OTHERS[name][0](wanted, rest.strip())
    if name in RECIPES:
        return RECIPES[name][0](wanted, _settings(wanted, rest, bool(colon)))
    if name == DEFAULT or name in by_name.names():
        return SearchPlayer(wanted, name, _settings(wanted, rest, bool(colon)))
    known = [*PLAIN, "human", DEFAULT, *RECIPES, *OTHERS, *by_name.names()]
    raise ZermeloError(f"there is no player '{name}'{nearest(name.lower(), known) or '; zermelo players lists them'}")


def describe() -> list[tuple[str, str]]:
    """How each kind of player is written, and what it is."""
    searchers = [(name, _first_sentence(by_name.find(name).__doc__ or "")) for name in by_name.names()]
    return [
        (f"{DEFAULT}[:K=V,...]", "the searcher that suits the game (mcts without an evaluation or a model), with these settings"),
        *((f"{name}[:K=V,...]", about) for name, about in searchers),
        *((f"{name}[:K=V,...]", about) for name, (_, about) in RECIPES.items()),
        *((name, _first_sentence(cls.__doc__ or "")) for name, cls in PLAIN.items()),
        *((form, about) for _, _, form, about in OTHERS.values()),
        ("human", "a person at the terminal"),
    ]


def _settings(text: str, told: str, colon: bool) -> dict[str, str]:
    if colon and not told.strip():
        raise ZermeloError(f"'{text}': expected settings as name=value after the colon")
    return {key: value.strip() for key, value in read_pairs(text, told).items()}


def _first_sentence(text: str) -> str:
    whole = " ".join(text.partition("\n\n")[0].split())
    return whole.partition(". ")[0].removesuffix(".")


def _lookup(text: str, rest: str) -> Player:
    file, bar, other = rest.partition("|")
    return LookupPlayer(text, file.strip(), player(other) if bar else RandomPlayer())


def _table(text: str, rest: str) -> Player:
    file, bar, other = rest.partition("|")
    if file.strip().endswith(STRATEGIES):
        return LookupPlayer(text, file.strip(), player(other if bar else DEFAULT))
    return TablePlayer(text, file.strip(), player(other if bar else DEFAULT))


def _net(text: str, rest: str) -> Player:
    return SearchPlayer(text, "mcts", {"net": rest, "simulations": "1"})  # which tries the action of the greatest prior


#: programs of old: alpha-beta with settings of their own
RECIPES: dict[str, tuple[Callable[[str, dict[str, str]], Player], str]] = {
    "chinook": (ChinookPlayer, "alpha-beta with the book that comes with the game and tables of its endings, as checkers was played"),
    "deepblue1997": (DeepBluePlayer, "alpha-beta with the book and tables of chess, and an evaluation of many terms with learned weights"),
}
STRATEGIES = (".json", ".csv", ".sqlite")  # what zermelo strategy --save writes

PLAIN: dict[str, Callable[[], Player]] = {"random": RandomPlayer, "greedy": GreedyPlayer, "perfect": PerfectPlayer}

#: players that need more than settings: how they are made, what must follow, how they are written and what they are
OTHERS: dict[str, tuple[Callable[[str, str], Player], str, str, str]] = {
    "level": (LevelPlayer, "a number from 1 to 10", "level:N", "from 1, for a child, to 10: the searcher that suits the game, limited"),
    "lookup": (_lookup, "a file", "lookup:FILE[|PLAYER]", "actions from a file of states, or those of PLAYER (random) if it has none"),
    "table": (_table, "a file", "table:FILE[|PLAYER]", "perfect play from an endgame table, and PLAYER (default) where it has no state"),
    "strategy": (StrategyPlayer, "a file", "strategy:FILE", "a strategy of a game with hidden information that zermelo solve found"),
    "net": (_net, "a run or a file of a network", "net:RUN", "the action that a network likes best, without searching"),
    "uci": (UciPlayer, "a command", "uci:COMMAND[?OPTION=VALUE&...]", "a chess engine that speaks UCI, like stockfish?UCI_Elo=1800"),
    "gtp": (GtpPlayer, "a command", "gtp:COMMAND", "an engine of Go, Othello or Hex that speaks GTP, like gnugo --mode gtp"),
    "gnubg": (GnubgPlayer, "plies=N", "gnubg:plies=N[,noise=X]", "GNU Backgammon, looking N plies ahead"),
    "json": (JsonPlayer, "a command", "json:COMMAND", "a program that speaks the protocol of zermelo serve-json"),
}
