"""GNU Backgammon's position and match IDs: the state as text, `4HPwATDgc/ABMA:MAAAAAAAAAAE`.

A position ID is 80 bits: for each point of the player who is not on roll, from 1 to the bar, as many ones as there are men and then a
zero; then the same for the player on roll. A match ID is 72 bits: `FIELDS`. Both are bytes from the lowest bit up, in
base 64. What the IDs cannot say is added as a word: that a player who might double lets the dice roll.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Any, NamedTuple

from ...errors import ZermeloError
from .men import BAR, FULL_SIDE
from .state import CENTRE, DOUBLED, DROPPED, MAX_CUBE_EXPONENT, MAY_DOUBLE, OPENING, OVER, START, TO_ROLL, Side, State, packed, sides

ROLLING = " rolling"
TEXT = re.compile(rf"([A-Za-z0-9+/]{{14}})(?::([A-Za-z0-9+/]{{12}})({ROLLING})?)?")
BEGIN, PLAYING, ENDED, RESIGNED, GAVE_UP = range(5)  # what `Match.game` says
NOBODY = 3  # the owner of a cube in the centre
NO_MATCH = "MAAAAAAAAAAE"


class Match(NamedTuple):
    """What a match ID says; the numbers are of players 0 and 1."""

    cube: int  # the cube shows 2**cube
    owner: int
    roller: int  # who is on roll, or has rolled
    crawford: int
    game: int  # not begun, being played, over, resigned, ended by a drop
    turn: int  # who decides
    doubled: int
    resigned: int
    die: int
    die2: int
    length: int  # points of the match, 0 when it is played for money
    score: int
    score2: int
    no_jacoby: int


WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)  # bits of each field, in this order from the lowest


def write_position(waiting: Side, rolling: Side) -> str:
    """The position ID of the men of the player who waits and of the one on roll."""
    bits = "".join("1" * men + "0" for side in (waiting, rolling) for men in side[1:])
    return b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def read_position(text: str) -> tuple[Side, Side]:
    """The men of the player who waits and of the one on roll; ZermeloError if the text is not a position ID."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a position ID: expected {expected}")

    if not re.fullmatch("[A-Za-z0-9+/]{13}[AQgw]", text):
        raise refuse("14 letters of base 64, the last of them A, Q, g or w")
    bits = f"{int.from_bytes(b64decode(text + '=='), 'little'):080b}"[::-1]
    runs = bits.split("0")
    if len(runs) <= 2 * BAR or any(runs[2 * BAR :]):
        raise refuse("25 points for each player and nothing after them")
    men = [len(run) for run in runs]
    waiting, rolling = men[:BAR], men[BAR : 2 * BAR]
    if max(sum(waiting), sum(rolling)) > FULL_SIDE:
        raise refuse(f"at most {FULL_SIDE} men of each player")
    if any(n and m for n, m in zip(waiting, reversed(rolling[:-1]), strict=False)):
        raise refuse("no point with men of both players")
    return (FULL_SIDE - sum(waiting), *waiting), (FULL_SIDE - sum(rolling), *rolling)


def write_match(match: Match) -> str:
    """The match ID that says this."""
    bits, at = 0, 0
    for value, width in zip(match, WIDTHS, strict=True):
        bits |= value << at
        at += width
    return b64encode(bits.to_bytes(9, "little")).decode()


def read_match(text: str) -> Match:
    """What a match ID says; ZermeloError if the text is none."""

    def refuse(expected: str) -> ZermeloError:
        return ZermeloError(f"'{text}' is not a match ID: expected {expected}")

    if not re.fullmatch("[A-Za-z0-9+/]{12}", text):
        raise refuse("12 letters of base 64")
    bits, values = int.from_bytes(b64decode(text), "little"), []
    for width in WIDTHS:
        values.append(bits & ((1 << width) - 1))
        bits >>= width
    match = Match(*values)
    if bits or match.owner == 2 or match.game > GAVE_UP:
        raise refuse("an owner of the cube (0, 1 or none) and a state of the game (0 to 4), and nothing in the last five bits")
    if max(match.die, match.die2) > 6 or (match.die == 0) != (match.die2 == 0):
        raise refuse("two dice of 1 to 6, or none")
    return match


# ---- states --------------------------------------------------------------------------------------


def write_state(game: Any, s: State) -> str:
    """The state as position ID, ':' and match ID."""
    on_roll = 1 - s.turn if s.roll in (DOUBLED, DROPPED) else s.turn
    stage = BEGIN if s.roll == OPENING else GAVE_UP if s.roll == DROPPED else ENDED if s.roll == OVER else PLAYING
    die, die2 = (s.roll >> 3, s.roll & 7) if s.roll > 0 else (0, 0)
    decision = (s.cube, s.owner & 3, on_roll, int(game.is_match and not game.cube), stage, s.turn, int(s.roll == DOUBLED), 0, die, die2)
    length = max(game.left)  # the shortest match of this score
    match = Match(*decision, length, length - game.left[0], length - game.left[1], int(not game.jacoby))
    men = sides(s)
    rolls = stage == PLAYING and s.roll == TO_ROLL and game.begun(s.cube, s.owner, s.turn) == MAY_DOUBLE
    return f"{write_position(men[1 - on_roll], men[on_roll])}:{write_match(match)}{ROLLING if rolls else ''}"


