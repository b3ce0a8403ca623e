"""The Raspberry Pi's own camera, on its ribbon connector, through picamera2."""

from __future__ import annotations

import gc
import importlib.util
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import cv2
import numpy as np

from tableside.adapters.camera.flicker import flicker_us, without_flicker
from tableside.adapters.camera.kind import CameraKind
from tableside.adapters.camera.lenses import View, view_of
from tableside.adapters.camera.port import AUTOMATIC, Controls, Device
from tableside.errors import CameraError
from tableside.tray.frame import Frame
from tableside.tray.health import Fault

_log = logging.getLogger(__name__)

_BUFFERS = 3  # fewer and the sensor waits for us
_NANOSECONDS = 1e-9
_SMALL_WIDTH_PX = 320
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
"""libcamera's ``AfModeEnum``; its own names need an import that may fail on its own."""
_FLICKER_OFF, _FLICKER_MANUAL = 0, 1
"""``AeFlickerModeEnum``."""
_LOCKABLE = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
_FRAMES_TO_OBEY = 12
"""A control takes hold after buffers + 4 frames at most (picamera2's author, its issue 1278); with some to spare."""
_ALIKE = 0.05
"""Share by which what comes back may differ: sensors count rows, not microseconds (picamera2's ``tests/aegc.py``)."""
_ALIKE_DIOPTRES = 0.1
_CABLE = "Check the ribbon cable, both ends, contacts towards the board's contacts; then start the Pi again."
_WORDS = {
    "ExposureTime": "exposure in microseconds",
    "AnalogueGain": "gain",
    "ColourGains": "gains of red and blue",
    "LensPosition": "focus in dioptres",
}


def has_picamera() -> bool:
    """Tell whether picamera2 is installed with the libcamera that it needs, without importing them."""
    return all(importlib.util.find_spec(name) is not None for name in ("picamera2", "libcamera"))


def ribbon_cameras() -> list[str]:
    """Return the models of the cameras on ribbon connectors, in picamera2's order; none where there are none.

    :raises CameraError: where picamera2 or libcamera cannot be used.
    """
    picamera2 = _picamera2()
    found = picamera2.global_camera_info()
    if not found:
        # libcamera looks for them once, when its manager is made: a camera that came later is found by another manager
        picamera2._cm.reset()
        found = picamera2.global_camera_info()
    # libcamera lists USB cameras beside them; picamera2 tells them apart by this, too
    return [str(camera.get("Model", "unknown")) for camera in found if "/usb" not in str(camera.get("Id", ""))]


def pi_cameras() -> str:
    """Say which ribbon cameras libcamera finds, and its version.

    :raises CameraError: where picamera2 or libcamera cannot be used, or finds none.
    """
    found = ribbon_cameras()
    if not found:
        raise CameraError("finds no camera", where="libcamera", hint=_CABLE)
    import libcamera

    return f"{libcamera.CameraManager.singleton().version}: {', '.join(found)}"


