"""A module of programs, run interpreted, in the fast build and in the checked build."""

from __future__ import annotations

import contextlib
import re
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from programs import Programs, states
from uses import Use, uses_of

import zermelo
from zermelo import u64
from zermelo.errors import LoweringError, RuleError
from zermelo.lower import device, gpu
from zermelo.search.prepare import checked_build, prepare
from zermelo.search.records import record_of


def ask(game: Any, work: Any) -> int:
    s = game.unpack(work.start)
    if work.which < 0:
        work.out = u64(game.count(s))
        return game.fill(s, work.row)
    work.out = game.observe(s, work.which)
    return 0


@dataclass
class Compared:
    """What came out: pairs of a program and a state that agreed, that ended in an error both ways, that only the checked build refused."""

    programs: int = 0
    equal: int = 0
    errors: int = 0
    refused: int = 0
    on_gpu: int = 0
    uses: Counter[Use] = field(default_factory=Counter)
    alarms: list[str] = field(default_factory=list)
    refused_why: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def kernel(game: Any, works: Any) -> None:
    """Thread i asks what record i asks."""
    i = gpu.thread()
    if i < len(works):
        ask(game, works[i])


def fields_of(game: Any) -> list[tuple[str, str, tuple[int, ...]]]:
    """The fields of a record in which a program is asked."""
    return [("start", "u8", (game.layout.words,)), ("which", "i8", ()), ("out", "u8", ()), ("row", "i8", (64,))]


def compare(seed: int, programs: int, count: int, *, on_gpu: bool = False) -> Compared:
    """Write, run and compare this many programs on this many states."""
    return compare_module(Programs(seed, portable=on_gpu).module(programs), programs, states(seed, count), on_gpu=on_gpu)


def compare_module(text: str, programs: int, given: list[Any], *, on_gpu: bool = False) -> Compared:
    """Run and compare the programs of this module on these states; programs that lowering refuses are left out."""
    done = Compared(programs)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            path = Path(folder) / f"game{done.refused}.py"
            path.write_text(text)
            game = zermelo.game(f"{path}:G")
            fields = fields_of(game)
            try:
                fast = prepare(game, ask, fields, False)
                with checked_build():
                    checked = prepare(game, ask, fields, False)
                break
            except LoweringError as error:
                done.refused += 1
                done.refused_why.append(str(error))
                named = re.search(r"G\.(f\d+|actions)\b", str(error))
                if named is None or done.refused > programs:
                    raise
                text = _without(text, named[1])
        done.uses = uses_of(game, ask, record_of(fields))
        asked = [(which, game.layout.state(*one)) for which in range(-1, programs) for one in given]
        answers = [_one(game, which, s, fast, checked, done) for which, s in asked]
        if on_gpu:
            _on_gpu(game, fields, asked, answers, done)
    return done


def _on_gpu(game: Any, fields: Any, asked: list[tuple[int, Any]], answers: list[Any], done: Compared) -> None:
    """Ask a GPU the same, and compare where there is an answer."""
    record = record_of(fields)
    works = np.zeros(len(asked), record)
    for work, (which, s) in zip(works, asked, strict=True):
        work["which"], work["start"] = which, game.layout.pack(s)
    there = device.require_gpu().to_device(works)
    device.kernel(game, kernel, {"works": (record, 1)}, {})[-(-len(works) // 64), 64](there)
    for (which, s), here, work in zip(asked, answers, there.copy_to_host(), strict=True):
        if here is not None:
            many = int(work["out"]) if which < 0 else 0
            seen = (int(work["out"]), [int(a) for a in work["row"][:many][:64]]) if which < 0 else (int(work["out"]),)
            done.on_gpu += 1
            if seen != here:
                done.differences.append(f"f{which} of {tuple(s)}: interpreted {here}, on a GPU {seen}")


def _without(text: str, name: str) -> str:
    """The module with a program that lowering refuses made trivial."""
    start = text.index(f"    def {name}(self, s):")
    end = re.compile(r"\n    def |\nclass ").search(text, start + 5)
    assert end is not None
    body = "        yield 0\n" if name == "actions" else "        return u64(0)\n"
    return text[:start] + f"    def {name}(self, s):\n" + body + text[end.start() :]


def _one(game: Any, which: int, s: Any, fast: Any, checked: Any, done: Compared) -> Any:
    """Ask all three; the answer, if the interpreter and the checked build have one."""
    here: Any = None
    with contextlib.suppress(ArithmeticError, LookupError, ValueError, MemoryError, RecursionError):
        here = (game.observe(s, which),) if which >= 0 else (game.count(s), list(game.actions(s))[:64])
    start = game.layout.pack(s)
    try:
        there = _answer(checked(start=start, which=which), which)
    except RuleError as error:
        if here is None:
            done.errors += 1
        else:
            done.alarms.append(str(error))
        return None
    quick = _answer(fast(start=start, which=which), which)
    if here is None or there != here or quick != here:
        done.differences.append(f"f{which} of {tuple(s)}: interpreted {here}, checked {there}, fast {quick}")
    else:
        done.equal += 1
    return here


def _answer(work: Any, which: int) -> Any:
    return (int(work.out),) if which >= 0 else (int(work.out), [int(a) for a in work.row[: min(int(work.value), 64)]])
