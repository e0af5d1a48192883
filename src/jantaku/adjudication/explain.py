"""Explanations of scores: why a win has its value, which yaku it just misses, and who pays what."""

from typing import Any

from jantaku import terms
from jantaku.adjudication import explanation_rows
from jantaku.adjudication.analysis import effective_tiles, is_exhausted, shanten_forms
from jantaku.adjudication.arithmetic import liabilities, limit_yaku_alone, steps
from jantaku.adjudication.explanation import SECTIONS, Explanation
from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.near_misses import near_misses
from jantaku.adjudication.reading_view import reading_view
from jantaku.adjudication.score import EMPTY_ROW, Score, value_row
from jantaku.errors import HandError, chosen_language, expect
from jantaku.rules import Ruleset, load
from jantaku.win import Win

__all__ = ["Explanation", "explain", "explain_failure"]

TWO_HAN = 2


def explain(score: Score, language: terms.Language | None = None) -> Explanation:
    """Explain a score: reading, yaku, near misses, fu, arithmetic and payments.

    ``language`` is ``"en"``, ``"ja"`` or ``"ko"``, by default the current language. Raises ``RequestError``
    (``wrong_choice``) for any other. ``str(explain(...))`` is the whole explanation as plain text.

    >>> win = Win.parse("234m567p345678s9p 9p", tsumo=True)
    >>> from jantaku.adjudication.score import score
    >>> print(explain(score(win), "en").arithmetic[0])
    30 fu × 2^(2+1) = 240 base points
    """
    expect(score, Score, "score")
    words, drawn = Words(chosen_language(language), score.rules), score.win.tile
    note: tuple[str, ...] = (words("note.no_source"),) if score.lacks_source else ()
    if score.stands_for is not None:
        note += (words("note.counted_as", tile=words.tile(drawn), other=words.tile(score.stands_for)),)
        score = score.as_counted
    view = reading_view(score.reading, score.win)
    before, after = (explanation_rows.fu_before(score), score.fu) if score.fu_items else (None, None)
    return Explanation(
        title=_title(score, words),
        **_frame(words),
        notes=note,
        **_hand(score, words),
        yaku=tuple(explanation_rows.yaku_rows(score, words)),
        near_misses=near_misses(score, words),
        fu=tuple(explanation_rows.fu_rows(score, view, words)),
        fu_before=before,
        fu_after=after,
        fu_total=words("fu_detail.total", before=before, after=after) if score.fu_items else "",
        arithmetic=tuple(step.text for step in steps(score, words)),
        payments=tuple(explanation_rows.payment_rows(score, words)),
    )


def explain_failure(
    win: Win, rules: Ruleset | str, error: HandError, language: terms.Language | None = None
) -> Explanation:
    """Explain why ``score(win, rules)`` raised ``error``: what the hand lacks and the nearest yaku.

    The explanation has the code in ``error``, the reason in ``notes``, and no fu, arithmetic or payments.
    """
    ruleset = rules if isinstance(rules, Ruleset) else load(rules)
    words = Words(chosen_language(language), ruleset)
    frame = {"title": words(f"title.{error.code}"), "error": error.code, **_frame(words)}
    if error.code == "not_complete":
        valued = Score(win, ruleset, EMPTY_ROW)
        missed = near_misses(valued, words, error.code)
        return Explanation(notes=_notes_incomplete(win, words, ruleset), near_misses=missed, **frame)
    valued = Score(win, ruleset, value_row(win, ruleset)).as_counted
    # A yaku that was not certain in advance (sakizuke) does not allow a win: list it as a near miss
    hidden = tuple(yaku for _, yaku, _ in valued.counted()) if error.code == "no_yaku" else ()
    return Explanation(
        notes=_notes(valued, error.code, words),
        **_hand(valued, words),
        yaku=tuple(explanation_rows.yaku_rows(valued, words, hidden)),
        near_misses=near_misses(valued, words, error.code),
        **frame,
    )


def _frame(words: Words) -> dict[str, Any]:
    headings = {section: words(f"section.{section}") for section in SECTIONS}
    return {"language": words.language, "rules": words.ruleset, "headings": headings}


def _hand(score: Score, words: Words) -> dict[str, Any]:
    view = reading_view(score.reading, score.win)
    form = explanation_rows.wait_form(view, score.win)
    return {
        "form": words(f"form.{view.form}"),
        "wait": words(f"wait.{form}") if form else "",
        "reading": tuple(explanation_rows.groups(view, score.win, words)),
    }


def _title(score: Score, words: Words) -> str:
    seat = words(f"seat.{score.win.seat}")
    how = words(f"how.{'tsumo' if score.win.tsumo else 'ron'}")
    han, fu = score.han, score.fu
    if han is None or fu is None:
        value = words.yakuman(score.yakuman)
    elif limit_yaku_alone(score):
        value = words(f"limit.{score.limit}")
    else:
        value = words.value(han, fu, score.limit)
    return words("title.win", seat=seat, how=how, value=value, points=_points(score, words))


def _points(score: Score, words: Words) -> str:
    """Return the value of the hand as text, with each player's share of an ordinary tsumo."""
    payments, seat = score.all_payments, score.win.seat
    honba = payments[seat] - score.points - sum(payments.values())
    others_of = len(payments) - 1
    paid = {payer: -points - honba // others_of for payer, points in payments.items() if payer != seat}
    *_, others = paid.values()
    dealer = paid.get("east", others)
    usual = {payer: dealer if payer == "east" else others for payer in paid}
    alike = score.win.tsumo and min(paid.values()) > 0 and honba % others_of == 0 and paid == usual
    if not alike or liabilities(score):
        return words("points.plain", points=score.points)
    if seat == "east":
        return words("points.all", points=score.points, each=others)
    return words("points.split", points=score.points, others=others, dealer=dealer)


def _notes(score: Score, code: str, words: Words) -> tuple[str, ...]:
    if code == "no_yaku":
        return (words("note.no_yaku"),)
    if code == "two_han_minimum":
        rules = score.rules
        han = sum(worth for _, yaku, worth in score.counted() if rules.yaku[yaku].minimum)
        values = {"honba": rules.win.two_han_from_honba, "needed": TWO_HAN, "han": han}
        return (words("note.two_han_minimum", **values),)
    return (words("note.furiten"),)


def _notes_incomplete(win: Win, words: Words, rules: Ruleset) -> tuple[str, ...]:
    """Explain how far the hand was from being complete before its last tile, and which tiles it needed."""
    table = (rules.tiles.man, win.kita, rules.draw.wait_in_melds)
    away = shanten_forms(win.hand, *table).shanten
    if away and is_exhausted(win.hand, rules.tiles.man):
        return (words("note.tenpai_none"),)
    wanted = effective_tiles(win.hand, (), *table)
    tiles = {"tiles": words.tiles(wanted), "tile": words.tiles([win.tile])}
    return (words("note.tenpai", **tiles) if away == 0 else words("note.shanten", shanten=away, **tiles),)
