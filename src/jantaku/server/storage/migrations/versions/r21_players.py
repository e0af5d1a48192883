"""Who somebody is in all events of a season, their number among namesakes, and 0 points that are brought."""

import secrets
from collections import Counter, defaultdict

import sqlalchemy as sa
from alembic import op

from jantaku.server.storage.migrations.table_lines import add_columns, add_index

revision = "r21"
down_revision = "r20"


def upgrade() -> None:
    """Add the columns; until now an account, or a name in a season, said who somebody is."""
    add_columns("event_entries player:64= namesake:int=1 brings:int?")
    table = sa.table(
        "event_entries",
        *map(
            sa.column, ("event", "id", "number", "name", "person", "player", "namesake", "brought", "brings")
        ),
    )
    brought = sa.update(table).where(table.c.brought != 0)
    op.get_bind().execute(brought.values(brings=table.c.brought))
    op.drop_column("event_entries", "brought")
    op.alter_column("event_entries", "brings", new_column_name="brought")
    add_index("event_entries", "player")
    _say_who_is_who(table)


def _say_who_is_who(table: sa.TableClause) -> None:
    connection = op.get_bind()
    parts = sa.table("season_parts", sa.column("season"), sa.column("event"))
    season_of = {row.event: row.season for row in connection.execute(sa.select(parts)) if row.event}
    accounts, names = dict[str, str](), dict[tuple[str, str, int], str]()
    numbers: defaultdict[str, Counter[str]] = defaultdict(Counter)
    columns = (table.c.event, table.c.id, table.c.name, table.c.person)
    for row in connection.execute(sa.select(*columns).order_by(table.c.event, table.c.number)).all():
        name = row.name.casefold()
        numbers[row.event][name] += 1
        number = numbers[row.event][name]
        new = secrets.token_hex(8)
        if row.person is not None:
            player = accounts.setdefault(row.person, new)
        else:
            player = names.setdefault((season_of.get(row.event, row.event), name, number), new)
        mine = (table.c.event == row.event) & (table.c.id == row.id)
        connection.execute(sa.update(table).where(mine).values(player=player, namesake=number))
