"""The steps from the tables of the first release to the newest ones (Alembic)."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection


def migrate(connection: Connection) -> None:
    """Bring the database to the newest tables; raises ``CommandError`` if a later version made them."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def version_of(connection: Connection) -> str:
    """The version of the tables; empty if there are none."""
    return MigrationContext.configure(connection).get_current_revision() or ""
