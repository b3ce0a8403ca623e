"""What goes wrong in an evening: each fault is said, and nothing that was acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tableside.reader.photo import Picture
from tests.fakes.tray import draw_tray
from tests.whole.evening import Evening, Phone, effects
from tests.whole.test_table import wait_for

RIFLE = {"attack": "ranged", "purpose": "attack", "range": "close", "damage": 9}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with Evening(tmp_path, "narrative") as evening:
        evening.add(
            "Oskara", skills={"Mechanics": {"characteristic": 2, "skill": 1}},
            weapons=[{"name": "Rifle", "skill": "Mechanics", "ask": RIFLE}],
        )  # fmt: skip
        evening.add("Guard", "person", defences={"soak": 3}, trackers={"wounds": {"value": 0, "most": 10}})
        yield evening


def hit(evening: Evening) -> dict[str, object]:
    """Shoot at the guard: 9 and 1, less 3, is 7."""
    evening.call("Oskara", weapon="Rifle", against="Guard")
    return evening.throw("ability success, proficiency -, difficulty -")


def test_what_cannot_be_is_refused_and_what_comes_twice_at_once_counts_as_it_was_meant(evening: Evening) -> None:
    evening.call("Oskara", "Mechanics", difficulty="easy")
    before = evening.gm("api/state")["call"]
    told = evening.refused("api/ask", {"who": evening.id_of("Oskara"), "skill": "Mechanic"})
    assert told == "Oskara has no skill 'Mechanic'"
    assert evening.gm("api/state")["call"] == before

    person = {"id": evening.id_of("Guard"), "trackers": {"wounds": {"change": 1}}}
    with ThreadPoolExecutor(2) as pool:  # a phone and the screen press
        pages = (evening.gm, evening.screen)
        list(pool.map(lambda page: page("api/people", {"do": "change", "person": person}), pages))
    for wounds in (2, 1, 0):
        assert evening.tracker("Guard", "wounds") == wounds
        if wounds:
            evening.undo()

    roll, other = hit(evening), Phone(evening, "player", "Mira")
    body = {"effect": 0, "to": evening.id_of("Guard")}
    with ThreadPoolExecutor(2) as pool:  # two phones apply the same
        list(pool.map(lambda phone: phone(f"api/rolls/{roll['id']}/apply", body), (evening.player, other)))
    assert evening.tracker("Guard", "wounds") == 7
    evening.undo()
    assert evening.tracker("Guard", "wounds") == 0

    evening.leaves("Guard")
    assert evening.refused(f"api/rolls/{roll['id']}/apply", body) == "nobody of that id is here"
    evening.undo()
    evening.apply(roll, "Guard")
    assert evening.tracker("Guard", "wounds") == 7

    evening.add("Thug", "person", game="d6-wild", skills={"Dodge": {"code": "3D"}}, defences={"cover": "1/4"})
    thug = evening.id_of("Thug")
    told = evening.refused(f"api/rolls/{roll['id']}/apply", {"effect": 0, "to": thug})
    assert told == "Thug is of another game"
    body = {"who": evening.id_of("Oskara"), "weapon": "Rifle", "against": thug}
    assert evening.refused("api/ask", body) == "Thug is of another game"
    assert evening.call("Thug", "Dodge") == {"pip": 2, "wild": 1}  # alone it plays its own game


def test_dice_that_roll_while_the_call_changes_count_for_the_new_call(evening: Evening) -> None:
    evening.call("Oskara", "Mechanics", difficulty="easy")
    table, dice = evening.running.table, [("ability", ("success",)), ("proficiency", ()), ("difficulty", ())]
    wait_for(table, lambda state: state.phase.value in ("empty", "still"))
    places = ((50, 50), (150, 50), (50, 150))
    evening.reader.thrown = dict(zip(places, dice, strict=True))

    def rolling(number: int) -> Picture:
        at = np.random.default_rng(number).integers(-25, 35, (3, 2)) + places
        return draw_tray(*(("green", int(x), int(y)) for x, y in at))

    evening.sensor.rolling = rolling
    wait_for(table, lambda state: state.phase.value == "moving")
    evening.call("Oskara", weapon="Rifle", against="Guard")
    evening.sensor.scene, evening.sensor.rolling = draw_tray(*(("green", x, y) for x, y in places)), None
    roll = evening.roll(wait_for(table, lambda state: bool(state.rolls)).rolls[0].id)
    assert (roll["label"], roll["against"]) == ("Rifle", evening.id_of("Guard"))
    assert effects(roll) == [("wounds", 7)]


def test_a_camera_that_goes_in_the_middle_is_said_and_the_evening_goes_on_by_hand(evening: Evening) -> None:
    table = evening.running.table
    evening.call("Oskara", weapon="Rifle", against="Guard")
    evening.sensor.fault = "unplugged"
    wait_for(table, lambda state: state.phase.value == "no_camera")
    assert [one["part"] for one in evening.gm("api/state")["trouble"]] == ["camera"]
    evening.turns = 2  # by hand
    roll = evening.throw("ability success, proficiency -, difficulty -")
    evening.apply(roll, "Guard")
    evening.call("Oskara", "Mechanics", difficulty="easy")
    evening.sensor.fault = ""
    wait_for(table, lambda state: state.phase.value in ("empty", "still"))
    evening.turns = 1  # before the camera
    assert evening.throw("ability -, proficiency success, difficulty -")["label"] == "Mechanics"


def test_power_lost_between_the_throw_and_the_wound_loses_neither(evening: Evening) -> None:
    roll = hit(evening)
    evening.power_fails()
    evening.apply(roll, "Guard")
    evening.power_fails()
    evening.apply(roll, "Guard")
    assert evening.tracker("Guard", "wounds") == 7


def test_a_roll_by_several_goes_on_through_camera_and_hand_while_the_power_fails_and_a_fight_waits(
    tmp_path: Path,
) -> None:
    looks = {"Perception": {"characteristic": 2, "skill": 1}}
    with Evening(tmp_path, "narrative") as evening:
        people = [evening.add(name, skills=looks) for name in ("Oskara", "Vex", "Mara")]
        for side, rank in (("player", [2, 0]), ("npc", [1, 1])):
            evening.gm("api/initiative", {"do": "add", "side": side, "rank": rank})
        order = evening.gm("api/state")["initiative"]
        body = {"who": people[0], "others": people[1:], "skill": "Perception", "ask": {"difficulty": "average"}}
        assert evening.gm("api/ask", body)["asked"]["player"] == "Oskara"
        first = evening.throw("ability success, proficiency -, difficulty - -", is_seen=True)
        assert (first["by"], evening.gm("api/state")["asked"]["player"]) == ("Oskara", "Vex")
        evening.power_fails()
        assert evening.gm("api/state")["asked"]["player"] == "Vex"
        faces = [("ability", ["success", "success"]), ("proficiency", ["success"]), *[("difficulty", [])] * 2]
        dice = [{"type": kind, "face": face} for kind, face in faces]
        evening.player("api/rolls", {"dice": dice, "uses_ask": True})  # by hand
        evening.throw("ability -, proficiency success+success, difficulty - failure", is_seen=True)
        state = evening.gm("api/state")
        assert [(one["place"], one["name"], one["net"]["success"]) for one in state["contest"]["places"]] == [
            (1, "Vex", 3), (2, "Oskara", 1), (2, "Mara", 1)]  # fmt: skip
        assert (state["contest"]["sentence"], state["asked"], state["initiative"]) == ("Vex wins.", None, order)
        evening.undo()
        assert evening.gm("api/state")["asked"]["player"] == "Mara"
