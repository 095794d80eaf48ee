"""Text in and out: what is written must be read back, and what is not text of the game refused."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from ..game import Game, State
from .ask import TEXT, Ask, Failed, attempt, same, shown
from .explore import spread
from .report import Notes
from .rules import Position

#: texts that hardly any game knows
STRANGE = ("", " ", "xyzzy", "-1", "0", "1e999", "nan", "'", "\0", "٣", "?!#/,:;", "9" * 5_000, "x" * 10_000, "1," * 5_000)
SPOILT = 20  # texts of the game that are tried with small faults
DRAWN = 200  # states that are drawn as pictures
PICTURE = ("svg", "{http://www.w3.org/2000/svg}svg")  # how a picture may begin


class Texts:
    """Checks the text of states and actions."""

    def __init__(self, ask: Ask, notes: Notes):
        self.ask, self.notes = ask, notes
        self.own_reader = type(ask.game).read_action is not Game.read_action

    def state(self, s: State) -> None:
        """Check the text of a state."""
        drawn = self.ask(TEXT, "show", s)
        if not isinstance(drawn, Failed):
            self.notes.count("show draws")
            if not drawn.strip():
                self.notes.fail("show draws", "show gives an empty text", s)
        text = self.ask(TEXT, "write_state", s)
        if isinstance(text, Failed):
            return
        self.notes.count("states read as written")
        if not is_line(text):
            self.notes.fail("states read as written", f"write_state gives {shown(text)}, expected one line of text", s)
            return
        back = attempt(self.ask.game.read_state, text)
        if isinstance(back, Failed):
            self.notes.fail("states read as written", f"read_state {back.why} for {shown(text)}, which write_state gives", s)
        elif type(back) is not type(s) or not same(back, s):
            self.notes.fail("states read as written", f"read_state makes {shown(back)} of {shown(text)}, which write_state gives", s)

    def actions(self, at: Position) -> None:
        """Check the text of the actions of a state."""
        names: dict[str, int] = {}
        for a in at.actions:
            text = self.ask(TEXT, "write_action", at.s, a)
            if isinstance(text, Failed):
                return
            self.notes.count("actions read as written")
            if text in names:
                self.notes.fail("actions read as written", f"write_action gives {text!r} for the actions {names[text]} and {a}", at.s)
                return
            if not is_line(text) or text != text.strip():
                message = f"write_action gives {shown(text)} for action {a}, expected a word without blanks around it"
                self.notes.fail("actions read as written", message, at.s)
                return
            names[text] = a
        # the default of read_action looks among all actions: two of them show as much as all
        for text, a in names.items() if self.own_reader else list(names.items())[:: max(1, len(names) - 1)]:
            back = attempt(self.ask.game.read_action, at.s, text)
            if isinstance(back, Failed) or not same(back, a):
                message = back.why if isinstance(back, Failed) else f"gives {shown(back)}"
                self.notes.fail("actions read as written", f"read_action {message} for {text!r}, which write_action gives for {a}", at.s)
                return

    def pictures(self, positions: Sequence[Position]) -> None:
        """Draw some states: what comes out must be one element of SVG, and XML."""
        for at in spread(positions, DRAWN):
            drawn = self.ask(TEXT, "svg", at.s)
            if isinstance(drawn, Failed):
                return
            self.notes.count("svg is a picture")
            picture = attempt(ElementTree.fromstring, drawn)
            if isinstance(picture, Failed):
                message = str(picture.error)
                self.notes.fail("svg is a picture", f"svg gives what is not XML: {message}", at.s)
            elif picture.tag not in PICTURE:
                self.notes.fail("svg is a picture", f"svg gives an element {shown(picture.tag)}, expected svg", at.s)

    def hostile(self, positions: Sequence[Position]) -> None:
        """Try texts that are none of the game's: each must be refused by a ZermeloError, or read as something proper."""
        for at in spread(positions, SPOILT):
            text = attempt(self.ask.game.write_state, at.s)
            for strange in _spoil(text) if isinstance(text, str) else ():
                self._read_state(strange)
            name = attempt(self.ask.game.write_action, at.s, at.actions[0]) if at.actions else ""
            for strange in (*_spoil(name), *STRANGE) if isinstance(name, str) else STRANGE:
                self._read_action(at, strange)
        for strange in STRANGE:
            self._read_state(strange)

    def _read_state(self, text: str) -> None:
        self.notes.count("bad text is refused")
        s = attempt(self.ask.game.read_state, text)
        if isinstance(s, Failed):
            if not s.is_refusal:
                self.notes.fail("bad text is refused", f"read_state {s.why} for {shown(text)}, expected a ZermeloError")
        elif (wrong := attempt(self.ask.game.layout.fault, s)) is not None:
            why = wrong.why if isinstance(wrong, Failed) else wrong
            message = f"read_state makes {shown(s)} of {shown(text)}, which is not a state: {why}"
            self.notes.fail("bad text is refused", message)

    def _read_action(self, at: Position, text: str) -> None:
        self.notes.count("bad text is refused")
        a = attempt(self.ask.game.read_action, at.s, text)
        if isinstance(a, Failed):
            if not a.is_refusal:
                self.notes.fail("bad text is refused", f"read_action {a.why} for {shown(text)}, expected a ZermeloError", at.s)
        elif not isinstance(a, int) or a not in at.actions:
            self.notes.fail("bad text is refused", f"read_action gives {shown(a)} for {shown(text)}, which is not a legal action", at.s)


def is_line(text: str) -> bool:
    """Whether this is one line with something in it."""
    return bool(text.strip()) and len(text.splitlines()) == 1


def _spoil(text: str) -> list[str]:
    """Texts that are almost this one."""
    head, tail = text[: len(text) // 2], text[len(text) // 2 :]
    return [text[:-1], text[1:], text + text, text[::-1], f"{head}?{tail[1:]}", f"{head}999{tail}", f"{text} x"]
