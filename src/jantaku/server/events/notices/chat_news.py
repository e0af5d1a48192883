"""Chat messages in the formats of Discord and Slack, within their documented limits.

Lengths are in UTF-16 code units. User-chosen names never become markup: they are escaped, or placed in
plain-text fields.
"""

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Literal

from jantaku import terms
from jantaku.club.event import stage_name
from jantaku.seats import winds_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import names_of
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Delivery, Webhook
from jantaku.terms import Language, counted, signed, thousands

ChatFormat = Literal["jantaku", "discord", "slack"]
ZERO_WIDTH_SPACE: Final = "\u200b"  # keeps chats from recognising mentions and links
GREEN: Final = 0x1F7A54
MAX_DESCRIPTION: Final = 4096  # of a Discord embed; 6,000 with the title
MAX_BLOCKS: Final = 9000  # Slack rejects messages of about 13,000
MAX_TEXT: Final = 3500  # Mattermost with old database tables allows 4,000 with the link
MAX_TITLE: Final = 120  # Slack allows 150, Discord 256 including escapes
MENTIONS: Final = re.compile(r"[@＠]|:(?=//)|(?<=\w)\.(?=[^\W\d])")  # mentions, links and bare domains
MARKS: Final = re.compile(r"([\\`*_~|>#\[\]<])")


@dataclass(frozen=True)
class ChatMessage:
    """A chat message: title, lines, and a labelled link; ``more`` formats the number of omitted lines."""

    title: str
    lines: Sequence[str]
    link: str = ""
    label: str = ""
    more: str = "+{count}"


def chat_body(format_: str, message: ChatMessage) -> dict[str, Any]:
    """Build the JSON body of the request that posts a message."""
    title = _cut(_without_mentions(" ".join(message.title.split())), MAX_TITLE)
    return _discord(message, title) if format_ == "discord" else _slack(message, title)


def units(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, most: int) -> str:
    while units(text) > most:
        text = text[: min(len(text) - 2, most - 1)] + "…"
    return text


