"""Examples in the documentation work: Python code executes, and rules files load."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from docs.pages import FENCE, READMES, blocks, blocks_in, pages, text_of
from jantaku import Win, load, load_file, read, score, write
from jantaku.adjudication.jsonl import answer_line
from jantaku.cli.programs import read_programs
from support.scoring import WIN_FIELDS

PINFU = dict(zip(READMES, ("핑후", "핑후", "平和"), strict=True))  # the yaku explained on each page
OTHERS = [page for page in pages() if page not in READMES and blocks(page, "python")]
ENGINES = "docs/other-engines.md"
RECIPES_HEAD = "\n## Recipes\n"
_, RECIPES_TEXT = text_of("docs/python.md").split(RECIPES_HEAD)
RECIPES = dict(part.split("\n", 1) for part in RECIPES_TEXT.split("\n### ")[1:])
LOG = Path(__file__).parents[1] / "data" / "east-1.mjai"


@pytest.mark.parametrize("page", READMES)
def test_python_of_the_readme_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for code in blocks(page, "python"):
        exec(compile(code, page, "exec"), {})
    assert PINFU[page] in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("page", OTHERS)
def test_python_of_the_page_runs(page: str, folder: Path) -> None:
    """The blocks of a page run in one session, as a reader types them."""
    names: dict[str, Any] = {"__name__": "page"}
    for code in blocks_in(text_of(page).split(RECIPES_HEAD)[0], "python"):
        exec(compile(code, page, "exec"), names)


@pytest.mark.xdist_group("lab")  # so that only one worker compiles the lab
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_prints_the_documented_output(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each recipe runs alone, in a folder with its files."""
    monkeypatch.chdir(tmp_path)
    parts = {kind: code for _, kind, code in FENCE.findall(RECIPES[name])}
    (tmp_path / "wins.jsonl").write_text(parts.get("json", ""), "utf-8")
    shutil.copy(LOG, tmp_path / "game.mjai")
    (tmp_path / "logs").mkdir()
    write(read(LOG), tmp_path / "logs" / "1.mjlog")
    exec(compile(parts["python"], name, "exec"), {"__name__": "recipe"})
    assert capsys.readouterr().out == parts["text"]


@pytest.mark.parametrize("page", [page for page in pages() if page != ENGINES and blocks(page, "toml")])
def test_rules_files_of_the_pages_load(page: str, rules_folder: Path) -> None:
    club_file = rules_folder / "club.toml"
    for text in blocks(page, "toml"):
        club_file.write_text(text, "utf-8")
        rules = load_file(club_file)
        assert rules.differences(load("standard")) or rules.own_yaku


def test_the_programs_of_the_page_about_engines_load(tmp_path: Path) -> None:
    (text,) = blocks(ENGINES, "toml")
    (tmp_path / "programs.toml").write_text(text, "utf-8")
    (program,) = read_programs(tmp_path / "programs.toml")
    assert program.suits(load("tenhou"))
    assert not program.suits(load("tenhou-3"))


@pytest.mark.parametrize("page", READMES)
def test_custom_yaku_of_the_readme_counts(page: str) -> None:
    rules = load(tomllib.loads(blocks(page, "toml")[0]))
    win = Win.parse("111555777999s7z 7z")
    assert score(win, rules).yaku["benikujaku"] == 13


def test_the_page_about_requests_shows_a_real_answer_and_every_field() -> None:
    page = "docs/scoring-requests.md"
    request, shown = blocks(page, "json")
    assert json.loads(answer_line(request.replace("\n", ""))) == json.loads(shown)
    assert [name for name in WIN_FIELDS if f"`{name}`" not in text_of(page)] == []
