"""The narrative game: what is asked before a roll, and the pool that comes of it.

Marks such as M10 name the rules in the project's ``narrative.md``; "section 10" there holds what is known only from
the published game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tableside.errors import BadAsk, GameError
from tableside.games.narrative.checks import SKILLS, UNPLACED_SKILLS, assisted
from tableside.games.narrative.gear import GEAR, Weapon
from tableside.games.narrative.numbered import COLOURS
from tableside.games.narrative.pool import DICE, LEVELS, RULESETS, Pool, Rating, combined, level_pool, range_level
from tableside.games.narrative.pool_text import MAX_DICE, check_pool, parse_pool
from tableside.games.narrative.sources import symbol_step
from tableside.rules.form import Form, Forms, choice, flag, number, pool, rules_join
from tableside.rules.game import Step
from tableside.rules.modifiers import Modifier, changes
from tableside.rules.throws import dice_words
from tableside.rules.tracker import PEOPLE, Tracker
from tableside.words import say

NAME = "narrative"
MOST_RATING = 10
"""Some characters of the game master exceed the 6 of a player's (S000 Characteristic ratings)."""

PURPOSES = {
    "check": "a check",
    "attack": "an attack",
    "initiative": "initiative",
    "destiny": "the destiny pool at the start",
    "percentile": "a percentile throw",
    "critical": "a critical injury or hit",
    "d10": "one ten-sided die",
    "fear": "a fear check",
    "medicine": "a medical check, or repairs",
    "recover": "recovering from strain",
    "force": "a Force power",
}
PERCENTILES = ("percentile", "critical", "d10")
"""What ten-sided dice are thrown for: the percentile pair, or one alone."""
NO_CHECKS = ("destiny", "force", *PERCENTILES)
"""Throws that are no checks: nothing upgrades them, and boosts do not join them."""
TEN_SIDED = {"d100": "percentile", "d10": "d10"}
"""What is thrown for a table of the group's own, by the dice that it names."""

SPENDING = {
    "personal": "personal combat, from the published game",
    "starship": "starships and vehicles",
    "general": "the symbols' typical uses",
    "none": "nothing",
}
FEARS = ("calm", "afraid", "terrified")
RANGES = ("close", "medium", "long", "extreme", "engaged")
SYMBOL_MOST = 20

_SKILLS = tuple(sorted({skill for skills in SKILLS.values() for skill in skills} | set(UNPLACED_SKILLS)))
_WEAPONS = tuple(name for name, gear in GEAR.items() if isinstance(gear, Weapon))

SYMBOL_HELP = "Of a talent or of gear; add the opposite symbol to take one away."


def dice_pool(
    title: str, source: str, help: str = "", *, default: Pool | None = None, **more: Any
) -> Mapping[str, int]:
    """Declare dice, which people write as ``"1a 2d"``."""
    counts = default.counts() if default else {}
    return pool(title, DICE, source, most=MAX_DICE, default=counts, reads=parse_pool, help=help, **more)


def _symbols(title: str, *, filled_by: str = "") -> int:
    return number(f"{title}, added", "M04", most=SYMBOL_MOST, help=SYMBOL_HELP, adds_up=True, filled_by=filled_by)


def _rating(title: str, source: str, help: str = "", *, filled_by: str = "") -> int | None:
    return number(title, source, most=MOST_RATING, default=None, help=help, filled_by=filled_by, builds_dice=True)


