"""Lab questions from the browser: answers, limits, rights, and how long they are kept."""

import asyncio
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jantaku import Game, load, load_file
from jantaku.bots import play
from jantaku.cli.house_rules import read_house_rules
from jantaku.game import Discard
from jantaku.kernels._jit import COMPILED
from jantaku.lab.discards import HandQuestion, SeatPosition, answers, known_position
from jantaku.lab.experiment.live import summaries
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.rows import compared_rows
from jantaku.records import formats
from jantaku.server.edge.limits import Principal, Quota
from jantaku.server.edge.work import FairWork, Turn, Turns
from jantaku.server.errors import ServerError
from jantaku.server.lab import questions
from jantaku.server.lab.questions import LabQuestions, OpenQuestion
from jantaku.server.lab.worker import PAUSE, rounded, work
from jantaku.server.settings import LabLimits
from jantaku.tiles import format_tiles
from server.parlour import WAIT_S, Person, fast_settings, open_server, until
from support.lab import compile_lab

pytest.importorskip("polars")

TOML = 'extends = "standard"\n[yaku.tanyao]\nopen = false\n'
HAND: dict[str, Any] = {"hand": "23456m234p678s99p 1z", "round": "south", "number": 4}
PLACE: dict[str, Any] = {"round": "south", "number": 4}
LONG: dict[str, Any] = {"hand": "23456m234p678s99p 1z", "games": 1000}
LONG_RULES: dict[str, Any] = {"toml": TOML, "against": "standard", "games": 2000}


@pytest.fixture(scope="module")
def compiled() -> None:
    """Compile the code of the lab before the workers need it."""
    compile_lab()


def wait_for_state(person: Person, question: dict[str, Any], *states: str, **query: Any) -> dict[str, Any]:
    """Wait until a question is in one of the states; return it."""

    def polled() -> Any:
        now = person.get(f"/api/lab/questions/{question['id']}", **query)
        return now if now["state"] in states else None

    return dict(until(polled))


