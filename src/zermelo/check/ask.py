"""Questions to rules that may be wrong: every call is made so that whatever the author wrote ends in a note.

Each question is asked twice, the second time about an equal copy of the state, and the answers compared. What
yields is drawn from twice at the same time, value by value.
"""

from __future__ import annotations

import numbers
import os
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import ZermeloError
from ..game import MOST_ACTIONS, Game, State
from .report import Notes
from .watch import Watch

MAX_YIELDS = MOST_ACTIONS  # values of any kind that one state may yield
WATCHED = 1_000  # calls after each of which the attributes of the game are compared; later once, at the end
TABLES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "tables.py")
MAX_REPEATED_ANSWERS = 3_000  # answers that are asked for again at the end

#: the kinds of answers: what they are called, and how they are known
Kind = tuple[str, Callable[[Any], bool]]
WHOLE_NUMBER: Kind = ("a whole number", lambda x: isinstance(x, int))
NUMBER: Kind = ("a whole number of 64 bits", lambda x: isinstance(x, int) and -(1 << 63) <= x < 1 << 63)
TRUTH: Kind = ("True or False", lambda x: isinstance(x, int))
REAL: Kind = ("a number", lambda x: isinstance(x, numbers.Real) and isinstance(attempt(float, x), float))
TEXT: Kind = ("a text", lambda x: isinstance(x, str))
ANY: Kind = ("something", lambda x: x is not None)


@dataclass(frozen=True)
class Failed:
    """A call that gave no answer: `why` begins with a verb, as in "raises KeyError: 3"."""

    why: str
    error: BaseException | None = None

    @property
    def is_refusal(self) -> bool:
        """Whether the method refused its argument in the proper way."""
        return isinstance(self.error, ZermeloError)


ENDLESS = Failed(f"does not stop: it yields more than {MAX_YIELDS:,} values")


def attempt(function: Callable[..., Any], *args: Any) -> Any:
    """What the function gives, or Failed: whatever it raises."""
    try:
        return function(*args)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Failed(f"raises {_told(error)}", error)


def same(x: Any, y: Any) -> bool:
    """Whether two answers are equal, whatever they are."""
    equal = attempt(lambda: bool(x == y))
    return equal is True or shown(x) == shown(y)


def shown(x: Any) -> str:
    """A value in a message: in one line, and not too long."""
    text = attempt(repr, x)
    if not isinstance(text, str):
        return f"a {type(x).__name__}"
    text = " ".join(text.split("\n"))
    return text if len(text) <= 80 else f"{text[:77]}..."


