"""Examples in the pages work: Python runs, rules files load, commands answer."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jantaku import Win, load_file, score
from jantaku.cli.app import app

ROOT = Path(__file__).parents[1]
PINFU = {"README.md": "핑후", "README.ko.md": "핑후", "README.ja.md": "平和"}  # as each page explains it
READMES = tuple(PINFU)


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of one language on a page."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", READMES)
def test_python_of_the_readme_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for code in blocks(page, "python"):
        exec(compile(code, page, "exec"), {})
    assert PINFU[page] in capsys.readouterr().out


@pytest.mark.parametrize("page", [*READMES, "docs/local-yaku.md"])
def test_rules_files_of_the_pages_load(page: str, tmp_path: Path) -> None:
    """Each rules file is tried with the yaku file of the page that explains it."""
    (tmp_path / "our_yaku.py").write_text(blocks("docs/local-yaku.md", "python")[0], "utf-8")
    path = tmp_path / "club.toml"
    path.write_text(blocks(page, "toml")[0], "utf-8")
    rules = load_file(path)
    assert [yaku.id for yaku in rules.local] == ["kinmonkyou"]
    win = Win.parse("123345567789m1s 1s", seat="south")
    assert score(win, rules).yaku["kinmonkyou"] == 2


def commands() -> list[Any]:
    """Every command the readmes show that can be run as it stands."""
    text = "\n".join((ROOT / page).read_text("utf-8") for page in READMES)
    found = re.findall(r"jantaku ((?:--lang \w+ )?(?:score|waits|shanten|yaku) [^`\n<>]*)", text)
    return sorted({line.strip() for line in found if "--jsonl" not in line})


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_readme_answer(line: str) -> None:
    result = CliRunner().invoke(app, shlex.split(line))
    assert result.exit_code == 0, result.output
    assert result.output.strip()
