"""Rule booklets for players, as HTML, PDF or Markdown.

``booklet`` builds a whole booklet as data, ``one_page`` a page with the differences from rules that the
players know; ``FORMATS`` write them. The engine scores every example hand and calculates every payment.
"""

from jantaku.booklet.booklet_files import FORMATS, every_booklet
from jantaku.booklet.document import Booklet, Cover, Logo
from jantaku.booklet.logo import read_logo
from jantaku.booklet.one_page import one_page
from jantaku.booklet.paper import PAPERS
from jantaku.booklet.whole_booklet import booklet

__all__ = [
    "FORMATS",
    "PAPERS",
    "Booklet",
    "Cover",
    "Logo",
    "booklet",
    "every_booklet",
    "one_page",
    "read_logo",
]
