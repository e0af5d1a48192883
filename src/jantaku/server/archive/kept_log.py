"""How an uploaded log is stored: the players' names, and our own record of the game, compressed."""

import base64
import json
import zlib
from typing import Any, Final, NamedTuple

from jantaku.records.formats import Recorded, dumps, parse_record
from jantaku.records.texts import bounded_name
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError

MOST_RECORD: Final = 2 << 20  # bytes of a record before it is compressed
Chips = tuple[list[int] | None, ...]


class KeptLog(NamedTuple):
    """An uploaded log; ``house`` is the fingerprint of rules whose local yaku are needed to replay it."""

    names: tuple[str, ...]
    record: str
    chips: Chips = ()
    house: str | None = None

    @classmethod
    def of(cls, recorded: Recorded) -> "KeptLog":
        """What is kept of a log; raises ``log_too_large``."""
        rules = recorded.game.rules
        record = dumps(recorded.game, "jantaku", ())  # names are kept beside it, where they can be erased
        if len(record) > MOST_RECORD:
            raise ServerError("log_too_large", most=MOST_RECORD >> 20)
        chips = tuple(None if chip is None else list(chip) for chip in recorded.chips)
        return cls(recorded.names, record, chips, rules.fingerprint if rules.coded else None)

    @property
    def text(self) -> str:
        """The stored text."""
        packed = base64.b85encode(zlib.compress(self.record.encode(), 9)).decode()
        data: dict[str, Any] = {"names": self.names, "packed": packed, "chips": self.chips}
        if self.house:
            data["house"] = self.house
        return json.dumps(data)

    @classmethod
    def parse(cls, text: str) -> "KeptLog":
        """Read a stored text; the first versions stored the record as it was."""
        data = json.loads(text)
        record = data.get("record")
        if record is None:
            record = zlib.decompress(base64.b85decode(data["packed"])).decode()
        names = tuple(map(bounded_name, data["names"]))
        return cls(names, record, tuple(data.get("chips", ())), data.get("house"))

    def recorded(self, rules: Ruleset | None = None) -> Recorded:
        """The game; a character that nobody can write becomes a question mark."""
        record = parse_record(self.record.encode("utf-8", "replace"), rules)
        return Recorded(record.game, record.format, self.names)
