"""D6 with a Wild Die, before and after a roll: difficulties, actions, points, preparation, commands.

Source of every number: the two-page summary (S001) as restated in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code
from tableside.rules.turns import Ranked, Slot, TurnOrder
from tableside.words import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Difficulty numbers from ``least`` to ``most``, and the fewest and most dice that draw one at random.

    ``None`` means no upper limit for ``most``, and that the summary prints no dice for the codes.
    """

    least: int
    most: int | None
    least_code: Code | None = None
    most_code: Code | None = None

    @property
    def words(self) -> str:
        """Return ``"41 to 50"``, or ``"31 or more"``."""
        if self.most is None:
            return say("{least} or more", least=self.least)
        return say("{least} to {most}", least=self.least, most=self.most)


BANDS: Mapping[str, Band] = {
    "very_easy": Band(least=1, most=5, least_code=Code(dice=1), most_code=Code(dice=1)),
    "easy": Band(least=6, most=10, least_code=Code(dice=2), most_code=Code(dice=2)),
    "moderate": Band(least=11, most=15, least_code=Code(dice=3), most_code=Code(dice=4)),
    "difficult": Band(least=16, most=20, least_code=Code(dice=5), most_code=Code(dice=6)),
    "very_difficult": Band(least=21, most=30, least_code=Code(dice=7), most_code=Code(dice=8)),
    "heroic": Band(least=31, most=None, least_code=Code(dice=9)),
}
"""Difficulty numbers."""

POINT_LIMITS: Mapping[str, int] = {
    "skill_or_attribute": 2,
    "attack": 2,
    "damage": 2,
    "specialization": 5,
    "reaction_skill": 5,
    "strength_against_damage": 5,
    "willpower_or_control_against_powers": 5,
}
"""Most character points on one roll, by its use."""


def find_band(task: str) -> Band:
    """Return the band of a task such as ``"moderate"``, ``"heroic"`` or ``"heroic+20"``, or raise `GameError`."""
    if task in BANDS:
        return BANDS[task]
    tens = task.removeprefix("heroic+")
    if tens != task and tens.isascii() and tens.isdigit() and len(tens) <= 4 and int(tens) % 10 == 0 and int(tens):
        return Band(least=31 + int(tens), most=40 + int(tens))
    raise GameError(f"no difficulty {task!r}", where="difficulty", hint=did_you_mean(task, BANDS))


def penalty_dice(actions: int, extra_reactions: int = 0) -> int:
    """Return the dice that each code of the round loses: one for every action beyond the first."""
    if actions < 1 or extra_reactions < 0:
        raise GameError(f"{actions} actions, {extra_reactions} reactions", hint="A round has at least one action.")
    return actions - 1 + extra_reactions


def point_limit(use: str) -> int:
    """Return the most character points on a roll for this use."""
    if use not in POINT_LIMITS:
        raise GameError(f"no use {use!r}", where="character points", hint=did_you_mean(use, POINT_LIMITS))
    return POINT_LIMITS[use]


def rushed(code: Code) -> Code:
    """Return the code in half the time: half the dice, at least one, and all pips (our reading of odd codes)."""
    return Code(dice=max(code.dice // 2, min(code.dice, 1)), pips=code.pips)


def most_commanded(command: Code) -> int:
    """Return how many a leader may command: one a die."""
    return command.dice


def command_bonus(combining: int, *, missed_by: int = 0) -> Code:
    """Return the bonus of characters working together: a die for every three, pips for the rest.

    A failed command loses a die for each point it missed by. That leftover pips stay is our reading.
    """
    if combining < 1:
        raise GameError(f"{combining} characters", where="combined action", hint="At least one works.")
    return Code(dice=combining // 3, pips=combining % 3).plus(-missed_by)


def chooses_order(totals: Mapping[str, int]) -> str | None:
    """Return the side with the highest total, ``None`` on a tie, which is thrown again."""
    best = max(totals.values())
    sides = [side for side, total in totals.items() if total == best]
    return sides[0] if len(sides) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SideOrder(TurnOrder):
    """The first actions of one side by Perception, then those of the other side, then the second actions of both.

    The side with the higher throw of Perception chooses whether it acts first or last; it acts first until then.
    """

    numbers: tuple[str, ...] = ("dice", "pips", "actions", "total")
    is_by_action: bool = True
    sides_choose: bool = True
    hint: str = "Give Perception as the rank, such as 4 1 for 4D+1, then actions, then what was thrown for the side."

    def rank(self, net: Mapping[str, int], ask: Mapping[str, Any]) -> tuple[int, ...] | None:
        """Return the code that was asked for with its throw; a roll without a code does not tell Perception."""
        if "total" not in net or not ask.get("code"):
            return None
        code = Code.of(str(ask["code"]))
        return code.dice, code.pips, int(ask.get("actions", 1)), net["total"]

    def turns(self, slots: Sequence[Slot], *, segment: int = 0, players_first: bool | None = None) -> tuple[Slot, ...]:
        first = (self._winner(slots) is not False) if players_first is None else players_first
        acting = (slot for slot in slots if max(self.number(slot, "actions"), 1) > segment)
        return tuple(
            sorted(
                acting,
                key=lambda slot: (slot.is_player is not first, -self.number(slot, "dice"), -self.number(slot, "pips")),
            )
        )

    def title(self, slots: Sequence[Ranked], *, segment: int = 0, players_first: bool | None = None) -> str:
        is_open = players_first is None and len({slot.is_player for slot in slots}) > 1
        if not is_open or self._winner(slots) is not None:
            return say("Action {n} of each", n=segment + 1)
        if any(self.number(slot, "total") for slot in slots):
            return say("Action {n} of each; nobody has won or chosen which side is first", n=segment + 1)
        players, others = (str(self.thrown_for(slots, is_player=side)) for side in (True, False))
        pattern = "Action {n} of each; for the first turn the players throw {players}, the others {others}"
        return say(pattern, n=segment + 1, players=players, others=others)

    def thrown_for(self, slots: Sequence[Ranked], *, is_player: bool) -> Code:
        """Return the highest Perception of a side, which throws for it."""
        codes = [
            Code(dice=self.number(slot, "dice"), pips=self.number(slot, "pips"))
            for slot in slots
            if slot.is_player is is_player
        ]
        return max(codes, default=Code())

    def _winner(self, slots: Sequence[Ranked]) -> bool | None:
        """Return whether the players threw more, ``None`` on a tie, which is thrown again.

        On each side the throw of the highest Perception counts, of those who threw.
        """
        best = {"players": (0, 0, 0), "others": (0, 0, 0)}
        for slot in slots:
            dice, pips, total = (self.number(slot, name) for name in ("dice", "pips", "total"))
            side = "players" if slot.is_player else "others"
            if total:
                best[side] = max(best[side], (dice, pips, total))
        found = chooses_order({side: total for side, (_, _, total) in best.items()})
        return None if found is None else found == "players"


TURNS = SideOrder()
"""S001 Rounds."""