class Ask:
    """Asks a game's methods about states; what goes wrong is noted under the name of the method."""

    def __init__(self, game: Game, notes: Notes, watch: Watch):
        self.game, self.notes, self._watch = game, notes, watch
        self._calls = 0
        self._copied: tuple[State, State] = (None, None)
        self._kept: list[tuple[str, tuple[Any, ...], Any]] = []
        self._endless: dict[str, State] = {}  # methods that did not stop yielding, and where: they are not asked again

    def __call__(self, kind: Kind, method: str, s: State, *args: Any) -> Any:
        """The answer of a method about s; Failed, and noted, if there is none of this kind."""
        function = self._method(method)
        answer = attempt(function, s, *args)
        if isinstance(answer, Failed):
            return self._note(method, answer, s)
        if not kind[1](answer):
            return self._note(method, Failed(f"gives {shown(answer)}, expected {kind[0]}{_advice(answer)}"), s)
        self._compare(method, (s, *args), answer, attempt(function, self._copy(s), *args))
        return answer

    def many(self, kind: Kind, method: str, s: State, *args: Any) -> Any:
        """The list of what a method yields about s; Failed, and noted, if it is none of this kind."""
        if method in self._endless:
            return self._note(method, ENDLESS, self._endless[method])
        function = self._method(method)
        both = attempt(_in_step, function, (s, *args), (self._copy(s), *args))
        if isinstance(both, Failed):
            return self._note(method, both, s)
        for answer in both[0]:
            if not kind[1](answer):
                return self._note(method, Failed(f"yields {shown(answer)}, expected {kind[0]}{_advice(answer)}"), s)
        if len(both[0]) > MAX_YIELDS:
            self._endless[method] = s
            return self._note(method, ENDLESS, s)
        self._compare(method, (s, *args), *both)
        return both[0]

    def quietly(self, method: str, *args: Any) -> Any:
        """The answer to a question that is asked once, as a list if the method yields; nothing is noted."""
        if method in self._endless:
            return ENDLESS
        answer = attempt(self._method(method), *args)
        if method not in ("actions", "symmetries") or isinstance(answer, Failed):
            return answer
        values = attempt(_some, answer)
        if isinstance(values, Failed):
            return values
        if len(values) > MAX_YIELDS:
            self._endless[method] = args[0]
            return ENDLESS
        if method == "actions" and not all(map(WHOLE_NUMBER[1], values)):
            return Failed(f"yields what is not {WHOLE_NUMBER[0]}")
        return values

    @property
    def is_endless(self) -> bool:
        """Whether a method did not stop yielding: who draws from it without a limit never ends."""
        return bool(self._endless)

    def first(self, s: State) -> None:
        """Ask the methods that exploring calls before it does: what only a first call does is seen then or never."""
        self(WHOLE_NUMBER, "to_move", s)
        self(TRUTH, "is_terminal", s)
        self.many(WHOLE_NUMBER, "actions", s)

    def again(self) -> None:
        """Ask some early questions once more, after all the others, and compare the attributes a last time."""
        for method, args, answer in self._kept:
            function = self._method(method)
            now = attempt(lambda f=function, a=args: list(_some(f(*a)))) if isinstance(answer, list) else attempt(function, *args)
            self._differs(method, args[0], answer, now, "after other calls")
        if name := self._watch.changed():
            self.notes.fail("every method is pure", f"a method changes {name}: rules are pure, so keep it in the state")

    def _method(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self.game, name)
        return function

    def _copy(self, s: State) -> State:
        """A state equal to s that is not s; made once for the many questions about it."""
        if self._copied[0] is not s:
            layout = self.game.layout
            self._copied = (s, layout.unpack(layout.pack(s)))
        return self._copied[1]

    def _note(self, method: str, failed: Failed, s: State) -> Failed:
        self.notes.fail("every method answers", f"{method} {failed.why}", s, label=f"{method} answers")
        return failed

    def _compare(self, method: str, args: tuple[Any, ...], first: Any, second: Any) -> None:
        self._calls += 1
        if self._calls <= WATCHED and (name := self._watch.changed()):
            detail = f"{method} changes {name}: rules are pure, so compute it in __init__ or keep it in the state"
            self.notes.fail("every method is pure", detail, args[0], label=f"{method} is pure")
        elif self._differs(method, args[0], first, second, "the second time") and len(self._kept) < MAX_REPEATED_ANSWERS:
            self._kept.append((method, args, first))

    def _differs(self, method: str, s: State, first: Any, second: Any, when: str) -> bool:
        """Note a difference; whether there is none."""
        if same(first, second):
            return True
        message = f"{second.why} " if isinstance(second, Failed) else f"gives {shown(first)}, but {shown(second)} "
        self.notes.fail("every method is pure", f"{method} {message}{when} it is asked", s, label=f"{method} is pure")
        return False


def _in_step(function: Callable[..., Any], first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """What two calls yield, drawn in turn; both lists end soon after MAX_YIELDS."""
    end, lists = object(), ([], [])  # type: tuple[object, tuple[list[Any], list[Any]]]
    going = [_iterator(function(*first)), _iterator(function(*second))]
    while len(lists[0]) <= MAX_YIELDS:
        drawn = [next(values, end) for values in going]
        for values, x in zip(lists, drawn, strict=True):
            if x is not end:
                values.append(x)
        if drawn[0] is end and drawn[1] is end:
            break
    return lists


def _some(values: Any) -> list[Any]:
    """The values of an iterator, as many as one state may have."""
    return [x for _, x in zip(range(MAX_YIELDS + 1), _iterator(values), strict=False)]


def _iterator(values: Any) -> Iterator[Any]:
    if not hasattr(values, "__iter__"):
        raise TypeError(f"it gives {shown(values)} and yields nothing: write yield for each value")
    return iter(values)


def _advice(answer: Any) -> str:
    if answer is None:
        return ": a path through it returns nothing"
    return ": write int(...) around it" if type(answer).__module__ == "numpy" else ""


def _told(error: BaseException) -> str:
    """An exception in one line: its type, its message, and the line that raised it."""
    text = " ".join(str(error).split())
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != TABLES]  # an index into a table is the author's
    inner = frames[-1] if len(frames) > 1 else None  # the first frame is the call itself
    where = f" (at {os.path.basename(inner.filename)}:{inner.lineno})" if inner and inner.filename != __file__ else ""
    return f"{type(error).__name__}" + (f": {text[:300]}" if text else "") + where
