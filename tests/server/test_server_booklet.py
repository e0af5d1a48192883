"""The booklet of a ruleset from the server: every format, bounded, and harmless to the page that opens it."""

from base64 import b64encode
from pathlib import Path

import pytest

from booklet.test_booklet_files import png
from server.parlour import Person, open_server, quick


@pytest.mark.slow
def test_the_booklet_is_a_page_of_its_own(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
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


def test_bad_wishes_are_refused(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
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
def test_a_logo_is_sent_with_the_request(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
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
def test_rules_without_a_name_are_called_by_what_they_change(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        saved = mina.post("/api/rules", toml='extends = "tenhou"\n[riichi]\nippatsu = false\n')["id"]
        page = mina.http.get(f"/api/rules/{saved}/booklet", params={"lang": "ko"})
        assert mina.get(f"/api/rules/{saved}", lang="ko")["name"] in page.text
        assert f"<h1>{saved}" not in page.text


@pytest.mark.slow
def test_rules_with_an_impossible_yaku_are_refused_in_words(tmp_path: Path) -> None:
    with open_server(quick(tmp_path)) as url:
        mina = Person(url, "Mina")
        saved = mina.post("/api/rules", toml='[yaku.chankan]\nonly = "tsumo"\n')["id"]
        answer = mina.http.get(f"/api/rules/{saved}/booklet", params={"lang": "en"})
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "no_example"
        assert "chankan" in answer.json()["error"]["message"]


@pytest.mark.slow
def test_the_booklet_as_pdf(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra sheet is not installed")
    with open_server(quick(tmp_path)) as url:
        mina = Person(url)
        assert mina.get("/api/rules/standard")["pdf"] is True
        answer = mina.http.get("/api/rules/standard/booklet", params={"format": "pdf", "lang": "ja"})
        if answer.status_code == 400 and answer.json()["error"]["code"] == "no_font":
            pytest.skip("no Korean and Japanese font is installed")
        assert answer.status_code == 200, answer.text
        assert answer.content.startswith(b"%PDF-")
