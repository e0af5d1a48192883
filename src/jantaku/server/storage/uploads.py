"""Logs that people upload to look at."""

from sqlalchemy import insert, select

from jantaku.server.storage.accounts import new_id
from jantaku.server.storage.schema import uploads
from jantaku.server.storage.store import Store, now_ms


class Uploads:
    """Uploaded logs by id."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, name: str, text: str) -> str:
        """Store a log; its id."""
        row = {"id": new_id(), "name": name, "text": text, "created": now_ms()}
        async with self._store.writing() as connection:
            await connection.execute(insert(uploads).values(row))
        return str(row["id"])

    async def find(self, upload: str) -> tuple[str, str] | None:
        """Name and text of a log."""
        query = select(uploads.c.name, uploads.c.text).where(uploads.c.id == upload)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else (row.name, row.text)
