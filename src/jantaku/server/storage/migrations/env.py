"""Alembic's entry point for each upgrade, on the given connection."""

from alembic import context

from jantaku.server.storage import event_schema  # noqa: F401 — declares the tables of events
from jantaku.server.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
context.run_migrations()
