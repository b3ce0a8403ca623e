"""Say what a reading of the still tray means for the roll: a pure state machine.

the tray was empty, dice lie there                      a new roll, or the throw that the game awaits
the same dice lie where they lay                        nothing, also where some were hidden in between
dice come while a hand covers others                    those under it lie there as before
all dice moved as one stiff thing                       nothing: the tray or the camera was pushed, or turned a little
all dice lie where a turned or mirrored picture         nothing: the camera was turned
shows them
dice came to those that lie there                       the roll is extended, or the awaited throw joins it
some are gone, but not all                              nothing yet: picked up to be thrown again, or cleared away;
                                                        the roll is smaller only where the game found too many dice
some are gone, others came                              those are replaced, or the awaited throw joins the roll
a die lies a little further, or shows another face      it is read again
no die lies where one lay, and a hand was seen          a new roll, or the awaited throw
no die lies where one lay, and no hand was seen         a knock: all are read again
a person took the roll back, and dice came or moved     a new roll of all that lies there
nothing lies there                                      cleared
a hand lays dice while a roll is called                 they are laid: no roll, until others roll in

Only dice that are sure decide, or were sure since they were thrown. Where none is, those whose doubt is another than
whether they are dice make a roll, unless a hand laid them. What is in doubt beside them:

it came with a throw                                    it is part of the roll, and a question about it
it came otherwise                                       it is asked whether it is a die while it lies there, no more
it lay there before the throw                           nothing: it belongs to the table
it lay there in an earlier roll                         nothing, as soon as other dice are thrown
"""

from __future__ import annotations

import math
from cmath import phase
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, permutations

from tableside.dice import DieReading, Doubt, Face, Point, Reading, Status, Suspect
from tableside.dice.same import SAME_PLACE, paired
from tableside.tray.turned import find_turn

_NUDGE = 0.06
"""Share of the picture's width: a die that was only touched stays within this."""
_LIKELY = 0.25
"""Confidence of a die whose being one and whose face are each likelier than not."""
_LEAST_PX = 20.0
"""Width of a die. Photographs drawn smaller into a picture kept 28 of 34 sure dice at 18 px, 4 at 15 px."""
_TURN = math.radians(20)
"""A tray that is pushed turns by no more."""


class Meaning(StrEnum):
    """What a reading of the still tray means."""

    ROLL = "roll"
    JOINED = "joined"
    EXTENDED = "extended"
    REPLACED = "replaced"
    READ_AGAIN = "read_again"
    FEWER = "fewer"
    LAID = "laid"
    TAKEN = "taken"
    CLEARED = "cleared"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the game wants of the roll that lies there.

    :ivar count: the number of dice of the throw that is awaited, 0 if none is.
    :ivar throws: how many throws the roll has.
    :ivar has_too_many: dice have to be taken away.
    :ivar is_gone: a person took the roll back: what still lies there belongs to none.
    :ivar laid: types and numbers of the dice that count as laid for the open call, ``None`` where none is open.
    """

    count: int = 0
    throws: int = 1
    has_too_many: bool = False
    is_gone: bool = False
    laid: Mapping[str, int] | None = None


NOTHING_WANTED = Wanted()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A die, or something like one, at its place.

    :ivar place: in shares of the picture's width.
    :ivar die: ``None`` for what could not be read.
    :ivar width_px: of its outline.
    """

    place: Point
    die: DieReading | None
    width_px: float = math.inf

    @property
    def shows(self) -> tuple[str, Face]:
        return ("", ()) if self.die is None else (self.die.type, self.die.face)

    @property
    def is_sure(self) -> bool:
        return self.die is not None and self.die.status is Status.SURE

    @property
    def is_likely(self) -> bool:
        """Whether it is a die for all that is known, whatever face it shows."""
        if self.die is None or self.is_sure:
            return self.is_sure
        return self.die.doubt is not Doubt.FAINT and self.die.confidence >= _LIKELY and not self.is_too_small

    @property
    def is_too_small(self) -> bool:
        """Whether the camera shows too little of it to tell a die from anything else."""
        return self.width_px < _LEAST_PX


