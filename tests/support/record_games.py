"""Helpers for tests of record formats: games of several rulesets, and comparisons of games."""

import dataclasses
import json
import re
from collections.abc import Callable
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from jantaku.game import Event, Game
from jantaku.game.events import GameEnded, GameStarted
from jantaku.records.formats import read
from support.playing import played

PRESETS = ("tenhou", "bgm-2025", "m-league", "standard")


@cache
def game_of(rules: str, seed: int, steps: int | None = None) -> Game:
    """Return a game for read-only use."""
    return played(rules, seed, steps)


@cache
def real_games(folder: Path) -> dict[str, Game]:
    """Return the games of the logs in a folder by file name."""
    return {path.name: read(path) for path in sorted(folder.glob("*.mjlog"))}


def comparable_events(game: Game) -> list[Event]:
    """Return the events without the commitment to the wall's seed and the seed revealed at the end."""
    events: list[Event] = []
    for event in game.events:
        if isinstance(event, GameStarted):
            events.append(dataclasses.replace(event, commitment=None))
        elif isinstance(event, GameEnded):
            events.append(dataclasses.replace(event, opening=None))
        else:
            events.append(event)
    return events


def with_mark(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    """Change our description of the rules in a log; remove it if it becomes empty."""
    if text.startswith("<"):
        (found,) = re.findall(r' jantaku="([^"]*)"', text)
        change(mark := json.loads(unescape(found)))
        new = f' jantaku="{escape(json.dumps(mark))}"' if mark else ""
        return text.replace(f' jantaku="{found}"', new)
    data, end = json.JSONDecoder().raw_decode(text)
    holder = data.get("rule", data)
    change(holder["jantaku"])
    if not holder["jantaku"]:
        del holder["jantaku"]
    return json.dumps(data) + text[end:]


def without_mark(text: str) -> str:
    """Return a log as written by other programs."""
    return with_mark(text, dict.clear)
