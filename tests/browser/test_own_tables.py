"""Tables of the group's own on the phones: typed, read from CSV, thrown for, renamed, taken away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tableside.app.running_table import RunningTable
from tableside.table.messages import ChangeTable, ChooseGame, Row
from tests.browser.conftest import PHONE, Opens, Shared, add_players, look, new_id, resize, throw, watched
from tests.browser.states import take_back_all
from tests.browser.test_accessible import faults
from tests.browser.test_cast import MEASURED
from tests.browser.test_forms import LAYOUT
from tests.browser.test_phones import Paired, came, tab
from tests.whole.test_table import wait_for

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ROWS = """01-05: Minor nick
6 – 10. Slowed down
11\tSudden jolt
96-00: Dead
"""
READ = [(1, 5, "Minor nick"), (6, 10, "Slowed down"), (11, 11, "Sudden jolt"), (96, 100, "Dead")]


def rows_of(running: RunningTable, name: str) -> list[tuple[int, int, str]]:
    return [(row.least, row.most, row.words) for row in running.table.state.table(name).rows]


@pytest.fixture(scope="module")
def running(shared: Shared) -> RunningTable:
    """One table, whose tests take back what they did: their page stays, too."""
    return shared.running


@pytest.fixture(autouse=True)
def begun(running: RunningTable) -> Iterator[None]:
    """Let each test begin with a game and two players, and take back what it did."""
    running.table.ask(ChooseGame(id=new_id(), at=1.0, game="narrative"))
    add_players(running, "Oskara", "Vex")
    yield
    take_back_all(running)


@pytest.fixture(scope="module")
def phone(chromium: Browser, running: RunningTable) -> Iterator[Page]:
    """The game master's phone."""
    wrong: list[str] = []
    with chromium.new_context(viewport=PHONE) as context:
        pin = context.request.post(f"{running.address}api/pairing?as=screen", data={"role": "gm"}).json()["pin"]
        assert context.request.post(f"{running.address}api/pair", data={"pin": pin, "name": "Gim"}).ok
        page = watched(context.new_page(), wrong)
        page.goto(f"{running.address}gm")
        page.locator("body[data-ready]").wait_for()
        yield page
    assert wrong == []


@pytest.fixture
def master(phone: Page, running: RunningTable) -> Iterator[Page]:
    """The tables of tonight on it. Afterwards its sheet is closed."""
    tab(phone, "Tonight")
    phone.locator("[data-row=tables]").click()
    yield phone
    phone.keyboard.press("Escape")
    expect(phone.locator("dialog[open]")).to_have_count(0)
    tab(phone, "Now")


def write(page: Page, name: str, rows: str, dice: str = "d100") -> None:
    page.locator("#add-table").click()
    page.get_by_label("Name", exact=True).last.fill(name)
    page.get_by_label("Dice", exact=True).fill(dice)
    page.get_by_label("Rows, one a line").fill(rows)
    page.get_by_role("button", name="Save", exact=True).click()


def test_a_table_is_typed_thrown_for_with_a_number_added_and_its_row_is_shown(
    master: Page, running: RunningTable
) -> None:
    write(master, "Critical injuries", ROWS)
    expect(master.locator("#table-editor")).to_have_count(0)
    assert rows_of(running, "Critical injuries") == READ
    expect(master.locator(".row-list li")).to_have_text(
        ["1–5Minor nick", "6–10Slowed down", "11Sudden jolt", "96–100Dead"]
    )
    master.locator(".table-who").select_option(label="Oskara")
    master.get_by_label("10 more").click()
    master.get_by_role("button", name="Call d100 + 10").click()
    expect(master.locator(".table-call")).to_contain_text("Oskara: Critical injuries")
    asked = running.table.state.asked
    assert (asked.player, asked.answers) == ("Oskara", {"purpose": "percentile", "added": 10})
    throw(running, ("d100", ("00",)), ("d10", ("1",)))
    expect(master.locator("#pane-now .row-words")).to_contain_text("Sudden jolt")
    expect(master.locator(".row-list [data-now]")).to_have_text("11Sudden jolt")
    assert faults(master) == []
    look(master, "gm-table-thrown", full_page=True)


