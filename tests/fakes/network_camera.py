"""A camera on the network, for tests: an MJPEG stream at ``/stream`` and a still at ``/still``, which can fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

Draw = Callable[[int], np.ndarray]


class NetworkFake:
    """What the served pictures are, and what is wrong with them.

    :ivar is_paused: nothing more is sent, and the connection stays open. :ivar is_cut: each picture ends in its middle.
    :ivar login: the header that a caller must send, where one must.
    """

    def __init__(self, draw: Draw, *, fps: float = 50) -> None:
        self.draw = draw
        self.fps = fps
        self.is_paused = False
        self.is_cut = False
        self.login = ""
        self.sent = 0
        self.ended = threading.Event()

    def jpeg(self) -> bytes:
        self.sent += 1
        data = bytes(cv2.imencode(".jpg", self.draw(self.sent), [cv2.IMWRITE_JPEG_QUALITY, 95])[1])
        return data[: len(data) // 2] if self.is_cut else data


@contextmanager
def served(fake: NetworkFake) -> Iterator[str]:
    """Serve it on this machine, and give its address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            if fake.login and self.headers.get("Authorization") != fake.login:
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if self.path == "/still":
                data = fake.jpeg()
                self.send_response(200)
                self.send_header("Content-Type", "image/jpeg")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                return
            if self.path != "/stream":
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                while not fake.ended.is_set():
                    if not fake.is_paused:
                        data = fake.jpeg()
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                        self.wfile.write(head.encode() + data + b"\r\n")
                    time.sleep(1 / fake.fps)
            except OSError:
                return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        fake.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
