"""D6 with dice codes: the form of all subjects, and the code and difficulty that come of what was asked.

The order of changes is that of the roll pipeline in the project's rules, ``d6-companion.md`` section 0; the names of
rules are its headings.
"""

from __future__ import annotations

from collections.abc import Iterator

from tableside.errors import BadAsk
from tableside.games.d6.outcome import Draft, Plan, needs_difficulty, plain_words
from tableside.games.d6_companion import capital, combat, force, gear, movement, ships
from tableside.games.d6_companion.ask import DAMAGES, NAME, TITLES, Ask
from tableside.games.d6_companion.capital import IncreaseShield, Tactics
from tableside.games.d6_companion.combat import Dying, Healing, Medpac
from tableside.games.d6_companion.force import DarkSideCall, PowerAsk
from tableside.games.d6_companion.gear import Technology
from tableside.games.d6_companion.movement import CollisionAsk, Movement
from tableside.games.d6_companion.purpose import Purpose, Purposes
from tableside.games.d6_companion.rolls import NAMED_BANDS, UNCERTAINTY_DICE, band, fire_modifier, scale_cap
from tableside.games.d6_companion.ships import Astrogation, Shields, TractorBeam
from tableside.games.d6_companion.sources import companion_step
from tableside.rules.code import Code, pips_words
from tableside.rules.form import Forms
from tableside.rules.game import Step
from tableside.rules.modifiers import Modifier
from tableside.words import say

FORM = Forms(
    Ask,
    Dying,
    Healing,
    Medpac,
    Movement,
    CollisionAsk,
    Astrogation,
    TractorBeam,
    Shields,
    IncreaseShield,
    Tactics,
    DarkSideCall,
    PowerAsk,
    Technology,
)

PURPOSES: Purposes = {
    **{name: Purpose() for name in TITLES},
    "check": Purpose(does=ships.met_shields),
    **combat.PURPOSES,
    **movement.PURPOSES,
    **ships.PURPOSES,
    **capital.PURPOSES,
    **force.PURPOSES,
    **gear.PURPOSES,
}


def plan_of(given: Ask, *, least: int = 1) -> Plan:
    """Return the code to throw and the difficulty.

    :param least: so many dice have to be left; 0 for what resists.
    :raises BadAsk: for an answer that the rules do not allow.
    """
    if needs := PURPOSES[given.purpose].needs:
        needs(given)
    if least:  # who cannot even resist still is hit
        cap_of(given)
    steps: list[Step] = []
    code = _code(given, steps, least)
    difficulty = _difficulty(given, steps)
    return Plan(
        code=code,
        pips=given.pips if code is None else code.pips,
        difficulty=difficulty,
        difficulty_dice=given.missile,
        less_dice=uncertainty_of(given),
        steps=tuple(steps),
    )


def uncertainty_of(given: Ask) -> int:
    """Return the uncertainty dice, or raise :class:`BadAsk` for a number that the rule does not know."""
    count, (least, most) = given.uncertainty, UNCERTAINTY_DICE
    if count and not least <= count <= most:
        raise BadAsk(
            "uncertainty is {=count}",
            count=count,
            where=f"game {NAME}",
            hint=say("It is 0, or {=least} to {=most}.", least=least, most=most),
        )
    if count and combat.is_shot(given):
        raise BadAsk("no uncertainty dice for combat skills", where=f"game {NAME}", hint="Ask without them.")
    return count


_MANEUVERS = ("evasion", "maneuver", "shields", "tractor_beam")


def chart_of(given: Ask) -> str:
    """Return the scale chart of a roll: the named one, else what the roll is for tells it (scale_cap)."""
    is_damage = given.purpose in (*DAMAGES, "hull", "ramming") or given.part in ("strength", "hull")
    return given.chart or ("damage" if is_damage else "maneuver" if given.purpose in _MANEUVERS else "to_hit")


