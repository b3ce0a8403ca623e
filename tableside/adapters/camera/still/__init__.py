"""One picture in place of a camera."""

from tableside.adapters.camera.folder import StillCamera, played
from tableside.adapters.camera.kind import CameraKind

KIND = CameraKind(make=lambda settings, wait, _: StillCamera(played(settings), fps=settings.fps, wait=wait))
