"""Our wins, games and logs beside those of other engines (``python -m bench.conform``)."""
