"""Look-alike names, details of sessions, and people removed from tables."""

import sqlalchemy as sa
from alembic import op

from jantaku.server.names import skeleton

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the new tables and columns; accounts reserve their current names."""
    for name, kind in (
        ("since", sa.BigInteger()),
        ("seen", sa.BigInteger()),
        ("device", sa.String(length=40)),
    ):
        op.add_column("sessions", sa.Column(name, kind, nullable=True))
    op.create_table(
        "removed",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_removed_table_id"),
        sa.PrimaryKeyConstraint("table_id", "mark", name="pk_removed"),
    )
    names = op.create_table(
        "names",
        sa.Column("skeleton", sa.String(length=120), nullable=False),
        sa.Column("person", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name="fk_names_person"),
        sa.PrimaryKeyConstraint("skeleton", name="pk_names"),
    )
    op.create_index("ix_names_person", "names", ["person"], unique=False)
    people = sa.table(
        "people", sa.column("id"), sa.column("name"), sa.column("account"), sa.column("created")
    )
    query = sa.select(people).where(people.c.account.is_not(None)).order_by(people.c.created, people.c.id)
    found: dict[str, str] = {}
    # if two existing names look alike, the older account keeps the name
    for row in op.get_bind().execute(query):
        for name in (row.account, row.name):
            found.setdefault(skeleton(name), row.id)
    if found:
        op.bulk_insert(names, [{"skeleton": name, "person": person} for name, person in found.items()])


def downgrade() -> None:
    """Remove them again."""
    op.drop_index("ix_names_person", "names")
    op.drop_table("names")
    op.drop_table("removed")
    for name in ("device", "seen", "since"):
        op.drop_column("sessions", name)
