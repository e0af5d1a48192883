"""Pictures of people: cut and written anew, bounded, reported and removed; and what is tried with them."""

import base64
import io
import random
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest
from PIL import Image, PngImagePlugin

from jantaku.server.errors import ServerError
from jantaku.server.friends.avatar_jobs import MOST_SIDE, SIDE, cut
from jantaku.server.run import prepare
from server.parlour import Person, open_server, quick
from server.test_ranked import member


def picture(kind: str = "PNG", size: tuple[int, int] = (300, 200), **more: object) -> str:
    """A red picture in base64."""
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, kind, **more)
    return base64.b64encode(out.getvalue()).decode()


def bomb(side: int) -> str:
    """A small file that says it is a huge picture."""
    data = bytearray(base64.b64decode(picture()))
    data[16:24] = struct.pack(">II", side, side)
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_cut_to_a_small_square_without_what_its_file_says(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    data = cut(picture(kind, exif=exif.tobytes()))
    assert b"where I live" not in data
    opened = Image.open(io.BytesIO(data))
    assert (opened.format, opened.size) == ("WEBP", (SIDE, SIDE))
    assert not opened.getexif()
    assert len(data) < 12_000


@pytest.mark.parametrize(
    "text",
    ["", "no base64!", base64.b64encode(b"<svg onload=alert(1)>").decode(), picture("GIF"), picture("BMP")],
    ids=["empty", "text", "svg", "gif", "bmp"],
)
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(Exception, match="picture"):
        cut(text)


@pytest.mark.parametrize("side", [MOST_SIDE + 1, 30_000])
def test_a_huge_picture_is_refused_unopened(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PngImagePlugin.PngImageFile, "load", lambda _: pytest.fail("opened"))
    with pytest.raises(Exception, match="picture"):
        cut(bomb(side))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Person]]:
    settings = quick(tmp_path_factory.mktemp("pictures"))
    token = prepare(settings, admin=False)
    with open_server(settings) as url, closing(Person(url)) as admin:
        admin.post("/api/enter", token=token)
        yield url, admin


def put(who: Person, text: str) -> str:
    answer = who.http.put("/api/me/picture", json={"picture": text})
    return str(answer.json()["mark"] if answer.is_success else answer.json()["error"]["code"])


def test_a_picture_is_shown_at_tables_and_on_the_card(house: tuple[str, Person]) -> None:
    url, _ = house
    with closing(member(url, "Mina shown")) as mina:
        table = mina.table()["id"]
        mark = put(mina, picture())
        (seat,) = [sitter for sitter in mina.get(f"/api/tables/{table}")["seats"] if sitter]
        assert seat["picture"] == mark == mina.get("/api/me")["person"]["picture"]
        assert mina.get(f"/api/people/{mina.id}/card")["picture"] == mark
        answer = mina.http.get(f"/api/people/{mina.id}/picture/{mark}")
        assert answer.headers["content-type"] == "image/webp"
        assert mina.http.delete("/api/me/picture").json()["mark"] is None
        assert mina.http.get(f"/api/people/{mina.id}/picture/{mark}").status_code == 404


def test_a_reported_picture_is_removed_for_a_month(house: tuple[str, Person]) -> None:
    url, admin = house
    with closing(member(url, "Mina told")) as mina, closing(member(url, "Jun tells")) as jun:
        mark = put(mina, picture())
        for _ in range(2):  # counted once
            jun.post(f"/api/people/{mina.id}/picture/report")
        (told,) = admin.get("/api/pictures")["pictures"]
        assert (told["person"], told["mark"], told["reports"]) == (mina.id, mark, 1)
        admin.post(f"/api/people/{mina.id}/picture/{mark}/keep")
        assert admin.get("/api/pictures")["pictures"] == []
        jun.post(f"/api/people/{mina.id}/picture/report")
        admin.http.delete(f"/api/people/{mina.id}/picture/{mark}").raise_for_status()
        assert jun.http.get(f"/api/people/{mina.id}/picture/{mark}").status_code == 404
        assert put(mina, picture()) == "picture_barred"
        mina.http.delete("/api/me/picture")  # taking it back oneself lifts nothing
        assert put(mina, picture()) == "picture_barred"
        answer = jun.http.post(f"/api/people/{mina.id}/picture/report")
        assert answer.json()["error"]["code"] == "no_picture"


