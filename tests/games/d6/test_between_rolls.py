"""What one roll, point or act of a D6 game leaves for the next: every piece is played twice, or on its own roller."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.d6_companion.lasts import lasting
from tableside.rules import Game, find_game
from tableside.rules.characters import (
    Help,
    Opposed,
    fill_answers,
    followups,
    members_left,
    perform_act,
    read_older,
    why_out,
)
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Effect, Gauge, Lasting, Person, PersonKind, Skill, Weapon
from tests.rules.asks import pips, wild

COMPANION, WILD = find_game("d6-companion"), find_game("d6-wild")
BOTH = pytest.mark.parametrize("game", [COMPANION, WILD], ids=lambda game: game.name)


def person(game: Game, codes: dict[str, str], **more: Any) -> Person:
    skills = tuple(Skill(name=name, ask={"code": code}) for name, code in codes.items())
    trackers = {name: Gauge(value=value) for name, value in more.pop("trackers", {}).items()}
    found = Person(id=more.pop("id", "v"), name="Vex", game=game.name, skills=skills, trackers=trackers, **more)
    return game.characters.check(found)


def scored(game: Game, ask: dict[str, Any], total: int) -> Outcome:
    """Return the outcome of a roll with this total."""
    dice = [wild(2)] if game is WILD else pips(2)
    return game.play((dice,), {**ask, "code": "1D", "pips": total - 2})


def after(game: Game, one: Person, outcome: Outcome, place: int = 0) -> Person:
    return game.characters.apply_effect(one, outcome.effects[place])


def code(game: Game, ask: dict[str, Any]) -> str:
    return game.odds(ask).pool


# --- character points of the Wild Die


@pytest.mark.parametrize(
    ("throws", "total"),
    [
        ([[4], [5]], 12 + 4 + 5),
        ([[6], [3], [2]], 12 + 6 + 3 + 2),  # the chain of the first point, then the second
        ([[6], [6], [1], [6], [5]], 12 + 6 + 6 + 1 + 6 + 5),
        ([[6, 2], [4]], 12 + 6 + 2 + 4),  # both at once
    ],
)
def test_character_points_are_thrown_together_or_one_after_another(throws: list[list[int]], total: int) -> None:
    ask: dict[str, Any] = {"code": "3D", "character_points": 2}
    made: list[list[Die]] = [[*pips(5, 4), wild(3)], *(pips(*throw) for throw in throws)]
    for count in range(1, len(made)):
        waiting = WILD.play(made[:count], ask)
        assert (waiting.awaits.name, waiting.short) == ("points", ())
    done = WILD.play(made, ask)
    assert (dict(done.net)["total"], done.awaits) == (total, None)


def test_a_second_point_is_bought_only_when_the_first_was_thrown() -> None:
    roll, ask = [*pips(5, 4), wild(3)], {"code": "3D", "difficulty": 30, "use": "specialization"}
    for spent in range(5):
        asked = ask | {"character_points": spent}
        throws = [roll, *(pips(2) for _ in range(spent))]
        (spend,) = WILD.spends(WILD.play(throws, asked), asked)
        bought = ask | dict(spend.sets)
        assert bought["character_points"] == spent + 1
        assert WILD.spends(WILD.play(throws, bought), bought) == ()
    asked = ask | {"character_points": 5}
    assert WILD.spends(WILD.play([roll, *(pips(2) for _ in range(5))], asked), asked) == ()


# --- what joins an attack alone


def test_cover_and_what_is_hard_to_hit_join_attacks_alone() -> None:
    hard = person(WILD, {}, defences={"difficulty": 24, "cover": "3/4", "other_scale": "walker"})
    vex = person(WILD, {"Con": "3D", "Blaster": "3D"}, id="a", weapons=(Weapon(name="Gun", skill="Blaster"),))

    def call(skill: str = "", weapon: str = "", **ask: Any) -> dict[str, Any]:
        opposed = Opposed(target=hard)
        return fill_answers(WILD.characters, vex, skill=skill, weapon=weapon, opposed=opposed, ask=ask).answers

    assert scored(WILD, call("Con", purpose="first_aid"), 11).difficulty == 11
    assert call("Con") == {"code": "3D"}
    for attack in (call(weapon="Gun"), call("Blaster"), call("Con", range="long"), call("Con", role="attack")):
        assert attack.items() >= {"difficulty": 24, "cover": "3/4", "other_scale": "walker"}.items()
    assert call("Con", role="dodge").get("other_scale") == "walker"


def test_the_scale_of_those_who_meet_counts_for_all_that_they_throw_at_each_other() -> None:
    bike = person(
        WILD, {"Gunnery": "4D", "Hull": "3D+1"}, id="bike", kind=PersonKind.THING, defences={"other_scale": "speeder"},
        weapons=(Weapon(name="Gun", skill="Gunnery", damage={"code": "4D"}),),
    )  # fmt: skip
    gun = Weapon(name="Gun", skill="Gunnery", ask={"scale": "starfighter"}, damage={"code": "6D"})
    fighter = person(WILD, {"Gunnery": "5D"}, id="fighter", weapons=(gun,), defences={"other_scale": "starfighter"})
    ann = person(
        WILD, {"Blaster": "5D", "Dodge": "3D", "Strength": "2D+2"}, id="ann",
        weapons=(Weapon(name="Gun", skill="Blaster", damage={"code": "5D"}),),
    )  # fmt: skip

    def dice(who: Person, target: Person | None, **call: Any) -> int:
        ask = fill_answers(WILD.characters, who, opposed=Opposed(target=target), **call).answers
        wanted = WILD.tray(ask)
        return sum(count for _, count in wanted.dice)

    # the smaller hits and the larger resists: character 0, speeder 2, starfighter 6
    assert (dice(ann, bike, weapon="Gun"), dice(bike, ann, skill="Hull")) == (7, 5)
    assert (dice(ann, bike, skill="Blaster"), dice(ann, bike, weapon="Gun", is_damage=True)) == (7, 5)
    # the larger hurts and the smaller dodges
    assert (dice(bike, ann, weapon="Gun"), dice(bike, ann, weapon="Gun", is_damage=True)) == (4, 6)
    assert (dice(ann, bike, skill="Dodge", ask={"role": "dodge"}), dice(ann, bike, skill="Strength")) == (5, 2)
    assert (dice(bike, fighter, weapon="Gun"), dice(fighter, bike, weapon="Gun", is_damage=True)) == (8, 10)
    # whoever is alike, or not known, changes nothing
    assert (dice(ann, ann, weapon="Gun"), dice(bike, bike, weapon="Gun")) == (5, 4)
    assert (dice(bike, None, skill="Hull"), dice(fighter, None, weapon="Gun", is_damage=True)) == (3, 6)


def test_a_companions_defences_join_attacks_alone() -> None:
    characters = COMPANION.characters
    hard = person(COMPANION, {}, defences={"difficulty": 24, "target_scale": "speeder"})
    hard = hard.with_state(lasting("shields", 9))
    hard = perform_act(characters, hard, "drop", {}).person
    vex = person(COMPANION, {"Con": "3D", "Blaster": "3D"}, id="a", weapons=(Weapon(name="Gun", skill="Blaster"),))
    con = fill_answers(characters, vex, skill="Con", opposed=Opposed(target=hard)).answers
    gun = fill_answers(characters, vex, weapon="Gun", opposed=Opposed(target=hard)).answers
    assert con.keys() & {"difficulty", "fire", "shields"} == set()
    assert gun.items() >= {"difficulty": 24, "fire": ["prone"], "shields": 9}.items()


# --- on the own roller


@pytest.mark.parametrize(("power", "tracker"), [("force of will", "will"), ("emptiness", "emptiness")])
def test_a_power_on_oneself_is_not_hindered_by_what_guards_one(power: str, tracker: str) -> None:
    vex = person(COMPANION, {"Control": "6D"}, trackers={"will": 13, "emptiness": 17})
    ask = {"purpose": "power", "power": power, "case_control": "enter"}
    own = fill_answers(COMPANION.characters, vex, opposed=Opposed(target=vex), ask=ask).answers
    other = fill_answers(
        COMPANION.characters, person(COMPANION, {"Control": "6D"}, id="o"), opposed=Opposed(target=vex), ask=ask
    ).answers
    assert own.keys() & {"target_will", "target_emptiness"} == set()
    assert other.items() >= {"target_will": 13, "target_emptiness": 17}.items()
    outcome = COMPANION.play((pips(2, 3, 3, 2, 3, 3),), own)
    assert outcome.succeeded
    assert after(COMPANION, vex, outcome).value(tracker) == 16


# --- atonement


def test_atonement_costs_a_point_that_comes_back_when_the_adventure_ends() -> None:
    characters = COMPANION.characters
    vex = person(COMPANION, {}, trackers={"force_points": 3, "dark_side_points": 4})

    def points(one: Person) -> tuple[int, int]:
        return one.value("force_points"), one.value("dark_side_points")

    once = perform_act(characters, vex, "atone", {}).person
    assert points(once) == (2, 3)
    with pytest.raises(BadAsk, match="nothing can be atoned"):
        perform_act(characters, once, "atone", {})
    over = perform_act(characters, once, "adventure", {}).person
    assert points(over) == (3, 3)
    assert points(perform_act(characters, over, "adventure", {}).person) == (3, 3)
    assert points(perform_act(characters, over, "atone", {}).person) == (2, 2)
    with pytest.raises(BadAsk, match="no Force Point to atone with"):
        perform_act(characters, person(COMPANION, {}, trackers={"dark_side_points": 1, "force_points": 0}), "atone", {})


# --- combined fire


@pytest.mark.parametrize(
    ("commander", "declared", "more", "shooters", "bonus"),
    [
        ("", 1, {}, 5, -6),  # nobody commands: the best code has three dice
        ("", 1, {"troopers": True}, 5, 12),
        ("6D", 1, {}, 5, 12),  # the commander fires, too: 5D of command are left
        ("6D", 2, {}, 5, 11),  # what was declared for it, and a die less of the commander's own fire
        ("6D", 3, {}, 4, 7),
        ("6D", 3, {}, 5, -3),
        ("6D", 1, {}, 6, -3),
        ("4D", 1, {}, 5, -6),
    ],
)
def test_as_many_combine_their_fire_as_are_commanded(
    commander: str, declared: int, more: dict[str, Any], shooters: int, bonus: int
) -> None:
    def shooter(n: int) -> Person:
        codes = {"Blaster": "3D"} | ({"Command": commander} if commander and n == 1 else {})
        now = Lasting(name="Declared", until="round", ask={"actions": declared if n == 1 else 1})
        return person(COMPANION, codes, id=str(n), weapons=(Weapon(name="Gun", skill="Blaster"),), states=(now,))

    first, *others = (shooter(n) for n in range(shooters))
    helped = Help(helpers=others, is_urgent=True)
    ask = fill_answers(COMPANION.characters, first, weapon="Gun", skill="Blaster", helped=helped, ask=more).answers
    assert code(COMPANION, ask) == f"3D{bonus:+d}"


def test_who_only_commands_gives_no_pips_and_all_of_the_command() -> None:
    shooters = [person(COMPANION, {"Blaster": "3D"}, id=str(n)) for n in range(6)]
    leader = person(COMPANION, {"Command": "6D"}, id="leader")
    helped = Help(helpers=[*shooters[1:], leader], is_urgent=True)
    ask = fill_answers(
        COMPANION.characters, shooters[0], skill="Blaster", helped=helped, ask={"attack": "ranged_weapon"}
    ).answers
    assert code(COMPANION, ask) == "3D+15"


# --- measures and damage


def test_what_is_measured_has_no_difficulty_and_no_odds_of_success() -> None:
    ask = {"purpose": "scatter", "about": "medium", "band": "easy", "difficulty": 4}
    outcome = COMPANION.play((pips(6, 2),), ask)
    assert (outcome.headline, outcome.succeeded, outcome.difficulty) == ("It lands 8 m off", None, None)
    assert "success" not in dict(COMPANION.odds(ask).chances)
    collision = {"purpose": "collision", "mover": "walker", "speed_actions": 1, "about": "short"}
    assert COMPANION.play((pips(1, 2, 3, 4, 5, 6),), collision).succeeded is None


@pytest.mark.parametrize(
    ("game", "strength", "left"),
    [(WILD, "3D+2", 2), (WILD, "4D", 0), (WILD, "2D-1", 0), (WILD, "5D", None), (COMPANION, "1D+2", 2)],
)
def test_who_has_no_die_left_resists_with_what_is_left(game: Game, strength: str, left: int | None) -> None:
    down = {"wounds": 4} if game is WILD else {"wounds": 2}
    patient = person(game, {"Strength": strength}, id="p", trackers=down)
    ask = {"purpose": "damage", "code": "4D"}
    call = fill_answers(game.characters, None, opposed=Opposed(target=patient), ask=ask).answers
    assert call.get("against") == left
    if left is not None:
        hurt = scored(game, call, left + 9)
        assert after(game, patient, hurt).value("wounds") > patient.value("wounds")
        attack = game.attack({"code": "4D", "difficulty": 2}, damage=ask, resists={"code": "0D", "pips": left})
        assert attack.hurts > 0
    # who has thrown against it already, has
    thrown = fill_answers(game.characters, None, opposed=Opposed(target=patient, total={"total": 11}), ask=ask).answers
    assert thrown["against"] == 11


# --- who is out, and groups


@BOTH
def test_of_a_group_one_falls_at_a_time(game: Game) -> None:
    characters = game.characters
    group = person(game, {"Strength": "2D"}, kind=PersonKind.GROUP, members=3)
    steps = characters.tracker("wounds").steps
    down = Effect(tracker="wounds", set=steps.index("mortally_wounded"))
    left = []
    for _ in range(3):
        hurt = characters.apply_effect(group, Effect(tracker="wounds", set=steps.index("wounded")))
        assert (hurt.value("wounds"), members_left(characters, hurt)) == (steps.index("wounded"), 3 - len(left))
        before, group = group, characters.apply_effect(hurt, down)
        assert [follow.words for follow in followups(characters, group, before=before)] == ["1 of them falls"]
        assert group.value("wounds") == 0
        left.append((members_left(characters, group), str(why_out(characters, group))))
    assert left == [(2, ""), (1, ""), (0, "All of them have fallen")]


@pytest.mark.parametrize(
    ("game", "trackers", "why"),
    [
        ("d6-companion", {"unconscious": 1}, "Unconscious"),
        ("d6-companion", {"wounds": 1}, ""),
        ("d6-companion", {"wounds": 2}, "Incapacitated"),
        ("d6-companion", {"wounds": 3}, "Mortally wounded"),
        ("d6-companion", {"wounds": 4}, "Dead"),
        ("d6-companion", {"stuns": 2}, ""),
        ("d6-companion", {"stuns": 3}, "Immobile: no skills of Dexterity"),
        ("d6-companion", {"stuns_before": 3}, "Immobile: no skills of Dexterity"),
        ("d6-companion", {"ship_damage": 4}, "Destroyed"),
        ("d6-companion", {"ship_damage": 3}, ""),
        ("d6-companion", {"capital_damage": 9}, "Destroyed"),
        ("d6-wild", {"unconscious": 1}, "Unconscious"),
        ("d6-wild", {"wounds": 3}, ""),
        ("d6-wild", {"wounds": 4}, "Incapacitated"),
        ("d6-wild", {"wounds": 5}, "Mortally wounded"),
        ("d6-wild", {"wounds": 6}, "Dead"),
    ],
)
def test_one_place_says_why_somebody_cannot_roll(game: str, trackers: dict[str, int], why: str) -> None:
    rules = find_game(game)
    vex = person(rules, {"Dexterity": "3D+2", "Strength": "4D"}, trackers=trackers)
    assert str(why_out(rules.characters, vex)) == why


@pytest.mark.parametrize(
    ("game", "effects", "why"),
    [
        (COMPANION, [Effect(tracker="stuns", change=2), Effect(tracker="stuns", change=1)], "Unconscious"),
        (WILD, [Effect(tracker="stuns", change=1)] * 3, "Unconscious"),
    ],
)
def test_what_the_sentence_says_is_on_the_tracker_until_somebody_wakes(
    game: Game, effects: list[Effect], why: str
) -> None:
    vex = person(game, {"Dexterity": "5D", "Strength": "3D"})
    for effect in effects[:-1]:
        vex = game.characters.apply_effect(vex, effect)
        assert why_out(game.characters, vex) == ""
    vex = game.characters.apply_effect(vex, effects[-1])
    assert why_out(game.characters, vex) == why
    assert why_out(game.characters, perform_act(game.characters, vex, "wake", {}).person) == ""


# --- parts of skills


@pytest.mark.parametrize(
    ("skill", "ask", "trackers", "thrown"),
    [
        ("Research", {}, {"dimmed": 2}, "5D"),
        ("Search", {}, {"dimmed": 2}, "3D"),
        ("Suche", {}, {"dimmed": 2}, "5D"),
        ("Suche", {"part": "senses"}, {"dimmed": 2}, "3D"),
        ("Gunsmith", {}, {"gunner_orders": 1}, "5D"),
        ("starship gunnery", {}, {"gunner_orders": 1}, "4D"),
        ("Schiffskanonen", {"part": "gunner"}, {"gunner_orders": 4}, "5D+2"),
        ("Stärke", {"part": "strength"}, {"stuns": 1}, "5D"),
        ("Strength", {}, {"stuns": 1}, "5D"),
        ("Panzerung", {"part": "hull"}, {"ionized": 1, "stuns": 1}, "4D"),
    ],
)
def test_a_skill_says_its_part_and_no_name_is_guessed_from(
    skill: str, ask: dict[str, Any], trackers: dict[str, int], thrown: str
) -> None:
    vex = read_older(COMPANION.characters, person(COMPANION, {}, trackers=trackers))
    vex = Person.from_json({**vex.to_json(), "skills": [Skill(name=skill, ask={"code": "5D", **ask}).to_json()]})
    assert code(COMPANION, fill_answers(COMPANION.characters, vex, skill=skill).answers) == thrown


def test_a_code_that_only_resists_is_refused_as_a_roll_of_its_own() -> None:
    with pytest.raises(GameError, match="no die is left"):
        WILD.tray({"code": str(Code(dice=4)), "state": "incapacitated"})


@pytest.mark.parametrize(
    ("codes", "blown", "hits", "left"),
    [
        ({"Shields": "3D"}, 8, [1, 1], (9, 1)),  # the ninth pip to the shields, the tenth to the ship
        ({"Shields": "3D"}, 8, [1, 1, 2], (9, 3)),
        ({"Shields": "3D"}, 8, [3], (9, 2)),  # of one hit alike
        ({"Shields": "2D+1"}, 0, [4, 4], (7, 1)),
        ({"Shields": "3D"}, 0, [2, 2], (4, 0)),
        ({}, 0, [1], (1, 0)),  # nobody told how many boxes there are
    ],
)
def test_pips_come_off_the_shields_until_their_row_is_empty(
    codes: dict[str, str], blown: int, hits: list[int], left: tuple[int, int]
) -> None:
    """Once the row is empty later damage goes to the ship (S003 ch. 7, capital_shields)."""
    ship = person(COMPANION, codes, kind=PersonKind.THING, trackers={"shield_damage": blown})
    for pips_of_hit in hits:
        ask = {"purpose": "capital_damage", "against": 10, "shields_worked": True}
        ship = after(COMPANION, ship, scored(COMPANION, ask, 10 * pips_of_hit))
    assert (ship.value("shield_damage"), ship.value("capital_damage")) == left
