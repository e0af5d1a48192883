"""The rest of the HTTP interface: calculator, drills, rules, terms, pages, and OpenAPI."""

import asyncio
import gzip
import json
import socket
from base64 import b64encode
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from pydantic import TypeAdapter
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from booklet.test_booklet_files import png
from jantaku import terms
from jantaku.errors import IllegalActionError
from jantaku.game import Action
from jantaku.game.fair_walls import checked
from jantaku.game.notation import from_dict
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load, preset_names
from jantaku.rules.gallery import gallery
from jantaku.rules.schema import schema
from jantaku.server.app import create_app
from jantaku.server.edge import pages
from jantaku.server.edge.guard import HEADERS, SecurityHeaders
from jantaku.server.edge.pages import LIST, MARK, language_for, opening
from jantaku.server.errors import ServerError
from jantaku.server.rules.bodies import OptionValue, OwnTried, RulesSchema, TermTree, YakuGuide, YakuShown
from jantaku.server.rules.pages import changes_as_toml, parsed
from jantaku.server.rules.yaku import tried_yaku, yaku_guide
from jantaku.server.settings import Settings
from jantaku.server.study.first_hand_routes import HAND, MOST_MOVES, RULES, FirstHand, first_hand, wall
from jantaku.terms import Language
from jantaku.tiles import format_tiles, parse_tiles
from server.parlour import Person, open_server, quick

WIN = {"hand": "234m567p345678s9p", "win": "9p", "by": "tsumo"}


def test_a_hand_is_scored_and_explained_in_the_requested_language(person: Person) -> None:
    assert person.post("/api/score", **WIN)["points"] == 1100
    for language in terms.LANGUAGES:
        answer = person.http.post("/api/explain", params={"lang": language}, json=WIN).json()
        assert answer["explanation"]["language"] == language
        assert answer["answer"]["points"] == 1100
        assert answer["text"]


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
def test_impossible_hands_get_an_answer(person: Person, request_: dict[str, Any], code: str) -> None:
    assert person.post("/api/score", **request_)["error"]["code"] == code
    explained = person.post("/api/explain", **request_)
    assert explained["text"]
    assert (explained["explanation"] is None) == (code == "bad_request")


def test_explanations_mark_tiles_for_pictures_but_plain_text_does_not(person: Person) -> None:
    answer = person.post("/api/explain", **WIN)
    fu = [row["detail"] for row in answer["explanation"]["fu"]]
    misses = [row["why"] for row in answer["explanation"]["near_misses"]]
    assert any("⟦" in said for said in fu + misses)
    assert "⟦" not in answer["text"]
    refused = {**WIN, "hand": "234m567p340678s9p", "rules": "wrc"}
    assert "⟦5s⟧" in person.post("/api/explain", **refused)["text"]
    assert "⟦" not in person.post("/api/score", **refused)["error"]["message"]
    drill = person.get("/api/drill")["answer"]
    assert "⟦" not in drill["text"]


def test_waits_discards_and_shanten(person: Person) -> None:
    waits = person.post("/api/waits", hand="23456m234p34588s", dora="1m")
    assert [(row["tile"], row["left"]) for row in waits["waits"]] == [("1m", 3), ("4m", 3), ("7m", 4)]
    quad = {"hand": "12s456m789p11z", "melds": [{"type": "ankan", "tiles": "3333s"}]}
    assert [person.post("/api/waits", **quad, wait_in_melds=on)["waits"] for on in (False, True)] == [
        [],
        [{"tile": "3s", "left": 0, "forms": ["penchan"]}],
    ]
    assert [person.post("/api/waits", **quad, wait_in_melds=on)["shanten"] for on in (False, True)] == [1, 0]
    drawn = quad | {"hand": "12s456m789p11z5z"}
    for on in (False, True):
        rows = person.post("/api/discards", **drawn, wait_in_melds=on)["discards"]
        assert next(row["shanten"] for row in rows if row["tile"] == "5z") == (0 if on else 1)
    discards = person.post("/api/discards", hand="123456m123679p11z")["discards"]
    assert (discards[0]["tile"], discards[0]["shanten"], discards[0]["count"]) == ("9p", 0, 8)
    assert person.post("/api/shanten", hand="1458m389p34679s14z")["shanten"] == 4
    wrong = person.http.post("/api/waits", json={"hand": "12m"})
    assert wrong.status_code == 400
    assert wrong.json()["error"]["message"]


