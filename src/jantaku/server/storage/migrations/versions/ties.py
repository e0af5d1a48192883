"""Friends, blocked people, and whether friends see where one plays."""

import sqlalchemy as sa
from alembic import op

revision = "r10"
down_revision = "r9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column; friends see it."""
    with op.batch_alter_table("people") as table:
        table.add_column(sa.Column("presence_shown", sa.SmallInteger(), nullable=False, server_default="1"))
    op.create_table(
        "ties",
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("other", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_ties_person", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other"], ["people.id"], name="fk_ties_other", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", "other", name="pk_ties"),
    )
    op.create_index("ix_ties_other", "ties", ["other"])


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("ties")
    with op.batch_alter_table("people") as table:
        table.drop_column("presence_shown")
