"""Compiled functions found in the source: decorated functions, their dependencies, and entry points."""

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
"""Modules that can be imported only inside another program or with a compiler."""


@cache
def paths() -> dict[str, Path]:
    """Return the files of the modules of the package."""
    named = {_name(path): path for path in TEXTS if path.stem != "__main__"}
    return {name: path for name, path in named.items() if name not in APART}


def _name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(("jantaku", *(part for part in parts if part != "__init__")))


def modules(*texts: str) -> dict[str, ModuleType]:
    """Import all modules of the package, or those that contain one of the texts."""
    wanted = [name for name, path in paths().items() if not texts or any(t in TEXTS[path] for t in texts)]
    return {name: importlib.import_module(name) for name in wanted}


def compiled_modules() -> dict[str, ModuleType]:
    """Return the modules with compiled functions."""
    return modules(*(f"@{mark}" for mark in MARKS))


def tree(module: ModuleType) -> ast.Module:
    return trees()[Path(str(module.__file__))]


def is_marked(node: ast.AST) -> bool:
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in marks)


def marked(module: ModuleType) -> list[ast.FunctionDef]:
    """Return the compiled functions of a module."""
    return [node for node in tree(module).body if isinstance(node, ast.FunctionDef) and is_marked(node)]


def sources(module: ModuleType) -> dict[str, str]:
    """Return the module that each imported name of a module comes from."""
    imported = {}
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("jantaku"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                imported[alias.asname or alias.name] = inner if inner in paths() else node.module
    return imported


def dependencies(module: ModuleType) -> set[str]:
    """Return the modules whose names the compiled functions of a module use."""
    imported = sources(module)
    functions = (getattr(module, function.name) for function in marked(module))
    codes = [getattr(function, "py_func", function).__code__ for function in functions]
    return {imported[name] for code in codes for name in code.co_names if name in imported}


def entries() -> dict[str, Entry]:
    """Return the compiled functions that plain Python calls, by module and name."""
    entries = {}
    for module in modules().values():
        for named in (_value(node, module) for node in _outside(tree(module))):
            if isinstance(named, Entry):
                entries[f"{named.__module__}.{named.__name__}"] = named
    return entries


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree outside of compiled functions."""
    if not is_marked(node):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _outside(child)


def _value(node: ast.AST, module: ModuleType) -> object:
    """Return the value of a name or of an attribute of a module."""
    if isinstance(node, ast.Name):
        return getattr(module, node.id, None)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        outer = getattr(module, node.value.id, None)
        return getattr(outer, node.attr, None) if isinstance(outer, ModuleType) else None
    return None