@dataclass(frozen=True, slots=True, kw_only=True)
class Tray:
    """What lies there, as far as the roll is concerned.

    :ivar things: what lay there when the tray was last still.
    :ivar earlier: those of them that belong to earlier throws of the same roll.
    :ivar taken: what was picked up, or hidden, and is not back yet.
    :ivar throw: which throw of the roll lies there beside the earlier ones, counted from 0.
    :ivar surroundings: what looks like dice, lay there before they were thrown and is none of them: keys, a coin.
    :ivar asked: those of them that came later, and may be dice.
    :ivar is_laid: no roll lies there: a hand laid the dice for an open call.
    """

    things: tuple[Thing, ...] = ()
    earlier: tuple[Thing, ...] = ()
    taken: tuple[Thing, ...] = ()
    throw: int = 0
    surroundings: tuple[Thing, ...] = ()
    asked: tuple[Thing, ...] = ()
    is_laid: bool = False

    @property
    def laid(self) -> dict[str, int]:
        """Types and numbers of the dice that were laid for an open call."""
        return dict(Counter(thing.die.type for thing in self.things if thing.die)) if self.is_laid else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lain:
    """Places of what was seen to lie there: the centres of the reading, px. The first two are of what may be no die.

    :ivar at_rest: what looks as when the tray was last still. :ivar before: as before the roll that lies there was
        thrown.
    :ivar by_hand: what came there under a hand. :ivar covered: where dice lie under a hand, which no reading shows.
    """

    at_rest: frozenset[Point] = frozenset()
    before: frozenset[Point] = frozenset()
    by_hand: frozenset[Point] = frozenset()
    covered: frozenset[Point] = frozenset()


NOTHING_LAIN = Lain()


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """What a reading means.

    :ivar reading: the dice of the throw, for a roll, a throw that joins it, or a change.
    """

    tray: Tray
    meaning: Meaning
    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """How what lies there differs from what lay there.

    :ivar stayed: pairs of the same die before and now, in place.
    :ivar touched: pairs of a die before and now that lies a little further.
    """

    stayed: tuple[tuple[Thing, Thing], ...]
    touched: tuple[tuple[Thing, Thing], ...]
    gone: tuple[Thing, ...]
    came: tuple[Thing, ...]


def interpret(
    tray: Tray, reading: Reading, *, hand_seen: bool, wanted: Wanted = NOTHING_WANTED, lain: Lain = NOTHING_LAIN
) -> Interpretation:
    """Return what a reading of the still tray means after what lay there before."""
    reading = _with_covered(reading, tray, lain)
    unfamiliar = _without(reading, tray.surroundings)
    old = _of_the_table(tray, unfamiliar, lain)
    others = _without(unfamiliar, old)
    result = _lay_dice(tray, others, hand_seen=hand_seen, wanted=wanted, lain=lain) or _interpret_throw(
        tray, others, hand_seen=hand_seen, wanted=wanted, lain=lain
    )
    dropped = result.tray.surroundings
    known = (*result.tray.things, *dropped)
    asked = tuple(thing for thing in paired(known, things_of(others), _NUDGE)[2] if not thing.is_sure)
    lies, around = (*tray.asked, *asked), (*tray.surroundings, *old, *dropped, *asked)
    if hand_seen:  # it may have taken what is gone: a die that comes to lie there belongs to the roll
        around = _still_there(around, reading)
    return replace(result, tray=replace(result.tray, surroundings=around, asked=_still_there(lies, reading)))


def _still_there(things: Sequence[Thing], reading: Reading) -> tuple[Thing, ...]:
    return tuple(old for old, new in paired(things, things_of(reading), SAME_PLACE)[0] if not new.is_sure)


def _with_covered(reading: Reading, tray: Tray, lain: Lain) -> Reading:
    """Return the reading with the dice that lie there still, under a hand."""
    places = tuple(Thing(place=_share_of(place, max(1, reading.width)), die=None) for place in lain.covered)
    covered = tuple(old for old, _ in paired(tray.things, places, _NUDGE)[0])
    hidden = tuple(old.die for old in paired(covered, things_of(reading), SAME_PLACE)[1] if old.die)
    return replace(reading, dice=(*reading.dice, *hidden)) if hidden else reading


