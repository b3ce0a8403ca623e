"""Taking changes back, and rolls that get other dice: the state before, and the later messages followed again.

An undo is a change like any other, so it can be taken back as well. What cannot be followed any more is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from tableside.errors import Conflict, GameError, TablesideError
from tableside.rules import find_game
from tableside.table import messages
from tableside.table.acts.agenda import close_rolls
from tableside.table.acts.evening import turn_words
from tableside.table.acts.follow import change_between, follow, name_things
from tableside.table.kept import Change, Roll, TableState
from tableside.table.system import System
from tableside.words import Words, full_stop, own, say, sentences

_GESTURE_SECONDS = 4.0
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
    words = sentences(full_stop(followed.words), *notes) if any(notes) else followed.words
    return change_between(
        state, again.state, message, system, about=roll_id, kind=followed.kind, sentence=words, message=asked.message,
        place=place, left_out=again.left_out,
    )  # fmt: skip


def without(state: TableState, number: int, system: System) -> Replay:
    """Return what the state would be without a change.

    :raises Conflict: where it was taken back, is too old, or an older version wrote what would have to be followed.
    """
    taps = gesture_of(state, _target(state, number))
    if taps[-1] is state.last_change and len(taps) == 1:
        return Replay(state.past[-1], ())
    return _follow_again(state, _base(state, _root(state, taps[0])), system, without=tuple(one.number for one in taps))


def gesture_of(state: TableState, change: Change) -> list[Change]:
    """Return what is taken back with a change, the oldest first: the taps of one gesture, of which it is the last.

    A gesture is taps on one + or - of a tracker, each soon after the one before, with nothing else done there between.
    """
    own = [one for one in state.standing_changes() if one.device == change.device]
    place = own.index(change)
    if place and _is_tapped_on(own[place - 1], change):
        return [change]
    taps = [change]
    for one in own[place + 1 :]:
        if not _is_tapped_on(taps[0], one):
            break
        taps.insert(0, one)
    return taps


def _is_tapped_on(change: Change, before: Change) -> bool:
    """Tell whether two changes are taps of one gesture."""
    tap = _tap_of(change)
    return tap is not None and tap == _tap_of(before) and change.at - before.at <= _GESTURE_SECONDS


def _tap_of(change: Change) -> tuple[str, str, bool] | None:
    """Return whose tracker a tap moves and whether it rises; ``None`` for what is no tap."""
    table = change.message.get("ChangeTracker", {})
    if table.get("count"):
        return table["owner"], table["name"], table["count"] > 0
    sent = change.message.get("ChangePerson", {}).get("person", {})
    moved = list(sent.get("trackers", {}).items())
    is_more = any(sent.get(name) for name in sent if name not in ("id", "trackers"))
    if is_more or len(moved) != 1 or set(moved[0][1]) != {"change"}:
        return None
    return sent["id"], moved[0][0], moved[0][1]["change"] > 0


def _take_back(state: TableState, message: messages.Undo | messages.Redo, system: System) -> Change:
    target = _target(state, _to_redo(state) if isinstance(message, messages.Redo) else _to_undo(state, message))
    again = without(state, target.number, system)
    target, *others = gesture_of(state, target)
    chain = _chain(state, target)
    root, comes_back = chain[-1], len(chain) % 2 == 0
    done = _taps_words([target, *others] if others else _taps_of(state, target)) or _plain(root.sentence)
    words: str = say("Redone: {change}" if comes_back else "Undone: {change}", change=done)
    is_of_order = target is not state.last_change and "ChangeInitiative" in root.message
    turn = turn_words(again.state.initiative) if is_of_order or _is_other_turn(state, again.state) else ""
    if notes := [one for one in (_went(state, target.number, again.left_out), turn) if one]:
        words = sentences(*(full_stop(one) for one in (words, *notes[:-1])), notes[-1])
    roll = root.after.roll or root.before.roll
    return change_between(
        state, again.state, message, system, about=roll.id if roll else "", kind="redo" if comes_back else "undo",
        sentence=words, undoes=target.number, left_out=(*again.left_out, *(one.number for one in others)),
        repeats_hidden=not state.may_tell(root),
    )  # fmt: skip


def _follow_again(state: TableState, first: int, system: System, *, without: tuple[int, ...] = ()) -> Replay:
    """Return the state before a change with all that stands from it on followed again.

    Before the first are also those that a later undo or correction went back to: what they did is not in its facts.
    Where a correction is left out, what was left out with it is followed again as well. What a change closed it
    closes again, whatever the roll would want by then.
    """
    while reached := [base for one in state.changes if one.number >= first > (base := _base(state, one))]:
        first = min(reached)
    place = next((n for n, one in enumerate(state.changes) if one.number == first), None)
    if place is None:
        raise Conflict("cannot be undone any more", where=f"change {first}", hint="Name a newer change.")
    now, left_out = name_things(state.past[place], system), []
    standing = [one for one in state.standing_changes(without=without) if one.number >= first and not one.undoes]
    for change in sorted(standing, key=_turn):
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
        roll_id = getattr(message, "roll_id", "")
        if followed is None and roll_id and now.find_roll(roll_id) is None:
            left_out.append(change.number)
        else:
            now = close_rolls(followed.state if followed else now, change.closes)
    if any(one.left_out for one in standing if one.number in left_out):
        again = _follow_again(state, first, system, without=(*without, *left_out))
        return Replay(again.state, (*left_out, *again.left_out))
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


def losses(
    state: TableState, number: int, left_out: Iterable[int] | None = None, *, sees_hidden: bool = False
) -> dict[int, str]:
    """Return words for what goes with a change, by numbers: what else is done with a roll that goes needs no word.

    :param left_out: the numbers of what would go; where there are none, those that went with the change itself.
    :param sees_hidden: else what is hidden is not named.
    """
    by_number = {one.number: one for one in state.changes}
    done, before = by_number[number], state
    if left_out is None:
        place = state.changes.index(done)
        left_out, before = done.left_out, replace(state.past[place], changes=state.changes[:place])
    root = _root(state, done)
    told = {roll.id for roll in (root.after.roll, root.before.roll) if roll}
    taps = {one.number for one in _taps_of(state, done)}
    found: dict[int, str] = {}
    gone = (one for one in before.standing_changes() if one.number in left_out and one.number not in taps)
    for change in sorted(gone, key=_turn):
        roll = change.after.roll or change.before.roll
        if change.kind in _USES or not roll or roll.id not in told:
            is_shown = sees_hidden or state.may_tell(change)
            found[change.number] = _lost_words(before, change) if is_shown else say("something hidden")
        if roll and change.before.roll is None:
            told.add(roll.id)
    return found


def undo_words(state: TableState, change: Change) -> str:
    """Return what goes where a change is taken back, such as ``"8 wounds to Troopers"``."""
    roll, asked = change.after.roll, change.after.asked
    if words := _taps_words(gesture_of(state, change)):
        return words
    if change.kind == "ask" and asked is not None and asked.id and change.by:
        return say("{who}'s call", who=own(change.by))
    if change.kind == "effect" and roll is not None and roll.applied and (to := state.person(roll.applied[-1].to)):
        return say("{what} to {name}", what=roll.applied[-1].words, name=own(to.name))
    if change.kind == "spend" and roll is not None and roll.bought:
        bought, to = roll.bought[-1], state.person(roll.bought[-1].to)
        what = bought.short or bought.words
        return say("{what} for {name}", what=what, name=own(to.name)) if to else what
    return _lost_words(state, change)


def _taps_of(state: TableState, undo: Change) -> list[Change]:
    """Return the taps of one gesture that an undo takes back."""
    by_number = {one.number: one for one in state.changes}
    first = by_number.get(undo.undoes)
    if first is None or _tap_of(first) is None:
        return []
    others = [by_number[one] for one in undo.left_out if one in by_number]
    return [first, *sorted((one for one in others if _tap_of(one) == _tap_of(first)), key=_turn)]


def _taps_words(taps: Sequence[Change]) -> str:
    """Return how much a gesture moved, such as ``"Oskara 13 wounds"``; a single tap says it itself."""
    if len(taps) < 2:
        return ""
    who, name, _ = _tap_of(taps[0]) or ("", "", False)
    before, after = ((part.people or {}).get(who) for part in (taps[0].before, taps[-1].after))
    if before is None or after is None:
        return ""
    try:
        tracker = find_game(after.game).characters.tracker(name)
    except GameError:  # an old log may tell of a game that is no longer installed
        return ""
    old, new = before.counted(tracker), after.counted(tracker)
    if tracker.steps or abs(new - old) < 2:
        words = say("{tracker} {old} to {new}", tracker=tracker.title, old=tracker.step(old), new=tracker.step(new))
        return say("{owner}: {change}", owner=own(after.name), change=words)
    return say("{name} {n} {what}", name=own(after.name), n=new - old, what=tracker.title.lower())


def _lost_words(state: TableState, change: Change) -> str:
    """Return what is lost with a change, as it is by now, such as ``"3 wounds of Trooper"``."""
    asked, roll, sent = change.after.asked, change.after.roll, change.message.get("ChangeInitiative", {})
    if change.kind == "ask" and asked is not None and asked.id:
        return say("the call of {who}", who=_name_change(asked.player, asked.label))
    stopped = change.before.asked
    if change.kind == "ask" and asked is not None and stopped is not None and stopped.id:
        return say("{what}, stopped", what=say("the call of {who}", who=_name_change(stopped.player, stopped.label)))
    if change.kind == "effect" and roll is not None and roll.applied:
        done, now = roll.applied[-1], state.find_roll(roll.id)
        by_now = {(one.effect, one.to): one.words for one in (now.applied if now else ())}
        what = by_now.get((done.effect, done.to), done.words)
        person = state.person(done.to)
        return say("{what} of {name}", what=what, name=own(person.name)) if person else what
    if change.kind == "spend" and roll is not None and roll.bought:
        bought = roll.bought[-1]
        person = state.person(bought.to)
        return say("{what} for {name}", what=bought.words, name=own(person.name)) if person else bought.words
    if roll is not None and change.before.roll is None and (roll.by or roll.label):
        return say("the roll of {who}", who=_name_change(roll.by, roll.label))
    if sent:
        turn = change.before.initiative.current if change.before.initiative else None
        is_end = sent["do"] == messages.Turn.NEXT and turn is not None and turn.who
        if sent["do"] == messages.Turn.CLEAR:
            return "the end of the fight"
        return say("the turn of {who}", who=own(turn.who)) if turn and is_end else "changes of the order"
    return _plain(change.sentence)


def _name_change(who: str, label: str) -> Words:
    return own(f"{who} ({label})" if who and label else who or label)


def _plain(words: str) -> str:
    """Return what happened, without what was said beside it."""
    value = words.values.get("words", words.values.get("all")) if isinstance(words, Words) else None
    is_more = isinstance(words, Words) and words.pattern in ("{*all}", "{words}.")
    if not is_more or not value or isinstance(value, int):
        return words
    return _plain(value if isinstance(value, str) else value[0])


def _went(state: TableState, change: int, left_out: Iterable[int]) -> str:
    what = list(dict.fromkeys(losses(state, change, left_out).values()))
    return say("With it went: {what}", what=what) if what else ""


def _is_other_turn(state: TableState, now: TableState) -> bool:
    """Tell whether a fight that goes on is at another turn by now."""
    was, is_now = ((one.initiative.part, one.initiative.current and one.initiative.current.id) for one in (state, now))
    return was != is_now and bool(state.initiative.slots) and bool(now.initiative.slots)


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
