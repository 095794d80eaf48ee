"""How the command line ends: bad input, Ctrl-C, closed pipes, and what must never be printed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import pytest
from helpers_cli import COMMANDS, HANGS, WRONG, called, has_worked, refusal, sentence, started

import zermelo
from zermelo.cli import app, output


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    return file


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    """Run a command line in this process: how it ended."""
    return partial(called, capsys)


@pytest.fixture
def refused(call):
    """Run a command line that is refused: its one sentence."""
    return lambda *argv: refusal(call(*argv))


# ---- the whole, from outside ----------------------------------------------------------------


def test_version_help_and_no_command():
    assert started("--version").out == f"zermelo {zermelo.__version__}\n"
    for argv in ([], ["--help"]):
        done = started(*argv)
        assert (done.code, done.err) == (0, "")
        assert [word for word in COMMANDS if f"  {word} " in done.out] == COMMANDS


def test_the_installed_command_is_the_same():
    script = Path(sys.executable).with_name("zermelo")
    if not script.exists():
        pytest.skip("the package is not installed")
    assert subprocess.run([script, "games"], capture_output=True, text=True, check=True).stdout == started("games").out


@pytest.mark.parametrize("argv", [["--version"], ["games"], ["games", "--json"], ["show", "connect4"], ["--help"]])
def test_light_commands_import_neither_compiler_nor_rich(argv: list[str]):
    program = (
        "import sys; from zermelo.cli.app import main; code = main(sys.argv[1:]); "
        "heavy = {'numba', 'llvmlite', 'rich.table'} & set(sys.modules); sys.exit(code or repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program, *argv], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_json_stands_alone_on_standard_output(wrong: Path):
    done = started("perft", f"{wrong}:Wrong", "2", "--json", "--interpreted")
    assert done.err == "this file talks\n"
    assert done.out.count("\n") == 1
    assert json.loads(done.out) | {"seconds": 0} == {"game": f"{wrong}:Wrong", "depth": 2, "nodes": 4, "seconds": 0}


def test_a_bad_input_ends_in_one_sentence_and_code_2(wrong: Path):
    assert refusal(started("playouts", "conect4")) == "there is no game 'conect4' (did you mean connect4?)"
    wrong.write_text("def f(:\n")
    assert refusal(started("show", str(wrong))) == f"{wrong} does not import: line 1: invalid syntax"


def test_a_reader_that_goes_is_no_error():
    command = f"{sys.executable} -m zermelo games; echo $? >&2"
    done = subprocess.run(f"({command}) | true", shell=True, capture_output=True, text=True, check=False)
    assert done.stderr in ("141\n", "0\n")  # 0 if all was written before the reader went
    done = subprocess.run(f"({command}) | head -1", shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("name ")
    assert done.stderr in ("141\n", "0\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_told():
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "zermelo", "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert sentence(done.stderr) == "No space left on device"


def test_no_standard_output_at_all():
    command = f"{sys.executable} -m zermelo"
    done = subprocess.run(f"{command} games >&-", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    done = subprocess.run(f"{command} show zzz 2>&-", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_an_encoding_without_the_letters():
    done = started("games", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.code == 0
    assert "mis\\xe8re" in done.out


def test_ctrl_c_ends_at_once_even_in_native_code():
    zermelo.perft(zermelo.game("connect4"), 1)  # compiled before, so that what is interrupted is the counting
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "perft", "connect4", "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        has_worked(process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANGS)
    assert (process.returncode, out, err) == (130, "", "zermelo: interrupted\n")


def interrupted_at(moment: int, *argv: str) -> tuple[int, str, str]:
    """Interrupt a command after it has imported so many modules, or as it ends; how it ended."""
    with subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "zermelo", *argv],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        lines, imported, begun = list[str](), 0, False
        for line in process.stderr:
            if not line.startswith("import time:"):
                lines.append(line)
                continue
            begun = begun or line.endswith(" zermelo.system.interrupt\n")  # what was before is Python's own
            imported += begun
            if imported == moment:
                process.send_signal(signal.SIGINT)
        out = process.stdout.read()
        return process.wait(HANGS), out, "".join(lines)


@cache
def modules_of(*argv: str) -> int:
    """How many modules a command imports from its handler of Ctrl-C on."""
    command = [sys.executable, "-X", "importtime", "-m", "zermelo", *argv]
    done = subprocess.run(command, input="quit\n", capture_output=True, text=True, check=True)
    return len(done.stderr.partition(" zermelo.system.interrupt\n")[2].splitlines())


@pytest.mark.parametrize("part", [0.0, 0.01, 0.03, 0.07, 0.15, 0.3, 0.45, 0.6, 0.75, 0.85, 0.95, 1.0])
@pytest.mark.parametrize("argv", [["games"], ["gtp", "othello:size=4"]], ids=lambda argv: argv[0])
def test_ctrl_c_ends_quietly_from_the_first_import_on(part: float, argv: list[str]):
    """Whatever is being imported; a command that has ended before is not interrupted."""
    code, out, err = interrupted_at(max(1, int(part * modules_of(*argv))), *argv)
    if code == 0:
        assert argv == ["games"] and err == "" and out.startswith("name ")
    else:
        assert (code, err) == (130, "zermelo: interrupted\n")


def test_ctrl_c_ends_quietly_while_it_compiles(tmp_path: Path):
    """The compiler is imported, then at work: whatever it does, it ends at once."""
    env = os.environ | {"ZERMELO_CACHE": str(tmp_path)}
    for seconds in (1.0, 1.5, 2.0, 3.0):
        for argv in (["perft", "chess", "9"], ["search", "chess", "--depth", "30"]):
            with subprocess.Popen(
                [sys.executable, "-m", "zermelo", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
            ) as process:
                has_worked(process, seconds)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=HANGS)
            assert (process.returncode, out, err) == (130, "", "zermelo: interrupted\n")


def test_a_process_that_imports_the_package_keeps_its_signals():
    program = "import signal; before = signal.getsignal(signal.SIGINT); import zermelo; assert signal.getsignal(signal.SIGINT) is before"
    assert subprocess.run([sys.executable, "-c", program, "zermelo"], check=False).returncode == 0


def test_a_developer_sees_the_traceback():
    done = subprocess.run([sys.executable, "-X", "dev", "-m", "zermelo", "show", "zzz"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" in done.stderr


# ---- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("pefrt connect4 3", "there is no command 'pefrt' (did you mean perft?)"),
        ("zzz", f"there is no command 'zzz': expected one of {', '.join(COMMANDS)}"),
        ("perft zzzz 3", "there is no game 'zzzz'; zermelo games lists them, and a file is named as path/to/file.py:Class"),
        ("perft connect4:widht=5 3", "connect4 has no parameter 'widht' (did you mean width?): it takes width, height, line"),
        ("perft connect4:width=x 3", "connect4: expected a whole number for width, not 'x'"),
        ("perft connect4 x", "expected a depth from 0 to 1,000, or all for complete games, not 'x'"),
        ("perft connect4 1.5", "expected a depth from 0 to 1,000, or all for complete games, not '1.5'"),
        ("perft connect4 1001", "expected a depth from 0 to 1,000, or all for complete games, not '1001'"),
        ("perft connect4 ٣", "expected a depth from 0 to 1,000, or all for complete games, not '٣'"),
        ("perft connect4 -- -3", "expected a depth from 0 to 1,000, or all for complete games, not '-3'"),
        ("perft connect4 -3", "expected a number that is not negative; zermelo perft --help lists what it takes"),
        ("perft connect4 3 --state 999", "'999' is not a state of connect4: expected a legal move where the 1. is 9"),
        ("playouts nowhere.py", "there is no file nowhere.py"),
        ("playouts connect4 --device gpu", "playouts: expected the device cpu or cuda, not 'gpu'"),
        ("playouts connect4 --games 0", "playouts: expected at least 1 game, not 0"),
        ("playouts connect4 --games -4", "playouts: expected at least 1 game, not -4"),
        ("playouts connect4 --seconds 0", "playouts: expected a positive number of seconds, not 0.0"),
        ("playouts connect4 --seconds nan", "playouts: expected a positive number of seconds, not nan"),
        ("playouts connect4 --threads 0", "playouts: expected at least 1 thread, not 0"),
        ("playouts connect4 --threads 1000000", "expected at most 1,024 threads, not 1,000,000"),
        ("playouts connect4 --games 1 --seconds 1", "playouts: expected a number of games or a number of seconds, one of the two"),
        ("check connect4 --games 0", "check: expected at least 1 game and 1 state, not 0 and 20000"),
        ("cache cleer", "expected show or clear, not 'cleer' (did you mean clear?)"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(refused, line: str, told: str):
    assert refused(*line.split()) == told


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("perft", "GAME"),
        ("perft connect4", "DEPTH"),
        ("perft connect4 3 4", "4"),
        ("perft connect4 3 --jsno", "--jsno"),
        ("perft connect4 3 --state", "--state"),
        ("playouts connect4 --threads x", "--threads"),
        ("playouts connect4 --seconds soon", "--seconds"),
        ("playouts connect4 --seed 1.5", "--seed"),
        ("new", "NAME"),
        ("games more", "more"),
        ("--jsno", "--jsno"),
    ],
)
def test_command_lines_that_cannot_be_used(refused, line: str, word: str):
    assert word in refused(*line.split())


@pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="there is a GPU here")
def test_cuda_without_a_gpu(refused):
    assert "GPU" in refused("playouts", "connect4", "--device", "cuda", "--games", "10")


def test_errors_in_rules_are_told_with_their_line(call, wrong: Path):
    done = call("show", str(wrong))
    assert done.code == 2
    assert sentence(done.err) == "wrong.py:32: Wrong.show: ZeroDivisionError: integer division or modulo by zero"


@pytest.mark.parametrize(
    ("text", "told"), [("x", "ValueError: invalid literal for int() with base 10: 'x'"), ("other", "it is a tuple, not a State")]
)
def test_a_reader_of_states_that_fails_is_told(call, wrong: Path, text: str, told: str):
    done = call("perft", f"{wrong}:Wrong", "1", "--state", text)
    assert done.code == 2
    assert sentence(done.err) == f"'{text}' is not a state of {wrong}:Wrong: {told}"


@pytest.mark.parametrize("error", [RuntimeError("one\n  two"), MemoryError(), RecursionError("deep"), OSError("odd"), KeyError("x")])
def test_errors_that_nobody_expects_are_told_in_one_line_too(refused, monkeypatch: pytest.MonkeyPatch, error: Exception):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(app, "count", fail)
    assert type(error).__name__ in refused("perft", "connect4", "3")


def test_ctrl_c_is_told_in_one_line(call, monkeypatch: pytest.MonkeyPatch):
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name, line in (("count", ["perft", "connect4", "3"]), ("say_table", ["games"])):
        with monkeypatch.context() as patch:
            patch.setattr(app, name, stop)
            done = call(*line)
            assert (done.code, done.out, done.err) == (130, "", "zermelo: interrupted\n")


def test_progress_is_for_terminals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    output.progress("working")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    output.progress("working")
    output.complain("no")
    assert capsys.readouterr().err == "\r\x1b[Kworking\r\x1b[Kzermelo: no\n"