def _fitted(message: ChatMessage, most: int, plain: Callable[[str], str] = str) -> list[str]:
    """Return the lines that fit into ``most`` units along with the link, and the number of omitted lines."""
    lines = [plain(" ".join(_cut(_without_mentions(line), most // 4).split())) for line in message.lines]
    room = most - units(message.link) - units(message.label) - MAX_TITLE - 32
    lengths = [units(line) + 2 for line in lines]
    if sum(lengths) <= room:
        return lines
    room -= units(message.more) + 8
    shown = next(number for number in count() if sum(lengths[: number + 1]) > room)
    return [*lines[:shown], message.more.format(count=len(lines) - shown)]


def _without_mentions(text: str) -> str:
    """Defuse mentions and links in any chat format."""
    return MENTIONS.sub(rf"\g<0>{ZERO_WIDTH_SPACE}", text)


def _escape_markdown(text: str) -> str:
    """Escape a plain text for Markdown."""
    return MARKS.sub(r"\\\1", text)


def _escape_html(text: str) -> str:
    return html.escape(text, quote=False)


def _discord(message: ChatMessage, title: str) -> dict[str, Any]:
    embed = {
        "title": _escape_markdown(title),
        "description": "\n".join(_fitted(message, MAX_DESCRIPTION, _escape_markdown)),
        "color": GREEN,
    }
    link = {"url": message.link} if message.link else {}
    return {"embeds": [embed | link], "allowed_mentions": {"parse": []}}


def _slack(message: ChatMessage, title: str) -> dict[str, Any]:
    """Build blocks for Slack, and a text for Mattermost and Rocket.Chat, which ignore blocks."""
    lines = _fitted(message, MAX_BLOCKS)
    sections = [
        {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}}
        for text in _joined(lines, 3000)
    ]
    header = {"type": "header", "text": {"type": "plain_text", "text": title, "emoji": False}}
    links = [f"<{message.link}|{_escape_html(message.label)}>"] if message.link else []
    last = [{"type": "context", "elements": [{"type": "mrkdwn", "text": link}]} for link in links]
    text = _cut(_escape_html("\n".join([title, *lines])), MAX_TEXT)
    return {"text": "\n".join([text, *links]), "blocks": [header, *sections, *last]}


def _joined(lines: Sequence[str], most: int) -> list[str]:
    """Join lines into texts of at most ``most`` units."""
    pieces = [""]
    for line in lines:
        if units(pieces[-1]) + units(line) + 1 > most:
            pieces.append("")
        pieces[-1] += f"\n{line}" if pieces[-1] else line
    return [piece for piece in pieces if piece]


PAGES: Final = {"seating": "/rounds", "start": "/rounds", "standings": "/standings", "test": ""}
Text = tuple[str, Sequence[str]]  # title without the event's name, lines


async def chat_message(
    services: Services, standings: StandingsCache, webhook: Webhook, delivery: Delivery
) -> ChatMessage:
    """Build the message for a delivery with the current names and results."""
    event = await services.events.find(delivery.event)
    news = _EventNews(services, standings, event, webhook.language)
    title, lines = await news.text_of(delivery.kind, json.loads(delivery.body))
    public = services.settings.public_url
    page = PAGES.get(delivery.kind, "/games")
    return ChatMessage(
        f"{event.name} · {title}",
        lines,
        f"{public}/events/{event.id}{page}" if public else "",
        news.text("open"),
        news.text("more", count="{count}"),
    )


class _EventNews:
    """Formats the news of one event in one language."""

    def __init__(
        self, services: Services, standings: StandingsCache, event: EventRow, language: Language
    ) -> None:
        self._services = services
        self._standings = standings
        self._event = event
        self._language: Language = language
        self._plan = event.plan
        self._hidden = self._plan.hidden_standings and event.status == "open"

    def text(self, key: str, **values: Any) -> str:
        return terms.text(f"server.chat.{key}", self._language, **values)

    async def text_of(self, kind: str, news: Mapping[str, Any]) -> Text:
        """Format one piece of news."""
        if kind == "test":
            return self.text("test"), [self.text("test_about")]
        if kind == "standings":
            return await self._ranking((news.get("after") or {}).get("stage"))
        if kind == "start":
            return await self._start(news)
        names = names_of(await self._services.entries.all(self._event.id), self._language)
        if kind in ("seating", "penalty"):
            return (self._seating if kind == "seating" else self._penalty)(news, names)
        game = await self._game(news["game"])
        if kind == "call":
            return self._call(news, game, names)
        return self.text(kind, game=self._game_name(game)), self._result(game, names)

    async def _game(self, game: str | None) -> RecordedGameRow | None:
        try:
            return None if game is None else await self._services.recorded.find(self._event.id, game)
        except ServerError:  # deleted in the meantime
            return None

    def _stage(self, stage: str) -> str:
        return stage_name(self._plan.stages, stage, self._language)

    def _round(self, after: Mapping[str, Any]) -> str:
        return self.text("round", stage=self._stage(after["stage"]), round=after["round"])

    def _game_name(self, game: RecordedGameRow | None) -> str:
        """Format the name of a game: its stage, table label and number."""
        if game is None:
            return ""
        table = [self.text("table", table=game.label)] if game.label else []
        return " · ".join([self._stage(game.stage), *table, self.text("game", number=game.number)])

    def _seating(self, news: Mapping[str, Any], names: Mapping[str, str]) -> Text:
        after = news["after"]
        key = "seating" if news["action"] == "seating_published" else "reseat"
        lines = [
            f"{self.text('table', table=number)}: {self._seats(players, names)}"
            for number, players in enumerate(after["tables"], 1)
        ]
        byes = [names.get(entry, entry) for entry in after.get("byes") or ()]
        lines += [self.text("byes", names=" · ".join(byes))] if byes else []
        return self.text(key, round=self._round(after)), lines

    def _seats(self, players: Sequence[str], names: Mapping[str, str]) -> str:
        winds = [terms.text(f"tiles.winds.{wind}", self._language) for wind in winds_of(len(players))]
        return " · ".join(
            f"{wind} {names.get(entry, entry)}" for wind, entry in zip(winds, players, strict=True)
        )

    async def _start(self, news: Mapping[str, Any]) -> Text:
        after = news["after"]
        if news["action"] == "round_taken_back":
            return self.text("taken_back", round=self._round(after)), [news["why"]] if news["why"] else []
        rows = await self._services.rounds.of(self._event.id, after["stage"])
        clock = next((round_.timer for round_ in rows.rounds if round_.number == after["round"]), None)
        lines = [self.text("minutes", minutes=clock.minutes)] if clock and clock.minutes else []
        return self.text("start", round=self._round(after)), lines

    def _penalty(self, news: Mapping[str, Any], names: Mapping[str, str]) -> Text:
        name = names.get(news["entry"], news["entry"])
        if news["action"] == "penalty_cancelled":
            return self.text("penalty_cancelled", name=name), [news["why"]]
        points = signed(news["after"]["points"])
        return self.text("penalty", name=name, points=points), [news["why"]]

    def _call(self, news: Mapping[str, Any], game: RecordedGameRow | None, names: Mapping[str, str]) -> Text:
        label = (news["after"] or {}).get("label")
        where = self._game_name(game) or (self.text("table", table=label) if label else "")
        caller = names.get(news["entry"] or "")
        lines = [line for line in (where, caller, news["why"]) if line]
        return self.text("dispute" if news["action"] == "dispute" else "call"), lines

    def _result(self, game: RecordedGameRow | None, names: Mapping[str, str]) -> list[str]:
        """Format the players by place with their points, unless results are hidden."""
        if self._hidden:
            return [self.text("hidden")]
        result = None if game is None else game.result
        if game is None or result is None or result.final is None or result.places is None:
            return []
        rows = zip(result.places, game.players, result.scores, result.final, strict=True)
        return [
            f"{place} · {names.get(player, player)} {counted(score)} ({thousands(final)})"
            for place, player, score, final in sorted(rows)
        ]

    async def _ranking(self, stage: str | None) -> Text:
        """Format the standings of a stage, by default of the last one with games."""
        if self._hidden:
            return self.text("standings", stage=""), [self.text("hidden")]
        standings = await self._standings.get(self._event)
        begun = [stage for stage in standings.stages if any(row.rank for row in stage.standings)]
        shown = next((row for row in standings.stages if row.id == stage), (begun or standings.stages)[-1])
        names = names_of(await self._services.entries.all(self._event.id), self._language)
        lines = [
            f"{row.rank} · {names.get(row.player, row.player)} {thousands(row.points)} "
            f"({self.text('games', count=row.games)})"
            for row in shown.standings
            if row.rank is not None
        ]
        return self.text("standings", stage=self._stage(shown.id)), lines
