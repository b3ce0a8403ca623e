"""Characters of the game with dice codes: codes, attacks with damage of their own, wounds, stuns, hulls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import replace as changed
from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace

from tableside.errors import BadAsk, GameError
from tableside.games.d6.ask import ATTRIBUTES
from tableside.games.d6.characters import (
    PREPARE,
    PREPARED,
    PRONE,
    RISE,
    ROUND,
    D6Characters,
    code_of_skill,
    declared_actions,
)
from tableside.games.d6.outcome import plain_words
from tableside.games.d6_companion import rolls
from tableside.games.d6_companion.ask import DAMAGES, NAME, Ask
from tableside.games.d6_companion.capital import STATES, IncreaseShield, boxes, facing_steps
from tableside.games.d6_companion.charts import DESTROYED_PIPS, FACINGS, WOUNDS
from tableside.games.d6_companion.combat import SURPRISE_HASTE, Dying, Healing, Medpac, is_shot, overcome
from tableside.games.d6_companion.force import SKILLS as FORCE_SKILLS
from tableside.games.d6_companion.force import DarkSideCall, PowerAsk, learning_weeks, most_powers, training_cost
from tableside.games.d6_companion.lasts import COMMANDED, NAMES, OFFICERS, PARTS, lasting
from tableside.games.d6_companion.movement import Movement
from tableside.games.d6_companion.plan import FORM, MODIFIERS, PURPOSES, plan_of
from tableside.games.d6_companion.ships import DEAD_CONTROLS_PENALTY
from tableside.games.d6_companion.trackers import TRACKERS
from tableside.games.d6_companion.yields import NO_PAIN
from tableside.rules.acts import ENCOUNTER, Act, Done
from tableside.rules.characters import Help, Known, Opposed, is_dead, is_dying, suffered
from tableside.rules.code import Code
from tableside.rules.facts import Fact
from tableside.rules.form import Form, answers, chosen, name_of, number
from tableside.rules.form import code as dice_code
from tableside.rules.people import Care, Distance, Effect, Follow, Lasting, Person, PersonKind
from tableside.words import say

_MORTAL = WOUNDS.index("mortally_wounded")
_WOUNDED, _INCAPACITATED = WOUNDS.index("wounded"), WOUNDS.index("incapacitated")
_DESTROYED = 4
_WAKE = "Awake again"
_IMMOBILE = "Immobile: no skills of Dexterity"
_MEDPAC = Care(
    words="A medpac", ask=answers(Ask, purpose="medpac"), skills=("First aid", "Medicine"), is_by_another=True
)
_DYING = Care(words="Two dice for a life", ask=answers(Dying, purpose="dying"))
_HEALING = Care(words="Natural healing", ask=answers(Ask, purpose="healing"), skills=("Strength",), is_rest=True)
_FREE_HASTE = "free_haste"
_OF_SHIP = ("evasion", "shields", "strained", "facings_lost", "held", "rammed")
"""What a roll does to a ship whoever rolls, beside trackers of things alone."""
_WORST = ("wounds", "ship_damage", "dead_controls")
"""Trackers that keep the worse of what they are and what a hit does."""
_KNOWN_PARTS: Mapping[str, tuple[str, ...]] = {
    "strength": ("Strength",),
    "senses": ("Perception", "Hide/sneak", "Hide", "Sneak", "Search"),
    "pilot": ("Starship piloting", "Capital ship piloting", "Piloting", "Maneuver", "Evasion"),
    "engines": ("Sublight",),
    "gunner": ("Starship gunnery", "Capital ship gunnery", "Gunnery", "Fire control"),
    "shields": ("Starship shields", "Capital ship shields", "Shields"),
    "hull": ("Hull",),
}
"""The part of each skill that the game knows by its name. Whoever adds another chooses its part."""
_REACTIONS: Mapping[str, str] = {
    "Dodge": "dodge",
    "Parry": "parry",
    "Melee parry": "parry",
    "Brawling parry": "parry",
    "Evasion": "evasion",
}
"""Known reaction skills, each with what it does."""

_PARTS: Mapping[str, str] = {
    "pilot": "maneuver_damage",
    "engines": "sublight_damage",
    "gunner": "fire_control_damage",
    "shields": "shield_damage",
}
"""The tracker whose pips the rolls of each part lose."""
_ROWS: Mapping[str, str] = {
    "shield_damage": "Shields",
    "sublight_damage": "Sublight",
    "maneuver_damage": "Maneuver",
    "fire_control_damage": "Fire control",
}
"""The code that a tracker of pips uses up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionCharacters(D6Characters):
    """The characters of the game with dice codes."""

    def is_thrown(self, given: Ask) -> bool:
        purpose = given.purpose
        return purpose not in DAMAGES and not PURPOSES[purpose].is_free and PURPOSES[purpose].code is None

    def reacts(self, given: Ask, *, skill: str) -> str:
        """Return the kind that a roll is; where it meets a reaction, the answers tell that of the target (reaction)."""
        own = _REACTIONS.get(skill, "") if given.reaction else given.reaction_skill
        return own or ("evasion" if given.purpose == "evasion" else "")

    def met_by(self, given: Ask) -> tuple[str, ...]:
        """Return what meets an attack: no dodge meets a melee weapon, no parry what is shot (reaction)."""
        if given.purpose != "check":
            return ()
        return ("parry",) if given.attack == "melee_weapon" else ("dodge", "evasion")

    dying: ClassVar[tuple[str, ...]] = ("mortal_rounds", "sustained")

    def cares(self, person: Person) -> tuple[Care, ...]:
        """Return medpacs, healing and what becomes of the dying (medpac_difficulty, mortal_check, stun_track)."""
        found = []
        if person.kind in (PersonKind.GROUP, PersonKind.THING) or is_dead(self, person):
            return ()
        if person.value("wounds"):
            found += [
                _MEDPAC,
                *([_DYING] if is_dying(self, person) and not person.value("sustained") else ()),
                _HEALING,
            ]
        if person.value("unconscious"):
            found.append(Care(words=_WAKE, act="wake"))
        return (*found, *self.rising(person))

    def is_of_thing(self, effect: Effect) -> bool:
        """Tell whether it is of the ship: evasions and shields are, and so are the facings and a beam that holds."""
        lasts = effect.lasts.key if effect.lasts else effect.tracker
        return lasts in _OF_SHIP or D6Characters.is_of_thing(self, effect)

    def kept_from(self, person: Person, given: Ask, *, skill: str) -> str:
        """Return why somebody cannot make this roll: the immobile use what is known to be no skill of Dexterity."""
        if _stays_awake(given) and (person.value("awake") or person.value("awake_before")):
            return "Not twice in a row"
        why = D6Characters.kept_from(self, person, given, skill=skill)
        known = given.attribute or next((name for name in ATTRIBUTES if name.casefold() == skill.casefold()), "")
        is_other = known not in ("", "Dexterity") or (not known and given.part in ("strength", "senses"))
        return "" if why == _IMMOBILE and is_other else why

    def is_for_fallen(self, given: Ask, *, skill: str) -> bool:
        """Tell whether it is a roll against damage, or one for what becomes of somebody."""
        purpose = given.purpose
        is_thrown = self.is_thrown(given) and purpose not in ("hull", "healing") and not _stays_awake(given)
        return not is_thrown or self._resists(skill)

    def rank(self, person: Person, thrown: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Return Dexterity, the average of who has none, and the haste that was declared (combat_sequence)."""
        code = code_of_skill(person, "Dexterity") or Code(dice=2)
        return code.dice, code.pips, person.declared(name_of(Ask.haste), 0), *(thrown or ())[3:]

    def condition_answers(self, actor: Person, given: Ask, *, skill: str, target: Person | None) -> Mapping[str, Any]:
        """Return what costs dice or pips, and what a round or a ship brings to a roll.

        Stuns leave Strength alone, ionization and the ship's damage leave the hull alone (stun_track,
        starship_damage, capital_state).

        :raises BadAsk: for a ship without controls.
        """
        match given.purpose:
            case "dying":
                return answers(Dying, rounds=max(actor.value("mortal_rounds"), 1))
            case "consumed":
                return answers(Ask, dark_points=actor.value("dark_side_points"))
            case "dark_side_call":
                return answers(DarkSideCall, dark_calls=actor.value("dark_side_calls"))
        part = given.part or PURPOSES[given.purpose].part
        if given.uncertainty and (actor.fights_with(skill) or self.reacts(given, skill=skill)):
            raise BadAsk("no uncertainty dice for combat skills", where=actor.name, hint="Ask without them.")
        if actor.value("dead_controls") and part != "hull":
            raise BadAsk("the controls are dead", where=actor.name, hint="No action until the next round.")
        found = dict(D6Characters.condition_answers(self, actor, given, skill=skill, target=target)) | answers(
            Ask,
            stuns=0 if part == "strength" else actor.value("stuns") + actor.value("stuns_before"),
            ionized=0 if part == "hull" else actor.value("ionized") + actor.value("ionized_before"),
            ship_damage=0 if part == "hull" else actor.value("capital_damage"),
            dimmed=actor.value("dimmed") if part == "senses" else 0,
        )
        if part in ("gunner", "shields") and actor.has_state("evasion"):
            found |= answers(Ask, aboard=part)
        if hurt := _PARTS.get(part):
            found |= answers(Ask, pips=-actor.value(hurt))
        if isinstance(given, Movement):
            found |= _moving(actor, given)
        if isinstance(given, PowerAsk):
            found |= _power_facts(actor)
        if isinstance(given, IncreaseShield):
            found |= answers(IncreaseShield, facings_lost=actor.value("facings_lost"))
        if given.purpose == "healing":
            found |= answers(Healing, accelerated=bool(actor.value("accelerated")))
        return {name: value for name, value in found.items() if value}

    def lasting(self, person: Person) -> tuple[Lasting, ...]:
        """Return what lasts, with free haste, whose levels are actions (surprise)."""
        free = person.value(_FREE_HASTE)
        more = (Lasting(name="Free haste", id=_FREE_HASTE, until="round", ask=answers(Ask, free_haste=free)),)
        return D6Characters.lasting(self, person) + (more if free else ())

    def joins(self, state: Lasting, given: Ask, *, skill: str) -> bool:
        """Tell whether it joins: what is of a part joins its rolls, and what withstands damage is no hasty action."""
        part = given.part or PURPOSES[given.purpose].part
        is_hasty = state.id in ("haste", "reaction_haste", _FREE_HASTE)
        is_of_it = part in PARTS.get(state.id, (part,)) and not (is_hasty and self._resists(skill))
        return is_of_it and D6Characters.joins(self, state, given, skill=skill)

    def opponent_answers(self, opposed: Opposed, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the target's defences, and its last total: what damage has to beat, or a reaction to an attack."""
        target = opposed.target
        total = opposed.total.get("total", 0) if opposed.total is not None else None
        is_damage = given.purpose in DAMAGES
        if PURPOSES[given.purpose].is_free and not is_damage:
            return {}
        if isinstance(given, Medpac):
            return _patient(target) if target else {}
        if isinstance(given, PowerAsk):
            return _guard_facts(opposed)
        defences = dict(target.defences) if target else {}
        # What is hard to hit is not for that harder to persuade or to hurt.
        found = {name: value for name, value in defences.items() if name == name_of(Ask.target_scale)}
        if is_damage:
            if target and target.kind is PersonKind.THING and given.purpose == "damage":
                found |= answers(Ask, purpose="ship_damage")  # it has a hull, and no wounds (starship_damage)
            if total is None and given.against is None:
                scale = FORM.build(found).target_scale
                charted = answers(Ask, chart="damage", scale=scale, target_scale=given.scale)
                total = self.resistance_left(target, charted)
            return found | ({} if total is None else answers(Ask, against=total))
        is_attack = given.purpose == "check" and (opposed.is_attack or is_shot(given))
        if is_attack:
            found = defences
        if total is None:
            return found
        own = FORM.build(found)
        if not any((one.difficulty is not None or one.band or one.about or one.mounted) for one in (given, own)):
            return found | answers(Ask, difficulty=total)
        reacted = FORM.build(opposed.ask)
        kind = given.reaction or ("full" if reacted.full_reaction else "combat")
        found |= answers(Ask, reaction=kind, reaction_total=total)
        return found | (answers(Ask, reaction_skill=reacted.reaction_skill) if reacted.reaction_skill else {})

    def distance(self, given: Ask, *, skill: str, is_attack: bool) -> Distance:
        if given.purpose != "check" or not (is_attack or is_shot(given)):
            return ""
        return "near" if given.attack == "melee_weapon" or self.is_melee(skill) else "afar"

    def helper_answers(self, actor: Person, helped: Help, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the pips of a combined action: one for each whole die of the supporters (combined_action).

        Where time is short, no more may combine than the highest of their codes has dice (combined_limit, I6, I7).
        """
        if self.reacts(given, skill=skill) or not rolls.may_combine(re.sub(r"\W+", "_", skill.casefold())):
            fault = say("{=skill} cannot be combined", skill=skill)
            raise GameError(fault, where=f"game {self.game}", hint="Let each of them roll.")
        is_fire = actor.fights_with(skill) or is_shot(given)
        # Whoever only coordinates gives no pips; a commander who fires, too, has an action less (combined_limit).
        commanders = (helped.leader,) if helped.leader else (actor, *helped.helpers)
        others = [person for person in helped.helpers if helped.leader is None or person.id != helped.leader.id]
        firing = [person for person in others if not is_fire or person.find_skill(skill)]
        armed = {person.id for person in (actor, *firing)}
        leads = [self._command_left(person, is_firing=person.id in armed) for person in commanders]
        codes = [self._code_left(person, skill) for person in (actor, *firing)]
        limit = rolls.combine_limit(codes, ample_time=not helped.is_urgent)
        if is_fire and any(leads):
            limit = max(lead for lead in leads if lead is not None)
        if given.troopers:
            limit = None
        # Who has declared more actions than the lead has fewer dice to give.
        more = (max(declared_actions(one) - given.actions, 0) for one in firing)
        lent = [code.plus(-dice) for code, dice in zip(codes[1:], more, strict=True)]
        bonus, _ = rolls.combined(codes[0], lent, actions=given.actions, limit=limit)
        return answers(Ask, pips=bonus)

    def _command_left(self, person: Person, *, is_firing: bool) -> int | None:
        """Return the dice of command that somebody coordinates fire with, ``None`` for one who has none."""
        if code_of_skill(person, "Command") is None:
            return None
        return max(self._code_left(person, "Command").dice - max(is_firing, declared_actions(person) - 1), 0)

    def _code_left(self, person: Person, skill: str) -> Code:
        """Return the code of a skill after what its owner suffers from, of which no die may be left."""
        rated = self.skill_answers(person, person.skill(skill))
        given = self.form.joined(rated, suffered(self, person, FORM.build(rated), skill=skill)[0])
        try:
            return plan_of(FORM.build(given)).code or Code()
        except GameError:
            return Code()

    def apply_effect(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect. A wound on a wound incapacitates; else the worse of both stays.

        What the row of the shields no longer holds goes to the ship (capital_shields).
        """
        now = person.value(effect.tracker)
        if effect.tracker == "shield_damage" and (row := _boxes("Shields")(person)) is not None:
            rest = max(effect.change - max(row - now, 0), 0)
            also = (*effect.also, Effect(tracker="capital_damage", change=rest)) if rest else effect.also
            effect = replace(effect, change=effect.change - rest, also=also)
        if effect.tracker in _WORST and effect.set is not None:
            again = effect.tracker == "wounds" and now == effect.set == _WOUNDED
            effect = replace(effect, set=_INCAPACITATED if again else max(now, effect.set))
            person = person.without_state(NO_PAIN.name) if effect.tracker == "wounds" else person
        return D6Characters.apply_effect(self, person, effect)

    def is_overcome(self, person: Person) -> bool:
        """Tell whether the stuns of this round and the last reach the dice of stamina (stun_track)."""
        stamina = code_of_skill(person, "stamina") or code_of_skill(person, "Strength")
        both = person.value("stuns") + person.value("stuns_before")
        return stamina is not None and both > 0 and overcome(stamina, both)

    def _done(self, act: Act, person: Person, given: Any, *, skill: str, before: Person) -> Done:
        """Return what an act without dice does."""
        match act.name:
            case "train":
                return self._train_force(person, given, skill)
            case "learn":
                points = given.points
                words = say("A new Force skill in {n} {n:week|weeks}, with three powers", n=learning_weeks(points))
                return Done(person=self._paid(person, points), words=words)
            case "atone":
                if person.value("atoned") or not person.value("dark_side_points"):
                    hint = "One Dark Side Point goes in an adventure, for a Force Point that was spent."
                    raise BadAsk("nothing can be atoned", where=person.name, hint=hint)
                if not person.value("force_points"):
                    raise BadAsk("there is no Force Point to atone with", where=person.name, hint="Gain one first.")
                left = self._set(person, "dark_side_points", person.value("dark_side_points") - 1)
                left = self._set(left, "force_points", left.value("force_points") - 1)
                return Done(person=self._set(left, "atoned", 1), words=act.title)
            case "adventure" if before.value("atoned"):
                back = self._set(person, "force_points", person.value("force_points") + 1)
                return Done(person=back, words="The Force Point of the atonement comes back")
            case "command":
                return self._give_orders(person, given)
            case "turn":
                return self._turn_ship(person, given.facing)
            case "day":
                return Done(person=self._set(person, "will_lost", person.value("will_lost") - 1))
            case "round":
                return self._round(person, before)
            case "declare":
                haste, reaction = given.haste, given.reaction_haste
                if reaction and reaction < haste:
                    hint = "In the second segment haste may only be raised."
                    raise BadAsk("the reactions are slower than the actions", where=person.name, hint=hint)
                for name, number in (("haste", haste), ("reaction_haste", max(haste, reaction))):
                    person = person.with_state(lasting(name, number)) if number else person.without_state(name)
                words = say("{n} {n:level|levels} of haste, {reaction} for reactions", n=haste,
                            reaction=max(haste, reaction))  # fmt: skip
                return Done(person=person, words=words)
            case "drop":
                return Done(person=person.with_state(lasting("prone")), words=act.title)
            case RISE.name if person.has_state(PRONE.name):
                up = person.without_state(PRONE.name).acted()  # what is done besides is another action (multi_action)
                return Done(person=self.declare(up, answers(Ask, actions=max(declared_actions(up), up.done + 1))),
                            words=act.title)  # fmt: skip
        return Done(person=person, words="" if act.is_for_all else act.title)

    def _give_orders(self, person: Person, given: Orders) -> Done:
        """Return a ship whose commander has given orders: each costs a die of command (command_allocation).

        :raises BadAsk: for more orders than command has dice.
        """
        command = code_of_skill(person, "Command") or Code()
        officers = given.officers
        bonuses = {"pilot": given.bonus_pilot, "gunner": given.bonus_gunner, "shields": given.bonus_shields}
        orders = len(officers) + given.haste_orders + given.coordinations + sum(bonuses.values())
        if orders > command.dice:
            fault = say("{n} orders, and command is {code}", n=orders, code=str(command))
            raise BadAsk(fault, where=person.name, hint="Each costs a die: give fewer.")
        for officer in OFFICERS:
            number = COMMANDED + bonuses[officer] if officer in officers else 1
            person = person.with_state(lasting(f"{officer}_orders", number))
        return Done(person=person, words=say("{n}D of command left", n=command.dice - orders))

    def _turn_ship(self, person: Person, facing: int) -> Done:
        """Return a ship that turns another facing to its one opponent.

        :raises BadAsk: where too few speed actions are in reserve.
        """
        steps, reserved = facing_steps(person.value("facing"), facing), person.value("reserved")
        if steps > reserved:
            fault = say("{n} steps, and {reserved} in reserve", n=steps, reserved=reserved)
            raise BadAsk(fault, where=person.name, hint="A maneuver reserves speed actions.")
        person = self._set(self._set(person, "facing", facing), "reserved", reserved - steps)
        return Done(person=person, words=say("Facing {n}", n=facing))

    def _paid(self, person: Person, points: int) -> Person:
        """Return somebody with so many skill points less.

        :raises BadAsk: for one who has not so many.
        """
        has = person.value("character_points")
        if points > has:
            fault = say("it costs {n}, and there {has:is|are} {has}", n=points, has=has)
            raise BadAsk(fault, where=person.name, hint="Play on until there are more.")
        return self._set(person, "character_points", has - points)

    def _train_force(self, person: Person, given: Training, skill: str) -> Done:
        """Return somebody with a pip more of a Force skill, which cost skill points (force_training)."""
        old = person.skill(skill)
        code = FORM.build(old.ask).code or Code()
        points = training_cost(code, given.teacher)
        better = rolls.improved(code, Code(pips=1))
        new = replace(old, ask={**old.ask, **answers(Ask, code=better)})
        skills = tuple(new if one is old else one for one in person.skills)
        pattern = "{=skill} {code} for {n} skill points; {most} powers may be known"
        words = say(pattern, skill=old.name, code=str(better), n=points, most=most_powers(better))
        return Done(person=replace(self._paid(person, points), skills=skills), words=words)

    def _round(self, person: Person, before: Person) -> Done:
        """Return somebody with a new round, as what is dead or dies changes by it."""
        words = ""
        if before.value("dead_controls"):
            person = self._set(self._set(person, "dead_controls", 0), "ionized_before", DEAD_CONTROLS_PENALTY)
            words = say("Controls again, ionized by {n}D", n=DEAD_CONTROLS_PENALTY)
        if person.value("wounds") == _MORTAL and not person.value("sustained"):
            person = self._set(person, "mortal_rounds", person.value("mortal_rounds") + 1)
        return Done(person=person, words=words)

    def _set(self, person: Person, tracker: str, value: int) -> Person:
        return person.with_value(self.tracker(tracker), value)


def _stays_awake(given: Ask) -> bool:
    return isinstance(given, PowerAsk) and given.power == "remain conscious"


def _power_facts(actor: Person) -> dict[str, Any]:
    """Return what a power knows of who uses it."""
    return answers(
        PowerAsk,
        dark_points=actor.value("dark_side_points"),
        force_bonus=actor.value("force_bonus"),
        will_lost=actor.value("will_lost"),
    ) | {skill: str(code) for skill in FORCE_SKILLS if (code := code_of_skill(actor, skill)) is not None}


def _moving(actor: Person, given: Movement) -> dict[str, Any]:
    """Return what a movement roll knows of who moves."""
    rammed = actor.value("rammed")
    found = answers(
        Movement,
        control_lost="lost" if actor.value("control") else "",
        rammed="" if not rammed else "once" if rammed == 1 else "twice",
    )
    dexterity = code_of_skill(actor, "Dexterity")
    if given.add is None and dexterity is not None and actor.kind is not PersonKind.THING:
        found |= answers(Movement, base_speed=dexterity)
    return found


def _dexterity_dice(person: Person) -> int | None:
    """Return how many stuns make somebody immobile (stun_track)."""
    dexterity = code_of_skill(person, "Dexterity")
    return None if dexterity is None else dexterity.dice


def _boxes(row: str) -> Callable[[Person], int | None]:
    """Return what tells how many pips use up the code of a ship's part."""
    return lambda person: None if (code := code_of_skill(person, row)) is None else boxes(code)


def _life_throw(person: Person) -> Follow:
    rounds = person.value("mortal_rounds")
    return Follow(words="Two dice for a life", ask=answers(Dying, purpose="dying", rounds=rounds))


def _dark_throw(person: Person) -> Follow:
    dark = person.value("dark_side_points")
    return Follow(words="One die: lost to the Dark Side?", ask=answers(Ask, purpose="consumed", dark_points=dark))


def _guard_facts(opposed: Opposed) -> dict[str, Any]:
    """Return what hinders a power that is used on somebody."""
    found = {} if opposed.total is None else answers(PowerAsk, resist=opposed.total.get("total", 0))
    if (target := opposed.target) and not opposed.is_self:
        guards = answers(PowerAsk, target_emptiness=target.value("emptiness"), target_will=target.value("will"))
        found |= {name: value for name, value in guards.items() if value}
    return found


def _patient(target: Person) -> dict[str, Any]:
    """Return what a medpac is told of the one whom it is for."""
    state = WOUNDS[target.value("wounds")]
    found = answers(Medpac, medpacs=target.value("medpacs"), accelerated=bool(target.value("accelerated")))
    if state in rolls.MEDPAC_BANDS:
        found |= answers(Medpac, patient=state)
    return found


def _skill_facts(skill: str) -> dict[str, Any]:
    """Return what the game knows of a skill by its name."""
    part = next((part for part, names in _KNOWN_PARTS.items() if skill in names), "")
    kind = _REACTIONS.get(skill, "")
    melee = answers(Ask, attack="melee_weapon") if skill in D6Characters.melee else {}
    return melee | (answers(Ask, reaction_skill=kind) if kind else {}) | (answers(Ask, part=part) if part else {})


class Haste(Form):
    """How fast somebody acts and reacts."""

    haste: int = number("Haste of actions", "haste", most=20)
    reaction_haste: int = number("Haste of reactions", "haste", most=20)


class Orders(Form):
    """What the commander of a ship orders."""

    officers: tuple[str, ...] = chosen(
        "Officers who are commanded",
        {"pilot": "The pilot", "gunner": "The chief gunner", "shields": "The chief of shields"},
        "command_allocation",
    )
    haste_orders: int = number("Further haste orders", "command_allocation", most=20)
    coordinations: int = number("Ships to coordinate with", "capital_attack", most=20)
    bonus_pilot: int = number("Bonus of the pilot", "command_allocation", most=20)
    bonus_gunner: int = number("Bonus of the gunner", "command_allocation", most=20)
    bonus_shields: int = number("Bonus of the shields", "command_allocation", most=20)


class Facing(Form):
    """The facing that a ship turns to its enemy."""

    facing: int = number("Facing, 0 to 5", "facing", most=FACINGS - 1)


class Training(Form):
    """Who trains somebody."""

    teacher: Code | None = dice_code("The teacher's code", "force_training")


class Learning(Form):
    """What is spent on a new skill."""

    points: int = number("Skill points spent", "force_training")


ACTS = (
    ROUND,
    changed(PREPARE, source="preparation", prepares=replace(PREPARED, until="round", is_later=True)),
    Act(
        name="declare",
        title="Declare haste",
        source="haste",
        help="Each level is an action. Haste of reactions may be higher than that of actions.",
        asks=Haste,
        is_deed=True,
    ),
    Act(
        name="surprise",
        title="Surprise the enemy: 2 free haste",
        is_deed=True,
        sets=((_FREE_HASTE, SURPRISE_HASTE),),
        source="surprise",
    ),
    Act(name="drop", title="Drop prone", help="It is free.", source="stance"),
    RISE,
    Act(
        name="command",
        title="Give orders",
        kinds=(PersonKind.THING,),
        source="command_allocation",
        help="Each officer, further haste order, ship to coordinate with and bonus costs a die of command.",
        asks=Orders,
        is_deed=True,
    ),
    Act(
        name="turn",
        title="Turn a facing to the enemy",
        kinds=(PersonKind.THING,),
        source="facing",
        help="Each speed action in reserve is a step; the opposite facing is two steps away.",
        asks=Facing,
        is_deed=True,
    ),
    ENCOUNTER,
    Act(name="day", title="A day passes", is_for_all=True, resets=("day",), source="medpac_difficulty"),
    Act(name="adventure", title="The adventure ends", is_for_all=True, resets=("adventure",), source="dark_side_call"),
    Act(
        name="atone",
        title="Atone",
        source="atonement",
        help="A Force Point is spent, and a Dark Side Point goes, once an adventure; the point comes back as it ends.",
    ),
    Act(
        name="train",
        title="Train a Force skill by a pip",
        is_with_skill=True,
        asks=Training,
        help="It costs the dice of its code in skill points, twice that without a better teacher.",
        source="force_training, power_total",
    ),
    Act(
        name="learn",
        title="Learn a new Force skill",
        asks=Learning,
        help="Ten weeks, a week less for each skill point.",
        source="force_training",
    ),
    Act(name="wake", title=_WAKE, is_for_living=True, resets=("waking up",), source="stun_track"),
)

_USES = {
    "Strength": ("resists",),
    "Hull": ("ship_resists",),
    **dict.fromkeys(_REACTIONS, ("reaction",)),
}
FACTS = (
    Fact(tracker="wounds", at=_INCAPACITATED, out="Incapacitated", unless="awake"),
    *(
        Fact(
            tracker="wounds",
            at=_MORTAL,
            out=out,
            unless=unless,
            follow=Follow(words="Mortally wounded: two dice each round", ask=answers(Dying, purpose="dying", rounds=1)),
            is_dying=True,
        )
        for out, unless in (("", ""), ("Mortally wounded", "awake"))
    ),
    Fact(tracker="wounds", at=_MORTAL + 1, out="Dead", is_dead=True),
    Fact(tracker="mortal_rounds", at=1, again=True, follow=_life_throw),
    Fact(tracker="ship_damage", at=_DESTROYED, out="Destroyed"),
    *(
        Fact(
            tracker="capital_damage",
            at=least,
            out="Destroyed" if least == DESTROYED_PIPS else "",
            follow=Follow(words=say("{^result}", result=plain_words(state))),
        )
        for least, state in STATES
    ),
    Fact(tracker="unconscious", at=1, out="Unconscious"),
    Fact(tracker="stuns", at=_dexterity_dice, out=_IMMOBILE, unless="unconscious"),
    Fact(tracker="stuns_before", at=_dexterity_dice, out=_IMMOBILE, unless="unconscious", is_told=False),
    *(
        Fact(
            tracker=tracker, at=_boxes(part), follow=Follow(words=say("Nothing is left of: {part}", part=part.lower()))
        )
        for tracker, part in _ROWS.items()
    ),
    Fact(tracker="dark_side_points", at=1, again=True, follow=_dark_throw),
)
"""Wounds, stuns and what is left of ships (wound_state, mortal_check, stun_track, capital_state, dark_side_consume)."""
CHARACTERS = CompanionCharacters(
    game=NAME,
    form=FORM,
    plan=plan_of,
    trackers=TRACKERS,
    skills=tuple(
        Known(name=name, gives=_skill_facts(name), uses=_USES.get(name, ()))
        for name in dict.fromkeys((*ATTRIBUTES, *_REACTIONS, *D6Characters.melee, *sum(_KNOWN_PARTS.values(), ())))
    ),
    modifiers=MODIFIERS,
    facts=FACTS,
    acts=ACTS,
    older={name: partial(lasting, name) for name in NAMES},
)