def read_state(game: Any, text: str) -> State:
    """The state that this text describes. A position ID alone is of a game in which player 0 is on roll."""
    found = TEXT.fullmatch(text.strip())
    if not found:
        raise ZermeloError(
            f"'{text}' is not a state of {game.name}: expected a position ID of 14 letters of base 64, ':' and a match ID of 12, like "
            f"4HPwATDgc/ABMA:{NO_MATCH}"
        )
    position, told, rolling = found.groups()
    try:
        men = read_position(position)
        match = read_match(told or write_state(game, game.initial()).partition(":")[2])
        if not told:
            match = match._replace(game=PLAYING)
    except ZermeloError as error:
        raise ZermeloError(f"'{text}' is not a state of {game.name}: expected {str(error).partition(': expected ')[2]}") from None
    if wrong := _fault(game, *men, match) or (rolling and _no_choice(game, match)):
        raise ZermeloError(f"'{text}' is not a state of {game.name}: expected {wrong}")
    if match.game == BEGIN:
        return game.initial()
    roll = match.die << 3 | match.die2 if match.die >= match.die2 else match.die2 << 3 | match.die
    owner = CENTRE if match.owner == NOBODY else match.owner
    if match.doubled:
        roll = DOUBLED
    elif match.game == GAVE_UP:
        roll = DROPPED
    elif match.game == ENDED:
        roll = OVER
    elif not match.die and not rolling:
        roll = game.begun(match.cube, owner, match.turn)
    waiting, on_roll = packed(men[0]), packed(men[1])
    mine, other = (on_roll, waiting) if match.turn == match.roller else (waiting, on_roll)
    return State(*mine, *other, roll, match.turn, match.cube, owner)


def _no_choice(game: Any, match: Match) -> str:
    """What a state must be to let the dice roll instead of doubling, if it is not."""
    if match.game == PLAYING and not match.doubled and not match.die and _may_double(game, match):
        return ""
    return "the word rolling only where the player could double before the roll"


def _may_double(game: Any, match: Match) -> bool:
    owner = CENTRE if match.owner == NOBODY else match.owner
    return game.begun(match.cube, owner, match.roller) == MAY_DOUBLE


def _fault(game: Any, waiting: Side, rolling: Side, match: Match) -> str:
    """What was expected, if this is not a state of the game; nothing if it is one."""
    return _fault_of_stakes(game, match) or _fault_of_turn(game, match) or _fault_of_men(waiting, rolling, match)


def _fault_of_stakes(game: Any, match: Match) -> str:
    """What was expected of the match, of the rules and of the cube."""
    left = (match.length - match.score, match.length - match.score2)
    if match.resigned or match.game == RESIGNED or left != game.left or (game.is_match and bool(match.crawford) == game.cube):
        needed = f"in which the players need {game.left[0]} and {game.left[1]} points" if game.is_match else "for money, a score of 0 to 0"
        return f"the match ID of a game {needed}, and no resignation"
    if game.jacoby and match.no_jacoby:
        return "the match ID of a game with the Jacoby rule"
    if match.cube > MAX_CUBE_EXPONENT or (match.cube == 0) != (match.owner == NOBODY):
        return f"a cube at 1 in the middle, or at 2 to {1 << MAX_CUBE_EXPONENT} with an owner"
    if not game.cube and (match.cube or match.doubled or match.game == GAVE_UP):
        return "no doubles: the game is without cube"
    return ""


def _fault_of_turn(game: Any, match: Match) -> str:
    """What was expected of the decision that is due."""
    answers = match.doubled or match.game == GAVE_UP
    if answers and not (_may_double(game, match) and match.game in (PLAYING, GAVE_UP) and not (match.doubled and match.game == GAVE_UP)):
        return "a double, or a drop, only of a player who may double"
    if (match.turn != match.roller) != bool(answers):
        return "the turn of the player on roll, or of the other when a double is offered"
    if match.die and (match.game != PLAYING or match.doubled):
        return "dice only where a roll is to be played"
    return ""


def _fault_of_men(waiting: Side, rolling: Side, match: Match) -> str:
    """What was expected of the men of both sides."""
    if match.game == BEGIN and (waiting[1:], rolling[1:]) != (START[1:], START[1:]):
        return "the men as at the start before the opening roll"
    if (match.game == ENDED) != (waiting[0] == FULL_SIDE) or rolling[0] == FULL_SIDE:
        return "men of both players, or a game that is over when the player who is not on roll has borne off all"
    if all(side[BAR] and all(n >= 2 for n in other[1:7]) for side, other in ((waiting, rolling), (rolling, waiting))):
        return "not both players on the bar before six closed points"
    return ""
