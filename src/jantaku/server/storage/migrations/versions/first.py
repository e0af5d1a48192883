"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables."""
    _people()
    _rules()
    _tables()
    _games()


def _people() -> None:
    """People and how they sign in."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("account", sa.String(length=64), nullable=True),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("role", sa.String(length=12), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
        sa.UniqueConstraint("account", name="uq_people_account"),
    )
    op.create_table(
        "links",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("role", sa.String(length=12), nullable=True),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_links_person"),
        sa.PrimaryKeyConstraint("token", name="pk_links"),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_sessions_person"),
        sa.PrimaryKeyConstraint("token", name="pk_sessions"),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"], unique=False)


def _rules() -> None:
    """Saved rules and uploaded logs."""
    op.create_table(
        "rulesets",
        sa.Column("fingerprint", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("tree", sa.Text(), nullable=False),
        sa.Column("toml", sa.Text(), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint", name="pk_rulesets"),
    )
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_uploads"),
    )


def _tables() -> None:
    """Tables and their seats."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=16), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_status", "tables", ["status"], unique=False)
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=True),
        sa.Column("name", sa.String(length=24), nullable=False),
        sa.Column("bot", sa.String(length=40), nullable=True),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seats_table_id"),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seats"),
    )


def _games() -> None:
    """Games and their moves."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(length=32), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=16), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_games_table_id"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_ended", "games", ["ended"], unique=False)
    op.create_index("ix_games_table_id_number", "games", ["table_id", "number"], unique=True)
    op.create_table(
        "actions",
        sa.Column("game", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False),
        sa.Column("action", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_actions_game"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_actions"),
    )


def downgrade() -> None:
    """Drop all tables."""
    for name in ("actions", "games", "seats", "tables", "uploads", "rulesets", "sessions", "links", "people"):
        op.drop_table(name)
