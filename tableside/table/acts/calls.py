"""Calls: of one or of several in turn, filled from people; what they take of points and trackers is given back where
nobody rolls. Who has rolled, the ranking and the winner follow from the rolls.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import BadChange, Conflict, GameError, TablesideError
from tableside.rules import Game, game_names
from tableside.rules.characters import (
    Help,
    Opposed,
    aboard,
    costs_of,
    fill_answers,
    initiative_call,
    reaction_to,
    resisting_skill,
    skill_or_untrained,
    takes_action,
    why_out,
)
from tableside.rules.people import Person, PersonKind
from tableside.table import messages
from tableside.table.acts.difference import changed_rolls
from tableside.table.acts.need import need_game, need_person, need_roll
from tableside.table.acts.people import pay
from tableside.table.acts.pool import points_of_ask, pool_now_words, side_name, take_points
from tableside.table.kept import (
    NO_CALL,
    NO_CONTEST,
    Call,
    CallFor,
    Contest,
    Decision,
    Entrant,
    Initiative,
    Roll,
    Slot,
    TableState,
)
from tableside.table.system import System
from tableside.words import full_stop, own, say, sentences


def call_roll(state: TableState, message: messages.CallRoll, system: System) -> Decision:
    """Call a roll by one or by several. A call of one ends that of several; without a call nobody is waited for."""
    if message.others or message.contest:
        return _call_several(state, message, system)
    if is_nothing(message):
        off = say("{who} is passed", who=own(state.asked.player or state.asked.label))
        words, new = change_call(state, off if state.agenda.waits else "Nothing is asked", NO_CALL, system)
        return words, dataclasses.replace(new, contest=state.contest if is_put_off(state) else contest_so_far(state))
    return call_one(state, make_call(state, message, system), system)


def call_one(state: TableState, ask: Call, system: System) -> Decision:
    """Put a call of one in the place of the open call."""
    words, new = change_call(state, call_words(ask), ask, system)
    return words, dataclasses.replace(new, contest=state.contest if is_put_off(state) else NO_CONTEST)


def is_put_off(state: TableState) -> bool:
    """Tell whether the call of several waits for another one."""
    return any(one.contest and one.contest == state.contest.id for one in state.agenda.waits)


def is_nothing(message: messages.CallRoll) -> bool:
    """Tell whether nobody is to roll any more."""
    says = (message.ask, message.player, message.label, message.is_hidden, message.who, message.table)
    return not any(says)


def call_words(ask: Call) -> str:
    """Return ``"Oskara, Mechanics: Throw 1 ability die."``."""
    named = ": ".join(word for word in (ask.player, ask.label) if word)
    who = own(named) if named else "The next roll"
    tray = ask.tray
    return say("{who}: {wanted}", who=who, wanted=tray.sentence) if tray else say("{who} is asked", who=who)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roller:
    """Who rolls a call, and who called it when.

    :ivar who: the id of a person, or ``player`` the name of somebody without a character.
    :ivar overrules: also who is out may roll.
    """

    id: str
    at: float
    by: str = ""
    who: str = ""
    player: str = ""
    overrules: bool = False


def call_for(message: messages.CallRoll) -> CallFor:
    """Return what a message calls for."""
    against = message.against
    return CallFor(
        game=message.game,
        label=message.label or message.skill or message.weapon,
        skill=message.skill,
        weapon=message.weapon,
        aboard=message.aboard,
        is_damage=message.is_damage,
        given=message.ask,
        against=against if isinstance(against, str) else "",
        last_total=against.last_total if isinstance(against, messages.LastTotal) else "",
        against_skill=message.against_skill,
        targets=message.targets,
        table=message.table,
        added=message.added,
        ticked=message.ticked,
        helpers=message.helpers,
        led_by=message.led_by,
        is_hidden=message.is_hidden,
        odds_for=message.odds_for,
    )


def make_call(state: TableState, message: messages.CallRoll, system: System) -> Call:
    """Return the call that a message would make, filled from its people."""
    roller = Roller(
        id=message.id, at=message.at, by=message.by, who=message.who, player=message.player, overrules=message.overrules
    )
    return fill_call(state, call_for(message), roller, system)


def make_calls(state: TableState, message: messages.CallRoll, system: System) -> list[Call]:
    """Return the calls that a message of one or of several would make; all of several, whoever rolls first."""
    if not message.others:
        return [make_call(state, message, system)]
    contest = _contest_of(state, message, system)
    return [_call_of(state, contest, one, system, at=message.at) for one in contest.entrants]


def fill_call(state: TableState, call: CallFor, roller: Roller, system: System) -> Call:
    """Return the call of one, filled from its people."""
    if call.targets:
        return _call_hardest(state, call, roller, system)
    actor = _played(state, need_person(state, roller.who)) if roller.who else None
    game = system.find_game(call.game or (actor.game if actor else "") or state.game)
    target, total = _against(state, call)
    if target is not None:
        need_game(target, game)
    if total is not None:
        _need_total(total, game)
    call = replace(call, given=game.given(call.given))
    if call.table and not (call.given or call.skill or call.weapon):
        return _call_for_table(state, call, roller, game, system)
    if call.added:
        hint = "Send the name of a table, and no answers of your own."
        raise BadChange("nothing is thrown for a table", where="added", hint=hint)
    if actor is not None:
        need_game(actor, game)
    if call.aboard:
        actor = _aboard(state, call, game, actor)
    if actor is not None and call.weapon:  # as it is called, however it was written
        call = replace(call, weapon=actor.weapon(call.weapon).name)
    if total is None and target is not None and not call.is_damage:
        total = _reaction(state, call, game, actor, target)
    filled = fill_answers(
        game.characters,
        actor,
        skill=call.skill,
        weapon=call.weapon,
        is_damage=call.is_damage,
        opposed=Opposed(
            target=target,
            skill=call.against_skill,
            total=dict(total.net) if total else None,
            ask=total.ask if total else {},
        ),
        helped=_help_of(state, call, roller, game),
        lent=state.lent_to(actor),
        ask=call.given,
        ticked=call.ticked,
    )
    answers = filled.answers
    if call.table:
        state.table(call.table)
    if actor is not None and not roller.overrules:
        _check_can(actor, game, call, game.form.build(answers))
    call = replace(
        call,
        against=target.id if target else "",
        against_skill=call.against_skill if target else "",
        last_total=total.id if total else "",
    )
    held = {name: value for one in filled.lasts for name, value in one.ask.items() if answers.get(name) == value}
    carried = tuple(one.key for one in filled.lasts if one.is_once)
    return replace(_call_with(state, call, roller, game, answers), carried=carried, held=held, joins=filled.joins)


def _aboard(state: TableState, call: CallFor, game: Game, actor: Person | None) -> Person:
    """Return who rolls what a thing does, as its crew does it."""
    thing = need_person(state, call.aboard)
    need_game(thing, game)
    if actor is None or actor.id not in thing.crew:
        hint = "Choose somebody of its crew, or let the thing roll itself."
        what = say("{who} is not of the crew", who=own(actor.name)) if actor else "nobody is named who rolls"
        raise Conflict(what, where=thing.name, hint=hint)
    skill = call.skill or ("" if call.is_damage or not call.weapon else thing.weapon(call.weapon).skill)
    return aboard(game.characters, actor, thing, skill=skill)


def _played(state: TableState, person: Person) -> Person:
    """Return somebody as the rules meet them, with the table's word for what they leave open."""
    return person.as_played(state.setup.answers(person.game))


