"""Session, players, games, trackers, initiative and the group's own tables: what each message makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from msgspec import structs

from tableside.errors import BadAsk, BadChange, Conflict, UnknownRoll
from tableside.rules import Game, PoolNames
from tableside.rules.acts import ENCOUNTER, Act, Done, find_act, passing
from tableside.rules.characters import concerns, costs_of, perform_act
from tableside.rules.people import Person, PersonKind, Until
from tableside.rules.tracker import Tracker, find_tracker
from tableside.table import messages
from tableside.table.acts.calls import change_call, contest_so_far, slot_of, spend_on_call
from tableside.table.acts.need import need_person
from tableside.table.acts.people import begin_session, end_fight
from tableside.table.acts.pool import pool_after, pool_words
from tableside.table.kept import (
    NO_CALL,
    NO_CONTEST,
    Decision,
    Destiny,
    Initiative,
    OwnTable,
    Photographers,
    Player,
    Session,
    Slot,
    TableRow,
    TableState,
    Tracked,
    shown_by,
)
from tableside.table.system import System
from tableside.words import own, say, sentences

_MOST_PLAYERS = 20
_MOST_SLOTS = 60
_MOST_NAME = 40  # letters of what a table calls its pool


def change_pool(state: TableState, message: messages.ChangeDestiny, system: System) -> Decision:
    """Change the pool of points; one that is spent while a call is open joins that call."""
    joined = spend_on_call(state, message, system)
    if joined is not None:
        return joined
    pool = pool_after(state, message, most=system.most_points)
    return pool_words(state, message, pool), replace(state, destiny=pool)


def start_session(state: TableState, message: messages.StartSession, system: System) -> Decision:
    """A new evening begins."""
    session = Session(number=state.session.number + 1, title=message.title, at=message.at)
    words = say("Session {n}", n=session.number)
    if message.title:
        words = say("Session {n}: {title}", n=session.number, title=own(message.title))
    return words, replace(begin_session(_end_evening(state, system), system), session=session)


def end_session(state: TableState, message: messages.EndSession, system: System) -> Decision:
    """The evening is over, and with it its scene, its fight, its pool and the call that nobody answered."""
    session = state.session
    if session.ended or not (session.number or state.rolls):
        raise Conflict("no session runs", where="session", hint="It begins with the first throw.")
    words = say("Session {n} ends", n=session.number) if session.number else "The session ends"  # nobody had begun it
    return words, replace(_end_evening(state, system), session=structs.replace(session, ended=message.at))


def _end_evening(state: TableState, system: System) -> TableState:
    """Return the state after an evening: scene, fight and call are over, and the pool is thrown anew."""
    new = _end_calls(state, system, "evening")
    return replace(new, destiny=Destiny() if state.destiny_flips else new.destiny)


def _end_calls(state: TableState, system: System, what: Until = "round") -> TableState:
    """Return the state after a fight, a scene or an evening, and without any call."""
    asked = state.asked
    for ask in state.agenda.waits:
        _, state = change_call(replace(state, asked=ask), "", NO_CALL, system)
    state = replace(state, asked=asked, agenda=structs.replace(state.agenda, waits=()))
    return _end_with_call(state, system, what, waits=bool(asked.id or state.waiting))


def _end_with_call(state: TableState, system: System, what: Until = "round", *, waits: bool = False) -> TableState:
    """Return the state after a fight or a scene.

    The open call is over as well, and gives back what it took, where it is for a place in the order, or took of what
    all share.

    :param waits: so it is whatever it is for.
    """
    asked = state.asked
    takes = asked.id and costs_of(system.find_game(asked.game).characters, asked.declared, scope="table")
    if not (waits or state.gives_place(state.asked) or takes):
        new = end_fight(state, system, what)
        return replace(new, contest=NO_CONTEST) if state.contest.is_initiative and state.agenda.waits else new
    contest = NO_CONTEST if state.contest.is_initiative else contest_so_far(state)
    _, new = change_call(state, "", NO_CALL, system)
    return replace(end_fight(new, system, what), contest=contest)


def name_player(state: TableState, message: messages.NamePlayer, _system: System) -> Decision:
    """A player comes, goes or gets another name."""
    name, players = " ".join(message.name.split()), state.players
    old = next((player for player in players if player.id == message.player_id), None)
    if message.player_id and old is None:
        raise Conflict("no such player", where=message.player_id, hint="Somebody took that player away.")
    if name and any(player.name == name and player is not old for player in players):
        raise Conflict("there is a player of that name", where=name, hint="Choose another name.")
    if old is None:
        if not name:
            raise BadChange("the player has no name", where="name", hint="Enter a name.")
        if len(players) >= _MOST_PLAYERS:
            raise Conflict(say("there are {=n} players", n=len(players)), where="players", hint="Take one away first.")
        new = Player(id=message.id, name=name, device=message.device)
        return say("{name} joins", name=own(name)), replace(state, players=(*players, new))
    # What is counted of somebody follows the name, and is nobody's who has it later.
    counted = {(*key[:2], name if key[2] == old.name else key[2]): value for key, value in state.trackers.items()
               if name or key[2] != old.name}  # fmt: skip
    if name:
        named = tuple(structs.replace(old, name=name) if player is old else player for player in players)
        return say("{old} is now {name}", old=own(old.name), name=own(name)), replace(
            state, players=named, trackers=counted
        )
    left = tuple(player for player in players if player is not old)
    return say("{name} leaves", name=own(old.name)), replace(state, players=left, trackers=counted)


_PHOTOGRAPHERS = {
    Photographers.ALL: "everyone",
    Photographers.ASKED: "asked players",
    Photographers.NOBODY: "nobody",
}


def choose_game(state: TableState, message: messages.ChooseGame, system: System) -> Decision:
    """Choose the game, its settings or the names of its pool."""
    name = state.setup.game if message.game is None else message.game
    game = system.find_game(name or state.game)
    after = structs.replace(state.setup, game=name, told="" if name else state.setup.told or state.game)
    words: str = say("The game is {game}", game=game.title) if name else "The dice tell the game"
    if message.settings is not None:
        _check_settings(game, message)
        after = structs.replace(after, settings={**after.settings, game.name: dict(message.settings)})
        words = say("Settings of {game} changed", game=game.title)
    if message.photographs is not None:
        after = structs.replace(after, photographs=message.photographs)
        words = say("Throws by photograph: {who}", who=_PHOTOGRAPHERS[message.photographs])
    if message.names is not None:
        own = PoolNames(
            pool=_short(message.names.pool) or game.pool_names.pool,
            light=_short(message.names.light) or game.pool_names.light,
            dark=_short(message.names.dark) or game.pool_names.dark,
        )
        after = structs.replace(after, names=None if own == game.pool_names else own)
        words = say("The pool is called {pool}: {light}, {dark}", pool=own.pool, light=own.light, dark=own.dark)
    elif message.game is not None and message.game != state.setup.game:
        after = structs.replace(after, names=None)
    new = state
    if after.game != state.setup.game and (
        state.initiative.slots or state.gives_place(state.asked)
    ):  # its fight is over
        new = _end_with_call(state, system)
    if new.asked.id and new.asked.game == game.name:  # its dice go by the settings
        tray = game.tray({**after.answers(game.name), **new.asked.answers})
        new = replace(new, asked=structs.replace(new.asked, tray=tray))
    return words, replace(new, setup=after)


def _short(name: str) -> str:
    return name.strip()[:_MOST_NAME]


def _check_settings(game: Game, message: messages.ChooseGame) -> None:
    for name in message.settings or {}:
        if not game.form.field(name, game=game.name).is_setting:
            hint = "It belongs to one roll: ask it there."
            raise BadAsk(say("{=name} is no setting", name=name), where=f"game {game.name}", hint=hint)
    game.form.check(message.settings or {}, game=game.name)


def game_of(state: TableState, system: System) -> str:
    """Return the game that is played: the chosen one, else that of the dice; ``""`` where nothing has told it."""
    told = state.setup.told or (state.roll.game if state.roll else "")
    return system.game_now(state.setup.game) or told


def follow_dice(old: TableState, state: TableState, system: System) -> TableState:
    """Let dice that are thrown tell the game: while none is chosen, no phone has a card, and nothing goes on."""
    roll, setup = state.roll, state.setup
    if roll is None or roll == old.roll or system.game_now(setup.game):
        return state
    is_held = any(one.device for one in state.people if one.kind is PersonKind.PLAYER)
    stays = is_held or state.asked.id or state.initiative.slots
    told = setup.told or old.game if stays else roll.game or setup.told
    return state if told == setup.told else replace(state, setup=structs.replace(setup, told=told))


def follow_game(old: TableState, state: TableState, system: System) -> TableState:
    """Take the players' characters along into another game; one that has some of its own has those."""
    was, now = old.game, game_of(state, system)
    here = [one for one in state.people if one.kind is PersonKind.PLAYER and one.game == was]
    if now in ("", was) or not here or any(one.kind is PersonKind.PLAYER and one.game == now for one in state.people):
        return state
    if any(one.who for one in state.called):
        state = _end_calls(state, system)
    game = system.find_game(now)
    ready = game.ready.heroes
    likes = [ready[place % len(ready)] if ready else None for place in range(len(here))]
    moved = [game.characters.check(one.in_game(now, like)) for one, like in zip(here, likes, strict=True)]
    closed = replace(state, agenda=structs.replace(state.agenda, open=()))  # what was thrown was of the other game
    return closed.with_people({one.id: one for one in moved})


