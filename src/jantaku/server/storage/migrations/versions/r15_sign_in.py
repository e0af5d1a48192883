"""Ways into an account besides its password: mail addresses, passkeys, identities, one-time tokens."""

from jantaku.server.storage.migrations.table_lines import add_index, make_table

revision = "r15"
down_revision = "r14"


def upgrade() -> None:
    """Add the tables."""
    make_table("mail_addresses person:16*>>people.id address:64")
    add_index("mail_addresses", "address")
    make_table("passkeys id:64* person:16>>people.id key:bytes uses:int name:40 created:big")
    make_table("identities mark:64* person:16>>people.id created:big")
    make_table("one_times token:64* kind:12 person:16?>>people.id data:text expires:big")
    add_index("one_times", "expires")
    for table in ("passkeys", "identities", "one_times"):
        add_index(table, "person")
