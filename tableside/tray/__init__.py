"""Frames to events: what moves, what lies still, what is wrong, what it means for the roll. numpy and OpenCV only."""
