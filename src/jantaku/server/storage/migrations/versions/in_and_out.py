"""Games of the parlour and of logs in events, and the names of people elsewhere."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

EVENT, ID, SITE = sa.String(length=16), sa.String(length=64), sa.String(length=16)


def upgrade() -> None:
    """Add the tables and columns; what is stored keeps its meaning."""
    op.add_column("tables", sa.Column("event", EVENT))
    op.add_column("tables", sa.Column("stage", ID))
    op.create_index("ix_tables_event", "tables", ["event"])
    op.add_column("event_entries", sa.Column("real_name", ID, nullable=False, server_default=""))
    op.add_column("event_entries", sa.Column("erased", sa.BigInteger()))
    op.add_column("recorded_games", sa.Column("digest", ID))
    op.add_column("recorded_games", sa.Column("replay", EVENT))
    op.create_index("ix_recorded_games_event_digest", "recorded_games", ["event", "digest"], unique=True)
    op.create_table(
        "event_nicknames",
        sa.Column("event", EVENT, nullable=False),
        sa.Column("site", SITE, nullable=False),
        sa.Column("name", ID, nullable=False),
        sa.Column("entry", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["event", "entry"], ["event_entries.event", "event_entries.id"], name="fk_event_nicknames_event"
        ),
        sa.PrimaryKeyConstraint("event", "site", "name", name="pk_event_nicknames"),
    )
    op.create_index("ix_event_nicknames_event_entry", "event_nicknames", ["event", "entry"])
    op.create_table(
        "online_games",
        sa.Column("game", EVENT, nullable=False),
        sa.Column("event", EVENT, nullable=False),
        sa.Column("stage", ID, nullable=False),
        sa.Column("outcome", sa.String(length=24), nullable=False),
        sa.Column("seat", sa.SmallInteger()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_online_games_game"),
        sa.ForeignKeyConstraint(["event"], ["events.id"], name="fk_online_games_event"),
        sa.PrimaryKeyConstraint("game", name="pk_online_games"),
    )
    op.create_index("ix_online_games_event", "online_games", ["event"])


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("online_games")
    op.drop_table("event_nicknames")
    op.drop_index("ix_recorded_games_event_digest", "recorded_games")
    op.drop_index("ix_tables_event", "tables")
    for table, columns in (
        ("recorded_games", ("digest", "replay")),
        ("event_entries", ("real_name", "erased")),
        ("tables", ("event", "stage")),
    ):
        for column in columns:
            op.drop_column(table, column)