def games(test: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a test in which the lab plays games."""
    for mark in (
        pytest.mark.usefixtures("compiled"),
        pytest.mark.skipif(not COMPILED, reason="too many games without compiled code"),
        pytest.mark.slow,
    ):
        test = mark(test)
    return test


@games
def test_a_question_about_rules_is_answered_as_on_the_command_line(url: str) -> None:
    mina, other = Person(url, "Mina"), Person(url, "Joon")
    submitted = mina.post("/api/lab/rules", toml=TOML, against="standard", games=16)
    assert (submitted["kind"], submitted["wanted"], len(submitted["rules"]["changes"])) == ("rules", 16, 1)
    done = wait_for_state(mina, submitted, "done")
    again = mina.get(f"/api/lab/questions/{submitted['id']}", lang="ko")
    for method in ("GET", "DELETE"):
        other.refused("no_question", f"{method} /api/lab/questions/{submitted['id']}")
    assert [row["id"] for row in mina.get("/api/lab")["questions"]] == [submitted["id"]]
    assert other.get("/api/lab")["questions"] == []
    rules = load("standard")
    after = rules.with_changes({"yaku.tanyao.open": False})
    *_, summary = summaries(Experiment((NamedRules("a", rules), NamedRules("b", after)), ("standard",), 16))
    rows = compared_rows(summary)
    assert done["games"] == summary.games
    assert [row["change"] for row in done["rules"]["rows"]] == rounded([row.change for row in rows])
    assert [row["clear"] for row in done["rules"]["rows"]] == [row.clear for row in rows]
    assert again["rules"]["rows"][0]["label"] == "화료율(1인 기준)"


@games
def test_a_question_about_a_hand_is_answered_as_on_the_command_line(url: str) -> None:
    mina = Person(url, "Mina")
    submitted = mina.post("/api/lab/hand", **HAND, games=20, rules="tenhou", left="9m 1z riichi 4p", by="win")
    done = wait_for_state(mina, submitted, "done")
    position = SeatPosition.parse(HAND["hand"], round="south", number=4, left="9m 1z riichi 4p")
    *_, answer = answers(HandQuestion(known_position(position, "tenhou"), 20, by="win"))
    shown = [(row["how"], row["tile"], row["win"]) for row in done["hand"]["choices"]]
    assert shown == [
        (
            "riichi" if str(choice.action).startswith("riichi") else "discard",
            str(choice.action).split()[-1],
            win,
        )
        for choice, win in zip(
            answer.choices, rounded([choice.win for choice in answer.choices]), strict=True
        )
    ]
    assert done["hand"]["choices"][0]["against_best"] is None


@games
def test_custom_yaku_in_house_rules_count_in_answers(tmp_path: Path) -> None:
    club = tmp_path / "club.toml"
    club.write_text(
        'extends = "standard"\n[yaku.aisatsu]\n'
        'closed = 1\nopen = 1\nwhen = "runs >= 0"\nname = { en = "Greeting" }\n',
        "utf-8",
    )
    with open_server(fast_settings(tmp_path / "data", house_rules=read_house_rules([club]))) as url:
        mina = Person(url, "Mina")
        rules = mina.post("/api/lab/rules", toml='extends = "standard"\n', against="club", games=16)
        hand = mina.post("/api/lab/hand", **HAND, games=20, rules="club", by="points")
        answered = [wait_for_state(mina, question, "done") for question in (rules, hand)]
    own = load_file(club)
    plain = NamedRules("b", load("standard"))
    *_, summary = summaries(Experiment((NamedRules("a", own), plain), ("standard",), 16))
    changes = [row["change"] for row in answered[0]["rules"]["rows"]]
    assert changes == rounded([row.change for row in compared_rows(summary)])
    assert any("Greeting" in row["label"] for row in answered[0]["rules"]["rows"])
    *_, best = answers(
        HandQuestion(known_position(SeatPosition.parse(HAND["hand"], **PLACE), own), 20, by="points")
    )
    assert [row["win"] for row in answered[1]["hand"]["choices"]] == rounded(
        [choice.win for choice in best.choices]
    )


@games
def test_a_position_can_be_taken_from_a_stored_game(url: str) -> None:
    game = play(Game("tenhou", seed=3), "efficient")
    mina = Person(url, "Mina")
    sent = mina.post("/api/uploads", name="x.json", text=formats.dumps(game, "jantaku"))
    where = {"source": "uploads", "game": sent["id"], "games": 4}
    done = wait_for_state(mina, mina.post("/api/lab/moment", step=0, **where), "done")
    tiles = {row["tile"] for row in done["hand"]["choices"] if row["how"] == "discard"}
    legal = [action for action in game.restarted().legal(0) if isinstance(action, Discard)]
    assert tiles == {format_tiles([action.tile]) for action in legal}
    claim = next(i for i, (_, _, action) in enumerate(game.moves) if action.type == "pass")
    mina.refused("no_discard", "/api/lab/moment", **where, step=claim)
    mina.refused("no_step", "/api/lab/moment", **where, step=99_999)
    mina.refused("no_game", "/api/lab/moment", **(where | {"game": "none"}), step=0)


@games
def test_lab_limits_of_the_operator_apply(tmp_path: Path) -> None:
    lab = LabLimits(rules_games=50, hand_games=1000, of_one=2, waiting=3)
    with open_server(fast_settings(tmp_path, lab=lab)) as url:
        nobody, mina, joon = Person(url), Person(url, "Mina"), Person(url, "Joon")
        rules = {"toml": TOML, "against": "standard", "games": 51}
        nobody.refused("sign_in", "/api/lab/hand", **HAND, games=2)
        mina.refused("number_range", "/api/lab/rules", **rules)
        first, second = (mina.post("/api/lab/hand", **LONG) for _ in range(2))
        assert second["ahead"] == 1
        mina.refused("lab_busy_yours", "/api/lab/hand", **LONG)
        third = joon.post("/api/lab/hand", **LONG)
        assert (third["state"], third["ahead"]) == ("waiting", 1), "ahead of Mina's second question"
        joon.refused("lab_busy", "/api/lab/hand", **LONG)
        mina.delete(f"/api/lab/questions/{second['id']}")
        assert wait_for_state(mina, second, "stopped")["hand"] is None
        mina.delete(f"/api/lab/questions/{first['id']}")
        assert wait_for_state(joon, third, "working")["ahead"] == 0
    with open_server(fast_settings(tmp_path, lab=LabLimits(rules_games=0, hand_games=0))) as url:
        mina = Person(url, "Minji")
        assert mina.get("/api/lab") == {"rules_games": 0, "hand_games": 0, "questions": []}
        mina.refused("lab_off", "/api/lab/rules", **(rules | {"games": 2}))
        mina.refused("lab_off", "/api/lab/hand", **HAND, games=2)


BAD: list[tuple[str, dict[str, Any], int]] = [
    ("rules", {"toml": TOML, "against": "nosuch", "games": 2}, 404),
    ("rules", {"toml": 'extends = "standard"', "against": "standard", "games": 2}, 400),
    ("rules", {"toml": "not toml", "against": "standard", "games": 2}, 400),
    ("rules", {"toml": "x" * 60_000, "against": "standard", "games": 2}, 422),
    ("rules", {"toml": TOML, "against": "standard", "games": 1}, 422),
    ("rules", {"toml": TOML, "against": "standard", "games": "2"}, 422),
    ("hand", {"hand": "1z", "games": 2}, 400),
    ("hand", {"hand": "1z" * 2000, "games": 2}, 422),
    ("hand", {**HAND, "games": 2, "left": "riichi chi"}, 400),
    ("hand", {**HAND, "games": 2, "scores": [1, 2, 3]}, 400),
    ("hand", {**HAND, "games": 2, "scores": [1, 2, 3, 10**9]}, 400),
    ("hand", {**HAND, "games": 2, "melds": [{"type": "chi", "tiles": "123m"}] * 5}, 422),
    ("hand", {**HAND, "games": 2, "seed": 1}, 422),
    ("hand", {**HAND, "games": 2, "by": "luck"}, 422),
    ("moment", {"source": "tables", "game": "x", "step": 0, "games": 2}, 422),
]


@games
def test_bad_questions_are_refused(url: str) -> None:
    mina = Person(url, "Mina")
    for path, body, status in BAD:
        answer = mina.http.post(f"/api/lab/{path}", json=body)
        assert answer.status_code == status, (path, body, answer.text)
        assert answer.json()["error"]["message"]
    assert mina.get("/api/lab")["questions"] == []


@pytest.mark.parametrize("kind", ["hand", "rules"])
@games
def test_a_question_stops_when_it_is_not_polled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(questions, "POLL_TIMEOUT_S", {"hand": 0.4, "rules": 0.4})
    with open_server(fast_settings(tmp_path)) as url:
        mina = Person(url, "Mina")
        submitted = mina.post(f"/api/lab/{kind}", **(LONG if kind == "hand" else LONG_RULES))
        until(
            lambda: mina.get("/api/lab")["questions"][0]["state"] == "stopped"
        )  # listing the questions does not count as polling
        assert mina.get(f"/api/lab/questions/{submitted['id']}")["state"] == "stopped"


@pytest.mark.parametrize("resting", [False, True])
@games
def test_a_worker_ends_when_its_server_is_gone(resting: bool) -> None:
    """When the server is killed, the worker's input is closed."""
    known = known_position(SeatPosition.parse(LONG["hand"]), "tenhou")
    process = subprocess.Popen(
        [sys.executable, "-m", "jantaku.server.lab.worker", "600"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(pickle.dumps(HandQuestion(known, 100_000)))
    process.stdin.flush()
    assert process.stdout.readline().startswith(b'{"games"')
    if resting:
        process.stdin.write(PAUSE)
    process.stdin.close()
    assert process.wait(WAIT_S) is not None
    process.stdout.close()


@games
def test_a_question_can_include_norths_set_aside(url: str) -> None:
    mina = Person(url, "Mina")
    body = {"hand": "1199m234p567s112z 4z", "seat": "east", "kita": 1, "rules": "tenhou-3", "games": 2}
    answer = wait_for_state(mina, mina.post("/api/lab/hand", **body, right="9m kita 1"), "done")
    assert "kita" in {row["how"] for row in answer["hand"]["choices"]}
    for wrong in ({"kita": 5}, {"kita": -1}, {"kita": 4}, {"rules": "tenhou"}, {"right": "kita 9"}):
        assert mina.send("POST", "/api/lab/hand", **(body | wrong)).status_code in (400, 422)


@games
def test_a_failed_question_reports_its_error(url: str) -> None:
    """That no tenpai hand fits a river is detected only when the lab starts to work."""
    river = "riichi " + "".join(f"123456789{suit}" for suit in "mps")
    mina = Person(url, "Mina")
    body = {"hand": "13579m13579p13s1z 1z", "left": river, "across": "1234567z", "right": "1z"}
    submitted = mina.post("/api/lab/hand", **body, discards="2z", games=2)
    failed = wait_for_state(mina, submitted, "failed")
    assert (failed["error"]["code"], failed["error"]["field"]) == ("no_tenpai", "left")
    assert "riichi" in failed["error"]["message"]


@pytest.mark.skipif(not COMPILED, reason="too many games without compiled code")
@pytest.mark.usefixtures("compiled")
def test_the_final_result_is_always_reported() -> None:
    known = known_position(SeatPosition.parse(HAND["hand"], round="south", number=4), "tenhou")
    lines = list(work(HandQuestion(known, 9)))
    assert '"games": 9, "wanted": 9' in lines[-1]


# Scheduling of lab questions, so that nobody can monopolise the lab


class Lab(LabQuestions):
    """Questions that need several pieces of work; ``order`` lists whose piece was done when."""

    def __init__(self, limits: LabLimits, pieces: int = 1) -> None:
        super().__init__(limits)
        self.order: list[str] = []
        self._pieces = pieces

    async def _work(self, question: OpenQuestion) -> None:
        for _ in range(self._pieces):
            await question.turn.on.wait()
            self.order.append(question.holder.person)
            await asyncio.sleep(0)
            self._turns.rest(question.turn)


def ask(lab: LabQuestions, person: str, address: str) -> OpenQuestion:
    return lab.ask(Principal(person, address), Any, {})  # type: ignore[arg-type]  # no worker process


async def ended(lab: LabQuestions, *submitted: OpenQuestion) -> None:
    running = [task.running for task in submitted if task.running is not None]
    await asyncio.wait_for(asyncio.gather(*running), 30)


async def test_guests_at_one_address_cannot_fill_the_lab() -> None:
    lab = LabQuestions(LabLimits())
    accepted, refused = [], []
    for number in range(10):
        for _ in range(3):
            try:
                accepted.append(ask(lab, f"guest {number}", "192.0.2.1"))
            except ServerError as error:
                refused.append(error.code)
    assert len(accepted) == LabLimits().of_address
    assert set(refused) == {"lab_busy_yours", "lab_busy_there"}
    other = ask(lab, "other", "198.51.100.7")
    assert lab.ahead(other) <= 1, "only the running question"
    await lab.close()


async def test_addresses_and_people_take_turns() -> None:
    lab = Lab(LabLimits(of_one=9, of_address=9))
    submitted = (
        [ask(lab, "a", "X") for _ in range(3)]
        + [ask(lab, "b", "X")]
        + [ask(lab, "c", "Y"), ask(lab, "c", "Y")]
    )
    await ended(lab, *submitted)
    assert lab.order == ["a", "c", "b", "c", "a", "a"]


async def test_a_long_question_pauses_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jantaku.server.edge.work.TURN_S", 0.0)
    lab = Lab(LabLimits(), pieces=3)
    submitted = [ask(lab, "a", "X"), ask(lab, "b", "Y")]
    await ended(lab, *submitted)
    assert lab.order == ["a", "b"] * 3


async def test_a_question_does_not_pause_without_others_waiting() -> None:
    line, turn = Turns(1), Turn(Principal("a", "X"))
    line.join(turn)
    assert not line.rest(turn)
    assert turn.on.is_set()


async def test_a_waiting_question_that_is_not_polled_leaves_the_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(questions, "POLL_TIMEOUT_S", {"hand": 0.1, "rules": 0.1})
    lab = Lab(LabLimits(of_one=2), pieces=10**9)
    first, second = ask(lab, "a", "X"), ask(lab, "a", "X")
    async with asyncio.timeout(30):
        while not second.ended:
            first.looked += 0.01
            await asyncio.sleep(0.01)
    ask(lab, "a", "X")  # there is room in the queue again
    await lab.close()


# Statistics and reviews of different people are computed in turn, so that nobody can delay the others


SHARE = Quota(of_one=4, of_address=16, of_all=128)


async def test_many_requests_of_one_person_delay_another_by_one_piece_of_work() -> None:
    work, done, refused = FairWork(SHARE), list[str](), list[str]()
    working = 0

    async def ask(person: str, address: str) -> None:
        nonlocal working
        try:
            async with work.turn(Principal(person, address)):
                working += 1
                assert working == 1
                await asyncio.sleep(0)
                working -= 1
                done.append(person)
        except ServerError as error:
            refused.append(error.code)

    greedy = [asyncio.create_task(ask("greedy", "X")) for _ in range(600)]
    await asyncio.sleep(0)
    await asyncio.gather(ask("other", "Y"), *greedy)
    assert done.index("other") <= 2
    assert (done.count("greedy"), refused) == (4, ["busy"] * 596)


async def test_people_at_one_address_do_not_delay_those_at_another() -> None:
    work, done = FairWork(SHARE), list[str]()

    async def ask(person: str, address: str) -> None:
        with suppress(ServerError):
            async with work.turn(Principal(person, address)):
                await asyncio.sleep(0)
                done.append(address)

    crowd = [asyncio.create_task(ask(f"guest {number}", "X")) for number in range(100)]
    await asyncio.sleep(0)
    await asyncio.gather(*crowd, *(ask(f"other {number}", "Y") for number in range(3)))
    assert done[:8].count("Y") == 3
    assert done.count("X") == 16


async def test_a_cancelled_request_leaves_the_queue() -> None:
    work = FairWork(SHARE)

    async def ask(person: str) -> str:
        async with work.turn(Principal(person, person)):
            await asyncio.sleep(0.01)
        return person

    first, gone, last = (asyncio.create_task(ask(name)) for name in "abc")
    await asyncio.sleep(0)
    gone.cancel()
    assert tuple(await asyncio.gather(first, last)) == ("a", "c")
