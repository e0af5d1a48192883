"""Pictures of people: one each, small, reported by others and removed by those who look after the parlour."""

import hashlib
from typing import Final, NamedTuple

from sqlalchemy import delete, func, insert, select, update

from jantaku.server.errors import ServerError
from jantaku.server.storage.avatar_schema import avatar_reports, avatars
from jantaku.server.storage.people import DAY_MS
from jantaku.server.storage.schema import people
from jantaku.server.storage.store import Store, now_ms

MARK: Final = 16
BARRED_MS: Final = 30 * DAY_MS  # whose picture was removed shows no other for so long
MOST_REPORTED: Final = 100


class ReportedAvatar(NamedTuple):
    """A picture that others have reported, and how many have."""

    person: str
    name: str
    mark: str
    reports: int


class AvatarStore:
    """All pictures. ``marks``: of each person who shows one, in memory, as tables tell it all the time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.marks: dict[str, str] = {}

    async def open(self) -> None:
        """Learn who shows a picture."""
        query = select(avatars.c.person, avatars.c.mark).where(avatars.c.picture.is_not(None))
        self.marks = {row.person: row.mark for row in await self._store.rows(query)}

    def note(self, person: str, mark: str | None) -> None:
        """Somebody shows another picture, or none."""
        if mark is None:
            self.marks.pop(person, None)
        else:
            self.marks[person] = mark

    async def picture(self, person: str, mark: str) -> bytes | None:
        """The picture of a person, if it is still this one."""
        query = select(avatars.c.picture).where(avatars.c.person == person, avatars.c.mark == mark)
        picture: bytes | None = await self._store.value(query)
        return picture

    async def put(self, person: str, picture: bytes) -> str:
        """Keep the picture of a person instead of any before; its mark. Raises ``picture_barred``.

        Reports stay until somebody has looked: whoever is reported cannot end them by another picture.
        """
        mark, now = hashlib.sha256(picture).hexdigest()[:MARK], now_ms()
        before = select(avatars.c.picture.is_(None), avatars.c.since).where(avatars.c.person == person)
        async with self._store.counting() as connection:
            row = (await connection.execute(before)).first()
            if row is not None and row[0] and row[1] > now - BARRED_MS:
                raise ServerError("picture_barred")
            values = {"picture": picture, "mark": mark, "since": now}
            if row is None:
                await connection.execute(insert(avatars).values(values | {"person": person}))
            else:
                mine = update(avatars).where(avatars.c.person == person)
                await connection.execute(mine.values(values))
        return mark

    async def withdraw(self, person: str) -> None:
        """Show no picture any more; one that was removed stays so."""
        shown = (avatars.c.person == person) & avatars.c.picture.is_not(None)
        await self._store.write(update(avatars).where(shown).values(picture=None, mark="", since=0))

    async def remove(self, person: str, mark: str) -> None:
        """Remove a picture for its content; raises ``no_picture`` if another one is shown meanwhile."""
        await self._decide(person, mark, picture=None, since=now_ms())

    async def report(self, person: str, reporter: str) -> None:
        """Report a picture, once; raises ``no_picture``."""
        shown = select(avatars.c.mark).where(avatars.c.person == person, avatars.c.picture.is_not(None))
        mine = (avatar_reports.c.person == person) & (avatar_reports.c.reporter == reporter)
        async with self._store.counting() as connection:
            if (await connection.execute(shown)).first() is None:
                raise ServerError("no_picture")
            await connection.execute(delete(avatar_reports).where(mine))
            await connection.execute(insert(avatar_reports).values(person=person, reporter=reporter))

    async def clear(self, person: str, mark: str) -> None:
        """Forget the reports of a picture that stays; raises ``no_picture`` if it is another by now."""
        await self._decide(person, mark, mark=mark)

    async def _decide(self, person: str, seen: str, **values: object) -> None:
        """End the reports of the picture that has been seen."""
        looked_at = (avatars.c.person == person) & (avatars.c.mark == seen) & avatars.c.picture.is_not(None)
        async with self._store.counting() as connection:
            if not (await connection.execute(update(avatars).where(looked_at).values(**values))).rowcount:
                raise ServerError("no_picture")
            await connection.execute(delete(avatar_reports).where(avatar_reports.c.person == person))

    async def reported(self) -> list[ReportedAvatar]:
        """The reported pictures, those with the most reports first."""
        count = func.count().label("reports")
        query = select(avatars.c.person, people.c.name, avatars.c.mark, count)
        query = query.join(people, people.c.id == avatars.c.person)
        query = query.join(avatar_reports, avatar_reports.c.person == avatars.c.person)
        query = query.where(avatars.c.picture.is_not(None))
        query = query.group_by(avatars.c.person, people.c.name, avatars.c.mark)
        async with self._store.reading() as connection:
            rows = await connection.execute(query.order_by(count.desc(), people.c.name).limit(MOST_REPORTED))
            return [ReportedAvatar(*row) for row in rows]