def change_tracker(state: TableState, message: messages.ChangeTracker, system: System) -> Decision:
    """Change a tracker that the table's game declares."""
    game = system.find_game(state.game)
    tracker = find_tracker(message.name, game.trackers)
    if tracker.name in ("light", "dark") and tracker.scope == "table":
        raise BadChange("this is the destiny pool", where=f"tracker {tracker.name}", hint="Change it by /api/destiny.")
    owner = "" if tracker.scope == "table" else message.owner
    if tracker.scope == "character" and not any(player.name == owner for player in state.players):
        hint = "Name a player as owner; add the player first."
        raise Conflict(say("no player {=owner}", owner=repr(owner)), where=f"tracker {tracker.name}", hint=hint)
    has = state.trackers.get((game.name, tracker.name, owner), tracker.default)
    value = tracker.changed(has, message.count) if message.value is None else tracker.check(message.value)
    if value == has and message.value is not None:
        return "", state
    old, new = _words(tracker, has), _words(tracker, value)
    if value == has:
        hint = say("It is {now}, from {least} to {most}.", now=new, least=tracker.least, most=tracker.highest)
        raise Conflict("it stays as it is", where=f"tracker {tracker.name}", hint=hint)
    words = say("{tracker} {old} to {new}", tracker=tracker.title, old=old, new=new)
    if owner:
        words = say("{owner}: {change}", owner=own(owner), change=words)
    return words, state.with_tracked(Tracked(game=game.name, name=tracker.name, owner=owner, value=value))


