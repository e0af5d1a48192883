"""Scripted players at a terminal: keys, screens as text, and prompts."""

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console, RenderableType

from jantaku.bots import bot
from jantaku.cli.play.console import Desk
from jantaku.cli.play.prompt import Prompt
from jantaku.cli.play.saving import GameFile, SavedSeats
from jantaku.cli.play.session import PlaySession, PlaySettings
from jantaku.game import Discard, Game
from jantaku.game.actions import Action
from jantaku.rules import Ruleset, load
from jantaku.rules.options import ClockOptions

WIDTH, HEIGHT = 80, 24
MOVES = ("left", "right", "up", "down", "home", "end")
CLOCK = ClockOptions(claim_window_s=3, turn_s=5, bank_s=20)


def east(name: str) -> Ruleset:
    return load(name).with_changes({"match.length": "east"})


def written(screen: RenderableType, width: int = WIDTH, height: int = HEIGHT) -> str:
    """A screen as text."""
    file = io.StringIO()
    Console(file=file, width=width, height=height, color_system=None).print(screen)
    return file.getvalue()


class Script:
    """A console without a terminal: scripted keys, recorded screens, and a clock that moves at every key."""

    def __init__(self, keys: Iterator[str | None], size: tuple[int, int] = (WIDTH, HEIGHT)) -> None:
        self.keys, self.time = keys, 0.0
        self.screens: list[RenderableType] = []
        self.width, self.height = size
        console = Console(file=io.StringIO(), width=size[0], height=size[1], color_system=None)
        self.desk = Desk(self, console, self.screens.append, lambda: self.time, self.wait)

    def key(self, timeout: float | None = None) -> str | None:
        """The next key of the script; ``None`` there lets ``timeout`` pass."""
        key = next(self.keys)
        self.time += 0.1 if key else (timeout or 0.0)
        return key

    def wait(self, seconds: float) -> None:
        self.time += seconds

    def texts(self, most: int = 400) -> list[str]:
        step = max(1, len(self.screens) // most)
        return [written(screen, self.width, self.height) for screen in self.screens[::step]]


def fuzz(seed: int, *, leave: float = 0.0) -> Iterator[str | None]:
    """An endless stream of random keys, often winning keys, so that hands end."""
    rng = Random(seed)
    keys = ["enter"] * 16 + list("twrockpx") * 2 + [*MOVES, "h", "?", "s", "n", "esc", "tab", "space", None]
    while True:
        yield "q" if rng.random() < leave else rng.choice(keys)


def session_of(game: Game, script: Script, path: Path, *, seat: int = 0, **settings: Any) -> PlaySession:
    bots = [None if other == seat else bot("efficient", seed=other) for other in range(4)]
    given: dict[str, Any] = {"clock": CLOCK, "pace": 0.1} | settings
    return PlaySession(
        game, bots, script.desk, GameFile(path, SavedSeats(seat, ("efficient",) * 4)), PlaySettings(**given)
    )


def turn_of(game: Game, wanted: Callable[[Game, int], bool], players: Sequence[Any]) -> int | None:
    """Play on until a seat stands before what is wanted; that seat, ``None`` where the game ends first."""
    while not game.is_over:
        seat = game.to_act[0]
        if wanted(game, seat):
            return seat
        game.play(seat, players[seat].choose(game, seat))
    return None


def stands_before(kind: type[Action] | str, number: int = 1) -> Prompt:
    """The first prompt of a seeded game in which so many actions of that kind are possible."""

    def wanted(game: Game, seat: int) -> bool:
        legal = game.legal(seat)
        if isinstance(kind, str):
            return any(isinstance(action, Discard) and action.riichi == kind for action in legal)
        return sum(isinstance(action, kind) for action in legal) >= number

    players = [bot("efficient", seed=other) for other in range(4)]
    for seed in range(100):
        game = Game("bgm-2025", seed=seed)
        seat = turn_of(game, wanted, players)
        if seat is not None:
            return Prompt.of(game.view(seat))
    raise AssertionError(kind)


def pressed(prompt: Prompt, *keys: str) -> Any:
    """The results of a sequence of keys."""
    now: Any = prompt
    for key in keys:
        assert isinstance(now, Prompt), (key, now)
        now = now.press(key)
    return now
