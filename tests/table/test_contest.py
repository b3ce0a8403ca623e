"""A call of several: each rolls in turn, the rolls are ranked, and every act is undone by one undo. Or one rolls for
all, and the others help. The numbers are worked out by hand from the texts of each game.
"""

from __future__ import annotations

from typing import Any

import pytest

from tableside.errors import BadChange, Conflict, GameError
from tableside.games.d6_companion.rolls import combined
from tableside.rules.code import Code
from tableside.rules.people import Person
from tableside.table import TableState
from tableside.table.kept import Destiny
from tableside.table.messages import (
    ChangeDestiny,
    ChangePerson,
    ChangeRoll,
    CorrectDie,
    Do,
    DoPerson,
    EnterRoll,
    EnterThrow,
    LastTotal,
    NamePlayer,
    Rival,
    Turn,
)
from tableside.table.shown import call_of, state_json
from tests.conftest import carried
from tests.table.played import Played
from tests.table.test_turn import dice, throw

AVERAGE = {"difficulty": "average"}
NOTHING: tuple[str, ...] = ()


def looker(name: str, characteristic: int, skill: int, **more: Any) -> dict[str, Any]:
    skills = [{"name": "Perception", "ask": {"characteristic": characteristic, "skill": skill}}]
    return {"name": name, "kind": "player", "game": "narrative", "skills": skills, **more}


def coded(game: str, name: str, **codes: str) -> dict[str, Any]:
    skills = [{"name": skill.replace("_", " "), "ask": {"code": code}} for skill, code in codes.items()]
    return {"name": name, "kind": "player", "game": game, "skills": skills}


@pytest.fixture
def three(table: Played) -> list[Person]:
    """Each has the pool of one ability and one proficiency die."""
    return [table.add(**looker(name, 2, 1)) for name in ("Oskara", "Vex", "Mara")]


def call(table: Played, people: list[Person], **more: Any) -> TableState:
    first, *others = (person.id for person in people)
    more = {"skill": "Perception", "ask": AVERAGE, **more}
    return table.call(first, others=tuple(others), **more)


def look(table: Played, *faces: tuple[str, ...]) -> TableState:
    """Throw an ability and a proficiency die with these faces against blank difficulty dice."""
    return throw(table, ability=[faces[0]], proficiency=[faces[1]], difficulty=[NOTHING, NOTHING])


def contest(state: TableState, *, sees_hidden: bool = False) -> dict[str, Any]:
    told = state_json(state, now=1.0, sees_hidden=sees_hidden)["contest"]
    assert isinstance(told, dict)
    return told


def places(state: TableState) -> list[tuple[int | None, str]]:
    return [(one["place"], one["name"]) for one in contest(state)["places"]]


def names(people: list[dict[str, Any]]) -> list[str]:
    return [one["name"] for one in people]


def test_each_of_those_named_is_called_in_turn_and_the_most_successes_win(table: Played, three: list[Person]) -> None:
    state = call(table, three)
    assert (state.asked.player, state.asked.label) == ("Oskara", "Perception")
    assert str(state.changes[-1].sentence).endswith("Then: Vex, Mara.")
    assert names(contest(state)["waiting"]) == ["Oskara", "Vex", "Mara"]
    state = look(table, ("success",), NOTHING)
    assert (state.asked.player, places(state)) == ("Vex", [(1, "Oskara")])
    assert dict(state.asked.tray.dice if state.asked.tray else ()) == {"ability": 1, "proficiency": 1, "difficulty": 2}
    state = look(table, ("success", "success"), ("success",))
    assert (state.asked.player, places(state)) == ("Mara", [(1, "Vex"), (2, "Oskara")])
    assert contest(state)["winner"] is None
    state = look(table, ("advantage", "advantage"), ("success", "success"))
    assert not state.asked.id
    assert places(state) == [(1, "Vex"), (2, "Mara"), (3, "Oskara")]  # 3, 2 and 1 net successes; advantage counts not
    assert contest(state)["winner"] == {"who": three[1].id, "name": "Vex"}
    assert (contest(state)["done"], contest(state)["sentence"]) == (True, "Vex wins.")


