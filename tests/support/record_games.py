"""What the tests of record formats share: games of several rulesets, and how two games are compared."""

import dataclasses
import json
import re
from functools import cache
from pathlib import Path

from jantaku.game import Event, Game
from jantaku.game.events import GameEnded, GameStarted
from jantaku.records.formats import read
from support.playing import played

PRESETS = ("tenhou", "bgm-2025", "m-league", "standard")


@cache
def game_of(rules: str, seed: int, steps: int | None = None) -> Game:
    """A game that tests read and do not change."""
    return played(rules, seed, steps)


@cache
def real_games(folder: Path) -> dict[str, Game]:
    """The games of the logs in a folder, by the names of their files."""
    return {path.name: read(path) for path in sorted(folder.glob("*.mjlog"))}


def events_told(game: Game) -> list[Event]:
    """The events without the commitment to the wall's seed and its opening."""
    events: list[Event] = []
    for event in game.events:
        if isinstance(event, GameStarted):
            events.append(dataclasses.replace(event, commitment=None))
        elif isinstance(event, GameEnded):
            events.append(dataclasses.replace(event, opening=None))
        else:
            events.append(event)
    return events


def without_mark(text: str) -> str:
    """A log as other programs write it, without our description of its rules."""
    if text.startswith("<"):
        return re.sub(r' jantaku="[^"]*"', "", text)
    head, _, rest = text.partition("\n")
    data = json.loads(head)
    del data.get("rule", data)["jantaku"]
    return json.dumps(data) + ("\n" + rest if rest else "")
