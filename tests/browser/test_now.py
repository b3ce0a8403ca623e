"""What every page shows of the now: its words at each place, its colour and its acts."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tableside.adapters.web import Services, create_app
from tableside.rules import Game
from tableside.table import MemoryStore, Table
from tableside.table.shown import state_json
from tests.adapters.test_web_access import caller
from tests.conftest import SYSTEM
from tests.nows import ROWS, Scene, title
from tests.table.test_now import follow, in_each_game
from tests.table.test_undo_fights import Fight
from tests.table.test_undo_replay import Evening

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PEOPLE = [
    {"id": "v", "name": "Vex", "kind": "player"},
    {"id": "t", "name": "Troopers", "kind": "group"},
]
ROLL = {"id": "r", "by": "Vex", "sure": True, "succeeded": True, "headline": "Hit for 8", "outcome": "success",
        "net": {"success": 2}, "dice": [], "suspects": []}  # fmt: skip
CALL = {"dice": {"ability": 3, "difficulty": 2}, "missing": {"difficulty": 1}}
HEADS = """async ([text, places]) => {
    const states = JSON.parse(text);
    const at = document.querySelector('script[type=module]').src.replace(/[^/]+$/, '');
    const now = await import(at + 'part/now.js');
    return states.map((state) => [now.toneOfNow(state), ...places.map((place) => now.headOf(state, place))]);
}"""
WORDS = """async (text) => {
    const states = JSON.parse(text);
    const at = document.querySelector('script[type=module]').src.replace(/[^/]+$/, '');
    const { actWords } = await import(at + 'part/now.js');
    const said = (state, act) => (act && act.key !== 'choose_dice' ? actWords(state, act) : '');
    return states.map((state) => said(state, state.now.act));
}"""
PLACES = ["table", "master", "mine", "named", "other"]


def state(name: str, whose: str = "v", **more: Any) -> dict[str, Any]:
    now = {"number": 1, "name": name, "whose": whose, "act": None, "also": [], "roll": None, **more.pop("now", {})}
    return {"now": now, "people": PEOPLE, "roll": None, "history": [], "call": None, "asked": None, **more}


def test_each_row_is_said_at_each_place(page: Page, tmp_path: Path) -> None:
    states = []
    for row in ROWS:
        with closing(Table(SYSTEM, MemoryStore())) as table:
            client = create_app(Services(table=table, web_folder=tmp_path)).test_client()
            scene = Scene(table, caller(client))
            scene.bring_to(row)
            states.append(scene.state)
    text = json.dumps(states)
    heads_of = page.evaluate(HEADS, [text, ["table", "master", "mine", "other"]])
    for row, heads, words in zip(ROWS, heads_of, page.evaluate(WORDS, text), strict=True):
        assert [*heads, words] == row["places"], title(row)


def test_a_group_a_player_without_a_character_and_a_roll_of_before_have_words_of_their_own(page: Page) -> None:
    hit = {"roll": ROLL, "now": {"roll": "r"}}
    newer = {"roll": {**ROLL, "id": "other", "headline": "Hit for 1"}, "history": [ROLL], "now": {"roll": "r"}}
    states = [
        state("throw", "t", call=CALL), state("throw", "", asked={"player": "Ilun"}), state("rolling", call=CALL),
        state("more", **hit), state("spend", **newer), state("turn"), state("fallen"),
    ]  # fmt: skip
    assert page.evaluate(HEADS, [json.dumps(states), PLACES]) == [
        ["ask", "Troopers roll", "Troopers throw", "Your roll", "Troopers’ roll", "Troopers throw"],
        ["ask", "Ilun rolls", "Ilun throws", "Your roll", "Ilun’s roll", "Ilun throws"],
        ["ask", "Vex rolls", "4 of 5", "4 of 5", "4 of 5", "Vex throws"],
        ["ask", "Vex throws on", "Vex throws on", "Your roll", "Vex’s roll", "Vex throws on"],
        ["good", *["Hit for 8"] * 5],
        ["ask", "Vex acts", "Vex acts", "Your turn", "Vex acts", "Vex acts"],
        ["bad", "Vex is down", "Vex is down", "You are down", "You are down", "Vex is down"],
    ]


@in_each_game
def test_no_place_names_another_roll_on_random_evenings(
    page: Page, game: Game, form: dict[str, Any], asks: list[dict[str, Any]]
) -> None:
    """As in the table's own such test, few changes are kept: a short evening then forgets as much as a long one."""
    system = replace(SYSTEM, most_changes=25)
    states = []
    for seed, kind in ((8, Evening), (9, Fight)):
        for _, after in follow(kind(seed, game, form, asks, system), 100):
            for sees_hidden in (True, False):
                told = state_json(after, now=1.0, sees_hidden=sees_hidden)
                for roll in (told["roll"] or {}, *told["history"]):
                    if roll.get("id") != told["now"]["roll"]:
                        roll.update(
                            {"headline": "FOREIGN", "net": {"FOREIGN": 1}, "short": {"FOREIGN": 1}, "by": "FOREIGN"}
                        )
                states.append(told)
    heads = page.evaluate(HEADS, [json.dumps(states, default=str), PLACES])
    assert {one[0] for one in heads} <= {"good", "bad", "ask", "doubt", "ink"}
    assert not [one for one in heads if "FOREIGN" in "".join(one)]


