"""``jantaku review``: text in three languages, JSON with its schema, a page, and interruptions."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jantaku import terms
from jantaku.bots import review as package
from jantaku.bots.review import Review
from jantaku.bots.review.model import file_from_dict
from jantaku.game import Game
from jantaku.records import formats
from support.record_games import game_of
from support.reviews import review_of
from support.terminal import run

STEPS = 60
NAMES = ("Mina", "<b>Eve</b>", "卓也", "민수")


def rounds(game: Game, seat: int, judge: object = None) -> Iterator[Review]:
    """Yield reviews as ``reviews`` does, without rollouts."""
    assert judge is not None
    whole = review_of(game, seat)
    for progress in (0.0, 0.05, 0.2, 1.0):
        yield replace(whole, progress=progress)


@pytest.fixture(autouse=True)
def without_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "reviews", rounds)


@pytest.fixture(scope="module", params=["tenhou", "tenhou-3"])
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "game.jsonl"
    game = game_of(request.param, 3, STEPS)
    formats.write(game, path, "jantaku", NAMES[: len(game.seats)])
    return path


@pytest.mark.parametrize("language", terms.LANGUAGES)
@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "", "FORCE_COLOR": "1", "COLUMNS": "80"}])
def test_every_seat_is_printed(record: Path, language: str, env: dict[str, str]) -> None:
    game = formats.read(record)
    done = run("review", record, language=language, env=env)
    assert done.exit_code == 0
    shown = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    assert not re.search(r"[{}⟦⟧]", shown)
    for seat in game.seats:
        assert NAMES[seat] in shown
    mistakes = [one for seat in game.seats for one in review_of(game, seat).mistakes]
    assert shown.count("✕") >= len(mistakes)
    if env:
        assert max(map(len, shown.splitlines())) <= 80


def test_the_json_fits_its_schema_and_is_read_back(record: Path) -> None:
    game = formats.read(record)
    data = json.loads(run("review", record, "--json").stdout)
    schema = json.loads(run("review", "--schema").stdout)
    assert data["version"] == 1
    assert data["rules"] == {"id": game.rules.id, "fingerprint": game.rules.fingerprint}
    read = file_from_dict(data)
    assert read.names == NAMES[: len(game.seats)]
    assert read.reviews == tuple(review_of(game, seat) for seat in game.seats)
    check(data, schema, schema["$defs"])


def check(data: object, schema: dict[str, object], shared: dict[str, dict[str, object]]) -> None:
    """Check that objects have exactly the fields of the schema, which are described."""
    if "$ref" in schema:
        schema = shared[str(schema["$ref"]).rpartition("/")[2]]
    if isinstance(data, dict) and "properties" in schema:
        fields: dict[str, dict[str, object]] = schema["properties"]  # type: ignore[assignment]
        assert data.keys() <= fields.keys()
        for name in data:
            check(data[name], fields[name], shared)
    elif isinstance(data, list) and "items" in schema:
        for one in data:
            check(one, schema["items"], shared)  # type: ignore[arg-type]


def test_every_field_of_a_review_is_described() -> None:
    schema = json.loads(run("review", "--schema").stdout)
    ours = {"Review", "ReviewedDecision", "Comparison", "Outcome", "Reason", "Fact", "RulesOfReview"}
    for part in (schema, *(schema["$defs"][name] for name in ours)):
        assert part["description"]
        assert [name for name, field in part["properties"].items() if not field.get("description")] == []


def test_one_seat_a_quick_review_and_a_page(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "review.html"
    done = run("review", record, "--seat", 1, "--quick", "--html", path, "--json")
    (only,) = file_from_dict(json.loads(done.stdout)).reviews
    assert (only.seat, only.progress) == (1, 0.2)
    page = path.read_text("utf-8")
    assert page.count("<article") == len(only.mistakes)
    assert "<b>Eve" not in page
    assert terms.text("review.report.partial", "en", progress="20%") in page


def test_an_interruption_prints_what_is_known(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(game: Game, seat: int, judge: object = None) -> Iterator[Review]:
        for one in rounds(game, seat, judge):
            yield one
            if seat == 1 and one.progress > 0.1:
                raise KeyboardInterrupt

    monkeypatch.setattr(package, "reviews", interrupted)
    done = run("review", record, "--json")
    assert done.exit_code == 130
    read = file_from_dict(json.loads(done.stdout))
    assert [(one.seat, one.progress) for one in read.reviews] == [(0, 1.0), (1, 0.2)]
    assert NAMES[1] in run("review", record).stdout


def test_a_page_that_cannot_be_written_is_refused_before_the_work(record: Path, tmp_path: Path) -> None:
    done = run("review", record, "--html", tmp_path / "none" / "review.html")
    assert done.exit_code == 2
    assert "none" in done.output
