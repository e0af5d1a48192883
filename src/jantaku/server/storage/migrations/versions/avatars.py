"""Pictures of people, and who has reported one."""

import sqlalchemy as sa
from alembic import op

revision = "r17"
down_revision = "r16"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "avatars",
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.Column("mark", sa.String(length=16), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_avatars_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", name="pk_avatars"),
    )
    op.create_table(
        "avatar_reports",
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.Column("reporter", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(
            ["person"], ["avatars.person"], name="fk_avatar_reports_person", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["reporter"], ["people.id"], name="fk_avatar_reports_reporter", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person", "reporter", name="pk_avatar_reports"),
    )
    op.create_index("ix_avatar_reports_reporter", "avatar_reports", ["reporter"])


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("avatar_reports")
    op.drop_table("avatars")
