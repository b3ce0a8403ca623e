"""The heroic game's damage: threshold, condition track, stamina, soak and saving throws (S004).

Marks such as A4 name the readings of unclear points in the project's rules, ``heroic.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tableside.errors import GameError, did_you_mean
from tableside.games.narrative.pool import Pool

CONDITIONS: Mapping[str, Pool] = {
    "normal": Pool(),
    "winded": Pool(setback=1),
    "fatigued": Pool(setback=2),
    "exhausted": Pool(difficulty=1),
    "crippled": Pool(challenge=1),
    "helpless": Pool(),
}
"""The track, best first, with the dice that each row adds to every check; rows replace each other (A1, A2)."""

DAMAGE_TYPES = ("weapon", "fire", "electric", "poison", "acid", "force", "cold", "holy", "unholy")
DEFAULT_SAVE = Pool(ability=1)
"""The dice of a saving throw are lost; one ability die saves half the time (A6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a character is.

    :ivar unconscious: only while helpless, which always counts as staggered.
    """

    condition: str = "normal"
    staggered: bool = False
    unconscious: bool = False
    stamina: int = 0

    def __post_init__(self) -> None:
        row(self.condition)
        if self.stamina < 0:
            raise GameError(f"stamina is {self.stamina}", where="health", hint="It stops at 0.")

    @property
    def is_staggered(self) -> bool:
        return self.staggered or self.condition == "helpless"

    @property
    def can_act(self) -> bool:
        return self.condition != "helpless"

    @property
    def dead(self) -> bool:
        """Unconscious with no stamina left."""
        return self.unconscious and self.stamina == 0

    def hit(self, damage: int, threshold: int, *, stamina_each_step: bool = False) -> Health:
        """Return the health after damage.

        :param stamina_each_step: an unconscious character loses a stamina for each step instead of each hit (A4).
        """
        steps, staggers = steps_down(damage, threshold, staggered=self.is_staggered)
        if self.unconscious:
            lost = steps if stamina_each_step else min(steps, 1)
            return replace(self, stamina=max(self.stamina - lost, 0))
        place = row(self.condition) + steps
        last = len(CONDITIONS) - 1
        return replace(
            self,
            condition=tuple(CONDITIONS)[min(place, last)],
            staggered=self.staggered or staggers or place >= last,
            unconscious=place > last,
        )

    def steadied(self) -> Health | None:
        """Return the health after the power Steady, or ``None`` where it cannot be used.

        At Normal it takes away staggering (A5). The helpless cannot act.
        """
        useless = self.condition == "normal" and not self.staggered
        if not self.can_act or self.stamina == 0 or useless:
            return None
        return replace(self.moved_up(), stamina=self.stamina - 1)

    def moved_up(self) -> Health:
        """Return the health one row better, no longer staggered and awake."""
        better = tuple(CONDITIONS)[max(row(self.condition) - 1, 0)]
        return replace(self, condition=better, staggered=False, unconscious=False)


def row(condition: str) -> int:
    """Return the row of a condition, Normal being 0, or raise :class:`GameError`."""
    if condition not in CONDITIONS:
        hint = did_you_mean(condition, CONDITIONS)
        raise GameError(f"no condition {condition!r}", where="condition track", hint=hint)
    return tuple(CONDITIONS).index(condition)


def threshold_of(class_base: int, vitality: int) -> int:
    """Return the damage that counts once."""
    return class_base + vitality


def most_stamina(class_base: int, vitality: int) -> int:
    """Return the stamina after an extended rest."""
    return class_base + vitality


def steps_down(damage: int, threshold: int, *, staggered: bool) -> tuple[int, bool]:
    """Return the steps down and whether the hit staggers: once for each time the damage holds the threshold."""
    if threshold < 1:
        raise GameError(f"a threshold of {threshold}", where="damage", hint="It is at least 1.")
    times = max(damage, 0) // threshold
    if staggered or not times:
        return times, False
    return times - 1, True


def saved(net_success: int) -> bool:
    """Return whether a saving throw ends its effect."""
    return net_success >= 1


def types_of(keywords: Iterable[str], named: Sequence[str]) -> tuple[str, ...]:
    """Return the types of a power's damage: those it names, else weapon by its keyword, else none (A17)."""
    for name in named:
        _check_type(name)
    return tuple(named) or (("weapon",) if "weapon" in keywords else ())


def soaked_threshold(threshold: int, soak: Mapping[str, int], types: Sequence[str]) -> int:
    """Return the threshold against damage of these types: each must be soaked, and the smallest soak counts."""
    for name in (*soak, *types):
        _check_type(name)
    return threshold + min((soak.get(name, 0) for name in types), default=0)


def felt_damage(damage: int, vulnerability: Mapping[str, int], types: Sequence[str]) -> int:
    """Return the damage with the largest vulnerability that applies, once (A15)."""
    for name in (*vulnerability, *types):
        _check_type(name)
    return damage + max((vulnerability.get(name, 0) for name in types), default=0)


def _check_type(name: str) -> None:
    if name not in DAMAGE_TYPES:
        hint = did_you_mean(name, DAMAGE_TYPES)
        raise GameError(f"no damage type {name!r}", where="damage", hint=hint)
