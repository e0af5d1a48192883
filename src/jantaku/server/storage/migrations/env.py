"""Alembic's entry point for each upgrade, on the given connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
