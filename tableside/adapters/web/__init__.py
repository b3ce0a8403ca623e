"""The page, its API and the stream of states."""

from tableside.adapters.web.access import network_address
from tableside.adapters.web.application import create_app
from tableside.adapters.web.pairing import Pairing
from tableside.adapters.web.server import WebServer
from tableside.adapters.web.services import Services

__all__ = ["Pairing", "Services", "WebServer", "create_app", "network_address"]
