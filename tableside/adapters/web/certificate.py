"""The table's own authority and certificate, so that phones get pages by HTTPS: browsers give no camera to others.

The authority stays in the data folder. Phones that trust it take its certificates for this table's names, ``.local``
and private addresses alone (RFC 5280, 4.2.1.10), so who gets its key can pose as no other site. A certificate names the
table's names and addresses: it is made anew when these change, and before it ends. What it is not for is
left out. Without HTTPS this module is not loaded.
"""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tableside.durable import change_files, write_durably
from tableside.errors import SettingsError
from tableside.words import say

AUTHORITY = "authority.pem"
"""What a phone may install, in the folder of the certificates."""
_AUTHORITY_KEY, _OWN, _OWN_KEY = "authority-key.pem", "table.pem", "table-key.pem"
_AUTHORITY_DAYS = 3650
_OWN_DAYS = 397
"""Browsers take none that is valid for longer than 398 days (CA/Browser Forum, Baseline Requirements 6.3.2)."""
_LEFT_DAYS = 30
"""It is made anew where it ends sooner."""
_PRIVATE = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8",
    "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
"""RFC 1918, 3927, 4193 and 4291."""
_SKEW = timedelta(days=1)
"""Clocks of phones differ, and a Pi without a network begins in the past."""


def own_context(folder: Path, names: Sequence[str]) -> ssl.SSLContext:
    """Return what serves HTTPS by the table's own certificate, which is made where it is not there.

    :param names: host names and addresses by which the table is called.
    :raises SettingsError: where the files cannot be read or kept.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        authority, authority_key = _authority(folder, names)
        names = [name for name in names if permits(authority, name)]
        if not _is_good(folder / _OWN, authority, names):
            _keep(folder / _OWN, folder / _OWN_KEY, *_sign(names, authority, authority_key))
    except (OSError, ValueError) as error:
        hint = say("Delete the folder {=folder}; all is made anew.", folder=folder)
        raise SettingsError("no certificate can be made ({=why})", why=error, where=str(folder), hint=hint) from error
    return file_context(folder / _OWN, folder / _OWN_KEY)


def file_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return what serves HTTPS by a certificate of these PEM files.

    :raises SettingsError: where they are none.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:  # ssl.SSLError is one
        hint = "[web] certificate and key name PEM files: the certificate with its chain, and its key."
        what = say("is no certificate with its key ({=why})", why=error)
        raise SettingsError(what, where=str(certificate), hint=hint) from error
    return context


def own_names(host: str, others: Sequence[str] = ()) -> list[str]:
    """Return the names and addresses of this machine: what a certificate has to name.

    :param host: the address that is listened on. :param others: of the settings.
    """
    own = socket.gethostname().lower()
    short = own.partition(".")[0]
    found = ["localhost", "127.0.0.1", own, short, f"{short}.local", *others]
    if host not in ("", "0.0.0.0", "::"):
        found.append(host)
    for family, anywhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((anywhere, 9))  # nothing is sent; the system only chooses its own address
                found.append(probe.getsockname()[0])
        except OSError:  # this machine has no such network
            continue
    return list(dict.fromkeys(found))


def authority_of(folder: Path) -> x509.Certificate | None:
    """Return the authority that is kept, ``None`` where there is none.

    :raises ValueError: where it cannot be read.
    """
    file = folder / AUTHORITY
    return x509.load_pem_x509_certificate(file.read_bytes()) if file.exists() else None


def is_bounded(authority: x509.Certificate) -> bool:
    """Tell whether what it signs is taken for its own names alone."""
    return any(isinstance(one.value, x509.NameConstraints) for one in authority.extensions)


def permits(authority: x509.Certificate, name: str) -> bool:
    """Tell whether a certificate of this authority may be for this name or address."""
    if not is_bounded(authority):
        return True
    wanted = _general(name)
    bounds = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    if isinstance(wanted, x509.IPAddress):
        address = ipaddress.ip_address(str(wanted.value))
        networks = [ipaddress.ip_network(str(one.value)) for one in bounds if isinstance(one, x509.IPAddress)]
        return any(address in network for network in networks)
    return any(isinstance(one, x509.DNSName) and f".{wanted.value}".endswith(f".{one.value}") for one in bounds)


def _authority(folder: Path, names: Sequence[str]) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return the authority that is kept, or a new one for these names where there is none or it soon ends."""
    file, key_file = folder / AUTHORITY, folder / _AUTHORITY_KEY
    if file.exists() and key_file.exists():
        known, key = (
            x509.load_pem_x509_certificate(file.read_bytes()),
            load_pem_private_key(key_file.read_bytes(), None),
        )
        if isinstance(key, ec.EllipticCurvePrivateKey) and _days_left(known) > _OWN_DAYS:
            return known, key
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"Tableside on {socket.gethostname()[:40]}")
    # what is below a name is permitted with it, and a machine may be called "dev"
    own = [one.value for one in map(_general, names) if "." in str(one.value) or ":" in str(one.value)]
    bounds = ["local", "localhost", *own, *_PRIVATE]
    made = (
        _builder(name, key, days=_AUTHORITY_DAYS)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints([_subtree(one) for one in bounds], None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    _keep(file, key_file, made, key)
    return made, key


def _sign(
    names: Sequence[str], authority: x509.Certificate, authority_key: ec.EllipticCurvePrivateKey
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return a certificate for these names, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    made = (
        _builder(_name("Tableside"), key, days=_OWN_DAYS)
        .issuer_name(authority.subject)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(signer, critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    return made, key


def _builder(name: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int) -> x509.CertificateBuilder:
    start = datetime.now(UTC) - _SKEW
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=days))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name.encode("idna").decode())


def _subtree(of: object) -> x509.GeneralName:
    """Return a network, of which an address is the smallest, or a name with all below it."""
    try:
        return x509.IPAddress(ipaddress.ip_network(str(of)))
    except ValueError:
        return x509.DNSName(str(of))


def _is_good(file: Path, authority: x509.Certificate, names: Sequence[str]) -> bool:
    """Tell whether the certificate that is kept is of this authority, for all these names, and lasts."""
    if not file.exists():
        return False
    known = x509.load_pem_x509_certificate(file.read_bytes())
    try:
        known.verify_directly_issued_by(authority)
        found = known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (InvalidSignature, x509.ExtensionNotFound, TypeError, ValueError):
        return False
    return _days_left(known) > _LEFT_DAYS and {_general(name) for name in names} <= set(found)


def _days_left(certificate: x509.Certificate) -> float:
    return (certificate.not_valid_after_utc - datetime.now(UTC)) / timedelta(days=1)


def _keep(file: Path, key_file: Path, made: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with change_files(file.parent, "certificate") as change:
        write_durably(change.new / key_file.name, secret, mode=0o600)
        (change.new / file.name).write_bytes(made.public_bytes(Encoding.PEM))
        for name in (key_file.name, file.name):
            change.put(name)
