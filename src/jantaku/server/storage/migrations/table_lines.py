"""Tables as lines of text, for the first release and the steps since then.

A line is the name of a table and its columns, ``name:type`` and then ``*`` for a part of the key, ``?`` if it
may be NULL, ``!`` if unique, ``=default`` and ``>table.column`` for what it refers to, ``>>`` if it goes with
that; a number is the length of a text.
"""

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

TYPES: Final[dict[str, sa.types.TypeEngine[Any]]] = {
    "big": sa.BigInteger(), "small": sa.SmallInteger(), "int": sa.Integer(), "bool": sa.Boolean(),
    "text": sa.Text(), "bytes": sa.LargeBinary(), "double": sa.Double(), "float": sa.Float(),
}  # fmt: skip
ENDS: Final = "*?!=>"


def _column(table: str, text: str) -> sa.Column[Any]:
    name, _, rest = text.partition(":")
    kind = rest
    for mark in ENDS:
        kind = kind.partition(mark)[0]
    _, given, default = rest.partition(">")[0].partition("=")
    refers = rest.partition(">")[2]
    what: list[sa.schema.SchemaItem] = []
    if refers:
        cascade = "CASCADE" if refers.startswith(">") else None
        what.append(sa.ForeignKey(refers.lstrip(">"), name=f"fk_{table}_{name}", ondelete=cascade))
    return sa.Column(
        name,
        sa.String(int(kind)) if kind.isdecimal() else TYPES[kind],
        *what,
        autoincrement=False,
        nullable="?" in rest,
        server_default=default if given else None,
    )


def read_table(line: str) -> tuple[str, list[sa.schema.SchemaItem]]:
    """The name of a table, and its columns with its key."""
    table, *texts = line.split()
    names = {text.partition(":")[0]: text for text in texts}
    key = [name for name, text in names.items() if "*" in text]
    unique = [
        sa.UniqueConstraint(name, name=f"uq_{table}_{name}") for name, text in names.items() if "!" in text
    ]
    columns = [_column(table, text) for text in texts]
    return table, [*columns, sa.PrimaryKeyConstraint(*key, name=f"pk_{table}"), *unique]


def make_table(line: str) -> sa.Table:
    """Make a table."""
    name, parts = read_table(line)
    return op.create_table(name, *parts)


def add_columns(line: str) -> None:
    """Add columns to a table that is there."""
    table, *columns = line.split()
    for column in columns:
        op.add_column(table, _column(table, column))


def add_index(table: str, *columns: str) -> None:
    """Find the rows of a table by columns."""
    op.create_index("_".join(["ix", table, *columns]), table, columns)
