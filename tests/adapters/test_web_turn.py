"""A turn over HTTP, in the forms that the contract gives."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tableside.table.shown import csv_of
from tests.adapters.test_web_access import Call, Role, app, clock, paired, pairing, screen, table  # noqa: F401

OSKARA = {"name": "Oskara", "kind": "player", "game": "narrative",
          "skills": [{"name": "Mechanics", "ask": {"characteristic": 2, "skill": 1}}],
          "weapons": [{"name": "Blaster", "skill": "Mechanics", "ask": {"purpose": "attack", "damage": 6}}],
          "trackers": {"wounds": {"value": 0, "most": 12}}}  # fmt: skip
TROOPER = {"name": "Trooper", "kind": "person", "game": "narrative", "defences": {"soak": 3}}
DICE = [{"type": "ability", "face": ["success"]}, {"type": "proficiency", "face": ["advantage", "advantage"]},
        {"type": "difficulty", "face": ["threat", "threat"]}]  # fmt: skip


@pytest.fixture
def gm(paired: Any) -> Call:  # noqa: F811
    call: Call = paired(Role.GM, "Mara")
    return call


def add(call: Call, person: dict[str, Any]) -> str:
    status, state = call("/api/people", {"do": "add", "person": person})
    assert status == 200
    return str(state["people"][-1]["id"])


def test_a_turn_goes_from_the_call_to_the_wound(gm: Call) -> None:
    oskara, trooper = add(gm, OSKARA), add(gm, TROOPER)
    status, state = gm(
        "/api/ask", {"who": oskara, "weapon": "Blaster", "against": trooper, "ask": {"difficulty": "easy"}}
    )
    assert (status, state["call"]["who"], state["call"]["for"]) == (200, oskara, "Blaster")
    assert state["call"]["dice"] == {"ability": 1, "proficiency": 1, "difficulty": 1}
    assert [flip["side"] for flip in state["call"]["flips"]] == ["light", "dark"]
    assert state["undo"]["what"] == "ask"
    status, state = gm("/api/destiny", {"do": "spend", "side": "dark"})
    assert (state["destiny"], state["call"]["dice"]["challenge"]) == ({"light": 6, "dark": 4}, 1)
    gm("/api/undo", {})
    status, roll = gm("/api/rolls", {"dice": DICE, "uses_ask": True})
    assert status == 201
    address = f"/api/rolls/{roll['id']}"
    _, told = gm(address)
    (effect,) = told["outcome"]["effects"]
    assert (effect["tracker"], effect["change"], effect["target"]) == ("wounds", 4, trooper)  # 6 and 1, less 3
    assert gm(f"{address}/apply", {"effect": 0, "to": trooper})[0] == 200
    assert gm(f"{address}/apply", {"effect": 0, "to": trooper})[0] == 200
    people = {person["id"]: person for person in gm("/api/people")[1]}
    assert people[trooper]["trackers"]["wounds"]["value"] == 4
    _, told = gm(address)
    assert [one["to"] for one in told["applied"]] == [trooper]


def test_what_is_bought_lies_in_the_next_call_of_whom_it_is_for(gm: Call) -> None:
    oskara, mara = add(gm, OSKARA), add(gm, {**OSKARA, "name": "Mara"})
    gm("/api/ask", {"who": oskara, "skill": "Mechanics", "ask": {"difficulty": "easy"}})
    dice = [DICE[0], DICE[1], {"type": "difficulty", "face": []}]
    address = f"/api/rolls/{gm('/api/rolls', {'dice': dice, 'uses_ask': True})[1]['id']}"
    spends = {one["name"]: one for one in gm(f"{address}/spends")[1]}
    assert spends["boost_any_ally_next"]["prices"] == [{"of": "advantage", "count": 2}]
    assert spends["boost_any_ally_next"]["carries"]["ask"] == {"boost": 1}
    price = {"of": "advantage", "count": 2}
    assert gm(f"{address}/spends", {"name": "boost_any_ally_next", "price": price, "for": mara})[0] == 200
    spends = {one["name"]: one for one in gm(f"{address}/spends")[1]}
    assert (spends["boost_any_ally_next"]["bought"], spends["notice_point"]["affordable"]) == (1, False)
    people = {person["id"]: person for person in gm("/api/people")[1]}
    assert [(one["from"], one["ask"]) for one in people[mara]["carried"]] == [("Oskara", {"boost": 1})]
    _, state = gm("/api/ask", {"who": mara, "skill": "Mechanics"})
    assert state["call"]["dice"]["boost"] == 1


def test_threats_are_spent_by_the_game_master_alone(gm: Call, paired: Any) -> None:  # noqa: F811
    dice = [{"type": "ability", "face": ["success"]}, {"type": "difficulty", "face": ["threat"]}]
    roll = gm("/api/rolls", {"dice": dice, "game": "narrative"})[1]
    player = paired(Role.PLAYER, "Vex")
    status, told = player(f"/api/rolls/{roll['id']}/spends", {"name": "suffer_strain"})
    assert (status, told["error"]["what"]) == (403, "threats and despairs are spent by the game master")
    assert gm(f"/api/rolls/{roll['id']}/spends", {"name": "suffer_strain"})[0] == 200


def test_a_wrong_pool_is_taken_as_it_lies_and_the_call_of_a_roll_is_changed(gm: Call) -> None:
    oskara = add(gm, OSKARA)
    gm("/api/ask", {"who": oskara, "skill": "Mechanics", "ask": {"difficulty": "hard"}})
    roll = gm("/api/rolls", {"dice": DICE, "uses_ask": True})[1]
    assert roll["short"] == {"difficulty": 2}
    status, roll = gm(f"/api/rolls/{roll['id']}/take", {})
    assert (status, roll["short"], roll["succeeded"]) == (200, {}, True)
    status, roll = gm(f"/api/rolls/{roll['id']}/ask", {"ask": {"failure": 1}})
    assert (status, roll["succeeded"]) == (200, False)


def test_the_history_is_told_as_a_table(gm: Call, app: Any, table: Any) -> None:  # noqa: F811
    roll = gm("/api/rolls", {"dice": DICE[:2], "game": "narrative", "label": "=evil()"})[1]
    gm(f"/api/rolls/{roll['id']}/spends", {"name": "boost_any_ally_next"})
    gm("/api/rolls", {"dice": DICE, "game": "narrative", "label": "secret", "hidden": True})

    answer = app.test_client().get("/api/history?format=csv")  # the table's own screen, which sees nothing hidden
    assert answer.mimetype == "text/csv"
    told = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["kind"] for row in told] == ["destiny", "roll", "spend"]
    assert told[1]["label"] == "'=evil()"
    assert told[1]["dice"].startswith("ability: success; proficiency: advantage advantage")
    whole = list(csv.DictReader(io.StringIO("".join(csv_of(table.saved_since(0, limit=100))))))
    assert [row["label"] for row in whole][-1] == "secret"


def test_a_table_of_the_groups_own_is_told_and_used(gm: Call) -> None:
    rows = [{"from": 2, "to": 6, "words": "Nick"}, {"from": 7, "to": 12, "words": "Slash"}]
    assert gm("/api/tables", {"name": "Injuries", "dice": "2D", "rows": rows})[0] == 200
    assert gm("/api/tables")[1] == [{"name": "Injuries", "dice": "2D", "rows": rows}]
    gm("/api/ask", {"game": "d6-companion", "ask": {"code": "2D"}, "table": "injuries", "label": "Injury"})
    pair = [{"type": "pip", "face": ["6"]}, {"type": "pip", "face": ["1"]}]
    assert gm("/api/rolls", {"dice": pair, "uses_ask": True})[1]["row"] == "Slash"


def test_a_call_of_several_is_told_in_the_forms_of_the_guide(gm: Call, paired: Any) -> None:  # noqa: F811
    oskara, mara = add(gm, OSKARA), add(gm, {**OSKARA, "name": "Mara"})
    player = paired(Role.PLAYER, "Vex")
    call = {"skill": "Mechanics", "ask": {"difficulty": "easy"}}
    status, told = gm("/api/odds", {**call, "who": oskara, "helpers": [mara]})
    assert (status, told["dice"]) == (200, {"ability": 1, "proficiency": 1, "boost": 1, "difficulty": 1})
    status, state = player("/api/ask", {**call, "who": oskara, "others": [{"who": mara, "skill": "Mechanics"}]})
    assert (status, state["contest"]["waiting"]) == (
        200,
        [{"who": oskara, "name": "Oskara"}, {"who": mara, "name": "Mara"}],
    )
    contest = state["contest"]["id"]
    assert gm("/api/ask", {"contest": contest, "who": mara})[1]["asked"]["player"] == "Mara"
    blank = [DICE[0], {"type": "proficiency", "face": []}, {"type": "difficulty", "face": []}]
    roll = gm("/api/rolls", {"dice": blank, "uses_ask": True})[1]
    state = player("/api/state")[1]
    assert (roll["contest"], state["contest"]["places"][0]["roll"], state["asked"]["player"]) == (
        contest, roll["id"], "Oskara")  # fmt: skip
    gm("/api/rolls", {"dice": blank, "uses_ask": True})
    state = player("/api/state")[1]
    assert (state["contest"]["done"], state["contest"]["winner"]) == (True, None)
    assert state["contest"]["words"]["sentence"]["key"] == "Nobody wins: {names} are level."


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/ask", {"who": "nobody"}),
        ("/api/ask", {"against": {"last_total": "none"}, "ask": {"dice": {"ability": 1}}}),
        ("/api/people", {"do": "add", "person": {"name": "Xan", "skils": []}}),
        ("/api/people", {"do": "remove", "person": {"id": "none"}}),
        ("/api/people", {"do": "copy", "person": {"id": "none"}, "count": 10**6}),
        ("/api/people", {"do": "add", "person": {"name": "Xan", "trackers": {"wounds": {"value": 10**9}}}}),
        ("/api/people", {"do": "add", "person": {"name": "Xan", "skills": "many"}}),
        ("/api/ask", {"player": "Vex", "others": ["nobody"], "ask": {"dice": {"ability": 1}}}),
        ("/api/ask", {"others": ["nobody"]}),
        ("/api/ask", {"others": [7]}),
        ("/api/ask", {"others": [{"who": "x", "skil": "y"}]}),
        ("/api/ask", {"others": ["x"] * 21}),
        ("/api/ask", {"contest": "none", "who": "x"}),
        ("/api/ask", {"helpers": ["nobody"], "ask": {"dice": {"ability": 1}}}),
        ("/api/people", {"do": "change", "person": {"id": "x", "trackers": {"wounds": {"change": "1"}}}}),
        ("/api/rolls/none/take", {}),
        ("/api/rolls/none/apply", {"effect": 0, "to": "x"}),
        ("/api/rolls/none/spends", {"name": "recover_strain"}),
        ("/api/tables", {"name": "Odd", "rows": [{"from": 5, "to": 1, "words": "?"}]}),
    ],
)
def test_a_wrong_word_changes_nothing_and_says_why(gm: Call, table: Any, path: str, body: dict[str, Any]) -> None:  # noqa: F811
    before = table.state.last_number
    status, told = gm(path, body)
    assert 400 <= status < 500
    assert all(told["error"][part] for part in ("what", "hint"))
    assert table.state.last_number == before


def test_a_roll_tells_how_it_was_called_and_what_one_more_die_would_bring(gm: Call) -> None:
    assert gm("/api/game", {"game": "d6-wild"})[0] == 200
    rook = add(gm, {"name": "Rook", "kind": "player", "game": "d6-wild", "trackers": {"character_points": {"value": 2}},
                    "skills": [{"name": "Blaster", "ask": {"code": "2D"}}],
                    "weapons": [{"name": "Pistol", "skill": "Blaster", "ask": {}}]})  # fmt: skip
    called = {"who": rook, "weapon": "Pistol", "ask": {"difficulty": 9}, "label": "At the lamp", "odds_for": "all"}
    _, state = gm("/api/ask", called)
    assert state["asked"]["by"] == "Mara"
    _, roll = gm("/api/rolls", {"dice": [{"type": "pip", "face": ["3"]}, {"type": "wild", "face": ["2"]}],
                                "uses_ask": True})  # fmt: skip
    address = f"/api/rolls/{roll['id']}"
    again = gm(address)[1]["call"]
    assert {key: again[key] for key in ("who", "weapon", "ask", "label")} == {
        key: called[key] for key in ("who", "weapon", "ask", "label")
    }
    (die,) = gm(f"{address}/spends")[1]
    assert die["success"] == pytest.approx(3 / 6)  # 5 and a 4, a 5, or a 6 with whatever follows
    _, state = gm("/api/ask", again)
    assert state["call"]["dice"] == {"pip": 1, "wild": 1}


def test_what_calls_a_roll_once_more_calls_all_of_it(gm: Call) -> None:
    """Damage stays damage, several targets stay several, and help stays led by who commands."""
    assert gm("/api/game", {"game": "d6-wild"})[0] == 200
    coded = [{"name": name, "ask": {"code": "2D"}} for name in ("Blaster", "Command", "Strength")]
    pistol = {"name": "Pistol", "skill": "Blaster", "ask": {}, "damage": {"code": "2D", "purpose": "damage"}}
    people = [
        add(gm, {"name": name, "kind": "person", "game": "d6-wild", "skills": coded, "weapons": [pistol]})
        for name in ("Rook", "Ann", "Bo")
    ]
    rook, ann, bo = people

    def called(body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        status, state = gm("/api/ask", body)
        assert status == 200
        told = {name: value for name, value in state["asked"].items() if name not in ("id", "at", "answers")}
        _, roll = gm("/api/rolls", {"dice": [{"type": "pip", "face": ["3"]}, {"type": "wild", "face": ["2"]}],
                                    "uses_ask": True})  # fmt: skip
        return roll["id"], {**told, "dice": state["call"]["dice"], "answers": state["asked"]["answers"]}

    order, _ = called({"who": ann, "skill": "Command", "ask": {"difficulty": 8}})
    total, _ = called({"who": bo, "skill": "Strength"})
    for body in (
        {"who": rook, "weapon": "Pistol", "damage": True, "against": {"last_total": total}},
        {"who": rook, "weapon": "Pistol", "targets": [ann, bo], "hidden": True},
        {"who": rook, "skill": "Blaster", "helpers": [bo], "led_by": order, "ask": {"difficulty": 9}},
    ):
        roll, before = called(body)
        _, after = called(gm(f"/api/rolls/{roll}")[1]["call"])
        assert after == before


def test_a_player_is_told_no_chance_that_the_call_kept_from_players(gm: Call, paired: Any) -> None:  # noqa: F811
    assert gm("/api/game", {"game": "d6-wild"})[0] == 200
    gm("/api/ask", {"game": "d6-wild", "player": "Rook", "ask": {"code": "2D", "difficulty": 9}})
    _, roll = gm("/api/rolls", {"dice": [{"type": "pip", "face": ["3"]}, {"type": "wild", "face": ["2"]}],
                                "uses_ask": True})  # fmt: skip
    address = f"/api/rolls/{roll['id']}/spends"
    assert gm(address)[1][0]["success"] == pytest.approx(0.5)
    assert paired(Role.PLAYER, "Rook")(address)[1][0]["success"] is None


def test_a_call_takes_a_pool_as_people_write_it(gm: Call) -> None:
    """It is kept as numbers, so that pages draw it and changes add to it."""
    status, state = gm("/api/ask", {"game": "narrative", "ask": {"dice": "2y1g2p", "boost": 1}})
    assert (status, state["asked"]["answers"]["dice"]) == (200, {"proficiency": 2, "ability": 1, "difficulty": 2})
    assert state["call"]["dice"] == {"proficiency": 2, "ability": 1, "difficulty": 2, "boost": 1}
    status, told = gm("/api/odds", {"game": "narrative", "ask": {"dice": "2y 1x"}})
    assert (status, told["error"]["what"], told["error"]["where"]) == (400, "'x' is no die", "pool '2y 1x'")
    assert told["error"]["hint"].startswith("The letters are g ability")
    status, state = gm("/api/ask", {"game": "d6-wild", "ask": {"code": "3W+1", "difficulty": 8}})
    assert (status, state["call"]["dice"]) == (200, {"pip": 2, "wild": 1})


def test_nobody_throws_or_spends_for_the_game_master_who_rolls_in_secret(gm: Call, paired: Any) -> None:  # noqa: F811
    oskara = add(gm, OSKARA)
    gm("/api/ask", {"who": oskara, "skill": "Mechanics", "hidden": True})
    player, dice = paired(Role.PLAYER, "Vex"), DICE[:2]
    status, told = player("/api/rolls", {"dice": dice, "uses_ask": True})
    assert (status, told["error"]["what"]) == (409, "the game master rolls first")
    pool = gm("/api/state")[1]["destiny"]
    assert player("/api/destiny", {"do": "spend", "side": "light"})[0] == 409  # it would join that roll
    assert gm("/api/state")[1]["destiny"] == pool
    assert gm("/api/destiny", {"do": "spend", "side": "dark"})[0] == 200
    assert gm("/api/undo", {})[0] == 200
    assert player("/api/rolls", {"dice": dice})[1]["hidden"] is False  # dice for nothing that is called
    assert gm("/api/rolls", {"dice": dice, "uses_ask": True})[1]["hidden"] is True
    assert player("/api/rolls", {"dice": dice, "uses_ask": True})[0] == 201  # nobody is called any more
