"""What a person has settled of a roll, and what of it stays when the camera reads the same throw again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tableside.dice import Die, Status, Suspect
from tableside.table.roll import Dismissed, Roll, RollDie

_UNSEEN = 20.0  # px, of a find without an outline


def without_die(roll: Roll, index: int) -> Roll:
    """Return the roll without what was taken for a die there; what it was read as is kept."""
    die = roll.dice[index]
    first = die.original or die
    gone = Dismissed(
        center=die.center, outline=die.outline, confidence=first.confidence, read=Die(type=first.type, face=first.face)
    )
    dice = roll.dice[:index] + roll.dice[index + 1 :]
    return replace(roll, dice=dice, dismissed=(*roll.dismissed, gone))


def without_suspect(roll: Roll, index: int) -> Roll:
    """Return the roll without a suspect that is no die."""
    gone = roll.suspects[index]
    dismissed = Dismissed(center=gone.center, outline=gone.outline, confidence=gone.confidence)
    return replace(roll, suspects=_but(roll.suspects, index), dismissed=(*roll.dismissed, dismissed))


def with_suspect_as(roll: Roll, index: int, die: Die) -> Roll:
    """Return the roll with a suspect as the die that a person says it is. It belongs to the newest throw."""
    suspect = roll.suspects[index]
    told = RollDie(
        type=die.type, face=die.face, center=suspect.center, outline=suspect.outline, is_told=True,
        throw=roll.last_throw,
    )  # fmt: skip
    return replace(roll, dice=(*roll.dice, told), suspects=_but(roll.suspects, index))


def settled_again(
    roll: Roll, read: Sequence[RollDie], suspects: Sequence[Suspect], *, throw: int
) -> tuple[list[RollDie], tuple[Suspect, ...]]:
    """Return the dice and suspects of now, with what a person said of them while they are read as they were then.

    A correction stays while the die is read as before it; a die that a person told while it cannot be read; what was no
    die stays none while it cannot be read, is a question, or is read as before. What is surely another die is that.

    :param roll: as it was before. :param read: the dice as read now. :param throw: which one of the roll they are.
    """
    corrected = [die for die in roll.dice if die.original is not None]
    told = [die for die in roll.dice if die.is_told]
    dice: list[RollDie] = []
    for die in read:
        if any(_is_there(one, die) and _is_no_news(one, die) for one in roll.dismissed):
            continue
        said = next((old for old in corrected if _is_same(old, die)), None)
        if said is not None:
            corrected.remove(said)
            die = die.corrected(said.die)
        dice.append(die)
    left = []
    for suspect in suspects:
        if any(_is_there(one, suspect) for one in roll.dismissed):
            continue
        known = next((old for old in told if _is_there(old, suspect)), None)
        if known is None:
            left.append(suspect)
            continue
        told.remove(known)
        if known.throw == throw:  # those of other throws stay as they are
            dice.append(replace(known, center=suspect.center, outline=suspect.outline))
    return dice, tuple(left)


def _is_no_news(gone: Dismissed, die: RollDie) -> bool:
    return die.status is not Status.SURE or gone.read == die.die


def _is_same(old: RollDie, new: RollDie) -> bool:
    """Tell whether a corrected die lies where it lay and is read as it was read before the correction."""
    if old.original is None or (old.original.type, old.original.face) != (new.type, new.face):
        return False
    return _is_there(old, new)


def _is_there(old: RollDie | Dismissed, new: RollDie | Suspect) -> bool:
    """Tell whether two finds lie at one place, to a quarter of the newer one's width."""
    if old.center is None or new.center is None:
        return False
    at = new.center
    xs = [x for x, _ in new.outline] or [at[0] - _UNSEEN, at[0] + _UNSEEN]
    reach = (max(xs) - min(xs)) / 4
    return abs(old.center[0] - at[0]) <= reach and abs(old.center[1] - at[1]) <= reach


def _but(suspects: tuple[Suspect, ...], index: int) -> tuple[Suspect, ...]:
    return suspects[:index] + suspects[index + 1 :]
