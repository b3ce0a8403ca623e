"""What others made and the pages carry is what they published, each with its licence."""

from __future__ import annotations

import hashlib
import tomllib

from tableside.app.guide import licence_tables
from tests.conftest import ROOT

VENDOR = ROOT / "web" / "vendor"
PACKAGES = tomllib.loads((VENDOR / "vendor.toml").read_text(encoding="utf-8"))["package"]


def test_every_file_has_the_hash_that_stands_beside_it() -> None:
    told = {name: digest for package in PACKAGES for name, digest in package["sha256"].items()}
    licences = {package["licence_file"] for package in PACKAGES}
    found = {
        path.relative_to(VENDOR).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "vendor.toml" and not path.name.endswith(".d.ts")  # types are ours
    }
    assert {name: digest for name, digest in found.items() if name not in licences} == told
    assert licences <= set(found)


def test_the_guide_names_every_package_with_its_licence() -> None:
    page = licence_tables()
    for package in PACKAGES:
        assert f"| {package['name']} | {package['version']} | {package['licence']} |" in page, package["name"]
