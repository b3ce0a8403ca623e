"""Say from the frames alone whether something moves on the tray, and from when on nothing did.

Each frame, shrunk, is compared with an anchor: the first frame since which nothing changed. A die that rolls
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

from tableside.vision.crop import shrunk
from tableside.vision.frame import Frame
from tableside.vision.photo import Picture
from tableside.vision.tray import WHOLE, Corners, mask_of

Small = npt.NDArray[np.float32]
"""(height, width, 3): a red die on green felt may have its very small."""
_CLOCK_SECONDS = 0.005  # cameras stamp their frames no better than this
_TRAIL = 4  # frames kept of a dwell


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
    :ivar hand_seconds: what reaches in from the edge and lies still for so long is no hand.
    :ivar least_frames: so many frames must have shown it unchanged, however slow the camera is.
    :ivar corners: of the tray; what moves outside it is not looked at.
    :ivar fine_share: share of the picture that must not differ at ``fine_width_px`` over the dwell: a die that spins
        on its tip looks still to a coarse eye.
    """

    dwell_seconds: float = 0.3
    noise_factor: float = 6.0
    least_change: float = 7.0
    changed_share: float = 0.0004
    hand_share: float = 0.03
    width_px: int = 160
    hand_seconds: float = 1.5
    least_frames: int = 3
    fine_width_px: int = 480
    fine_share: float = 0.00012
    corners: Corners = WHOLE

    def mask(self, shape: tuple[int, ...]) -> npt.NDArray[np.uint8] | None:
        """Return where motion counts, ``None`` for everywhere."""
        return None if self.corners == WHOLE else mask_of(self.corners, shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settling:
    """What is known of the tray after a frame.

    :ivar since: the first frame since which nothing changed, and ``count`` the frames from it on.
    :ivar best: the sharpest frame since then.
    :ivar trail: a few frames since then, from which it may be still to a finer eye.
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
    anchor: Small
    last: Small
    rest: Small
    count: int = 1
    trail: tuple[Frame, ...] = ()


def begin(frame: Frame, rules: SettleRules, small: Small | None = None) -> Settling:
    """Start with the first frame: until the dwell is over, the tray counts as moving.

    :param small: the frame as :func:`watched` gives it, where that is at hand.
    """
    small = watched(frame, rules) if small is None else small
    return Settling(
        motion=Motion.MOVING,
        since=frame,
        best=frame,
        sharpness=sharpness(frame.picture),
        settled=False,
        noise=1.0,
        anchor=small,
        last=small,
        rest=small,
    )


def settle(now: Settling, frame: Frame, rules: SettleRules, small: Small | None = None) -> Settling:
    """Return what is known after one more frame."""
    small = watched(frame, rules) if small is None else small
    if small.shape != now.anchor.shape:
        return begin(frame, rules, small)
    limit = max(rules.least_change, rules.noise_factor * now.noise)
    mask = rules.mask(small.shape)
    changed = differing(small, now.anchor, limit, mask)
    if _share(changed) >= rules.changed_share:
        away = differing(small, now.rest, limit, mask)
        motion = Motion.HAND if _reaches_in(away, rules.hand_share, mask) else Motion.MOVING
        return _anew(now, frame, small, motion)
    noise = 0.9 * now.noise + 0.1 * _noise(small, now.last)
    if now.motion is Motion.STILL:
        # the lamp may warm up and daylight change, which must not add up to a motion
        return replace(now, settled=False, noise=noise, anchor=0.98 * now.anchor + 0.02 * small, last=small)
    sharp = sharpness(frame.picture)
    best = replace(now, best=frame, sharpness=sharp) if sharp > now.sharpness else now
    best = replace(best, settled=False, noise=noise, last=small, count=now.count + 1)
    last_kept = best.trail[-1].time if best.trail else best.since.time
    if frame.time - last_kept >= rules.dwell_seconds / _TRAIL:
        best = replace(best, trail=(*best.trail, frame)[-_TRAIL:])
    lain = frame.time - now.since.time + _CLOCK_SECONDS
    if lain < rules.dwell_seconds or best.count < rules.least_frames:
        return best
    if lain < rules.hand_seconds and _reaches_in(differing(small, now.rest, limit, mask), rules.hand_share, mask):
        return replace(best, motion=Motion.HAND)
    if not is_finely_still(now.since, frame, rules):
        return _later(best, frame, small, rules)
    return replace(best, motion=Motion.STILL, settled=True, rest=small, trail=())


def _later(now: Settling, frame: Frame, small: Small, rules: SettleRules) -> Settling:
    """Count from the first frame since which it is still to a finer eye too."""
    while_still = [one for one in now.trail if is_finely_still(one, frame, rules)]
    if not while_still:
        return _anew(now, frame, small, now.motion)
    since = while_still[0]
    is_later = now.best.time < since.time
    return replace(
        now, since=since, best=frame if is_later else now.best, anchor=small, trail=tuple(while_still[1:]),
        sharpness=sharpness(frame.picture) if is_later else now.sharpness,
    )  # fmt: skip


def _anew(now: Settling, frame: Frame, small: Small, motion: Motion) -> Settling:
    """Count from this frame on."""
    return replace(
        now, motion=motion, since=frame, best=frame, sharpness=sharpness(frame.picture), settled=False,
        anchor=small, last=small, count=1, trail=(),
    )  # fmt: skip


def is_finely_still(first: Frame, last: Frame, rules: SettleRules) -> bool:
    """Compare two frames at a finer scale."""
    away = _away(shrink(last.picture, rules.fine_width_px), shrink(first.picture, rules.fine_width_px))
    noise = float(np.median(away)) / 1.2  # the largest of three colours; of one it is 0.67 of the deviation
    changed = np.asarray(away > max(rules.least_change, 1.5 * rules.noise_factor * noise), np.uint8)
    if (mask := rules.mask(changed.shape)) is not None:
        changed &= mask
    solid = cv2.erode(changed, np.ones((2, 2), np.uint8))  # single pixels are noise, or an edge that trembles
    return float(np.count_nonzero(solid)) / solid.size < rules.fine_share


def watched(frame: Frame, rules: SettleRules) -> Small:
    """Return the frame as motion is watched for: from the camera's own small picture where it gives one."""
    return shrink(frame.picture if frame.small is None else frame.small, rules.width_px)


def settle_all(frames: Sequence[Frame], rules: SettleRules) -> list[Settling]:
    """Return what is known after each of the frames."""
    found: list[Settling] = []
    for frame in frames:
        found.append(settle(found[-1], frame, rules) if found else begin(frame, rules))
    return found


def shrink(picture: Picture, width_px: int) -> Small:
    """Return the picture small and smoothed."""
    height, width = picture.shape[:2]
    small = shrunk(picture, width_px, max(1, round(height * width_px / width)))
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.float32)


