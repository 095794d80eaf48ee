"""MAT, JellyFish's format of backgammon matches: games in sequence, the turns of both players in two columns.

    match = read(text)
    match.length, match.games[0].names, [(turn.player, turn.dice, turn.text) for turn in match.games[0].turns]
    write(match)

     7 point match

     Game 1
     Alice : 0                      Bob : 0
      1) 31: 8/5 6/5                 52: 13/8 24/22
      2)  Doubles => 2                Takes
      3) 64: 24/14                   ...
          Wins 2 points

Turns alternate; the column of the first turn shows who begins. A turn is two dice and moves as text, or a double, a take or a
drop. The rules of a game interpret the moves. A length of 0 is a money session. Lines that begin with ';' are comments,
or tags like `; [Site "here"]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import ZermeloError

DOUBLE, TAKE, DROP = "double", "take", "drop"
COLUMN = 34  # where the second player's turns are written
MAX_LINE_CHARACTERS = 2000  # characters of a line
LEFT = 18  # the first column in which a game's first turn can be the second player's

LENGTH = re.compile(r"\s*([0-9]{1,5}) point match\s*", re.IGNORECASE)
GAME = re.compile(r"\s*Game ([0-9]{1,5})\s*", re.IGNORECASE)
PLAYERS = re.compile(r"\s*([^\s:][^:]*?) ?: ?([0-9]{1,5})(\s+)([^\s:][^:]*?) ?: ?([0-9]{1,5})\s*")
TAG = re.compile(r'; *\[([A-Za-z0-9 ]+?) +"([^"]*)"\]\s*')
NUMBER = re.compile(r"\s*([0-9]{1,4})\)")
TURN = re.compile(
    r"\s*(?:(?P<dice>[1-6]{2}):(?P<moves>(?:\s*(?:[Cc]annot [Mm]ove|[0-9a-zA-Z]+(?:/[0-9a-zA-Z]+\*?)+(?:\([1-4]\))?)(?!\S))*)"
    r"|(?P<double>doubles? *=> *(?P<cube>[0-9]{1,5}))|(?P<take>takes?)|(?P<drop>drops?))(?!\S)",
    re.IGNORECASE,
)
WINS = re.compile(r"(\s*)Wins ([0-9]{1,5}) points?( and the match)?\s*", re.IGNORECASE)


@dataclass
class Turn:
    """A turn: dice and moves, or a double, take or drop; `cube` is the value after a double."""

    player: int
    dice: str
    text: str
    cube: int = 0
    at: int = field(default=0, compare=False)  # the line of the text


@dataclass
class Record:
    """A game: the players, the score before it, the turns, and the winner with the points (None if it is unfinished)."""

    names: tuple[str, str]
    scores: tuple[int, int] = (0, 0)
    turns: list[Turn] = field(default_factory=list)
    winner: int | None = None
    points: int = 0
    wins_match: bool = False


@dataclass
class Match:
    """Games, and the length of the match in points."""

    length: int = 0
    tags: dict[str, str] = field(default_factory=dict)
    games: list[Record] = field(default_factory=list)


def read(text: str) -> Match:
    """The match in a text; ZermeloError, with the line, if it is not a match."""
    match: Match | None = None
    tags: dict[str, str] = {}
    expects = "length"  # then "game", "players", "turns"
    column = COLUMN
    for at, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if len(line) > MAX_LINE_CHARACTERS:
            raise _refuse(at, f"a line of at most {MAX_LINE_CHARACTERS:,} characters")
        if line.lstrip().startswith(";"):
            if tag := TAG.fullmatch(line.strip()):
                tags[tag[1]] = tag[2]
        elif match is None:
            if not (found := LENGTH.fullmatch(line)):
                raise _refuse(at, "the length of the match, like '7 point match', or '0 point match' for money")
            match, expects = Match(int(found[1]), tags), "game"
        elif found := GAME.fullmatch(line):
            if expects == "players" or int(found[1]) != len(match.games) + 1:
                raise _refuse(at, "the names of the players" if expects == "players" else f"Game {len(match.games) + 1}")
            expects = "players"
        elif expects == "players":
            if not (found := PLAYERS.fullmatch(line)):
                raise _refuse(at, "two players with their scores, like 'Alice : 0   Bob : 0'")
            match.games.append(Record((found[1], found[4]), (int(found[2]), int(found[5]))))
            column, expects = found.start(4), "turns"
        elif expects == "turns":
            if _read_line(match.games[-1], line, at, column):
                expects = "game"
        else:
            raise _refuse(at, f"Game {len(match.games) + 1}")
    if match is None or expects == "players":
        raise ZermeloError(
            f"expected {'the length of a match' if match is None else 'the names of the players'} before the end of the text"
        )
    return match


def _read_line(game: Record, line: str, at: int, column: int) -> bool:
    """Read a line of a game; return whether it names the winner."""
    number = NUMBER.match(line)
    if number and int(number[1]) != _number(game):
        raise _refuse(at, f"the turns {_number(game)})")
    start = number.end() if number else 0
    while start < len(line.rstrip()):
        if won := WINS.fullmatch(line, start):
            game.winner = int(won.end(1) >= column - 4)
            game.points, game.wins_match = int(won[2]), won[3] is not None
            return True
        turn = TURN.match(line, start)
        if not turn or not number:
            raise _refuse(at, "turns like '1) 31: 8/5 6/5', 'Doubles => 2', 'Takes', 'Drops', or 'Wins 1 point'")
        first = len(line[start : turn.end()]) - len(line[start : turn.end()].lstrip()) + start
        if game.turns:
            player = 1 - game.turns[-1].player
            if player == 0 and game.turns[-1].at == at:
                raise _refuse(at, "at most one turn of each player in a line")
        else:
            player = int(first >= max(LEFT, column // 2))
        text = " ".join((turn["moves"] or "").split()) if turn["dice"] else next(k for k in (DOUBLE, TAKE, DROP) if turn[k])
        game.turns.append(Turn(player, turn["dice"] or "", text, int(turn["cube"] or 0), at))
        start = turn.end()
    return False


def _number(game: Record) -> int:
    """The number before the next turn."""
    if not game.turns:
        return 1
    return (len(game.turns) + game.turns[0].player) // 2 + 1


def _refuse(at: int, expected: str) -> ZermeloError:
    return ZermeloError(f"line {at} of the match: expected {expected}")


def write(match: Match) -> str:
    """The match as text."""
    lines = [f'; [{name} "{value}"]' for name, value in match.tags.items()]
    lines += [*([""] if lines else []), f" {match.length} point match"]
    for i, game in enumerate(match.games, 1):
        if any(":" in name for name in game.names):
            raise ZermeloError(f"expected names without a colon in game {i} of the match, not {' and '.join(game.names)}")
        left = f" {game.names[0]} : {game.scores[0]}"
        lines += ["", f" Game {i}", f"{left:<{COLUMN - 1}} {game.names[1]} : {game.scores[1]}"]
        turns = [""] * (game.turns[0].player if game.turns else 0) + [_write_turn(turn) for turn in game.turns]
        for row in range(0, len(turns), 2):
            left = f"{row // 2 + 1:3}) {turns[row]}"
            lines.append(f"{left:<{COLUMN - 1}} {turns[row + 1]}" if row + 1 < len(turns) else left)
        if game.winner is not None:
            points = f"Wins {game.points} point{'' if game.points == 1 else 's'}{' and the match' if game.wins_match else ''}"
            lines.append(" " * (COLUMN if game.winner else 6) + points)
    return "\n".join(lines) + "\n"


def _write_turn(turn: Turn) -> str:
    if turn.dice:
        return f"{turn.dice}: {turn.text}".rstrip()
    return {DOUBLE: f" Doubles => {turn.cube}", TAKE: " Takes", DROP: " Drops"}[turn.text]