@pytest.mark.parametrize("rules", ["standard", "bgm-2025"] if COMPILED else ["standard"])
def test_a_drill_is_a_win_under_the_rules_and_repeats(person: Person, rules: str) -> None:
    seeds = range(6 if COMPILED else 1)
    drills = [person.get("/api/drill", rules=rules, seed=seed) for seed in seeds]
    for drill in drills:
        assert "error" not in drill["answer"]["score"]
        asked = person.post("/api/score", **drill["request"])
        assert asked["payments"] == drill["answer"]["score"]["payments"]
    assert drills[0] == person.get("/api/drill", rules=rules, seed=0)
    assert len({str(drill["request"]) for drill in drills}) == len(drills)


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_page_has_toml_that_loads_again(person: Person, name: str) -> None:
    page = person.get(f"/api/rules/{name}", lang="ko")
    checked = person.post("/api/rules/check", toml=page["toml"])
    assert checked["ok"], checked["problems"]
    assert checked["fingerprint"] == page["fingerprint"] == load(name).fingerprint
    assert page["toml"] == changes_as_toml(load(name))
    assert person.get(f"/api/rules/{name}/diff", **{"with": name})["rows"] == []


def test_own_rules_are_saved_and_played(person: Person) -> None:
    match = '[match]\nstart_points = 27000\nsticks = { "1000" = 27 }\n'
    toml = f'extends = "standard"\nname = {{ en = "Club" }}\n{match}'
    saved = person.post("/api/rules", toml=toml)
    assert saved["url"].endswith(f"/rules/{saved['id']}")
    assert person.get(f"/api/rules/{saved['id']}")["toml"] == toml
    rows = person.get(f"/api/rules/{saved['id']}/diff")["rows"]
    assert {row["path"] for row in rows} == {"match.start_points", "match.sticks"}
    assert saved["id"] in [row["id"] for row in person.get("/api/rules")["rules"] if row["own"]]
    table = person.table(bots=3, rules=saved["id"])
    assert table["rules"]["name"] == "Club"
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"])
    assert line.until("sync")["view"]["scores"] == [27000] * 4
    line.close()
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
                "en": "BGM 2025 event, changed",
                "ja": "BGM 2025 イベント大会（変更あり）",
                "ko": "2025년 BGM 마작 이벤트 대회(변경)",
            },
        ),
    ],
)
def test_rulesets_are_named_in_the_requested_language(
    person: Person, language: terms.Language, toml: str, name: dict[str, str]
) -> None:
    unlike = 100 + terms.LANGUAGES.index(language)  # rules are stored once, for whoever saved them first
    text = f'extends = "bgm-2025"\n{toml}\n[clock]\nturn_s = {unlike}\n'
    rules = person.post("/api/rules", toml=text)["id"] if toml else "bgm-2025"
    wanted = name[language]
    assert person.get(f"/api/rules/{rules}", lang=language)["name"] == wanted
    listed = {row["id"]: row["name"] for row in person.get("/api/rules", lang=language)["rules"]}
    assert listed[rules] == wanted
    table = person.table(rules=rules)
    asked = person.get(f"/api/tables/{table['id']}", lang=language)
    assert (asked["name"], asked["rules"]["name"]) == (wanted, wanted)
    header = {"accept-language": language}
    mine = httpx.get(f"{person.url}/api/tables/{table['id']}", headers=header).json()
    assert mine["rules"]["name"] == wanted
    line = person.socket(table["id"], language=language)
    assert line.welcome["table"]["rules"]["name"] == wanted
    person.post(f"/api/tables/{table['id']}/bots", seat=None)
    told = line.until("table", lambda message: sum(map(bool, message["table"]["seats"])) == 2)
    assert told["table"]["rules"]["name"] == wanted


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
    assert rows["yaku.pinfu"]["first"] == "0 han / –"
    assert rows["yaku.pinfu"]["second"] == "1 han / –"
    assert rows["yaku.pinfu"]["label"] == "Pinfu"
    assert person.get("/api/rules/tenhou/diff", **{"with": "ema", "lang": "ja"})["names"] == [
        "天鳳",
        "欧州麻雀協会（EMA）",
    ]
    assert not [path for path in rows if path.startswith("yaku.") and path.endswith((".closed", ".open"))]


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_the_gallery_gives_changes_that_saved_rules_take(person: Person, language: str) -> None:
    parts = {part["id"]: part for part in person.get("/api/rules/gallery", lang=language)["parts"]}
    assert list(parts) == list(gallery())
    own = parts["golden_gate_bridge"]
    assert own["changes"] == gallery()["golden_gate_bridge"].changes
    assert own["name"] in own["example"]["value"]
    assert parts["yakitori"]["example"] is None


def test_rules_errors_name_the_option(person: Person) -> None:
    toml = "[match]\numa = [1, 2, 3, 4]\n"
    body = person.http.post("/api/rules/check", params={"lang": "ko"}, json={"toml": toml}).json()
    assert [(row["path"], "“우마”" in row["message"]) for row in body["problems"]] == [("match.uma", True)]


