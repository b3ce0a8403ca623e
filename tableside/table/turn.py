"""A turn: a call that is filled from people, points that join it, what it buys and what it does.

Every act is one change. What a call takes of points and trackers is given back where nobody rolls for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from tableside.errors import BadChange, Conflict, DiceSetError, GameError
from tableside.rules import Game, game_names
from tableside.rules.characters import Help, Opposed
from tableside.rules.game import Outcome, Spend
from tableside.rules.people import Effect, Person
from tableside.rules.tracker import find_tracker
from tableside.table.change import Decision, Part
from tableside.table.destiny import check_pool, side_name
from tableside.table.destiny_pool import Side
from tableside.table.messages import ApplyEffect, BuySpend, ChangeDestiny, Do, SetAsk, TakeRoll
from tableside.table.people_changes import found_person, parts_of
from tableside.table.play import NO_ASK, Applied, Ask, Bought, Carried, OwnTable, Tracked
from tableside.table.points import points_of_ask, pool_now_words, taken_from_pool
from tableside.table.roll import Roll
from tableside.table.roll_changes import found_roll, scored
from tableside.table.state import TableState
from tableside.table.system import System
from tableside.words import own, say, sentences


def called_alone(state: TableState, message: SetAsk, system: System) -> Decision:
    """Call a roll of one: whose, for what, against whom. Nothing at all means that no roll is called."""
    if is_nothing(message):
        return as_call(state, "Nothing is asked", NO_ASK, system)
    after = ask_of(state, message, system)
    return as_call(state, call_words(after), after, system)


def is_nothing(message: SetAsk) -> bool:
    """Tell whether nobody is to roll any more."""
    says = (message.answers, message.ask, message.player, message.label, message.is_hidden, message.who, message.table)
    return not any(says)


def call_words(ask: Ask) -> str:
    """Return ``"Oskara, Mechanics: Throw 1 ability die."``."""
    named = ": ".join(word for word in (ask.player, ask.label) if word)
    who = own(named) if named else "The next roll"
    tray = ask.tray
    return say("{who}: {wanted}", who=who, wanted=tray.sentence) if tray else say("{who} is asked", who=who)


def ask_of(state: TableState, message: SetAsk, system: System) -> Ask:
    """Return the call that a message would make, filled from its people."""
    if message.targets:
        return _against_hardest(state, message, system)
    actor = found_person(state, message.who) if message.who else None
    game = system.find_game(message.game or (actor.game if actor else "") or state.game)
    target, total = _against(state, message)
    if target is not None:
        _of_game(target, game)
    if total is not None:
        _counts(total, game)
    given = game.form.written({**message.answers, **message.ask})
    if message.table and not (given or message.skill or message.weapon):
        return _thrown_for(state.table(message.table), state, message, game, system)
    if message.added:
        hint = "Send the name of a table, and no answers of your own."
        raise BadChange("nothing is thrown for a table", where="added", hint=hint)
    if actor is not None:
        _of_game(actor, game)
    carried = [
        one
        for one in state.carried
        if actor is not None and one.to in ("", actor.id) and game.characters.takes_carried(given)
    ]
    answers = game.characters.call(
        actor,
        skill=message.skill,
        weapon=message.weapon,
        is_damage=message.is_damage,
        opposed=Opposed(
            target=target,
            skill=message.against_skill,
            total=dict(total.net) if total else None,
            ask=total.ask if total else {},
        ),
        helped=_helped(state, message, game),
        carried=[one.ask for one in carried if _fits(game, one.ask)],
        ask=given,
    )
    if message.table:
        state.table(message.table)
    return _call(
        state,
        message,
        game,
        answers,
        given=given,
        player=message.player or (actor.name if actor else ""),
        label=message.label or message.skill or message.weapon,
        who=message.who,
        skill=message.skill,
        weapon=message.weapon,
        is_damage=message.is_damage,
        against=target.id if target else "",
        against_skill=message.against_skill if target else "",
        last_total=total.id if total else "",
        table=message.table,
        carried=tuple(one.id for one in carried),
        helpers=message.helpers,
        led_by=message.led_by,
    )


def rolls_after(state: TableState, message: SetAsk, system: System) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the answers of the two rolls after an attack: its damage, and what its target throws against that.

    Empty where the people do not tell: no weapon with a damage roll of its own, or a target without what resists.
    """
    actor = found_person(state, message.who) if message.who else None
    if actor is None or not message.weapon or message.is_damage or not actor.weapon(message.weapon).damage:
        return {}, {}
    target, _ = _against(state, message)
    bare = SetAsk(id=message.id, at=message.at)
    opposed = target.id if target else ""
    resists = system.find_game(actor.game).characters.resists
    try:
        damage = ask_of(
            state, replace(bare, who=actor.id, weapon=message.weapon, is_damage=True, against=opposed), system
        )
        if target is None or not any(skill.name == resists for skill in target.skills):
            return damage.answers, {}
        return damage.answers, ask_of(state, replace(bare, who=target.id, skill=resists), system).answers
    except GameError:  # such as a target whom its wounds leave no die: the attack itself can still be told
        return {}, {}


