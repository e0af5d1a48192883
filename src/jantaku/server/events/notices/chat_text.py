"""What a chat is told of an event's news: a title and lines in the language of its webhook."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jantaku import terms
from jantaku.club.stage_names import stage_name
from jantaku.seats import winds_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import EventPlan, contract_of
from jantaku.server.events.common.event_shown import event_name, names_of
from jantaku.server.events.notices.chat_formats import ChatMessage
from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.webhooks import Delivery, Webhook
from jantaku.terms import Language, counted, signed, thousands

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
