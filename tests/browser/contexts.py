"""Browser contexts reused by one test after another, and cleared in between."""

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
PATIENCE_MS: Final = 30_000  # maximum time for an element to appear


def expect(locator: Any) -> Any:
    """Playwright's assertions about a locator, with a longer timeout."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=PATIENCE_MS)
    return expected(locator)


def filled(text: str, **values: object) -> str:
    """Fill in a term's text as a page does."""
    return in_agreement(text, lambda template: template.format(**values))


@dataclass(frozen=True)
class Kind:
    """Properties a context keeps for its whole life."""

    url: str
    language: str
    touch: bool


class Contexts:
    """Lend the contexts of one browser.

    Creating a context takes a third of a second, mostly to start a process, so returned contexts are cleared
    and lent again. A page that stays open keeps the process alive.
    """

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: defaultdict[Kind, list[tuple[Any, Any]]] = defaultdict(list)
        self._keepers: dict[Any, tuple[Kind, Any]] = {}

    def fresh(self, url: str, language: str, *, touch: bool = True, workers: bool = False) -> Any:
        """Create a context with an empty cache; the caller closes it."""
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
        """Lend an empty context, to be returned by ``give_back``."""
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
        """Close the pages of a context and clear its storage."""
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