def _call(state: TableState, message: SetAsk, game: Game, answers: Mapping[str, Any], **more: Any) -> Ask:
    """Return the call of a game by its answers, with what a message says of any call."""
    return Ask(
        id=message.id,
        at=message.at,
        game=game.name,
        answers=answers,
        by=message.by,
        is_hidden=message.is_hidden,
        odds_for=message.odds_for,
        tray=game.tray({**state.setup.answers(game.name), **answers}),
        **more,
    )


def _against_hardest(state: TableState, message: SetAsk, system: System) -> Ask:
    """Return the call against the one of several targets that is hardest to beat; it counts against all of them."""
    calls = [ask_of(state, replace(message, targets=(), against=one), system) for one in message.targets]

    def ease(ask: Ask) -> tuple[Fraction, ...]:
        return system.find_game(ask.game).ease({**state.setup.answers(ask.game), **ask.answers})

    return replace(min(calls, key=ease), targets=message.targets)


def _thrown_for(table: OwnTable, state: TableState, message: SetAsk, usual: Game, system: System) -> Ask:
    """Return the call of a table's own dice: by the game that is played, else by one that has such dice."""
    for name in (usual.name, *game_names()):
        game = system.find_game(name)
        answers = game.table_ask(table.dice, message.added)
        if answers is not None:
            break
    else:
        fault, hint = say("no game has {=dice}", dice=table.dice), "Write d100, d10 or a dice code such as 2D into it."
        raise Conflict(fault, where=table.name, hint=hint)
    actor, (target, _) = state.person(message.who), _against(state, message)
    return _call(
        state,
        message,
        game,
        answers,
        given=answers,
        player=message.player or (actor.name if actor else ""),
        label=message.label or table.name,
        who=message.who if actor and actor.game == game.name else "",
        against=target.id if target else "",
        table=table.name,
    )


def _helped(state: TableState, message: SetAsk, game: Game) -> Help | None:
    """Return who help; in a fight time is short."""
    if not message.helpers:
        return None
    helpers = [found_person(state, one) for one in dict.fromkeys(message.helpers) if one != message.who]
    for one in helpers:
        _of_game(one, game)
    leads = found_roll(state, message.led_by) if message.led_by else None
    missed = 0
    if leads is not None and leads.difficulty is not None:
        missed = max(leads.difficulty - dict(leads.net).get("total", 0), 0)
    is_urgent = bool(state.initiative.slots)
    return Help(helpers=helpers, is_urgent=is_urgent, command=leads.ask if leads else None, missed_by=missed)


def _against(state: TableState, message: SetAsk) -> tuple[Person | None, Roll | None]:
    """Return the person, and the roll whose total counts, that the call is made against."""
    if isinstance(message.against, str):
        return (found_person(state, message.against) if message.against else None), None
    roll = found_roll(state, message.against.last_total)
    if roll.is_hidden:
        raise Conflict("that roll is hidden", where=roll.id, hint="Show it to all first, or give a number.")
    return state.person(roll.who), roll


def _counts(total: Roll, game: Game) -> None:
    """Raise :class:`Conflict` for a roll whose total means nothing here, or is not there yet."""
    if total.game != game.name:
        hint = say("Choose a roll of {game}.", game=game.title)
        raise Conflict("that roll is of another game", where=f"roll {total.id}", hint=hint)
    if total.awaits or total.short or total.choices:
        unfinished = "Finish that roll first, or give a number."
        raise Conflict("that roll is not whole yet", where=f"roll {total.id}", hint=unfinished)


