"""Our wins, games and logs beside those of other engines (``python -m research.conform``)."""

from bench import installed as _installed  # noqa: F401  (before the modules that need what it looks for)
