"""Alembic migrations of the database schema, starting with the first release."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection


def migrate(connection: Connection) -> None:
    """Upgrade the database to the current schema; raises ``CommandError`` if its schema is newer."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def version_of(connection: Connection) -> str:
    """Return the schema version; empty for a database without tables."""
    return MigrationContext.configure(connection).get_current_revision() or ""
