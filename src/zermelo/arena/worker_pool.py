"""Processes that play games: each plays one game at a time, whole, with both players in it.

A process that dies costs its game alone: it is played once more in a new process, and if that dies too, whoever was to move has lost.
If it dies before the first move, nobody is to blame, and the event ends with an error.
Processes are spawned, not forked: native code and its threads do not survive a fork.
"""

from __future__ import annotations

import signal
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from .. import registry
from ..errors import ZermeloError
from ..game import Game
from ..notation.sheet import Ending, Entry, Opening
from ..system.processes import end_with_parent
from .players.by_text import player as player_of
from .players.player import Fault, Player
from .rating.luck import Luck, knows_luck
from .records.store import Slot
from .referee import Terms, begin, forfeit, play_game

MAX_READY_PLAYERS = 4  # players that a process keeps ready: engines need memory
TWICE = 2  # as often a game may lose its process
GRACE = 5.0  # seconds for a process to end by itself


@dataclass(frozen=True)
class Job:
    """A game to play: its place, its players by seat (as numbers of contestants, and as text), its seed and its opening."""

    slot: Slot
    seats: tuple[int, ...]
    players: tuple[str, ...]
    seed: int
    opening: Opening


@dataclass(frozen=True)
class Begun:
    job: Job


@dataclass(frozen=True)
class Moved:
    job: Job
    ply: int
    entry: Entry


@dataclass(frozen=True)
class Lost:
    """The process of a game died: its moves are void, and it will begin again."""

    job: Job


@dataclass(frozen=True)
class Ended:
    job: Job
    ending: Ending


News = Begun | Moved | Lost | Ended


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    job: Job | None = None
    told: list[Entry] = field(default_factory=list)


class Crew:
    """A pool of processes that play a game under the same terms."""

    def __init__(self, game: Game, terms: Terms, size: int):
        self.game, self._terms, self._size = game, terms, size
        self._context = get_context("spawn")
        self._workers: list[_Worker] = []
        self._deaths: dict[Slot, int] = {}

    def play(self, jobs: Iterator[Job]) -> Iterator[list[News]]:
        """Play these games and yield what happens as it happens. The next job is taken when a worker is free."""
        again: list[Job] = []
        more = True
        while True:
            news: list[News] = []
            while more or again:
                worker = self._free()
                if worker is None:
                    break
                job = again.pop() if again else next(jobs, None)
                if job is None:
                    more = False
                    break
                worker.job, worker.told = job, []
                news.append(Begun(job))
                with suppress(OSError):  # it has died, and will be found dead
                    worker.pipe.send(job)
            busy = {w.pipe: w for w in self._workers if w.job is not None}
            if not busy:
                if news:
                    yield news
                return
            if news:
                yield news
                news = []
            for pipe in connection.wait(list(busy)):
                assert isinstance(pipe, Connection)
                for item in self._hear(busy[pipe]):
                    news.append(item)
                    if isinstance(item, Lost):
                        again.append(item.job)
            yield news

    def _free(self) -> _Worker | None:
        """Somebody who does nothing, newly hired if need be."""
        for worker in self._workers:
            if worker.job is None:
                return worker
        if len(self._workers) >= self._size:
            return None
        here, there = self._context.Pipe()
        process = self._context.Process(target=work, args=(there, repr(self.game), self._terms), daemon=True)
        with _uninterrupted():
            process.start()
        there.close()
        self._workers.append(_Worker(process, here))
        return self._workers[-1]

    def _hear(self, worker: _Worker) -> Iterator[News]:
        """All messages of a worker up to now."""
        job = worker.job
        assert job is not None
        try:
            while worker.job is not None and worker.pipe.poll():
                kind, *said = worker.pipe.recv()
                if kind == "move":
                    worker.told.append(said[1])
                    yield Moved(job, said[0], said[1])
                elif kind == "end":
                    worker.job = None
                    yield Ended(job, said[0])
                else:
                    raise ZermeloError(said[0])
        except (EOFError, OSError):
            yield self._reap(worker, job)

    def _reap(self, worker: _Worker, job: Job) -> News:
        worker.pipe.close()
        worker.process.join(GRACE)
        self._workers.remove(worker)
        self._deaths[job.slot] = self._deaths.get(job.slot, 0) + 1
        if self._deaths[job.slot] < TWICE:
            return Lost(job)
        if not worker.told:
            raise ZermeloError(
                f"the process in which {' and '.join(job.players)} were to play ended with code {worker.process.exitcode} before the first "
                "move, twice; a script that plays games needs the line if __name__ == '__main__':"
            )
        seat = self._to_move(job, worker.told)
        remark = f"the process in which {job.players[seat]} was to move ended with code {worker.process.exitcode}, twice"
        return Ended(job, forfeit(self.game, seat, "death", remark))

    def _to_move(self, job: Job, told: list[Entry]) -> int:
        history = begin(self.game, Opening(job.opening.start))
        for entry in told:
            history.do(self.game.read_action(history.state, entry.action))
        return max(self.game.to_move(history.state), 0)

    def close(self) -> None:
        """End all workers; games that are being played are broken off."""
        for worker in self._workers:
            if worker.job is None:
                with suppress(OSError):
                    worker.pipe.send(None)
            else:
                worker.process.terminate()
        for worker in self._workers:
            worker.process.join(GRACE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._workers.clear()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """What is started meanwhile never sees Ctrl-C, from its first moment on: that goes to all of them, and the first of them decides."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or the first start would do it, and let the signal in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---- in the process ----------------------------------------------------------------------------


def work(pipe: Connection, game_text: str, terms: Terms) -> None:
    """Play jobs until there are no more, or the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all of them, and the first of them decides
    signal.signal(signal.SIGTERM, lambda *_: _leave())
    end_with_parent()
    players: OrderedDict[int, Player] = OrderedDict()
    try:
        game = registry.game(game_text)
        luck = Luck(game) if knows_luck(game) else None
        while (job := pipe.recv()) is not None:
            pipe.send(("end", _play(pipe, game, players, job, terms, luck)))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except Exception as error:
        told = str(error) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {error}"
        with suppress(OSError):
            pipe.send(("error", told))
    finally:
        for someone in players.values():
            someone.close()


def _play(pipe: Connection, game: Game, players: OrderedDict[int, Player], job: Job, terms: Terms, luck: Luck | None) -> Ending:
    seated: list[Player] = []
    for number, text in zip(job.seats, job.players, strict=True):
        if number not in players:
            players[number] = player_of(text)
        players.move_to_end(number)
        seated.append(players[number])
    while len(players) > MAX_READY_PLAYERS:
        players.popitem(last=False)[1].close()

    def tell(ply: int, entry: Entry) -> None:
        pipe.send(("move", ply, entry))

    ending = play_game(game, seated, job.seed, job.opening, terms, tell, luck, job.slot.side)
    if ending.fault is not None:  # it begins the next game anew
        with suppress(Fault):
            players.pop(job.seats[ending.fault]).close()
    return ending


def _leave() -> Any:
    raise SystemExit(1)
