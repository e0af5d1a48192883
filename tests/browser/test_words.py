"""No page shows a code or an English word where it should speak Korean or Japanese."""

import re
from collections.abc import Callable, Iterable
from typing import Final

import pytest

from browser.parlour import ONE_WIN, PAGES, Guest, against_bots, slow_in_a_browser
from jantaku import terms
from jantaku.rules import catalogue, preset_names

pytestmark = slow_in_a_browser
FOULS: Final = 'extends = "bgm-2025"\n[fouls]\nmode = "penalise"\n'
WHOLE: Final = 'extends = "bgm-2025"\n[match]\nlength = "east"\n[riichi]\nopen = true\n'
# Hands of which the calculator shows the waits, the discards, a yakuman and a refusal
HANDS: Final = (
    "1112345678999m",
    "23456m234p34588s",
    "19m19p19s1234567z",
    "1458m389p34679s14z",
    "123m55p678s1115z9s5p",
)
CODE: Final = re.compile(r"\b[a-z]+_[a-z_]+\b|\b[a-z]+\.[a-z_]+\b")
# Addresses, fingerprints, keys of a rules file, and typed text
QUOTED: Final = re.compile(
    r"jantaku serve --rules|https?://\S+|\b[0-9a-f]{16}\b|\[local\]|[“「](?:make|jantaku|nowhere)\b[^”」]*"
)
LATIN: Final = re.compile(r"[A-Za-z]{2,}")
# Names and words in Latin letters in every language
ALLOWED: Final = {
    *("Jantaku", "Mina", "Kaede", "Sora", "Haneul", "Ren", "English"),
    "OpenSkill",
    *("Python", "TOML", "JSON", "XML", "QR", "mjai", "mjlog", "MahjongTime", "BGM", "EMA", "WRC"),
    *("Enter", "Shift", "Esc"),
    *("Chrome", "Linux"),  # the device of a session
}
SHOWN: Final = """() => {
  const found = [];
  if (!document.body) return found; // the next page has just begun
  const skip = 'script, style, textarea, code, pre, [lang=en], .sprite';
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: parent } = walk.currentNode;
    if (data.trim() && !parent.closest(skip)) found.push(data.trim());
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (!element.closest(skip)) found.push(element.getAttribute(name));
  return found;
}"""
LISTEN: Final = (
    "window.setInterval(() => { for (const text of window.shown()) window.heard.add(text); }, 60);"
)


def untranslated(texts: Iterable[str]) -> set[str]:
    """Codes of the tables, and words in Latin letters that no language keeps."""
    ids = {*catalogue(), *preset_names()} - {"riichi"}
    shown: set[str] = set()
    for text in (QUOTED.sub("", part) for part in texts):
        words = {*CODE.findall(text), *LATIN.findall(text)} - ALLOWED
        shown |= {f"{word}: {text[:80]}" for word in words | ({text} & ids)}
    return shown


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_pages_speak_one_language(guest: Callable[..., Guest], language: str) -> None:
    player = guest(language=language)
    page = player.page
    player.table("bgm-2025", 2)
    words: dict[str, set[str]] = {}
    for name in PAGES:
        player.visit(name)
        player.still()
        words[name] = untranslated(page.evaluate(SHOWN))
    for hand in HANDS:
        page.goto(f"/calc?hand={hand}")
        page.wait_for_selector(".answer *")
        player.still()
        words[hand] = untranslated(page.evaluate(SHOWN))
    assert {where: wrong for where, wrong in words.items() if wrong} == {}


def heard_at(player: Guest) -> set[str]:
    """Everything that the page has shown since it was opened."""
    return set(player.page.evaluate("[...window.heard]"))


@pytest.mark.parametrize("rules", [ONE_WIN, pytest.param(WHOLE, marks=pytest.mark.long)], ids=["win", "game"])
@pytest.mark.parametrize("language", ["ko", "ja"])
def test_tables_speak_one_language(guest: Callable[..., Guest], language: str, rules: str) -> None:
    player = guest(language=language)
    page = player.page
    page.add_init_script(f"window.heard = new Set(); window.shown = {SHOWN}; {LISTEN}")
    heard: set[str] = set()
    room = player.table("bgm-2025", 1)
    player.sit_down(room)
    page.wait_for_selector(".room")
    heard |= heard_at(player)
    against_bots(player, rules, clock=True)
    page.click("button.menu")
    page.click(".sheet summary")
    page.keyboard.press("Escape")
    player.finish()
    heard |= heard_at(player)
    page.click("a[href^='/g/']")
    page.wait_for_selector(".replay")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        player.settle()
    page.wait_for_selector(".moment p")
    heard |= heard_at(player)
    assert len(heard) > 100
    assert untranslated(heard) == set()


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_fouls_and_missing_pages_speak_one_language(
    guest: Callable[..., Guest], language: terms.Language
) -> None:
    player = guest(language=language)
    player.expect_fault("404")
    page = player.page
    heard: set[str] = set()
    against_bots(player, FOULS)
    page.click("button.fouls")
    page.wait_for_selector(".sheet .danger")
    heard |= set(page.evaluate(SHOWN))
    said = terms.text("web.foul.win_called", language)
    page.locator(".sheet .danger", has_text=said).click()
    page.wait_for_selector(".notices p")
    heard |= set(page.evaluate(SHOWN))
    for path, ready in (
        ("/t/aaaaaaaa", "[role=alert]"),
        ("/nowhere", "h1"),
        ("/rules/nowhere", "[role=alert]"),
    ):
        page.goto(path)
        page.wait_for_selector(ready)
        heard |= set(page.evaluate(SHOWN))
    assert untranslated(heard) == set()


# The starts of the lines of a paragraph so many letters wide
LINES: Final = """([text, width]) => {
  const paragraph = document.querySelector('main').appendChild(document.createElement('p'));
  paragraph.textContent = text;
  paragraph.style.inlineSize = `${width}em`;
  const range = document.createRange();
  const starts = [];
  let above = -1;
  for (let i = 0; i < text.length; i++) {
    range.setStart(paragraph.firstChild, i);
    range.setEnd(paragraph.firstChild, i + 1);
    const { top, width: shown } = range.getBoundingClientRect();
    if (shown && top > above) starts.push(i);
    if (shown) above = top;
  }
  paragraph.remove();
  return starts;
}"""
PHRASES: Final = {
    "ja": "サーバーに|つながりません。|接続を|確認して|ください。|入力した|内容は|残っています。",
    "ko": "서버에 |연결할 |수 |없습니다. |연결을 |확인하세요. |입력한 |내용은 |그대로 |있습니다.",
}


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_lines_break_between_phrases(guest: Callable[..., Guest], language: str) -> None:
    page = guest(language=language).page
    page.goto("/rules")
    page.wait_for_selector("main h1")
    phrases = PHRASES[language].split("|")
    text = "".join(phrases)
    begins = {sum(map(len, phrases[:i])) for i in range(len(phrases))}
    for width in range(9, 24):
        measured = page.evaluate(LINES, [text, width])
        assert len(measured) > 1
        assert set(measured) <= begins, [text[at:] for at in measured if at not in begins]
