"""Nine Men's Morris, compared with the rules on sets of named points; its smallest endings, counted as Gasser counted them."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from helpers import check_games, check_hostile, perft, refuses, walk
from helpers_cli import called, refusal

import zermelo
from zermelo.games.morris import MAX_QUIET_PLIES, NAMES, NO_POINT, STONES, Morris, in_mills, neighbours
from zermelo.lookup.build import build_table
from zermelo.lookup.verify import verify_table
from zermelo.search.endgames.table import Table

GAME = Morris()
LINES = ["adg", "bdf", "cde", "abc", "efg"]  # files of mills on ranks, from the outer ring inwards; then left and right of rank 4
MILLS = [
    *[{f"{f}{r}" for f in LINES[k]} for k, ranks in enumerate(((1, 7), (2, 6), (3, 5))) for r in ranks],
    *[{f"{f}{r}" for r in {0: (1, 4, 7), 1: (2, 4, 6), 2: (3, 4, 5)}[k]} for k, files in enumerate(("ag", "bf", "ce")) for f in files],
    *({f"{f}4" for f in LINES[k]} for k in (3, 4)),
    *({f"d{r}" for r in ranks} for ranks in ((1, 2, 3), (5, 6, 7))),
]


def beside(a: str, b: str) -> bool:
    """Whether two points are neighbours: on a common line with no point between them."""
    for mill in MILLS:
        if {a, b} <= mill:
            row = sorted(mill)
            return abs(row.index(a) - row.index(b)) == 1
    return False


def moves(mine: set[str], theirs: set[str], hand: int) -> set[str]:
    """All moves in text, by the words of the rules."""
    empty = set(NAMES) - mine - theirs
    if hand:
        steps = [("", to) for to in empty]
    else:
        steps = [(source, to) for source in mine for to in empty if len(mine) == 3 or beside(source, to)]
    found = set()
    for source, to in steps:
        after, name = mine - {source} | {to}, f"{source}-{to}" if source else to
        if not any(to in mill and mill <= after for mill in MILLS):
            found.add(name)
            continue
        free = {x for x in theirs if not any(x in mill and mill <= theirs for mill in MILLS)}
        found |= {f"{name}x{x}" for x in free or theirs}
    return found


def points(stones: int) -> set[str]:
    return {name for i, name in enumerate(NAMES) if stones >> i & 1}


def test_rules_are_those_of_named_points():
    assert len(MILLS) == 16 and len(set(NAMES)) == 24
    for s in walk(GAME, 3, games=12):
        mine, theirs, hand = points(s.mine), points(s.theirs), (2 * STONES - s.placed + 1) // 2
        wanted = moves(mine, theirs, hand) if len(mine) + hand >= 3 else set()
        assert GAME.is_terminal(s) == (not wanted or s.quiet == MAX_QUIET_PLIES)
        if not GAME.is_terminal(s):
            assert sorted(GAME.write_action(s, a) for a in GAME.actions(s)) == sorted(wanted)
        elif not wanted:
            assert [GAME.utility(s, p) for p in (s.turn, 1 - s.turn)] == [-1, 1]


def test_moves_and_mills():
    for i, name in enumerate(NAMES):
        assert points(neighbours(1 << i)) == {other for other in NAMES if beside(name, other)}
    assert sum(in_mills(sum(1 << i for i in some)) != 0 for some in combinations(range(24), 3)) == 16


def test_counts():
    """Three stones of White may stand in one of 16 mills, in 6 orders, while Black has 21 * 20 ways: then one of two stones is taken."""
    assert perft(GAME, GAME.initial(), 2) == 24 * 23
    assert zermelo.perft(GAME, depth=5) == 24 * 23 * 22 * 21 * 20 + 16 * 6 * 21 * 20


def test_stones_in_mills_are_safe_unless_all_are():
    s = GAME.read_state("WW....../......../BBB..... W 18 0")
    assert not any(a >> 10 != NO_POINT for a in GAME.actions(s))  # two stones of White: lost
    s = GAME.read_state("WW....../......W./BBB..... W 18 0")
    names = {GAME.write_action(s, a) for a in GAME.actions(s)}
    assert {"b2-g7xc5", "b2-g7xd5", "b2-g7xe5"} <= names and "b2-g7" not in names
    s = GAME.read_state("WW....../......W./BBB....B W 18 0")
    assert [n for n in (GAME.write_action(s, a) for a in GAME.actions(s)) if n.startswith("b2-g7")] == ["b2-g7xc4"]


def test_the_end_of_a_game():
    few = GAME.read_state("WBWB.B../......../........ W 18 0")
    assert GAME.is_terminal(few) and GAME.utility(few, 0) == -1
    assert not GAME.is_terminal(GAME.read_state("WBWB..../......../........ W 4 0"))
    shut = GAME.read_state("WBWBWBWB/.B.B.B../........ W 18 0")
    assert GAME.is_terminal(shut) and GAME.utility(shut, 0) == -1
    quiet = GAME.read_state("WW....../......W./BBB....B W 18 100")
    assert GAME.is_terminal(quiet) and GAME.utility(quiet, 0) == 0 and not list(GAME.actions(quiet))


def test_text():
    check_games(GAME, 4, 1)
    check_hostile(GAME, 6)
    refuses(GAME, "", "three rings of W, B and '.'")
    refuses(GAME, "......../......../........ W 19 0", "0 to 18 stones placed")
    refuses(GAME, "......../......../........ W 18 101", "0 to 100 quiet plies")
    refuses(GAME, "......../......../........ W 1 0", "White to move after an even number")
    refuses(GAME, "......../......../........ W 0 1", "no quiet plies, while some are in hand")
    refuses(GAME, "W......./......../........ W 0 0", "no more stones of a side than it has placed")


# ---- endings -----------------------------------------------------------------------------------


def automorphisms() -> list[list[int]]:
    """All ways to exchange points that keep mills: points are the 24 edges of a graph of the 16 mills, three at each."""
    mills = [sum(1 << NAMES.index(x) for x in mill) for mill in MILLS]
    edge = {(i, j): p for i in range(16) for j in range(16) for p in range(24) if i != j and mills[i] & mills[j] == 1 << p}
    found: list[dict[int, int]] = []

    def extend(image: dict[int, int]) -> None:
        if len(image) == 16:
            found.append(image)
            return
        i = min(i for i in range(16) if i not in image and (not image or any((i, j) in edge for j in image)))
        for x in set(range(16)) - set(image.values()):
            if all(((i, j) in edge) == ((x, image[j]) in edge) for j in image):
                extend(image | {i: x})

    extend({})
    ends = {p: pair for pair, p in edge.items()}
    return [[edge[image[ends[p][0]], image[ends[p][1]]] for p in range(24)] for image in found]


def test_three_against_three_are_as_many_as_published():
    """With three stones each, only mills matter: there are 48 symmetries, and 56,922 positions that differ (Gasser 1996)."""
    group, total = automorphisms(), 0
    for exchanged in group:
        ways, seen = {(0, 0): 1}, set[int]()
        for p in range(24):
            cycle = set[int]()
            while p not in seen:
                seen.add(p)
                cycle.add(p)
                p = exchanged[p]
            n, more = len(cycle), dict[tuple[int, int], int]()
            for (a, b), count in ways.items():
                for key in {(a, b), (a + n, b), (a, b + n)}:
                    more[key] = more.get(key, 0) + count
            ways = more
        total += ways.get((3, 3), 0)
    assert (len(group), total // len(group), total % len(group)) == (48, 56_922, 0)


def test_numbers():
    (_, first, last), *_ = GAME.endings("8")
    assert (first, last) == (0, 2_691_920) and [name for name, _, _ in GAME.endings("8")] == ["3-3", "4-3", "4-4", "5-3"]
    chooser = random.Random(5)
    for _, first, last in GAME.endings("8"):
        for i in (first, last - 1, *(chooser.randrange(first, last) for _ in range(30))):
            assert GAME.index(GAME.state_at(i)) == i
    assert GAME.index(GAME.initial()) == -1 and GAME.index(GAME.read_state("WWWW..../......../BBB..BB. W 18 0")) == -1


def test_endings_are_refused(capsys, tmp_path):
    told = refusal(called(capsys, "table", "build", "morris", str(tmp_path / "t"), "--ending", "9"))
    assert "'9' is not an ending of morris: expected 6 to 8, the most stones of both sides" in told


@pytest.mark.slow
def test_the_table_of_three_against_three(tmp_path):
    """Every value is the same in all 48 images of its position, and follows from those after it."""
    about = build_table(GAME, tmp_path / "t", ending="6")
    table = Table(tmp_path / "t")
    print(about.states, about.won, about.lost, about.drawn, about.longest, about.seconds)
    assert about.states == 2_691_920 and verify_table(table, GAME).wrong == 0
    values = np.concatenate([v for _, v, _ in table.blocks()])
    some = np.random.default_rng(1).integers(0, len(values), 2000)
    for exchanged in automorphisms():
        for i in some.tolist()[::40]:
            s = GAME.state_at(i)
            mine, theirs = (sum(1 << exchanged[p] for p in range(24) if stones >> p & 1) for stones in (s.mine, s.theirs))
            assert values[GAME.index(s._replace(mine=mine, theirs=theirs))] == values[i]
