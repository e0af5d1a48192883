"""The yaku chapter: all yaku that count, with names, values and scored example hands."""

from collections.abc import Collection, Iterator
from typing import Final

from jantaku import terms
from jantaku.adjudication.circumstances import circumstances
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.own_trial import MAX_TRIED
from jantaku.adjudication.score import Score
from jantaku.booklet.document import Block, ExampleHand, YakuCard, YakuCards
from jantaku.booklet.examples import WITHOUT_EXAMPLE, ScoredExample, example_of
from jantaku.hand import WIND_NAMES, Wind
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.catalogue import Worth, YakuValue, han_of
from jantaku.rules.idle_options import CLOSED_ONLY
from jantaku.rules.own_yaku import naming
from jantaku.rules.sentences import define_yaku
from jantaku.rules.sheet import worth_in_words
from jantaku.rules.worths import displayed_worths, worths
from jantaku.rules.yaku_names import yaku_name
from jantaku.terms import LANGUAGES, Language, listed
from jantaku.tiles import EAST, tile_name
from jantaku.win import Win

WITH_WINDS: Final = frozenset({"round_wind", "seat_wind", "tenhou", "chiihou", "renhou", "paarenchan"})
"""Yaku whose examples state the winds."""


def yaku_blocks(rules: Ruleset, language: Language, only: Collection[str] | None = None) -> Iterator[Block]:
    """Yield the yaku that count, or those in ``only``, grouped by value in a closed hand, lowest first."""
    groups: dict[tuple[int, str], list[YakuCard]] = {}
    for name in rules.yaku if only is None else only:
        worth = _main_worth(rules, name)
        if worth is not False:
            key = (han_of(worth), worth_in_words(worth, language))
            groups.setdefault(key, []).append(_card(name, rules, language))
    for (_, title), cards in sorted(groups.items(), key=lambda item: item[0]):
        yield YakuCards(title, tuple(cards))


def _main_worth(rules: Ruleset, name: str) -> Worth:
    """Return the value in a closed hand, or in an open hand if the yaku counts only there."""
    closed, opened = worths(rules, name)
    return opened if closed is False and name not in CLOSED_ONLY else closed


def _card(name: str, rules: Ruleset, language: Language) -> YakuCard:
    closed, opened = (worth_in_words(worth, language) for worth in displayed_worths(rules, name))
    standard = load("standard")
    usual = [worth_in_words(worth, language) for worth in displayed_worths(standard, name)]
    text = terms.text("sheet.booklet.standard_both", language, closed=usual[0], open=usual[1])
    if worths(standard, name) == (False, False):
        text = terms.text("sheet.booklet.standard_off", language)
    return YakuCard(
        id=name,
        name=yaku_name(name, language, rules),
        names={other: _name_in(name, other, rules) for other in LANGUAGES if other != language},
        worth=_value_text(closed, opened),
        standard=text if displayed_worths(rules, name) != displayed_worths(standard, name) else "",
        definition=_definition(name, rules, language),
        notes=tuple(_notes(name, rules, language)),
        example=_example(name, rules, language),
    )


def _value_text(closed: str, opened: str) -> str:
    """Return a value such as ``1 han, closed hands only`` or ``closed 3 han · open 2 han``."""
    off = terms.text("cli.sheet.off")
    if opened == off:
        return terms.text("sheet.booklet.worth_closed", None, worth=closed)
    if closed == off:
        return terms.text("sheet.booklet.worth_open", None, worth=opened)
    if closed == opened:
        return terms.text("sheet.booklet.worth_both", None, worth=closed)
    return terms.text("sheet.booklet.worth", None, closed=closed, open=opened)


def _name_in(name: str, language: Language, rules: Ruleset) -> str:
    """Return a yaku's name, with its reading if that differs."""
    if name not in catalogue():
        return yaku_name(name, language, rules)
    entry = terms.table("yaku", language)[name]
    return entry["name"] if entry["name"] == entry["reading"] else f"{entry['name']} ({entry['reading']})"


def _definition(name: str, rules: Ruleset, language: Language) -> str:
    if name in catalogue():
        return define_yaku(name, language, rules)
    return next(yaku for yaku in rules.own_yaku if yaku.id == name).definition(
        language, naming(rules.own_yaku, language)
    )


def _notes(name: str, rules: Ruleset, language: Language) -> Iterator[str]:
    """Yield notes on the other settings of a yaku and on a missing example."""
    value, usual = rules.yaku[name], YakuValue()
    words = terms.table("options", language)["yaku"]
    settings = {
        "replaces": listed((yaku_name(other, language, rules) for other in value.replaces), language),
        "only": words["only"]["values"][value.only] if value.only != usual.only else "",
    }
    for setting, text in settings.items():
        if text:
            yield f"{words[setting]['label']}: {text}"
    if not value.minimum:
        yield terms.text("sheet.yaku.not_alone", language)
    if name in WITHOUT_EXAMPLE:
        yield terms.text("sheet.yaku.no_picture", language)
    elif example_of(name, rules) is None:
        if name in {own.id for own in rules.own_yaku}:
            yield terms.text("sheet.yaku.none_tried", language, count=MAX_TRIED)
        else:
            yield terms.text("sheet.yaku.none_found", language)


def _example(name: str, rules: Ruleset, language: Language) -> ExampleHand | None:
    example = example_of(name, rules)
    return None if example is None else shown_example(example, name, rules, language)


def shown_example(example: ScoredExample, name: str, rules: Ruleset, language: Language) -> ExampleHand:
    """Describe a scored example of a yaku in words."""
    win = example.win
    if any(yaku.id == name for yaku in rules.own_yaku):
        return example_hand(
            win, circumstances(win, language), value_of(example.score, Words(language, rules))
        )
    how = terms.text("sheet.yaku.tsumo" if win.tsumo else "sheet.yaku.ron", language)
    if name in WITH_WINDS:
        winds = {"round": _wind(win.round, language), "seat": _wind(win.seat, language)}
        how = f"{how} · {terms.text('sheet.yaku.winds', language, **winds)}"
    return example_hand(win, how, value_of(example.score, Words(language, rules)))


def example_hand(win: Win, how: str, value: str) -> ExampleHand:
    """Build an example from a win and its texts."""
    return ExampleHand(win.hand.tiles, win.tile, win.hand.melds, how, value)


def _wind(wind: Wind, language: Language) -> str:
    return tile_name(EAST + WIND_NAMES.index(wind), language)


def value_of(score: Score, words: Words) -> str:
    """Describe a score with its yaku, such as ``2 han 30 fu, 2,000 points (riichi, pinfu)``."""
    value = (
        words.yakuman(score.yakuman)
        if score.yakuman
        else words.value(score.han or 0, score.fu or 0, score.limit)
    )
    names = [yaku_name(own, words.language, words.rules) for _, own, _ in score.counted()]
    names += [yaku_name(name, words.language) for name in score.bonus]
    listed = terms.text("explain.separator", words.language).join(dict.fromkeys(names))
    return terms.text("sheet.yaku.value", words.language, value=value, points=score.points, yaku=listed)
