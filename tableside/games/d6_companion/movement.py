"""D6 with dice codes, movement: speed, distance, overspeed, maneuvers, ramming and collisions.

Source of every number: the rules supplement (S003). Marks such as I5 and O3 name the readings of unclear points in
the project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from tableside.errors import BadAsk
from tableside.games.d6.outcome import plain_words
from tableside.games.d6_companion.ask import Ask
from tableside.games.d6_companion.charts import DAMAGES, MOVERS, WOUNDS
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.games.d6_companion.rolls import multiple
from tableside.rules.code import Code
from tableside.rules.form import choice, flag, number
from tableside.rules.form import code as dice_code
from tableside.rules.game import Outcome
from tableside.rules.people import Effect
from tableside.words import say


class Movement(Ask):
    """What a movement roll is asked for besides."""

    purposes = ("movement",)

    base_speed: Code | None = dice_code(
        "Code that limits the speed actions",
        "speed_limit",
        help="On foot Dexterity, in water swimming; of a vehicle or mount the speed that is added.",
    )
    elsewhere: bool = flag(
        "In a secondary medium", "move_distance", help="Such as a person in water or a starfighter in air."
    )
    half_speed: bool = flag("At half speed", "move_distance", help="One such move is no action.")
    crawling: bool = flag("Prone, crawling", "stance")
    control_lost: str = choice(
        "Control was lost", {"lost": "In the last round", "stopped": "And it stands still by now"}, "movement_failure"
    )
    rammed: str = choice(
        "Rammed",
        {"once": "More than once", "twice": "More than twice"},
        "ramming",
        help="How often the ramming total holds the own one.",
    )
    unmet: bool = flag("Maneuvers against one who does not", "maneuver")


class CollisionAsk(Ask):
    """What a collision is asked for besides."""

    purposes = ("collision",)

    kmh: int | None = number("Or the speed in km/h", "collision", default=None, most=9999)


OVERSPEED_MODIFIER = 3
REGAIN_MODIFIER = 5
LOST_EVERY = 3
"""Points missed for each speed action that is lost (I5)."""

CRAWL_METRES = 2
NO_MANEUVER_TIMES = 2
"""Against an opponent who does not maneuver, a movement roll that succeeds counts as this multiple."""

RESERVED_MOST = 3
"""Most speed actions that a maneuver reserves."""


_COLLIDES = {"repulsorlift": "speeder", "starfighter_or_capital": "starfighter"}
"""The rows of the collision chart that are called otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collision:
    """Damage of a collision at some number of speed actions, or speed in km/h; ``None`` has no upper limit."""

    least: int
    most: int | None
    damage: Code
    least_kmh: int
    most_kmh: int | None


def _row(least: int, most: int | None, dice: int, least_kmh: int, most_kmh: int | None) -> Collision:
    return Collision(least=least, most=most, damage=Code(dice=dice), least_kmh=least_kmh, most_kmh=most_kmh)