def test_triumphs_break_a_tie_and_nothing_else_does(table: Played, three: list[Person]) -> None:
    call(table, three)
    look(table, ("success",), NOTHING)
    look(table, NOTHING, ("triumph",))  # one net success as well, and a triumph
    state = look(table, ("success", "advantage"), NOTHING)
    assert places(state) == [(1, "Vex"), (2, "Oskara"), (2, "Mara")]
    table.undo(2)
    look(table, ("success",), ("advantage", "advantage"))
    state = look(table, ("success",), NOTHING)
    assert [place for place, _ in places(state)] == [1, 1, 1]
    assert contest(state)["winner"] is None
    assert contest(state)["sentence"] == "Nobody wins: Oskara, Vex, Mara are level."


def test_who_fails_does_not_win_however_bad_the_others_are(table: Played, three: list[Person]) -> None:
    call(table, three[:2])
    throw(table, ability=[NOTHING], proficiency=[NOTHING], difficulty=[NOTHING, NOTHING])
    state = throw(table, ability=[NOTHING], proficiency=[NOTHING], difficulty=[("failure",), NOTHING])
    assert places(state) == [(1, "Oskara"), (2, "Vex")]
    assert (contest(state)["winner"], contest(state)["sentence"]) == (None, "Nobody succeeds.")


def test_one_undo_takes_back_one_roll_and_calls_that_one_again(table: Played, three: list[Person]) -> None:
    called = call(table, three)
    first = look(table, ("success",), NOTHING)
    look(table, ("success", "success"), NOTHING)
    state = table.undo()
    assert (state.asked, places(state)) == (first.asked, [(1, "Oskara")])
    state = table.undo()
    assert (state.asked, state.rolls) == (called.asked, ())
    state = table.undo()
    assert (state.asked.id, state_json(state, now=1.0)["contest"]) == ("", None)


def test_a_roll_taken_back_after_the_others_rolled_waits_again(table: Played, three: list[Person]) -> None:
    call(table, three)
    brought = look(table, ("success",), NOTHING).last_number
    look(table, ("success", "success"), NOTHING)
    state = table.undo(change=brought)
    assert [roll.by for roll in state.rolls] == ["Vex"]  # what Vex threw stays Vex's, and Oskara throws again
    assert (state.asked.player, names(contest(state)["waiting"])) == ("Oskara", ["Oskara", "Mara"])
    state = look(table, NOTHING, NOTHING)
    assert state.asked.player == "Mara"
    state = look(table, NOTHING, ("success",))
    assert places(state) == [(1, "Vex"), (2, "Mara"), (3, "Oskara")]


def test_without_a_call_nobody_is_waited_for_and_the_ranking_stands(table: Played, three: list[Person]) -> None:
    call(table, three)
    assert state_json(table.call(), now=1.0)["contest"] is None  # nobody had rolled
    table.undo()
    look(table, ("success",), NOTHING)
    look(table, ("success", "success"), NOTHING)
    state = table.call()
    assert (state.asked.id, contest(state)["done"], contest(state)["winner"]["name"]) == ("", True, "Vex")
    state = table.undo()
    assert (state.asked.player, names(contest(state)["waiting"])) == ("Mara", ["Mara"])
    assert state_json(table.call(three[0], "Perception"), now=1.0)["contest"] is None


def test_somebody_else_of_those_who_wait_may_roll_first_and_all_get_another_difficulty(
    table: Played, three: list[Person]
) -> None:
    state = call(table, three)
    contest_id = state.contest.id
    state = table.call(three[2], contest=contest_id)
    assert (state.asked.player, state.asked.answers["difficulty"]) == ("Mara", "average")
    state = look(table, ("success",), NOTHING)
    assert state.asked.player == "Oskara"
    hard = {"skill": "Perception", "ask": {"difficulty": "hard"}}
    state = table.call(three[0], contest=contest_id, **hard)
    assert (state.asked.answers["difficulty"], names(contest(state)["waiting"])) == ("hard", ["Oskara", "Vex"])
    state = throw(table, ability=[("success",)], proficiency=[("success",)], difficulty=[NOTHING] * 3)
    assert (state.asked.player, state.asked.answers["difficulty"]) == ("Vex", "hard")
    with pytest.raises(Conflict, match="Mara has rolled already"):
        table.call(three[2], contest=contest_id)
    with pytest.raises(Conflict, match="is over"):
        table.call(three[1], contest="another")
    with pytest.raises(Conflict, match="nobody of that id"):
        table.call("", contest=contest_id)


