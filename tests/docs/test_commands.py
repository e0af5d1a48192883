"""Every command that a page shows is run, or checked as far as it can be without changing the machine."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from jantaku.cli.app import COMMANDS
from support.pages import (
    Shown,
    abbreviated,
    commands,
    pages,
    program,
    words_of,
)
from support.shown_commands import CHECKS, filled, invoke

# What answers at once and reads nothing but rules
QUICK: Final = re.compile(
    r"jantaku (score|waits|shanten|yaku|rules (list|show|diff|check|schema)) (?!.*[|<>])"
)


def marked(shown: Shown) -> Any:
    """Commands of all pages; teams are seated for seven seconds."""
    mark = pytest.mark.long if "--teams" in shown.text else pytest.mark.slow
    return pytest.param(shown, marks=mark, id=f"{shown.page}: {shown.text[:60]}")


@pytest.mark.parametrize("text", sorted(command.text for command in commands() if QUICK.match(command.text)))
def test_a_quick_command_works(text: str, rules_folder: Path) -> None:
    CHECKS["jantaku"](text, rules_folder)


@pytest.mark.parametrize("shown", [marked(it) for it in commands() if not QUICK.match(it.text)])
def test_a_shown_command_works(shown: Shown, folder: Path) -> None:
    CHECKS[program(shown.text)](shown.text, folder)


@pytest.mark.slow
@pytest.mark.parametrize(("whole", "short"), sorted({pair for page in pages() for pair in abbreviated(page)}))
def test_an_abbreviated_command_works(whole: str, short: str, folder: Path) -> None:
    """After ``jantaku rules list``, ``show NAME`` stands for ``jantaku rules show NAME``."""
    first, second = words_of(whole)[1:], words_of(short)
    tried = [[*first[:kept], *second] for kept in range(len(first), -1, -1)]
    assert any(answers(words) for words in tried), f"no command {short!r} like {whole!r}"


def answers(words: list[str]) -> bool:
    """Whether ``jantaku`` knows these words and does what they say."""
    return words[0] in COMMANDS and invoke(filled(words))[0] == 0
