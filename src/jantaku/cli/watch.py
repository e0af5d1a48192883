"""``jantaku watch``: bots play one game; prints every event and checks the record at the end."""

import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from jantaku.cli.completion import RULES
from jantaku.cli.console import heading, is_terminal, out, rules_named
from jantaku.cli.play.command import USUAL_BOT, USUAL_RULES, bot_names
from jantaku.errors import RequestError
from jantaku.terms import listed

if TYPE_CHECKING:
    from jantaku.game import Game

DIFFERS = 1


def watch(
    rules: Annotated[str, RULES] = USUAL_RULES,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0)] = None,
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME…]")] = USUAL_BOT,
    speed: Annotated[float | None, typer.Option(metavar="S", min=0)] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    ascii_tiles: Annotated[bool, typer.Option("--ascii")] = False,
) -> int:
    """Show one game of bots."""
    from jantaku.cli.hand_drawing import ascii_tiles as plain_tiles
    from jantaku.game import Game

    for given, option in ((speed is not None, "--speed"), (ascii_tiles, "--ascii")):
        if given and not is_terminal():
            raise RequestError("only_in_terminal", field=option)
    ruleset = rules_named(rules)
    names = bot_names(bots, len(ruleset.seats))
    if record is not None and record.exists():
        raise RequestError("file_exists", field="--record", path=record)
    game = Game(ruleset, seed=secrets.token_bytes(32) if seed is None else seed)
    with plain_tiles(ascii_tiles):
        return show(game, names, record, speed if is_terminal() else None)


def show(game: "Game", bots: Sequence[str], record: Path | None, speed: float | None = None) -> int:
    """Show a game of these bots; on a live table if there is a ``speed``."""
    from jantaku.bots import bot
    from jantaku.cli.play.live import LiveTable
    from jantaku.cli.play.results import final_sheet
    from jantaku.cli.play.screen import said
    from jantaku.cli.play.session import seat_names
    from jantaku.cli.play.stream import Teller

    console = out()
    names = seat_names([False] * len(bots))
    players = [bot(name, seed=seat) for seat, name in enumerate(bots)]
    bots_text = listed(f"{name} ({kind})" for name, kind in zip(names, bots, strict=True))
    console.print(heading(said("watch.title", rules=game.rules.id, bots=bots_text)))
    if speed is None:
        Teller(game, players, names, console).run()
    else:
        LiveTable(game, players, names, console, speed).run()
    console.print()
    agrees = check_record(game, record)
    console.print()
    console.print(final_sheet(game, names))
    return 0 if agrees else DIFFERS


def check_record(game: "Game", path: Path | None) -> bool:
    """Write the game to its file, replay the file, compare, and check the walls; whether all agrees."""
    from jantaku.cli.play.saving import GameFile
    from jantaku.cli.play.screen import said
    from jantaku.game import fair_walls
    from jantaku.records.native import game_file

    with tempfile.TemporaryDirectory() as folder:
        file = path or Path(folder) / "game.jsonl"
        GameFile(file).save(game)
        again, size = game_file.read(file, game.rules), file.stat().st_size
    agrees = again.state == game.state and again.events == game.events
    counts = {"actions": len(again.moves), "events": len(again.events), "bytes": size}
    lines = [(agrees, said("watch.agree", **counts) if agrees else said("watch.differ"))]
    if game.seed is not None:
        fair = fair_walls.check(fair_walls.commitment(game.seed), game.seed, again.walls)
        lines.append((fair, said("watch.fair") if fair else said("watch.unfair")))
    for fine, line in lines:
        out().print(Text(("✓ " if fine else "✗ ") + line, "green" if fine else "bold red"))
    if path is not None:
        out().print(Text(said("after.replay", path=path), "dim"), soft_wrap=True)
    return all(fine for fine, _ in lines)
