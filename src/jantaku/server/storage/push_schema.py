"""The tables of notifications: the keys of the server, and the browsers that want them."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, SmallInteger, String, Table, Text

from jantaku.server.storage.schema import METADATA

push_keys: Final = Table(
    "push_keys",
    METADATA,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),  # always 1: there is one pair
    Column("private", Text, nullable=False),  # PEM
    Column("public", Text, nullable=False),  # PEM
    Column("created", BigInteger, nullable=False),
)

push_devices: Final = Table(  # a browser gets news as long as its session lasts
    "push_devices",
    METADATA,
    Column("session", String(64), ForeignKey("sessions.token", ondelete="CASCADE"), primary_key=True),
    Column("endpoint", Text, nullable=False),  # whoever knows it can write to the browser: never shown
    Column("p256dh", String(120), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(2), nullable=False),
    Column("created", BigInteger, nullable=False),
)
