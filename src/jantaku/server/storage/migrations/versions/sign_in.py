"""Ways into an account besides its password: mail addresses, passkeys, identities, one-time tokens."""

import sqlalchemy as sa
from alembic import op

revision = "r15"
down_revision = "r14"
branch_labels = None
depends_on = None


def _person(table: str, *, nullable: bool = False) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    name = f"fk_{table}_person"
    owner = sa.ForeignKeyConstraint(["person"], ["people.id"], name=name, ondelete="CASCADE")
    return sa.Column("person", sa.String(length=16), nullable=nullable), owner


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "mail_addresses",
        *_person("mail_addresses"),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_mail_addresses"),
    )
    op.create_index("ix_mail_addresses_address", "mail_addresses", ["address"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(length=64), nullable=False),
        *_person("passkeys"),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_table(
        "identities",
        sa.Column("mark", sa.String(length=64), nullable=False),
        *_person("identities"),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_identities"),
    )
    op.create_table(
        "one_times",
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        *_person("one_times", nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_one_times"),
    )
    op.create_index("ix_one_times_expires", "one_times", ["expires"])
    for table in ("passkeys", "identities", "one_times"):
        op.create_index(f"ix_{table}_person", table, ["person"])


def downgrade() -> None:
    """Remove them again."""
    for table in ("one_times", "identities", "passkeys", "mail_addresses"):
        op.drop_table(table)
