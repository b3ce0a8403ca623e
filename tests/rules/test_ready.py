"""What is ready for a first evening can be played as it stands, in each game."""

from __future__ import annotations

from tableside.rules import find_game, game_names
from tableside.rules.characters import fill_answers


def test_each_game_has_four_heroes_and_eight_weapons_that_play_as_they_stand() -> None:
    for game in map(find_game, game_names()):
        assert len(game.ready.heroes) == 4
        assert len(game.ready.weapons) == 8
        for hero in game.ready.heroes:
            person = game.characters.check(hero)
            assert hero.role
            assert hero.colour
            assert hero.emblem
            assert len(hero.skills) >= 3
            calls = [
                *(fill_answers(game.characters, person, skill=skill.name) for skill in person.skills),
                *(fill_answers(game.characters, person, weapon=weapon.name) for weapon in person.weapons),
                *(
                    fill_answers(game.characters, person, weapon=one.name, is_damage=True)
                    for one in person.weapons
                    if one.damage
                ),
            ]
            trays = [game.tray(answers) for answers in calls]
            assert all(tray is not None and tray.count > 0 for tray in trays)
        for weapon in game.ready.weapons:
            game.form.check(weapon.ask, game=game.name)
            game.form.check(weapon.damage, game=game.name)


def test_no_two_heroes_of_a_game_look_alike() -> None:
    for game in map(find_game, game_names()):
        assert len({(hero.colour, hero.emblem) for hero in game.ready.heroes}) == 4
        assert len({hero.name for hero in game.ready.heroes}) == 4
