"""The D6 games from the ask to the total."""

from __future__ import annotations

import pytest

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.d6_wild.odds import FIRST_ONE
from tableside.rules import Game, find_game
from tests.rules.asks import pips, wild

COMPANION, WILD = find_game("d6-companion"), find_game("d6-wild")


@pytest.mark.parametrize(
    ("ask", "dice"),
    [
        ({"code": "4D+2"}, 4),
        ({"code": "4D+2", "add": "2D+2"}, 6),
        ({"code": "4D+1", "force_point": True, "actions": 2}, 7),
        ({"code": "4D", "force_point": True, "actions": 2, "force_point_last": True}, 6),
        ({"code": "4D", "prepared": True, "wounded": True, "stuns": 1, "ionized": 1}, 2),
        ({"code": "4D", "uncertainty": 3}, 7),
        ({"code": "4D", "owned": 3}, 3),
        ({"code": "4D", "actions": 3, "full_reaction": True}, 3),
    ],
)
def test_the_code_tells_how_many_dice_should_lie_there(ask: dict[str, object], dice: int) -> None:
    wanted = COMPANION.tray(ask)
    assert wanted.dice == (("pip", dice),)


@pytest.mark.parametrize(
    ("ask", "dice"),
    [
        ({"code": "4D+2"}, (("pip", 3), ("wild", 1))),
        ({"code": "1D"}, (("wild", 1),)),
        ({"code": "4D+1", "force_point": True}, (("pip", 7), ("wild", 1))),
        ({"code": "5D", "rushed": True}, (("pip", 1), ("wild", 1))),
        ({"code": "5D", "state": "incapacitated"}, (("wild", 1),)),
        ({"code": "5D", "state": "wounded", "wounded_penalty": 1}, (("pip", 3), ("wild", 1))),
        ({"code": "2D", "role": "attack", "scale": "speeder", "other_scale": "starfighter"}, (("pip", 5), ("wild", 1))),
        ({"code": "2D", "role": "dodge", "scale": "speeder", "other_scale": "starfighter"}, (("pip", 5), ("wild", 1))),
        ({"code": "2D", "role": "damage", "scale": "speeder", "other_scale": "starfighter"}, (("pip", 1), ("wild", 1))),
        ({"code": "3D", "bonus": "1D+1", "actions": 2}, (("pip", 2), ("wild", 1))),
        ({"dice": 3}, (("pip", 2), ("wild", 1))),
    ],
)
def test_one_of_the_dice_is_the_wild_die(ask: dict[str, object], dice: tuple[tuple[str, int], ...]) -> None:
    wanted = WILD.tray(ask)
    assert wanted.dice == dice


@pytest.mark.parametrize(("first_one", "total"), [("counts", 10), ("nothing", 9), ("highest", 4), ("plain", 10)])
def test_what_a_first_one_does_is_a_setting(first_one: str, total: int) -> None:
    outcome = WILD.play(([*pips(4, 5), wild(1)],), {"first_one": first_one})
    assert dict(outcome.net)["total"] == total
    assert ("complication" in outcome.sentence) is (first_one != "plain")
    assert ("complication" in dict(outcome.net)) is (first_one != "plain")


def test_all_variants_of_a_first_one_are_tried_here() -> None:
    assert set(FIRST_ONE) == {"counts", "nothing", "highest", "plain"}
    assert {name for name, _ in WILD.form.field("first_one", game="d6-wild").choices} == set(FIRST_ONE)


def test_a_later_one_is_just_a_one() -> None:
    outcome = WILD.play(([*pips(4), wild(6)], [wild(1)]), {"first_one": "highest"})
    assert (dict(outcome.net), outcome.succeeded) == ({"total": 11}, None)


def test_a_chain_is_followed_throw_by_throw() -> None:
    ask = {"code": "4D+2", "difficulty": 22}
    first = [*pips(3, 5, 2), wild(6)]
    waiting = WILD.play((first,), ask)
    assert (waiting.word, waiting.awaits and waiting.awaits.name) == ("undecided", "wild_again")
    done = WILD.play((first, [wild(4)]), ask)
    assert (done.succeeded, done.awaits, dict(done.net)["total"]) == (True, None, 22)


