"""The HTTP interface: scores, rulesets, booklets, custom yaku, tables and the first hand."""

from base64 import b64encode
from random import Random
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from booklet.test_booklet_files import png
from jantaku import terms
from jantaku.booklet.document import YakuCard
from jantaku.errors import IllegalActionError
from jantaku.game import Action
from jantaku.game.actions import from_dict
from jantaku.game.fair_walls import checked
from jantaku.rules import load, preset_names
from jantaku.rules.gallery import gallery
from jantaku.server.errors import ServerError
from jantaku.server.rules.bodies import OwnTried, RulesSchema, TermTree
from jantaku.server.rules.pages import changes_as_toml, page, parse_rules, row
from jantaku.server.rules.yaku import try_own_yaku, yaku_guide
from jantaku.server.study.first_hand_routes import HAND, MAX_MOVES, RULES, FirstHand, first_hand, wall
from jantaku.terms import Language
from jantaku.tiles import format_tiles, parse_tiles
from server.parlour import Message, Person, Serve

WIN = {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}


def test_a_hand_is_scored_and_explained_in_the_requested_language(person: Person) -> None:
    """Explanations mark up tiles so that they can be shown as pictures; plain text does not."""
    assert person.post("/api/score", **WIN)["points"] == 1100
    for language in terms.LANGUAGES:
        answer = person.post(f"/api/explain?lang={language}", **WIN)
        assert (answer["explanation"]["language"], answer["answer"]["points"]) == (language, 1100)
        assert answer["text"]
    fu = [row["detail"] for row in answer["explanation"]["fu"]]
    misses = [row["why"] for row in answer["explanation"]["near_misses"]]
    assert any("⟦" in text for text in fu + misses)
    refused = {**WIN, "hand": "234m567p340678s9p", "rules": "wrc"}
    assert "⟦5s⟧" in person.post("/api/explain", **refused)["text"]
    assert "⟦" not in str([answer["text"], person.post("/api/score", **refused)])


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"hand": "1m"}, "bad_request"),
        ({**WIN, "hand": "134m567p345678s9p"}, "not_complete"),
        ({**WIN, "rules": "no such"}, "bad_request"),
        ({**WIN, "rules": {"local": {"file": "x.py"}}}, "bad_request"),
    ],
)
@pytest.mark.slow
def test_impossible_hands_get_an_error_and_an_explanation(
    person: Person, request_: Message, code: str
) -> None:
    assert person.post("/api/score", **request_)["error"]["code"] == code
    explained = person.post("/api/explain", **request_)
    assert explained["text"]
    assert (explained["explanation"] is None) == (code == "bad_request")


def test_waits_discards_and_shanten_are_computed(person: Person) -> None:
    waits = person.post("/api/waits", hand="23456m234p34588s", dora="1m")["waits"]
    assert [(row["tile"], row["left"]) for row in waits] == [("1m", 3), ("4m", 3), ("7m", 4)]
    quad = {"hand": "12s456m789p11z", "melds": [{"type": "ankan", "tiles": "3333s"}]}
    penchan = {"tile": "3s", "left": 0, "forms": ["penchan"]}
    for on, expected in ((False, []), (True, [penchan])):
        waits = person.post("/api/waits", **quad, wait_in_melds=on)
        assert (waits["waits"], waits["shanten"]) == (expected, 0 if on else 1)
        drawn = quad | {"hand": "12s456m789p11z5z", "wait_in_melds": on}
        rows = person.post("/api/discards", **drawn)["discards"]
        assert next(row["shanten"] for row in rows if row["tile"] == "5z") == (0 if on else 1)
    best = person.post("/api/discards", hand="123456m123679p11z")["discards"][0]
    assert (best["tile"], best["shanten"], best["count"]) == ("9p", 0, 8)
    distance = person.post("/api/shanten", hand="123m456p789s1122z", id="x")
    assert distance == {"id": "x", "shanten": 0, "standard": 0, "chiitoitsu": 4, "kokushi": 8}
    assert person.post("/api/shanten", hand="123x")["error"]["field"] == "hand"
    assert person.send("POST", "/api/waits", hand="12m").status_code == 400


# Rulesets: presets, saved rules, differences and names


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_page_has_toml_that_loads_again(person: Person, name: str) -> None:
    page = person.get(f"/api/rules/{name}", lang="ko")
    checked = person.post("/api/rules/check", toml=page["toml"])
    assert checked["ok"], checked["problems"]
    assert checked["fingerprint"] == page["fingerprint"] == load(name).fingerprint
    assert page["toml"] == changes_as_toml(load(name))
    assert person.get(f"/api/rules/{name}/diff", **{"with": name})["rows"] == []


