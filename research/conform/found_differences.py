"""The result of a comparison: counts of compared items, and the differences by class."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

UNKNOWN: Final = "unknown"
MAX_EXAMPLES: Final = 5  # number of stored examples of differences without a class


@dataclass
class Conformance:
    """Counts of compared items, differences by class, and examples of those without a class."""

    seen: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)

    def differ(self, reason: str | None, example: str) -> None:
        """Count a difference; ``reason`` is its class, ``None`` if unknown."""
        self.differences[reason or UNKNOWN] += 1
        if reason is None and len(self.unknown) < MAX_EXAMPLES:
            self.unknown.append(example)

    def add(self, other: "Conformance") -> None:
        """Add another result."""
        self.seen += other.seen
        self.differences += other.differences
        self.unknown = [*self.unknown, *other.unknown][:MAX_EXAMPLES]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {"seen": self.seen, "differences": self.differences, "unknown": self.unknown}


def conformance_from(data: dict[str, Any]) -> Conformance:
    """Parse the output of ``Conformance.to_dict``."""
    return Conformance(Counter(data["seen"]), Counter(data["differences"]), list(data["unknown"]))
