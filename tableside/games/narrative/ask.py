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
from tableside.games.narrative.net import NET_NAMES
from tableside.games.narrative.numbered import COLOURS
from tableside.games.narrative.pool import DICE, LEVELS, RULESETS, Pool, Rating, combined, level_pool, range_level
from tableside.games.narrative.pool_text import MAX_DICE, check_pool, parse_pool
from tableside.games.narrative.sources import symbol_step
from tableside.rules.form import Answers, Field, Fields, Kind, choices, with_purpose
from tableside.rules.game import Step
from tableside.rules.throws import dice_words
from tableside.rules.tracker import Tracker
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

SYMBOL_FIELDS = tuple(
    Field(
        name=name,
        title=f"{name.capitalize()}, added",
        most=SYMBOL_MOST,
        default=0,
        source="M04",
        help="Of a talent or of gear; add the opposite symbol to take one away.",
    )
    for name in NET_NAMES
)


def pool_field(name: str, title: str, source: str, words: str = "", *, dice: Pool | None = None, **more: Any) -> Field:
    """Return a field for dice, which people write as ``"1a 2d"``."""
    return Field(
        name=name,
        title=title,
        source=source,
        help=words,
        kind=Kind.POOL,
        choices=choices(DICE),
        most=MAX_DICE,
        default=dice.counts() if dice else {},
        reads=parse_pool,
        **more,
    )


OWNED = pool_field(
    "owned",
    "Dice that the players own",
    "M02",
    "Own fewer dice? Enter how many; bigger pools are thrown in turns.",
    is_setting=True,
)

SETBACK = Field(name="setback", title="Setback dice", most=20, default=0, source="M09", help="Against.")
CIRCUMSTANCES = (
    Field(name="boost", title="Boost dice", most=20, default=0, source="M09", help="For."),
    SETBACK,
)
CHANGE_FIELDS = (
    Field(name="upgrade_ability", title="Upgrades", most=20, default=0, source="M11"),
    Field(name="upgrade_difficulty", title="Upgrades of the difficulty", most=20, default=0, source="M11"),
    Field(name="downgrade_ability", title="Downgrades", most=20, default=0, source="M12"),
    Field(name="downgrade_difficulty", title="Downgrades of the difficulty", most=20, default=0, source="M12"),
    pool_field("remove", "Dice removed", "M10"),
)


def _rated(name: str, title: str, source: str, words: str = "") -> Field:
    return Field(name=name, title=title, most=MOST_RATING, source=source, help=words)


