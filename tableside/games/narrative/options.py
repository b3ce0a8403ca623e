"""What symbols may be spent on: a row an option, with all that is known of it. The order is that of the cards.

``personal`` and ``starship`` are prices in the tables of S000 7-5 and 7-6 and of the published game (section 10):
``A2`` two advantages or a triumph, ``T1`` a triumph, ``H1`` a threat or a despair, ``D1`` a despair. ``general`` is the
symbol of which one is enough without a table (M04, S000), ``skill`` the one of that skill (M30).
"""

# ruff: noqa: E501 - an option is one row

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tableside.games.narrative.ask import Ask
from tableside.rules.form import answers
from tableside.rules.people import NOTHING, ROLLER, Barred, Effect, Gives, Lasting, Until

PRONE = Lasting(
    name="Prone",
    words="Close attacks against this one gain a boost die, those from afar a setback die.",
    near=answers(Ask, boost=1),
    afar=answers(Ask, setback=1),
)
FREE = Lasting(name="A free maneuver", until="turn", words="It was bought, and takes no other's place.")


@dataclass(frozen=True, slots=True)
class Option:
    """One of them.

    :ivar needs: it means something only in a ``fight``, with an ``attack``, where one ``hurts``, as a ``maneuver`` that
        is left, with a ``tool``, or at the ``price`` that the weapon itself tells.
    :ivar aboard: the skills that it is for by the table of starships.
    """

    name: str
    title: str
    short: str = ""
    needs: str = ""
    personal: str = ""
    starship: str = ""
    general: str = ""
    skill: tuple[str, str] = ("", "")
    aboard: tuple[str, ...] = ()
    gives: Gives = NOTHING


def _die(ask: Mapping[str, Any], on: str = "ally") -> Gives:
    return Gives(lasts=Lasting(name="", until="evening", is_once=True, ask=ask), on=on)


def _state(name: str, on: str = ROLLER, until: Until = "scene", bars: Barred = "") -> Gives:
    return Gives(lasts=Lasting(name=name, until=until, bars=bars), on=on)


def _strain(change: int, tracker: str = "strain", words: str = "") -> Gives:
    return Gives(effects=(Effect(tracker=tracker, change=change, words=words or f"{change:+d} strain", on=ROLLER),))


