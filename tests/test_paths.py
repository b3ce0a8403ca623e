from __future__ import annotations

from pathlib import Path

import pytest

from tableside import paths
from tableside.errors import SettingsError


def test_the_option_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_DATA", "/from/environment")
    assert paths.data_folder("/from/option") == Path("/from/option")
    assert paths.data_folder() == Path("/from/environment")


def test_without_either_the_usual_place_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLESIDE_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/usual")
    assert paths.data_folder() == Path("/usual/tableside")


@pytest.mark.parametrize("named", ["~nobody-of-this-name/dice", ""])
def test_a_home_that_is_not_known_is_said(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    for name in ("TABLESIDE_DATA", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # a container's user of a number alone
    with pytest.raises(SettingsError, match=f"{named or 'data'}: is in a home folder that is not known. .*--data"):
        paths.data_folder(named)


def test_pages_and_networks_are_found() -> None:
    assert (paths.web_folder() / "index.html").is_file()
    assert paths.models_folder().is_dir()
