"""The command ``jantaku play``."""

import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jantaku.cli.command import RULES
from jantaku.cli.console import err, out, refuse_unused, rules_named
from jantaku.errors import RequestError

if TYPE_CHECKING:
    from jantaku.cli.play.saving import GameFile, SavedSeats
    from jantaku.cli.play.session import PlaySettings
    from jantaku.game import Game

INTERRUPTED, HUNG_UP = 130, 129
USUAL_RULES, USUAL_BOT = "bgm-2025", "standard"


def play(  # noqa: PLR0913, PLR0917  (each is an option)
    context: typer.Context,
    rules: Annotated[str | None, RULES] = None,
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME…]")] = USUAL_BOT,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0)] = None,
    seat: Annotated[int, typer.Option(metavar="N", min=0)] = 0,
    hints: Annotated[bool, typer.Option("--hints")] = False,
    record: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    clock: Annotated[bool, typer.Option("--clock")] = False,
    ascii_tiles: Annotated[bool, typer.Option("--ascii")] = False,
    speed: Annotated[float, typer.Option(metavar="S", min=0)] = 0.5,
) -> int:
    """Play one game against bots."""
    if resume:
        refuse_unused(context, ("seed", "record"), "--resume")
    if rules:
        rules_named(rules)  # a misspelled name is said wherever the command runs
    if not (sys.stdin.isatty() and out().is_terminal):
        raise RequestError("no_terminal", field="jantaku play")
    from jantaku.cli.play.session import PlaySettings

    if resume:
        game, file, seating = resumed(resume, rules, seat, bots, context)
    else:
        game, file, seating = new(rules or USUAL_RULES, seed, seat, bots, record)
    settings = PlaySettings(game.rules.clock if clock else None, hints, speed)
    return _run(game, file, seating, settings, ascii_tiles)


def bot_names(text: str, count: int) -> list[str]:
    """The names of ``count`` bots from one name for all or one for each; raises ``RequestError``."""
    from jantaku.bots import bot

    names = [name.strip() for name in text.split(",")]
    for name in names:
        bot(name)
    if len(names) == 1:
        names *= count
    if len(names) != count:
        raise RequestError("bot_count", field="--bots", count=len(names), wanted=count)
    return names


def seated(seat: int, bots: str, seats: range) -> "SavedSeats":
    """The player at ``seat`` and the bots at the other ``seats``, in turn order; raises ``RequestError``."""
    from jantaku.cli.play.saving import SavedSeats

    if seat not in seats:
        raise RequestError("number_range", field="--seat", value=seat, low=0, high=seats[-1])
    names = bot_names(bots, len(seats) - 1)
    names.insert(seat, "")
    return SavedSeats(seat, tuple(names))


def new(
    rules: str, seed: int | None, seat: int, bots: str, record: Path | None
) -> "tuple[Game, GameFile, SavedSeats]":
    """A new game and its file; raises ``RequestError`` if the file exists."""
    from jantaku.cli.play.saving import GameFile, new_path
    from jantaku.game import Game

    ruleset = rules_named(rules)
    seating = seated(seat, bots, ruleset.seats)
    if record is not None and record.exists():
        raise RequestError("file_exists", field="--record", path=record)
    game = Game(ruleset, seed=secrets.token_bytes(32) if seed is None else seed)
    return game, GameFile(record or new_path(ruleset.id), seating), seating


def resumed(
    path: Path, rules: str | None, seat: int, bots: str, context: typer.Context | None = None
) -> "tuple[Game, GameFile, SavedSeats]":
    """Resume the game of a file; ``seat`` and ``bots`` are defaults for what the file does not say.

    Raises ``RequestError`` if it says them, and the command line of ``context`` does, too.
    """
    from jantaku.cli.play.saving import GameFile, resume

    game, seats = resume(path, rules_named(rules) if rules else None)
    if seats is not None and context is not None:
        refuse_unused(context, ("seat", "bots"), f"--resume {path}")
    seating = seats or seated(seat, bots, game.seats)
    return game, GameFile(path, seating), seating


def _run(
    game: "Game", file: "GameFile", seating: "SavedSeats", settings: "PlaySettings", ascii_tiles: bool
) -> int:
    """Play in the terminal, then print the final sheet or how to resume."""
    from jantaku.bots import bot
    from jantaku.cli.hand_drawing import ascii_tiles as plain_tiles
    from jantaku.cli.play.console import terminal_desk
    from jantaku.cli.play.results import final_sheet
    from jantaku.cli.play.session import Left, PlaySession

    players = [
        None if seat == seating.seat else bot(name, seed=seat) for seat, name in enumerate(seating.bots)
    ]
    code, console = 0, out()
    names: list[str] = []
    for player in players:  # load everything before the table is drawn
        if player is not None and game.to_act:
            player.choose(game, game.to_act[0])
    try:
        with plain_tiles(ascii_tiles), terminal_desk(console) as desk:
            session = PlaySession(game, players, desk, file, settings)
            names = session.names
            session.run()
    except Left:
        pass
    except KeyboardInterrupt:
        code = INTERRUPTED
    except (EOFError, OSError):  # the terminal is gone
        return HUNG_UP
    except BaseException:
        _tell_where(game, file)
        raise
    _tell_where(game, file)
    if game.is_over:
        console.print(final_sheet(game, names))
    return code


def _tell_where(game: "Game", file: "GameFile") -> None:
    """Print where the game is saved and what can be done with it."""
    from jantaku.cli.play.screen import said

    key = "replay" if game.is_over else "resume"
    with suppress(OSError):
        err().print(said("after.kept", path=file.path), soft_wrap=True)
        err().print(said(f"after.{key}", path=file.path), soft_wrap=True)