class SymbolAsk(Form):
    """What every game on the symbol dice is asked for."""

    upgrade_ability: int = number("Upgrades", "M11", most=20, builds_dice=True, adds_up=True)
    upgrade_difficulty: int = number("Upgrades of the difficulty", "M11", most=20, builds_dice=True, adds_up=True)
    downgrade_ability: int = number("Downgrades", "M12", most=20, builds_dice=True, adds_up=True)
    downgrade_difficulty: int = number("Downgrades of the difficulty", "M12", most=20, builds_dice=True, adds_up=True)
    remove: Mapping[str, int] = dice_pool("Dice removed", "M10", builds_dice=True, adds_up=True)
    success: int = _symbols("Success", filled_by="talent")
    failure: int = _symbols("Failure")
    advantage: int = _symbols("Advantage", filled_by="talent")
    threat: int = _symbols("Threat")
    triumph: int = _symbols("Triumph")
    despair: int = _symbols("Despair")
    light: int = _symbols("Light")
    dark: int = _symbols("Dark")
    in_fight: bool = flag(
        "In a fight", "M26", help="An attack is one, and what is rolled while turns are in order.", filled_by="fight"
    )
    owned: Mapping[str, int] = dice_pool(
        "Dice that the players own",
        "M02",
        "Own fewer dice? Enter how many; bigger pools are thrown in turns.",
        is_setting=True,
    )
    joins: str = rules_join("section 10")

    def free_symbols(self) -> Counter[str]:
        """Return the symbols that count without being thrown."""
        return +Counter(
            success=self.success,
            failure=self.failure,
            advantage=self.advantage,
            threat=self.threat,
            triumph=self.triumph,
            despair=self.despair,
            light=self.light,
            dark=self.dark,
        )


class Ask(SymbolAsk):
    """What a roll is asked for."""

    purpose: str = choice("What is thrown", PURPOSES, "M26", default="check")
    characteristic: int | None = _rating("Characteristic", "M05", filled_by="skill")
    skill: int | None = _rating("Skill ranks", "M05", "0 when untrained.", filled_by="skill")
    difficulty: str = choice(
        "Difficulty", tuple(LEVELS), "M06", help="An impossible task takes a light point.", builds_dice=True
    )
    boost: int = number("Boost dice", "M09", most=20, help="For.", filled_by="talent", builds_dice=True, adds_up=True)
    setback: int = number(
        "Setback dice", "M09", most=20, help="Against.", filled_by="defence", builds_dice=True, adds_up=True
    )
    dice: Mapping[str, int] | None = pool(
        "Dice",
        DICE,
        "M01",
        most=MAX_DICE,
        default=None,
        reads=parse_pool,
        help="Where no ratings are given, or on top of them.",
        adds_up=True,
    )
    second_characteristic: int | None = _rating("Characteristic of the second skill", "M16")
    second_skill: int | None = _rating(
        "Ranks of the second skill", "M16", "One check on two skills: the lower numbers count."
    )
    helper_characteristic: int | None = _rating("Helper's characteristic", "section 10")
    helper_skill: int | None = _rating("Helper's skill ranks", "section 10", "Skilled help: the higher numbers count.")
    attack: str = choice(
        "Kind of attack",
        ("ranged", "melee"),
        "M08",
        help="With the range it gives the difficulty.",
        filled_by="weapon",
        builds_dice=True,
    )
    range: str = choice("Range", RANGES, "M08", filled_by="weapon", builds_dice=True)
    opponent_characteristic: int | None = _rating("Opponent's characteristic", "M15", filled_by="opponent")
    opponent_skill: int | None = _rating(
        "Opponent's skill ranks",
        "M15",
        "They take the place of the difficulty.",
        filled_by="opponent",
    )
    adversary: int = number(
        "Ranks of Adversary or Dodge", "M14", most=MOST_RATING, filled_by="defence", builds_dice=True, adds_up=True
    )
    force: int | None = number(
        "Force dice",
        "M22",
        most=20,
        default=None,
        help="For a power: the Force rating less the committed dice.",
        builds_dice=True,
        adds_up=True,
    )
    helping_hand: int = number(
        "Destiny: a helping hand",
        "M21",
        most=9,
        help="Points that upgrade the check; each is a light point of the pool.",
        builds_dice=True,
    )
    raising_the_stakes: int = number(
        "Destiny: raising the stakes",
        "M21",
        most=9,
        help="Points that upgrade the difficulty; each is a dark point of the pool.",
        builds_dice=True,
    )
    of_master: bool = flag(
        "The game master's own roll", "D10", help="Dark points upgrade the check, and light points its difficulty."
    )
    skill_used: str = choice("Which skill", _SKILLS, "M30", help="A few have spendings of their own.")
    weapon: str = choice(
        "Weapon",
        _WEAPONS,
        "M32",
        help="It gives damage, critical rating, Pierce and Vicious where they are not entered.",
    )
    vicious: int | None = number(
        "Vicious of the weapon",
        "M28",
        most=9,
        default=None,
        help="Each rank adds 10 to the percentile throw of a critical.",
        filled_by="weapon",
    )
    added: int = number(
        "Added to the percentile throw",
        "M24",
        least=-200,
        most=200,
        help="10 for each critical injury that somebody has already; against a person they count by themselves.",
        adds_up=True,
    )
    tens: int | None = number(
        "The digit on the tens die",
        "M24",
        most=9,
        default=None,
        help="Where two ten-sided dice do not tell which of them is the tens.",
    )
    of_ships: bool = flag(
        "Of ships or vehicles", "M29", help="Then what is suggested in a fight is that for starships and vehicles."
    )
    maneuvers: int = number("Maneuvers this turn", "M29", most=2)
    ruleset: str = choice(
        "Where the texts differ",
        dict(zip(RULESETS, ("Core rulebook", "Summary sheet"), strict=True)),
        "D3, D4",
        default="core",
        is_setting=True,
    )
    spending: str = choice("Suggested spending", SPENDING, "M29, section 10", default="personal", is_setting=True)
    one_point_a_side: bool = flag("One destiny point a side and check", "section 10", default=True, is_setting=True)
    tens_colour: str = choice(
        "Colour of the tens die",
        tuple(COLOURS),
        "M24",
        is_setting=True,
        help="Of two ten-sided dice; where it is not known, people are asked.",
    )
    numbered: bool = flag("Plain dice stand for the symbol dice", "M25", is_setting=True)


