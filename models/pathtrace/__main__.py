"""Path-trace labelled photographs: ``python -m models.pathtrace FOLDER --assets train --first SEED --count N``.

Needs Blender's Python module and MuJoCo. Each seed gives the same picture again, as SEED.jpg with SEED.json beside it.
Photographs that are there already are kept.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--assets", choices=["train", "held-out"], required=True)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--step", type=int, default=1, help="from one seed to the next")
    parser.add_argument("--least", type=int, default=0, help="pass over seeds that throw fewer dice")
    parser.add_argument("--hard", action="store_true", help="glare, shade, blur, wear, leaning dice, more clutter")
    parser.add_argument("--kinds", choices=["narrative", "pips", "percentile", "mixed"])
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    import cv2

    from models.pathtrace.scene import jpeg, photograph, thrown

    cv2.setNumThreads(options.threads)
    for seed in range(options.first, options.first + options.count * options.step, options.step):
        path = options.folder / f"{seed}.jpg"
        if path.with_suffix(".json").exists():
            continue
        if options.least and thrown(seed, assets=options.assets, hard=options.hard) < options.least:
            continue
        start = time.monotonic()
        picture, truth = photograph(
            seed,
            assets=options.assets,
            hard=options.hard,
            kinds=options.kinds,
            samples=options.samples,
            threads=options.threads,
        )
        path.write_bytes(jpeg(seed, picture))
        path.with_suffix(".json").write_text(json.dumps({"image": path.name, **truth}))
        print(f"{seed}: {len(truth['dice'])} dice, {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
