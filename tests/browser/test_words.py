"""What the games say is shown in the language of the page: the same table, filled in by the page itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tableside.adapters.sqlite_store import not_writable
from tableside.app.running_table import RunningTable
from tableside.rules import find_game, game_names
from tableside.table.messages import ChangeDestiny, ChooseGame, Do, ShowTrouble
from tableside.tray.health import Fault
from tableside.words import word_json
from tests.browser.conftest import Opens, new_id, roll, throw
from tests.browser.test_phones import Paired
from tests.rules.asks import pips, symbols, wild
from tests.rules.test_words import GERMAN, form_texts, texts_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SMALL = {"width": 800, "height": 480}
ATTACK = {"purpose": "attack", "weapon": "vibroknife", "soak": 4}
REFUSED = """async found => {
    await import('/said.js');
    const { fetch } = window;
    const body = JSON.stringify('error' in found ? found : { error: found });
    window.fetch = async () => new Response(body, { status: 400 });
    try { return (await (await import('/talk.js')).trySend('/api/rolls', {})).error; } finally { window.fetch = fetch; }
}"""
"""Returns how a page says what the table refused."""
SAY = "async told => { const { said } = await import('/said.js'); return told.map(([one, text]) => said(one, text)); }"


def texts() -> list[str]:
    """Return what is said of one roll or two of each game."""
    plays: list[tuple[str, dict[str, Any], list[Any]]] = [
        ("narrative", ATTACK, symbols("ability:success,success")),
        (
            "narrative",
            {"purpose": "attack", "damage": 5, "soak": 2},
            symbols("ability:success,success boost:advantage"),
        ),
        ("narrative", {}, symbols("proficiency:triumph challenge:despair difficulty:threat,threat force:dark")),
        ("narrative", {"characteristic": 2, "boost": 1, "difficulty": "hard"}, symbols("ability:success")),
        ("heroic", {"purpose": "save"}, symbols("ability:success")),
        ("d6-companion", {"code": "3D+2", "difficulty": 10, "cap": 4, "actions": 2}, pips(6, 4, 1)),
        ("d6-companion", {"code": "2D", "purpose": "damage", "against": 4}, pips(6, 5)),
        ("d6-wild", {"code": "3D", "difficulty": 8}, [*pips(4, 2), wild(6)]),
        ("d6-wild", {"code": "2D", "band": "moderate"}, [*pips(4), wild(1)]),
        ("d6-wild", {"purpose": "hit_location"}, pips(3, 4)),
    ]
    found: list[str] = []
    for name, ask, dice in plays:
        game = find_game(name)
        found += texts_of(game, game.play([dice], ask), ask)
    return found


def test_both_languages_say_whatever_a_game_says(opens: Opens) -> None:
    english = texts()
    said = [[word_json(text), str(text)] for text in english]
    assert opens("/?lang=en", viewport=SMALL).evaluate(SAY, said) == english
    german = opens("/?lang=de", viewport=SMALL).evaluate(SAY, said)
    assert not [text for text in german if "{" in text]
    by_english = dict(zip(english, german, strict=True))
    assert by_english["Hit for 3. 5 less soak 2. Success with 2 successes."] == (
        "Treffer für 3. 5 minus Absorption 2. Erfolg: 2 Erfolge."
    )
    same = {text for text, other in by_english.items() if text == other and any(part.isalpha() for part in text)}
    assert {text for text in same if any(text in key for key in GERMAN if GERMAN[key] != key)} == set()


def test_the_table_screen_says_a_result_in_german(opens: Opens, running: RunningTable) -> None:
    page = opens("/?lang=de", viewport=SMALL)
    roll(running)
    expect(page.locator("#headline")).to_have_text("Erfolg")
    expect(page.locator("#sentence")).to_contain_text("zum Ausgeben")
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="d6-wild"))
    throw(running, ("pip", ("4",)), ("wild", ("1",)))
    expect(page.locator("#sentence")).to_contain_text("eine Komplikation")


def test_the_form_of_each_game_is_in_german_and_shows_no_rule_code(opens: Opens) -> None:
    page = opens("/?lang=de", viewport=SMALL)
    for name in game_names():
        shown = page.evaluate("""async name => {
            const { get } = await import('/talk.js');
            const { render } = await import('/vendor/lit-html/lit-html.js');
            const { fieldRows } = await import('/phone/fields.js');
            const game = (await get('/api/games')).find(one => one.name === name);
            const form = document.createElement('div');
            render(fieldRows(game.form, {}, () => {}), form);
            return form.textContent + game.trackers.map(one => one.title + one.help).join();
        }""", name)  # fmt: skip
        texts = form_texts(find_game(name))
        english = {text for text in texts if len(text.split()) > 2 and GERMAN.get(text, text) != text}
        assert {text for text in english if text in shown} == set(), name
        assert "[" not in shown, name


def test_how_a_result_was_worked_out_shows_no_rule_code(opens: Opens, paired: Paired, running: RunningTable) -> None:
    roll(running)
    page = opens("/gm", phone=paired("gm", "Vex"))
    page.locator("#roll-more").click()
    page.get_by_role("button", name="How it was worked out", exact=True).click()
    page.locator("#sheet .step-list li").first.wait_for()
    assert "[" not in page.locator("#sheet").inner_text()


def test_what_is_wrong_and_what_is_refused_are_said_in_german(opens: Opens, running: RunningTable) -> None:
    page = opens("/?lang=de", viewport=SMALL)
    running.table.ask(ChangeDestiny(id=new_id(), at=1.0, do=Do.SET, light=0, dark=0))
    body = json.dumps({"do": "spend", "side": "light"}).encode()
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{running.address}api/destiny", data=body, timeout=10)
    error = json.load(refused.value)["error"]
    assert page.evaluate(SAY, [[error["words"]["what"], error["what"]]]) == ["kein Punkt übrig: hell"]
    fault = Fault.DAMAGED
    trouble = ShowTrouble(at=1.0, part="camera", what=fault.what, where="USB camera 0", hint=fault.hint)
    running.table.ask(trouble)
    page.locator("#trouble", has_text="Die Kamerabilder sind beschädigt").click()
    expect(page.locator("#sheet")).to_contain_text("ohne Verteiler")


def test_a_trouble_with_values_and_a_refused_ask_are_said_in_german(
    opens: Opens, running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableside.table.table._RETRY_SECONDS", 1000.0)  # the store is well, and would say so
    page = opens("/?lang=de", viewport=SMALL)
    error = not_writable(Path("history.sqlite"), OSError(28, "No space left on device"))
    running.table.ask(ShowTrouble(at=1.0, part="store", what=error.what, where=error.where, hint=error.hint))
    page.locator("#trouble", has_text="Verlauf: nichts lässt sich schreiben").click()
    expect(page.locator("#sheet")).to_contain_text("Macht den Datenträger beschreibbar")
    refused = page.evaluate(REFUSED, refusal(running, {"game": "d6-wild", "ask": {"actions": 99}}))
    assert refused["what"] == "Aktionen in dieser Runde: 99"
    assert refused["where"] == GERMAN[find_game("d6-wild").title]
    assert refused["hint"].startswith("Es muss eine ganze Zahl von")


def refusal(running: RunningTable, asked: dict[str, Any]) -> Any:
    """Return what the table answers where it cannot tell the odds of this."""
    body, kind = json.dumps(asked).encode(), {"Content-Type": "application/json"}
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(f"{running.address}api/odds", data=body, headers=kind), timeout=10)
    return json.load(refused.value)


def test_a_refusal_calls_games_answers_and_places_by_their_titles(opens: Opens, running: RunningTable) -> None:
    asked = {"game": "narrative", "ask": {"characteristic": 2, "difficulty": "easy", "helping_hand": 2}}
    pages = {language: opens(f"/?lang={language}", viewport=SMALL) for language in ("en", "de")}
    said = {language: page.evaluate(REFUSED, refusal(running, asked)) for language, page in pages.items()}
    titles = {field.name: field.title for field in find_game("narrative").form.fields}
    assert said["en"]["what"] == f"{titles['helping_hand']} is 2"
    assert titles["one_point_a_side"] in said["en"]["hint"]
    assert said["en"]["where"] == find_game("narrative").title
    assert said["de"]["what"] == f"{GERMAN[titles['helping_hand']]}: 2"
    assert "_" not in " ".join(said["de"].values())
    errors = [{"error": {"what": "refused", "where": where, "hint": ""}} for where in ("roll 7f3a-11", "pool", "Mara")]
    for language, places in (("en", ["this roll", "the pool"]), ("de", ["dieser Wurf", "der Vorrat"])):
        assert [pages[language].evaluate(REFUSED, error)["where"] for error in errors] == [*places, "Mara"]
