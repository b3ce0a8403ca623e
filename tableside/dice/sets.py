"""Dice sets: folders with a ``set.toml`` and one SVG drawing per symbol.

    name = "pips"
    title = "Six-sided dice with pips"

    [[type]]
    name = "pip"
    solid = "d6"
    body = "#f4f1e8"
    ink = "#1a1a1a"
    any_colour = true                         # body and ink are only examples: any colour will do
    faces = [["1"], ["2"], ["3"], ["4"], ["5"], ["6"]]

``faces`` lists every side of the solid, so its length is the number of sides and repeats give the odds.

A set that was taught says ``taught = true``. It may know fewer faces than the solid has sides, and a type may say what
its dice are played as: ``plays_as = "ability"``; ``[counts]`` gives the symbols that another symbol counts as:
``star = ["success"]``. A taught set with ``like = "narrative"`` has no types: its samples show dice of that set.

A set of no game says ``on_request = true``: its dice are read where it is named, and their numbers are added up.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeGuard

from msgspec import Meta

from tableside.dice.face import Die, Face, face_fault, face_name, face_of
from tableside.errors import DiceSetError, UnknownDiceSet, UnknownDieType, UnknownFace, did_you_mean
from tableside.setting import must, section_of
from tableside.words import say

_log = logging.getLogger(__name__)

SIDES: Mapping[str, int] = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}
"""The solids that a die type may have, with their numbers of sides."""

NOT_IN_FILE = ("types", "folder", "sample_folders")
"""Fields of a set that its file does not hold by these names: ``[[type]]`` gives the types."""
SHIPPED_FOLDER = Path(__file__).parent / "data"

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")  # folders and files are called so
_Name: TypeAlias = Annotated[str, Meta(pattern=rf"^{_NAME.pattern}\Z"), must("lower-case letters, digits, - and _")]
_Colour: TypeAlias = Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}\Z"), must("a colour such as #1a2b3c")]
_Solid: TypeAlias = Annotated[str, Meta(pattern=rf"^({'|'.join(SIDES)})\Z"), must(f"one of {', '.join(SIDES)}")]
_Faces: TypeAlias = Annotated[tuple[Face, ...], must("a list of lists of symbols")]
_Counts: TypeAlias = Annotated[tuple[tuple[str, Face], ...], must("a table that gives each symbol a list of symbols")]


@dataclass(frozen=True, slots=True, kw_only=True)
class DieType:
    """One kind of die in a set.

    :ivar solid: a key of ``SIDES``.
    :ivar body: colour of the plastic as ``#rrggbb``.
    :ivar ink: colour of the symbols as ``#rrggbb``.
    :ivar any_colour: the colours are examples; such dice come in every colour.
    :ivar variant_of: the type this one differs from by colour alone, as a Wild Die from a pip die.
    :ivar word: what players say before "die", ``""`` where they say its name.
    :ivar hinders: it only takes away from a roll, so that it is drawn apart from those that help.
    :ivar faces: every side, so repeats carry the odds; of a taught type those that were shown.
    :ivar plays_as: the type of another set that a game takes it for, ``""`` where its faces are only shown.
    """

    name: _Name
    title: str = ""
    solid: _Solid
    body: _Colour
    ink: _Colour
    faces: _Faces
    any_colour: bool = False
    variant_of: str = ""
    hinders: bool = False
    word: str = ""
    plays_as: str = ""

    @property
    def has_all_sides(self) -> bool:
        """Whether every side is known, so that its odds are."""
        return len(self.faces) == SIDES[self.solid]

    @property
    def distinct_faces(self) -> tuple[Face, ...]:
        """The faces a camera must tell apart, in the order of ``faces``."""
        return tuple(dict.fromkeys(self.faces))

    def check_face(self, symbols: Iterable[str]) -> Face:
        """Return the canonical face, or raise :class:`UnknownFace` if this die has none such."""
        face = face_of(symbols)
        if face not in self.faces:
            known = ", ".join(face_name(known) for known in self.distinct_faces)
            raise UnknownFace(
                "no face {=face}",
                face=face_name(face),
                where=f"die {self.name}",
                hint=say("Its faces are: {=known}.", known=known),
            )
        return face


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSet:
    """A named family of dice, loaded from its folder.

    :ivar whole_face: each drawing fills a whole face, as pips do.
    :ivar taught: it was taught, so that its faces are known by samples.
    :ivar counts: symbols with what each counts as in a game.
    :ivar like: the set whose dice its samples show; such a set has no types of its own.
    :ivar on_request: no game is played with it, and only who names it has it.
    :ivar sample_folders: of the sets whose samples show these dice: its own, and those like it.
    """

    name: str
    title: str
    types: tuple[DieType, ...]
    folder: Path = field(compare=False)
    whole_face: bool = False
    taught: bool = False
    like: str = ""
    counts: _Counts = ()
    on_request: bool = False
    sample_folders: tuple[Path, ...] = field(default=(), compare=False)

    def type(self, name: str) -> DieType:
        """Return the die type of this name, or raise :class:`UnknownDieType`."""
        for die_type in self.types:
            if die_type.name == name:
                return die_type
        hint = did_you_mean(name, (die_type.name for die_type in self.types))
        raise UnknownDieType("no die type {=name}", name=repr(name), where=f"dice set {self.name}", hint=hint)

    @property
    def needs_no_game(self) -> bool:
        """Whether its dice mean something by themselves: their numbers are added up, their symbols counted."""
        return self.taught or self.on_request

    def without_variants(self) -> DiceSet:
        """Return the set without the types that differ from another by colour alone."""
        return replace(self, types=tuple(one for one in self.types if not one.variant_of))

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every symbol on any face, sorted."""
        return tuple(sorted({symbol for t in self.types for face in t.faces for symbol in face}))

    def drawing(self, symbol: str) -> Path | None:
        """Return the symbol's SVG drawing, or ``None`` where the set has none (a plain number)."""
        path = self.folder / "symbols" / f"{symbol}.svg"
        return path if path.is_file() else None


