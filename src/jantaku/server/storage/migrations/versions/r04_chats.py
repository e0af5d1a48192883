"""Several webhooks for an event, each in the format of a chat and in a language."""

import sqlalchemy as sa
from alembic import op

from jantaku.server.storage.migrations.table_lines import add_columns, make_table

revision = "r4"
down_revision = "r3"
NAMES = ("event", "url", "secret", "kinds", "created")


def upgrade() -> None:
    """Give each webhook an id; those from before have the same one in each event."""
    # another key needs a new table
    old = sa.table("event_webhooks", *map(sa.column, NAMES))
    rows = [{**row._mapping, "id": "first"} for row in op.get_bind().execute(sa.select(old))]
    op.drop_table("event_webhooks")
    made = make_table(
        "event_webhooks event:16*>events.id url:text secret:64 kinds:text created:big "
        "id:16* format:12=jantaku language:2=en chat:64="
    )
    if rows:
        op.bulk_insert(made, rows)
    add_columns("event_deliveries webhook:16=first")
