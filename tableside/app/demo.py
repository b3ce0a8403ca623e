"""``tableside demo``: recorded rolls for a camera, drawn pins. Nothing changes by itself once somebody is there."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypedDict

import msgspec

from tableside import paths
from tableside.adapters.camera.folder import RecordedRolls
from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.camera.port import Wait
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import find_sets
from tableside.errors import GameError
from tableside.rules import find_game
from tableside.rules.people import Person, PersonKind
from tableside.table import TableState, messages
from tableside.table.kept import Phase, Seen
from tableside.typed import built

_FPS = 10.0  # a demo shares the laptop with a browser
_HOLD_SECONDS = 8.0
_ANSWER_SECONDS = 60.0
"""So long a question waits for an answer."""
_IDLE_SECONDS = 60.0
"""So long the first roll, and any after a tap, waits for somebody who taps."""
FIRST = "roll-0"
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
    return built(msgspec.toml.decode((paths.samples_folder() / "evening.toml").read_bytes()), _Evening)


def opening() -> tuple[messages.Message, ...]:
    """Return what a demo begins with: a game, and a pool to flip. What its game needs comes by itself."""
    return (
        messages.ChangeDestiny(**_signature(), do=messages.Do.SET, light=3, dark=2),
        messages.ChooseGame(**_signature(), game=_evening().game),
    )


def _signature() -> _Signed:
    return _Signed(id=str(uuid.uuid4()), at=time.time())


def _brought(scene: _Scene, state: TableState) -> Iterator[messages.ChangePerson | messages.ChangeInitiative]:
    """Yield what brings the heroes and opponents of all games in, and lets the fight of one be in its second round."""
    for one in _evening().scenes:
        if any(person.game == one.game for person in state.people):
            continue
        heroes = find_game(one.game).ready.heroes
        known = ({name: value for name, value in hero.to_json().items() if value} for hero in heroes)
        for person in (*(built(hero, messages.SentPerson) for hero in known), *one.others):
            yield messages.ChangePerson(**_signature(), do=messages.DoPerson.ADD, person=person)
    if state.initiative.slots:
        yield messages.ChangeInitiative(**_signature(), do=messages.Turn.CLEAR)
    names = {hero.name for hero in find_game(scene.game).ready.heroes}
    slots: dict[str, str] = {}
    for who, *rank in scene.order:
        side: Literal["player", "npc"] = "player" if who in names else "npc"
        ranked = tuple(int(number) for number in rank)
        add = messages.ChangeInitiative(**_signature(), do=messages.Turn.ADD, who=str(who), side=side, rank=ranked)
        slots[add.id] = str(who)
        yield add
    for _ in slots:
        yield messages.ChangeInitiative(**_signature(), do=messages.Turn.NEXT)
    if find_game(scene.game).turn_order.is_by_side:  # in a new round nobody has a slot yet
        for slot, who in slots.items():
            yield messages.ChangeInitiative(**_signature(), do=messages.Turn.CLAIM, slot=slot, who=who)


def demo_settings(data: Path, *, port: int) -> Settings:
    """Return settings that need neither a camera nor pins. The demo's history lies in its own folder."""
    return Settings(
        camera=CameraSettings(kind="folder", path=paths.samples_folder(), fps=_FPS),
        table=TableSettings(data=data),
        web=WebSettings(port=port),
        pins=PinSettings(factory="mock"),
    )


def _dice_of(game: str, ask: Mapping[str, Any]) -> Counter[str] | None:
    """Return which dice answers throw, whatever a set calls them, or nothing where they throw none."""
    found = find_game(game)
    plain = {kind.name: kind.variant_of or kind.name for one in find_sets(found.dice_sets) for kind in one.types}
    try:
        wanted = found.tray(dict(ask))
    except GameError:
        return None
    return Counter(plain[kind] for kind in Counter(dict(wanted.dice)).elements()) if wanted else None


class _Signed(TypedDict):
    id: str
    at: float