def _of_game(person: Person, game: Game) -> None:
    """Raise :class:`Conflict` for somebody of another game, whose numbers mean nothing here."""
    if person.game != game.name:
        fault = say("{=name} is of another game", name=person.name)
        raise Conflict(fault, where=person.name, hint=say("Choose somebody of {game}.", game=game.title))


def _fits(game: Game, ask: Mapping[str, Any]) -> bool:
    try:
        game.form.check(ask, game=game.name)
    except GameError:
        return False
    return True


def as_call(state: TableState, words: str, after: Ask, system: System) -> Decision:
    """Return the decision, with what the new call takes of points and trackers and what the old one gives back."""
    pool = taken_from_pool(state, points_of_ask(system, after), points_of_ask(system, state.asked), system)
    old, new = paid(state, system, (after.who, after.game, after.answers), _payer(state.asked))
    old, new = replace(old, asked=state.asked), replace(new, asked=after)
    if pool is not None:
        words = sentences(words if words.endswith(".") else say("{words}.", words=words), pool_now_words(state, pool))
        old, new = replace(old, destiny=state.destiny), replace(new, destiny=pool)
    return words, old, new


def _payer(ask: Ask) -> tuple[str, str, Mapping[str, Any]]:
    return (ask.who, ask.game, ask.answers) if ask.id else ("", "", {})


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
        for name, count in system.find_game(game).characters.costs(answers).items():
            owed.setdefault(who, Counter())[name] += sign * count
    touched = {}
    for who, costs in owed.items():
        person = found_person(state, who)
        characters = system.find_game(person.game).characters
        after = person
        for name, count in costs.items():
            tracker = characters.tracker(name)
            has = person.value(name, tracker.default)
            if count > has:
                text = say("{name} has {n} {tracker}", name=own(person.name), n=has, tracker=tracker.title.lower())
                raise Conflict(text, where=person.name, hint="Ask without it.")
            after = after.with_value(tracker, has - count)
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
            for of, count in system.find_game(name).characters.shared_costs(answers).items():
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


def spent(state: TableState, message: ChangeDestiny, system: System) -> Decision | None:
    """Return a point spent while a call is open: it changes the call in the same act. ``None`` where it joins none."""
    ask = state.asked
    if message.do is not Do.SPEND or message.side is None or message.count != 1 or not ask.id or message.from_roll:
        return None
    game = system.find_game(ask.game)
    answers = game.characters.flip(ask.answers, message.side.value)
    if answers is None:
        return None
    if not game.pool_flips and state.person(ask.who) is None:
        return None
    given = {**state.setup.answers(game.name), **answers}
    who = own(ask.player) if ask.player else "the next roll"
    after = replace(ask, answers=answers, tray=game.tray(given))
    words = say("A {side} point for {who}", side=side_name(state, message.side), who=who)
    return as_call(state, words, after, system)


def taken(state: TableState, message: TakeRoll, system: System) -> Decision:
    """Take a roll as it lies: its call becomes what was thrown. What was spent on the call stays spent."""
    old = found_roll(state, message.roll_id, message.version)
    if not old.dice:
        raise Conflict("no dice lie there", where=f"roll {old.id}", hint="Throw again, or enter the roll by hand.")
    game = system.find_game(old.game)
    answers = game.characters.as_thrown(system.counted(old.throws[0]), old.ask)
    roll = scored(replace(old, ask=answers, version=old.version + 1), system, is_strict=True)
    return say("Taken as it lies: {result}", result=roll.headline), Part(roll=old), Part(roll=roll)


def spends_of(state: TableState, roll: Roll, system: System) -> list[dict[str, Any]]:
    """Return what the roll may buy, in the form of the contract: what was bought, and what is still affordable."""
    try:
        game, outcome, spends = _offered(roll, system)
    except (GameError, DiceSetError):  # no game scores it, so nothing is left over
        return []
    left = _left(state, roll, game)
    found = []
    offered = {spend.name for spend in spends}
    for spend in (*spends, *_not_again(roll, offered)):
        gives = game.characters.bought(spend, price=spend.prices[0][0], outcome=outcome, ask=roll.ask)
        found.append(
            spend.to_json()
            | {
                "affordable": spend.name in offered and any(left[of] >= count for of, count in spend.prices),
                "bought": sum(1 for bought in roll.bought if bought.name == spend.name),
                "carries": gives.carry.to_json() if gives.carry else None,
                "effects": [effect.to_json() for effect in gives.effects],
            }
        )
    return found


