"""The rest of the HTTP interface: calculator, drills, rules, terms, pages, and OpenAPI."""

import gzip
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from jantaku import terms
from jantaku.kernels._jit import COMPILED
from jantaku.rules import load, preset_names
from jantaku.rules.gallery import gallery
from jantaku.server.edge import page_routes as pages
from jantaku.server.rules.rules_toml import changes_as_toml
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


def test_reasons_and_hints_at_the_table_mark_their_tiles(person: Person) -> None:
    table = person.table(bots=3)
    person.post(f"/api/tables/{table['id']}/start")
    line = person.socket(table["id"], language="ko")
    line.asked()
    tiles = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
    asked = [line.ask(type="why", what={"type": "discard", "tile": tile}) for tile in tiles]
    texts = {reason["code"]: reason["text"] for reason in asked if "⟦" in reason["text"]}
    assert "not_held" in texts
    assert not [reason for reason in asked if reason["code"] == "not_held" and "⟦" not in reason["text"]]
    line.close()


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
    line.close()


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


def test_own_rules_are_listed_first(person: Person) -> None:
    saved = [person.post("/api/rules", toml=f"[clock]\nbank_s = {seconds}\n")["id"] for seconds in (61, 62)]
    listed = [row["id"] for row in person.get("/api/rules")["rules"]]
    assert sorted(listed[:2]) == sorted(saved)
    assert sorted(listed[2:]) == sorted(preset_names())


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
    with (
        open_server(quick(tmp_path)) as url,
        closing(Person(url, "Jun")) as owner,
        closing(Person(url, "Mina")) as player,
    ):
        saved = owner.post("/api/rules", toml=toml.format(name="Club"))["id"]
        waiting, played = (player.table(bots=3, rules=saved)["id"] for _ in range(2))
        player.post(f"/api/tables/{played}/start")
        line = player.socket(played)
        line.send(type="abort", id="over", agree=True)
        over = line.until("table", lambda message: message["table"]["status"] == "aborted")
        line.close()
        assert owner.http.delete(f"/api/rules/{saved}").status_code == 200
        again = owner.post("/api/rules", toml=toml.format(name="Another"))["id"]
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Yuna")) as reader:
        assert reader.get(f"/api/tables/{waiting}")["rules"] == over["table"]["rules"]
        assert reader.get(f"/api/games/{over['table']['result']['record']}")["rules_name"] == "Club"
        assert [reader.get(f"/api/rules/{name}")["name"] for name in (saved, again)] == ["Club", "Another"]


@pytest.mark.parametrize("sits", [True, False])
@pytest.mark.slow
def test_a_table_names_its_host(tmp_path: Path, sits: bool) -> None:
    with open_server(quick(tmp_path)) as url, closing(Person(url, "Mina")) as host:
        table = host.table(sit=sits)
        assert (table["owner"], table["host"]) == (host.id, "Mina")
    with open_server(quick(tmp_path)) as url, closing(Person(url)) as stranger:
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
