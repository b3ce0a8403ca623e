"""Rolls: read, read again, entered by hand, corrected, adjusted; each is scored by its game."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from tableside.dice import Die, Point, Reading, face_of
from tableside.errors import BadChange, Conflict, DiceSetError, GameError, UnknownRoll
from tableside.rules import Outcome
from tableside.rules.characters import takes_action
from tableside.rules.game import Spend
from tableside.rules.plain import plain_outcome
from tableside.table import messages
from tableside.table.acts.calls import call_meant
from tableside.table.acts.difference import changed_rolls
from tableside.table.acts.need import need_person, need_roll
from tableside.table.acts.people import begin_session, pay
from tableside.table.acts.pool import points_of, points_of_ask, take_points
from tableside.table.acts.settling import (
    look_of,
    settle_again,
    settle_colours,
    with_suspect_as,
    without_die,
    without_suspect,
)
from tableside.table.kept import NO_CALL, Call, Decision, Roll, RollDie, Source, TableState
from tableside.table.system import System
from tableside.words import own, say

UNSCORED = "unscored"
"""The outcome of a roll that the game could not score."""


def add_roll(state: TableState, message: messages.NewRoll, system: System) -> Decision:
    """The camera read a throw. It is for what was asked, where the dice fit that game."""
    roll = Roll(
        id=message.id,
        at=message.at,
        game=message.game or state.setup.game,
        source=Source.PHOTO if message.photo else Source.CAMERA,
        by=message.by,
        label=message.label,
        ask=dict(message.ask),
        pictures=int(message.has_picture),
        session=state.session.played(message.at).number,
        who=message.photo.who if message.photo else "",
        photos=(message.photo.mark,) if message.photo else (),
    )
    roll = _with_reading(roll, message.reading, system)
    if message.photo:
        roll = _with_said(roll, message.photo.said, system)
    is_for = NO_CALL
    if not (message.game or message.ask):
        is_for = _call_of_dice(state, message.call, [die.die for die in roll.dice], system)
    if message.photo and not (message.photo.is_for_call and is_for.who == message.photo.who):
        is_for = NO_CALL
    roll = score_roll(_for_call(roll, is_for, state, system), system)
    return say("Rolled: {result}", result=roll.headline), _answer_call(state, roll, is_for, system)


def enter_roll(state: TableState, message: messages.EnterRoll, system: System) -> Decision:
    """A person entered a roll."""
    checked = _check_dice(message.dice, system)
    is_for = _call_of_dice(state, message.call, checked, system) if message.uses_ask else NO_CALL
    wanted = message.game or is_for.game or state.setup.game
    game, ask = _game_of(checked, message, wanted=wanted, system=system)
    roll = Roll(
        id=message.id,
        at=message.at,
        game=game,
        source=Source.MANUAL,
        by=message.by,
        label=message.label,
        dice=tuple(RollDie(type=die.type, face=die.face) for die in checked),
        ask=ask,
        is_hidden=message.is_hidden,
        session=state.session.played(message.at).number,
    )
    roll = score_roll(_for_call(roll, is_for, state, system), system, is_strict=not system.need_no_game(checked))
    new = _answer_call(state, roll, is_for, system)
    taken = points_of(system, roll.game, roll.ask)
    words = say("Entered by hand: {result}", result=roll.headline)
    return words, take_points(new, taken, points_of_ask(system, is_for), system)


def enter_throw(state: TableState, message: messages.EnterThrow, system: System) -> Decision:
    """A person entered the throw that a roll waits for, or what is missing of its last one."""
    old = need_roll(state, message.roll_id, message.version)
    if old.awaits is None and not old.missing:
        hint = "Enter a new roll, or correct a die."
        raise Conflict("this roll waits for no throw", where=f"roll {old.id}", hint=hint)
    throw = old.last_throw if old.awaits is None else max((die.throw for die in old.dice), default=-1) + 1
    dice = tuple(RollDie(type=die.type, face=die.face, throw=throw) for die in _check_dice(message.dice, system))
    source = Source.MANUAL if old.source is Source.MANUAL else Source.CORRECTED
    roll = replace(old, dice=(*old.dice, *dice), source=source, version=old.version + 1)
    roll = score_roll(roll, system, is_strict=True)
    return say("{result} with the new dice", result=roll.headline), state.with_roll(roll)


def read_again(state: TableState, message: messages.NewReading, system: System) -> Decision:
    """The camera read the same throw again. What a person took back stays so, unless it is wanted again."""
    old = state.find_roll(message.roll_id)
    if old is None:
        anew = messages.NewRoll(
            id=message.roll_id, at=message.at, reading=message.reading, has_picture=message.has_picture, by=message.by,
            call=message.call,
        )  # fmt: skip
        return add_roll(state, anew, system) if message.is_wanted else ("", state)
    is_gone = message.throw >= len(old.throws)
    if is_gone and not message.is_wanted:
        return "", state
    roll = replace(
        _with_reading(old, message.reading, system, throw=len(old.throws) if is_gone else message.throw),
        pictures=old.pictures + int(message.has_picture),
        version=old.version + 1,
    )
    roll = score_roll(roll, system)
    return say("Read again: {result}", result=roll.headline), state.with_roll(roll)


def add_throw(state: TableState, message: messages.NewThrow, system: System) -> Decision:
    """The camera read the throw that a roll waits for. A roll that a person took back stays taken back."""
    old = state.find_roll(message.roll_id)
    if old is None:
        return "", state
    if message.photo and old.awaits is None:  # the tray was quicker
        hint = "Send the photograph again."
        raise Conflict("this roll waits for no throw", where=f"roll {old.id}", hint=hint)
    roll = replace(
        _with_reading(old, message.reading, system, throw=len(old.throws)),
        pictures=old.pictures + int(message.has_picture),
        photos=(*old.photos, message.photo.mark) if message.photo else old.photos,
        version=old.version + 1,
    )
    if message.photo:
        roll = _with_said(roll, message.photo.said, system, throw=len(old.throws))
    roll = score_roll(roll, system)
    return say("{result} with the new dice", result=roll.headline), state.with_roll(roll)


def correct_die(state: TableState, message: messages.CorrectDie, system: System) -> Decision:
    """A person says how a die lies."""
    old = need_roll(state, message.roll_id, message.version)
    index = _die_index(old, message)
    if message.die is None:
        roll = _score_by_hand(without_die(old, index), system)
        return say("Die {n} was none: {result}", n=index + 1, result=roll.headline), state.with_roll(roll)
    die = system.check_die(message.die.type, message.die.face)
    dice = list(old.dice)
    dice[index] = dice[index].corrected(die)
    roll = _score_by_hand(replace(old, dice=tuple(settle_colours(dice, system, said=index))), system)
    new = state.with_roll(roll)
    usual = system.usual_of(die.type)
    look = look_of(roll.dice, index, usual) if usual else None
    if look is not None:  # the next such roll needs no question
        looks = {**state.setup.looks, die.type: look}
        new = dataclasses.replace(new, setup=replace(state.setup, looks=looks))
    return say("Die {n} corrected: {result}", n=index + 1, result=roll.headline), new


def rule_die(state: TableState, message: messages.RuleDie, system: System) -> Decision:
    """A rule takes a die away, turns it or has it thrown again: how it lay is kept, and no reading was wrong."""
    old = need_roll(state, message.roll_id, message.version)
    index = _die_index(old, message)
    if old.awaits is not None or not old.sure:
        raise Conflict("that roll is not whole yet", where=f"roll {old.id}", hint="Settle and finish it first.")
    was = old.dice[index]
    face = was.face if message.face is None else system.check_die(was.type, message.face).face
    dice = list(old.dice)
    dice[index] = was.by_rule(message.rule, face)
    roll = score_roll(replace(old, dice=tuple(dice), version=old.version + 1), system)
    if roll.short and not old.short:  # what a rule takes away is not missing: the call is for the dice that are left
        asked = system.find_game(old.game).characters.as_thrown(system.counted(roll.throws[0]), old.ask)
        roll = score_roll(replace(roll, ask=asked), system)
    said = {"n": index + 1, "result": roll.headline}
    words = {
        "away": say("A rule takes die {n} away: {result}", **said),
        "turned": say("A rule turns die {n}: {result}", **said),
        "again": say("A rule has die {n} thrown again: {result}", **said),
    }[message.rule]
    if message.reason.strip():
        words = say("{reason}: {what}", reason=own(message.reason.strip()), what=words)
    return words, state.with_roll(roll)


def _die_index(roll: Roll, message: messages.CorrectDie | messages.RuleDie) -> int:
    """Return the index of the die that a message means: by its place in the picture, or by how it lay."""
    index, was = message.index, message.was
    if message.center is not None:
        index = next((n for n, die in enumerate(roll.dice) if _is_at(die.center, message.center)), -1)
    elif was is not None:
        alike = [n for n, die in enumerate(roll.dice) if (die.type, die.lying.face) == (was.type, face_of(was.face))]
        index = index if index in alike else next(iter(alike), -1)
    if not 0 <= index < len(roll.dice):
        hint = say("It has {=n} dice, counted from 0.", n=len(roll.dice))
        raise UnknownRoll(say("no die {=index}", index=message.index), where=f"roll {roll.id}", hint=hint)
    return index


def _is_at(center: Point | None, place: Point) -> bool:
    """Tell whether a find lies at a place, as far as the log keeps it: to a tenth of a pixel."""
    return center is not None and all(abs(a - b) < 1 for a, b in zip(center, place, strict=True))


def tell_suspect(state: TableState, message: messages.TellSuspect, system: System) -> Decision:
    """A person says what could not be read."""
    old = need_roll(state, message.roll_id, message.version)
    index = message.index
    if message.center is not None:
        index = next((n for n, one in enumerate(old.suspects) if _is_at(one.center, message.center)), -1)
    if not 0 <= index < len(old.suspects):
        hint = say("{=n} could not be read, counted from 0.", n=len(old.suspects))
        raise UnknownRoll(say("no suspect {=index}", index=message.index), where=f"roll {old.id}", hint=hint)
    if message.die is None:
        roll = _score_by_hand(without_suspect(old, index), system)
        return say("What could not be read was no die: {result}", result=roll.headline), state.with_roll(roll)
    die = system.check_die(message.die.type, message.die.face)
    roll = _score_by_hand(with_suspect_as(old, index, die), system)
    return say("Die {n} told: {result}", n=len(roll.dice), result=roll.headline), state.with_roll(roll)


def _score_by_hand(roll: Roll, system: System) -> Roll:
    """Return the next version of a roll that a person has changed, scored."""
    return score_roll(replace(roll, source=Source.CORRECTED, version=roll.version + 1), system)


def change_roll(state: TableState, message: messages.ChangeRoll, system: System) -> Decision:
    """What the roll was for is changed: symbols of talents and gear, who rolled, who may see it."""
    old = need_roll(state, message.roll_id, message.version)
    kept = {name: value for name, value in {**old.ask, **message.ask}.items() if value is not None}
    ask = system.find_game(old.game).given(kept) if message.ask else kept
    roll = replace(
        old,
        ask=ask,
        by=old.by if message.player is None else message.player,
        label=old.label if message.label is None else message.label,
        is_hidden=old.is_hidden if message.is_hidden is None else message.is_hidden,
    )
    if roll == old:
        return "", state
    roll = score_roll(replace(roll, version=old.version + 1), system, is_strict=bool(message.ask))
    words = "Shown to all: {result}" if old.is_hidden and not roll.is_hidden else "Adjusted: {result}"
    asks = ((one.who, one.game, one.ask if message.ask else {}) for one in (roll, old))
    taken, before = (points_of(system, one.game, one.ask) for one in (roll, old))
    return say(words, result=roll.headline), take_points(
        pay(state.with_roll(roll), system, *asks), taken, before, system
    )


def _game_of(
    dice: Sequence[Die], message: messages.EnterRoll, *, wanted: str, system: System
) -> tuple[str, Mapping[str, Any]]:
    """Return the game that dice are entered for, and what it is asked; taught dice may be of none, as in the tray."""
    try:
        game = system.find_game(message.game) if message.game else system.choose_game(dice, wanted=wanted)
    except GameError:
        if message.game or message.ask or not system.need_no_game(dice):
            raise
        return wanted, {}
    return game.name, game.given(message.ask)


def _check_dice(dice: Sequence[messages.ShownDie], system: System) -> tuple[Die, ...]:
    if not dice or len(dice) > system.most_dice:
        raise BadChange(
            say("a roll of {=n} dice", n=len(dice)),
            where="dice",
            hint=say("Enter 1 to {most} dice.", most=system.most_dice),
        )
    return tuple(system.check_die(die.type, die.face) for die in dice)


def _call_of_dice(state: TableState, call_id: str | None, dice: Sequence[Die], system: System) -> Call:
    """Return the call that these dice answer: they must be of its game, and of a set that it asks for."""
    call = call_meant(state, call_id, system)
    if call_id is not None or not call.id:
        return call
    try:
        game = system.find_game(call.game)
    except GameError:
        return NO_CALL
    is_meant = call.tray is None or not dice or system.shares_set(dice, dict(call.tray.dice))
    return call if is_meant and system.fits(game, dice) else NO_CALL


def _answer_call(state: TableState, roll: Roll, ask: Call, system: System) -> TableState:
    """Return the state with a new roll: the call that it answers is done, and what was carried to it is used up.

    Who rolled has acted in the round, and holds there what the call declared.
    """
    new = state.with_roll(roll)
    if roll.session != state.session.number:
        new = dataclasses.replace(begin_session(new, system), session=state.session.played(roll.at))
    if not ask.id:
        return new
    is_action = not state.gives_place(ask)
    if is_action and (person := new.person(ask.who)):
        armed = new.person(ask.aboard) or person
        used = "" if ask.is_damage or not (ask.skill or ask.weapon) else ask.skill or armed.weapon(ask.weapon).skill
        characters, power = system.find_game(person.game).characters, ask.weapon or ask.label
        acts = {person.id: (ask.answers, power)} | {
            one.id: ({}, "") for one in new.people if one.id in ask.helpers and one.id != person.id
        }
        if not ask.contest and takes_action(characters, characters.form.build(ask.answers)):  # several have no turn
            new = new.with_turn_of(person)
        for who, (answers, name) in acts.items():
            one = need_person(new, who)
            new = new.with_person(characters.record_roll(one, answers, skill=used, power=name, roll_id=roll.id))
        if armed.id != person.id:  # a ship that evades is what is shot at
            one = need_person(new, person.id)
            reacts = [of for of in one.states if of.roll == roll.id]
            new = new.with_person(replace(one, states=tuple(of for of in one.states if of not in reacts)))
            for of in reacts:
                armed = armed.with_state(of)
            new = new.with_person(armed)
    whose = (ask.who, ask.aboard)
    for one in new.people if ask.carried else ():
        left = (of for of in one.states if of.key not in ask.carried or not (of.id or one.id in whose))
        new = new.with_person(replace(one, states=tuple(left)))
    agenda = replace(state.agenda, waits=tuple(one for one in state.agenda.waits if one.id != ask.id))
    return dataclasses.replace(new, asked=NO_CALL if ask.id == state.asked.id else state.asked, agenda=agenda)


def _for_call(roll: Roll, ask: Call, state: TableState, system: System) -> Roll:
    """Return the roll with what it is for, and with the table's settings of its game."""
    game = ask.game or roll.game
    answers = {**state.setup.answers(game), **(ask.answers if ask.id else {}), **roll.ask}
    if state.initiative.slots:
        with suppress(GameError):  # a game that is not installed, or not chosen yet, adds nothing
            answers = {**dict.fromkeys(system.find_game(game).form.filled_by("fight"), True), **answers}
    return replace(
        roll,
        game=game,
        ask=answers,
        by=(ask.player if ask.who else "") or roll.by or ask.player,
        label=roll.label or ask.label,
        is_hidden=roll.is_hidden or ask.is_hidden,
        who=roll.who or ask.who,
        against=roll.against or ask.against,
        aboard=roll.aboard or ask.aboard,
        weapon=roll.weapon or ("" if ask.is_damage else ask.weapon),
        table=roll.table or ask.table,
        contest=roll.contest or ask.contest,
    )