def test_points_join_the_call_of_one_and_not_of_the_next(table: Played, three: list[Person]) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    call(table, three)
    state = table.spend()
    assert (dict(call_of(state).dice), state.destiny) == ({"proficiency": 2, "difficulty": 2}, Destiny(light=1, dark=2))
    state = throw(table, proficiency=[("success",), NOTHING], difficulty=[NOTHING, NOTHING])
    assert (dict(call_of(state).dice), call_of(state).who) == (
        {"ability": 1, "proficiency": 1, "difficulty": 2},
        three[1].id,
    )
    assert state.destiny == Destiny(light=1, dark=2)
    with pytest.raises(Conflict, match="a point is spent by one person"):
        call(table, three, ask={**AVERAGE, "helping_hand": 1})


def test_a_wrong_pool_is_settled_before_the_next_one_is_called(table: Played, three: list[Person]) -> None:
    call(table, three[:2])
    state = throw(table, ability=[("success",)], proficiency=[NOTHING], difficulty=[NOTHING])  # one too few
    assert (state.asked.id, contest(state)["places"][0]["place"]) == ("", None)
    state = table.tell(ChangeRoll, roll_id=state.roll, ask={"difficulty": "easy"})
    assert (state.asked.player, places(state)) == ("Vex", [(1, "Oskara")])
    state = table.undo()
    assert state.asked.id == ""


def test_a_corrected_die_changes_the_ranking(table: Played, three: list[Person]) -> None:
    call(table, three[:2])
    look(table, ("success",), NOTHING)
    state = look(table, ("success", "success"), NOTHING)
    assert contest(state)["winner"]["name"] == "Vex"
    shown = dice(ability=[NOTHING])[0]
    state = table.tell(CorrectDie, roll_id=state.roll, index=0, type=shown.type, face=shown.face)
    assert contest(state)["winner"]["name"] == "Oskara"


def test_who_left_the_scene_is_passed_over_and_said(table: Played, three: list[Person]) -> None:
    call(table, three)
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": three[1].id})
    state = look(table, ("success",), NOTHING)
    assert state.asked.player == "Mara"
    assert "Vex cannot roll: nobody of that id is here." in str(state.changes[-1].sentence)
    assert names(contest(state)["waiting"]) == ["Mara"]
    state = look(table, NOTHING, NOTHING)
    assert contest(state)["winner"]["name"] == "Oskara"


def test_where_the_one_who_is_called_leaves_the_next_is_called(table: Played, three: list[Person]) -> None:
    call(table, three)
    look(table, ("success",), NOTHING)
    state = table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": three[1].id})
    for _ in range(2):
        assert (state.asked.player, names(contest(state)["waiting"])) == ("Mara", ["Mara"])
        assert table.undo().asked.player == "Vex"
        state = table.redo()
    state = table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": three[2].id})
    assert (state.asked.id, contest(state)["winner"]["name"]) == ("", "Oskara")


def test_the_game_master_lets_those_of_several_roll_who_are_out(table: Played, three: list[Person]) -> None:
    for one in three[1:]:
        out = {"id": one.id, "trackers": {"wounds": {"value": 9, "most": 8}}}
        table.tell(ChangePerson, do=DoPerson.CHANGE, person=out)
    with pytest.raises(Conflict, match="Vex cannot act"):
        call(table, three)
    call(table, three, overrules=True)
    state = look(table, ("success",), NOTHING)
    for name in ("Vex", "Mara"):
        assert state.asked.player == name
        state = look(table, NOTHING, NOTHING)
        table.undo()
        state = look(table, NOTHING, NOTHING)
    call(table, three[:1])
    table.call(three[0], "Perception", others=(three[2],), overrules=True)
    state = table.call(three[2], contest=table.state.contest.id)
    assert state.asked.player == "Mara"


