"""Schema of the first release. It creates the declared tables; write them out here at the release."""

from alembic import op

from jantaku.server.storage import services  # imports the modules of all tables
from jantaku.server.storage.base import METADATA

revision = "r1"
down_revision = None


def upgrade() -> None:
    """Create all declared tables."""
    assert services
    METADATA.create_all(op.get_bind(), checkfirst=False)
