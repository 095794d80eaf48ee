"""What is being asked, recorded before it is: a rule that does not return, or ends its process, can then be named."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, NamedTuple

from ..game import Game

#: the methods that a check asks, apart from those that only add up what they say
RULES = (
    *("initial", "to_move", "actions", "result", "is_terminal", "utility", "probability", "observe", "resample", "count", "sample"),
    *(
        "evaluate",
        "key",
        "is_tactical",
        "tactical_actions",
        "order",
        "immediate",
        "moves_left",
        "upper_bound",
        "final_value",
        "urgent_first",
        "relevant_actions",
        "material_gain",
        "loses_material",
        "action_kind",
        "is_forcing",
        "allows_null_move",
        "null_move",
        "playout_action",
        "prior_value",
        "repetition_key",
        "features",
        "planes",
        "plane_view",
        "patterns",
        "perspective",
        "phase",
        "outcomes",
    ),
    *("symmetries", "show", "svg", "write_action", "read_action", "write_state", "read_state"),
)
INTERPRETED, NATIVE, IMPORT = "interpreted", "native", "import"  # how something is asked


class Question(NamedTuple):
    """A rule that was asked, how, and about what: mostly a state."""

    how: str
    rule: str
    about: str


class Teller:
    """Gets every question before it is asked. This one ignores it."""

    def ask(self, rule: str, about: Any = "", how: str = INTERPRETED) -> None:
        """The next thing that happens is this question."""

    def rest(self) -> None:
        """Nothing is asked: what happens now may take its time, like compiling."""


class Board(Teller):
    """Writes every question into memory that another process reads: there it still stands when the asking process has died."""

    HEAD = Struct("<QI")  # questions so far, bytes of the last one (0: none is being asked)
    SIZE = 4096

    def __init__(self, memory: Any):
        self._bytes = memoryview(memory).cast("B")
        self._count = 0
        self._about: tuple[Any, str] = (None, "")

    def ask(self, rule: str, about: Any = "", how: str = INTERPRETED) -> None:
        if about is not self._about[0]:  # many questions are about one state
            self._about = (about, about if isinstance(about, str) else repr(about))
        data = "\0".join((how, rule, self._about[1])).encode(errors="replace")[: self.SIZE - self.HEAD.size]
        self._bytes[self.HEAD.size : self.HEAD.size + len(data)] = data
        self._count += 1
        self.HEAD.pack_into(self._bytes, 0, self._count, len(data))

    def rest(self) -> None:
        self._count += 1
        self.HEAD.pack_into(self._bytes, 0, self._count, 0)

    def read(self) -> tuple[int, Question | None]:
        """How many questions there were, and the one that is being asked."""
        count, length = self.HEAD.unpack_from(self._bytes)
        if not length:
            return count, None
        text = bytes(self._bytes[self.HEAD.size : self.HEAD.size + length]).decode(errors="replace")
        return count, Question(*text.split("\0", 2))


def telling(game: Game, teller: Teller) -> Game:
    """The same game, but the teller gets each rule before it is called; calls of rules by rules are not recorded."""
    watched = object.__new__(type(game))
    vars(watched).update(vars(game))
    vars(watched).update({rule: _recorded(getattr(game, rule), rule, teller) for rule in RULES})
    return watched


def _recorded(method: Callable[..., Any], rule: str, teller: Teller) -> Callable[..., Any]:
    def ask(*args: Any) -> Any:
        teller.ask(rule, *args[:1])
        return method(*args)

    return ask
