"""``jantaku rules sheet``: files, formats and errors."""

from pathlib import Path

import pytest

from jantaku.rules import preset_names
from jantaku.terms import LANGUAGES, listed
from support.terminal import run

SHEET = ("rules", "sheet")


def test_the_suffix_decides_the_format(tmp_path: Path) -> None:
    for name, start in (
        ("rules.md", "# Standard"),
        ("rules.html", "<!doctype html>"),
        ("rules", "<!doctype html>"),
    ):
        target = tmp_path / name
        assert run(*SHEET, "standard", "--out", str(target)).exit_code == 0
        assert target.read_text("utf-8").startswith(start)


def test_the_booklet_goes_to_standard_output() -> None:
    output = run(
        *SHEET, "standard", "--format", "md", "--club", "Our club", "--date", "1 June", language="ko"
    )
    assert output.exit_code == 0
    assert "Our club · 1 June" in output.stdout
    assert "한눈에 보기" in output.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--all"),
        (("standard", "--all", "x"), "--all"),
        (("standard", "--format", "docx"), ("html", "pdf", "md")),
        (("standard", "--out", "rules.docx"), ("html", "pdf", "md")),
        (("standard", "--paper", "a0"), ("a4", "phone")),
        (("nosuch",), "nosuch"),
        (("standard", "--club", "x" * 101), "100"),
        (("standard", "--logo", "nosuch.png"), "nosuch.png"),
        (("standard", "--logo", __file__), "PNG"),
    ],
)
def test_user_errors(arguments: tuple[str, ...], said: str | tuple[str, ...]) -> None:
    for language in LANGUAGES:
        output = run(*SHEET, *arguments, language=language)
        assert output.exit_code == 2
        wanted = said if isinstance(said, str) else listed(said, language)
        assert wanted in output.stderr


@pytest.mark.long
def test_all_presets_in_all_languages(tmp_path: Path) -> None:
    assert run(*SHEET, "--all", str(tmp_path / "sheets"), "--format", "md").exit_code == 0
    made = {path.name for path in (tmp_path / "sheets").iterdir()}
    assert made == {f"{name}.{language}.md" for name in preset_names() for language in LANGUAGES}
