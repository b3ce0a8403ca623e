"""Look at what a taught set knows, and change it: samples believed or dropped, and what faces count as in a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tableside.app.taught_sets import TaughtSets
from tableside.dice import DiceSet, face_name, find_sets
from tableside.dice.face import face_of
from tableside.dice.taught import Taught, save_taught
from tableside.errors import DiceSetError, UnknownDieType, UnknownFace, did_you_mean
from tableside.words import say


def listing(sets: TaughtSets, *, complain: Callable[[DiceSetError], object]) -> list[dict[str, Any]]:
    """Return a row for each taught set.

    :param complain: told of each that is wrong; it has no row.
    """
    rows = []
    for name in sets.names():
        try:
            taught = sets.load(name)
            find_sets([name], user_folder=sets.folder)
        except DiceSetError as error:
            complain(error)
            continue
        doubted = sum(bool(sample.doubted) for sample in taught.samples)
        types = ", ".join(kind.name for kind in taught.dice_set.types)
        rows.append(
            {
                "set": name,
                "types": types or f"like {taught.dice_set.like}",
                "samples": len(taught.samples),
                "doubted": doubted,
            }
        )
    return rows


def set_listing(sets: TaughtSets, name: str) -> list[dict[str, Any]]:
    """Return a row for each sample of a set, the doubted first."""
    samples = sorted(sets.load(name).samples, key=lambda s: (not s.doubted, s.type, s.face, s.at))
    return [
        {
            "sample": s.id,
            "type": s.type,
            "face": face_name(s.face),
            "source": s.source.value,
            "origin": s.origin,
            "size_px": round(2 * s.radius) or None,
            "doubted": s.doubted or None,
        }
        for s in samples
    ]


def change_samples(sets: TaughtSets, name: str, *, accept: Iterable[str] = (), forget: Iterable[str] = ()) -> Taught:
    """Believe doubted samples, or drop samples.

    :raises DiceSetError: for a sample that the set has not.
    """
    accept, forget = set(accept), set(forget)
    with sets.writing():
        taught = sets.load(name)
        known = {sample.id for sample in taught.samples}
        for sample_id in accept | forget:
            if sample_id not in known:
                hint = (
                    did_you_mean(sample_id, known)
                    if len(known) < 20
                    else say("See tableside teach {=name} --list.", name=name)
                )
                raise DiceSetError("no sample {=sample_id}", sample_id=repr(sample_id), where=name, hint=hint)
        changed = replace(
            taught.without(forget),
            samples=tuple(
                replace(s, doubted="") if s.id in accept else s for s in taught.samples if s.id not in forget
            ),
        )
        save_taught(changed, sets.path(name))
    return changed


def set_meanings(sets: TaughtSets, name: str, *, plays_as: Mapping[str, str], counts: Mapping[str, str]) -> Taught:
    """Say what a game takes types for, and what symbols count as.

    :param plays_as: type to type of an installed set, ``"show"`` for nothing.
    :param counts: symbol to symbols with ``+`` between them, ``"show"`` for itself.
    :raises DiceSetError: where the game's die has no such face.
    """
    with sets.writing():
        taught = sets.load(name)
        installed = [one for one in find_sets(user_folder=sets.folder) if one.name != name]
        changed = meanings(taught, installed, plays_as=plays_as, counts=counts)
        save_taught(changed, sets.path(name))
    return changed


def meanings(
    taught: Taught, installed: Iterable[DiceSet], *, plays_as: Mapping[str, str], counts: Mapping[str, str]
) -> Taught:
    """Return the set with these meanings; see :func:`set_meanings`."""
    dice_set = taught.dice_set
    for name in plays_as:
        dice_set.type(name)
    for symbol in counts:
        if symbol not in dice_set.symbols:
            raise UnknownFace(
                "no symbol {=symbol}",
                symbol=repr(symbol),
                where=dice_set.name,
                hint=did_you_mean(symbol, dice_set.symbols),
            )
    types = {kind.name: kind for one in installed for kind in one.types}
    known = dict(dice_set.counts) | {symbol: face_of(of.split("+")) for symbol, of in counts.items() if of != "show"}
    known = {symbol: of for symbol, of in known.items() if counts.get(symbol) != "show"}
    made = []
    for kind in dice_set.types:
        wanted = plays_as.get(kind.name, kind.plays_as)
        wanted = "" if wanted == "show" else wanted
        if wanted and wanted not in types:
            raise UnknownDieType(
                "no die type {=wanted}", wanted=repr(wanted), where=kind.name, hint=did_you_mean(wanted, types)
            )
        for face in kind.distinct_faces if wanted else ():
            types[wanted].check_face(face_of(of for symbol in face for of in known.get(symbol, (symbol,))))
        made.append(replace(kind, plays_as=wanted))
    return replace(taught, dice_set=replace(dice_set, types=tuple(made), counts=tuple(known.items())))