def test_a_player_without_a_character_is_followed_by_name_and_leaves_like_anybody(table: Played) -> None:
    state = [table.tell(NamePlayer, name=name) for name in ("Jo", "Kim", "Lou")][-1]
    jo, kim, lou = (player.id for player in state.players)
    looks = {"characteristic": 2, "skill": 1, **AVERAGE}
    table.call(player="Jo", others=("Kim", "Lou"), ask=looks, label="Look")
    table.turn(Turn.ADD, who="Lou", rank=(2,))
    table.turn(Turn.ADD, who="Kim", rank=(1,))
    for who, name in ((jo, "Joe"), (lou, "Louise")):
        state = table.tell(NamePlayer, player_id=who, name=name)
    assert (state.asked.player, names(contest(state)["waiting"])) == ("Joe", ["Joe", "Kim", "Louise"])
    assert [slot.who for slot in state.initiative.slots] == ["Louise", "Kim"]
    state = look(table, ("success",), NOTHING)
    state = table.tell(NamePlayer, player_id=jo, name="Josephine")  # who has rolled is not called again
    assert (state.asked.player, names(contest(state)["waiting"])) == ("Kim", ["Kim", "Louise"])
    state = table.tell(NamePlayer, player_id=kim, name="")
    assert (state.asked.player, [slot.who for slot in state.initiative.slots]) == ("Louise", ["Louise"])
    state = table.tell(NamePlayer, player_id=lou, name="")
    assert (state.asked.id, state.initiative.slots, contest(state)["winner"]["name"]) == ("", (), "Joe")
    state = table.undo()
    assert (state.asked.player, [slot.who for slot in state.initiative.slots]) == ("Louise", ["Louise"])


def test_nobody_is_called_who_cannot_roll(table: Played, three: list[Person]) -> None:
    before = table.state
    with pytest.raises(GameError, match="has no skill 'Percption'"):
        table.call(three[0], "Percption", others=(three[1],))
    with pytest.raises(Conflict, match="nobody of that id"):
        table.call(three[0], "Perception", others=("nobody",))
    stranger = table.add(**coded("d6-companion", "Zed", Perception="3D"))
    with pytest.raises(Conflict, match="Zed is of another game"):
        call(table, [*three, stranger])
    with pytest.raises(BadChange, match="an attack is one person's own"):
        table.call(three[0], others=(three[1],), weapon="Carbine")
    assert table.state.asked == before.asked


def test_who_has_no_rank_throws_the_characteristic_that_another_skill_tells(table: Played, three: list[Person]) -> None:
    """Survival and Perception are of one characteristic (N1); without such a skill it is that of the average, 2."""
    sly = [{"name": "Survival", "ask": {"characteristic": 4, "skill": 1}}]
    first, last = (table.add(**{**looker(name, 2, 0), "skills": of}) for name, of in (("Kesh", sly), ("Ann", [])))
    for _ in range(2):  # also once more
        call(table, [first, three[0], last])
        thrown = []
        while (asked := table.state.asked).id:
            pool = dict(asked.tray.dice)
            thrown.append((asked.player, asked.skill, asked.label, pool["ability"], pool.get("proficiency", 0)))
            throw(table, **{kind: [NOTHING] * count for kind, count in pool.items()})
        assert thrown == [
            ("Kesh", "", "Perception", 4, 0),
            ("Oskara", "Perception", "Perception", 1, 1),
            ("Ann", "", "Perception", 2, 0),
        ]


def test_a_hidden_call_of_several_and_a_hidden_roll_tell_the_players_nothing(
    table: Played, three: list[Person]
) -> None:
    call(table, three[:2], is_hidden=True)
    state = look(table, ("success",), NOTHING)
    assert state_json(state, now=1.0)["contest"] is None
    assert [one["name"] for one in contest(state, sees_hidden=True)["places"]] == ["Oskara"]
    call(table, three[:2])
    state = look(table, ("success",), NOTHING)
    table.tell(ChangeRoll, roll_id=state.roll, is_hidden=True)
    state = look(table, NOTHING, NOTHING)
    assert places(state) == [(1, "Vex")]
    assert (contest(state)["done"], contest(state)["winner"]) == (False, None)
    assert contest(state, sees_hidden=True)["winner"]["name"] == "Oskara"


def test_players_without_a_character_roll_by_name(table: Played) -> None:
    for name in ("Anna", "Bert"):
        table.tell(NamePlayer, name=name)
    state = table.call(player="Anna", others=("Bert",), label="Run", ask=AVERAGE, game="narrative")
    assert (state.asked.player, state.asked.who) == ("Anna", "")
    throw(table, ability=[("success",)], difficulty=[NOTHING, NOTHING])
    state = throw(table, ability=[("success", "success")], difficulty=[NOTHING, NOTHING])
    assert places(state) == [(1, "Bert"), (2, "Anna")]


