"""Films of the last rolls, in memory alone."""

from __future__ import annotations

import threading

from tableside.table import TableState
from tableside.tray.film import Cut, Film, Reel
from tableside.tray.frame import Frame

KEPT = 20


class Replays:
    """Keeps a film of each of the last rolls that the camera saw. Of a hidden roll none is kept.

    The camera loop tells it what it sees. It is a display of the table, too, as only the table knows what is hidden.
    """

    def __init__(self) -> None:
        self._reel = Reel()
        self._films: dict[str, Film] = {}
        self._open: tuple[str, Cut] | None = None
        self._busy = threading.Lock()

    def see(self, frame: Frame) -> None:
        """Take a frame of a tray on which something may move."""
        self._reel.see(frame)

    def rest(self, number: int) -> None:
        """Say that nothing moves since the frame of this number."""
        self._reel.rest(number)

    def keep(self, roll_id: str) -> None:
        """Keep the moments before this roll lay still, in place of an earlier throw's. It takes no time."""
        cut = self._reel.cut()
        with self._busy:
            self._draw()
            if cut is not None:
                self._open = (roll_id, cut)

    def still(self) -> None:
        """Say that nothing moves on the tray. There is time now to draw the newest film on its sheet."""
        self._reel.end()
        with self._busy:
            self._draw()

    def film(self, roll_id: str) -> Film | None:
        """Return a roll's film, ``None`` where none is kept."""
        with self._busy:
            self._draw()
            return self._films.get(roll_id)

    def show(self, state: TableState) -> None:
        """Forget the films of rolls that are hidden now."""
        hidden = {roll.id for roll in state.rolls if roll.is_hidden}
        with self._busy:
            if self._open is not None and self._open[0] in hidden:
                self._open = None
            for roll_id in hidden & self._films.keys():
                del self._films[roll_id]

    def _draw(self) -> None:
        if self._open is None:
            return
        (roll_id, cut), self._open = self._open, None
        self._films.pop(roll_id, None)  # the newest comes last
        self._films[roll_id] = cut.film()
        for oldest in list(self._films)[:-KEPT]:
            del self._films[oldest]