def test_house_rules_are_saved_and_played(person: Person) -> None:
    match = '[match]\nstart_points = 27000\nsticks = { "1000" = 27 }\n'
    toml = f'extends = "standard"\nname = {{ en = "Club" }}\n{match}'
    saved = person.post("/api/rules", toml=toml)
    path = f"/api/rules/{saved['id']}"
    assert saved["url"].endswith(path.removeprefix("/api"))
    assert person.get(path)["toml"] == toml
    assert {row["path"] for row in person.get(f"{path}/diff")["rows"]} == {
        "match.start_points",
        "match.sticks",
    }
    assert own_rules(person) == [saved["id"]]
    table, line = person.start(rules=saved["id"])
    assert person.get(f"/api/tables/{table}")["rules"]["name"] == "Club"
    sync = next(message for message in line.seen if message["type"] == "sync")
    assert sync["view"]["scores"] == [27000] * 4
    assert person.post("/api/score", **WIN, rules=saved["id"])["points"] == 1100


@pytest.mark.slow
@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.parametrize(
    ("toml", "name"),
    [
        ("", {"en": "BGM 2025 event", "ja": "BGM 2025 イベント大会", "ko": "2025년 BGM 마작 이벤트 대회"}),
        ('name = { en = "Club", ko = "모임" }', {"en": "Club", "ja": "Club", "ko": "모임"}),
        (
            "[riichi]\nippatsu = false",
            {
                "en": "BGM 2025 event (modified)",
                "ja": "BGM 2025 イベント大会（変更あり）",
                "ko": "2025년 BGM 마작 이벤트 대회(변경)",
            },
        ),
    ],
)
def test_rulesets_are_named_in_the_requested_language(
    person: Person, language: terms.Language, toml: str, name: dict[str, str]
) -> None:
    unlike = 100 + terms.LANGUAGES.index(
        language
    )  # identical rules are stored once, with the first owner's name
    text = f'extends = "bgm-2025"\n{toml}\n[clock]\nturn_s = {unlike}\n'
    rules = person.post("/api/rules", toml=text)["id"] if toml else "bgm-2025"
    table = person.table(rules=rules)["id"]
    line = person.socket(table, language=language)
    fetched = person.get(f"/api/tables/{table}", lang=language)
    header = {"accept-language": language}
    person.post(f"/api/tables/{table}/bots", seat=None)
    announced = line.until("table", lambda message: sum(map(bool, message["table"]["seats"])) == 2)
    listed = {row["id"]: row["name"] for row in person.get("/api/rules", lang=language)["rules"]}
    names = [
        person.get(f"/api/rules/{rules}", lang=language)["name"],
        listed[rules],
        fetched["name"],
        fetched["rules"]["name"],
        httpx.get(f"{person.url}/api/tables/{table}", headers=header).json()["rules"]["name"],
        line.welcome["table"]["rules"]["name"],
        announced["table"]["rules"]["name"],
    ]
    assert names == [name[language]] * 7


def test_a_name_without_a_translation_is_shown_in_any_language() -> None:
    named, unnamed = (
        parse_rules(f'extends = "standard"\n{words}\n[match]\nstart_points = 30000\nreturn_points = 30000\n')
        for words in ('[name]\nko = "금요 룰"\n[about]\nko = "우리끼리"', "")
    )
    for language in terms.LANGUAGES:
        assert row(unnamed, language).about == page(unnamed, "", language).about == ""
        assert row(named, language).about == page(named, "", language).about == "우리끼리"
        assert row(named, language).name == "금요 룰"


def test_a_rules_page_names_its_parent_preset(person: Person) -> None:
    assert person.get("/api/rules/tenhou")["extends"] == "tenhou"
    for toml, parent in (
        ('extends = "ema"\n[riichi]\nippatsu = false\n', "ema"),
        ("[riichi]\nopen = true\n", "standard"),
    ):
        assert person.post("/api/rules/check", toml=toml)["sheet"]["extends"] == parent
        saved = person.post("/api/rules", toml=toml)["id"]
        assert person.get(f"/api/rules/{saved}")["extends"] == parent


