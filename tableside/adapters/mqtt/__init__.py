"""MQTT 5: a table on a broker, Home Assistant's entities, and the hall of all its tables."""
