"""Alembic's entry point for each upgrade, on the given connection."""

from alembic import context

from jantaku.server.storage import (  # noqa: F401 — they declare their tables
    event_schema,
    season_schema,
)
from jantaku.server.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
context.run_migrations()
