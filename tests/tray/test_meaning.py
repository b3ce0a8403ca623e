"""What a roll is: a table of what lies there one after another, and what that means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from tableside.dice import DieReading, Doubt, Reading, Status, Suspect
from tableside.tray.meaning import NOTHING_WANTED, Lain, Meaning, Tray, Wanted, interpret

WIDTH, HEIGHT = 1000, 750
WILD = Wanted(count=1)
TOO_MANY = Wanted(has_too_many=True)
GONE = Wanted(is_gone=True)


def die(spec: str) -> DieReading:
    """``"a5@100,200?"``: type a, face 5, place, and a mark where its face is in doubt; ``~`` where it may be no die."""
    name, place = spec.rstrip("?~").split("@")
    x, y = place.split(",")
    doubtful = spec[-1] in "?~"
    return DieReading(
        type=name[0],
        face=(name[1:],),
        center=(float(x), float(y)),
        outline=(),
        confidence=0.6 if doubtful else 0.99,
        status=Status.UNSURE if doubtful else Status.SURE,
        doubt={"?": Doubt.FACE, "~": Doubt.FAINT}.get(spec[-1]),
    )


def lying(text: str) -> Reading:
    """Dice in the words of :func:`die`; ``*@x,y`` is something that could not be read."""
    words = text.split()
    unread = tuple(
        Suspect(center=(float(x), float(y)), outline=(), confidence=0.3)
        for x, y in (word[2:].split(",") for word in words if word.startswith("*"))
    )
    dice = tuple(die(word) for word in words if not word.startswith("*"))
    return Reading(width=WIDTH, height=HEIGHT, dice=dice, suspects=unread)


def places(text: str) -> frozenset[tuple[float, float]]:
    reading = lying(text)
    return frozenset(one.center for one in (*reading.dice, *reading.suspects))


@dataclass(frozen=True)
class Still:
    """The tray came to rest once more: what lies there, what that has to mean, and of how much it is asked whether it
    is a die."""

    lies: str
    means: str
    shows: str | None = None
    asks: int = 0
    hand: bool = False
    wanted: Wanted = field(default=NOTHING_WANTED)
    as_at_rest: str = ""
    as_before: str = ""
    by_hand: str = ""

    @property
    def lain(self) -> Lain:
        """What looks as when the tray was last still, and as before the roll was thrown, and what a hand laid."""
        return Lain(at_rest=places(self.as_at_rest), before=places(self.as_before), by_hand=places(self.by_hand))


TWO = "a1@200,200 a2@400,300"
CLUTTER = "*@100,100 a3@150,100? *@200,100"
CASES: dict[str, Sequence[Still]] = {
    "an empty tray means nothing": [Still("", "nothing")],
    "the first dice are a roll": [Still("", "nothing"), Still(TWO, "roll", "a1 a2")],
    "dice that lie there at the start are a roll": [Still(TWO, "roll", "a1 a2")],
    "the same dice again mean nothing": [Still(TWO, "roll"), Still("a1@203,199 a2@402,301", "nothing")],
    "emptied and thrown again is a new roll": [
        Still(TWO, "roll"),
        Still("", "cleared", hand=True),
        Still("a2@300,300", "roll", "a2"),
    ],
    "the very same dice in the same places after the tray was empty are a new roll": [
        Still(TWO, "roll"),
        Still("", "cleared"),
        Still(TWO, "roll"),
    ],
    "a die that a hand hid for a moment means nothing": [
        Still(TWO, "roll"),
        Still("a1@200,200", "taken", hand=True),
        Still("a1@200,200 a2@402,301", "nothing"),
        Still("a1@200,200 a2@402,301 a3@600,100", "extended"),
    ],
    "a die laid back in its place with another face is replaced": [
        Still(TWO, "roll"),
        Still("a1@200,200", "taken", hand=True),
        Still("a1@200,200 a4@402,301", "replaced", "a1 a4"),
    ],
    "a die added extends the roll": [
        Still(TWO, "roll"),
        Still(f"{TWO} b3@600,500", "extended", "a1 a2 b3", hand=True),
        Still(f"{TWO} b3@600,500", "nothing"),
    ],
    "a die picked up changes nothing yet, and replaces itself when thrown": [
        Still(TWO, "roll"),
        Still("a1@200,200", "taken", hand=True),
        Still("a1@200,200 a6@600,500", "replaced", "a1 a6"),
    ],
    "a die picked up and thrown while the tray never rested is replaced too": [
        Still(TWO, "roll"),
        Still("a1@200,200 a6@600,500", "replaced", "a1 a6", hand=True),
    ],
    "dice cleared away one by one leave the roll as it was": [
        Still(TWO, "roll"),
        Still("a1@200,200", "taken", hand=True),
        Still("", "cleared", hand=True),
    ],
    "a die too many that is taken away leaves the roll": [
        Still(TWO, "roll"),
        Still("a1@200,200", "fewer", "a1", hand=True, wanted=TOO_MANY),
    ],
    "a die that was nudged is read again": [
        Still(TWO, "roll"),
        Still("a1@230,210 a2@400,300", "read_again", "a1 a2", hand=True),
    ],
    "a die that was knocked over is read again": [
        Still(TWO, "roll"),
        Still("a5@230,210 a2@400,300", "read_again", "a5 a2"),
    ],
    "a die turned by hand in its place is read again": [
        Still(TWO, "roll"),
        Still("a3@202,199 a2@400,300", "read_again", "a3 a2", hand=True),
    ],
    "a doubt about a die that was sure and did not move means nothing": [
        Still(TWO, "roll"),
        Still("b9@202,199? a2@400,300", "nothing"),
    ],
    "a doubt about one die survives a change of another": [
        Still("a1@200,200 a2@400,300", "roll"),
        Still("b9@202,199? a2@440,300", "read_again", "a1 a2"),
    ],
    "a doubt that is settled is shown": [
        Still("a1@200,200? a2@400,300", "roll"),
        Still("a1@200,200 a2@400,300", "read_again", "a1 a2"),
        Still("a1@200,200? a2@400,300", "nothing"),
    ],
    "a knock without a hand reads all again": [
        Still(TWO, "roll"),
        Still("a4@700,200 a5@800,600", "read_again", "a4 a5"),
    ],
    "all picked up and thrown at once by a hand are a new roll": [
        Still(TWO, "roll"),
        Still("a4@700,200 a5@800,600", "roll", "a4 a5", hand=True),
    ],
    "a tray or a camera that was pushed changes nothing": [
        Still(TWO, "roll"),
        Still("a1@260,170 a2@460,270", "nothing", hand=True),
        Still("a1@260,170 a2@460,270 b1@800,600", "extended", "a1 a2 b1"),
    ],
    "a tray that was turned by a few degrees and pushed changes nothing, also the second time": [
        Still("a1@200,200 a2@400,300 b3@300,500", "roll"),
        Still("a1@230,219 a2@439,298 b3@361,507", "nothing", hand=True),
        Still("a1@230,219 a2@439,298 b3@361,507 b1@800,600", "extended", "a1 a2 b3 b1"),
        Still("a1@251,190 a2@468,243 b3@416,460 b1@863,499", "nothing"),
    ],
    "a tray that was turned about one of its dice, and back, changes nothing": [
        Still("a1@200,200 a2@500,200 b3@300,500", "roll"),
        Still("a1@203,198 a2@498,231 b3@268,509", "nothing", hand=True),
        Still("a1@200,200 a2@500,200 b3@300,500", "nothing"),
        Still("a1@200,200 a2@498,231 b3@320,470", "read_again", "a1 a2 b3"),
    ],
    "a die that was pushed round another, which stayed, is read again": [
        Still("a1@200,200 a2@500,200", "roll"),
        Still("a1@200,200 a2@498,230", "read_again", "a1 a2"),
    ],
    "dice that a hand threw so that they lie turned by more than a tray is pushed are a new roll": [
        Still("a1@200,200 a2@400,300", "roll"),
        Still("a1@300,200 a2@379,409", "roll", "a1 a2", hand=True),
    ],
    "an awaited die joins the roll after the tray was emptied": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("", "cleared", wanted=WILD),
        Still("a4@500,500", "joined", "a4", wanted=WILD),
        Still("a4@530,500", "read_again", "a4"),
    ],
    "an awaited die thrown beside the others joins the roll": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("a1@200,200", "taken", hand=True, wanted=WILD),
        Still("a1@200,200 w3@600,100", "joined", "w3", wanted=WILD),
        Still("a1@200,200 w3@630,100", "read_again", "w3"),
        Still("a1@200,200 w3@630,100 a2@700,600", "extended", "w3 a2"),
    ],
    "an awaited die joins twice when it explodes twice": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("a1@200,200 w6@600,100", "joined", "w6", hand=True, wanted=WILD),
        Still("a1@200,200 w2@800,400", "joined", "w2", hand=True, wanted=WILD),
    ],
    "a die added for a point joins the roll": [
        Still("a1@200,200 w4@400,300", "roll"),
        Still("a1@200,200 w4@400,300 a5@700,500", "joined", "a5", wanted=WILD),
    ],
    "the only die, awaited and thrown again without a hand, joins the roll": [
        Still("w6@200,200", "roll"),
        Still("w6@700,500", "joined", "w6", wanted=WILD),
    ],
    "more dice than awaited are a new roll": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("", "cleared", wanted=WILD),
        Still("a1@300,200 a2@500,300", "roll", "a1 a2", wanted=WILD),
    ],
    "dice of earlier throws that are pushed with the last one stay earlier": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("a1@200,200 w3@600,100", "joined", "w3", hand=True, wanted=WILD),
        Still("a1@250,200 w3@650,100", "nothing"),
        Still("a1@250,200 w5@655,100", "read_again", "w5"),
    ],
    "a die thrown again after the roll was taken back makes a new roll of all that lies there": [
        Still(TWO, "roll"),
        Still("a1@200,200", "taken", hand=True, wanted=GONE),
        Still("a1@200,200 a6@600,500", "roll", "a1 a6", hand=True, wanted=GONE),
        Still("a1@200,200 a6@600,500 b3@700,100", "extended", "a1 a6 b3", hand=True),
    ],
    "a die added after the roll was taken back makes a new roll of all that lies there": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("a1@200,200 w3@600,100", "joined", "w3", hand=True, wanted=WILD),
        Still("a1@200,200 w3@600,100 a2@700,600", "roll", "a1 w3 a2", wanted=GONE),
    ],
    "all dice thrown anew out of a tower, with no hand seen, are a new roll where the old one was taken back": [
        Still(TWO, "roll"),
        Still("a4@700,200 a5@800,600", "roll", "a4 a5", wanted=GONE),
    ],
    "dice that lie still or are only touched after the roll was taken back make no new roll": [
        Still(TWO, "roll"),
        Still(TWO, "nothing", wanted=GONE),
        Still("a1@230,210 a2@400,300", "read_again", wanted=GONE),
    ],
    "what lies there before anybody threw, and is no die for certain, is no roll and no question": [
        Still(CLUTTER, "nothing", as_at_rest=CLUTTER, as_before=CLUTTER),
        Still(f"{CLUTTER} a5@600,500", "roll", "a5"),
        Still("*@100,100 b2@151,101? *@201,100 a5@600,500 a2@700,100", "extended", "a5 a2"),
        Still("*@100,100 b2@151,101? *@201,100", "cleared", hand=True),
        Still("a3@150,100 *@201,100", "roll", "a3"),
    ],
    "what came before the tray rested for the first time is a roll and a question, however doubtful": [
        Still("a3@150,100? *@400,300", "roll", "a3 *")
    ],
    "what lay there first and was taken away hides no die that comes to lie in its place": [
        Still("*@100,100 a3@150,100?", "nothing", as_at_rest="*@100,100 a3@150,100?"),
        Still("", "nothing", hand=True),
        Still("a3@150,100? a5@600,500", "roll", "a3 a5"),
    ],
    "what lay beside dice that are gone, and is found only now, is no throw": [
        Still(TWO, "roll"),
        Still("*@700,470 a4@100,500?", "cleared", hand=True, as_at_rest="*@700,470 a4@100,500?"),
        Still("*@700,470 a3@600,100", "roll", "a3"),
    ],
    "what lay there before the dice is no doubt about them, and what comes to be seen beside them is asked about": [
        Still(TWO, "roll"),
        Still(f"{TWO} *@700,470", "nothing", as_at_rest="*@700,470", as_before="*@700,470"),
        Still(f"{TWO} *@100,500", "nothing", as_at_rest="*@100,500", asks=1),
        Still(TWO, "nothing"),
    ],
    "what a hand lays aside makes no roll of its own, nor does it belong to those after it": [
        Still(TWO, "roll"),
        Still("*@920,20", "cleared", hand=True, asks=1),
        Still("*@921,20 a3@300,300", "roll", "a3", hand=True, asks=1),
        Still("*@921,20 a3@300,300 *@20,600", "nothing", hand=True, asks=2),
        Still("*@921,20 a4@500,500 *@20,600 *@800,400", "roll", "a4 *", hand=True, asks=2),
    ],
    "a key that is taken for a die makes no later throw a correction, nor is it asked about again": [
        Still("", "nothing"),
        Still("k4@900,100? a5@600,500 a2@700,400", "roll", "k4 a5 a2", hand=True),
        Still("k4@900,101? a1@500,300 a6@300,400", "roll", "a1 a6", hand=True),
        Still("k6@901,100? a3@400,200", "roll", "a3", hand=True),
        Still("k4@900,100?", "cleared", hand=True),
        Still("k4@900,100? a2@200,300", "roll", "a2"),
        Still("k4@900,100? a2@200,300 a3@400,400", "extended", "a2 a3"),
    ],
    "a key beside the dice that comes to be seen later is no change of the roll": [
        Still(TWO, "roll"),
        Still(f"{TWO} k4@900,100?", "nothing", asks=1),
        Still("a1@200,200 k4@900,100?", "taken", hand=True, asks=1),
        Still("a1@200,200 a3@500,500 k4@900,100?", "replaced", "a1 a3", asks=1),
    ],
    "a fingertip that rests beside the dice is no die, and goes with its hand": [
        Still(TWO, "roll"),
        Still(f"{TWO} f1@500,740~", "nothing", hand=True, asks=1),
        Still(TWO, "nothing", hand=True),
        Still("f1@500,740~", "cleared", hand=True, asks=1),
        Still("", "nothing", hand=True),
    ],
    "a checker that a hand moves, and the digits of a clock that change, make no roll": [
        Still("c1@300,300? *@800,100", "nothing", as_at_rest="c1@300,300? *@800,100"),
        Still("c1@500,300? *@800,100", "nothing", hand=True, by_hand="c1@500,300?", asks=1),
        Still("c1@500,300? c2@800,100~", "nothing", asks=1),
        Still("c1@500,300? c3@800,100~", "nothing", hand=True, asks=1),
    ],
    "dice whose faces are all in doubt are a roll where they came by themselves": [
        Still("", "nothing"),
        Still("a3@300,300? *@500,500", "roll", "a3 *"),
        Still("a3@300,300? *@500,500 a2@700,200?", "nothing", asks=1),
        Still("", "cleared", hand=True),
        Still("a3@400,300? a4@200,100?", "roll", "a3 a4", hand=True),
        Still("a3@400,300? a2@800,100?", "replaced", "a3 a2", hand=True),
        Still("a3@400,300? a2@800,100? b1@100,600", "roll", "b1", hand=True),
    ],
    "a die that is surely gone and comes back in doubt is replaced": [
        Still(TWO, "roll"),
        Still("a1@200,200 a4@600,500?", "replaced", "a1 a4", hand=True),
        Still("a1@200,200", "taken", hand=True),
        Still("a1@200,200 a4@300,600~", "nothing", asks=1),
    ],
    "a suspect beside an awaited die does not keep it from joining its roll": [
        Still("a1@200,200 w6@400,300", "roll"),
        Still("a1@200,200 w6@400,300 w3@600,100 *@700,600", "joined", "w3 *", wanted=WILD),
    ],
    "a die that is sure counts however long it lay there": [
        Still("", "nothing"),
        Still(TWO, "roll", "a1 a2", as_at_rest=TWO, as_before=TWO),
    ],
    "what could not be read is found a little beside its place, and that is no change": [
        Still(f"{TWO} *@920,10", "roll"),
        Still(f"{TWO} *@935,20", "nothing"),
        Still("*@920,15", "cleared", hand=True, asks=1),
        Still("*@925,15 a3@600,100", "roll", "a3", hand=True, asks=1),
    ],
    "dice thrown beside a coin that lies there are a new roll": [
        Still("", "nothing"),
        Still("*@400,300", "nothing", asks=1),
        Still("*@401,300 a1@600,500 a2@700,100", "roll", "a1 a2", asks=1),
        Still("*@401,300 a1@600,500 a2@700,100 a3@200,500", "extended", "a1 a2 a3", asks=1),
    ],
    "what could not be read alone and is read later is a roll": [
        Still("", "nothing"),
        Still("*@400,300", "nothing", asks=1),
        Still("a2@401,300", "roll", "a2"),
    ],
    "something that could not be read is part of the roll and may be read later": [
        Still("a1@200,200 *@400,300", "roll", "a1 *"),
        Still("a1@200,200 a2@402,300", "read_again", "a1 a2"),
    ],
    "another guess at a die in doubt is no news, and a sure one is": [
        Still("a1@200,200 a2@400,300?", "roll", "a1 a2"),
        Still("a1@200,200 a3@400,300?", "nothing", hand=True),
        Still("a1@200,200 a3@400,300", "read_again", "a1 a3"),
    ],
    "a die in doubt that goes as another comes is none that was thrown again": [
        Still("a1@200,200 a2@400,300?", "roll", "a1 a2"),
        Still("a1@200,200 b3@600,500", "extended", "a1 b3", hand=True),
        Still("a1@200,200 b3@600,500 b4@800,600", "extended", "a1 b3 b4"),
    ],
    "what is no die for certain and came with a throw goes out of it by itself": [
        Still("a1@200,200 *@400,300", "roll", "a1 *"),
        Still("a1@200,200", "read_again", "a1"),
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_what_lies_there(name: str) -> None:
    tray = Tray()
    for number, still in enumerate(CASES[name]):
        result = interpret(tray, lying(still.lies), hand_seen=still.hand, wanted=still.wanted, lain=still.lain)
        assert result.meaning.value == still.means, number
        if still.shows is not None:
            shown = [d.type + d.face[0] for d in result.reading.dice] + ["*"] * len(result.reading.suspects)
            assert " ".join(shown) == still.shows, number
        assert len(result.tray.asked) == still.asks, number
        tray = result.tray


def test_a_throw_is_counted_from_the_first_of_its_roll() -> None:
    first = interpret(Tray(), lying("a1@200,200 w6@400,300"), hand_seen=True)
    second = interpret(first.tray, lying("a1@200,200 w6@600,100"), hand_seen=True, wanted=WILD)
    nudged = interpret(second.tray, lying("a1@200,200 w6@630,100"), hand_seen=True)
    third = interpret(nudged.tray, lying("a1@200,200 w2@800,400"), hand_seen=True, wanted=Wanted(count=1, throws=2))
    assert [one.tray.throw for one in (first, second, nudged, third)] == [0, 1, 1, 2]


def test_a_picture_of_another_size_makes_no_new_roll() -> None:
    tray = interpret(Tray(), lying(TWO), hand_seen=False).tray
    half = Reading(width=WIDTH // 2, height=HEIGHT // 2, dice=(die("a1@100,100"), die("a2@200,150")))
    assert interpret(tray, half, hand_seen=False).meaning is Meaning.NOTHING


def test_the_order_of_the_dice_does_not_matter() -> None:
    first = interpret(Tray(), lying("a1@200,200 a2@400,300 b3@500,100"), hand_seen=False).tray
    assert interpret(first, lying("b3@500,100 a1@200,200 a2@400,300"), hand_seen=True).meaning is Meaning.NOTHING
