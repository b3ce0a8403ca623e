"""The heroic fantasy game on the narrative dice (S004): conditions, defences, damage against a threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as dataclass_replace
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.heroic import combat, hurt
from tableside.games.heroic.ask import FORM, NAME, TRACKERS, Ask, Attack, plan_of
from tableside.games.heroic.characters import CHARACTERS, SECOND
from tableside.games.heroic.sources import heroic_step
from tableside.games.narrative.checks import merit_of
from tableside.games.narrative.combat import who_spends
from tableside.games.narrative.game import (
    initiative_outcome,
    net_outcome,
    pool_prospect,
    pool_throw,
    rolled_symbols,
    symbols_worth,
    take_pool,
)
from tableside.games.narrative.odds import added_cell, odds_of
from tableside.games.narrative.options import BY_NAME
from tableside.games.narrative.pool import UPGRADED
from tableside.rules.attack import Attack as AttackOdds
from tableside.rules.form import answers, names_of
from tableside.rules.game import Game, Outcome, PoolNames, Prospect, Spend
from tableside.rules.people import NOTHING, ROLLER, Effect, Gives, Lasting
from tableside.rules.throws import Hand, Throw, split_throw
from tableside.words import say, sentences

_ASIDE = "To the opportunities"


class HeroicGame(Game[Ask]):
    """The heroic game."""

    name = NAME
    title = "Heroic fantasy"
    dice_sets = ("narrative",)
    form = FORM
    trackers = TRACKERS
    turn_order = dataclass_replace(combat.TURNS, called=names_of(Ask.purpose, Ask.ability, Ask.difficulty))
    _characters = CHARACTERS
    pool_names = PoolNames(pool="Story points", light="Players", dark="Game master")
    pool_flips = True
    upgrades = UPGRADED

    def worth(self, die: Die) -> Mapping[str, int]:
        return symbols_worth(die)

    def merit(self, net: Mapping[str, int]) -> tuple[int, ...] | None:
        return merit_of(net)

    def ease(self, ask: Mapping[str, Any]) -> tuple[Fraction, ...]:
        """Return the chance of success; of equal ones more challenge dice are harder (A14)."""
        wanted = self.tray(ask)
        return (*super().ease(ask), Fraction(-dict(wanted.dice).get("challenge", 0) if wanted else 0))

    def _tray(self, given: Ask) -> Throw | None:
        wanted = pool_throw(plan_of(given).pool)
        if wanted is None:
            return None
        outcome = replace(wanted, sentence=sentences(wanted.sentence, *_hints(given)))
        return split_throw(outcome, given.owned)[0]

    def _play(self, throws: Sequence[Sequence[Die]], given: Ask) -> Outcome:
        plan, hand = plan_of(given), Hand(throws)
        thrown = take_pool(hand, plan.pool, given.owned)
        outcome = net_outcome(self.name, hand, thrown, rolled_symbols(thrown, game=self.name), plan)
        hand.check_rest(self.name)
        if outcome.succeeded is None:
            return outcome
        if isinstance(given, Attack):
            return _attack(outcome, given)
        match given.purpose:
            case "initiative":
                return initiative_outcome(outcome)
            case "save":
                return _save(outcome)
        return outcome

    def _spends(self, outcome: Outcome, given: Ask) -> tuple[Spend, ...]:
        """Return what symbols buy: what is of a turn only in a fight. Threats and despairs are the master's."""
        if outcome.succeeded is None:
            return ()
        in_fight = given.in_fight or isinstance(given, Attack)
        sets = tuple(answers(Ask, maneuvers=combat.MANEUVERS_A_TURN).items())  # a third is never made
        of_turn = in_fight and given.maneuvers < combat.MANEUVERS_A_TURN
        second = Gives(effects=(Effect(tracker="maneuvers", change=1, words=SECOND.name, on=ROLLER),), lasts=SECOND)
        boost = Gives(lasts=Lasting(name="", until="evening", is_once=True, ask=answers(Ask, boosts=(1,))), on="ally")
        aside = Gives(effects=(Effect(tracker="opportunity", change=1, words="Opportunity pool +1", on="table"),))
        rows = (
            (of_turn, "advantage", "second_maneuver", "A second maneuver", "", "H12, S004", second, sets),
            (True, "advantage", *_of_narrative("boost_next_ally"), "H02, S004", boost, ()),
            (in_fight, "advantage", "opportunity", "Set aside in the opportunity pool", _ASIDE, "A11", aside, ()),
            (True, "triumph", *_of_narrative("stronger_effect"), "M04, S000", NOTHING, ()),
            (True, "threat", "trouble", "Trouble that the game master chooses", "Trouble", "M04, S000", NOTHING, ()),
            (True, "despair", *_of_narrative("stronger_trouble"), "M04, S000", NOTHING, ()),
        )
        net = dict(outcome.net)
        return tuple(
            Spend(
                name=name,
                title=title,
                short=short,
                prices=((of, 1),),
                by=who_spends(of),
                sets=more,
                gives=gives,
                source=source,
            )
            for is_offered, of, name, title, short, source, gives, more in rows
            if is_offered and net[of]
        )

    def _odds(self, given: Ask) -> Prospect:
        plan = plan_of(given)
        if plan.pool is None:
            hint = "Ask for dice, such as dice=1a2p2d, or for ability and skill."
            raise BadAsk("no pool was given", where=f"game {self.name}", hint=hint)
        return pool_prospect(plan.pool, added_cell(plan.added), ())

    def _attack_odds(self, given: Ask, damage: Ask, resists: Ask) -> AttackOdds | None:
        """Return what the attack does to the target, by its condition where its threshold is known, else by damage."""
        plan = plan_of(given)
        if plan.pool is None or not isinstance(given, Attack) or not _damage(1, given):
            return None
        odds = odds_of(plan.pool.counts(), added_cell(plan.added)).successes()
        if not given.threshold:
            return AttackOdds.of_damage((_damage(net, given), chance) for net, chance in odds.items())
        chances: dict[hurt.Health, Fraction] = {}
        before = _target(given)
        for net, chance in odds.items():
            if dealt := _damage(net, given):
                after = before.hit(*_felt(dealt, given.threshold, given), stamina_each_step=given.stamina_each_step)
                chances[after] = chances.get(after, Fraction(0)) + chance
        hits, harmless = sum(chances.values(), Fraction(0)), chances.pop(before, Fraction(0))
        harms = ((say("{^health}", health=health_words(after)), chance) for after, chance in chances.items())
        return AttackOdds.of(miss=1 - hits, harmless=harmless, harms=harms)


