"""What moves, shines, plays and sounds on the table screen when a result comes, and that none of it is in the way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

import pytest
from playwright.sync_api import Page, expect

from tableside.app.replays import Replays
from tableside.app.running_table import RunningTable
from tableside.dice import Die, DieReading, Face, Reading, Status
from tableside.table.kept import Phase, Side
from tableside.table.messages import (
    ApplyEffect,
    CallRoll,
    ChangeDestiny,
    ChangePerson,
    ChooseGame,
    Do,
    DoPerson,
    EnterRoll,
    NewRoll,
    ShowPhase,
)
from tableside.tray.film import Reel
from tableside.tray.frame import Frame
from tests.browser.conftest import Opens, new_id
from tests.fakes.tray import draw_tray

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TRIUMPH: tuple[str, Face] = ("proficiency", ("triumph",))
DESPAIR: tuple[str, Face] = ("challenge", ("despair",))
PLAIN: tuple[str, Face] = ("ability", ("success", "success"))
NOTE = """() => {
    window.seen = [];
    const note = (what) => window.seen.at(-1) !== what && window.seen.push(what);
    new MutationObserver(() => {
        const edge = document.querySelector("#edge[data-shining]");
        if (edge) note(`shining ${edge.dataset.moods}`);
        const star = document.querySelector("#star .die-drawing");
        if (star) note(`star ${star.dataset.type}`);
        const film = document.querySelector("#film");
        if (film) note(`film ${film.dataset.picture ?? ""}`);
        if (document.querySelector(".hop")) note("hop");
        const count = document.querySelector('#net [data-symbol="success"] .count');
        if (count) note(`count ${count.textContent}`);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""
"""Writes down what comes and goes, in order; what is seen for a moment alone is missed by whoever asks now and then."""
SOUNDS = """() => {
    window.sounds = [];
    const param = () => ({
        setValueAtTime(value) { this.from ??= value; },
        exponentialRampToValueAtTime(value) { this.to = value; },
    });
    const node = () => ({ connect: (other) => other });
    window.AudioContext = class {
        currentTime = 0;
        destination = node();
        resume() {}
        createGain() { return { ...node(), gain: param() }; }
        createOscillator() {
            const source = { ...node(), frequency: param(), stop() {} };
            source.start = (at) => window.sounds.push({ at, from: source.frequency.from, to: source.frequency.to });
            return source;
        }
    };
}"""
"""An audio context that writes down what would be heard."""


def seen(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.seen")
    return found


def wait_for_the_end(page: Page) -> None:
    """Wait until the film, which comes last, was played."""
    page.wait_for_function("() => window.seen.some((what) => what.startsWith('film'))")
    page.locator("#replay").wait_for()


def film_of(running: RunningTable, roll_id: str) -> None:
    """Film a green die that rolls to the left, as the camera loop would.

    The loop of the running table tells the same reel of its own frames: where one came between, it is filmed again.
    """
    frames = [Frame.of(draw_tray(("green", 100 + 6 * max(0, 25 - n), 100)), number=n, time=n / 30) for n in range(31)]
    alone = Reel()
    pictures = _filmed(alone, frames).cut()
    assert pictures is not None
    whole = len(pictures.film().times)
    while (film := running.replays.film(roll_id)) is None or len(film.times) != whole:
        _filmed(running.replays, frames).keep(roll_id)


_Filming = TypeVar("_Filming", Reel, Replays)


def _filmed(filming: _Filming, frames: Sequence[Frame]) -> _Filming:
    for frame in frames:
        filming.see(frame)
    filming.rest(25)
    return filming


def throw(
    running: RunningTable,
    *dice: tuple[str, Face],
    age: float = 0.0,
    is_filmed: bool = True,
    places: Sequence[tuple[float, float]] = (),
) -> str:
    """Hand in a roll with its picture and its film."""
    roll_id = new_id()
    places = places or [(60.0 + 30 * n, 60.0) for n in range(len(dice))]
    read = tuple(
        DieReading(type=kind, face=face, center=(x, y), confidence=0.99, status=Status.SURE,
                   outline=((x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12)))
        for (kind, face), (x, y) in zip(dice, places, strict=True)
    )  # fmt: skip
    running.pictures.keep(roll_id, draw_tray())
    if is_filmed:
        film_of(running, roll_id)
    reading = Reading(width=320, height=240, dice=read)
    running.table.ask(NewRoll(id=roll_id, at=time.time() - age, reading=reading, has_picture=True))
    return roll_id


@pytest.fixture
def screen(page: Page) -> Page:
    """The table screen, on which is written down what comes and goes, and what would be heard."""
    page.locator("body[data-ready]").wait_for()
    page.evaluate(NOTE)
    page.evaluate(SOUNDS)
    return page


def test_the_film_of_a_throw_plays_once_by_itself_not_after_a_correction_and_then_by_its_button(
    screen: Page, running: RunningTable
) -> None:
    roll_id = throw(running, PLAIN)
    button = screen.locator("#replay")
    wait_for_the_end(screen)
    played = [int(what.split()[1]) for what in seen(screen) if what.startswith("film ") and what != "film "]
    assert played == sorted(played)
    assert played[0] <= 3
    assert played[-1] >= 10
    screen.evaluate("window.seen = []")
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SPEND, side=Side.LIGHT))  # any later state
    screen.locator('.token[data-side="dark"]').nth(1).wait_for()
    corrected = {"type": "ability", "face": ["success"]}
    assert screen.request.post(f"{running.address}api/rolls/{roll_id}/dice/0", data=corrected).ok
    expect(screen.locator('#net [data-symbol="success"] .count')).to_have_text("1")
    assert not [what for what in seen(screen) if not what.startswith("count")]
    button.click()
    screen.wait_for_function("() => window.seen.some((what) => what.startsWith('film'))")
    button.wait_for()


def test_an_old_result_has_had_its_moment_and_its_button_is_in_the_corner_farthest_from_the_dice(
    screen: Page, running: RunningTable
) -> None:
    throw(running, TRIUMPH, PLAIN, PLAIN, age=60, places=[(60, 60), (200, 60), (60, 160)])
    button = screen.locator("#replay")
    expect(button).to_have_attribute("data-corner", "bottom right")
    assert screen.locator("#edge").count() == 1
    assert [what for what in seen(screen) if not what.startswith("count")] == []
    box, tray = button.bounding_box(), screen.locator("#tray").bounding_box()
    assert box is not None
    assert tray is not None
    assert min(box["width"], box["height"]) >= 44
    assert 0 < tray["x"] + tray["width"] - box["x"] - box["width"] < 20
    assert 0 < tray["y"] + tray["height"] - box["y"] - box["height"] < 20
    button.click()  # and its film is drawn
    screen.wait_for_function("""() => {
        const canvas = document.getElementById("film");
        if (!canvas || !canvas.width) return false;
        const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, 300, 150);
        return data.some((green, at) => at % 4 === 1 && green > data[at - 1] + 80 && green > data[at + 1] + 80);
    }""")
    with screen.expect_response("**/api/rolls/*"):
        throw(running, PLAIN, is_filmed=False)
    running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=(Die(type="challenge", face=("failure",)),)))
    screen.locator("#headline", has_text="Failure").wait_for()
    assert screen.locator("#replay").count() == 0  # a roll without a film has none