def test_saving_rules_again_updates_name_and_description(person: Person, other: Person) -> None:
    toml = 'extends = "ema"\nname = {{ en = "{name}" }}\n[clock]\nbank_s = 77\n'
    saved = person.post("/api/rules", toml=toml.format(name="Clubb"))["id"]
    assert person.get(f"/api/rules/{saved}")["name"] == "Clubb"
    assert person.post("/api/rules", toml=toml.format(name="Club"))["id"] == saved
    others = other.post("/api/rules", toml=toml.format(name="Others"))["id"]
    assert other.post("/api/rules", toml=toml.format(name="The others"))["id"] == others != saved
    assert other.get(f"/api/rules/{others}")["name"] == "The others"
    assert [row["name"] for row in other.get("/api/rules")["rules"] if row["id"] in (saved, others)] == [
        "The others"
    ]
    assert other.table(rules=others)["rules"]["name"] == "The others"
    page = person.get(f"/api/rules/{saved}")
    assert (page["name"], page["toml"]) == ("Club", toml.format(name="Club"))


def own_rules(person: Person) -> list[str]:
    """The person's saved rules in the list."""
    return [row["id"] for row in person.get("/api/rules")["rules"] if row["own"]]


def test_own_rules_can_be_deleted(person: Person, other: Person) -> None:
    toml = "[clock]\nbank_s = 63\n"
    saved = person.post("/api/rules", toml=toml)["id"]
    assert other.http.delete(f"/api/rules/{saved}").json()["error"]["code"] == "not_your_rules"
    assert own_rules(person) == [saved]
    assert person.http.delete(f"/api/rules/{saved}").json() == {"ok": True}
    assert own_rules(person) == []
    for gone in (person.http.get(f"/api/rules/{saved}"), person.http.delete(f"/api/rules/{saved}")):
        assert (gone.status_code, gone.json()["error"]["code"]) == (404, "no_rules")
    assert other.post("/api/rules", toml=toml)["id"] == saved
    assert own_rules(other) == [saved]


@pytest.mark.slow
def test_tables_and_games_keep_a_copy_of_deleted_rules(tmp_path: Path) -> None:
    toml = 'name = {{ en = "{name}" }}\n[clock]\nbank_s = 64\n'
    with open_server(quick(tmp_path)) as url:
        owner = Person(url, "Jun")
        player = Person(url, "Mina")
        saved = owner.post("/api/rules", toml=toml.format(name="Club"))["id"]
        waiting, played = (player.table(bots=3, rules=saved)["id"] for _ in range(2))
        player.post(f"/api/tables/{played}/start")
        line = player.socket(played)
        line.send(type="abort", id="over", agree=True)
        over = line.until("table", lambda message: message["table"]["status"] == "aborted")
        line.close()
        assert owner.http.delete(f"/api/rules/{saved}").status_code == 200
        again = owner.post("/api/rules", toml=toml.format(name="Another"))["id"]
    with open_server(quick(tmp_path)) as url:
        reader = Person(url, "Yuna")
        assert reader.get(f"/api/tables/{waiting}")["rules"] == over["table"]["rules"]
        assert reader.get(f"/api/games/{over['table']['result']['record']}")["rules_name"] == "Club"
        assert [reader.get(f"/api/rules/{name}")["name"] for name in (saved, again)] == ["Club", "Another"]


@pytest.mark.parametrize("sits", [True, False])
@pytest.mark.slow
def test_a_table_names_its_host(tmp_path: Path, sits: bool) -> None:
    with open_server(quick(tmp_path)) as url:
        host = Person(url, "Mina")
        table = host.table(sit=sits)
        assert (table["owner"], table["host"]) == (host.id, "Mina")
    with open_server(quick(tmp_path)) as url:
        stranger = Person(url)
        assert stranger.get(f"/api/tables/{table['id']}")["host"] == "Mina"


def test_rules_errors_are_listed_per_option(person: Person) -> None:
    answer = person.post("/api/rules/check", toml="[riichi]\nopn = true\n[dora]\nkan_dora = 3\n")
    assert not answer["ok"]
    assert {problem["path"] for problem in answer["problems"]} == {"riichi.opn", "dora.kan_dora"}
    for toml in ("[", '[local]\nfile = "/etc/passwd"', 'extends = "/etc/passwd"', "x = " + "[" * 3000):
        assert not person.post("/api/rules/check", toml=toml)["ok"]


def test_terms_match_the_term_tables(person: Person) -> None:
    for language in terms.LANGUAGES:
        term = person.get(f"/api/terms/{language}")
        assert {"cli", "yaku", "tiles", "errors", "server", "game", "options"} <= set(term)
        assert term["yaku"] == terms.table("yaku", language)
    assert set(person.get("/api/terms/en", tables="tiles,nothing")) == {"tiles"}


def test_the_qr_code_is_an_image(person: Person) -> None:
    for path in (f"tables/{person.table()['id']}", "rules/tenhou"):
        answer = person.http.get(f"/api/{path}/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg")


def test_private_tables_are_not_in_the_lobby(person: Person, other: Person) -> None:
    table = person.table(options={"private": True})
    assert table["id"] not in [row["id"] for row in other.get("/api/tables")["tables"]]
    assert table["id"] in [row["id"] for row in person.get("/api/tables")["mine"]]
    assert other.post(f"/api/tables/{table['id']}/join")["seats"][1]["name"] == "Jun"