def _not_again(roll: Roll, offered: Container[str]) -> Iterable[Spend]:
    """Yield what the roll bought and may not buy once more, each once."""
    bought = {one.name: one for one in roll.bought if one.name not in offered}
    return (Spend(name=one.name, title=one.words, prices=((one.of, one.count),)) for one in bought.values())


def spender_of(roll: Roll, name: str, system: System) -> str:
    """Return ``"roller"`` or ``"gm"``, whose a purchase is; ``""`` where there is none of that name."""
    return next((one.by for one in _offered(roll, system)[-1] if one.name == name), "")


def bought(state: TableState, message: BuySpend, system: System) -> Decision:
    """Record what a roll buys: what it carries, moves and calls for."""
    old = found_roll(state, message.roll_id)
    game, outcome, spends = _offered(old, system)
    spend = next((one for one in spends if one.name == message.name), None)
    if spend is None:
        names = ", ".join(one.name for one in spends) or "nothing"
        fault = say("{=name} cannot be bought", name=message.name)
        raise BadChange(fault, where=f"roll {old.id}", hint=say("It may buy {=names}.", names=names))
    price = _price(state, old, game, spend, message)
    gives = game.characters.bought(spend, price=price[0], outcome=outcome, ask=old.ask)
    to = message.for_person or _receiver(old, gives.carry.to if gives.carry else "")
    if message.for_person:
        found_person(state, message.for_person)
    what = Bought(
        id=message.id, name=spend.name, of=price[0], count=price[1], by_person=message.by, to=to, follow=gives.follow,
        words=spend.title,
    )  # fmt: skip
    roll = replace(old, bought=(*old.bought, what), version=old.version + 1)
    if spend.sets:
        roll = scored(replace(roll, ask={**old.ask, **dict(spend.sets)}), system, is_strict=True)
    before, after = paid(state, system, (roll.who, roll.game, roll.ask), (old.who, old.game, old.ask))
    before, after = replace(before, roll=old), replace(after, roll=roll)
    if gives.carry and (to or gives.carry.to == "ally"):  # what is for a target that nobody named is only recorded
        one = Carried(id=message.id, to=to, source=old.id, giver=old.by, ask=gives.carry.ask, words=spend.title)
        before, after = replace(before, carried=()), replace(after, carried=(one,))
    for effect in gives.effects:
        before, after = _with_effect(state, effect, old, system, before, after)
    words = say("{who} buys: {what}", who=own(old.by) if old.by else "The roll", what=spend.title)
    return words, before, after


def _price(state: TableState, roll: Roll, game: Game, spend: Spend, message: BuySpend) -> tuple[str, int]:
    """Return what is paid: the price that was named, else the first that the roll can pay."""
    left = _left(state, roll, game)
    prices = [price for price in spend.prices if message.price is None or price[0] == message.price.of]
    if not prices:
        hint = say("It costs {price}.", price=spend.price_words())
        raise BadChange("it is not paid with that", where=spend.name, hint=hint)
    for of, count in prices:
        if left[of] >= count:
            return of, count
    raise Conflict(
        "the roll cannot pay for it any more",
        where=f"roll {roll.id}",
        hint=say("It costs {price}.", price=spend.price_words()),
    )


def _left(state: TableState, roll: Roll, game: Game) -> Counter[str]:
    """Return what a roll can still pay with: its symbols less what it bought, and the roller's own points."""
    left = Counter(dict(roll.net))
    for one in roll.bought:
        left[one.of] -= one.count
    roller = state.person(roll.who)
    for tracker in game.trackers:
        if tracker.scope == "character":
            left[tracker.name] = roller.value(tracker.name, tracker.default) if roller else tracker.highest
    return left


def _offered(roll: Roll, system: System) -> tuple[Game, Outcome, tuple[Spend, ...]]:
    """Return the game of a roll, what it means, and what it may buy."""
    game, outcome = system.find_game(roll.game), _outcome(roll, system)
    return game, outcome, game.spends(outcome, roll.ask)


