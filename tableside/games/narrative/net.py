"""Symbols of the narrative dice: their net result and its sentence.

S000 is the core rulebook's text, S002 the summary sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tableside.dice import DiceSet, Die, face_of, find_sets
from tableside.errors import GameError, UnknownDieType, did_you_mean
from tableside.games.narrative.sources import symbol_step
from tableside.rules.game import Step, count_words
from tableside.words import say

NET_NAMES = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")
PLURALS = {
    "success": "successes",
    "failure": "failures",
    "advantage": "advantages",
    "threat": "threats",
    "triumph": "triumphs",
    "despair": "despairs",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NetResult:
    """What is left when opposite symbols have cancelled (S000 Dice symbols and results, S002).

    :ivar net_success: successes and triumphs less failures and despairs; a check succeeds from 1 on.
    :ivar net_advantage: advantages less threats.
    :ivar triumph: as rolled: cancelling takes only their success, never their effect.
    """

    net_success: int
    net_advantage: int
    triumph: int
    despair: int
    light: int
    dark: int

    @property
    def succeeded(self) -> bool:
        """True with at least one success left; a tie fails (S000)."""
        return self.net_success >= 1

    def pairs(self) -> tuple[tuple[str, int], ...]:
        """Return the eight names with their values, in the order in which they are shown; of each pair one is zero."""
        return (
            ("triumph", self.triumph),
            ("success", max(self.net_success, 0)),
            ("failure", max(-self.net_success, 0)),
            ("advantage", max(self.net_advantage, 0)),
            ("threat", max(-self.net_advantage, 0)),
            ("despair", self.despair),
            ("light", self.light),
            ("dark", self.dark),
        )


def net_result(symbols: Iterable[str] | Mapping[str, int]) -> NetResult:
    """Cancel the symbols of one roll, given one by one or counted. Their order does not matter.

    :raises GameError: for a symbol that no narrative die shows.
    """
    count = Counter(symbols)
    for symbol in count:
        if symbol not in NET_NAMES:
            raise GameError(
                "{=symbol} is no symbol of the narrative dice",
                symbol=repr(symbol),
                hint=did_you_mean(symbol, NET_NAMES),
            )
    return NetResult(
        net_success=count["success"] + count["triumph"] - count["failure"] - count["despair"],
        net_advantage=count["advantage"] - count["threat"],
        triumph=count["triumph"],
        despair=count["despair"],
        light=count["light"],
        dark=count["dark"],
    )


def symbols_of(dice: Sequence[Die], dice_set: DiceSet, *, game: str) -> list[str]:
    """Return all symbols that lie up, each die and face checked against the set."""
    known = {die_type.name: die_type for die_type in dice_set.types}
    symbols: list[str] = []
    for die in dice:
        if die.type not in known:
            hint = did_you_mean(die.type, known)
            raise UnknownDieType("does not use {=type} dice", type=repr(die.type), where=f"game {game}", hint=hint)
        symbols.extend(known[die.type].check_face(face_of(die.face)))
    return symbols


def check_sentence(net: NetResult, *, blank: bool = False) -> str:
    """Say the result of a check in one plain sentence.

    :param blank: not one symbol lay up, so that there was nothing to cancel.
    """
    sides = []
    if abs(net.net_success) >= 2:
        sides.append(_count(net.net_success, "success", "failure"))
    if net.net_advantage:
        sides.append(_count(net.net_advantage, "advantage", "threat"))
    extras = []
    if net.triumph:
        extras.append(say("{n} {n:triumph|triumphs} to spend", n=net.triumph))
    if net.despair:
        extras.append(say("{n} {n:despair|despairs} to suffer", n=net.despair))
    if net.light or net.dark:
        extras.append(say("Force {points}", points=force_words(net)))
    if net.net_success:
        start: str = "Success" if net.succeeded else "Failure"
        if sides:
            start = say("Success with {left}" if net.succeeded else "Failure with {left}", left=_both(sides))
    elif not sides and not extras:
        start = (
            "All blank: no success, so the check fails" if blank else "All cancelled: no success, so the check fails"
        )
    else:
        start = "No success is left, so the check fails"
        if sides:
            start = say("No success is left, so the check fails with {left}", left=sides[0])
    return say("{start}; {more}.", start=start, more=extras) if extras else say("{start}.", start=start)


def net_words(net: NetResult) -> str:
    """Return what is left in words, such as ``"2 successes, 1 threat"``."""
    left = dict(net.pairs())
    found = [_count(left[name], name, name) for name in NET_NAMES if left[name]]
    return say("{all}", all=found) if found else "nothing"


def force_words(net: NetResult) -> str:
    """Return ``"2 light, 1 dark"``; what is not there is left out."""
    found = [say("{n} light", n=net.light)] if net.light else []
    return say("{all}", all=[*found, say("{n} dark", n=net.dark)] if net.dark else found)


def _both(words: Sequence[str]) -> str:
    return say("{some} and {last}", some=words[:-1], last=words[-1]) if len(words) > 1 else words[0]


def _count(net: int, good: str, bad: str) -> str:
    name = good if net > 0 else bad
    return count_words(abs(net), name, PLURALS.get(name, name))


def net_steps(rolled: Mapping[str, int], added: Mapping[str, int], net: NetResult) -> tuple[Step, ...]:
    """Say what cancelled what."""
    count = Counter(rolled) + Counter(added)
    steps = [symbol_step(say("Rolled: {symbols}.", symbols=_symbol_words(rolled)), "M01")]
    if any(added.values()):
        steps.append(symbol_step(say("Added: {symbols}.", symbols=_symbol_words(added)), "M04"))
    good, bad = count["success"] + count["triumph"], count["failure"] + count["despair"]
    if good or bad:
        triumph, despair = count["triumph"], count["despair"]
        gains = say("{n}, {m} of them from triumphs", n=good, m=triumph) if triumph else str(good)
        losses = say("{n}, {m} of them from despairs", n=bad, m=despair) if despair else str(bad)
        pattern = "Successes {gains}, less failures {losses}: {net}."
        steps.append(symbol_step(say(pattern, gains=gains, losses=losses, net=f"{net.net_success:+d}"), "M03"))
    if count["advantage"] or count["threat"]:
        text = say(
            "Advantages {advantage} less threats {threat}: {net}.",
            advantage=count["advantage"],
            threat=count["threat"],
            net=f"{net.net_advantage:+d}",
        )
        steps.append(symbol_step(text, "M03"))
    if net.triumph or net.despair:
        kept = "Triumphs and despairs keep their effect, whatever cancelled their success or failure."
        steps.append(symbol_step(kept, "M04"))
    if net.light or net.dark:
        steps.append(symbol_step(say("Force points cancel nothing: {points}.", points=force_words(net)), "M22"))
    return tuple(steps)


def _symbol_words(symbols: Mapping[str, int]) -> str:
    words = [_count(symbols[name], name, name) for name in NET_NAMES if symbols.get(name)]
    return say("{all}", all=words) if words else "nothing but blanks"


@cache
def narrative_set() -> DiceSet:
    """Return the set of the seven symbol dice."""
    (dice_set,) = find_sets(["narrative"])
    return dice_set