def test_a_six_may_be_left_as_it_is() -> None:
    ask = {"code": "3D", "difficulty": 14}
    throws = ([*pips(3, 2), wild(6)], [wild(6)])
    waiting = WILD.play(throws[:1], ask)
    assert [choice.title for choice in waiting.choices] == ["Leave it at 11"]
    left = WILD.play(throws[:1], ask | dict(waiting.choices[0].sets))
    assert (left.succeeded, left.awaits, dict(left.net)["total"], left.choices) == (False, None, 11, ())
    (choice,) = WILD.play(throws, ask).choices
    once_more = WILD.play(throws, ask | dict(choice.sets))
    assert (once_more.succeeded, once_more.awaits, dict(once_more.net)["total"]) == (True, None, 17)


def test_the_dice_of_the_difficulty_come_after_a_six_that_was_left() -> None:
    ask = {"code": "1D", "band": "easy", "random": True, "wild_throws": 1}
    outcome = WILD.play(([wild(6)], pips(1, 2)), ask)
    assert (outcome.awaits, outcome.succeeded) == (None, True)


def test_points_are_thrown_after_the_roll_and_again_after_a_six() -> None:
    roll, ask = [*pips(3, 4), wild(2)], {"code": "3D", "difficulty": 20, "character_points": 2}
    asked = WILD.play((roll,), ask)
    assert (asked.awaits.name, asked.awaits.dice) == ("points", (("pip", 2),))
    again = WILD.play((roll, pips(6, 1)), ask)
    assert again.awaits.dice == (("pip", 1),)
    done = WILD.play((roll, pips(6, 1), pips(5)), ask)
    assert (done.succeeded, dict(done.net)["total"]) == (True, 21)


def test_points_may_be_spent_until_the_limit_of_the_use() -> None:
    ask = {"code": "1D", "difficulty": 9}
    ((spend),) = WILD.spends(WILD.play(([wild(3)],), ask), ask)
    assert (spend.name, spend.sets) == ("character_points", (("character_points", 1),))
    spent = ask | {"character_points": 2}
    assert WILD.spends(WILD.play(([wild(3)], pips(1, 1)), spent), spent) == ()
    with pytest.raises(BadAsk, match=r"character_points is 3. For this use \(skill_or_attribute\) it is 0 to 2"):
        WILD.tray(ask | {"character_points": 3})


def test_a_random_difficulty_is_thrown_by_the_game_master() -> None:
    ask = {"code": "1D", "band": "easy", "random": True}
    waiting = WILD.play(([wild(5)],), ask)
    assert (waiting.awaits.name, waiting.awaits.by_gm, waiting.awaits.dice) == ("difficulty", True, (("pip", 2),))
    assert WILD.play(([wild(5)], pips(2, 3)), ask).succeeded
    assert WILD.play(([wild(5)], pips(3, 3)), ask).succeeded is False


@pytest.mark.parametrize(
    ("band", "range_words", "least"),
    [
        ("easy", "6 to 10", 6),
        ("heroic", "31 or more", 31),
        ("heroic+10", "41 to 50", 41),
        ("heroic+120", "151 to 160", 151),
    ],
)
def test_a_band_says_its_numbers_and_its_lowest_counts(band: str, range_words: str, least: int) -> None:
    outcome = WILD.play(([wild(3)],), {"code": "1D", "band": band})
    assert f"Difficulty {band}, {range_words}: {least}." in [step.text for step in outcome.steps]
    titles = dict(WILD.form.field("band", game="d6-wild").choices)
    assert titles[band] == f"{band.capitalize()}, {range_words}"
    assert dict(WILD.odds({"code": "1D", "band": band}).form)["difficulty"] == least


