"""What is compiled, found in the source: marked functions, what their code depends on, and entries."""

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from jantaku.kernels._jit import Entry
from support.source_code import SOURCE, TEXTS, trees

MARKS = {"kernel", "routine", "allocating"}
APART = {
    "jantaku.lab.experiment.on_ray",
    "jantaku.server.storage.migrations.env",
    *(f"jantaku.kernels._{name}" for name in ("backend", "clearing", "integers", "joined", "stock")),
}
"""Modules that run only inside another program, or where there is a compiler."""


@cache
def paths() -> dict[str, Path]:
    """The file of every module of the package."""
    named = {_name(path): path for path in TEXTS if path.stem != "__main__"}
    return {name: path for name, path in named.items() if name not in APART}


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(("jantaku", *(part for part in parts if part != "__init__")))


def modules(*texts: str) -> dict[str, ModuleType]:
    """Every module of the package, or those in which one of the texts occurs."""
    wanted = [name for name, path in paths().items() if not texts or any(t in TEXTS[path] for t in texts)]
    return {name: importlib.import_module(name) for name in wanted}


def compiled_modules() -> dict[str, ModuleType]:
    """The modules with functions that are compiled."""
    return modules(*(f"@{mark}" for mark in MARKS))


def tree(module: ModuleType) -> ast.Module:
    return trees()[Path(str(module.__file__))]


def is_marked(node: ast.AST) -> bool:
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in marks)


def marked(module: ModuleType) -> list[ast.FunctionDef]:
    """The functions of a module that are compiled."""
    return [node for node in tree(module).body if isinstance(node, ast.FunctionDef) and is_marked(node)]


def sources(module: ModuleType) -> dict[str, str]:
    """The modules that a module takes names from: name -> module."""
    taken = {}
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("jantaku"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                taken[alias.asname or alias.name] = inner if inner in paths() else node.module
    return taken


def dependencies(module: ModuleType) -> set[str]:
    """The modules whose names a module's compiled functions take."""
    taken = sources(module)
    functions = (getattr(module, function.name) for function in marked(module))
    codes = [getattr(function, "py_func", function).__code__ for function in functions]
    return {taken[name] for code in codes for name in code.co_names if name in taken}


def entries() -> dict[str, Entry]:
    """The compiled functions that plain Python names, by module and name."""
    entries = {}
    for module in modules().values():
        for named in (_value(node, module) for node in _outside(tree(module))):
            if isinstance(named, Entry):
                entries[f"{named.__module__}.{named.__name__}"] = named
    return entries


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """All of a tree that is not compiled."""
    if not is_marked(node):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _outside(child)


def _value(node: ast.AST, module: ModuleType) -> object:
    """What a name, or a name in a module, stands for."""
    if isinstance(node, ast.Name):
        return getattr(module, node.id, None)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        outer = getattr(module, node.value.id, None)
        return getattr(outer, node.attr, None) if isinstance(outer, ModuleType) else None
    return None
