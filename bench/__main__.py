"""Measure Zermelo and the installed peers: `python -m bench [SUBJECT ...] [--rounds N] [--write FILE]`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

from . import report, subjects
from .harness import measure

PACKAGES = ("zermelo", "numba", "llvmlite", "numpy", "open_spiel", "easyAI", "bitbully")


def main() -> None:
    known = [m.name for m in pkgutil.iter_modules(subjects.__path__)]
    parser = argparse.ArgumentParser(prog="python -m bench", description="Zermelo's speed beside its peers'.")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"what to measure, of: {', '.join(known)} (default: all)")
    report.options(parser, rounds=7)
    told = parser.parse_args()
    if wrong := set(told.subjects) - set(known):
        parser.error(f"there is no subject {', '.join(sorted(wrong))}: expected some of {', '.join(known)}")
    texts = [report.header(" ".join(["python -m bench", *sys.argv[1:]]), told.rounds, PACKAGES)]
    print(texts[0])
    for name in told.subjects or known:
        for table in importlib.import_module(f"{subjects.__name__}.{name}").tables():
            texts.append(report.show(measure(table, told.rounds, report.tell)))
            report.tell("")
            print(texts[-1], flush=True)
    if told.write:
        report.write(told.write, "\n".join(texts))


if __name__ == "__main__":
    main()
