"""The structure of the code: direction of imports, public names, and names of record fields."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jantaku
from jantaku.bots.seat_view import SEAT_VIEW
from jantaku.kernels import bits
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.rules import RULES
from jantaku.kernels.win import WIN
from jantaku.rules import catalogue
from support.source_code import MODULES, SOURCE, TEXTS, nodes

NAMES = [str(path.relative_to(SOURCE)) for path in MODULES]


# From the top down: a layer may import itself and lower layers
LAYERS = (
    "cli", "server", "booklet", "club", "lab", "bots", "records", "game", "adjudication", "kernels", "rules",
    "pages", "svg", "wire", "seats", "win", "hand", "tally", "frozen", "tiles", "fields", "reading", "errors",
    "nearest_word", "bounded", "visible", "terms",
)  # fmt: skip
pytestmark = pytest.mark.xdist_group("source")  # one worker parses the modules
ABOVE = ("", "__main__")
# These may import the module that draws hands, melds and wins in notebooks
UPWARD = {("hand", "jantaku.svg"), ("win", "jantaku.svg")}


def layer_of(module: str) -> str:
    """Return the layer of a module: ``rules`` for ``jantaku.rules.check``, ``""`` for the package."""
    return module.removeprefix("jantaku").lstrip(".").split(".")[0]


def imports_of(inside: Iterable[ast.AST]) -> Iterator[str]:
    """Yield every module that a file imports, including late imports and those for type checking."""
    for node in inside:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"from {node.module}: relative import"
            whole = node.module == "jantaku"
            yield from [f"jantaku.{alias.name}" for alias in node.names] if whole else [node.module]


def modules_of(inside: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the server modules that a file imports, resolving modules imported from packages."""
    for node in inside:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jantaku.server"):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (
                    inner
                    if (SOURCE.parent / inner.replace(".", "/")).with_suffix(".py").exists()
                    else str(node.module)
                )


def test_imports_point_downwards() -> None:
    wrong = []
    for path, inside in nodes().items():
        own = path.relative_to(SOURCE).parts[0].removesuffix(".py").replace("__init__", "")
        if own in ABOVE:
            continue
        assert own in LAYERS, f"{own} is a new layer: add it to LAYERS"
        below = LAYERS[LAYERS.index(own) :]
        for name in imports_of(inside):
            ours = name.split(".")[0] == "jantaku" and name != "jantaku.__version__"
            if ours and layer_of(name) not in below and (own, name) not in UPWARD:
                wrong.append(f"{path} may not import {name}")
    assert wrong == []


# The slices of the server, from the top down. A module imports from its own slice and the rows below; slices
# in one row are independent. "app" and so on are the modules that assemble the slices.
SLICES = (
    ("schema",), ("run",), ("app",), ("services",),
    ("erasing", "friends"), ("ranked",),
    ("study",),
    ("events/seasons", "events/online", "events/organising", "events/notices"), ("events/rounds",),
    ("events/recording",), ("events/results", "events/registration"), ("events/common",), ("lab",),
    ("archive",), ("play",), ("rules",), ("people",), ("storage",), ("processes",), ("edge",),
    ("tasks", "names", "programs"), ("errors", "settings"),
)  # fmt: skip


def slice_of(module: str) -> str:
    """Return the slice of a module: ``events/rounds`` for ``jantaku.server.events.rounds.round_state``."""
    parts = module.removeprefix("jantaku.server").lstrip(".").split(".")
    return "/".join(parts[: 2 if parts[0] == "events" else 1])


def test_slices_of_the_server_import_downwards() -> None:
    """A slice can be read, tested and changed with only the slices below it."""
    row_of = {name: row for row, names in enumerate(SLICES) for name in names}
    wrong = set()
    for path, inside in nodes().items():
        if path.is_relative_to(SOURCE / "server"):
            own = slice_of(".".join(("jantaku", *path.relative_to(SOURCE).with_suffix("").parts)))
            for name in modules_of(inside):
                other = slice_of(name)
                if (
                    own not in ("__init__", "events/__init__")
                    and other not in (own, "services")  # all slices may use the type of the services
                    and row_of[own] >= row_of[other]
                ):
                    wrong.add(f"{own} may not import {other}: {name} in {path.name}")
    assert wrong == set()


def test_no_file_mentions_local_paths() -> None:
    local = re.compile(r"/(?:home|root|work|Users)/|[A-Z]:\\")
    assert [path for path, text in TEXTS.items() if local.search(text)] == []


def test_bits_follow_the_order_of_the_catalogue() -> None:
    names = [name for name in catalogue() if name != "nagashi_mangan"]
    assert [getattr(bits, name.upper()) for name in names] == list(range(bits.YAKU_BITS))
    assert list(catalogue())[bits.YAKU_BITS :] == ["nagashi_mangan"]


@pytest.mark.parametrize("name", [n for n in NAMES if n.endswith("__init__.py")])
def test_public_names_exist(name: str) -> None:
    parts = ["jantaku", *Path(name).parts[:-1]]
    module = importlib.import_module(".".join(parts))
    for public in getattr(module, "__all__", ()):
        assert getattr(module, public).__doc__, public


def test_the_package_lists_what_it_exports() -> None:
    assert jantaku.__all__ == sorted(jantaku.__all__)
    assert set(jantaku._LAZY) <= set(jantaku.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = jantaku.nothing


HEAVY = ("numba", "numpy", "pydantic", "rich", "typer")


@pytest.mark.parametrize("statement", ["import jantaku", "import jantaku; jantaku.load('tenhou')"])
def test_import_is_light(statement: str) -> None:
    code = f"{statement}; import sys; print([m for m in {HEAVY} if m in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(SOURCE.parent), "PATH": "", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert ran.stdout.strip() == "[]"


FILES_OF_THE_USER = ("jantaku.rules.rules_files", "load_file", "runpy")
MAY_READ_RULES = (
    *("__init__.py", "rules/__init__.py", "rules/rules_files.py"),
    *("cli/console.py", "cli/house_rules.py"),
)


def names_in(inside: list[ast.AST]) -> set[str]:
    """Return all names, attributes, imported modules and string constants of a file."""
    names = set(imports_of(inside))
    for node in inside:
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
    return names


def test_only_the_command_line_reads_rules_files() -> None:
    """Code that reads untrusted input cannot load rules files."""
    wrong = []
    for path, inside in nodes().items():
        name = path.relative_to(SOURCE).as_posix()
        names = names_in(inside) & set(FILES_OF_THE_USER)
        if names and name not in MAY_READ_RULES:
            wrong.append((name, names))
    assert wrong == []


def test_the_oracle_imports_no_kernels() -> None:
    """The oracle checks the kernels, so it must not use them."""
    for path in (Path(__file__).parent / "naive").glob("*.py"):
        for name in imports_of(ast.walk(ast.parse(path.read_text("utf-8")))):
            assert layer_of(name) not in ("kernels", "adjudication", "cli"), f"{path.name}: {name}"


def fields_of(dtype: np.dtype[Any]) -> Iterator[str]:
    """Yield the names of the fields of a record, including nested records."""
    for name in dtype.names or ():
        yield name
        yield from fields_of(dtype[name].base)


@pytest.mark.parametrize("dtype", [WIN, RULES, GAME, SEAT_VIEW], ids=["win", "rules", "game", "view"])
def test_record_fields_can_be_read_uncompiled(dtype: np.dtype[Any]) -> None:
    """Attributes of NumPy records hide fields of the same name, such as ``round`` or ``flags``."""
    names = list(fields_of(dtype))
    assert names
    assert [name for name in names if hasattr(np.record, name)] == []
