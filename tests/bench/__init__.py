"""What measures the program and is not part of it: ``python -m tests.bench NAME --json``."""
