"""What a person has settled of a roll, and what of it stays when the camera reads the same throw again."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tableside.dice import Die, Doubt, Status, Suspect
from tableside.table.kept import Dismissed, Roll, RollDie
from tableside.table.system import System

_UNSEEN = 20.0  # px, of a find without an outline
_PLACE, _STILL = 1 / 4, 1 / 12  # of its width: how far off a find may be seen again, and one that no throw moved since
_SIZE = 0.15  # by how much its width and height may differ then


def without_die(roll: Roll, index: int) -> Roll:
    """Return the roll without what was taken for a die there; what it was read as is kept."""
    die = roll.dice[index]
    first = die.original or die
    gone = Dismissed(
        center=die.center, outline=die.outline, confidence=first.confidence, type=first.type, face=first.face,
        throw=die.throw,
    )  # fmt: skip
    dice = roll.dice[:index] + roll.dice[index + 1 :]
    return replace(roll, dice=dice, dismissed=(*roll.dismissed, gone))


def without_suspect(roll: Roll, index: int) -> Roll:
    """Return the roll without a suspect that is no die."""
    gone = roll.suspects[index]
    dismissed = Dismissed(
        center=gone.center, outline=gone.outline, confidence=gone.confidence, throw=roll.last_throw
    )  # fmt: skip
    return replace(roll, suspects=_but(roll.suspects, index), dismissed=(*roll.dismissed, dismissed))


def with_suspect_as(roll: Roll, index: int, die: Die) -> Roll:
    """Return the roll with a suspect as the die that a person says it is. It belongs to the newest throw."""
    suspect = roll.suspects[index]
    new = RollDie(
        type=die.type, face=die.face, center=suspect.center, outline=suspect.outline, is_told=True,
        throw=roll.last_throw,
    )  # fmt: skip
    return replace(roll, dice=(*roll.dice, new), suspects=_but(roll.suspects, index))


def settle_again(
    roll: Roll, read: Sequence[RollDie], suspects: Sequence[Suspect], *, throw: int
) -> tuple[list[RollDie], tuple[Suspect, ...]]:
    """Return the dice and suspects of now, with what a person said of them while they are read as they were then, and
    with what rules have done to them.

    A correction stays while the die is read as before it; a die that a person told while it cannot be read; what was no
    die stays none while it cannot be read, is a question, or is read as before. What is surely another die is that.
    Of an earlier throw's finds only those count that have not moved since, and of its corrections none: other dice may
    have come to rest there.

    :param roll: as it was before. :param read: the dice as read now. :param throw: which one of the roll they are.
    """
    corrected = [die for die in roll.dice if die.original is not None and die.throw == throw]
    by_hand = [die for die in roll.dice if die.is_told]
    ruled = [die for die in roll.dice if die.rule and die.throw == throw]
    dice: list[RollDie] = []
    for die in read:
        cleared = [one for one in roll.dismissed if _is_left(one, die, throw)]
        if cleared and (die.status is not Status.SURE or any(one.read == die.die for one in cleared)):  # no news
            continue
        said = next((old for old in corrected if _is_same(old, die)), None)
        if said is not None:
            corrected.remove(said)
            die = die.corrected(said.lying)
        by_rule = next((old for old in ruled if old.lying == die.die and _is_there(old, die)), None)
        if by_rule is not None:
            ruled.remove(by_rule)
            die = die.by_rule(by_rule.rule, by_rule.face)
        dice.append(die)
    left = []
    for suspect in suspects:
        if any(_is_left(one, suspect, throw) for one in roll.dismissed):
            continue
        known = next((old for old in by_hand if _is_left(old, suspect, throw)), None)
        if known is None:
            left.append(suspect)
            continue
        by_hand.remove(known)
        if known.throw == throw:  # those of other throws stay as they are
            dice.append(replace(known, center=suspect.center, outline=suspect.outline))
    return dice, tuple(left)


def settle_colours(dice: Sequence[RollDie], system: System, *, said: int | None = None) -> list[RollDie]:
    """Return the dice with no other of a throw named as, or asked about as, the one that differs by colour, where a
    person said which it is.

    :param said: the one that was told just now, which takes the place of one told before.
    """
    now = list(dice)
    for one in range(len(now)) if said is None else (said,):
        variant, usual = now[one].type, system.usual_of(now[one].type)
        if now[one].original is None or not usual:
            continue
        for i, die in enumerate(now):
            if i == one or die.throw != now[one].throw:
                continue
            if die.type == variant and (said is not None or die.original is None):
                now[i] = die.corrected(Die(type=usual, face=die.face))
            elif die.type == usual and die.doubt is Doubt.COLOUR:
                now[i] = replace(die, status=Status.SURE, doubt=None)
    return now


def look_of(dice: Sequence[RollDie], said: int, usual: str) -> tuple[str, str] | None:
    """Return the colour of the die that a person named, and the middle one of the others of its throw, where they were
    measured."""
    die = dice[said]
    others = [one.colour for one in dice if one.type == usual and one.throw == die.throw and one.colour]
    if not die.colour or not others:
        return None
    channels = zip(*([colour[at : at + 2] for at in (1, 3, 5)] for colour in others), strict=True)
    return die.colour, "#" + "".join(sorted(channel)[len(channel) // 2] for channel in channels)


def _is_same(old: RollDie, new: RollDie) -> bool:
    """Tell whether a corrected die lies where it lay and is read as it was read before the correction."""
    if old.original is None or (old.original.type, old.original.face) != (new.type, new.face):
        return False
    return _is_there(old, new)


def _is_left(old: RollDie | Dismissed, new: RollDie | Suspect, throw: int) -> bool:
    """Tell whether a find is one of before; where that was another throw, only if it lies just as it lay."""
    if old.throw == throw:
        return _is_there(old, new)
    was, now = _extent(old), _extent(new)
    is_alike = all(abs(a - b) <= _SIZE * max(a, b) for a, b in zip(was, now, strict=True))
    return is_alike and _is_there(old, new, _STILL)


def _is_there(old: RollDie | Dismissed, new: RollDie | Suspect, share: float = _PLACE) -> bool:
    """Tell whether two finds lie at one place, to that share of the newer one's width."""
    if old.center is None or new.center is None:
        return False
    reach = _extent(new)[0] * share
    return all(abs(a - b) <= reach for a, b in zip(old.center, new.center, strict=True))


def _extent(find: RollDie | Dismissed | Suspect) -> tuple[float, float]:
    """Return a find's width and height, px."""
    if not find.outline:
        return 2 * _UNSEEN, 2 * _UNSEEN
    xs, ys = zip(*find.outline, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def _but(suspects: tuple[Suspect, ...], index: int) -> tuple[Suspect, ...]:
    return suspects[:index] + suspects[index + 1 :]
