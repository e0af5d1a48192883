"""The owner says how long what is kept: a preview tells what goes; what a rating or an event needs stays."""

import json
import re
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, func, insert, select, update

from jantaku.server.errors import ServerError
from jantaku.server.limits import Limits
from jantaku.server.run import prepare
from jantaku.server.storage.cleanup import KINDS, Touched
from jantaku.server.storage.games import GameRow, moves_of
from jantaku.server.storage.people import DAY_MS
from jantaku.server.storage.schema import (
    events,
    game_players,
    games,
    hands,
    keeping,
    online_games,
    rating_steps,
    tables,
)
from jantaku.server.storage.schema import uploads as schema_uploads
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import PRACTICE, RANKED
from jantaku.server.storage.writer import Move
from server.parlour import Person, open_server, quick
from server.test_server_storage import a_game

NOW = 1000 * DAY_MS
USUAL = {kind.name: kind.usual for kind in KINDS}


async def played(services: Services, days_ago: float, status: str = "closed", **table: Any) -> str:
    """A game that ended so long ago, at a table with such columns."""
    row, game = await a_game(services)
    for number in range(3):
        await services.writer.write(Move(game.id, number, 0, "5m"))
    over = GameRow(
        **{**vars(game), "status": "finished", "ended": NOW - round(days_ago * DAY_MS), "hands": 1}
    )
    await services.games.end(over, row, [b"a hand"], 0, {})
    async with services.store.writing() as connection:
        values = {"status": status, **table}
        await connection.execute(update(tables).where(tables.c.id == row.id).values(values))
    return game.id


async def stored(services: Services) -> set[str]:
    return set(await services.store.values(select(games.c.id)))


async def add(services: Services, table: Table, **values: Any) -> None:
    """A row with such values; the others are empty."""
    empty = {column.name: column.type.python_type() for column in table.columns if not column.nullable}
    async with services.store.writing() as connection:
        await connection.execute(insert(table).values(empty | values))


async def in_an_event(services: Services, game: str) -> None:
    await add(services, events, id="e")
    await add(services, online_games, game=game, event="e", stage="main", outcome="counted")


async def in_a_rating(services: Services, game: str) -> None:
    await add(services, rating_steps, under="u", person="p1", game=game)


@pytest.mark.anyio
async def test_only_old_games_that_count_for_nothing_go(services: Services) -> None:
    services.writer.start()
    rated = json.dumps({"rated": True}, separators=(",", ":"))
    gone = [await played(services, 11), await played(services, 11, stage=PRACTICE)]
    stays = [
        await played(services, 9),
        await played(services, 11, options=rated),
        await played(services, 11, stage=RANKED),
        await played(services, 11, event="e", stage="main"),
        await played(services, 11, status="waiting"),  # a rematch may come
    ]
    for counts in (in_an_event, in_a_rating):
        stays.append(await played(services, 11))
        await counts(services, stays[-1])
    days = USUAL | {"casual": 10}
    expected = (await services.keeping.preview(days, NOW))["casual"]
    assert (expected.rows, expected.bytes > 0) == (2, True)
    await services.keeping.clean(NOW)
    assert await stored(services) == {*gone, *stays}, "nothing goes before it is saved"
    await services.keeping.save(days)
    await services.keeping.clean(NOW)
    assert await stored(services) == {*stays}
    left = await services.store.values(select(hands.c.game).union_all(select(game_players.c.game)))
    assert not {*gone} & {*left}
    assert await moves_of(services.store, *gone) == {game: [] for game in gone}
    assert (await services.keeping.preview(days, NOW))["casual"] == Touched(0, 0)


@pytest.mark.anyio
async def test_old_logs_go_and_young_ones_stay(services: Services) -> None:
    for created in (0, 995):
        await services.uploads.add("log", "x" * 1000, "p1", Limits())
        rows = update(schema_uploads).where(schema_uploads.c.created > NOW).values(created=created * DAY_MS)
        async with services.store.writing() as connection:
            await connection.execute(rows)
    days = USUAL | {"uploads": 10}
    uploads = (await services.keeping.preview(days, NOW))["uploads"]
    assert (uploads.rows, uploads.bytes > 1000) == (1, True)
    await services.keeping.save(days)
    await services.keeping.clean(NOW)
    assert await services.store.value(select(func.count()).select_from(schema_uploads)) == 1


@pytest.mark.anyio
async def test_all_is_kept_as_ever_unless_somebody_says_so(services: Services) -> None:
    assert await services.keeping.days() == USUAL == {"unpacked": 30, "casual": 0, "uploads": 0}
    await services.keeping.save(USUAL | {"unpacked": 3})
    assert await services.keeping.days() == USUAL | {"unpacked": 3}
    await services.keeping.save({})
    assert await services.keeping.days() == USUAL
    assert await services.store.value(select(func.count()).select_from(keeping)) == 0


@pytest.mark.anyio
@pytest.mark.parametrize("days", [{"unpacked": 0}, {"casual": 6}, {"uploads": 1}, {"casual": 36_501}])
async def test_what_would_go_at_once_is_refused(services: Services, days: Mapping[str, int]) -> None:
    for refuses in (services.keeping.save, services.keeping.preview):
        with pytest.raises(ServerError) as refused:
            await refuses(days)
        assert refused.value.code == "bad_days"


def test_the_administrator_looks_before_saving(tmp_path: Path) -> None:
    settings = quick(tmp_path)
    token = prepare(settings, admin=False)
    with open_server(settings) as url, closing(Person(url)) as admin, closing(Person(url, "Mina")) as mina:
        admin.post("/api/enter", token=token)
        kinds = [{"name": "casual", "days": 30}]
        for method, path in (("GET", ""), ("POST", "/preview"), ("PUT", "")):
            body = None if method == "GET" else {"kinds": kinds}
            assert mina.http.request(method, f"/api/keeping{path}", json=body).status_code == 403
        seen = admin.post("/api/keeping/preview", kinds=kinds)["kinds"]
        assert {kind["name"]: (kind["days"], kind["rows"]) for kind in seen}["casual"] == (30, 0)
        assert {kind["name"]: kind["days"] for kind in admin.get("/api/keeping")["kinds"]} == USUAL
        assert admin.http.put("/api/keeping", json={"kinds": kinds}).json()["kinds"] == seen
        assert admin.get("/api/keeping")["kinds"] == seen
        wrong = admin.http.put("/api/keeping", json={"kinds": [{"name": "casual", "days": 1}]})
        assert (wrong.status_code, wrong.json()["error"]["field"]) == (400, "casual")
        for language, script in (("ko", "[가-힣]"), ("ja", "[ぁ-んァ-ヶ一-龠]"), ("en", "[a-z]")):
            said = [
                kind[part]
                for kind in admin.get("/api/keeping", lang=language)["kinds"]
                for part in ("label", "lost")
            ]
            assert all(re.search(script, text) for text in said)
