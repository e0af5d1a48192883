"""A message in the format of each chat, within the limits that its documentation names.

Lengths are those of UTF-16, as the strictest of them count. Names that people chose are never markup:
where a chat has a field for plain text they go there, elsewhere they are escaped.
"""

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, Literal, get_args

from jantaku import terms
from jantaku.club.stage_names import stage_name
from jantaku.seats import winds_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import EventPlan, contract_of
from jantaku.server.events.common.event_bodies import event_name, names_of
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Delivery, Webhook
from jantaku.terms import Language, counted, signed, thousands

ChatFormat = Literal[
    "jantaku", "discord", "slack", "telegram", "teams", "google_chat", "mattermost", "line_works",
    "kakaowork", "jandi",
]  # fmt: skip
CHATS: Final[tuple[ChatFormat, ...]] = get_args(ChatFormat)[1:]
BREAK: Final = "\u200b"  # a space without width, which keeps signs from being read as markup
GREEN: Final = 0x1F7A54
MOST_TITLE: Final = 120  # Slack takes 150, Discord 256 with the signs that escape markup
CALLS: Final = re.compile(r"[@＠]|:(?=//)|(?<=\w)\.(?=[^\W\d])")  # of people, links and bare domains
MARKS: Final = re.compile(r"([\\`*_~|>#\[\]<])")


@dataclass(frozen=True)
class ChatMessage:
    """What a chat is told: a title, lines, and a link with its label; ``more`` counts lines left out."""

    title: str
    lines: Sequence[str]
    link: str = ""
    label: str = ""
    more: str = "+{count}"


@dataclass(frozen=True)
class _Chat:
    """How many units of UTF-16 the text may have, how plain text is written, and the body of a message."""

    most: int
    plain: Callable[[str], str]
    body: Callable[[ChatMessage, Sequence[str]], dict[str, Any]]
    headers: Mapping[str, str] | None = None
    each: int = 1  # what a line takes besides its text


def chat_body(format_: str, message: ChatMessage, chat: str = "") -> tuple[dict[str, Any], dict[str, str]]:
    """The body of a request that posts a message, and the headers that it needs."""
    shape = _CHATS[format_]
    title = _cut(_quiet(" ".join(message.title.split())), MOST_TITLE)
    lines = [*map(_quiet, message.lines)]
    message = ChatMessage(shape.plain(title), lines, message.link, message.label, message.more)
    body = shape.body(message, _fitted(message, shape))
    return body | ({"chat_id": chat} if chat else {}), dict(shape.headers or {})


def address_of(format_: str, url: str) -> str:
    """The address to post to: for Telegram that of a bot may end before its method."""
    if format_ == "telegram" and len(url.rstrip("/").split("/")) == len(("https:", "", "host", "bot")):
        return f"{url.rstrip('/')}/sendMessage"
    return url


