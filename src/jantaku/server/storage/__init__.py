"""The database (SQLite or PostgreSQL), its stores, and a writer that commits actions in batches."""

from jantaku.server.storage.store import Store

__all__ = ["Store"]
