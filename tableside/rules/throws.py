"""Throws that a roll takes: which dice should lie in the tray, what is missing, and which throw comes next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import force_setattr

from tableside.dice import Die, find_sets
from tableside.errors import BadAsk
from tableside.record import Record
from tableside.words import say, sentences


class Throw(Record, frozen=True, kw_only=True):
    """A throw that the rules want.

    :ivar name: which throw it is: ``roll rest wild_again difficulty uncertainty points``.
    :ivar dice: the types of dice that should lie in the tray, with their numbers.
    :ivar sentence: what to do, for people.
    :ivar by_gm: the game master throws, perhaps behind a screen.
    :ivar most: so many dice at most should lie in the tray: ``count``, or more as the thrower likes.
    """

    texts = ("sentence",)
    pairs = ("dice",)
    properties = ("count",)

    name: str
    dice: tuple[tuple[str, int], ...]
    sentence: str
    by_gm: bool = False
    most: int = 0

    def __post_init__(self) -> None:
        force_setattr(self, "most", max(self.most, self.count))

    @property
    def count(self) -> int:
        """How many dice should lie in the tray, or the fewest where there may be more."""
        return sum(count for _, count in self.dice)


def dice_words(dice: Mapping[str, int] | Sequence[tuple[str, int]], *, more: int = 0) -> str:
    """Return ``"2 ability dice and 1 difficulty die"``.

    :param more: of one type, so many may be thrown on top: ``"3 or 4 six-sided dice"``, ``"9 to 100 six-sided dice"``.
    """
    pairs = dice.items() if isinstance(dice, Mapping) else dice
    if more:
        ((name, n),) = pairs
        return say(f"{{n}} {'or' if more == 1 else 'to'} {{most}} {_word(name)} dice", n=n, most=n + more)
    named = [(_word(name), n) for name, n in pairs if n]
    words = [say(f"{{n}} {{n:{name} die|{name} dice}}", n=n) for name, n in named]
    return (
        say("{some} and {last}", some=words[:-1], last=words[-1])
        if len(words) > 1
        else words[0]
        if words
        else "no dice"
    )


@cache
def _words() -> Mapping[str, str]:
    return {kind.name: kind.word for one in find_sets() for kind in one.types if kind.word}


def _word(die: str) -> str:
    """Return what players say of a type before "die"."""
    return _words().get(die, die)


def split_throw(throw: Throw, owned: Mapping[str, int]) -> tuple[Throw, ...]:
    """Return the throw in as many parts as the players need who own only so many dice of a type.

    :param owned: dice that there are; a type that is not named, or 0, means enough.
    """
    left = dict(throw.dice)
    parts: list[Throw] = []
    while sum(left.values()) or not parts:
        part = {name: min(count, owned.get(name) or count) for name, count in left.items()}
        left = {name: count - part[name] for name, count in left.items()}
        name, sentence = (
            (throw.name, throw.sentence) if not parts else ("rest", say("Throw {dice} more.", dice=dice_words(part)))
        )
        dice = tuple((name, count) for name, count in part.items() if count)
        parts.append(Throw(name=name, dice=dice, sentence=sentence, by_gm=throw.by_gm))
    return tuple(parts)


def short_of(throw: Throw, dice: Sequence[Die], *, any_type: bool = False) -> tuple[tuple[str, int], ...]:
    """Return the types of which dice are missing, with how many; too many are below zero.

    :param any_type: dice of one type may stand for another, so only their number counts.
    """
    lying, wanted = Counter(die.type for die in dice), Counter(dict(throw.dice))
    gaps = tuple((name, gap) for name in sorted(wanted.keys() | lying.keys()) if (gap := wanted[name] - lying[name]))
    if not any_type or (gaps and all(gap > 0 for _, gap in gaps)):
        return gaps
    gap = max(throw.count - len(dice), 0) or min(throw.most - len(dice), 0)
    return ((throw.dice[0][0], gap),) if gap else ()


def short_words(short: Sequence[tuple[str, int]]) -> str:
    """Return ``"1 difficulty die is missing."``, or nothing where all dice lie there."""
    found = []
    for pattern, some in (
        ("{dice} {n:is|are} missing.", [(n, gap) for n, gap in short if gap > 0]),
        ("{dice} {n:is|are} too many.", [(n, -gap) for n, gap in short if gap < 0]),
    ):
        if some:
            found.append(say(pattern, dice=dice_words(some), n=sum(n for _, n in some)))
    return sentences(*found)


class Hand:
    """Takes the throws of a roll one by one, as the rules ask for them.

    Where a throw has not been made yet, or has not the dice it should have, everything after it has to wait.
    """

    def __init__(self, throws: Sequence[Sequence[Die]]) -> None:
        self._throws = [tuple(throw) for throw in throws]
        self.awaits: Throw | None = None
        self.short: tuple[tuple[str, int], ...] = ()

    @property
    def waits(self) -> bool:
        return self.awaits is not None or bool(self.short)

    def check_rest(self, game: str) -> None:
        """Raise :class:`BadAsk` where more was thrown than asked for."""
        left = len(self._throws)
        if left and not self.waits:
            hint = "Ask for what they were thrown for, or leave them out."
            raise BadAsk(
                "{n} {n:throw|throws} more than asked for",
                n=left,
                where=f"game {game}",
                hint=hint,
            )

    def take(self, throw: Throw, *, any_type: bool = False, in_parts: bool = False) -> tuple[Die, ...]:
        """Return the dice of the next throw, none while an earlier one is awaited.

        :param in_parts: fewer dice may lie there: the others are thrown later.
        """
        if self.waits or not throw.count:
            return ()
        if not self._throws:
            self.awaits = throw
            return ()
        dice = self._throws.pop(0)
        self.short = short_of(throw, dice, any_type=any_type)
        if in_parts and dice and all(gap > 0 for _, gap in self.short):
            self.short = ()
        return dice

    def take_any(self) -> tuple[Die, ...]:
        """Return the dice of the next throw, whatever they are."""
        return self._throws.pop(0) if self._throws and not self.waits else ()

    def take_all(self, throw: Throw, owned: Mapping[str, int], *, any_type: bool = False) -> tuple[Die, ...]:
        """Return the dice of a throw that may be more than the players own."""
        return tuple(die for part in split_throw(throw, owned) for die in self.take(part, any_type=any_type))
