"""Calls that are filled from characters, and what rolls do to them: worked out by hand from the rulebooks' texts."""

import pytest
from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.rules import find_game, game_names
from tableside.rules.characters import Characters, Opposed, costs_of, fill_answers, followups, members_left, perform_act
from tableside.rules.people import Gauge, Lasting, Person, PersonKind, Skill, Weapon

NARRATIVE = find_game("narrative").characters
HEROIC = find_game("heroic").characters
COMPANION = find_game("d6-companion").characters
WILD = find_game("d6-wild").characters

OSKARA = Person(
    id="o",
    name="Oskara",
    game="narrative",
    skills=(
        Skill(name="Mechanics", ask={"characteristic": 2, "skill": 1}),
        Skill(name="Ranged heavy", ask={"characteristic": 3, "skill": 2}),
        Skill(name="Leadership", ask={"characteristic": 2, "skill": 2}),
    ),
    weapons=(
        Weapon(
            name="Carbine",
            skill="Ranged heavy",
            ask={"purpose": "attack", "attack": "ranged", "range": "medium", "damage": 9, "critical": 3},
        ),
    ),
    trackers={"wounds": Gauge(value=0, most=12), "strain": Gauge(value=0, most=11)},
)
TROOPERS = Person(
    id="t",
    name="Troopers",
    kind=PersonKind.GROUP,
    game="narrative",
    members=4,
    skills=(
        Skill(name="Ranged heavy", ask={"characteristic": 3}),
        Skill(name="Discipline", ask={"characteristic": 2, "skill": 1}),
    ),
    defences={"soak": 5, "setback": 1},
    trackers={"wounds": Gauge(value=0, most=5)},
)


def pool(game: str, ask: dict[str, object]) -> dict[str, int]:
    tray = find_game(game).tray(ask)
    return dict(tray.dice)


def test_two_taps_and_a_difficulty_give_the_pool_of_the_rulebook() -> None:
    # M05: 2 and 1 give 1 ability and 1 proficiency; M06: Average is 2 difficulty.
    ask = fill_answers(NARRATIVE, OSKARA, skill="Mechanics", ask={"difficulty": "average"}).answers
    assert pool("narrative", ask) == {"ability": 1, "proficiency": 1, "difficulty": 2}


def test_what_was_carried_here_lies_in_the_pool_beside_what_is_asked() -> None:
    lent = [Lasting(name="One", ask={"boost": 1}), Lasting(name="Other", ask={"boost": 1, "setback": 1})]
    ask = fill_answers(
        NARRATIVE, OSKARA, skill="Mechanics", lent=lent, ask={"difficulty": "easy", "setback": 1}
    ).answers
    found = pool("narrative", ask)
    assert found == {"boost": 2, "ability": 1, "proficiency": 1, "setback": 2, "difficulty": 1}


def test_an_attack_takes_the_weapons_skill_and_the_targets_defences() -> None:
    # M05: 3 and 2 give 1 ability, 2 proficiency; M08: medium is 2 difficulty; the defence of 1 is a setback.
    ask = fill_answers(NARRATIVE, OSKARA, weapon="Carbine", opposed=Opposed(target=TROOPERS)).answers
    assert pool("narrative", ask) == {"ability": 1, "proficiency": 2, "setback": 1, "difficulty": 2}
    assert ask["soak"] == 5


def test_a_hit_wounds_by_what_soak_leaves_and_a_group_falls_one_by_one() -> None:
    # M26: 9 and 2 successes are 11 damage; less soak 5 are 6 wounds. 6 wounds pass one threshold of 5: one falls.
    ask = fill_answers(
        NARRATIVE, OSKARA, weapon="Carbine", opposed=Opposed(target=replace(TROOPERS, defences={"soak": 5}))
    ).answers
    dice = [
        Die(type="proficiency", face=("success", "success")),
        Die(type="proficiency", face=()),
        Die(type="ability", face=()),
        *[Die(type="difficulty", face=())] * 2,
    ]
    outcome = find_game("narrative").play((dice,), ask)
    (effect,) = outcome.effects
    assert (effect.tracker, effect.change) == ("wounds", 6)
    after = NARRATIVE.apply_effect(TROOPERS, effect)
    assert after.value("wounds") == 6
    assert members_left(NARRATIVE, after) == 3
    assert [str(follow.words) for follow in followups(NARRATIVE, after, before=TROOPERS)] == ["1 of them falls"]
    # A group of three has two ranks: of agility 3 and skill 2.
    assert pool("narrative", fill_answers(NARRATIVE, after, skill="Ranged heavy").answers) == {
        "ability": 1,
        "proficiency": 2,
    }


