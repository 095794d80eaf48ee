"""What a check found, for people and programs, and the notes from which it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One property: whether it holds (None: it does not apply or was not checked), and the state that shows it does not."""

    what: str
    ok: bool | None
    detail: str
    state: str = ""


@dataclass(frozen=True)
class Report:
    """All findings about a game, and how many states they rest on (`exhaustive`: all there are)."""

    game: str
    findings: tuple[Finding, ...]
    states: int
    exhaustive: bool

    @property
    def ok(self) -> bool:
        """Whether nothing was found wrong."""
        return all(finding.ok is not False for finding in self.findings)


#: every property in the order of the report: what its cases are called, and why there may be none
PROPERTIES: dict[str, tuple[str, str]] = {
    "initial gives a state": ("states", "not checked"),
    "every method answers": ("states", "no state could be asked"),
    "every method is pure": ("states", "no state could be asked"),
    "result gives states that fit": ("actions", "no action could be taken"),
    "to_move names a player": ("states", "to_move gave no answer"),
    "actions are distinct": ("states", "actions gave no answer"),
    "actions until the end": ("states", "actions and is_terminal gave no answer"),
    "random games end": ("games", "no game could be played"),
    "count counts the actions": ("states", "count gave no answer"),
    "sample is legal": ("states", "no state has an action, or sample gave no answer"),
    "sample is uniform": ("states", "the game leaves sample to the default"),
    "probabilities sum to 1": ("chance states", "chance never moves"),
    "utilities are finite": ("terminal states", "no terminal state was met"),
    "values are within value_range": ("states", "the game declares none"),
    "evaluate is finite": ("states", "every state met is terminal, or evaluate gave no answer"),
    "tactical_actions lists what is tactical": ("states", "the game lists nothing of its own"),
    "key is 64 bits": ("states", "key gave no answer"),
    "keys tell states apart": ("states", "key gave no answer"),
    "features are equally many": ("states", "the game has none"),
    "planes are as many as said": ("states", "the game has none"),
    "plane_view names inputs": ("states", "the game has none"),
    "policy indices tell actions apart": ("states", "the game has none"),
    "patterns name weights": ("states", "the game has none"),
    "perspective names a player": ("states", "the game leaves perspective to the default"),
    "phase is one of the phases": ("states", "the game leaves phase to the default"),
    "outcomes make the utility": ("terminal states", "the game has none, or no terminal state was met"),
    "immediate is true": ("claims", "the game does not write immediate"),
    "moves_left counts down": ("states", "the game does not write moves_left"),
    "upper_bound is one": ("claims", "the game does not write upper_bound"),
    "final_value is that of the best action": (
        "claims",
        "the game does not write final_value and moves_left for two players, or no state with one move left was met",
    ),
    "urgent_first lists the actions": ("states", "the game does not write urgent_first"),
    "relevant_actions are enough": ("states", "the game does not write relevant_actions"),
    "order is small enough": ("actions", "the game leaves order to the default"),
    "material_gain is finite": ("actions", "the game leaves material_gain to the default"),
    "prior_value is finite": ("actions", "the game leaves prior_value to the default"),
    "null_move passes the turn": ("states", "the game allows no null move"),
    "playout_action is legal": ("states", "the game leaves playout_action to the default"),
    "repetition_key is 64 bits": ("states", "the game leaves repetition_key to the default"),
    "repetition is a known rule": ("rules", "not checked"),
    "observe gives numbers": ("states", "nothing is hidden"),
    "observe tells the actions": ("states", "nothing is hidden"),
    "resample keeps what is seen": ("states", "nothing is hidden"),
    "symmetries are the same": ("states", "the game tells none"),
    "states read as written": ("states", "write_state gave no answer"),
    "actions read as written": ("actions", "write_action gave no answer"),
    "show draws": ("states", "show gave no answer"),
    "svg is a picture": ("states", "svg gave no answer"),
    "bad text is refused": ("texts", "no text was tried"),
}


def unchecked(why: str, *found: Finding) -> list[Finding]:
    """A finding for every property that has none yet, which says why."""
    known = {finding.what for finding in found}
    return [Finding(what, None, f"not checked: {why}") for what in PROPERTIES if what not in known]


@dataclass
class _Tally:
    """The cases of one property: how many there were, how many failed, and the first that did."""

    cases: int = 0
    failed: int = 0
    detail: str = ""
    state: str = ""
    remarks: list[str] = field(default_factory=list)


class Notes:
    """Counts the cases of every property and keeps the first failure of each."""

    def __init__(self, write: Callable[[Any], str]):
        self._write = write
        self._tallies: dict[str, dict[str, _Tally]] = {what: {what: _Tally()} for what in PROPERTIES}

    def count(self, what: str, cases: int = 1) -> None:
        """So many more cases of this property were looked at."""
        self._tallies[what][what].cases += cases

    def fail(self, what: str, detail: str, s: Any = None, label: str = "") -> None:
        """A case of this property does not hold in s; `label` names it more closely, and has a finding of its own."""
        tally = self._tallies[what].setdefault(label or what, _Tally())
        tally.failed += 1
        if tally.failed == 1:
            tally.detail, tally.state = detail, "" if s is None else self._write(s)

    def remark(self, what: str, text: str) -> None:
        """Something worth telling about a property that is neither right nor wrong."""
        self._tallies[what][what].remarks.append(text)

    def failed(self, what: str) -> bool:
        """Whether a case of this property failed."""
        return any(tally.failed for tally in self._tallies[what].values())

    def findings(self, coverage: str, seen: int) -> list[Finding]:
        """A finding for every property; one that holds in all `seen` states is reported with their coverage."""
        found: list[Finding] = []
        for what, tallies in self._tallies.items():
            wrong = {label: tally for label, tally in tallies.items() if tally.failed}
            for label, tally in wrong.items():
                first = f" (the first of {tally.failed:,} cases)" if tally.failed > 1 else ""
                found.append(Finding(label, False, tally.detail + first, tally.state))
            if not wrong:
                found.append(self._held(what, tallies[what], coverage, seen))
        return found

    @staticmethod
    def _held(what: str, tally: _Tally, coverage: str, seen: int) -> Finding:
        noun, why_none = PROPERTIES[what]
        remarks = "".join(f"; {remark}" for remark in tally.remarks)
        if not tally.cases:
            return Finding(what, None, why_none + remarks)
        if noun == "states" and tally.cases == seen:
            return Finding(what, True, coverage + remarks)
        return Finding(what, True, f"{tally.cases:,} {noun if tally.cases > 1 else noun[:-1]}{remarks}")