@pytest.mark.parametrize(
    ("dice", "thrown", "total"),
    [("d10", [("d10", "4")], "4"), ("1D", [("pip", "4")], "4"), ("2D", [("pip", "4"), ("pip", "6")], "10")],
)
def test_other_dice_are_called_in_any_game_and_the_call_is_changed_at_its_table(
    master: Page, running: RunningTable, dice: str, thrown: list[tuple[str, str]], total: str
) -> None:
    name = f"Scatter {dice}"  # of each name the page remembers the number that is added
    write(master, name, "1-12: There", dice)
    master.get_by_label("1 less").click()
    master.get_by_role("button", name=f"Call {dice} − 1").click()
    master.locator("#sheet .done").click()
    tab(master, "Now")
    expect(master.locator("#now-card .now-line")).to_contain_text("Scatter")
    master.locator("#call-change").click()
    if dice != "d10":  # the form of the symbol dice knows no codes
        expect(master.locator("#sheet .row-list")).to_be_visible()
    else:
        expect(master.get_by_text("For the table: Scatter")).to_be_visible()
        was = running.table.state.asked.id
        master.locator("#ask-now").click()
        asked = wait_for(running.table, lambda state: state.asked.id not in ("", was)).asked
        assert asked.table == name  # a throw before that would be the old call's
    throw(running, *[(kind, (face,)) for kind, face in thrown])
    expect(came(master)).to_have_text(str(int(total) - 1))
    expect(master.locator("#pane-now .row-words")).to_contain_text("There")


def test_a_table_is_renamed_in_one_change_and_taken_away_with_one_undo(master: Page, running: RunningTable) -> None:
    write(master, "Scatter", "1-6: Near\n7-12: Far", "2D")
    master.locator(".edit-table").click()
    editor = master.locator("#table-editor")
    expect(editor.get_by_label("Rows")).to_have_value("1-6: Near\n7-12: Far")
    editor.get_by_label("Name").fill("Grenade")
    editor.get_by_label("Rows").fill("1-6: Near")
    editor.get_by_role("button", name="Save").click()
    expect(master.locator(".own-table")).to_have_count(1)
    expect(master.locator(".own-table")).to_contain_text("Grenade")
    assert [(one.name, one.dice, len(one.rows)) for one in running.table.state.tables] == [("Grenade", "2D", 1)]
    master.locator(".remove-table").click()
    expect(master.locator(".own-table")).to_have_count(0)
    master.locator("#sheet .done").click()
    master.locator("#undo").click()
    master.locator("[data-row=tables]").click()
    expect(master.locator(".own-table")).to_contain_text("Grenade")


def test_what_is_wrong_with_a_table_is_said_and_what_was_typed_stays(master: Page, running: RunningTable) -> None:
    write(master, "Scatter", "1-6: Near\nfar away")
    master.locator(".toast", has_text="A row is not understood.").wait_for()
    expect(master.locator(".toast small")).to_have_text("line 2: far away")
    master.get_by_label("Rows, one a line").fill("1-6: Near\n6-9: Far")
    master.get_by_role("button", name="Save", exact=True).click()
    master.locator(".toast", has_text="Two rows hold 6.").wait_for()
    expect(master.get_by_label("Rows, one a line")).to_have_value("1-6: Near\n6-9: Far")
    master.get_by_label("Rows, one a line").fill("1-6: Near")
    master.get_by_role("button", name="Save", exact=True).click()
    expect(master.locator('.own-table[data-table="Scatter"]')).to_be_visible()
    write(master, "scatter", "6-1: Far")
    master.locator(".toast", has_text="line 1: 6-1: Far").wait_for()
    master.get_by_label("Rows, one a line").fill("1-6: Far")
    master.get_by_role("button", name="Save", exact=True).click()
    master.locator(".toast", has_text="There is a table of that name.").wait_for()
    assert rows_of(running, "Scatter") == [(1, 6, "Near")]


CSV = [
    ("from,to,words\r\n1,5,\"Nick, \"\"small\"\"\"\r\n6,,Jolt\r\n", [(1, 5, 'Nick, "small"'), (6, 6, "Jolt")]),
    ("1-5;Kleiner Kratzer; autsch\n96–00;Tot\n", [(1, 5, "Kleiner Kratzer, autsch"), (96, 100, "Tot")]),
    ("1\t5\tTwo\n\n6\t10\t\"words\nin lines\"", [(1, 5, "Two"), (6, 10, "words in lines")]),
]  # fmt: skip


def test_a_csv_file_is_read_into_the_editor_and_saved(master: Page, running: RunningTable, tmp_path: Path) -> None:
    for number, (text, rows) in enumerate(CSV):
        name = f"Crits of the year {number}"
        file = tmp_path / f"{name}.csv"
        file.write_text(text, encoding="utf-8-sig", newline="")
        master.locator("#import-table").set_input_files(file)
        expect(master.get_by_label("Name", exact=True).last).to_have_value(name)
        master.get_by_role("button", name="Save", exact=True).click()
        expect(master.locator(".own-table").last).to_contain_text(name)
        assert rows_of(running, name) == rows


