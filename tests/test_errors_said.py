"""Errors and troubles that a page may show: each text is a key, alone or with values, and German has it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from tableside import errors as tableside_errors
from tableside.adapters.web.pages import words_of
from tests.conftest import ROOT

PROGRAM = ROOT / "tableside"
GERMAN: dict[str, str] = words_of(ROOT / "web", "de")["table"]
_OF_COMMANDS = re.compile(
    r"""cli/|config|setting|paths|words|errors|samples/|reader/(?!photo)  # settings, commands, what never fails
      | table/messages\.py  # what no page of ours sends
      | app/(clip|history|backups|checkup|machine|rollback|wiring|teach|teach_find|teach_labels|teach_review)\.py
      | adapters/web/(body|server|openapi)\.py  # what no page of ours sends
      | adapters/(foundry|camera/(folder|video))  # other programs, and films
      | games/(narrative/(combat|pool)|heroic/(combat|hurt))\.py  # what only code asks
      | games/d6_companion/(capital|combat|force|gear|movement|powers|rolls|ships|yields)\.py
      | games/d6_wild/(combat|rolls)\.py
    """,
    re.VERBOSE,
)
"""What is said on the command line and to other programs alone, which is English."""


@cache
def errors() -> list[tuple[str, ast.expr]]:
    """Return where an error or a trouble is made, and each expression that its texts may come from."""
    found = []
    for path in sorted(PROGRAM.rglob("*.py")):
        room = str(path.relative_to(PROGRAM))
        if _OF_COMMANDS.match(room):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        around = {}
        for function in ast.walk(tree):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                around |= dict.fromkeys(ast.walk(function), function)  # the innermost comes last
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            named = {one.arg: one.value for one in call.keywords}
            if not named.keys() & {"where", "hint"} or not re.search(r"[A-Z]", ast.unparse(call.func)):
                continue
            for text in (*call.args[:1], *(named[name] for name in ("what", "hint") if name in named)):
                for one in meanings(text, around.get(call, tree), tree, frozenset()):
                    found.append((f"{room}:{call.lineno}", one))
    return found


def meanings(text: ast.expr, function: ast.AST, tree: ast.AST, seen: frozenset[str]) -> Iterator[ast.expr]:
    """Yield what a text may be: behind conditions, and behind names that the function or the file gives."""
    if isinstance(text, ast.IfExp):
        yield from meanings(text.body, function, tree, seen)
        yield from meanings(text.orelse, function, tree, seen)
    elif isinstance(text, ast.BoolOp):
        for value in text.values:
            yield from meanings(value, function, tree, seen)
    elif isinstance(text, ast.Call) and ast.unparse(text.func) == "sentences":
        for value in text.args:
            yield from meanings(value, function, tree, seen)
    elif isinstance(text, ast.Name) and text.id not in seen:
        for value in (*given_to(text.id, function), *given_to(text.id, tree)):
            yield from meanings(value, function, tree, seen | {text.id})
    else:
        yield text


def given_to(name: str, around: ast.AST) -> Iterator[ast.expr]:
    """Yield what a name is given within a function, or at the top of a file."""
    nodes = around.body if isinstance(around, ast.Module) else list(ast.walk(around))
    for node in nodes:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            value = node.value  # type: ignore[attr-defined]
            if isinstance(target, ast.Name) and target.id == name:
                yield value
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = zip(target.elts, value.elts, strict=True)
                yield from (one for at, one in pairs if isinstance(at, ast.Name) and at.id == name)


def test_no_error_that_a_page_may_show_is_put_together() -> None:
    built = (ast.JoinedStr, ast.BinOp)
    assert [f"{where} {ast.unparse(text)}" for where, text in errors() if isinstance(text, built)] == []


def test_german_has_every_error_that_a_page_may_show() -> None:
    missing = {
        text: kind.__name__
        for kind in vars(tableside_errors).values()
        if isinstance(kind, type) and issubclass(kind, tableside_errors.TablesideError)
        for text in (kind.what, kind.hint)
        if text and kind is not tableside_errors.PortInUse and text not in GERMAN
    }
    for where, text in errors():
        if isinstance(text, ast.Call) and ast.unparse(text.func) == "say" and text.args:
            text = text.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value and text.value not in GERMAN:
            missing[text.value] = where
    assert missing == {}
