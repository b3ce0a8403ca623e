"""Properties with the numbers and types of libcamera 0.7.1."""

from __future__ import annotations

import enum
import types

from tests.fakes.libcamera.values import ControlId, ControlType

Location = ControlId(1, "Location", ControlType.Integer32)
Rotation = ControlId(2, "Rotation", ControlType.Integer32)
Model = ControlId(3, "Model", ControlType.String)
PixelArraySize = ControlId(5, "PixelArraySize", ControlType.Size)
PixelArrayActiveAreas = ControlId(7, "PixelArrayActiveAreas", ControlType.Rectangle)
draft = types.SimpleNamespace(
    ColorFilterArrangement=ControlId(10001, "ColorFilterArrangement", ControlType.Integer32),
    ColorFilterArrangementEnum=enum.IntEnum("ColorFilterArrangementEnum", "RGGB GRBG GBRG BGGR RGB MONO", start=0),
)