def test_a_yaku_difference_is_one_row(person: Person) -> None:
    rows = {row["path"]: row for row in person.get("/api/rules/bgm-2025/diff", lang="en")["rows"]}
    pinfu = [rows["yaku.pinfu"][part] for part in ("label", "first", "second")]
    assert pinfu == ["Pinfu", "0 han / –", "1 han / –"]
    assert not [path for path in rows if path.startswith("yaku.") and path.endswith((".closed", ".open"))]
    names = person.get("/api/rules/tenhou/diff", **{"with": "ema", "lang": "ja"})["names"]
    assert names == ["天鳳", "欧州麻雀協会（EMA）"]


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_saved_rules_accept_the_changes_of_the_gallery(person: Person, language: str) -> None:
    parts = {part["id"]: part for part in person.get("/api/rules/gallery", lang=language)["parts"]}
    assert list(parts) == list(gallery())
    own = parts["golden_gate_bridge"]
    assert own["changes"] == gallery()["golden_gate_bridge"].changes
    assert own["name"] in own["example"]["value"]
    assert parts["yakitori"]["example"] is None


def test_rules_errors_are_listed_per_option(person: Person) -> None:
    answer = person.post("/api/rules/check", toml="[riichi]\nopn = true\n[dora]\nkan_dora = 3\n")
    assert not answer["ok"]
    assert {problem["path"] for problem in answer["problems"]} == {"riichi.opn", "dora.kan_dora"}
    [uma] = person.post("/api/rules/check?lang=ko", toml="[match]\numa = [1, 2, 3, 4]\n")["problems"]
    assert (uma["path"], "“우마”" in uma["message"]) == ("match.uma", True)
    for toml in ("[", '[local]\nfile = "/etc/passwd"', 'extends = "/etc/passwd"', "x = " + "[" * 3000):
        assert not person.post("/api/rules/check", toml=toml)["ok"]


def own_rules(person: Person) -> list[str]:
    """Return the ids of the person's saved rules."""
    return [row["id"] for row in person.get("/api/rules")["rules"] if row["own"]]


def test_saving_rules_again_updates_them_for_their_owner(person: Person, other: Person) -> None:
    toml = 'extends = "ema"\nname = {{ en = "{name}" }}\n[clock]\nbank_s = 77\n'
    saved = person.post("/api/rules", toml=toml.format(name="Clubb"))["id"]
    assert person.get(f"/api/rules/{saved}")["name"] == "Clubb"
    assert person.post("/api/rules", toml=toml.format(name="Club"))["id"] == saved
    theirs = other.post("/api/rules", toml=toml.format(name="Others"))["id"]
    assert other.post("/api/rules", toml=toml.format(name="The others"))["id"] == theirs != saved
    assert (
        other.get(f"/api/rules/{theirs}")["name"]
        == other.table(rules=theirs)["rules"]["name"]
        == "The others"
    )
    page = person.get(f"/api/rules/{saved}")
    assert (page["name"], page["toml"]) == ("Club", toml.format(name="Club"))
    assert (own_rules(person), own_rules(other)) == ([saved], [theirs])


def test_saved_rules_can_be_deleted(person: Person, other: Person) -> None:
    toml = "[clock]\nbank_s = 63\n"
    saved = person.post("/api/rules", toml=toml)["id"]
    other.refused("not_your_rules", f"DELETE /api/rules/{saved}")
    person.delete(f"/api/rules/{saved}")
    assert own_rules(person) == []
    for method in ("GET", "DELETE"):
        person.refused("no_rules", f"{method} /api/rules/{saved}")
    assert other.post("/api/rules", toml=toml)["id"] == saved
    assert own_rules(other) == [saved]


@pytest.mark.slow
def test_tables_and_games_keep_a_copy_of_deleted_rules(serve: Serve) -> None:
    toml = 'name = {{ en = "{name}" }}\n[clock]\nbank_s = 64\n'
    url = serve()
    owner, player = Person(url, "Jun"), Person(url, "Mina")
    saved = owner.post("/api/rules", toml=toml.format(name="Club"))["id"]
    waiting = player.table(rules=saved, sit=False)
    played, line = player.start(rules=saved)
    line.ask(type="abort", agree=True)
    over = player.get(f"/api/tables/{played}")
    owner.delete(f"/api/rules/{saved}")
    again = owner.post("/api/rules", toml=toml.format(name="Another"))["id"]
    serve()
    reader = Person(url, "Yuna")
    table = reader.get(f"/api/tables/{waiting['id']}")
    assert (table["owner"], table["host"], table["rules"]) == (player.id, "Mina", over["rules"])
    assert reader.get(f"/api/tables/{played}")["host"] == "Mina"
    assert reader.get(f"/api/games/{over['result']['record']}")["rules_name"] == "Club"
    assert [reader.get(f"/api/rules/{name}")["name"] for name in (saved, again)] == ["Club", "Another"]


