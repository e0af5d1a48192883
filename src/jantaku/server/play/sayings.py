"""What players say to each other at a table: stamps everywhere, texts of their own where the host wishes.

Nothing of it is stored. It goes to the seats, and before the game also to everybody else in the room. During
a game spectators see everything later, and a word would tell them what happens now.
"""

from collections.abc import Iterator
from typing import Any

from jantaku.server.edge.bodies import dumps
from jantaku.server.edge.protocol import MOST_SAID, Mute, Say
from jantaku.server.errors import ServerError
from jantaku.server.play.audience import Connection
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import seat_of
from jantaku.visible import shown_form, unseen


def say(table: Table, seat: int, message: Say) -> None:
    """Send what a seat says to everybody who has not muted its person; raises ``ServerError``."""
    if (message.stamp is None) == (message.text is None):
        raise ServerError("bad_message", reason="stamp, text")
    event: dict[str, Any] = {"type": "said", "seat": seat, "stamp": message.stamp, "text": None}
    if message.text is not None:
        event["text"] = _checked(table, message.text)
    text, speaker = dumps(event), table.sitter(seat).person or ""
    for connection in _hearing(table):
        if speaker not in table.muted.get(connection.person.id, ()):
            connection.send(text)


def _checked(table: Table, text: str) -> str:
    options = table.row.options
    if not (options.chat and options.private):
        raise ServerError("no_chat")
    said = shown_form(text)
    if unseen(said) is not None or len(said) > MOST_SAID:
        raise ServerError("bad_text", most=MOST_SAID)
    return said


def _hearing(table: Table) -> Iterator[Connection]:
    yield from list(table.audience.seats.values())
    if table.row.status == "waiting":
        yield from list(table.audience.watchers)


def mute(table: Table, listener: str, message: Mute) -> None:
    """Mute a person who sits at the table, or listen to them again; raises ``no_person``."""
    if message.person == listener:
        raise ServerError("not_yourself")
    if seat_of(table.row, message.person) is None:
        raise ServerError("no_person")
    muted = table.muted.setdefault(listener, set())
    if message.on:
        muted.add(message.person)
    else:
        muted.discard(message.person)
