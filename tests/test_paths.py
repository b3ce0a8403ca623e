from __future__ import annotations

from pathlib import Path

import pytest

from tableside import paths
from tableside.errors import SettingsError


def test_the_option_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_DATA", "/from/environment")
    assert paths.data_folder("/from/option") == Path("/from/option")
    assert paths.data_folder() == Path("/from/environment")


@pytest.mark.parametrize("named", ["dice", "./dice", "../dice", "a/../dice"])
def test_a_folder_that_is_named_from_here_is_still_that_one_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str
) -> None:
    (tmp_path / "here" / "a").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("TABLESIDE_DATA", named)
    monkeypatch.setenv("XDG_DATA_HOME", "usual")
    monkeypatch.setattr("sys.platform", "linux")
    folders = paths.data_folder(), paths.data_folder(named)
    monkeypatch.delenv("TABLESIDE_DATA")
    usual = paths.data_folder()
    monkeypatch.chdir(tmp_path / "here" / "a")
    place = tmp_path / ("dice" if named == "../dice" else "here/dice")
    assert [folder.resolve() for folder in (*folders, usual)] == [place, place, tmp_path / "here/usual/tableside"]


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
