"""The locks of tried versions: they hold what ``pyproject.toml`` asks for, from no named place."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS: Final = [
    kind.removeprefix("Programming Language :: Python :: ")
    for kind in PROJECT["classifiers"]
    if re.search(r":: 3\.\d+$", kind)
]
EXTRAS: Final = {
    "run": ("server",),
    "tests": ("dev", "lab", "env", "server", "postgres", "nats", "sheet"),
}


def pins(lock: str, python: str) -> dict[str, str]:
    """The version of each package that the lock installs with that Python on Linux."""
    here = {name: str(value) for name, value in default_environment().items()}
    environment = here | {"python_version": python, "python_full_version": f"{python}.0"}
    pinned: dict[str, str] = {}
    for line in (ROOT / "locks" / f"{lock}.txt").read_text("utf-8").splitlines():
        if line.startswith((" ", "#")):
            continue
        text, _, marker = line.removesuffix("\\").partition(";")
        name, version = text.strip().split("==")
        if not marker.strip() or Marker(marker).evaluate(environment):
            assert canonicalize_name(name) not in pinned
            pinned[canonicalize_name(name)] = version
    return pinned


def wanted(extras: Iterable[str]) -> Iterator[Requirement]:
    """What these extras ask for, those of the project that they name included."""
    for requirement in (
        Requirement(text) for extra in extras for text in PROJECT["optional-dependencies"][extra]
    ):
        if requirement.name == PROJECT["name"]:
            yield from wanted(requirement.extras)
        else:
            yield requirement


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_has_a_fitting_version_of_everything(lock: str, python: str) -> None:
    pinned = pins(lock, python)
    for requirement in (*map(Requirement, PROJECT["dependencies"]), *wanted(EXTRAS[lock])):
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version, prereleases=True), requirement


@pytest.mark.parametrize("python", PYTHONS)
def test_what_runs_is_what_is_tested(python: str) -> None:
    assert pins("run", python).items() <= pins("tests", python).items()


@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_names_no_place(lock: str) -> None:
    """Pip itself wants a hash of everything (``--require-hashes``)."""
    assert not re.search(r"://|index-url", (ROOT / "locks" / f"{lock}.txt").read_text("utf-8"))
