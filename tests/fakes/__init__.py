"""Working stand-ins for what needs hardware or time."""
