"""Say from the frames alone whether something moves on the tray, and from when on nothing did.

Each frame, shrunk and grey, is compared with an anchor: the first frame since which nothing changed. A die that rolls
slowly differs from the anchor before it differs from the last frame, so it cannot creep past. What counts as a
change is measured from the noise of the still tray.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from tableside.vision.frame import Frame
from tableside.vision.photo import Picture

Grey = npt.NDArray[np.float32]


class Motion(StrEnum):
    """What goes on in front of the camera."""

    MOVING = "moving"
    HAND = "hand"
    STILL = "still"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleRules:
    """When the tray counts as still.

    :ivar dwell_seconds: so long must nothing change.
    :ivar noise_factor: a pixel has changed when it differs by this many times the noise.
    :ivar least_change: grey levels; smaller changes never count, however quiet the camera is.
    :ivar changed_share: share of the picture that must have changed to be motion.
    :ivar hand_share: share of the picture of a changed region at its edge that is a hand.
    """

    dwell_seconds: float = 0.3
    noise_factor: float = 6.0
    least_change: float = 7.0
    changed_share: float = 0.0004
    hand_share: float = 0.03
    width_px: int = 160


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settling:
    """What is known of the tray after a frame.

    :ivar since: the first frame since which nothing changed.
    :ivar best: the sharpest frame since then.
    :ivar settled: this frame ended the dwell: the moment to read ``best``.
    :ivar noise: grey levels, the standard deviation of a pixel between two frames of the still tray.
    :ivar rest: the tray as it lay when it was last still, which a hand is told from.
    """

    motion: Motion
    since: Frame
    best: Frame
    sharpness: float
    settled: bool
    noise: float
    anchor: Grey
    last: Grey
    rest: Grey


def begin(frame: Frame, rules: SettleRules) -> Settling:
    """Start with the first frame: until the dwell is over, the tray counts as moving."""
    grey = shrink(frame.picture, rules.width_px)
    return Settling(
        motion=Motion.MOVING,
        since=frame,
        best=frame,
        sharpness=sharpness(frame.picture),
        settled=False,
        noise=1.0,
        anchor=grey,
        last=grey,
        rest=grey,
    )


def settle(now: Settling, frame: Frame, rules: SettleRules) -> Settling:
    """Return what is known after one more frame."""
    grey = shrink(frame.picture, rules.width_px)
    if grey.shape != now.anchor.shape:
        return begin(frame, rules)
    limit = max(rules.least_change, rules.noise_factor * now.noise)
    changed = differing(grey, now.anchor, limit)
    if _share(changed) >= rules.changed_share:
        away = differing(grey, now.rest, limit)
        motion = Motion.HAND if _reaches_in(away, rules.hand_share) else Motion.MOVING
        return replace(
            now, motion=motion, since=frame, best=frame, sharpness=sharpness(frame.picture), settled=False,
            anchor=grey, last=grey,
        )  # fmt: skip
    noise = 0.9 * now.noise + 0.1 * _noise(grey, now.last)
    if now.motion is Motion.STILL:
        # the lamp may warm up and daylight change, which must not add up to a motion
        return replace(now, settled=False, noise=noise, anchor=0.98 * now.anchor + 0.02 * grey, last=grey)
    sharp = sharpness(frame.picture)
    best = replace(now, best=frame, sharpness=sharp) if sharp > now.sharpness else now
    if frame.time - now.since.time < rules.dwell_seconds:
        return replace(best, settled=False, noise=noise, last=grey)
    return replace(best, motion=Motion.STILL, settled=True, noise=noise, last=grey, rest=grey)


def settle_all(frames: Sequence[Frame], rules: SettleRules) -> list[Settling]:
    """Return what is known after each of the frames."""
    found: list[Settling] = []
    for frame in frames:
        found.append(settle(found[-1], frame, rules) if found else begin(frame, rules))
    return found


def shrink(picture: Picture, width_px: int) -> Grey:
    """Return the picture small, grey and smoothed."""
    height, width = picture.shape[:2]
    size = (width_px, max(1, round(height * width_px / width)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (3, 3), 0), np.float32)


def sharpness(picture: Picture) -> float:
    """Return the variance of the Laplacian of the green channel at half size: larger is sharper."""
    green = np.ascontiguousarray(picture[::2, ::2, 1])
    return float(cv2.Laplacian(green, cv2.CV_32F).var())


def differing(grey: Grey, other: Grey, limit: float) -> npt.NDArray[np.uint8]:
    """Return 1 where the two differ by more than ``limit``, whatever the lamp did to all pixels alike."""
    difference = grey - other
    difference -= np.median(difference)
    return np.asarray(np.abs(difference) > limit, np.uint8)


def _share(changed: npt.NDArray[np.uint8]) -> float:
    return float(np.count_nonzero(changed)) / changed.size


def _noise(grey: Grey, last: Grey) -> float:
    """Return the standard deviation between two frames, from the half of the pixels that changed least."""
    return max(0.2, float(np.median(np.abs(grey - last))) / 0.6745)  # of a normal distribution


def _reaches_in(changed: npt.NDArray[np.uint8], share: float) -> bool:
    """Tell whether a large changed region touches the edge but does not fill the picture."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed)
    edge = set(np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])).tolist()) - {0}
    areas = [float(stats[label, cv2.CC_STAT_AREA]) / changed.size for label in range(1, count) if label in edge]
    return any(share <= area < 0.8 for area in areas)