def _of_the_table(tray: Tray, reading: Reading, lain: Lain) -> tuple[Thing, ...]:
    """Return what is no die for certain and lay there before anybody threw, or was laid aside."""
    now = things_of(reading)
    stayed, _, others = paired(tray.things, now, SAME_PLACE)
    # dice may become doubtful late; once they are gone, what was seen beside them is no throw
    is_there = any(old.is_sure for old, _ in stayed)
    places = _places_of(lain.before if is_there else lain.before | lain.at_rest, reading)
    return tuple(thing for thing in others if not thing.is_sure and thing.place in places)


def _places_of(centers: frozenset[Point], reading: Reading) -> frozenset[Point]:
    """Return centres of a reading in shares of its width."""
    return frozenset(_share_of(center, max(1, reading.width)) for center in centers)


def _lay_dice(tray: Tray, reading: Reading, *, hand_seen: bool, wanted: Wanted, lain: Lain) -> Interpretation | None:
    """Dice that a hand laid for the open call make no roll, nor does what is moved or taken of them.

    What comes to them otherwise was thrown. ``None`` where none were laid.
    """
    now = things_of(reading)
    if not now:
        return None
    compared = _compare(tray.things, now, hand_seen=hand_seen)
    by_hand, at_rest = (_places_of(centers, reading) for centers in (lain.by_hand, lain.at_rest))
    came = [thing for thing in compared.came if thing.is_sure or (thing.is_likely and thing.place not in at_rest)]
    is_called = wanted.laid is not None and not wanted.count
    is_alone = tray.is_laid or not (compared.stayed or compared.touched)
    is_by_hand = is_called and is_alone and all(thing.place in by_hand for thing in came)
    if is_by_hand if came else tray.is_laid:
        is_news = bool(came or compared.gone or compared.touched)
        after = Tray(things=now, is_laid=True)
        return Interpretation(tray=after, meaning=Meaning.LAID if is_news else Meaning.NOTHING, reading=reading)
    if not tray.is_laid:
        return None
    if (moved := _follow_push(tray.things, now) or _follow_turn(tray.things, now, reading)) is not None:
        return _kept(tray, moved, reading)
    return _take_throw(now, (), reading, wanted, count=len(now))


def _interpret_throw(tray: Tray, reading: Reading, *, hand_seen: bool, wanted: Wanted, lain: Lain) -> Interpretation:
    now = things_of(reading)
    tray = _put_back(tray, now)
    compared = _compare(tray.things, now, hand_seen=hand_seen)
    is_strict = any(thing.is_sure for thing in (*tray.things, *tray.taken, *now))

    def decides(thing: Thing) -> bool:
        return thing.is_sure if is_strict else thing.is_likely

    stayed, touched = (
        [pair for pair in pairs if decides(pair[0]) or pair[1].is_sure] for pairs in (compared.stayed, compared.touched)
    )
    gone = [thing for thing in (*compared.gone, *tray.taken) if decides(thing)]
    by_hand, is_whole = _places_of(lain.by_hand, reading), bool(stayed or touched) and not gone
    came = [
        thing
        for thing in compared.came
        if thing.is_sure or (thing.is_likely and not is_whole and thing.place not in by_hand)
    ]
    if not came and not stayed and not touched:  # what is left is no die for certain
        return Interpretation(
            tray=Tray(), meaning=Meaning.CLEARED if tray.things else Meaning.NOTHING, reading=_without(reading, now)
        )
    if not compared.gone and not came and not touched:
        # a doubt may have been settled, or a die turned by hand; another guess is none
        if any(new.is_sure and (not old.is_sure or old.shows != new.shows) for old, new in compared.stayed):
            return _read_again(tray, compared, now, reading, Meaning.READ_AGAIN)
        return Interpretation(tray=tray, meaning=Meaning.NOTHING, reading=reading)
    if (moved := _follow_push(tray.things, now) or _follow_turn(tray.things, now, reading)) is not None:
        return _kept(tray, moved, reading)
    if not came and not touched:
        return _lift(tray, compared, now, reading, wanted)
    if wanted.is_gone and came:
        return _take_throw(now, (), reading, NOTHING_WANTED, count=0)
    if not stayed and not touched:
        if hand_seen or not gone or len(came) <= wanted.count:
            earlier = tuple(new for _, new in compared.stayed)
            thrown = _without(reading, earlier)
            result = _take_throw(things_of(thrown), (), thrown, wanted, count=len(came))
            return replace(result, tray=replace(result.tray, surroundings=earlier))
        return _read_again(tray, compared, now, reading, Meaning.READ_AGAIN)
    if came and len(came) <= wanted.count:
        lay = tuple(thing for thing in now if thing not in compared.came)
        return _take_throw(now, lay, reading, wanted, count=len(came))
    if not came:
        return _read_again(tray, compared, now, reading, Meaning.READ_AGAIN)
    return _read_again(tray, compared, now, reading, Meaning.REPLACED if gone else Meaning.EXTENDED)


