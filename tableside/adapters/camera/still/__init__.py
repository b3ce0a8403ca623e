"""One picture in place of a camera."""

from tableside.adapters.camera.folder import StillCamera, path_to_play
from tableside.adapters.camera.kind import CameraKind

KIND = CameraKind(make=lambda settings, wait, _: StillCamera(path_to_play(settings), fps=settings.fps, wait=wait))
