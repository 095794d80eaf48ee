"""Our GTP engine: exact answers, whole games under an independent referee (GNU Go), and under independent clients."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from arena.programs import needs
from protocols.programs import COMMAND, Program

import zermelo
from zermelo.arena.clock import Clock, Control
from zermelo.arena.players.gtp import GtpPlayer
from zermelo.errors import ZermeloError
from zermelo.history import History
from zermelo.protocols.gtp import Gtp

QUICK = "mcts:simulations=60,interpreted=true"


class Talk:
    """An engine in this process: what is said to it, and what it answers."""

    def __init__(self, game="go:size=5,komi=0.5", player=QUICK):
        self.said = []
        self.engine = Gtp(self.said.append, "0", zermelo.game(game), player)

    def __call__(self, line):
        self.said.clear()
        self.goes_on = self.engine.handle(line)
        return "".join(self.said)


def test_answers_to_the_letter():
    talk = Talk()
    assert talk("protocol_version") == "= 2\n"
    assert talk("7 name") == "=7 Zermelo\n"
    assert talk("12 nonsense") == "?12 unknown command\n"
    assert talk("nonsense") == "? unknown command\n"
    assert talk("  # only a comment") == "" and talk("") == "" and talk("\x07") == ""
    assert talk("3\tplay\tblack C3 # here") == "=3\n"
    assert talk("play black C3") == "? illegal move\n"
    assert talk("play white Z9") == "? illegal move\n"
    assert talk("play") == "? syntax error\n" and talk("play red C4") == "? syntax error\n"
    assert talk("boardsize 99") == "? unacceptable size\n" and talk("boardsize x") == "? unacceptable size\n"
    assert talk("known_command genmove") == "= true\n" and talk("known_command x") == "= false\n"
    assert talk("undo") == "=\n" and talk("undo") == "? cannot undo\n"
    assert talk("komi x") == "? syntax error\n" and talk("komi 3.5") == "=\n"
    assert talk("quit") == "=\n" and not talk.goes_on


def test_every_command_that_it_lists_it_knows():
    talk = Talk()
    listed = talk("list_commands")[2:].split()
    assert all(talk(f"known_command {name}") == "= true\n" for name in listed)
    asked = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(asked.split()) <= set(listed)


def test_colours_may_play_twice_and_on_after_passes():
    talk = Talk()
    for word in ("black A1", "black B1", "white C3", "white pass", "black pass", "black C1", "white D4"):
        assert talk(f"play {word}") == "=\n"
    for _ in range(7):
        assert talk("undo") == "=\n"
    assert talk("undo").startswith("?")
    assert talk("final_score") == "= W+0.5\n"


def test_a_position_may_not_come_back():
    talk = Talk()
    for word in ("black B1", "white C1", "black A2", "white D2", "black B3", "white C3", "black C2", "white B2"):
        assert talk(f"play {word}") == "=\n"
    assert talk("play black C2") == "? illegal move\n"  # ko
    assert talk("play black E5") == "=\n" and talk("play white E4") == "=\n"
    assert talk("play black C2") == "=\n"


def test_handicap():
    talk = Talk("go:size=9")
    assert talk("fixed_handicap 5") == "= C3 G7 C7 G3 E5\n"
    assert talk("fixed_handicap 2") == "? board not empty\n"
    talk("clear_board")
    assert talk("set_free_handicap A1 B2") == "=\n"
    assert talk("genmove w").startswith("= ")
    talk("clear_board")
    assert talk("fixed_handicap 1") == "? invalid number of stones\n"
    assert talk("set_free_handicap A1 A1") == "? bad vertex list\n"


@pytest.mark.parametrize("n", range(2, 10))
@needs("gnugo")
def test_handicap_stones_are_where_gnu_go_has_them(n):
    ours = Talk("go:size=19")(f"fixed_handicap {n}")[2:].split()
    gnu = GtpPlayer("", "gnugo --mode gtp --boardsize 19")
    gnu._engine.start()
    theirs = gnu._ask(f"fixed_handicap {n}")[0].split()
    gnu.close()
    assert set(ours) == set(theirs) and len(ours) == n


def test_time_is_kept():
    talk = Talk("go:size=5", "mcts:interpreted=true")
    assert talk("time_settings 1 0 0") == "=\n" and talk("time_left b 1 0") == "=\n"
    assert talk("genmove b").startswith("= ")
    assert talk.engine._left[0][0] < 1.0
    assert talk("time_settings 0 2 1") == "=\n"
    assert talk("genmove w").startswith("= ")
    for wrong in ("time_settings x 0 0", "time_settings inf 0 0", "time_left b nan 0", "time_left b 1 x", "time_left x 1 0", "komi nan"):
        assert talk(wrong) == "? syntax error\n"


def test_othello_passes_where_it_must():
    talk = Talk("othello:size=4", QUICK)
    talk("clear_board")
    colours, passes = "bw" * 12, 0
    for colour in colours:
        answer = talk(f"genmove {colour}")
        assert answer.startswith("= ")
        passes += "pass" in answer
    assert passes and "final" not in talk("final_score")


def test_hex_has_a_winner():
    talk = Talk("hex:size=3", QUICK)
    for colour in "bwbwbwbwb":
        assert talk(f"genmove {colour}").startswith("= ")
    assert talk("final_score") in ("= B+\n", "= W+\n")


def test_games_without_gtp_are_refused():
    with pytest.raises(ZermeloError, match="go, hex or othello"):
        Talk("chess")
    with pytest.raises(ZermeloError, match="searches"):
        Talk(player="random")


# ---- independent referees and clients ----------------------------------------------------------


@needs("gnugo")
def test_gnu_go_accepts_every_move_of_whole_games():
    """GNU Go keeps the board by its own rules: it takes all moves of ours, and its own are legal to us."""
    gnu = GtpPlayer("", "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --never-resign")
    gnu._engine.start()
    for ours in ("black", "white"):
        talk = Talk("go:size=5,komi=0.5")
        for command in ("boardsize 5", "clear_board", "komi 0.5"):
            assert talk(command) == "=\n" and gnu._ask(command)[1]
        colour, passes, moves = "black", 0, 0
        while passes < 2 and moves < 100:
            if colour == ours:
                word = talk(f"genmove {colour}")[2:].strip()
                assert gnu._ask(f"play {colour} {word}")[1], word
            else:
                word = gnu._ask(f"genmove {colour}")[0]
                assert talk(f"play {colour} {word}") == "=\n", word
            passes = passes + 1 if word.lower() == "pass" else 0
            colour, moves = "white" if colour == "black" else "black", moves + 1
        assert passes == 2
        stones = {c: set(gnu._ask(f"list_stones {c}")[0].split()) for c in ("black", "white")}
        board = [line.split() for line in talk("showboard").splitlines()[2:7]]
        shown = {"black": set(), "white": set()}
        for row in board:
            for letter, cell in zip("ABCDE", row[1:6], strict=True):
                if cell in "XO":
                    shown["black" if cell == "X" else "white"].add(f"{letter}{row[0]}")
        assert shown == stones
    gnu.close()


SABAKI = """
const {Controller} = require('@sabaki/gtp');
(async () => {
  const it = new Controller(process.argv[2], process.argv.slice(3));
  it.start();
  const ask = async (name, ...args) => {
    const r = await it.sendCommand({name, args});
    if (r.error) throw new Error(`${name}: ${r.content}`);
    return r.content;
  };
  await ask('boardsize', '5'); await ask('clear_board'); await ask('komi', '0.5');
  const moves = [];
  for (let i = 0, passes = 0; passes < 2 && i < 100; i++) {
    const word = await ask('genmove', i % 2 ? 'white' : 'black');
    passes = word.toLowerCase() === 'pass' ? passes + 1 : 0;
    moves.push(word);
  }
  console.log(JSON.stringify({moves, score: await ask('final_score')}));
  await it.stop();
})().catch(e => { console.error(e); process.exit(1); });
"""


def _has_sabaki() -> bool:
    node = shutil.which("node")
    return node is not None and subprocess.run([node, "-e", "require('@sabaki/gtp')"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _has_sabaki(), reason="node with @sabaki/gtp is not installed (NODE_PATH tells where)")
def test_the_client_of_sabaki_plays_a_whole_game(tmp_path):
    script = tmp_path / "client.js"
    script.write_text(SABAKI)
    command = [*COMMAND, "gtp", "go:size=5,komi=0.5", "--with", QUICK]
    done = subprocess.run(["node", script, *command], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [m.lower() for m in told["moves"][-2:]] == ["pass", "pass"] and told["score"][0] in "BW0"


@needs("gnugo")
@needs("perl")
@pytest.mark.skipif("TWOGTP" not in os.environ, reason="TWOGTP does not tell where twogtp is, a script that comes with GNU Go's source")
def test_the_script_of_gnu_go_plays_whole_games(tmp_path):
    us = " ".join([*COMMAND, "gtp", "go:size=5,komi=0.5", "--with", QUICK])
    them = "gnugo --mode gtp --level 1 --chinese-rules"
    words = ["perl", os.environ["TWOGTP"], "--white", us, "--black", them, "--size", "5", "--komi", "0.5", "--games", "2"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)  # it leaves records of the games
    assert done.returncode == 0 and "illegal" not in done.stdout + done.stderr
    assert re.findall(r"^Game ([12]): [BW]\+[0-9.]+ [BW]\+[0-9.]+$", done.stdout, re.M) == ["1", "2"], done.stdout


def test_as_a_program():
    with Program("gtp", "go:size=5", "--with", QUICK) as it:
        it.say("1 genmove b", "\xff\xfe", "2 quit")
        assert it.until("=1")[-1].split()[1]
        it.until("=2")
        assert it.child.wait(600) == 0


def test_it_plays_itself_through_our_own_driver():
    command = " ".join([sys.executable, "-m", "zermelo", "gtp", "hex:size=3,swap=true", "--with", QUICK])
    side, game = GtpPlayer("gtp:self", command), zermelo.game("hex:size=3,swap=true")
    side.begin(game, 0, 1)
    history = History(game)
    while not history.is_over:
        history.do(side.choose(game, history, Clock(Control(), 2)))
    side.close()
    assert history.utility(0) != 0
