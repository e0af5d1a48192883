"""Long comparisons, fits and tables that are made by hand. Some use the tools of the tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
