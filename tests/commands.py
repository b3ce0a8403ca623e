"""Commands that a page shows: found in its text, and parsed by the command line without being run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

import click

from tableside.cli import tableside


def commands_in(page: str) -> Sequence[str]:
    """Return what a page shows after ``tableside`` or ``./start``: in inline code, and as a line of a block of code."""
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```", page, re.M | re.S)
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    found = re.findall(r"`((?:tableside|\./start) [^`\n]+)`", prose)
    found += re.findall(r"^ {4,}((?:tableside|\./start) .+)$", prose, re.M)
    for block in blocks:
        found += re.findall(r"^(?:\$ )?((?:tableside|\./start) .+)$", block, re.M)
    return [_bare(line) for line in found]


def _bare(line: str) -> str:
    line = re.split(r" {2,}| [>|&;#] ?|[;,]? etc\.", line)[0].strip()  # what follows explains or redirects
    return re.sub(r"^(tableside|\./start)\s*", "", line)


def parse_command(shown: str) -> None:
    """Parse a shown command. Words in capitals stand for something, and brackets and dots for what may be left out.

    :raises AssertionError: when the program would not understand it.
    """
    if re.search(r"[\[\]|]|\.\.\.", shown):
        shown = _least(shown)
    words = shlex.split(shown)
    if not words or words[0].isupper():
        return
    group: click.Command = tableside
    context = click.Context(tableside, info_name="tableside")
    while isinstance(group, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        found = group.commands.get(name)
        assert found is not None, f"tableside {shown}: there is no command {name}"
        group, context = found, click.Context(found, info_name=name, parent=context)
    known = {option for one in group.get_params(context) for option in (*one.opts, *one.secondary_opts)}
    flags = [word.split("=")[0] for word in words if word.startswith("-") and not re.fullmatch(r"-[\d.]+", word)]
    assert [flag for flag in flags if flag not in {*known, "--help", "-h"}] == [], f"tableside {shown}: unknown option"
    if isinstance(group, click.Group):
        return
    takes = [one for one in group.params if isinstance(one, click.Argument)]
    plain = _plain(group, words)
    if not takes:
        assert plain == [], f"tableside {shown}: {plain} is not wanted"


def _plain(command: click.Command, words: Sequence[str]) -> list[str]:
    """Return the words that are neither options nor their values."""
    values = {
        option for one in command.params if isinstance(one, click.Option) and not one.is_flag for option in one.opts
    }
    found, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in values
        else:
            found.append(word)
    return found


def _least(shown: str) -> str:
    """Keep options in brackets, drop the brackets, and take the first of several ways."""
    shown = re.sub(r"\s*\|\s*\S+", "", shown)
    return re.sub(r"\.\.\.|[\[\]]", " ", shown)
