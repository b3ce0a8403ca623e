"""People and things of the scene: added, changed, copied, taken away, what they do without dice and what they pay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import msgspec
from msgspec import structs

from tableside.errors import BadChange, Conflict
from tableside.rules import game_names
from tableside.rules.characters import costs_of, end_lasting, reset_trackers
from tableside.rules.people import Person, PersonKind, Until
from tableside.rules.tracker import find_tracker
from tableside.table import messages
from tableside.table.acts.need import need_person
from tableside.table.kept import Decision, Entrant, Initiative, TableState, Tracked
from tableside.table.system import System
from tableside.words import own, say

MOST_PEOPLE = 200
_MOST_COPIES = 20
_MOST_BYTES = 16_000
_NUMBERED = re.compile(r"^(.*\S) (\d+)$")
_Form: TypeAlias = Mapping[str, Any]


def change_people(state: TableState, message: messages.ChangePerson, system: System) -> Decision:
    """Add, change, copy or take away somebody."""
    if message.do is messages.DoPerson.ADD:
        return _add_people(state, message, system)
    sent = msgspec.to_builtins(message.person)
    begins, ends = (sent.pop(name, ()) for name in ("begins", "ends"))
    old = need_person(state, sent.get("id", ""))
    if message.do is messages.DoPerson.COPY:
        return _copy_person(state, message, old, system)
    if message.do is messages.DoPerson.REMOVE:
        return say("{name} {n:leaves|leave} the scene", **_named(old)), state.with_people({old.id: None})
    form = old.to_json()
    moved = {name: _moved_gauge(old, name, gauge, system) for name, gauge in sent.get("trackers", {}).items()}
    trackers = {**form["trackers"], **moved}
    states = _states_after(sent.get("states", form.get("states", ())), begins, ends)
    new = _check_person({**form, **sent, "trackers": trackers, "states": states}, system, was=_size(old))
    return _change_words(old, new, system), state.with_person(new.renamed_use(old))


def _add_people(state: TableState, message: messages.ChangePerson, system: System) -> Decision:
    """Add somebody, or several in one change."""
    sent = [message.person, *message.others]
    if len(state.people) + len(sent) > MOST_PEOPLE:
        raise Conflict(say("there are {n} people", n=len(state.people)), where="people", hint="Take one away first.")
    ids = (message.id, *(f"{message.id}-{number}" for number in range(len(message.others))))
    added: list[Person] = []
    for free, form in zip(ids, map(msgspec.to_builtins, sent), strict=True):
        states = _states_after(form.get("states", ()), form.pop("begins", ()), form.pop("ends", ()))
        new = _check_person(
            {"game": message.game or state.game, **form, "id": form.get("id") or free, "states": states}, system
        )
        if state.person(new.id) is not None:
            raise Conflict("there is somebody of that id", where=new.name, hint="Send no id to add somebody.")
        added.append(structs.replace(new, device=message.device))
        state = state.with_person(added[-1])
    named = _named(added[0]) if len(added) == 1 else {"name": [own(one.name) for one in added], "n": len(added)}
    return say("{name} {n:is|are} here", **named), state


def update_names(old: TableState, state: TableState, system: System) -> TableState:
    """Let the order, the open call and those who wait follow who got another name, and who went."""
    pairs = [("", one.name, next((new.name for new in state.players if new.id == one.id), "")) for one in old.players]
    pairs += [(one.id, one.name, new.name if (new := state.person(one.id)) else "") for one in old.people]
    for who, name, new_name in pairs:
        if not new_name:
            state = _leave_order(old, state, who, name, system)
        elif new_name != name:
            state = _rename(old, state, who, name, new_name)
    return state


def keep_crews(_old: TableState, state: TableState, _system: System) -> TableState:
    """Let the crews of things be of those who are here; nothing else has one."""
    able = {one.id for one in state.people if one.kind is not PersonKind.THING}
    for one in state.people:
        crew = tuple(who for who in dict.fromkeys(one.crew) if who in able and one.id not in able)
        if crew != one.crew:
            state = state.with_person(structs.replace(one, crew=crew))
    return state


def _rename(old: TableState, state: TableState, who: str, name: str, new: str) -> TableState:
    """Return the state with a new name in the open call, among those who wait and in the order.

    :param who: the id of a person, ``""`` for a player without a character.
    """
    order = state.initiative
    for slot in order.slots:
        if slot.who == name and _id_of(old.acting(slot)) == who:
            order = order.replace_slot(structs.replace(slot, who=new))

    def rename(one: Entrant) -> Entrant:  # a roll keeps its player's name
        is_meant = (one.who, one.name) == (who, name) and (who or state.roll_of(one) is None)
        return structs.replace(one, name=new) if is_meant else one

    contest = structs.replace(state.contest, entrants=tuple(rename(one) for one in state.contest.entrants))
    asked, *waits = (
        structs.replace(one, player=new) if (one.who, one.player) == (who, name) else one
        for one in (state.asked, *state.agenda.waits)
    )
    agenda = structs.replace(state.agenda, waits=tuple(waits))
    return replace(state, initiative=order, contest=contest, asked=asked, agenda=agenda)


def _leave_order(old: TableState, state: TableState, who: str, name: str, system: System) -> TableState:
    """Return the state without the slots of somebody who goes; without any the fight is over.

    :param who: the id of a person, ``""`` for a player without a character.
    """
    order = state.initiative
    for slot in order.slots:
        if _id_of(old.owner(slot)) == who and (who or slot.who == name):
            order = order.without(slot.id)
        elif who and _id_of(old.acting(slot)) == who:  # of another one of that side
            order = order.replace_slot(structs.replace(slot, who=""))
    if order == state.initiative or order.slots:
        return replace(state, initiative=order)
    return end_fight(state, system)


def _id_of(person: Person | None) -> str:
    return person.id if person else ""


def end_fight(state: TableState, system: System, what: Until = "round") -> TableState:
    """Return the state after a fight, or after a whole scene: no order, and nothing that counts by turns and rounds."""
    ended = [one for one in state.people if what != "round" or state.fights(one)]
    game = system.find_game(state.initiative.game or state.game)
    for tracker in game.trackers:
        key = (game.name, tracker.name, "")
        is_moved = state.trackers.get(key, tracker.default) != tracker.default
        if tracker.scope == "table" and tracker.resets == "scene" and is_moved:
            state = state.with_tracked(Tracked(game=game.name, name=tracker.name, value=tracker.default))
    over = {one.id: system.find_game(one.game).characters.over(one, what) for one in ended}
    return replace(state.with_people(over), initiative=Initiative() if state.initiative.slots else state.initiative)


def begin_session(state: TableState, system: System) -> TableState:
    """Return the state as a session begins: what counted for the last one could be read until then."""
    known = [one for one in state.people if one.game in game_names()]  # a throw counts also where a game is gone
    return state.with_people(
        {one.id: reset_trackers(system.find_game(one.game).characters, one, ("session",)) for one in known}
    )


def begin_fight(old: TableState, state: TableState, system: System) -> TableState:
    """As a fight begins nothing was done yet of what counts by turns, and who has done all begins a round."""
    if old.initiative.slots or not state.initiative.slots:
        return state
    for one in state.people:
        characters = system.find_game(one.game).characters
        if state.fights(one):
            begun = one.after(("round",)) if characters.has_done_all(one) else one
            state = state.with_person(reset_trackers(characters, begun, ("turn",)))
    return state


def update_ranks(old: TableState, state: TableState, system: System) -> TableState:
    """Let the order follow whom it ranks otherwise by now, as haste or actions declared do."""
    order = state.initiative
    for slot in order.slots:
        was = old.acting(slot)
        now = state.person(was.id) if was else None
        if was is None or now is None or was == now:
            continue
        ranks = [system.find_game(one.game).characters.rank(one, slot.rank) or slot.rank for one in (was, now)]
        if ranks[0] != ranks[1]:
            order = order.replace_slot(structs.replace(slot, rank=ranks[1]))
    if order == state.initiative:
        return state
    return replace(state, initiative=order.sorted(system.find_game(order.game or state.game).turn_order))


def pay(
    state: TableState,
    system: System,
    now: tuple[str, str, Mapping[str, Any]],
    before: tuple[str, str, Mapping[str, Any]],
) -> TableState:
    """Return the state after a call took off its roller's trackers, and an earlier one gave back.

    :param now, before: the person's id, the game and the answers. Somebody whom the table does not know pays nothing.
    :raises Conflict: where the roller has too few.
    """
    owed: dict[str, Counter[str]] = {}
    shared: Counter[tuple[str, str]] = Counter()
    for (who, game, answers), sign in ((now, 1), (before, -1)):
        if not answers:
            continue
        characters = system.find_game(game).characters
        for name, count in costs_of(characters, answers, scope="table").items():
            shared[game, name] += sign * count
        if state.person(who) is not None:
            for name, count in costs_of(characters, answers).items():
                owed.setdefault(who, Counter())[name] += sign * count
    for who, costs in owed.items():
        state = state.with_person(_pay_own(need_person(state, who), costs, system))
    for (game, name), count in shared.items():
        tracker = find_tracker(name, system.find_game(game).trackers)
        has = state.trackers.get((game, name, ""), tracker.default)
        if count > has:
            text = say("{name} has {n}", name=tracker.title, n=has)
            raise Conflict(text, where=tracker.title, hint="Ask without it.")
        if count:
            state = state.with_tracked(Tracked(game=game, name=name, value=tracker.changed(has, -count)))
    return state


def _pay_own(person: Person, costs: Mapping[str, int], system: System) -> Person:
    """Return somebody who has paid so much of each tracker, or got back what is less than none."""
    characters = system.find_game(person.game).characters
    for name, count in costs.items():
        tracker = characters.tracker(name)
        if tracker.counts_left and person.most(name) is None:  # nobody counts it: each power is used by itself
            continue
        has = person.counted(tracker)
        if count > has:
            text = say("{name} has {n} {tracker}", name=own(person.name), n=has, tracker=tracker.title.lower())
            raise Conflict(text, where=person.name, hint="Ask without it.")
        left = has - count
        if tracker.counts_left and count < 0:  # a rest may have filled it since
            left = min(left, max(has, person.most(name) or left))
        person = person.with_value(tracker, left)
    return person


def _named(person: Person) -> dict[str, Any]:
    """Return the values that name somebody in a sentence: a group is several, also with one left."""
    return {"name": own(person.name), "n": 2 if person.kind is PersonKind.GROUP else 1}


def _copy_person(state: TableState, message: messages.ChangePerson, old: Person, system: System) -> Decision:
    """Make so many more of somebody, each with a number in its name."""
    if not 1 <= message.count <= _MOST_COPIES:
        raise BadChange(say("{n} copies", n=message.count), where="count", hint=say("Send 1 to {n}.", n=_MOST_COPIES))
    if len(state.people) + message.count > MOST_PEOPLE:
        raise Conflict(say("there are {n} people", n=len(state.people)), where="people", hint="Take some away first.")
    numbered = _NUMBERED.match(old.name)
    stem = numbered[1] if numbered else old.name
    names = {person.name for person in state.people}
    free = (f"{stem} {number}" for number in range(2, MOST_PEOPLE + 3) if f"{stem} {number}" not in names)
    fresh = end_lasting(system.find_game(old.game).characters, old, ("turn", "round"))
    alike = structs.replace(fresh, device=message.device, used={}, crew=())  # what one has done no other has
    ids = [f"{message.id}-{number}" for number in range(message.count)]
    copies = {one: structs.replace(alike, id=one, name=next(free)) for one in ids}
    return say("{n} more of {name}", n=message.count, name=own(stem)), state.with_people(copies)


def _check_person(form: Mapping[str, Any], system: System, *, was: int = 0) -> Person:
    """Return the person that a form describes, checked by its game.

    :param was: the bytes of this person so far: who was larger before there was a limit may still be changed.
    :raises BadChange: for a form that is none. :raises GameError: for what the game does not know.
    """
    for name, gauge in form.get("trackers", {}).items():
        if "change" in gauge:
            hint = 'Send {"change": 1}, or {"value": 3}.'
            raise BadChange(say("the change of {=name} is none", name=name), where="person", hint=hint)
    person = Person.from_json({"name": "", **form})
    name = " ".join(person.name.split())
    if not name:
        raise BadChange("the name is no line of text", where="person", hint="Send one line of text as name.")
    members = person.members if person.kind is PersonKind.GROUP else 1
    game = system.find_game(person.game or system.game_for(()).name)
    found = game.characters.check(structs.replace(person, name=name, game=game.name, members=members))
    if _size(found) > max(_MOST_BYTES, was):
        hint = say("Send fewer words: all of a person is {n} kB at most.", n=_MOST_BYTES // 1000)
        raise BadChange("this person is too large", where="person", hint=hint)
    return found


def _size(person: Person) -> int:
    """Return the bytes of all that people wrote of somebody; trackers have the bounds of the game."""
    return len(msgspec.json.encode(structs.replace(person, trackers={})))


def _states_after(states: Iterable[_Form], begins: Iterable[_Form], ends: Collection[str]) -> list[_Form]:
    """Return what lasts on somebody, with what begins and without what ends: taps of two phones at once all count."""
    by_key = {one.get("id") or one["name"]: one for one in (*states, *begins)}
    return [one for key, one in by_key.items() if key not in ends]


def _moved_gauge(person: Person, name: str, gauge: Mapping[str, Any], system: System) -> Mapping[str, Any]:
    """Return a tracker's gauge as it was sent; what was left out of it stays.

    A ``change`` is added to the value that the person has by now: presses of two phones at once then count two.
    """
    tracker = system.find_game(person.game).characters.tracker(name)
    value = person.counted(tracker)
    if "change" in gauge and "value" not in gauge:
        gauge = dict(gauge)
        value = tracker.changed(value, gauge.pop("change"))
    return {"value": value, "most": person.most(name), **gauge}


def _change_words(old: Person, new: Person, system: System) -> str:
    """Return ``"Oskara: Wounds 3 to 4"`` where one tracker has moved alone, else that somebody is changed."""
    if old.states != new.states and structs.replace(old, states=()) == structs.replace(new, states=()):
        names = {one.name for one in new.states}
        came = [one.name for one in new.states if one not in old.states]
        gone = [say("{state} is over", state=one.name) for one in old.states if one.name not in names]
        return say("{name}: {what}", name=own(new.name), what=[*came, *gone])
    moved = [name for name, gauge in new.trackers.items() if old.value(name) != gauge.value]
    if len(moved) != 1 or structs.replace(old, trackers={}) != structs.replace(new, trackers={}):
        return say("{name} {n:is|are} changed", **_named(new))
    tracker = system.find_game(new.game).characters.tracker(moved[0])
    before, after = (tracker.step(one.counted(tracker)).replace("_", " ") for one in (old, new))
    words = say("{tracker} {old} to {new}", tracker=tracker.title, old=before, new=after)
    return say("{owner}: {change}", owner=own(new.name), change=words)
