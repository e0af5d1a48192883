"""The Python reference is complete, and a strict type checker accepts typical programs."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, get_args

import pytest

import jantaku
from docs.pages import ROOT
from docs.test_site import DOCS, build
from jantaku import game

API: Final = (DOCS / "api.md").read_text("utf-8")
MODULES: Final = sorted({*re.findall(r":: (jantaku[\w.]*)", API)})

SAMPLE: Final = """
from typing import assert_never

from jantaku import Game, Score, Win, load, score
from jantaku.bots import bot
from jantaku.bots.mjai import MjaiBot
from jantaku.bots.place_chances import chances_by_hand
from jantaku.bots.review import ReviewedDecision, reviews
from jantaku.game import (
    Action, Called, Chi, Discard, Discarded, DoraTurned, Drew, EndGame, Event, Foul, Fouled, GameEnded,
    GameStarted, HandDrawn, HandStarted, Kan, KanDeclared, Kita, KitaDeclared, NineTerminals, Pass, PlayOn,
    PointsMoved, Pon, RiichiAccepted, Ron, Tsumo, Won, hide,
)
from jantaku.lab.vector import VectorEnv


def who(event: Event) -> int | None:
    match event:
        case Discarded() | Drew() | Called() | KanDeclared() | KitaDeclared() | RiichiAccepted() | Fouled():
            return event.seat
        case Won():
            return event.payments_by_seat(dealer=0).index(max(event.score.payments.values()))
        case GameStarted() | HandStarted() | DoraTurned() | HandDrawn() | PointsMoved() | GameEnded():
            return None
        case _:
            assert_never(event)


def name(event: Event) -> str:
    if event.type == "points_moved":
        return str(event.deltas[0] + event.scores[0])
    return event.type


def asked(action: Action) -> bool:
    match action:
        case Discard():
            return action.riichi is not None and action.tile > 0
        case Chi():
            return action.tiles[0] < action.tiles[1]
        case Kan():
            return action.kind == "ankan"
        case Pon() | Foul() | Kita() | Pass() | Tsumo() | Ron() | NineTerminals() | EndGame() | PlayOn():
            return False
        case _:
            assert_never(action)


def game(program: str) -> list[str]:
    played, others = Game("tenhou", seed=1), bot("standard")
    with_program: MjaiBot = MjaiBot(program)
    seat = played.to_act[0]
    events = played.play(seat, others.choose(played, seat))
    decisions: tuple[ReviewedDecision, ...] = next(reviews(played, 0)).decisions
    print(len(decisions), chances_by_hand(played), with_program.faults, played.view(0).rivers[0])
    return [name(hide(event, None)) for event in events]


def many() -> int:
    env = VectorEnv(load("tenhou"), games=4)
    env.action_space.seed(1)
    now = env.reset()
    return int(env.step(now.mask.argmax(axis=1)).reward.sum()) + env.num_envs


worth: Score = score(Win.parse("234m567p34567s99p 8s"))
east: int = worth.payments["east"]
"""
WRONG: Final = """
from jantaku.game import Event


def who(event: Event) -> int:
    return event.seat
"""


def test_every_class_of_a_union_can_be_imported() -> None:
    """The types of arguments and results of public functions are themselves public."""
    for union in (game.Event, game.Action):
        assert {name.__name__ for name in get_args(union)} <= set(game.__all__)


def test_the_page_of_the_package_describes_all_its_names() -> None:
    """``Ruleset`` is described with ``jantaku.rules``."""
    _, _, section = API.partition("\n## jantaku\n")
    described = re.findall(
        r"auto(?:class|function|exception):: (\w+)$", section.partition("\n## ")[0], re.MULTILINE
    )
    assert sorted([*described, "Ruleset"]) == jantaku.__all__


@pytest.mark.slow
def test_a_strict_type_checker_accepts_typical_programs(tmp_path: Path) -> None:
    """The checker runs without our settings, as it does for a user of the installed package."""
    (tmp_path / "right.py").write_text(SAMPLE, "utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    cache = ROOT / ".mypy_cache" / "as-installed"
    options = ["--strict", "--config-file=", f"--cache-dir={cache}", "--python-version=3.11"]
    command = [sys.executable, "-m", "mypy", *options, "right.py", "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    errors = [line for line in done.stdout.splitlines() if ".py:" in line]
    assert not [line for line in errors if line.startswith("right.py")], done.stdout
    assert "union-attr" in done.stdout  # the checker sees the types


@pytest.mark.long
def test_the_reference_describes_every_public_name(tmp_path: Path) -> None:
    """The reference, built as text, has every public name and no docstring inherited from Python itself."""
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    shutil.copy(DOCS / "api.md", tmp_path)
    (tmp_path / "index.md").write_text("# Home\n\n```{toctree}\n\napi\n```\n", "utf-8")
    done = build(tmp_path, "text", strict=False)  # the other pages are not part of this build
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "api.txt").read_text("utf-8")
    assert "Alias for field" not in text
    for module in MODULES:
        if module.rpartition(".")[2][0].isupper():
            continue
        for name in getattr(importlib.import_module(module), "__all__", ()):
            value = getattr(importlib.import_module(module), name)
            if callable(value) and getattr(value, "__doc__", None) and hasattr(value, "__name__"):
                assert re.search(rf"\b{value.__name__}\b", text), f"{module}.{name}"
