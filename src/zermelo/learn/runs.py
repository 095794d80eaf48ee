"""Runs: folders in which training keeps what it was told, the model so far, and how it went.

    RUN/run.json             what was asked for
    RUN/model.safetensors    the latest model, with its number of games: a run resumes from it
    RUN/log.jsonl            a line for each look at the progress

Each file is written whole or not at all, the log a line at a time: a run that was killed goes on as if nothing had happened.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import ZermeloError
from ..search.model.model import FILE, RUNS, AnyModel, load_model
from ..search.puct.network import FILE as NETWORK
from ..search.puct.network import load as load_network
from ..system import locks
from ..system.files import write_text
from ..system.limits import MAX_COUNT, MAX_SECONDS
from .curves import draw
from .look import Look

CONFIGURATION, LOG, LOCK = "run.json", "log.jsonl", ".lock"
MOST_CHARACTERS = 1 << 26  # of a file


@dataclass(frozen=True)
class Run:
    """A folder of training."""

    folder: Path

    @property
    def configuration(self) -> dict[str, Any]:
        """What was asked for."""
        try:
            with open(self.folder / CONFIGURATION, encoding="utf-8") as file:
                found = json.loads(file.read(MOST_CHARACTERS))
        except OSError as error:
            raise ZermeloError(f"{self.folder} is not a run ({error.strerror}): expected a folder that zermelo train wrote") from None
        except (ValueError, RecursionError):
            raise ZermeloError(f"{self.folder / CONFIGURATION} is damaged: expected JSON") from None
        if not isinstance(found, dict) or not _is_sound(found):
            raise ZermeloError(f"{self.folder / CONFIGURATION} is damaged: expected what zermelo train wrote")
        return found

    @property
    def model(self) -> AnyModel:
        """The model as far as it has learned."""
        return load_model(self.folder / FILE)

    @property
    def trained(self) -> tuple[int, float]:
        """The games it has learned from so far, and the seconds that took."""
        if (self.folder / NETWORK).exists():
            about = load_network(self.folder / NETWORK)[2]
            return int(about.get("games", 0)), float(about.get("seconds", 0.0))
        return self.model.games, self.model.seconds

    @property
    def is_new(self) -> bool:
        """Whether nothing was begun here; what a process left that was killed as it began does not count."""
        try:
            return not self.folder.exists() or all(entry.name.startswith(".") for entry in self.folder.iterdir())
        except OSError as error:
            raise ZermeloError(f"{self.folder} cannot be a run ({error.strerror}): expected a folder") from None

    def agreed(self, asked: dict[str, Any], free: tuple[str, ...]) -> dict[str, Any]:
        """What the run was begun with; ZermeloError if something else is asked for now, but for what is free to change or left open."""
        found = self.configuration
        for name, value in json.loads(json.dumps(asked)).items():
            if found.get(name) != value and value is not None and name not in free:
                had = "left open" if found.get(name) is None else found[name]
                raise ZermeloError(f"{self.folder} is a run with {name} {had}: expected that, not {value}, or another folder")
        return found

    def begin(self, configuration: dict[str, Any]) -> None:
        """Make the folder, and keep other processes from it until `end`."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ZermeloError(f"{self.folder} cannot be made: {error.strerror}") from None
        if not locks.is_held(self._lock):
            locks.hold(self._lock, f"another process is training in {self.folder}: expected to be alone")
        write_text(self.folder / CONFIGURATION, json.dumps(configuration, indent=1) + "\n")

    def end(self) -> None:
        """Nothing more is trained here now: another process may go on."""
        locks.release(self._lock)

    @property
    def _lock(self) -> Path:
        return self.folder / LOCK

    def looks(self) -> list[Look]:
        """The looks at the progress so far, in order; a line that was cut off is left out."""
        try:
            with open(self.folder / LOG, encoding="utf-8", errors="replace") as file:
                return list(_looks_in(file.read(MOST_CHARACTERS)))
        except OSError:
            return []

    def _repr_svg_(self) -> str:
        """How a notebook shows it: its learning curve."""
        return draw({self.folder.name: self.looks()})

    def add(self, look: Look) -> None:
        """Write a look into the log. What is there of games that were played again since is dropped."""
        kept = [one for one in self.looks() if one.games < look.games]
        write_text(self.folder / LOG, "".join(json.dumps(asdict(one)) + "\n" for one in [*kept, look]))


def _is_sound(told: dict[str, Any]) -> bool:
    """Whether what a run says that it was asked for can be that."""
    games, seconds = told.get("games"), told.get("seconds")
    is_text = isinstance(told.get("game"), str) and all(isinstance(told.get(name), str | None) for name in ("method", "model"))
    is_count = games is None or (type(games) is int and 1 <= games <= MAX_COUNT)
    return is_text and is_count and (seconds is None or (type(seconds) in (int, float) and 0 < seconds <= MAX_SECONDS))


def _looks_in(text: str) -> Iterator[Look]:
    for line in text.splitlines():
        with contextlib.suppress(ValueError, TypeError, OverflowError, RecursionError):
            look = Look(**json.loads(line))
            if look.games > 0 and all(isinstance(x, (int, float)) and math.isfinite(x) for x in asdict(look).values()):
                yield look


def runs_in(folder: Path) -> list[Run]:
    """The runs in a folder, by name."""
    try:
        return [Run(entry) for entry in sorted(folder.iterdir()) if is_run(entry)]
    except OSError:
        return []


def is_run(folder: Path) -> bool:
    """Whether a folder is a run, or may be one that cannot be read."""
    try:
        return (folder / CONFIGURATION).is_file()
    except OSError:
        return True


def new_folder(name: str) -> Path:
    """A new folder below `runs`."""
    try:
        RUNS.mkdir(exist_ok=True)
        for number in itertools.count(1):
            with contextlib.suppress(FileExistsError):
                (RUNS / f"{name}-{number}").mkdir()  # at once: another process may look for one, too
                break
    except OSError as error:
        raise ZermeloError(f"a folder in {RUNS} cannot be made: {error.strerror}") from None
    return RUNS / f"{name}-{number}"
