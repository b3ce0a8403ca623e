"""What is ready for a first evening can be played as it stands, in each game."""

from __future__ import annotations

from itertools import product

from tableside.rules import find_game, game_names
from tableside.rules.characters import Opposed, fill_answers, initiative_call
from tableside.rules.game import known_types

OPPONENTS = [
    ("group", 4),
    ("person", 1),
    ("person", 1),
    ("group", 5),
    ("person", 1),
    ("group", 3),
    ("thing", 1),
    ("person", 1),
]
"""Troopers, a leader, a shooter, a gang, a beast, droids, a vehicle, and one with powers."""


def test_each_game_has_four_heroes_eight_opponents_and_eight_weapons_that_play_as_they_stand() -> None:
    for game in map(find_game, game_names()):
        assert len(game.ready.heroes) == 4
        assert [(one.kind, one.members) for one in game.ready.opponents] == OPPONENTS
        assert game.ready.box
        assert set(game.ready.box.dice) <= known_types(game.dice_sets)
        assert len(game.ready.weapons) == 8
        for hero in (*game.ready.heroes, *game.ready.opponents):
            person = game.characters.check(hero)
            assert hero.role
            assert hero.colour
            assert hero.emblem
            assert len(hero.skills) >= 3
            calls = [
                *(fill_answers(game.characters, person, skill=skill.name).answers for skill in person.skills),
                *(fill_answers(game.characters, person, weapon=weapon.name).answers for weapon in person.weapons),
                *(
                    fill_answers(game.characters, person, weapon=one.name, is_damage=True).answers
                    for one in person.weapons
                    if one.damage
                ),
            ]
            trays = [game.tray(answers) for answers in calls]
            assert all(tray is not None and tray.count > 0 for tray in trays)
        for weapon in game.ready.weapons:
            game.form.check(weapon.ask, game=game.name)
            game.form.check(weapon.damage, game=game.name)


def test_no_two_of_a_game_look_alike() -> None:
    for game in map(find_game, game_names()):
        for people in (game.ready.heroes, game.ready.opponents):
            assert len({(one.colour, one.emblem) for one in people}) == len(people)
            assert len({one.name for one in people}) == len(people)


def test_opponents_can_fight_each_hero() -> None:
    """Each has a place in the order and a weapon that can hit, whoever is aimed at."""
    for game in map(find_game, game_names()):
        heroes, opponents = game.ready.heroes, game.ready.opponents
        for one, other in [*product(opponents, heroes), *product(heroes, opponents)]:
            person, target = (game.characters.check(each) for each in (one, other))
            assert game.characters.rank(person) or initiative_call(game.characters, person)
            for weapon in person.weapons:
                ask = fill_answers(game.characters, person, weapon=weapon.name, opposed=Opposed(target=target)).answers
                assert dict(game.odds(ask).chances)["success"] > 0, (one.name, weapon.name, other.name)
