"""Scenes of what lies still beside something that does not: real dice on real grounds, shadowed, covered and moved.

Each scene says from when on all lies still and must be told, and how soon. What is told beside that is counted, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.app.readers import Reads
from tableside.tray.frame import Frame
from tableside.tray.watch import Happening, Sees, Watch
from tools.bench.films import labels_of
from tools.bench.scenes import Picture, Place, Scene, Sprite, laid, take_apart, with_hand
from tools.bench.sensor import Sensor

FPS = 15
_WIDTH_PX = 640
_GROUNDS = (("pips", 28), ("pips", 40), ("pips", 12), ("webcam", 20))
_SOON = 0.3 + 0.25
"""Seconds: the dwell, a reading, and the frames between."""
_SKIN = np.array([85.0, 115.0, 170.0], np.float32)
_SHADE = np.array([0.62, 0.57, 0.52], np.float32)
"""Shares of blue, green and red that a shadow leaves: the lamp is warmer than the rest of the room."""
Draw = Callable[[Picture], None]


@dataclass(slots=True)
class Stage:
    """A ground with dice, and the pictures of it until now, drawn as they are played: a film is half a gigabyte.

    :ivar over: what is drawn over each picture from now on, ``under`` what is drawn before the dice.
    :ivar due: seconds at which all lies still and a roll or a change must be told, and how long that may take.
    :ivar noise, blotches: of the sensor, grey levels. :ivar fps: pictures a second.
    """

    scene: Scene
    fps: int = FPS
    pictures: list[Callable[[], Picture]] = field(default_factory=list)
    lying: list[tuple[Sprite, Place]] = field(default_factory=list)
    under: list[Draw] = field(default_factory=list)
    over: list[Draw] = field(default_factory=list)
    due: list[tuple[float, float]] = field(default_factory=list)
    noise: float = 2.5
    blotches: float = 0.4

    @property
    def time(self) -> float:
        return len(self.pictures) / self.fps

    @property
    def way(self) -> int:
        """1 where the first die is nearer to the right edge, else -1."""
        return 1 if self.scene.sprites[0].place[0] > self.scene.size[0] / 2 else -1

    def die(self, number: int) -> tuple[Sprite, Place]:
        """Return a die and its place; a photograph of few dice shows them again at other places."""
        sprites = self.scene.sprites
        sprite = sprites[number % len(sprites)]
        again = sprite.radius * (number // len(sprites))  # a pair that all moved alike would be a tray that was pushed
        return sprite, (sprite.place[0] - 4.0 * again * self.way, sprite.place[1] + 1.5 * again * (number % 2))

    def hold(self, seconds: float, *changes: Callable[[Picture, float], None]) -> None:
        """Show what lies there for so long; ``changes`` draw over a picture at a share of that time."""
        count = round(seconds * self.fps)
        under, lying, over = tuple(self.under), tuple(self.lying), tuple(self.over)

        def drawn(share: float) -> Picture:
            picture = self.scene.ground.copy()
            for draw in under:
                draw(picture)
            for sprite, place in lying:
                laid(picture, sprite, place)
            for draw in over:
                draw(picture)
            for change in changes:
                change(picture, share)
            return np.clip(picture, 0, 255).astype(np.uint8)

        self.pictures += [partial(drawn, number / count) for number in range(count)]

    def throw(self, *numbers: int, within: float = _SOON, shadow: bool = False, **beside: Any) -> None:
        """Let dice roll in from the nearer side; all that lies there must be told within so many seconds."""
        dice = [self.die(number) for number in numbers]
        edge = self.scene.size[0] + 60 if self.way > 0 else -60

        def roll(picture: Picture, share: float) -> None:
            places = [(x + (edge - x) * (1 - share) ** 1.5, y) for _, (x, y) in dice]
            if shadow:
                for (die, _), place in zip(dice, places, strict=True):
                    self.shadow_of(picture, die, place)
            for (die, _), place in zip(dice, places, strict=True):
                laid(picture, die, place, 6 * (1 - share))

        self.hold(0.7, *beside.values(), roll)
        self.lying += dice
        if shadow:
            self.under += [partial(self.shadow_of, die=die, place=place) for die, place in dice]
        self.due.append((self.time, within))

    def shadow_of(self, picture: Picture, die: Sprite, place: Place) -> None:
        """Let the shadow of a die run to the nearer side, deep at its foot and softer farther off."""
        shade = np.zeros(picture.shape[:2], np.float32)
        end = (self.scene.size[0] + 60 if self.way > 0 else -60, place[1] + 40)
        at = (round(place[0]), round(place[1]))
        cv2.line(shade, at, (round(end[0]), round(end[1])), 0.9, round(2.4 * die.radius))
        foot = (round(place[0] + 2.5 * self.way * die.radius), at[1] + 3)
        cv2.line(shade, at, foot, 1.6, round(2.0 * die.radius))
        self.darken(picture, cv2.GaussianBlur(shade, (0, 0), 4))

    def darken(self, picture: Picture, shade: np.ndarray) -> None:
        picture *= 1 - (1 - _SHADE) * shade[..., None]

    def arm(self, picture: Picture, x: float, y: float) -> None:
        """Draw a hand from below with its fingers at shares of the width and height."""
        with_hand(picture, (x * picture.shape[1], min(y, 1.05) * picture.shape[0]), 0, _SKIN)

    @property
    def free_x(self) -> float:
        """A share of the width far from all dice."""
        return 0.06 if self.way > 0 else 0.94

    def at(self, number: int = 0) -> Place:
        """Return the place of a die in shares of width and height."""
        (x, y), (width, height) = self.die(number)[1], self.scene.size
        return x / width, y / height


def long_shadow(stage: Stage) -> None:
    """The shadows of two dice run to the edge of the picture."""
    stage.hold(1.0)
    stage.throw(0, 1, shadow=True)
    stage.hold(1.3)


def moved_cloth(stage: Stage) -> None:
    """The ground from the edge to a die lies otherwise after the throw."""
    stage.hold(1.0)
    stage.throw(0)
    sprite, (x, _) = stage.die(0)
    edge = round(x + stage.way * 1.6 * sprite.radius)
    part = (slice(None), slice(edge, None) if stage.way > 0 else slice(0, edge))

    def move(picture: Picture) -> None:
        picture[part] = np.roll(stage.scene.ground, 11, axis=0)[part]

    stage.under.append(move)
    stage.hold(1.3)


def shifted_tray(stage: Stage) -> None:
    """Dice that hit the tray push it by a few pixels."""
    stage.hold(1.0)
    stage.throw(0, 1)
    move = np.array([[1, 0, 5.4], [0, 1, 3.3]], np.float32)

    def push(picture: Picture) -> None:
        picture[:] = cv2.warpAffine(stage.scene.ground, move, stage.scene.size, borderMode=cv2.BORDER_REPLICATE)

    stage.under.append(push)
    stage.hold(1.3)


def laid_thing(stage: Stage) -> None:
    """A hand lays a phone from the edge to near a die; then dice are thrown twice beside it."""
    stage.hold(1.0)
    stage.throw(0)
    stage.hold(1.0)
    sprite, (x, y) = stage.die(0)
    start, far = round(x + stage.way * 2.3 * sprite.radius), stage.scene.size[0] if stage.way > 0 else 0
    at = ((start + far) / 2 / stage.scene.size[0], y / stage.scene.size[1])

    def phone(picture: Picture) -> None:
        cv2.rectangle(picture, (start, round(y - 110)), (far, round(y + 70)), (52, 44, 40), -1)
        cv2.rectangle(picture, (start + 8 * stage.way, round(y - 98)), (far, round(y + 58)), (150, 120, 90), -1)

    stage.hold(0.4, lambda picture, share: stage.arm(picture, at[0], 1.3 - (1.3 - at[1]) * share))
    stage.over.append(phone)
    stage.hold(0.4, lambda picture, share: stage.arm(picture, at[0], at[1] + (1.3 - at[1]) * share))
    stage.hold(1.4)
    throw_from_above(stage, 1)
    stage.hold(1.0)
    throw_from_above(stage, 2)
    stage.hold(1.2)


def throw_from_above(stage: Stage, number: int) -> None:
    """Let a die roll in from above."""
    sprite, (x, y) = stage.die(number)
    stage.hold(
        0.6, lambda picture, share: laid(picture, sprite, (x, y - (y + 60) * (1 - share) ** 1.5), 5 * (1 - share))
    )
    stage.lying.append((sprite, (x, y)))
    stage.due.append((stage.time, _SOON))


def coming_shadow(stage: Stage) -> None:
    """Dice lie for half a second while the shadow of a hand comes towards them, before it gathers them."""
    stage.hold(1.0)
    stage.throw(0, 1)
    x, free = stage.at()[0], stage.free_x
    near = x + 0.2 * (1 if free > 0.5 else -1)
    columns = np.arange(stage.scene.size[0], dtype=np.float32) / stage.scene.size[0]

    def come(picture: Picture, share: float) -> None:
        tip = free + (near - free) * share
        inside = 1 / (1 + np.exp((tip - columns if free > 0.5 else columns - tip) * 60))
        stage.darken(picture, np.broadcast_to(inside, picture.shape[:2]))

    stage.hold(0.6, come)
    gather(stage)


def gather(stage: Stage, *, seconds: float = 0.8) -> None:
    """A hand takes all dice, and the tray lies bare for so long."""
    x, y = stage.at()
    stage.hold(0.4, lambda picture, share: stage.arm(picture, x, 1.3 - (1.3 - y) * share))
    stage.lying.clear()
    stage.hold(0.4, lambda picture, share: stage.arm(picture, x, y + (1.3 - y) * share))
    stage.hold(seconds)


def short_rest(stage: Stage) -> None:
    """Dice lie for 0.4 s before they are gathered, and are thrown again."""
    stage.hold(1.0)
    for _ in range(2):
        stage.throw(0, 1)
        stage.hold(0.4)
        gather(stage)


def wave(stage: Stage) -> Callable[[Picture, float], None]:
    """A hand that keeps moving at the edge far from the dice."""
    return lambda picture, share: stage.arm(picture, stage.free_x, 0.75 + 0.1 * np.sin(share * 25))


def hand_from_the_first(stage: Stage) -> None:
    """The film begins with a hand at the edge, which moves there while dice are thrown, and goes."""
    stage.hold(0.6, wave(stage))
    stage.throw(0, 1, beside=wave(stage))
    stage.hold(1.3, wave(stage))
    stage.hold(0.8)


def hand_far_away(stage: Stage) -> None:
    """A hand moves at the edge, far from the dice, from before the throw until long after it."""
    stage.hold(1.0)
    stage.hold(0.3, lambda picture, share: stage.arm(picture, stage.free_x, 1.3 - 0.5 * share))
    stage.throw(0, 1, beside=wave(stage))
    stage.hold(1.3, wave(stage))
    stage.hold(0.8)


def resting_hand(stage: Stage) -> None:
    """A hand comes to lie over a die and stays: that says nothing, nor does its going."""
    stage.hold(1.0)
    stage.throw(0, 1)
    stage.hold(1.0)
    x, y = stage.at()
    y -= 0.05
    stage.hold(0.5, lambda picture, share: stage.arm(picture, x, 1.3 - (1.3 - y) * share))
    stage.hold(2.0, lambda picture, _: stage.arm(picture, x, y))
    stage.hold(0.5, lambda picture, share: stage.arm(picture, x, y + (1.3 - y) * share))
    stage.hold(1.0)


def thing_on_an_empty_tray(stage: Stage) -> None:
    """A hand lays a dark thing of a die's size on the empty tray: that is no roll."""
    stage.hold(1.0)
    (x, y), radius = stage.die(0)[1], round(stage.die(0)[0].radius)

    def thing(picture: Picture) -> None:
        cv2.circle(picture, (round(x), round(y)), radius, (40, 42, 45), -1, cv2.LINE_AA)
        cv2.circle(picture, (round(x), round(y)), radius // 2, (90, 95, 100), 3, cv2.LINE_AA)

    at = stage.at()
    stage.hold(0.5, lambda picture, share: stage.arm(picture, at[0], 1.3 - (1.3 - at[1]) * share))
    stage.over.append(thing)
    stage.hold(0.5, lambda picture, share: stage.arm(picture, at[0], at[1] + (1.3 - at[1]) * share))
    stage.hold(1.5)


def dim(picture: Picture, share: float) -> None:
    """Leave that share of the light."""
    picture *= share


def dimmed(stage: Stage) -> None:
    """The light is dimmer for 1.5 s, and then as it was."""
    stage.hold(1.0)
    stage.throw(0, 1)
    stage.hold(1.0)
    stage.hold(1.5, lambda picture, _: dim(picture, 0.62))
    stage.hold(2.0)


def pushed_and_turned(stage: Stage) -> None:
    """The tray is pushed, and then turned by six degrees: the same dice show the same faces."""
    stage.hold(1.0)
    stage.throw(0, 1, 2)
    stage.hold(1.0)
    width, height = stage.scene.size

    def seen(picture: Picture, pushed: float, turned: float) -> None:
        move = cv2.getRotationMatrix2D((width / 2, height / 2), 6 * turned, 1.0)
        move[:, 2] += (-22 * stage.way * pushed, 9 * pushed)
        picture[:] = cv2.warpAffine(picture, move, (width, height), borderMode=cv2.BORDER_REFLECT)

    stage.hold(0.7, lambda picture, share: seen(picture, share, 0))
    stage.hold(0.7, lambda picture, share: seen(picture, 1, share))
    stage.over.append(lambda picture: seen(picture, 1, 1))
    stage.hold(1.4)


def noise_at_rest(stage: Stage) -> None:
    """Dice lie still for five seconds under blotchy noise: nothing wakes."""
    stage.blotches = 1.6
    stage.hold(1.0)
    stage.throw(0, 1)
    stage.hold(5.0)


def twice_the_noise(stage: Stage) -> None:
    """Dice lie still for five seconds under twice as much of it."""
    noise_at_rest(stage)
    stage.noise, stage.blotches = 5.0, 3.2


def dark_table(stage: Stage) -> None:
    """A hand works over a dark table."""
    stage.over.append(lambda picture: dim(picture, 0.3))
    stage.hold(1.0)
    stage.throw(0, 1)
    stage.hold(1.0)
    stage.hold(1.2, lambda picture, share: stage.arm(picture, 0.5, 0.7 + 0.2 * np.cos(share * 9)))
    stage.hold(1.0)


_SKIN_TIP = (150, 170, 225)
_TOO_SMALL_PX = 4.5
"""Radius of dice that no reader tells the faces of."""


def keys(stage: Stage) -> Callable[[Picture], None]:
    """A part of a keyboard at the edge far from the dice: keys of a die's size with a sign each."""
    radius, (width, height) = stage.die(0)[0].radius, stage.scene.size
    side = round(1.7 * radius)
    block = np.full((height, 3 * (side + 4), 3), 60, np.uint8)
    for number, (row, column) in enumerate(np.ndindex(height // (side + 4), 3)):
        x, y = 2 + column * (side + 4), 2 + row * (side + 4)
        light, ink = ((205, 212, 214), (45, 45, 45)) if number % 2 else ((52, 50, 48), (225, 225, 225))
        cv2.rectangle(block, (x, y), (x + side, y + side), tuple(v // 2 for v in light), -1)
        cv2.rectangle(block, (x + side // 12, y), (x + side - side // 12, y + side - side // 6), light, -1)
        sign, at = ":4;8=.3!6-2"[number % 11], (x + side // 4, y + 3 * side // 5)
        cv2.putText(block, sign, at, cv2.FONT_HERSHEY_SIMPLEX, side / 55, ink, max(1, side // 20), cv2.LINE_AA)
    left = 0 if stage.way > 0 else width - block.shape[1]
    soft = cv2.GaussianBlur(block, (0, 0), 0.7).astype(np.float32)

    def draw(picture: Picture) -> None:
        picture[:, left : left + block.shape[1]] = soft

    return draw


def keyboard(stage: Stage) -> None:
    """A keyboard lies beside the dice, and somebody types between three throws: each is a roll of its own."""
    stage.under.append(keys(stage))
    stage.hold(1.0)
    for number in range(3):
        stage.throw(2 * number, 2 * number + 1)
        stage.hold(1.0)
        x = stage.free_x
        stage.hold(0.8, lambda picture, share, x=x: stage.arm(picture, x, 0.6 + 0.3 * np.cos(share * 12)))
        gather(stage, seconds=0.1)


def fingertips(stage: Stage) -> None:
    """Dice are thrown; then fingers rest on the tray's edge, shift a little, and go."""
    stage.hold(1.0)
    stage.throw(0, 1)
    stage.hold(1.0)
    radius, (width, height) = stage.die(0)[0].radius, stage.scene.size

    def fingers(picture: Picture, out: float, along: float = 0.0) -> None:
        for number in range(3):
            x, y = (
                stage.free_x * width + (number - 1) * 2.4 * radius + along,
                height - (1.6 + number % 2 * 0.5) * radius,
            )
            tip = (round(x), round(y + out * 4 * radius))
            cv2.line(picture, tip, (tip[0], height + 60), tuple(map(float, _SKIN)), round(1.8 * radius), cv2.LINE_AA)
            cv2.ellipse(picture, tip, (round(0.6 * radius), round(0.7 * radius)), 0, 0, 360, _SKIN_TIP, -1, cv2.LINE_AA)

    stage.hold(0.4, lambda picture, share: fingers(picture, 1 - share))
    stage.hold(2.2, lambda picture, _: fingers(picture, 0))
    stage.hold(0.3, lambda picture, share: fingers(picture, 0, 1.5 * radius * share))
    stage.hold(2.2, lambda picture, _: fingers(picture, 0, 1.5 * radius))
    stage.hold(0.4, lambda picture, share: fingers(picture, share, 1.5 * radius))
    stage.hold(1.0)


def backgammon(stage: Stage) -> None:
    """Checkers are moved and a clock runs, while dice are thrown that are too small to be read: no roll."""
    sprite = stage.die(0)[0]
    width, height = stage.scene.size
    radius = round(0.8 * sprite.radius)
    share = _TOO_SMALL_PX / sprite.radius
    small = [
        replace(one, **{name: shrunk_to(getattr(one, name), share) for name in ("patch", "mask")})
        for one in stage.scene.sprites[:2]
    ]
    places = [(round(width * (0.2 + 0.09 * n)), round(height * (0.25 + 0.5 * (n % 2)))) for n in range(8)]
    clock = [0]

    def checkers(picture: Picture) -> None:
        for number, (x, y) in enumerate(places):
            ink, rim = ((60, 80, 130), (35, 50, 90)) if number % 3 else ((205, 220, 230), (150, 165, 180))
            cv2.circle(picture, (x, y), radius, rim, -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), round(0.8 * radius), ink, -1, cv2.LINE_AA)
            cv2.circle(picture, (x, y), round(0.5 * radius), rim, 2, cv2.LINE_AA)
        plate = np.full((round(1.6 * sprite.radius), round(3.2 * sprite.radius), 3), 40, np.uint8)
        text = f"{clock[0] // 10 % 10}:{clock[0] % 10}"
        cv2.putText(
            plate, text, (4, plate.shape[0] - 6), cv2.FONT_HERSHEY_SIMPLEX, sprite.radius / 20, (120, 235, 130), 2
        )
        picture[8 : 8 + plate.shape[0], 8 : 8 + plate.shape[1]] = plate

    stage.under.append(checkers)
    stage.hold(1.0)
    for number in range(4):
        thrown = [(one, (width * (0.45 + 0.08 * i), height * (0.45 + 0.05 * number))) for i, one in enumerate(small)]

        def roll(picture: Picture, share: float, thrown: list[tuple[Sprite, Place]] = thrown) -> None:
            for one, (x, y) in thrown:
                laid(picture, one, (x, y + (height - y) * (1 - share) ** 1.5), 6 * (1 - share))

        stage.hold(0.6, roll)
        stage.lying[:] = thrown
        for _ in range(2):
            clock[0] += 1
            stage.hold(0.8)
        (x, y), to = places[number], (places[number][0], places[number][1] + round(3.2 * radius))

        def reach(picture: Picture, far: float, x: int = x, y: int = y) -> None:
            stage.arm(picture, x / width, y / height + 0.5 * far)

        stage.hold(0.4, lambda picture, share, reach=reach: reach(picture, 1 - share))
        places[number] = to
        stage.hold(0.4, lambda picture, share, reach=reach: reach(picture, 0.2 + share))
        for _ in range(2):
            clock[0] += 1
            stage.hold(0.8)


def shrunk_to(patch: np.ndarray, share: float) -> np.ndarray:
    return np.asarray(cv2.resize(patch, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.float32)


def flickering_lamp(stage: Stage) -> None:
    """Dice are thrown twice under a lamp that flickers in bands, and more and more of its light goes."""
    phase = [0.0]

    def flicker(picture: Picture) -> None:
        phase[0] += 1.9
        rows = np.arange(picture.shape[0], dtype=np.float32) / picture.shape[0]
        picture *= (1 - 0.08 * (1 + np.sin(phase[0] + 9 * rows)))[:, None, None] * (
            0.75 + 0.1 * np.sin(0.37 * phase[0])
        )

    stage.over.append(flicker)
    stage.noise = 5.0
    stage.hold(1.0)
    for number in range(2):
        stage.throw(2 * number, 2 * number + 1)
        stage.hold(2.5)
        gather(stage)


def hand_over_dice(stage: Stage) -> None:
    """A hand comes to lie over two of three dice for four seconds, while another die is thrown beside it, and goes."""
    stage.hold(1.0)
    stage.throw(0, 1)
    stage.hold(1.0)
    x, y = stage.at()
    stage.hold(0.5, lambda picture, share: stage.arm(picture, x, 1.3 - (1.3 - y) * share))
    stage.hold(2.0, lambda picture, _: stage.arm(picture, x, y))
    sprite, (at_x, at_y) = stage.die(2)
    held: Callable[[Picture, float], None] = lambda picture, _: stage.arm(picture, x, y)  # noqa: E731

    def roll(picture: Picture, share: float) -> None:
        laid(picture, sprite, (at_x, at_y - (at_y + 60) * (1 - share) ** 1.5), 5 * (1 - share))

    stage.hold(0.6, roll, held)
    stage.lying.append((sprite, (at_x, at_y)))
    stage.due.append((stage.time, 2.0))
    stage.hold(2.5, held)
    stage.hold(0.5, lambda picture, share: stage.arm(picture, x, y + (1.3 - y) * share))
    stage.hold(1.0)


SCENES: dict[str, Callable[[Stage], None]] = {
    one.__name__: one
    for one in (
        long_shadow,
        moved_cloth,
        shifted_tray,
        laid_thing,
        coming_shadow,
        short_rest,
        hand_from_the_first,
        hand_far_away,
        resting_hand,
        thing_on_an_empty_tray,
        dimmed,
        pushed_and_turned,
        noise_at_rest,
        twice_the_noise,
        dark_table,
        keyboard,
        fingertips,
        backgammon,
        flickering_lamp,
        hand_over_dice,
    )
}


@cache
def _scene(kind: str, number: int, shared: Path) -> Scene:
    return take_apart(labels_of(kind, shared)[number], width=_WIDTH_PX)


def staged(name: str, shared: Path, ground: int = 0, fps: int = FPS) -> Stage:
    """Return a scene played to its end on one of the grounds."""
    kind, number = _GROUNDS[ground]
    stage = Stage(scene=_scene(kind, number, shared), fps=fps)
    SCENES[name](stage)
    return stage


def frames_of(stage: Stage, seed: int) -> Iterator[Frame]:
    sensor = Sensor(fps=stage.fps, noise=stage.noise, blotches=stage.blotches)
    for number, picture in enumerate(sensor.pictures((draw() for draw in stage.pictures), np.random.default_rng(seed))):
        yield Frame.of(picture, number=number, time=number / stage.fps)


Told = list[tuple[float, str, int, int]]


def play(frames: Iterable[Frame], reader: Sees) -> Told:
    """Return what was told of frames: seconds, the word, how many dice were read, and how many things were not."""
    watch = Watch(reader)
    return [
        (
            round(event.frame.time, 2),
            event.happening.value,
            0 if event.reading is None else len(event.reading.dice),
            0 if event.reading is None else len(event.reading.suspects),
        )
        for frame in frames
        for event in watch.see(frame)
    ]


def judged(stage: Stage, told: Told) -> Counter[str]:
    """Return how many of the moments were told in time, what was told beside them, and how often it woke at rest."""
    news = [time for time, word, *_ in told if word in (Happening.ROLL, Happening.CHANGED, Happening.JOINED)]
    in_time = {due: [t for t in news if due - 0.07 <= t <= due + within + 1e-6] for due, within in stage.due}
    good = sum(map(bool, in_time.values()))
    words = Counter(word for _, word, *_ in told)
    return Counter(
        due=len(stage.due),
        rolls=words[Happening.ROLL],
        in_time=good,
        beside=len(news) - good,
        hands=words[Happening.HAND],
        moves=words[Happening.MOVING],
        troubles=words[Happening.TROUBLE],
    )


def bench_lying(name: str, reader: Callable[[], Reads], shared: Path) -> dict[str, Any]:
    """Return what was told of a scene on all grounds.

    :param reader: gives one for each ground.
    """
    counts, lines = Counter[str](), []
    for ground in range(len(_GROUNDS)):
        stage = staged(name, shared, ground)
        told = play(frames_of(stage, ground), reader())
        counts.update(judged(stage, told))
        due = ", ".join(f"{time:.2f}" for time, _ in stage.due)
        lines.append(f"{name} {ground}: due {due or 'never'}; told {told}")
    return {"scene": name} | dict(counts) | {"lines": lines}