def test_the_highest_total_wins_an_opposed_roll_of_different_skills(table: Played) -> None:
    thief = table.add(**coded("d6-companion", "Thief", Sneak="4D"))
    guard = table.add(**coded("d6-companion", "Guard", Perception="3D+1"))
    state = table.call(thief, "Sneak", others=(Rival(who=guard.id, skill="Perception"),))
    assert dict(call_of(state).dice) == {"pip": 4}
    state = throw(table, pip=[("3",), ("4",), ("2",), ("5",)])  # 14
    assert dict(call_of(state).dice) == {"pip": 3}
    state = throw(table, pip=[("6",), ("4",), ("3",)])  # 13 and a pip: 14
    assert [place for place, _ in places(state)] == [1, 1]
    assert contest(state)["winner"] is None  # a tie has no winner (opposed_roll, I2)
    table.undo()
    state = throw(table, pip=[("6",), ("4",), ("4",)])
    assert contest(state)["winner"]["name"] == "Guard"


def test_a_total_below_the_difficulty_does_not_win(table: Played) -> None:
    runners = [table.add(**coded("d6-companion", name, Running="2D")) for name in ("Ann", "Bo")]
    table.call(runners[0], "Running", others=(runners[1],), ask={"difficulty": 10})
    throw(table, pip=[("4",), ("5",)])
    state = throw(table, pip=[("2",), ("5",)])
    assert (contest(state)["winner"], contest(state)["sentence"]) == (None, "Nobody succeeds.")


def test_the_next_one_waits_while_a_wild_six_is_thrown_again(table: Played) -> None:
    runners = [table.add(**coded("d6-wild", name, Running="2D")) for name in ("Ann", "Bo")]
    table.call(runners[0], "Running", others=(runners[1],))
    state = throw(table, pip=[("4",)], wild=[("6",)])
    assert (state.asked.id, state.roll.awaits is not None, contest(state)["places"][0]["place"]) == ("", True, None)
    state = table.tell(EnterThrow, roll_id=state.roll, dice=dice(wild=[("2",)]))
    assert (state.asked.player, places(state)) == ("Bo", [(1, "Ann")])  # 4, 6 and 2
    state = throw(table, pip=[("6",)], wild=[("5",)])
    assert places(state) == [(1, "Ann"), (2, "Bo")]


def test_heroic_rolls_are_ranked_by_the_same_symbols(table: Played) -> None:
    people = [table.add(**{"name": name, "kind": "player", "game": "heroic",
                          "skills": [{"name": "Athletics", "ask": {"ability": 2, "skill": 0}}]})
              for name in ("Brakka", "Sim")]  # fmt: skip
    table.call(people[0], "Athletics", others=(people[1],), ask={"difficulty": "easy"})
    throw(table, ability=[("success",), NOTHING], difficulty=[NOTHING])
    state = throw(table, ability=[("success",), ("success",)], difficulty=[NOTHING])
    assert contest(state)["winner"]["name"] == "Sim"
    with pytest.raises(GameError, match="do not say what help is worth"):
        table.call(people[0], "Athletics", helpers=(people[1],))


def test_one_leads_and_skilled_and_plain_help_join_the_pool(table: Played) -> None:
    lead, expert, friend = (table.add(**looker(*one)) for one in (("Vex", 3, 0), ("Oskara", 2, 2), ("Mara", 1, 0)))
    helpers = (expert.id, friend.id)
    state = table.call(lead, "Perception", helpers=helpers, ask=AVERAGE)
    # characteristic 3 and Oskara's 2 ranks: 1 ability, 2 proficiency; Mara's help is a boost die
    assert dict(call_of(state).dice) == {"ability": 1, "proficiency": 2, "boost": 1, "difficulty": 2}
    state = throw(table, ability=[("success",)], proficiency=[NOTHING] * 2, boost=[NOTHING], difficulty=[NOTHING] * 2)
    assert (state.roll.succeeded, state_json(state, now=1.0)["contest"]) == (True, None)
    stranger = table.add(**coded("d6-companion", "Zed", Perception="3D"))
    with pytest.raises(Conflict, match="Zed is of another game"):
        table.call(lead, "Perception", helpers=(stranger,), ask=AVERAGE)