def test_leadership_is_opposed_by_discipline() -> None:
    # M15: 2 and 3 (a group of four has three ranks) give 1 difficulty, 2 challenge.
    ask = fill_answers(NARRATIVE, OSKARA, skill="Leadership", opposed=Opposed(target=TROOPERS)).answers
    assert pool("narrative", ask) == {"proficiency": 2, "difficulty": 1, "challenge": 2}


def test_a_critical_injury_follows_once_wounds_pass_the_threshold() -> None:
    hurt = replace(
        OSKARA, trackers={**OSKARA.trackers, "wounds": Gauge(value=10, most=12), "critical_injuries": Gauge(value=2)}
    )
    wounds = NARRATIVE.tracker("wounds")
    at_limit, beyond = hurt.with_value(wounds, 12), hurt.with_value(wounds, 13)
    assert followups(NARRATIVE, at_limit, before=hurt) == ()
    (follow,) = followups(NARRATIVE, beyond, before=hurt)
    assert follow.ask == {"purpose": "critical"}
    for call in (
        fill_answers(NARRATIVE, beyond, ask=follow.ask).answers,
        fill_answers(NARRATIVE, TROOPERS, opposed=Opposed(target=beyond), ask=follow.ask).answers,
    ):
        assert call["added"] == 20  # ten for each injury, whoever throws
    assert followups(NARRATIVE, beyond.with_value(wounds, 14), before=beyond) == ()


@pytest.mark.parametrize(
    ("side", "dice"),
    [
        ("light", {"proficiency": 2, "difficulty": 2}),
        ("dark", {"ability": 1, "proficiency": 1, "challenge": 1, "difficulty": 1}),
    ],
)
def test_a_destiny_point_upgrades_the_open_call_once_a_side(side: str, dice: dict[str, int]) -> None:
    ask = fill_answers(NARRATIVE, OSKARA, skill="Mechanics", ask={"difficulty": "average"}).answers
    after = NARRATIVE.flip(ask, side)
    assert pool("narrative", after) == dice
    with pytest.raises(BadAsk, match="at most"):
        pool("narrative", NARRATIVE.flip(after, side))


def test_a_wrong_pool_can_be_taken_as_it_lies() -> None:
    ask = NARRATIVE.flip(
        fill_answers(NARRATIVE, OSKARA, weapon="Carbine", opposed=Opposed(target=TROOPERS)).answers, "light"
    )
    dice = [Die(type="ability", face=("success",)), Die(type="setback", face=())]
    after = NARRATIVE.as_thrown(dice, ask)
    assert pool("narrative", after) == {"ability": 1, "setback": 1}
    outcome = find_game("narrative").play((dice,), after)
    assert outcome.succeeded is True
    assert [effect.change for effect in outcome.effects] == [5]  # 9 and 1, less 5