def test_a_hidden_roll_shows_neither_film_nor_edge(screen: Page, running: RunningTable) -> None:
    running.table.ask(CallRoll(id=new_id(), at=1.0, player="Vex", is_hidden=True))
    throw(running, TRIUMPH)
    screen.locator("#headline", has_text="Hidden roll").wait_for()
    assert screen.locator("#replay, #film, #edge").count() == 0


def test_the_edge_shines_in_the_colours_of_the_result_and_stays_as_a_line(screen: Page, running: RunningTable) -> None:
    edge = screen.locator("#edge")
    for dice, moods, shown in (
        ([TRIUMPH], "triumph", ["shining triumph", "star proficiency"]),
        ([PLAIN, DESPAIR], "despair", ["shining despair", "star challenge"]),
        ([DESPAIR, TRIUMPH], "triumph despair",
         ["shining triumph", "star proficiency", "shining triumph despair", "star challenge"]),
        ([PLAIN], "", []),
    ):  # fmt: skip
        screen.evaluate("window.seen = []")
        throw(running, *dice)
        wait_for_the_end(screen)
        found = seen(screen)
        assert list(dict.fromkeys(what for what in found if what.startswith(("shining", "star")))) == shown
        if not moods:
            assert edge.count() == 0
            break
        expect(edge).to_have_attribute("data-moods", moods)
        assert edge.get_attribute("data-shining") is None
        assert found.index(shown[-1]) < found.index(next(what for what in found if what.startswith("film")))
        throw(running, PLAIN, age=60)
        expect(edge).to_have_count(0)