def _without(reading: Reading, things: Sequence[Thing]) -> Reading:
    """Return the reading without what lies where these things were. Sure dice stay."""
    if not things:
        return reading
    width = max(1, reading.width)

    def is_one(center: Point) -> bool:
        return any(math.dist(_share_of(center, width), thing.place) <= SAME_PLACE for thing in things)

    dice = tuple(die for die in reading.dice if die.status is Status.SURE or not is_one(die.center))
    return replace(reading, dice=dice, suspects=tuple(one for one in reading.suspects if not is_one(one.center)))


def last_throw(tray: Tray, reading: Reading) -> Reading:
    """Return the reading without the dice of earlier throws of the same roll."""
    now = things_of(reading)
    earlier = tuple(new for _, new in paired(tray.earlier, now, _NUDGE)[0])
    return _reading_of_throw(reading, Tray(things=now, earlier=earlier))


def things_of(reading: Reading) -> tuple[Thing, ...]:
    """Return what lies there by this reading: dice, then what could not be read."""

    def thing(found: DieReading | Suspect) -> Thing:
        xs = [x for x, _ in found.outline]
        return Thing(
            place=_share_of(found.center, max(1, reading.width)),
            die=found if isinstance(found, DieReading) else None,
            width_px=max(xs) - min(xs) if xs else math.inf,
        )

    return (*map(thing, reading.dice), *map(thing, reading.suspects))


def _share_of(center: Point, width: int) -> Point:
    return (center[0] / width, center[1] / width)


def _compare(before: Sequence[Thing], now: Sequence[Thing], *, hand_seen: bool) -> _Compared:
    """Pair what lies there with what lay there. After a hand, another face a little further is another throw."""
    stayed, gone, came = paired(before, now, SAME_PLACE)
    touched, gone, came = paired(gone, came, _NUDGE, parts=2 if hand_seen else 1)
    stayed += tuple(pair for pair in touched if pair[0].die is pair[1].die is None)
    touched = tuple(pair for pair in touched if pair[0].die or pair[1].die)
    return _Compared(stayed=stayed, touched=touched, gone=gone, came=came)


def _put_back(tray: Tray, now: Sequence[Thing]) -> Tray:
    """Return the tray with what was only hidden, or was laid back as it lay."""
    pairs, still_taken, _ = paired(tray.taken, now, SAME_PLACE)
    back = tuple(old for old, new in pairs if old.shows == new.shows or not new.is_sure)
    turned = tuple(old for old, _ in pairs if old not in back)
    return replace(tray, things=(*tray.things, *back), taken=(*still_taken, *turned)) if pairs else tray


def _follow_push(before: Sequence[Thing], now: Sequence[Thing]) -> tuple[Thing, ...] | None:
    """Return what lay there at its new places where all of it moved as one stiff thing, else ``None``."""
    if len(before) != len(now) or len(now) < 2:
        return None
    olds = [complex(*thing.place) for thing in before]
    first, far = max(combinations(olds, 2), key=lambda pair: abs(pair[1] - pair[0]))
    if first == far:
        return None
    for one, other in permutations((complex(*thing.place) for thing in now), 2):
        turn = (other - one) / (far - first)
        if abs(phase(turn)) > _TURN or abs(abs(other - one) - abs(far - first)) > SAME_PLACE:
            continue
        to = [one + turn / abs(turn) * (old - first) for old in olds]
        count = sum(abs(at - old) > SAME_PLACE for at, old in zip(to, olds, strict=True))
        if count < 2:
            continue  # one was moved alone
        moved = [replace(old, place=(at.real, at.imag)) for old, at in zip(before, to, strict=True)]
        pairs, gone, _ = paired(moved, now, SAME_PLACE)
        if not gone and all(old.shows == thing.shows or not thing.is_sure for old, thing in pairs):
            return tuple(moved)
    return None