def test_the_heroic_condition_joins_the_pool_and_a_hit_goes_down_the_track() -> None:
    fighter = Person(
        id="f",
        name="Kell",
        game="heroic",
        skills=(Skill(name="Blades", ask={"ability": 3, "skill": 2}),),
        weapons=(
            Weapon(
                name="Sword",
                skill="Blades",
                ask={"purpose": "attack", "power": "basic_melee", "weapon": 4, "damage_ability": 3},
            ),
        ),
        trackers={"condition": Gauge(value=1)},
    )
    ogre = HEROIC.check(
        Person(
            id="g",
            name="Ogre",
            game="heroic",
            kind=PersonKind.PERSON,
            defences={"threshold": 5, "defense": "reflex", "defense_abilities": [3, 2], "defense_rank": 2},
            trackers={"stamina": Gauge(value=3)},
        )
    )
    ask = fill_answers(HEROIC, fighter, weapon="Sword", opposed=Opposed(target=ogre)).answers
    # H14: 3 and 2 give 1 difficulty, 2 challenge; H06: winded adds a setback.
    assert pool("heroic", ask) == {"ability": 1, "proficiency": 2, "setback": 1, "difficulty": 1, "challenge": 2}
    dice = [
        Die(type="proficiency", face=("success", "success")),
        Die(type="proficiency", face=("success",)),
        Die(type="ability", face=()),
        Die(type="setback", face=()),
        Die(type="difficulty", face=()),
        *[Die(type="challenge", face=())] * 2,
    ]
    outcome = find_game("heroic").play((dice,), ask)
    after = HEROIC.apply_effect(ogre, outcome.effects[0])
    # H20: 4 + 3 + 3 = 10; H05: twice a threshold of 5 staggers and goes one step down.
    assert (after.value("condition"), after.value("staggered"), after.value("stamina")) == (1, 1, 3)


def test_a_force_point_doubles_the_code_and_dark_points_change_no_roll() -> None:
    vex = Person(id="v", name="Vex", game="d6-companion", skills=(Skill(name="Blaster", ask={"code": "4D+1"}),))
    ask = fill_answers(COMPANION, vex, skill="Blaster", ask={"difficulty": 12}).answers
    after = COMPANION.flip(ask, "light")
    assert pool("d6-companion", after) == {"pip": 8}
    assert costs_of(COMPANION, after) == {"force_points": 1}
    with pytest.raises(BadAsk):
        COMPANION.flip(after, "light")
    assert COMPANION.flip(ask, "dark") is None


def test_a_dodge_and_a_strength_total_are_what_shot_and_damage_are_made_against() -> None:
    vex = Person(
        id="v",
        name="Vex",
        game="d6-companion",
        skills=(Skill(name="Blaster", ask={"code": "4D"}),),
        weapons=(
            Weapon(name="Pistol", skill="Blaster", ask={"difficulty": 10}, damage={"code": "5D", "purpose": "damage"}),
        ),
    )
    shot = fill_answers(COMPANION, vex, weapon="Pistol", opposed=Opposed(total={"total": 15})).answers
    assert (shot["reaction"], shot["reaction_total"]) == ("combat", 15)
    damage = fill_answers(COMPANION, vex, weapon="Pistol", is_damage=True, opposed=Opposed(total={"total": 9})).answers
    assert pool("d6-companion", damage) == {"pip": 5}
    # 18 is twice 9: incapacitated.
    dice = [Die(type="pip", face=(face,)) for face in "54432"]
    (effect,) = find_game("d6-companion").play((dice,), damage).effects
    target = Person(id="t", name="Trooper", kind=PersonKind.PERSON, game="d6-companion")
    assert COMPANION.tracker("wounds").step(COMPANION.apply_effect(target, effect).value("wounds")) == "incapacitated"


def test_a_wound_costs_dice_and_worsens_as_the_summary_prints_it() -> None:
    hurt = WILD.check(Person(id="w", name="Wynn", game="d6-wild", skills=(Skill(name="Dodge", ask={"code": "5D"}),)))
    wounded = find_game("d6-wild").play(
        ([Die(type="pip", face=("6",)), Die(type="pip", face=("5",)), Die(type="wild", face=("4",))],),
        {"purpose": "damage", "against": 9},
    )
    (effect,) = wounded.effects  # a margin of 6
    once = WILD.apply_effect(hurt, effect)
    twice = WILD.apply_effect(once, effect)
    steps = WILD.tracker("wounds")
    assert [steps.step(one.value("wounds")) for one in (once, twice)] == ["wounded", "wounded_twice"]
    assert pool("d6-wild", fill_answers(WILD, twice, skill="Dodge").answers) == {"pip": 2, "wild": 1}  # -2D