def _words(tracker: Tracker, value: int) -> str:
    return tracker.step(value).replace("_", " ")


def change_order(state: TableState, message: messages.ChangeInitiative, system: System) -> Decision:
    """Change the order of a fight. With a new round passes what lasts for rounds."""
    before = state.initiative
    if message.do in (messages.Turn.NEXT, messages.Turn.DELAY) and before.slots:
        return _end_turn(state, message, system)
    after, words = _order(state, before, message)
    is_over = message.do is messages.Turn.CLEAR
    if after == before and not (is_over and state.gives_place(state.asked)):
        raise Conflict("the order stays as it is", where="initiative", hint="Add a slot first.")
    if is_over:
        return words, _end_with_call(state, system)
    return words, replace(state, initiative=after) if after.slots else end_fight(state, system)


def _end_turn(state: TableState, message: messages.ChangeInitiative, system: System) -> Decision:
    """End a turn, or let it wait.

    Followed again, it is the turn of then: what was before it in the order is over, whoever that is by now, and a turn
    that is over or nobody's any more ends no other one.
    """
    now, ended, then = state.initiative, message.ended, (message.round or 0, message.segment or 0)
    words: str = ""
    slot = now.current if ended is None else now.find(ended)
    if ended is None and slot is not None:
        seen = (message.slot, slot.id), (message.round, now.round), (message.segment, now.segment)
        if message.do is messages.Turn.NEXT and any(shown not in ("", None, is_now) for shown, is_now in seen):
            return "", state
    elif ended is not None:
        while now.part < then or (now.part == then and not ended and now.current):
            words, state = _pass_turn(state, now.current, system)
            now = state.initiative
        slot = now.find(ended)
        if now.part > then or (ended and (slot is None or slot.is_done)):
            return words, state
    if message.do is messages.Turn.NEXT:
        return _pass_turn(state, slot, system)
    after = now.delay(slot)
    if after == now:
        raise Conflict("nobody acts later in this round", where="initiative", hint="Take the turn, or leave it.")
    return say("{who} waits: {side}", who=side_words(slot), side=side_words(after.current)), replace(
        state, initiative=after
    )


