"""``tableside demo``: recorded rolls for a camera, drawn pins. Nothing changes by itself once somebody is there."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypedDict

import msgspec

from tableside import paths
from tableside.adapters.camera import RecordedRolls
from tableside.adapters.camera.port import Wait
from tableside.config import CameraSettings, PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import find_sets
from tableside.errors import GameError
from tableside.rules import find_game
from tableside.rules.people import Person, PersonKind
from tableside.table import TableState, messages
from tableside.table.kept import Seen

_FPS = 10.0  # a demo shares the laptop with a browser
_HOLD_SECONDS = 8.0
_ANSWER_SECONDS = 60.0
"""So long a question waits for an answer."""
_FIRST_SECONDS = 60.0
"""So long the first roll waits for somebody who taps."""
FIRST = "roll-7"
"""The recorded roll that a demo begins with: one of its dice is in doubt."""
_READ_SECONDS = 1.0
"""A roll lies at least so long, so that it was read before the next one is thrown."""


class _Scene(msgspec.Struct, frozen=True):
    """Whom the heroes of a game meet, and the fight that goes on: names with the numbers that order them.

    :ivar attack: what is asked of recorded dice that hurt somebody, nothing where none do.
    """

    game: str
    order: tuple[tuple[str | int, ...], ...]
    others: tuple[messages.SentPerson, ...]
    attack: Mapping[str, Any] = {}


class _Evening(msgspec.Struct, frozen=True):
    """What lies beside the recorded rolls: the game that comes first, scenes, and dice that nobody is called for."""

    game: str
    scenes: tuple[_Scene, ...]
    uncalled: frozenset[str]


def _evening() -> _Evening:
    return msgspec.toml.decode((paths.samples_folder() / "evening.toml").read_bytes(), type=_Evening)


def opening() -> tuple[messages.Message, ...]:
    """Return what a demo begins with: a game, and a pool to flip. What its game needs comes by itself."""
    return (
        messages.ChangeDestiny(**_signed(), do=messages.Do.SET, light=3, dark=2),
        messages.ChooseGame(**_signed(), game=_evening().game),
    )


def _signed() -> _Signed:
    return _Signed(id=str(uuid.uuid4()), at=time.time(), by="the demo")


def _brought(scene: _Scene, state: TableState) -> Iterator[messages.Message]:
    """Yield what brings a game's heroes and opponents in, and lets their fight be in its second round."""
    heroes = find_game(scene.game).ready.heroes
    if not any(one.game == scene.game for one in state.people):
        known = ({name: value for name, value in hero.to_json().items() if value} for hero in heroes)
        for person in (*(msgspec.convert(hero, messages.SentPerson) for hero in known), *scene.others):
            yield messages.ChangePerson(**_signed(), do=messages.DoPerson.ADD, person=person)
    if state.initiative.slots:
        yield messages.ChangeInitiative(**_signed(), do=messages.Turn.CLEAR)
    names = {hero.name for hero in heroes}
    slots: dict[str, str] = {}
    for who, *rank in scene.order:
        side: Literal["player", "npc"] = "player" if who in names else "npc"
        ranked = tuple(int(number) for number in rank)
        add = messages.ChangeInitiative(**_signed(), do=messages.Turn.ADD, who=str(who), side=side, rank=ranked)
        slots[add.id] = str(who)
        yield add
    for _ in slots:
        yield messages.ChangeInitiative(**_signed(), do=messages.Turn.NEXT)
    if find_game(scene.game).turn_order.is_by_side:  # in a new round nobody has a slot yet
        for slot, who in slots.items():
            yield messages.ChangeInitiative(**_signed(), do=messages.Turn.CLAIM, slot=slot, who=who)


def demo_settings(data: Path, *, port: int) -> Settings:
    """Return settings that need neither a camera nor pins. The demo's history lies in its own folder."""
    return Settings(
        camera=CameraSettings(kind="folder", path=paths.samples_folder(), fps=_FPS),
        table=TableSettings(data=data),
        web=WebSettings(port=port),
        pins=PinSettings(factory="mock"),
    )


