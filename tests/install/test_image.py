"""The image for the SD card: that its files fit each other, rpi-image-gen's form, and what installs the service."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

IMAGE = ROOT / "install" / "image"
LAYER = IMAGE / "layer" / "tableside.yaml"


def metadata() -> dict[str, str]:
    """Return the layer's fields, which stand in comments as paragraphs of Debian's control files."""
    block = LAYER.read_text().split("# METABEGIN\n")[1].split("# METAEND\n")[0]
    lines = [line.removeprefix("#").removeprefix(" ") for line in block.splitlines()]
    fields = re.sub(r"\n +", " ", "\n".join(lines))
    return dict(line.split(": ", 1) for line in fields.splitlines() if line)


def test_the_layer_has_the_fields_that_are_asked_for() -> None:
    fields = metadata()
    assert all(re.fullmatch(r"X-Env-[A-Za-z0-9_-]+", name) for name in fields)
    assert re.fullmatch(r"\d+\.\d+\.\d+", fields["X-Env-Layer-Version"])
    variables = {name.split("-")[3] for name in fields if name.startswith("X-Env-Var-")}
    for name in variables:
        assert {f"X-Env-Var-{name}{part}" for part in ("", "-Desc", "-Required", "-Valid", "-Set")} <= set(fields)
    used = set(re.findall(r"\$IGconf_tableside_(\w+)", LAYER.read_text()))
    assert used == variables


def test_the_image_takes_the_layer_and_the_layer_the_installer() -> None:
    config = (IMAGE / "config" / "tableside.yaml").read_text()
    assert f"\n  - {metadata()['X-Env-Layer-Name']}\n" in config
    checkout = metadata()["X-Env-Var-checkout"].replace("${DIRECTORY}", str(LAYER.parent))
    assert Path(checkout).resolve() == ROOT
    hooks = re.findall(r'"\$IGconf_tableside_checkout/(\S+?)"', LAYER.read_text())
    inside = re.findall(r'"\$inside/(\S+?)"', (IMAGE / "fill").read_text())
    assert (hooks, inside) == (["install/image/fill"], ["install/service"])
    assert all(os.access(ROOT / path, os.X_OK) for path in hooks + inside)


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ([], 0, "build -S {image} -c tableside.yaml -- IGconf_device_layer=rpi5\n"),
        (["rpi4", "IGconf_a_b=c"], 0, "build -S {image} -c tableside.yaml -- IGconf_device_layer=rpi4 IGconf_a_b=c\n"),
        (["rpi6"], 2, ""),
    ],
)
def test_a_board_and_values_reach_rpi_image_gen(tmp_path: Path, words: list[str], status: int, told: str) -> None:
    tool = tmp_path / "rpi-image-gen"
    tool.write_text('#!/bin/sh\necho "$@"\n')
    tool.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    found = subprocess.run([str(IMAGE / "build"), *words], env=environment, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (status, told.format(image=IMAGE)), found.stderr


@pytest.mark.parametrize("target", ["", "/", "/nowhere"])
def test_nothing_is_laid_into_this_machine_itself(target: str) -> None:
    found = subprocess.run([str(IMAGE / "fill"), target], capture_output=True, text=True)
    assert found.returncode == 2
    assert "is no root of an image" in found.stderr
