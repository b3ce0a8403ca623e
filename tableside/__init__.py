"""Reads real dice in a tray, scores them and shows the result."""

import os

__version__ = "0.1.0"
# ONNX Runtime 1.29 and later would send usage data with a lasting device id. It looks once, when it is first imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