COLLISIONS: Mapping[str, tuple[Collision, ...]] = {
    "character": (_row(1, 1, 2, 4, 7), _row(2, 3, 3, 8, 21), _row(4, 7, 5, 22, 50), _row(8, 10, 6, 51, 70)),
    "walker": (_row(1, 1, 6, 51, 70), _row(2, 2, 7, 71, 145), _row(3, 3, 8, 146, 200), _row(4, 4, 9, 201, 360)),
    "speeder": (
        _row(1, 1, 8, 146, 200),
        _row(2, 2, 9, 201, 360),
        # Printed 261, which the row above already holds (O3).
        _row(3, 3, 10, 361, 540),
        _row(4, 4, 11, 541, 720),
        _row(5, 5, 12, 721, 900),
        _row(6, 6, 14, 901, None),
    ),
    "starfighter": (_row(1, None, 14, 901, None),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ram:
    """What a lost ramming contest does to the loser.

    :ivar difficulty: added to the loser's movement roll, ``None`` where none is made.
    """

    difficulty: int | None
    character: str
    vehicle: str
    occupants_collide: bool = False


_RAMS: Mapping[tuple[int, bool], Ram] = {
    (1, False): Ram(difficulty=5, character="wounded", vehicle="heavily_damaged"),
    (1, True): Ram(difficulty=5, character="none", vehicle="none"),
    (2, False): Ram(difficulty=10, character="incapacitated", vehicle="severely_damaged", occupants_collide=True),
    (2, True): Ram(difficulty=10, character="wounded", vehicle="heavily_damaged"),
}
_RAMMED_THRICE = Ram(difficulty=None, character="mortally_wounded", vehicle="destroyed")


def most_speed_actions(base_speed: Code) -> int:
    """Return how many speed actions a base speed allows: its dice, and one more for any pips."""
    return base_speed.dice + (base_speed.pips > 0)


def actions_of(given: Movement) -> int:
    """Return the actions of a round with a movement roll, which counts its speed and overspeed actions.

    :raises BadAsk: for more speed actions than the base speed allows.
    """
    speed = 0 if given.half_speed else given.speed_actions
    base = given.base_speed or given.add
    if base is not None and speed > (most := most_speed_actions(base)):
        hint = say("{base} allows {n}; overspeed is apart.", base=str(base), n=most)
        raise BadAsk("{n} speed actions", n=speed, where="movement", hint=hint)
    return max(given.actions, speed + given.overspeed, 1)


def difficulty_more(given: Movement) -> tuple[tuple[int, str, str], ...]:
    """Return what is added to the difficulty of a movement roll, with words and rules."""
    control, rammed = given.control_lost, given.rammed
    found = []
    if control:
        more = REGAIN_MODIFIER if control == "lost" else 0
        found.append((more, say("Regaining control, {n}", n=more), "movement_failure"))
    if rammed:
        hit = ram(1 if rammed == "once" else 2)
        found.append((hit.difficulty or 0, say("Rammed, {n}", n=hit.difficulty or 0), "ramming"))
    return tuple(found)


def metres(given: Movement) -> int:
    """Return how far a movement roll that succeeds brings."""
    mover, extra = MOVERS[given.mover], given.overspeed
    actions = given.speed_actions + extra
    if given.half_speed:
        return mover.half
    if given.crawling:
        return CRAWL_METRES * actions
    return actions * (mover.elsewhere if given.elsewhere else mover.full)


def lost_actions(missed_by: int, speed_actions: int) -> int:
    """Return how many plain speed actions a failed movement roll loses."""
    return min(missed_by // LOST_EVERY, speed_actions)


def reserved_actions(times: int) -> int:
    """Return the speed actions that the winner of a maneuver keeps back: the multiple of the loser's total."""
    return min(times, RESERVED_MOST)


def ram(times: int, *, movement_succeeds: bool = False) -> Ram:
    """Return what being rammed does, by the multiple that the winner exceeded, from 1 up."""
    return _RAMMED_THRICE if times >= 3 else _RAMS[times, movement_succeeds]


def collision(mover: str, speed_actions: int, kmh: int | None = None) -> Collision:
    """Return the damage row of a collision, by speed actions or by speed."""
    for row in COLLISIONS[mover]:
        least, most, now = (row.least, row.most, speed_actions) if kmh is None else (row.least_kmh, row.most_kmh, kmh)
        if least <= now and (most is None or now <= most):
            return row
    what = say("{n} km/h", n=kmh) if kmh is not None else say("{n} speed actions", n=speed_actions)
    raise BadAsk(what, where="collision", hint="The chart has no row for that: give another speed.")


def collision_code(given: CollisionAsk) -> Code:
    """Return the dice of a collision's damage."""
    mover = given.mover
    return collision(_COLLIDES.get(mover, mover), given.speed_actions, given.kmh).damage


_UNRAMMED = Effect(tracker="rammed", set=0, on="roller")


def _hurt(hit: Ram, *, is_person: bool, on: str) -> tuple[str, tuple[Effect, ...]]:
    """Return what being rammed does in words and as an effect, nothing where it does nothing."""
    name, tracker, track = (hit.character, "wounds", WOUNDS) if is_person else (hit.vehicle, "ship_damage", DAMAGES)
    if name == "none":
        return "", ()
    words = say("{^result}", result=plain_words(name))
    return words, (Effect(tracker=tracker, set=track.index(name), on=on, words=words),)


def _count_movement(outcome: Outcome, total: int, given: Movement) -> Outcome:
    """Return the outcome of a movement roll: how far, or where control is lost, and what ramming did."""
    if outcome.succeeded is None or outcome.difficulty is None:
        return outcome
    if outcome.succeeded:
        found = said_too(outcome, say("{n} m", n=metres(given)), "move_distance")
        if given.control_lost:
            found = said_too(found, "Control is regained", "movement_failure",
                             Effect(tracker="control", set=0, on="roller", words="Control is regained"))  # fmt: skip
        if given.unmet:
            found = _reserves(found, NO_MANEUVER_TIMES)
    else:
        speed, missed = given.speed_actions, outcome.difficulty - total
        lost = lost_actions(missed, speed)
        pattern = "{n} speed {n:action is|actions are} lost; control is lost in action {k}"
        done = "No speed action is lost, and control is lost after them"
        text = say(pattern, n=lost, k=speed - lost + 1) if lost else done
        gone = Effect(tracker="control", set=1, on="roller", words="Control is lost")
        found = said_too(outcome, text, "movement_failure", gone)
    if rammed := given.rammed:
        hit = ram(1 if rammed == "once" else 2, movement_succeeds=outcome.succeeded)
        words, effects = _hurt(hit, is_person=given.mover == "character", on="roller")
        if effects:
            more = ("The occupants roll a collision's damage.",) if hit.occupants_collide else ()
            effects = tuple(replace(effect, also=(_UNRAMMED,)) for effect in effects)
            found = said_too(found, say("Rammed: {result}", result=words), "ramming", *effects, more=more)
    return found


def _reserves(outcome: Outcome, times: int) -> Outcome:
    n = reserved_actions(times)
    words = say("{n} speed {n:action|actions} in reserve", n=n)
    return said_too(outcome, words, "maneuver", Effect(tracker="reserved", set=n, on="roller", words=words))


def _count_maneuver(outcome: Outcome, total: int, given: Ask) -> Outcome:
    if not outcome.succeeded or outcome.difficulty is None:
        return outcome
    return _reserves(outcome, multiple(total, outcome.difficulty, strict=True))


def _count_ramming(outcome: Outcome, total: int, given: Ask) -> Outcome:
    """Return what the winner of a ramming contest does to the loser."""
    if not outcome.succeeded or outcome.difficulty is None:
        return outcome
    times = multiple(total, outcome.difficulty, strict=True)
    hit = ram(times)
    if hit.difficulty is not None:
        words = say("The target's next movement roll is {n} more difficult", n=hit.difficulty)
        return said_too(outcome, words, "ramming", Effect(tracker="rammed", set=min(times, 2), words=words))
    result, effects = _hurt(hit, is_person=given.hits == "person", on="target")
    return said_too(outcome, say("At once: {result}", result=result), "ramming", *effects, headline=result)


PURPOSES: Purposes = {
    "movement": Purpose(does=_count_movement),
    "maneuver": Purpose(is_opposed=True, part="pilot", does=_count_maneuver),
    "ramming": Purpose(is_opposed=True, does=_count_ramming),
    "collision": Purpose(code=collision_code, is_free=True, is_measure=True),
}
