"""The command ``teach``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tableside.cli.options import DATA, JSON, complain, finish, say
from tableside.errors import DiceSetError


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@click.option("--from", "folder", metavar="FOLDER", help="Learn from the labelled photographs in it.")
@click.option(
    "--like", default="", metavar="SET", help="These are dice of that set; it then prefers what it was shown."
)
@click.option("--skip-bad", is_flag=True, help="Leave out what cannot be learnt.")
@click.option(
    "--plays-as", multiple=True, metavar="TYPE=TYPE", help="What a game takes a type for, such as gem=ability."
)
@click.option(
    "--counts", multiple=True, metavar="SYMBOL=SYMBOL", help="What a symbol counts as: star=success+advantage."
)
@click.option("--list", "lists", is_flag=True, help="List taught sets, or the samples of one.")
@click.option("--accept", multiple=True, metavar="SAMPLE", help="Believe a doubted sample.")
@click.option("--forget", multiple=True, metavar="SAMPLE", help="Drop a sample.")
@click.option("--undo", is_flag=True, help="Take back the last change of this set.")
@click.option("--remove", is_flag=True, help="Remove this set.")
@click.option("--export", "exported", metavar="FILE", help="Write this set as one file for another table.")
@click.option("--import", "imported", metavar="FILE", help="Take in a set that another table exported.")
@DATA
@JSON
def teach(
    name: str | None,
    folder: str | None,
    like: str,
    skip_bad: bool,
    plays_as: tuple[str, ...],
    counts: tuple[str, ...],
    lists: bool,
    accept: tuple[str, ...],
    forget: tuple[str, ...],
    undo: bool,
    remove: bool,
    exported: str | None,
    imported: str | None,
    data: str | None,
    as_json: bool,
) -> None:
    """Teach dice by labelled photographs, a face at a time, and keep taught sets.

    Teaching a set again adds to it. When a photograph cannot be learnt from, it is named and nothing is changed.
    """
    from tableside import paths
    from tableside.app import taught_sets
    from tableside.app.teach_review import change_samples, listing, set_listing, set_meanings
    from tableside.dice.taught import remove_taught, take_back

    acts = [bool(folder), lists, bool(accept or forget), undo, remove, bool(exported), bool(imported)]
    if sum(acts) > 1 or not (any(acts) or plays_as or counts):
        raise click.UsageError("say what to do: --from FOLDER, or one of --list --undo --remove --export --import.")
    if name is None and not (lists or imported):
        raise click.UsageError("name the dice set: tableside teach NAME ...")
    sets = taught_sets.TaughtSets(paths.data_folder(data))
    if folder:
        _teach(str(name), Path(folder), sets, like, skip_bad, as_json)
    if name is not None and (plays_as or counts):
        set_meanings(sets, name, plays_as=_pairs(plays_as), counts=_pairs(counts))
    if lists:
        wrong: list[DiceSetError] = []
        rows = listing(sets, complain=wrong.append) if name is None else set_listing(sets, name)
        for row in rows:
            say(row) if as_json else click.echo("  ".join(f"{v}" for v in row.values() if v not in (None, "")))
        for one in wrong:
            complain(str(one))
        finish(failed=bool(wrong))
    elif imported:
        taught_name = taught_sets.import_set(sets, Path(imported), name=name or "")
        say({"set": taught_name}) if as_json else click.echo(f"{taught_name} is taught.")
    elif name is not None and exported:
        taught_sets.export_set(sets, name, Path(exported))
    elif name is not None and (accept or forget):
        change_samples(sets, name, accept=accept, forget=forget)
    elif name is not None and (undo or remove):
        with sets.writing():
            (take_back if undo else remove_taught)(sets.path(name))


def _teach(name: str, folder: Path, sets: Any, like: str, skip_bad: bool, as_json: bool) -> None:
    from tableside.app.teach import Untaught, report, teach_folder

    data = sets.folder.parent
    try:
        lesson = teach_folder(folder, name, data=data, like=like, skip_bad=skip_bad)
    except Untaught as error:
        for problem in error.problems:
            complain(problem)
        complain(error)
        if as_json:
            say({"set": name, "error": str(error), "problems": [str(problem) for problem in error.problems]})
        finish(failed=True)
        return
    summary = report(lesson)
    for problem in lesson.skipped:
        complain(problem)
    if as_json:
        say(summary)
    else:
        click.echo(in_words(summary))
    finish(failed=bool(lesson.skipped))


def in_words(summary: dict[str, Any]) -> str:
    """Return the report for people."""
    from tableside.dice import face_name
    from tableside.teaching.measure import WELL_SHOWN

    lines = [f"{summary['set']}: {summary['added']} new samples, {summary['samples']} in all, {summary['seconds']} s"]
    for kind in summary["types"]:
        faces = [one for one in summary["faces"] if one["type"] == kind["name"]]
        missing = f", {kind['not_shown']} sides not shown, or repeating" if kind["not_shown"] else ""
        lines.append(f"  {kind['name']}: {kind['solid']}, {kind['body']}, {len(faces)} faces{missing}")
    lines.append(f"What was cut out: {summary['sheet']}")
    if summary["like"]:
        lines.append(f"  dice of {summary['like']}: {len(summary['faces'])} of its faces shown")
    weak = [one for one in summary["faces"] if one["right"] < 1 or one["sure"] < 0.5]
    if all(one["samples"] < 2 for one in summary["faces"]):
        lines.append("How well faces are told: too few to tell, as each was shown once.")
    else:
        lines.append(f"Faces told rightly, each sample left out or made harder: {summary['right']:.1%}")
    for one in sorted(weak, key=lambda one: one["right"])[:12]:
        name, rival = face_name(tuple(one["face"])), face_name(tuple(one["nearest"] or ()))
        lines.append(
            f"  {one['type']} {name}: {one['right']:.0%} right, {one['sure']:.0%} sure; most like {rival}."
            + (" Show it once more." if one["samples"] < WELL_SHOWN else "")
        )
    alike = [pair for pair in summary["close"] if pair["alike"]]
    for pair in summary["close"][:5]:
        a, b = (face_name(tuple(face)) for face in pair["faces"])
        lines.append(f"  close: {pair['type']} {a} and {b}" + (", often a question" if pair in alike else ""))
    lines += [f"Note: {note}" for note in summary["notes"]]
    return "\n".join(lines)


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    pairs = dict(one.partition("=")[::2] for one in given)
    if not all(pairs) or not all(pairs.values()):
        raise click.UsageError("write NAME=WHAT.")
    return pairs
