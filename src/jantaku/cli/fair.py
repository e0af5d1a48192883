"""``jantaku fair``: checks that the walls of a recorded game were fixed before it began."""

from pathlib import Path
from typing import Annotated, Final

import typer

from jantaku.cli.completion import RULES
from jantaku.cli.console import out, rules_named, words
from jantaku.errors import RecordError

UNFAIR: Final = 1
# The errors of a game file whose seed does not reproduce the rest of the file
DIFFERENCES: Final = ("record_commitment", "record_event", "record_action")


def fair(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    rules: Annotated[str | None, RULES] = None,
) -> int:
    """Check the commitment, the opening and every wall of a game."""
    from jantaku.game import fair_walls
    from jantaku.records.formats import read_record

    console = out()
    try:
        record = read_record(file, rules_named(rules) if rules else None)
    except RecordError as error:
        if error.code not in DIFFERENCES:
            raise
        console.print(words("fair.wrong", reason=error.message()), style="bold red")
        return UNFAIR
    game = record.game
    if game.seed is None:
        console.print(words("fair.given"), style="yellow")
        return 0
    if record.format == "compact":
        console.print(words("fair.uncommitted"), style="yellow")
        return 0
    commitment = fair_walls.commitment(game.seed)
    console.print(words("fair.commitment", commitment=commitment), soft_wrap=True)
    if not fair_walls.check(commitment, game.seed, game.walls):
        console.print(words("fair.wrong", reason=commitment), style="bold red")
        return UNFAIR
    console.print(words("fair.opening"), style="green")
    console.print(words("fair.walls", count=len(game.walls)), style="green")
    return 0
