"""A person's name in what others have called their tables and seasons: who is meant, and who is not."""

from typing import Final

import pytest
from sqlalchemy import insert, select

from jantaku.server.edge.protocol import TableOptions
from jantaku.server.storage.erasure import erase_person
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.schema import people, season_parts, seasons, tables, ties
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import Sitter, TableRow
from server.parlour import Person

pytestmark = pytest.mark.anyio
CAME: Final = 1000  # when the person made their account
BEFORE, SINCE = CAME - 1, CAME + 1
MINJI: Final = PersonRow("minji", "Minji", "minji", "player", "ko")
ADMIN: Final = PersonRow("root", "Root", "root", "admin", "ko")


async def nothing(_: object) -> None:
    pass


async def club(services: Services) -> None:
    """Minji, her friend Jun, Kai who has asked her in vain, and others."""
    async with services.store.writing() as connection:
        for key in ("minji", "jun", "kai", "ann"):
            row = {"id": key, "name": key.title(), "account": key, "role": "player", "language": "ko"}
            await connection.execute(insert(people).values(row | {"created": CAME}))
        for one, other in (("minji", "jun"), ("jun", "minji"), ("kai", "minji")):
            await connection.execute(insert(ties).values(person=one, other=other, kind="friend", since=CAME))


async def called(services: Services, who: PersonRow, rows: list[TableRow]) -> dict[str, str]:
    """What tables are called when Minji is gone at her own or an admin's request."""
    for row in rows:
        await services.seating.add(row)
    async with services.store.writing() as connection:
        await erase_person(connection, who, "minji", nothing)
        found = await connection.execute(select(tables.c.id, tables.c.name))
    return {row.id: row.name for row in found}


def table(key: str, name: str, owner: str, created: int, sitter: str | None = None) -> TableRow:
    sitters = (Sitter(sitter.title(), sitter), None, None, None) if sitter else (None,) * 4
    return TableRow(key, name, owner, "x", "0" * 16, TableOptions(), sitters, created=created)


CASES: Final = [  # owner, when, who sits there, and the name as it is when Minji, or an admin, deletes her
    ("Minji and friends", "ann", BEFORE, "minji", "– and friends", "– and friends"),
    ("민수의 Minji네", "ann", SINCE, "minji", "민수의 –네", "민수의 –네"),
    ("Minjiana", "ann", SINCE, "minji", "Minjiana", "Minjiana"),
    ("Minji and friends", "ann", SINCE, "ann", "Minji and friends", "Minji and friends"),
    ("Minji's evening", "jun", SINCE, None, "–'s evening", "–'s evening"),
    ("Minji's evening", "jun", BEFORE, None, "Minji's evening", "–'s evening"),
    ("Minji's evening", "kai", SINCE, None, "Minji's evening", "Minji's evening"),
    ("", "jun", SINCE, "minji", "", ""),
]


@pytest.mark.parametrize("who", [MINJI, ADMIN])
async def test_tables_of_others_lose_the_name_of_who_is_meant(services: Services, who: PersonRow) -> None:
    await club(services)
    rows = [
        table(f"t{number}", name, owner, created, sitter)
        for number, (name, owner, created, sitter, *_) in enumerate(CASES)
    ]
    wanted = {f"t{number}": case[4 if who is MINJI else 5] for number, case in enumerate(CASES)}
    assert await called(services, who, rows) == wanted


async def test_where_somebody_once_played_the_table_loses_the_name(services: Services) -> None:
    await club(services)
    played = table("t1", "Minji and friends", "ann", BEFORE)
    await services.seating.add(played)
    sitters = (Sitter("Minji", "minji"), Sitter("Ann", "ann"), None, None)
    bots = tuple(sitter or Sitter("Sora", bot="gentle") for sitter in sitters)
    await services.games.begin(GameRow("g1", "t1", 1, b"", "x", "0" * 16, bots, started=1), played)
    assert await called(services, MINJI, []) == {"t1": "– and friends"}


@pytest.mark.parametrize(
    ("owner", "created", "name"),
    [("minji", BEFORE, "–배"), ("jun", SINCE, "–배"), ("jun", BEFORE, "Minji배"), ("ann", SINCE, "Minji배")],
)
async def test_seasons_of_friends_lose_the_name(
    services: Services, owner: str, created: int, name: str
) -> None:
    await club(services)
    text = '{"ko": "Minji배"}'
    async with services.store.writing() as connection:
        row = {"id": "s", "name": text, "listed": True, "person": owner, "created": created}
        await connection.execute(insert(seasons).values(row))
        part = {"season": "s", "id": "p", "number": 1, "name": text, "ranked": True}
        await connection.execute(insert(season_parts).values(part))
        await erase_person(connection, MINJI, "minji", nothing)
        names = [
            (await connection.execute(select(column))).scalar_one()
            for column in (seasons.c.name, season_parts.c.name)
        ]
    assert names == [f'{{"ko": "{name}"}}'] * 2


async def test_whoever_waits_at_the_table_sees_its_name_change(url: str) -> None:
    host, guest = Person(url, "Haru"), Person(url, "Quitte")
    there = host.table(name="Quitte and friends")["id"]
    guest.post(f"/api/tables/{there}/join")
    confirm = guest.post("/api/me/erase")["confirm"]
    guest.post("/api/me/erase", confirm=confirm)
    assert host.get(f"/api/tables/{there}")["name"] == "– and friends"
    for person in (host, guest):
        person.close()
