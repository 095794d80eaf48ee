"""Matches: two players, the same openings and dice for both sides, as many games as are asked for or as a test needs.

The games of a match are numbered by pairs; all that is drawn for a game follows from the seed, the pair and the side. So the same command
plays the same games whatever the number of processes, as far as the players do not look at the clock. A match that was
broken off goes on where it was: games that have ended are kept, others are played again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from ..bits import FULL
from ..errors import ZermeloError
from ..game import Game
from ..history import start_of
from ..notation.sheet import About, Ending, Opening
from ..rng import split
from ..system.limits import check_count
from .openings import PLIES, Book, random_opening
from .players.by_text import player
from .rating.sprt import Sprt
from .records.store import Slot, Store, alone
from .referee import Terms
from .tally import Tally
from .worker_pool import Begun, Crew, Ended, Job, Lost, Moved


@dataclass(frozen=True)
class Starts:
    """Where games begin: a book's openings, or a number of random plies; None: as many as the game needs."""

    book: Book | None = None
    plies: int | None = None

    def told(self, game: Game) -> str:
        """How openings are found, in words that differ where they do."""
        if self.book is not None:
            return f"openings of {self.book.name} ({len(self.book.texts):,})"
        return f"{n} random plies" if (n := self.random_plies(game)) else "the usual start"

    def key(self, game: Game) -> str:
        return self.book.digest if self.book is not None else str(self.random_plies(game))

    def random_plies(self, game: Game) -> int:
        """Without dice the same players would play the same game again and again: then a few plies are random."""
        if self.plies is not None:
            return self.plies
        return 0 if game.has_chance else PLIES

    def opening(self, game: Game, pair: int, seed: int, pair_seed: int) -> Opening:
        if self.book is not None:
            return self.book.opening(game, pair, seed)
        n = self.random_plies(game)
        return random_opening(game, n, pair_seed) if n else Opening()


@dataclass(frozen=True)
class Match:
    """What is played. `games` and `sprt` may change when a match goes on, all else makes it another one."""

    game: Game
    players: tuple[str, str]
    games: int = 100
    seed: int = 0
    terms: Terms = field(default_factory=Terms)
    starts: Starts = field(default_factory=Starts)
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        for_two(self.game)
        if self.games < 1:
            raise ZermeloError(f"expected at least one game, not {self.games}")
        check_count("", "a number of games", self.games)
        for text in self.players:
            check_player(text)

    @property
    def key(self) -> str:
        """What distinguishes this match from others."""
        return key_of("match", self.game, self.players, self.seed, self.terms, self.starts, {})

    @property
    def settings(self) -> dict[str, Any]:
        """All of it, for the record."""
        return settings_of(self.game, self.players, self.seed, self.terms, self.starts) | {
            "games": self.games,
            "sprt": None if self.sprt is None else str(self.sprt),
        }

    def jobs(self) -> Iterator[Job]:
        """The games in their order."""
        for number in range(self.games):
            yield job(self.game, self.starts, self.seed, Slot(0, number // 2, number % 2), (0, 1), self.players, number // 2)


def play_match(match: Match, store: Store, concurrency: int = 1, show: Callable[[Tally], None] = lambda tally: None) -> Tally:
    """Play what is left of the match; `show` is called whenever a game has ended. The test ends it, if there is one."""
    with alone(store.path, match.key):
        event = store.event("match", repr(match.game), match.key, match.settings)
        tally = Tally(match.sprt)
        done = resume(store, event)
        for slot in sorted(done):
            if slot.pair * 2 + slot.side < match.games:
                tally.add(slot, done[slot])
        show(tally)
        left = (j for j in match.jobs() if j.slot not in done and not tally.verdict)

        def ended(job: Job, ending: Ending) -> bool:
            tally.add(job.slot, ending)
            show(tally)
            return bool(tally.verdict)

        with closing(Crew(match.game, match.terms, concurrency)) as crew:
            play_jobs(crew, store, event, left, ended)
    return tally


# ---- what matches and tournaments have in common -----------------------------------------------


def for_two(game: Game) -> None:
    """ZermeloError if the game cannot begin, or not with two players."""
    start_of(game)
    if game.players != 2:
        raise ZermeloError(f"expected a game for two players, and {game!r} is for {game.players}")


def check_player(text: str) -> None:
    """ZermeloError if the text describes no player, or one that cannot play in another process."""
    if text.strip() == "human":
        raise ZermeloError("expected players that are programs: zermelo play is for people")
    player(text).close()


def key_of(kind: str, game: Game, players: tuple[str, ...], seed: int, terms: Terms, starts: Starts, more: dict[str, Any]) -> str:
    """The text by which an event is found again: all that its games depend on."""
    told = {"kind": kind, "game": repr(game), "players": players, "seed": seed, "openings": starts.key(game)}
    return json.dumps(told | {"clock": str(terms.control), "max_plies": terms.max_plies} | more, sort_keys=True, ensure_ascii=False)


def settings_of(game: Game, players: tuple[str, ...], seed: int, terms: Terms, starts: Starts) -> dict[str, Any]:
    told = {"game": repr(game), "players": list(players), "seed": seed, "openings": starts.told(game)}
    return told | {"clock": str(terms.control), "max_plies": terms.max_plies}


def job(game: Game, starts: Starts, seed: int, slot: Slot, contestants: tuple[int, int], players: tuple[str, ...], opening: int) -> Job:
    """The game of this place between two contestants: in the first of a pair the first of them sits at seat 0, in the second the other."""
    pair_seed = split(split(seed & FULL, slot.round), slot.pair) >> 1  # SQLite's numbers have a sign
    seats = contestants if slot.side == 0 else contestants[::-1]
    texts = tuple(players[i] for i in seats)
    return Job(slot, seats, texts, pair_seed, starts.opening(game, opening, seed, pair_seed))


def resume(store: Store, event: int) -> dict[Slot, Ending]:
    """The games of an event that have ended; those that have not are taken out."""
    store.drop_unfinished(event)
    return {g.slot: g.ending for g in store.games(event=event) if g.ending is not None}


def play_jobs(crew: Crew, store: Store, event: int, jobs: Iterator[Job], ended: Callable[[Job, Ending], bool]) -> None:
    """Play games and record them, until none is left or `ended` is true. No game stays in the record without a result."""
    try:
        for finished in _recorded(crew, store, event, jobs):
            told = [ended(item.job, item.ending) for item in finished]
            if any(told):
                break
    finally:
        store.drop_unfinished(event)


def _recorded(crew: Crew, store: Store, event: int, jobs: Iterator[Job]) -> Iterator[list[Ended]]:
    """Play games and record what happens; those that have ended, as soon as that is saved."""
    numbers: dict[Slot, int] = {}
    for news in crew.play(jobs):
        finished: list[Ended] = []
        with store.saved():
            for item in news:
                slot = item.job.slot
                if isinstance(item, Begun):
                    numbers[slot] = store.begin(event, slot, about(crew.game, item.job))
                elif isinstance(item, Moved):
                    store.move(numbers[slot], item.ply, item.entry)
                elif isinstance(item, Lost):
                    store.drop(numbers.pop(slot))
                else:
                    store.end(numbers.pop(slot), item.ending)
                    finished.append(item)
        yield finished


def about(game: Game, job: Job) -> About:
    """What is recorded of a game when it begins."""
    start = job.opening.start or game.write_state(game.initial())
    tags = {"opening": job.opening.name} if job.opening.name else {}
    return About(repr(game), job.players, job.seed, start, tags)
