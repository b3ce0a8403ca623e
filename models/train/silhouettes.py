"""Cut every whole die out of rendered scenes, with what lies round it: ``python -m models.train.silhouettes FOLDER --out FILE``.

A crop is SIDE px square and reaches REACH silhouette radii from the silhouette's middle. With each stands where its
upper face is, (x, y, log of the circumradius) in silhouette radii, the point of it that stands over the middle of a
die that lies flat, likewise, whether the die leans, and the corners of both, px.
"""

from __future__ import annotations

import argparse
import json
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from models.train.crops import cut
from models.train.labels import geometry, lift_of

SIDE = 104
REACH = 2.2

CORNERS = 24  # kept of an outline; its last corner is repeated where it has fewer

Cut = tuple[np.ndarray, np.ndarray, np.ndarray, bool, float, np.ndarray, np.ndarray]


def cuts_of(path: Path) -> list[Cut]:
    """Return (crop, top (3,), lift (2,), cocked, native radius px, outline and face (CORNERS, 2)) for every whole die of a scene."""
    picture = cv2.imread(str(path.with_suffix(".jpg")))
    found = []
    for entry in json.loads(path.read_text())["dice"]:
        if entry["whole"]:
            x, y, radius, top_x, top_y, top_radius = geometry(entry)[:6]
            top = np.array([(top_x - x) / radius, (top_y - y) / radius, np.log(top_radius / radius)], np.float32)
            lift = ((lift_of(entry) - (x, y)) / radius).astype(np.float32)
            crop = cut(picture, np.array([x, y]), radius, side=SIDE, reach=REACH)
            outline, face = (corners_of(entry[name], np.array([x, y]), radius) for name in ("outline", "top"))
            found.append((crop, top, lift, bool(entry["cocked"]), radius, outline, face))
    return found


def corners_of(points: list[list[float]], middle: np.ndarray, radius: float) -> np.ndarray:
    """Return the corners as they lie in the crop, (CORNERS, 2) px; of a finer outline, as many of them evenly chosen."""
    at = (np.array(points) - middle) / radius * SIDE / (2 * REACH) + SIDE / 2
    if len(at) > CORNERS:
        at = at[np.arange(CORNERS) * len(at) // CORNERS]
    return np.concatenate([at, np.repeat(at[-1:], CORNERS - len(at), axis=0)]).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    paths = sorted(options.folder.glob("*.json"))
    with Pool(options.workers) as pool:
        found = [one for cuts in pool.imap(cuts_of, paths, chunksize=16) for one in cuts]
    pictures, tops, lifts, cocked, radius, outlines, faces = zip(*found, strict=True)
    np.save(options.out.with_suffix(".npy"), np.stack(pictures))
    np.savez(
        options.out,
        tops=np.stack(tops),
        lifts=np.stack(lifts),
        cocked=np.array(cocked),
        radius=np.array(radius, np.float32),
        outlines=np.stack(outlines),
        faces=np.stack(faces),
    )
    print(len(found), "crops")


if __name__ == "__main__":
    main()
