"""Write the model of a run as the file that comes with its game (`Game.learned`), in floats of 16 bits.

python -m bench.ship RUN FILE
"""

from __future__ import annotations

import argparse
from pathlib import Path

from zermelo.search.model.model import find_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("file", type=Path)
    asked = parser.parse_args()
    find_model(asked.run).save(asked.file, is_half=True)
    print(f"{asked.file}: {asked.file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