def test_an_act_is_sent_as_it_is_or_done_by_the_page(page: Page) -> None:
    """The lit button alone says which act it is; what a page has no hand for is not offered."""
    acts = """async (state) => {
        const at = document.querySelector('script[type=module]').src.replace(/[^/]+$/, '');
        const { actButton, actWords } = await import(at + 'part/now.js');
        const { html, render } = await import(at + 'vendor/lit-html/lit-html.js');
        const place = document.body.appendChild(document.createElement('div'));
        const sent = [];
        const send = window.fetch;
        window.fetch = async (address, how) => {
            if (address !== '/api/initiative') return send(address, how);  // the page asks for what is its own
            sent.push([address, JSON.parse(how.body)]);
            return Response.json({});
        };
        const hands = { photograph: () => sent.push('thrown') };
        const request = { method: 'POST', path: '/api/initiative', body: { do: 'next', slot: 's' } };
        const shown = [
            [{ key: 'next', values: { next: 't' }, request }, { isLit: true }],
            [{ key: 'photograph', values: {}, request: null }, { hands }],
            [{ key: 'take', values: { n: 5 }, request: null }, { hands }],
        ].map(([act, how]) => actButton(act, { words: actWords(state, act), ...how }));
        render(html`${shown}`, place);
        const buttons = [...place.children];
        const told = buttons.map((one) => [one.textContent.trim(), one.dataset.act ?? '', one.disabled]);
        for (const one of [...buttons, buttons[0]]) one.click();
        place.remove();
        return [told, sent];
    }"""
    told, sent = page.evaluate(acts, state("result"))
    assert told == [
        ["Next: Troopers", "next", False],
        ["Photograph my dice", "", False],
        ["Take it as it lies", "", True],
    ]
    first, thrown, again = sent
    assert thrown == "thrown"
    assert [first[0], again[0]] == ["/api/initiative"] * 2
    assert first[1].pop("id") != again[1].pop("id")
    assert first[1] == again[1] == {"do": "next", "slot": "s"}


def test_an_act_names_people_dice_and_what_it_does(page: Page) -> None:
    words = """async ([state, acts]) => {
        const at = document.querySelector('script[type=module]').src.replace(/[^/]+$/, '');
        const { actWords, nextWords } = await import(at + 'part/now.js');
        return acts.map(([act, isMine]) => [actWords(state, act, { isMine }), nextWords(state, act)]);
    }"""
    what = {"key": "{n} wounds", "values": {"n": 8}, "text": "8 wounds"}
    acts = [
        [{"key": "next", "values": {"next": "t"}}, True],
        [{"key": "next", "values": {"next": ""}}, False],
        [{"key": "apply_next", "values": {"what": what, "to": "t", "next": "v"}}, False],
        [{"key": "apply_next", "values": {"what": what, "to": "t", "next": ""}}, False],
        [{"key": "apply", "values": {"what": what, "to": "t"}}, True],
        [{"key": "resist", "values": {"who": "t", "skill": "Resilience"}}, False],
        [{"key": "back", "values": {"who": "v"}}, False],
        [{"key": "next", "values": {"next": "A stranger"}}, False],
    ]
    assert page.evaluate(words, [state("result"), acts]) == [
        ["End my turn", "Troopers are next"],
        ["Next round", ""],
        ["Apply, next: Vex", "Vex is next"],
        ["Apply, end the turn", ""],
        ["Apply 8 wounds", ""],
        ["Troopers roll Resilience", ""],
        ["Back to Vex", ""],
        ["Next: A stranger", "A stranger is next"],
    ]
