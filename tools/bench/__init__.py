"""What measures the program and is not part of it: ``python -m tools.bench NAME --json``."""
