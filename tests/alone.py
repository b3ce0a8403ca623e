"""Run a program in a network of its own: ``python -m tests.alone SECONDS COMMAND...`` within new namespaces.

It reaches a name server alone, which knows no name and writes each that it is asked for as a line. The program is
stopped so many seconds after the first line that it prints.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

UNSHARE = ["unshare", "--map-root-user", "--net", "--mount"]
CONTROL = "a-question-that-is-heard.example"
_SIOCSIFFLAGS, _UP, _RUNNING = 0x8914, 0x1, 0x40


def _answer(server: socket.socket) -> None:
    while True:
        asked, whom = server.recvfrom(4096)
        labels, at = [], 12
        while asked[at]:
            labels.append(asked[at + 1 : at + 1 + asked[at]].decode())
            at += 1 + asked[at]
        print(".".join(labels), flush=True)
        server.sendto(asked[:2] + b"\x81\x83" + asked[4:6] + bytes(6) + asked[12:], whom)


def main() -> None:
    """Begin the name server, ask it once, and run the program."""
    seconds, *command = sys.argv[1:]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, tempfile.TemporaryDirectory() as folder:
        fcntl.ioctl(server, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _UP | _RUNNING))
        server.bind(("127.0.0.1", 53))
        threading.Thread(target=_answer, args=(server,), daemon=True).start()
        for file, text in (("resolv.conf", "nameserver 127.0.0.1\n"), ("nsswitch.conf", "hosts: files dns\n")):
            (mine := Path(folder) / file).write_text(text)
            subprocess.run(["mount", "--bind", mine, f"/etc/{file}"], check=True)
        try:
            socket.getaddrinfo(CONTROL, 80, socket.AF_INET)
        except socket.gaierror:
            with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
                assert process.stdout is not None
                process.stdout.readline()
                try:
                    process.communicate(timeout=float(seconds))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGINT)
                    process.communicate()
                status = process.returncode
    sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
