"""Notifications of browsers."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "push_keys",
        sa.Column("id", sa.SmallInteger(), nullable=False, autoincrement=False),
        sa.Column("private", sa.Text(), nullable=False),
        sa.Column("public", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_push_keys"),
    )
    op.create_table(
        "push_devices",
        sa.Column("session", sa.String(length=64), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.String(length=120), nullable=False),
        sa.Column("auth", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_push_devices"),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.token"], name="fk_push_devices_session", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("push_devices")
    op.drop_table("push_keys")
