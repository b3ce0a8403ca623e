"""Characters of the game with dice codes: codes, attacks with damage of their own, wounds, stuns, hulls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import Any, ClassVar

from msgspec.structs import replace

from tableside.errors import BadAsk, GameError
from tableside.games.d6.ask import ATTRIBUTES
from tableside.games.d6.characters import POINTS, PREPARE, ROUND, D6Characters, code_of_skill
from tableside.games.d6.outcome import plain_words
from tableside.games.d6_companion.ask import DAMAGES, FORM, NAME, PURPOSES, TRACKERS, plan_of
from tableside.games.d6_companion.capital import FACINGS, UNCOMMANDED_PENALTY, boxes, facing_steps, ship_state
from tableside.games.d6_companion.combat import SURPRISE_HASTE, overcome
from tableside.games.d6_companion.force import SKILLS as FORCE_SKILLS
from tableside.games.d6_companion.force import learning_weeks, most_powers, training_cost
from tableside.games.d6_companion.rolls import (
    COMBAT_BANDS,
    MEDPAC_BANDS,
    combine_limit,
    combined,
    improved,
    may_combine,
)
from tableside.games.d6_companion.ships import DEAD_CONTROLS_PENALTY
from tableside.rules.acts import Act, Done
from tableside.rules.characters import Help, Opposed
from tableside.rules.code import Code
from tableside.rules.form import Answers, Field, Kind
from tableside.rules.people import Effect, Follow, Person, PersonKind
from tableside.words import say

_WOUNDS = next(tracker.steps for tracker in TRACKERS if tracker.name == "wounds")
_MORTAL = _WOUNDS.index("mortally_wounded")
_WOUNDED, _INCAPACITATED = _WOUNDS.index("wounded"), _WOUNDS.index("incapacitated")
_COSTS = (
    ("stuns", ("stuns", "stuns_before")),
    ("ionized", ("ionized", "ionized_before")),
    ("ship_damage", ("capital_damage",)),
)
"""Answers, each with the trackers that make it up."""
_SPARED: Mapping[str, str] = {"stuns": "strength", "ionized": "hull", "ship_damage": "hull"}
"""The part of a skill that each of these leaves as it is."""
_DESTROYED = 4
_WORST = ("wounds", "ship_damage", "dead_controls")
"""Trackers that keep the worse of what they are and what a hit does."""
_LASTS = (("stuns", "stuns_before"), ("ionized", "ionized_before"))
"""What counts in its round and the next."""
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
_PARTS_OF: Mapping[str, str] = {
    "evasion": "pilot",
    "maneuver": "pilot",
    "tractor_beam": "engines",
    "shields": "shields",
    "shut_down_shield": "shields",
    "increase_shield": "shields",
    "hull": "hull",
}
"""The part that a purpose itself tells, where the skill does not."""


_OF_ATTACKS = ("mounted", "attack", "fire", "guns", "aim")
"""Answers that tell an attack without a weapon."""
_DIFFICULTIES = ("difficulty", "band", "about", "mounted")
"""Answers that give an attack a difficulty of its own, which a reaction changes."""
_REACTIONS: Mapping[str, str] = {
    "Dodge": "dodge",
    "Parry": "parry",
    "Melee parry": "parry",
    "Brawling parry": "parry",
    "Evasion": "evasion",
}
"""Known reaction skills, each with what it does."""


OFFICERS = ("pilot", "gunner", "shields")
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

    pool_builders: ClassVar[tuple[str, ...]] = (
        "code",
        "add",
        "pips",
        "force_point",
        "prepared",
        "guns",
        "actions",
        "full_reaction",
        "wounded",
        "stuns",
        "ionized",
        "ship_damage",
        "uncertainty",
        "haste",
        "haste_declared",
        "free_haste",
        "dimmed",
        "less",
        "aim",
        "vital",
        "coordinated",
        "overspeed_done",
    )
    can_help: ClassVar[bool] = True
    reaction_ask: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "reaction_skill": tuple(dict.fromkeys(_REACTIONS.values()))
    }

    def is_thrown(self, ask: Mapping[str, Any]) -> bool:
        purpose = ask.get("purpose", "check")
        return purpose not in DAMAGES and not PURPOSES[purpose].is_free and PURPOSES[purpose].code is None

    def reacts(self, ask: Mapping[str, Any], *, skill: str) -> str:
        del skill
        return str(ask.get("reaction_skill", "")) or ("evasion" if ask.get("purpose") == "evasion" else "")

    def met_by(self, attack: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what meets an attack: no dodge meets a melee weapon, no parry what is shot (reaction)."""
        if attack.get("purpose", "check") != "check":
            return ()
        return ("parry",) if attack.get("attack") == "melee_weapon" else ("dodge", "evasion")

    def knocked_out(self, person: Person) -> str:
        """Return why somebody cannot act: wounds, stuns, or nothing left of a ship or of its controls."""
        if person.value("wounds") >= _INCAPACITATED:
            state = _WOUNDS[person.value("wounds")]
            return "Dead" if person.value("wounds") > _MORTAL else say("{^state}", state=plain_words(state))
        if person.value("ship_damage") >= _DESTROYED or ship_state(person.value("capital_damage")) == "destroyed":
            return "Destroyed"
        if person.value("unconscious"):
            return "Unconscious"
        return "Immobile: no skills of Dexterity" if _is_immobile(person) else ""

    def is_for_fallen(self, ask: Mapping[str, Any], *, skill: str) -> bool:
        """Tell whether it is a roll against damage, or one for what becomes of somebody."""
        return not self.is_thrown(ask) or ask.get("purpose") == "hull" or self._resists(skill)

    def rank(self, person: Person) -> tuple[int, ...]:
        """Return Dexterity and the haste that was declared (combat_sequence)."""
        code = code_of_skill(person, "Dexterity") or Code()
        return code.dice, code.pips, person.value("haste")

    def suffered(
        self, actor: Person, known: Mapping[str, Any], *, skill: str, target: Person | None
    ) -> Mapping[str, Any]:
        """Return what costs dice or pips, and what a round or a ship brings to a roll.

        Stuns leave Strength alone, ionization and the ship's damage leave the hull alone (stun_track,
        starship_damage, capital_state).

        :raises BadAsk: for a ship without controls.
        """
        del skill, target
        if known.get("purpose") == "dying":
            return {"rounds": max(actor.value("mortal_rounds"), 1)}
        if known.get("purpose") == "consumed":
            return {"dark_points": actor.value("dark_side_points")}
        if known.get("purpose") == "dark_side_call":
            return {"dark_calls": actor.value("dark_side_calls")}
        part = known.get("part") or _PARTS_OF.get(known.get("purpose", ""), "")
        if actor.value("dead_controls") and part != "hull":
            raise BadAsk("the controls are dead", where=actor.name, hint="No action until the next round.")
        found: dict[str, Any] = {}
        if actor.value("wounds") >= _WOUNDED:
            found["wounded"] = True
        for field, trackers in _COSTS:
            total = sum(actor.value(tracker) for tracker in trackers)
            if total and part != _SPARED[field]:
                found[field] = total
        for name in ("haste", "free_haste"):
            if actor.value(name):
                found[name] = actor.value(name)
        if actor.value("reaction_haste") > actor.value("haste"):
            found["haste_declared"] = actor.value("reaction_haste")
        if actor.value("evasion") and part not in ("pilot", "engines", "hull"):
            aboard = part if part in ("gunner", "shields") else "other"
            found |= {"own_evasion": actor.value("evasion"), "aboard": aboard}
        found |= _crewed(actor, part)
        if actor.value("dimmed") and part == "senses":
            found["dimmed"] = actor.value("dimmed")
        more = {"movement": self._moving, "power": self._empowered}.get(known.get("purpose", ""))
        return found | (more(actor, known) if more else {})

    def _empowered(self, actor: Person, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a power knows of who uses it."""
        del known
        found: dict[str, Any] = {"dark_points": actor.value("dark_side_points")}
        for skill in FORCE_SKILLS:
            if (code := code_of_skill(actor, skill)) is not None:
                found[skill] = str(code)
        for name in ("force_bonus", "will_lost"):
            if actor.value(name):
                found[name] = actor.value(name)
        return found

    def _moving(self, actor: Person, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a movement roll knows of who moves."""
        found: dict[str, Any] = {}
        if actor.value("control"):
            found["control_lost"] = "lost"
        if rammed := actor.value("rammed"):
            found["rammed"] = "once" if rammed == 1 else "twice"
        dexterity = code_of_skill(actor, "Dexterity")
        if "add" not in known and dexterity is not None and actor.kind is not PersonKind.THING:
            found["base_speed"] = str(dexterity)
        if actor.value("prone"):
            found["crawling"] = True
        return found

    def against(self, opposed: Opposed, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the target's defences, and its last total: what damage has to beat, or a reaction to an attack."""
        del skill
        purpose, target = known.get("purpose", "check"), opposed.target
        is_attack = opposed.is_attack or _is_shot(known)
        if PURPOSES[purpose].is_free and purpose not in DAMAGES:
            return {}
        if purpose == "medpac":
            return _patient(target) if target else {}
        if purpose == "power":
            return _guarded(opposed)
        is_damage, is_attack = purpose in DAMAGES, is_attack and purpose == "check"
        found = dict(target.defences) if target else {}
        if not is_attack:  # what is hard to hit is not for that harder to persuade or to hurt
            found = {name: value for name, value in found.items() if name == "target_scale"}
        if is_attack and target and target.value("prone"):
            found["fire"] = [*known.get("fire", ()), "prone"]
        if is_attack and target and target.value("shields"):
            found["shields"] = target.value("shields")
        if opposed.total is None and is_damage:
            scales = {"scale": found.get("target_scale"), "target_scale": known.get("scale")}
            charted = {"chart": "damage", **{name: value for name, value in scales.items() if value}}
            found |= self.resistance_left(target, known, **(charted if known.get("chart") == "damage" else {}))
        if opposed.total is not None:
            total = opposed.total.get("total", 0)
            if target and target.value("reaction_haste"):
                found["reaction_haste"] = target.value("reaction_haste")
            if is_damage:
                found["against"] = total
            elif any(name in one for name in _DIFFICULTIES for one in (known, found)):
                kind = "full" if opposed.ask.get("full_reaction") else "combat"
                found |= {"reaction": known.get("reaction", kind), "reaction_total": total}
                if "reaction_skill" in opposed.ask:
                    found["reaction_skill"] = opposed.ask["reaction_skill"]
            else:
                found["difficulty"] = total
        return found

    def helped(self, actor: Person, helped: Help, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the pips of a combined action: one for each whole die of the supporters (combined_action).

        Where time is short, no more may combine than the highest of their codes has dice (combined_limit, I6, I7).
        """
        if known.get("reaction_skill") or not may_combine(re.sub(r"\W+", "_", skill.casefold())):
            fault = say("{=skill} cannot be combined", skill=skill)
            raise GameError(fault, where=f"game {self.game}", hint="Let each of them roll.")
        own = {one.skill.casefold() for one in actor.weapons}
        is_fire = skill.casefold() in own or _is_shot(known)
        # Whoever only coordinates gives no pips; a commander who fires, too, has an action less (combined_limit).
        leads = [self._command_left(person, is_firing=_has(person, skill)) for person in (actor, *helped.helpers)]
        firing = [person for person in helped.helpers if not is_fire or _has(person, skill)]
        codes = [self._code_left(person, skill) for person in (actor, *firing)]
        limit = combine_limit(codes, ample_time=not helped.is_urgent)
        if is_fire and any(leads):
            limit = max(lead for lead in leads if lead is not None)
        if known.get("troopers"):
            limit = None
        bonus, _ = combined(codes[0], codes[1:], actions=known.get("actions", 1), limit=limit)
        return {"pips": bonus}

    def _command_left(self, person: Person, *, is_firing: bool) -> int | None:
        """Return the dice of command that somebody coordinates fire with, ``None`` for one who has none."""
        if code_of_skill(person, "Command") is None:
            return None
        return max(self._code_left(person, "Command").dice - is_firing, 0)

    def _code_left(self, person: Person, skill: str) -> Code:
        """Return the code of a skill after what its owner suffers from, of which no die may be left."""
        rated = self.rated(person, person.skill(skill))
        given = self.joined(rated, self.suffered(person, rated, skill=skill, target=None))
        try:
            return plan_of(self.form.check(given, game=self.game)).code or Code()
        except GameError:
            return Code()

    def affected(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect. A wound on a wound incapacitates; else the worse of both stays."""
        now = person.value(effect.tracker)
        if effect.tracker in _WORST and effect.set is not None:
            again = effect.tracker == "wounds" and now == effect.set == _WOUNDED
            effect = replace(effect, set=_INCAPACITATED if again else max(now, effect.set))
        return D6Characters.affected(self, person, effect)

    def limits(self, person: Person, *, before: Person) -> tuple[Follow, ...]:
        """Return what follows: a survival roll each round, and what stuns and ships' damage come to.

        As many stuns as Dexterity has dice make immobile, as many as stamina has knock out (stun_track).
        """
        if fallen := self.fallen(person, before):
            return fallen
        now, was = person.value("wounds"), before.value("wounds")
        mortal = _MORTAL
        if now == mortal and person.value("mortal_rounds") > before.value("mortal_rounds"):
            rounds = person.value("mortal_rounds")
            return (Follow(words="Two dice for a life", ask={"purpose": "dying", "rounds": rounds}),)
        if now != was and now == mortal:
            return (Follow(words="Mortally wounded: two dice each round", ask={"purpose": "dying", "rounds": 1}),)
        dark = person.value("dark_side_points")
        if dark > before.value("dark_side_points"):
            return (Follow(words="One die: lost to the Dark Side?", ask={"purpose": "consumed", "dark_points": dark}),)
        if now != was and now > mortal:
            return (Follow(words="Dead"),)
        if now != was and now == _INCAPACITATED:
            return (Follow(words="Incapacitated"),)
        if person.value("ship_damage") == _DESTROYED != before.value("ship_damage"):
            return (Follow(words="Destroyed"),)
        state = ship_state(person.value("capital_damage"))
        if state and state != ship_state(before.value("capital_damage")):
            return (Follow(words=say("{^result}", result=plain_words(state))),)
        for tracker, row in _ROWS.items():
            code = code_of_skill(person, row)
            if code and person.value(tracker) >= boxes(code) > before.value(tracker):
                return (Follow(words=say("Nothing is left of: {part}", part=row.lower())),)
        if person.value("unconscious") > before.value("unconscious"):
            return (Follow(words="Unconscious"),)
        return self._stunned(person, before)

    def _stunned(self, person: Person, before: Person) -> tuple[Follow, ...]:
        if person.value("stuns") <= before.value("stuns"):
            return ()
        if self.is_overcome(person):
            return (Follow(words="Unconscious"),)
        return (Follow(words="Immobile: no skills of Dexterity"),) if _is_immobile(person) else ()

    def is_overcome(self, person: Person) -> bool:
        """Tell whether the stuns of this round and the last reach the dice of stamina (stun_track)."""
        stamina = code_of_skill(person, "stamina") or code_of_skill(person, "Strength")
        both = person.value("stuns") + person.value("stuns_before")
        return stamina is not None and both > 0 and overcome(stamina, both)

    def _done(self, act: Act, person: Person, given: Answers, *, skill: str, before: Person) -> Done:
        """Return what an act without dice does."""
        match act.name:
            case PREPARE.name:
                return Done(person=self.prepared(person), words=act.title)
            case "train":
                return self._trained(person, given, skill)
            case "learn":
                points = given.number("points")
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
                return self._commanded(person, given)
            case "turn":
                return self._turned(person, given.number("facing"))
            case "day":
                return Done(person=self._set(person, "will_lost", person.value("will_lost") - 1))
            case "round":
                return self._round(person, before)
            case "declare":
                haste, reaction = given.number("haste"), given.number("reaction_haste")
                if reaction and reaction < haste:
                    hint = "In the second segment haste may only be raised."
                    raise BadAsk("the reactions are slower than the actions", where=person.name, hint=hint)
                person = self._set(self._set(person, "haste", haste), "reaction_haste", max(haste, reaction))
                words = say("{n} {n:level|levels} of haste, {reaction} for reactions", n=haste,
                            reaction=max(haste, reaction))  # fmt: skip
                return Done(person=person, words=words)
            case "surprise":
                return Done(person=self._set(person, "free_haste", SURPRISE_HASTE), words=act.title)
            case "drop" | "rise":
                return Done(person=self._set(person, "prone", int(act.name == "drop")), words=act.title)
        return Done(person=person, words="" if act.is_for_all else act.title)

    def _commanded(self, person: Person, given: Answers) -> Done:
        """Return a ship whose commander has given orders: each costs a die of command (command_allocation).

        :raises BadAsk: for more orders than command has dice.
        """
        command = code_of_skill(person, "Command") or Code()
        officers = given.chosen("officers")
        bonuses = {officer: given.number(f"bonus_{officer}") for officer in OFFICERS}
        orders = len(officers) + given.number("haste_orders") + given.number("coordinations") + sum(bonuses.values())
        if orders > command.dice:
            fault = say("{n} orders, and command is {code}", n=orders, code=str(command))
            raise BadAsk(fault, where=person.name, hint="Each costs a die: give fewer.")
        for officer in OFFICERS:
            value = 2 + bonuses[officer] if officer in officers else 1
            person = self._set(person, f"{officer}_orders", value)
        return Done(person=person, words=say("{n}D of command left", n=command.dice - orders))

    def _turned(self, person: Person, facing: int) -> Done:
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

    def _trained(self, person: Person, given: Answers, skill: str) -> Done:
        """Return somebody with a pip more of a Force skill, which cost skill points (force_training)."""
        old = person.skill(skill)
        code = Code.of(str(old.ask.get("code", "0D")))
        points = training_cost(code, given.code("teacher"))
        better = improved(code, Code(pips=1))
        new = replace(old, ask={**old.ask, "code": str(better)})
        skills = tuple(new if one is old else one for one in person.skills)
        pattern = "{=skill} {code} for {n} skill points; {most} powers may be known"
        words = say(pattern, skill=old.name, code=str(better), n=points, most=most_powers(better))
        return Done(person=replace(self._paid(person, points), skills=skills), words=words)

    def _round(self, person: Person, before: Person) -> Done:
        """Return somebody with a new round: what was of this one is of the last."""
        for now, then in _LASTS:
            if then in person.trackers or before.value(now):
                person = self._set(person, then, before.value(now))
        words = ""
        if before.value("dead_controls"):
            person = self._set(self._set(person, "dead_controls", 0), "ionized_before", DEAD_CONTROLS_PENALTY)
            words = say("Controls again, ionized by {n}D", n=DEAD_CONTROLS_PENALTY)
        if person.value("wounds") == _MORTAL and not person.value("sustained"):
            person = self._set(person, "mortal_rounds", person.value("mortal_rounds") + 1)
        return Done(person=person, words=words)

    def _set(self, person: Person, tracker: str, value: int) -> Person:
        return person.with_value(self.tracker(tracker), value)


def _is_shot(known: Mapping[str, Any]) -> bool:
    """Tell whether answers are those of an attack, whatever it is made with."""
    return known.get("about") in COMBAT_BANDS or any(name in known for name in _OF_ATTACKS)


def _has(person: Person, skill: str) -> bool:
    return any(one.name.casefold() == skill.casefold() for one in person.skills)


def _is_immobile(person: Person) -> bool:
    """Tell whether the stuns of this round, or of the last, which still count, reach the dice of Dexterity."""
    dexterity, stuns = code_of_skill(person, "Dexterity"), max(person.value("stuns"), person.value("stuns_before"))
    return dexterity is not None and stuns > 0 and overcome(dexterity, stuns)


def _crewed(actor: Person, part: str) -> dict[str, Any]:
    """Return what command and damage to its parts change for a skill of a ship."""
    hurt, officer = _PARTS.get(part, ""), "pilot" if part == "engines" else part
    pips, less = -actor.value(hurt) if hurt else 0, 0
    orders = actor.value(f"{officer}_orders") if officer in OFFICERS else 0
    if orders:
        less, pips = (UNCOMMANDED_PENALTY, pips) if orders == 1 else (0, pips + orders - 2)
    if part == "shields" and actor.value("strained"):
        less += 1
    return ({"pips": pips} if pips else {}) | ({"less": less} if less else {})


def _guarded(opposed: Opposed) -> dict[str, Any]:
    """Return what hinders a power that is used on somebody."""
    found: dict[str, Any] = {} if opposed.total is None else {"resist": opposed.total.get("total", 0)}
    if (target := opposed.target) and not opposed.is_self:
        guards = (("target_emptiness", "emptiness"), ("target_will", "will"))
        found |= {name: target.value(tracker) for name, tracker in guards if target.value(tracker)}
    return found


def _patient(target: Person) -> dict[str, Any]:
    """Return what a medpac is told of the one whom it is for."""
    state = _WOUNDS[target.value("wounds")]
    found: dict[str, Any] = {"medpacs": target.value("medpacs"), "accelerated": bool(target.value("accelerated"))}
    if state in MEDPAC_BANDS:
        found["patient"] = state
    return found


def _known(skill: str) -> dict[str, Any]:
    """Return what the game knows of a skill by its name."""
    part = next((part for part, names in _KNOWN_PARTS.items() if skill in names), "")
    kind = _REACTIONS.get(skill, "")
    return ({"reaction_skill": kind} if kind else {}) | ({"part": part} if part else {})


ACTS = (
    ROUND,
    changed(PREPARE, source="preparation"),
    Act(
        name="declare",
        title="Declare haste",
        source="haste",
        help="Each level is an action. Haste of reactions may be higher than that of actions.",
        fields=(
            Field(name="haste", title="Haste of actions", most=20, default=0, source="haste"),
            Field(name="reaction_haste", title="Haste of reactions", most=20, default=0, source="haste"),
        ),
    ),
    Act(name="surprise", title="Surprise the enemy: 2 free haste", source="surprise"),
    Act(name="drop", title="Drop prone", help="It is free.", source="stance"),
    Act(name="rise", title="Rise from prone", help="It is an action.", source="stance"),
    Act(
        name="command",
        title="Give orders",
        kinds=(PersonKind.THING,),
        source="command_allocation",
        help="Each officer, further haste order, ship to coordinate with and bonus costs a die of command.",
        fields=(
            Field(
                name="officers",
                title="Officers who are commanded",
                kind=Kind.CHOICES,
                choices=(("pilot", "The pilot"), ("gunner", "The chief gunner"), ("shields", "The chief of shields")),
                default=(),
                source="command_allocation",
            ),
            Field(name="haste_orders", title="Further haste orders", most=20, default=0, source="command_allocation"),
            Field(name="coordinations", title="Ships to coordinate with", most=20, default=0, source="capital_attack"),
            *(
                Field(name=f"bonus_{officer}", title=title, most=20, default=0, source="command_allocation")
                for officer, title in zip(
                    OFFICERS, ("Bonus of the pilot", "Bonus of the gunner", "Bonus of the shields"), strict=True
                )
            ),
        ),
    ),
    Act(
        name="turn",
        title="Turn a facing to the enemy",
        kinds=(PersonKind.THING,),
        source="facing",
        help="Each speed action in reserve is a step; the opposite facing is two steps away.",
        fields=(Field(name="facing", title="Facing, 0 to 5", most=FACINGS - 1, default=0, source="facing"),),
    ),
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
        fields=(Field(name="teacher", title="The teacher's code", kind=Kind.CODE, source="force_training"),),
        help="It costs the dice of its code in skill points, twice that without a better teacher.",
        source="force_training, power_total",
    ),
    Act(
        name="learn",
        title="Learn a new Force skill",
        fields=(Field(name="points", title="Skill points spent", most=99, default=0, source="force_training"),),
        help="Ten weeks, a week less for each skill point.",
        source="force_training",
    ),
    Act(name="wake", title="Awake again", resets=("waking up",), source="stun_track"),
)

CHARACTERS = CompanionCharacters(
    game=NAME,
    form=FORM,
    plan=plan_of,
    trackers=TRACKERS,
    skills=(
        *((name, _known(name)) for name in dict.fromkeys((*ATTRIBUTES, *_REACTIONS, *sum(_KNOWN_PARTS.values(), ())))),
    ),
    points=POINTS,
    resists="Strength",
    skill_fields=("code", "attribute", "advanced", "reaction_skill", "part", "troopers"),
    weapon_fields=("add", "about", "mounted", "gun_damage", "band", "fire", "attack", "chart", "scale"),
    damage_fields=("code", "purpose", "chart", "scale"),
    defence_fields=("difficulty", "target_scale"),
    acts=ACTS,
    round_act=ROUND.name,
    adds=("pips", "guns", "stuns", "ionized", "overspeed", "less"),
    gauges={
        PersonKind.PLAYER: ("force_points", "character_points", "wounds", "stuns", "unconscious", "dark_side_points"),
        PersonKind.PERSON: ("wounds", "stuns", "unconscious"),
        PersonKind.GROUP: ("wounds", "stuns", "unconscious", "fallen"),
        PersonKind.THING: ("ship_damage", "ionized", "generators", "shields", "reserved", "control", "capital_damage"),
    },
)
