"""People and things of the scene: added, changed, copied, taken away, what they do without dice and what they pay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from tableside.errors import BadChange, Conflict
from tableside.rules import Game, game_names
from tableside.rules.characters import costs_of
from tableside.rules.people import NO_ROUND, Person, PersonKind, Until
from tableside.rules.tracker import find_tracker
from tableside.table import messages
from tableside.table.acts.found import found_person
from tableside.table.kept import Carried, Decision, Initiative, Part, TableState, Tracked
from tableside.table.system import System
from tableside.words import own, say

MOST_PEOPLE = 200
_MOST_COPIES = 20
_MOST_BYTES = 16_000
_NUMBERED = re.compile(r"^(.*\S) (\d+)$")
_Form: TypeAlias = Mapping[str, Any]


def changed_people(state: TableState, message: messages.ChangePerson, system: System) -> Decision:
    """Add, change, copy or take away somebody."""
    sent = msgspec.to_builtins(message.person)
    begins, ends = (sent.pop(name, ()) for name in ("begins", "ends"))
    match message.do:
        case messages.DoPerson.ADD:
            if len(state.people) >= MOST_PEOPLE:
                raise Conflict(
                    say("there are {n} people", n=len(state.people)), where="people", hint="Take one away first."
                )
            states = _lasting(sent.get("states", ()), begins, ends)
            new = _checked({"game": state.game, **sent, "id": sent.get("id") or message.id, "states": states}, system)
            new = replace(new, device=message.device)
            if state.person(new.id) is not None:
                raise Conflict("there is somebody of that id", where=new.name, hint="Send no id to add somebody.")
            return _touched(say("{name} is here", name=own(new.name)), {new.id: (None, new)})
        case messages.DoPerson.CHANGE:
            old = found_person(state, sent.get("id", ""))
            form = old.to_json()
            moved = {name: _moved(old, name, gauge, system) for name, gauge in sent.get("trackers", {}).items()}
            trackers = {**form["trackers"], **moved}
            states = _lasting(sent.get("states", form.get("states", ())), begins, ends)
            new = _checked({**form, **sent, "trackers": trackers, "states": states}, system, was=_size(old))
            return _touched(_changed_words(old, new, system), {old.id: (old, new)})
        case messages.DoPerson.COPY:
            return _copied(state, message, found_person(state, sent.get("id", "")), system)
        case messages.DoPerson.REMOVE:
            old = found_person(state, sent.get("id", ""))
            return _touched(say("{name} leaves the scene", name=own(old.name)), {old.id: (old, None)})


def renamed(
    state: TableState, who: str, old: str, new: str, before: Part, after: Part, *, in_order: bool = True
) -> tuple[Part, Part]:
    """Return the parts of a change with a new name in the open call, among those who wait and in the order.

    :param who: the id of a person, ``""`` for a player without a character.
    :param in_order: whether the order follows.
    """
    if new == old:
        return before, after
    call, contest = after.asked or state.asked, after.contest or state.contest
    now = order = after.initiative or state.initiative
    for slot in order.slots:
        if in_order and slot.who == old and _id_of(state.acting(slot)) == who:
            order = order.claimed(replace(slot, who=new))
    if order != now:
        before, after = replace(before, initiative=state.initiative), replace(after, initiative=order)
    if (call.who, call.player) == (who, old):
        before, after = replace(before, asked=state.asked), replace(after, asked=replace(call, player=new))
    waits = tuple(
        replace(one, name=new)
        if (one.who, one.name) == (who, old) and (who or state.roll_of(one) is None)  # a roll keeps its player's name
        else one
        for one in contest.entrants
    )
    if waits != contest.entrants:
        contest = replace(contest, entrants=waits)
        before, after = replace(before, contest=state.contest), replace(after, contest=contest)
    return before, after


def left_order(state: TableState, who: str, name: str, system: System, before: Part, after: Part) -> tuple[Part, Part]:
    """Return the parts of a change by which somebody goes, and their slots with them; without any the fight is over.

    :param who: the id of a person, ``""`` for a player without a character.
    """
    now = order = after.initiative or state.initiative
    for slot in order.slots:
        if _id_of(state.owner(slot)) == who and (who or slot.who == name):
            order = order.without(slot.id)
        elif who and _id_of(state.acting(slot)) == who:  # of another one of that side
            order = order.claimed(replace(slot, who=""))
    if order == now:
        return before, after
    if order.slots:
        return with_order(state, order, system, before, after)
    old, new = ended_fight(state, system)
    return with_parts(before, old), with_parts(after, new)


def with_parts(part: Part, more: Part) -> Part:
    """Return what a change touched, with what else it touches; of what both do the first stands."""
    kept = {name: value for name in Part.__struct_fields__ if (value := getattr(part, name)) is not None}
    return replace(more, **kept | {"people": {**(more.people or {}), **(part.people or {})} or None})


def _id_of(person: Person | None) -> str:
    return person.id if person else ""


def parts_of(touched: Mapping[str, tuple[Person | None, Person | None]]) -> tuple[Part, Part]:
    """Return what people were and are, as the parts of a change."""
    changed = {name: pair for name, pair in touched.items() if pair[0] != pair[1]}
    if not changed:
        return Part(), Part()
    before, after = ({name: pair[side] for name, pair in changed.items()} for side in (0, 1))
    return Part(people=before), Part(people=after)


def ended_fight(state: TableState, system: System, what: Until = "round") -> tuple[Part, Part]:
    """Return what a fight leaves, or a whole scene: no order, and nothing that counts by turns and rounds."""
    over = {
        one.id: (one, system.find_game(one.game).characters.over(one, what))
        for one in state.people
        if what == "scene" or state.fights(one)
    }
    old, new = parts_of(over)
    game = system.find_game(state.initiative.game or state.game)
    for tracker in game.trackers:
        key = (game.name, tracker.name, "")
        has = state.trackers.get(key, tracker.default)
        if tracker.scope == "table" and tracker.resets == "encounter" and has != tracker.default:
            left = Tracked(game=game.name, name=tracker.name, owner="", value=has)
            old, new = replace(old, tracked=left), replace(new, tracked=replace(left, value=tracker.default))
    if state.initiative.slots:
        old, new = replace(old, initiative=state.initiative), replace(new, initiative=Initiative())
    return old, new


def begun_session(state: TableState, people: Iterable[Person], system: System) -> tuple[Part, Part]:
    """Return what a session begins with: what counted for the last one could be read until then.

    :param people: as they are by then.
    """
    known = [one for one in people if one.game in game_names()]  # a throw counts also where a game is gone
    fresh = ((one, system.find_game(one.game).characters.anew(one, ("session",))) for one in known)
    return parts_of({one.id: (state.person(one.id), new) for one, new in fresh})


def with_order(state: TableState, order: Initiative, system: System, before: Part, after: Part) -> tuple[Part, Part]:
    """Return the parts of a change with another order of turns.

    As a fight begins, rounds that are over are none, and nothing was done yet of what counts by turns.
    """
    before, after = replace(before, initiative=state.initiative), replace(after, initiative=order)
    if state.initiative.slots or not order.slots:
        return before, after
    fights = [one for one in state.people if order.game in ("", one.game)]
    fresh = {one.id: (one, _fresh((after.people or {}).get(one.id) or one, system)) for one in fights}
    old, new = parts_of(fresh)
    if not new.people:
        return before, after
    return (
        replace(before, people={**(before.people or {}), **(old.people or {})}),
        replace(after, people={**(after.people or {}), **new.people}),
    )


def _fresh(person: Person, system: System) -> Person:
    after = system.find_game(person.game).characters.anew(person, ("turn",))
    return replace(after, round=NO_ROUND) if person.round.is_over else after


def reranked(state: TableState, before: Part, after: Part, system: System) -> tuple[Part, Part]:
    """Return the parts of a change with the slots of those whom it ranks otherwise, as haste or actions declared do."""
    order = state.initiative if after.initiative is None else after.initiative
    for slot in order.slots:
        was = state.acting(slot)
        now = (after.people or {}).get(was.id) if was else None
        if was is None or now is None:
            continue
        old, new = (system.find_game(one.game).characters.ranked(one, slot.rank) for one in (was, now))
        if new != old:
            order = order.claimed(replace(slot, rank=new))
    if order == (after.initiative or state.initiative):
        return before, after
    turns = system.find_game(order.game or state.game).turn_order
    return replace(before, initiative=state.initiative), replace(after, initiative=order.sorted(turns))


def need_game(person: Person, game: Game) -> None:
    """Raise :class:`Conflict` for somebody of another game, whose numbers mean nothing here."""
    if person.game != game.name:
        fault = say("{=name} is of another game", name=person.name)
        raise Conflict(fault, where=person.name, hint=say("Choose somebody of {game}.", game=game.title))


def paid(
    state: TableState,
    system: System,
    now: tuple[str, str, Mapping[str, Any]],
    before: tuple[str, str, Mapping[str, Any]],
) -> tuple[Part, Part]:
    """Return what a call takes off its roller's trackers, and what an earlier one gives back.

    :param now, before: the person's id, the game and the answers. Somebody whom the table does not know pays nothing.
    :raises Conflict: where the roller has too few.
    """
    owed: dict[str, Counter[str]] = {}
    for (who, game, answers), sign in ((now, 1), (before, -1)):
        if not answers or state.person(who) is None:
            continue
        for name, count in costs_of(system.find_game(game).characters, answers).items():
            owed.setdefault(who, Counter())[name] += sign * count
    touched = {}
    for who, costs in owed.items():
        person = found_person(state, who)
        characters = system.find_game(person.game).characters
        after = person
        for name, count in costs.items():
            tracker = characters.tracker(name)
            if tracker.counts_left and person.most(name) is None:  # nobody counts it: each power is used by itself
                continue
            has = person.value(name, tracker.default)
            if count > has:
                text = say("{name} has {n} {tracker}", name=own(person.name), n=has, tracker=tracker.title.lower())
                raise Conflict(text, where=person.name, hint="Ask without it.")
            left = has - count
            if tracker.counts_left and count < 0:  # a rest may have filled it since
                left = min(left, max(has, person.most(name) or left))
            after = after.with_value(tracker, left)
        touched[who] = (person, after)
    old, new = parts_of(touched)
    for shared in _shared(state, system, now, before):
        old, new = replace(old, tracked=shared[0]), replace(new, tracked=shared[1])
    return old, new


def _shared(
    state: TableState,
    system: System,
    now: tuple[str, str, Mapping[str, Any]],
    before: tuple[str, str, Mapping[str, Any]],
) -> list[tuple[Tracked, Tracked]]:
    """Return what a call takes off a tracker that all share, as it was and as it is then."""
    owed: Counter[tuple[str, str]] = Counter()
    for (_, name, answers), sign in ((now, 1), (before, -1)):
        if answers:
            for of, count in costs_of(system.find_game(name).characters, answers, scope="table").items():
                owed[name, of] += sign * count
    found = []
    for (name, of), count in owed.items():
        tracker = find_tracker(of, system.find_game(name).trackers)
        has = state.trackers.get((name, of, ""), tracker.default)
        if count > has:
            text = say("{name} has {n}", name=tracker.title, n=has)
            raise Conflict(text, where=tracker.title, hint="Ask without it.")
        old = Tracked(game=name, name=of, owner="", value=has)
        if count:
            found.append((old, replace(old, value=tracker.changed(has, -count))))
    return found


def with_people(people: Iterable[Person], changed: Mapping[str, Person | None]) -> tuple[Person, ...]:
    """Return the people after a change: those who were there keep their place, new ones come last."""
    left = dict(changed)
    kept = [left.pop(person.id, person) if person.id in left else person for person in people]
    return tuple(person for person in (*kept, *left.values()) if person is not None)


def carried_after(state: TableState, before: Part, after: Part) -> tuple[Carried, ...]:
    """Return what lies in later calls, without what a change took away and with what it brought."""
    gone = {one.id for one in before.carried or ()}
    return (*(one for one in state.carried if one.id not in gone), *(after.carried or ()))


def _touched(words: str, touched: Mapping[str, tuple[Person | None, Person | None]]) -> Decision:
    return words, *parts_of(touched)


def _copied(state: TableState, message: messages.ChangePerson, old: Person, system: System) -> Decision:
    """Make so many more of somebody, each with a number in its name."""
    if not 1 <= message.count <= _MOST_COPIES:
        raise BadChange(say("{n} copies", n=message.count), where="count", hint=say("Send 1 to {n}.", n=_MOST_COPIES))
    if len(state.people) + message.count > MOST_PEOPLE:
        raise Conflict(say("there are {n} people", n=len(state.people)), where="people", hint="Take some away first.")
    numbered = _NUMBERED.match(old.name)
    stem = numbered[1] if numbered else old.name
    names = {person.name for person in state.people}
    free = (f"{stem} {number}" for number in range(2, MOST_PEOPLE + 3) if f"{stem} {number}" not in names)
    fresh = system.find_game(old.game).characters.anew(old, ("turn",))
    alike = replace(fresh, device=message.device, round=NO_ROUND, used={})  # what one has done no other has
    copies = [replace(alike, id=f"{message.id}-{number}", name=next(free)) for number in range(message.count)]
    words = say("{n} more of {name}", n=message.count, name=own(stem))
    return _touched(words, {copy.id: (None, copy) for copy in copies})


def _checked(form: Mapping[str, Any], system: System, *, was: int = 0) -> Person:
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
    found = game.characters.check(replace(person, name=name, game=game.name, members=members))
    if _size(found) > max(_MOST_BYTES, was):
        hint = say("Send fewer words: all of a person is {n} kB at most.", n=_MOST_BYTES // 1000)
        raise BadChange("this person is too large", where="person", hint=hint)
    return found


def _size(person: Person) -> int:
    """Return the bytes of all that people wrote of somebody; trackers have the bounds of the game."""
    return len(msgspec.json.encode(replace(person, trackers={})))


def _lasting(states: Iterable[_Form], begins: Iterable[_Form], ends: Collection[str]) -> list[_Form]:
    """Return what lasts on somebody, with what begins and without what ends: taps of two phones at once all count."""
    by_name = {one["name"]: one for one in states} | {one["name"]: one for one in begins}
    return [one for name, one in by_name.items() if name not in ends]


def _moved(person: Person, name: str, gauge: Mapping[str, Any], system: System) -> Mapping[str, Any]:
    """Return a tracker's gauge as it was sent; what was left out of it stays.

    A ``change`` is added to the value that the person has by now: presses of two phones at once then count two.
    """
    tracker = system.find_game(person.game).characters.tracker(name)
    value = person.value(name, tracker.default)
    if "change" in gauge and "value" not in gauge:
        gauge = dict(gauge)
        value = tracker.changed(value, gauge.pop("change"))
    return {"value": value, "most": person.most(name), **gauge}


def _changed_words(old: Person, new: Person, system: System) -> str:
    """Return ``"Oskara: Wounds 3 to 4"`` where one tracker has moved alone, else that somebody is changed."""
    if old.states != new.states and replace(old, states=()) == replace(new, states=()):
        names = {one.name for one in new.states}
        came = [one.name for one in new.states if one not in old.states]
        gone = [say("{state} is over", state=one.name) for one in old.states if one.name not in names]
        return say("{name}: {what}", name=own(new.name), what=[*came, *gone])
    moved = [name for name, gauge in new.trackers.items() if old.value(name) != gauge.value]
    if len(moved) != 1 or replace(old, trackers={}) != replace(new, trackers={}):
        return say("{name} is changed", name=own(new.name))
    tracker = system.find_game(new.game).characters.tracker(moved[0])
    before, after = (tracker.step(one.value(moved[0], tracker.default)).replace("_", " ") for one in (old, new))
    words = say("{tracker} {old} to {new}", tracker=tracker.title, old=before, new=after)
    return say("{owner}: {change}", owner=own(new.name), change=words)
