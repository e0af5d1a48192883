"""The rule booklet contains every option and yaku, and its texts depend on the rules."""

import dataclasses
import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest

from jantaku import terms
from jantaku.adjudication.score import score
from jantaku.booklet import FORMATS, PAPERS, Booklet, Cover, booklet
from jantaku.booklet.document import Grid, OptionRows, Paragraph, YakuCard, YakuCards
from jantaku.booklet.examples import WITHOUT_EXAMPLE, example_of
from jantaku.booklet.options_by_chapter import SECTIONS_OF, paths_of
from jantaku.booklet.payment_tables import MAX_COLUMNS, PaymentWords, example_game
from jantaku.club.settlement import settle
from jantaku.errors import RulesError
from jantaku.hand import Meld
from jantaku.rules import Ruleset, catalogue, load, preset_names
from jantaku.rules.answers import answer, applies
from jantaku.rules.catalogue import YakuValue
from jantaku.rules.check import hints
from jantaku.rules.options import SECTIONS
from jantaku.rules.sheet import answer_in_words, in_words, label
from jantaku.rules.worths import worths
from jantaku.terms import LANGUAGES, Language
from jantaku.win import Win

PATHS = [f"{section}.{item.name}" for section, kind in SECTIONS.items() for item in dataclasses.fields(kind)]
SPECIAL = {
    "match.yakitori": 5000,
    "chips.value": 1000,
    "match.uma": [30000, 10000, -10000, -30000],
    "match.floating_uma": [[12000, -1000, -3000, -8000]] * 3,
    "match.sticks": {"10000": 2, "5000": 0, "1000": 4, "100": 10},
    "tiles.red": {"5m": 1},
    "pao.yakuman": ["daisangen"],
    "match.start_points": 30000,
}
ALONG: dict[str, dict[str, Any]] = {
    "match.start_points": {"match.sticks": {"10000": 1, "5000": 3, "1000": 4, "100": 10}},
    "dora.ura": {"dora.kan_ura": False},
    "match.players": {"match.uma": [20000, 0, -20000]},
    "tiles.man": {
        "tiles.red": {"5p": 1},
        "yaku.sanshoku_doujun.closed": False,
        "yaku.sanshoku_doujun.open": False,
    },
    "dora.kan_dora": {"dora.kan_ura": False},
    "win.multiple_ron": {"draw.sanchahou": False},
    "draw.sanchahou": {"win.multiple_ron": "all"},
    "draw.suukansanra": {"calls.kan_limit_one_player": True},
    "calls.kan_limit_one_player": {"draw.suukansanra": True},
    "deal.paarenchan": {"yaku.paarenchan.closed": "yakuman", "yaku.paarenchan.open": "yakuman"},
}
"""Options that must change together with another one, so that the rules do not contradict themselves."""


def text_of(made: Booklet) -> str:
    """Return all texts of a booklet as Markdown."""
    return FORMATS["md"].write(made, PAPERS["a4"], None).decode()


def rows_of(made: Booklet) -> Iterator[Any]:
    for chapter in made.chapters:
        for block in chapter.blocks:
            if isinstance(block, OptionRows):
                yield from block.rows


def cards_of(made: Booklet) -> Iterator[YakuCard]:
    for block in made.chapters[-1].blocks:
        if isinstance(block, YakuCards):
            yield from block.cards


def other_value(path: str) -> Any:
    """Return a value of an option that is not its default."""
    section, name = path.split(".")
    usual, kind = getattr(SECTIONS[section](), name), hints(SECTIONS[section])[name]
    if path in SPECIAL:
        return SPECIAL[path]
    if isinstance(usual, bool):
        return not usual
    if get_origin(kind) is Literal:
        return next((value for value in get_args(kind) if value != usual), None)
    if isinstance(usual, int):
        return usual + 100 if usual >= 100 else usual + 1
    choices = [value for part in get_args(kind) for value in get_args(part)]
    return next(choice for choice in choices if choice != usual)


