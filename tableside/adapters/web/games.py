"""The games as pages get them: what they are called, ask, count and offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.adapters.web.people import dice_of
from tableside.record import Record
from tableside.rules import Game, PoolNames
from tableside.rules.acts import ShownAct
from tableside.rules.characters import Characters, skills_for
from tableside.rules.form import ShownField
from tableside.rules.people import PersonKind
from tableside.rules.ready import ShownReady
from tableside.rules.tracker import ShownTracker


class KnownSkill(Record, frozen=True, kw_only=True):
    """A skill that the game knows.

    :ivar ask: answers that it gives whoever has it.
    """

    texts = ("name",)

    name: str
    ask: Mapping[str, Any]


class ShownCharacters(Record, frozen=True, kw_only=True):
    """What an editor of characters needs to know.

    :ivar skill_fields: the names of the fields that a skill fills, and so on. :ivar filled: those that a card fills.
    :ivar trackers: names of those that each kind of person has from the start. :ivar own_limits: of those with a limit.
    :ivar joining: trackers that join rolls by themselves. :ivar resists: the skill that withstands damage.
    :ivar commands: skills that lead others, ``initiative`` those thrown for the order, ``reactions`` those that react.
    :ivar declares: fields that hold for a round. :ivar reaction_ask: the answers that make a roll a reaction.
    :ivar points: the tracker that stands for each side of the pool.
    """

    skills: tuple[KnownSkill, ...]
    skill_fields: tuple[str, ...]
    weapon_fields: tuple[str, ...]
    damage_fields: tuple[str, ...]
    defence_fields: tuple[str, ...]
    talent_fields: tuple[str, ...]
    filled: tuple[str, ...]
    trackers: Mapping[str, tuple[str, ...]]
    own_limits: tuple[str, ...]
    joining: tuple[str, ...]
    resists: str
    thing_resists: str
    can_help: bool
    can_resist: bool
    commands: tuple[str, ...]
    initiative: tuple[str, ...]
    declares: tuple[str, ...]
    reactions: tuple[str, ...]
    reaction_ask: Mapping[str, tuple[Any, ...]]
    points: Mapping[str, str]
    acts: tuple[ShownAct, ...]


class ShownGame(Record, frozen=True, kw_only=True):
    """What a page needs to know of a game.

    :ivar pool_flips: a spent point turns over. :ivar pool_ask: the answers of a throw for the pool.
    :ivar lone_die: the die of another colour that belongs to every roll. :ivar upgrades: what each die becomes.
    :ivar ready: heroes, opponents, weapons and states for a first evening.
    """

    name: str
    title: str
    dice_sets: tuple[str, ...]
    pool_names: PoolNames
    pool_flips: bool
    pool_ask: Mapping[str, Any] | None
    lone_die: str
    upgrades: Mapping[str, str]
    form: tuple[ShownField, ...]
    trackers: tuple[ShownTracker, ...]
    characters: ShownCharacters
    ready: ShownReady


def show_game(game: Game) -> ShownGame:
    """Return what a page needs to know of a game."""
    return ShownGame(
        name=game.name,
        title=game.title,
        dice_sets=game.dice_sets,
        pool_names=game.pool_names,
        pool_flips=game.pool_flips,
        pool_ask=game.form.asking("pool") or None,
        lone_die=game.lone_die,
        upgrades=game.upgrades,
        form=tuple(one.shown for one in game.form),
        trackers=tuple(one.shown for one in game.trackers),
        characters=_show_characters(game.characters),
        ready=game.ready.show(lambda one: dice_of(one, {})),
    )


def _show_characters(characters: Characters) -> ShownCharacters:
    form, known, trackers = characters.form, characters.skills, characters.trackers
    first = {kind: tuple(one.name for one in trackers if kind in one.kinds) for kind in PersonKind}
    own, ships = (next(iter(skills_for(characters, use)), "") for use in ("resists", "ship_resists"))
    reacting = [one.gives for one in known if "reaction" in one.uses]
    marks = [name for name in (reacting[0] if reacting else ()) if all(name in gives for gives in reacting)]
    return ShownCharacters(
        skills=tuple(KnownSkill(name=one.name, ask=one.gives) for one in known),
        **{
            f"{what}_fields": tuple(form.filled_by(what)) for what in ("skill", "weapon", "damage", "defence", "talent")
        },
        filled=tuple(form.filled_by("card")),
        trackers={kind.value: names for kind, names in first.items() if names},
        own_limits=tuple(one.name for one in trackers if one.own_limit),
        joining=tuple(sorted({row.tracker for row in characters.modifiers if row.tracker})),
        resists=own,
        thing_resists=ships or own,
        can_help=type(characters).helper_answers is not Characters.helper_answers,
        can_resist=bool(form.filled_by("opponent")),
        commands=tuple(skills_for(characters, "command")),
        initiative=tuple(skills_for(characters, "initiative")),
        declares=tuple(field.name for field in form if field.holds),
        reactions=tuple(skills_for(characters, "reaction")),
        reaction_ask={name: tuple(dict.fromkeys(gives[name] for gives in reacting)) for name in marks},
        points={one.stands_for: one.name for one in trackers if one.stands_for},
        acts=tuple(act.shown for act in characters.acts),
    )
