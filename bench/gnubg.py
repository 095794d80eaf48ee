"""Learned backgammon against GNU Backgammon: python -m bench.gnubg RUN [--games N] [--endgames FILE] [--depth 3 --candidates 2] [--plies 2]

Neither searches; with --depth the model does, by expectiminimax to so many plies, of which the dice are one, and with --plies GNU
Backgammon does, which counts turns: its 1-ply is depth 3. RUN is a run of `zermelo train backgammon`, or the file of a model. Games come in
pairs with the same dice and exchanged seats, for cubeless money. GNU Backgammon is asked for its best play, with its pruning networks as
it has them set: PyPI's `gnubg` where that is installed, else Debian's (1.07) in the Python that it brings. Games go side by side, so that
it is asked about many positions at once.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

import zermelo
from zermelo.bits import u64
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE
from zermelo.learn.score import greedy
from zermelo.lower.memory import Words, load, store
from zermelo.rng import split, step
from zermelo.search.endgames.probe import Probing
from zermelo.search.endgames.table import find_table, with_table
from zermelo.search.model.model import Model, find_model, with_model
from zermelo.search.model.record import Judging
from zermelo.search.prepare import prepare
from zermelo.search.random_games import choose
from zermelo.search.records import WORDS, Grows, room

from .peers import installed

MOST_PLAYS = 1024  # of a position that are looked at
AT_ONCE = 2000  # games side by side
PROCESSES = 8  # of Debian's GNU Backgammon: each hands every question to a thread of its own, and mostly waits for it
POINTS = 25  # of a side: 1 to 24, and the bar
BOARD = 2 * POINTS
ROLL = 4  # the word of a state that tells the dice
UNKNOWN = 255  # instead of a number of men: a play that was not told whole
OUTPUTS = 6  # win, gammon, backgammon, lost gammon, lost backgammon, and the points they make

#: what GNU Backgammon runs: boards come and values, or boards after the best play, go through two pipes. A board is 25 bytes of the
#: player who waits and 25 of the one on roll, and two for the dice, which are 0 if a value is asked for
SCRIPT = """
import struct, gnubg
context, cube = gnubg.evalcontext(0, {plies}, 1, {prunes}, 0.0), gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)

def answer(waits, rolls, dice):
    if dice == (0, 0):
        return struct.pack("<6d", *gnubg.evaluate((waits, rolls), cube, context)[:6])
    play, waits, rolls = gnubg.findbestmove((waits, rolls), cube, context, dice), list(waits), list(rolls)
    if len(play) % 2:  # PyPI's ends a play where a checker is borne off
        return bytes([{unknown}] * 50)
    for source, place in zip(play[::2], play[1::2]):
        if source > 0:
            rolls[source - 1] -= 1
            if place > 0:
                rolls[place - 1] += 1
                if waits[24 - place] == 1:
                    waits[24 - place], waits[24] = 0, waits[24] + 1
    return bytes(waits + rolls)

with open({asked}, "rb") as asked, open({answered}, "wb") as answered:
    while head := asked.read(8):
        asked_now = [asked.read(52) for _ in range(struct.unpack("<q", head)[0])]
        answered.write(b"".join(answer(tuple(b[:25]), tuple(b[25:50]), tuple(b[50:])) for b in asked_now))
        answered.flush()
"""


class Gnubg:
    """GNU Backgammon, in some processes."""

    def __init__(self, plies: int = 0) -> None:
        if installed("gnubg"):
            command, processes = [sys.executable], len(os.sched_getaffinity(0))
        else:
            command, processes = debian_command(), PROCESSES
        self._ends = [_start(command, plies) for _ in range(processes)]

    def values(self, boards: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Six numbers for each board: how likely the player on roll wins, and so on."""
        dice = np.zeros((len(boards), 2), np.uint8)
        return np.frombuffer(self._ask(boards, dice, 8 * OUTPUTS), np.float64).reshape(-1, OUTPUTS)

    def plays(self, boards: np.ndarray[Any, Any], dice: np.ndarray[Any, Any], afters: list[np.ndarray[Any, Any]]) -> list[int]:
        """Of each board the best play, as a number among the boards after its plays."""
        played = np.frombuffer(self._ask(boards, dice, BOARD), np.uint8).reshape(-1, BOARD)
        return [self._place(board, after) for board, after in zip(played, afters, strict=True)]

    def _place(self, played: np.ndarray[Any, Any], after: np.ndarray[Any, Any]) -> int:
        if played[0] == UNKNOWN:
            return int(self.values(after)[:, -1].argmin())  # the other one is on roll after a play
        (found,) = np.flatnonzero((after == np.roll(played, POINTS)).all(axis=1))
        return int(found)

    def _ask(self, boards: np.ndarray[Any, Any], dice: np.ndarray[Any, Any], size: int) -> bytes:
        asked = np.array_split(np.hstack([boards, dice]).astype(np.uint8), len(self._ends))
        with ThreadPoolExecutor(len(self._ends)) as pool:
            return b"".join(pool.map(lambda end, part: _answer(end, part, size), self._ends, asked))

    def close(self) -> None:
        """End the processes."""
        for process, asked, answered in self._ends:
            asked.close()
            process.wait(10)
            answered.close()


