"""Research: experiments with rules, bulk simulation, and environments for learning agents.

``ask``, ``compare`` and ``report`` answer what rules do; ``hands`` and ``games`` read what was played, as
tables of Polars.
"""

TYPE_CHECKING = False  # as in ``jantaku``: what is asked for is imported when it is used
if TYPE_CHECKING:
    from typing import Any

    from jantaku.lab.asking import LabAnswer, ask, compare, games, hands, report

__all__ = ["LabAnswer", "ask", "compare", "games", "hands", "report"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> "Any":
    """Import a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(name)
    from jantaku.lab import asking  # noqa: PLC0415

    return getattr(asking, name)
