"""Ray marching of one rounded, inked polyhedron into a picture. Compiled by numba.

The solid is the level set of a smooth maximum of its face planes and a sphere, which rounds edges and corners;
the ray meets it by Newton steps from the sharp solid's entry point.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from models.render.finishes import mirrored_share, second_share


@njit(cache=True, fastmath=True)
def _level(px, py, pz, planes, inv_size, rounding, sphere, out):  # pragma: no cover - compiled
    """Return the level at a point; ``out`` takes the gradient (3) and the nearest face."""
    best = -1e9
    face = 0
    value = -1e9
    gx = gy = gz = 0.0
    for i in range(planes.shape[0]):
        d = (planes[i, 0] * px + planes[i, 1] * py + planes[i, 2] * pz) * inv_size - 1.0
        if d > best:
            best = d
            face = i
        if value < -1e8:
            value = d
            gx, gy, gz = planes[i, 0], planes[i, 1], planes[i, 2]
            continue
        diff = d - value
        if diff <= -rounding:
            continue
        if diff >= rounding:
            value = d
            gx, gy, gz = planes[i, 0], planes[i, 1], planes[i, 2]
        else:
            w = 0.5 + 0.5 * diff / rounding
            h = rounding - abs(diff)
            value = max(value, d) + h * h / (4.0 * rounding)
            gx = gx * (1 - w) + planes[i, 0] * w
            gy = gy * (1 - w) + planes[i, 1] * w
            gz = gz * (1 - w) + planes[i, 2] * w
    if sphere > 0:
        r = math.sqrt(px * px + py * py + pz * pz) + 1e-9
        d = r * inv_size - sphere
        k = rounding * 0.5
        diff = d - value
        if diff >= k:
            value = d
            gx, gy, gz = px / r, py / r, pz / r
        elif diff > -k:
            w = 0.5 + 0.5 * diff / k
            h = k - abs(diff)
            value = max(value, d) + h * h / (4.0 * k)
            gx = gx * (1 - w) + px / r * w
            gy = gy * (1 - w) + py / r * w
            gz = gz * (1 - w) + pz / r * w
    out[0], out[1], out[2], out[3] = gx, gy, gz, face
    return value


@njit(cache=True, fastmath=True)
def _texel(texture, face, u, v):  # pragma: no cover - compiled
    size = texture.shape[1]
    x = (u * 0.5 + 0.5) * size - 0.5
    y = (v * 0.5 + 0.5) * size - 0.5
    if x < 0 or y < 0 or x >= size - 1.001 or y >= size - 1.001:
        return 0.0
    i, j = int(x), int(y)
    fx, fy = x - i, y - j
    top = texture[face, j, i] * (1 - fx) + texture[face, j, i + 1] * fx
    low = texture[face, j + 1, i] * (1 - fx) + texture[face, j + 1, i + 1] * fx
    return (top * (1 - fy) + low * fy) / 255.0


@njit(cache=True, fastmath=True)
def march(
    picture,
    depth,
    mask,
    box,
    camera,
    view,
    centre,
    turn,
    planes,
    size,
    rounding,
    sphere,
    frames,
    texture,
    body,
    body2,
    ink,
    pattern,
    finish,
    gloss,
    deboss,
    lamps,
    ambient,
    panels,
):  # pragma: no cover - compiled
    """Draw one die.

    :param picture: (H, W, 3) float32 linear BGR, drawn into where nearer than ``depth``.
    :param mask: (H, W) uint8, set to 255 wherever the die would be seen if alone.
    :param box: x0, y0, x1, y1 in pixels. :param camera: eye (3), focal px, cx, cy.
    :param view: (3, 3) rows right, down, forward. :param centre: the die's middle in cm.
    :param turn: (3, 3) local to world. :param size: inradius in cm.
    :param pattern: frequency, contrast, phase, speckle share, sharpness. :param finish: see ``models.render.finishes``.
    :param gloss: specular, shininess, mirror.
    :param lamps: (n, 6) position cm and colour. :param ambient: sky (3) and floor (3) light.
    :param panels: (n, 5) direction x, y, half-size and softness, brightness of bright panels that mirror.
    """
    grad = np.empty(4)
    inv = 1.0 / size
    eye = camera[:3]
    ex, ey, ez = eye[0] - centre[0], eye[1] - centre[1], eye[2] - centre[2]
    ox = turn[0, 0] * ex + turn[1, 0] * ey + turn[2, 0] * ez
    oy = turn[0, 1] * ex + turn[1, 1] * ey + turn[2, 1] * ez
    oz = turn[0, 2] * ex + turn[1, 2] * ey + turn[2, 2] * ez
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            a = (x - camera[4]) / camera[3]
            b = (y - camera[5]) / camera[3]
            wx = view[0, 0] * a + view[1, 0] * b + view[2, 0]
            wy = view[0, 1] * a + view[1, 1] * b + view[2, 1]
            wz = view[0, 2] * a + view[1, 2] * b + view[2, 2]
            norm = 1.0 / math.sqrt(wx * wx + wy * wy + wz * wz)
            wx *= norm
            wy *= norm
            wz *= norm
            dx = turn[0, 0] * wx + turn[1, 0] * wy + turn[2, 0] * wz
            dy = turn[0, 1] * wx + turn[1, 1] * wy + turn[2, 1] * wz
            dz = turn[0, 2] * wx + turn[1, 2] * wy + turn[2, 2] * wz
            near, far = -1e9, 1e9
            for i in range(planes.shape[0]):
                slope = planes[i, 0] * dx + planes[i, 1] * dy + planes[i, 2] * dz
                gap = size - (planes[i, 0] * ox + planes[i, 1] * oy + planes[i, 2] * oz)
                if slope < -1e-9:
                    near = max(near, gap / slope)
                elif slope > 1e-9:
                    far = min(far, gap / slope)
                elif gap < 0:
                    near = 1e9
            if near >= far:
                continue
            t = near
            hit = False
            for _ in range(10):
                level = _level(ox + t * dx, oy + t * dy, oz + t * dz, planes, inv, rounding, sphere, grad)
                slope = (grad[0] * dx + grad[1] * dy + grad[2] * dz) * inv
                if level < 0.002:
                    hit = True
                    break
                if slope > -1e-6:
                    break
                t -= level / slope
                if t > far:
                    break
            if not hit:
                continue
            mask[y, x] = 255
            if t >= depth[y, x]:
                continue
            depth[y, x] = t
            px, py, pz = ox + t * dx, oy + t * dy, oz + t * dz
            face = int(grad[3])
            nx, ny, nz = grad[0], grad[1], grad[2]
            fr = frames[face]
            rx, ry, rz = px * inv - fr[0, 0], py * inv - fr[0, 1], pz * inv - fr[0, 2]
            radius = fr[3, 0]
            u = (rx * fr[1, 0] + ry * fr[1, 1] + rz * fr[1, 2]) / radius
            v = -(rx * fr[2, 0] + ry * fr[2, 1] + rz * fr[2, 2]) / radius
            paint = _texel(texture, face, u, v)
            step = 0.035
            bump_u = (_texel(texture, face, u + step, v) - _texel(texture, face, u - step, v)) * deboss
            bump_v = -(_texel(texture, face, u, v + step) - _texel(texture, face, u, v - step)) * deboss
            nx += fr[1, 0] * bump_u + fr[2, 0] * bump_v
            ny += fr[1, 1] * bump_u + fr[2, 1] * bump_v
            nz += fr[1, 2] * bump_u + fr[2, 2] * bump_v
            # to the world
            mx = turn[0, 0] * nx + turn[0, 1] * ny + turn[0, 2] * nz
            my = turn[1, 0] * nx + turn[1, 1] * ny + turn[1, 2] * nz
            mz = turn[2, 0] * nx + turn[2, 1] * ny + turn[2, 2] * nz
            norm = 1.0 / math.sqrt(mx * mx + my * my + mz * mz + 1e-12)
            mx *= norm
            my *= norm
            mz *= norm
            q0, q1, q2 = eye[0] + t * wx, eye[1] + t * wy, eye[2] + t * wz
            f = pattern[0]
            s = math.sin(f * px * inv + 2.1 * math.sin(f * 0.7 * py * inv + pattern[2]) + pattern[2])
            s += 0.6 * math.sin(f * 1.9 * pz * inv + 1.7 * math.sin(f * 1.3 * px * inv) + 2 * pattern[2])
            mix = min(max(0.5 + s * pattern[4], 0.0), 1.0) * pattern[1]
            if pattern[3] > 0:
                cell = (
                    math.sin(
                        math.floor(px * inv * 14) * 12.9898
                        + math.floor(py * inv * 14) * 78.233
                        + math.floor(pz * inv * 14) * 37.719
                        + pattern[2]
                    )
                    * 43758.5453
                )
                if cell - math.floor(cell) < pattern[3]:
                    mix = 1.0
            if finish[0] > 0:
                mix = second_share(finish, px, py, pz, inv, face, planes)
            occlusion = 0.55 + 0.45 * min(max(q2 / (1.1 * size), 0.0), 1.0)
            up = 0.5 + 0.5 * mz
            l0 = (ambient[0] * up + ambient[3] * (1 - up)) * occlusion
            l1 = (ambient[1] * up + ambient[4] * (1 - up)) * occlusion
            l2 = (ambient[2] * up + ambient[5] * (1 - up)) * occlusion
            s0 = s1 = s2 = 0.0
            spec = gloss[0] * (1 - paint * gloss[3])
            for i in range(lamps.shape[0]):
                lx, ly, lz = lamps[i, 0] - q0, lamps[i, 1] - q1, lamps[i, 2] - q2
                norm = 1.0 / math.sqrt(lx * lx + ly * ly + lz * lz)
                lx *= norm
                ly *= norm
                lz *= norm
                lit = mx * lx + my * ly + mz * lz
                lit = max((lit + gloss[4]) / (1 + gloss[4]), 0.0) * (0.4 + 0.6 * occlusion)
                l0 += lamps[i, 3] * lit
                l1 += lamps[i, 4] * lit
                l2 += lamps[i, 5] * lit
                hx, hy, hz = lx - wx, ly - wy, lz - wz
                norm = 1.0 / math.sqrt(hx * hx + hy * hy + hz * hz)
                glint = max((hx * mx + hy * my + hz * mz) * norm, 0.0)
                if glint > 0.5:
                    glint = spec * glint ** gloss[1] * (gloss[1] + 8) / 40.0
                    s0 += lamps[i, 3] * glint
                    s1 += lamps[i, 4] * glint
                    s2 += lamps[i, 5] * glint
            back = 2 * (mx * wx + my * wy + mz * wz)
            rx, ry, rz = wx - back * mx, wy - back * my, wz - back * mz
            if rz > 0.05 and gloss[2] > 0:
                fresnel = gloss[2] * (0.35 + 0.65 * (1 - min(abs(back) * 0.5, 1.0)) ** 3)
                for i in range(panels.shape[0]):
                    ax = abs(rx / rz - panels[i, 0]) - panels[i, 2]
                    ay = abs(ry / rz - panels[i, 1]) - panels[i, 2]
                    edge = max(ax, ay)
                    glow = min(max(0.5 - edge / panels[i, 3], 0.0), 1.0) * panels[i, 4] * fresnel
                    s0 += glow
                    s1 += glow
                    s2 += glow
            if finish[0] > 0:
                mirrors = mirrored_share(finish, rx, ry, rz)
                l0, l1, l2 = l0 * mirrors, l1 * mirrors, l2 * mirrors
            for c in range(3):
                base = body[c] * (1 - mix) + body2[c] * mix
                base = base * (1 - paint) + ink[c] * paint
                light = l0 if c == 0 else (l1 if c == 1 else l2)
                shine = s0 if c == 0 else (s1 if c == 1 else s2)
                picture[y, x, c] = base * light + shine