def test_terms_and_options_come_from_the_term_tables(person: Person) -> None:
    for language in terms.LANGUAGES:
        term = person.get(f"/api/terms/{language}")
        assert TypeAdapter(dict[str, TermTree]).validate_python(term)
        assert {"cli", "yaku", "tiles", "errors", "server", "game", "options"} <= set(term)
        assert term["yaku"] == terms.table("yaku", language)
    assert set(person.get("/api/terms/en", tables="tiles,nothing")) == {"tiles"}
    assert RulesSchema.model_validate(person.get("/api/rules/options", lang="ja"))


# The yaku guide of a ruleset, and trying out custom yaku


def listed(rules: str, language: Language = "en") -> dict[str, YakuCard]:
    guide = yaku_guide(load(rules), language)
    return {yaku.id: yaku for group in guide.groups for yaku in group.cards}


@pytest.mark.slow
def test_the_guide_has_the_value_and_an_example_of_each_yaku_in_the_rules() -> None:
    standard, bgm = listed("standard"), listed("bgm-2025", "ko")
    assert (standard["pinfu"].worth, standard["pinfu"].standard) == ("1 han, closed hands only", "")
    assert bgm["pinfu"].worth.startswith("0판")
    assert bgm["pinfu"].standard
    assert standard["sankantsu"].example is not None
    assert [meld.type.endswith("kan") for meld in standard["sankantsu"].example.melds].count(True) == 3
    assert "suurenkou" not in standard
    assert standard["nagashi_mangan"].example is None


PEACOCK = """extends = "standard"
[yaku.peacock]
closed = "yakuman"
open = "yakuman"
when = '{when}'
name = {{ ko = "홍공작" }}
"""
GREEN = PEACOCK.format(when='only("1579s7z")')


def tried(
    toml: str, yaku: str = "peacock", hand: Message | None = None, language: Language = "en"
) -> OwnTried:
    return try_own_yaku(toml, yaku, hand, language)


def test_the_guide_shows_custom_yaku_with_an_example_and_the_condition_in_words() -> None:
    guide = yaku_guide(parse_rules(GREEN), "ko")
    part = next(yaku for group in guide.groups for yaku in group.cards if yaku.id == "peacock")
    assert (part.name, part.notes) == ("홍공작", ())
    assert "중 하나" in part.definition
    assert part.example is not None
    assert "홍공작" in part.example.value


def test_a_trial_of_a_custom_yaku_lists_matching_hands_and_near_misses() -> None:
    trial = tried(GREEN, language="ko")
    assert (trial.problems, trial.joiner, trial.hand) == ([], "and", None)
    assert [part.text for part in trial.parts] == ['only("1579s7z")']
    assert "⟦1579s7z⟧" in trial.parts[0].words
    assert 3 <= min(len(trial.having), len(trial.near)) <= max(len(trial.having), len(trial.near)) <= 6
    assert trial.near[0].change
    assert [part.holds for part in trial.near[0].parts] == [False]
    assert "또이또이" in trial.always


def test_a_trial_lists_the_conditions_a_hand_does_not_meet() -> None:
    hand = {"hand": "123234789m67p99s", "win": "8p", "melds": [], "by": "tsumo", "flags": ["last_tile"]}
    toml = PEACOCK.format(when="last_tile and run(n, x) and run(n + 1, x) and run(n + 2, x)")
    dealt, odd = tried(toml, hand=hand).hand, tried(toml, hand=hand | {"win": "9p"}).hand
    assert dealt is not None
    assert (dealt.has, dealt.problem) == (False, "")
    assert [part.holds for part in dealt.parts] == [True, True, True, False]
    assert odd is not None
    assert "not complete" in odd.problem


WRONG_ELSEWHERE = """extends = "standard"
[match]
start_points = 7
[yaku.first]
closed = 1
when = 'yaku("second") and tsumo'
[yaku.second]
closed = 1
replaces = ["third"]
when = "runs == 4"
[yaku.third]
closed = 1
when = "runs =="
"""


