"""Cameras. All of them give frames through the same port; each kind is a folder here (see :mod:`.kind`)."""
