"""Which names of the rules the product reaches, as told by the references in its code."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.conftest import ROOT

RULES = ("tableside.rules", "tableside.games")
Name = tuple[str, str]
"""A module and a name in it. A method is ``Class.method``."""


@dataclass(kw_only=True)
class Module:
    """What a module defines, imports and does when it is loaded."""

    defined: dict[str, list[ast.AST]] = field(default_factory=dict)
    imports: dict[str, Name] = field(default_factory=dict)
    loose: list[ast.AST] = field(default_factory=list)


def unreached() -> dict[str, set[str]]:
    """Return, for each module of the rules, what nothing that a table does comes to.

    It starts at the object of each game and at what the rest of the product imports of the rules. A method is reached
    where its class is and where its name is used on something, or where a class below or above has it, too.
    """
    modules = {_name(path): _module(path) for path in sorted((ROOT / "tableside").rglob("*.py"))}
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    roots = [_of_point(point) for point in points["tableside.games"].values()]
    for name, module in modules.items():
        if not name.startswith(RULES):
            roots += [found for found in module.imports.values() if found[0].startswith(RULES)]
    reached = _reached(modules, roots)
    used = {
        node.attr
        for name, module in modules.items()
        for key, nodes in module.defined.items()
        if not name.startswith(RULES) or (name, key) in reached
        for one in nodes
        for node in ast.walk(one)
        if isinstance(node, ast.Attribute)
    }
    found: dict[str, set[str]] = {}
    for name, module in modules.items():
        if not name.startswith(RULES):
            continue
        missing = {key for key in module.defined if (name, key) not in reached and key != "__all__"}
        for key, nodes in module.defined.items():
            if key not in missing:
                missing |= {f"{key}.{method}" for method in _methods(nodes) if method not in used}
        if missing:
            found[name] = missing
    return found


def _reached(modules: Mapping[str, Module], roots: list[Name]) -> set[Name]:
    waiting, reached = [_real(modules, root) for root in roots], set[Name]()
    while waiting:
        name = waiting.pop()
        if name in reached or name[0] not in modules:
            continue
        reached.add(name)
        module = modules[name[0]]
        for node in (*module.defined.get(name[1], ()), *module.loose):
            waiting += [_real(modules, one) for one in _references(node, name[0], module)]
    return reached


def _references(node: ast.AST, name: str, module: Module) -> Iterator[Name]:
    for one in ast.walk(node):
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in module.imports:
            base, inner = module.imports[one.value.id]
            yield f"{base}.{inner}", one.attr  # a name of a module that was imported whole
        if isinstance(one, ast.Name):
            if one.id in module.defined:
                yield name, one.id
            elif one.id in module.imports:
                yield module.imports[one.id]


def _real(modules: Mapping[str, Module], name: Name) -> Name:
    """Return where a name that a package passes on is defined."""
    module = modules.get(name[0])
    while module and name[1] not in module.defined and name[1] in module.imports:
        name = module.imports[name[1]]
        module = modules.get(name[0])
    return name


def _methods(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the methods of a class that somebody has to call by name."""
    for node in nodes:
        if not isinstance(node, ast.ClassDef):
            continue
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and not one.name.startswith("__"):
                yield one.name


def _module(path: Path) -> Module:
    module = Module()
    for node in _statements(ast.parse(path.read_text(encoding="utf-8")).body):
        match node:
            case ast.ImportFrom(module=str(base)):
                module.imports |= {one.asname or one.name: (base, one.name) for one in node.names}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                module.defined.setdefault(name, []).append(node)
            case ast.Assign(targets=targets):
                for target in targets:
                    for one in ast.walk(target):
                        if isinstance(one, ast.Name):
                            module.defined.setdefault(one.id, []).append(node)
            case ast.AnnAssign(target=ast.Name(id=name)):
                module.defined.setdefault(name, []).append(node)
            case ast.Import():
                pass
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                module.loose.append(node)
    # what is imported only where it is needed counts as well
    inner = [one for body in module.defined.values() for node in body for one in ast.walk(node)]
    for one in inner:
        if isinstance(one, ast.ImportFrom) and one.module:
            module.imports |= {name.asname or name.name: (one.module, name.name) for name in one.names}
    return module


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])
        else:
            yield node


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _of_point(point: str) -> Name:
    module, _, name = point.partition(":")
    return module, name
