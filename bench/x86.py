"""How many x86-64 instructions some searches and random games execute, counted on any machine: `python -m bench.x86`.

The native code is compiled for x86-64 and run by an emulator (unicorn; pyelftools reads the object file) over this process's own memory, so
that everything around it is as always; what it gives is compared with what this machine's own code gives in another process. The
emulator has no AVX. `--instructions FOLDER` writes each instruction down with how often it was executed (capstone).
"""

from __future__ import annotations

import argparse
import ctypes
import io
import re
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm

import zermelo
from zermelo.lower import object_code

TRIPLE, FEATURES = "x86_64-unknown-linux-gnu", "+bmi,+bmi2,+lzcnt,+popcnt,+sse4.2"
PAGE, SIZE = 1 << 12, 1 << 22
CODE, STACK, END, MOVE = 1 << 40, 1 << 41, 1 << 42, 1 << 43  # where the emulator has them: a process has nothing there
ABSOLUTE, IN_MEMORY = 1, 2  # a relocation to an address of 64 bits; a section that is there when the code runs
MEMMOVE = bytes.fromhex("4889f8 4889d1 48c1e903 f348a5 c3")  # of whole words, upwards: rows of a line go to the row above


def machine() -> Any:
    """An x86-64 processor as LLVM sees it."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="x86-64", features=FEATURES, opt=3, reloc="static", codemodel="large", jit=True)


def parsed(text: str) -> Any:
    """An LLVM module that was made for this machine, for the other."""
    text = re.sub(r'^target (datalayout|triple) = ".*"$', "", text, flags=re.MULTILINE)
    return llvm.parse_assembly(f'target datalayout = "{machine().target_data}"\ntarget triple = "{TRIPLE}"\n{text}')


class Emulated:
    """In the place of `object_code.Loaded`: the same function, run by the emulator."""

    def __init__(self, code: bytes, symbol: str):
        import unicorn
        from unicorn import x86_const

        self.executed = Counter[int]()  # how often the instruction at each address
        self.fault, self._names, self._rights = 0, x86_const, unicorn.UC_PROT_READ | unicorn.UC_PROT_WRITE
        self._processor = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
        for address in (CODE, STACK, END, MOVE):
            self._processor.mem_map(address, SIZE)
        self._processor.mem_write(MOVE, MEMMOVE)
        self._processor.hook_add(unicorn.UC_HOOK_CODE, self._count)
        self._processor.hook_add(unicorn.UC_HOOK_MEM_UNMAPPED, self._share)
        self._start = self._load(code, symbol)

    def _load(self, code: bytes, symbol: str) -> int:
        """Put the sections of the object file one behind the other and tell them of each other; the address of the function."""
        from elftools.elf.elffile import ELFFile

        file, at, places = ELFFile(io.BytesIO(code)), CODE, dict[int, int]()
        for i, section in enumerate(file.iter_sections()):
            if section["sh_flags"] & IN_MEMORY:
                places[i] = at
                self._processor.mem_write(at, section.data())
                at += -(-section["sh_size"] // 64) * 64
        symbols = file.get_section_by_name(".symtab")
        for section in file.iter_sections():
            for r in section.iter_relocations() if section["sh_type"] == "SHT_RELA" and section["sh_info"] in places else ():
                of = symbols.get_symbol(r["r_info_sym"])
                assert r["r_info_type"] == ABSOLUTE and (of["st_shndx"] in places or of.name == "memmove"), of.name
                value = places.get(of["st_shndx"], MOVE) + of["st_value"] + r["r_addend"]
                self._processor.mem_write(places[section["sh_info"]] + r["r_offset"], value.to_bytes(8, "little"))
        (found,) = symbols.get_symbol_by_name(symbol)
        return int(places[found["st_shndx"]] + found["st_value"])

    def _count(self, _: Any, address: int, *__: Any) -> None:
        self.executed[address] += 1

    def _share(self, _: Any, access: int, address: int, *__: Any) -> bool:
        """Give the emulator a page of this process when it first asks for it."""
        page = address // PAGE * PAGE
        self._processor.mem_map_ptr(page, PAGE, self._rights, page)
        return True

    def __call__(self, record: int) -> tuple[int, int]:
        result, exception, stack = ctypes.c_int64(), ctypes.c_void_p(), STACK + SIZE - PAGE - 8
        self._processor.mem_write(stack, END.to_bytes(8, "little"))
        given = {"RDI": ctypes.addressof(result), "RSI": ctypes.addressof(exception), "RDX": record, "RSP": stack}
        for register, value in given.items():
            self._processor.reg_write(getattr(self._names, f"UC_X86_REG_{register}"), value)
        self._processor.emu_start(self._start, END)
        return self._processor.reg_read(self._names.UC_X86_REG_EAX), result.value

    def text(self) -> str:
        """Each instruction of the function behind how often it was executed."""
        import capstone

        first, last = min(a for a in self.executed if a >= CODE), max(a for a in self.executed if a < CODE + SIZE)
        found = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64).disasm(
            bytes(self._processor.mem_read(first, last - first + 1)), first
        )
        return "".join(f"{self.executed[i.address]:8} {i.address - CODE:6x}  {i.mnemonic} {i.op_str}\n" for i in found)


def solve(game: Any) -> tuple[str, int, Any]:
    """The unit, how many of them, and what was found."""
    found = zermelo.AlphaBeta.plain().search(game)
    return "node", found.nodes, (found.value, found.line, found.scores)


def mcts(game: Any) -> tuple[str, int, Any]:
    found = zermelo.MCTS(simulations=1000, solver=False, seed=1).search(game)
    return "simulation", 1000, (found.value, found.line, found.nodes)


def play(game: Any) -> tuple[str, int, Any]:
    found = zermelo.playouts(game, 1000, seed=1, threads=1)
    return "random move", found.moves, found.utility


TASKS = {
    "tic-tac-toe solved by plain alpha-beta": ("tictactoe", solve),
    "MCTS of tic-tac-toe": ("tictactoe", mcts),
    "random games of tic-tac-toe": ("tictactoe", play),
    "random games of Connect Four": ("connect4", play),
}


def done(title: str) -> tuple[str, int, Any]:
    """What a task gives."""
    name, do = TASKS[title]
    return do(zermelo.game(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instructions", type=Path, metavar="FOLDER", help="where to write them, each with how often it was executed")
    folder = parser.parse_args().instructions
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        here = list(pool.map(done, TASKS))
    made: list[Emulated] = []

    def load(code: bytes, symbol: str) -> Emulated:
        made.append(Emulated(code, symbol))
        return made[-1]

    other: Any = object_code
    other._machine, other.cpu, other.Loaded = machine, lambda: ("x86-64", FEATURES), load
    other.llvm = SimpleNamespace(**vars(llvm) | {"parse_assembly": parsed})
    print("| | instructions | of each |\n| --- | ---: | --- |")
    for k, (title, expected) in enumerate(zip(TASKS, here, strict=True)):
        made.clear()
        unit, count, found = done(title)
        assert (unit, count, found) == expected, title
        print(f"| {title} | {sum(one.executed.total() for one in made) / count:.1f} | {unit} |", flush=True)
        if folder:
            folder.mkdir(exist_ok=True)
            (folder / f"{k}.txt").write_text("\n".join(one.text() for one in made))


if __name__ == "__main__":
    main()