class Attack(Ask):
    """What an attack is asked for besides."""

    purposes = ("attack",)

    damage: int | None = number("Damage of the weapon", "M26", default=None, filled_by="weapon")
    damage_bonus: int = number("More damage", "M26", filled_by="talent", adds_up=True)
    stun: bool = flag("Stun setting", "M32", help="The damage is strain.", filled_by="weapon")
    soak: int = number("Soak of the target", "M27", filled_by="defence")
    pierce: int | None = number(
        "Pierce of the weapon", "M28", default=None, help="So much soak does not count.", filled_by="weapon"
    )
    critical: int | None = number("Critical rating", "M27", least=1, most=9, default=None, filled_by="weapon")
    quality_cost: int | None = number(
        "Cost of the weapon's quality",
        "M28",
        least=1,
        most=9,
        default=None,
        help="Of one that is activated; usually 2.",
        filled_by="weapon",
    )


class ForcePower(Ask):
    """What a Force power is asked for besides."""

    purposes = ("force",)

    dark_side: bool = flag(
        "Uses the dark side", "section 10", help="Dark Force points are free then, and light ones cost."
    )
    costly_points: int = number("Force points of the other side that are used", "section 10", most=20)


class DestinyThrow(Ask):
    """What the throw for the pool of a session is asked for besides."""

    purposes = ("destiny",)

    players: int | None = number(
        "Players", "M19", most=20, default=None, help="Each throws a Force die for the destiny pool.", filled_by="pool"
    )


FORM = Forms(Ask, Attack, ForcePower, DestinyThrow)
MODIFIERS: tuple[Modifier[Pool, Ask], ...] = (
    Modifier(Ask.boost, dice=Pool(boost=1), says="Boost", rule="M09"),
    Modifier(Ask.setback, dice=Pool(setback=1), says="Setback", rule="M09"),
    Modifier(Ask.force, dice=Pool(force=1), says="Force dice", rule="M22"),
)
"""What joins a check; boost and setback do not cancel before the roll."""

