"""What is next, whose it is and the one act that leads on: the first row of ``ROWS`` that is open says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any
from urllib.parse import quote

from msgspec import structs

from tableside.errors import GameError, TablesideError
from tableside.rules.people import PersonKind
from tableside.table.acts.agenda import has_won
from tableside.table.acts.evening import order_after
from tableside.table.acts.spends import apply_effect
from tableside.table.acts.stage import Further, OpenEffect, Stage, follow_call, open_effects, stage_of, steps_of
from tableside.table.kept import NO_CALL, NO_CONTEST, Now, NowAct, NowActs, Phase, Request, Roll, Seen, Slot, TableState
from tableside.table.messages import ApplyEffect
from tableside.table.system import System
from tableside.words import Words, word_json

TABLE, MASTER = "table", "master"


def with_now(old: TableState, state: TableState, system: System) -> TableState:
    """Return the state with what is next, for who sees all and for all others; a new one has a number of its own."""
    nows: list[Now] = []
    calls = (state.asked, *state.agenda.waits)
    is_open = not any(call.is_hidden for call in calls) and not any(roll.is_hidden for roll in state.rolls)
    for before, seen in ((old.now, state), (old.open_now, state if is_open else _without_hidden(state))):
        found = nows[0] if nows and is_open else now_of(seen, system)
        is_new = found.is_about != before.is_about or not before.number
        number, change = (state.revision, state.last_number) if is_new else (before.number, before.change)
        nows.append(replace(found, number=number, change=change))
    return replace(state, now=nows[0], open_now=nows[1])


def _without_hidden(state: TableState) -> TableState:
    rolls = tuple(roll for roll in state.rolls if not roll.is_hidden)
    if len(rolls) < len(state.rolls):  # the first throw of a table ends its set-up, whoever sees it
        state = replace(state, agenda=structs.replace(state.agenda, put_off=(*state.agenda.put_off, "setup")))
    waits = tuple(one for one in state.agenda.waits if not one.is_hidden)
    if waits != state.agenda.waits:
        state = replace(state, agenda=structs.replace(state.agenda, waits=waits))
    if not state.asked.is_hidden:
        return replace(state, rolls=rolls)
    return replace(state, rolls=rolls, asked=NO_CALL, contest=NO_CONTEST if state.contest.is_hidden else state.contest)


def now_of(state: TableState, system: System) -> Now:
    """Return what is next. It has no number yet."""
    at = Moment(replace(state, past=(), now=Now(), open_now=Now()), system)  # else each would hold all before it
    for row in ROWS:
        with suppress(GameError):  # an old log may tell of a game that is no longer installed
            if subject := row.when(at):
                roll = subject.id if isinstance(subject, Roll) else None
                acts = partial(_acts_of, at, row, subject)
                call = state.asked.id or None
                return Now(name=row.name, whose=row.whose(at, subject), roll=roll, call=call, work_out=acts)
    raise AssertionError("the last row is always open")


def _acts_of(at: Moment, row: Row, subject: Any) -> NowActs:
    state, asked = at.state, at.state.asked
    waits = [one.who for one in state.called if one.who and (one.who != asked.who or row.name not in _THROWS)]
    return NowActs(
        act=row.act(at, subject),
        then=row.then(at, subject),
        also=tuple(one for one in row.also(at, subject) if one is not None)[:3],
        waiting=tuple(dict.fromkeys(waits)),
        by_hand=state.phase in (Phase.NO_CAMERA, Phase.BY_HAND),
    )


class Moment:
    """A state as the rows look at it."""

    def __init__(self, state: TableState, system: System) -> None:
        self.state = state
        self.system = system

    @cached_property
    def open(self) -> list[tuple[Roll, Stage]]:
        """The rolls that nothing has closed, with how far each is, the oldest first."""
        found = (self.state.find_roll(one) for one in self.state.agenda.open)
        return [(roll, stage_of(self.state, roll, self.system)) for roll in found if roll is not None]

    @cached_property
    def last(self) -> Roll | None:
        """The newest roll that is open, where nothing is left to do with it."""
        return self.open[-1][0] if self.open and self.open[-1][1] is Stage.DONE else None

    @property
    def slot(self) -> Slot | None:
        """Whose turn it is."""
        return self.state.initiative.current

    @cached_property
    def fallen(self) -> tuple[Roll, str, Further | None] | None:
        """Whom an open roll has felled, with the throw that this calls for; others than players fall without a word."""
        for roll, _ in self.open:
            done = roll.applied[-1] if roll.applied and roll.id not in self.state.agenda.put_off else None
            person = self.state.person(done.to) if done else None
            if done is None or person is None:
                continue
            follow = next((one for one in done.follows if one.ask is not None), None)
            if follow is not None:
                return roll, person.id, follow_call(self.state, roll, follow, person.id)
            is_out = self.system.is_out(person)
            if done.follows and is_out and person.kind is PersonKind.PLAYER:
                return roll, person.id, None
        return None


def _said(value: Any) -> Any:
    return {**word_json(value), "text": str(value)} if isinstance(value, Words) else value


def _act(key: str, path: str = "", body: Mapping[str, Any] | None = None, **values: Any) -> NowAct:
    """Return an act; one without a path is a throw of real dice or a choice in the page."""
    request = Request(path=path, body=body or {}) if path else None
    return NowAct(key=key, values={name: _said(value) for name, value in values.items()}, request=request)


def _of_roll(roll: Roll, what: str) -> str:
    return f"/api/rolls/{quote(roll.id, safe='')}/{what}"


def _next(at: Moment, key: str = "next") -> NowAct | None:
    """Return what ends the turn that is on, once, however many send it; nothing where nobody fights."""
    now = at.state.initiative
    if at.slot is None:
        return None
    order = order_after(at.state, at.slot, at.system)
    after, person = order.current, replace(at.state, initiative=order).likely(order.current)
    seen = {"do": "next", "slot": at.slot.id, "round": now.round, "segment": now.segment}
    return _act(key, "/api/initiative", seen, next=person.id if person else after.who if after else "")


def _pass(key: str, name: str, roll: Roll | None = None) -> NowAct:
    return _act(key, "/api/now/pass", {"name": name} | ({"roll": roll.id} if roll else {}))


def _on(at: Moment, roll: Roll) -> NowAct | None:
    """Return what leads on from a result in a fight: the next turn, or back to whose turn it is where another threw."""
    if at.slot is None or at.state.agenda.has_acted:
        return _next(at)
    return structs.replace(_pass("back", "result", roll), values={"who": _actor(at, at.slot)})


def _other_game(at: Moment, roll: Roll) -> list[NowAct]:
    """Return what changes the game for everybody, where these dice are the first of another one: it is asked once."""
    is_first = all(one.game != roll.game for one in at.state.rolls if one is not roll)
    if roll.game in ("", at.state.game) or not is_first or at.slot is not None:
        return []
    return [_act("change_game", "/api/game", {"game": roll.game}, game=at.system.find_game(roll.game).title)]


def _actor(at: Moment, slot: Slot | None) -> str:
    person = at.state.likely(slot)
    return person.id if person else ""


def _further(one: Further) -> NowAct:
    return _act(one.key, "/api/ask", one.body, **one.values)


def _stage(stage: Stage) -> Callable[[Moment], Roll | None]:
    return lambda at: next((roll for roll, found in at.open if found is stage), None)


def _thrower(_at: Moment, roll: Roll) -> str:
    return roll.who or TABLE


def _again(at: Moment, roll: Roll) -> NowAct | None:
    number = at.state.brought_by(roll.id)
    return None if number is None else _act("throw_again", "/api/undo", {"change": number})


def _wrong(_at: Moment, roll: Roll) -> list[NowAct | None]:
    missing = roll.missing
    mend = (
        _act("add_dice", die=next(iter(missing)) if len(missing) == 1 else "", n=sum(missing.values()))
        if missing
        else _act("take_out", n=-sum(n for _, n in roll.short))
    )
    return [
        mend,
        _act("take", _of_roll(roll, "take"), {"version": roll.version}, n=sum(die.counts for die in roll.dice)),
    ]


def _more(_at: Moment, roll: Roll) -> NowAct | None:
    if roll.awaits is None:
        return None
    (kind, _), *_ = roll.awaits.dice or (("", 0),)
    return _act("throw_more" if roll.awaits.name != "wild_again" else "throw_wild", die=kind, n=roll.awaits.count)


def _choices(_at: Moment, roll: Roll) -> list[NowAct]:
    return [_act("choose", _of_roll(roll, "ask"), {"ask": dict(one.sets)}, what=one.title) for one in roll.choices]


def _apply(roll: Roll, one: OpenEffect, key: str = "apply", **more: Any) -> NowAct:
    body = {"effect": one.place, "to": one.to, **more}
    return _act(key, _of_roll(roll, "apply") if one.to else "", body, what=one.effect.words, to=one.to)


def _effect(at: Moment, roll: Roll) -> NowAct:
    """Return what applies the first effect; where people choose one of several, the page asks."""
    one = open_effects(at.state, roll, at.system)[0]
    return _act("choose_effect", to=one.to) if one.effect.is_either else _apply(roll, one)


def _apply_on(at: Moment, roll: Roll) -> NowAct | None:
    """Return what applies the last effect and ends the turn, or the fight where nobody of the others stands then."""
    left = open_effects(at.state, roll, at.system)
    if at.slot is None or not at.state.agenda.has_acted or len(left) > 1 or not left[0].to or left[0].effect.is_either:
        return None
    message = ApplyEffect(id="", at=0.0, roll_id=roll.id, effect=left[0].place, to=left[0].to)
    try:
        _, after = apply_effect(at.state, message, at.system)
    except TablesideError:  # it does nothing to this one
        return None
    if has_won(after, at.system):
        return _apply(roll, left[0], "apply_end", then="end")
    following = _next(Moment(after, at.system))
    act = _apply(roll, left[0], "apply_next", then="next")
    return structs.replace(act, values={**act.values, **(following.values if following else {})})


def _unhurt(at: Moment, roll: Roll) -> list[NowAct | None]:
    choices = [
        _apply(roll, one, "apply_either") for one in open_effects(at.state, roll, at.system) if one.effect.is_either
    ]
    is_turn = at.slot is not None and at.state.agenda.has_acted
    return [*choices[:2], _next(at, "next_unhurt") if is_turn else _pass("leave", "apply", roll)]


def _open_call(at: Moment, *, is_initiative: bool) -> TableState | None:
    state = at.state
    return (
        state if state.asked.id and state.gives_place(state.asked) is is_initiative and not _is_for_pool(at) else None
    )


def _is_for_pool(at: Moment) -> bool:
    if not at.state.asked.id:
        return False
    wanted = at.system.find_game(at.state.asked.game).form.asking("pool")
    return bool(wanted) and wanted.items() <= at.state.asked.answers.items()


def _rolls(at: Moment) -> Phase | None:
    return at.state.phase if at.state.phase is Phase.MOVING or at.state.laid else None


def _roller(at: Moment, _subject: Any = None) -> str:
    """Return who throws what is called, or what a roll waits for."""
    asked, awaiting = at.state.asked, next((roll for roll, stage in at.open if stage is Stage.MORE), None)
    if asked.tray is not None and asked.tray.by_gm:
        return MASTER
    return asked.who or (awaiting.who if awaiting and not asked.id else "") or TABLE


def _throw(at: Moment, _subject: Any = None) -> NowAct:
    return _act("tap_dice" if at.state.phase in (Phase.NO_CAMERA, Phase.BY_HAND) else "photograph")


def _stop(at: Moment, _subject: Any = None) -> list[NowAct | None]:
    asked = at.state.asked
    may_skip = bool(asked.contest) and len(at.state.waiting) > 1
    return [
        _act("stop", "/api/ask", {"changes": asked.id}),
        _act("skip", "/api/now/pass", {"name": "throw", "call": asked.id}) if may_skip else None,
    ]


def _pool(at: Moment) -> Any:
    if _is_for_pool(at):
        return at.state.asked
    roll = at.last
    return roll if roll is not None and roll.sets_pool is not None and at.state.destiny_flips else None


def _use_pool(at: Moment, subject: Any) -> NowAct:
    if not isinstance(subject, Roll):
        return _throw(at)
    pool = at.state.pool_of(subject)
    return _act("use_pool", "/api/destiny", {"do": "set", "from_roll": subject.id}, light=pool.light, dark=pool.dark)


def _attack(at: Moment, slot: Slot) -> NowAct:
    """Return the last weapon of whose turn it is against the last target, else the first ones that there are."""
    state, person = at.state, at.state.likely(slot)
    if person is None or not person.weapons:
        return _act("attack")
    last = next((one for one in state.rolls if (one.aboard or one.who) == person.id and one.weapon), None)
    weapon = next((one.name for one in person.weapons if last and one.name == last.weapon), person.weapons[0].name)
    stands = [
        one.id
        for other in state.initiative.slots
        if other.is_player is not slot.is_player and (one := state.owner(other)) is not None and one.game == person.game
        if not at.system.is_out(one)
    ]
    target = last.against if last and last.against in stands else next(iter(stands), "")
    body: dict[str, Any] = {"who": person.id, "weapon": weapon} | ({"against": target} if target else {})
    crew = [one for one in person.crew if (who := state.person(one)) and not at.system.is_out(who)]
    if crew:
        body |= {"who": last.who if last and last.who in crew else crew[0], "aboard": person.id}
    if slot.is_player:  # what an opponent's chances are, the game master says
        body["odds_for"] = Seen.ALL.value
    return _act("attack", "/api/ask", body, weapon=weapon, to=target)


def _declares(at: Moment) -> bool:
    """Tell whether nobody does more in this part of the round than say what they will do."""
    return at.state.initiative.segment < at.state.turn_order.declares


def _turn(at: Moment, slot: Slot) -> NowAct | None:
    """Return what whose turn it is does: an attack; where all only declare, that part is over for all at once."""
    following = _next(at) if _declares(at) else None
    return structs.replace(following, values={**following.values, "all": True}) if following else _attack(at, slot)


def _setup(at: Moment) -> str:
    """Return the step of the set-up: which dice there are, who plays, or the phones; empty once it is over."""
    passed = at.state.agenda.put_off
    if at.state.rolls or at.state.session.number or "setup" in passed:
        return ""
    step = "cast" if at.system.game_now(at.state.setup.game) else "dice"
    return "phones" if step in passed else step


def _not_in(at: Moment) -> list[str]:
    """Return the game's ready heroes who are not in; who came along from another game has taken a place of theirs."""
    game = at.system.find_game(at.system.game_now(at.state.setup.game))
    players = [one for one in at.state.people if one.game == game.name and one.kind is PersonKind.PLAYER]
    places = game.ready.heroes[sum(bool(one.sheets) for one in players) :]
    return [hero.name for hero in places if all(one.name != hero.name for one in players)]


