"""The steps from the tables of the first release to the newest ones (Alembic)."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection

FIRST = "r1"  # the first release


def migrate(connection: Connection, version: str = "head") -> None:
    """Migrate the database from the first release or later to a version, by default the newest."""
    command.upgrade(_config(connection), version)


def mark(connection: Connection, version: str) -> None:
    """Note that the tables are those of a version."""
    command.stamp(_config(connection), version, purge=True)


def version_of(connection: Connection) -> str:
    """The version of the tables; empty if there are none."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