class PiCamera(Device):
    """A camera on the Pi's ribbon connector: large pictures to read, and small ones beside to watch.

    picamera2 and libcamera come from the system packages (``apt install python3-picamera2``).

    :param mains_hz: frequency of the mains, whose lamps flicker twice as often; 0 where they do not.
    :param timeout_seconds: without a frame for so long, the camera counts as lost.
    """

    _cure = "Check the ribbon cable."
    _cures = frozenset({Fault.DAMAGED, Fault.FROZEN})

    def __init__(
        self,
        *,
        size_px: tuple[int, int] = (1280, 960),
        fps: float = 30.0,
        mains_hz: int = 50,
        timeout_seconds: float = 1.5,
    ) -> None:
        self._size_px = size_px
        self._fps = fps
        self._mains_hz = mains_hz
        self._timeout_seconds = timeout_seconds
        width = min(_SMALL_WIDTH_PX, size_px[0])
        height = round(size_px[1] * width / size_px[0])
        self._small_px = (width, height - height % 2)  # YUV420 has even sizes
        self._camera: Any = None
        self._has_closed = False
        self._locked = AUTOMATIC
        self._asked: Mapping[str, Any] = {}
        self._metadata: dict[str, Any] = {}
        self._disobeyed = 0

    @property
    def name(self) -> str:
        return "Pi camera 0"

    def open(self) -> None:
        self.close()
        if self._has_closed:
            # a closed Picamera2 keeps the device of its buffers and two selectors open, in cycles of references
            self._has_closed = False
            gc.collect()
        if not ribbon_cameras():
            raise CameraError("is not found", where=self.name, hint=_CABLE)
        self._camera = _open_camera(_picamera2(), self.name)
        try:
            settings = self._camera.create_video_configuration(
                main={"size": self._size_px, "format": "RGB888"},  # libcamera's RGB888 is BGR in memory
                lores={"size": self._small_px, "format": "YUV420"},
                buffer_count=_BUFFERS,
                queue=False,
                controls={"FrameRate": self._fps} | self._controls_to_send(),
                sensor=_whole_sensor(self._camera, self._size_px),
            )
            self._camera.configure(settings)
            self._camera.start()
        except Exception as error:  # whatever it is, the camera has to be given back
            self.close()
            hint = "Check that no other program uses the camera, then its ribbon cable."
            raise CameraError("cannot be started ({=why})", why=error, where=self.name, hint=hint) from error

    def frames(self) -> Iterator[Frame]:
        number = 0
        width, _ = self._small_px  # rows may be padded
        while (camera := self._camera) is not None:
            try:
                with camera.captured_request(wait=self._timeout_seconds) as request:
                    picture = request.make_array("main")  # a copy: the buffer goes back at once
                    small = cv2.cvtColor(request.make_array("lores"), cv2.COLOR_YUV2BGR_I420)[:, :width]
                    self._metadata = request.get_metadata()
            except (TimeoutError, RuntimeError, OSError) as error:
                raise CameraError("gives no pictures", where=self.name, hint=self.cure()) from error
            self._compare()
            at = self._metadata["SensorTimestamp"] * _NANOSECONDS
            yield Frame.of(picture, number=number, time=at, small=np.asarray(small, np.uint8))
            number += 1

    def controls(self) -> Controls:
        """Return what the newest frame was taken with."""
        metadata = self._metadata
        if "ExposureTime" not in metadata:
            return self._locked
        gains = metadata.get("ColourGains")
        has_lens = self._camera is not None and "LensPosition" in self._camera.camera_controls
        return Controls(
            exposure_us=int(metadata["ExposureTime"]),
            gain=float(metadata.get("AnalogueGain", 1.0)),
            colour_gains=None if gains is None else (float(gains[0]), float(gains[1])),
            lens=float(metadata["LensPosition"]) if has_lens and "LensPosition" in metadata else None,
        )

    def lock(self, controls: Controls) -> None:
        """Hold these. An exposure becomes one of whole flickers of the lamps, as bright as before."""
        self._locked = controls
        if self._camera is not None:
            self._camera.set_controls(self._controls_to_send())

    def close(self) -> None:
        if self._camera is None:
            return
        camera, self._camera = self._camera, None
        self._has_closed = True
        camera.cancel_all_and_flush()  # else stopping waits for ever behind a request that timed out
        camera.close()

    def _controls_to_send(self) -> dict[str, Any]:
        """Return the controls to send, as picamera2's own examples do: a value alone, without its switch.

        libcamera takes the controls of one request in no order of its own. A switch that turns a loop off freezes what
        the loop has found, also where that comes after the value in the same request.
        Cameras without autofocus, such as the HQ, have no controls for the lens.
        """
        locked, has = self._locked, self._camera.camera_controls
        wanted: dict[str, Any] = {"AeFlickerMode": _FLICKER_MANUAL if self._mains_hz else _FLICKER_OFF}
        if self._mains_hz:
            wanted["AeFlickerPeriod"] = round(flicker_us(self._mains_hz))
        if locked.exposure_us is None:
            wanted["AeEnable"] = True
        else:
            exposure_us, gain = locked.exposure_us, locked.gain or 1.0
            if self._mains_hz:
                exposure_us, gain = without_flicker(
                    exposure_us,
                    gain,
                    mains_hz=self._mains_hz,
                    longest_us=1e6 / self._fps,
                    gains=has.get("AnalogueGain", (gain, gain))[:2],
                )
            wanted |= {"ExposureTime": exposure_us, "AnalogueGain": gain}
        wanted |= {"AwbEnable": True} if locked.colour_gains is None else {"ColourGains": locked.colour_gains}
        wanted["AfMode"] = _AF_CONTINUOUS if locked.lens is None else _AF_MANUAL
        if locked.lens is not None:
            wanted["LensPosition"] = locked.lens
        wanted = {name: value for name, value in wanted.items() if name in has}
        self._asked = {name: wanted[name] for name in _LOCKABLE if name in wanted}
        self._disobeyed, self._unheld = 0, ""
        return wanted

    def _compare(self) -> None:
        """Hold what came back against what was asked for; where it differs ask once more, then say so."""
        metadata = self._metadata
        if "ScalerCrop" in metadata:
            self._view = self._view_of(metadata["ScalerCrop"])
        differs = [name for name, value in self._asked.items() if not _is_alike(name, value, metadata.get(name, value))]
        if not differs:
            self._disobeyed, self._unheld = 0, ""
            return
        self._disobeyed += 1
        if self._disobeyed == _FRAMES_TO_OBEY:
            self._camera.set_controls({name: self._asked[name] for name in differs})
        elif self._disobeyed == 2 * _FRAMES_TO_OBEY:
            self._unheld = "; ".join(
                f"{_WORDS[name]}: {_text_of(self._asked[name])} asked, {_text_of(metadata[name])} came"
                for name in differs
            )
            _log.warning("%s: does not hold what it was set up with (%s)", self.name, self._unheld)

    def _view_of(self, crop: tuple[int, int, int, int]) -> View | None:
        properties = self._camera.camera_properties
        if "PixelArraySize" not in properties:
            return None
        return view_of(
            str(properties.get("Model", "unknown")), sensor_px=properties["PixelArraySize"], shown_px=crop[2:]
        )


