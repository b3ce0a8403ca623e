"""``python -m tableside`` is ``tableside``."""

from tableside.cli import main

main()