def load_set(folder: Path) -> DiceSet:
    """Load a dice set from its folder.

    :raises DiceSetError: naming every problem in ``set.toml`` at once.
    """
    path = folder / "set.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DiceSetError(
            "cannot read the dice set ({=why})",
            why=error.strerror,
            where=str(path),
            hint="A dice set is a folder with a set.toml.",
        ) from error
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, or a number of thousands of digits
        raise DiceSetError("not valid TOML: {=why}", why=error, where=str(path), hint="Correct that line.") from error
    entries = raw.get("type", [])
    values, wrong = section_of(DiceSet, raw, without=NOT_IN_FILE, besides=("type",))
    problems = _words(wrong)
    if raw.get("name") != folder.name:
        problems.append(f"name is {raw.get('name')!r} but the folder is called {folder.name!r}")
    taught, like = values.get("taught", False), values.get("like", "")
    if like and (entries or not taught):
        problems.append("like stands only in a taught set without types")
    counts = values.pop("counts", ())
    faults = {symbol: face_fault(of) for symbol, of in counts}
    problems.extend(f"counts of {symbol!r} {fault}" for symbol, fault in faults.items() if fault)
    if not isinstance(entries, list) or not (entries or like):
        problems.append("there is no [[type]]")
        entries = []
    types: list[DieType] = []
    for number, entry in enumerate(entries, start=1):
        kind, found = _type_of(entry, is_taught=taught)
        problems.extend(f"[[type]] {number}: {problem}" for problem in found)
        types += [kind] if kind else []
    names = [die_type.name for die_type in types]
    problems.extend(f"type {name!r} stands twice" for name in sorted({n for n in names if names.count(n) > 1}))
    problems.extend(
        f"type {t.name!r} is a variant of {t.variant_of!r}, which is not in the set"
        for t in types
        if t.variant_of and t.variant_of not in names
    )
    if problems:
        raise DiceSetError("; ".join(problems), where=str(path), hint="Correct set.toml and try again.")
    values["title"] = values.get("title") or folder.name
    return DiceSet(
        **values,
        types=tuple(types),
        folder=folder,
        counts=tuple((symbol, face_of(of)) for symbol, of in counts),
        sample_folders=(folder,) if taught else (),
    )


def _words(wrong: Iterable[tuple[str, str, str]]) -> list[str]:
    return [f"unknown key {key!r}. {hint}" if hint else f"{key} {what}" for key, what, hint in wrong]