@pytest.mark.parametrize(
    ("codes", "actions", "fight", "pips"),
    [
        (("3D", "3D", "3D"), 1, False, 6),  # the text's example: three with 3D throw 3D+6
        (("3D", "3D", "3D"), 2, False, 4),  # and 2D+4 where each has two actions
        (("3D", "2D+2", "4D+1"), 1, False, 6),  # whole dice alone: 2 and 4
        (("3D", "3D", "3D"), 1, True, 6),  # in a fight three may combine, as 3D has three dice
        (("2D", "2D", "2D", "2D"), 1, True, -6),  # two too many: the bonus is lost, and 3 pips each
    ],
)
def test_a_combined_action_adds_a_pip_for_each_whole_die(
    table: Played, codes: tuple[str, ...], actions: int, fight: bool, pips: int
) -> None:
    lead, *others = (table.add(**coded("d6-companion", f"Worker {code} {n}", Repair=code))
                     for n, code in enumerate(codes))  # fmt: skip
    if fight:
        table.turn(Turn.ADD, rank=(3,))
    helpers = tuple(one.id for one in others)
    state = table.call(lead, "Repair", helpers=helpers, ask={"actions": actions})
    assert state.asked.answers.get("pips", 0) == pips
    with pytest.raises(GameError, match="no skill 'Dodge'"):
        table.call(lead, "Dodge", helpers=helpers)


def test_a_wounded_supporter_lends_a_die_less_and_reactions_are_not_combined(table: Played) -> None:
    lead = table.add(**coded("d6-companion", "Lead", Repair="3D", Dodge="3D"))
    hurt = table.add(**{**coded("d6-companion", "Hurt", Repair="3D", Dodge="3D"), "trackers": {"wounds": {"value": 1}}})
    state = table.call(lead, "Repair", helpers=(hurt,))
    assert state.asked.answers["pips"] == 2
    table.turn(Turn.ADD, who="Hurt", rank=(3,))
    table.call(hurt, "Dodge", ask={"actions": 2})
    throw(table, pip=[("3",)])
    for actions in (1, 2):  # 3D less a wound, and less the two actions that one of them has declared
        state = table.call(lead, "Repair", helpers=(hurt,), ask={"actions": actions})
        assert state.asked.answers["pips"] == 1
    assert [combined(Code(dice=5), [Code(dice=2)], actions=actions)[0] for actions in (1, 2, 3, 4)] == [2, 1, 0, 0]
    with pytest.raises(GameError, match="Dodge cannot be combined"):
        table.call(lead, "Dodge", helpers=(hurt,))
    with pytest.raises(GameError, match="Repair cannot be combined"):
        table.call(lead, "Repair", helpers=(hurt,), ask={"reaction_skill": "evasion"})


def test_the_bonus_of_a_command_goes_to_the_highest_skill_and_loses_what_it_missed(table: Played) -> None:
    workers = [table.add(**coded("d6-wild", f"Hand {n}", Repair=code)) for n, code in enumerate(("4D", *["2D"] * 5))]
    helpers = tuple(one.id for one in workers[1:])
    state = table.call(workers[0], "Repair", helpers=helpers)
    assert state.asked.answers["bonus"] == "2D"  # six work: a die for every three
    state = table.call(workers[0], "Repair", helpers=helpers[:3])
    assert state.asked.answers["bonus"] == "1D+1"  # four
    with pytest.raises(GameError, match="the bonus goes to the highest skill"):
        table.call(workers[1], "Repair", helpers=(workers[0],))
    captain = table.add(**coded("d6-wild", "Captain", Command="6D"))
    table.call(captain, "Command", ask={"difficulty": 20})
    state = throw(table, pip=[("3",), ("4",), ("4",), ("3",), ("3",)], wild=[("2",)])  # 19: missed by 1
    led = {"who": workers[0].id, "helpers": helpers, "skill": "Repair", "led_by": state.roll.id}
    assert table.call(**led).asked.answers["bonus"] == "1D"
    table.tell(ChangeRoll, roll_id=state.roll, is_hidden=True)
    with pytest.raises(Conflict, match="that roll is hidden"):
        table.call(**led)
    table.tell(ChangeRoll, roll_id=state.roll, is_hidden=False)
    assert table.call(**led).asked.answers["bonus"] == "1D"
    aide = table.add(**coded("d6-wild", "Aide", Command="5D"))
    table.call(aide, "Command", ask={"difficulty": 10})
    state = throw(table, pip=[("3",), ("4",), ("4",), ("3",)], wild=[("2",)])
    with pytest.raises(GameError, match="5D commands 5"):
        table.call(**{**led, "led_by": state.roll.id})


