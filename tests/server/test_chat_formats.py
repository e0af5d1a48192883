"""Messages for chats: each is as the chat's documentation wants it, and no name in it is markup."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from jantaku.server.events.notices.chat_news import CHATS, ChatMessage, address_of, chat_body, units

NASTY = (
    "@everyone", "<!channel>", "<users/all>", "<b>bold</b>", "[x](https://evil.invalid)", "**b** _i_ `c` ~s~",
    "# head", "&amp;", "a\nb", "||spoiler||", "<@123>", "\u6771\U0001f004",
)  # fmt: skip
LINK, LABEL = "https://club.invalid/events/e/rounds", "Open <the> page"
SMALL = ChatMessage("Title", ["one", "two"], LINK, LABEL, "+{count}")
HUGE = ChatMessage("T" * 900, ["[" * 5000, *["\U0001f004<@x>" * 9] * 3000], LINK, LABEL, "+{count} more")

SHORT = ChatMessage("T", ["\u96c0"] * 9000)


def text(value: Any, most: int, least: int = 1) -> None:
    assert isinstance(value, str)
    assert least <= units(value) <= most


def only(value: dict[str, Any], required: str, optional: str = "") -> None:
    """The fields of an object: those that it must have, and others that it may have."""
    assert set(required.split()) <= set(value) <= {*required.split(), *optional.split()}


def discord(body: dict[str, Any]) -> None:
    """docs.discord.com/developers/resources: webhook#execute-webhook, message#embed-object-embed-limits"""
    only(body, "embeds allowed_mentions")
    assert body["allowed_mentions"] == {"parse": []}
    (embed,) = body["embeds"]
    only(embed, "title description color", "url")
    text(embed["title"], 256)
    text(embed["description"], 4096, 0)
    assert units(embed["title"] + embed["description"]) <= 6000
    assert 0 <= embed["color"] <= 0xFFFFFF


def slack(body: dict[str, Any]) -> None:
    """docs.slack.dev/reference/block-kit/blocks: 50 blocks, headers of 150, sections of 3,000"""
    only(body, "text blocks")
    text(body["text"], 4000)
    assert 1 <= len(body["blocks"]) <= 50
    assert units(json.dumps(body["blocks"], ensure_ascii=False)) < 13_000  # msg_blocks_too_long
    for block in body["blocks"]:
        if block["type"] == "context":
            assert [set(element) for element in block["elements"]] == [{"type", "text"}]
            continue
        only(block, "type text")
        only(block["text"], "type text emoji")
        assert block["text"]["type"] == "plain_text"
        text(block["text"]["text"], {"header": 150, "section": 3000}[block["type"]])


def telegram(body: dict[str, Any]) -> None:
    """core.telegram.org/bots/api#sendmessage: 1-4096 characters after entities parsing, tags balanced"""
    only(body, "chat_id text parse_mode link_preview_options")
    assert body["parse_mode"] == "HTML"
    plain = re.sub(r"</?b>|</a>|<a href=\"[^\"<>]*\">", "", body["text"])
    assert "<" not in plain
    text(html.unescape(plain), 4096)


def teams(body: dict[str, Any]) -> None:
    """learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: a card of at most 28 KB"""
    only(body, "type attachments")
    assert body["type"] == "message"
    assert len(json.dumps(body, ensure_ascii=False).encode()) <= 28_000
    (attachment,) = body["attachments"]
    assert attachment["contentType"] == "application/vnd.microsoft.card.adaptive"
    only(attachment["content"], "type $schema version body", "actions")
    for block in attachment["content"]["body"]:
        assert block["type"] == "RichTextBlock"
        assert {run["type"] for run in block["inlines"]} == {"TextRun"}


def google_chat(body: dict[str, Any]) -> None:
    """developers.google.com/workspace/chat: text of 4,096 characters, 32,000 bytes in all"""
    only(body, "text")
    text(body["text"], 4096)
    assert len(json.dumps(body).encode()) <= 32_000
    assert "<users/" not in body["text"]


def mattermost(body: dict[str, Any]) -> None:
    """developers.mattermost.com/integrate/webhooks/incoming: 4,000 characters with old tables"""
    only(body, "text")
    text(body["text"], 4000)


