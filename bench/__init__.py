"""Benchmarks, side by side with other packages on the same inputs in one run, and long comparisons.

Some of them use the tools of the tests (``support``, ``naive``).
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