@pytest.mark.parametrize(
    ("toml", "yaku", "at"),
    [
        (PEACOCK.format(when="tsumo ad ron"), "peacock", 7),
        (PEACOCK.format(when=""), "peacock", 1),
        ("[yaku.peacock\n", "peacock", 0),
        (PEACOCK.format(when="tsumo") + "minimun = true\n", "peacock", 0),
        # a yaku can be tried out even if there are errors elsewhere in the rules
        (PEACOCK.format(when="tsumo") + "[match]\numa = 3\n[yaku.other]\nwhen = 'q'\n", "peacock", None),
        (WRONG_ELSEWHERE, "first", None),
        (WRONG_ELSEWHERE, "second", None),
        (WRONG_ELSEWHERE, "third", 8),
    ],
)
def test_a_problem_in_a_yaku_has_its_character_position(toml: str, yaku: str, at: int | None) -> None:
    trial = tried(toml, yaku)
    assert [problem.at for problem in trial.problems] == ([] if at is None else [at])
    assert bool(trial.having) == (at is None)
    assert tried(toml, "nobody").having == []


def test_custom_yaku_can_be_tried_and_their_words_listed_by_http(person: Person) -> None:
    trial = person.post("/api/rules/own/try", toml=PEACOCK.format(when="tsumo and closed"), yaku="peacock")
    assert [part["text"] for part in trial["parts"]] == ["tsumo", "closed"]
    assert trial["having"]
    words = person.get("/api/rules/own/words", lang="ko")["words"]
    assert {"word": "tsumo", "kind": "circumstance", "insert": "tsumo", "about": "쯔모 화료"} in words


# The booklet of a ruleset: every format, limited in size, without active content


@pytest.mark.slow
def test_the_booklet_is_a_complete_page_without_scripts(person: Person) -> None:
    path = "/api/rules/bgm-2025/booklet"
    query = {"lang": "ko", "club": "<script>alert(1)</script> & 클럽\u202e", "date": "6월 1일"}
    page, markdown = (person.http.get(path, params={**query, "format": form}) for form in ("html", "md"))
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-disposition"].startswith("inline;")
    assert page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert markdown.headers["content-disposition"].startswith("attachment;")
    assert '<html lang="ko">' in page.text
    assert "<script" not in page.text
    for answer in (page, markdown):
        assert "\u202e" not in answer.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 클럽" in answer.text
    logo = b64encode(png(20, 10)).decode()
    page = person.http.post("/api/rules/standard/booklet?lang=ja", json={"club": "麻雀部", "logo": logo})
    assert f'<img src="data:image/png;base64,{logo}"' in page.text
    assert "麻雀部" in page.text
    unnamed = person.post("/api/rules", toml='extends = "tenhou"\n[riichi]\nippatsu = false\n')["id"]
    page = person.http.get(f"/api/rules/{unnamed}/booklet", params={"lang": "ko"})
    assert person.get(f"/api/rules/{unnamed}", lang="ko")["name"] in page.text
    assert f"<h1>{unnamed}" not in page.text


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("standard/booklet?format=exe", {}, 422),
        ("standard/booklet?paper=a0", {}, 422),
        (f"standard/booklet?club={'x' * 101}", {}, 422),
        ("nosuch/booklet", {}, 404),
        ("standard/booklet", {"logo": "!"}, 400),
        ("standard/booklet", {"logo": b64encode(b"<svg/>").decode()}, 400),
        ("standard/booklet", {"logo": "A" * 120_001}, 422),
    ],
    ids=range(7),
)
def test_bad_booklets_are_refused(person: Person, path: str, body: Message, status: int) -> None:
    assert person.send("POST" if body else "GET", f"/api/rules/{path}", **body).status_code == status


@pytest.mark.slow
def test_rules_with_an_impossible_yaku_have_no_booklet(person: Person) -> None:
    saved = person.post("/api/rules", toml='[yaku.chankan]\nonly = "tsumo"\n')["id"]
    answer = person.http.get(f"/api/rules/{saved}/booklet", params={"lang": "en"}).json()["error"]
    assert (answer["code"], "chankan" in answer["message"]) == ("no_example", True)


@pytest.mark.slow
def test_the_booklet_is_available_as_pdf(person: Person) -> None:
    pytest.importorskip("typst", reason="the extra sheet is not installed")
    assert person.get("/api/rules/standard")["pdf"] is True
    answer = person.http.get("/api/rules/standard/booklet", params={"format": "pdf", "lang": "ja"})
    if answer.status_code == 400 and answer.json()["error"]["code"] == "no_font":
        pytest.skip("no Korean and Japanese font is installed")
    assert answer.content.startswith(b"%PDF-"), answer.text


# Tables before the game


