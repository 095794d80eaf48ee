"""The sum of floats as the Python that runs computes it. Since 3.12 `sum` carries along what rounding loses (Neumaier's algorithm)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

#: whether `sum` makes up for what is lost, and whether it does so for a whole number that is added to floats
COMPENSATES, COMPENSATES_WHOLE = sum((1e16, 1.0, 1.0)) > 1e16, sum((1e16, 1, 1)) > 1e16


def name_of_sum(reals: Sequence[bool]) -> str:
    """The name of the function that adds values of these kinds."""
    return "math_sum_" + "".join(f"{'f' if real else 'i'}{len(list(run))}" for real, run in groupby(reals))


def text_of_sum(reals: Sequence[bool]) -> str:
    """A function of the sum of the whole numbers that come first, and of the other values, of which the first is a float."""
    names = [f"x{i}" for i in range(len(reals))]
    lines = ["total = whole + x0", "lost = 0.0"]
    for name, real in zip(names[1:], reals[1:], strict=True):
        if COMPENSATES if real else COMPENSATES_WHOLE:
            lines.append(f"more = total + {name}")
            lines.append(f"lost += (total - more) + {name} if abs(total) >= abs({name}) else ({name} - more) + total")
            lines.append("total = more")
        else:
            lines.append(f"total += {name}")
    if COMPENSATES:  # what was lost on the way to infinity is no number
        lines.append("total = total + lost if lost - lost == 0.0 else total")
    body = "".join(f"    {line}\n" for line in [*lines, "return total"])
    return f"@inner\ndef {name_of_sum(reals)}(whole, {', '.join(names)}):\n{body}"
