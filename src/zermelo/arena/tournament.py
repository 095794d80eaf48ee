"""Tournaments: several players, each two of whom play pairs of games as in a match.

roundrobin    everybody against everybody
gauntlet      the first against all others
swiss         in each round against somebody with as many points, not met before
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from ..errors import ZermeloError, nearest
from ..game import Game
from ..notation.sheet import Ending
from ..system.limits import check_count
from .match import Starts, check_player, for_two, job, key_of, play_jobs, resume, settings_of
from .rating.ratings import Meeting, Ratings, crosstable, meetings, rate
from .records.store import Slot, Store, alone
from .referee import Terms, points
from .schedule import KINDS, Meetings, gauntlet, round_robin, swiss
from .worker_pool import Crew, Job


@dataclass(frozen=True)
class Tournament:
    """What is played: in each round a number of games between each two players who meet."""

    game: Game
    players: tuple[str, ...]
    kind: str = "roundrobin"
    rounds: int = 1
    games: int = 2
    seed: int = 0
    terms: Terms = field(default_factory=Terms)
    starts: Starts = field(default_factory=Starts)

    def __post_init__(self) -> None:
        for_two(self.game)
        if self.kind not in KINDS:
            raise ZermeloError(f"there is no tournament '{self.kind}'{nearest(self.kind, KINDS)}: expected one of {', '.join(KINDS)}")
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise ZermeloError("expected at least two players, all of them different")
        if self.rounds < 1 or self.games < 1:
            raise ZermeloError("expected at least one round and one game")
        check_count("", "rounds times games", self.rounds * self.games)
        for text in self.players:
            check_player(text)

    @property
    def key(self) -> str:
        """What distinguishes this tournament from others; more rounds of it may follow."""
        more = {"tournament": self.kind, "games": self.games}
        return key_of("tournament", self.game, self.players, self.seed, self.terms, self.starts, more)

    @property
    def settings(self) -> dict[str, Any]:
        told = settings_of(self.game, self.players, self.seed, self.terms, self.starts)
        return told | {"kind": self.kind, "rounds": self.rounds, "games": self.games}

    @property
    def pairs(self) -> int:
        """Pairs of games that two play when they meet."""
        return (self.games + 1) // 2


@dataclass
class Standing:
    """What a tournament has come to: who met in each round, and how the games ended."""

    tournament: Tournament
    drawn_up: list[Meetings] = field(default_factory=list)
    out: dict[int, int] = field(default_factory=dict)  # how often each sat out
    endings: dict[Slot, Ending] = field(default_factory=dict)

    def draw_up(self) -> None:
        """Who meets in the next round; if that depends on results, all games before must have ended."""
        n = len(self.tournament.players)
        if self.tournament.kind == "swiss":
            met = {frozenset(pair) for meetings_ in self.drawn_up for pair in meetings_}
            paired, out = swiss(self.points(), met, self.out)
            if out is not None:
                self.out[out] = self.out.get(out, 0) + 1
            self.drawn_up.append(paired)
        else:
            self.drawn_up.append(round_robin(n) if self.tournament.kind == "roundrobin" else gauntlet(n))

    def slots(self, round_: int) -> Iterator[tuple[Slot, tuple[int, int]]]:
        """The games of a round, with who plays them."""
        t = self.tournament
        for k, pair in enumerate(self.drawn_up[round_]):
            for number in range(t.games):
                yield Slot(round_, k * t.pairs + number // 2, number % 2), pair

    def results(self) -> list[tuple[int, int, float]]:
        """The games that have ended: two players, and the points of the first."""
        found = []
        for round_ in range(len(self.drawn_up)):
            for slot, (a, b) in self.slots(round_):
                if slot in self.endings:
                    found.append((a, b, points(self.endings[slot].result, slot.side)))
        return found

    def points(self) -> list[float]:
        """What each player has; who sits out gets as much as a win."""
        total = [float(self.out.get(i, 0) * self.tournament.games) for i in range(len(self.tournament.players))]
        for a, b, x in self.results():
            total[a] += x
            total[b] += 1 - x
        return total

    @property
    def games(self) -> int:
        """All that the tournament will have, as far as that is known: a round has always as many."""
        per_round = len(self.drawn_up[0]) if self.drawn_up else 0
        return self.tournament.rounds * per_round * self.tournament.games

    def meetings(self) -> list[Meeting]:
        names = self.tournament.players
        return meetings((names[a], names[b], x) for a, b, x in self.results())

    def ratings(self, anchors: dict[str, float] | None = None) -> Ratings:
        """The ratings of those who have played; an anchor that has not yet holds nothing."""
        met = self.meetings()
        known = {name for m in met for name in (m.first, m.second)}
        return rate(met, {name: rating for name, rating in (anchors or {}).items() if name in known})

    def faults(self) -> dict[str, dict[str, int]]:
        """What was wrong with whom, and how often."""
        found: dict[str, dict[str, int]] = {}
        for round_ in range(len(self.drawn_up)):
            for slot, pair in self.slots(round_):
                ending = self.endings.get(slot)
                if ending is not None and ending.fault is not None:
                    kinds = found.setdefault(self.tournament.players[pair[ending.fault ^ slot.side]], {})
                    kinds[ending.reason] = kinds.get(ending.reason, 0) + 1
        return found

    def table(self, anchors: dict[str, float] | None = None) -> tuple[list[str], list[list[str]]]:
        """Heads and rows, the best player first: rating with its interval, points, faults, and the crosstable."""
        ratings, faults = self.ratings(anchors), self.faults()
        names = [r.name for r in ratings.players]
        heads = ["", "player", "Elo", "±", "points", "games", "faults", *(str(i) for i in range(1, len(names) + 1))]
        rows = []
        for i, (r, against) in enumerate(zip(ratings.players, crosstable(self.meetings(), names), strict=True), 1):
            told = ", ".join(f"{kind} {n}" for kind, n in sorted(faults.get(r.name, {}).items()))
            rows.append([str(i), r.name, f"{r.rating:+.0f}", f"{r.error:.0f}", f"{r.points:g}", str(r.games), told or "0", *against])
        return heads, rows


def play_tournament(
    tournament: Tournament, store: Store, concurrency: int = 1, show: Callable[[Standing], None] = lambda standing: None
) -> Standing:
    """Play what is left of the tournament, round by round; `show` is called whenever a game has ended."""
    t = tournament
    with alone(store.path, t.key):
        event = store.event("tournament", repr(t.game), t.key, t.settings)
        standing, done = Standing(t), resume(store, event)

        def ended(job: Job, ending: Ending) -> bool:
            standing.endings[job.slot] = ending
            show(standing)
            return False

        with closing(Crew(t.game, t.terms, concurrency)) as crew:
            for round_ in range(t.rounds):
                standing.draw_up()
                slots = list(standing.slots(round_))
                standing.endings |= {slot: done[slot] for slot, _ in slots if slot in done}
                show(standing)
                left = (job(t.game, t.starts, t.seed, s, pair, t.players, opening_of(s, t)) for s, pair in slots if s not in done)
                play_jobs(crew, store, event, left, ended)
    return standing


def opening_of(slot: Slot, t: Tournament) -> int:
    """The number of the opening of a pair: all who meet in a round have the same ones."""
    return slot.round * t.pairs + slot.pair % t.pairs
