"""The locks of tested versions meet the requirements of ``pyproject.toml`` and name no index."""

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
    """Return the version of each package that the lock installs for a Python on Linux."""
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
    """Yield the requirements of these extras, including those of extras that they refer to."""
    for requirement in (
        Requirement(text) for extra in extras for text in PROJECT["optional-dependencies"][extra]
    ):
        if requirement.name == PROJECT["name"]:
            yield from wanted(requirement.extras)
        else:
            yield requirement


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_meets_all_requirements(lock: str, python: str) -> None:
    pinned = pins(lock, python)
    for requirement in (*map(Requirement, PROJECT["dependencies"]), *wanted(EXTRAS[lock])):
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version, prereleases=True), requirement


@pytest.mark.parametrize("python", PYTHONS)
def test_tested_versions_are_the_installed_ones(python: str) -> None:
    assert pins("run", python).items() <= pins("tests", python).items()


@pytest.mark.parametrize("lock", EXTRAS)
def test_a_lock_names_no_index(lock: str) -> None:
    """Hashes need no test: pip requires them (``--require-hashes``)."""
    assert not re.search(r"://|index-url", (ROOT / "locks" / f"{lock}.txt").read_text("utf-8"))
