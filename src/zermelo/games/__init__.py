"""The built-in games: one module (or folder) each, found by its name. See `registry.py`.

What stands here is about all of them: which a newcomer meets first, and what may be written in place of a game's name.
"""

from pathlib import Path

#: the games of the menu of `zermelo play`: their text and title, those that most people know first
MENU = (
    ("connect4", "Connect Four"),
    ("tictactoe", "tic-tac-toe"),
    ("othello", "Othello"),
    ("checkers", "checkers"),
    ("chess", "chess"),
    ("antichess", "losing chess"),
    ("go", "Go, 9 x 9"),
    ("hex:size=7", "Hex, 7 x 7"),
    ("kalah", "Kalah"),
    ("morris", "Nine Men's Morris"),
    ("backgammon", "backgammon"),
    ("nim", "Nim"),
    ("pig", "Pig"),
    ("trio", "noughts and crosses for three"),
    ("kuhn", "Kuhn poker"),
)

#: what `zermelo play` shows if nobody can choose: games and their players
EXHIBITION = (("connect4", ("level:5", "level:8")), ("othello:size=6", ("level:3", "level:7")))

#: the game of `zermelo uci` if none is named
UCI = "chess"

TREES = Path(__file__).parent / "trees"


def spelled_out(text: str) -> str:
    """The text of a game for its shorthand: a file of a tree (.tree, .json), or a shipped tree by its name; else the text itself."""
    is_tree = text.endswith((".tree", ".json")) or text in {path.stem for path in TREES.glob("*.tree")}
    return f"tree:file={text}" if is_tree else text
