"""Lamps and buttons on gpiozero's mock pins: pull the wire, then look."""

from __future__ import annotations

import dataclasses
import queue
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from msgspec.structs import replace

from tableside.adapters.gpio.buttons import Buttons
from tableside.adapters.gpio.factory import open_pins
from tableside.adapters.gpio.lamps import Lamps
from tableside.adapters.gpio.panel import Panel
from tableside.adapters.gpio.parts import MOODS, Rhythm, now_glow, pool_glow, result_glow, status_glow
from tableside.dice import Face, Status
from tableside.errors import PinError
from tableside.rules import Mood
from tableside.table.acts import step
from tableside.table.kept import Agenda, Destiny, Now, Roll, RollDie, Session, Source, TableState, Trouble
from tableside.table.messages import TestLamps
from tableside.table.now import with_now
from tests.conftest import SYSTEM
from tests.nows import ROWS, title

LIGHT, DARK, RESULT = (5, 6, 13), (12, 16, 20), (22, 23, 24)
WIRES = {"light": LIGHT, "dark": DARK, "result": RESULT}


@pytest.fixture
def pins() -> Iterator[Any]:
    factory = open_pins("mock")
    yield factory
    factory.close()
    factory.reset()


@pytest.fixture
def lamps(pins: Any) -> Iterator[Lamps]:
    lamps = Lamps(pins, pins=WIRES)
    yield lamps
    lamps.close()


def levels(pins: Any, numbers: tuple[int, ...]) -> list[float]:
    return [float(pins.pin(number).state) for number in numbers]


def roll(*, succeeded: bool | None = True, status: Status = Status.SURE, moods: str = "", **net: int) -> Roll:
    face: Face = ("success",)
    die = RollDie(type="ability", face=face, status=status)
    return Roll(
        id="1", at=0, game="narrative", source=Source.CAMERA, ask={}, dice=(die,), succeeded=succeeded,
        net=tuple(net.items()), moods=tuple((Mood(mood), "symbol") for mood in moods.split()),
    )  # fmt: skip


def test_a_lamp_burns_for_each_point(pins: Any, lamps: Lamps) -> None:
    lamps.show(TableState(destiny=Destiny(light=2, dark=1)))
    assert levels(pins, LIGHT) == [1, 1, 0]
    assert levels(pins, DARK) == [1, 0, 0]
    lamps.show(TableState(destiny=Destiny(light=1, dark=2)))
    assert levels(pins, LIGHT) == [1, 0, 0]
    assert levels(pins, DARK) == [1, 1, 0]


def test_more_points_than_lamps_pulse_the_last(pins: Any, lamps: Lamps) -> None:
    seen = threading.Event()
    pin = pins.pin(13)
    change = pin._change_state

    def spy(level: float) -> bool:
        if 0 < level < 1:
            seen.set()
        return bool(change(level))

    pin._change_state = spy
    lamps.show(TableState(destiny=Destiny(light=4)))
    assert levels(pins, LIGHT[:2]) == [1, 1]
    assert seen.wait(5)


@pytest.mark.parametrize(
    ("shown", "rhythm"),
    [
        (None, Rhythm.OFF),
        (roll(), Rhythm.STEADY),
        (roll(succeeded=False), Rhythm.SLOW),
        (roll(moods="triumph"), Rhythm.PULSE),
        (roll(moods="triumph despair"), Rhythm.FAST),
        (roll(succeeded=None, total=17), Rhythm.STEADY),
    ],
)
def test_the_result_is_told_by_rhythm_too(shown: Roll | None, rhythm: Rhythm) -> None:
    assert result_glow(shown).rhythm is rhythm


def test_every_mood_has_a_light_of_its_own() -> None:
    assert set(MOODS) == {mood.value for mood in Mood}
    assert len({glow.rhythm for glow in MOODS.values()}) == len(MOODS)


@pytest.mark.parametrize("row", ROWS, ids=title)
def test_the_result_lamp_says_what_is_next(row: dict[str, Any]) -> None:
    now = Now(name=row["name"], roll="1" if row.get("about") else None)
    glow = now_glow(TableState(rolls=(roll(),), open_now=now))
    assert (glow.rhythm.value, "#" + "".join(f"{round(255 * one):02x}" for one in glow.colour)) == tuple(row["lamp"])