FORM = Fields(
    (
        Field(
            name="purpose",
            title="What is thrown",
            kind=Kind.CHOICE,
            choices=tuple(PURPOSES.items()),
            default="check",
            source="M26",
        ),
        _rated("characteristic", "Characteristic", "M05"),
        _rated("skill", "Skill ranks", "M05", "0 when untrained."),
        Field(
            name="difficulty",
            title="Difficulty",
            kind=Kind.CHOICE,
            choices=choices(LEVELS),
            source="M06",
            help="An impossible task takes a light point.",
        ),
        *CIRCUMSTANCES,
        pool_field("dice", "Dice", "M01", "Where no ratings are given, or on top of them."),
        _rated("second_characteristic", "Characteristic of the second skill", "M16"),
        _rated("second_skill", "Ranks of the second skill", "M16", "One check on two skills: the lower numbers count."),
        _rated("helper_characteristic", "Helper's characteristic", "section 10"),
        _rated("helper_skill", "Helper's skill ranks", "section 10", "Skilled help: the higher numbers count."),
        Field(
            name="attack",
            title="Kind of attack",
            kind=Kind.CHOICE,
            choices=choices(("ranged", "melee")),
            source="M08",
            help="With the range it gives the difficulty.",
        ),
        Field(name="range", title="Range", kind=Kind.CHOICE, choices=choices(RANGES), source="M08"),
        _rated("opponent_characteristic", "Opponent's characteristic", "M15"),
        _rated("opponent_skill", "Opponent's skill ranks", "M15", "They take the place of the difficulty."),
        Field(name="adversary", title="Ranks of Adversary or Dodge", most=MOST_RATING, default=0, source="M14"),
        *CHANGE_FIELDS,
        Field(
            name="force",
            title="Force dice",
            most=20,
            default=0,
            source="M22",
            help="For a power: the Force rating less the committed dice.",
        ),
        Field(
            name="dark_side",
            title="Uses the dark side",
            kind=Kind.FLAG,
            default=False,
            source="section 10",
            help="Dark Force points are free then, and light ones cost.",
            only=with_purpose("force"),
        ),
        Field(
            name="costly_points",
            title="Force points of the other side that are used",
            most=20,
            default=0,
            source="section 10",
            only=with_purpose("force"),
        ),
        Field(
            name="helping_hand",
            title="Destiny: a helping hand",
            most=9,
            default=0,
            source="M21",
            help="Points that upgrade the check; each is a light point of the pool.",
        ),
        Field(
            name="raising_the_stakes",
            title="Destiny: raising the stakes",
            most=9,
            default=0,
            source="M21",
            help="Points that upgrade the difficulty; each is a dark point of the pool.",
        ),
        Field(
            name="of_master",
            title="The game master's own roll",
            kind=Kind.FLAG,
            default=False,
            source="D10",
            help="Dark points upgrade the check, and light points its difficulty.",
        ),
        Field(
            name="players",
            title="Players",
            most=20,
            default=0,
            source="M19",
            help="Each throws a Force die for the destiny pool.",
        ),
        Field(
            name="skill_used",
            title="Which skill",
            kind=Kind.CHOICE,
            choices=choices(_SKILLS),
            source="M30",
            help="A few have spendings of their own.",
        ),
        Field(
            name="weapon",
            title="Weapon",
            kind=Kind.CHOICE,
            choices=choices(_WEAPONS),
            source="M32",
            help="It gives damage, critical rating, Pierce and Vicious where they are not entered.",
        ),
        Field(name="damage", title="Damage of the weapon", source="M26"),
        Field(name="damage_bonus", title="More damage", default=0, source="M26"),
        Field(
            name="stun",
            title="Stun setting",
            kind=Kind.FLAG,
            default=False,
            source="M32",
            help="The damage is strain.",
            only=with_purpose("attack"),
        ),
        Field(name="soak", title="Soak of the target", default=0, source="M27"),
        Field(name="pierce", title="Pierce of the weapon", source="M28", help="So much soak does not count."),
        Field(
            name="vicious",
            title="Vicious of the weapon",
            most=9,
            source="M28",
            help="Each rank adds 10 to the percentile throw of a critical.",
        ),
        Field(name="critical", title="Critical rating", least=1, most=9, source="M27"),
        Field(
            name="quality_cost",
            title="Cost of the weapon's quality",
            least=1,
            most=9,
            source="M28",
            help="Of one that is activated; usually 2.",
        ),
        Field(
            name="added",
            title="Added to the percentile throw",
            least=-200,
            most=200,
            default=0,
            source="M24",
            help="10 for each critical injury that somebody has already; against a person they count by themselves.",
        ),
        Field(
            name="tens",
            title="The digit on the tens die",
            most=9,
            source="M24",
            help="Where two ten-sided dice do not tell which of them is the tens.",
        ),
        Field(name="maneuvers", title="Maneuvers this turn", most=2, default=0, source="M29"),
        *SYMBOL_FIELDS,
        Field(
            name="ruleset",
            title="Where the texts differ",
            kind=Kind.CHOICE,
            default="core",
            is_setting=True,
            choices=tuple(zip(RULESETS, ("Core rulebook", "Summary sheet"), strict=True)),
            source="D3, D4",
        ),
        Field(
            name="spending",
            title="Suggested spending",
            kind=Kind.CHOICE,
            choices=tuple(SPENDING.items()),
            default="personal",
            is_setting=True,
            source="M29, section 10",
        ),
        Field(
            name="one_point_a_side",
            title="One destiny point a side and check",
            kind=Kind.FLAG,
            default=True,
            is_setting=True,
            source="section 10",
        ),
        Field(
            name="tens_colour",
            title="Colour of the tens die",
            kind=Kind.CHOICE,
            choices=choices(COLOURS),
            is_setting=True,
            source="M24",
            help="Of two ten-sided dice; where it is not known, people are asked.",
        ),
        Field(
            name="numbered",
            title="Plain dice stand for the symbol dice",
            kind=Kind.FLAG,
            default=False,
            is_setting=True,
            source="M25",
        ),
        OWNED,
    )
)