def cap_of(given: Ask) -> int:
    """Return the die cap: the lower of what was entered and what the scale chart says."""
    cap, chart = given.cap, chart_of(given)
    scales = given.scale, given.target_scale
    charted = scale_cap(chart, *scales)
    if charted is None:
        what = say(
            "{=scales} against {=scales2} is not possible",
            scales=plain_words(scales[0]),
            scales2=plain_words(scales[1]),
        )
        raise BadAsk(what, where=f"chart {chart}", hint="The chart has a dash there: choose another.")
    return min(cap, charted)


def _code(given: Ask, steps: list[Step], least: int) -> Code | None:
    purpose = PURPOSES[given.purpose]
    base = given.code if purpose.code is None else purpose.code(given)
    if purpose.is_free or base is None:  # nothing changes the number of these dice
        return base
    draft = Draft(base, "dice_total", step=companion_step, steps=steps)
    if (added := given.add) is not None:
        added = added.times(1 + (isinstance(given, Shields) and given.increased))
        text = say("With {code}, dice and pips apart", code=added.added)
        draft.change(text, "code_in_play", dice=added.dice, pips=added.pips)
    last = given.force_point_last
    if given.force_point and not last:
        draft.double("A Force Point doubles dice and pips", "force_point")
    draft.modify(MODIFIERS, given)
    if (count := capital.guns_of(given)) > 1:
        guns = capital.guns_modifier(count)
        text = say("{n} guns add {code}", n=count, code=guns.added)
        draft.change(text, "guns_modifier", dice=guns.dice, pips=guns.pips)
    if hurt := given.ship_damage:
        lost = capital.damage_modifier(hurt)
        text = say("{n} {n:pip|pips} of damage to the ship, {modifier}", n=hurt, modifier=capital.modifier_words(hurt))
        draft.change(text, "capital_state", dice=-lost.dice, pips=-lost.pips)
    if given.force_point and last:
        draft.double("A Force Point doubles what is left", "I4")
    _, shields = ships.evasion_more(given)
    healing = combat.HEALING_BONUS if isinstance(given, Healing) and given.accelerated else 0
    for change, words, rule in (
        (shields, "The ship evades with all it has", "evasion_side_effects"),
        (healing, "Healing is accelerated", "accelerate_healing"),
    ):
        if change:
            draft.change(say("{why}, {pips}", why=words, pips=pips_words(change)), rule, pips=change)
    if given.pips:
        text = say("{pips}, and pips never become dice", pips=pips_words(given.pips))
        draft.change(text, "code_in_play", pips=given.pips)
    draft.keep(least, game=NAME, hint="What is left is 0D or less and cannot be thrown: take fewer actions, or wait.")
    if uncertainty := uncertainty_of(given):
        draft.change(say("{n} uncertainty dice", n=uncertainty), "uncertainty", dice=uncertainty)
    return draft.code


def _actions(given: Ask) -> int:
    """Return the actions of the round. The die that moving gives makes up for a full reaction's speed action (I12)."""
    actions = max(given.actions, combat.FULL_REACTION_ACTIONS if given.full_reaction else 1)
    if isinstance(given, Movement):
        actions = max(actions, movement.actions_of(given))
    return actions + combat.haste_actions(given)


