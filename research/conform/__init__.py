"""Compares our wins, games and logs with those of other engines (``python -m research.conform``)."""

from bench import installed as _installed  # noqa: F401  (must be first: it reports missing packages)