def units(text: str) -> int:
    """How long a text is in UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, most: int) -> str:
    while units(text) > most:
        text = text[: min(len(text) - 2, most - 1)] + "…"
    return text


def _fitted(message: ChatMessage, chat: _Chat) -> list[str]:
    """The lines that fit beside the title and the link, and how many are left out."""
    lines = [chat.plain(" ".join(_cut(line, chat.most // 4).split())) for line in message.lines]
    room = chat.most - units(message.title) - units(message.link) - units(message.label) - 32
    lengths = [units(line) + chat.each for line in lines]
    if sum(lengths) <= room:
        return lines
    room -= units(message.more) + 8
    shown = next(number for number in count() if sum(lengths[: number + 1]) > room)
    return [*lines[:shown], message.more.format(count=len(lines) - shown)]


def _quiet(text: str) -> str:
    """A text that calls nobody and links nowhere, however a chat reads it."""
    return CALLS.sub(rf"\g<0>{BREAK}", text)


def _same(text: str) -> str:
    return text


def _marked(text: str) -> str:
    """Plain text in Markdown."""
    return MARKS.sub(r"\\\1", text)


def _broken(text: str) -> str:
    """Plain text for Google Chat, which knows no escapes."""
    return re.sub(r"([*_~`<])", rf"\1{BREAK}", text)


def _tagged(text: str) -> str:
    return html.escape(text, quote=False)


def _markdown_link(message: ChatMessage) -> list[str]:
    return [f"[{message.label}]({message.link})"] if message.link else []


def _discord(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    embed = {"title": message.title, "description": "\n".join(lines), "color": GREEN}
    link = {"url": message.link} if message.link else {}
    return {"embeds": [embed | link], "allowed_mentions": {"parse": []}}


def _slack(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    sections = [
        {"type": "section", "text": {"type": "plain_text", "text": text, "emoji": False}}
        for text in _pieces(lines, 3000)
    ]
    header = {"type": "header", "text": {"type": "plain_text", "text": message.title, "emoji": False}}
    link = {"type": "mrkdwn", "text": f"<{message.link}|{_tagged(message.label)}>"}
    last = [{"type": "context", "elements": [link]}] if message.link else []
    return {"text": _tagged(message.title), "blocks": [header, *sections, *last]}


def _pieces(lines: Sequence[str], most: int) -> list[str]:
    """Lines put together to texts, none longer than ``most``."""
    pieces = [""]
    for line in lines:
        if units(pieces[-1]) + units(line) + 1 > most:
            pieces.append("")
        pieces[-1] += f"\n{line}" if pieces[-1] else line
    return [piece for piece in pieces if piece]


def _telegram(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    link = f'<a href="{html.escape(message.link)}">{_tagged(message.label)}</a>'
    text = "\n".join([f"<b>{message.title}</b>", *lines, *([link] if message.link else [])])
    return {"text": text, "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}


def _teams(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    """An adaptive card; text runs are the only part of one that never reads Markdown."""
    title = {"type": "TextRun", "text": message.title, "weight": "Bolder", "size": "Medium"}
    runs = [[title], *([{"type": "TextRun", "text": line}] for line in lines)]
    card: dict[str, Any] = {
        "type": "AdaptiveCard",
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "version": "1.2",
        "body": [
            {"type": "RichTextBlock", "inlines": runs, "spacing": "Small" if i > 1 else "Default"}
            for i, runs in enumerate(runs)
        ],
    }
    if message.link:
        card["actions"] = [{"type": "Action.OpenUrl", "title": message.label, "url": message.link}]
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
    return {"type": "message", "attachments": [attachment]}


def _google(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    link = [f"<{message.link}|{message.label}>"] if message.link else []
    return {"text": "\n".join([f"*{message.title}*", *lines, *link])}


def _mattermost(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    """A paragraph with hard line breaks; Rocket.Chat reads it, too."""
    return {"text": "\n".join([f"**{message.title}**", *lines, *_markdown_link(message)])}


def _line_works(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    button = {"button": {"label": message.label, "url": message.link}} if message.link else {}
    return {"title": message.title, "body": {"text": "\n".join(lines)}} | button


def _kakaowork(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    return {"text": "\n".join(filter(None, [message.title, *lines, message.link]))}


def _jandi(message: ChatMessage, lines: Sequence[str]) -> dict[str, Any]:
    parts = [{"title": "", "description": "\n".join(lines)}]
    title = " ".join([message.title, *_markdown_link(message)])
    return {"body": title, "connectColor": f"#{GREEN:06X}", "connectInfo": parts}


def _unlinked(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")


_CHATS: Final[Mapping[str, _Chat]] = {
    "discord": _Chat(4096, _marked, _discord),  # the description; 6,000 with the title
    "slack": _Chat(9000, _same, _slack, each=2),  # sections of 3,000; beyond some 13,000 a message is refused
    "telegram": _Chat(4096, _tagged, _telegram),
    "teams": _Chat(  # 28 KB for the card: up to three bytes for each unit, and what is around a line
        8000, _same, _teams, {"content-type": "application/json; charset=utf-8"}, 40
    ),
    "google_chat": _Chat(4096, _broken, _google),
    "mattermost": _Chat(4000, _marked, _mattermost),  # 16,383 where its database has the newer tables
    "line_works": _Chat(1000, _same, _line_works),
    "kakaowork": _Chat(500, _same, _kakaowork),
    "jandi": _Chat(4000, _unlinked, _jandi, {"accept": "application/vnd.tosslab.jandi-v2+json"}),
}


PAGES: Final = {"seating": "/rounds", "start": "/rounds", "standings": "/standings", "test": ""}
Said = tuple[str, Sequence[str]]  # the title without the event's name, and the lines


async def chat_message(
    services: Services, standings: StandingsCache, webhook: Webhook, delivery: Delivery
) -> ChatMessage:
    """The message of a delivery, with names and results as they are when it is sent."""
    event = await services.events.find(delivery.event)
    said = _EventNews(services, standings, event, webhook.language)
    title, lines = await said.text_of(delivery.kind, json.loads(delivery.body))
    public = services.settings.public_url
    page = PAGES.get(delivery.kind, "/games")
    return ChatMessage(
        f"{event_name(event, webhook.language)} · {title}",
        lines,
        f"{public}/events/{event.id}{page}" if public else "",
        said.text("open"),
        said.text("more", count="{count}"),
    )


class _EventNews:
    """Says the news of one event in one language."""

    def __init__(
        self, services: Services, standings: StandingsCache, event: EventRow, language: Language
    ) -> None:
        self._services = services
        self._standings = standings
        self._event = event
        self._language: Language = language
        self._plan = EventPlan.model_validate_json(event.plan)
        self._hidden = self._plan.hidden_standings and event.status == "open"

    def text(self, key: str, **values: Any) -> str:
        return terms.text(f"server.chat.{key}", self._language, **values)

    async def text_of(self, kind: str, news: Mapping[str, Any]) -> Said:
        """The title and the lines of a piece of news."""
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
        return self.text(kind, game=self._called(game)), self._result(game, names)

    async def _game(self, game: str | None) -> RecordedGameRow | None:
        try:
            return None if game is None else await self._services.recorded.find(self._event.id, game)
        except ServerError:  # deleted meanwhile
            return None

    def _stage(self, stage: str) -> str:
        return stage_name(contract_of(self._plan)["stages"], stage, self._language)

    def _round(self, after: Mapping[str, Any]) -> str:
        return self.text("round", stage=self._stage(after["stage"]), round=after["round"])

    def _called(self, game: RecordedGameRow | None) -> str:
        """What a game is called: its stage, its table if it has one, and its number."""
        if game is None:
            return ""
        table = [self.text("table", table=game.label)] if game.label else []
        return " · ".join([self._stage(game.stage), *table, self.text("game", number=game.number)])

    def _seating(self, news: Mapping[str, Any], names: Mapping[str, str]) -> Said:
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

    async def _start(self, news: Mapping[str, Any]) -> Said:
        after = news["after"]
        if news["action"] == "round_taken_back":
            return self.text("taken_back", round=self._round(after)), [news["why"]] if news["why"] else []
        rows = await self._services.rounds.of(self._event.id, after["stage"])
        clock = next((round_.timer for round_ in rows.rounds if round_.number == after["round"]), None)
        lines = [self.text("minutes", minutes=clock.minutes)] if clock and clock.minutes else []
        return self.text("start", round=self._round(after)), lines

    def _penalty(self, news: Mapping[str, Any], names: Mapping[str, str]) -> Said:
        name = names.get(news["entry"], news["entry"])
        if news["action"] == "penalty_cancelled":
            return self.text("penalty_cancelled", name=name), [news["why"]]
        points = signed(news["after"]["points"])
        return self.text("penalty", name=name, points=points), [news["why"]]

    def _call(self, news: Mapping[str, Any], game: RecordedGameRow | None, names: Mapping[str, str]) -> Said:
        label = (news["after"] or {}).get("label")
        where = self._called(game) or (self.text("table", table=label) if label else "")
        who = names.get(news["entry"] or "")
        lines = [line for line in (where, who, news["why"]) if line]
        return self.text("dispute" if news["action"] == "dispute" else "call"), lines

    def _result(self, game: RecordedGameRow | None, names: Mapping[str, str]) -> list[str]:
        """The players by place with their points; nothing of results that are hidden."""
        if self._hidden:
            return [self.text("hidden")]
        result: dict[str, Any] = (game and game.result) or {}
        if game is None or not result.get("places"):
            return []
        rows = zip(result["places"], game.players, result["scores"], result["final"], strict=True)
        return [
            f"{place} · {names.get(player, player)} {counted(score)} ({thousands(final)})"
            for place, player, score, final in sorted(rows)
        ]

    async def _ranking(self, stage: str | None) -> Said:
        """The standings of a stage, without one of the last that anybody has played in."""
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