def _of_narrative(name: str) -> tuple[str, str, str]:
    one = BY_NAME[name]
    return one.name, one.title, one.short


def _hints(given: Ask) -> Iterator[str]:
    """Yield what to remember before it is thrown (H07, H19)."""
    if given.condition == "helpless" and given.purpose != "save":
        yield "The helpless take no actions."
    if combat.PROVOKING.get(given.reach):
        yield "It provokes those who stand near."
    if burst := given.burst:
        yield say("It fills {n} by {n} squares.", n=combat.burst_side(burst))
    if blast := given.blast:
        yield say("It fills {n} by {n} squares.", n=blast)


def _save(outcome: Outcome) -> Outcome:
    ends = hurt.saved(dict(outcome.net)["success"])
    words = "Saved: the effect ends." if ends else "Not saved: the effect goes on."
    return replace(
        outcome,
        headline="Saved" if ends else "Not saved",
        sentence=sentences(words, outcome.sentence),
        steps=(*outcome.steps, heroic_step(words, "H09")),
    )


def _attack(outcome: Outcome, given: Attack) -> Outcome:
    """Return the outcome with the damage, and with what it does to the target where its threshold is known."""
    net_success = dict(outcome.net)["success"]
    if not net_success:
        return replace(outcome, headline="Miss", sentence=sentences("Miss.", outcome.sentence))
    if given.power in combat.HOLDS:
        how = combat.HOLDS[given.power]
        text = say("The target is {health}.", health=how)
        effect = Effect(
            tracker="held", set=1 + tuple(combat.HOLDS).index(given.power), words=say("{^health}", health=how)
        )
        return replace(outcome, headline="Hit", sentence=sentences("Hit.", text, outcome.sentence), effects=(effect,))
    damage = _damage(net_success, given)
    if not damage:
        return replace(outcome, headline="Hit", sentence=sentences("Hit.", outcome.sentence))
    text = say(
        "Weapon {weapon}, ability {ability} and {more} for the successes: {damage}.",
        weapon=given.weapon,
        ability=given.damage_ability,
        more=net_success,
        damage=damage,
    )
    steps, words = [heroic_step(text, "H20")], ""
    effects: tuple[Effect, ...] = ()
    if given.threshold:
        before = _target(given)
        felt, held = _felt(damage, given.threshold, given)
        after = before.hit(felt, held, stamina_each_step=given.stamina_each_step)
        words = "The target feels nothing."
        if after != before:
            words = say("The target is {health}.", health=health_words(after))
            effects = (_hurt(after),)
        text = say("{felt} damage against a threshold of {held}.", felt=felt, held=held)
        steps.append(heroic_step(sentences(text, words), "H05"))
    return replace(
        outcome,
        headline=say("Hit for {n}", n=damage),
        sentence=sentences(say("Hit for {n}.", n=damage), words, outcome.sentence),
        steps=(*outcome.steps, *steps),
        effects=effects,
    )


def _damage(net_success: int, given: Attack) -> int | None:
    """Return the damage of an attack, ``None`` for a miss and where its power is not known or does none."""
    if not given.power:
        return None
    return combat.power_damage(given.power, ability=given.damage_ability, net_success=net_success, weapon=given.weapon)


def _target(given: Attack) -> hurt.Health:
    """Return the target's health before the attack."""
    return hurt.Health(
        condition=given.target_condition,
        staggered=given.target_staggered,
        unconscious=given.target_unconscious,
        stamina=given.target_stamina,
    )


def _felt(damage: int, threshold: int, given: Attack) -> tuple[int, int]:
    """Return the damage that is felt, and the threshold that it is felt against."""
    types = hurt.types_of(("weapon",) if given.power in combat.WEAPON_POWERS else (), given.damage_types)
    felt = hurt.felt_damage(damage + given.vulnerability, given.vulnerabilities, types)
    return felt, hurt.soaked_threshold(threshold + given.soak, given.soaks, types)


def _hurt(after: hurt.Health) -> Effect:
    """Return what a hit sets on the trackers of its target."""
    others = {
        "staggered": after.is_staggered,
        "unconscious": after.unconscious,
        "stamina": after.stamina,
    }
    also = tuple(Effect(tracker=name, set=int(value)) for name, value in others.items())
    return Effect(
        tracker="condition",
        set=hurt.row(after.condition),
        words=say("{^health}", health=health_words(after)),
        also=also,
    )


def health_words(health: hurt.Health) -> str:
    """Return ``"winded and staggered"``."""
    if health.dead:
        return "dead"
    if health.unconscious:
        return say("unconscious with {n} stamina", n=health.stamina)
    is_staggered = health.is_staggered and health.condition != "helpless"
    return say("{condition} and staggered", condition=health.condition) if is_staggered else health.condition


GAME = HeroicGame()