def _skill_of(actor: Person, call: CallFor) -> str:
    """Return the skill that a call uses, ``""`` for the damage of a weapon."""
    return call.skill or (actor.weapon(call.weapon).skill if call.weapon and not call.is_damage else "")


def _check_can(actor: Person, game: Game, call: CallFor, given: Any) -> None:
    """Raise :class:`Conflict` for somebody who is out, and for a power that was used up."""
    hint = "The game master may call it anyway."
    if why := game.characters.kept_from(actor, given, skill=_skill_of(actor, call)):
        raise Conflict(say("{name} cannot act: {why}", name=own(actor.name), why=why), where=actor.name, hint=hint)
    barred = actor.barred_by("actions")
    if barred and not call.is_damage and takes_action(game.characters, given):
        raise Conflict(say("{name} cannot act: {why}", name=own(actor.name), why=barred), where=actor.name, hint=hint)
    if (power := call.weapon or call.label) in actor.used:
        what = say("{=power} was used already", power=power)
        raise Conflict(what, where=actor.name, hint="It comes back with a rest. The game master may call it anyway.")


def _reaction(state: TableState, call: CallFor, game: Game, actor: Person | None, target: Person) -> Roll | None:
    """Return the roll by which the target reacts to all such attacks of the round, as long as it stands whole."""
    if not call.weapon and call.given.get("role") != "attack":
        return None
    attack = fill_answers(game.characters, actor, skill=call.skill, weapon=call.weapon, ask=call.given).answers
    roll = state.find_roll(reaction_to(game.characters, target, game.form.build(attack)))
    return roll if roll is not None and roll.is_whole and not roll.is_hidden else None


