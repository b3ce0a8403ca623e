"""Networks, the renderers that drew for them, and what calibrates and scores the reader."""

import tableside as tableside  # before ONNX Runtime, whose usage data it switches off
