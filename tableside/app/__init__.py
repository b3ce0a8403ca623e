"""The wiring: the only place that names concrete adapters."""
