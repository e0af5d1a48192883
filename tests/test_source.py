"""Rules for every module: no local paths, no unused definitions."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import jantaku

ROOT = Path(__file__).parents[1]
PACKAGE = Path(jantaku.__file__).parent
OUTSIDE = re.compile(r"\.\./(?!\.)\w+/\w|/(home|root|work|tmp|Users)/")
LINKED = {"inventory_page.py"}  # writes links that lead from docs/ to src/


def trees(*tops: Path) -> Iterator[tuple[Path, ast.Module]]:
    """Every module below the folders."""
    for top in tops:
        for path in sorted(top.rglob("*.py")):
            yield path, ast.parse(path.read_text("utf-8"))


@pytest.mark.slow
def test_no_module_names_a_path_outside_the_project() -> None:
    wrong = [
        (path.name, node.value)
        for path, tree in trees(PACKAGE)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and path.name not in LINKED
        if OUTSIDE.match(node.value)
    ]
    assert wrong == []
    assert OUTSIDE.match("../beside/data.jsonl")


def used(tree: ast.Module) -> Iterator[str]:
    """The names that a module reads, writes or imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name


def constants(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives a value, one by one, at its top level."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        yield from (target.id for target in targets if isinstance(target, ast.Name))


@pytest.mark.slow
def test_every_constant_is_used() -> None:
    """Each name occurs a second time in the project, except names that Python tools read."""
    folders = (PACKAGE, *(ROOT / name for name in ("tests", "bench", "research")))
    words = Counter(name for _, tree in trees(*folders) for name in used(tree))
    own = [(path, name) for path, tree in trees(PACKAGE) for name in constants(tree)]
    ours = [(path.name, name) for path, name in own if "migrations" not in path.parts]
    assert len(ours) > 500
    assert [(module, name) for module, name in ours if words[name] < 2 and not name.startswith("__")] == []


DROPPED = re.compile(r"[^\s>]\{[#:](?:if|else|each)[^{}]*\} \S|\S \{/(?:if|each)\}[^\s<]")


def test_no_block_of_a_page_begins_or_ends_with_a_space_that_svelte_drops() -> None:
    """Two sentences or a name and its mark would stand without a space between them."""
    pages = sorted((ROOT / "web" / "src").rglob("*.svelte"))
    assert [(page.name, match[0]) for page in pages for match in DROPPED.finditer(page.read_text())] == []
    assert DROPPED.search('{t("a")}{#if b} {t("b")}{/if}')
