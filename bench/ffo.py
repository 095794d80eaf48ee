"""FFO's endgames of Othello, solved to the last disc in one thread: scores, nodes, processor time.

python -m bench.ffo                  #40 to #44
python -m bench.ffo 45 46            others
"""

from __future__ import annotations

import argparse
import time

import zermelo

#: positions of the test set of the Fédération Française d'Othello, and their scores
POSITIONS = {
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
    46: ("---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8),
    48: ("-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28),
    50: ("----X-----XXX----OOOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O-- X", 10),
    52: ("---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O", 0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, default=[40, 41, 42, 43, 44])
    parser.add_argument("--table", type=int, default=256, help="MiB of memory")
    options = parser.parse_args()
    game = zermelo.game("othello", score=True)
    zermelo.AlphaBeta(table=1, nodes=1).solve(game, [game.initial()])  # compiles
    whole = 0.0
    for number in options.numbers:
        text, score = POSITIONS[number]
        began = time.process_time()
        solved = zermelo.AlphaBeta(table=options.table).solve(game, [game.read_state(text)])
        seconds = time.process_time() - began
        whole += seconds
        right = "right" if solved.values[0] == score else f"WRONG: {score:+d}"
        speed = solved.nodes / seconds / 1e6
        print(f"#{number} {solved.values[0]:+3.0f} {right}  {solved.nodes:13,} nodes  {seconds:7.2f} s  {speed:5.1f} M nodes/s", flush=True)
    print(f"in all {whole:.1f} s of processor time")


if __name__ == "__main__":
    main()
