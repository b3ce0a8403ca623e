"""Cut every whole die out of rendered scenes, with what lies round it: ``python -m models.train.silhouettes FOLDER --out FILE``.

A crop is SIDE px square and reaches REACH silhouette radii from the silhouette's middle. With each stands where its
upper face is, (x, y, log of the circumradius) in silhouette radii, and whether the die leans.
"""

from __future__ import annotations

import argparse
import json
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from models.train.crops import cut
from models.train.labels import geometry

SIDE = 104
REACH = 2.2

Cut = tuple[np.ndarray, np.ndarray, bool, float]


def cuts_of(path: Path) -> list[Cut]:
    """Return (crop, top (3,), cocked, native radius px) for every whole die of a scene."""
    picture = cv2.imread(str(path.with_suffix(".jpg")))
    found = []
    for entry in json.loads(path.read_text())["dice"]:
        if entry["whole"]:
            x, y, radius, top_x, top_y, top_radius = geometry(entry)[:6]
            top = np.array([(top_x - x) / radius, (top_y - y) / radius, np.log(top_radius / radius)], np.float32)
            crop = cut(picture, np.array([x, y]), radius, side=SIDE, reach=REACH)
            found.append((crop, top, bool(entry["cocked"]), radius))
    return found


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
    pictures, tops, cocked, radius = zip(*found, strict=True)
    np.save(options.out.with_suffix(".npy"), np.stack(pictures))
    np.savez(options.out, tops=np.stack(tops), cocked=np.array(cocked), radius=np.array(radius, np.float32))
    print(len(found), "crops")


if __name__ == "__main__":
    main()
