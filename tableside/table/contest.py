"""A call of several: each of those who are named rolls in turn, and the rolls are ranked.

What the table keeps is who was named and for what. Who has rolled, the ranking and the winner follow from the rolls, so
a correction, an undo or a roll that is shown at last needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace as changed

from msgspec.structs import replace

from tableside.errors import BadChange, Conflict, TablesideError
from tableside.table.change import Decision
from tableside.table.messages import Doing, LastTotal, Rival, SetAsk
from tableside.table.people_changes import found_person
from tableside.table.play import NO_ASK, NO_CONTEST, Ask, Contest, Entrant
from tableside.table.points import points_of_ask
from tableside.table.standings import roll_of, waiting
from tableside.table.state import TableState
from tableside.table.system import System
from tableside.table.turn import as_call, ask_of, call_words, called_alone, is_nothing
from tableside.words import own, say, sentences


def called(state: TableState, message: SetAsk, system: System) -> Decision:
    """Call a roll by one or by several. A call of one ends that of several; without a call nobody is waited for."""
    if message.others or message.contest:
        return _by_several(state, message, system)
    words, before, after = called_alone(state, message, system)
    contest = _closed(state) if is_nothing(message) else NO_CONTEST
    if contest == state.contest:
        return words, before, after
    return words, replace(before, contest=state.contest), replace(after, contest=contest)


def called_on(state: TableState, message: Doing, system: System, decision: Decision) -> Decision:
    """Return a decision about a roll with the call of who is next of several, once the roll is whole."""
    words, before, after = decision
    contest, roll, asked = state.contest, after.roll, after.asked or state.asked
    if roll is None or roll.contest != contest.id or not contest.id or asked.id or roll.awaits or roll.short:
        return decision
    gone = {one.id for one in before.carried or ()}
    rolls = (roll, *(one for one in state.rolls if one.id != roll.id))
    now = changed(state, asked=NO_ASK, rolls=rolls, carried=tuple(one for one in state.carried if one.id not in gone))
    notes, left_out = [], []
    for one in waiting(contest, rolls):
        try:
            ask = _ask(now, contest, one, system, call_id=f"{message.id}-next", at=message.at)
        except TablesideError as error:
            notes.append(say("{name} cannot roll: {why}.", name=own(one.name), why=error.what))
            left_out.append(one)
            continue
        before, after = replace(before, asked=before.asked or NO_ASK), replace(after, asked=ask)
        break
    if left_out:
        entrants = tuple(one for one in contest.entrants if one not in left_out)
        before = replace(before, contest=contest)
        after = replace(after, contest=replace(contest, entrants=entrants))
        words = sentences(say("{words}.", words=words), *notes)
    return words, before, after


def _closed(state: TableState) -> Contest:
    """Return the call of several with those alone who have rolled, so that their ranking stands."""
    left = tuple(one for one in state.contest.entrants if roll_of(one, state.contest, state.rolls))
    return replace(state.contest, entrants=left) if left else NO_CONTEST


def _by_several(state: TableState, message: SetAsk, system: System) -> Decision:
    """Begin a call of several, or call somebody of those who wait in the open one."""
    if message.weapon or message.helpers:
        what = "who helps does not roll" if message.helpers else "an attack is one person's own"
        raise BadChange(what, where="others", hint="Call a skill of each of them, or one person alone.")
    contest = _joined(state, message) if message.contest else _begun(state, message, system)
    asks = [
        _ask(state, contest, one, system, call_id=message.id, at=message.at) for one in waiting(contest, state.rolls)
    ]  # nobody is named who cannot roll
    words, before, after = as_call(state, call_words(asks[0]), asks[0], system)
    if asks[1:]:
        words = say("{call} Then: {names}.", call=words, names=[own(ask.player) for ask in asks[1:]])
    return words, replace(before, contest=state.contest), replace(after, contest=contest)


def _begun(state: TableState, message: SetAsk, system: System) -> Contest:
    entrants = [_entrant(state, one) for one in (message.who or message.player, *message.others)]
    person = state.person(entrants[0].who)
    game = system.find_game(message.game or (person.game if person else "") or state.game)
    return _told(Contest(id=message.id, game=game.name, entrants=_once(entrants)), message)


def _joined(state: TableState, message: SetAsk) -> Contest:
    """Return the open call of several with the one who is called now before all others who wait."""
    contest = state.contest
    if message.contest != contest.id:
        raise Conflict("that call of several is over", where="ask", hint="Call them again.")
    known = {(one.who, one.name): one for one in contest.entrants}
    now = _entrant(state, message.who or message.player)
    now = known.get((now.who, now.name), now)
    if roll_of(now, contest, state.rolls):
        raise Conflict(say("{=name} has rolled already", name=now.name), where="ask", hint="Undo that roll first.")
    left = waiting(contest, state.rolls)
    done = [one for one in contest.entrants if one not in left]
    others = [_entrant(state, one) for one in message.others] or left
    contest = replace(contest, entrants=_once([*done, now, *others]))
    is_another = message.skill or message.ask or message.answers or message.label or message.against
    return _told(contest, message) if is_another else contest


def _told(contest: Contest, message: SetAsk) -> Contest:
    """Return the call of several with what a message says of it."""
    against = message.against
    return replace(
        contest,
        label=message.label or message.skill,
        skill=message.skill,
        given={**message.answers, **message.ask},
        against=against if isinstance(against, str) else "",
        last_total=against.last_total if isinstance(against, LastTotal) else "",
        against_skill=message.against_skill,
        table=message.table,
        added=message.added,
        is_hidden=message.is_hidden,
        odds_for=message.odds_for,
    )


def _once(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    found: dict[tuple[str, str], Entrant] = {}
    for one in entrants:
        found.setdefault((one.who, one.name), one)
    return tuple(found.values())


def _entrant(state: TableState, named: str | Rival) -> Entrant:
    """Return who is meant by an id, or by the name of a player without a character."""
    who, skill = (named, "") if isinstance(named, str) else (named.who, named.skill)
    person = state.person(who)
    if person is not None:
        return Entrant(who=person.id, name=person.name, skill=skill)
    if any(player.name == who for player in state.players):
        return Entrant(name=who)
    return Entrant(name=found_person(state, who).name)


def _ask(state: TableState, contest: Contest, one: Entrant, system: System, *, call_id: str, at: float) -> Ask:
    """Return the call of one of several.

    :raises TablesideError: where this one cannot be called so. Points are each one's own, so no call of several takes
        any.
    """
    message = SetAsk(
        id=call_id,
        at=at,
        game=contest.game,
        who=one.who,
        player="" if one.who else one.name,
        skill=(one.skill or contest.skill) if one.who else "",
        ask=contest.given,
        against=LastTotal(last_total=contest.last_total) if contest.last_total else contest.against,
        against_skill=contest.against_skill,
        label=contest.label,
        table=contest.table,
        added=contest.added,
        is_hidden=contest.is_hidden,
        odds_for=contest.odds_for,
    )
    ask = replace(ask_of(state, message, system), contest=contest.id)
    if points_of_ask(system, ask).total() or system.find_game(ask.game).characters.costs(ask.answers):
        hint = "Call without it, and spend it when that one is called."
        raise Conflict("a point is spent by one person", where=one.name, hint=hint)
    return ask