def test_another_picture_ends_no_reports(house: tuple[str, Person]) -> None:
    url, admin = house
    with closing(member(url, "Mina changes")) as mina, closing(member(url, "Jun looks")) as jun:
        put(mina, picture())
        jun.post(f"/api/people/{mina.id}/picture/report")
        mark = put(mina, picture(size=(20, 20), kind="JPEG"))
        mina.http.delete("/api/me/picture").raise_for_status()
        assert admin.get("/api/pictures")["pictures"] == []  # nothing is shown
        assert put(mina, picture(size=(20, 20), kind="JPEG")) == mark
        (told,) = admin.get("/api/pictures")["pictures"]
        assert (told["person"], told["mark"], told["reports"]) == (mina.id, mark, 1)
        admin.post(f"/api/people/{mina.id}/picture/{mark}/keep")


def test_a_decision_is_about_the_picture_that_was_looked_at(house: tuple[str, Person]) -> None:
    url, admin = house
    with closing(member(url, "Mina swaps")) as mina, closing(member(url, "Jun saw it")) as jun:
        looked_at = put(mina, picture())
        jun.post(f"/api/people/{mina.id}/picture/report")
        now = put(mina, picture(size=(24, 24), kind="JPEG"))
        of_mina = f"/api/people/{mina.id}/picture"
        for answer in (
            admin.http.post(f"{of_mina}/{looked_at}/keep"),
            admin.http.delete(f"{of_mina}/{looked_at}"),
        ):
            assert answer.json()["error"]["code"] == "no_picture"
        assert [told["mark"] for told in admin.get("/api/pictures")["pictures"]] == [now]
        assert admin.http.get(f"{of_mina}/{now}").status_code == 200
        admin.post(f"{of_mina}/{now}/keep")
        assert admin.get("/api/pictures")["pictures"] == []


def test_guests_and_large_files_are_refused(house: tuple[str, Person]) -> None:
    url, _ = house
    with closing(Person(url, "Guest")) as guest, closing(member(url, "Mina large")) as mina:
        assert put(guest, picture()) == "account_needed"
        assert put(mina, "A" * 120_004) == "bad_request"
        assert put(mina, picture("BMP", (20, 20))) == "bad_picture"


def test_crafted_metadata_is_refused_or_left_out() -> None:
    """Of a photograph with every byte of its EXIF spoiled, one after the other and many at once."""
    chance, exif = random.Random(7), Image.Exif()
    exif[0x0112], exif[0x010E], exif[0x8298] = 6, "x" * 20, "y"
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(out, "JPEG", exif=exif)
    plain = out.getvalue()
    begin, end = plain.index(b"Exif"), plain.index(b"Exif") + len(exif.tobytes())
    for round_ in range(1500):
        data = bytearray(plain)
        for _ in range(1 + round_ % 6):
            data[chance.randrange(begin, end)] = chance.choice((0, 1, 2, 5, 255, chance.randrange(256)))
        with suppress(ServerError):
            assert cut(base64.b64encode(bytes(data)).decode())


@pytest.mark.parametrize(
    "fault", [TypeError, KeyError, ZeroDivisionError, struct.error, RecursionError, IndexError]
)
def test_no_fault_of_the_picture_library_is_one_of_the_server(
    monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def failing(_: object) -> None:
        raise fault

    monkeypatch.setattr("PIL.ImageOps.exif_transpose", failing)
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(out, "PNG")
    with pytest.raises(ServerError):
        cut(base64.b64encode(out.getvalue()).decode())
