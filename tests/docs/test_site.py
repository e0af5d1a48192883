"""The site is built strictly: broken links are errors."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from docs.pages import ROOT

DOCS: Final = ROOT / "docs"
PAGE: Final = "# Home\n\n```{toctree}\n\ngood\n```\n"
GOOD: Final = '# Good\n\n## A part\n\n| a |\n|---|\n| <a id="x.y"></a>z |\n'
RIGHT: Final = (
    "[a](good.md)", "[a](good.md#a-part)", "[a](good.md#x.y)", '<img src="win-phone.jpg" width="9" alt="a">',
)  # fmt: skip
WRONG: Final = {
    "bad.md": "[a](bad.md)", "another-part": "[a](good.md#another-part)", "x.z": "[a](good.md#x.z)",
    "none.py": "[a](../none.py)", "none.jpg": '<img src="none.jpg" alt="a">',
}  # fmt: skip


def build(folder: Path, builder: str = "dummy", *, strict: bool = True) -> "subprocess.CompletedProcess[str]":
    """Build the pages of a folder like ``make site``; the default builder writes nothing."""
    options = ["-q", *(["-W", "--keep-going"] if strict else []), "-b", builder, "-c", str(DOCS)]
    command = [sys.executable, "-m", "sphinx", *options, str(folder), str(folder / "out")]
    variables = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300, check=False)


def test_every_page_is_listed() -> None:
    """``make site`` would also report this, but later."""
    listed = set((DOCS / "index.md").read_text("utf-8").split())
    assert {path.stem for path in DOCS.glob("*.md")} - listed == {"index"}


@pytest.mark.long
def test_broken_links_and_unlisted_pages_are_errors(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    (tmp_path / "good.md").write_text(GOOD, "utf-8")
    shutil.copy(DOCS / "pictures" / "win-phone.jpg", tmp_path)
    (tmp_path / "index.md").write_text("\n\n".join([PAGE, *RIGHT]), "utf-8")
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "lonely.md").write_text("# Lonely\n", "utf-8")
    (tmp_path / "index.md").write_text("\n\n".join([PAGE, *WRONG.values()]), "utf-8")
    done = build(tmp_path)
    assert done.returncode != 0
    assert [named for named in (*WRONG, "lonely") if named not in done.stderr] == []
