"""Networks, the renderers that make their training pictures, and the code that trains them."""

import tableside as tableside  # before ONNX Runtime, whose usage data it switches off
