"""Native code made ready in the background, so that commands are answered meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait

from ..system import threads


class Ready:
    """Gets something ready on a thread of its own, one after another; what was asked for last counts, and the rest is passed over."""

    def __init__(self) -> None:
        self.latest: Future[None] = Future()
        self.latest.set_result(None)

    def get(self, begin: Callable[[], None]) -> Future[None]:
        """Call `begin` in the background; done when that is, or when something else is asked for before its turn comes."""
        before, done = self.latest, Future[None]()
        self.latest = done

        def job() -> None:
            wait([before])
            try:
                if self.latest is done:
                    begin()
                done.set_result(None)
            except Exception as error:
                done.set_exception(error)

        threads.start(job)
        return done
