"""Benchmarks: comparisons with other packages on the same inputs, server load, and the client's pages."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
