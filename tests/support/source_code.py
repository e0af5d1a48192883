"""The modules of the package as text and as syntax trees, read once for all tests."""

import ast
from functools import cache
from pathlib import Path

import jantaku

SOURCE = Path(jantaku.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
TEXTS = {path: path.read_text("utf-8") for path in MODULES}


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax trees of the modules."""
    return {path: ast.parse(text) for path, text in TEXTS.items()}


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """Return all nodes of each module."""
    return {path: [*ast.walk(tree)] for path, tree in trees().items()}