@pytest.mark.parametrize(
    ("band", "right", "wrong", "words"),
    [
        ("very_easy", (1,), (2,), "1 six-sided die"),
        ("easy", (2,), (1, 3), "2 six-sided dice"),
        ("moderate", (3, 4), (2, 5), "3 or 4 six-sided dice"),
        ("difficult", (5, 6), (4, 7), "5 or 6 six-sided dice"),
        ("very_difficult", (7, 8), (6, 9), "7 or 8 six-sided dice"),
        ("heroic", (9, 10, 30), (8,), "9 to 100 six-sided dice"),
    ],
)
def test_as_many_dice_as_the_text_prints_draw_a_random_difficulty(
    band: str, right: tuple[int, ...], wrong: tuple[int, ...], words: str
) -> None:
    ask = {"code": "1D", "band": band, "random": True}
    waiting = WILD.play(([wild(5)],), ask)
    assert waiting.awaits.sentence == f"The game master throws {words} for the difficulty."
    assert (waiting.awaits.count, waiting.awaits.most) == (min(right), max(right) if band != "heroic" else 100)
    for count in right:
        done = WILD.play(([wild(5)], pips(*[1] * count)), ask)
        assert (done.short, done.succeeded) == ((), count <= 5)
        assert WILD.play(([wild(5)], pips(*[1] * count)), ask | {"random_dice": count}).short == ()
    for count in wrong:
        gap = min(right) - count if count < min(right) else max(right) - count
        assert WILD.play(([wild(5)], pips(*[1] * count)), ask).short == (("pip", gap),)
        with pytest.raises(BadAsk, match=f"random_dice is {count}. Of the band {band} it is"):
            WILD.play(([wild(5)],), ask | {"random_dice": count})


def test_the_odds_say_how_many_dice_draw_the_difficulty_they_are_of() -> None:
    ask = {"code": "3D", "band": "moderate", "random": True}
    assert WILD.odds(ask).pool == "3D against 3D"
    more = WILD.odds(ask | {"random_dice": 4})
    assert more.pool == "3D against 4D"
    assert dict(more.chances)["success"] < dict(WILD.odds(ask).chances)["success"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            {"band": "heroic+10"},
            "band heroic\\+10 cannot be random. The summary prints no dice for it: give a number, 41",
        ),
        ({}, "random is true without a band of its own. Choose a band, and give no number."),
        ({"band": "easy", "difficulty": 7}, "random is true without a band of its own"),
    ],
)
def test_a_random_difficulty_needs_a_band_with_dice(ask: dict[str, object], message: str) -> None:
    with pytest.raises(BadAsk, match=message):
        WILD.play(([wild(3)],), {"code": "1D", "random": True} | ask)


def test_the_speed_action_of_a_full_reaction_costs_nothing_that_moving_does_not_give_back() -> None:
    pools = {
        actions: COMPANION.odds({"code": "4D", "full_reaction": True} | ({"actions": actions} if actions else {})).pool
        for actions in (0, 1, 2, 3, 4)
    }
    assert pools == {0: "4D", 1: "4D", 2: "4D", 3: "3D", 4: "2D"}


def test_cover_and_darkness_add_dice_to_the_difficulty() -> None:
    ask = {"code": "3D", "difficulty": 6, "cover": "3/4", "obscurity": "poor light"}
    waiting = WILD.play(([*pips(3, 4), wild(2)],), ask)
    assert waiting.awaits.dice == (("pip", 4),)


def test_behind_full_cover_there_is_no_direct_hit() -> None:
    with pytest.raises(BadAsk, match="No direct hit is possible"):
        WILD.tray({"code": "3D", "difficulty": 6, "cover": "full"})


def test_a_reaction_becomes_the_difficulty_even_where_it_is_lower() -> None:
    assert WILD.play(([wild(4)],), {"code": "1D", "difficulty": 15, "reaction_total": 4}).succeeded


@pytest.mark.parametrize(
    ("purpose", "against", "headline"),
    [
        ("damage", 8, "Stunned"),
        ("damage", 2, "Wounded"),
        ("damage", 20, "No effect"),
        ("stun_damage", 2, "Unconscious"),
    ],
)
def test_damage_against_strength_says_what_it_does(purpose: str, against: int, headline: str) -> None:
    outcome = WILD.play(([*pips(5), wild(4)],), {"purpose": purpose, "against": against})
    assert outcome.headline == headline


def test_a_die_cap_drops_what_shows_more() -> None:
    outcome = COMPANION.play((pips(6, 5, 3),), {"cap": 4, "code": "3D+1"})
    assert (dict(outcome.net)["total"], "The die cap 4 drops 6, 5." in outcome.sentence) == (4, True)