def test_moving_bots_and_closing(person: Person, other: Person) -> None:
    table = person.table()
    path = f"/api/tables/{table['id']}"
    assert person.post(f"{path}/bots", seat=3)["seats"][3]["bot"]
    assert other.http.post(f"{path}/join", json={"seat": 3}).status_code == 409
    assert person.http.delete(f"{path}/bots/3").json()["seats"][3] is None
    other.post(f"{path}/join", seat=3)
    assert person.post(f"{path}/leave")["owner"] == other.id
    assert other.post(f"{path}/leave")["status"] == "closed"


def test_without_a_built_client_a_page_says_how_to_build_it(url: str, client: Path) -> None:
    answer = httpx.get(f"{url}/")
    assert answer.status_code == 200
    assert "make run" in answer.text


def test_every_client_address_serves_the_app_page(url: str, client: Path) -> None:
    (client / "assets").mkdir()
    (client / "index.html").write_text("<p>page")
    (client / "assets" / "a-123.js").write_text("plain")
    (client / "assets" / "a-123.js.gz").write_bytes(gzip.compress(b"plain"))
    (client / "secret.py").write_text("no")
    for path in ("/", "/t/abc", "/rules/tenhou", "/enter/xyz"):
        answer = httpx.get(url + path)
        assert answer.text == "<p>page"
        assert answer.headers["cache-control"] == "no-cache"
    script = httpx.get(f"{url}/assets/a-123.js", headers={"accept-encoding": "gzip"})
    assert script.text == "plain"
    assert script.headers["content-encoding"] == "gzip"
    assert "immutable" in script.headers["cache-control"]
    for path in ("/assets/none.js", "/favicon.ico", "/api/none"):
        assert httpx.get(url + path).status_code == 404
    for path in ("/secret.py", "/assets/%2e%2e/%2e%2e/secret.py", "/%2e%2e/%2e%2e/app.py"):
        assert httpx.get(url + path).text not in ("no", (pages.STATIC / "secret.py").read_text())


# The declared types of answers that are made from tables are what the server sends


@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_the_schema_of_a_rules_file_has_no_other_keywords(language: terms.Language) -> None:
    options = schema(language)
    assert RulesSchema.model_validate(options).model_dump(exclude_unset=True) == options


def test_every_answer_is_of_its_type(person: Person) -> None:
    tables = person.get("/api/terms/ko")
    assert TypeAdapter(dict[str, TermTree]).validate_python(tables)
    assert RulesSchema.model_validate(person.get("/api/rules/options", lang="ja"))
    distance = person.post("/api/shanten", hand="123m456p789s1122z", id="x")
    assert distance == {"id": "x", "shanten": 0, "standard": 0, "chiitoitsu": 4, "kokushi": 8}
    refused = person.post("/api/shanten", hand="123x")
    assert set(refused) == {"id", "error"}
    assert refused["error"]["field"] == "hand"


@pytest.mark.parametrize("name", preset_names())
def test_a_ruleset_is_sent_as_it_is(name: str) -> None:
    adapter, tree = TypeAdapter(dict[str, OptionValue]), load(name).to_dict()
    assert adapter.dump_python(adapter.validate_python(tree)) == tree


# The list of yaku with examples that pages show


def listed(rules: str, language: Language = "en") -> dict[str, YakuShown]:
    guide = YakuGuide(**yaku_guide(load(rules), language))
    return {yaku.id: yaku for group in guide.groups for yaku in group.yaku}


@pytest.mark.slow
def test_worth_and_example_are_those_of_the_rules() -> None:
    standard, bgm = listed("standard"), listed("bgm-2025", "ko")
    assert standard["pinfu"].worth == "1 han, closed hands only"
    assert standard["pinfu"].standard == ""
    assert bgm["pinfu"].worth.startswith("0판")
    assert bgm["pinfu"].standard
    assert standard["sankantsu"].example is not None
    assert [meld.type.endswith("kan") for meld in standard["sankantsu"].example.melds].count(True) == 3


@pytest.mark.slow
def test_yaku_that_do_not_count_are_left_out() -> None:
    assert "suurenkou" not in listed("standard")
    assert "nagashi_mangan" in listed("standard")
    assert listed("standard")["nagashi_mangan"].example is None


PEACOCK = """extends = "standard"
[yaku.peacock]
closed = "yakuman"
open = "yakuman"
when = '{when}'
name = {{ ko = "홍공작" }}
"""


def test_the_guide_shows_own_yaku_with_a_hand_and_the_condition_in_words() -> None:
    rules = parsed(PEACOCK.format(when='only("1579s7z")'))
    guide = YakuGuide(**yaku_guide(rules, "ko"))
    part = next(yaku for group in guide.groups for yaku in group.yaku if yaku.id == "peacock")
    assert (part.name, part.notes) == ("홍공작", [])
    assert "가운데 하나" in part.definition
    assert part.example is not None
    assert "홍공작" in part.example.value


