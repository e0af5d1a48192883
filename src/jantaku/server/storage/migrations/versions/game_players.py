"""Who played in which game, so that games are not searched for in text; indexes for lists and ratings."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

AT_ONCE = 5000


def upgrade() -> None:
    """Add the table, filled with the people of all games so far, and the indexes."""
    players = op.create_table(
        "game_players",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, autoincrement=False),
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_game_players_game"),
        sa.PrimaryKeyConstraint("game", "seat", name="pk_game_players"),
    )
    rows = _rows()
    while some := list(islice(rows, AT_ONCE)):
        op.bulk_insert(players, some)
    op.create_index("ix_game_players_person_ended_game", "game_players", ["person", "ended", "game"])
    op.create_index("ix_games_fingerprint_ended", "games", ["fingerprint", "ended"])


def _rows() -> Iterator[dict[str, Any]]:
    """The people of every game; what cannot be read is passed over, as in lists."""
    names = ("id", "players", "status", "ended")
    games = sa.table("games", *map(sa.column, names))
    after = ""
    while True:
        query = sa.select(*(games.c[name] for name in names)).where(games.c.id > after)
        found = op.get_bind().execute(query.order_by(games.c.id).limit(AT_ONCE)).all()
        for row in found:
            ended = row.ended if row.status == "finished" else None
            for seat, person in _people(row.players):
                yield {"game": row.id, "seat": seat, "person": person, "ended": ended}
        if len(found) < AT_ONCE:
            return
        after = found[-1].id


def _people(text: str) -> list[tuple[int, str]]:
    try:
        return [(seat, one["person"]) for seat, one in enumerate(json.loads(text)) if one.get("person")]
    except (ValueError, TypeError, AttributeError):
        return []


def downgrade() -> None:
    """Remove them again."""
    op.drop_index("ix_games_fingerprint_ended", "games")
    op.drop_table("game_players")