def test_a_table_is_managed_by_its_host(person: Person, other: Person) -> None:
    table = person.table(options={"private": True})["id"]
    path = f"/api/tables/{table}"
    assert table not in [row["id"] for row in other.get("/api/tables")["tables"]]
    assert table in [row["id"] for row in person.get("/api/tables")["mine"]]
    assert person.post(f"{path}/bots", seat=3)["seats"][3]["bot"]
    other.refused("seat_taken", f"{path}/join", seat=3)
    person.refused("no_bot_there", f"DELETE {path}/bots/0")
    other.refused("not_seated", f"{path}/leave")
    assert person.delete(f"{path}/bots/3")["seats"][3] is None
    assert other.post(f"{path}/join", seat=3)["seats"][3]["name"] == "Jun"
    for code in (f"{path}/qr.svg", "/api/rules/tenhou/qr.svg"):
        answer = person.http.get(code)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg")
    full = person.post(f"{path}/join", seat=2)["seats"]
    assert [seat and seat["name"] for seat in full] == [None, None, "Mina", "Jun"]
    for _ in range(2):
        person.post(f"{path}/bots")
    person.refused("no_free_seat", f"{path}/bots")
    Person(person.url, "Late").refused("no_free_seat", f"{path}/join")
    assert person.post(f"{path}/leave")["owner"] == other.id
    assert other.post(f"{path}/leave")["status"] == "closed"


# A beginner's first hand: real rules, a stacked wall and bots that cooperate


def action(fields: Message) -> Action:
    return from_dict({name: value for name, value in fields.items() if value is not None})


def advised(shown: Message) -> Message:
    """Return the action that the lesson recommends.

    It recommends to win, pass on calls and declare riichi, or else the discard with the highest acceptance.
    """
    legal = shown["own"]["legal"]
    best = shown["hints"]["discards"][0]["tile"] if shown["hints"]["discards"] else None
    wins = [way for way in legal if way["type"] in ("ron", "tsumo")]
    passes = [way for way in legal if way["type"] == "pass"]
    riichi = [way for way in legal if way.get("riichi")]
    discards = [way for way in legal if way.get("tile") == best]
    choice: Message = (wins or passes or riichi or discards)[0]
    return choice


@pytest.mark.slow
def test_a_player_following_the_advice_meets_every_lesson_and_wins() -> None:
    assert format_tiles(checked(wall(), load(RULES))) == format_tiles(wall())
    moves: list[Action] = []
    met: list[str] = []
    shown = first_hand(moves, "en")
    assert shown["own"]["hand"] == format_tiles(parse_tiles(HAND))
    while not shown["over"]:
        FirstHand(**shown)
        met += [way["type"] for way in shown["own"]["legal"]]
        met += [f"riichi {way['riichi']}" for way in shown["own"]["legal"] if way.get("riichi")]
        moves.append(action(advised(shown)))
        shown = first_hand(moves, "en")
    assert {"pon", "chi", "riichi riichi"} <= set(met)
    events = {event["type"]: event for event in shown["events"]}
    assert (events["riichi_accepted"]["seat"], events["riichi_accepted"]["deposit"]) == (0, shown["deposit"])
    assert events["won"]["seat"] == 0
    assert {"riichi", "pinfu", "tanyao"} <= events["won"]["score"]["yaku"].keys()
    assert len(moves) < 15
    with pytest.raises(ServerError):
        first_hand([*moves, moves[0]], "en")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_player_ignoring_the_advice_still_reaches_an_end(seed: int) -> None:
    chance, moves = Random(seed), list[Action]()
    shown: dict[str, Any] = first_hand([], "ko")
    while not shown["over"]:
        moves.append(action(chance.choice(shown["own"]["legal"])))
        shown = first_hand(moves, "ko")
    assert len(moves) <= MAX_MOVES
    assert {event["seat"] for event in shown["events"] if event["type"] == "won"} <= {0}
    assert [event["type"] for event in shown["events"]].count("hand_started") == 1


@pytest.mark.slow
def test_the_first_hand_sends_no_hidden_tiles_and_refuses_illegal_actions() -> None:
    shown = first_hand([], "ja")
    assert [hand is None for hand in shown["events"][0]["hands"]] == [False, True, True, True]
    shown = first_hand([action(advised(shown))], "ja")
    drawn = [event.get("tile") for event in shown["events"] if event["type"] == "drew" and event["seat"]]
    assert drawn == [None] * 3
    with pytest.raises(IllegalActionError):
        first_hand([from_dict({"type": "ron"})], "ja")
