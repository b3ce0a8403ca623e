"""The demo: recorded rolls come by themselves until somebody is there, and then when they are asked for."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from tableside import paths
from tableside.adapters.camera.folder import RecordedRolls
from tableside.adapters.camera.port import no_wait
from tableside.app.demo import FIRST, Demo, opening
from tableside.dice import Die, Status, find_sets
from tableside.rules import find_game
from tableside.table import MemoryStore, Message, System, Table
from tableside.table.kept import Roll, RollDie, Setup, Source, TableState
from tableside.table.messages import CallRoll, ChooseGame, CorrectDie, EnterRoll
from tests.fakes.tray import write_rolls
from tests.until import until
from tests.whole.test_table import wait_for

LONG = 60.0
ROLL = Roll(id="1", at=1.0, game="narrative", source=Source.CAMERA, ask={}, dice=(RollDie(type="ability", face=()),))


def test_rolls_come_by_themselves_while_nobody_is_there() -> None:
    demo = Demo()
    demo.show(TableState(rolls=(ROLL,)))
    assert [demo.goes_on(seconds) for seconds in (0.0, 5.0, LONG)] == [False, False, True]


def test_nothing_comes_by_itself_until_nobody_was_there_for_a_minute() -> None:
    now = [0.0]
    demo = Demo(clock=lambda: now[0])
    for at in (20.0, 75.0):  # somebody comes back
        now[0] = at
        demo.touch()
        for later, is_playing in ((0.0, False), (54.0, False), (61.0, True)):
            now[0] = at + later
            assert (demo.is_playing, demo.goes_on(LONG)) == (is_playing, is_playing)


def test_a_question_waits_for_its_answer_but_not_for_ever() -> None:
    demo = Demo()
    unsure = replace(ROLL, dice=(RollDie(type="ability", face=(), status=Status.UNSURE),))
    demo.show(TableState(rolls=(unsure,)))
    assert [demo.goes_on(seconds) for seconds in (LONG, LONG + 9)] == [False, True]
    demo.show(TableState(rolls=(ROLL,)))
    assert demo.goes_on(LONG)


def test_the_next_roll_comes_once_for_each_time_that_it_is_asked_for() -> None:
    demo = Demo()
    demo.touch()
    demo.goes_on(0.0)
    demo.throw()
    assert [demo.goes_on(seconds) for seconds in (0.5, 3.0, 3.1)] == [False, True, False]  # it is read before it goes
    demo.throw()  # the dice roll just now
    assert [demo.goes_on(seconds) for seconds in (0.0, 3.0)] == [False, False]


@pytest.mark.parametrize(
    ("game", "wanted"), [("", "symbols pips"), ("narrative", "symbols"), ("heroic", "symbols"), ("d6-wild", "pips")]
)
def test_the_game_says_which_rolls_fit(game: str, wanted: str, tmp_path: Path) -> None:
    for name, kind in (("symbols", "ability"), ("pips", "pip")):
        (tmp_path / f"{name}.json").write_text(json.dumps({"dice": [{"type": kind}]}), encoding="utf-8")
    demo = Demo(tmp_path)
    demo.show(TableState(setup=Setup(game=game)))
    assert " ".join(name for name in ("symbols", "pips") if demo.fits(tmp_path / f"{name}.jpg")) == wanted


@pytest.mark.parametrize("game", ["narrative", "heroic", "d6-companion", "d6-wild"])
def test_every_game_has_a_recorded_roll(game: str) -> None:
    demo = Demo()
    demo.show(TableState(setup=Setup(game=game)))
    assert any(demo.fits(path) for path in paths.samples_folder().glob("roll-*.jpg"))


def frames_of(camera: RecordedRolls, count: int) -> list[int]:
    """Say of so many frames which dice lie there: 1 for the first roll, 2 for the second, 0 for an empty tray."""
    camera.open()
    seen = []
    for frame in islice(camera.frames(), count):
        blue, green, _ = (int(level) for level in frame.picture[100, 100])
        seen.append(1 if green > blue + 80 else 2 if blue > green + 80 else 0)
    camera.close()
    return seen


def test_a_roll_lies_until_it_may_go_and_unfit_ones_are_left_out(tmp_path: Path) -> None:
    rolls = write_rolls(tmp_path, [("green", 100, 100)], [("purple", 100, 100)])
    asked: list[float] = []

    def goes_on(seconds: float) -> bool:
        asked.append(seconds)
        return seconds >= 2

    camera = RecordedRolls(rolls, fps=10, noise=False, goes_on=goes_on, wait=no_wait)
    seen = frames_of(camera, 80)
    assert asked[:21] == [n / 10 for n in range(21)]
    assert seen.count(1) >= 20
    assert seen.count(2) >= 20
    only = RecordedRolls(rolls, fps=10, noise=False, fits=lambda path: path.stem == "roll-01", hold_seconds=1,
                         wait=no_wait)  # fmt: skip
    assert 1 not in frames_of(only, 80)
    none = RecordedRolls(rolls, fps=10, noise=False, fits=lambda _: False, hold_seconds=1, wait=no_wait)
    assert {1, 2} <= set(frames_of(none, 80))  # rather than an empty tray for ever


def opened() -> tuple[Table, Demo]:
    """Return a table that a demo has begun on, and the demo."""
    table = Table(System(sets=find_sets()), MemoryStore())
    demo = Demo(first=FIRST, clock=lambda: 5.0)
    demo.begin(table.post)
    table.add_display("demo", demo)
    for message in opening():
        table.ask(message)
    return table, demo


def test_it_begins_with_heroes_one_of_whom_is_called_for_the_first_roll() -> None:
    table, demo = opened()
    asked = wait_for(table, lambda state: bool(state.asked.id)).asked
    here = [one.name for one in table.state.people if one.game == "narrative"]
    assert here == ["Oskara", "Vex", "Lowhhrick", "Ilun", "Troopers"]
    assert (asked.player, asked.label) == ("Vex", "Stealth")
    against = {"challenge": 1, "difficulty": 1, "setback": 1}
    assert asked.tray is not None
    assert dict(asked.tray.dice) == {"proficiency": 2, "ability": 1, "boost": 1, **against}
    assert demo.waits()
    until(lambda: demo._state.asked.id and not demo._bringing)  # it is a display: it hears a little later
    demo.throw()
    assert not demo.waits()
    assert demo.fits(paths.samples_folder() / f"{FIRST}.jpg")
    assert not demo.fits(paths.samples_folder() / "roll-1.jpg")
    table.ask(CallRoll(id="over", at=6.0))  # the roll is over
    wait_for(table, lambda state: not state.asked.id)
    until(lambda: not demo._state.asked.id)
    demo.throw()
    asked = wait_for(table, lambda state: bool(state.asked.id)).asked
    assert asked.player == "Lowhhrick"
    assert not demo.fits(paths.samples_folder() / f"{FIRST}.jpg")
    table.close()


@pytest.mark.parametrize("game", ["narrative", "heroic", "d6-companion", "d6-wild"])
def test_in_each_game_a_fight_goes_on_in_which_one_after_the_other_is_called(game: str) -> None:
    others = {"narrative": "Troopers", "heroic": "Ogre", "d6-companion": "Scout", "d6-wild": "Guard"}
    here = {one: sorted([*(hero.name for hero in find_game(one).ready.heroes), who]) for one, who in others.items()}
    other = "heroic" if game == "narrative" else "narrative"

    def in_order(state: TableState) -> list[str]:
        return sorted(slot.who for slot in state.initiative.slots)

    def acting(state: TableState) -> str:
        return state.initiative.current.who if state.initiative.current else ""

    table = Table(System(sets=find_sets()), MemoryStore())
    demo = Demo()
    demo.begin(table.post)
    table.add_display("demo", demo)
    for again in range(2):  # a game that comes back finds its people there
        for chosen in (other, game):
            table.ask(ChooseGame(id=f"{chosen} {again}", at=1.0, game=chosen))
            until(lambda one=chosen: in_order(table.state) == here[one])
        assert sorted(one.name for one in table.state.people if one.game == game) == here[game]
        called = set()
        for number in range(3):
            until(lambda: demo._game == game and not demo._bringing)
            demo.throw()
            demo.goes_on(0.0)  # the dice roll
            asked = wait_for(table, lambda state: bool(state.asked.id)).asked
            until(lambda who=asked.player: acting(table.state) == who)
            called.add(asked.player)
            table.ask(CallRoll(id=f"over {again} {number}", at=6.0))
            until(lambda: not demo._state.asked.id)
        assert len(called) == 3
    table.close()


def test_some_of_the_calls_hurt_whom_the_heroes_meet() -> None:
    table = Table(System(sets=find_sets()), MemoryStore())
    demo = Demo()
    demo.begin(table.post)
    table.add_display("demo", demo)
    table.ask(ChooseGame(id="game", at=1.0, game="narrative"))
    until(lambda: len(demo._heroes()) == 4 and len(demo._state.initiative.slots) == 5)
    against = []
    for number in range(4):
        demo.throw()
        against.append(wait_for(table, lambda state: bool(state.asked.id)).asked.against)
        table.ask(CallRoll(id=f"over {number}", at=6.0))
        until(lambda: not demo._state.asked.id)
    assert sorted(against) == ["", "", "troopers", "troopers"]
    table.close()


@pytest.mark.parametrize(("game", "other"), [("d6-companion", "scout"), ("d6-wild", "guard")])
def test_where_damage_is_rolled_a_hit_is_resisted_and_hurts(game: str, other: str) -> None:
    """The dice of each call lie in a recorded roll, and what they come to can be applied."""
    table = Table(System(sets=find_sets()), MemoryStore())
    demo = Demo()
    demo.begin(table.post)
    table.add_display("demo", demo)
    table.ask(ChooseGame(id="game", at=1.0, game=game))
    until(lambda: len(demo._heroes()) == 4 and not demo._bringing)
    rolls: list[Roll] = []
    for number in range(8):
        demo.throw()
        asked = wait_for(table, lambda state: bool(state.asked.id)).asked
        (picture,) = (path for path in paths.samples_folder().glob("roll-*.jpg") if demo.fits(path))
        lie = [die["face"] for die in json.loads(picture.with_suffix(".json").read_text())["dice"]]
        assert asked.tray is not None
        thrown = sorted(Counter(dict(asked.tray.dice)).elements(), reverse=True)  # a Wild Die first, with no six
        faces = zip(thrown, sorted(lie, key=lambda face: face != lie[-2]), strict=True)
        dice = tuple(Die(type=kind, face=tuple(face)) for kind, face in faces)
        table.ask(EnterRoll(id=f"roll {number}", at=2.0, dice=dice, uses_ask=True))
        until(lambda n=number: [roll.id for roll in demo._state.rolls[:1]] == [f"roll {n}"])
        rolls.insert(0, table.state.rolls[0])
        if rolls[0].effects:
            break
    damage, resisted, hit = rolls[:3]
    assert (hit.against, hit.succeeded, resisted.who, damage.who) == (other, True, other, hit.who)
    (effect,) = (one for one in damage.effects if one.tracker == "wounds")
    assert effect.on == "target"
    table.close()


def test_a_call_of_another_game_is_over_with_that_game_whose_first_roll_waits_for_its_people() -> None:
    table, demo = opened()
    wait_for(table, lambda state: state.asked.player == "Vex")
    table.ask(ChooseGame(id="game", at=1.0, game="d6-companion"))
    demo.throw()  # as the page does that chose the game: the demo may hear of it before, meanwhile or after
    asked = wait_for(table, lambda state: state.asked.game == "d6-companion").asked
    assert asked.who in {hero.id for hero in demo._heroes()}
    table.close()


def test_the_first_roll_comes_by_itself_after_a_minute() -> None:
    now = [0.0]
    demo = Demo(first=FIRST, clock=lambda: now[0])
    assert demo.waits()
    now[0] = 59.0
    assert demo.waits()
    now[0] = 61.0
    assert not demo.waits()
    demo.touch()
    assert not demo.waits()  # it was thrown: what is asked for from now on is the next one


def test_a_question_that_nobody_answers_is_answered_by_the_likeliest_face_once() -> None:
    told: list[Message] = []
    demo = Demo()
    demo.begin(told.append)
    unsure = RollDie(type="boost", face=("advantage",), status=Status.UNSURE)
    demo.show(TableState(rolls=(replace(ROLL, dice=(ROLL.dice[0], unsure)),)))
    assert [demo.goes_on(seconds) for seconds in (59.0, 60.0, 61.0)] == [False, False, False]
    (answer,) = told
    assert isinstance(answer, CorrectDie)
    assert (answer.index, answer.type, answer.face) == (1, "boost", ("advantage",))


def test_an_empty_tray_is_seen_until_the_first_roll_may_come(tmp_path: Path) -> None:
    rolls = write_rolls(tmp_path, [("green", 100, 100)], [("purple", 100, 100)])
    asked = iter([True] * 12)
    camera = RecordedRolls(rolls, fps=10, noise=False, wait=no_wait, waits=lambda: next(asked, False))
    seen = frames_of(camera, 40)
    assert seen[:20] == [0] * 20
    assert 1 in seen
