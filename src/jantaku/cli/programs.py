"""The operator's list of external mjai programs that a server offers as bots and as judges of reviews."""

import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jantaku.bots import BOTS, LEVELS
from jantaku.bots.mjai import LINES, MJAI
from jantaku.errors import RequestError, cause
from jantaku.fields import Fields
from jantaku.kernels.win import MAX_SEATS

if TYPE_CHECKING:
    from jantaku.server.settings import Program

FIELD: Final = "--programs"
MIN_PLAYERS: Final = 2


def read_programs(path: Path) -> tuple["Program", ...]:
    """Read a TOML file with a table for each program, whose name is that of the table.

    Each has a ``command`` as in the arena, and optionally the only number of ``players`` and the ids of the
    only ``rules`` that it can play. Raises ``RequestError`` for an invalid file.
    """
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
        return tuple(_program(name, data) for name, data in tables.items())
    except (OSError, ValueError, RecursionError) as error:
        raise RequestError("programs_wrong", field=FIELD, path=str(path), reason=cause(error)) from error


def _program(name: str, data: Mapping[str, Any]) -> "Program":
    from jantaku.server.settings import PROGRAM_NAME, Program

    if not re.fullmatch(PROGRAM_NAME, name) or name.lower() in (*BOTS, *LEVELS):
        raise RequestError("program_name", field=name)
    fields = Fields(data, ("command", "players", "rules"), f"{name}.")
    rules = fields.typed("rules", list, [])
    if not all(isinstance(one, str) for one in rules):
        raise RequestError("wrong_type", field=fields.path("rules"), wanted="list[str]")
    players = fields.optional_whole("players", MIN_PLAYERS, MAX_SEATS)
    return Program(name, _command(fields), players, tuple(rules))


def _command(fields: Fields) -> str:
    command = fields.typed("command", str)
    try:
        words = shlex.split(command.removeprefix(MJAI).removeprefix(LINES))
    except ValueError:
        words = []
    if not command.startswith(MJAI) or not words:
        raise RequestError("program_command", field=fields.path("command"), value=command)
    return command
