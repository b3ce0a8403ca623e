"""The settings file: defaults, and every problem said at once."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tableside.config import SECTIONS, Settings, keep_camera, load_settings, parse_settings
from tableside.errors import SettingsError


def problems(text: str) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        parse_settings(tomllib.loads(text), file=Path("tableside.toml"))
    return str(caught.value).splitlines()


def test_without_a_file_everything_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings() == Settings()


def test_an_unknown_setting_names_the_nearest() -> None:
    assert problems("[camera]\nsise_px = [1, 2]") == [
        "tableside.toml: [camera] sise_px: unknown setting. Did you mean size_px?"
    ]


def test_all_problems_are_reported_together() -> None:
    text = "[camra]\n[camera]\nkind = 'telescope'\nfps = 0\n[pins]\nlight = [99]\n[web]\nport = '80'"
    assert problems(text) == [
        "tableside.toml: [camra]: unknown section. Did you mean camera?",
        "tableside.toml: [camera] kind: must be one of auto, folder, network, phone, picamera, still, usb, video, "
        "none, not 'telescope'",
        "tableside.toml: [camera] fps: must be from 1 to 240, not 0",
        "tableside.toml: [pins] light: must be BCM pin numbers from 0 to 27, not [99]",
        "tableside.toml: [web] port: must be a whole number, not '80'",
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[camera]\nfps = nan", "must be from 1 to 240, not nan"),
        ("[camera]\nfps = true", "must be a number, not True"),
        ("[web]\nport = 1.0", "must be a whole number, not 1.0"),
        ("[web]\nport = 65536", "must be from 0 to 65535, not 65536"),
        ("[camera]\nsize_px = [0, 9]", "must be [width, height], not [0, 9]"),
        ("[camera]\npath = ''", "must be a path in quotes, not ''"),
        ("[reader]\nsets = 'pips'", "must be a list of names in quotes, not 'pips'"),
        ("[table]\nname = 3", "must be text, not 3"),
        ("[pins]\nlight = [1, true]", "must be BCM pin numbers from 0 to 27, not [1, True]"),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_what_it_must_be(text: str, wanted: str) -> None:
    (told,) = problems(text)
    assert told.endswith(f": {wanted}")


def test_a_single_pin_and_a_number_among_words_need_no_brackets_and_no_quotes() -> None:
    raw = tomllib.loads("[pins]\nlight = 5\n[camera]\nmains_hz = 60\nfps = 25")
    found = parse_settings(raw, file=Path("tableside.toml"))
    assert (found.pins.light, found.camera.mains_hz, found.camera.fps) == ((5,), "60", 25.0)


def test_a_pin_used_twice_is_refused() -> None:
    assert problems("[pins]\nflip_light = 5") == [
        "tableside.toml: [pins] flip_light: pin 5 is already used by light. Choose a free pin."
    ]


def test_a_section_must_be_a_section() -> None:
    assert problems("camera = 3") == ["tableside.toml: [camera]: must be a section, not a value"]


def test_the_environment_names_the_file_unless_the_command_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, port in (("tableside.toml", 1), ("named.toml", 2), ("asked.toml", 3)):
        (tmp_path / name).write_text(f"[web]\nport = {port}\n")
    assert load_settings().web.port == 1
    monkeypatch.setenv("TABLESIDE_CONFIG", "named.toml")
    assert (load_settings().web.port, load_settings(Path("asked.toml")).web.port) == (2, 3)
    monkeypatch.setenv("TABLESIDE_CONFIG", "gone.toml")
    with pytest.raises(SettingsError, match=r"gone\.toml: cannot be read"):
        load_settings()
    monkeypatch.setenv("TABLESIDE_CONFIG", "")
    assert load_settings().web.port == 1


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[camera]\nkind = 'folder'\npath = 'rolls'\n")
    assert load_settings(file).camera.path == tmp_path / "rolls"


def test_a_path_in_a_home_that_nobody_has_is_none() -> None:
    (said,) = problems("table.data = '~nobody-of-this-name/dice'")
    assert said.startswith("tableside.toml: [table] data: must be a path in quotes")


def test_a_camera_is_kept_in_a_file_of_windows_behind_a_link_again_and_again(tmp_path: Path) -> None:
    theirs, file = tmp_path / "theirs.toml", tmp_path / "tableside.toml"
    theirs.write_bytes(b'\xef\xbb\xbf[camera] # mine\r\nkind = "usb"\r\nfps = 20\r\n')
    file.symlink_to(theirs)
    for kind, url in (("none", ""), ("network", "http://here/stream"), ("none", ""), ("auto", "")):
        keep_camera(file, replace(load_settings(file).camera, kind=kind, url=url))
        camera = load_settings(file).camera
        assert (camera.kind, camera.url, camera.fps) == (kind, url, 20)
    assert file.is_symlink()
    assert "# mine" in theirs.read_text()


@pytest.mark.parametrize("text", ["[camera", "\x00"])
def test_broken_toml_says_where(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=r"mine\.toml: not valid TOML"):
        load_settings(file)


def test_a_missing_file_that_was_asked_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"absent\.toml: cannot be read .*tableside config > tableside\.toml"):
        load_settings(tmp_path / "absent.toml")
    assert load_settings(tmp_path / "tableside.toml") == Settings()  # the name that the README says


def test_what_is_printed_can_be_read_back() -> None:
    text = Settings().to_toml()
    raw = tomllib.loads(text)
    assert set(raw) == set(SECTIONS)
    back = parse_settings(raw, file=Path("tableside.toml"))
    assert [back.section(name) for name in SECTIONS] == [Settings().section(name) for name in SECTIONS]


def test_a_yes_or_no_is_read_as_such(tmp_path: Path) -> None:
    path = tmp_path / "tableside.toml"
    path.write_text("[web]\nopen = true\n")
    assert load_settings(path).web.open is True
    path.write_text('[web]\nopen = "yes"\n')
    with pytest.raises(SettingsError, match="must be true or false"):
        load_settings(path)


CONNECTED = """
[table]
name = "Table 3"
[mqtt]
host = "broker.local"
username = "vex"
password = "opensesame"
tls = true
ca_file = "ca.pem"
commands = true
[discord]
webhook = "https://discord.com/api/webhooks/1/tokentoken"
[webhook]
url = "https://vex:hunter2@example.org/hooks/T0K3N?key=s3cr3t"
secret = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcy4uLiE="
[foundry]
origin = "http://foundry.local:30000"
"""


def test_connections_are_off_until_asked_for() -> None:
    settings = Settings()
    assert {settings.section("mqtt").host, settings.section("foundry").origin} == {""}
    assert {settings.section("discord").webhook, settings.section("webhook").url} == {""}
    assert not settings.section("mqtt").commands


def test_connections_are_read_and_their_secrets_never_printed(tmp_path: Path) -> None:
    file = tmp_path / "tableside.toml"
    file.write_text(CONNECTED)
    settings = load_settings(file)
    assert settings.section("mqtt").ca_file == tmp_path / "ca.pem"
    printed = settings.to_toml()
    assert "# password is set and not shown" in printed
    for secret in ("opensesame", "tokentoken", "dGhpcyBp", "hunter2", "T0K3N", "s3cr3t"):
        assert secret not in printed
        assert secret not in repr(settings)


def test_a_connection_that_cannot_work_is_refused_in_three_parts() -> None:
    text = """