def _pass_turn(state: TableState, slot: Slot | None, system: System) -> Decision:
    """End the turn of a slot."""
    after = order_after(state, slot, system)
    lines, new = _pass_time(state, slot, after, system)
    words = turn_words(after)
    return sentences(say("{words}.", words=words), *lines) if lines else words, replace(new, initiative=after)


def order_after(state: TableState, slot: Slot | None, system: System) -> Initiative:
    """Return the order after the turn of a slot: whoever is out is passed, where anybody is not."""
    now, order, passed = state.initiative, state.turn_order, 0
    after = now.next(order, slot)
    while (has_done := after.round == now.round and after.segment and _has_done_all(state, after.current, system)) or (
        passed < len(after.slots) and _is_out(state, after.current, system)
    ):
        passed += not has_done
        after = after.next(order, after.current, is_alone=True)
    return after


def turn_words(order: Initiative) -> str:
    """Return whose turn it is in which round."""
    return say("Round {n}: {side}", n=order.round, side=side_words(order.current)) if order.current else "Nobody acts"


def _pass_time(state: TableState, slot: Slot | None, after: Initiative, system: System) -> tuple[list[str], TableState]:
    """Return what passes where a turn ends and the next begins: what lasts so long ends, of all where a round does."""
    now: dict[str, Person] = {person.id: person for person in state.people}
    lines: list[str] = []

    def act(person: Person | None, name: str) -> None:
        if person is None or not name:
            return
        characters = system.find_game(person.game).characters
        kinds = find_act(name, characters.acts).kinds
        if kinds and person.kind not in kinds:
            return
        before = now[person.id]
        done = perform_act(characters, before, name, {}, settings=state.setup.answers(person.game))
        what = [one.words for one in done.follows]
        is_news = done.words and name == passing(characters.acts, "round")
        now[person.id] = structs.replace(done.person, states=before.states)  # what lasts ends by the order, once
        if what or is_news:
            lines.append(
                say("{name}: {what}.", name=own(person.name), what=[*([done.words] if is_news else []), *what])
            )

    before = state.initiative
    ended = state.acting(slot)
    if ended is not None:
        acts_again = slot is not None and before.acts_again(slot, state.turn_order)
        if not acts_again or _has_done_all(state, slot, system):
            now[ended.id] = now[ended.id].after(("turn",))
        act(ended, passing(system.find_game(ended.game).characters.acts, "turn_end"))
    if after.round > before.round:
        had_turn = {one.id for slot in before.slots if (one := state.acting(slot)) and not _is_out(state, slot, system)}
        for person in state.people:
            if state.fights(person):
                acts = system.find_game(person.game).characters.acts
                has_none = person.id not in had_turn  # their turns end with the round
                now[person.id] = now[person.id].after(("turn", "round") if has_none else ("round",))
                if has_none:
                    act(person, passing(acts, "turn_end") or passing(acts, "turn_begin"))
                act(person, passing(acts, "round"))
    begins = state.acting(after.current)
    if begins is not None and (after.current, after.part) != (before.current, before.part):
        act(begins, passing(system.find_game(begins.game).characters.acts, "turn_begin"))
    return lines, state.with_people(now)


