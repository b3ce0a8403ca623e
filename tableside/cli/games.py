"""Commands on the rules of a game: ``score`` and ``odds``, built from the form that it declares, and ``look-up``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from tableside.cli.options import JSON, complain, finish, say
from tableside.errors import BadAsk, BadFace, GameError, TablesideError

if TYPE_CHECKING:
    from tableside.rules import Game
    from tableside.rules.attack import Attack
    from tableside.rules.form import Field
    from tableside.rules.game import Prospect
    from tableside.rules.reference import Sheet

ASK = click.option(
    "--ask",
    "asks",
    multiple=True,
    metavar="NAME=VALUE",
    help="What the roll is for, such as difficulty=15; repeatable.",
)
ASKS = click.option("--asks", "list_asks", is_flag=True, help="List what the game can be asked, and end.")

_BAR_WIDTH = 40
_MOST_BARS = 24
_LEAST_SHOWN = 0.0005
"""Rarer results are left out of the plot at both ends, as they would be bars of no length."""
_HINT = 'Write {"dice": [{"type": "ability", "face": ["success"]}], "ask": {}}.'


@click.command()
@click.option("--game", default="", metavar="NAME", help="The game to score by.")
@ASK
@click.option("--steps", is_flag=True, help="Say how each result came about, with the rule and its source.")
@click.option("--spends", is_flag=True, help="Say what may be bought with what is left.")
@ASKS
@JSON
def score(game: str, asks: Sequence[str], steps: bool, spends: bool, list_asks: bool, as_json: bool) -> None:
    """Score rolls, one JSON object a line on standard input.

    \b
    {"dice": [{"type": "ability", "face": ["success"]}], "ask": {"difficulty": "average"}}
    A roll of several throws has "throws": [[..], [..]] in place of "dice".
    """
    from tableside.rules import find_game, game_names

    if not game:
        raise click.UsageError(f"Name a game with --game: {', '.join(game_names())}.")
    rules = find_game(game)
    if list_asks:
        _tell_form(rules, as_json)
        return
    always = rules.form.parsed(asks, game=game)
    failed = False
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        try:
            throws, ask = _roll_from(line)
            ask = always | ask
            played = _game_of(rules, throws)
            outcome = played.play(throws, ask)
            bought = played.spends(outcome, ask) if spends else ()
        except TablesideError as error:
            failed = True
            if as_json:
                say({"error": str(error)})
            complain(f"line {number}: {error}")
            continue
        if as_json:
            more = {"spends": [spend.shown.to_json() for spend in bought]} if spends else {}
            say(outcome.to_json(steps=steps) | more)
            continue
        click.echo(outcome.sentence)
        for step in outcome.steps if steps else ():
            click.echo(f"  {step}")
        for spend in bought:
            by = "  (game master)" if spend.by == "gm" else ""
            click.echo(f"  {spend.price_words()}: {spend.title}{by}")
    finish(failed=failed)


@click.command()
@click.argument("pool", metavar="[POOL]", default="")
@click.option("--game", default="", metavar="NAME", help="The game that is played; without it, the usual one.")
@ASK
@ASKS
@JSON
@click.option("--damage", default="", metavar="CODE", help="The damage that is thrown after a hit, such as 4D+2.")
@click.option("--resists", default="", metavar="CODE", help="What the target throws against the damage, such as 3D.")
def odds(pool: str, game: str, asks: Sequence[str], list_asks: bool, as_json: bool, damage: str, resists: str) -> None:
    """Tell the exact odds of a pool such as "1a 2p 2d 1k" (letters a p b d c k f), or of a code such as 4D+2.

    Beside y, g, r or w the letters are colours, so that p is purple: "2y 1g 2p". Whole names are known, too.

    \b
    tableside odds "1a 2p 2d"
    tableside odds yygpp
    tableside odds --ask characteristic=3 --ask skill=2 --ask difficulty=average
    tableside odds 4D+2 --game d6-wild --ask difficulty=15
    tableside odds yygpp --ask purpose=attack --ask damage=7 --ask soak=4
    tableside odds 4D+2 --game d6-wild --ask difficulty=15 --damage 5D --resists 3D
    """
    from tableside.rules import find_game, game_for

    rules = find_game(game) if game else game_for(())
    game = rules.name
    if list_asks:
        _tell_form(rules, as_json)
        return
    ask = rules.form.parsed(asks, game=game)
    if pool.strip() or not ask:
        field = _pool_field(rules)
        try:
            ask = {field.name: field.parsed(pool, game=game)} | ask
        except GameError as error:
            raise _for_another_game(pool, game) or error from None
    prospect = rules.odds(ask)
    rolls = [{_pool_field(rules).name: code} if code else {} for code in (damage, resists)]
    attack = rules.attack(ask, damage=rolls[0], resists=rolls[1])
    if attack is None and (damage or resists):
        hint = "Only D6 games throw damage: give --damage and --resists, and a difficulty by --ask."
        raise BadAsk("no whole attack was given", where=f"game {game}", hint=hint)
    if as_json:
        say(prospect.to_json() | {"attack": attack and attack.shown.to_json()})
        return
    _tell_odds(prospect)
    if attack is not None:
        _tell_attack(attack)


@click.command("look-up")
@click.argument("words", nargs=-1)
@click.option("--game", default="", metavar="NAME", help="The game to look in; without it, all.")
@JSON
def look_up(words: Sequence[str], game: str, as_json: bool) -> None:
    """Look up reference data of the games, such as gear and prices.

    Rows that have all the words are shown; without words, every table.
    """
    from tableside.rules import find_game, game_names
    from tableside.rules.reference import matching

    games = [find_game(name) for name in ([game] if game else game_names())]
    found = [(one, sheet) for one in games for sheet in matching(one.reference, " ".join(words))]
    for one, sheet in found:
        if as_json:
            say({"game": one.name} | sheet.to_json())
        else:
            _tell_sheet(one, sheet)
    if not found:
        complain(f"nothing has the words {' '.join(words)!r}. Try fewer words, or none for every table.")
    finish(failed=not found)


def _tell_sheet(game: Game, sheet: Sheet) -> None:
    """Print a table as columns below their titles."""
    rows = (sheet.columns, *sheet.rows)
    widths = [max(len(row[place]) for row in rows) for place in range(len(sheet.columns))]
    click.echo(f"{sheet.title} ({game.title})")
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo(f"  {'  '.join(cells).rstrip()}")
    if sheet.help:
        click.echo(f"  {sheet.help}")


def _pool_field(game: Game) -> Field:
    """Return the field that a pool on the command line fills in."""
    from tableside.rules.form import Kind

    for field in game.form:
        if field.kind in (Kind.CODE, Kind.POOL) and not field.is_setting:
            return field
    raise BadAsk("has no pool of dice", where=f"game {game.name}", hint="Give asks by --ask NAME=VALUE.")


def _for_another_game(pool: str, game: str) -> BadAsk | None:
    """Return what to say of a pool that this game cannot read and others can, ``None`` where no game can."""
    from tableside.rules import find_game, game_names

    others = []
    for name in game_names():
        try:
            _pool_field(find_game(name)).parsed(pool, game=name)
        except TablesideError:
            continue
        others.append(f"--game {name}")
    if not others:
        return None
    return BadAsk(f"{pool!r} is of another game", where=f"game {game}", hint=f"Say {' or '.join(others)}.")


def _tell_form(game: Game, as_json: bool) -> None:
    for field in game.form:
        if as_json:
            say(field.shown.to_json())
            continue
        names = ", ".join(name for name, _ in field.choices)
        kinds = {
            "number": f"{field.least} to {field.most}",
            "flag": "yes or no",
            "choice": names,
            "choices": f"any of {names}",
            "code": "a dice code such as 4D+2",
            "pool": f"dice such as 2 {next(iter(names.split(', ')), '')}",
            "faces": "numbers such as 2,1",
        }
        setting = "  (setting)" if field.is_setting else ""
        click.echo(f"{field.name:22} {field.title}: {kinds[field.kind]}{setting}")
        if field.help:
            click.echo(f"{'':22} {field.help}")


def _tell_odds(prospect: Prospect) -> None:
    click.echo(prospect.pool)
    for name, chance in prospect.chances:
        click.echo(f"  {name.replace('_', ' '):28} {100 * float(chance):6.2f} %")
    if prospect.spends:
        click.echo("  success with points spent:")
    for spend, chance in prospect.spends:
        click.echo(f"    {spend.title:56} {100 * float(chance):6.2f} %")
    click.echo(f"\n  {prospect.bars_of:>12}  {'':{_BAR_WIDTH}} exactly  at least")
    for line in _plot([(name, float(chance)) for name, chance in prospect.bars]):
        click.echo(line)


def _tell_attack(attack: Attack) -> None:
    """Print how likely each step of a whole attack is, and each end of it."""
    click.echo("\n  the whole attack")
    for words, chance in (("hits", attack.hits), ("does something", attack.hurts)):
        click.echo(f"  {words:28} {100 * float(chance):6.2f} %")
    if attack.ends[2:]:
        click.echo(f"\n  {'':28} exactly   at least")
    for (words, chance), (_, least) in zip(attack.ends[2:], attack.at_least(), strict=True):
        click.echo(f"  {words:28} {100 * float(chance):6.2f} %  {100 * float(least):6.2f} %")


def _plot(bars: Sequence[tuple[str, float]]) -> list[str]:
    """Return a bar for each result, or for so many together that they fit."""
    while len(bars) > 1 and bars[-1][1] < _LEAST_SHOWN:
        bars = bars[:-1]
    below = 0.0
    while len(bars) > 1 and bars[0][1] < _LEAST_SHOWN:
        below, bars = below + bars[0][1], bars[1:]
    together = -(-len(bars) // _MOST_BARS)
    groups = [bars[place : place + together] for place in range(0, len(bars), together)]
    rows = []
    for group in groups:
        first, last = group[0][0], group[-1][0]
        chance = sum(share for _, share in group)
        rows.append((first if first == last else f"{first} to {last}", chance, 1 - below))
        below += chance
    longest = max((chance for _, chance, _ in rows), default=0) or 1
    block = _block()
    return [
        f"  {name:>12}  {block * round(_BAR_WIDTH * chance / longest):{_BAR_WIDTH}} {100 * chance:6.2f} %"
        f"  {100 * min(at_least, 1):6.2f} %"
        for name, chance, at_least in rows
    ]


def _block() -> str:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "#"
    return "█"


def _game_of(rules: Game, throws: Sequence[Sequence[Any]]) -> Game:
    """Return the game, or for a percentile throw in a game without such dice the one that has them, as at the table."""
    from tableside.rules.game import game_for, known_types

    dice = [die for throw in throws for die in throw]
    types = {die.type for die in dice}
    is_percentile = types and types <= known_types(("percentile",))
    return game_for(dice) if is_percentile and not rules.fit(types) else rules


def _roll_from(line: str) -> tuple[list[list[Any]], dict[str, Any]]:
    from tableside.dice import Die, face_of

    try:
        raw = json.loads(line)
        throws = raw["throws"] if "throws" in raw else [raw["dice"]]
        dice = [[_die_from(Die, face_of, entry) for entry in throw] for throw in throws]
        ask = raw.get("ask") or {}
    except BadFace:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadAsk(f"not a roll ({type(error).__name__}: {error})", hint=_HINT) from error
    if not isinstance(ask, dict):
        raise BadAsk("ask is not an object", hint=_HINT)
    return dice, ask


def _die_from(die: Callable[..., Any], face_of: Callable[..., Any], entry: Any) -> Any:
    kind, face = entry["type"], entry["face"]
    if not isinstance(kind, str) or not isinstance(face, list) or not all(isinstance(s, str) for s in face):
        raise TypeError("a die has a type and a list of symbols")
    return die(type=kind, face=face_of(face))