def test_several_beat_the_total_of_one(table: Played) -> None:
    guard = table.add(**coded("d6-companion", "Guard", Perception="3D"))
    thieves = [table.add(**coded("d6-companion", name, Sneak="3D")) for name in ("Ann", "Bo")]
    table.call(guard, "Perception")
    seen = throw(table, pip=[("3",), ("4",), ("3",)]).roll
    against = LastTotal(last_total=seen.id)
    table.call(thieves[0], "Sneak", others=(thieves[1],), against=against)
    throw(table, pip=[("3",), ("4",), ("4",)])
    state = throw(table, pip=[("1",), ("4",), ("4",)])
    assert [(one["name"], one["succeeded"]) for one in contest(state)["places"]] == [("Ann", True), ("Bo", False)]


def test_what_was_bought_for_the_next_ally_lies_in_the_first_call_alone(table: Played, three: list[Person]) -> None:
    table.call(three[0], "Perception", ask={"difficulty": "easy"})
    roll = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[NOTHING]).roll
    table.buy(roll, "boost_any_ally_next")
    state = call(table, three[1:])
    assert call_of(state).dice["boost"] == 1
    state = throw(table, ability=[("success",)], proficiency=[NOTHING], difficulty=[NOTHING] * 2, boost=[NOTHING])
    assert (call_of(state).who, "boost" in call_of(state).dice, carried(state)) == (three[2].id, False, ())
    state = table.undo()
    assert (call_of(state).dice["boost"], len(carried(state))) == (1, 1)


def test_a_roll_without_a_call_changes_nothing_for_those_who_wait(table: Played, three: list[Person]) -> None:
    before = call(table, three)
    state = table.tell(EnterRoll, dice=dice(ability=[("success",)]), by="Mara", game="narrative")
    assert (state.asked, contest(state)["places"]) == (before.asked, [])
    assert names(contest(state)["waiting"]) == ["Oskara", "Vex", "Mara"]


@pytest.mark.parametrize(
    ("game", "ask", "joins"),
    [
        ("d6-companion", {"code": "3D"}, {"pips": 3}),
        ("d6-wild", {"code": "3D"}, {"bonus": "+2"}),
        ("narrative", {"characteristic": 3, "skill": 1}, {"helper_characteristic": 4, "helper_skill": 2}),
    ],
)
def test_the_weapon_names_the_skill_that_others_help_with(
    table: Played, game: str, ask: dict[str, Any], joins: dict[str, Any]
) -> None:
    """Who combine fire combine the skill of the weapon (S003 ch. 1 Combined Actions; S001; narrative, section 10)."""
    better = {name: value + 1 for name, value in ask.items()} if game == "narrative" else ask
    one = {"kind": "player", "game": game, "skills": [{"name": "Gunnery", "ask": ask}]}
    lead = table.add(**{**one, "name": "Lead", "weapons": [{"name": "Gun", "skill": "Gunnery"}]})
    other = table.add(**{**one, "name": "Other", "skills": [{"name": "Gunnery", "ask": better}]})
    for _ in range(2):
        named = table.call(lead, "Gunnery", helpers=(other,), weapon="Gun").asked.answers
        told = table.call(lead, helpers=(other,), weapon="Gun").asked.answers
        assert told == named
        alone = table.call(lead, weapon="Gun").asked.answers
        assert told.items() >= joins.items()
        assert told != alone


@pytest.mark.parametrize(("command", "pips"), [("2D", -6), ("3D", -3), ("4D", 9)])
def test_who_threw_to_lead_limits_by_command_those_who_fire_and_is_none_of_them(
    table: Played, command: str, pips: int
) -> None:
    """Combined fire: as many as the coordinator's command has dice, and coordinating is an action (S003 ch. 1)."""
    crew = [table.add(**coded("d6-companion", f"Gunner {n}", Blaster="3D")) for n in range(4)]
    captain = table.add(**coded("d6-companion", "Captain", Command=command, Blaster="5D"))
    gun = {"about": "short"}
    shot: dict[str, Any] = {"who": crew[0].id, "skill": "Blaster", "ask": gun}
    gunners = tuple(one.id for one in crew[1:])
    table.turn(Turn.ADD, rank=(3,))
    table.call(captain, "Command")
    order = throw(table, pip=[("3",)] * int(command[0])).roll
    for helpers in (gunners, (*gunners, captain.id), gunners):
        assert table.call(**shot, helpers=helpers, led_by=order.id).asked.answers["pips"] == pips
    table.undo(3)
    again = table.call(**shot, helpers=gunners, led_by=order.id).asked.answers
    assert again["pips"] == pips
