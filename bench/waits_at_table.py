"""How long one waits at each moment of a hand: ``python -m bench.waits_at_table``.

A Chromium plays an East game against three bots, with the server's usual pauses, and answers 50 ms after
it is asked. In every frame the page notes what is seen and what the player could do, and how long after the
one before it came while a scene is shown; ``docs/clients.md`` says what came out. ``--slow`` divides the
speed of the processor, as for a phone. Needs playwright and a built client.
"""

import argparse
import asyncio
import time
from statistics import median
from typing import Final

from playwright.async_api import async_playwright

from bench.in_browser import chromium, parlour

ANSWER_MS: Final = 50
LATE_MS: Final = 25  # between two frames, where there should be 17
# What is seen in each frame, noted when it changes; and a player who answers each question once
WATCH: Final = """(answer) => {
  window.seen_ = []; window.frames_ = []; let last = ''; let pressed = ''; let before = 0;
  const find = (selector) => document.querySelector(selector);
  const count = (selector) => document.querySelectorAll(selector).length;
  const note = (what) => window.seen_.push([performance.now(), what]);
  const look = (at) => {
    if (find('.scene, .ending') && before) window.frames_.push(at - before);
    before = at;
    const foot = find('.sheet .foot button:not(:disabled)');
    const state = find('.result ol') ? 'result' : foot ? 'button' : find('.veil:not(.aside) .sheet') ? 'sheet'
      : count('.opened-hand') ? 'opened' : find('[data-claim=pass]') ? 'call'
      : count('.tile-button.choosing:not(.blocked)') ? 'turn' : 'wait';
    const now = state + '/' + count('.river .tile');
    if (now !== last) { note(now); last = now; }
    const key = now + '/' + count('.own .tile');
    if (state !== 'wait' && state !== 'opened' && state !== 'sheet' && key !== pressed) {
      pressed = key;
      window.setTimeout(() => {
        const tiles = document.querySelectorAll('.tile-button.choosing:not(.blocked)');
        const to = find('.sheet .foot button:not(:disabled)') ?? find('[data-claim=win]')
          ?? find('[data-claim=pass]') ?? tiles[tiles.length - 1];
        if (to) { note('press ' + state); to.click(); }
      }, answer);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


Seen = list[tuple[float, str]]


async def watch(url: str, path: str, most_s: float, slow: float) -> tuple[Seen, list[float]]:
    """What the page of a player showed, with the milliseconds, from the start of a game to its result.

    Also the milliseconds between the frames of scenes, on a processor that is ``slow`` times as slow.
    """
    async with async_playwright() as player:
        browser = await player.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 390, "height": 844})
        line = await page.context.new_cdp_session(page)
        await line.send("Emulation.setCPUThrottlingRate", {"rate": slow})
        request = page.context.request
        await request.post(f"{url}/api/guest", data={"name": "Mina"})
        opened = await request.post(f"{url}/api/tables", data={"bots": 3, "length": "east"})
        table = (await opened.json())["id"]
        await page.goto(f"{url}/t/{table}")
        await page.wait_for_selector(".room")
        await page.evaluate(WATCH, ANSWER_MS)
        await page.evaluate("window.seen_.push([performance.now(), 'press start'])")
        await request.post(f"{url}/api/tables/{table}/start", data={})
        ends = time.monotonic() + most_s
        while time.monotonic() < ends and not await page.query_selector(".result ol"):
            await page.wait_for_timeout(500)
        measured: Seen = await page.evaluate("window.seen_")
        frames: list[float] = await page.evaluate("window.frames_")
        await browser.close()
    return measured, frames


def gaps(seen: Seen) -> dict[str, list[float]]:
    """The milliseconds of each kind of waiting."""
    waits: dict[str, list[float]] = {}
    pressed: tuple[float, str] | None = None
    tiles, river, since_opened = 0, 0.0, 0.0
    for at, what in seen:
        state, _, shown = what.partition("/")
        if what.startswith("press"):
            pressed = at, what
            continue
        if int(shown or 0) > tiles and state in ("wait", "call"):
            river = at
        if int(shown or 0) > tiles and pressed and pressed[1] == "press turn":
            waits.setdefault("tap on a tile → it lies in the river", []).append(at - pressed[0])
            pressed = at, "discarded"
        if state == "call" and river:
            waits.setdefault("the tile lies there → its call is offered", []).append(at - river)
        if state == "turn" and pressed:
            name = {"discarded": "own discard → own next turn", "press call": "pass → own next turn"}
            name |= {"press button": "Next → own turn", "press start": "Start → own turn"}
            if pressed[1] in name:
                waits.setdefault(name[pressed[1]], []).append(at - pressed[0])
            pressed = None
        if state == "opened":
            since_opened = at
        if state in ("sheet", "button") and since_opened:
            waits.setdefault("hands laid open → the sheet", []).append(at - since_opened)
            since_opened = 0.0
        if state == "button" and pressed and pressed[1] == "press button":
            waits.setdefault("one sheet → the next", []).append(at - pressed[0])
        tiles = int(shown or 0)
    return waits


def report(seen: Seen) -> None:
    """Print each waiting: how often, the shortest, the median, the longest."""
    for what, all_ms in sorted(gaps(seen).items()):
        low, middle, high = min(all_ms) / 1000, median(all_ms) / 1000, max(all_ms) / 1000
        print(f"{what:45} {len(all_ms):4} times {low:6.2f} {middle:6.2f} {high:6.2f} s")


def report_frames(frames: list[float]) -> None:
    """Print how smooth the scenes were."""
    if frames:
        late = sum(frame > LATE_MS for frame in frames) / len(frames)
        rate = 1000 * len(frames) / sum(frames)
        print(f"{len(frames)} frames of scenes, {rate:.1f} a second; {late:.1%} later than {LATE_MS} ms")


def main() -> None:
    """Start a parlour in a process of its own and play there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=400.0)
    parser.add_argument("--slow", type=float, default=1.0)
    options = parser.parse_args()
    browser = chromium()
    with parlour() as url:
        seen, frames = asyncio.run(watch(url, browser, options.seconds, options.slow))
        report(seen)
        report_frames(frames)


if __name__ == "__main__":
    main()