class Demo:
    """Throws the recorded rolls, one after the other by itself while nobody touched the table for a minute.

    It is a display of the table: what is asked and which game is played decide about the next roll. Where the table has
    heroes, one of them is called for the dice that come next.

    :param first: the name of the picture that comes first, once somebody asks for it; ``""`` begins at once.
    """

    def __init__(
        self, folder: Path | None = None, *, first: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._folder = folder or paths.samples_folder()
        self._clock = clock
        self._first = first
        self._touched = clock() if first else -_IDLE_SECONDS
        self._bringing = ""  # the last message that brings a game's people and their order in, until it is heard
        self._is_due = False  # somebody asked for a roll meanwhile
        self._next: Path | None = None
        self._answered = ("", 0)
        self._coming: messages.CallRoll | None = None  # a call that waits for its hero's turn
        evening = _evening()
        self._uncalled = evening.uncalled
        self._scenes = {scene.game: scene for scene in evening.scenes}
        self._game = ""
        self._called = 1  # the second hero comes first, the scout
        self._post: Callable[[messages.Message], object] = lambda _: None
        self._types: dict[Path, tuple[str, ...]] = {}
        self._is_wanted = False
        self._state = TableState()
        self._lock = threading.RLock()  # pages ask, the camera asks and the table tells, each in a thread of its own

    def camera(self, *, wait: Wait) -> RecordedRolls:
        """Return the camera that looks at the recorded rolls."""
        return RecordedRolls(self._folder, fps=_FPS, goes_on=self.goes_on, fits=self.fits, waits=self.waits, wait=wait)

    def begin(self, post: Callable[[messages.Message], object]) -> None:
        """Take part in the table. :param post: tells it something."""
        self._post = post

    def waits(self) -> bool:
        """Tell whether the tray stays empty: before the first roll, for a minute at most."""
        with self._lock:
            if self._first and (self._is_wanted or self.is_playing):
                self._is_wanted = False
                self._first = ""
            return bool(self._first)

    @property
    def is_playing(self) -> bool:
        """Whether rolls come by themselves: nobody did anything for a minute."""
        return self._clock() - self._touched >= _IDLE_SECONDS

    def touch(self) -> None:
        """Somebody is there: for a minute no roll comes that nobody asks for."""
        self._touched = self._clock()

    def throw(self) -> None:
        """Throw the next roll: the one that is called, or of the next hero. A game's first waits for its people."""
        with self._lock:
            asked = self._state.asked
            if self._bringing or (asked.id and asked.game != self._game):
                self._is_due = True
                return
            if self._state.phase is Phase.MOVING:  # who asks while dice roll gets those
                return
            if not self._first and not asked.id:
                self._call_next()
            self._is_wanted = True

    def _call_next(self) -> None:
        """Call what comes next: what follows from a hit, else the next hero, for the dice of a recorded roll."""
        known = sorted(path for path in self._folder.glob("roll-*.jpg") if self._knows(path))
        called = [path for path in known if not set(self._types_of(path)) & self._uncalled]
        order = called if self._heroes() and called else known
        at = next((n for n, path in enumerate(order) if self._next and path > self._next), 0)
        pictures = (*order[at:], *order[:at])
        if self._call_step(pictures):
            return
        for roll_id in self._state.agenda.open:  # what nobody answers would stand before the next roll
            self._post(messages.PassNow(**_signature(), name=self._state.now.name, roll=roll_id))
        self._call(*pictures)

    def _heroes_and_others(self) -> list[Person]:
        return [one for one in self._state.people if one.game == self._state.setup.game]

    def _heroes(self) -> list[Person]:
        return [one for one in self._heroes_and_others() if one.kind is PersonKind.PLAYER]

    def _call_step(self, pictures: Iterable[Path]) -> bool:
        """Call the further throw that is next, such as what resists a hit, where a picture has its dice."""
        act = self._state.now.acts.act if self._state.now.name == "step" else None
        if act is None or act.request is None:
            return False
        call = built({**_signature(), "odds_for": Seen.ALL, **act.request.body}, messages.CallRoll)
        person = self._state.person(call.aboard or call.who)
        skill = person.find_skill(call.skill) if person else None
        if person is None or not (skill or call.is_damage):
            return False
        wanted = _dice_of(person.game, skill.ask if skill else person.weapon(call.weapon).damage)
        picture = next((path for path in pictures if Counter(self._types_of(path)) == wanted), None)
        if picture is None:
            return False
        self._next = picture
        self._post(call)
        return True

    def _call(self, *pictures: Path) -> None:
        """Call the next hero who can throw the dice of one of these pictures."""
        self._next = next(iter(pictures), None)
        heroes = self._heroes()
        at = self._called % len(heroes) if heroes else 0
        for hero in (*heroes[at:], *heroes[:at]):
            self._called += 1
            for how in (self._attack, self._skill) if self._called % 2 else (self._skill,):
                for picture in pictures:
                    dice = Counter(self._types_of(picture))
                    if not set(dice) & self._uncalled and (call := how(hero, dice)):
                        self._next = picture
                        self._turn_to(hero, messages.CallRoll(**_signature(), who=hero.id, odds_for=Seen.ALL, **call))
                        return

    def _attack(self, hero: Person, dice: Counter[str]) -> dict[str, Any]:
        """Return how a hero attacks by these dice, nothing where none of the weapons throws them."""
        opponent = next((one for one in self._heroes_and_others() if one.kind is not PersonKind.PLAYER), None)
        if opponent is None:
            return {}
        skills = {skill.name: skill.ask for skill in hero.skills}
        for weapon in hero.weapons:
            if _dice_of(hero.game, {**skills.get(weapon.skill, {}), **weapon.ask}) == dice:
                return {"weapon": weapon.name, "against": opponent.id}
        attack = self._scenes[hero.game].attack if hero.game in self._scenes else {}
        if attack and hero.weapons:
            return {"label": hero.weapons[0].name, "against": opponent.id, "ask": {**attack, "dice": dict(dice)}}
        return {}

    def _skill(self, hero: Person, dice: Counter[str]) -> dict[str, Any]:
        """Return how a hero is called for these dice: by a skill that throws them, else for them."""
        for skill in hero.skills:
            if _dice_of(hero.game, skill.ask) == dice:
                return {"skill": skill.name}
        if not any(field.name == "dice" for field in find_game(hero.game).form.fields) or not hero.skills:
            return {}
        return {"label": hero.skills[0].name, "ask": {"dice": dict(dice)}}

    def _turn_to(self, hero: Person, call: messages.CallRoll) -> None:
        """End turns until it is the hero's, where there is a fight that has seen its first call, and call the hero.

        Where turns belong to sides, a hero without one takes the next that is free, or the first of a new round.
        """
        slots, current = self._state.initiative.slots, self._state.initiative.current
        if self._first or current is None:
            self._post(call)
        elif not find_game(hero.game).turn_order.is_by_side:
            self._coming = call if any(slot.who == hero.name for slot in slots) else None
            self._end_turn() if self._coming else self._post(call)
        else:
            at = slots.index(current)
            later = (*slots[at:], *slots[:at])
            own = (slot for slot in later if slot.who == hero.name)
            free = (slot for slot in later if slot.side == "player" and not slot.who)
            slot = next(chain(own, free, (slot for slot in slots if slot.side == "player")), current)
            for over in later[: (slots.index(slot) - at) % len(slots) or len(slots) * slot.is_done]:
                self._post(messages.ChangeInitiative(**_signature(), do=messages.Turn.NEXT, slot=over.id))
            if slot.side == "player" and (slot.is_done or slot.who != hero.name):
                claim = messages.ChangeInitiative(**_signature(), do=messages.Turn.CLAIM, slot=slot.id, who=hero.name)
                self._post(claim)
            self._post(call)

    def _end_turn(self) -> None:
        """End the turn that is on where a call waits for another's; each segment may have an order of its own."""
        now, call = self._state.initiative, self._coming
        if call is None:
            return
        acting = self._state.acting(now.current)
        if now.current is None or (acting is not None and acting.id == call.who):
            self._coming = None
            self._post(call)
            return
        self._post(
            messages.ChangeInitiative(
                **_signature(), do=messages.Turn.NEXT, slot=now.current.id, round=now.round, segment=now.segment
            )
        )

    def show(self, state: TableState) -> None:
        with self._lock:
            self._state = state
            game = state.setup.game
            if game != self._game:
                self._coming = None
                if self._game:
                    self._first = ""  # it was of the game before
                self._is_due = self._is_wanted  # whoever chose it asked before this was heard
                self._is_wanted = False
                brought = [*_brought(self._scenes[game], state)] if game in self._scenes else []
                self._bringing = brought[-1].id if brought else ""
                self._game = game
                for message in brought:
                    self._post(message)
            if self._first and self._next is None and len(self._heroes()) > self._called:
                self._call(self._folder / f"{self._first}.jpg")
            if state.asked.id and state.asked.game != game:  # nobody of this game can answer it
                self._post(messages.CallRoll(**_signature()))
            if any(change.id == self._bringing for change in state.changes):
                self._bringing = ""
            self._end_turn()
            if self._is_due and not self._bringing and not state.asked.id and self._coming is None:
                self._is_due = False
                self.throw()

    def goes_on(self, lain_seconds: float) -> bool:
        """Tell whether the roll that lies there for so long is to be taken away for the next one."""
        with self._lock:
            if lain_seconds == 0:
                self._is_wanted = False  # who asks while dice roll gets those
            if lain_seconds < _READ_SECONDS:
                return False
            if self._is_wanted:
                self._is_wanted = False
                return True
            if lain_seconds >= _ANSWER_SECONDS:
                self._answer()
            roll = self._state.roll
            asks = roll is not None and not (roll.sure and roll.is_whole)
            if lain_seconds < _HOLD_SECONDS + _ANSWER_SECONDS * asks or not self.is_playing:
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
        self._post(messages.CorrectDie(**_signature(), **what, type=die.type, face=die.face))

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