def _type_of(entry: Any, *, is_taught: bool) -> tuple[DieType | None, list[str]]:
    """Return a die type, or ``None`` and what is wrong with it."""
    if not isinstance(entry, dict):
        return None, ["is not a table"]
    values, wrong = section_of(DieType, entry)
    problems = _words(wrong)
    needed = [key.name for key in fields(DieType) if key.default is MISSING]
    problems += [f"{key} is missing" for key in needed if key not in entry]
    faces: tuple[Face, ...] = values.get("faces", ())
    sides = SIDES.get(values.get("solid", ""))
    if fault := next(filter(None, map(face_fault, faces)), ""):
        problems.append(f"a face {fault}")
    elif "faces" in values and sides and not (1 <= len(faces) <= sides if is_taught else len(faces) == sides):
        problems.append(f"has {len(faces)} faces where a {values['solid']} has {sides}")
    if problems:
        return None, problems
    return DieType(**values | {"title": values.get("title") or values["name"], "faces": tuple(map(face_of, faces))}), []


def find_sets(
    names: Iterable[str] = (),
    *,
    besides: Iterable[str] = (),
    user_folder: Path | None = None,
    when_wrong: Callable[[DiceSetError], object] | None = None,
) -> tuple[DiceSet, ...]:
    """Load the named sets, or all installed ones but those on request.

    A set that is like another comes as samples of that one. A taught set that is wrong is left out, and
    logged or told of, unless it was asked for by name.

    :param besides: sets on request that are loaded with all others.
    :param user_folder: the folder that holds taught sets, or ``None``.
    :param when_wrong: is told of each set that is left out, and leaves out those that were named, too.
    :raises UnknownDiceSet: naming the nearest installed set. :raises DiceSetError: where a set that was named is wrong.
    """
    folders: dict[str, Path] = {}
    for parent in (SHIPPED_FOLDER, user_folder):
        if parent is not None and parent.is_dir():
            found = (path.parent for path in sorted(parent.glob("*/set.toml")))
            folders |= {path.name: path for path in found if _NAME.fullmatch(path.name)}
    named = list(dict.fromkeys(names))
    wanted = named or list(folders)
    if when_wrong is None and not named:
        when_wrong = _log_left_out
    for name in wanted:
        if name not in folders:
            raise UnknownDiceSet("no dice set {=name} is installed", name=repr(name), hint=did_you_mean(name, folders))
    loaded: dict[str, DiceSet] = {}
    bases: dict[str, DiceSet] = {}
    for name in wanted:
        try:
            one = load_set(folders[name])
            if one.like and one.like not in folders:
                hint = say("Remove it, or install {=like}.", like=one.like)
                raise UnknownDiceSet(
                    "shows dice of {=like}, which is not installed", like=repr(one.like), where=name, hint=hint
                )
            if one.like:
                bases[one.like] = bases.get(one.like) or load_set(folders[one.like])
            loaded[name] = one
        except DiceSetError as error:
            if when_wrong is None or folders[name].parent == SHIPPED_FOLDER:
                raise
            when_wrong(error)
    for one in [one for one in loaded.values() if one.like]:
        del loaded[one.name]
        base = loaded.get(one.like) or bases[one.like]
        loaded[one.like] = replace(base, sample_folders=(*base.sample_folders, *one.sample_folders))
    return tuple(one for one in loaded.values() if named or not one.on_request or one.name in besides)


def _log_left_out(error: DiceSetError) -> None:
    _log.warning("a taught dice set is left out: %s", error)


def counted(die: Die, sets: Iterable[DiceSet]) -> Die:
    """Return the die that a game takes this one for: itself, where its set does not say otherwise."""
    for dice_set in sets:
        for kind in dice_set.types:
            if kind.name == die.type and kind.plays_as and die.face in kind.faces:
                counts = dict(dice_set.counts)
                face = sorted(one for symbol in die.face for one in counts.get(symbol, (symbol,)))
                return Die(type=kind.plays_as, face=tuple(face), colour=die.colour)
    return die


def is_name(text: str) -> bool:
    """Return whether a set, a type or a symbol may be called so."""
    return _NAME.fullmatch(text) is not None


def is_word(found: object) -> TypeGuard[str]:
    """Return whether something that was read is such a name."""
    return isinstance(found, str) and is_name(found)
