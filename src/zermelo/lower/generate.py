"""The generated module of one entry point: the rules it needs and the algorithm, as one text."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import LoweringError
from ..game import Game
from .checked import Checked
from .emit import Emit
from .facts import Facts, content_of
from .faults import Site
from .float_check import Reals
from .infer import Infer
from .kinds import of_dtype, unify
from .program import Program

GENERATED = "<zermelo "  # how the file name of a generated module begins


@dataclass(frozen=True)
class Text:
    """A generated module: its source, the name of its entry, where each line came from."""

    source: str
    entry: str
    file: str
    about: str
    lines: dict[int, tuple[str, int, str]] = field(repr=False)
    sites: list[Site] = field(repr=False)
    checked: bool
    facts: Facts = field(repr=False)


def generate(
    game: Game,
    function: Callable[..., Any],
    records: dict[str, Any] | None = None,
    arrays: dict[str, tuple[Any, int]] | None = None,
    constants: dict[str, int] | None = None,
    checked: bool = False,
) -> Text:
    """Lower `function(game, ...)` and all that it uses to the text of one module.

    `records` gives the dtype of the parameters that are work records, `arrays` the element type and the
    dimensions of those that are arrays (0: a single value), `constants` values for names of its file. `checked` writes
    the checked build.
    """
    _check_written(type(game))
    program = Program(game)
    entry = program.unit_of_function(function)  # type: ignore[arg-type]
    if constants:
        program.units[entry].globals = program.units[entry].globals | constants
    infer = Infer(program, dict(records or {}))
    for name, (kind, dimensions) in (arrays or {}).items():
        unify(program.locals[entry, name], of_dtype(np.dtype((kind, (1,) * dimensions)), name))
        if np.dtype(kind).names:
            infer.records[name] = np.dtype(kind)
    infer.walk(entry)
    reals = Reals(program)
    reals.check()
    emit = (Checked if checked else Emit)(program, infer, reals)
    source = emit.module()
    if "initial" in program.made:
        program.facts.start = content_of(tuple(game.initial()))
    file = f"{GENERATED}{game!r} {function.__name__}>"
    return Text(source, entry, file, repr(game), emit.lines, emit.sites, checked, program.facts)


def _check_written(cls: type) -> None:
    """Refuse a class that is not a game, or lacks one of the rules that every game defines."""
    if not issubclass(cls, Game):
        raise LoweringError(f"{cls.__name__} is not a game: derive it from zermelo.Game")
    for name in ("initial", "to_move", "actions", "result", "is_terminal", "utility"):
        if getattr(cls, name) is getattr(Game, name):
            where = ""
            with contextlib.suppress(OSError, TypeError):  # no source: the class was made at a prompt
                where = f"{os.path.basename(inspect.getsourcefile(cls) or '?')}:{inspect.getsourcelines(cls)[1]}: "
            takes = ", ".join(inspect.signature(getattr(Game, name)).parameters)
            raise LoweringError(f"{where}{cls.__name__}.{name}: it is not written: {cls.__name__} must write {name}({takes})")
