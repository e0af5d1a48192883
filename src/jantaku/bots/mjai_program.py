"""Jantaku's bots as an mjai program for other arenas: a line of messages in, a line with the answer out.

A line is one message or an array of messages. Each line gets one answer, ``none`` if there is nothing to do;
riichi takes two, ``reach`` and then ``dahai``. This suits the original server (over a pipe), mjai.app and
programs built around Mortal's bot.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from jantaku.bots.player import Bot, name_of
from jantaku.errors import JantakuError, RecordError, cause
from jantaku.records.mjai import Follower
from jantaku.records.texts import parse_json
from jantaku.rules import Ruleset

Message = dict[str, Any]
ROOM: Final = "default"


class MjaiProgram:
    """A bot that plays one seat and communicates in lines of mjai messages.

    ``rules`` and ``seat`` are as for a ``Follower``. Errors are passed to ``report`` and do not end the game:
    the seat then discards the tile it has drawn, or passes. ``over`` is true when the game has ended.
    """

    def __init__(
        self,
        bot: Bot,
        rules: str | Ruleset | None = None,
        seat: int | None = None,
        report: Callable[[JantakuError], object] = lambda _: None,
    ) -> None:
        self.bot, self.report = bot, report
        self.follower = Follower(rules, seat)
        self.over = False

    def answer(self, line: str) -> str:
        """Return the answer to a line, without a line end."""
        messages: list[Any] = []
        try:
            data = _parsed(line)
            messages = data if isinstance(data, list) else [data]
            for message in messages:
                self._follow(message)
            reply = self._answer(messages[-1] if messages else {})
        except JantakuError as error:
            self.report(error)
            reply = _fallback_reply(messages)
        return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))

    def _follow(self, message: Any) -> None:
        self.follower.follow(message)
        self.over = self.over or message["type"] == "end_game"

    def _answer(self, last: Message) -> Message:
        if last.get("type") == "hello":
            return {"type": "join", "name": name_of(self.bot), "room": ROOM}
        if last.get("can_act") is False:
            return self.follower.answer()
        return self.follower.answer(self.follower.choose(self.bot))


def _parsed(line: str) -> Any:
    try:
        return parse_json(line)
    except (ValueError, RecursionError) as error:
        raise RecordError("mjai_line", message=line.strip(), reason=cause(error)) from error


def _fallback_reply(messages: list[Any]) -> Message:
    """Return the move of a seat whose game cannot be followed: discard the drawn tile, or pass."""
    last = messages[-1] if messages else None
    if isinstance(last, dict) and last.get("type") == "tsumo" and last.get("pai", "?") != "?":
        return {"type": "dahai", "actor": last.get("actor"), "pai": last["pai"], "tsumogiri": True}
    return {"type": "none"}