def _with_reading(roll: Roll, reading: Reading, system: System, *, throw: int = 0) -> Roll:
    """Return the roll with these dice. What a person said of a die stays while the die is read as it was before.

    :param throw: which throw they are; dice of the others stay.
    """
    dice = [die for die in roll.dice if die.throw < throw]
    after = [die for die in roll.dice if die.throw > throw]  # such as one that a person entered
    for read in reading.dice:
        system.check_die(read.type, read.face)
    now = [replace(RollDie.from_reading(read), throw=throw) for read in reading.dice]
    settled, suspects = settle_again(roll, now, reading.suspects, throw=throw)
    dice += [*settle_colours(settled, system), *after]
    is_corrected = bool(roll.dismissed) or any(die.original is not None or die.is_told for die in dice)
    return replace(
        roll,
        dice=tuple(dice),
        suspects=suspects,
        width=reading.width,
        height=reading.height,
        source=Source.CORRECTED if is_corrected else Source.PHOTO if roll.photos else Source.CAMERA,
    )


def _with_said(roll: Roll, said: Sequence[messages.Said], system: System, *, throw: int = 0) -> Roll:
    """Return the roll with what its sender said of the finds of its newest throw.

    :raises BadChange: where there is no such find.
    """
    first = sum(die.throw < throw for die in roll.dice)
    finds = {"dice": len(roll.dice) - first, "suspects": len(roll.suspects)}
    for one in sorted(said, key=_place_left):
        die = system.check_die(one.die.type, one.die.face) if one.die else None
        if one.index is None:
            if die is None:
                raise BadChange("neither a find nor a die", where="said", hint='Send "index", "die" or both.')
            roll = replace(roll, dice=(*roll.dice, RollDie(type=die.type, face=die.face, is_told=True, throw=throw)))
        elif not 0 <= one.index < finds[one.list]:
            hint = say("It has {=n} of them, counted from 0.", n=finds[one.list])
            raise BadChange(say("no find {=index}", index=one.index), where=f"said, {one.list}", hint=hint)
        elif one.list == "suspects":
            roll = with_suspect_as(roll, one.index, die) if die else without_suspect(roll, one.index)
        elif die is None:
            roll = without_die(roll, first + one.index)
        else:
            dice = list(roll.dice)
            dice[first + one.index] = dice[first + one.index].corrected(die)
            roll = replace(roll, dice=tuple(settle_colours(dice, system, said=first + one.index)))
    return replace(roll, source=Source.CORRECTED) if said else roll


