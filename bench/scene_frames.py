"""How smooth each big moment of a table is: ``python -m bench.scene_frames --slow 4``.

A Chromium sits down at a table. What stands between it and the server sends the page one big moment after
another, so that every run shows the same: a riichi, wins from 1,000 points to yakuman, a draw, the end of a
game. Frames are counted while the moment is shown, before that those of one moving tile, the most that there
can be. ``docs/clients.md`` says what came out.
Needs playwright and a built client.
"""

import argparse
import asyncio
import json
from typing import Any, Final

from playwright.async_api import BrowserContext, Page, WebSocketRoute, async_playwright

from bench.in_browser import chromium, favour, parlour

LATE_MS: Final = 25
HAND: Final = "123m456p789s1122z"
MELDS: Final = {"kans": "55z", "dragons": "555666777z123p9s"}
# Milliseconds between the frames in which a moment is shown
WATCH: Final = """() => {
  window.frames_ = []; let before = 0;
  const find = (name) => document.getElementsByClassName(name);
  const shown = ['scene', 'ending', 'light', 'opened-hand'].map(find);
  const look = (at) => {
    if (before && shown.some((all) => all.length)) window.frames_.push(at - before);
    before = at;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
# What the browser itself can do: one tile that moves, and nothing else
MOVING: Final = """<style>
  .scene { inline-size: 40px; block-size: 56px; background: #eee; animation: go 1s infinite alternate; }
  @keyframes go { to { transform: translateX(200px); } }
</style><div class="scene"></div>"""
SETTINGS: Final = 'localStorage.setItem("jantaku.settings", JSON.stringify({ scenes: "full" }))'

Message = dict[str, Any]


def won(limit: str | None, points: int, han: int, yaku: dict[str, int], **more: Any) -> list[Message]:
    """A win of the second seat by the tile of the first, and its payment."""
    paid = {"east": -points, "south": points, "west": 0, "north": 0}
    score = {
        "han": han, "fu": 40, "yakuman": han // 13, "limit": limit, "points": points,
        "yaku": yaku, "fu_items": {"base": 20, "wait": 2}, "payments": paid,
    }  # fmt: skip
    win = {"type": "won", "seat": 1, "source": 0, "tile": "5s", "hand": HAND, "score": score}
    return [win | more, moved(-points, points)]


def moved(first: int, second: int) -> Message:
    """A payment between the first two seats."""
    scores = [25000 + first, 25000 + second, 25000, 25000]
    return {"type": "points_moved", "deltas": [first, second, 0, 0], "scores": scores}


DRAW: Final[Message] = {
    "type": "hand_drawn", "kind": "exhausted", "tenpai": [1, 3],
    "hands": [None, HAND, None, "1112345678999p"], "waits": [None, "12z", None, "123456789p"],
}  # fmt: skip
DISCARD: Final[Message] = {"type": "discarded", "seat": 3, "tile": "1z", "drawn": False}
RIICHI: Final[Message] = {"type": "discarded", "seat": 1, "tile": "9s", "drawn": False, "riichi": "riichi"}
ENDED: Final[Message] = {"type": "game_ended", "final": [-28, 43, 5, -20], "places": [4, 1, 2, 3]}
FIVE: Final = {"riichi": 1, "ippatsu": 1, "pinfu": 1, "dora": 2}
SIX: Final = {"riichi": 1, "dora": 4, "ura_dora": 2}
MOMENTS: Final[dict[str, list[Message]]] = {
    "a discard": [DISCARD],  # the first sound is slow
    "riichi": [RIICHI],
    "1,000 points": won(None, 1000, 1, {"riichi": 1}),
    "mangan": won("mangan", 8000, 5, FIVE),
    "haneman": won("haneman", 12000, 7, SIX, ura="7p4s"),
    "baiman": won("baiman", 16000, 9, FIVE | {"honitsu": 3, "haku": 1}),
    "sanbaiman": won("sanbaiman", 24000, 11, FIVE | {"chinitsu": 6}),
    "daisangen": won("yakuman", 32000, 13, {"daisangen": 13}, hand="555666777z123p9s", tile="9s"),
    "suuankou": won("yakuman", 32000, 13, {"suuankou": 13}, hand="111m222p333s4445z", tile="5z"),
    "kokushi": won("yakuman", 32000, 13, {"kokushi_musou": 13}, hand="19m19p19s1234567z", tile="1z"),
    "tenhou": won("yakuman", 32000, 13, {"tenhou": 13}),
    "draw": [DRAW, moved(-1500, 1500)],
}  # fmt: skip


class Between:
    """Stands between a page and its server; once the table is known, the page hears it alone."""

    def __init__(self) -> None:
        self.sync: Message = {}
        self.table: Message = {}
        self._socket: WebSocketRoute | None = None
        self._seq = 0

    def opened(self, socket: WebSocketRoute) -> None:
        """Stand between a page that connects and the server."""
        self._socket, server = socket, socket.connect_to_server()

        def to_page(text: str | bytes) -> None:
            message = json.loads(text)
            if message.get("table"):
                self.table = message["table"]
            if not self.sync:
                self.sync = message if message["type"] == "sync" else {}
                socket.send(text)

        server.on_message(to_page)

    def send(self, message: Message) -> None:
        """Send the page a message."""
        assert self._socket
        self._socket.send(json.dumps(message))

    def begin(self) -> None:
        """The hand as it was at first, with nobody asked."""
        self._seq = self.sync["seq"]
        own = {**self.sync["own"], "ask": None, "legal": [], "fouls": [], "offered": None}
        self.send(self.sync | {"events": [], "own": own})

    def happen(self, events: list[Message]) -> None:
        """Let events happen; after the last of a hand, its result stays."""
        self._seq += len(events)
        game = self.sync["game"]
        update = {
            "type": "update",
            "game": game,
            "seq": self._seq,
            "events": events,
            "own": None,
            "clock": None,
        }
        self.send(update)
        if events[0]["type"] != "discarded":
            self.send({"type": "pause", "game": game, "ms": None})


async def sit(context: BrowserContext, url: str, slow: float) -> tuple[Page, Between]:
    """A page at a table against three bots, on a processor that is ``slow`` times as slow."""
    page, between = await context.new_page(), Between()
    await page.add_init_script(SETTINGS)
    await page.route_web_socket("**/ws/**", between.opened)
    request = context.request
    await request.post(f"{url}/api/guest", data={"name": "Mina"})
    options = {"bots": 3, "options": {"draw_seats": False, "private": True}}
    table = (await (await request.post(f"{url}/api/tables", data=options)).json())["id"]
    await page.goto(f"{url}/t/{table}")
    await page.wait_for_selector(".room")
    await request.post(f"{url}/api/tables/{table}/start", data={})
    await page.wait_for_selector(".tile-button")
    await page.wait_for_timeout(4000)  # all parts are loaded
    await slowed(page, slow)
    return page, between


async def frames_of(page: Page, between: Between, events: list[Message]) -> list[float]:
    """The milliseconds between the frames of a moment."""
    between.begin()
    await page.wait_for_timeout(1500)
    await page.evaluate("window.frames_ = []")
    between.happen(events)
    if events[0]["type"] == "discarded":
        await page.wait_for_timeout(2500)
    else:
        await page.wait_for_selector(".sheet", timeout=20_000)
        await page.wait_for_timeout(600)
    measured: list[float] = await page.evaluate("window.frames_")
    return measured


async def slowed(page: Page, slow: float) -> None:
    """Slow the processor of a page and count its frames from now on."""
    line = await page.context.new_cdp_session(page)
    await line.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    await page.evaluate(WATCH)


async def control(context: BrowserContext, slow: float) -> list[float]:
    """The same of a page with nothing but one moving tile: more is possible on no page."""
    page = await context.new_page()
    await page.set_content(MOVING)
    await slowed(page, slow)
    await page.wait_for_timeout(6000)
    measured: list[float] = await page.evaluate("window.frames_")
    await page.close()
    return measured


async def ending(page: Page, between: Between) -> list[float]:
    """The same of the end of the game; the last moment, since the table is over."""
    between.begin()
    between.happen([*won("mangan", 8000, 5, FIVE), ENDED])
    await page.wait_for_selector(".sheet", timeout=20_000)
    await page.wait_for_timeout(1500)
    between.send({"type": "table", "table": between.table | {"status": "finished"}})
    await page.wait_for_timeout(500)
    await page.evaluate("window.frames_ = []")
    await page.click(".sheet .foot button")
    await page.wait_for_selector(".ending")
    await page.wait_for_timeout(6000)
    measured: list[float] = await page.evaluate("window.frames_")
    return measured


def tell(name: str, frames: list[float]) -> None:
    """Print how smooth a moment was."""
    late = sum(frame > LATE_MS for frame in frames) / len(frames)
    rate = 1000 * len(frames) / sum(frames)
    first = " ".join(f"{ms:.0f}" for ms in sorted(frames)[-4:])
    print(
        f"{name:16}{len(frames):5} frames {rate:6.1f} a second {late:6.1%} late, longest {first} ms",
        flush=True,
    )


async def measure(url: str, slow: float, rounds: int, favoured: bool) -> None:
    """Show every moment and print how smooth it was."""
    async with async_playwright() as player:
        browser = await player.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        if favoured:
            favour()
        every: list[float] = []
        for _ in range(rounds):
            context = await browser.new_context(viewport={"width": 390, "height": 844})
            tell("one moving tile", await control(context, slow))
            page, between = await sit(context, url, slow)
            for name, events in MOMENTS.items():
                frames = await frames_of(page, between, events)
                if frames:
                    every += frames
                    tell(name, frames)
            frames = await ending(page, between)
            every += frames
            tell("end", frames)
            await context.close()
        tell("all", every)


def main() -> None:
    """Start a parlour in a process of its own and sit down there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--slow", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--favour", action="store_true", help="give the browser nearly all of busy cores")
    options = parser.parse_args()
    with parlour() as url:
        asyncio.run(measure(url, options.slow, options.rounds, options.favour))


if __name__ == "__main__":
    main()
