"""Runs: folders in which training keeps what it was told, the model so far, and how it went.

    RUN/run.json             what was asked for
    RUN/model.safetensors    the model after so many games, which the file says: a run goes on from there
    RUN/log.jsonl            a line for each look at the progress

Each file is written whole or not at all, the log a line at a time: a run that was killed goes on as if nothing had happened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import ZermeloError
from ..search.model.model import FILE, RUNS, Model
from ..system.files import write_text
from .curves import draw
from .look import Look

CONFIGURATION, LOG = "run.json", "log.jsonl"
MOST_BYTES = 1 << 26  # of a log


@dataclass(frozen=True)
class Run:
    """A folder of training."""

    folder: Path

    @property
    def configuration(self) -> dict[str, Any]:
        """What was asked for."""
        try:
            found = json.loads((self.folder / CONFIGURATION).read_text())
        except OSError as error:
            raise ZermeloError(f"{self.folder} is not a run ({error.strerror}): expected a folder that zermelo train wrote") from None
        except ValueError:
            raise ZermeloError(f"{self.folder / CONFIGURATION} is damaged: expected JSON") from None
        if not isinstance(found, dict) or "game" not in found:
            raise ZermeloError(f"{self.folder / CONFIGURATION} is damaged: expected what zermelo train wrote")
        return found

    @property
    def model(self) -> Model:
        """The model as far as it has learned."""
        return Model.load(self.folder / FILE)

    def begin(self, configuration: dict[str, Any]) -> None:
        """Make the folder."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ZermeloError(f"{self.folder} cannot be made: {error.strerror}") from None
        write_text(self.folder / CONFIGURATION, json.dumps(configuration, indent=1) + "\n")

    def looks(self) -> list[Look]:
        """The looks at the progress so far, in order; a line that was cut off is left out."""
        try:
            text = (self.folder / LOG).read_text()[:MOST_BYTES]
        except OSError:
            return []
        return list(_looks_in(text))

    def _repr_svg_(self) -> str:
        """How a notebook shows it: its learning curve."""
        return draw({self.folder.name: self.looks()})

    def add(self, look: Look) -> None:
        """Write a look into the log. What is there of games that were played again since is dropped."""
        kept = [one for one in self.looks() if one.games < look.games]
        write_text(self.folder / LOG, "".join(json.dumps(asdict(one)) + "\n" for one in [*kept, look]))


def _looks_in(text: str) -> Iterator[Look]:
    for line in text.splitlines():
        try:
            yield Look(**json.loads(line))
        except (ValueError, TypeError):
            continue


def runs_in(folder: Path) -> list[Run]:
    """The runs in a folder, by name."""
    try:
        return [Run(entry) for entry in sorted(folder.iterdir()) if (entry / CONFIGURATION).is_file()]
    except OSError:
        return []


def new_folder(name: str) -> Path:
    """A folder below `runs` that is not there yet."""
    number = 1
    while os.path.lexists(RUNS / f"{name}-{number}"):
        number += 1
    return RUNS / f"{name}-{number}"
