"""The value of a win as stated in a record, not adjudicated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jantaku.hand import Wind
from jantaku.reading import Reader, Strict


@dataclass(frozen=True, kw_only=True)
class RecordedScore(Strict):
    """The values of a ``Score`` as stated in a record or a message, without a win or a ruleset.

    ``han`` and ``fu`` are ``None`` if they are not stated, as for a yakuman.
    """

    han: int | None = None
    fu: int | None = None
    yakuman: int = 0
    limit: str | None = None
    points: int
    yaku: Mapping[str, int] = field(default_factory=dict, hash=False)
    fu_items: Mapping[str, int] = field(default_factory=dict, hash=False)
    payments: Mapping[Wind, int] = field(hash=False)
    counted_as: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the same data as ``Score.to_dict``."""
        data: dict[str, Any] = _READER.write(self)
        return data if self.counted_as else {name: data[name] for name in data if name != "counted_as"}


_READER: Final = Reader(RecordedScore)
