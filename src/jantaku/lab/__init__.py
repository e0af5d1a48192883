"""Research: experiments with rules, bulk simulation, and environments for learning agents.

``ask``, ``compare`` and ``report`` measure the effect of rules; ``hands`` and ``games`` read the simulated
hands and games as Polars data frames.
"""

TYPE_CHECKING = False  # without ``typing``: public names are imported on first use, as in ``jantaku``
if TYPE_CHECKING:
    from typing import Any

    from jantaku.lab.asking import LabAnswer, ask, compare, games, hands, report

__all__ = ["LabAnswer", "ask", "compare", "games", "hands", "report"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> "Any":
    """Import a public name on first use."""
    if name not in __all__:
        raise AttributeError(name)
    from jantaku.lab import asking  # noqa: PLC0415

    return getattr(asking, name)