@pytest.mark.parametrize("name", game_names())
def test_an_unknown_answer_tracker_or_skill_is_refused_by_name(name: str) -> None:
    characters = find_game(name).characters
    person = Person(id="x", name="Xan", game=name)
    with pytest.raises(BadAsk):
        characters.check(replace(person, skills=(Skill(name="Odd", ask={"nonsense": 1}),)))
    with pytest.raises(GameError):
        characters.check(replace(person, trackers={"nonsense": Gauge()}))
    with pytest.raises(GameError):
        characters.check(replace(person, weapons=(Weapon(name="Bow", skill="Archery"),)))
    with pytest.raises(GameError):
        fill_answers(characters, person, skill="Archery")
    for kind in PersonKind:
        whole = characters.check(replace(person, kind=kind))
        assert set(whole.trackers) == {one.name for one in characters.trackers if kind in one.kinds}


def test_who_names_no_skill_or_has_none_is_told_what_to_do() -> None:
    kesh = Person(id="k", name="Kesh", game="d6-companion", skills=(Skill(name="Control", ask={"code": "2D"}),))
    with pytest.raises(GameError, match="no skill is named") as unnamed:
        perform_act(COMPANION, kesh, "train", {})
    assert str(unnamed.value.hint) == "Known are: Control."
    bare = replace(kesh, skills=())
    for missing in (lambda: bare.skill("Control"), lambda: bare.weapon("Pistol")):
        with pytest.raises(GameError) as fault:
            missing()
        assert fault.value.hint


def test_stuns_spare_strength_and_damage_to_a_ship_spares_its_hull() -> None:
    # stun_track: all codes except Strength; starship_damage, capital_state: all but the hull.
    skills = tuple(Skill(name=name, ask={"code": "3D"}) for name in ("Blaster", "Strength", "Hull"))
    trackers = {"stuns": Gauge(value=1), "ionized": Gauge(value=1), "capital_damage": Gauge(value=2)}
    hurt = Person(id="t", name="Thug", game="d6-companion", skills=skills, trackers=trackers)
    blaster, strength, hull = (fill_answers(COMPANION, hurt, skill=skill.name).answers for skill in skills)
    assert (blaster["stuns"], blaster["ionized"], blaster["ship_damage"]) == (1, 1, 2)
    assert "stuns" not in strength
    assert not {"ionized", "ship_damage"} & set(hull)


@pytest.mark.parametrize(
    ("characters", "defences"),
    [(COMPANION, {"difficulty": 15, "target_scale": "speeder"}), (WILD, {"cover": "1/4", "other_scale": "speeder"})],
    ids=["d6-companion", "d6-wild"],
)
def test_what_is_hard_to_hit_is_not_harder_to_hurt(characters: Characters, defences: dict[str, object]) -> None:
    target = Person(id="t", name="Thug", game=characters.game, defences=defences)
    ask = fill_answers(
        characters, None, opposed=Opposed(target=target), ask={"code": "5D", "purpose": "damage"}
    ).answers
    (scale,) = (name for name in defences if name.endswith("scale"))
    assert ask == {"code": "5D", "purpose": "damage", scale: "speeder"}


@pytest.mark.parametrize("characters", [COMPANION, WILD], ids=["d6-companion", "d6-wild"])
def test_the_dying_throw_two_dice_whatever_they_suffer(characters: Characters) -> None:
    trackers = {"wounds": Gauge(value=2), "stuns": Gauge(value=1)}
    dying = Person(id="t", name="Thug", game=characters.game, trackers=trackers)
    ask = fill_answers(characters, dying, ask={"purpose": "dying", "rounds": 3}).answers
    tray = find_game(characters.game).tray(ask)
    assert dict(tray.dice) == {"pip": 2}


@pytest.mark.parametrize("game", game_names())
def test_a_group_has_so_many_that_a_table_can_count_them(game: str) -> None:
    characters = find_game(game).characters
    for members in (1, 1000):
        assert characters.check(Person(id="all", name="All", kind=PersonKind.GROUP, members=members)).members == members
    for members in (0, 1001, 10**9):
        with pytest.raises(GameError, match=f"{members} members"):
            characters.check(Person(id="all", name="All", kind=PersonKind.GROUP, members=members))
