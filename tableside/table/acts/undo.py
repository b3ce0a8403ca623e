"""Taking changes back, and rolls that get other dice: the state before, and the later messages followed again.

An undo is a change like any other, so it can be taken back as well. What cannot be followed any more is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from tableside.errors import Conflict, TablesideError
from tableside.table import messages
from tableside.table.acts.follow import change_between, follow, name_things
from tableside.table.kept import Change, Roll, TableState
from tableside.table.system import System
from tableside.words import Words, own, say, sentences

_USES = ("effect", "spend")
"""Kinds of changes by which something is done with a roll, and which leave its dice."""
_OF_DICE = (
    messages.NewReading,
    messages.CorrectDie,
    messages.TellSuspect,
    messages.RuleDie,
    messages.TakeRoll,
    messages.ChangeRoll,
)
"""Messages by which a roll gets other dice, or is for something else."""


class Replay(NamedTuple):
    """The state once later messages were followed again, and the numbers of the changes that could not be."""

    state: TableState
    left_out: tuple[int, ...]


def decide(state: TableState, message: messages.Lasting, system: System) -> Change | None:
    """Return the change that a message makes, ``None`` where what is wanted is so already.

    :raises TablesideError: where it cannot be followed.
    """
    if isinstance(message, messages.Undo | messages.Redo):
        return _take_back(state, message, system)
    followed = follow(state, message, system)
    if followed is None:
        return None
    roll_id, place = getattr(message, "roll_id", ""), _place_of(state, message)
    change = change_between(
        state, followed.state, message, system, about=roll_id, kind=followed.kind, sentence=followed.words,
        message=messages.to_form(followed.message),
    )  # fmt: skip
    if not place:
        return change
    asked = structs.replace(change, place=place)
    told = replace(state, changes=(*state.changes, asked), past=(*state.past, state))
    try:
        again = _follow_again(told, place + 1, system)
    except Conflict:  # an older version of the program did something with the roll: that stays
        return change
    if asked.number in again.left_out:
        return change
    notes = [*_became(state.find_roll(roll_id), again.state), _went(told, asked.number, again.left_out)]
    words = sentences(say("{words}.", words=followed.words), *notes) if any(notes) else followed.words
    return change_between(
        state, again.state, message, system, about=roll_id, kind=followed.kind, sentence=words, message=asked.message,
        place=place, left_out=again.left_out,
    )  # fmt: skip


def without(state: TableState, number: int, system: System) -> Replay:
    """Return what the state would be without a change.

    :raises Conflict: where it was taken back, is too old, or an older version wrote what would have to be followed.
    """
    target = _target(state, number)
    if target is state.last_change:
        return Replay(state.past[-1], ())
    root = _root(state, target)
    return _follow_again(state, _base(state, root), system, without=target.number)


def _take_back(state: TableState, message: messages.Undo | messages.Redo, system: System) -> Change:
    target = _target(state, _to_redo(state) if isinstance(message, messages.Redo) else _to_undo(state, message))
    chain = _chain(state, target)
    root, comes_back = chain[-1], len(chain) % 2 == 0
    again = without(state, target.number, system)
    words: str = say("Redone: {change}" if comes_back else "Undone: {change}", change=root.sentence)
    if note := _went(state, target.number, again.left_out):
        words = sentences(say("{words}.", words=words), note)
    roll = root.after.roll or root.before.roll
    return change_between(
        state, again.state, message, system, about=roll.id if roll else "", kind="redo" if comes_back else "undo",
        sentence=words, undoes=target.number, left_out=again.left_out, repeats_hidden=not state.may_tell(root),
    )  # fmt: skip


def _follow_again(state: TableState, first: int, system: System, *, without: int = 0) -> Replay:
    """Return the state before a change with all that stands from it on followed again.

    Before the first are also those that a later undo or correction went back to: what they did is not in its facts.
    """
    while reached := [base for one in state.changes if one.number >= first > (base := _base(state, one))]:
        first = min(reached)
    place = next((n for n, one in enumerate(state.changes) if one.number == first), None)
    if place is None:
        raise Conflict("cannot be undone any more", where=f"change {first}", hint="Name a newer change.")
    now, left_out = name_things(state.past[place], system), []
    standing = state.standing_changes(without=without)
    for change in sorted((one for one in standing if one.number >= first and not one.undoes), key=_turn):
        try:
            message = messages.from_form(change.message)
        except ValueError as error:
            what = "what came after it cannot be followed again: another version of tableside wrote it"
            raise Conflict(what, where=f"change {change.number}", hint="Set it right by hand.") from error
        try:
            followed = follow(now, message, system)
        except TablesideError:
            left_out.append(change.number)
            continue
        if followed is not None:
            now = followed.state
        elif (roll_id := getattr(message, "roll_id", "")) and now.find_roll(roll_id) is None:
            left_out.append(change.number)
    here, were = ({roll.id for roll in one.rolls} for one in (state, state.past[place]))
    rolls = tuple(roll for roll in now.rolls if roll.id in here or roll.id not in were)  # older ones fell off since
    return Replay(replace(now, rolls=rolls), tuple(left_out))


def _turn(change: Change) -> tuple[int, int]:
    """Return when a change is followed: a corrected roll has its new dice before anything is done with it."""
    return change.place or change.number, change.number


def _chain(state: TableState, change: Change) -> list[Change]:
    """Return a change, the one that it takes back and so on, down to what was asked, as far as it is at hand."""
    chain = [change]
    by_number = {one.number: one for one in state.changes}
    while (undone := by_number.get(chain[-1].undoes)) is not None:
        chain.append(undone)
    return chain


def _root(state: TableState, change: Change) -> Change:
    return _chain(state, change)[-1]


def _base(state: TableState, change: Change) -> int:
    """Return the number of the first change that one touches: what it takes back, or what a corrected roll led to."""
    root = _root(state, change)
    return 0 if root.undoes else root.place + 1 if root.place else root.number


def _place_of(state: TableState, message: messages.Doing) -> int:
    """Return the number of the change after which a roll gets other dice, 0 where nothing was done with it since."""
    if not isinstance(message, _OF_DICE) or (isinstance(message, messages.ChangeRoll) and not message.ask):
        return 0
    roll = state.find_roll(message.roll_id)
    if roll is None or not (roll.applied or roll.bought):
        return 0
    of_dice = [
        one
        for one in state.standing_changes()
        if not one.undoes and one.kind not in _USES and one.after.roll is not None and one.after.roll.id == roll.id
    ]
    last = max(of_dice, key=_turn, default=None)
    return 0 if last is None else last.place or last.number


def losses(state: TableState, number: int, left_out: Iterable[int], *, sees_hidden: bool = False) -> dict[int, str]:
    """Return words for what goes with a change, by numbers: the further throws of its own roll go without a word.

    :param sees_hidden: else what is hidden is not named.
    """
    by_number = {one.number: one for one in state.changes}
    root = _root(state, by_number[number])
    roll = root.after.roll or root.before.roll
    found: dict[int, str] = {}
    for change in (by_number[one] for one in left_out if one in by_number):
        of = change.after.roll or change.before.roll
        if change.kind in _USES or not roll or not of or of.id != roll.id:
            is_shown = sees_hidden or state.may_tell(change)
            found[change.number] = _lost_words(state, change) if is_shown else say("something hidden")
    return found


def _lost_words(state: TableState, change: Change) -> str:
    """Return what is lost with a change, as it is by now, such as ``"3 wounds of Trooper"``."""
    words, asked = change.sentence, change.after.asked
    if change.kind == "ask" and asked is not None and asked.id:
        return say("the call of {who}", who=own(", ".join(one for one in (asked.player, asked.label) if one)))
    if not isinstance(words, Words) or change.kind not in _USES or "what" not in words.values:
        return words
    roll = change.after.roll
    now = state.find_roll(roll.id) if roll and roll.applied else None
    if change.kind == "effect" and roll is not None:
        done = roll.applied[-1]
        by_now = {(one.effect, one.to): one.words for one in (now.applied if now else ())}
        what = by_now.get((done.effect, done.to), done.words)
        return say("{what} of {name}", what=what, name=words.values["name"])
    return say("{what}", what=words.values["what"])


def _went(state: TableState, change: int, left_out: Iterable[int]) -> str:
    what = list(dict.fromkeys(losses(state, change, left_out).values()))
    return say("With it went: {what}", what=what) if what else ""


def _became(roll: Roll | None, now: TableState) -> list[str]:
    """Say what the roll has done to people otherwise by now: ``"Trooper: 5 wounds in place of 3 wounds."``."""
    then = now.find_roll(roll.id) if roll else None
    done = {(one.effect, one.to): one.words for one in (then.applied if then else ())}
    return [
        say("{name}: {now} in place of {was}.", name=own(person.name), now=done[one.effect, one.to], was=one.words)
        for one in (roll.applied if roll else ())
        if done.get((one.effect, one.to), one.words) != one.words and (person := now.person(one.to))
    ]


def _to_undo(state: TableState, message: messages.Undo) -> int:
    """Return the number of what is to be taken back; what concerns the whole evening has to be named by its number."""
    if message.change is not None:
        return message.change
    change = state.to_undo(only_open=message.only_open, only_of=message.only_of)
    if change is None:
        hint = "Nothing of yours stands." if message.only_of else "Nothing was changed yet."
        raise Conflict("there is nothing to undo", where="history", hint=hint)
    if change.is_grave:
        hint = "Undo it on the table's screen, which asks first, or send its number."
        raise Conflict("the newest change concerns the whole evening", where=change.sentence, hint=hint)
    return change.number


def _to_redo(state: TableState) -> int:
    """Return the number of the newest undo that stands.

    :raises Conflict: where there is none.
    """
    for change in state.standing_changes():
        if change.kind == "undo":
            return change.number
    raise Conflict("there is nothing to redo", where="history", hint="Nothing was undone.")


def _target(state: TableState, number: int) -> Change:
    for change in state.standing_changes():
        if change.number == number:
            return change
    if any(change.number == number for change in state.changes):
        raise Conflict("it was taken back already", where=f"change {number}", hint="Undo what took it back.")
    raise Conflict("cannot be undone any more", where=f"change {number}", hint="Name a newer change.")