def _follow_turn(before: Sequence[Thing], now: Sequence[Thing], reading: Reading) -> tuple[Thing, ...] | None:
    """Return what lay there at its new places where the whole picture was turned or mirrored, else ``None``."""
    places = [[thing.place for thing in things] for things in (before, now)]
    found = find_turn(*places, aspect=reading.height / max(1, reading.width), reach=SAME_PLACE)
    if found is None or any(old.shows != now[i].shows and now[i].is_sure for old, i in zip(before, found, strict=True)):
        return None
    return tuple(replace(old, place=now[i].place) for old, i in zip(before, found, strict=True))


def _take_throw(
    now: tuple[Thing, ...], stayed: tuple[Thing, ...], reading: Reading, wanted: Wanted, *, count: int
) -> Interpretation:
    """A throw: of its own, or the one that the game awaits, which leaves those that stayed to earlier throws.

    :param count: of its dice.
    """
    joins = 0 < count <= wanted.count
    meaning = Meaning.JOINED if joins else Meaning.ROLL
    after = Tray(things=now, earlier=stayed if joins else (), throw=wanted.throws if joins else 0)
    return Interpretation(tray=after, meaning=meaning, reading=_reading_of_throw(reading, after))


def _kept(tray: Tray, things: tuple[Thing, ...], reading: Reading) -> Interpretation:
    """What lay there lies there still, at these places in the same order."""
    earlier = tuple(new for old, new in zip(tray.things, things, strict=True) if old in tray.earlier)
    kept = replace(tray, things=things, earlier=earlier)
    return Interpretation(tray=kept, meaning=Meaning.NOTHING, reading=reading)


def _lift(tray: Tray, compared: _Compared, now: tuple[Thing, ...], reading: Reading, wanted: Wanted) -> Interpretation:
    if wanted.has_too_many:
        return _read_again(tray, compared, now, reading, Meaning.FEWER)
    if all(thing.die is None for thing in compared.gone):  # a shadow that looked like a die
        return _read_again(tray, compared, now, reading, Meaning.READ_AGAIN)
    left = tuple(old for old, _ in compared.stayed)
    earlier = tuple(thing for thing in left if thing in tray.earlier)
    taken = Tray(things=left, earlier=earlier, taken=(*tray.taken, *compared.gone), throw=tray.throw)
    return Interpretation(tray=taken, meaning=Meaning.TAKEN, reading=reading)


def _read_again(
    tray: Tray, compared: _Compared, now: tuple[Thing, ...], reading: Reading, meaning: Meaning
) -> Interpretation:
    """The throw that lies there is read again. A doubt about a die that did not move leaves it as it was read."""
    old_of = {id(new): old for old, new in (*compared.stayed, *compared.touched)}
    in_place = {id(new) for _, new in compared.stayed}
    kept: list[Thing] = []
    earlier: list[Thing] = []
    for thing in now:
        old = old_of.get(id(thing))
        is_doubt = old is not None and id(thing) in in_place and old.is_sure and not thing.is_sure
        kept.append(old if old is not None and is_doubt else thing)
        if old is not None and old in tray.earlier:
            earlier.append(kept[-1])
    after = Tray(things=tuple(kept), earlier=tuple(earlier), throw=tray.throw)
    return Interpretation(tray=after, meaning=meaning, reading=_reading_of_throw(reading, after))


def _reading_of_throw(reading: Reading, tray: Tray) -> Reading:
    """Return the reading with the things of the last throw alone."""
    own = [thing for thing in tray.things if thing not in tray.earlier]
    unread = {_share_of(one.center, max(1, reading.width)): one for one in reading.suspects}
    return replace(
        reading,
        dice=tuple(thing.die for thing in own if thing.die is not None),
        suspects=tuple(unread[thing.place] for thing in own if thing.die is None and thing.place in unread),
    )
