"""Open a history as a table does, and change something: ``python -m tests.install.open DATA``."""

import sys
from pathlib import Path

from tableside.app.history import open_history
from tableside.table import Table
from tableside.table.messages import ChangeDestiny, Do
from tests.adapters.histories import SYSTEM

if __name__ == "__main__":
    store, told = open_history(Path(sys.argv[1]))
    print(*told, sep="\n", flush=True)
    table = Table(SYSTEM, store)
    for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        try:
            table.ask(ChangeDestiny(id=f"new-{number}", at=1.0, do=Do.SET, light=number + 40))
            print(f"acknowledged new-{number}", flush=True)
        except OSError as error:
            print(f"refused {error}", flush=True)
    table.close()