MODIFIERS: tuple[Modifier[int, Ask], ...] = (
    Modifier(Ask.prepared, dice=1, says="Prepared", rule="preparation"),
    Modifier(
        Ask.actions,
        dice=lambda ask: 1 - _actions(ask),
        says=lambda ask: say("{n} actions", n=_actions(ask)),
        rule="multi_action",
    ),
    Modifier(Ask.full_reaction, dice=1, says="Moving with a full reaction", rule="reaction"),
    Modifier(
        Ask.wounded,
        dice=-combat.WOUNDED_PENALTY,
        says="Wounded",
        rule="wound_state",
        tracker="wounds",
        # A weapon is not hurt; healing is our reading, as in the game with a Wild Die.
        spares=lambda ask: ask.purpose in (*DAMAGES, "healing"),
    ),
    Modifier(
        Ask.stuns,
        dice=-1,
        says="Stunned",
        rule="stun_track",
        tracker="stuns",
        spares=lambda ask: ask.purpose in DAMAGES,
    ),
    Modifier(Ask.ionized, dice=-1, says="Ionized", rule="starship_damage", tracker="ionized"),
    Modifier(
        TractorBeam.overspeed_done,
        dice=lambda ask: ask.overspeed_done if isinstance(ask, TractorBeam) else 0,
        says="Overspeed against the beam",
        rule="tractor_beam",
    ),
    Modifier(Ask.dimmed, dice=-1, says="Senses dimmed", rule="dim_senses", tracker="dimmed"),
    Modifier(
        Ask.aim,
        dice=lambda ask: capital.aimed_dice(ask)[0],
        says=lambda ask: capital.aimed_dice(ask)[1],
        rule="targeting",
    ),
    Modifier(Ask.less, dice=-1, says="Other dice", rule="command_allocation"),
    Modifier(
        Ask.purpose,
        dice=lambda ask: -capital.SHUT_DOWN_PENALTY * (ask.purpose == "shut_down_shield"),
        says="A facing shut down",
        rule="capital_shields",
    ),
    Modifier(
        Ask.speed_actions,
        dice=lambda ask: ask.speed_actions * (ask.purpose == "capital_ram"),
        says="Speed actions",
        rule="capital_ram",
    ),
)
"""What changes the number of dice."""


def _difficulty(given: Ask, steps: list[Step]) -> int | None:
    number, purpose = given.difficulty, PURPOSES[given.purpose]
    if purpose.is_measure:
        return None
    named = given.band or (purpose.band(given) if purpose.band else "") or _band_about(given)
    if number is None and named:
        number, most = band(named)
        text = say(
            "Difficulty {band}, {least} to {most}: {number}.",
            band=plain_words(named),
            least=number,
            most=most,
            number=number,
        )
        steps.append(companion_step(text, "difficulty_scale"))
    if number is None and purpose.number:
        number = purpose.number(given)
    if number is None:
        more = {
            "fire": given.fire,
            "overspeed": given.overspeed,
            "reaction": given.reaction,
            "missile": given.missile,
        }
        needs_difficulty([name for name, value in more.items() if value], game=NAME)
        return None

    def note(text: str, rule: str) -> None:
        steps.append(companion_step(say("{change}: difficulty {number}.", change=text, number=str(number)), rule))

    for harder, words, rule in _difficulty_more(given):
        number += harder
        note(words, rule)
    reacts = combat.reaction_applies(
        attack_haste=given.haste,
        reaction_haste=given.reaction_haste,
        skill=given.reaction_skill,
        attack=given.attack,
    )
    if given.reaction and not reacts:
        note("The reaction is too slow, or does not fit", "reaction")
    elif given.reaction:
        full = given.reaction == "full"
        number = combat.reaction_difficulty(number, given.reaction_total, full=full)
        note("A full reaction adds its roll" if full else "A combat reaction, the higher counts", "reaction")
    return number


def _difficulty_more(given: Ask) -> Iterator[tuple[int, str, str]]:
    """Yield what makes the roll more difficult, with words and rules."""
    if given.fire:
        names = [plain_words(name) for name in given.fire]
        yield fire_modifier(given.fire), say("Fire modifiers {names}", names=names), "fire_modifier"
    if given.overspeed:
        yield movement.OVERSPEED_MODIFIER * given.overspeed, "Overspeed", "overspeed"
    match given:
        case Movement():
            yield from movement.difficulty_more(given)
        case Astrogation() if saved := given.hours_saved:
            pattern = "{n} hours saved" if saved > 0 else "{n} hours longer"
            yield saved, say(pattern, n=abs(saved)), "astrogation"
        case Medpac() if used := combat.medpac_more(given):
            yield used, "Medpacs of today", "medpac_difficulty"
    if disturbed := ships.evasion_more(given)[0]:
        yield disturbed, "The ship evades with all it has", "evasion_side_effects"


def _band_about(given: Ask) -> str:
    """Return the band of a range or of knowledge, ``""`` where none is told."""
    return NAMED_BANDS.get(ships.range_band(given) or given.about, "")
