"""Controls with the numbers and types of libcamera 0.7.1."""

from __future__ import annotations

import enum
import types

from tests.fakes.libcamera.values import ControlId, ControlType

AeEnable = ControlId(1, "AeEnable", ControlType.Bool)
ExposureTime = ControlId(7, "ExposureTime", ControlType.Integer32)
ExposureTimeMode = ControlId(8, "ExposureTimeMode", ControlType.Integer32)
AnalogueGain = ControlId(9, "AnalogueGain", ControlType.Float)
AnalogueGainMode = ControlId(10, "AnalogueGainMode", ControlType.Integer32)
AeFlickerMode = ControlId(11, "AeFlickerMode", ControlType.Integer32)
AeFlickerPeriod = ControlId(12, "AeFlickerPeriod", ControlType.Integer32)
AwbEnable = ControlId(16, "AwbEnable", ControlType.Bool)
ColourGains = ControlId(19, "ColourGains", ControlType.Float, 2)
SensorTimestamp = ControlId(23, "SensorTimestamp", ControlType.Integer64)
ScalerCrop = ControlId(27, "ScalerCrop", ControlType.Rectangle)
FrameDurationLimits = ControlId(30, "FrameDurationLimits", ControlType.Integer64, 2)
LensPosition = ControlId(33, "LensPosition", ControlType.Float)
AfMode = ControlId(34, "AfMode", ControlType.Integer32)
AfRange = ControlId(35, "AfRange", ControlType.Integer32)
AfSpeed = ControlId(36, "AfSpeed", ControlType.Integer32)
AfTrigger = ControlId(39, "AfTrigger", ControlType.Integer32)
AeFlickerModeEnum = enum.IntEnum("AeFlickerModeEnum", "Off Manual Auto", start=0)
AfModeEnum = enum.IntEnum("AfModeEnum", "Manual Auto Continuous", start=0)
AfRangeEnum = enum.IntEnum("AfRangeEnum", "Normal Macro Full", start=0)
AfSpeedEnum = enum.IntEnum("AfSpeedEnum", "Normal Fast", start=0)
AfTriggerEnum = enum.IntEnum("AfTriggerEnum", "Start Cancel", start=0)
draft = types.SimpleNamespace(
    NoiseReductionMode=ControlId(10002, "NoiseReductionMode", ControlType.Integer32),
    NoiseReductionModeEnum=enum.IntEnum(
        "NoiseReductionModeEnum", "Off Fast HighQuality Minimal ZSL", start=0
    ),
)  # fmt: skip
