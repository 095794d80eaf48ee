"""What a learned evaluation sees of a position, against the same counted on a plain board, roll by roll."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

import zermelo
from zermelo.games.backgammon.learning import PLANE_INPUTS
from zermelo.games.backgammon.rules import CONTACT, RACE
from zermelo.games.backgammon.state import sides

SIDE = 64 * 9  # inputs of a side
SCALES = {128: 0.25, 320: 0.5}  # of numbers that come as so many bits
MEN, LAST, NUMBERS, ROWS, LONG_ROWS, ANCHOR, ABOVE, HITS, BLOCKS = range(0, SIDE, 64)


def positions(game, count, seed=4):
    """Positions of random games; every third with a man or two put on the bar, so that there are enough of those."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s):
            if rng.random() < 0.1:
                found.append(s)
            s = game.result(s, rng.choice(list(game.actions(s))))
    return found[:count]


def values(game, s, p):
    """What each input is worth."""
    found = [0.0] * 2 * SIDE
    for (first, step, scale), word in zip(game.plane_inputs, game.planes(s, p), strict=True):
        for bit in range(64):
            if word >> bit & 1:
                found[first + bit * step] += scale
    return found


def is_free(other, point):
    """Whether a man may land: beyond the board it may, as it bears off or passes on."""
    return point < 1 or other[25 - point] < 2


def hitting(mine, other, roll):
    """The points of the other's blots that a roll can hit, found by making the moves of the roll in every order with every man."""
    found = set()

    def move(men, dice):
        if not dice:
            return
        for point in [25] if men[25] else [p for p in range(1, 25) if men[p]]:
            to = point - dice[0]
            if to >= 1 and other[25 - to] < 2:
                if other[25 - to] == 1:
                    found.add(to)
                after = list(men)
                after[point] -= 1
                after[to] += 1
                move(after, dice[1:])

    for dice in {(roll[0],) * 4} if roll[0] == roll[1] else set(permutations(roll)):
        move(list(mine), dice)
    return found


def expected(mine, other, is_race):
    """The inputs of a side, as numbers by their place."""
    x = {}
    made = [p for p in range(1, 25) if mine[p] > 1]
    for p in range(1, 25):
        x[MEN + p], x[MEN + 32 + p], x[LAST + p] = mine[p] > 0, mine[p] > 1, mine[p] > 2
        x[ABOVE + p] = max(0, mine[p] - 3) / 2
        for length, at in ((3, ROWS), (4, ROWS + 32), (5, LONG_ROWS), (6, LONG_ROWS + 32)):
            x[at + p] = all(p + k in made for k in range(length))
    x[LAST + 32 + max(p for p in range(1, 26) if mine[p])] = 1
    if made:
        x[ANCHOR + max(made)] = 1
    ahead = [25 - p for p in range(1, 26) if other[p]]  # where the other's men are, as this side counts
    at_home = sum(p <= 6 for p in made)
    numbers = (mine[25], mine[0], at_home, at_home if other[25] else 0, sum(mine[p] for p in range(1, 26) if p > min(ahead)))
    for first, n in zip((0, 16, 32, 40, 48), numbers, strict=True):
        x |= {NUMBERS + first + k: 1 for k in range(n)}
    if is_race:
        return x
    rolls = [(i, j) for i in range(1, 7) for j in range(1, 7)]
    any_hit, hits, blocks = 0, Counter(), Counter()
    for i, j in rolls:
        found = hitting(mine, other, (i, j))
        any_hit += bool(found)
        hits.update(HITS + p for p in found)
        for p in range(1, 26):
            if not (is_free(other, p - i - j) and (is_free(other, p - i) or is_free(other, p - j))):
                blocks.update([BLOCKS + p] * (mine[p] > 0) + [BLOCKS + 32 + p] * (p >= 19))
    x |= {at: n // 2 * 2 / 36 for at, n in (hits + blocks).items()}
    return x | {ANCHOR + 32 + k: 1 for k in range(-(-any_hit // 6))}


def test_inputs_are_what_a_plain_board_shows():
    game = zermelo.game("backgammon")
    found = positions(game, 150)
    assert {game.phase(s) for s in found} == {CONTACT, RACE}
    assert sum(sides(s)[0][25] > 1 for s in found) > 3
    for s in found:
        for p in range(2):
            both = sides(s)[::-1] if p else sides(s)
            for first, (mine, other) in zip((0, SIDE), (both, both[::-1]), strict=True):
                wanted = expected(mine, other, game.phase(s) == RACE)
                seen = values(game, s, p)[first : first + SIDE]
                for k in range(SIDE):
                    assert seen[k] == pytest.approx(SCALES.get(k // 64 * 64, 1) * float(wanted.get(k, 0)), abs=1e-6), (
                        game.write_state(s),
                        p,
                        first,
                        k,
                    )


def test_phases_are_those_of_a_plain_board():
    game = zermelo.game("backgammon")
    for s in positions(game, 300, seed=5):
        x, o = sides(s)
        is_race = max(p for p in range(1, 26) if x[p]) <= 25 - max(p for p in range(1, 26) if o[p])
        assert game.phase(s) == (RACE if is_race else CONTACT)


def test_the_inputs_are_chosen_by_a_parameter():
    for inputs, planes in PLANE_INPUTS.items():
        game = zermelo.game(f"backgammon:inputs={inputs}")
        assert len(list(game.planes(game.initial(), 0))) == len(planes) and game.phases == (1 if inputs == "tesauro" else 2)
    with pytest.raises(zermelo.errors.ZermeloError, match="expected inputs tesauro or expert, not 'none'"):
        zermelo.game("backgammon:inputs=none")
