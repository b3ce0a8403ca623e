"""Rigid bodies: MuJoCo drops the dice into the tray and hands back how they came to rest. Units cm, g, s."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from models.pathtrace.pen import Rng


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Something that does not move: a box (half sizes), cylinder or capsule (radius, half length)."""

    form: str
    size: tuple[float, ...]
    place: tuple[float, float, float]
    quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


@dataclass(slots=True, kw_only=True)
class Drop:
    """How to throw."""

    reach: tuple[float, float]  # half sizes of the region the dice fall into
    blocks: list[Block] = field(default_factory=list)
    gather: float = 0.0  # pull to the middle, in gravities
    lively: float = 1.0


def _numbers(values: np.ndarray | tuple[float, ...]) -> str:
    return " ".join(f"{v:.6g}" for v in values)


def _xml(hulls: list[np.ndarray], drop: Drop) -> str:
    meshes = "".join(f'<mesh name="m{i}" vertex="{_numbers(h.ravel())}"/>' for i, h in enumerate(hulls))
    dice = "".join(
        f'<body name="d{i}"><freejoint/><geom type="mesh" mesh="m{i}" density="1.2" friction="0.45 0.01 0.004"/></body>'
        for i in range(len(hulls))
    )
    fixed = "".join(
        f'<geom type="{b.form}" size="{_numbers(b.size)}" pos="{_numbers(b.place)}" quat="{_numbers(b.quat)}"/>'
        for b in drop.blocks
    )
    return (
        '<mujoco><option timestep="0.0015" gravity="0 0 -981" integrator="implicitfast" iterations="30"/>'
        '<default><geom solref="0.004 0.9" solimp="0.95 0.99 0.002" friction="0.5 0.01 0.004" condim="4"/></default>'
        f"<asset>{meshes}</asset><worldbody>"
        f'<geom type="plane" size="200 200 1"/>{fixed}{dice}</worldbody></mujoco>'
    )


def settle(rng: Rng, hulls: list[np.ndarray], drop: Drop) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the place and the (3, 3) rotation of each die at rest."""
    model = mujoco.MjModel.from_xml_string(_xml(hulls, drop))
    data = mujoco.MjData(model)
    reaches = [float(np.linalg.norm(h, axis=1).max()) for h in hulls]
    placed: list[np.ndarray] = []
    for i, reach in enumerate(reaches):
        for attempt in range(200):
            spot = np.array([*(rng.uniform(-1, 1, 2) * drop.reach), reach + 0.3 + rng.uniform(0, 2.5) + attempt * 0.06])
            if all(np.linalg.norm(spot - q) > reach + reaches[j] for j, q in enumerate(placed)):
                break
        placed.append(spot)
        turn = rng.normal(size=4)
        data.qpos[7 * i : 7 * i + 7] = [*spot, *(turn / np.linalg.norm(turn))]
        data.qvel[6 * i : 6 * i + 2] = rng.normal(0, 14, 2) * drop.lively - spot[:2] * 1.5 * drop.lively
        data.qvel[6 * i + 3 : 6 * i + 6] = rng.normal(0, 14, 3) * drop.lively
    calm = 0
    bodies = np.arange(len(hulls)) + 1
    for step in range(3000):
        if drop.gather and step < 700:
            data.xfrc_applied[bodies, :2] = (
                -np.sign(data.xpos[bodies, :2])
                * np.minimum(np.abs(data.xpos[bodies, :2]), 1)
                * (model.body_mass[bodies, None] * 981 * drop.gather)
            )
        elif step == 700:
            data.xfrc_applied[:] = 0
        mujoco.mj_step(model, data)
        if step % 20 == 0 and step > (720 if drop.gather else 200):
            speed = np.abs(data.qvel).reshape(-1, 6).max(0)
            calm = calm + 1 if speed[:3].max() < 0.5 and speed[3:].max() < 0.6 else 0
            if calm >= 4:
                break
    return [(data.xpos[b].copy(), data.xmat[b].reshape(3, 3).copy()) for b in bodies]
