"""``jantaku backup``: copies the parlour's database while the server runs."""

# ruff: noqa: PLC0415  (the server's packages are imported when the command runs)

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from jantaku.cli.console import out, words
from jantaku.errors import RequestError


def backup(
    file: Annotated[Path, typer.Argument()],
    data: Annotated[Path | None, typer.Option(metavar="FOLDER", envvar="JANTAKU_DATA_DIR")] = None,
) -> int:
    """Copy the database into a new file."""
    try:
        from jantaku.server.settings import Settings
        from jantaku.server.storage.backup import backup as copy
    except ImportError as error:
        raise RequestError("server_missing", field="backup", reason=error.name or str(error)) from error
    settings = Settings.from_environment()
    if data is not None:
        settings = dataclasses.replace(settings, data_dir=data)
    copy(settings, file)
    out().print(words("backup.done", file=file), style="bold green", soft_wrap=True)
    return 0