def take_off(state: TableState, call_id: str, system: System) -> TableState | None:
    """Return the state without the call of one, now or later; others of several stay. ``None`` where it is gone."""
    contest, asked, waits = state.contest, state.asked, state.agenda.waits
    left = [one for one in state.waiting if contest.call_of(one) != call_id]
    ask = next((one for one in (asked, *waits) if one.id == call_id), None)
    if ask is None and len(left) == len(state.waiting):
        return None
    rolled = [one for one in contest.entrants if state.roll_of(one)]
    contest = replace(contest, entrants=(*rolled, *left))
    if ask is not None:
        state = change_call(dataclasses.replace(state, asked=ask), "", NO_CALL, system)[1]
    if ask is not None and ask is not asked:
        following = [_call_of(state, contest, one, system, at=ask.at) for one in left[:1] if ask.contest]
        waits = tuple(other for one in waits for other in (following if one is ask else [one]))
        state = dataclasses.replace(state, asked=asked, agenda=replace(state.agenda, waits=waits))
    return dataclasses.replace(state, contest=contest)


def rolls_after(
    state: TableState, message: messages.CallRoll, system: System
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the answers of the two rolls after an attack: its damage, and what its target throws against that.

    Empty where the people do not tell: no weapon with a damage roll of its own, or a target without what resists.
    """
    actor = need_person(state, message.who) if message.who else None
    armed = need_person(state, message.aboard) if message.aboard else actor
    if actor is None or armed is None or not message.weapon or message.is_damage:
        return {}, {}
    if not armed.weapon(message.weapon).damage:
        return {}, {}
    target, _ = _against(state, call_for(message))
    hit = CallFor(weapon=message.weapon, aboard=message.aboard, is_damage=True, against=target.id if target else "")
    roller = Roller(id=message.id, at=message.at, who=actor.id)
    try:
        damage = fill_call(state, hit, roller, system).answers
        resists = resisting_skill(system.find_game(actor.game).characters, target) if target else ""
        if target is None or not any(skill.name == resists for skill in target.skills):
            return damage, {}
        withstands = dataclasses.replace(roller, who=target.id)
        return damage, fill_call(state, CallFor(skill=resists), withstands, system).answers
    except GameError:  # such as a target whom its wounds leave no die: the attack itself can still be told
        return {}, {}


def _call_with(state: TableState, call: CallFor, roller: Roller, game: Game, answers: Mapping[str, Any]) -> Call:
    """Return the call of one by its answers."""
    actor = state.person(roller.who)
    return Call(
        **call.fields | {"game": game.name},
        id=roller.id,
        at=roller.at,
        by=roller.by,
        who=roller.who,
        player=roller.player or (actor.name if actor else ""),
        answers=answers,
        tray=game.tray(game.form.build({**state.setup.answers(game.name), **answers})),
    )


def _call_hardest(state: TableState, call: CallFor, roller: Roller, system: System) -> Call:
    """Return the call against the one of several targets that is hardest to beat; it counts against all of them."""
    calls = [
        fill_call(state, replace(call, targets=(), against=one, last_total=""), roller, system) for one in call.targets
    ]

    def ease(ask: Call) -> tuple[Fraction, ...]:
        return system.find_game(ask.game).ease({**state.setup.answers(ask.game), **ask.answers})

    return replace(min(calls, key=ease), targets=call.targets)


def _call_for_table(state: TableState, call: CallFor, roller: Roller, usual: Game, system: System) -> Call:
    """Return the call of a table's own dice: by the game that is played, else by one that has such dice."""
    table = state.table(call.table)
    for name in (usual.name, *game_names()):
        game = system.find_game(name)
        answers = game.table_ask(table.dice, call.added)
        if answers is not None:
            break
    else:
        fault, hint = say("no game has {=dice}", dice=table.dice), "Write d100, d10 or a dice code such as 2D into it."
        raise Conflict(fault, where=table.name, hint=hint)
    actor, (target, _) = state.person(roller.who), _against(state, call)
    call = CallFor(
        given=answers,
        label=call.label or table.name,
        against=target.id if target else "",
        table=table.name,
        added=call.added,
        is_hidden=call.is_hidden,
        odds_for=call.odds_for,
    )
    ask = _call_with(state, call, roller, game, answers)
    return ask if actor and actor.game == game.name else replace(ask, who="")


def _help_of(state: TableState, call: CallFor, roller: Roller, game: Game) -> Help | None:
    """Return who help; in a fight time is short."""
    if not call.helpers:
        return None
    helpers = [_played(state, need_person(state, one)) for one in dict.fromkeys(call.helpers) if one != roller.who]
    for one in helpers:
        need_game(one, game)
        if not roller.overrules and (why := why_out(game.characters, one) or one.barred_by("actions")):
            what = say("{name} cannot act: {why}", name=own(one.name), why=why)
            raise Conflict(what, where=one.name, hint="The game master may call it anyway.")
    leads = _shown_roll(state, call.led_by) if call.led_by else None
    missed = 0
    if leads is not None and leads.difficulty is not None:
        missed = max(leads.difficulty - dict(leads.net).get("total", 0), 0)
    is_urgent = bool(state.initiative.slots)
    if leads is None:
        return Help(helpers=helpers, is_urgent=is_urgent)
    leader = state.person(leads.who)
    leader = leader and _played(state, leader)
    return Help(helpers=helpers, is_urgent=is_urgent, command=leads.ask, missed_by=missed, leader=leader)


def _against(state: TableState, call: CallFor) -> tuple[Person | None, Roll | None]:
    """Return the person, and the roll whose total counts, that the call is made against."""
    if not call.last_total:
        return (_played(state, need_person(state, call.against)) if call.against else None), None
    roll = _shown_roll(state, call.last_total)
    person = state.person(roll.who)
    return person and _played(state, person), roll


def _shown_roll(state: TableState, roll_id: str) -> Roll:
    """Return a roll that a call may go by: what comes of it would tell of one that is hidden."""
    roll = need_roll(state, roll_id)
    if roll.is_hidden:
        raise Conflict("that roll is hidden", where=roll.id, hint="Show it to all first, or give a number.")
    return roll


def _need_total(total: Roll, game: Game) -> None:
    """Raise :class:`Conflict` for a roll whose total means nothing here, or is not there yet."""
    if total.game != game.name:
        hint = say("Choose a roll of {game}.", game=game.title)
        raise Conflict("that roll is of another game", where=f"roll {total.id}", hint=hint)
    if not total.is_whole:
        unfinished = "Finish that roll first, or give a number."
        raise Conflict("that roll is not whole yet", where=f"roll {total.id}", hint=unfinished)


def change_call(state: TableState, words: str, ask: Call, system: System) -> Decision:
    """Return the state with another call: it takes of points and trackers, and the one before gives back."""
    new = take_points(state, points_of_ask(system, ask), points_of_ask(system, state.asked), system)
    new = dataclasses.replace(pay(new, system, _payer(ask), _payer(state.asked)), asked=ask)
    if new.destiny != state.destiny:
        words = sentences(full_stop(words), pool_now_words(state, new.destiny))
    return words, new


def _payer(ask: Call) -> tuple[str, str, Mapping[str, Any]]:
    return (ask.who, ask.game, ask.declared) if ask.id else ("", "", {})


def spend_on_call(state: TableState, message: messages.ChangeDestiny, system: System) -> Decision | None:
    """Return a point spent while a call is open: it changes the call in the same act. ``None`` where it joins none."""
    ask = call_meant(state, message.call, system)
    is_spent = message.do is messages.Do.SPEND and message.count == 1 and not message.from_roll
    if not is_spent or message.side is None or not ask.id or ask is not state.asked:
        return None
    game = system.find_game(ask.game)
    answers = game.characters.flip(ask.answers, message.side.value)
    if answers is None or (not game.pool_flips and state.person(ask.who) is None):
        return None
    after = replace(ask, answers=answers, tray=game.tray({**state.setup.answers(game.name), **answers}))
    if after.tray is not None and after.tray == ask.tray:  # such as one that is looked up in a table
        raise Conflict("a point changes nothing of this roll", where=ask.label, hint="Spend it on another roll.")
    who = own(ask.player) if ask.player else "the next roll"
    words = say("A {side} point for {who}", side=side_name(state, message.side), who=who)
    return change_call(state, words, after, system)


def call_next(state: TableState, system: System) -> Decision:
    """Call who is next of several, once a roll is whole or the one called has left; who cannot roll is left out."""
    if not state.asked.id and (waits := state.agenda.waits):
        is_whole = not (state.roll and (state.roll.awaits or state.roll.short))
        return _call_back(state, waits[-1], system) if is_whole else ("", state)
    contest = state.contest
    last = next((roll for roll in state.rolls if roll.contest == contest.id), None)
    if not contest.id or state.asked.id or (last and (last.awaits or last.short)):
        return "", state
    notes = []
    for one in state.waiting:
        try:
            ask = _call_of(state, contest, one, system, at=last.at if last else 0.0)
        except TablesideError as error:
            notes.append(say("{name} cannot roll: {why}.", name=own(one.name), why=error.what))
            contest = replace(contest, entrants=tuple(other for other in contest.entrants if other != one))
            continue
        return sentences(*notes), dataclasses.replace(state, asked=ask, contest=contest)
    return sentences(*notes), dataclasses.replace(state, contest=contest)


def _call_back(state: TableState, ask: Call, system: System) -> Decision:
    """Call again what waited for another call, or what comes after it where nobody is left to throw it."""
    agenda = replace(state.agenda, waits=state.agenda.waits[:-1])
    new = dataclasses.replace(state, asked=ask, agenda=agenda)
    is_gone = any(one and state.person(one) is None for one in (ask.who, ask.aboard))
    is_of_several = any(state.contest.call_of(one) == ask.id for one in state.waiting)
    if is_gone or (ask.contest and not is_of_several):
        return call_next(change_call(new, "", NO_CALL, system)[1], system)
    game = system.find_game(ask.game)
    tray = game.tray(game.form.build({**state.setup.answers(game.name), **ask.answers}))
    return call_words(ask), dataclasses.replace(new, asked=replace(ask, tray=tray))


def keep_lent(old: TableState, state: TableState, system: System) -> TableState:
    """Let a point that was lent, and that an open call has taken, last as long as that call, whatever passes."""
    for ask in (state.asked, *state.agenda.waits):
        was, now = old.person(ask.who), state.person(ask.who)
        if was is None or now is None or was.states == now.states or ask.id not in (one.id for one in old.called):
            continue
        costs = costs_of(system.find_game(ask.game).characters, ask.declared)
        for lent in was.states:
            name = lent.lends
            if lent not in now.states and name in costs and now.value(name) == max(was.value(name) - 1, 0):
                trackers = {**now.trackers, name: was.trackers[name]}
                state = state.with_person(replace(now, trackers=trackers).with_state(lent))
    return state


def refill_call(old: TableState, state: TableState, system: System) -> TableState:
    """Let the open call, and those that wait for it, follow the people and the roll that fill them.

    What was said or spent on a call stays, and so does a call that could not be made any more.
    """
    waits = tuple(_refill(old, state, ask, system) for ask in state.agenda.waits)
    if waits != state.agenda.waits:
        state = dataclasses.replace(state, agenda=replace(state.agenda, waits=waits))
    ask = state.asked
    if not ask.id or ask != old.asked:
        return state
    of_call = [one for one in (ask.who, ask.aboard) if one]
    is_gone = any(state.person(one) is None for one in of_call) if of_call else ask.player in _left(old, state)
    if is_gone:
        return change_call(state, "", NO_CALL, system)[1]
    return dataclasses.replace(state, asked=_refill(old, state, ask, system))


def _refill(old: TableState, state: TableState, ask: Call, system: System) -> Call:
    """Return a call as the people and the roll that fill it have it by now."""
    fills = (ask.who, ask.aboard, ask.against, *ask.helpers)
    beaten = old.find_roll(ask.last_total), state.find_roll(ask.last_total)
    lent = [one.lent_to(one.person(ask.who)) for one in (old, state)]
    reacts = any(roll.who == ask.against for _, roll in changed_rolls(old, state)) if ask.against else False
    is_met = reacts or lent[0] != lent[1] or any(old.person(one) != state.person(one) for one in fills)
    is_beaten = beaten[0] != beaten[1] and beaten[1] is not None and beaten[1].is_whole
    if not is_met and not is_beaten:
        return ask
    if beaten[0] is not None:  # it was whole when the call was made
        old = old.with_roll(replace(beaten[0], awaits=None, short=(), choices=()))
    call = CallFor(**ask.fields | {"targets": ()})
    roller = Roller(id=ask.id, at=ask.at, by=ask.by, who=ask.who, player=ask.player, overrules=True)
    try:
        made, anew = (fill_call(one, call, roller, system) for one in (old, state))
        was, now = made.answers, anew.answers
        moved = {name for name in {**was, **now} if ask.answers.get(name) == was.get(name) != now.get(name)}
        answers = {name: value for name, value in ask.answers.items() if name not in moved}
        answers |= {name: now[name] for name in moved if name in now}
        tray = system.find_game(ask.game).tray({**state.setup.answers(ask.game), **answers})
    except TablesideError:
        return ask
    ask = replace(ask, joins=anew.joins)
    if not moved:
        return ask
    held = {name: value for name, value in {**ask.held, **anew.held}.items() if answers.get(name) == value}
    return replace(ask, answers=answers, tray=tray, held=held, carried=anew.carried)


def _left(old: TableState, state: TableState) -> set[str]:
    """Return the names of players who have left, or got another one."""
    return {one.name for one in old.players} - {one.name for one in state.players}


def call_to_fight(state: TableState, message: messages.ChangeInitiative, system: System) -> Decision:
    """Call everybody who is meant for a place in the order, each with their usual skill; those who have one keep it.

    Where the game throws for no order, each has its place at once; so has whom the table throws for.
    """
    game = system.find_game((state.initiative.game if state.initiative.slots else "") or state.game)
    wanted = (message.who,) if isinstance(message.who, str) else message.who
    if wanted and wanted[0] in _SIDES:
        meant = [one for one in state.people if one.game == game.name and _SIDES[wanted[0]](one)]
    else:
        meant = [need_person(state, one) for one in wanted if one]
    has_slot = {one.id for slot in state.initiative.slots if (one := state.owner(slot))}
    order = state.initiative if state.initiative.slots else Initiative(game=game.name)
    entrants: list[Entrant] = []
    names, thrown, notes = [], [], []
    for one in meant:
        if one.id in has_slot or why_out(game.characters, one):
            continue
        try:
            need_game(one, game)
            rank = game.characters.rank(one)
            if rank is None:
                skill, given = initiative_call(game.characters, one, message.skill)
                entrant = Entrant(who=one.id, name=one.name, skill=skill, given=given)
                if not skill:
                    notes.append(say("{name} has no such skill and throws what all have.", name=own(one.name)))
                if message.by_table and one.kind is not PersonKind.PLAYER:
                    chance = Random(f"{message.id}-{one.id}")  # the same message has the same dice
                    rank = _throw_for(state, entrant, game, system, chance)
                    thrown.append(own(one.name))
            if rank is None:
                entrants.append(entrant)
            else:
                order = order.with_slot(slot_of(one, f"{message.id}-{one.id}", rank), game.turn_order)
            names.append(own(one.name))
        except TablesideError as error:
            notes.append(say("{name} cannot roll: {why}.", name=own(one.name), why=error.what))
    if not names:
        hint = sentences(*notes) or "Add people who can act, with the skill that is thrown."
        raise Conflict("nobody is left to call", where="initiative", hint=hint)
    if thrown:
        notes.append(say("The table threw for {names}.", names=thrown))
    words: str = say("Initiative: {names}", names=names)
    new = state
    if entrants:
        contest = Contest(
            id=message.id, is_initiative=True, game=game.name, label="Initiative", entrants=tuple(entrants)
        )
        ask = _call_of(state, contest, entrants[0], system, at=message.at)
        words, new = change_call(state, call_words(ask), ask, system)
        if rest := [own(one.name) for one in entrants[1:]]:
            words = say("{call} Then: {names}.", call=words, names=rest)
        new = dataclasses.replace(new, contest=contest)
    if order.slots:
        new = dataclasses.replace(new, initiative=order)
    return sentences(full_stop(words), *notes), new


def _throw_for(state: TableState, one: Entrant, game: Game, system: System, chance: Random) -> tuple[int, ...] | None:
    """Return the rank that the table throws for somebody, ``None`` where no throw tells it."""
    call = CallFor(game=game.name, skill=one.skill, given=one.given)
    ask = fill_call(state, call, Roller(id="", at=0.0, who=one.who), system)
    answers = {**state.setup.answers(game.name), **ask.answers}
    throws: list[list[Die]] = []
    wanted = ask.tray
    while wanted is not None and len(throws) < _MOST_THROWS:
        throws.append([system.thrown(kind, chance) for kind, count in wanted.dice for _ in range(count)])
        wanted = game.play(throws, answers).awaits
    return game.turn_order.rank(dict(game.play(throws, answers).net), ask.answers) if throws else None


_MOST_THROWS = 20  # of one roll: a six on a Wild Die is thrown again

_SIDES: Mapping[str, Callable[[Person], bool]] = {
    "all": lambda _: True,
    "players": lambda one: one.kind is PersonKind.PLAYER,
    "others": lambda one: one.kind is not PersonKind.PLAYER,
}
"""Whom one word calls to a fight."""


def slot_of(person: Person, slot_id: str, rank: tuple[int, ...], roll: Roll | None = None) -> Slot:
    """Return somebody's slot; where slots belong to sides others may take it in a later round."""
    return Slot(
        id=slot_id,
        side="player" if person.kind is PersonKind.PLAYER else "npc",
        rank=rank,
        words=roll.headline if roll and not roll.is_hidden else "",
        who=person.name,
        roll=roll.id if roll else "",
        person=person.id,
    )


def place_rolls(old: TableState, state: TableState, system: System) -> TableState:
    """Let whole rolls have the place that they give in the order of a fight; one that is gone gives none."""
    for _, roll in changed_rolls(old, state):
        state = _place_roll(state, roll, system)
    return state


def _place_roll(state: TableState, roll: Roll, system: System) -> TableState:
    now = state.initiative
    slot = next((one for one in now.slots if one.roll == roll.id), None)
    person = state.person(roll.who)
    is_called = state.gives_place(roll)
    if not (roll.is_whole and roll.sure) or (slot is None and not (is_called and person)):  # no game may know its dice
        return state
    game = system.find_game(roll.game)
    rank = game.turn_order.rank(dict(roll.net), roll.ask)
    if rank is None or (now.slots and now.game not in ("", game.name)):
        return state
    if person is not None:
        rank = game.characters.rank(person, rank) or rank
    if slot is not None:
        words = "" if roll.is_hidden else roll.headline
        order = now.replace_slot(replace(slot, rank=rank, words=words)).sorted(game.turn_order)
    elif person is not None:
        begun = now if now.slots else Initiative(game=game.name)
        order = begun.with_slot(slot_of(person, roll.id, rank, roll), game.turn_order)
    else:
        return state
    return dataclasses.replace(state, initiative=order)


def contest_so_far(state: TableState) -> Contest:
    """Return the call of several with those alone who have rolled, so that their ranking stands."""
    left = tuple(one for one in state.contest.entrants if state.roll_of(one))
    return replace(state.contest, entrants=left) if left else NO_CONTEST


def _call_several(state: TableState, message: messages.CallRoll, system: System) -> Decision:
    """Begin a call of several, or call somebody of those who wait in the open one."""
    if message.weapon or message.helpers:
        what = "who helps does not roll" if message.helpers else "an attack is one person's own"
        raise BadChange(what, where="others", hint="Call a skill of each of them, or one person alone.")
    contest = _rejoin_contest(state, message) if message.contest else _contest_of(state, message, system)
    waiting = dataclasses.replace(state, contest=contest).waiting
    asks = [_call_of(state, contest, one, system, at=message.at) for one in waiting]
    # nobody is named who cannot roll
    words, new = change_call(state, call_words(asks[0]), asks[0], system)
    if asks[1:]:
        words = say("{call} Then: {names}.", call=words, names=[own(ask.player) for ask in asks[1:]])
    return words, dataclasses.replace(new, contest=contest)


def _contest_of(state: TableState, message: messages.CallRoll, system: System) -> Contest:
    entrants = [_entrant(state, one) for one in (message.who or message.player, *message.others)]
    person = state.person(entrants[0].who)
    game = system.find_game(message.game or (person.game if person else "") or state.game)
    fields = _for_each(message).fields | {"game": game.name}
    return Contest(**fields, id=message.id, entrants=_without_doubles(entrants), overrules=message.overrules)


def _rejoin_contest(state: TableState, message: messages.CallRoll) -> Contest:
    """Return the open call of several with the one who is called now before all others who wait."""
    contest = state.contest
    if message.contest != contest.id:
        raise Conflict("that call of several is over", where="ask", hint="Call them again.")
    known = {(one.who, one.name): one for one in contest.entrants}
    now = _entrant(state, message.who or message.player)
    now = known.get((now.who, now.name), now)
    if state.roll_of(now):
        raise Conflict(say("{=name} has rolled already", name=now.name), where="ask", hint="Undo that roll first.")
    left = state.waiting
    done = [one for one in contest.entrants if one not in left]
    others = [_entrant(state, one) for one in message.others] or left
    overrules = contest.overrules or message.overrules
    contest = replace(contest, entrants=_without_doubles([*done, now, *others]), overrules=overrules)
    is_another = message.skill or message.ask or message.label or message.against
    return replace(contest, **_for_each(message).fields | {"game": contest.game}) if is_another else contest


def _for_each(message: messages.CallRoll) -> CallFor:
    """Return what a message calls for of each of several: an attack and its damage are one person's own."""
    return replace(call_for(message), is_damage=False, targets=(), aboard="")


def _without_doubles(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    found: dict[tuple[str, str], Entrant] = {}
    for one in entrants:
        found.setdefault((one.who, one.name), one)
    return tuple(found.values())


def _entrant(state: TableState, named: str | messages.Rival) -> Entrant:
    """Return who is meant by an id, or by the name of a player without a character."""
    who, skill = (named, "") if isinstance(named, str) else (named.who, named.skill)
    person = state.person(who)
    if person is not None:
        return Entrant(who=person.id, name=person.name, skill=skill)
    if any(player.name == who for player in state.players):
        return Entrant(name=who)
    return Entrant(name=need_person(state, who).name)


def _call_of(state: TableState, contest: Contest, one: Entrant, system: System, *, at: float) -> Call:
    """Return the call of one of several.

    :raises TablesideError: where this one cannot be called so. Points are each one's own, so no call of several takes
        any.
    """
    if not one.who and all(player.name != one.name for player in state.players):
        need_person(state, one.name)  # says that nobody is
    skill = (one.skill or contest.skill) if one.who else ""
    player = "" if one.who else one.name
    roller = Roller(id=contest.call_of(one), at=at, who=one.who, player=player, overrules=contest.overrules)
    label, given = contest.label or skill, {**contest.given, **one.given}
    person = state.person(one.who)
    if skill and person is not None:
        characters = system.find_game(person.game).characters
        known = [one.name for one in characters.skills] + [one.name for other in state.people for one in other.skills]
        if skill.casefold() not in map(str.casefold, known):
            person.skill(skill)  # says that nobody has it
        skill, bare = skill_or_untrained(characters, person, skill)
        given = {**bare, **given}
    call = CallFor(**contest.fields | {"skill": skill, "label": label, "given": given})
    ask = replace(fill_call(state, call, roller, system), contest=contest.id)
    if points_of_ask(system, ask).total() or costs_of(system.find_game(ask.game).characters, ask.declared):
        hint = "Call without it, and spend it when that one is called."
        raise Conflict("a point is spent by one person", where=one.name, hint=hint)
    return ask


def call_meant(state: TableState, call_id: str | None, system: System) -> Call:
    """Return the call that a message is for: the open one, one of those that wait, or none.

    :param call_id: as the message holds it. :raises Conflict: where that call is gone.
    """
    if call_id in (None, state.asked.id):
        return state.asked
    if not call_id:
        return NO_CALL
    for ask in state.agenda.waits:
        if call_id == ask.id:
            return ask
    for one in state.waiting:
        if call_id == state.contest.call_of(one):
            return _call_of(state, state.contest, one, system, at=state.asked.at)
    raise Conflict("the call that this was for is gone", where="ask", hint="Call it again.")