def debian_command() -> list[str]:
    """What runs a script in the Python of Debian's GNU Backgammon; ZermeloError if it is not installed."""
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        raise ZermeloError("GNU Backgammon is not installed: expected the package or the program gnubg")
    return [program, "-t", "-q", "-r", "-p"]


End = tuple["subprocess.Popen[bytes]", BinaryIO, BinaryIO]  # a process, and the pipes to it and from it


def _start(command: list[str], plies: int) -> End:
    (asked, to), (back, answered) = os.pipe(), os.pipe()
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(SCRIPT.format(asked=asked, answered=answered, plies=plies, prunes=int(plies > 0), unknown=UNKNOWN))
        script.flush()
        quiet = subprocess.DEVNULL
        process = subprocess.Popen([*command, script.name], stdin=quiet, stdout=quiet, stderr=quiet, pass_fds=(asked, answered))
        os.close(asked)
        os.close(answered)
        end = process, open(to, "wb"), open(back, "rb")  # noqa: SIM115 as long as the process lives
        _answer(end, np.zeros((1, BOARD + 2), np.uint8), 8 * OUTPUTS)  # then it has read the script
    return end


def _answer(end: End, boards: np.ndarray[Any, Any], size: int) -> bytes:
    """What the process answers about boards with dice."""
    _, asked, answered = end
    asked.write(struct.pack("<q", len(boards)) + boards.tobytes())
    asked.flush()
    answer = answered.read(size * len(boards))
    if len(answer) != size * len(boards):
        raise ZermeloError("GNU Backgammon ended: expected version 1.07 with Python")
    return answer


