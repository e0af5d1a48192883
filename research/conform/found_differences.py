"""What a comparison has found: counts of what was compared, and the differences by class."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

UNKNOWN: Final = "unknown"
KEPT: Final = 5  # examples of differences without a class


@dataclass
class Conformance:
    """What was compared, the differences by class, and examples of those without one."""

    seen: Counter[str] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    unknown: list[str] = field(default_factory=list)

    def differ(self, reason: str | None, example: str) -> None:
        """Count a difference."""
        self.differences[reason or UNKNOWN] += 1
        if reason is None and len(self.unknown) < KEPT:
            self.unknown.append(example)

    def add(self, other: "Conformance") -> None:
        """Add what another part has found."""
        self.seen += other.seen
        self.differences += other.differences
        self.unknown = [*self.unknown, *other.unknown][:KEPT]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"seen": self.seen, "differences": self.differences, "unknown": self.unknown}


def conformance_from(data: dict[str, Any]) -> Conformance:
    """The output of ``Conformance.to_dict``."""
    return Conformance(Counter(data["seen"]), Counter(data["differences"]), list(data["unknown"]))
