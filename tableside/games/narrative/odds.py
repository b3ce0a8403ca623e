"""Exact odds of narrative pools: the joint distribution of the net result in whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod
from types import MappingProxyType
from typing import Any

from tableside.dice import DieType
from tableside.games.narrative.net import narrative_set, net_result
from tableside.games.narrative.pool_text import check_pool

Cell = tuple[int, int, int, int]
"""Net success, net advantage, triumphs, despairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The joint distribution of a pool's net result, as exact integer counts out of ``denominator``."""

    pool: Mapping[str, int]
    denominator: int
    joint: Mapping[Cell, int]

    def chances(self) -> dict[str, Fraction]:
        """Return the exact chances of net success, advantage and threat of at least 1, and of any triumph, despair."""
        ways = [0, 0, 0, 0, 0]
        for (success, advantage, triumph, despair), count in self.joint.items():
            if success >= 1:
                ways[0] += count
            if advantage >= 1:
                ways[1] += count
            elif advantage <= -1:
                ways[2] += count
            if triumph:
                ways[3] += count
            if despair:
                ways[4] += count
        names = ("success", "advantage", "threat", "triumph", "despair")
        return {name: Fraction(count, self.denominator) for name, count in zip(names, ways, strict=True)}

    def successes(self) -> dict[int, Fraction]:
        """Return the exact chance of each net success, in order."""
        ways: dict[int, int] = {}
        for (success, *_), count in self.joint.items():
            ways[success] = ways.get(success, 0) + count
        return {success: Fraction(ways[success], self.denominator) for success in sorted(ways)}

    def to_json(self) -> dict[str, Any]:
        """Return the form of ``odds --json``: probabilities as floats, counts exact."""
        return {
            "pool": dict(self.pool),
            "denominator": self.denominator,
            **{name: float(chance) for name, chance in self.chances().items()},
            "joint": [[*cell, count] for cell, count in sorted(self.joint.items())],
        }


NOTHING_ADDED: Cell = (0, 0, 0, 0)


def added_cell(added: Mapping[str, int]) -> Cell:
    """Return what symbols that count without being thrown add to every result."""
    net = net_result([name for name, count in added.items() for _ in range(count)])
    return net.net_success, net.net_advantage, net.triumph, net.despair


def odds_of(pool: Mapping[str, int], added: Cell = NOTHING_ADDED) -> Odds:
    """Return the exact joint distribution of the pool. Force dice cancel nothing.

    :param added: to every result.
    """
    check_pool(pool)
    dice = [_weights(narrative_set().type(name)) for name, count in pool.items() for _ in range(count)]
    dice.sort(key=lambda weights: any(cell[2:] != (0, 0) for cell in weights))
    denominator = prod(sum(weights.values()) for weights in dice)
    joint = _joint(dice, denominator)
    if any(added):
        joint = {(s + added[0], a + added[1], t + added[2], d + added[3]): n for (s, a, t, d), n in joint.items()}
    return Odds(pool=dict(pool), denominator=denominator, joint=MappingProxyType(joint))


def success_chance(pool: Mapping[str, int], added: Cell = NOTHING_ADDED) -> Fraction:
    """Return the exact chance of success alone, which takes a fraction of the time of the joint distribution."""
    check_pool(pool)
    dice_set = narrative_set()
    packed, low, denominator = 1, 0, 1
    room = prod(len(dice_set.type(name).faces) ** count for name, count in pool.items()).bit_length()
    for name, count in pool.items():
        nets = Counter(net_result(face).net_success for face in dice_set.type(name).faces)
        least = min(nets)
        # Each net success has a place in one long integer, so that adding dice is multiplying.
        packed *= sum(ways << (room * (net - least)) for net, ways in nets.items()) ** count
        low, denominator = low + least * count, denominator * nets.total() ** count
    failed = packed & ((1 << (room * max(1 - low - added[0], 0))) - 1)
    place, ways = (1 << room) - 1, 0
    while failed:
        ways, failed = ways + (failed & place), failed >> room
    return 1 - Fraction(ways, denominator)


@cache
def _weights(die_type: DieType) -> dict[Cell, int]:
    """Return on how many faces of the die each cell lies."""
    nets = [net_result(face) for face in die_type.faces]
    return Counter((net.net_success, net.net_advantage, net.triumph, net.despair) for net in nets)


def _joint(dice: Sequence[Mapping[Cell, int]], denominator: int) -> dict[Cell, int]:
    """Add up the dice.

    For each number of triumphs and despairs there is a plane of counts by net success and net advantage, packed into
    one long integer: adding a die is then a few shifts and sums of long integers. No count can outgrow its place,
    because all counts together are the denominator.
    """
    size = denominator.bit_length() // 8 + 1
    low = [sum(min(cell[axis] for cell in weights) for weights in dice) for axis in (0, 1)]
    wide = sum(max(cell[1] for cell in weights) for weights in dice) - low[1] + 1
    planes: dict[tuple[int, int], int] = {(0, 0): 1}
    for weights in dice:
        least = [min(cell[axis] for cell in weights) for axis in (0, 1)]
        steps = [
            (8 * size * ((s - least[0]) * wide + a - least[1]), t, d, ways) for (s, a, t, d), ways in weights.items()
        ]
        after: dict[tuple[int, int], int] = {}
        for (triumph, despair), plane in planes.items():
            for shift, t, d, ways in steps:
                key = (triumph + t, despair + d)
                after[key] = after.get(key, 0) + (plane << shift) * ways
        planes = after
    joint: dict[Cell, int] = {}
    nothing = bytes(size)
    for (triumph, despair), plane in planes.items():
        packed = plane.to_bytes(plane.bit_length() // 8 + size, "little")
        for place in range(len(packed) // size):
            count = packed[place * size : (place + 1) * size]
            if count != nothing:
                success, advantage = divmod(place, wide)
                joint[success + low[0], advantage + low[1], triumph, despair] = int.from_bytes(count, "little")
    return joint