def test_two_scales_give_the_cap_of_their_chart() -> None:
    ask = {"code": "2D", "chart": "to_hit", "scale": "starfighter", "target_scale": "speeder"}
    capped = COMPANION.play((pips(6, 6),), ask)
    assert dict(capped.net)["total"] < 12
    assert "die_cap" in [step.rule for step in capped.steps]


def test_uncertainty_is_thrown_by_the_game_master_and_taken_off() -> None:
    ask = {"code": "2D", "uncertainty": 2, "difficulty": 5}
    waiting = COMPANION.play((pips(3, 4, 2, 1),), ask)
    assert (waiting.succeeded, waiting.awaits.by_gm, waiting.awaits.count) == (None, True, 2)
    done = COMPANION.play((pips(3, 4, 2, 1), pips(2, 3)), ask)
    assert (done.succeeded, dict(done.net)["total"]) == (True, 5)


def test_a_tie_wins_no_contest_that_asks_for_more() -> None:
    ask = {"difficulty": 7, "more_than": True}
    assert COMPANION.play((pips(3, 4),), ask).succeeded is False
    assert COMPANION.play((pips(4, 4),), ask).succeeded


def test_a_tie_that_wins_nothing_is_not_said_to_meet_the_number() -> None:
    tied = COMPANION.play((pips(5, 4),), {"difficulty": 9, "more_than": True})
    assert tied.sentence == "5 + 4 = 9, which does not beat 9: failure."
    met = COMPANION.play((pips(5, 4),), {"difficulty": 9})
    assert met.sentence == "5 + 4 = 9, which meets 9: success."


@pytest.mark.parametrize(
    "text", ["4d6+1", "4 D + 1", "4d6 + 1", "4 d 6 + 1", " 4D +1 ", "+4D+1", "4W6+1", "4D\u20131", "4d6\u22121"]
)
@pytest.mark.parametrize("game", [COMPANION, WILD])
def test_a_code_is_understood_as_people_write_it(game: Game, text: str) -> None:
    pips_wanted = 1 if "+1" in text.replace(" ", "") else -1
    for ask in ({"code": text}, game.form.parsed([f"code={text}"], game=game.name)):
        assert game.odds(ask).pool == f"4D{pips_wanted:+d}"
        wanted = game.tray(ask)
        assert wanted.count == 4


@pytest.mark.parametrize(("text", "steps"), [("+2", "2D+2"), ("1d6", "3D"), ("D", "3D"), ("+1D+1", "3D+1")])
def test_what_is_added_to_a_code_may_be_pips_alone(text: str, steps: str) -> None:
    assert COMPANION.odds({"code": "2D", "add": text}).pool == steps
    assert WILD.odds({"code": "2D", "bonus": text}).pool == steps


@pytest.mark.parametrize(
    ("game", "ask", "thrown", "words"),
    [
        (COMPANION, {"code": "2D", "pips": 1}, pips(1, 2), "+1 pip, and pips never become dice: 2D+1."),
        (COMPANION, {"code": "2D", "pips": -2}, pips(1, 2), "-2 pips, and pips never become dice: 2D-2."),
        (WILD, {"code": "1D", "pips": -1}, [wild(2)], "-1 pip: 1D-1."),
        (
            WILD,
            {"code": "1D", "difficulty": 3, "cover": "1/4"},
            [wild(2)],
            "Cover, 1/4: 1D is added to the difficulty.",
        ),
        (
            WILD,
            {"code": "1D", "difficulty": 3, "cover": "1/2"},
            [wild(2)],
            "Cover, 1/2: 2D are added to the difficulty.",
        ),
    ],
)
def test_a_step_counts_one_as_one(game: Game, ask: dict[str, object], thrown: list[Die], words: str) -> None:
    assert words in [step.text for step in game.play((thrown,), ask).steps]


def test_one_point_that_is_taken_away_is_one() -> None:
    assert "1 is taken away" in WILD.play(([wild(1)],), {"first_one": "nothing"}).sentence
    assert "5 are taken away" in WILD.play(([*pips(4), wild(1)],), {"first_one": "highest"}).sentence