TRACKERS = (
    Tracker(name="light", title="Light points", scope="table", paired="dark", resets="session", source="M20"),
    Tracker(name="dark", title="Dark points", scope="table", paired="light", resets="session", source="M20"),
    Tracker(name="maneuvers", title="Maneuvers this turn", most=2, resets="turn", source="M29"),
    Tracker(name="wounds", title="Wounds", source="section 10", help="Beyond the threshold comes a critical injury."),
    Tracker(name="strain", title="Strain", source="M29, section 10"),
    Tracker(
        name="critical_injuries",
        title="Critical injuries",
        source="M24, M27",
        help="Each adds 10 to the next percentile throw.",
    ),
    Tracker(
        name="fear",
        title="Fear",
        steps=FEARS,
        resets="encounter",
        source="section 10",
        help="The afraid have a setback die on each check, the terrified a difficulty die besides.",
    ),
    Tracker(name="stimpacks", title="Stimpacks today", most=5, resets="day", source="section 10"),
    Tracker(
        name="committed",
        title="Committed Force dice",
        most=20,
        source="section 10",
        help="The limit is the Force rating.",
    ),
    Tracker(name="conflict", title="Conflict", resets="session", source="section 10"),
    Tracker(name="hull", title="Hull", source="M29"),
    Tracker(name="system_strain", title="System strain", source="M29"),
    Tracker(name="critical_hits", title="Critical hits", source="M27"),
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
            told = say("{change}: {dice}.", change=text, dice=dice_words(after.counts()))
            self.steps.append(self._step(told, rule))

    def circumstances(self, given: Answers) -> None:
        """Add boost and setback, which do not cancel before the roll."""
        self.change(self.pool + Pool(boost=given.number("boost")), "Boost", "M09")
        self.change(self.pool + Pool(setback=given.number("setback")), "Setback", "M09")

    def upgraded(self, given: Answers, *, ability: int = 0, difficulty: int = 0) -> None:
        """Upgrade, downgrade and remove, in the order of the rules (M10).

        :param ability, difficulty: upgrades besides those that were entered.
        """
        for side, more in (("ability", ability), ("difficulty", difficulty)):
            times = given.number(f"upgrade_{side}") + more
            self.change(self.pool.upgrade(side, times), say("{^side} upgraded {n} x", side=side, n=times), "M11")
        for side in ("ability", "difficulty"):
            times = given.number(f"downgrade_{side}")
            self.change(self.pool.downgrade(side, times), say("{^side} downgraded {n} x", side=side, n=times), "M12")
        self.change(self.pool.remove(Pool.of(given.pool("remove"))), "Dice removed", "M10")

    def finished(self, given: Answers, *, is_known: bool) -> NarrativePlan:
        """Return the plan.

        :raises BadAsk: for more dice than anybody throws.
        """
        try:
            check_pool(self.pool.counts())
        except GameError as error:
            raise BadAsk(error.what, where=f"game {self._game}", hint=error.hint) from error
        added = Counter({name: given.number(name) for name in NET_NAMES if given.number(name)})
        return NarrativePlan(pool=self.pool if is_known else None, added=added, steps=tuple(self.steps))


def plan_of(given: Answers) -> NarrativePlan:
    """Return the pool to throw.

    :raises BadAsk: for an answer that the rules do not allow.
    """
    building = Building(NAME, symbol_step)
    match given.choice("purpose"):
        case "destiny":
            building.change(Pool(force=given.number("players")), "A Force die for each player", "M19")
            return building.finished(given, is_known=given.has("players"))
        case "force":
            building.change(Pool(force=given.number("force")), "Force dice", "M22")
            return building.finished(given, is_known=given.has("force"))
    rating = _rating(given)
    text = say("Characteristic {n}, skill {skill}", n=rating.characteristic, skill=rating.skill)
    building.change(rating.pool(), text, "M05")
    building.change(building.pool + Pool.of(given.pool("dice")), "Dice", "M01")
    _difficulty(building, given)
    building.circumstances(given)
    building.change(building.pool + Pool(force=given.number("force")), "Force dice", "M22")
    helped, hindered = _destiny(given)
    building.upgraded(given, ability=helped, difficulty=given.number("adversary") + hindered)
    is_known = given.has("characteristic") or given.has("skill") or given.has("dice")
    return building.finished(given, is_known=is_known)


def is_impossible(given: Answers) -> bool:
    """Tell whether the task is impossible, so that the attempt takes a point. An opponent takes a level's place."""
    return given.choice("difficulty") == "impossible" and not _has_opponent(given)


def _has_opponent(given: Answers) -> bool:
    return given.has("opponent_characteristic") or given.has("opponent_skill")


def _destiny(given: Answers) -> tuple[int, int]:
    """Return the upgrades of either side that destiny points buy."""
    for name in ("helping_hand", "raising_the_stakes"):
        if given.number(name) > 1 and given.flag("one_point_a_side"):
            most = say(
                "Each side spends one point on a check at most; “{setting}” can be switched off.",
                setting=given.known("one_point_a_side"),
            )
            what = say("{name} is {=value}", name=given.known(name), value=given.number(name))
            raise BadAsk(what, where=f"game {NAME}", hint=most)
    if given.number("helping_hand") and is_impossible(given):
        hint = "The point for the attempt gives nothing else, and no other may be spent on it."
        raise BadAsk("helping_hand cannot be bought on an impossible task", where=f"game {NAME}", hint=hint)
    return given.number("helping_hand"), given.number("raising_the_stakes")


def _rating(given: Answers) -> Rating:
    """Return the rating that builds the positive side."""
    rating = _entered(given, "")
    if given.has("second_characteristic") or given.has("second_skill"):
        rating = combined((rating, _entered(given, "second_")))
    if given.has("helper_characteristic") or given.has("helper_skill"):
        rating = assisted(rating, _entered(given, "helper_"))
    return rating


def _entered(given: Answers, whose: str) -> Rating:
    return Rating(characteristic=given.number(f"{whose}characteristic"), skill=given.number(f"{whose}skill"))


def _difficulty(building: Building, given: Answers) -> None:
    """Add the negative side: of an opponent, else of the level, else of the range."""
    pool = building.pool
    if _has_opponent(given):
        opponent = _entered(given, "opponent_")
        text = say("Against characteristic {n}, skill {skill}", n=opponent.characteristic, skill=opponent.skill)
        building.change(pool + opponent.opposing(), text, "M15")
        return
    level = given.choice("difficulty")
    if not level and given.choice("attack") and given.choice("range"):
        try:
            level = range_level(given.choice("attack"), given.choice("range"), ruleset=given.choice("ruleset"))
        except GameError as error:
            raise BadAsk(error.what, where=f"game {NAME}", hint=error.hint) from error
    if level:
        building.change(pool + level_pool(level), say("Difficulty {level}", level=level), "M06")
