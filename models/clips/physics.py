"""Dice thrown into a tray, by MuJoCo. Lengths in cm, times in seconds."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from models.render.dice import Model

RATE = 240
"""Poses a second: eight for each frame at 30 a second, of which the open shutter sees half."""
_GRAVITY = 981.0
_STEP = 1 / 1920
_WALL_CM = 4.0
_STILL_CM = 0.02
"""A corner that is nearer than this to where it ends lies still: less than a pixel."""
_LONGEST = 6.0
_QUIET = 0.35

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a die is: its middle, and its turn from its own frame to the tray's."""

    centre: np.ndarray
    turn: np.ndarray


@dataclass(frozen=True, slots=True)
class Flight:
    """How dice moved.

    :ivar poses: (times, dice). :ivar rest: seconds from which none of them moved any more.
    """

    poses: list[list[Pose]]
    rest: float

    @property
    def end(self) -> list[Pose]:
        return self.poses[-1]


@dataclass(frozen=True, slots=True)
class Start:
    """How a die begins: its pose, its speed in cm/s and its spin in rad/s."""

    pose: Pose
    speed: np.ndarray
    spin: np.ndarray


def lying(pose: Pose) -> Start:
    return Start(pose, np.zeros(3), np.zeros(3))


def thrown(rng: Rng, half: tuple[float, float], number: int) -> Start:
    """A die leaves a hand at one side of the tray."""
    along = rng.uniform(-0.5, 0.5) * half[1]
    centre = np.array([-0.62 * half[0] + rng.uniform(-0.5, 0.5), along, 4.0 + 2.4 * number])
    speed = np.array([rng.uniform(25, 70), rng.uniform(-30, 30), rng.uniform(-60, 0)])
    return Start(Pose(centre, random_turn(rng)), speed, rng.normal(0, 14, 3))


def spinning(rng: Rng, model: Model, half: tuple[float, float]) -> Start:
    """A die turns on its tip like a top."""
    corner = model.solid.vertices[int(rng.integers(len(model.solid.vertices)))]
    down = corner / np.linalg.norm(corner)
    side = np.cross(down, [0.3, 0.9, 0.2])
    side /= np.linalg.norm(side)
    turn = np.array([side, np.cross(-down, side), -down])
    height = float(np.linalg.norm(corner)) * model.size
    place = rng.uniform(-0.3, 0.3, 2) * half
    return Start(Pose(np.array([*place, height + 0.02]), turn), np.zeros(3), np.array([0.3, 0.2, rng.uniform(70, 110)]))


def nudged(rng: Rng, pose: Pose) -> Start:
    """A finger pushes a die that lies there."""
    angle = rng.uniform(0, 2 * np.pi)
    return Start(pose, np.array([*(rng.uniform(32, 45) * np.array([np.cos(angle), np.sin(angle)])), 0.0]), np.zeros(3))


def fly(models: list[Model], starts: list[Start], half: tuple[float, float]) -> Flight:
    """Let dice fall into a tray of ``2 half`` cm until all of them lie still."""
    world = mujoco.MjModel.from_xml_string(_xml(models, half))
    data = mujoco.MjData(world)
    for i, start in enumerate(starts):
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, start.pose.turn.ravel())
        data.qpos[7 * i : 7 * i + 7] = [*start.pose.centre, *quaternion]
        data.qvel[6 * i : 6 * i + 6] = [*start.speed, *(start.pose.turn.T @ start.spin)]
    per_pose = round(1 / RATE / _STEP)
    poses: list[list[Pose]] = [[start.pose for start in starts]]
    quiet = 0
    while len(poses) < _LONGEST * RATE and quiet < _QUIET * RATE:
        for _ in range(per_pose):
            mujoco.mj_step(world, data)
        now = [Pose(data.xpos[i + 1].copy(), data.xmat[i + 1].reshape(3, 3).copy()) for i in range(len(models))]
        quiet = quiet + 1 if _farthest(models, poses[-1], now) < _STILL_CM / 20 else 0
        poses.append(now)
    end = poses[-1]
    moving = [n for n, pose in enumerate(poses) if _farthest(models, pose, end) > _STILL_CM]
    rest = (moving[-1] + 1) if moving else 0
    return Flight(poses=[*poses[:rest], end], rest=rest / RATE)


def random_turn(rng: Rng) -> np.ndarray:
    quaternion = rng.normal(0, 1, 4)
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quaternion / np.linalg.norm(quaternion))
    return matrix.reshape(3, 3)


def upper(model: Model, pose: Pose) -> tuple[int, bool]:
    """Return which face lies up, and whether the die leans."""
    heights = model.solid.normals @ pose.turn[2]
    up = int(np.argmax(heights))
    return up, bool(heights[up] < np.cos(np.radians(5)))


def _farthest(models: list[Model], before: list[Pose], after: list[Pose]) -> float:
    return max(
        (
            float(np.linalg.norm(_corners(model, a) - _corners(model, b), axis=1).max())
            for model, a, b in zip(models, before, after, strict=True)
        ),
        default=0.0,
    )


def _corners(model: Model, pose: Pose) -> np.ndarray:
    return model.solid.vertices @ pose.turn.T * model.size + pose.centre


def _xml(models: list[Model], half: tuple[float, float]) -> str:
    x, y = half
    walls = "".join(
        f'<geom type="box" pos="{cx} {cy} {_WALL_CM}" size="{sx} {sy} {_WALL_CM}"/>'
        for cx, cy, sx, sy in ((x + 1, 0, 1, y + 2), (-x - 1, 0, 1, y + 2), (0, y + 1, x + 2, 1), (0, -y - 1, x + 2, 1))
    )
    meshes, bodies = [], []
    for i, model in enumerate(models):
        points = " ".join(f"{value:.5f}" for value in (model.solid.vertices * model.size * 0.985).ravel())
        meshes.append(f'<mesh name="m{i}" vertex="{points}" inertia="convex"/>')
        bodies.append(
            f'<body name="d{i}"><freejoint/><inertial pos="0 0 0" mass="5" diaginertia="{_inertia(model)}"/>'
            f'<geom type="mesh" mesh="m{i}"/></body>'
        )
    return (
        f'<mujoco><option timestep="{_STEP}" gravity="0 0 {-_GRAVITY}" integrator="implicitfast" cone="elliptic"/>'
        f'<default><geom friction="0.32 0.01 0.004" condim="6" solref="0.004 0.3" solimp="0.95 0.99 0.01"/></default>'
        f'<asset>{"".join(meshes)}</asset><worldbody><geom type="plane" size="60 60 1"/>{walls}{"".join(bodies)}'
        f"</worldbody></mujoco>"
    )


def _inertia(model: Model) -> str:
    each = 0.4 * 5 * (model.size * 1.15) ** 2
    return f"{each:.4f} {each:.4f} {each:.4f}"
