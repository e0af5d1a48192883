"""The site is built strictly: what leads nowhere is an error."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from support.pages import ROOT

DOCS: Final = ROOT / "docs"
PAGE: Final = "# Home\n\n```{toctree}\n:glob:\n\ngood\ngenerated/*\n```\n"
GOOD: Final = '# Good\n\n## A part\n\n| a |\n|---|\n| <a id="x.y"></a>z |\n'


def build(folder: Path, builder: str = "dummy", *, strict: bool = True) -> "subprocess.CompletedProcess[str]":
    """Read the pages of a folder as ``make site`` does, without writing any unless ``builder`` does."""
    options = ["-q", *(["-W"] if strict else []), "-b", builder, "-c", str(DOCS)]
    command = [sys.executable, "-m", "sphinx", *options, str(folder), str(folder / "out")]
    variables = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    (tmp_path / "index.md").write_text(PAGE, "utf-8")
    (tmp_path / "good.md").write_text(GOOD, "utf-8")
    shutil.copy(DOCS / "pictures" / "win-phone.jpg", tmp_path)
    return tmp_path


def test_every_page_is_listed() -> None:
    """``make site`` would say so, too, but later."""
    listed = set((DOCS / "index.md").read_text("utf-8").split())
    assert {path.stem for path in DOCS.glob("*.md")} - listed == {"index"}


@pytest.mark.long
@pytest.mark.parametrize(
    "right",
    [
        "[a](good.md)",
        "[a](good.md#a-part)",
        "[a](good.md#x.y)",
        '<img src="win-phone.jpg" width="9" alt="a">',
    ],
)
def test_what_leads_somewhere_is_accepted(folder: Path, right: str) -> None:
    (folder / "index.md").write_text(f"{PAGE}\n{right}\n", "utf-8")
    done = build(folder)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    "wrong",
    [
        "[a](bad.md)",
        "[a](good.md#another-part)",
        "[a](good.md#x.z)",
        "[a](../none.py)",
        '<img src="none.jpg" alt="a">',
    ],
)
def test_what_leads_nowhere_is_refused(folder: Path, wrong: str) -> None:
    (folder / "index.md").write_text(f"{PAGE}\n{wrong}\n", "utf-8")
    done = build(folder)
    assert done.returncode != 0
    assert "index.md" in done.stderr


@pytest.mark.long
def test_a_page_that_nobody_can_reach_is_refused(folder: Path) -> None:
    (folder / "lonely.md").write_text("# Lonely\n", "utf-8")
    done = build(folder)
    assert done.returncode != 0
    assert "lonely" in done.stderr
