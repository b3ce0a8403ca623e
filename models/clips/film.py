"""What a camera sees of moving dice: blur of the open shutter, noise, the lamp, the hand, and a push against its arm."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.clips.physics import RATE, Pose
from models.render.dice import Model
from models.render.lamps import Lighting
from models.render.scene import Camera, Placed, _draw, _shadows, lay_tray
from models.render.surfaces import noise

FPS = 30
_SUBFRAMES = 4
"""Pictures that one frame is the mean of: what moves is smeared over half the frame's time."""
_PER_FRAME = RATE // FPS
_DISTANCE_CM, _SPAN_CM = 46.0, 22.0
AREA = (0.13, 0.16, 0.87, 0.84)
Rng = np.random.Generator
Light = np.ndarray
"""(height, width, 3) float32 linear BGR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Studio:
    """One table with its camera and lamps.

    :ivar gain: what linear light is multiplied by; the camera's exposure is locked.
    :ivar noise: grey levels of the sensor. :ivar half: half the tray's floor in cm.
    """

    cam: Camera
    lighting: Lighting
    albedo: Light
    gain: float
    noise: float
    half: tuple[float, float]

    @property
    def size(self) -> tuple[int, int]:
        return self.albedo.shape[1], self.albedo.shape[0]


def studio(rng: Rng, *, width: int = 640, height: int = 480) -> Studio:
    """Invent a table."""
    tilt = np.radians(rng.uniform(0, 9))
    view = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    eye = np.array([0.0, -_DISTANCE_CM * np.sin(tilt), _DISTANCE_CM * np.cos(tilt)])
    cam = Camera(eye, view @ lean.T, width * _DISTANCE_CM / _SPAN_CM, width / 2, height / 2)
    felt = np.array([(0.035, 0.022, 0.11), (0.03, 0.09, 0.03), (0.16, 0.05, 0.03), (0.05, 0.05, 0.05)])[rng.integers(4)]
    albedo = np.full((height, width, 3), felt, np.float32)
    albedo *= (1 + 0.10 * rng.normal(0, 1, (height, width)).astype(np.float32))[..., None]
    albedo *= (1 + 0.06 * noise(rng, height, width, 40))[..., None]
    albedo = lay_tray(rng, cam, np.clip(albedo, 0.003, 1), AREA, wood=np.array([0.05, 0.11, 0.22]))
    side = rng.uniform(0, 2 * np.pi)
    lamps = np.array(
        [
            [30 * np.cos(side), 30 * np.sin(side), 70, 0.50, 0.54, 0.58],
            [-40 * np.cos(side), 20 * np.sin(side), 80, 0.38, 0.39, 0.39],
        ]
    )
    panels = np.array([[0.5, 0.4, 0.12, 0.1, 0.3]])
    lighting = Lighting(lamps, np.array([0.5, 0.5, 0.5, 0.2, 0.18, 0.16]), panels, 0.5)
    pixel = _SPAN_CM / width
    half = ((AREA[2] - AREA[0]) * width * pixel / 2, (AREA[3] - AREA[1]) * height * pixel / 2)
    return Studio(
        cam=cam, lighting=lighting, albedo=albedo, gain=rng.uniform(0.9, 1.25), noise=rng.uniform(1.0, 3.0), half=half
    )


def shoot(place: Studio, models: list[Model], poses: list[Pose]) -> tuple[Light, list[dict[str, object]]]:
    """Return the linear light of one moment, and the truth of each die that is seen."""
    placed = [
        Placed(model, pose.turn, pose.centre, 0, False)
        for model, pose in zip(models, poses, strict=True)
    ]  # fmt: skip
    lighting = place.lighting
    light = _shadows(np.random.default_rng(1), place.cam, place.albedo, placed, lighting.lamps, lighting.level)
    picture = np.ascontiguousarray(place.albedo * light, np.float32)
    depth = np.full(picture.shape[:2], 1e9, np.float32)
    lamps, ambient, panels = lighting.lamps, lighting.ambient, lighting.panels
    truth = [_draw(place.cam, die, picture, depth, lamps, ambient, panels) for die in placed]
    return picture, [entry for entry in truth if entry is not None]


def moving(place: Studio, models: list[Model], poses: list[list[Pose]], frame: int) -> Light:
    """Return the light that falls in while the shutter is open at this frame of a flight."""
    first = frame * _PER_FRAME
    moments = [min(first + n * _PER_FRAME // (2 * _SUBFRAMES), len(poses) - 1) for n in range(_SUBFRAMES)]
    if moments[0] == len(poses) - 1:
        return shoot(place, models, poses[-1])[0]
    return np.asarray(np.mean([shoot(place, models, poses[n])[0] for n in moments], axis=0), np.float32)


def develop(
    place: Studio, light: Light, rng: Rng, *, lamp: float = 1.0, shift: tuple[float, float] = (0, 0)
) -> np.ndarray:
    """Return the picture of a sensor.

    :param lamp: how bright the lamp burns. :param shift: of the camera, in pixels.
    """
    seen = light * np.float32(place.gain * lamp)
    if any(shift):
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
        seen = cv2.warpAffine(seen, move, place.size, borderMode=cv2.BORDER_REPLICATE)
    soft = np.where(seen > 0.8, 0.8 + 0.2 * np.tanh((seen - 0.8) / 0.2), seen)
    levels = np.clip(soft, 0, 1) ** (1 / 2.2) * 255
    levels += rng.normal(0, place.noise, levels.shape)
    return np.clip(levels, 0, 255).astype(np.uint8)


def with_hand(light: Light, at: tuple[float, float], rng: Rng, *, side: int = 0) -> Light:
    """Return the light with a hand and its arm before it.

    :param at: where the fingers are, in shares of the picture. :param side: the edge it comes from.
    """
    height, width = light.shape[:2]
    x, y = at[0] * width, at[1] * height
    mask = np.zeros((height, width), np.float32)
    start = {0: (x, height + 40.0), 1: (-40.0, y), 2: (width + 40.0, y), 3: (x, -40.0)}[side]
    along = np.array([start[0] - x, start[1] - y])
    along /= np.linalg.norm(along) + 1e-9
    across = np.array([-along[1], along[0]])
    palm = np.array([x, y]) + along * 0.16 * width
    cv2.line(mask, tuple(np.int32(palm)), tuple(np.int32(np.array(start))), 1.0, int(0.12 * width))
    cv2.circle(mask, tuple(np.int32(palm)), int(0.085 * width), 1.0, -1)
    for finger in (-1.5, -0.5, 0.5, 1.5):
        root = palm + across * finger * 0.038 * width
        tip = np.array([x, y]) + across * finger * 0.042 * width
        cv2.line(mask, tuple(np.int32(root)), tuple(np.int32(tip)), 1.0, int(0.034 * width))
    mask = cv2.GaussianBlur(mask, (0, 0), 2)[..., None]
    skin = np.array([0.16, 0.24, 0.42], np.float32) * np.float32(0.85 + 0.1 * rng.random())
    shade = cv2.GaussianBlur(mask, (0, 0), 0.03 * width)[..., None]
    return np.asarray((light * (1 - 0.45 * shade)) * (1 - mask) + skin * mask, np.float32)


def dimmed(place: Studio, factor: float) -> Studio:
    """Return the table under another lamp."""
    return replace(place, gain=place.gain * factor)
