"""Releases: packages that install and run, and notes from the changelog."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Final

import pytest
from packaging.specifiers import SpecifierSet

from jantaku import __version__

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
STATIC: Final = ROOT / "src" / "jantaku" / "server" / "static"
PYTHONS: Final = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
WIN: Final = ("score", "234m567p34567s99p 8s", "--riichi", "--dora", "4s", "--brief")


def test_release_notes_are_a_section_of_the_changelog() -> None:
    whole = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = dict(re.findall(r"^(?=## (\S+))((?s:.*?))(?=^## |\Z)", whole, re.MULTILINE))
    assert sections
    for version in (*sections, "99.9"):
        command = ["make", "--silent", "notes", f"VERSION={version}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.stdout == sections.get(version, "")
        assert (done.returncode == 0) is (version in sections)


def test_the_classifiers_match_the_required_python() -> None:
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert list(allowed.filter(f"3.{minor}" for minor in range(30)))[: len(PYTHONS)] == PYTHONS


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both packages, built from this folder."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", "sdist", "-t", "wheel"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    return {"sdist": next(folder.glob("*.tar.gz")), "wheel": next(folder.glob("*.whl"))}


@pytest.mark.slow
def test_the_packages_contain_the_needed_files(packages: dict[str, Path]) -> None:
    assert packages["wheel"].name == f"jantaku-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(packages["wheel"]) as wheel:
        names = set(wheel.namelist())
    with tarfile.open(packages["sdist"]) as sdist:
        sources = {name.partition("/")[2] for name in sdist.getnames()}
    needed = {"py.typed", "terms/cli.toml", "rules/presets/bgm-2025.toml", "rules/yaku.toml"}
    needed |= {"server/static/index.html"} if STATIC.is_dir() else set()
    for name in needed:
        assert f"jantaku/{name}" in names
        assert f"src/jantaku/{name}" in sources
    assert {"LICENSE", "README.md", "pyproject.toml", "hatch_build.py"} <= sources
    unwanted = re.compile(r"(^|/)(\.venv[^/]*|\.git|node_modules|__pycache__|_build|\.env)(/|$)")
    assert not [name for name in names | sources if unwanted.search(name)]


HOME: Final = "https://forge.example/club/jantaku/blob/v1"


@pytest.mark.slow
@pytest.mark.parametrize("home", ["", HOME])
def test_links_of_the_page_at_the_index_work(home: str, tmp_path: Path) -> None:
    """If the site has an address, every link and picture leads to a file there; otherwise there are none."""
    variables = {**os.environ, "JANTAKU_HOME": home}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t", "wheel"]
    subprocess.run(command, cwd=ROOT, env=variables, check=True, capture_output=True, timeout=300)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        metadata = wheel.read(f"jantaku-{__version__}.dist-info/METADATA").decode()
    head, _, page = metadata.partition("\n\n")
    assert page.strip().splitlines()[:2] == ["```", "pip install jantaku"]
    assert "make run" not in page
    links = re.findall(r'(?:\]\(|<img src=")([^)"#]+)', page)
    named = dict(re.findall(r"^Project-URL: (\w+), (\S+)$", head, re.MULTILINE))
    if not home:
        assert links == []
        assert named == {}
        return
    assert set(named) == {"Source", "Documentation", "Changelog", "Security"}
    assert named.pop("Source") == "https://forge.example/club/jantaku"
    pictures = (ROOT / "README.md").read_text("utf-8").count("<img ")
    assert sum("/raw/v1/docs/pictures/" in link for link in links) == pictures
    for link in [*links, *named.values()]:
        path = re.fullmatch(r"https://forge\.example/club/jantaku/(?:blob|raw)/v1/(.+)", link)
        assert path, link
        assert (ROOT / path[1]).exists(), link


def python_of(version: str) -> str:
    """Return the executable of a Python version; skip the test if it is not installed."""
    executable = sys.executable if version == "this" else shutil.which(f"python{version}")
    if executable is None or subprocess.run([executable, "-V"], capture_output=True, check=False).returncode:
        pytest.skip(f"no Python {version} here")
    return executable


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "version"),
    [("wheel", "this"), ("sdist", "this"), *(("wheel", version) for version in PYTHONS[1:])],
)
def test_a_package_runs_in_a_fresh_environment(
    kind: str, version: str, packages: dict[str, Path], tmp_path: Path
) -> None:
    """Install the package as a user would, with dependencies from the index."""
    python = python_of(version)
    variables = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    environment = {**variables, "NUMBA_DISABLE_JIT": "1", "JANTAKU_LANG": "en"}

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(python, "-m", "venv", "fresh")
    run("fresh/bin/python", "-m", "pip", "install", "--quiet", str(packages[kind]))
    assert run("fresh/bin/jantaku", "--version") == f"jantaku {__version__}\n"
    assert "3,900 points" in run("fresh/bin/jantaku", *WIN)
    typed = "import jantaku, pathlib; print((pathlib.Path(jantaku.__file__).parent / 'py.typed').is_file())"
    assert run("fresh/bin/python", "-c", typed) == "True\n"