def test_a_wild_die_tells_a_complication_and_hops_with_a_six(screen: Page, running: RunningTable) -> None:
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))

    def enter(wild: str) -> None:
        dice = (Die(type="wild", face=(wild,)), Die(type="pip", face=("4",)))
        running.table.ask(EnterRoll(id=new_id(), at=time.time(), dice=dice, ask={"dice": 2}))

    enter("1")
    expect(screen.locator("#edge")).to_have_attribute("data-moods", "despair")
    screen.wait_for_function("() => window.seen.includes('star wild')")
    enter("6")
    screen.locator("#next").wait_for()
    screen.wait_for_function("() => window.seen.includes('hop')")
    expect(screen.locator(".hop")).to_have_count(0)


def test_what_is_left_counts_up_and_dice_land_one_after_the_other(screen: Page, running: RunningTable) -> None:
    screen.evaluate("""() => {
        const animate = Element.prototype.animate;
        window.landed = [];
        Element.prototype.animate = function (frames, options) {
            if (this.matches("#dice .die")) window.landed.push(options.delay);
            return animate.call(this, frames, options);
        };
    }""")
    throw(running, PLAIN, PLAIN, ("ability", ("success",)))
    expect(screen.locator('#net [data-symbol="success"] .count')).to_have_text("5")
    counted = [what for what, _ in groupby(what for what in seen(screen) if what.startswith("count"))]
    assert counted[-5:] == [f"count {n}" for n in (1, 2, 3, 4, 5)]
    assert screen.evaluate("window.landed") == [0, 40, 80]


def test_a_tap_ends_the_moment_and_still_does_what_it_does(screen: Page, running: RunningTable) -> None:
    throw(running, TRIUMPH)
    screen.locator("#star").wait_for()
    screen.locator('.token[data-side="light"]').first.click(force=True)
    expect(screen.locator('.token[data-side="dark"]')).to_have_count(2)
    expect(screen.locator("#star")).to_have_count(0)
    assert screen.locator("#edge[data-shining]").count() == 0
    assert screen.locator("#edge").count() == 1
    assert not [what for what in seen(screen) if what.startswith("film")]  # nor does the film begin after it


def test_what_comes_next_ends_the_moment(screen: Page, running: RunningTable) -> None:
    throw(running, TRIUMPH)
    screen.locator("#star").wait_for()
    running.table.ask(ShowPhase(at=1.0, phase=Phase.MOVING))
    screen.locator("#stage[data-kind=rolling]").wait_for()
    assert screen.locator("#star, #edge, #film").count() == 0