def test_a_rhythm_is_not_begun_anew_by_what_another_lamp_shows(
    pins: Any, lamps: Lamps, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpiozero import RGBLED

    begun: list[RGBLED] = []
    blink = RGBLED.blink
    monkeypatch.setattr(RGBLED, "blink", lambda lamp, *beats, **more: (begun.append(lamp), blink(lamp, *beats, **more)))
    failed = shown_roll(roll(succeeded=False))
    for light in (1, 2, 1):
        lamps.show(dataclasses.replace(failed, destiny=Destiny(light=light)))
    assert len(begun) == 1
    lamps.show(TableState())
    lamps.show(failed)
    assert len(begun) == 2


def shown_roll(roll: Roll, name: str = "spend") -> TableState:
    return TableState(rolls=(roll,), open_now=Now(name=name, roll=roll.id))


def test_a_result_fades_within_a_minute_and_a_fall_is_shown_for_three_seconds(
    pins: Any, lamps: Lamps, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpiozero import RGBLED

    begun: list[tuple[Any, ...]] = []
    for name in ("blink", "pulse"):
        monkeypatch.setattr(RGBLED, name, lambda _, *beats, **more: begun.append((*beats, more.get("n"))))
    for state in (shown_roll(roll(), "result"), TableState(open_now=Now(name="fallen")), TableState()):
        lamps.show(state)
    assert begun == [(0.0, 60.0, 1), (3.0, 0.0, 1)]


def test_success_is_green_and_then_out(pins: Any, lamps: Lamps) -> None:
    lamps.show(shown_roll(roll()))
    assert levels(pins, RESULT) == [0, 1, 0]
    lamps.show(TableState())
    assert levels(pins, RESULT) == [0, 0, 0]


def test_a_plain_result_lamp_burns(pins: Any) -> None:
    lamps = Lamps(pins, pins={"result": (22,)})
    lamps.show(shown_roll(roll()))
    assert levels(pins, (22,)) == [1]
    lamps.close()


def test_closed_lamps_leave_their_pins_free(pins: Any, lamps: Lamps) -> None:
    lamps.show(dataclasses.replace(shown_roll(roll(despair=1)), destiny=Destiny(light=3)))
    lamps.close()
    Lamps(pins, pins=WIRES).close()


def test_lamps_that_cannot_all_be_had_give_back_what_they_took(pins: Any) -> None:
    from gpiozero import GPIOPinInUse

    with pytest.raises(GPIOPinInUse):
        Lamps(pins, pins={"light": (5,), "dark": (5,)})
    Lamps(pins, pins={"light": (5,)}).close()


def test_one_press_tells_once_however_the_contact_chatters(pins: Any) -> None:
    now = [0.0]
    told: list[str] = []
    buttons = Buttons(
        pins, pins={"flip_light": (17,), "flip_dark": (27,)}, when_pressed=told.append, clock=lambda: now[0]
    )
    for _ in range(5):
        pins.pin(17).drive_low()
        now[0] += 0.002
        pins.pin(17).drive_high()
        now[0] += 0.002
    assert told == ["flip_light"]
    now[0] += 0.2
    pins.pin(17).drive_low()
    now[0] += 0.2
    pins.pin(17).drive_high()  # lets go, chattering
    now[0] += 0.002
    pins.pin(17).drive_low()
    now[0] += 0.002
    pins.pin(17).drive_high()
    assert told == ["flip_light", "flip_light"]
    pins.pin(27).drive_low()
    assert told[2:] == ["flip_dark"]
    buttons.close()


def test_a_held_button_tells_once_and_a_stuck_one_is_said_until_it_is_let_go(pins: Any) -> None:
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    buttons = Buttons(
        pins, pins={"undo": (18,)}, when_pressed=lambda name: told.put(f"held {name}"),
        hold_seconds=0.05, stuck_seconds=0.15, when_stuck=lambda name: told.put(f"stuck {name}"),
        when_freed=lambda name: told.put(f"freed {name}"), bounce_seconds=0,
    )  # fmt: skip
    pins.pin(18).drive_low()
    assert [told.get(timeout=30), told.get(timeout=30)] == ["held undo", "stuck undo"]
    pins.pin(18).drive_high()
    assert told.get(timeout=30) == "freed undo"
    pins.pin(18).drive_low()
    pins.pin(18).drive_high()
    buttons.close()
    assert told.empty()


def test_one_lamp_tells_the_pool_by_colour_and_rhythm() -> None:
    glows = [pool_glow(TableState(destiny=Destiny(light=light, dark=dark))) for light, dark in
             ((3, 0), (2, 2), (0, 3), (0, 0))]  # fmt: skip
    assert [glow.rhythm for glow in glows] == [Rhythm.PULSE, Rhythm.STEADY, Rhythm.SLOW, Rhythm.OFF]
    assert glows[0].colour[2] > glows[1].colour[2] > glows[2].colour[2]
    assert glows[0].colour[0] < glows[1].colour[0] < glows[2].colour[0]


def test_a_pool_that_does_not_flip_shines_steadily_also_without_dark_points() -> None:
    glow = pool_glow(TableState(destiny=Destiny(light=3), destiny_flips=False))
    assert glow.rhythm is Rhythm.STEADY


def test_the_lamp_of_the_state_tells_trouble_and_doubt() -> None:
    trouble = (Trouble(part="camera", what="lost", since=1),)
    states = TableState(), TableState(open_now=Now(name="doubt")), TableState(trouble=trouble)
    assert [status_glow(state).rhythm for state in states] == [Rhythm.STEADY, Rhythm.SLOW, Rhythm.FAST]


def test_a_hidden_roll_leaves_the_result_lamp_dark(pins: Any, lamps: Lamps) -> None:
    hidden = TableState(rolls=(replace(roll(), is_hidden=True),), agenda=Agenda(open=("1",)), session=Session(number=1))
    state = with_now(TableState(), hidden, SYSTEM)
    assert (state.now.name, state.open_now.roll) == ("result", None)
    lamps.show(state)
    assert levels(pins, RESULT) == [0, 0, 0]


def test_the_lamp_test_lights_all_and_gives_them_back(pins: Any) -> None:
    lamps = Lamps(pins, pins={**WIRES, "status": (4,)})
    lamps.show(TableState(destiny=Destiny(light=1), is_testing=True))
    assert levels(pins, (*LIGHT, *DARK, 4)) == [1] * 7
    assert max(levels(pins, RESULT)) > 0
    lamps.show(TableState(destiny=Destiny(light=1)))
    assert levels(pins, (*LIGHT, *DARK, 4)) == [1, 0, 0, 0, 0, 0, 1]
    assert levels(pins, RESULT) == [0, 0, 0]
    lamps.close()


def test_the_lamp_test_ends_each_time_it_is_switched_off_whatever_is_shown_then(pins: Any, undo: ExitStack) -> None:
    before = threading.active_count()
    lamps = Lamps(pins, pins=WIRES)
    undo.callback(lamps.close)
    steady, dark = (shown_roll(roll()), [0, 1, 0]), (TableState(), [0, 0, 0])
    for one, expected in (steady, steady, dark, steady):
        state = step(one, TestLamps(at=1.0), SYSTEM)
        lamps.show(state)
        assert threading.active_count() > before  # it goes through its colours
        for _ in range(2):  # by two phones
            state = step(state, TestLamps(at=2.0, is_on=False), SYSTEM)
        lamps.show(state)
        assert (levels(pins, RESULT), threading.active_count()) == (expected, before)


def test_the_colours_of_an_rgb_lamp_are_mixed_by_what_each_draws(pins: Any) -> None:
    lamps = Lamps(pins, pins={"result": RESULT}, rgb_shares=(1, 0.5, 0.25))
    panel = Panel(pins, pins={"result": RESULT}, rgb_shares=(1, 0.5, 0.25))
    lamps.show(shown_roll(roll(succeeded=None, total=17)))  # 0.3, 0.5 and 1 of red, green and blue
    assert levels(pins, RESULT) == [0.3, 0.25, 0.25]
    assert panel.snapshot()["lamps"][0]["colour"] == "#4c80ff"  # as it looks
    lamps.close()


def test_the_drawn_panel_shows_what_the_pins_carry(pins: Any, lamps: Lamps) -> None:
    panel = Panel(pins, pins={**WIRES, "flip_light": (17,)})
    buttons = Buttons(pins, pins={"flip_light": (17,)}, when_pressed=[].append)
    lamps.show(dataclasses.replace(shown_roll(roll()), destiny=Destiny(light=1)))
    shown = panel.snapshot()
    assert shown["mock"] is True
    assert {lamp["name"]: lamp["value"] for lamp in shown["lamps"]} == {
        "light 1": 1, "light 2": 0, "light 3": 0, "dark 1": 0, "dark 2": 0, "dark 3": 0, "result": 1,
    }  # fmt: skip
    assert shown["lamps"][-1] == {
        "name": "result", "side": "result", "pin": "22/23/24", "colour": "#00ff00", "value": 1,
    }  # fmt: skip
    panel.press("flip_light", True)
    assert panel.snapshot()["buttons"] == [{"name": "flip_light", "label": "Flip light", "pin": 17, "pressed": True}]
    panel.press("flip_light", False)
    assert panel.snapshot()["buttons"][0]["pressed"] is False
    buttons.close()


def test_the_panel_tells_changes_and_stops_when_closed(pins: Any, lamps: Lamps) -> None:
    panel = Panel(pins, pins={"light": LIGHT})
    told = threading.Event()
    panel.watch(lambda shown: told.set() if shown["lamps"][0]["value"] else None)
    lamps.show(TableState(destiny=Destiny(light=1)))
    assert told.wait(5)
    panel.close()
    assert "tableside panel" not in {thread.name for thread in threading.enumerate()}


def test_a_table_without_drawn_pins_has_nothing_to_draw() -> None:
    panel = Panel(None, pins={"light": LIGHT})
    assert panel.snapshot() == {"lamps": [], "buttons": [], "mock": False}
    with pytest.raises(PinError, match="no drawn buttons"):
        panel.press("flip_light", True)


def test_an_unknown_drawn_button_names_the_nearest(pins: Any) -> None:
    panel = Panel(pins, pins={"flip_light": (17,)})
    with pytest.raises(PinError, match="Did you mean flip_light"):
        panel.press("flip_ligth", True)


def test_pins_switched_off_are_no_pins() -> None:
    with pytest.raises(PinError, match="no pins here: switched off"):
        open_pins("none")


def test_the_empty_lgpio_stub_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", types.ModuleType("lgpio"))
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(PinError, match=r"no pins here: the installed lgpio is the empty stub.*apt install"):
        open_pins("auto")


def test_a_machine_without_lgpio_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(PinError, match="no pins here: lgpio is not installed"):
        open_pins("auto")
