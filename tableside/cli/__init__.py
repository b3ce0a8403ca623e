"""The command line. Each command imports what it needs when it runs, so that help is quick."""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence

import click

from tableside import __version__
from tableside.cli.cameras import calibrate, record
from tableside.cli.games import look_up, odds, score
from tableside.cli.keeping import backup, restore
from tableside.cli.photos import read
from tableside.cli.serving import demo, run
from tableside.cli.teaching import teach
from tableside.cli.telling import config, doctor, log, watch
from tableside.errors import DiceSetError, GameError, SettingsError, TablesideError

BAD_USAGE = 2
MAY_HEAL = 75
"""Of ``sysexits.h``: what stands in the way may go by itself, so that a service tries again."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="tableside")
def tableside() -> None:
    """Reads real dice in a tray, scores them and shows the result."""


for _command in (
    demo,
    run,
    read,
    watch,
    teach,
    calibrate,
    record,
    score,
    odds,
    look_up,
    config,
    doctor,
    log,
    backup,
    restore,
):
    tableside.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and end the program.

    Status 0 good, 1 some input failed, 2 wrong usage or settings, 75 what may heal without a change of them.
    """
    try:
        tableside.main(args=arguments, prog_name="tableside")
    except TablesideError as error:
        from tableside.app.watchdog import Watchdog

        print(error, file=sys.stderr)
        Watchdog().failed(str(error))
        sys.exit(BAD_USAGE if isinstance(error, SettingsError | DiceSetError | GameError) else MAY_HEAL)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        print(f"a disk: takes nothing more ({error.strerror}). Make room, or write to another one.", file=sys.stderr)
        sys.exit(MAY_HEAL)


if __name__ == "__main__":
    main()
