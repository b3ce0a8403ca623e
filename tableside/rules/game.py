"""What every game offers, and the games that are installed.

A game is one object of a class derived from :class:`Game`, registered in the entry-point group ``tableside.games``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic

from msgspec.structs import asdict

from tableside.dice import Die, find_sets
from tableside.errors import GameError, UnknownGame, did_you_mean
from tableside.record import Record
from tableside.rules.attack import Attack
from tableside.rules.characters import Characters
from tableside.rules.form import F, Forms
from tableside.rules.people import NOTHING, Effect, Gives
from tableside.rules.ready import FILE as READY_FILE
from tableside.rules.ready import Ready, read_ready
from tableside.rules.reference import FILE, Sheet, read_sheets
from tableside.rules.throws import Throw
from tableside.rules.tracker import Tracker
from tableside.rules.turns import HIGH_TO_LOW, TurnOrder
from tableside.words import Words, say

_GROUP = "tableside.games"
_PLURALS: Mapping[str, str] = {"success": "successes"}


class PoolNames(Record, frozen=True, kw_only=True):
    """What this game calls its pool of light and dark points."""

    pool: str = "Destiny"
    light: str = "Light"
    dark: str = "Dark"


class Step(Record, frozen=True):
    """One step from the dice to the result.

    :ivar rule: the rule that gave it, by its mark in the project's rules, such as ``"M03"`` or ``"die_cap"``.
    :ivar source: the text and chapter that the rule restates.
    """

    texts = ("text",)

    text: str
    rule: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}{', ' + self.source if self.source else ''}]"


class ShownPrice(Record, frozen=True, kw_only=True):
    """So many of a symbol or of a tracker."""

    of: str
    count: int


class ShownSpend(Record, frozen=True, kw_only=True):
    """What may be bought, as pages get it.

    :ivar price: every price in words, and ``prices`` each of them. :ivar sets: answers of the form that change by it.
    """

    texts = ("title", "short", "price")

    name: str
    title: str
    short: str
    price: str
    prices: tuple[ShownPrice, ...]
    by: str
    sets: Mapping[str, Any]
    source: str


class SpendBefore(ShownSpend, frozen=True, kw_only=True):
    """What may be bought before a roll.

    :ivar success: the chance of success with it.
    """

    success: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """Something that may be bought with what a roll left over, or with a point.

    :ivar short: what stands on its card, at most 22 letters; empty where that is the title.
    :ivar prices: what it costs; each alone is enough, such as two advantages or a triumph.
    :ivar by: ``"roller"`` or ``"gm"``.
    :ivar sets: answers of the form that change where it is bought, so that the roll can be worked out anew.
    :ivar gives: what else comes of it. :ivar is_at_once: nobody else may have rolled since.
    """

    name: str
    title: str
    prices: tuple[tuple[str, int], ...]
    short: str = ""
    by: str = "roller"
    sets: tuple[tuple[str, Any], ...] = ()
    gives: Gives = NOTHING
    source: str = ""
    is_at_once: bool = False

    def price_words(self) -> str:
        *some, last = [count_words(count, *_name_words(name)) for name, count in self.prices]
        return say("{some} or {last}", some=some, last=last) if some else last

    @property
    def shown(self) -> ShownSpend:
        """The purchase as pages get it."""
        return ShownSpend(
            name=self.name, title=self.title, short=self.short or self.title, price=self.price_words(), by=self.by,
            prices=tuple(ShownPrice(of=name, count=count) for name, count in self.prices), sets=dict(self.sets),
            source=self.source,
        )  # fmt: skip


class Choice(Record, frozen=True, kw_only=True, rename={"sets": "ask"}):
    """One answer to what the dice leave open.

    :ivar title: what the roll means then, such as ``"47"``.
    :ivar sets: answers of the form that say so.
    """

    texts = ("title",)
    pairs = ("sets",)

    title: str
    sets: tuple[tuple[str, Any], ...]


class Mood(StrEnum):
    """How a result feels, whatever the game: lamps, sounds and the edge of a page show it."""

    TRIUMPH = "triumph"
    DESPAIR = "despair"


class Points(Record, frozen=True, kw_only=True):
    """Light and dark points."""

    light: int = 0
    dark: int = 0


class Result(Record, frozen=True, kw_only=True, rename={"word": "outcome"}):
    """What a roll came to in a game.

    :ivar word: one of ``success failure light dark total nothing undecided``.
    :ivar succeeded: ``None`` where the roll was no check, or is not decided yet.
    :ivar net: names with values, in the order in which they are shown.
    :ivar difficulty: what a total was compared with, after all that changed it.
    :ivar pips: what was added to the dice of a total, as the code says.
    :ivar headline: what a screen shows largest.
    :ivar moods: how it feels, each mood with the name in ``net`` that brings it.
    :ivar sets_pool: the points that the throw gives a pool, ``None`` where it is no such throw.
    :ivar awaits: the throw that the rules want next, before the result stands.
    :ivar short: types of dice that are missing from the last throw, with how many; too many are below zero.
    :ivar choices: answers of which one settles what the dice leave open.
    :ivar effects: what it does to trackers of its target and its roller.
    """

    texts = ("headline", "sentence")
    pairs = ("net", "moods", "short")
    optional: ClassVar[tuple[str, ...]] = ("effects",)

    game: str
    word: str = ""
    succeeded: bool | None = None
    net: tuple[tuple[str, int], ...] = ()
    difficulty: int | None = None
    pips: int = 0
    headline: str = ""
    sentence: str = ""
    moods: tuple[tuple[Mood, str], ...] = ()
    sets_pool: Points | None = None
    awaits: Throw | None = None
    short: tuple[tuple[str, int], ...] = ()
    choices: tuple[Choice, ...] = ()
    effects: tuple[Effect, ...] = ()


class Outcome(Result, frozen=True, kw_only=True):
    """What a roll means in a game, and why.

    :ivar steps: how it came about, one step after the other.
    """

    steps: tuple[Step, ...] = ()

    def to_json(self, *, steps: bool = False) -> dict[str, Any]:
        """Return the form of ``score --json``; on demand with the steps."""
        return self.form_without("effects", *(() if steps else ("steps",)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What may come of a roll before it is thrown: exact chances.

    :ivar pool: the dice in words.
    :ivar chances: names with exact chances, the chance of success first where there is one.
    :ivar bars: the distribution of what matters most, in order, and ``bars_of`` its name.
    :ivar spends: what the chance of success would be after each way to spend points before the roll.
    :ivar difficulty: what a total is compared with, a number or dice in words; ``None`` where there is no such thing.
    :ivar pips: what is added to the dice of a total.
    :ivar form: the form of ``odds --json``.
    """

    pool: str
    chances: tuple[tuple[str, Fraction], ...]
    bars_of: str
    bars: tuple[tuple[str, Fraction], ...]
    spends: tuple[tuple[Spend, Fraction], ...] = ()
    difficulty: int | str | None = None
    pips: int = 0
    form: Mapping[str, Any]

    @property
    def shown_spends(self) -> tuple[SpendBefore, ...]:
        """The ways to spend points as pages get them."""
        return tuple(SpendBefore(**asdict(one.shown), success=float(chance)) for one, chance in self.spends)

    def to_json(self) -> dict[str, Any]:
        return {**self.form, "spending": [one.to_json() for one in self.shown_spends]}


