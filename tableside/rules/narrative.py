"""The narrative dice: net result and its sentence.

S000 is the core rulebook's text, S002 the summary sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableside.dice import DiceSet, Die, face_of, find_sets
from tableside.errors import UnknownDieType, did_you_mean
from tableside.rules.game import Outcome, PoolNames, check_ask, count_words

NET_NAMES = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")
_PLURAL = {
    "success": "successes",
    "failure": "failures",
    "advantage": "advantages",
    "threat": "threats",
    "triumph": "triumphs",
    "despair": "despairs",
}
_ASK = dict.fromkeys(NET_NAMES, int)


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
        """Return the eight names with their values; of each pair one side is zero."""
        return (
            ("success", max(self.net_success, 0)),
            ("failure", max(-self.net_success, 0)),
            ("advantage", max(self.net_advantage, 0)),
            ("threat", max(-self.net_advantage, 0)),
            ("triumph", self.triumph),
            ("despair", self.despair),
            ("light", self.light),
            ("dark", self.dark),
        )


def net_result(symbols: Sequence[str]) -> NetResult:
    """Cancel the symbols of one roll. Their order does not matter."""
    count = {name: symbols.count(name) for name in NET_NAMES}
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
            raise UnknownDieType(f"does not use {die.type!r} dice", where=f"game {game}", hint=hint)
        symbols.extend(known[die.type].check_face(face_of(die.face)))
    return symbols


def sentence_of(net: NetResult, *, checked: bool) -> str:
    """Say the result in one plain sentence.

    :param checked: dice other than Force dice lay in the tray, so that the roll was a check.
    """
    force = " and ".join(f"{n} {name}" for name, n in (("light", net.light), ("dark", net.dark)) if n)
    if not checked:
        return f"Force: {force}." if force else "No dice were thrown."
    if net.net_success >= 1:
        start = f"Success with {count_words(net.net_success, 'success', 'successes')}"
    elif net.net_success == 0:
        start = "Failure: no success is left"
    else:
        start = f"Failure with {count_words(-net.net_success, 'failure')}"
    extras = []
    if net.net_advantage > 0:
        extras.append(count_words(net.net_advantage, "advantage"))
    elif net.net_advantage < 0:
        extras.append(count_words(-net.net_advantage, "threat"))
    if net.triumph:
        extras.append(count_words(net.triumph, "triumph") + " to spend")
    if net.despair:
        extras.append(count_words(net.despair, "despair") + " to suffer")
    if force:
        extras.append(f"Force {force}")
    if not extras:
        return f"{start}, and nothing besides."
    return f"{start}; {', '.join(extras)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativeGame:
    """A game on the seven symbol dice. Asks may add symbols: ``{"advantage": 1}``."""

    name: str
    title: str
    pool_names: PoolNames
    dice_sets: tuple[str, ...] = ("narrative",)

    def score(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> Outcome:
        check_ask(ask, _ASK, game=self.name)
        symbols = symbols_of(dice, _narrative_set(), game=self.name)
        rolled = net_result(symbols)
        added = {name: int(ask.get(name, 0)) for name in NET_NAMES}
        net = NetResult(
            net_success=rolled.net_success + added["success"] + added["triumph"] - added["failure"] - added["despair"],
            net_advantage=rolled.net_advantage + added["advantage"] - added["threat"],
            triumph=max(rolled.triumph + added["triumph"], 0),
            despair=max(rolled.despair + added["despair"], 0),
            light=max(rolled.light + added["light"], 0),
            dark=max(rolled.dark + added["dark"], 0),
        )
        checked = any(die.type != "force" for die in dice)
        word, succeeded = ("success" if net.succeeded else "failure"), bool(net.succeeded)
        if checked:
            return Outcome(
                game=self.name, word=word, succeeded=succeeded, net=net.pairs(), headline=word.capitalize(),
                sentence=sentence_of(net, checked=True),
            )  # fmt: skip
        word = "nothing" if net.light == net.dark == 0 else "light" if net.light >= net.dark else "dark"
        headline = "No dice" if word == "nothing" else f"{net.light} light, {net.dark} dark"
        return Outcome(
            game=self.name, word=word, succeeded=None, net=net.pairs(), headline=headline,
            sentence=sentence_of(net, checked=False),
        )  # fmt: skip


def _narrative_set() -> DiceSet:
    global _SET
    if _SET is None:
        (_SET,) = find_sets(["narrative"])
    return _SET


_SET: DiceSet | None = None

GAME = NarrativeGame(name="narrative", title="Narrative dice", pool_names=PoolNames())
