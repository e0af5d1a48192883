"""The tables of webhooks."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, SmallInteger, String, Table, Text

from jantaku.server.storage.schema import METADATA

FIRST = "first"  # the id of a webhook from when an event had one

event_webhooks = Table(
    "event_webhooks",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("id", String(16), primary_key=True),
    Column("url", Text, nullable=False),
    Column("secret", String(64), nullable=False),  # signs what is sent, so it cannot be kept as a hash
    # JSON: seating, start, result, standings, correction, penalty, call
    Column("kinds", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("format", String(12), nullable=False, server_default="jantaku"),
    Column("language", String(2), nullable=False, server_default="en"),
    # in which chat, where the address has none
    Column("chat", String(64), nullable=False, server_default=""),
)

event_deliveries = Table(
    "event_deliveries",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(12), nullable=False),
    Column("body", Text, nullable=False),  # JSON as it is sent
    Column("at", BigInteger, nullable=False),
    Column("tries", SmallInteger, nullable=False),
    Column("due", BigInteger, index=True),  # NULL: it has arrived, or was given up
    Column("done", BigInteger),  # when it arrived
    Column("status", Integer),  # the HTTP status of the last answer
    Column("error", String(24), nullable=False),
    Column("webhook", String(16), nullable=False, server_default=FIRST),
)
