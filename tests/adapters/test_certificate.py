"""The table's own authority: phones that trust it take certificates for this table from it, and for nobody else."""

from __future__ import annotations

import ipaddress
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tableside.adapters.web import certificate
from tableside.app.checkup import check_up
from tableside.config import Settings, TableSettings

NAMES = ["localhost", "127.0.0.1", "dev", "dev.local", "dice.example.org", "203.0.113.7"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tls"
    certificate.own_context(folder, NAMES)
    return folder


def named_in(file: Path) -> set[str]:
    found = x509.load_pem_x509_certificate(file.read_bytes()).extensions
    return {str(one.value) for one in found.get_extension_for_class(x509.SubjectAlternativeName).value}


def is_taken(folder: Path, file: Path) -> bool:
    """Return whether OpenSSL takes a certificate from whom the authority is trusted."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    done = subprocess.run(
        ["openssl", "verify", "-CAfile", folder / certificate.AUTHORITY, file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or "permitted subtree violation" in done.stderr, done.stderr
    return done.returncode == 0


def signed_by_thief(folder: Path, names: Sequence[str]) -> Path:
    """Return a certificate for these names by the authority's stolen key."""
    authority = certificate.authority_of(folder)
    key = load_pem_private_key((folder / "authority-key.pem").read_bytes(), None)
    assert authority is not None
    made, own = certificate._sign(names, authority, key)
    certificate._keep(folder / "stolen.pem", folder / "stolen-key.pem", made, own)
    return folder / "stolen.pem"


def test_its_own_certificate_is_taken_and_names_what_the_authority_is_for(folder: Path) -> None:
    assert is_taken(folder, folder / "table.pem")
    assert named_in(folder / "table.pem") == {*NAMES} - {"dev"}  # google.dev would be below it


@pytest.mark.parametrize(
    ("names", "takes"),
    [
        (["bank.example"], False), (["google.dev"], False), (["dev"], False), (["example.org"], False),
        (["localhost", "bank.example"], False), (["notlocal"], False), (["8.8.8.8"], False), (["172.32.0.1"], False),
        (["203.0.113.8"], False), (["2001:db8::5"], False),
        (["vm.local"], True), (["172.31.255.9"], True), (["192.168.7.9"], True), (["fd00::5"], True),
        (["203.0.113.7"], True), (["dice.example.org"], True),
    ],
)  # fmt: skip
def test_who_has_its_key_poses_as_no_other_site(folder: Path, names: list[str], takes: bool) -> None:
    assert is_taken(folder, signed_by_thief(folder, names)) is takes
    authority = certificate.authority_of(folder)
    assert authority is not None
    assert all(certificate.permits(authority, name) for name in names) is takes


def test_new_names_outside_of_its_bounds_are_left_out_and_the_authority_stays(folder: Path) -> None:
    before = (folder / certificate.AUTHORITY).read_bytes()
    certificate.own_context(folder, ["localhost", "other.example.org", "fd00::9", "198.51.100.4"])
    assert named_in(folder / "table.pem") == {"localhost", "fd00::9"}
    assert (folder / certificate.AUTHORITY).read_bytes() == before
    kept = (folder / "table.pem").read_bytes()
    certificate.own_context(folder, ["localhost", "other.example.org", "fd00::9", "198.51.100.4"])
    assert (folder / "table.pem").read_bytes() == kept


def unbounded(folder: Path) -> None:
    """Write an authority as tables made it before."""
    authority = certificate.authority_of(folder)
    key = load_pem_private_key((folder / "authority-key.pem").read_bytes(), None)
    plain = certificate._builder(authority.subject, key, days=3000).issuer_name(authority.subject)
    plain = plain.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    made = plain.sign(key, hashes.SHA256())
    certificate._keep(folder / certificate.AUTHORITY, folder / "authority-key.pem", made, key)


def test_an_authority_of_before_is_kept_and_doctor_says_what_to_do(folder: Path) -> None:
    def said() -> list[tuple[bool, str]]:
        settings = Settings(table=TableSettings(data=folder.parent))
        return [(one.is_good, one.hint) for one in check_up(settings) if one.part == "https"]

    assert said() == [(True, "")]
    unbounded(folder)
    before = (folder / certificate.AUTHORITY).read_bytes()
    certificate.own_context(folder, ["localhost", "other.example.org"])
    assert (folder / certificate.AUTHORITY).read_bytes() == before
    assert named_in(folder / "table.pem") == {"localhost", "other.example.org"}
    ((is_good, hint),) = said()
    assert not is_good
    assert "Delete this folder" in hint
    for file in folder.iterdir():
        file.unlink()
    certificate.own_context(folder, NAMES)
    assert said() == [(True, "")]


def test_networks_are_bounds_and_an_address_is_the_smallest(folder: Path) -> None:
    authority = certificate.authority_of(folder)
    bounds = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert bounds.critical
    networks = {str(one.value) for one in bounds.value.permitted_subtrees or () if isinstance(one, x509.IPAddress)}
    assert {"10.0.0.0/8", "fc00::/7", "203.0.113.7/32"} <= networks
    assert all(ipaddress.ip_network(one).num_addresses for one in networks)
