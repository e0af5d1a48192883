"""``jantaku mjai``: run a bot as an mjai program, for use in other arenas."""

import sys
from typing import Annotated, Any, Final, cast

import typer

from jantaku.cli.command import RULES, MaybeNumber
from jantaku.cli.console import print_error, rules_named
from jantaku.errors import wrong_choice

MAX_LINE: Final = 1 << 20  # characters of a line


def mjai(
    player: Annotated[str, typer.Argument(metavar="BOT")],
    rules: Annotated[str | None, RULES] = None,
    seed: MaybeNumber = None,
    seat: Annotated[int | None, typer.Option(metavar="N", min=0, max=3)] = None,
) -> int:
    """Answer each line of messages with one line until the game or the input ends."""
    from jantaku.bots import BOTS, LEVELS, bot
    from jantaku.bots.mjai_program import MjaiProgram
    from jantaku.bots.net_file import FILE_END
    from jantaku.bots.python_bots import python_bot

    in_file = player.endswith(FILE_END)
    if not in_file and ":" not in player and player not in (*BOTS, *LEVELS):
        raise wrong_choice("bot", player, (*BOTS, *LEVELS, f"FILE{FILE_END}", "module:Class"))
    chosen = python_bot(player)() if ":" in player and not in_file else bot(player, seed)
    program = MjaiProgram(chosen, rules_named(rules) if rules else None, seat, print_error)
    cast("Any", sys.stdin).reconfigure(encoding="utf-8", errors="replace")
    while not program.over and (line := sys.stdin.readline(MAX_LINE)):
        if line.strip():
            sys.stdout.write(program.answer(line) + "\n")
            sys.stdout.flush()
    return 0
