"""The structure of the code: direction of imports, sizes, and public names."""

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
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
from jantaku.kernels.yaku import hand, local, situation, yakuman
from jantaku.rules import catalogue

SOURCE = Path(jantaku.__file__).parent
MODULES = sorted(SOURCE.rglob("*.py"))
NAMES = [str(path.relative_to(SOURCE)) for path in MODULES]
MOST_LINES, MOST_FUNCTION, MOST_ARGUMENTS = 500, 50, 6

# From the top down: a layer may import itself and everything below it
LAYERS = (
    "cli", "server", "club", "lab", "bots", "records", "game", "adjudication", "kernels", "rules", "svg",
    "seats", "hand", "tiles", "errors", "bounded", "visible", "terms",
)  # fmt: skip
ABOVE = ("", "__main__")
# A notebook asks a hand for its picture; ``Game.replay`` reads our own records
UPWARD = {("hand", "jantaku.svg"), ("game", "jantaku.records.native")}


def layer_of(module: str) -> str:
    """``rules`` of ``jantaku.rules.check``; ``""`` is the package itself."""
    return module.removeprefix("jantaku").lstrip(".").split(".")[0]


def imports_of(path: Path) -> Iterator[str]:
    """Every module of ours that a file imports, also late or for type checking."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            whole = node.module == "jantaku"
            yield from [f"jantaku.{alias.name}" for alias in node.names] if whole else [node.module]


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_imports_point_downwards(path: Path) -> None:
    own = path.relative_to(SOURCE).parts[0].removesuffix(".py").replace("__init__", "")
    if own in ABOVE:
        return
    assert own in LAYERS, f"{own} is a new layer: say in LAYERS where it stands"
    below = LAYERS[LAYERS.index(own) :]
    for name in imports_of(path):
        if name.split(".")[0] == "jantaku" and name != "jantaku.__version__":
            assert layer_of(name) in below or (own, name) in UPWARD, f"{own} may not import {name}"


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_nothing_is_too_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES
    for function in functions_of(path):
        assert function.end_lineno is not None
        lines = function.end_lineno - function.lineno + 1
        assert lines <= MOST_FUNCTION, f"{function.name} has {lines} lines"


def test_a_class_name_means_one_thing() -> None:
    """A class name in a traceback or a search leads to one class."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


ROOMS = sorted(
    {str(path.parent.relative_to(SOURCE)) for path in MODULES if path.parent != SOURCE}
    | {path.name for path in MODULES if path.parent == SOURCE}
)


@pytest.mark.parametrize("room", ROOMS)
def test_the_architecture_page_describes_every_package(room: str) -> None:
    """A folder, or a module beside the folders, has one sentence in a table of docs/architecture.md."""
    page = (SOURCE.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| `")]
    name = room if room.endswith(".py") else f"{room}/"
    sentences = [cells[2].strip() for cells in rows if f"`{name}`" in cells[1]]
    assert room.startswith("__") or any(one.endswith(".") for one in sentences)


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_functions_take_few_arguments(path: Path) -> None:
    """The command line apart, where each argument is an option of a command."""
    if path.is_relative_to(SOURCE / "cli"):
        return
    for function in functions_of(path):
        positional = [*function.args.posonlyargs, *function.args.args]
        count = len([argument for argument in positional if argument.arg not in ("self", "cls")])
        assert count <= MOST_ARGUMENTS, f"{function.name} takes {count}"


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_no_file_mentions_local_paths(path: Path) -> None:
    found = re.findall(r"/(?:home|root|work|Users)/|[A-Z]:\\", path.read_text("utf-8"))
    assert found == []


def test_bits_follow_the_order_of_the_catalogue() -> None:
    names = [name for name in catalogue() if name != "nagashi_mangan"]
    assert [getattr(bits, name.upper()) for name in names] == list(range(bits.YAKU_BITS))
    assert list(catalogue())[bits.YAKU_BITS :] == ["nagashi_mangan"]


@pytest.mark.parametrize("name", [name for name in catalogue() if name != "nagashi_mangan"])
def test_every_bit_has_a_predicate_and_is_set(name: str) -> None:
    homes = [module for module in (hand, local, situation, yakuman) if hasattr(module, name)]
    assert len(homes) == 1
    source = Path(str(homes[0].__file__)).read_text("utf-8")
    assert source.count(f"int({name}(b)) << bits.{name.upper()}") == 1


def test_predicates_are_all_in_the_catalogue() -> None:
    for module in (hand, local, situation, yakuman):
        set_ = re.findall(r"<< bits\.(\w+)", Path(str(module.__file__)).read_text("utf-8"))
        assert {name.lower() for name in set_} <= set(catalogue())


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


HEAVY = ("numba", "numpy", "rich", "typer")


@pytest.mark.parametrize("statement", ["import jantaku", "import jantaku; jantaku.load('tenhou')"])
def test_import_is_light(statement: str) -> None:
    code = f"{statement}; import sys; print([m for m in {HEAVY} if m in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(SOURCE.parent), "PATH": "", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert ran.stdout.strip() == "[]"


FILES_OF_THE_USER = ("jantaku.rules.files", "jantaku.rules.local", "load_file", "load_local", "runpy")
MAY_READ_RULES = ("__init__.py", "rules/__init__.py", "rules/files.py", "rules/local.py", "cli/console.py",
                  "cli/house_rules.py")  # fmt: skip
MAY_KNOW_LOCAL = ("rules/ruleset.py", "cli/yaku.py", "kernels/rules.py", *MAY_READ_RULES)


def names_in(path: Path) -> set[str]:
    """Every name, attribute, imported module and text of a file of code."""
    found = set(imports_of(path))
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_only_the_command_line_reads_rules_files(path: Path) -> None:
    """Input from outside names no path and loads no code, so the code that reads it cannot load files."""
    name = path.relative_to(SOURCE).as_posix()
    allowed = {"jantaku.rules.local"} if name in MAY_KNOW_LOCAL else set()
    if name not in MAY_READ_RULES:
        assert names_in(path) & set(FILES_OF_THE_USER) <= allowed


def test_the_oracle_imports_no_kernels() -> None:
    """The oracle checks the kernels, so it must not use them."""
    for path in (Path(__file__).parent / "naive").glob("*.py"):
        for name in imports_of(path):
            assert layer_of(name) not in ("kernels", "adjudication", "cli"), f"{path.name}: {name}"


def fields_of(dtype: np.dtype[Any]) -> Iterator[str]:
    """The names of a record's fields, those of records inside it too."""
    for name in dtype.names or ():
        yield name
        yield from fields_of(dtype[name].base)


@pytest.mark.parametrize("dtype", [WIN, RULES, GAME, SEAT_VIEW], ids=["win", "rules", "game", "view"])
def test_record_fields_can_be_read_uncompiled(dtype: np.dtype[Any]) -> None:
    """A NumPy record finds its own attributes first: a field named ``round`` or ``flags`` would be hidden."""
    names = list(fields_of(dtype))
    assert names
    assert [name for name in names if hasattr(np.record, name)] == []