_MANEUVER = Gives(effects=(Effect(tracker="maneuvers", change=1, words=FREE.name, on=ROLLER),), lasts=FREE)
_ON_GUARD = Lasting(name="On guard", until="next", near=answers(Ask, setback=1), afar=answers(Ask, setback=1))
O = Option  # noqa: E741
_BOOST, _SETBACK = answers(Ask, boost=1), answers(Ask, setback=1)
_FLIGHT = ("Piloting", "Gunnery")
_CREW = (*_FLIGHT, "Computers", "Mechanics")
_STEADIED = Lasting(name="", until="round", is_later=True, ask=_BOOST, skills=("Discipline",))
_ONE_MANEUVER = Lasting(name="", until="round", is_later=True, bars="second_maneuver")
# fmt: off
OPTIONS = (
    O("recover_strain", "Recover one strain", personal="A1", general="advantage", gives=_strain(-1)),
    O("extra_maneuver", "An extra maneuver", needs="maneuver", general="advantage", gives=_MANEUVER),
    O("finish_faster", "Finish faster", general="advantage"),
    O("find_opening", "Find an opening", general="advantage"),
    O("boost_next_allied_active", "Boost to an ally's next piloting, gunnery, computers or mechanics", "Boost a crew member", starship="A1", aboard=_CREW, gives=_die(_BOOST)),
    O("boost_next_ally", "Boost to the next ally", "Boost the next ally", personal="A1", gives=_die(_BOOST)),
    O("notice_point", "Notice one important point", "Notice one detail", personal="A1", starship="A1"),
    O("critical_hit", "A critical hit", needs="price", starship="A1"),
    O("weapon_quality", "Activate a quality of the weapon", "Use a weapon quality", "price", starship="A1"),
    O("free_maneuver", "A free maneuver at once", "A free maneuver", "maneuver", personal="A2", starship="A2", gives=_MANEUVER),
    O("setback_target_next", "Setback to the target's next check", "Setback the target", personal="A2", starship="A2", aboard=_FLIGHT, gives=_die(_SETBACK, "target")),
    O("boost_any_ally_next", "Boost to any ally's next check, or your own", "Boost any ally", personal="A2", starship="A2", aboard=_CREW, gives=_die(_BOOST)),
    O("disable_component", "Put out a component instead of damage", "Put out a component", "hurts", starship="A3"),
    O("cancel_target_defense", "No defence for the target this round", "Ignore their defence", "attack", personal="A3", gives=_state("No defence", "target", until="round", bars="defence")),
    O("ignore_surroundings", "Ignore the surroundings until your next turn ends", "Ignore surroundings", "fight", personal="A3", gives=_state("Ignores the surroundings", until="next")),
    O("ignore_terrain", "Ignore bad terrain until your next turn ends", "Ignore bad terrain", "fight", starship="A3", gives=_state("Ignores bad terrain", until="next")),
    O("free_pilot_only_maneuver", "One more pilot's maneuver, within the limit", "One pilot's maneuver", "maneuver", starship="A3", gives=_MANEUVER),
    O("force_veer_off", "The target veers off: Aim or Stay on Target ends", "The target veers off", "fight", starship="A3"),
    O("disable_gear_or_limb", "Disable gear or a limb instead of damage", "Disable gear or limb", "hurts", personal="A3"),
    O("defense_up", "One more defence until your next turn ends", "One more defence", "fight", personal="A3", gives=Gives(lasts=_ON_GUARD)),
    O("target_drops_weapon", "The target drops its weapon", "Target drops weapon", "attack", personal="A3", gives=_state("Disarmed", "target")),
    O("stronger_effect", "A strong effect that the table agrees on", "A strong effect", general="triumph"),
    O("upgrade_difficulty_target_next", "Upgrade the target's next difficulty", "Harder for the target", personal="T1", starship="T1", aboard=_FLIGHT, gives=_die(answers(Ask, upgrade_difficulty=1), "target")),
    O("upgrade_ally_next", "Upgrade any ally's next check", "Upgrade an ally", personal="T1", starship="T1", aboard=_CREW, gives=_die(answers(Ask, upgrade_ability=1))),
    O("something_vital", "Do something that turns the fight", "Something vital", "fight", personal="T1", starship="T1"),
    O("destroy_component", "Destroy a component instead of damage", "Destroy a component", "hurts", starship="T2"),
    O("destroy_gear", "Destroy a piece of the target's gear", "Destroy the gear", "hurts", personal="T2"),
    O("fall_prone", "Fall prone", needs="fight", personal="H3", general="threat", gives=Gives(lasts=PRONE)),
    O("lose_cover", "Lose cover", needs="fight", general="threat", gives=Gives(ends="In cover")),
    O("take_longer", "Take longer", general="threat"),
    O("suffer_strain", "Suffer one strain", personal="H1", general="threat", gives=_strain(1)),
    O("lose_maneuver_benefit", "Lose the benefit of a maneuver", "A maneuver is lost", "fight", personal="H1", starship="H1"),
    O("suffer_system_strain", "The ship suffers one system strain", "One system strain", starship="H1", gives=_strain(1, "system_strain", "+1 system strain")),
    O("enemy_free_maneuver", "An enemy gets a free maneuver", "Enemy free maneuver", "fight", personal="H2", starship="H2", general="threat"),
    O("boost_target_next", "Boost to the target's next check", "Boost the target", personal="H2", starship="H2", gives=_die(_BOOST, "target")),
    O("setback_own_side_next", "Setback to your or an ally's next check", "Setback your side", personal="H2", starship="H2", gives=_die(_SETBACK, ROLLER)),
    O("drop_in_order", "The ship acts after the last enemy of the round", "Acts last this round", "fight", starship="H3"),
    O("enemy_edge", "The enemy gains an edge", "Enemy gains an edge", "fight", personal="H3", starship="H3"),
    O("weapon_system_offline", "A weapon system is out until it is repaired", "Weapon system out", "attack", starship="D1"),
    O("weapon_jams", "The weapon jams", needs="attack", general="despair", gives=_state("Weapon jams")),
    O("out_of_ammunition", "The weapon runs out of ammunition", "Ammunition is out", "attack", personal="D1", general="despair", gives=_state("Out of ammunition")),
    O("upgrade_difficulty_own_side_next", "Upgrade your or an ally's next difficulty", "Harder for your side", personal="D1", starship="D1", gives=_die(answers(Ask, upgrade_difficulty=1), ROLLER)),
    O("minor_collision", "A minor collision", needs="fight", starship="D1"),
    O("tool_damaged", "A tool or weapon is damaged", "Tool or weapon damaged", "tool", personal="D1"),
    O("stronger_trouble", "Strong trouble that the game master sets", "Strong trouble", general="despair"),
    O("downgrade_one_challenge_on_own_next_action", "Downgrade a challenge die of your next action", "Downgrade a challenge", skill=("discipline", "success"), gives=_die(answers(Ask, downgrade_difficulty=1), ROLLER)),
    O("extra_insight", "An extra insight into the situation", "An extra insight", skill=("discipline", "advantage")),
    O("boost_allies_discipline_next_round", "Boost to the allies' Discipline next round", "Boost their Discipline", skill=("discipline", "triumph"), gives=Gives(lasts=_STEADIED, on="ally")),
    O("resolve_weakens", "Your resolve weakens", skill=("discipline", "threat")),
    O("only_one_maneuver_next_round", "Only one maneuver in the next round", "Just one maneuver", skill=("discipline", "despair"), gives=Gives(lasts=_ONE_MANEUVER)),
    O("support_lasts_more_scenes_or_more_effective", "The support lasts more scenes or works better", "Longer, better support", skill=("leadership", "success")),
    O("affects_bystanders", "Bystanders are swayed, too", "Sways bystanders", skill=("leadership", "advantage")),
    O("target_becomes_follower", "The target joins as a lasting follower", "A lasting follower", skill=("leadership", "triumph")),
    O("part_of_lie_shows", "Part of the lie shows", skill=("deception", "threat")),
    O("liar_known_or_target_exploits_lie", "The lie harms your name or serves the target", "The lie backfires", skill=("deception", "despair")),
)
# fmt: on
BY_NAME: Mapping[str, Option] = {one.name: one for one in OPTIONS}