def _place_left(one: messages.Said) -> tuple[bool, int]:
    """Sort what leaves its place last, later finds first, after what is said of others in the order of telling."""
    is_left = one.index is not None and (one.die is None or one.list == "suspects")
    return is_left, -(one.index or 0) if is_left else 0


def score_roll(roll: Roll, system: System, *, is_strict: bool = False) -> Roll:
    """Return the roll with what it means. A roll that no game can score is shown all the same, unless strict."""
    ask: Mapping[str, Any] = roll.ask
    spends: tuple[Spend, ...] = ()
    try:
        dice = [die.die for die in roll.dice]
        game = system.find_game(roll.game) if is_strict else system.choose_game(dice, wanted=roll.game)
        outcome = game.play([system.counted(throw) for throw in roll.throws], ask)
        spends = game.spends(outcome, ask)
    except (GameError, DiceSetError) as error:
        if dice and system.need_no_game(dice):
            outcome = plain_outcome(dice, game=roll.game)
        elif is_strict:
            raise
        else:
            why = say("This roll was not scored: {why}", why=error)
            outcome = Outcome(game=roll.game, word=UNSCORED, headline="?", sentence=why)
    is_thrown = outcome.awaits is None and not outcome.short
    pays = tuple(dict.fromkeys(price for spend in spends for price in spend.prices))
    return replace(roll.came_to(outcome if is_thrown else replace(outcome, effects=())), pays=pays)


def look_up_rolls(old: TableState, state: TableState, _system: System) -> TableState:
    """Let rolls that were for a table of the group's own have what their total means there.

    Of a table that is gone nobody knows what another total means.
    """
    for was, roll in changed_rolls(old, state):
        table = next((one for one in state.tables if one.name.casefold() == roll.table.casefold()), None)
        if table is not None or (was is not None and was.net != roll.net):
            total = dict(roll.net).get("total")
            row = "" if total is None or roll.awaits or table is None else table.words(total)
            state = state.with_roll(replace(roll, row=row))
    return state


def drop_late_pools(old: TableState, state: TableState, system: System) -> TableState:
    """Take the offer of a pool off rolls whose dice were thrown for something else.

    A pool is made where a session begins: before any other roll of it, or later by a call for it.
    """
    for _, roll in changed_rolls(old, state):
        if roll.sets_pool is None:
            continue
        wanted = system.find_game(roll.game).form.asking("pool").items()
        earlier = state.rolls[state.rolls.index(roll) + 1 :]
        begins = all(one.sets_pool is not None for one in earlier if one.session == roll.session)
        if not begins and not (wanted and wanted <= roll.ask.items()):
            state = state.with_roll(replace(roll, sets_pool=None))
    return state
