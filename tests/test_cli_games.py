"""``score`` and ``odds`` on the command line, built from the form of each game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tableside.rules import find_game, game_names
from tests.conftest import Run

POOLS = {"narrative": "1a 2p 2d", "heroic": "1a 2p 2d", "d6-companion": "4D+1", "d6-wild": "4D+1"}


def pips(*values: int) -> list[dict[str, Any]]:
    return [{"type": "pip", "face": [str(value)]} for value in values]


def wild(value: int) -> dict[str, Any]:
    return {"type": "wild", "face": [str(value)]}


@pytest.mark.parametrize("game", POOLS)
def test_every_game_tells_odds_as_a_table_with_a_plot(run: Run, game: str) -> None:
    status, out, err = run("odds", POOLS[game], "--game", game)
    assert (status, err) == (0, "")
    assert any(line.rstrip().endswith("%") and "█" in line for line in out.splitlines())


@pytest.mark.parametrize("game", POOLS)
def test_every_game_tells_odds_as_one_json_object_with_exact_counts(run: Run, game: str) -> None:
    status, out, _ = run("odds", POOLS[game], "--game", game, "--json")
    record = json.loads(out)
    assert status == 0
    cells = record["joint"] if "joint" in record else record["totals"]
    assert sum(cell[-1] for cell in cells) + record.get("beyond", 0) == record["denominator"]


def test_odds_are_asked_for_in_words_of_the_form(run: Run) -> None:
    asks = ["--ask", "characteristic=3", "--ask", "skill=2", "--ask", "difficulty=average"]
    told = [json.loads(run("odds", *words, "--json")[1]) for words in (asks, ["1a 2p 2d"])]
    assert told[0] == told[1]


def test_odds_after_a_point_are_told(run: Run) -> None:
    record = json.loads(run("odds", "1a 2p 2d", "--json")[1])
    better = json.loads(run("odds", "3p 2d", "--json")[1])
    helped = next(spend for spend in record["spending"] if spend["name"] == "helping_hand")
    assert helped["success"] == better["success"] > record["success"]
    assert "A helping hand" in run("odds", "1a 2p 2d")[1]


def test_a_code_of_a_d6_game_is_told_against_its_difficulty(run: Run) -> None:
    record = json.loads(run("odds", "2D", "--game", "d6-companion", "--ask", "difficulty=7", "--json")[1])
    assert record["success"] == pytest.approx(21 / 36)


@pytest.mark.parametrize("code", ["4d6+1", "4d + 1", "4 D +1", "4W6+1"])
def test_a_code_is_taken_as_people_write_it(run: Run, code: str) -> None:
    for game in ("d6-companion", "d6-wild"):
        plain = run("odds", "4D+1", "--game", game)
        assert run("odds", code, "--game", game) == run("odds", "--ask", f"code={code}", "--game", game) == plain
        assert plain[0] == 0


@pytest.mark.parametrize("game", game_names())
def test_the_asks_of_every_game_are_listed(run: Run, game: str) -> None:
    for command in ("odds", "score"):
        status, out, _ = run(command, "--game", game, "--asks", "--json")
        assert status == 0
        assert [json.loads(line)["name"] for line in out.splitlines()] == [f.name for f in find_game(game).form]
    assert all(field.title in run("odds", "--game", game, "--asks")[1] for field in find_game(game).form)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("odds", "--", "-1a"), "pool '-1a': -1 ability dice cannot be thrown. Write how many"),
        (("odds", "1000a"), "1000 dice are too many. At most 60"),
        (("odds", "3x"), "'x' is no die. The letters are a ability"),
        (("odds", "4d6 + 2"), "'4d6 + 2' is of another game. Say --game d6-companion or --game d6-wild."),
        (("odds", "1a2p", "--game", "d6-wild"), "'1a2p' is of another game. Say --game heroic or --game narrative."),
        (("odds",), "the pool is empty. Write a pool such as"),
        (("odds", "3D+x", "--game", "d6-wild"), "code is '3D+x'. Write one such as 3D or 3D+2"),
        (("odds", "--game", "d6-wild", "--ask", "difficulty=9"), "no code was given. Ask for one, such as code=4D+2"),
        (("odds", "--ask", "difficulty=hard"), "no pool was given. Ask for dice, such as dice=1a2p2d"),
        (("odds", "1a", "--ask", "dificulty=hard"), "cannot be asked for 'dificulty'. Did you mean difficulty?"),
        (("odds", "1a", "--ask", "difficulty=hrd"), "difficulty is 'hrd'. Did you mean hard?"),
        (("odds", "1a", "--ask", "boost"), "'boost' has no value. Write NAME=VALUE"),
        (("odds", "1a", "--ask", "boost=two"), "boost is 'two'. It must be a whole number from 0 to 20"),
        (("odds", "1a", "--game", "narative"), "no game 'narative' is installed. Did you mean narrative?"),
        (("score", "--game", "d6-wild", "--ask", "cover=ful"), "cover is 'ful'. Did you mean full?"),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_right(run: Run, arguments: tuple[str, ...], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_what_no_face_can_be_is_refused(run: Run) -> None:
    dice = [{"type": "ability", "face": [f"s{number}" for number in range(20_000)]}]
    status, out, err = run("score", "--game", "narrative", "--json", lines=({"dice": dice},))
    assert (status, err) == (1, "line 1: a face has 20000 symbols. A face has at most 12 symbols of 40 letters.\n")
    assert json.loads(out)["error"].startswith("a face has 20000 symbols. A face has at most 12")


def test_words_are_looked_up_in_the_reference_of_the_games(run: Run) -> None:
    _, out, _ = run("look-up", "Desert", "--json")
    (found,) = [json.loads(line) for line in out.splitlines()]
    assert (found["game"], found["rows"][0][:2]) == ("narrative", ["Daunting", "4"])
    _, whole, _ = run("look-up", "difficulty", "levels", "--game", "narrative")
    assert [line.split()[0] for line in whole.splitlines()[2:9]][::6] == ["Simple", "Impossible"]
    assert run("look-up", "difficulty", "levels", "--game", "heroic")[0] == 1
    status, out, err = run("look-up", "nothing", "like", "this")
    assert (status, out) == (1, "")
    assert "nothing has the words 'nothing like this'" in err


@pytest.mark.parametrize("game", ["d6-wild", "d6-companion", "heroic", "narrative"])
def test_a_percentile_throw_is_a_number_in_every_game_as_at_the_table(run: Run, game: str) -> None:
    throw = [{"type": "d100", "face": ["80"]}, {"type": "d10", "face": ["3"]}]
    status, out, _ = run("score", "--game", game, "--json", lines=[{"dice": throw}])
    assert (status, json.loads(out)["net"]) == (0, {"total": 83})
    mixed = [*throw, *pips(4)]
    assert run("score", "--game", game, "--json", lines=[{"dice": mixed}])[0] == 1


def test_a_game_must_be_named_to_score(run: Run) -> None:
    status, _, err = run("score")
    assert status == 2
    assert "d6-companion, d6-wild, heroic, narrative" in err


def test_steps_name_rule_and_source(run: Run) -> None:
    roll = {"dice": [{"type": "ability", "face": ["success"]}, {"type": "difficulty", "face": ["failure"]}]}
    _, out, _ = run("score", "--game", "narrative", "--steps", lines=(roll,))
    assert "Successes 1, less failures 1: +0. [M03, S000 Dice symbols and results]" in out
    steps = json.loads(run("score", "--game", "narrative", "--steps", "--json", lines=(roll,))[1])["steps"]
    assert {step["rule"] for step in steps} == {"M01", "M03"}
    assert all(step["source"] for step in steps)


def test_what_may_be_bought_is_told_on_demand(run: Run) -> None:
    roll = {"dice": [{"type": "ability", "face": ["advantage", "advantage"]}], "ask": {"in_fight": True}}
    _, out, _ = run("score", "--game", "narrative", "--spends", lines=(roll,))
    assert "2 advantages: A free maneuver at once" in out
    record = json.loads(run("score", "--game", "narrative", "--spends", "--json", lines=(roll,))[1])
    assert "free_maneuver" in [spend["name"] for spend in record["spends"]]


def test_several_throws_make_one_roll(run: Run) -> None:
    roll = {"throws": [[*pips(3, 4), wild(6)], [wild(2)]], "ask": {"code": "3D", "difficulty": 15}}
    record = json.loads(run("score", "--game", "d6-wild", "--json", lines=(roll,))[1])
    assert (record["succeeded"], record["net"]["total"], record["awaits"]) == (True, 15, None)


def test_an_ask_of_the_command_counts_for_every_line_but_the_line_has_the_last_word(run: Run) -> None:
    lines = ({"dice": pips(3)}, {"dice": pips(3), "ask": {"difficulty": 3}}, {"dice": pips(3), "ask": {"boost": 1}})
    status, out, err = run("score", "--game", "d6-companion", "--ask", "difficulty=4", "--json", lines=lines)
    told = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert [record.get("succeeded") for record in told] == [False, True, None]
    assert "line 3" in err


def test_an_attack_is_told_to_its_end(run: Run) -> None:
    status, out, _ = run("odds", "yygpp", "--ask", "purpose=attack", "--ask", "damage=3", "--ask", "soak=5")
    assert status == 0
    assert out.splitlines()[-4].split() == ["1", "damage", "14.68", "%", "21.94", "%"]
    codes = ("4D+2", "--game", "d6-wild", "--ask", "difficulty=15")
    status, out, _ = run("odds", *codes, "--damage", "5D", "--resists", "3D", "--json")
    told = json.loads(out)
    assert (status, told["attack"]["hits"]) == (0, told["success"])
    status, _, err = run("odds", *codes, "--damage", "5D")
    assert status == 2
    assert "no whole attack was given" in err