def test_an_own_yaku_is_tried() -> None:
    tried = OwnTried(**tried_yaku(PEACOCK.format(when='only("1579s7z")'), "peacock", None, "ko"))
    assert (tried.problems, tried.joiner, tried.hand) == ([], "and", None)
    assert [part.text for part in tried.parts] == ['only("1579s7z")']
    assert "⟦1579s7z⟧" in tried.parts[0].words
    assert 3 <= len(tried.having) <= 6
    assert 3 <= len(tried.near) <= 6
    assert tried.near[0].change
    assert [part.holds for part in tried.near[0].parts] == [False]
    assert "또이또이" in tried.always


def test_a_hand_says_what_it_lacks() -> None:
    hand = {"hand": "123234789m67p99s", "win": "8p", "melds": [], "by": "tsumo", "flags": ["last_tile"]}
    toml = PEACOCK.format(when="last_tile and run(n, x) and run(n + 1, x) and run(n + 2, x)")
    dealt = OwnTried(**tried_yaku(toml, "peacock", hand, "en")).hand
    assert dealt is not None
    assert (dealt.has, dealt.problem) == (False, "")
    assert [part.holds for part in dealt.parts] == [True, True, True, False]
    odd = OwnTried(**tried_yaku(toml, "peacock", {**hand, "win": "9p"}, "en")).hand
    assert odd is not None
    assert "not complete" in odd.problem


@pytest.mark.parametrize(
    ("toml", "at"),
    [
        (PEACOCK.format(when="tsumo ad ron"), 7),
        (PEACOCK.format(when=""), 1),
        ("[yaku.peacock\n", 0),
        (PEACOCK.format(when="tsumo") + "[match]\numa = 3\n[yaku.other]\nwhen = 'q'\n", None),
        (PEACOCK.format(when="tsumo") + "minimun = true\n", 0),
    ],
)
def test_problems_of_the_yaku_point_at_their_character(toml: str, at: int | None) -> None:
    """Other problems of the file do not keep anybody from trying it."""
    tried = OwnTried(**tried_yaku(toml, "peacock", None, "ja"))
    assert [problem.at for problem in tried.problems] == ([] if at is None else [at])
    assert bool(tried.having) == (at is None)
    assert OwnTried(**tried_yaku(toml, "nobody", None, "en")).having == []


WRONG_ELSEWHERE = """
extends = "standard"

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


@pytest.mark.parametrize(("yaku", "is_wrong"), [("first", False), ("second", False), ("third", True)])
def test_what_is_wrong_elsewhere_does_not_hide_the_yaku_that_one_names(yaku: str, is_wrong: bool) -> None:
    names = tried_yaku(WRONG_ELSEWHERE, yaku, None, "en")
    assert bool(names["problems"]) == is_wrong
    assert bool(names["having"]) == (not is_wrong)


def test_the_server_tries_an_own_yaku_and_lists_the_words(person: Person) -> None:
    trial = person.post("/api/rules/own/try", toml=PEACOCK.format(when="tsumo and closed"), yaku="peacock")
    assert [part["text"] for part in trial["parts"]] == ["tsumo", "closed"]
    assert trial["having"]
    words = person.get("/api/rules/own/words", lang="ko")["words"]
    assert {"word": "tsumo", "kind": "circumstance", "insert": "tsumo", "about": "쯔모 화료"} in words


# The headers of an answer: all that a browser shows as a page carries the rules for pages


def headers_of(path: str, kind: str) -> Headers:
    sent: list[Message] = []

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        start = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", kind.encode()), (b"etag", b"1")],
        }
        await send(start)
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def keep(message: Message) -> None:
        sent.append(message)

    asked = [(b"host", b"localhost")]
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": asked,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    asyncio.run(SecurityHeaders(app, Settings())(scope, receive, keep))
    return Headers(raw=sent[0]["headers"])


@pytest.mark.parametrize(
    ("path", "kind", "whole"),
    [
        ("/", "text/html; charset=utf-8", True),
        ("/api/me", "application/json", True),
        ("/sw.js", "text/javascript; charset=utf-8", True),
        ("/assets/tiles.svg", "image/svg+xml", True),
        ("/assets/page.html", "text/html", True),
        ("/assets/lost.js", "application/json", True),
        ("/api/assets/a.js", "text/javascript", True),
        ("/assets/a.js", "text/javascript; charset=utf-8", False),
        ("/assets/a.css", "text/css; charset=utf-8", False),
    ],
)
def test_only_scripts_and_styles_of_the_build_come_without_the_rules_for_pages(
    path: str, kind: str, whole: bool
) -> None:
    headers = headers_of(path, kind)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert ("etag" in headers) is whole
    assert all(name in headers for name in HEADERS) is whole
    assert ("content-security-policy" in headers) is whole


def test_a_page_is_the_same_compressed_and_not(url: str) -> None:
    plain, zipped = (
        httpx.get(f"{url}/t/x", headers={"accept-encoding": coding}) for coding in ("identity", "gzip")
    )
    assert plain.text == zipped.text
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(("path", "packed"), [("/api/rules/standard", True), ("/api/openapi.json", False)])
def test_only_what_holds_no_secret_is_compressed(url: str, path: str, packed: bool) -> None:
    plain, zipped = (
        httpx.get(f"{url}{path}", headers={"accept-encoding": coding}) for coding in ("identity", "gzip")
    )
    assert plain.json() == zipped.json()
    assert "content-encoding" not in plain.headers
    assert (zipped.headers.get("content-encoding") == "gzip") is packed
    assert (int(zipped.headers["content-length"]) * 4 < int(plain.headers["content-length"])) is packed


@pytest.mark.parametrize("path", ["/", "/api/rules/standard"])
@pytest.mark.parametrize(
    ("codings", "packed"),
    [
        (["gzip;q=0"], False),
        (["identity, GZIP; q=0.000, *"], False),
        (["gzipped"], False),
        (["br;q=0, gzip;q=0.001"], True),
        (["deflate", "GZIP"], True),
    ],
)
def test_an_encoding_that_a_client_refuses_is_not_sent(
    url: str, client: Path, path: str, codings: list[str], packed: bool
) -> None:
    (client / "index.html").write_text("<p>page")
    answer = httpx.get(url + path, headers=[("accept-encoding", coding) for coding in codings])
    assert ("content-encoding" in answer.headers) is packed
    assert "accept-encoding" in answer.headers["vary"].lower()


def answered(url: str, request: str) -> tuple[int, dict[str, str]]:
    """The status and headers with which a server answers these bytes."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), 10) as line:
        line.sendall(request.replace("\n", "\r\n").encode("latin-1"))
        data = b""
        while b"\r\n\r\n" not in data and (more := line.recv(4096)):
            data += more
    status, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    assert len(headers) == len(lines), "no header comes twice"
    return int(status.split()[1]), headers


