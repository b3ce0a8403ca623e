"""The page, its API and the stream of states."""

from tableside.adapters.web.access import network_address
from tableside.adapters.web.application import create_app
from tableside.adapters.web.dice_setup import add_dice_setup
from tableside.adapters.web.pairing import Pairing
from tableside.adapters.web.server import WebServer
from tableside.adapters.web.setup import add_setup

__all__ = ["Pairing", "WebServer", "add_dice_setup", "add_setup", "create_app", "network_address"]
