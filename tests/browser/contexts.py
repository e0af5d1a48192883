"""Browser contexts that are cleared and used again by the next test."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

from jantaku.terms.agreement import in_agreement

VIEWPORTS: Final = {
    "phone": (390, 844),
    "small": (360, 640),
    "zoomed": (280, 600),
    "tall": (360, 740),
    "tablet": (820, 1180),
    "landscape": (844, 390),
    "short": (740, 360),
    "shortest": (667, 375),
    "desktop": (1280, 800),
}
PATIENCE_MS: Final = 30_000  # how long an element may take to appear


def expect(locator: Any) -> Any:
    """Return Playwright's assertions about a locator, with a longer timeout."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=PATIENCE_MS)
    return expected(locator)


def filled(text: str, **values: object) -> str:
    """Fill the values into a text as the pages do."""
    return in_agreement(text, lambda template: template.format(**values))


@dataclass(frozen=True)
class Kind:
    """The properties that a context keeps for its whole life."""

    url: str
    language: str
    touch: bool


class Contexts:
    """The contexts of one browser, lent to one test at a time.

    Creating a context takes a third of a second, mainly for starting a process, so a returned context is
    cleared and lent again. One page stays open to keep the process alive.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: defaultdict[Kind, list[tuple[Any, Any]]] = defaultdict(list)
        self._keepers: dict[Any, tuple[Kind, Any]] = {}

    def fresh(self, url: str, language: str, *, touch: bool = True, workers: bool = False) -> Any:
        """Create a context with an empty cache, which the caller has to close."""
        width, height = VIEWPORTS["phone"]
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            has_touch=touch,
            base_url=url,
            service_workers="allow" if workers else "block",
        )
        context.set_default_timeout(PATIENCE_MS)
        return context

    def lend(self, url: str, language: str, *, touch: bool) -> Any:
        """Lend an empty context, which the caller returns with ``give_back``."""
        kind = Kind(url, language, touch)
        if not self._free[kind]:
            context = self.fresh(url, language, touch=touch)
            keeper = context.new_page()
            keeper.goto("/icon.svg")
            self._free[kind].append((context, keeper))
        context, keeper = self._free[kind].pop()
        self._keepers[context] = kind, keeper
        return context

    def give_back(self, context: Any) -> None:
        """Close the pages of a context and clear the browser's storage."""
        kind, keeper = self._keepers.pop(context)
        for page in context.pages:
            if page is not keeper:
                page.close()
        context.unroute_all()
        context.set_offline(False)
        context.clear_permissions()
        context.clear_cookies()
        session = context.new_cdp_session(keeper)
        session.send("Storage.clearDataForOrigin", {"origin": kind.url, "storageTypes": "all"})
        session.detach()
        self._free[kind].append((context, keeper))
