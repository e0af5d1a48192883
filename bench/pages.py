"""Page weight, time to interactive, and frame rate at the table: ``python -m bench.pages``.

Chromium at phone size, with a throttled processor and a simulated mobile network, opens the pages of a server
 and plays against three bots. ``--slow 4`` approximates a mid-range phone. Needs playwright
and a built client.
"""

import argparse
import asyncio
import time
from typing import Any, Final

from playwright.async_api import CDPSession, Page, ViewportSize, async_playwright

from bench.in_browser import chromium, parlour

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
NETWORK: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
PAGES: Final = ("/", "/new", "/calc", "/rules", "/settings", "/games", "/events")
# Plays at the table and records the intervals between frames in milliseconds
WATCH: Final = """() => {
  window.frames_ = []; let last = performance.now();
  const look = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
  window.setInterval(() => {
    const pick = (selector) => document.querySelector(selector);
    const tiles = document.querySelectorAll('.tile-button.choosing:not(.blocked)');
    const choice = pick('.sheet .foot button:not(:disabled)') ?? pick('[data-claim=pass]');
    (choice ?? tiles[tiles.length - 1])?.click();
  }, 900);
}"""


async def weight(page: Page, cdp: CDPSession, url: str) -> tuple[float, float]:
    """Return the kilobytes transferred for a page, and the seconds until a button or link can be used."""
    received: dict[str, float] = {}

    def finished(event: dict[str, Any]) -> None:
        received[event["requestId"]] = event["encodedDataLength"]

    cdp.on("Network.loadingFinished", finished)
    begun = time.perf_counter()
    await page.goto(url)
    await page.wait_for_selector("main :is(a, button, input):visible, form :is(a, button, input):visible")
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    ready = time.perf_counter() - begun
    await page.wait_for_load_state("networkidle")
    cdp.remove_listener("Network.loadingFinished", finished)
    return sum(received.values()) / 1000, ready


async def table_of(page: Page, url: str) -> str:
    """Create a table with three bots and return its address."""
    request = page.context.request
    await request.post(f"{url}/api/guest", data={"name": "Mina"})
    table = (await (await request.post(f"{url}/api/tables", data={})).json())["id"]
    for seat in (1, 2, 3):
        await request.post(f"{url}/api/tables/{table}/bots", data={"seat": seat})
    return f"{url}/t/{table}"


async def frames(page: Page, url: str, seconds: float) -> list[float]:
    """Play against bots and return the intervals between frames in milliseconds."""
    table = await table_of(page, url)
    await page.goto(table)
    await page.context.request.post(f"{table.replace('/t/', '/api/tables/')}/start", data={})
    await page.wait_for_selector(".tile-button")
    await page.evaluate(WATCH)
    await page.wait_for_timeout(seconds * 1000)
    times: list[float] = await page.evaluate("() => window.frames_")
    return times[10:]


async def measure(url: str, slow: float, seconds: float, path: str) -> None:
    """Measure every page in a fresh profile, then the frames of a game."""
    async with async_playwright() as player:
        browser = await player.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for page_path in PAGES:
            context = await browser.new_context(viewport=PHONE, service_workers="block")
            page = await context.new_page()
            cdp = await context.new_cdp_session(page)
            await cdp.send("Network.enable")
            await cdp.send("Network.emulateNetworkConditions", NETWORK)
            await cdp.send("Emulation.setCPUThrottlingRate", {"rate": slow})
            size, ready = await weight(page, cdp, url + page_path)
            print(f"{page_path:12}{size:8.0f} KB, ready after {ready:.2f} s")
            if page_path == "/":
                size, ready = await weight(page, cdp, await table_of(page, url))
                print(f"{'+ a table':12}{size:8.0f} KB more, ready after {ready:.2f} s")
            await context.close()
        context = await browser.new_context(viewport=PHONE, has_touch=True)
        page = await context.new_page()
        cdp = await context.new_cdp_session(page)
        await cdp.send("Emulation.setCPUThrottlingRate", {"rate": slow})
        gaps = sorted(await frames(page, url, seconds))
        if not gaps:
            raise SystemExit("no frame was drawn: increase --seconds")
        late = sum(gap > 25 for gap in gaps) / len(gaps)
        rate = 1000 * len(gaps) / sum(gaps)
        print(f"{len(gaps)} frames, {rate:.1f} per second; {late:.1%} over 25 ms, at most {gaps[-1]:.0f} ms")
        await browser.close()


def main() -> None:
    """Start a server in a separate process and measure it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--slow", type=float, default=4.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    browser = chromium()
    with parlour() as url:
        asyncio.run(measure(url, options.slow, options.seconds, browser))


if __name__ == "__main__":
    main()