def test_every_option_is_in_one_chapter() -> None:
    placed = [path for chapter in SECTIONS_OF for path in paths_of(chapter)]
    assert sorted(placed) == sorted(PATHS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_has_an_explanation(language: Language) -> None:
    rules = load("standard")
    rows = {row.path: row for row in rows_of(booklet(rules, language))}
    assert set(rows) == {path for path in PATHS if applies(rules, path)}
    for path, row in rows.items():
        assert row.label == label(path, language)
        assert row.about.startswith(terms.text(f"options.{path}.about", language))
        assert row.value == answer_in_words(rules, path, language)


@pytest.mark.parametrize("path", PATHS)
def test_a_changed_option_changes_its_row(path: str) -> None:
    changed = other_value(path)
    standard = load("standard")
    rules = standard.with_changes({path: changed, **ALONG.get(path, {})})
    for language in LANGUAGES:
        mine, theirs = (in_words(path, ruleset.option(path), language) for ruleset in (rules, standard))
        assert mine != theirs


@pytest.mark.slow
def test_many_changed_options_appear_in_the_booklet() -> None:
    """Each changed option has its new value, the standard value, and a row among the differences."""
    standard = load("standard")
    for number in range(2):
        changes = {path: other_value(path) for path in PATHS[1 + number :: 2] if path not in ALONG}
        rules = standard.with_changes(changes)
        made = booklet(rules, "en")
        rows = {row.path: row for row in rows_of(made)}
        differences = made.chapters[1].blocks[0]
        assert isinstance(differences, Grid)
        for path in filter(lambda changed_path: applies(rules, changed_path), changes):
            assert rows[path].value == answer_in_words(rules, path, "en")
            if answer(rules, path) == answer(standard, path) and applies(standard, path):
                continue  # without chi, the rule on the other end of a run has no effect
            if applies(standard, path):
                assert answer_in_words(standard, path, "en") in rows[path].standard
            assert (label(path, "en"), rows[path].value) in {row[:2] for row in differences.rows}


def exists(rules: Ruleset, name: str) -> bool:
    return any(worth is not False for worth in worths(rules, name))


@pytest.mark.parametrize("name", preset_names())
def test_the_scorer_confirms_every_example(name: str) -> None:
    rules = load(name)
    for yaku in filter(lambda yaku_: exists(rules, yaku_), rules.yaku):
        example = example_of(yaku, rules)
        if yaku in WITHOUT_EXAMPLE:
            assert example is None
            continue
        assert example is not None, yaku
        assert example.score == score(example.win, rules)
        assert yaku in {own for _, own, _ in example.score.counted()}


def test_the_booklet_has_every_yaku_with_its_names() -> None:
    rules = load("bgm-2025")
    cards = {card.id: card for card in cards_of(booklet(rules, "ko"))}
    assert set(cards) == {name for name in rules.yaku if exists(rules, name)}
    for name, card in cards.items():
        assert card.name == terms.text(f"yaku.{name}.name", "ko")
        assert set(card.names) == {"en", "ja"}
        assert terms.text(f"yaku.{name}.name", "en") in card.names["en"]
        assert terms.text(f"yaku.{name}.name", "ja") in card.names["ja"]
        assert (card.example is None) == (name in WITHOUT_EXAMPLE)


@pytest.mark.parametrize(
    ("change", "yaku"),
    [
        ({"yaku.ryuuiisou.only": "hatsu"}, "ryuuiisou"),
        ({"yaku.chinitsu.only": "man"}, "chinitsu"),
        ({"yaku.daisharin.closed": "yakuman", "yaku.daisharin.only": "pin"}, "daisharin"),
        ({"yaku.ittsuu.closed": False}, "ittsuu"),
        ({"yaku.toitoi.closed": False, "yaku.toitoi.only": "tsumo"}, "toitoi"),
        ({"calls.sakizuke": "kanzen"}, "haitei"),
        ({"yaku.pinfu.only": "tsumo"}, "pinfu"),
        ({"yaku.pinfu.minimum": False}, "pinfu"),
        ({"yaku.yakuhai_haku.open": False}, "yakuhai_haku"),
        ({"yaku.yakuhai_chun.closed": "yakuman"}, "honitsu"),
        ({"yaku.haitei.only": "pin"}, "haitei"),
    ],
)
def test_examples_meet_the_conditions_of_a_ruleset(change: dict[str, Any], yaku: str) -> None:
    rules = load("standard").with_changes(change)
    example = example_of(yaku, rules)
    assert example is not None
    assert yaku in {own for _, own, _ in example.score.counted()}


def test_a_yaku_of_closed_shape_with_only_an_open_value_is_left_out() -> None:
    changes = {"yaku.chiitoitsu.closed": False, "yaku.chiitoitsu.open": 2}
    cards = {card.id for card in cards_of(booklet(load("standard").with_changes(changes), "en"))}
    assert "chiitoitsu" not in cards


def test_a_yaku_that_no_hand_can_have_fails_the_booklet() -> None:
    rules = load("standard").with_changes({"yaku.chankan.only": "tsumo"})
    with pytest.raises(RulesError) as caught:
        booklet(rules, "en")
    assert caught.value.code == "no_example"
    assert caught.value.path == "yaku.chankan"


def test_settings_of_a_yaku_become_notes() -> None:
    changes = {
        "yaku.iipeikou.minimum": False,
        "yaku.iipeikou.replaces": ["pinfu"],
        "yaku.iipeikou.only": "tsumo",
    }
    cards = {card.id: card for card in cards_of(booklet(load("standard").with_changes(changes), "en"))}
    notes = " ".join(cards["iipeikou"].notes)
    assert "Pinfu" in notes
    assert "won by tsumo" in notes
    assert len(cards["iipeikou"].notes) == len(dataclasses.fields(YakuValue)) - 2


@pytest.mark.parametrize("closed", [False, True])
def test_the_yaku_chapter_and_the_option_agree_on_nagashi(closed: bool) -> None:
    rules = load("standard").with_changes({"draw.nagashi_needs_closed": closed})
    cards = {card.id: card for card in cards_of(booklet(rules, "en"))}
    assert cards["nagashi_mangan"].worth == f"mangan, {'closed hands only' if closed else 'closed or open'}"


@pytest.mark.parametrize("yaku", ["kokushi_juusanmen", "junsei_chuuren", "suuankou_tanki"])
def test_an_example_names_the_form_that_it_shows(yaku: str) -> None:
    card = next(card for card in cards_of(booklet(load("standard"), "en")) if card.id == yaku)
    assert card.example is not None
    assert f"({card.name})" in card.example.value


@pytest.mark.parametrize("path", ["match.yakitori", "chips.value"])
def test_an_amount_of_zero_is_written_as_none(path: str) -> None:
    assert in_words(path, 0, "en") == "none"
    assert in_words(path, 1_000, "ko") == "1,000점"


def test_payments_are_those_of_the_engine() -> None:
    """Every cell of the payment tables agrees with a settled hand."""
    rules = load("bgm-2025")
    points = next(chapter for chapter in booklet(rules, "en").chapters if chapter.id == "points")
    grids = [block for block in points.blocks if isinstance(block, Grid)]
    for grid, winner in zip(grids[:2], (1, 0), strict=True):
        hans = [int(column.split()[0]) for column in grid.columns[1:]]
        assert hans == [0, 1, 2, 3, 4]
        for row in grid.rows:
            fu = int(row[0].split()[0])
            for han, cell in zip(hans, row[1:], strict=True):
                ron = cell.split("\n")[0]
                if ron != "–":
                    wins = [{"seat": winner, "han": han, "fu": fu}]
                    delta = settle([{"end": "ron", "from": 3, "wins": wins}], rules).hands[0].deltas[winner]
                    assert ron == f"{delta:,}"


def test_rules_change_the_payment_table() -> None:
    plain, raised = (
        text_of(booklet(load("standard").with_changes({"score.kiriage_mangan": on}), "en"))
        for on in (False, True)
    )
    assert "7,700<br>2,000/3,900" in plain
    assert "7,700<br>2,000/3,900" not in raised


def test_without_limits_a_table_lists_as_many_han_as_fit_and_how_they_continue() -> None:
    words = PaymentWords(load({"extends": "standard", "score": {"aotenjou": True}}), "en")
    other, dealer, after = words.hands()
    assert isinstance(other, Grid)
    assert isinstance(dealer, Grid)
    assert {len(other.columns), len(dealer.columns)} == {1 + MAX_COLUMNS}
    assert isinstance(after, Paragraph)


@pytest.mark.parametrize("language", LANGUAGES)
def test_bgm_differences_come_before_the_details(language: Language) -> None:
    made = booklet(load("bgm-2025"), language)
    assert [chapter.id for chapter in made.chapters][:3] == ["glance", "differences", "play"]
    said = text_of(made)
    assert "{" not in said
    assert terms.text("yaku.sankantsu.name", language) in said


@pytest.mark.long
@pytest.mark.parametrize("name", preset_names())
def test_every_preset_builds_in_every_language(name: str) -> None:
    for language in LANGUAGES:
        made = booklet(load(name), language, Cover("Club", "1 June"))
        for format_ in ("html", "md"):
            written = FORMATS[format_].write(made, PAPERS["a4"], None).decode()
            assert not re.search(r"\{\w*\}", re.sub(r"<style>.*?</style>", "", written, flags=re.DOTALL))


def test_every_example_of_the_catalogue_is_drawn() -> None:
    cards = {card.id for card in cards_of(booklet(load("bgm-2025"), "en")) if card.example}
    page = FORMATS["html"].write(booklet(load("bgm-2025"), "en"), PAPERS["a4"], None).decode()
    for name in cards & set(catalogue()):
        article = page.partition(f'id="yaku-{name}"')[2].partition("</article>")[0]
        assert article.count('href="#tile-') >= 14


def test_the_fixed_sentences_hold() -> None:
    """Fixed notes are true under every ruleset: on the empty wall, and on a false win beside a valid ron."""
    assert settle([{"end": "draw", "tenpai": []}]).honba == 1
    fouls = [{"seat": 2, "foul": "false_win_shown"}]
    ron = {"end": "ron", "from": 0, "wins": [{"seat": 1, "han": 1, "fu": 30}]}
    assert settle([{**ron, "fouls": fouls}]).scores == settle([ron]).scores
    ankan = Win.parse("234m567p5599s 9s", [Meld.parse("ankan", "1111z")], tsumo=True)
    assert "menzen_tsumo" in score(ankan).yaku


@pytest.mark.parametrize("language", LANGUAGES)
def test_open_riichi_is_explained_where_it_exists(language: Language) -> None:
    said = terms.text("sheet.fixed.open_shown", language)
    assert said in text_of(booklet(load("bgm-2025"), language))
    assert said not in text_of(booklet(load("standard"), language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_game_counts_chips_and_yakitori(language: Language) -> None:
    rules = load("standard").with_changes({"chips.value": 1000, "match.yakitori": 3000})
    made = booklet(rules, language)
    name = terms.text("sheet.tables.example_game", language)
    grids = [block for chapter in made.chapters for block in chapter.blocks if isinstance(block, Grid)]
    [example] = [grid for grid in grids if grid.caption == name]
    titles = [
        terms.text(f"sheet.tables.{table}", language) for table in ("points", "chips", "yakitori", "final")
    ]
    assert list(example.columns) == ["", *titles]
    plain = [[cell.replace(",", "").replace("−", "-") for cell in row[1:]] for row in example.rows]
    numbers = [
        (int(points), int(chips), *(round(1000 * float(number)) for number in rest))
        for points, chips, *rest in plain
    ]
    uma = (20000 + 20000, 10000, -10000, -20000)  # the oka goes to first place
    for (points, chips, paid, final), added in zip(numbers, uma, strict=True):
        assert final == points - 30000 + added + 1000 * chips + paid


@pytest.mark.parametrize("wareme", ["hand", "hand_and_honba"])
@pytest.mark.parametrize("name", ["standard", "standard-3"])
def test_wareme_does_not_change_the_example_game(name: str, wareme: str) -> None:
    """The wareme seat neither wins nor pays in it."""
    plain = load(name)
    games = [example_game(rules) for rules in (plain, plain.with_changes({"score.wareme": wareme}))]
    assert games[0] is not None
    assert games[1] is not None
    assert games[0].final == games[1].final


NO_YAKU = {f"yaku.{name}.{side}": False for name in catalogue() for side in ("closed", "open")}


@pytest.mark.parametrize(
    "changes",
    [{"score.fixed_fu": 20}, {"score.fixed_fu": 30}, {"score.fixed_fu": 20, "score.aotenjou": True}, NO_YAKU],
)
def test_the_example_game_has_only_wins_of_its_rules(changes: dict[str, Any]) -> None:
    assert example_game(load("standard").with_changes(changes)) is not None


@pytest.mark.parametrize("man", ["one_nine", "one_five_nine"])
@pytest.mark.parametrize("name", ["standard", "bgm-2025"])
def test_rules_with_few_man_tiles_have_a_booklet(name: str, man: str) -> None:
    """Yaku with runs of man tiles cannot occur, so the rules need not turn them off."""
    rules = load(name).with_changes({"tiles.man": man})
    cards = {card.id for card in cards_of(booklet(rules, "en"))}
    assert cards.isdisjoint({"sanshoku_doujun", "sanshoku_tsuukan"})
