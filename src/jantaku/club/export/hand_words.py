"""A hand as it was entered, in the words that the pages of an event use."""

from collections.abc import Sequence
from typing import Final

from jantaku import terms
from jantaku.adjudication.explanation_words import yakuman_text
from jantaku.club.entered_hands import EnteredHand, EnteredWin
from jantaku.terms import Language

STOP: Final[dict[Language, str]] = {"en": ". ", "ja": "。", "ko": ". "}
BRACKETS: Final[dict[Language, str]] = {"en": " ({})", "ja": "（{}）", "ko": " ({})"}


def hand_in_words(hand: EnteredHand, names: Sequence[str], language: Language) -> str:
    """How a hand ended: who won what from whom, who was tenpai, who fouled; ``names`` by seat."""
    lines = [_ending(hand, names, language)]
    if hand.riichi:
        riichi = _listed(hand.riichi, names, language)
        lines.append(_said("event.game.riichi", language, players=riichi))
    for foul in hand.fouls:
        label = terms.table("options", language)["fouls"].get(foul.foul, {}).get("label", foul.foul)
        lines.append(_said("event.game.foul", language, player=names[foul.seat], foul=label))
    return _sentences(lines, language)


def _sentences(lines: Sequence[str], language: Language) -> str:
    return STOP[language].join(line.rstrip(".。") for line in lines)


def _said(key: str, language: Language, **values: object) -> str:
    return terms.text(key, language, **values)


def _listed(seats: Sequence[int], names: Sequence[str], language: Language) -> str:
    return terms.listed((names[seat] for seat in seats), language)


def _ending(hand: EnteredHand, names: Sequence[str], language: Language) -> str:
    if hand.end in ("ron", "tsumo"):
        return _sentences([_win(win, hand, names, language) for win in hand.wins], language)
    if hand.end == "draw":
        tenpai, nagashi = (_listed(seats, names, language) for seats in (hand.tenpai, hand.nagashi))
        who = _said("web.draw.tenpai", language, players=tenpai) if tenpai else ""
        parts = [_said("web.draw.exhausted", language), who or _said("web.draw.nobody", language)]
        if nagashi:
            parts.append(_said("web.draw.nagashi", language, players=nagashi))
        return _sentences(parts, language)
    return _said(f"web.draw.{hand.abort}" if hand.end == "abort" else "event.game.foul_end", language)


def _win(win: EnteredWin, hand: EnteredHand, names: Sequence[str], language: Language) -> str:
    player = names[win.seat]
    if hand.discarder is not None:
        said = _said("web.win.ron", language, **{"player": player, "from": names[hand.discarder]})
    else:
        said = _said("web.win.tsumo", language, player=player)
    text = f"{said}: {worth_in_words(win, language)}"
    if win.chips:
        text += BRACKETS[language].format(_said("event.game.chips", language, count=win.chips))
    if win.pao:
        players = _listed(win.pao.seats, names, language)
        text += BRACKETS[language].format(_said("event.game.pao", language, players=players))
    yaku = yaku_in_words(win, language)
    return text + BRACKETS[language].format(terms.listed(yaku, language)) if yaku else text


def yaku_in_words(win: EnteredWin, language: Language) -> list[str]:
    """The names of the yaku of a win, if anybody recorded them."""
    return [_yaku(name, language) for name in win.yaku or ()]


def _yaku(name: str, language: Language) -> str:
    bonus = terms.table("explain", language)["bonus"]
    entry = terms.table("yaku", language).get(name)
    return str(entry["name"] if entry else bonus.get(name, name))


def worth_in_words(win: EnteredWin, language: Language) -> str:
    """What a win is worth: yakuman, a limit, or han and fu."""
    if win.yakuman:
        return yakuman_text(win.yakuman, language)
    if win.limit:
        return _said(f"explain.limit.{win.limit}", language)
    return _said("web.score.han_fu", language, han=win.han, fu=win.fu)
