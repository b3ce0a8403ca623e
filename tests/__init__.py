import tableside as tableside  # before ONNX Runtime, whose usage data it switches off