def test_a_file_of_an_old_spreadsheet_keeps_its_letters_and_one_without_rows_is_refused(
    master: Page, running: RunningTable, tmp_path: Path
) -> None:
    file = tmp_path / "Begegnungen.csv"
    file.write_bytes("1;5;Grüne Männchen – viele\n".encode("windows-1252"))
    master.locator("#import-table").set_input_files(file)
    master.get_by_role("button", name="Save", exact=True).click()
    expect(master.locator(".own-table")).to_contain_text("Begegnungen")
    assert rows_of(running, "Begegnungen") == [(1, 5, "Grüne Männchen – viele")]
    file.write_text("nothing,of,use\nat,all,", encoding="utf-8")
    master.locator("#import-table").set_input_files(file)
    master.locator(".toast", has_text="A row is not understood.").wait_for()
    expect(master.locator(".toast small")).to_contain_text("Begegnungen.csv, line 1")
    expect(master.locator("#sheet")).to_have_attribute("data-name", "tables")  # no editor opened


def test_a_player_throws_for_a_table_and_writes_none(opens: Opens, paired: Paired, running: RunningTable) -> None:
    rows = (Row(least=1, most=100, words="Your creditors call"),)
    running.table.ask(ChangeTable(id=new_id(), at=1.0, name="Obligation", rows=rows))
    page = opens("/player", phone=paired("player", "Vex"))
    page.locator("#to-tonight").click()
    page.locator("[data-row=tables]").click()
    page.locator(".own-table button").first.click()
    expect(page.locator(".row-list")).to_contain_text("Your creditors call")
    expect(page.locator("#add-table, #import-table, .edit-table, .remove-table")).to_have_count(0)
    page.locator(".throw-table").click()
    expect(page.locator(".table-call")).to_contain_text("Vex: Obligation")
    throw(running, ("d100", ("40",)), ("d10", ("2",)))
    page.get_by_role("button", name="Done", exact=True).click()
    page.locator("#to-tonight").click()
    expect(page.locator("#now-card .row-words")).to_have_text("Your creditors call")


def test_an_obligation_is_thrown_for_where_a_session_begins(master: Page, opens: Opens, running: RunningTable) -> None:
    screen = opens("/", viewport={"width": 800, "height": 480})
    master.locator("#add-table").click()
    master.get_by_label("Name", exact=True).last.fill("Obligation")
    master.get_by_label("Rows, one a line").fill("1-20: Oskara, debt\n21-35: Vex, bounty")
    master.get_by_label("Thrown where a session begins").check()
    assert faults(master) == []
    master.get_by_role("button", name="Save", exact=True).click()
    expect(master.locator(".own-table")).to_have_count(1)
    master.locator("#sheet .done").click()
    master.locator("[data-row=session]").click()
    master.locator("#begin-session").click()
    master.locator("[data-row=session]").click()
    for tens, ones, words in (("20", "7", "Vex, bounty"), ("30", "6", "nothing in Obligation")):
        master.locator(".opening-table", has_text="Throw for Obligation").click()
        expect(screen.locator("#undo")).to_contain_text("call")
        throw(running, ("d100", (tens,)), ("d10", (ones,)))
        expect(master.locator("#pane-now .row-words")).to_contain_text(words)
        expect(screen.locator("#stage")).to_contain_text(words)


def test_tables_are_laid_out_well_on_every_phone(phone: Page, running: RunningTable) -> None:
    add_players(running, *(f"Lowhhrick Würfelzähler der {n}." for n in range(1, 13)))
    rows = tuple(
        Row(least=10 * n + 1, most=10 * n + 10, words=f"Row {n} with words that go on " * 4) for n in range(12)
    )
    for name in ("Critical injuries", "Donaudampfschifffahrtsgesellschaft auf hoher See"):
        running.table.ask(ChangeTable(id=new_id(), at=1.0, name=name, rows=rows))
    page = phone.context.new_page()
    page.goto(f"{running.address}gm?lang=de")  # of the longer words
    page.locator(".tabs button").nth(3).click()
    page.locator("[data-row=tables]").click()
    page.locator(".own-table button").last.click()
    page.locator(".table-more").wait_for()
    sizes = ((390, 844), (800, 480), (320, 568))
    for size in sizes:
        resize(page, size)
        assert page.evaluate(f"({MEASURED})({LAYOUT})") == [], size
        look(page.locator(".own-tables"), f"gm-tables-{size[0]}")
    page.locator(".edit-table").click()
    for size in sizes:
        resize(page, size)
        assert page.evaluate(LAYOUT, True) == [], size
        look(page, f"gm-table-editor-{size[0]}")
    page.close()
