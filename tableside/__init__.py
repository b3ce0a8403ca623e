"""Reads real dice in a tray, scores them and shows the result."""

__version__ = "0.1.0"