def boards_of(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """States, as words, as boards for `Gnubg`."""
    points = np.arange(1, POINTS + 1, dtype=np.uint64)
    one, upper = np.uint64(1), np.uint64(32)

    def men(low: np.ndarray[Any, Any], high: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        digits = [low, low >> upper, high, high >> upper]
        return sum((digit[:, None] >> points & one) << np.uint64(k) for k, digit in enumerate(digits))  # type: ignore[return-value]

    return np.hstack([men(rows[:, 2], rows[:, 3]), men(rows[:, 0], rows[:, 1])])


# ---- a match -----------------------------------------------------------------------------------


class SideBySide(Judging, Probing, Grows):
    games: int
    states: int  # the words of each game's state and its random word
    afters: int  # the words of the states after the plays that GNU Backgammon has
    counts: int  # of those, for each game; 0 if it is over
    row: list[u64] = room(WORDS)
    moves: list[int] = room(MOST_PLAYS)
    points: int  # of each game that is over, to the model, as words


def advance(game: Any, work: SideBySide) -> int:
    """Play each game on until it is GNU Backgammon's turn, and write down where its plays lead; how many states those are."""
    words, total = len(work.row), 0
    for g in range(work.games):
        for k in range(words):
            work.row[k] = load(work.states, g * (words + 1) + k)
        s, random, count, seat = game.unpack(work.row), load(work.states, g * (words + 1) + words), 0, g & 1
        while count == 0 and not game.is_terminal(s):
            n = min(game.fill(s, work.moves), len(work.moves))
            random = step(random)
            if game.to_move(s) == CHANCE:
                s = game.result(s, choose(game, s, random, work.moves, n))
            elif game.to_move(s) == seat:
                s = game.result(s, greedy(game, s, n, work))
            elif n == 1:
                s = game.result(s, work.moves[0])
            else:
                count = n
        game.pack(s, work.row)
        for k in range(words):
            store(work.states, g * (words + 1) + k, work.row[k])
        store(work.states, g * (words + 1) + words, random)
        for i in range(count):
            game.pack(game.result(s, work.moves[i]), work.row)
            for k in range(words):
                store(work.afters, (total + i) * words + k, work.row[k])
        store(work.counts, g, u64(count))
        store(work.points, g, u64(int(game.utility(s, seat))) if game.is_terminal(s) else u64(0))
        total += count
    return total


def play(game: Any, games: int, seed: int, opponent: Gnubg) -> np.ndarray[Any, Any]:
    """The points that the model of this game gets in each of these games, of which there are two for each sequence of rolls."""
    words = game.layout.words
    states, afters = Words(games * (words + 1), False), Words(games * MOST_PLAYS * words, False, is_cleared=False)
    counts, points = Words(games, False), Words(games, False)
    table = states.array.reshape(games, words + 1)
    table[:, :words] = game.layout.pack(game.initial())
    table[:, words] = [split(seed, g >> 1) | 1 for g in range(games)]
    run = prepare(game, advance, SideBySide, False)
    memory = {"states": states.table, "afters": afters.table, "counts": counts.table, "points": points.table}
    while total := int(run(games=games, **memory).value):
        after = afters.array[: total * words].reshape(total, words)
        boards, turn = boards_of(after), np.flatnonzero(counts.array)
        roll = table[turn, ROLL]
        ends = np.cumsum(counts.array[turn]).astype(int)
        of_each, dice = np.split(boards, ends[:-1]), np.stack([roll >> np.uint64(3), roll & np.uint64(7)], 1)
        for g, end, of, found in zip(turn, ends, of_each, opponent.plays(boards_of(table[turn]), dice, of_each), strict=True):
            table[g, :words] = after[end - len(of) + found]
    return points.array.view(np.int64).astype(float)


# ---- a match with search -------------------------------------------------------------------------


def play_searched(game: Any, searcher: Any, games: int, seed: int, opponent: Gnubg) -> np.ndarray[Any, Any]:
    """The same where a searcher plays for the model; beside the points there is what the dice gave.

    Of a roll that is what the player may reach with it, as the model says without searching, less the mean over all rolls.
    """
    players = searcher, zermelo.searcher("expectiminimax", depth=2)
    states, randoms, points = [game.initial()] * games, [split(seed, g >> 1) | 1 for g in range(games)], np.zeros((games, 2))
    live = list(range(games))
    while live:
        for g in live:
            states[g], randoms[g], luck = searched_on(game, players, states[g], randoms[g], g & 1)
            points[g] += (game.utility(states[g], g & 1) if game.is_terminal(states[g]) else 0.0, -luck if g & 1 else luck)
        live = [g for g in live if not game.is_terminal(states[g])]
        if live:
            rolls = np.array([(states[g].roll >> 3, states[g].roll & 7) for g in live])
            after = [[game.result(states[g], a) for a in game.actions(states[g])] for g in live]
            found = opponent.plays(boards_of_states(game, [states[g] for g in live]), rolls, [boards_of_states(game, of) for of in after])
            for g, of, place in zip(live, after, found, strict=True):
                states[g] = of[place]
    return points


def searched_on(game: Any, players: tuple[Any, Any], s: Any, random: int, seat: int) -> tuple[Any, int, float]:
    """The state in which GNU Backgammon has to choose, or the game is over, the random word there, and what the dice gave player 0."""
    luck = 0.0
    while not game.is_terminal(s):
        moves = list(game.actions(s))
        random = step(random)
        if game.to_move(s) == CHANCE:
            a, scores = choose(game, s, random, moves, len(moves)), players[1].search(game, s).scores
            luck += scores[a] - sum(game.probability(s, b) * scores[b] for b in moves)
            s = game.result(s, a)
        elif len(moves) == 1:
            s = game.result(s, moves[0])
        elif game.to_move(s) == seat:
            s = game.result(s, players[0].search(game, s).action)
        else:
            break
    return s, random, luck


def boards_of_states(game: Any, states: list[Any]) -> np.ndarray[Any, Any]:
    return boards_of(np.array([game.layout.pack(s) for s in states], np.uint64))


def against_gnubg(model: Model, told: argparse.Namespace) -> np.ndarray[Any, Any]:
    """The points of each game, and in a match with search what the dice gave."""
    opponent, game, games = Gnubg(told.plies), with_model(zermelo.game(model.shape.game), model), told.games // 2 * 2
    if told.endgames:
        game = with_table(game, find_table(told.endgames))
    try:
        if told.depth:
            searcher = zermelo.searcher("expectiminimax", depth=told.depth, candidates=told.candidates)
            return play_searched(game, searcher, games, told.seed, opponent)
        found = [play(game, min(AT_ONCE, games - k), told.seed + k, opponent) for k in range(0, games, AT_ONCE)]
    finally:
        opponent.close()
    return np.concatenate(found)[:, None]


def mean(points: np.ndarray[Any, Any]) -> str:
    """The mean of the points and its interval of 95 %, by pairs of games."""
    pairs = points.reshape(-1, 2).mean(axis=1)
    return f"{points.mean():+.4f} +-{1.96 * pairs.std() / math.sqrt(len(pairs)):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gnubg", description="Models of backgammon against GNU Backgammon.")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--endgames", metavar="FILE", help="a table of bear-offs that the models use")
    parser.add_argument("--depth", type=int, default=0, metavar="N", help="plies that the model searches, dice counted (default: none)")
    parser.add_argument("--candidates", type=int, metavar="N", help="plays of a position that it looks at further (default: all)")
    parser.add_argument("--plies", type=int, default=0, metavar="N", help="turns that GNU Backgammon looks ahead (default: none)")
    told = parser.parse_args()
    print("| run | games of training | games | points a game | without luck | won |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in told.runs:
        model = find_model(name)
        found = against_gnubg(model, told)
        fair = mean(found[:, 0] - found[:, 1]) if told.depth else ""
        line = f"| {Path(name).name} | {model.games:,} | {len(found):,} | {mean(found[:, 0])} | {fair} |"
        print(f"{line} {(found[:, 0] > 0).mean():.1%} |", flush=True)


if __name__ == "__main__":
    main()
