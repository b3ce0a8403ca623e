"""Connections to other programs: MQTT and its hall, Discord, signed webhooks. Each is off until it is asked for."""

from tableside.adapters.connect.broker import Broker, BrokerAddress
from tableside.adapters.connect.delivery import Delivery
from tableside.adapters.connect.discord import Discord
from tableside.adapters.connect.hall import Hall
from tableside.adapters.connect.mqtt import MqttTable
from tableside.adapters.connect.outbox import Outbox
from tableside.adapters.connect.webhook import Webhook

__all__ = ["Broker", "BrokerAddress", "Delivery", "Discord", "Hall", "MqttTable", "Outbox", "Webhook"]
