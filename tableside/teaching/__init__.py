"""Samples to a taught set. numpy and OpenCV only."""
