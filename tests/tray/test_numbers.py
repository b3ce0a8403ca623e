"""Every number that was chosen for the live tray holds: something fails when it is half or double."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

import cv2
import numpy as np
import pytest

from tableside.dice import DieReading, Doubt, Reading, Status
from tableside.reader.crop import Pyramid
from tableside.reader.photo import Picture
from tableside.tray import hands, meaning, motion, recent, settle, sight, tracks
from tableside.tray.frame import Frame
from tableside.tray.hands import Hands
from tableside.tray.health import Fault, Health, HealthRules, check_frame, measure_sharpness, update_pace
from tableside.tray.meaning import Meaning, Tray, interpret
from tableside.tray.motion import Blob, Difference, Noise, blobs, is_alike, is_passing_shadow, is_shadow, is_thing
from tableside.tray.settle import Motion, Settler, Settling
from tableside.tray.tracks import Stillness, Track
from tests.fakes.grain import GRAIN

WIDTH, HEIGHT = 160, 120
Levels = np.ndarray


def plain(level: float = 100) -> Levels:
    return np.full((HEIGHT, WIDTH, 3), level, np.float32)


def grainy(picture: Levels, seed: int, sigma: float) -> Levels:
    y, x = (seed * 37) % 80, (seed * 53) % 80
    drawn = sigma * GRAIN[y : y + picture.shape[0], x : x + picture.shape[1]]
    return np.asarray(np.clip(np.rint(picture + drawn), 0, 255), np.float32)


def with_box(picture: Levels, x: int, y: int, width: int, height: int, level: float) -> Levels:
    drawn = picture.copy()
    drawn[y : y + height, x : x + width] = level
    return drawn


def soft(picture: Levels, sigma: float = 0.8) -> Levels:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)


# what wakes the watcher


def known_noise(sigma: float) -> Noise:
    noise = Noise()
    for seed in range(0, 12, 2):
        pair = [soft(grainy(plain(), seed + n, sigma)) for n in (0, 1)]
        Difference(*pair).teach(noise)
    return noise


def is_seen(now: Levels, then: Levels, noise: Noise, *, may_tremble: bool = False) -> bool:
    changed = Difference(now, then).changed(noise, may_tremble=may_tremble)
    return bool(blobs(changed, changed, least=motion.WAKING_PX))


def noise_is_told_from_a_faint_die() -> bool:
    noise = known_noise(2)
    alarms = [is_seen(soft(grainy(plain(), n, 2)), soft(grainy(plain(), n + 1, 2)), noise) for n in range(30, 40)]
    dice = [soft(grainy(with_box(plain(), 60, 50, 10, 10, 107), n, 2)) for n in range(30, 35)]
    return not any(alarms) and all(is_seen(die, soft(grainy(plain(), 7, 2)), noise) for die in dice)


def steps_of_levels_are_told_from_a_faint_die() -> bool:
    still, noise = soft(plain()), known_noise(0)
    return [is_seen(soft(with_box(plain(), 60, 50, 10, 10, 100 + n)), still, noise) for n in (2.5, 6)] == [False, True]


def a_flicker_in_bands_is_told_from_a_thing_across_the_picture() -> bool:
    noise, seen = known_noise(1), []
    for share in (0.15, 0.3):
        now = plain()
        now[40:60] *= 1 + share
        seen.append(is_seen(grainy(now, 1, 1), grainy(plain(), 2, 1), noise))
    return seen == [False, True]


def a_speck_is_told_from_the_smallest_die() -> bool:
    noise, still = known_noise(1), motion.small_of(plain().astype(np.uint8))
    speck, faint = still.copy(), still.copy()
    speck[50, 60:62] += 22
    faint[50:52, 60:62] += 18
    smooth = [np.asarray(cv2.GaussianBlur(one, (3, 3), 0), np.float32) for one in (speck, faint)]
    return [is_seen(one, still, noise) for one in smooth] == [False, True]


def a_thing_that_moves_teaches_no_noise_and_a_growing_noise_is_learnt() -> bool:
    moving, growing = Noise(), Noise()
    for seed in range(0, 12, 2):
        ground = with_box(plain(), 0, 0, WIDTH, 40, 140)
        then = grainy(ground, seed, 1)
        for noise, sigma in ((moving, 10.0), (growing, 2.0)):
            now = grainy(ground, seed + 1, 1)
            now[:40] = grainy(ground, seed + 5, sigma)[:40]
            Difference(now, then).teach(noise)
    at = np.full((1, 1, 3), 140, np.float32)
    return float(moving.variance(at).mean()) < 1.0 and float(growing.variance(at).mean()) > 0.52


def most_of_a_noise_is_forgotten_in_two_seconds() -> bool:
    noise = known_noise(4)
    before, noise._count = noise.base.sum(), 100
    for _ in range(20):
        noise.learn(plain().reshape(-1, 3), np.zeros((WIDTH * HEIGHT, 3), np.float32))
    return bool(0.04 < noise.base.sum() / before < 0.25)


def a_camera_that_trembles_is_told_from_one_that_was_pushed() -> bool:
    def shifted(by: float) -> Levels:
        move = np.array([[1, 0, by], [0, 1, 0]], np.float32)
        whole = cv2.warpAffine(WEAVE, move, (1280, 960), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.GaussianBlur(cv2.resize(whole, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), (3, 3), 0))

    noise, still = known_noise(0), shifted(0)
    return [bool(Difference(shifted(by), still).changed(noise).any()) for by in (0.8, 1.2)] == [False, True]


WEAVE = cv2.resize(
    np.random.default_rng(4).uniform(40, 200, (60, 80, 3)).astype(np.float32), (1280, 960),
    interpolation=cv2.INTER_NEAREST,
)  # fmt: skip


# hands and shadows


def lying_there(now: Levels, then: Levels, test: Callable[[Blob, Levels, Levels], bool]) -> bool:
    mask = with_box(np.zeros((HEIGHT, WIDTH), np.float32), 60, 40, 30, 30, 1).astype(np.uint8)
    blob = Blob(mask=mask, area=900, is_at_edge=False)
    return test(blob, grainy(now, 1, 0.5), grainy(then, 2, 0.5))


def a_soft_edge_is_told_from_an_outline() -> bool:
    things = [soft(with_box(plain(), 60, 40, 30, 30, 100 - c), s) for c, s in ((20, 1.5), (40, 2.0))]
    return [lying_there(thing, plain(), is_thing) for thing in things] == [False, True]


def shade(*shares: float, part: float = 1.0) -> bool:
    """Tell whether a patch with so much of the light in blue, green and red, or a part of it, is a shadow."""
    dark = plain()
    dark[40:70, 60:90] = 140
    dark[40 : 40 + round(30 * part), 60:90] = 100 * np.array(shares, np.float32)
    return lying_there(dark, plain(), is_shadow)


def is_soft(sigma: float) -> bool:
    """Tell whether a shadow with so soft an edge, px, may have passed."""
    return lying_there(soft(with_box(plain(200), 60, 40, 30, 30, 110), sigma), plain(200), is_passing_shadow)


# dice that lie still


def die(x: float, y: float, *, turn: float = 0.0, seed: int = 0, sigma: float = 1.0, half: float = 8) -> Levels:
    picture = plain(90)
    for reach, at, ink in ((half, (0.0, 0.0), (40, 200, 60)), (half / 4, (half / 2, half / 3), (255, 255, 255))):
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], float) + at
        placed = corners @ np.array([[c, s], [-s, c]]) + (x, y)
        cv2.fillPoly(picture, [np.rint(placed * 256).astype(np.int32)], ink, cv2.LINE_AA, 8)
    return grainy(picture, seed, sigma)


def framed(picture: Levels, number: int, fps: float = 30) -> Frame:
    return Frame.of(np.asarray(picture, np.uint8), number=number, time=number / fps)


def lies_still(then: Levels, now: Levels, radius: float = 9) -> bool:
    stillness, track = Stillness(), Track(middle=(80, 60), radius=radius, seen=0)
    before, after = framed(then, 0), framed(now, 1)
    return [stillness.which_lie_still([track], before, after) for _ in range(4)][-1] == [True]


def moved_by(radii: float) -> bool:
    return lies_still(die(80 - 27 * radii, 60, seed=1, half=24), die(80, 60, seed=2, half=24), radius=27)


def most_views_need_no_look_and_no_motion_is_lost() -> bool:
    def shown(away: range) -> tuple[int, int]:
        """Return since which of 13 views a die lies still that was elsewhere in some, and how many were looked at."""
        count = 0

        class Counted(Pyramid):
            def level(self, number: int) -> Picture:
                nonlocal count
                count += 1
                return super().level(number)

        views = [framed(die(80 - 8 * (n in away), 60, seed=n), n) for n in range(13)]
        for view in views:
            object.__setattr__(view, "pyramid", Counted(view.picture))
        track = Track(middle=(80, 60), radius=9, seen=0)
        first = Stillness().compare_views([track], views).since([track])
        return first, count - 3  # the last view and what noise is learnt from

    return shown(range(0)) == (0, 4) and shown(range(7, 11))[0] == 11


def faded_to(level: float) -> bool:
    """Tell whether a die whose white mark is no brighter any more than this lies still."""
    before = die(80, 60, seed=1)
    before[before.min(axis=2) > 150] = level
    return lies_still(before, die(80, 60, seed=2))


def turned_by(degrees: float, sigma: float = 1.0) -> bool:
    turned = die(80, 60, turn=float(np.radians(degrees)), seed=1, sigma=sigma)
    return lies_still(turned, die(80, 60, seed=2, sigma=sigma))


def is_one_track(away: float) -> bool:
    return tracks.is_known(
        Track(middle=(80 + away, 60), radius=10, seen=0), [Track(middle=(80, 60), radius=10, seen=0)]
    )


# the course of a film


@dataclass
class Detection:
    middle: tuple[float, float]
    radius: float = 9.0
    score: float = 0.9


@dataclass
class Finder:
    """Finds green dice, and counts how often it was asked."""

    score: float = 0.9
    count: int = 0

    def __call__(self, pyramid: Pyramid) -> list[Detection]:
        self.count += 1
        picture = pyramid.level(0)
        green = np.asarray(picture[:, :, 1].astype(int) - picture[:, :, 2] > 60, np.uint8)
        _, _, stats, middles = cv2.connectedComponentsWithStats(green)
        places = [tuple(middle) for middle, area in zip(middles[1:], stats[1:, 4], strict=True) if area > 100]
        return [Detection(middle=(float(x), float(y)), score=self.score) for x, y in places]


def played(pictures: Sequence[Levels], fps: float = 30, finder: Finder | None = None) -> Iterator[Settling]:
    settler = Settler(finder or Finder())
    for number, picture in enumerate(pictures):
        yield settler.see(framed(picture, number, fps))


def rests(pictures: Sequence[Levels], fps: float = 30, finder: Finder | None = None) -> list[int]:
    return [number for number, known in enumerate(played(pictures, fps, finder)) if known.settled]


def empty(count: int) -> list[Levels]:
    return [grainy(plain(90), n, 1) for n in range(count)]


def rolling() -> list[Levels]:
    return [die(80 - 5 * n, 60, seed=n) for n in range(8, 0, -1)]


def lying(count: int, draw: Callable[[Levels, int], None] = lambda *_: None) -> list[Levels]:
    pictures = []
    for n in range(count):
        picture = die(80, 60, seed=n)
        draw(picture, n)
        pictures.append(picture)
    return pictures


def boxed(x: int, y: int, width: int, height: int) -> Callable[[Levels, int], None]:
    """Draw a thing of the colour of skin."""

    def draw(picture: Levels, _: int) -> None:
        picture[y : y + height, x : x + width] = (120, 150, 220)

    return draw


def twinkling(side: int) -> Callable[[Levels, int], None]:
    def draw(picture: Levels, n: int) -> None:
        x = 20 + 3 * (n % 2)
        picture[20 : 20 + side, x : x + side] = (200, 200, 200)

    return draw


def a_hand(depth: float, width: int) -> list[Levels]:
    """An empty tray into which a hand of that size comes from the left."""
    return [*empty(12), *(comes for n in range(12) for comes in _with_hand(n, depth, width))]


def _with_hand(n: int, depth: float, width: int) -> list[Levels]:
    picture = grainy(plain(90), 50 + n, 1)
    boxed(0, 50, round(depth * min(1, (n + 1) / 5)), width)(picture, n)
    return [picture]


def motions(pictures: Sequence[Levels]) -> set[Motion]:
    return {known.motion for known in played(pictures)}


def it_looks_five_times_a_second_while_dice_move() -> bool:
    finder = Finder()
    rests([die(20 + n, 60, seed=n) for n in range(45)], finder=finder)
    return 6 <= finder.count <= 11


def stamps_that_waver_delay_nothing_and_hurry_nothing() -> bool:
    def rest(fps: int, waver: float) -> float:
        settler = Settler(Finder())
        for number, picture in enumerate(lying(2 * fps)):
            time = number / fps + (waver if number == 0 else 0)
            if settler.see(Frame.of(np.asarray(picture, np.uint8), number=number, time=time)).settled:
                return round(number / fps, 4)
        return 9.0

    return rest(30, 0.004) == 0.3 and rest(30, 0.008) > 0.3


def what_moves_beside_lying_dice_is_waited_for_a_second() -> bool:
    found = rests([*empty(12), *rolling(), *lying(46, twinkling(16))])
    return len(found) > 1 and 20 + 24 <= found[1] <= 20 + 45


def a_restless_tray_is_told_after_two_seconds() -> bool:
    known = played([die(80 + 4 * (n % 2), 60, seed=n) for n in range(86)])
    first = next((n for n, one in enumerate(known) if one.is_unsteady), 999)
    return 45 <= first <= 85


def what_lies_still_beside_dice_is_waited_for_a_second() -> bool:
    found = rests([*lying(12), *lying(46, boxed(0, 50, 66, 20))])
    return len(found) > 1 and 12 + 24 <= found[1] <= 12 + 45


def a_hand_of_which_little_moves_lies_still() -> bool:
    def fidgeting(side: int) -> Callable[[Levels, int], None]:
        def draw(picture: Levels, n: int) -> None:
            boxed(0, 50, 66, 20)(picture, n)
            if n % 2:
                picture[54 : 54 + side, 8 : 8 + side] = (60, 80, 110)

        return draw

    little, much = (rests([*lying(12), *lying(46, fidgeting(side))])[1:] for side in (5, 9))
    return bool(little) and not much


def a_find_is_followed_by_its_score() -> bool:
    def count(*scores: float) -> int:
        finder, settler = Finder(), Settler(lambda picture: finder(picture))
        for number, picture in enumerate([*rolling(), *lying(6)]):
            finder.score = scores[min(number // 9, len(scores) - 1)]
            settler.see(framed(picture, number, 10))
        known = settler._woken or settler._rest
        return 0 if known is None else len(known.tracks)

    return [count(0.3), count(0.75), count(0.75, 0.25), count(0.75, 0.15)] == [0, 1, 1, 0]


def three_frames_show_it_still_however_slow_the_camera_is() -> bool:
    return rests(lying(12), fps=2) == [2]


def a_hand_is_larger_than_a_thing_at_the_edge() -> bool:
    return Motion.HAND in motions(a_hand(50, 18)) and Motion.HAND not in motions(a_hand(24, 18))


def another_scene_is_no_hand() -> bool:
    arm = [*empty(12), *(grainy(with_box(plain(90), 0, 0, 75, HEIGHT, 180), n, 1) for n in range(10))]
    squares = np.random.default_rng(3).uniform(20, 230, (24, 32, 3)).astype(np.float32) * np.float32((0.6, 0.5, 0.9))
    rug = cv2.resize(squares, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    return Motion.HAND in motions(arm) and Motion.HAND not in motions(
        [*empty(12), *(grainy(rug, n, 1) for n in range(10))]
    )


SCENE = np.asarray(
    cv2.resize(np.random.default_rng(3).uniform(20, 230, (12, 16, 3)).astype(np.float32), (WIDTH, HEIGHT)), np.float32
)


def what_is_smaller_than_a_die_holds_nothing_up() -> bool:
    small, large = (rests([*empty(12), *rolling(), *lying(13, twinkling(side))])[1:] for side in (9, 13))
    return small == [29] and large == []


def what_is_larger_than_dice_and_far_from_them_holds_nothing_up() -> bool:
    def flashing(side: int) -> Callable[[Levels, int], None]:
        return lambda picture, n: boxed(10, 10, side, side)(picture, n) if n % 2 else None

    small, large = (rests([*empty(12), *rolling(), *lying(13, flashing(side))])[1:] for side in (27, 37))
    return small == [] and large in ([29], [30])


def a_hand_is_near_dice_within_two_radii() -> bool:
    def blocked(gap: float) -> bool:
        thing = boxed(0, 50, round(80 - 9 - gap), 20)
        return not [n for n in rests([*lying(12), *lying(15, thing)]) if n > 12]

    return [blocked(9 * 0.6), blocked(9 * 2.0)] == [True, False]


# dice that a hand lays


def kept_of(seconds: float, fps: float) -> int:
    """Return how many pictures of so long a film are kept."""
    kept, nothing = Hands(), np.zeros((HEIGHT, WIDTH), np.uint8)
    for n in range(round(seconds * fps)):
        kept.see(n / fps, plain(), nothing, nothing)
    return len(kept._seen)


def is_laid(*, breadth: int = 36, covers: int = 8, stands: int = 6, stays: float = 0.5, fps: float = 20) -> bool:
    """Tell whether a die is laid that stands still under a hand in so many pictures.

    :param breadth: of the hand, px; the die is 16 px wide.
    :param covers: how much of the die's breadth it covers, px.
    :param stays: seconds for which the die lies there when the hand is gone.
    """

    def shown(*, has_die: bool, has_hand: bool) -> Levels:
        picture = die(80, 60) if has_die else grainy(plain(90), 0, 1)
        if has_hand:
            boxed(0, 60 - breadth // 2, 72 + covers, breadth)(picture, 0)
        return picture

    comes, stood, lies = shown(has_die=False, has_hand=True), shown(has_die=True, has_hand=True), die(80, 60)
    pictures = [*[comes] * 3, *[stood] * (2 + stands), *[lies] * round(stays * fps)]  # in two it is still set down
    rest, seen = shown(has_die=False, has_hand=False), Hands()
    seen.begin(rest)
    for number, picture in enumerate(pictures):
        before = pictures[max(0, number - round(fps / 10))]
        away, moving = (np.asarray(np.abs(picture - one).max(axis=2) > 20, np.uint8) for one in (rest, before))
        seen.see(number / fps, picture, away, moving)
    return seen.has_laid((80, 60), 8)


# what a roll is


def read(*dice: tuple[str, float, float]) -> Reading:
    return Reading(width=1000, height=750, dice=tuple(
        DieReading(type="a", face=(face,), center=(x, y), outline=(), confidence=0.99, status=Status.SURE)
        for face, x, y in dice
    ))  # fmt: skip


def meaning_after(pixels: float) -> Meaning:
    before = interpret(Tray(), read(("1", 200, 200), ("2", 600, 300)), hand_seen=False).tray
    return interpret(before, read(("1", 200 + pixels, 200), ("2", 600, 300)), hand_seen=False).meaning


def meaning_of_turn(degrees: float) -> Meaning:
    x, y = 400 * np.cos(np.radians(degrees)), 400 * np.sin(np.radians(degrees))
    before = interpret(Tray(), read(("1", 200, 200), ("2", 600, 200)), hand_seen=False).tray
    return interpret(before, read(("1", 300, 300), ("2", 300 + x, 300 + y)), hand_seen=True).meaning


def is_thrown(confidence: float = 0.9, width: float = 60) -> bool:
    """Tell whether a lone die in doubt that is so sure and so wide makes a roll."""
    (sure,) = read(("1", 200, 200)).dice
    outline = ((200 - width / 2, 190.0), (200 + width / 2, 190.0), (200.0, 210.0))
    doubtful = replace(sure, status=Status.UNSURE, doubt=Doubt.FACE, confidence=confidence, outline=outline)
    lone = Reading(width=1000, height=750, dice=(doubtful,))
    return interpret(Tray(), lone, hand_seen=False).meaning is Meaning.ROLL


# what is wrong with the picture


@dataclass
class Camera:
    """Shows pictures to the check of the camera, and tells what it says."""

    rules: HealthRules
    fps: float = 30
    health: Health = field(default_factory=Health)
    number: int = 0

    def shows(self, seconds: float, level: float = 100, **how: object) -> float | None:
        """Return after how many seconds a fault is told, ``None`` for never."""
        first = None
        for n in range(round(seconds * self.fps)):
            picture = _room(level, **how)
            frame = framed(picture, self.number, self.fps)
            self.number += 1
            self.health = check_frame(update_pace(self.health, frame), frame, picture, self.rules)
            if not self.health.hides_dice:
                self.health = measure_sharpness(self.health, frame, self.rules)
            if self.health.fault is not None and first is None:
                first = n / self.fps
        return first


def _room(level: float, burnt: float = 0.0, blur: float = 0.0) -> Levels:
    picture = SCENE * (level / 125)
    if burnt:
        picture[: round(burnt * HEIGHT)] = 255
    if blur:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    return np.asarray(np.clip(picture, 0, 255), np.float32)


def faults(rules: HealthRules, seconds: float = 3, fps: float = 30, **how: object) -> Fault | None:
    camera = Camera(rules, fps)
    camera.shows(1)
    camera.shows(seconds, **how)
    return camera.health.fault


def a_fault_is_told_soon_and_not_at_once(rules: HealthRules) -> bool:
    camera = Camera(rules)
    camera.shows(1)
    told = camera.shows(3, level=2)
    return told is not None and 0.6 < told < 1.2


def a_fault_heals_soon_and_not_at_once(rules: HealthRules) -> bool:
    camera, healed = Camera(rules), []
    camera.shows(3, level=2)
    for n in range(30):
        camera.shows(1 / 30)
        healed += [n / 30] if camera.health.fault is None else []
    return bool(healed) and 0.2 < healed[0] < 0.45


def a_darker_table_is_accepted_in_a_while(rules: HealthRules) -> bool:
    camera = Camera(rules, fps=5)
    camera.shows(2)
    camera.shows(7, level=30)
    early = camera.health.fault
    camera.shows(7, level=30)
    return (early, camera.health.fault) == (Fault.DARK, None)


Holds = Callable[[], bool]
NUMBERS: dict[tuple[ModuleType, str], Holds] = {
    (motion, "_TIMES_NOISE"): noise_is_told_from_a_faint_die,
    (motion, "_NEWEST"): most_of_a_noise_is_forgotten_in_two_seconds,
    (motion, "_LEAST_NOISE"): steps_of_levels_are_told_from_a_faint_die,
    (motion, "_MOST_BAND"): a_flicker_in_bands_is_told_from_a_thing_across_the_picture,
    (motion, "WAKING_PX"): a_speck_is_told_from_the_smallest_die,
    (motion, "_MOST_GROWTH"): a_thing_that_moves_teaches_no_noise_and_a_growing_noise_is_learnt,
    (motion, "_TREMBLE_PX"): a_camera_that_trembles_is_told_from_one_that_was_pushed,
    (motion, "_OUTLINE"): a_soft_edge_is_told_from_an_outline,
    (motion, "_LIT"): lambda: shade(0.7, 0.7, 0.7) and not shade(1.3, 1.3, 1.3),
    (motion, "_DARKEST"): lambda: shade(0.5, 0.5, 0.5) and not shade(0.3, 0.3, 0.3),
    (motion, "_TINGE"): lambda: shade(0.66, 0.7, 0.74) and not shade(0.6, 0.7, 0.8),
    (motion, "_NEARLY_ALL"): lambda: shade(0.7, 0.7, 0.7) and not shade(0.7, 0.7, 0.7, part=0.6),
    (motion, "_CRISP"): lambda: [is_soft(n) for n in (3.0, 2.0)] == [True, False],
    (motion, "_ALIKE"): lambda: [is_alike(plain(40 + n), plain(40)).all() for n in (6, 12)] == [True, False],
    (tracks, "MOVED"): lambda: [moved_by(r) for r in (0.08, 0.15)] == [True, False],
    (tracks, "_UNLIKE"): lambda: [faded_to(v) for v in (185, 160)] == [True, False],
    (tracks, "_TIMES_NOISE"): lambda: [turned_by(10, sigma) for sigma in (16, 10)] == [True, False],
    (tracks, "_LEAP"): most_views_need_no_look_and_no_motion_is_lost,
    (tracks, "_HALF"): lambda: turned_by(2) and not turned_by(4),
    (tracks, "_MATCHED"): lambda: is_one_track(6) and not is_one_track(10),
    (recent, "STEP_SECONDS"): it_looks_five_times_a_second_while_dice_move,
    (recent, "CLOCK_SECONDS"): stamps_that_waver_delay_nothing_and_hurry_nothing,
    (settle, "_OVERRULED_SECONDS"): lambda: (
        what_moves_beside_lying_dice_is_waited_for_a_second() and what_lies_still_beside_dice_is_waited_for_a_second()
    ),
    (settle, "_UNSTEADY_SECONDS"): a_restless_tray_is_told_after_two_seconds,
    (settle, "_CLEAR"): a_find_is_followed_by_its_score,
    (settle, "_FAINT"): a_find_is_followed_by_its_score,
    (recent, "LEAST_FRAMES"): three_frames_show_it_still_however_slow_the_camera_is,
    (hands, "_HAND_SHARE"): a_hand_is_larger_than_a_thing_at_the_edge,
    (hands, "_MOVING_SHARE"): a_hand_of_which_little_moves_lies_still,
    (sight, "_SCENE_SHARE"): another_scene_is_no_hand,
    (sight, "_LEAST_OF_A_DIE"): what_is_smaller_than_a_die_holds_nothing_up,
    (sight, "_MOST_OF_A_DIE"): what_is_larger_than_dice_and_far_from_them_holds_nothing_up,
    (sight, "NEAR_DICE"): a_hand_is_near_dice_within_two_radii,
    (hands, "_KEPT_SECONDS"): lambda: [is_laid(stays=n, fps=10) for n in (8, 15)] == [True, False],
    (hands, "_APART_SECONDS"): lambda: kept_of(3, fps=60) == 60,
    (hands, "_STANDS_SECONDS"): lambda: [is_laid(stands=n) for n in (1, 2)] == [False, True],
    (hands, "_BROAD"): lambda: [is_laid(breadth=n) for n in (36, 18)] == [True, False],
    (hands, "_PART"): lambda: [is_laid(covers=n) for n in (3, 4)] == [False, True],
    (meaning, "SAME_PLACE"): lambda: [meaning_after(n) for n in (9, 18)] == [Meaning.NOTHING, Meaning.READ_AGAIN],
    (meaning, "_NUDGE"): lambda: [meaning_after(n) for n in (45, 90)] == [Meaning.READ_AGAIN, Meaning.REPLACED],
    (meaning, "_TURN"): lambda: [meaning_of_turn(n) for n in (15, 30)] == [Meaning.NOTHING, Meaning.ROLL],
    (meaning, "_LIKELY"): lambda: [is_thrown(confidence=share) for share in (0.2, 0.4)] == [False, True],
    (meaning, "_LEAST_PX"): lambda: [is_thrown(width=px) for px in (15, 30)] == [False, True],
}  # fmt: skip

RULES: dict[str, Callable[[HealthRules], bool]] = {
    "patience_seconds": a_fault_is_told_soon_and_not_at_once,
    "calm_seconds": a_fault_heals_soon_and_not_at_once,
    "accept_seconds": a_darker_table_is_accepted_in_a_while,
    "black_level": lambda rules: [faults(rules, level=v) for v in (9, 18)] == [Fault.BLACK, Fault.DARK],
    "dark_share": lambda rules: [faults(rules, level=v) for v in (30, 65)] == [Fault.DARK, None],
    "bright_factor": lambda rules: [faults(rules, level=v) for v in (125, 180)] == [None, Fault.BRIGHT],
    "burnt_share": lambda rules: [faults(rules, burnt=v) for v in (0.2, 0.4)] == [None, Fault.BRIGHT],
    "slow_share": lambda rules: [faults(replace(rules, fps=30), fps=v) for v in (14, 7)] == [None, Fault.SLOW],
}


FACTORS = pytest.mark.parametrize("factor", [1, 0.5, 2], ids=["as it is", "half", "twice"])


@FACTORS
@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{number[0].__name__}.{number[1]}")
def test_a_number_holds_and_neither_half_nor_twice_of_it_does(
    number: tuple[ModuleType, str], factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = getattr(*number)
    monkeypatch.setattr(*number, type(chosen)(chosen * factor))
    assert NUMBERS[number]() is (factor == 1)


@FACTORS
@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_a_rule_of_the_picture_holds_and_neither_half_nor_twice_of_it_does(name: str, factor: float) -> None:
    chosen = getattr(HealthRules(), name)
    assert RULES[name](replace(HealthRules(), **{name: chosen * factor})) is (factor == 1)