def line_works(body: dict[str, Any]) -> None:
    only(body, "title body", "button")
    text(body["title"], 300)
    only(body["body"], "text")
    text(body["body"]["text"], 1000, 0)
    if "button" in body:
        only(body["button"], "label url")


def kakaowork(body: dict[str, Any]) -> None:
    """docs.kakaoi.ai/kakao_work: a text is all that is needed"""
    only(body, "text")
    text(body["text"], 500)


def jandi(body: dict[str, Any]) -> None:
    """support.jandi.com/en/articles/6352697: a body, a colour, and parts of title and description"""
    only(body, "body connectColor connectInfo")
    text(body["body"], 4000)
    assert re.fullmatch("#[0-9A-F]{6}", body["connectColor"])
    for part in body["connectInfo"]:
        only(part, "title description")


SCHEMAS = (discord, slack, telegram, teams, google_chat, mattermost, line_works, kakaowork, jandi)
FORMATS = {schema.__name__: schema for schema in SCHEMAS}


def strings(value: Any) -> Iterator[str]:
    """All texts in a body."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def test_every_format_has_a_schema() -> None:
    assert set(FORMATS) == set(CHATS)


@pytest.mark.parametrize(
    "message", [SMALL, HUGE, SHORT, ChatMessage("T", []), ChatMessage("T", NASTY, LINK, LABEL)]
)
@pytest.mark.parametrize("format_", CHATS)
def test_messages_are_as_the_chat_wants_them(format_: str, message: ChatMessage) -> None:
    body, headers = chat_body(format_, message, "@club" if format_ == "telegram" else "")
    FORMATS[format_](body)
    assert all(name in ("accept", "content-type") for name in headers)
    whole = "\n".join(strings(body))
    assert (message.link in whole) == bool(message.link) or not message.link
    if message is SMALL:
        assert "one" in whole
        assert "two" in whole
    if message is HUGE:
        shown = int(re.findall(r"\+(\d+) more", whole)[-1])
        assert 2000 < shown <= 3001


@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.parametrize("format_", CHATS)
def test_names_are_never_markup(format_: str, nasty: str) -> None:
    body, _ = chat_body(format_, ChatMessage(f"T {nasty}", [f"1 · {nasty} +5.0"]))
    if format_ in ("discord", "mattermost"):
        for string in strings(body):
            assert not re.search(r"(?<![\\*])[\[<`~_|#](?!\\)", string.replace("**", "")), string
            assert "@e" not in string
    if format_ == "telegram":
        assert body["text"].count("<") == 2  # our own tags
    if format_ == "google_chat":
        assert not re.search(r"<[!@u]", body["text"])
    if format_ in ("slack", "teams"):  # where names stand, texts are plain
        assert "mrkdwn" not in json.dumps(body)
    assert all("\n" not in part or format_ != "slack" for part in strings(body))


@pytest.mark.parametrize(
    ("format_", "url", "to"),
    [
        ("telegram", "https://api.telegram.org/bot1:x", "https://api.telegram.org/bot1:x/sendMessage"),
        ("telegram", "https://api.telegram.org/bot1:x/", "https://api.telegram.org/bot1:x/sendMessage"),
        ("telegram", "https://api.telegram.org/bot1:x/sendMessage", "https://api.telegram.org/bot1:x/sendMessage"),
        ("discord", "https://discord.com/api/webhooks/1/x", "https://discord.com/api/webhooks/1/x"),
    ],
)  # fmt: skip
def test_telegram_addresses_may_end_with_the_bot(format_: str, url: str, to: str) -> None:
    assert address_of(format_, url) == to


@pytest.mark.parametrize("format_", CHATS)
def test_texts_that_people_choose_call_nobody_and_link_nowhere(format_: str) -> None:
    bait = (
        "@everyone",
        "@here",
        "https://evil.example",
        "http://evil.example",
        "www.evil.com",
        "evil.example",
    )
    message = ChatMessage(" ".join(bait), bait, "https://parlour.example.org/events/e", "Open")
    body, _ = chat_body(format_, message)
    written = json.dumps(body, ensure_ascii=False).replace("https://parlour.example.org/events/e", "")
    for text in ("@everyone", "@here", "://evil", "www.evil", "evil.example", "evil.com"):
        assert text not in written
