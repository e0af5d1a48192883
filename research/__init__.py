"""Long comparisons, fits and tables, run by hand. Some use the test helpers in ``tests/support``."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
