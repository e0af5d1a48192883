"""The tables of rounds: how a stage is seated, its rounds, and who does not play in which."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Table, Text

from jantaku.server.storage.event_schema import MOST_ID
from jantaku.server.storage.schema import METADATA

event_stages = Table(
    "event_stages",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("stage", String(MOST_ID), primary_key=True),
    Column("settings", Text, nullable=False),  # JSON of RoundSettings
)

event_rounds = Table(
    "event_rounds",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("stage", String(MOST_ID), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1
    Column("state", String(12), nullable=False),  # drafted, published, running, done
    Column("made_by", String(12), nullable=False),  # plan, rebuild, import, or how one round was seated
    Column("seed", Integer),  # NULL for an imported round
    Column("tables", Text, nullable=False),  # JSON: the players, the game and the extra time of each table
    Column("byes", Text, nullable=False),  # JSON: entries
    Column("timer", Text, nullable=False),  # JSON of RoundClock
    Column("published", BigInteger),
)

event_absences = Table(
    "event_absences",
    METADATA,
    Column("event", String(16), ForeignKey("events.id"), primary_key=True),
    Column("stage", String(MOST_ID), primary_key=True),
    Column("entry", String(MOST_ID), primary_key=True),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer),  # NULL: every round from the first on
)