TRACKERS = (
    Tracker(name="light", title="Light points", scope="table", paired="dark", resets="session", source="M20"),
    Tracker(name="dark", title="Dark points", scope="table", paired="light", resets="session", source="M20"),
    Tracker(
        name="wounds",
        title="Wounds",
        source="section 10",
        help="Beyond the threshold comes a critical injury.",
        kinds=PEOPLE,
        fells="beyond",
        own_limit=True,
    ),
    Tracker(
        name="strain",
        title="Strain",
        source="M29, section 10",
        kinds=("player", "person"),
        own_limit=True,
    ),
    Tracker(
        name="critical_injuries",
        title="Critical injuries",
        source="M24, M27",
        help="Each adds 10 to the next percentile throw.",
        kinds=("player", "person"),
    ),
    Tracker(
        name="maneuvers",
        title="Maneuvers this turn",
        most=2,
        resets="turn",
        source="M29",
        kinds=("player", "person"),
    ),
    Tracker(
        name="fear",
        title="Fear",
        steps=FEARS,
        resets="scene",
        source="section 10",
        help="The afraid have a setback die on each check, the terrified a difficulty die besides.",
        kinds=("player", "person"),
    ),
    Tracker(
        name="stimpacks",
        title="Stimpacks today",
        most=5,
        resets="day",
        source="section 10",
        kinds=("player", "person"),
    ),
    Tracker(
        name="committed",
        title="Committed Force dice",
        most=20,
        source="section 10",
        help="The limit is the Force rating.",
        kinds=("player", "person"),
        own_limit=True,
    ),
    Tracker(name="conflict", title="Conflict", resets="session", source="section 10", kinds=("player",)),
    Tracker(name="hull", title="Hull", source="M29", kinds=("thing",), own_limit=True),
    Tracker(name="system_strain", title="System strain", source="M29", kinds=("thing",), own_limit=True),
    Tracker(name="critical_hits", title="Critical hits", source="M27", kinds=("thing",)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativePlan:
    """How a roll is to be made, as worked out from what was asked.

    :ivar pool: the dice to throw, ``None`` where nobody told whose they are.
    :ivar added: symbols that count without being thrown.
    :ivar steps: how the pool came about.
    """

    pool: Pool | None
    added: Mapping[str, int]
    steps: tuple[Step, ...] = ()


class Building:
    """A pool that is being built, with a step for each change.

    :param step: makes a step of a text and the mark of a rule, with the source that the game knows.
    """

    def __init__(self, game: str, step: Callable[[str, str], Step]) -> None:
        self._game = game
        self._step = step
        self.pool = Pool()
        self.steps: list[Step] = []

    def change(self, after: Pool, text: str, rule: str) -> None:
        """Take the changed pool, and note how where it differs."""
        if after != self.pool:
            self.pool = after
            text = say("{change}: {dice}.", change=text, dice=dice_words(after.counts()))
            self.steps.append(self._step(text, rule))

    def upgraded(self, given: SymbolAsk, *, ability: int = 0, difficulty: int = 0) -> None:
        """Upgrade, downgrade and remove, in the order of the rules (M10).

        :param ability, difficulty: upgrades besides those that were entered.
        """
        for turn, pattern, rule, side, times in (
            (Pool.upgrade, "{^side} upgraded {n} x", "M11", "ability", given.upgrade_ability + ability),
            (Pool.upgrade, "{^side} upgraded {n} x", "M11", "difficulty", given.upgrade_difficulty + difficulty),
            (Pool.downgrade, "{^side} downgraded {n} x", "M12", "ability", given.downgrade_ability),
            (Pool.downgrade, "{^side} downgraded {n} x", "M12", "difficulty", given.downgrade_difficulty),
        ):
            if times:
                self.change(turn(self.pool, side, times), say(pattern, side=side, n=times), rule)
        if given.remove:
            self.change(self.pool.remove(Pool.of(given.remove)), "Dice removed", "M10")

    def finished(self, given: SymbolAsk, *, is_known: bool) -> NarrativePlan:
        """Return the plan.

        :raises BadAsk: for more dice than anybody throws.
        """
        try:
            check_pool(self.pool.counts())
        except GameError as error:
            raise BadAsk(error.what, where=f"game {self._game}", hint=error.hint) from error
        pool = self.pool if is_known else None
        return NarrativePlan(pool=pool, added=given.free_symbols(), steps=tuple(self.steps))


def plan_of(given: Ask) -> NarrativePlan:
    """Return the pool to throw.

    :raises BadAsk: for an answer that the rules do not allow.
    """
    building = Building(NAME, symbol_step)
    match given:
        case DestinyThrow():
            building.change(Pool(force=given.players or 0), "A Force die for each player", "M19")
            return building.finished(given, is_known=given.players is not None)
        case ForcePower():
            building.change(Pool(force=given.force or 0), "Force dice", "M22")
            return building.finished(given, is_known=given.force is not None)
    rating = _positive_rating(given)
    text = say("Characteristic {n}, skill {skill}", n=rating.characteristic, skill=rating.skill)
    building.change(rating.pool(), text, "M05")
    building.change(building.pool + Pool.of(given.dice or {}), "Dice", "M01")
    _difficulty(building, given)
    for dice, words, rule in changes(MODIFIERS, given):
        building.change(building.pool + dice, words, rule)
    _check_destiny(given)
    building.upgraded(given, ability=given.helping_hand, difficulty=given.adversary + given.raising_the_stakes)
    is_known = given.characteristic is not None or given.skill is not None or given.dice is not None
    return building.finished(given, is_known=is_known)


def is_impossible(given: Ask) -> bool:
    """Tell whether the task is impossible, so that the attempt takes a point. An opponent takes a level's place."""
    return given.difficulty == "impossible" and _opponent(given) is None


def _check_destiny(given: Ask) -> None:
    """Raise :class:`BadAsk` for destiny points that the rules do not allow."""
    for name, points in (
        (FORM.known(Ask.helping_hand), given.helping_hand),
        (FORM.known(Ask.raising_the_stakes), given.raising_the_stakes),
    ):
        if points > 1 and given.one_point_a_side:
            most = say(
                "Each side spends one point on a check at most; “{setting}” can be switched off.",
                setting=FORM.known(Ask.one_point_a_side),
            )
            raise BadAsk("{name} is {=value}", name=name, value=points, where=f"game {NAME}", hint=most)
    if given.helping_hand and is_impossible(given):
        hint = "The point for the attempt gives nothing else, and no other may be spent on it."
        raise BadAsk("helping_hand cannot be bought on an impossible task", where=f"game {NAME}", hint=hint)


def _positive_rating(given: Ask) -> Rating:
    """Return the rating that builds the positive side."""
    rating = rating_of(given.characteristic, given.skill) or Rating(characteristic=0)
    if second := rating_of(given.second_characteristic, given.second_skill):
        rating = combined((rating, second))
    if helper := rating_of(given.helper_characteristic, given.helper_skill):
        rating = assisted(rating, helper)
    return rating


def rating_of(characteristic: int | None, skill: int | None) -> Rating | None:
    """Return a rating, ``None`` where neither of its numbers was entered."""
    if characteristic is None and skill is None:
        return None
    return Rating(characteristic=characteristic or 0, skill=skill or 0)


def _opponent(given: Ask) -> Rating | None:
    return rating_of(given.opponent_characteristic, given.opponent_skill)


def _difficulty(building: Building, given: Ask) -> None:
    """Add the negative side: of an opponent, else of the level, else of the range."""
    if opponent := _opponent(given):
        text = say("Against characteristic {n}, skill {skill}", n=opponent.characteristic, skill=opponent.skill)
        building.change(building.pool + opponent.opposing(), text, "M15")
        return
    level, (attack, band) = given.difficulty, reach_of(given)
    if not level and attack and band:
        try:
            level = range_level(attack, band, ruleset=given.ruleset)
        except GameError as error:
            raise BadAsk(error.what, where=f"game {NAME}", hint=error.hint) from error
    if level:
        building.change(building.pool + level_pool(level), say("Difficulty {level}", level=level), "M06")


def reach_of(given: Ask) -> tuple[str, str]:
    """Return the kind of attack and its range: as entered, else of the weapon; a melee attack is made engaged (M08)."""
    gear, attack = GEAR.get(given.weapon), given.attack
    if not attack and isinstance(given, Attack) and isinstance(gear, Weapon) and gear.range == "engaged":
        attack = "melee"
    return attack, given.range or ("engaged" if attack == "melee" else "")
