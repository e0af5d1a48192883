"""``jantaku backup`` and ``upgrade``: copy the whole database, and migrate its schema."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jantaku.cli.console import out, refuse_unused, words
from jantaku.cli.options import Database, DataFolder
from jantaku.errors import RequestError

if TYPE_CHECKING:
    from jantaku.server.settings import Settings


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument()],
    data: DataFolder = None,
    database: Database = "",
) -> int:
    """Copy the whole database into a new file."""
    settings = _settings(context, data, database)
    from jantaku.server.storage.backup import backup as copy

    kind = copy(settings, file)
    out().print(words("backup.done", file=file), style="bold green", soft_wrap=True)
    out().print(words(f"backup.restore_{kind}", file=file), soft_wrap=True)
    return 0


def upgrade(context: typer.Context, data: DataFolder = None, database: Database = "") -> int:
    """Migrate a database to the schema of this version."""
    settings = _settings(context, data, database)
    from jantaku.server.storage.backup import upgrade as bring

    before, now = bring(settings)
    message = words("backup.newest" if before == now else "backup.upgraded", before=before, now=now)
    out().print(message, style="bold green", soft_wrap=True)
    return 0


def _settings(context: typer.Context, data: Path | None, database: str) -> "Settings":
    try:
        from jantaku.server.settings import Settings
        from jantaku.server.storage import Store
    except ImportError as error:
        raise RequestError(
            "server_missing", field=str(context.info_name), reason=error.name or str(error)
        ) from error
    del Store  # imported only to check that the database packages are installed
    if database:
        refuse_unused(context, ("data",), "--database")
    settings = Settings.from_environment()
    if database:
        settings = dataclasses.replace(settings, database_url=database)
    return settings if data is None else dataclasses.replace(settings, data_dir=data)
