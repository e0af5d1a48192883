"""Side by side with other packages on the same inputs in one run, the load on the server and the pages."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "tests"))
