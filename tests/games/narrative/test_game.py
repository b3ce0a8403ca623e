"""The narrative game from the ask to the spending."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.dice import Die, find_sets
from tableside.errors import BadAsk
from tableside.games.narrative.checks import assisted, merit_of
from tableside.games.narrative.gear import GEAR, QUALITIES, Weapon
from tableside.games.narrative.options import OPTIONS
from tableside.games.narrative.pool import Rating
from tableside.rules import find_game
from tableside.rules.characters import Opposed, fill_answers
from tableside.rules.form import Kind
from tableside.rules.people import Person, PersonKind
from tests.rules.asks import SETS, symbols
from tests.rules.laws import GameLaws

GAME = find_game("narrative")
(SET,) = find_sets(["narrative"])
SLICING = {"characteristic": 3, "skill": 2, "difficulty": "average"}


def tray(**ask: object) -> dict[str, int]:
    wanted = GAME.tray(ask)
    return dict(wanted.dice) if wanted else {}


@pytest.mark.parametrize(
    ("ask", "dice"),
    [
        (SLICING, {"ability": 1, "proficiency": 2, "difficulty": 2}),
        (
            SLICING | {"boost": 1, "setback": 2},
            {"boost": 1, "ability": 1, "proficiency": 2, "setback": 2, "difficulty": 2},
        ),
        ({"characteristic": 2}, {"ability": 2}),
        ({"dice": {"ability": 2}, "force": 1}, {"ability": 2, "force": 1}),
        (SLICING | {"second_characteristic": 2, "second_skill": 3}, {"proficiency": 2, "difficulty": 2}),
        ({"characteristic": 2, "helper_characteristic": 3, "helper_skill": 1}, {"ability": 2, "proficiency": 1}),
        (
            SLICING | {"opponent_characteristic": 2, "opponent_skill": 1},
            {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 1},
        ),
        ({"characteristic": 1, "attack": "ranged", "range": "long"}, {"ability": 1, "difficulty": 3}),
        ({"characteristic": 1, "attack": "melee", "range": "engaged"}, {"ability": 1, "difficulty": 2}),
        (
            {"characteristic": 1, "attack": "melee", "range": "engaged", "ruleset": "summary"},
            {"ability": 1, "difficulty": 1},
        ),
        ({"characteristic": 1, "difficulty": "hard", "adversary": 2}, {"ability": 1, "difficulty": 1, "challenge": 2}),
        (SLICING | {"helping_hand": 1}, {"proficiency": 3, "difficulty": 2}),
        (SLICING | {"raising_the_stakes": 1}, {"ability": 1, "proficiency": 2, "difficulty": 1, "challenge": 1}),
        ({"dice": {"difficulty": 1}, "upgrade_difficulty": 2, "downgrade_difficulty": 1}, {"difficulty": 2}),
        (SLICING | {"remove": {"difficulty": 5}}, {"ability": 1, "proficiency": 2}),
        ({"characteristic": 3, "difficulty": "impossible"}, {"ability": 3, "difficulty": 5}),
        ({"purpose": "destiny", "players": 4}, {"force": 4}),
        ({"purpose": "percentile"}, {"d100": 1, "d10": 1}),
        ({"difficulty": "hard"}, {}),
        (SLICING | {"owned": {"proficiency": 1}}, {"ability": 1, "proficiency": 1, "difficulty": 2}),
    ],
)
def test_the_ask_tells_which_dice_should_lie_there(ask: dict[str, object], dice: dict[str, int]) -> None:
    assert tray(**ask) == dice


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        ({"characteristic": 2, "difficulty": "impossible", "helping_hand": 1}, "on an impossible task"),
        (SLICING | {"helping_hand": 2}, "helping_hand is 2. Each side spends one point"),
        ({"characteristic": 1, "attack": "ranged", "range": "engaged"}, "no ranged attack at range 'engaged'"),
        ({"dice": {"ability": 50, "difficulty": 11}}, "There are at most 60 dice"),
        ({"dice": {"ability": 50}, "boost": 11}, "61 dice are too many"),
        ({"dice": {"ability": -1}}, "Of each die there are 0 to 60"),
        ({"advantage": -1}, "add the opposite symbol to take one away"),
    ],
)
def test_what_the_rules_do_not_allow_is_named(ask: dict[str, object], message: str) -> None:
    with pytest.raises(BadAsk, match=message):
        GAME.tray(ask)


def test_a_setting_lets_a_side_spend_more_points_on_a_check() -> None:
    assert tray(**SLICING, helping_hand=2, one_point_a_side=False) == {"ability": 1, "proficiency": 3, "difficulty": 2}


def test_a_missing_die_and_one_too_many_are_said_and_decide_nothing() -> None:
    outcome = GAME.play((symbols("ability: proficiency: proficiency:success difficulty: boost:"),), SLICING)
    assert (outcome.word, outcome.succeeded, outcome.headline) == ("undecided", None, "1 die too few")
    assert outcome.short == (("boost", -1), ("difficulty", 1))
    assert outcome.sentence.startswith("1 difficulty die is missing. 1 boost die is too many. So far: 1 success.")


def test_a_pool_larger_than_the_players_own_is_thrown_in_parts() -> None:
    ask = {"dice": {"ability": 3}, "owned": {"ability": 2}}
    first = GAME.play((symbols("ability:success ability:"),), ask)
    assert (dict(first.awaits.dice), first.awaits.sentence) == ({"ability": 1}, "Throw 1 ability die more.")
    second = GAME.play((symbols("ability:success ability:"), symbols("ability:success")), ask)
    assert (second.succeeded, dict(second.net)["success"]) == (True, 2)


def test_only_too_many_dice_are_said_as_such() -> None:
    assert GAME.play((symbols("ability: ability:success"),), {"characteristic": 1}).headline == "1 die too many"


def test_more_throws_than_asked_for_are_refused() -> None:
    with pytest.raises(BadAsk, match="1 throw more than asked for"):
        GAME.play((symbols("ability:"), symbols("ability:")), {"characteristic": 1})


def test_every_throw_of_a_small_pool_succeeds_as_often_as_the_odds_say() -> None:
    ask = {"characteristic": 1, "difficulty": "easy", "setback": 1}
    faces = [SET.type(name).faces for name in ("ability", "difficulty", "setback")]
    outcomes = [
        GAME.play(
            ([Die(type=t, face=f) for t, f in zip(("ability", "difficulty", "setback"), throw, strict=True)],), ask
        )
        for throw in itertools.product(*faces)
    ]
    successes = sum(bool(outcome.succeeded) for outcome in outcomes)
    assert dict(GAME.odds(ask).chances)["success"] == Fraction(successes, len(outcomes))


def test_each_point_of_destiny_is_weighed() -> None:
    prospect = GAME.odds(SLICING)
    helped, hindered = prospect.spends
    assert dict(prospect.chances)["success"] == Fraction(6455, 9216)
    assert (helped[0].name, helped[0].by, helped[0].prices) == ("helping_hand", "roller", (("light", 1),))
    assert (hindered[0].name, hindered[0].by, hindered[0].prices) == ("raising_the_stakes", "gm", (("dark", 1),))
    for spend, chance in prospect.spends:
        assert dict(GAME.odds(SLICING | dict(spend.sets)).chances)["success"] == chance
    assert hindered[1] < Fraction(6455, 9216) < helped[1]


def test_a_point_that_the_rules_forbid_is_not_offered() -> None:
    impossible = GAME.odds({"characteristic": 3, "difficulty": "impossible"})
    assert [spend.name for spend, _ in impossible.spends] == ["raising_the_stakes"]
    assert [spend.name for spend, _ in GAME.odds(SLICING | {"helping_hand": 1}).spends] == ["raising_the_stakes"]


def test_an_attack_tells_its_damage_and_what_is_left_past_soak() -> None:
    ask = {"purpose": "attack", "weapon": "blaster_carbine", "soak": 4}
    outcome = GAME.play((symbols("ability:success,success"),), ask)
    assert outcome.headline == "Hit for 7"
    assert outcome.sentence.startswith("Hit for 7. 11 less soak 4. Success")
    assert GAME.play((symbols("difficulty:failure"),), ask).headline == "Miss"
    assert GAME.play((symbols("ability:success"),), {"purpose": "attack"}).headline == "Hit"
    melee = {"purpose": "attack", "weapon": "vibroknife", "damage_bonus": 2}
    assert GAME.play((symbols("ability:success"),), melee).headline == "Hit for 6"


def test_initiative_is_a_rank_and_no_success() -> None:
    outcome = GAME.play((symbols("ability:success,advantage ability:success"),), {"purpose": "initiative"})
    assert (outcome.word, outcome.succeeded, outcome.headline) == ("total", None, "2 successes, 1 advantage")


def test_the_destiny_pool_starts_from_all_force_dice_at_once() -> None:
    thrown = symbols("force:light force:dark,dark force:dark force:light,light")
    outcome = GAME.play((thrown,), {"purpose": "destiny", "players": 4})
    assert (outcome.headline, outcome.word) == ("3 light, 3 dark", "light")
    assert dict(GAME.play((thrown[:3],), {"purpose": "destiny", "players": 4}).short) == {"force": 1}


def test_plain_dice_stand_for_symbol_dice_where_the_table_wants_it() -> None:
    thrown = [Die(type="ability", face=("4",)), Die(type="challenge", face=("12",))]
    net = dict(GAME.play((thrown,), {"numbered": True}).net)
    assert (net["success"], net["despair"]) == (1, 1)
    with pytest.raises(LookupError, match="no face 4"):
        GAME.play((thrown,), {})


def test_pierce_is_always_on() -> None:
    ask = {"purpose": "attack", "weapon": "vibroknife", "soak": 4}
    outcome = GAME.play((symbols("ability:success,success"),), ask)
    assert outcome.sentence.startswith("Hit for 3. 5 less soak 2. ")
    assert "M28" in [step.rule for step in outcome.steps]
    by_hand = {"purpose": "attack", "damage": 3, "pierce": 3, "soak": 2}
    assert "Hit for 5. 5 less soak 0." in GAME.play((symbols("ability:success,success"),), by_hand).sentence
    assert "Hit for 1. 5 less soak 4." in GAME.play((symbols("ability:success,success"),), ask | {"pierce": 0}).sentence


def test_what_pierce_lets_through_may_be_critical() -> None:
    ask = {"purpose": "attack", "weapon": "vibroknife", "soak": 5}
    thrown = "ability:success,success ability:advantage,advantage"
    assert bought(thrown, **ask)["critical_hit"] == (("advantage", 2),)
    assert "critical_hit" not in bought(thrown, **ask | {"soak": 7})


def test_vicious_is_always_on() -> None:
    pair = [Die(type="d100", face=("50",)), Die(type="d10", face=("7",))]
    outcome = GAME.play((pair,), {"purpose": "percentile", "weapon": "disruptor_pistol", "added": 10})
    assert outcome.net == (("total", 107),)
    ask = {"purpose": "attack", "weapon": "disruptor_pistol"}
    spends = GAME.spends(GAME.play((symbols("proficiency:triumph"),), ask), ask)
    assert spends[0].title == "A critical hit: 40 more on the percentile throw"


def test_only_weapons_with_a_quality_to_activate_are_offered_one() -> None:
    triumph = "proficiency:triumph"
    for name, gear in GEAR.items():
        if isinstance(gear, Weapon):
            assert gear.qualities.keys() <= QUALITIES.keys()
            is_offered = "weapon_quality" in bought(triumph, purpose="attack", weapon=name)
            assert is_offered == any(QUALITIES[quality] == "activated" for quality in gear.qualities), name
            assert "weapon_quality" in bought(triumph, purpose="attack", weapon=name, quality_cost=3)
    assert "weapon_quality" in bought(triumph, purpose="attack")  # nobody knows what is not named


def bought(thrown: str, **ask: object) -> dict[str, tuple[tuple[str, int], ...]]:
    return {spend.name: spend.prices for spend in GAME.spends(GAME.play((symbols(thrown),), ask), ask)}


def test_advantages_reach_as_far_as_they_go_and_a_triumph_buys_what_they_would() -> None:
    few, triumph = bought("ability:advantage", in_fight=True), bought("proficiency:triumph", in_fight=True)
    assert few["recover_strain"] == (("advantage", 1),)
    both = bought("proficiency:triumph ability:advantage", in_fight=True)
    assert both["recover_strain"] == (("advantage", 1), ("triumph", 1))
    assert both["free_maneuver"] == (("triumph", 1),)
    assert "free_maneuver" not in few
    assert {"free_maneuver", "something_vital"} <= triumph.keys()
    assert not {"destroy_gear", "target_drops_weapon"} & triumph.keys()
    assert bought("ability:success") == {}


def test_what_is_no_check_has_no_chance_of_success() -> None:
    assert GAME.odds({"purpose": "destiny", "players": 2}).chances == ()


def test_what_only_a_triumph_buys_comes_before_what_it_buys_in_place_of_advantages() -> None:
    order = list(bought("proficiency:triumph", in_fight=True))
    assert order.index("something_vital") < order.index("recover_strain")
    assert order.index("recover_strain") < order.index("free_maneuver")
    assert next(iter(bought("ability:advantage"))) == "recover_strain"


THROWS = st.lists(
    st.sampled_from([Die(type=kind.name, face=face) for kind in SETS["narrative"].types for face in kind.faces]),
    max_size=9,
)


@given(THROWS, st.sampled_from(["personal", "starship", "general"]), st.sampled_from(["check", "attack"]))
def test_every_price_is_one_that_the_roll_can_pay(thrown: list[Die], spending: str, purpose: str) -> None:
    ask = {"spending": spending, "purpose": purpose, "skill_used": "discipline", "weapon": "vibroknife"}
    outcome = GAME.play((thrown,), ask)
    net = dict(outcome.net)
    for spend in GAME.spends(outcome, ask):
        assert spend.prices
        assert all(0 < count <= net[of] for of, count in spend.prices), spend


def test_the_game_master_spends_what_hinders() -> None:
    ask = {"purpose": "attack"}
    outcome = GAME.play((symbols("difficulty:threat,threat challenge:despair"),), ask)
    spends = {spend.name: spend for spend in GAME.spends(outcome, ask)}
    assert {spend.by for spend in spends.values()} == {"gm"}
    assert spends["out_of_ammunition"].prices == (("despair", 1),)
    assert spends["enemy_free_maneuver"].prices == (("threat", 2), ("despair", 1))


def test_a_critical_costs_the_rating_and_needs_damage_past_armor() -> None:
    ask = {"purpose": "attack", "weapon": "blaster_carbine"}
    assert bought("ability:advantage,advantage ability:success,advantage", **ask)["critical_hit"] == (("advantage", 3),)
    assert "critical_hit" not in bought("ability:advantage,advantage ability:success", **ask)
    assert "critical_hit" in bought("proficiency:triumph", **ask)
    assert "critical_hit" not in bought("proficiency:triumph", **ask, soak=10)
    assert "critical_hit" not in bought("proficiency:triumph challenge:despair", **ask)


def test_a_quality_costs_two_or_what_the_weapon_says() -> None:
    ask = {"purpose": "attack"}
    assert bought("ability:success,advantage ability:advantage", **ask)["weapon_quality"][0] == ("advantage", 2)
    assert "weapon_quality" not in bought("ability:success,advantage", **ask)
    assert "weapon_quality" in bought("ability:success,advantage", **ask, quality_cost=1)


def test_no_third_maneuver_is_offered() -> None:
    assert "free_maneuver" in bought("ability:advantage,advantage", in_fight=True, maneuvers=1)
    assert "free_maneuver" not in bought("ability:advantage,advantage", in_fight=True, maneuvers=2)


CHARM = {"skill_used": "charm"}
GOOD = "proficiency:triumph ability:advantage,advantage ability:advantage"
BAD = "difficulty:threat,threat difficulty:threat challenge:despair"


def test_what_is_of_a_fight_is_offered_in_a_fight_alone() -> None:
    calm = bought(GOOD, **CHARM)
    assert calm.keys() == {
        "upgrade_difficulty_target_next",
        "upgrade_ally_next",
        "recover_strain",
        "boost_next_ally",
        "notice_point",
        "setback_target_next",
        "boost_any_ally_next",
    }
    of_fights = {one.name for one in OPTIONS if one.needs in ("fight", "attack", "maneuver", "price")}
    assert calm.keys() & of_fights == bought(BAD, **CHARM).keys() & of_fights == set()
    for ask in (CHARM | {"in_fight": True}, {"purpose": "attack"}):
        assert {"free_maneuver", "something_vital"} <= bought(GOOD, **ask).keys()
        assert {"fall_prone", "enemy_free_maneuver"} <= bought(BAD, **ask).keys()
        is_attack = ask.get("purpose") == "attack"
        assert ("target_drops_weapon" in bought(GOOD, **ask)) is is_attack
        assert ("out_of_ammunition" in bought(BAD, **ask)) is is_attack
    general = CHARM | {"spending": "general"}
    assert {"recover_strain", "finish_faster", "find_opening", "stronger_effect"} == bought(GOOD, **general).keys()
    assert "extra_maneuver" in bought(GOOD, **general, in_fight=True)


@pytest.mark.parametrize(
    ("spending", "names"),
    [("personal", {"disable_gear_or_limb", "destroy_gear"}), ("starship", {"disable_component", "destroy_component"})],
)
def test_what_stands_in_place_of_damage_is_offered_where_damage_is_dealt(spending: str, names: set[str]) -> None:
    two, hit = (
        "proficiency:triumph proficiency:triumph",
        "ability:success ability:advantage,advantage ability:advantage",
    )
    shot = {"purpose": "attack", "damage": 6, "spending": spending}
    assert names <= bought(two, **shot).keys()
    assert names & bought(hit, **shot).keys() == {name for name in names if name.startswith("disable")}
    assert names & bought(hit, **shot, soak=6).keys()  # 6 and 1 past a soak of 6
    assert not names & bought(hit, **shot, soak=7).keys()  # a hit for 0
    assert not names & bought(two, **shot, soak=8).keys()
    assert not names & bought(GOOD.replace("triumph", "") + " difficulty:failure", **shot).keys()  # a miss
    assert not names & bought(two, **shot | {"purpose": "check"}, in_fight=True).keys()
    assert names & bought(hit, purpose="attack", spending=spending).keys()  # a weapon that nobody named


def test_ships_have_spends_of_their_own_whoever_plays_them() -> None:
    fighter: dict[str, Any] = {"id": "f", "name": "Fighter", "game": "narrative", "kind": PersonKind.THING}
    ship, gunner = Person(**fighter), Person(id="g", name="Kell", game="narrative")

    def call(*who: Person, **of: Any) -> dict[str, Any]:
        return fill_answers(GAME.characters, *who, **of).answers

    for ask in (
        call(ship, ask={"purpose": "attack"}),
        call(gunner, opposed=Opposed(target=ship), ask={"purpose": "attack"}),
        call(gunner, ask={"skill_used": "piloting", "in_fight": True}),
    ):
        assert {"ignore_terrain", "force_veer_off"} <= bought(GOOD, **ask).keys()
        assert "target_drops_weapon" not in bought(GOOD, **ask)
    boarding = call(gunner, opposed=Opposed(target=gunner), ask={"purpose": "attack"})
    assert "target_drops_weapon" in bought(GOOD, **boarding)
    for target, unit in ((ship, "damage"), (gunner, "wounds")):
        ask = call(gunner, opposed=Opposed(target=target), ask={"purpose": "attack", "damage": 6})
        (hurt,) = GAME.play((symbols("ability:success,success"),), ask).effects
        assert hurt.words == f"{hurt.change} {unit}"
    assert bought(GOOD, **call(ship, ask={"purpose": "attack", "spending": "none"})) == bought(
        GOOD, purpose="attack", spending="none"
    )


@pytest.mark.parametrize(("ruleset", "dice"), [("core", 2), ("summary", 1)])
def test_a_blow_is_made_engaged_where_nobody_says_how_far(ruleset: str, dice: int) -> None:
    asked: dict[str, Any] = {"characteristic": 3, "skill": 1, "ruleset": ruleset}
    for ask in (
        {"attack": "melee"},
        {"purpose": "attack", "attack": "melee"},
        {"purpose": "attack", "weapon": "vibroknife"},
        {"attack": "melee", "range": "engaged"},
    ):
        assert dict(GAME.tray(asked | ask).dice)["difficulty"] == dice
    for ask in (
        {"attack": "ranged"},
        {"purpose": "attack", "weapon": "blaster_carbine"},
        {"weapon": "vibroknife"},  # no attack
    ):
        assert "difficulty" not in dict(GAME.tray(asked | ask).dice)
    hard = {"attack": "melee", "difficulty": "hard"}
    assert dict(GAME.tray(asked | hard).dice)["difficulty"] == 3
    met = {"attack": "melee", "opponent_characteristic": 4, "opponent_skill": 0}
    assert dict(GAME.tray(asked | met).dice)["difficulty"] == 4
    with pytest.raises(BadAsk, match="no melee attack at range 'long'"):
        GAME.tray(asked | {"attack": "melee", "range": "long"})


def test_a_skill_has_spendings_of_its_own() -> None:
    names = bought("ability:success,success ability:advantage", skill_used="leadership", spending="none")
    assert set(names) == {"support_lasts_more_scenes_or_more_effective", "affects_bystanders"}
    assert "support_lasts_more_scenes_or_more_effective" not in bought(
        "ability:success", skill_used="leadership", spending="none"
    )


@pytest.mark.parametrize(
    ("spending", "name"), [("starship", "setback_target_next"), ("general", "find_opening"), ("none", None)]
)
def test_which_table_is_used_is_a_setting(spending: str, name: str | None) -> None:
    found = bought("ability:advantage,advantage", spending=spending)
    assert name in found if name else found == {}


def test_the_published_tables_stand_behind_a_setting_that_is_on() -> None:
    field = GAME.form.field("spending", game=GAME.name)
    assert (field.default, field.is_setting, field.kind) == ("personal", True, Kind.CHOICE)


def test_each_option_can_be_bought_and_stands_once() -> None:
    assert len({one.name for one in OPTIONS}) == len(OPTIONS)
    assert [one.name for one in OPTIONS if not (one.personal or one.starship or one.general or one.skill[0])] == []


def test_the_summary_sheet_sizes_a_failure() -> None:
    thrown = symbols("difficulty:failure,failure")
    rules = [step.rule for step in GAME.play((thrown,), {"ruleset": "summary"}).steps]
    assert "D4" in rules
    assert "D4" not in [step.rule for step in GAME.play((thrown,), {}).steps]


def test_skilled_help_takes_the_best_of_both() -> None:
    helped = assisted(Rating(characteristic=3, skill=0), Rating(characteristic=2, skill=2))
    assert helped == Rating(characteristic=3, skill=2)


def test_a_competition_goes_to_most_successes_then_triumphs() -> None:
    assert merit_of({"success": 2, "failure": 0, "triumph": 0}) == (2, 0)
    assert merit_of({"success": 0, "failure": 1, "triumph": 1, "advantage": 3}) == (-1, 1)
    assert merit_of({"total": 7}) is None


class TestLaws(GameLaws):
    game = find_game("narrative")
    asked: ClassVar = {"dice": {"ability": 2, "difficulty": 1}}
    lone = frozenset({"d10", "d100"})