def _picamera2() -> Any:
    """Return picamera2's class.

    :raises CameraError: where it or libcamera cannot be used.
    """
    try:
        import libcamera  # noqa: F401 - it may be missing, which picamera2 says less plainly
        from picamera2 import Picamera2
    except ImportError as error:
        hint = "Run `sudo apt install python3-picamera2` and use a venv with --system-site-packages."
        raise CameraError("is not installed ({=why})", why=error, where="libcamera", hint=hint) from error
    except ValueError as error:  # a simplejpeg that was built for numpy 1 beside numpy 2
        hint = "Run `.venv/bin/pip install 'simplejpeg>=1.8.1'`."
        raise CameraError(
            "does not fit the installed numpy ({=why})", why=error, where="libcamera", hint=hint
        ) from error
    return Picamera2


def _open_camera(picamera2: Any, name: str) -> Any:
    """Take a camera. One that cannot be taken leaves nothing open: picamera2 forgets its pipe, and may keep the camera.

    :raises CameraError: when another program holds it, or it is not there.
    """
    camera = picamera2.__new__(picamera2)
    try:
        camera.__init__(0)
    except Exception as error:
        if getattr(camera, "is_open", False):
            camera.is_open = False  # picamera2 cannot close it: it is not on its list yet
            camera.camera.release()
        with suppress(AttributeError, OSError):
            camera.notifymeread.close()
            os.close(camera.notifyme_w)
        hint = "Check that no other program uses the camera, then its ribbon cable."
        why = error.__cause__ or error
        raise CameraError("cannot be opened ({=why})", why=why, where=name, hint=hint) from error
    return camera


def _whole_sensor(camera: Any, size_px: tuple[int, int]) -> dict[str, Any] | None:
    """Return the sensor's mode to ask for: the smallest that reads the whole sensor and is no smaller than the picture.

    By itself picamera2 takes the mode that is nearest in size, which may read the middle of the sensor alone.
    ``None`` where libcamera gives no raw pictures of the camera: such a camera has no modes to choose from.
    """
    if "ColorFilterArrangement" not in camera.camera_properties:
        return None
    # picamera2 configures each mode to learn what it reads; the buffers of the largest do not fit into a small Pi
    allocator, camera.allocator = camera.allocator, _NoBuffers()
    try:
        modes = [mode for mode in camera.sensor_modes if "crop_limits" in mode]
    finally:
        camera.allocator = allocator
    most = max(_area(mode["crop_limits"][2:]) for mode in modes)
    whole = [mode for mode in modes if _area(mode["crop_limits"][2:]) == most]
    large = [mode for mode in whole if all(have >= want for have, want in zip(mode["size"], size_px, strict=True))]
    if not large:
        large = [max(whole, key=lambda mode: _area(mode["size"]))]
    best = min(large, key=lambda mode: (_area(mode["size"]), -mode["bit_depth"]))
    return {"output_size": best["size"], "bit_depth": best["bit_depth"]}


class _NoBuffers:
    """Takes no memory for what is configured and never started."""

    def allocate(self, _configuration: object, _use_case: object) -> None:
        pass


def _area(size: tuple[int, int]) -> int:
    return size[0] * size[1]


def _is_alike(name: str, asked: Any, came: Any) -> bool:
    if isinstance(asked, tuple):
        return all(_is_alike(name, a, b) for a, b in zip(asked, came, strict=True))
    reach = _ALIKE_DIOPTRES if name == "LensPosition" else _ALIKE * abs(asked)
    return bool(abs(came - asked) <= reach)


def _text_of(value: Any) -> str:
    return " and ".join(_text_of(one) for one in value) if isinstance(value, tuple) else f"{round(value, 2):g}"


def found_ribbons() -> tuple[list[str], str]:
    """Return the cameras on the ribbon connectors, and why there are none."""
    if not has_picamera():
        return [], "no ribbon camera without picamera2 (on a Pi: sudo apt install python3-picamera2)"
    try:
        found = ribbon_cameras()
    except CameraError as error:
        return [], f"no ribbon camera: {error.where} {error.what}"
    return found, "no ribbon camera is connected"


def _tell(*_: object) -> str:
    found, why = found_ribbons()
    return ", ".join(found) or why


KIND = CameraKind(
    make=lambda settings, *_: PiCamera(size_px=settings.size_px, fps=settings.fps, mains_hz=settings.lamps_hz),
    rank=1,
    part="ribbon",
    tells=_tell,
    choices=lambda: [(name, "") for name in found_ribbons()[0]],
)