SOCKET = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n"
JSON = "Content-Type: application/json\n"
LARGE = 10**7


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ("GET / HTTP/1.1\nHost: localhost\n\n", 200),
        ("HEAD / HTTP/1.1\nHost: localhost\n\n", None),
        ("GET /nowhere/at/all.js HTTP/1.1\nHost: localhost\n\n", None),
        ("GET /assets/nothing.js HTTP/1.1\nHost: localhost\n\n", 404),
        ("GET /assets/../../x HTTP/1.1\nHost: localhost\n\n", None),
        ("GET /api/nothing HTTP/1.1\nHost: localhost\n\n", 404),
        ("GET /api/me HTTP/1.1\nHost: localhost\n\n", 200),
        ("GET /api/openapi.json HTTP/1.1\nHost: localhost\n\n", 200),
        ("DELETE /api/me HTTP/1.1\nHost: localhost\n\n", 405),
        ("OPTIONS /api/me HTTP/1.1\nHost: localhost\n\n", 405),
        ("GET /api/me HTTP/1.1\nHost: evil.example\n\n", 421),
        ("GET /api/sessions HTTP/1.1\nHost: localhost\n\n", 401),
        (f"POST /api/guest HTTP/1.1\nHost: localhost\n{JSON}Content-Length: {LARGE}\n\n", 413),
        ("POST /api/guest HTTP/1.1\nHost: localhost\nContent-Length: 2\n\n{}", 415),
        (f"POST /api/guest HTTP/1.1\nHost: localhost\n{JSON}Content-Length: 2\n\n{{}}", 422),
        (f"POST /api/guest HTTP/1.1\nHost: localhost\n{JSON}Content-Length: 1\n\n{{", None),
        ("POST /api/logout HTTP/1.1\nHost: localhost\nOrigin: https://evil.example\n\n", 403),
        ("POST /api/logout HTTP/1.1\nHost: localhost\nOrigin: http://[\n\n", 403),
        ("POST /api/logout HTTP/1.1\nHost: localhost\nOrigin: http://[::1]x\n\n", 403),
        ("no http at all\n\n", 400),
        ("GET /api/me HTTP/1.1\nHost: localhost\nContent-Length: \xb2\n\n", 400),
        ("POST /api/me HTTP/1.1\nHost: localhost\nContent-Length: -1\n\n", 400),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\nOrigin: https://evil.example\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\nOrigin: http://[\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/events/x HTTP/1.1\nHost: localhost\nOrigin: http://[\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/nothing HTTP/1.1\nHost: localhost\n{SOCKET}{KEY}\n", None),
        (f"GET /ws/tables/x HTTP/1.1\nHost: evil.example\n{SOCKET}{KEY}\n", 403),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\n{SOCKET}\n", 400),
        (f"GET /ws/tables/x HTTP/1.1\nHost: localhost\n{SOCKET}Sec-WebSocket-Key: x\n\n", 400),
        ("GET /ws/tables/x HTTP/1.1\nHost: localhost\n\n", None),
    ],
)  # fmt: skip
def test_every_answer_has_the_security_headers(url: str, request_: str, status: int | None) -> None:
    got, headers = answered(url, request_)
    assert got < 500 if status is None else got == status
    assert {name: headers.get(name) for name in HEADERS} == HEADERS