class Game(ABC, Generic[F]):
    """The rules of one game: what it is called, which dice it takes, and what they mean.

    A game derives from ``Game[Ask]``, ``Ask`` being the class of its answers, sets ``name``, ``title``, ``dice_sets``
    and ``form``, and writes ``_play`` and ``_odds``. All else has a default. Each public method checks the ask against
    the form and hands the answers to the method of its name with an underscore. A game keeps nothing between calls:
    the same ask and dice always give the same.

    :cvar name: of its entry point, such as ``"two-dice"``.
    :cvar title: for people.
    :cvar dice_sets: names of the sets that it is played with, the usual one first.
    :cvar form: what it asks before a roll; all of it may be left out.
    :cvar trackers: what it keeps beside the rolls.
    :cvar turn_order: how the turns of a fight are ordered.
    :cvar pool_names: what its points are called.
    :cvar pool_flips: whether a spent point turns over to the other side; where not, no point of the pool is spent.
    :cvar upgrades: what each die becomes that an answer ``upgrade_DIE`` upgrades.
    :cvar lone_die: the type of which one die, told by its colour, belongs to every roll; ``""`` where there is none.
    """

    name: str
    title: str
    dice_sets: tuple[str, ...]
    form: Forms[F]
    trackers: tuple[Tracker, ...] = ()
    turn_order: TurnOrder = HIGH_TO_LOW
    pool_names: PoolNames = PoolNames()
    pool_flips: bool = False
    lone_die: str = ""
    upgrades: Mapping[str, str] = MappingProxyType({})
    _characters: Characters | None = None

    def fit(self, types: Collection[str]) -> Fit:
        """Return how well dice of these types fit this game."""
        return Fit.PLAYED if known_types(self.dice_sets).issuperset(types) else Fit.NOT

    def worth(self, die: Die) -> Mapping[str, int]:
        """Return what a face adds to each measure of luck."""
        return {"pips": int(die.face[0])} if len(die.face) == 1 and die.face[0].isdecimal() else {}

    def merit(self, net: Mapping[str, int]) -> tuple[int, ...] | None:
        """Return the numbers that rank this result among others for the same task, the one that counts most first.

        ``None`` where the result tells none.
        """
        return (net["total"],) if "total" in net else None

    @property
    def reference(self) -> tuple[Sheet, ...]:
        """What people look up: the sheets in ``reference.toml`` beside the game's module."""
        return _sheets_beside(type(self).__module__)

    @property
    def ready(self) -> Ready:
        """What is ready for a first evening: ``ready.toml`` beside the game's module."""
        return _ready_beside(type(self).__module__, self.name)

    @property
    def guide(self) -> Path | None:
        """Its page of the guide, ``guide.md`` beside its module; ``None`` where it has none."""
        return _beside(type(self).__module__, "guide.md")

    def words(self, language: str) -> Mapping[str, str]:
        """Return what this game alone says, by its English: ``words/LANGUAGE.json`` beside its module.

        What stands there for no text, or in no such file, is said in English.
        """
        return _words_beside(type(self).__module__, language)

    @property
    def characters(self) -> Characters:
        """What the game gives characters, and what rolls and purchases do to them."""
        return self._characters or Characters(game=self.name, form=self.form, trackers=self.trackers)

    def given(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return what somebody sent, checked before anything is worked out with it, its pools as numbers.

        :raises BadAsk: for an ask that the game does not know.
        """
        self.form.check(ask, game=self.name)
        return self.form.written(ask)

    def _check(self, ask: Mapping[str, Any] | F) -> F:
        """Return the answers; those that the form has built were checked."""
        return self.form.check(ask, game=self.name) if isinstance(ask, Mapping) else ask

    def tray(self, ask: Mapping[str, Any] | F) -> Throw | None:
        """Return the first throw: which dice should lie in the tray; ``None`` where the ask does not tell.

        :raises BadAsk: for an ask that the game does not know.
        """
        return self._tray(self._check(ask))

    def table_ask(self, dice: str, added: int = 0) -> Mapping[str, Any] | None:
        """Return the answers that call a throw for a table of the group's own, ``None`` where these are not its dice.

        :param dice: as the table names them, such as ``"d100"`` or ``"2D"``. :param added: to the total.
        """
        return None

    def play(self, throws: Sequence[Sequence[Die]], ask: Mapping[str, Any] | F) -> Outcome:
        """Return what all throws of a roll mean together; ``Outcome.awaits`` tells which throw is next.

        :param ask: what was asked of the roll, such as ``{"difficulty": 15}``; ``form`` lists what there is.
        :raises DiceSetError: for a die or a face that the game does not use.
        :raises BadAsk: for an ask that the game does not know.
        """
        return self._play(throws, self._check(ask))

    def points(self, ask: Mapping[str, Any] | F) -> tuple[tuple[str, int], ...]:
        """Return the points that the ask itself takes from the table's pool: ``light`` or ``dark``, with how many.

        :raises BadAsk: for an ask that the game does not know.
        """
        return self._points(self._check(ask))

    def ease(self, ask: Mapping[str, Any]) -> tuple[Fraction, ...]:
        """Return how easy a call is: its chance of success, then what else makes it easy.

        What has no difficulty cannot be missed.

        :raises BadAsk: for a call that tells no dice.
        """
        return (dict(self.odds(ask).chances).get("success", Fraction(1)),)

    def spends(self, outcome: Outcome, ask: Mapping[str, Any] | F) -> tuple[Spend, ...]:
        """Return what may be spent after this outcome."""
        return self._spends(outcome, self._check(ask))

    def odds(self, ask: Mapping[str, Any] | F) -> Prospect:
        """Return the exact chances of the roll that is asked for.

        :raises BadAsk: where the ask does not tell what is thrown.
        """
        return self._odds(self._check(ask))

    def attack(
        self,
        ask: Mapping[str, Any],
        *,
        damage: Mapping[str, Any] | None = None,
        resists: Mapping[str, Any] | None = None,
    ) -> Attack | None:
        """Return the exact chances of a whole attack, ``None`` where the asks do not tell one.

        :param ask: the attack. :param damage: the roll for its damage, where the game throws one.
        :param resists: the target's roll against the damage, where the game throws one.
        :raises BadAsk: for asks that the game does not know.
        """
        given = self.form.check(ask, game=self.name)
        kept = {name: value for name, value in ask.items() if self.form.field(name, game=self.name).is_setting}
        if damage:
            damage = {**self.form.purpose("damage"), **damage}
        rolls = (self.form.check({**kept, **(roll or {})}, game=self.name) for roll in (damage, resists))
        return self._attack_odds(given, *rolls)

    def _tray(self, given: F) -> Throw | None:
        return None

    @abstractmethod
    def _play(self, throws: Sequence[Sequence[Die]], given: F) -> Outcome: ...

    @abstractmethod
    def _odds(self, given: F) -> Prospect: ...

    def _attack_odds(self, given: F, damage: F, resists: F) -> Attack | None:
        return None

    def _points(self, given: F) -> tuple[tuple[str, int], ...]:
        return ()

    def _spends(self, outcome: Outcome, given: F) -> tuple[Spend, ...]:
        return ()


class Fit(IntEnum):
    """How well dice fit a game. Where nobody has said what is played, the game that they fit best is."""

    NOT = 0
    PLAYED = 1
    USUAL = 2


def _beside(module: str, *names: str) -> Path | None:
    """Return a file beside a module, ``None`` where there is none."""
    path = sys.modules[module].__file__
    file = Path(path).parent.joinpath(*names) if path else None
    return file if file and file.is_file() else None


@cache
def _sheets_beside(module: str) -> tuple[Sheet, ...]:
    file = _beside(module, FILE)
    return read_sheets(file) if file else ()


@cache
def _ready_beside(module: str, game: str) -> Ready:
    file = _beside(module, READY_FILE)
    return read_ready(file, game=game) if file else Ready()


@cache
def _words_beside(module: str, language: str) -> Mapping[str, str]:
    file = _beside(module, "words", f"{language}.json")
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file else {}
    return words


@cache
def known_types(dice_sets: tuple[str, ...]) -> frozenset[str]:
    """Return the types of dice of these sets, as far as they are installed."""
    return frozenset(kind.name for one in find_sets([]) if one.name in dice_sets for kind in one.types)


def _checkout_points() -> tuple[EntryPoint, ...]:
    """Return the entry points that ``pyproject.toml`` declares, for a source checkout that is not installed."""
    path = Path(__file__).parents[2] / "pyproject.toml"
    if not path.is_file():
        return ()
    declared = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"][_GROUP]
    return tuple(EntryPoint(name=name, value=value, group=_GROUP) for name, value in declared.items())


@cache
def _points() -> Mapping[str, EntryPoint]:
    """Return where the installed games are, by name in their order."""
    return {point.name: point for point in sorted(entry_points(group=_GROUP) or _checkout_points())}


@cache
def _load_game(name: str) -> Game | GameError:
    """Return an installed game, or what is wrong with one that cannot be loaded. Who names one loads no other."""
    point = _points()[name]
    where = f"{name} = {point.value}"
    try:
        game = point.load()
    except Exception as error:  # a package may be gone or fail in any way; the other games are played
        hint = "Install its package anew, or remove it. All other games can be played."
        return GameError(
            "the game cannot be loaded ({=why})", why=f"{type(error).__name__}: {error}", where=where, hint=hint
        )
    if isinstance(game, Game) and game.name == name:
        return game
    hint = say("Its entry point in the group {=group} must name a Game of the same name.", group=_GROUP)
    return GameError("is not a game", where=where, hint=hint)


def _installed_games() -> dict[str, Game]:
    return {name: game for name in _points() if isinstance(game := _load_game(name), Game)}


def wrong_games() -> dict[str, GameError]:
    """Return what is wrong with installed games that cannot be played, by name; they are left out."""
    return {name: error for name in _points() if isinstance(error := _load_game(name), GameError)}


def game_names() -> tuple[str, ...]:
    """Return the names of the installed games, sorted."""
    return tuple(_installed_games())


def find_game(name: str) -> Game:
    """Return the installed game of this name, or raise :class:`UnknownGame`; "" is that of dice that no game knows."""
    if not name:
        hint = "Correct the dice, or choose the game and throw again."
        raise UnknownGame("no game is played with these dice", hint=hint)
    if name not in _points():
        raise UnknownGame("no game {=name} is installed", name=repr(name), hint=did_you_mean(name, _installed_games()))
    if isinstance(game := _load_game(name), GameError):
        raise GameError(game.what, where=game.where, hint=game.hint)
    return game


def game_for(dice: Sequence[Die]) -> Game:
    """Return the game that these dice are usually thrown for, where nobody has said which.

    :raises GameError: where no game is played with all of them.
    """
    types = {die.type for die in dice}
    best = max(_installed_games().values(), key=lambda game: game.fit(types), default=None)
    if best is None or not best.fit(types):
        hint = "Choose the game, or throw the dice of one game."
        raise GameError("no game is played with these dice: {=names}", names=", ".join(sorted(types)), hint=hint)
    return best


def _name_words(name: str) -> tuple[str, str]:
    """Return one and many of what something costs: symbols are named as one, points as many."""
    words = name.replace("_", " ")
    return (words.removesuffix("s"), words) if name.endswith("points") else (words, _PLURALS.get(name, ""))


def count_words(count: int, one: str, many: str = "") -> Words:
    """Return ``"1 success"`` or ``"3 successes"``."""
    return say(f"{{n}} {{n:{one}|{many or one + 's'}}}", n=count)