[table]
name = "a name that is much too long for a tile of the hall"
[mqtt]
host = "mqtt://broker"
topic = "a/#"
password = "opensesame"
ca_file = "ca.pem"
[discord]
webhook = "https://discord.com/channels/1"
[webhook]
url = "ftp://example.org"
secret = "short"
[foundry]
origin = "http://vex:hunter2@foundry.local"
"""
    told = problems(text)
    assert [line.split(": ")[1] for line in told] == [
        "[table] name", "[discord] webhook", "[foundry] origin",
        "[mqtt] host", "[mqtt] topic", "[mqtt] password", "[mqtt] ca_file",
        "[webhook] url", "[webhook] secret",
    ]  # fmt: skip
    assert not any(secret in line for line in told for secret in ("opensesame", "short ", "channels/1"))
    assert all(line.count(". ") >= 1 for line in told)


def test_a_wrong_host_name_is_named_and_one_in_other_letters_is_right() -> None:
    (told,) = problems(
        '[web]\nnames = ["W\u00fcrfel.example", "dice.example.org", "https://x.example/", "x.example:80", "a..b", ""]'
    )
    assert "has 'https://x.example/', 'x.example:80', 'a..b', '', which is no host name" in told


def test_a_secret_of_the_wrong_kind_is_not_repeated() -> None:
    told = problems("[mqtt]\nusername = 'vex'\npassword = 123456\n[webhook]\nurl = ['https://x:123456@y/']")
    assert len(told) == 2
    assert "123456" not in "".join(told)