def test_nothing_moves_for_those_who_ask_for_it_but_the_line_appears(screen: Page, running: RunningTable) -> None:
    screen.emulate_media(reduced_motion="reduce")
    throw(running, DESPAIR, TRIUMPH, PLAIN)
    screen.locator("#replay").wait_for()
    expect(screen.locator("#edge")).to_have_attribute("data-moods", "triumph despair")
    assert [what for what in seen(screen) if not what.startswith("count")] == []
    assert screen.evaluate("document.getAnimations().length") == 0
    screen.locator("#replay").click()  # who presses it wants to see it
    screen.wait_for_function("() => window.seen.some((what) => what.startsWith('film'))")


def test_sounds_are_off_until_they_are_switched_on_for_this_screen(screen: Page, running: RunningTable) -> None:
    page = screen
    throw(running, TRIUMPH)
    page.locator("#replay").wait_for()
    assert page.evaluate("window.sounds") == []
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    page.locator("#menu-sound").get_by_role("button", name="On").click()
    assert len(page.evaluate("window.sounds")) == 1  # it is heard at once
    page.keyboard.press("Escape")
    page.evaluate("window.sounds = []")
    throw(running, DESPAIR, TRIUMPH, PLAIN)
    page.wait_for_function("() => window.sounds.length >= 6")
    heard = page.evaluate("window.sounds")
    assert [sound["at"] for sound in heard[:3]] == [0, 0.04, 0.08]  # a tick a die
    tones = heard[3:]
    assert tones[0]["from"] < tones[1]["from"]  # triumph rises
    assert tones[2]["from"] > tones[2]["to"]  # and then despair falls
    # no result sounds as the page comes, where nobody has tapped
    running.table.ask(CallRoll(id=new_id(), at=1.0, player="Vex"))
    page.reload()
    page.locator("body[data-ready]").wait_for()
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    expect(page.locator("#menu-sound [data-value='1']")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("most", "is_felled"), [(12, False), (4, True)])
def test_who_is_taken_to_the_limit_is_heard_and_seen(
    screen: Page, running: RunningTable, most: int, is_felled: bool
) -> None:
    ids = [new_id(), new_id()]
    for person_id, name in zip(ids, ("Vex", "Trooper"), strict=True):
        person = {"id": person_id, "name": name, "kind": "person", "game": "narrative",
                  "trackers": {"wounds": {"value": 0, "most": most}}}  # fmt: skip
        running.table.ask(ChangePerson(id=new_id(), at=1.0, do=DoPerson.ADD, person=person))
    answers = {"purpose": "attack", "damage": 4}
    running.table.ask(CallRoll(id=new_id(), at=1.0, game="narrative", ask=answers, who=ids[0], against=ids[1]))
    page = screen
    page.evaluate("localStorage.setItem('tableside.sound', 'on')")
    throw(running, PLAIN)
    page.locator("#replay").wait_for()
    page.evaluate("""() => {
        window.sounds = [];
        window.pulsed = false;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...what) {
            window.pulsed ||= this.id === "headline";
            return animate.apply(this, what);
        };
    }""")
    roll = running.table.state.roll
    assert roll is not None
    running.table.ask(ApplyEffect(id=new_id(), at=time.time(), roll_id=roll.id, effect=0, to=ids[1]))
    page.locator('#applied, #stage[data-kind="fallen"]').first.wait_for()
    assert page.evaluate("window.pulsed") is is_felled
    assert page.evaluate("window.sounds.map((one) => one.from)") == ([110] if is_felled else [])


def test_a_phone_never_sounds(opens: Opens, running: RunningTable) -> None:
    page = opens("/")
    page.evaluate(SOUNDS)
    page.evaluate("localStorage.setItem('tableside.sound', 'on')")
    page.locator("#menu").click()
    page.locator("[data-group=screen]").first.click()
    page.locator("[data-row=theme]").wait_for()
    assert page.locator("[data-row=sound]").count() == 0
    page.keyboard.press("Escape")
    throw(running, TRIUMPH)
    page.locator("#replay").wait_for()
    assert page.evaluate("window.sounds") == []