def test_a_price_in_points_is_one_point_or_several() -> None:
    ask = {"code": "1D", "difficulty": 20}
    words = [spend.price_words() for spend, _ in WILD.odds(ask).spends]
    assert words == ["1 character point", "2 character points", "1 force point"]
    (after,) = WILD.spends(WILD.play(([wild(3)],), ask), ask)
    assert after.price_words() == "1 character point"


def test_a_code_larger_than_the_dice_at_hand_is_thrown_in_parts() -> None:
    ask = {"code": "5D", "owned": 2, "difficulty": 10}
    parts = (pips(1, 2), pips(3, 4), pips(5))
    for made in (1, 2):
        waiting = COMPANION.play(parts[:made], ask)
        assert (waiting.awaits.name, waiting.succeeded) == ("rest", None)
    assert COMPANION.play(parts, ask).succeeded


@pytest.mark.parametrize(
    ("purpose", "against", "headline"),
    [
        ("damage", 30, "No effect"),
        ("damage", 1, "Mortal wound"),
        ("ship_damage", 1, "Destroyed"),
        ("capital_damage", 4, "2 pips of damage"),
        ("capital_damage", 10, "1 shield pip"),
        ("capital_damage", 30, "Nothing"),
        ("capital_ion_damage", 9, "Ionized by 1D"),
        ("capital_ion_damage", 10, "Nothing"),
    ],
)
def test_damage_is_looked_up_against_what_resists(purpose: str, against: int, headline: str) -> None:
    outcome = COMPANION.play((pips(5, 4),), {"purpose": purpose, "against": against})
    assert outcome.headline == headline


@pytest.mark.parametrize(
    ("game", "ask", "message"),
    [
        (COMPANION, {"code": "2D", "actions": 4}, "of 2D no die is left"),
        (WILD, {"code": "2D", "state": "incapacitated"}, "of 2D no die is left"),
        (COMPANION, {"code": "2D", "uncertainty": 1}, "uncertainty is 1. It is 0, or 2 to 4"),
        (COMPANION, {"band": "esy"}, "Did you mean easy"),
        (WILD, {"code": "3D+x"}, "code is '3D\\+x'. Write one such as 3D"),
        (WILD, {"code": "1000D"}, "A code has 0 to 100 dice"),
        (WILD, {"difficulty": 10**9}, "It must be a whole number from -300 to 300"),
    ],
)
def test_what_the_rules_do_not_allow_is_named(game: object, ask: dict[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        game.play((pips(1),), ask)


@pytest.mark.parametrize("game", [COMPANION, WILD])
def test_more_throws_than_asked_for_are_refused(game: Game) -> None:
    first = [wild(2)] if game is WILD else pips(2)
    with pytest.raises(BadAsk, match="1 throw more than asked for"):
        game.play((first, pips(1)), {"code": "1D"})
    with pytest.raises(BadAsk, match="2 throws more than asked for"):
        game.play((first, pips(1), pips(1)), {"code": "1D"})


def test_every_step_names_its_rule() -> None:
    ask = {"code": "4D+1", "add": "1D", "actions": 2, "cap": 5, "difficulty": 12, "fire": ["prone"]}
    rules = [step.rule for step in COMPANION.play((pips(1, 2, 3, 6),), ask).steps]
    assert rules == [
        "dice_total",
        "code_in_play",
        "multi_action",
        "fire_modifier",
        "die_cap",
        "dice_total",
        "difficulty_check",
    ]


@pytest.mark.parametrize(
    ("game", "ask", "short"),
    [
        (COMPANION, {"code": "3D", "difficulty": 9, "missile": 2}, {"pip": 3}),
        (WILD, {"code": "3D", "band": "easy", "random": True}, {"pip": 2, "wild": 1}),
    ],
)
def test_a_roll_without_dice_is_none_whatever_the_game_master_threw(
    game: Game, ask: dict[str, object], short: dict[str, int]
) -> None:
    outcome = game.play(((), pips(4, 5)), ask)
    assert (outcome.word, outcome.succeeded, dict(outcome.short)) == ("nothing", None, short)
