"""D6 with dice codes: what a successful Force power yields.

Source of every number: the rules supplement (S003), restated under "power results" in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tableside.games.d6.outcome import plain_words
from tableside.games.d6_companion.combat import damage_row
from tableside.games.d6_companion.force import PowerAsk
from tableside.games.d6_companion.rolls import multiple
from tableside.rules.form import answers
from tableside.rules.people import ROLLER, Effect, Lasting
from tableside.words import say

EMPTINESS_BONUS = 6

FARSEEN: Mapping[int, tuple[str, str]] = {1: ("75%", "50%"), 2: ("all", "75%"), 3: ("all", "all")}
"""What is seen of past or present, and of the future, by the multiple of the difficulty that is reached."""

POSTCOGNITION: Mapping[int, str] = {
    1: "all senses blurred",
    2: "good impression, main sense obscured",
    3: "as if present",
}
INFLICTED_PAIN: Mapping[int, str] = {1: "stun_1", 2: "stun_2", 3: "unconscious"}
MOST_DIMMED = 3
"""As many dice as often as the total holds the target's roll, at most."""

HURTS: Mapping[str, Effect] = MappingProxyType(
    {
        "stun_1": Effect(tracker="stuns", change=1, words="One stun"),
        "stun_2": Effect(tracker="stuns", change=2, words="Two stuns"),
        "wound": Effect(tracker="wounds", set=1, words="Wound"),
        "incapacitated": Effect(tracker="wounds", set=2, words="Incapacitated"),
        "mortal_wound": Effect(tracker="wounds", set=3, words="Mortal wound"),
        "unconscious": Effect(tracker="unconscious", set=1, words="Unconscious"),
    }
)
"""What a result of the damage chart does to a person."""

_FASTER = "Two healing rolls or medpacs in the day, 2 more on each"
_AWAKE = "One round as if wounded, 1D less; not twice in a row"
NO_PAIN = Lasting(
    name="Pain is controlled", words="A wound costs no die, until the next one.", ask=answers(PowerAsk, wounded=False)
)
_ABSORBS = Lasting(name="Absorbs energy", until="round", words="No damage from that kind of energy all round")


def _set(tracker: str, words: str, on: str = "target", also: tuple[Effect, ...] = (), value: int = 1) -> Effect:
    return Effect(tracker=tracker, set=value, on=on, words=words, also=also)


EFFECTS: Mapping[str, Effect] = {
    "accelerate healing": _set("accelerated", _FASTER, ROLLER),
    "accelerate another's healing": _set("accelerated", _FASTER),
    "remain conscious": _set("awake", _AWAKE, ROLLER),
    "return to consciousness": _set("awake", _AWAKE),
    "control pain": Effect(lasts=NO_PAIN, on=ROLLER, words=NO_PAIN.name),
    "control another's pain": Effect(lasts=NO_PAIN, words=NO_PAIN.name),
    "absorb/dissipate energy": Effect(lasts=_ABSORBS, on=ROLLER, words=_ABSORBS.words),
}
_NO_STUNS = _set("stuns", NO_PAIN.name, ROLLER, (_set("stuns_before", "", value=0),), 0)
"""What powers do to their user or their target, as far as that is always the same."""

ON_SUCCESS: Mapping[str, str] = MappingProxyType(
    {
        "instinctive astrogation": "Astrogation without a nav computer is very easy",
        "transfer force": "The target stays alive in hibernation, without survival rolls; it costs a Force Point",
        "force of will": "It guards against powers",
    }
)
"""What powers do that do one thing."""

Yield = tuple[str, tuple[Effect, ...]]


def power_yield(power: str, given: PowerAsk, rolls: Mapping[str, tuple[int, int]]) -> Yield:
    """Return what a power yields that succeeded, in words and as effects.

    :param rolls: of each skill the total and what it had to reach.
    """
    times = min(multiple(total, wanted, strict=False) for total, wanted in rolls.values())
    total, wanted = list(rolls.values())[-1]
    match power:
        case "farseeing":
            part = FARSEEN[min(max(times, 1), max(FARSEEN))][int(given.seen == "future")]
            return say("Right in what is seen: {part}", part=part), ()
        case "postcognition":
            clear = POSTCOGNITION[min(max(times, 1), max(POSTCOGNITION))] if total > wanted else "nothing"
            return say("The past: {clear}", clear=clear), ()
        case "dim other's senses":
            dice = min(multiple(total, wanted, strict=False), MOST_DIMMED)
            words = say("Perception, hiding and searching lose {n}D", n=dice)
            return words, (Effect(tracker="dimmed", set=dice, words=words),)
        case "inflict pain":
            return _hurt(INFLICTED_PAIN[min(max(multiple(total, wanted, strict=False), 1), max(INFLICTED_PAIN))])
        case "injure/kill" | "telekinetic kill":
            return _hurt(damage_row(total, wanted).other_attack)
        case "receptive telepathy":
            return ("A deeper search of the mind" if times >= 2 else "The thoughts are read"), ()
        case "emptiness":
            return _emptiness(given, total)
    if effect := EFFECTS.get(power):
        effect = _NO_STUNS if given.case_control.startswith("stunned") else effect
        return effect.words, (effect,)
    does = ON_SUCCESS.get(power, "The power works")
    return does, _effects(power, does, total)


def _hurt(result: str) -> Yield:
    return say("The target: {result}", result=plain_words(result)), (HURTS[result],)


def _effects(power: str, words: str, total: int) -> tuple[Effect, ...]:
    match power:
        case "force of will":
            return (Effect(tracker="will", set=max(total, 0), on="roller", words=words),)
        case "transfer force":
            spent = Effect(tracker="force_points", change=-1, on="roller", words="A Force Point is spent")
            return (Effect(tracker="sustained", set=1, words="Sustained by the Force"), spent)
    return ()


def _emptiness(given: PowerAsk, total: int) -> Yield:
    """Return what entering and leaving emptiness does: the bonus lasts as long as the emptiness did."""
    if given.case_control == "enter":
        words = say("In emptiness, {n}", n=total)
        return words, (Effect(tracker="emptiness", set=max(total, 0), on="roller", words=words),)
    bonus = max(EMPTINESS_BONUS - given.dark_points, 0)
    words = say("{n} more on Force rolls, for as long as the emptiness lasted", n=bonus)
    also = (Effect(tracker="force_bonus", set=bonus),)
    return words, (Effect(tracker="emptiness", set=0, on="roller", words=words, also=also),)
