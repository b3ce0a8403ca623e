"""Pictures of a run: the curves of its losses, and a sheet of what its network sees."""

from __future__ import annotations

from pathlib import Path

import cv2
import matplotlib
import numpy as np
from torch.utils.data import Dataset

matplotlib.use("Agg")
from matplotlib import pyplot

_COLUMNS, _ROWS = 12, 6


def draw_curves(curves: dict[str, list[float]], path: Path) -> None:
    """Draw each loss over the steps, and write the picture."""
    steps, names = curves["step"], [name for name in curves if name != "step"]
    figure, plots = pyplot.subplots(len(names), 1, figsize=(8, 1.6 * len(names)), sharex=True, squeeze=False)
    for plot, name in zip(plots[:, 0], names, strict=True):
        plot.plot(steps[-len(curves[name]) :], curves[name])
        plot.set_ylabel(name)
        plot.grid(alpha=0.3)
    plots[-1, 0].set_xlabel("steps")
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    pyplot.close(figure)


def draw_sheet(views: Dataset, path: Path) -> None:
    """Write a sheet of views, the upper half from the beginning of the run, the lower from its end."""
    half, last = _COLUMNS * _ROWS // 2, len(views)  # type: ignore[arg-type]  -- torch's Dataset has no length
    chosen = [*range(half), *range(max(last - half, 0), last)]
    tiles = [(views[i][0][:3].transpose(1, 2, 0) * 255).astype(np.uint8) for i in chosen]
    rows = [np.hstack(tiles[i : i + _COLUMNS]) for i in range(0, len(tiles) // _COLUMNS * _COLUMNS, _COLUMNS)]
    cv2.imwrite(str(path), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 85])
