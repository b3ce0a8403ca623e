"""All decisions of the table, as a pure function: the same state and message always give the same new state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tableside.dice import Reading
from tableside.errors import BadChange, DiceSetError, GameError, UnknownRoll
from tableside.rules import PoolNames
from tableside.table.messages import (
    ChangeDestiny,
    ClearTrouble,
    CorrectDie,
    EnterRoll,
    Lasting,
    Message,
    NewReading,
    NewRoll,
    ShowPhase,
    ShowTrouble,
    Undo,
)
from tableside.table.pool import changed_pool, pool_words
from tableside.table.state import Change, Destiny, Part, Phase, Roll, RollDie, Source, TableState, Trouble
from tableside.table.system import System
from tableside.table.undo import taken_back

UNSCORED = "unscored"
"""The outcome of a roll that the game could not score."""


def step(state: TableState, message: Message, system: System) -> TableState:
    """Return the state after a message. A message that changes nothing gives the very same state.

    A change adds itself to ``changes``: the caller puts it on disk before anybody sees the new state.

    :raises TablesideError: where the message cannot be followed; nothing is changed then.
    """
    match message:
        case ShowPhase():
            return state if state.phase is message.phase else _next(replace(state, phase=message.phase))
        case ShowTrouble() | ClearTrouble():
            return _with_trouble(state, message)
    if any(change.id == message.id for change in state.changes):
        return state
    change = _decide(state, message, system)
    return state if change is None else _next(named(apply(state, change, system), system))


def apply(state: TableState, change: Change, system: System) -> TableState:
    """Return the state after a change of the log. It decides nothing, so an old log always gives the same state."""
    before, after = change.before.roll, change.after.roll
    rolls = state.rolls
    if after is not None and state.find_roll(after.id) is not None:
        rolls = tuple(after if roll.id == after.id else roll for roll in rolls)
    elif after is not None:
        rolls = (after, *rolls)
    elif before is not None:
        rolls = tuple(roll for roll in rolls if roll.id != before.id)
    return replace(
        state,
        destiny=change.after.destiny or state.destiny,
        rolls=rolls[: system.most_changes],
        changes=(*state.changes, change)[-system.most_changes :],
    )


def named(state: TableState, system: System) -> TableState:
    """Return the state with the names that its game gives to things."""
    name = (state.roll.game if state.roll else "") or system.game
    try:
        game = system.find_game(name) if name else system.game_for(())
    except GameError:  # an old log may tell of a game that is no longer installed
        return replace(state, game=name, game_title=name, destiny_names=PoolNames())
    return replace(state, game=game.name, game_title=game.title, destiny_names=game.pool_names)


def _next(state: TableState) -> TableState:
    return replace(state, revision=state.revision + 1)


def _with_trouble(state: TableState, message: ShowTrouble | ClearTrouble) -> TableState:
    old = next((trouble for trouble in state.trouble if trouble.part == message.part), None)
    others = tuple(trouble for trouble in state.trouble if trouble.part != message.part)
    if isinstance(message, ClearTrouble):
        return state if old is None else _next(replace(state, trouble=others))
    new = Trouble(
        part=message.part,
        what=message.what,
        where=message.where,
        hint=message.hint,
        since=message.at if old is None else old.since,
    )
    return state if new == old else _next(replace(state, trouble=(*others, new)))


def _decide(state: TableState, message: Lasting, system: System) -> Change | None:
    match message:
        case ChangeDestiny():
            after = changed_pool(state, message, most=system.most_points)
            sentence = pool_words(state, message, after)
            return _change(state, message, "destiny", sentence, before=state.destiny, after=after)
        case NewRoll():
            return _new_roll(state, message, system)
        case EnterRoll():
            return _entered(state, message, system)
        case NewReading():
            return _read_again(state, message, system)
        case CorrectDie():
            return _corrected(state, message, system)
        case Undo():
            target, part_before, part_after = taken_back(state, message.change)
            return Change(
                number=state.last_number + 1,
                id=message.id,
                at=message.at,
                by=message.by,
                kind="undo",
                sentence=f"{'Redone' if target.undoes else 'Undone'}: {target.sentence.removeprefix('Undone: ')}",
                before=part_before,
                after=part_after,
                undoes=target.number,
            )


def _change(
    state: TableState, message: Lasting, kind: str, sentence: str, *,
    before: Destiny | Roll | None, after: Destiny | Roll | None,
) -> Change:  # fmt: skip
    return Change(
        number=state.last_number + 1,
        id=message.id,
        at=message.at,
        by=message.by,
        kind=kind,
        sentence=sentence,
        before=_part(before),
        after=_part(after),
    )


def _part(value: Destiny | Roll | None) -> Part:
    return Part(destiny=value) if isinstance(value, Destiny) else Part(roll=value)


def _new_roll(state: TableState, message: NewRoll, system: System) -> Change:
    roll = Roll(
        id=message.id,
        at=message.at,
        game=message.game,
        source=Source.CAMERA,
        by=message.by,
        label=message.label,
        ask=dict(message.ask),
        pictures=int(message.has_picture),
    )
    roll = _scored(_with_reading(roll, message.reading, system), system)
    return _change(state, message, "roll", f"Rolled: {roll.headline}", before=None, after=roll)


def _read_again(state: TableState, message: NewReading, system: System) -> Change | None:
    old = state.find_roll(message.roll_id)
    if old is None:  # a person took the roll back while its dice still lie there: it stays taken back
        return None
    roll = replace(
        _with_reading(old, message.reading, system),
        pictures=old.pictures + int(message.has_picture),
        version=old.version + 1,
    )
    roll = _scored(roll, system)
    return _change(state, message, "reading", f"Read again: {roll.headline}", before=old, after=roll)


def _with_reading(roll: Roll, reading: Reading, system: System) -> Roll:
    """Return the roll with these dice. What a person said of a die stays while the die is read as it was before."""
    dice: list[RollDie] = []
    settled = [die for die in roll.dice if die.original is not None]
    for read in reading.dice:
        system.check_die(read.type, read.face)
        die = RollDie.from_reading(read)
        said = next((old for old in settled if _is_same(old, die)), None)
        if said is not None:
            settled.remove(said)
            die = die.corrected(said.die)
        dice.append(die)
    is_corrected = any(die.original is not None for die in dice)
    return replace(
        roll,
        dice=tuple(dice),
        suspects=reading.suspects,
        width=reading.width,
        height=reading.height,
        source=Source.CORRECTED if is_corrected else Source.CAMERA,
    )


def _is_same(old: RollDie, new: RollDie) -> bool:
    """Tell whether a corrected die lies where it lay and is read as it was read before the correction."""
    if old.original is None or old.center is None or new.center is None:
        return False
    if (old.original.type, old.original.face) != (new.type, new.face):
        return False
    xs = [x for x, _ in new.outline] or [new.center[0] - 20, new.center[0] + 20]
    reach = (max(xs) - min(xs)) / 4
    return abs(old.center[0] - new.center[0]) <= reach and abs(old.center[1] - new.center[1]) <= reach


def _entered(state: TableState, message: EnterRoll, system: System) -> Change:
    if not message.dice or len(message.dice) > system.most_dice:
        raise BadChange(
            f"a roll of {len(message.dice)} dice", where="dice", hint=f"Enter 1 to {system.most_dice} dice."
        )
    checked = tuple(system.check_die(die.type, die.face) for die in message.dice)
    game = system.find_game(message.game) if message.game else system.choose_game(checked)
    roll = Roll(
        id=message.id,
        at=message.at,
        game=game.name,
        source=Source.MANUAL,
        by=message.by,
        label=message.label,
        dice=tuple(RollDie(type=die.type, face=die.face) for die in checked),
        ask=dict(message.ask),
    )
    roll = _scored(roll, system, is_strict=True)
    return _change(state, message, "roll", f"Entered by hand: {roll.headline}", before=None, after=roll)


def _corrected(state: TableState, message: CorrectDie, system: System) -> Change:
    old = state.find_roll(message.roll_id)
    if old is None:
        raise UnknownRoll("no such roll", where=message.roll_id, hint="Only the rolls in the history can be corrected.")
    if not 0 <= message.index < len(old.dice):
        raise UnknownRoll(
            f"no die {message.index}", where=f"roll {old.id}", hint=f"It has {len(old.dice)} dice, counted from 0."
        )
    if message.version not in (None, old.version):
        raise BadChange(
            "somebody changed this roll first",
            where=f"roll {old.id}",
            hint=f"Look at version {old.version} and correct it again.",
        )
    die = system.check_die(message.die.type, message.die.face)
    dice = list(old.dice)
    dice[message.index] = dice[message.index].corrected(die)
    roll = _scored(replace(old, dice=tuple(dice), source=Source.CORRECTED, version=old.version + 1), system)
    return _change(
        state, message, "correction", f"Die {message.index + 1} corrected: {roll.headline}", before=old, after=roll
    )


def _scored(roll: Roll, system: System, *, is_strict: bool = False) -> Roll:
    """Return the roll with what it means. A roll that no game can score is shown all the same, unless strict."""
    dice = [die.die for die in roll.dice]
    ask: Mapping[str, Any] = roll.ask
    try:
        game = system.find_game(roll.game) if is_strict else system.choose_game(dice, wanted=roll.game)
        outcome = game.score(dice, ask)
    except (GameError, DiceSetError) as error:
        if is_strict:
            raise
        return replace(
            roll, net=(), outcome=UNSCORED, succeeded=None, headline="?",
            sentence=f"This roll was not scored: {error}", awaits=None, short=(),
        )  # fmt: skip
    return replace(
        roll,
        game=game.name,
        net=outcome.net,
        outcome=outcome.word,
        succeeded=outcome.succeeded,
        headline=outcome.headline,
        sentence=outcome.sentence,
        awaits=outcome.awaits,
        short=outcome.short,
    )


def fold(state: TableState, changes: Sequence[Change], system: System) -> TableState:
    """Return the state after all these changes of a log."""
    for change in changes:
        state = apply(state, change, system)
    return named(replace(state, phase=Phase.EMPTY), system)