async def test_an_answer_to_a_fault_has_the_security_headers(tmp_path: Path) -> None:
    """An application whose services have not begun fails at each route."""
    transport = httpx.ASGITransport(create_app(Settings(data_dir=tmp_path)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for method, path in (("GET", "/api/me"), ("POST", "/api/logout"), ("GET", "/api/tables")):
            answer = await client.request(method, path)
            assert answer.status_code == 500
            assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


# The booklet of a ruleset from the server: every format, bounded, and harmless to the page that opens it


@pytest.mark.slow
def test_the_booklet_is_a_page_of_its_own(url: str) -> None:
    mina = Person(url)
    club = "<script>alert(1)</script> & 클럽\u202e"
    query = {"format": "html", "lang": "ko", "club": club, "date": "6월 1일"}
    page = mina.http.get("/api/rules/bgm-2025/booklet", params=query)
    assert page.status_code == 200, page.text
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-disposition"].startswith("inline;")
    assert page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert "<script" not in page.text
    assert "\u202e" not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 클럽" in page.text
    assert '<html lang="ko">' in page.text
    markdown = mina.http.get("/api/rules/bgm-2025/booklet", params={**query, "format": "md"})
    assert markdown.headers["content-disposition"].startswith("attachment;")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; 클럽" in markdown.text


def test_bad_wishes_are_refused(url: str) -> None:
    mina = Person(url)
    for rules, query, status in (
        ("standard", {"format": "exe"}, 422),
        ("standard", {"paper": "a0"}, 422),
        ("standard", {"club": "x" * 101}, 422),
        ("nosuch", {}, 404),
    ):
        answer = mina.http.get(f"/api/rules/{rules}/booklet", params=query)
        assert answer.status_code == status, answer.text


@pytest.mark.slow
def test_a_logo_is_sent_with_the_request(url: str) -> None:
    mina = Person(url)
    logo = b64encode(png(20, 10)).decode()
    page = mina.http.post("/api/rules/standard/booklet?lang=ja", json={"club": "麻雀部", "logo": logo})
    assert page.status_code == 200, page.text
    assert f'<img src="data:image/png;base64,{logo}"' in page.text
    assert "麻雀部" in page.text
    for wrong, status in (("!", 400), (b64encode(b"<svg/>").decode(), 400), ("A" * 120_001, 422)):
        answer = mina.http.post("/api/rules/standard/booklet", json={"logo": wrong})
        assert answer.status_code == status, answer.text


@pytest.mark.slow
def test_rules_without_a_name_are_called_by_what_they_change(url: str) -> None:
    mina = Person(url, "Mina")
    saved = mina.post("/api/rules", toml='extends = "tenhou"\n[riichi]\nippatsu = false\n')["id"]
    page = mina.http.get(f"/api/rules/{saved}/booklet", params={"lang": "ko"})
    assert mina.get(f"/api/rules/{saved}", lang="ko")["name"] in page.text
    assert f"<h1>{saved}" not in page.text


@pytest.mark.slow
def test_rules_with_an_impossible_yaku_are_refused_in_words(url: str) -> None:
    mina = Person(url, "Mina")
    saved = mina.post("/api/rules", toml='[yaku.chankan]\nonly = "tsumo"\n')["id"]
    answer = mina.http.get(f"/api/rules/{saved}/booklet", params={"lang": "en"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "no_example"
    assert "chankan" in answer.json()["error"]["message"]


@pytest.mark.slow
def test_the_booklet_as_pdf(url: str) -> None:
    pytest.importorskip("typst", reason="the extra sheet is not installed")
    mina = Person(url)
    assert mina.get("/api/rules/standard")["pdf"] is True
    answer = mina.http.get("/api/rules/standard/booklet", params={"format": "pdf", "lang": "ja"})
    if answer.status_code == 400 and answer.json()["error"]["code"] == "no_font":
        pytest.skip("no Korean and Japanese font is installed")
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(b"%PDF-")


# The first hand of somebody who has never played: real rules, a stacked wall, and players who help


Shown = dict[str, Any]


def action(found: Shown) -> Action:
    return from_dict({name: value for name, value in found.items() if value is not None})


def advised(shown: Shown) -> Shown:
    """What the lesson advises: win, let calls pass, declare riichi, discard for the most acceptance."""
    legal = shown["own"]["legal"]
    best = shown["hints"]["discards"][0]["tile"] if shown["hints"]["discards"] else None
    wins = [action for action in legal if action["type"] in ("ron", "tsumo")]
    passes = [action for action in legal if action["type"] == "pass"]
    riichi = [action for action in legal if action.get("riichi")]
    discards = [action for action in legal if action.get("tile") == best]
    choice: Shown = (wins or passes or riichi or discards)[0]
    return choice


def test_the_wall_is_a_wall_of_its_rules() -> None:
    assert format_tiles(checked(wall(), load(RULES))) == format_tiles(parse_tiles(format_tiles(wall())))


@pytest.mark.slow
def test_who_follows_the_advice_meets_every_lesson_and_wins() -> None:
    moves: list[Action] = []
    met: list[str] = []
    shown = first_hand(moves, "en")
    assert shown["own"]["hand"] == format_tiles(parse_tiles(HAND))
    while not shown["over"]:
        FirstHand(**shown)
        met += [action["type"] for action in shown["own"]["legal"]]
        met += [f"riichi {action['riichi']}" for action in shown["own"]["legal"] if action.get("riichi")]
        moves.append(action(advised(shown)))
        shown = first_hand(moves, "en")
    assert {"pon", "chi", "riichi riichi"} <= set(met)
    staked = next(event for event in shown["events"] if event["type"] == "riichi_accepted")
    assert (staked["seat"], staked["deposit"]) == (0, shown["deposit"])
    won = next(event for event in shown["events"] if event["type"] == "won")
    assert won["seat"] == 0
    assert {"riichi", "pinfu", "tanyao"} <= won["score"]["yaku"].keys()
    assert len(moves) < 15
    with pytest.raises(ServerError):
        first_hand([*moves, moves[0]], "en")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_whoever_plays_otherwise_plays_on_to_an_end(seed: int) -> None:
    chance, moves = Random(seed), []
    shown = first_hand([], "ko")
    while not shown["over"]:
        moves.append(action(chance.choice(shown["own"]["legal"])))
        shown = first_hand(moves, "ko")
    assert len(moves) <= MOST_MOVES
    winners = [event["seat"] for event in shown["events"] if event["type"] == "won"]
    assert set(winners) <= {0}  # the others never win
    assert [event["type"] for event in shown["events"]].count("hand_started") == 1


@pytest.mark.slow
def test_nothing_hidden_is_sent_and_nothing_illegal_is_played() -> None:
    shown = first_hand([], "ja")
    started, *rest = shown["events"]
    assert [hand is None for hand in started["hands"]] == [False, True, True, True]
    shown = first_hand([action(advised(shown))], "ja")
    drawn = [event.get("tile") for event in shown["events"] if event["type"] == "drew" and event["seat"]]
    assert drawn == [None] * 3
    with pytest.raises(IllegalActionError):
        first_hand([from_dict({"type": "ron"})], "ja")
    assert rest


# The client's HTML page as sent: preload links for the address, and its language


PAGE = f'<html lang="en"><head>{MARK}<link rel="manifest" href="/manifest.en.webmanifest"></head></html>'
NAMES = {"": "Lobby", "t": "Table", "Lost": "Lost"}
BUILT = {
    "entry": "/assets/index-1.js",
    "pages": {page: [f"/assets/{name}-1.js", f"/assets/{name}-1.css"] for page, name in NAMES.items()},
    "languages": {
        language: {page: [f"/assets/{name}-{language}-1.js"] for page, name in NAMES.items()}
        for language in terms.LANGUAGES
    },
}


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page that was built, and the list beside it."""
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    (tmp_path / LIST).write_text(json.dumps(BUILT), "utf-8")
    return tmp_path / "index.html"


@pytest.mark.parametrize(
    ("path", "chunk"),
    [("", "Lobby"), ("t/abc", "Table"), ("t", "Table"), ("none", "Lost"), ("index.html", "Lost")],
)
@pytest.mark.parametrize("language", terms.LANGUAGES)
def test_a_page_preloads_the_files_it_needs(
    page: Path, path: str, chunk: str, language: terms.Language
) -> None:
    opened = opening(page, path, language)
    assert f'<link rel="stylesheet" crossorigin href="/assets/{chunk}-1.css">' in opened
    for file in (f"{chunk}-1.js", f"{chunk}-{language}-1.js"):
        assert f'<link rel="modulepreload" crossorigin href="/assets/{file}">' in opened
    assert opened.count("modulepreload") == 2
    assert f'<html lang="{language}"' in opened
    assert f"/manifest.{language}.webmanifest" in opened


def test_a_page_without_a_preload_list_is_sent_unchanged(page: Path) -> None:
    page.with_name(LIST).unlink()
    assert opening(page, "", "ko") == PAGE


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"accept-language": "ko-KR,en;q=0.5"}, "ko"),
        ({"accept-language": "fr, ja;q=0.9"}, "ja"),
        ({"accept-language": "ko", "cookie": "jantaku_language=ja"}, "ja"),
        ({"accept-language": "ko", "cookie": "jantaku_language=<script>"}, "ko"),
    ],
)
def test_the_chosen_language_wins_over_the_browsers(headers: dict[str, str], language: str) -> None:
    written = [(name.encode(), value.encode()) for name, value in headers.items()]
    assert language_for(Request({"type": "http", "headers": written})) == language