def _lead_in(at: Moment, step: str) -> NowAct:
    if step == "dice":
        return _act("choose_dice")
    if step == "phones":
        return _pass("begin", "setup")
    missing = _not_in(at)
    return _act("bring_in", n=len(missing), heroes=missing) if missing else _pass("phones", "cast")


def _lead_past(at: Moment, step: str) -> list[NowAct]:
    if step == "dice":
        return [_pass("just_read", "dice")]
    return [_pass("phones", "cast")] if step == "cast" and _not_in(at) else []


def _nobody(_at: Moment, _subject: Any) -> None:
    return None


def _nothing(_at: Moment, _subject: Any) -> tuple[()]:
    return ()


def _is(whose: str) -> Callable[[Moment, Any], str]:
    return lambda _at, _subject: whose


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row.

    :ivar when: what it is about, where it is open. :ivar whose: whose it is then.
    :ivar act: the one that leads on. :ivar then: the one after it. :ivar also: quiet ones.
    """

    name: str
    when: Callable[[Moment], Any]
    whose: Callable[[Moment, Any], str]
    act: Callable[[Moment, Any], NowAct | None] = _nobody
    then: Callable[[Moment, Any], NowAct | None] = _nobody
    also: Callable[[Moment, Any], Any] = _nothing


_THROWS = ("throw", "initiative", "pool", "rolling")
ROWS: tuple[Row, ...] = (
    Row(name="doubt", when=_stage(Stage.DOUBT), whose=_thrower, act=lambda _at, _: _act("settle")),
    Row(name="wrong", when=_stage(Stage.WRONG), whose=_thrower, act=_again, also=_wrong),
    Row(name="more", when=_stage(Stage.MORE), whose=_thrower, act=_more, also=_choices),
    Row(
        name="rolling",
        when=_rolls,
        whose=_roller,
        also=lambda at, _: [_act("take_these", "/api/read", {}, n=sum(at.state.laid.values()))],
    ),
    Row(name="apply", when=_stage(Stage.APPLY), whose=_thrower, act=_effect, then=_apply_on, also=_unhurt),
    Row(
        name="step",
        when=_stage(Stage.STEP),
        whose=lambda at, roll: steps_of(at.state, roll, at.system)[0].whose or TABLE,
        act=lambda at, roll: _further(steps_of(at.state, roll, at.system)[0]),
        also=lambda at, roll: [*map(_further, steps_of(at.state, roll, at.system)[1:2]), _pass("leave", "step", roll)],
    ),
    Row(
        name="fallen",
        when=lambda at: at.fallen and at.fallen[0],
        whose=_is(MASTER),
        act=lambda at, _: _further(at.fallen[2]) if at.fallen and at.fallen[2] else None,
        then=lambda at, _: _next(at),
        also=lambda _at, roll: [_pass("later", "fallen", roll)],
    ),
    Row(
        name="won",
        when=lambda at: at.state.agenda.is_won and "won" not in at.state.agenda.put_off,
        whose=_is(MASTER),
        act=lambda _at, _: _act("end_fight", "/api/initiative", {"do": "clear"}),
        also=lambda _at, _: [_pass("fight_on", "won")],
    ),
    Row(
        name="spend",
        when=lambda at: at.last if at.last and at.last.can_pay else None,
        whose=_thrower,
        act=_on,
        also=_other_game,
    ),
    Row(name="initiative", when=partial(_open_call, is_initiative=True), whose=_roller, act=_throw, also=_stop),
    Row(name="throw", when=partial(_open_call, is_initiative=False), whose=_roller, act=_throw, also=_stop),
    Row(
        name="pool",
        when=_pool,
        whose=lambda at, subject: MASTER if isinstance(subject, Roll) else _roller(at),
        act=_use_pool,
        also=lambda at, subject: [] if isinstance(subject, Roll) else _stop(at),
    ),
    Row(name="result", when=lambda at: at.last, whose=_is(""), act=_on, also=_other_game),
    Row(
        name="turn",
        when=lambda at: None if at.state.agenda.has_acted else at.slot,
        whose=lambda at, slot: _actor(at, slot) or (TABLE if slot.is_player else MASTER),
        act=_turn,
        also=lambda at, _: [] if _declares(at) else [_next(at, "pass")],
    ),
    Row(name="turn_done", when=lambda at: at.slot, whose=_is(MASTER), act=lambda at, _: _next(at)),
    Row(
        name="over",
        when=lambda at: at.state.session.ended,
        whose=_is(MASTER),
        act=lambda _at, _: _act("begin_session", "/api/session", {}),
    ),
    Row(name="setup", when=_setup, whose=_is(TABLE), act=_lead_in, also=_lead_past),
    Row(name="idle", when=lambda _: True, whose=_is(MASTER), act=lambda _at, _: _act("compose")),
)
"""What can be next; the first that is open is."""
