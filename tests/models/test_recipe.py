"""What the networks are made of, and what is said where they cannot be made. Needs nothing but what a table needs."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from models.train.__main__ import begin, main
from models.train.recipe import RECIPE, Recipe, goes_on, load, quick
from tableside.errors import SettingsError


def test_no_two_sets_share_a_seed_so_that_nothing_is_scored_on_what_was_learnt_from() -> None:
    recipe = load()
    for drawn in (recipe.all_scenes, recipe.dice):
        ranges = sorted((one.first, one.first + one.count) for one in drawn.values())
        assert all(end <= first for (_, end), (first, _) in pairwise(ranges))
    learnt = len(recipe.scenes) + sum(map(len, recipe.calibrate.values())) + len(recipe.score) + len(recipe.held)
    assert len(recipe.all_scenes) == learnt


def test_the_quick_way_has_all_parts_and_less_of_each() -> None:
    recipe = load()
    less = quick(recipe)
    assert less.all_scenes.keys() == recipe.all_scenes.keys()
    assert less.dice.keys() == recipe.dice.keys()
    for whole, part in ((recipe.all_scenes, less.all_scenes), (recipe.dice, less.dice)):
        assert all(part[name].count < 0.1 * one.count and part[name].first == one.first for name, one in whole.items())
    assert all(less.networks[name].steps < 0.05 * one.steps for name, one in recipe.networks.items())


def test_a_recipe_with_a_key_that_nothing_reads_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(RECIPE.read_text().replace("steps = 24_000", "stepps = 24_000", 1))
    assert main([str(tmp_path / "run"), "--recipe", str(mine)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{mine}: is no recipe (")
    assert "stepps" in said
    assert said.endswith(f"{RECIPE} is the recipe of the networks that ship.\n")
    assert not (tmp_path / "run").exists()


def test_a_recipe_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: is no recipe .*No such file"):
        begin(tmp_path, tmp_path / "none.toml", is_quick=False)


def test_a_folder_of_another_recipe_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert begin(folder, RECIPE, is_quick=True) == begin(folder, RECIPE, is_quick=True)
    before = (folder / "made-by.json").read_bytes()
    (folder / "plain").mkdir()
    assert main([str(folder)]) == 2
    said = capsys.readouterr().err
    assert (
        said == f"{folder}: was made by another recipe. Name a folder that is not there yet, or take this one away.\n"
    )
    assert (folder / "made-by.json").read_bytes() == before


def other(**changes: object) -> Recipe:
    return msgspec.structs.replace(load(), **changes)


def test_a_folder_goes_on_with_a_recipe_that_would_make_alike_what_lies_there(tmp_path: Path) -> None:
    was, more = load(), msgspec.structs.replace(load().scenes["wide"], count=7)
    for made in ("plain", "dice-dark.npz", "faces-plain.npz", "classifier-1"):
        (tmp_path / made).mkdir()
    assert goes_on(tmp_path, was, other(scenes={**was.scenes, "wide": more, "new": more}))
    assert goes_on(tmp_path, was, other(networks={name: was.networks[name] for name in ("classifier", "locator")}))
    assert not goes_on(tmp_path, was, other(scenes={**was.scenes, "plain": more}))
    assert not goes_on(tmp_path, was, other(scenes={name: one for name, one in was.scenes.items() if name != "plain"}))
    assert not goes_on(tmp_path, was, other(dice={**was.dice, "dark": was.dice["d10"]}))
    assert not goes_on(tmp_path, was, other(seed=58))
    assert not goes_on(tmp_path, was, other(networks=dict(reversed(was.networks.items()))))  # another locator is asked


def test_a_network_that_has_begun_to_learn_keeps_its_lesson_and_the_next_may_change(tmp_path: Path) -> None:
    was = load()
    (tmp_path / "classifier-1").mkdir()
    for name, may in (("classifier", False), ("place", True)):
        slower = {**was.networks, name: msgspec.structs.replace(was.networks[name], steps=123)}
        assert goes_on(tmp_path, was, other(networks=slower)) is may
    assert not goes_on(tmp_path, was, other(dice={**was.dice, "dark": was.dice["d10"]}))


def test_begin_notes_the_new_recipe_where_it_goes_on(tmp_path: Path) -> None:
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    old.write_text(RECIPE.read_text())
    new.write_text(RECIPE.read_text().replace("steps = 36_000", "steps = 36_001"))
    folder = tmp_path / "run"
    begin(folder, old, is_quick=False)
    assert begin(folder, new, is_quick=False).networks["place"].steps == 36_001
    (folder / "place-1").mkdir()
    with pytest.raises(SettingsError, match="was made by another recipe"):
        begin(folder, old, is_quick=False)


def test_a_missing_package_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "models.train.run", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main([str(tmp_path / "run"), "--quick"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("python -m models.train: lacks the package torch. ")
    assert said.endswith("pip install -e '.[training]'\n")