def sharpness(picture: Picture) -> float:
    """Return the variance of the Laplacian of the green channel at half size: larger is sharper."""
    green = np.ascontiguousarray(picture[::2, ::2, 1])
    return float(cv2.Laplacian(green, cv2.CV_32F).var())


def differing(
    small: Small, other: Small, limit: float, mask: npt.NDArray[np.uint8] | None = None
) -> npt.NDArray[np.uint8]:  # fmt: skip
    """Return 1 where the two differ by more than ``limit``, whatever the lamp did to all pixels alike."""
    changed = np.asarray(_away(small, other) > limit, np.uint8)
    return changed if mask is None else changed & mask


def _away(small: Small, other: Small) -> npt.NDArray[np.float32]:
    """Return how far each pixel differs, in the colour in which it differs most."""
    away: npt.NDArray[np.float32] | None = None
    for plane in cv2.split(small - other):
        plane -= np.median(plane[::2, ::2])  # every fourth pixel tells it as well
        np.abs(plane, out=plane)
        away = np.asarray(plane, np.float32) if away is None else np.asarray(cv2.max(away, plane), np.float32)
    assert away is not None
    return away


def _share(changed: npt.NDArray[np.uint8]) -> float:
    return float(np.count_nonzero(changed)) / changed.size


def _noise(small: Small, last: Small) -> float:
    """Return the standard deviation between two frames, from the half of the pixels that changed least."""
    away = np.abs(small[::2, ::2, 1] - last[::2, ::2, 1])
    return max(0.2, float(np.median(away)) / 0.6745)  # of a normal distribution


def _reaches_in(changed: npt.NDArray[np.uint8], share: float, mask: npt.NDArray[np.uint8] | None) -> bool:
    """Tell whether a large changed region touches the edge but does not fill the picture."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed)
    if mask is None:
        border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    else:
        border = labels[(mask - cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=0)).astype(bool)]
    edge = set(np.unique(border).tolist()) - {0}
    areas = [float(stats[label, cv2.CC_STAT_AREA]) / changed.size for label in range(1, count) if label in edge]
    return any(share <= area < 0.8 for area in areas)