def _order(state: TableState, now: Initiative, message: messages.ChangeInitiative) -> tuple[Initiative, str]:
    order = state.turn_order
    match message.do:
        case messages.Turn.CLEAR:
            return Initiative(), "Initiative cleared"
        case messages.Turn.NEXT | messages.Turn.DELAY:  # where nobody fights
            return now, ""
        case messages.Turn.FIRST:
            if not order.sides_choose:
                hint = "Its turns go by rank."
                raise Conflict("no side goes first as a whole in this game", where="initiative", hint=hint)
            after = structs.replace(now, players_first=message.is_player).sorted(order)
            return after, "The players act first" if message.is_player else "The others act first"
        case messages.Turn.ADD:
            if len(now.slots) >= _MOST_SLOTS:
                raise Conflict(
                    say("there are {=n} slots", n=len(now.slots)), where="initiative", hint="Clear the order first."
                )
            slot = _new_slot(state, message)
            begun = now if now.slots else Initiative(game=state.game)
            return begun.with_slot(slot, order), say("Initiative: a slot for {side}", side=side_words(slot))
        case messages.Turn.CALL:
            raise AssertionError("who is called to roll is no change of the order yet")
        case messages.Turn.REMOVE | messages.Turn.CLAIM | messages.Turn.MOVE:
            found = now.find(message.slot)
            before = now.find(message.before)
            if found is None or (message.before and before is None):
                raise Conflict("no such slot", where=message.slot, hint="Somebody took it away.")
            if message.do is messages.Turn.MOVE:
                moved = now.move(found, before, order)
                if moved is None:
                    hint = "Only those whom the rules leave level change places."
                    raise Conflict("the rules order them otherwise", where="initiative", hint=hint)
                return moved, say("Initiative: {who} changes places", who=side_words(found))
            if message.do is messages.Turn.REMOVE:
                return now.without(found.id), say("Initiative: a slot of {side} taken away", side=side_words(found))
            who = _claimant(state, message)
            words = say("Initiative: {who} takes a slot", who=own(who) if who else "nobody")
            if who and order.is_by_side and found.is_player:
                now = _left(now, found, who)
            return now.replace_slot(structs.replace(found, who=who)), words


def _left(now: Initiative, slot: Slot, who: str) -> Initiative:
    """Return the order without the place of a player who takes another one. Nobody acts twice in a round."""
    for other in now.slots:
        if other.is_player and other.who == who and other.id != slot.id:
            if other.is_done:
                hint = "Let somebody else take this one, or pass."
                raise Conflict(say("{who} has acted in this round", who=own(who)), where="initiative", hint=hint)
            now = now.replace_slot(structs.replace(other, who=""))
    return now


def _claimant(state: TableState, message: messages.ChangeInitiative) -> str:
    """Return the name of who takes a slot: by now, where that is somebody of the scene."""
    return need_person(state, message.person).name if message.person else message.name


def _has_done_all(state: TableState, slot: Slot | None, system: System) -> bool:
    """Tell whether somebody has done all actions of the round, each of which has a turn."""
    person = state.acting(slot) if state.turn_order.is_by_action else None
    return person is not None and system.find_game(person.game).characters.has_done_all(person)


def _is_out(state: TableState, slot: Slot | None, system: System) -> bool:
    """Tell whether who acts in a slot is out, or who brought it where nobody has taken it."""
    person = state.acting(slot) if slot is None or slot.who else state.owner(slot)
    return person is not None and system.is_out(person)


def _new_slot(state: TableState, message: messages.ChangeInitiative) -> Slot:
    rank, order = message.rank, state.turn_order
    if len(rank) > len(order.numbers):
        hint = say("In this game it is: {=names}.", names=", ".join(order.numbers))
        raise BadChange(say("a rank of {=n} numbers", n=len(rank)), where="initiative", hint=hint)
    words = ", ".join(str(number) for number in rank)
    if message.roll_id:
        roll = state.find_roll(message.roll_id)
        if roll is None:
            raise UnknownRoll("no such roll", where=message.roll_id, hint="Give a rank instead.")
        if roll.is_hidden:
            raise Conflict("that roll is hidden", where=roll.id, hint="Show it to all first, or give a rank.")
        if not roll.is_whole:
            raise Conflict(
                "that roll is not whole yet", where=f"roll {roll.id}", hint="Finish it first, or give a rank."
            )
        own_rank = order.rank(dict(roll.net), roll.ask)
        if own_rank is None:
            raise Conflict("that roll tells no rank in this game", where=f"roll {roll.id}", hint=order.hint)
        rank, words = own_rank, roll.headline
        roller = state.person(roll.who)
        if roller is not None and not message.name and not message.person:
            return slot_of(roller, message.id, rank, roll)
    slot = Slot(
        id=message.id, side=message.side, rank=rank, words=words, who=_claimant(state, message), roll=message.roll_id
    )
    person = state.acting(slot)
    return structs.replace(slot, person=person.id) if person else slot


