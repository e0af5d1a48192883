"""The first release. Until it is out these are the declared tables; then they are written out here."""

from alembic import op

from jantaku.server.storage import services  # which has all tables
from jantaku.server.storage.base import METADATA

revision = "r1"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    assert services
    METADATA.create_all(op.get_bind(), checkfirst=False)