class _Signed(TypedDict):
    id: str
    at: float
    by: str


class Demo:
    """Throws the recorded rolls, one after the other by itself until somebody touches the table or is asked something.

    It is a display of the table: what is asked and which game is played decide about the next roll. Where the table has
    heroes, one of them is called for the dice that come next.

    :param first: the name of the picture that comes first, once somebody asks for it; ``""`` begins at once.
    """

    def __init__(
        self, folder: Path | None = None, *, first: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folder = folder or paths.samples_folder()
        self._clock = clock
        self._began = clock()
        self._first = first
        self._next: Path | None = None
        self._answered = ("", 0)
        evening = _evening()
        self._uncalled = evening.uncalled
        self._scenes = {scene.game: scene for scene in evening.scenes}
        self._game = ""
        self._called = 1  # the second hero comes first, the scout
        self._post: Callable[[messages.Message], object] = lambda _: None
        self._types: dict[Path, tuple[str, ...]] = {}
        self._is_touched = threading.Event()
        self._is_wanted = threading.Event()
        self._state = TableState()

    def camera(self, *, wait: Wait) -> RecordedRolls:
        """Return the camera that looks at the recorded rolls."""
        return RecordedRolls(self._folder, fps=_FPS, goes_on=self.goes_on, fits=self.fits, waits=self.waits, wait=wait)

    def begin(self, post: Callable[[messages.Message], object]) -> None:
        """Take part in the table. :param post: tells it something."""
        self._post = post

    def waits(self) -> bool:
        """Tell whether the tray stays empty: before the first roll, for a minute at most."""
        if self._first and self._is_wanted.is_set():
            self._is_wanted.clear()
            self._first = ""
        return bool(self._first) and self._clock() - self._began < _FIRST_SECONDS

    def touch(self) -> None:
        """Somebody is there: no roll comes any more that nobody asks for."""
        self._is_touched.set()

    def throw(self) -> None:
        """Throw the next roll: the one that is called, or of the next hero."""
        if not self._first and not self._state.asked.id:
            self._call_next()
        self._is_wanted.set()

    def _call_next(self) -> None:
        """Call the next hero for the dice of the picture that comes next."""
        known = sorted(path for path in self._folder.glob("roll-*.jpg") if self._knows(path))
        called = [path for path in known if not set(self._types_of(path)) & self._uncalled]
        order = called if self._heroes() and called else known
        if order:
            self._call(next((path for path in order if self._next and path > self._next), order[0]))

    def _heroes(self) -> list[Person]:
        game = self._state.setup.game
        return [one for one in self._state.people if one.kind is PersonKind.PLAYER and one.game == game]

    def _call(self, picture: Path) -> None:
        heroes = self._heroes()
        dice = Counter(self._types_of(picture))
        self._next = picture
        if not heroes or set(dice) & self._uncalled:
            return
        at = self._called % len(heroes)
        for hero in (*heroes[at:], *heroes[:at]):
            self._called += 1
            if how := self._how(hero, dice):
                self._turn_to(hero)
                self._post(messages.CallRoll(**_signed(), who=hero.id, odds_for=Seen.ALL, **how))
                return

    def _how(self, hero: Person, dice: Counter[str]) -> dict[str, Any]:
        """Return how a hero is called for these dice: by a skill that throws them, else for them; some attack."""
        game = find_game(hero.game)
        plain = {kind.name: kind.variant_of or kind.name for one in find_sets(game.dice_sets) for kind in one.types}
        for skill in hero.skills:
            try:
                wanted = game.tray(dict(skill.ask))
            except GameError:
                continue
            if wanted and Counter(plain[kind] for kind in Counter(dict(wanted.dice)).elements()) == dice:
                return {"skill": skill.name}
        if not any(field.name == "dice" for field in game.form.fields) or not hero.skills:
            return {}
        ask = {"dice": dict(dice)}
        attack = self._scenes[hero.game].attack if hero.game in self._scenes else {}
        heroes = self._heroes()
        opponent = next((one for one in self._state.people if one.game == hero.game and one not in heroes), None)
        if hero.weapons and opponent and attack and self._called % 2:
            return {"label": hero.weapons[0].name, "against": opponent.id, "ask": {**attack, **ask}}
        return {"label": hero.skills[0].name, "ask": ask}

    def _turn_to(self, hero: Person) -> None:
        """End turns until it is the hero's, where there is a fight that has seen its first call.

        Where turns belong to sides, a hero without one takes the next that is free, or the first of a new round.
        """
        slots, current = self._state.initiative.slots, self._state.initiative.current
        if self._first or current is None:
            return
        at = slots.index(current)
        later = (*slots[at:], *slots[:at])
        own = (slot for slot in later if slot.who == hero.name)
        free = (slot for slot in later if slot.side == "player" and not slot.who)
        again = (slot for slot in slots if slot.side == "player")
        slot = next(chain(own, free, again), None)
        if slot is None:
            return
        for _ in range((slots.index(slot) - at) % len(slots) or len(slots) * slot.is_done):
            self._post(messages.ChangeInitiative(**_signed(), do=messages.Turn.NEXT))
        if find_game(hero.game).turn_order.is_by_side:
            self._post(messages.ChangeInitiative(**_signed(), do=messages.Turn.CLAIM, slot=slot.id, who=hero.name))

    def show(self, state: TableState) -> None:
        self._state = state
        game = state.setup.game
        if game != self._game:
            self._game = game
            for message in _brought(self._scenes[game], state) if game in self._scenes else ():
                self._post(message)
        if self._first and self._next is None and len(self._heroes()) > self._called:
            self._call(self._folder / f"{self._first}.jpg")

    def goes_on(self, lain_seconds: float) -> bool:
        """Tell whether the roll that lies there for so long is to be taken away for the next one."""
        if lain_seconds == 0:
            self._is_wanted.clear()  # who asks while dice roll gets those
        if lain_seconds < _READ_SECONDS:
            return False
        if self._is_wanted.is_set():
            self._is_wanted.clear()
            return True
        if lain_seconds >= _ANSWER_SECONDS:
            self._answer()
        roll = self._state.roll
        asks = roll is not None and not (roll.sure and roll.is_whole)
        if lain_seconds < _HOLD_SECONDS or self._is_touched.is_set() or asks:
            return False
        self._call_next()
        return True

    def _answer(self) -> None:
        """Answer a doubt by the likeliest face: a question that nobody answers would stand for ever."""
        roll = self._state.roll
        if roll is None or roll.question is None or self._answered == (roll.id, roll.version):
            return
        self._answered = (roll.id, roll.version)
        die = roll.dice[roll.question]
        what: dict[str, Any] = {"roll_id": roll.id, "index": roll.question, "version": roll.version}
        self._post(messages.CorrectDie(**_signed(), **what, type=die.type, face=die.face))

    def fits(self, picture: Path) -> bool:
        """Tell whether the game that was chosen knows the dice of a recorded roll."""
        return picture == self._next if self._next and self._knows(self._next) else self._knows(picture)

    def _knows(self, picture: Path) -> bool:
        game = self._state.setup.game
        if not game:
            return True
        known = {kind.name for dice_set in find_sets(find_game(game).dice_sets) for kind in dice_set.types}
        return set(self._types_of(picture)) <= known

    def _types_of(self, picture: Path) -> tuple[str, ...]:
        """Return the type of each die in a picture, as the file beside it says."""
        if picture not in self._types:
            truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
            self._types[picture] = tuple(sorted(die["type"] for die in truth["dice"]))
        return self._types[picture]
