"""The page, its API and the stream of states."""

from tableside.adapters.web.application import create_app
from tableside.adapters.web.server import WebServer

__all__ = ["WebServer", "create_app"]
