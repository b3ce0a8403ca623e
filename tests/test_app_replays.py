"""Films of the last rolls: which rolls have one, for how long, and never a hidden one."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tableside.app.live import LiveTray
from tableside.app.replays import KEPT, Replays
from tableside.table.kept import Roll, Source, TableState
from tableside.table.messages import NewRoll
from tableside.tray.film import Film
from tableside.tray.frame import Frame
from tests.fakes.table import KeepingTable, PluggedCamera
from tests.fakes.tray import DrawnReader, draw_tray


def thrown(replays: Replays, roll_id: str, begin: int) -> None:
    for number in range(begin, begin + 30):
        replays.see(Frame.of(np.zeros((48, 64, 3), np.uint8), number=number, time=number / 30))
    replays.rest(begin + 25)
    replays.keep(roll_id)


def test_the_last_rolls_have_a_film_and_older_ones_none() -> None:
    replays = Replays()
    for n in range(KEPT + 2):
        thrown(replays, f"roll {n}", 100 * n)
    assert [n for n in range(KEPT + 2) if replays.film(f"roll {n}") is None] == [0, 1]
    assert replays.film("entered by hand") is None


def test_a_further_throw_takes_the_place_of_the_film_and_makes_it_the_newest() -> None:
    replays = Replays()
    thrown(replays, "first", 0)
    before = replays.film("first")
    for n in range(1, KEPT):
        thrown(replays, f"roll {n}", 100 * n)
    thrown(replays, "first", 100 * KEPT)
    thrown(replays, "last", 100 * KEPT + 100)
    assert replays.film("first") is not None
    assert replays.film("first") is not before
    assert replays.film("roll 1") is None


def test_a_hidden_roll_keeps_none_drawn_or_not() -> None:
    replays = Replays()
    thrown(replays, "drawn", 0)
    assert isinstance(replays.film("drawn"), Film)
    thrown(replays, "not drawn yet", 100)
    roll = Roll(id="drawn", at=1.0, game="narrative", source=Source.CAMERA, ask={}, is_hidden=True)
    replays.show(TableState(rolls=(replace(roll, id="not drawn yet"), roll)))
    assert replays.film("drawn") is None
    assert replays.film("not drawn yet") is None
    replays.show(TableState(rolls=(replace(roll, is_hidden=False),)))
    assert replays.film("drawn") is None  # what was hidden once does not come back


def test_the_camera_loop_films_a_throw() -> None:
    table, replays = KeepingTable(), Replays()
    empty, lying = [draw_tray()] * 15, [draw_tray(("green", 200, 100))] * 20
    rolling = [draw_tray(("green", 20 + 10 * n, 100)) for n in range(18)]
    tray = LiveTray(
        PluggedCamera([*empty, *rolling, *lying]), DrawnReader(), table, keep_picture=lambda _id, _picture: True,
        replays=replays, retry_seconds=0.01, clock=lambda: 1000.0,
    )  # fmt: skip
    tray.start()
    try:
        roll = table.wait_for(lambda message: isinstance(message, NewRoll))
        assert isinstance(roll, NewRoll)
        film = replays.film(roll.id)
    finally:
        tray.close()
    assert film is not None
    assert 6 <= len(film.times) <= 11  # 18 moving frames, 30 a second, and none of the tray before them
    assert film.times[-1] < 0.8