def side_words(slot: Slot | None) -> str:
    if slot is None:
        return "nobody"
    if slot.who:
        return own(slot.who)
    return "a player" if slot.is_player else "the game master"


def do_act(state: TableState, message: messages.DoAct, system: System) -> Decision:
    """Do an act: of one person, or of all where it passes for all."""
    if message.who:
        person = need_person(state, message.who)
        characters = system.find_game(person.game).characters
        act = find_act(message.act, characters.acts)
        settings = state.setup.answers(person.game)
        done = perform_act(characters, person, act.name, message.ask, skill=message.skill, settings=settings)
        words = _done_words(done) or act.title
        by_order = state.fights(person) and act.passes in ("turn_end", "turn_begin")
        after = structs.replace(done.person, states=person.states) if by_order else done.person
        acted = state.with_person(after)
        words = say("{name}: {what}", name=own(person.name), what=words)
        return words, acted.with_turn_of(after) if act.takes else acted
    game = system.find_game(state.game)
    act = find_act(message.act, game.characters.acts)
    if not act.is_for_all:
        raise Conflict("nobody does this", where=act.title, hint="Choose who does it.")
    lines, new = _do_for_all(state, game, act, message.ask)
    if act.name == ENCOUNTER.name:
        new = _end_with_call(state, system, "scene")
    return sentences(say("{words}.", words=act.title), *lines), new


def _do_for_all(state: TableState, game: Game, act: Act, ask: Mapping[str, Any]) -> tuple[list[str], TableState]:
    """Return what an act makes of everybody of the game, with words for whom it touches."""
    lines: list[str] = []
    for person in state.people:
        if person.game == game.name and concerns(game.characters, act, person):
            done = perform_act(game.characters, person, act.name, ask, settings=state.setup.answers(game.name))
            if done.person != person and (text := _done_words(done)):
                lines.append(say("{name}: {what}.", name=own(person.name), what=text))
            state = state.with_person(done.person)
    return lines, state


def _done_words(done: Done) -> str | list[str]:
    return [text for text in (done.words, *(follow.words for follow in done.follows)) if text]


_MOST_TABLES = 100


def change_table(state: TableState, message: messages.ChangeTable, _system: System) -> Decision:
    """Put a table in the place of the one of its name, or of the name that it had; without rows that one goes."""
    name = " ".join(message.name.split())
    if not name:
        raise BadChange("the table has no name", where="name", hint="Send a name.")
    gone = {name.casefold()}
    if message.was:
        gone = {state.table(message.was).name.casefold()}
        if any(one.name.casefold() == name.casefold() not in gone for one in state.tables):
            raise Conflict("there is a table of that name", where=name, hint="Choose another name.")
    kept = tuple(one for one in state.tables if one.name.casefold() not in gone)
    if not message.rows:
        if len(kept) == len(state.tables):
            raise Conflict("there is no table of that name", where=name, hint="Send rows to write one.")
        return say("The table {name} is gone", name=own(name)), replace(state, tables=kept)
    if len(kept) >= _MOST_TABLES:
        raise Conflict(say("there are {n} tables", n=len(kept)), where="tables", hint="Take one away first.")
    if shown_by(message.dice) is None:
        hint = "Write d100, d10 or a dice code such as 2D into it."
        raise BadChange(say("{=dice} are no dice", dice=repr(message.dice[:40])), where=name, hint=hint)
    rows = sorted(message.rows, key=lambda row: row.least)
    for row, following in pairwise(rows):
        if following.least <= row.most:
            raise BadChange(say("two rows hold {n}", n=following.least), where=name, hint="Rows must not overlap.")
    for row in rows:
        if row.most < row.least:
            raise BadChange(
                say("a row goes from {n} to {m}", n=row.least, m=row.most), where=name, hint="Send from, then to."
            )
    table = OwnTable(
        name=name,
        dice=message.dice,
        is_opening=message.is_opening,
        rows=tuple(TableRow(least=row.least, most=row.most, words=row.words) for row in rows),
    )
    words = say("The table {name} has {n} rows", name=own(name), n=len(rows))
    asked = state.asked
    if message.was and asked.table.casefold() in gone:
        asked = structs.replace(asked, table=name)
    return words, replace(state, tables=(*kept, table), asked=asked)