def _outcome(roll: Roll, system: System) -> Outcome:
    return system.find_game(roll.game).play([system.counted(throw) for throw in roll.throws], roll.ask)


def _receiver(roll: Roll, to: str) -> str:
    """Return whom something is for where nobody says: the roller, the target, or ``""`` for the next ally."""
    return {"self": roll.who, "target": roll.against}.get(to, "")


def outcome_json(state: TableState, roll: Roll, system: System) -> dict[str, Any]:
    """Return what a roll means, with its effects on whom it was made against and how it came about."""
    target = state.person(roll.against)
    effects = [effect.to_json() | {"target": target.id if target else None} for effect in roll.effects]
    try:
        told = _outcome(roll, system).to_json(steps=True)
    except (GameError, DiceSetError):  # no game scores it
        told = {"game": roll.game, "outcome": roll.outcome, "headline": roll.headline, "sentence": roll.sentence}
    sets_pool = roll.sets_pool and roll.sets_pool.to_json()
    return {"steps": [], **told, "sets_pool": sets_pool, "effects": effects}


def applied(state: TableState, message: ApplyEffect, system: System) -> Decision | None:
    """Apply an effect of a roll to somebody. The same effect twice on one person counts once."""
    old = found_roll(state, message.roll_id)
    person = found_person(state, message.to)
    if any(one.effect == message.effect and one.to == person.id for one in old.applied):
        return None
    game = system.find_game(old.game)
    _of_game(person, game)
    characters = game.characters
    # What this one resists with, and how it is by now; what built the dice stays as it was thrown.
    resists = characters.against(Opposed(target=person), old.ask, skill="")
    kept = {name: value for name, value in resists.items() if name not in characters.pool_builders}
    effects = _outcome(replace(old, ask={**old.ask, **kept}), system).effects
    if not effects:
        fault = say("it does nothing to {=name}", name=person.name)
        raise Conflict(fault, where=f"roll {old.id}", hint="Choose somebody else.")
    if not 0 <= message.effect < len(effects):
        hint = say("It has {n}, counted from 0.", n=len(effects))
        raise BadChange(say("no effect {n}", n=message.effect), where=f"roll {old.id}", hint=hint)
    effect = effects[message.effect]
    hurt = characters.affected(person, effect)
    follows = characters.limits(hurt, before=person)
    record = Applied(effect=message.effect, to=person.id, words=effect.words, follows=follows)
    roll = replace(old, applied=(*old.applied, record), version=old.version + 1)
    before, after = parts_of({person.id: (person, hurt)})
    what = [effect.words, *(follow.words for follow in follows)]
    return (
        say("{name}: {what}", name=own(person.name), what=what),
        replace(before, roll=old),
        replace(after, roll=roll),
    )


def _with_effect(
    state: TableState, effect: Effect, roll: Roll, system: System, before: Part, after: Part
) -> tuple[Part, Part]:
    """Return the parts of a change with what a purchase does to the roller, the target or the table."""
    if effect.on == "table" and effect.tracker in tuple(Side):
        side = Side(effect.tracker)
        pool = state.destiny.with_count(side, state.destiny.count(side) + effect.change)
        pool = pool.with_count(side.other, pool.count(side.other) - effect.change)
        pool = check_pool(state, pool, most=system.most_points)
        return replace(before, destiny=state.destiny), replace(after, destiny=pool)
    if effect.on == "table":
        tracker = next(one for one in system.find_game(roll.game).trackers if one.name == effect.tracker)
        key = (roll.game, tracker.name, "")
        value = state.trackers.get(key, tracker.default)
        old = Tracked(game=roll.game, name=tracker.name, owner="", value=value)
        return replace(before, tracked=old), replace(
            after, tracked=replace(old, value=tracker.changed(value, effect.change))
        )
    person = state.person(roll.who if effect.on == "roller" else roll.against)
    if person is None:
        return before, after
    hurt = system.find_game(roll.game).characters.affected((after.people or {}).get(person.id) or person, effect)
    old_part, new_part = parts_of({person.id: (person, hurt)})
    return (
        replace(before, people={**(before.people or {}), **(old_part.people or {})}),
        replace(after, people={**(after.people or {}), **(new_part.people or {})}),
    )
