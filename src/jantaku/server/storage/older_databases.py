"""Lifts a database from before the first release to its tables: those of versions 0001 to 0017.

These versions only ever added tables and columns. So whatever is missing is added, and what later versions
work out for every new row is worked out for the rows that are there.
"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, MetaData, Row, exists, insert, inspect, select, text
from sqlalchemy.schema import CreateColumn

from jantaku.errors import JantakuError
from jantaku.records.native.hand_log import hand_logs
from jantaku.rules import Ruleset, load, preset_names
from jantaku.server.names import mark_of, skeleton
from jantaku.server.storage.beginning import beginning_of
from jantaku.server.storage.house_rules import HouseRules
from jantaku.server.storage.migrations import FIRST, mark, migrate, version_of
from jantaku.server.storage.migrations.first_tables import FIRST_TABLES
from jantaku.server.storage.replaying import replayed

LOG = logging.getLogger("jantaku.server")
LAST: Final = "0017"
AT_ONCE: Final = 5000
T: Final = FIRST_TABLES.tables
Values = Mapping[str, Any]


def is_older(version: str) -> bool:
    """Whether a version of the tables is from before the first release."""
    return len(version) == len(LAST) and version.isdecimal() and 0 < int(version) <= int(LAST)


def to_newest(connection: Connection) -> None:
    """Bring the database to the tables of this version, whatever version they are of."""
    version = version_of(connection)
    if is_older(version):
        _add_missing(connection)
        fill(connection, version)
        mark(connection, FIRST)
    migrate(connection)


def _add_missing(connection: Connection) -> None:
    """Add the tables, columns and indexes that are not there yet."""
    there = MetaData()
    there.reflect(connection)
    FIRST_TABLES.create_all(connection)
    for name, before in there.tables.items():
        table = T.get(name)
        if table is None:  # the version of the tables
            continue
        for column in table.columns:
            if column.name not in before.columns:
                made = CreateColumn(column).compile(dialect=connection.dialect)
                connection.execute(text(f"ALTER TABLE {name} ADD COLUMN {made}"))
        known = {index["name"] for index in inspect(connection).get_indexes(name)}
        for index in table.indexes:
            if index.name not in known:
                index.create(connection)


def fill(connection: Connection, version: str) -> None:
    """Add the rows that a database of ``version`` does not have."""
    for since, table, rows in FILLED:
        if version < since:
            made = rows(connection)
            while some := list(islice(made, AT_ONCE)):
                connection.execute(insert(T[table]), some)


def _names(connection: Connection) -> Iterator[Values]:
    """The names of accounts; if two look alike, the older account keeps the name."""
    people, names = T["people"].c, dict[str, str]()
    query = select(people.id, people.name, people.account).where(people.account.is_not(None))
    for row in connection.execute(query.order_by(people.created, people.id)):
        for name in (row.account, row.name):
            names.setdefault(skeleton(name), row.id)
    return iter([{"skeleton": name, "person": person} for name, person in names.items()])


def _guest_names(connection: Connection) -> Iterator[Values]:
    """The names of the guests so far, and of the people in games."""
    people = T["people"].c
    guests = connection.execute(select(people.name).where(people.account.is_(None))).scalars()
    marks = set(map(mark_of, guests))
    for row in _games(connection):
        marks |= {mark_of(player["name"]) for _, player in _players(row) if player.get("name")}
    return iter([{"mark": mark, "given": 1} for mark in sorted(marks)])


def _game_players(connection: Connection) -> Iterator[Values]:
    for row in _games(connection):
        ended = row.ended if row.status == "finished" else None
        for seat, player in _players(row):
            yield {"game": row.id, "seat": seat, "person": player["person"], "ended": ended}


def _players(row: Row[Any]) -> list[tuple[int, Values]]:
    """The people in a game; nobody if they cannot be read, as in lists."""
    try:
        return [(seat, player) for seat, player in enumerate(json.loads(row.players)) if player.get("person")]
    except (ValueError, TypeError, AttributeError):
        return []


def _hands(connection: Connection) -> Iterator[Values]:
    """The hands of finished games as this version plays them; a game that it cannot play has none."""
    hands, games = T["hands"].c, T["games"].c
    for row in _games(connection, games.status != "playing", ~exists().where(hands.game == games.id)):
        try:
            logs = hand_logs(_game(connection, row), ended=True)
        except (JantakuError, ValueError, TypeError, LookupError) as error:
            LOG.warning("the hands of game %s cannot be kept: %s", row.id, error)
            continue
        yield from ({"game": row.id, "number": number, "log": log} for number, log in enumerate(logs))


def _game(connection: Connection, row: Row[Any]) -> Any:
    actions = T["actions"].c
    query = select(actions.seat, actions.action).where(actions.game == row.id).order_by(actions.number)
    moves = [(seat, action) for seat, action in connection.execute(query)]
    return replayed(_rules(connection, row), beginning_of(row.seed, row.opening), moves)


def _rules(connection: Connection, row: Row[Any]) -> Ruleset:
    if row.rules in preset_names() and load(row.rules).fingerprint == row.fingerprint:
        return load(row.rules)
    rulesets = T["rulesets"].c
    for key in (row.rules, row.fingerprint):
        tree = connection.execute(select(rulesets.tree).where(rulesets.fingerprint == key)).scalar()
        house = HouseRules().read(json.loads(tree), key) if tree else None
        if house is not None and house.fingerprint == row.fingerprint and not house.missing:
            return house.rules.under(row.rules)
    raise LookupError(row.fingerprint)


def _games(connection: Connection, *where: Any) -> Iterator[Row[Any]]:
    """All games, some at a time."""
    games, after = T["games"], ""
    while True:
        query = select(games).where(games.c.id > after, *where).order_by(games.c.id).limit(AT_ONCE)
        rows = connection.execute(query).all()
        yield from rows
        if len(rows) < AT_ONCE:
            return
        after = rows[-1].id


FILLED: Final[Iterable[tuple[str, str, Callable[[Connection], Iterator[Values]]]]] = (
    ("0003", "names", _names),
    ("0004", "hands", _hands),
    ("0015", "guest_names", _guest_names),
    ("0017", "game_players", _game_players),
)  # the version from which on each new row has them
