"""PostgreSQL below the engine: what a connection costs that is not the statement itself."""

import time
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine

TRUSTED_S: Final = 1.0  # a connection that was idle for longer is tried before it is used
READS: Final = {"isolation_level": "AUTOCOMMIT"}  # each statement sees what is committed, as in a transaction


def prepare(engine: AsyncEngine) -> None:
    """Try a connection only after a while, since that takes three messages; a closed one is never used."""

    @event.listens_for(engine.sync_engine, "checkin")
    def on_checkin(_connection: Any, record: Any) -> None:
        record.info["back"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def on_checkout(connection: Any, record: Any, _proxy: Any) -> None:
        now = time.monotonic()
        try:
            if connection.driver_connection.is_closed():
                raise ConnectionError("the connection is closed")
            if now - record.info.get("back", now) > TRUSTED_S:
                connection.ping()
        except Exception as error:
            raise InvalidatePoolError from error
