"""Which names guests have had, so that no later guest looks like an earlier one."""

import json

import sqlalchemy as sa
from alembic import op

from jantaku.server.names import mark_of

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; the names of the guests so far, and of the people in games, are taken."""
    taken = op.create_table(
        "guest_names",
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("given", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_guest_names"),
    )
    people = sa.table("people", sa.column("name"), sa.column("account"))
    games = sa.table("games", sa.column("players"))
    bind = op.get_bind()
    marks = {
        mark_of(row.name) for row in bind.execute(sa.select(people.c.name).where(people.c.account.is_(None)))
    }
    for row in bind.execute(sa.select(games.c.players)):
        marks |= {
            mark_of(one["name"]) for one in json.loads(row.players) if one.get("person") and one.get("name")
        }
    if marks:
        op.bulk_insert(taken, [{"mark": mark, "given": 1} for mark in sorted(marks)])


def downgrade() -> None:
    """Remove it again."""
    op.drop_table("guest_names")
