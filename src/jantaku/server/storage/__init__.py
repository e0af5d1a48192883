"""Storage: one database, SQLite or PostgreSQL, and a writer that commits in groups."""

from jantaku.server.storage.store import Store

__all__ = ["Store"]
