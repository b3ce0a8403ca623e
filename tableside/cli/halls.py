"""``bench hall``: many tables on one broker."""

from __future__ import annotations

import click

from tableside.cli.options import finish, say


@click.command("hall")
@click.option("--tables", type=click.IntRange(1, 200), default=50, show_default=True, help="How many tables.")
@click.option("--displays", type=click.IntRange(1, 20), default=3, show_default=True, help="How many look at the hall.")
@click.option("--seconds", type=click.FloatRange(1, 3600), default=30.0, show_default=True, help="How long.")
@click.option("--every", type=click.FloatRange(0.5, 600), default=5.0, show_default=True,
              help="Each table rolls once in so many seconds.")  # fmt: skip
@click.option("--broker", metavar="HOST:PORT", help="An open broker to use; without it, a Mosquitto of our own.")
def bench_hall(tables: int, displays: int, seconds: float, every: float, broker: str | None) -> None:
    """Measure the hall: how soon a roll at any table is on its displays. One JSON object."""
    from tableside.adapters.mqtt.broker import BrokerAddress
    from tableside.app.bench_hall import bench_hall as measured
    from tableside.app.bench_hall import own_broker

    if broker is not None:
        host, _, port = broker.rpartition(":")
        if not host or not port.isdecimal():
            raise click.UsageError(f"--broker {broker!r}: write HOST:PORT, such as localhost:1883.")
        address = BrokerAddress(host=host, port=int(port))
        found = measured(address, tables=tables, displays=displays, seconds=seconds, every=every)
    else:
        with own_broker() as address:
            found = measured(address, tables=tables, displays=displays, seconds=seconds, every=every)
    say({"bench": "from a roll at one of many tables to the displays of the hall"} | found)
    finish(failed=not found["complete"])
