"""A picture to a reading: find, measure, name, decide. numpy, OpenCV and ONNX Runtime only."""
