"""Logs that people upload to view."""

from typing import NamedTuple

from sqlalchemy import func, insert, select

from jantaku.server.errors import ServerError
from jantaku.server.limits import Limits
from jantaku.server.storage.accounts import new_id
from jantaku.server.storage.kept_bytes import check_kept
from jantaku.server.storage.paging import ListPage, PageEnd, following, newest
from jantaku.server.storage.schema import uploads
from jantaku.server.storage.store import OverStore, now_ms


class UploadRow(NamedTuple):
    """An uploaded log without its text."""

    id: str
    name: str
    created: int


class Uploads(OverStore):
    """Uploaded logs by id."""

    async def add(self, name: str, text: str, person: str, limits: Limits) -> str:
        """Store a person's log and return its id; raises if they have reached their limits."""
        row = {"id": new_id(), "name": name, "text": text, "created": now_ms(), "person": person}
        query = select(func.count()).select_from(uploads).where(uploads.c.person == person)
        most = limits.uploads_of_one
        async with self._store.counting() as connection:
            if (await connection.execute(query)).scalar_one() >= most:
                raise ServerError("too_many_uploads", most=most)
            await check_kept(connection, person, len(text.encode()), limits.kept_bytes_of_one)
            await connection.execute(insert(uploads).values(row))
        return str(row["id"])

    async def of_person(self, person: str, before: PageEnd | None, most: int) -> ListPage[UploadRow]:
        """A person's logs that were uploaded before a position, newest first."""
        query = select(uploads.c.id, uploads.c.name, uploads.c.created).where(uploads.c.person == person)
        rows = list(await self._store.rows(newest(query, (uploads.c.created, uploads.c.id), before, most)))
        return ListPage([UploadRow(*row) for row in rows], following(rows, "created", most))

    async def find(self, upload: str) -> tuple[str, str] | None:
        """Name and text of a log."""
        query = select(uploads.c.name, uploads.c.text).where(uploads.c.id == upload)
        row = await self._store.first(query)
        return None if row is None else (row.name, row.text)
