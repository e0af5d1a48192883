"""Recorded games: entry, retries, conflicts, corrections, confirmation, penalties and doubtful games."""

import csv
import io
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from jantaku import terms
from jantaku.club import settle
from jantaku.server.events.common import event
from jantaku.terms import LANGUAGES, text
from server.clubs import BUST, DRAW, RON, SCORES, Account, Club, ClubGame, Visitor
from server.parlour import PASSWORD, Message, run_threads

PAST, FUTURE = "2020-01-01T00:00:00Z", "2900-01-01T00:00:00Z"
OTHERS = SCORES[::-1]
FIRST: Message = {"action": "replace", "place": 0}
EVEN = [25000] * 4


def in_json(hands: list[Message]) -> Message:
    """Settle hands under rules without chips and yakitori; return the game as the server would send it."""
    game: Message = json.loads(json.dumps(settle(hands, "tenhou").to_dict()))
    hands = [{**hand, "chips": None} for hand in game["hands"]]
    return {**game, "hands": hands, "chips": None, "yakitori": None}


def counted(club: Club) -> int:
    """Return the number of games in the standings, summed over all players."""
    return sum(row["games"] for row in club.rows())


# Hands


def test_hands_are_settled_as_they_are_entered(club: Club) -> None:
    game = club.game("settled")
    assert game.enter(RON) == in_json([RON])
    assert game.enter(DRAW, club.recorder)["scores"] == list(settle([RON, DRAW], "tenhou").scores)
    shown = game.view(club.players[3])
    assert [hand["entered"] for hand in shown["hands"]] == [0, None]
    assert (shown["number"], shown["honba"], shown["status"]) == (0, 2, "playing")


def test_a_retry_gets_the_first_response_and_counts_once(club: Club) -> None:
    game = club.game("retry")
    body, path = game.body(RON), f"{game.path}/hands"
    first = game.who.post(path, **body)
    game.head = body["id"]
    game.enter(DRAW)
    revision = club.organiser.get()["revision"]
    assert game.who.post(path, **body) == first
    assert (len(game.view()["hands"]), club.organiser.get()["revision"]) == (2, revision)
    game.who.refused("id_reused", path, **body | {"hand": DRAW})


@pytest.mark.parametrize(
    ("hands", "statuses"), [([RON] * 8, [200] * 8), ([RON, DRAW, BUST, DRAW], [200, 409, 409, 409])]
)
def test_exactly_one_of_concurrent_hands_is_stored(
    club: Club, hands: list[Message], statuses: list[int]
) -> None:
    """Identical entries get the same response; different entries conflict."""
    game = club.game("rush")
    same, answers = game.body(RON), list[Any]()
    bodies = [same if len(set(statuses)) == 1 else game.body(hand) for hand in hands]

    def send(who: Visitor, body: Message) -> None:
        answers.append(who.send("POST", f"{game.path}/hands", **body))

    pairs = zip([*club.players] * 2, bodies, strict=False)
    run_threads([threading.Thread(target=send, args=pair) for pair in pairs])
    assert sorted(answer.status_code for answer in answers) == statuses
    assert len({answer.text for answer in answers if answer.is_success}) == 1
    assert len(game.view()["hands"]) == 1


def test_a_conflict_shows_both_versions(club: Club) -> None:
    game = club.game("conflict")
    game.enter(RON)
    other = {"id": "other-phone", "follows": "", "hand": DRAW}
    body = club.players[1].send("POST", f"{game.path}/hands", **other).json()
    assert (body["error"]["code"], body["head"]) == ("hand_conflict", game.head)
    assert (body["yours"]["hand"], [version["hand"] for version in body["theirs"]]) == (DRAW, [RON])


def test_a_correction_recomputes_later_hands(club: Club) -> None:
    game = club.game("edit")
    for hand in (RON, DRAW, DRAW):
        game.enter(hand)
    wrong = {**RON, "wins": [{"seat": 0, "han": 3, "fu": 33}]}
    error = game.refused("no_such_fu", wrong)
    assert (error["hand"], error["field"]) == (3, "hands[3].wins[0].fu")
    better = {**RON, "wins": [{"seat": 0, "han": 4, "fu": 40}]}
    steps: list[tuple[str, Message | None, int, list[Message]]] = [
        ("replace", better, 0, [better, DRAW, DRAW]),
        ("remove", None, 1, [better, DRAW]),
        ("insert", RON, 0, [RON, better, DRAW]),
    ]
    for action, changed, place, hands in steps:
        assert game.enter(changed, action=action, place=place) == in_json(hands)
        assert [hand["hand"] for hand in game.view()["hands"]] == hands
    versions = game.who.get(f"{game.path}/versions")["versions"]
    assert [version["action"] for version in versions] == ["add"] * 3 + [step[0] for step in steps]
    assert versions[0]["hand"] == RON
    game.refused("number_range", RON, action="replace", place=3)
    game.refused("missing_field", None)
    game.refused("missing_field", RON, action="replace")


def test_after_the_correction_period_only_a_referee_changes_a_hand(url: str) -> None:
    club = Club(url, correction_min=0)
    game = club.game("locked")
    for hand in (RON, DRAW):
        game.enter(hand)
    assert [hand["trust"] for hand in game.view()["hands"]] == ["locked", "locked"]
    for who in (game.who, club.recorder):
        game.refused("hand_locked", DRAW, who, **FIRST)
    for why in ("", " ", "\u200b", "\u2060\u202e", "\u3164", " \n ", "\u0000"):  # invisible characters
        game.refused("why_needed", DRAW, club.referee, **FIRST, why=why)
    game.enter(DRAW, club.referee, **FIRST, why="wrong winner")
    change = club.log(club.players[2], game=game.id)[0]
    assert (change["action"], change["why"], change["before"]) == ("hand", "wrong winner", RON)
    assert change["after"]["hand"] == DRAW


def test_malformed_hands_cause_no_server_error(club: Club) -> None:
    game = club.game("odd")
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    for hand in (
        {}, {"end": None}, {"end": "ron"}, {**RON, "from": "x"}, {**RON, "wins": deep}, {**RON, "x": 1},
        {**RON, "wins": [{**RON["wins"][0], "yaku": ["x" * 13_000]}]}, {**RON, "riichi": list(range(100))},
        {"end": "foul", "fouls": [{"seat": 0, "foul": "\udc00"}]}, {**RON, "from": 10**30},
    ):  # fmt: skip
        data = json.dumps(game.body(hand)).encode("utf-8", "surrogatepass")
        path, kind = f"{club.at}/{game.path}/hands", {"content-type": "application/json"}
        answer = game.who.http.post(path, content=data, headers=kind)
        assert 400 <= answer.status_code < 500, (hand, answer.text)
    assert game.view()["hands"] == []


# Starting, listing and hiding games


def test_a_game_is_started_once_by_one_of_its_players(url: str) -> None:
    club = Club(url)
    body: Message = {"id": "a-new-game", "stage": "league", "players": club.entries}
    player = club.players[0]
    assert player.post("games", **body) == player.post("games", **body)
    player.refused("id_reused", "games", **body | {"players": club.entries[::-1]})
    over = body | {"id": "by-points", "scores": SCORES}
    answer = club.referee.post("games", **over)
    assert (answer["status"], answer["final"][0] > 0) == ("confirmed", True)
    assert club.referee.post("games", **over) == answer
    club.referee.refused("id_reused", "games", **over | {"scores": OTHERS})
    club.organiser.patch("entries/p3", status="withdrawn", why="x")
    club.referee.refused("entry_left", "games", **body | {"id": "a-later-game"})
    late = club.referee.post("games", **over | {"id": "from-paper"})  # played before the player withdrew
    assert (late["status"], late["final"]) == ("confirmed", answer["final"])
    afterwards = club.recorder.post("games", **body | {"id": "afterwards", "at": PAST})
    assert afterwards["at"] == "2020-01-01T00:00:00.000+00:00"


def test_unfinished_games_expire_with_their_stage(club: Club) -> None:
    game, over = club.game("unfinished"), club.game("finished")
    game.enter(RON)
    over.enter(BUST)
    club.organiser.patch(stages=[{"id": "league", "closes": PAST}])
    assert (game.view()["status"], over.view()["status"]) == ("expired", "over")
    game.refused("game_closed", DRAW)
    game.enter(BUST, club.referee, why="they had started in time")
    assert game.view()["status"] == "over"


def test_hidden_results_are_visible_to_the_table_and_the_staff(url: str) -> None:
    club = Club(url, hidden_standings=True)
    game, stranger = club.game("hidden").finish(), club.guest()
    assert stranger.get("games")["games"][0]["scores"] is None
    assert club.players[1].get("games")["games"][0]["scores"] is not None
    stranger.refused("standings_hidden", f"GET {game.path}")
    stranger.refused("not_recorder", "games", id=game.id, stage="league", players=club.entries)
    club.organiser.post("status", status="closed")
    assert stranger.get("games")["games"][0]["scores"] is not None
    assert game.view(stranger)["status"] == "confirmed"


def test_games_are_listed_by_stage_player_and_state(club: Club) -> None:
    club.add("paper")
    first = club.game("first")
    club.game("second", players=["paper", "p0", "p1", "p2"]).enter(BUST)
    club.result("ended")
    club.game("cancelled").post("status", status="cancelled", why="nobody came")
    queries: dict[str, Message] = {
        "cancelled ended second first": {},
        "second": {"entry": "paper"},
        "": {"stage": "none"},
        "first": {"before": 2},
        "second first": {"unfinished": True},
    }
    for ids, query in queries.items():
        games = club.referee.get("games", **query)["games"]
        assert [game["id"] for game in games] == [f"game-{name}" for name in ids.split()]
    assert first.view()["status"] == "playing"


def test_a_merged_entry_keeps_its_games(club: Club) -> None:
    club.add("again")
    game = club.game("merged", club.recorder, players=["again", *club.entries[1:]])
    club.organiser.post("entries/again/merge", into="p0", why="one person")
    assert game.view()["seats"][0]["entry"] == "p0"
    game.enter(RON)


def test_changing_seats_needs_no_reason_before_the_first_hand(club: Club) -> None:
    club.add("reserve")
    game, players = club.game("no-show"), ["p0", "p1", "p2", "reserve"]
    game.who.refused("not_referee", f"{game.path}/seats", players=players, revision=0)
    shown = game.post("seats", players=players, revision=0)
    assert [seat["entry"] for seat in shown["seats"]] == players
    game.enter(DRAW)
    back = {"players": club.entries, "revision": game.view()["revision"]}
    club.referee.refused("why_needed", f"{game.path}/seats", **back)


# Confirmation, and referees' decisions


def test_a_game_counts_when_all_four_confirm(club: Club) -> None:
    game = club.game("confirm")
    game.enter(DRAW)
    path = f"{game.path}/confirm"
    game.who.refused("not_over", path, head=game.head)
    game.enter(BUST)
    assert game.view()["status"] == "over"
    game.who.refused("game_moved_on", path, head="older")
    game.who.refused("not_referee", path, head=game.head, everybody=True)
    assert game.confirm(*club.players[:3]) == "over"
    game.enter(RON, action="insert", place=0)  # after a correction, the game has to be confirmed again
    assert (game.confirm(*club.players[:3]), counted(club)) == ("over", 0)
    assert [game.confirm(club.players[3]) for _ in range(2)] == ["confirmed"] * 2
    assert counted(club) == 4
    game.refused("game_closed", DRAW)


def test_four_players_can_confirm_concurrently(club: Club) -> None:
    game = club.game("at-once")
    game.enter(BUST)
    run_threads([threading.Thread(target=game.confirm, args=(player,)) for player in club.players])
    assert game.view()["status"] == "confirmed"


def test_a_referee_confirms_corrects_voids_and_reopens_a_game(club: Club) -> None:
    game, referee = club.game("referee").finish(), club.referee
    game.refused("why_needed", DRAW, referee, action="insert", place=0)
    game.enter(DRAW, referee, action="insert", place=0, why="left out")
    assert game.view()["status"] == "confirmed"
    game.enter(None, referee, action="remove", place=1, why="never happened")
    assert game.view()["status"] == "playing"
    for why in ("", "\u200b"):
        referee.refused("why_needed", f"{game.path}/status", status="cancelled", why=why)
    assert game.post("status", status="cancelled", why="x")["status"] == "cancelled"
    game.refused("game_closed", DRAW, referee, why="y")
    assert game.post("status", status="playing", why="z")["status"] == "playing"
    empty = club.game("mistake")  # players may cancel a game without hands
    assert empty.post("status", empty.who, status="cancelled")["status"] == "cancelled"
    empty.who.refused("not_referee", f"{empty.path}/status", status="playing")


def test_a_referee_finishes_a_game_by_its_points(club: Club) -> None:
    game = club.game("points")
    game.enter(RON)
    path, why = f"{game.path}/points", "time is up"
    club.referee.refused("points_sum", path, scores=[50000, 20000, 20000, 20000], why=why)
    game.who.refused("not_referee", path, scores=SCORES, why=why, revision=game.view()["revision"])
    answer = game.post(
        "points", scores=[40000, 30000, 20000, 9000], why=why
    )  # a riichi deposit stays on the table
    assert (answer["status"], answer["only_points"], answer["places"]) == ("confirmed", True, [1, 2, 3, 4])
    game.refused("only_points", DRAW, club.referee, why="x")
    game.post("status", status="playing", why="more time")
    assert game.view()["scores"] == list(settle([RON], "tenhou").scores)


def test_a_chombo_still_costs_final_points_in_a_game_finished_by_points(url: str) -> None:
    club = Club(url, rules="wrc")
    game = club.game("chombo")
    game.enter({"end": "foul", "fouls": [{"seat": 2, "foul": "false_win_shown"}]})
    ends: list[list[int]] = [[45000, 35000, 25000, 15000], [35000, 45000, 25000, 15000]]
    for i, scores in enumerate(ends):  # the second hand corrects the first
        seen = {"revision": game.view()["revision"]} if i else {}
        ended = game.post("points", scores=scores, why="time is up", **seen)
        assert ended["final"][2:] == [25000 - 30000 - 5000 - 20000, 15000 - 30000 - 15000]
        assert ended["deducted"] == [0, 0, 20000, 0]
    filed = club.organiser.get("file")["games"][0]
    assert (filed["scores"], filed["deducted"]) == (ends[1], [0, 0, 20000, 0])
    assert club.organiser.get("games")["games"][0]["deducted"] == filed["deducted"]
    club.organiser.patch(hidden_standings=True)
    assert club.guest().get("games")["games"][0]["deducted"] is None


def test_the_first_of_concurrent_points_are_kept(club: Club) -> None:
    """To replace points that were already entered, a request has to state the revision that was seen."""
    game = club.game("two-referees")
    game.enter(RON)
    path, revision = f"{game.path}/points", game.view()["revision"]
    judges, answers = (club.referee, club.organiser), list[tuple[int, list[int]]]()

    def send(who: Account, scores: list[int]) -> None:
        answers.append((who.send("POST", path, scores=scores, why="paper").status_code, scores))

    pairs = zip(judges, (SCORES, OTHERS), strict=True)
    run_threads(threading.Thread(target=send, args=pair) for pair in pairs)
    stands = game.view()
    assert sorted(status for status, _ in answers) == [200, 409]
    assert (200, stands["scores"]) in answers
    late = stands["scores"][::-1]
    for seen in ({}, {"revision": revision}):
        judges[1].refused("game_moved_on", path, scores=late, why="mistyped", **seen)
    again = game.post("points", scores=stands["scores"], why="the same")
    assert again["revision"] == stands["revision"] > revision
    corrected = game.post("points", judges[1], scores=late, why="mistyped", revision=stands["revision"])
    assert corrected["scores"] == late
    status: Message = {"status": "playing", "why": "go on"}
    judges[0].refused("game_moved_on", f"{game.path}/status", **status, revision=stands["revision"])
    game.post("status", **status, revision=corrected["revision"])
    game.enter(DRAW)
    assert [hand["hand"]["end"] for hand in game.view()["hands"]] == ["ron", "draw"]


# Penalties, calls for a referee, disputes and the change log


def test_penalties_are_visible_to_those_concerned_and_can_be_cancelled(club: Club) -> None:
    game, (one, other, *_), stranger = club.game("fined"), club.players, club.guest()
    for why in ("late", "late, entered again"):
        club.penalise("p0", -20000, why, game=game.id)
    club.referee.post("penalties/2/cancel", why="once is enough")
    for who, why in ((other, "late"), (club.referee, "late"), (stranger, "")):
        shown = game.view(who)["penalties"]
        assert [tuple(row[name] for name in ("number", "seat", "points", "why")) for row in shown] == [
            (1, 0, -20000, why)
        ]
        assert who.get("games")["games"][0]["penalties"] == shown
    assert club.game("not-fined").started["penalties"] == []
    penalties = one.get("penalties")["penalties"]
    assert [(row["points"], bool(row["cancelled"])) for row in penalties] == [(-20000, False), (-20000, True)]
    assert other.get("penalties")["penalties"] == []
    club.referee.refused("no_penalty", "penalties/2/cancel", why="again")
    actions = [change["action"] for change in club.log(one) if change["entry"]]
    assert actions[:3] == ["penalty_cancelled", "penalty", "penalty"]


def test_a_disputed_game_waits_for_a_referee(club: Club) -> None:
    game, loser = club.game("dispute"), club.players[1]
    game.enter(BUST)
    dispute = {"kind": "dispute", "game": game.id, "why": "furiten"}
    loser.refused("no_version", "calls", **dispute, version="none")
    loser.post("calls", **dispute, version=game.head)
    assert game.view()["hands"][0]["disputed"] is True
    game.who.refused("disputed", f"{game.path}/confirm", head=game.head)
    assert club.players[2].get("calls")["calls"] == []
    [call] = club.referee.get("calls")["calls"]
    assert (call["why"], call["mine"]) == ("furiten", False)
    close = f"calls/{call['number']}/close"
    game.who.refused("not_referee", close, answer="no")
    club.referee.post(close, answer="not furiten")
    club.referee.refused("no_call", close)
    assert game.confirm(game.who) == "over"


def test_open_calls_of_one_person_are_limited(club: Club) -> None:
    player = club.players[0]
    for _ in range(5):
        player.post("calls", label="Table 3")
    player.refused("too_many_calls", "calls", label="Table 3")
    club.guest().refused("not_concerned", "calls")
    number = player.get("calls")["calls"][0]["number"]
    player.post(f"calls/{number}/close")
    player.post("calls", label="Table 3")
    club.referee.post("calls", label="Table 3")


def test_players_see_only_their_own_part_of_the_log(club: Club) -> None:
    club.add("paper")
    game = club.game("log", players=["paper", "p0", "p1", "p2"])
    game.enter(RON)
    sat, elsewhere = club.log(game.who), club.log(club.players[3])
    assert [(change["action"], change["game"]) for change in sat[:2]] == [
        ("hand", game.id),
        ("game", game.id),
    ]
    assert [change for change in elsewhere if change["game"]] == []
    assert {change["action"] for change in elsewhere} >= {"create", "entry"}
    assert {change["entry"] for change in elsewhere if change["entry"]} == {"p3"}
    number = club.recorder.post("calls", label="bar", why="about one player")["calls"][0]["number"]
    club.referee.post(f"calls/{number}/close", answer="spoken to them")
    assert not {"call", "answer"} & {change["action"] for change in club.log(game.who)}
    for i in range(30):
        club.penalise("p0", -100 - i)
    everything, before = list[Message](), None
    while (page := club.referee.get("log", **({"before": before} if before else {})))["next"]:
        everything += page["changes"]
        before = page["next"]
    everything += page["changes"]
    actions = [change["action"] for change in everything]
    assert (actions.count("penalty"), actions.count("call"), actions[-1]) == (30, 1, "create")
    club.guest().refused("not_concerned", "GET log")


# Players enter the final points, and the others confirm them


def test_points_entered_by_a_player_count_once_all_confirm(club: Club) -> None:
    body = {"id": "game-typed", "stage": "league", "players": club.entries, "scores": SCORES}
    game = club.game("typed")
    shown = game.post("points", game.who, scores=SCORES)
    for start in (shown, club.players[0].post("games", **body | {"id": "game-at-once"})):
        assert (start["status"], start["scores"], start["only_points"]) == ("over", SCORES, True)
        assert [seat["confirmed"] for seat in start["seats"]] == [True, False, False, False]
    # the same request twice
    assert game.post("points", game.who, scores=SCORES)["revision"] == shown["revision"]
    game.refused("only_points", DRAW)
    assert (game.confirm(*club.players[1:3]), counted(club)) == ("over", 0)
    assert (game.confirm(club.players[3]), counted(club)) == ("confirmed", 4)
    game.who.refused("not_referee", f"{game.path}/points", scores=OTHERS, revision=shown["revision"])


def test_changed_points_require_new_confirmations(club: Club) -> None:
    game, other = club.game("corrected"), club.players[1]
    path, first = f"{game.path}/points", game.post("points", game.who, scores=SCORES)
    game.confirm(club.players[2])
    other.refused("game_moved_on", path, scores=OTHERS)
    second = other.post(path, scores=OTHERS, revision=first["revision"])
    assert [seat["confirmed"] for seat in second["seats"]] == [False, True, False, False]
    club.players[3].refused("game_moved_on", f"{game.path}/confirm", head=first["head"])
    game.confirm()
    assert game.view()["scores"] == OTHERS


def test_a_player_cancels_their_points_until_someone_confirms(club: Club) -> None:
    game, vouched = club.game("mistaken"), club.game("vouched")
    for each in (game, vouched):
        each.post("points", each.who, scores=SCORES)
    club.players[1].refused("not_referee", f"{game.path}/status", status="cancelled")
    assert game.post("status", game.who, status="cancelled")["status"] == "cancelled"
    vouched.confirm(club.players[1])
    game.who.refused("not_referee", f"{vouched.path}/status", status="cancelled")
    vouched.post("status", status="playing", why="not over")
    assert vouched.view()["head"] == ""
    vouched.enter(DRAW)  # the game continues
    assert vouched.view()["status"] == "playing"


def test_a_check_in_expires_after_the_evening_in_leagues_and_rounds(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("open", "rounds"):
        club = Club(url, stages=[{"id": "only", "kind": kind}])
        player, code = club.players[0], club.organiser.get()["code"]
        first = player.post("entries/check-in", code=code)
        assert player.post("entries/check-in", code=code) == first
        there = club.organiser.patch("entries/p1", checked_in=True)["checked_in"]
        monkeypatch.setattr(event, "CHECK_IN_MS", 0)  # the evening is over
        assert player.get()["entry"]["checked_in"] is None
        club.organiser.patch("entries/p1", checked_in=True)
        monkeypatch.undo()
        now = {entry["id"]: entry["checked_in"] for entry in player.get("entries")["entries"]}
        assert now["p1"] != there


# Chips and yakitori: from hands to standings and exports


CHIPS = """extends = "tenhou"
[match]
length = "east"
yakitori = 3000
[chips]
value = 1000
[end]
tobi = "off"
extension = "none"
"""


@pytest.fixture
def chips(url: str) -> Club:
    return Club(url, rules=Account(url, "author").post("/api/rules", toml=CHIPS)["id"])


def ron(winner: int, loser: int, **more: object) -> Message:
    return {"end": "ron", "from": loser, "wins": [{"seat": winner, "han": 1, "fu": 30, **more}]}


def test_chips_and_yakitori_count_in_games_standings_and_exports(chips: Club) -> None:
    payments = chips.organiser.get("payments")
    assert (payments["chips"], payments["yakitori"]) == (1000, 3000)
    game = chips.game("chips")
    game.refused("chips_unknown", ron(1, 3))
    red = game.enter(ron(1, 3, yaku=["tanyao", "red_dora"], bonus={"red_dora": 2}))
    assert red["hands"][0]["chips"] == [0, 2, 0, -2]
    for hand in (ron(2, 1, chips=0), ron(1, 2, chips=1), ron(0, 3, chips=0)):
        over = game.enter(hand)
    paid = ([0, 3, -1, -2], [3000, 3000, 3000, -9000])
    assert (over["over"], over["chips"], over["yakitori"]) == (True, *paid)
    bare = [
        after - 1000 * chips - yakitori for after, chips, yakitori in zip(over["final"], *paid, strict=True)
    ]
    assert bare == [36000, 6000, -15000, -27000]  # points, uma and oka only
    game.confirm()
    [shown] = chips.organiser.get("games")["games"]
    assert (shown["chips"], shown["yakitori"]) == paid
    assert list(chips.points().values()) == sorted(over["final"], reverse=True)
    written = chips.organiser.send("GET", "export?format=csv&table=games").text
    head, row = list(csv.reader(io.StringIO(written.lstrip("\ufeff"))))[:2]
    cells = dict(zip(head, row, strict=True))
    assert (cells["East: Chips"], cells["North: Chips"], cells["North: Yakitori"]) == ("0", "-2", "-9000")


def test_points_from_paper_need_chips_and_players_without_a_win(chips: Club) -> None:
    body: Message = {"id": "game-paper", "stage": "league", "players": chips.entries, "scores": SCORES}
    won, people = [2, 0, -1, -1], chips.organiser
    people.refused("end_without_chips", "games", **body)
    people.refused("end_without_winners", "games", **body, chips=won)
    people.refused("chips_sum", "games", **body, chips=[1, 0, 0, 0], no_win=[])
    people.refused("missing_field", "games", **{**body, "scores": None}, chips=won)
    assert people.get("games")["games"] == []
    for _ in range(2):  # sending the request again changes nothing
        people.post("games", **body, chips=won, no_win=[3, 2])
    [shown] = people.get("games")["games"]
    assert (shown["chips"], shown["yakitori"]) == (won, [6000, 6000, -6000, -6000])
    none = {"scores": SCORES, "chips": [0] * 4, "no_win": []}
    people.post("games/game-paper/points", **none, why="misread", revision=0)
    again, [exported] = people.get("games/game-paper"), people.get("export", format="json")["games"]
    for read in (again, exported):
        assert (read["chips"], read["yakitori"]) == ([0] * 4, [0] * 4)
    assert again["only_points"]
    [filed] = people.get("file")["games"]
    assert {name: filed[name] for name in none} == none


# Side bets: agreed by both players, settled by the final points, and private


class Bets:
    """Side bets between players 0 and 1 on their game."""

    def __init__(self, club: Club) -> None:
        self.club, self.game, _ = club, club.game("side"), [*club.players]

    def offer(self, by: int = 0, entry: str = "p1", **body: Any) -> None:
        self.club.players[by].post("bets", **{"game": self.game.id, "entry": entry, "stake": 10} | body)

    def answer(self, seat: int, number: int, word: str) -> None:
        self.club.players[seat].post(f"bets/{number}/answer", answer=word)

    def refused(self, code: str, seat: int, number: int, word: str) -> None:
        self.club.players[seat].refused(code, f"bets/{number}/answer", answer=word)

    def of(self, seat: int) -> list[tuple[str, int | None]]:
        bets = self.club.players[seat].get("bets")["bets"]
        assert [bet["number"] for bet in bets] == sorted(bet["number"] for bet in bets)
        return [(bet["status"], bet["points"]) for bet in bets]


@pytest.fixture
def bets(club: Club) -> Bets:
    return Bets(club)


def test_a_bet_is_settled_by_the_final_points(bets: Bets) -> None:
    club, revisions = bets.club, [bets.club.organiser.get()["revision"]]
    bets.offer()
    revisions.append(club.organiser.get()["revision"])
    bets.offer(1, "p0", kind="per_1000", stake=3)
    bets.offer(2, "p0")
    bets.answer(1, 1, "agreed")
    bets.answer(0, 2, "agreed")
    revisions.append(club.organiser.get()["revision"])
    assert revisions == sorted(set(revisions)), "offers and answers change the revision, so that pages reload"
    assert bets.of(0) == [("agreed", None), ("agreed", None), ("offered", None)]
    final = bets.game.finish().view()["final"]
    difference = round(3 * (final[0] - final[1]) / 1000)
    assert bets.of(0) == [("settled", 10), ("settled", difference), ("void", None)]
    assert bets.of(1) == [("settled", -10), ("settled", -difference)]
    [balance] = club.players[1].get("bets")["balances"]
    assert (balance["entry"], balance["points"]) == ("p0", -10 - difference)
    club.penalise("p0", -500000, game=bets.game.id)
    assert bets.of(1)[0] == ("settled", 10)
    for person in (club.organiser, club.referee, club.recorder, club.players[3]):
        assert person.get("bets") == {"bets": [], "balances": []}
        person.refused("no_bet", "bets/1/answer", answer="declined")
    for path in ("log", "file", "standings", bets.game.path, "games", "penalties"):
        assert "bet" not in club.organiser.send("GET", path).text.lower()
    bets.game.post("status", status="cancelled", why="not played")
    assert {status for status, _ in bets.of(1)} == {"void"}


def test_both_players_must_agree_to_a_bet_in_time(bets: Bets) -> None:
    club = bets.club
    for _ in range(4):
        bets.offer()
    bets.refused("not_yours_to_answer", 0, 1, "agreed")
    bets.refused("not_yours_to_answer", 1, 1, "withdrawn")
    bets.answer(0, 1, "withdrawn")
    bets.answer(1, 2, "declined")
    bets.answer(1, 3, "agreed")
    bets.refused("bet_decided", 1, 3, "agreed")
    bets.game.enter(BUST)
    bets.refused("bet_too_late", 1, 4, "agreed")
    body = {"game": bets.game.id, "entry": "p1", "stake": 5}
    club.players[0].refused("bet_too_late", "bets", **body)
    assert [status for status, _ in bets.of(1)] == ["withdrawn", "declined", "agreed", "offered"]


def test_a_bet_is_between_two_players_of_the_game(bets: Bets) -> None:
    club = bets.club
    club.add("paper")
    game = club.game("paper", players=["p0", "p1", "p2", "paper"])
    for entry in ("paper", "p0", "p3"):
        club.players[0].refused("bet_opponent", "bets", game=game.id, stake=5, entry=entry)
    club.players[3].refused("not_recorder", "bets", game=game.id, stake=5, entry="p0")


def test_a_closed_event_accepts_no_bets(bets: Bets) -> None:
    bets.offer()
    bets.offer()
    bets.club.organiser.post("status", status="closed")
    bets.club.players[0].refused("event_over", "bets", game=bets.game.id, entry="p1", stake=5)
    bets.refused("event_over", 1, 1, "agreed")
    bets.answer(1, 1, "declined")
    bets.answer(0, 2, "withdrawn")
    assert [status for status, _ in bets.of(0)] == ["declined", "withdrawn"]


def test_a_deleted_person_leaves_no_bets_or_seasons(bets: Bets) -> None:
    club, leaving = bets.club, bets.club.players[1]
    bets.offer()
    bets.answer(1, 1, "agreed")
    bets.game.finish()
    organiser, parts = club.organiser, [{"id": "a", "event": club.id}]
    season = organiser.post("/api/seasons", name="Year", parts=parts)["id"]
    mine = leaving.post("/api/seasons", name="Mine")["id"]
    confirmation = leaving.post("/api/me/erase")["confirm"]
    leaving.post("/api/me/erase", confirm=confirmation, password=PASSWORD)
    assert club.players[0].get("bets") == {"bets": [], "balances": []}
    assert organiser.get(f"/api/seasons/{mine}")["mine"] is False
    deleted = text("export.erased", "en", number=1)
    rows = organiser.get(f"/api/seasons/{season}/ranking")["ranking"]
    assert [row["name"] for row in rows].count(deleted) == 1
    player = organiser.get("players/p1")
    assert (player["name"], player["figures"]["brief"]["games"]) == (deleted, 1)
    assert deleted in organiser.get("statistics")["names"].values()


# Games entered by one account alone stay unconfirmed; implausible games are reported to referees


SMALL: Message = {"end": "ron", "from": 1, "wins": [{"seat": 0, "han": 1, "fu": 30}]}


def alone(club: Club, name: str, *hands: Message) -> ClubGame:
    """Record a game of one account and three players without accounts; the account confirms every seat."""
    game = club.game(name)
    for hand in hands or (BUST,):
        game.enter(hand)
    for seat in range(4):
        game.confirm(game.who, seat=seat)
    return game


def doubts(club: Club) -> Iterator[tuple[str, list[str]]]:
    """Yield the doubtful games and their reasons."""
    for doubt in club.referee.get("doubts")["games"]:
        yield doubt["game"], doubt["reasons"]


def test_a_game_confirmed_by_one_account_does_not_count(club: Club) -> None:
    games = [alone(club, f"alone-{i}") for i in range(4)]
    for game in games:
        assert (game.view()["status"], game.view()["one_account"]) == ("over", True)
    assert counted(club) == 0
    assert [len(reasons) > 1 for _, reasons in doubts(club)] == [True] * 4
    guest = club.guest()
    entry = guest.post("entries", name="somebody")["id"]
    # a guest does not count as a second account
    table = club.game("guest", players=["p0", entry, "p2", "p3"])
    table.enter(BUST)
    for who, seat in ((table.who, 0), (guest, 1), (table.who, 2), (guest, 3), (table.who, 3)):
        assert table.confirm(who, seat=seat) == "over"
    assert counted(club) == 0
    for who, game in zip((club.referee, club.organiser, club.recorder), games, strict=False):
        assert game.confirm(who, seat=2) == "confirmed"
        assert game.view()["one_account"] is False
    other = club.players[2]  # another account confirms
    assert games[3].confirm(other) == "confirmed"
    assert counted(club) == 16


def test_confirmation_by_two_accounts_is_enough(club: Club) -> None:
    game, other = club.game("two"), club.players[1]
    game.enter(BUST)
    for seat in (0, 2, 3):
        assert game.confirm(game.who, seat=seat) == "over"
    assert game.confirm(other) == "confirmed"


def test_an_organiser_can_allow_confirmation_by_one_account(club: Club) -> None:
    assert club.organiser.get()["confirm_alone"] is False
    club.organiser.patch(confirm_alone=True)
    assert alone(club, "allowed").view()["status"] == "confirmed"
    assert counted(club) == 4


def test_implausible_games_are_listed_until_a_referee_clears_them(club: Club) -> None:
    games = [club.game(name) for name in ("odd", "odd-again")]
    for game in games:
        for hand in (*[SMALL] * 4, BUST):
            game.enter(hand)
        game.confirm(*club.players)
    assert counted(club) == 8  # the games count unless a referee voids them
    assert [(game, len(reasons)) for game, reasons in doubts(club)] == [(games[0].id, 4), (games[1].id, 5)]
    first = club.referee.get("doubts")["games"][0]
    assert first["players"] == club.entries
    club.players[0].refused("not_recorder", "GET doubts")
    clear = f"doubts/{first['number']}/clear"
    club.recorder.refused("not_referee", clear, answer="")
    for answer in ("We saw it", ""):  # another referee was faster and changed the game
        assert [row["game"] for row in club.referee.post(clear, answer=answer)["games"]] == [games[1].id]
    games[1].post("status", status="cancelled", why="entered twice")
    assert list(doubts(club)) == []
    cleared = [change for change in club.log() if change["action"] == "cleared"]
    assert [(change["game"], change["why"]) for change in cleared] == [(games[0].id, "We saw it")]


def test_reasons_for_doubt_are_translated_and_are_not_calls(club: Club) -> None:
    game = alone(club, "words", *[SMALL] * 4, BUST)
    for language in LANGUAGES:
        [shown] = club.referee.get("doubts", lang=language)["games"]
        assert shown["reasons"][:4] == [
            terms.text("desk.doubt.alone", language),
            terms.text("desk.doubt.points", language, most=130000, least=-80000),
            terms.text("desk.doubt.yakuman", language, count=2),
            terms.text("desk.doubt.alike", language, count=4),
        ]
    game.who.post("calls", game=game.id, why="come")
    assert [call["why"] for call in club.referee.get("calls")["calls"]] == ["come"]
    club.referee.refused("no_call", f"calls/{shown['number']}/close", answer="")


def test_a_game_entered_by_staff_is_not_reported_as_too_fast(club: Club) -> None:
    game = club.game("paper", club.recorder)
    for hand in (DRAW, BUST):
        game.enter(hand)
    game.confirm(*club.players)
    [(_, reasons)] = doubts(club)
    assert reasons[1:] == [terms.text("desk.doubt.yakuman", "en", count=2)]


def test_implausible_points_are_refused_or_reported(club: Club) -> None:
    """Referees' entries and imported games are checked too; an import error states the game."""
    club.result("usual")
    club.result("slip", [400000, -300000, 0, 0])
    assert [game for game, _ in doubts(club)] == ["game-slip"]
    file = club.organiser.get("file")
    good, bad = (
        {"id": name, "stage": "league", "players": club.entries, "scores": EVEN} for name in ("a", "b")
    )
    for scores in ([60000, 40000, 30000, 20000], [25000, 25000, 25000, 24900]):
        club.organiser.refused("points_sum", "games", **bad | {"scores": scores, "id": "paper-game"})
        file["games"] = [good, bad | {"scores": scores}]
        error = club.organiser.refused("points_sum_at", "/api/events/import", file=file)
        assert error["field"] == "games[1].scores"
    file["games"] = [good, bad | {"scores": [1000000, -900000, 0, 0]}]
    club.enter(club.organiser.post("/api/events/import", file=file)["id"])
    assert [doubt["game"] for doubt in club.organiser.get("doubts")["games"]] == ["b"]


# Invalid requests in an event with open, closed and future stages


STAGES: list[Message] = [
    {"id": "league"}, {"id": "over", "closes": PAST}, {"id": "later", "opens": FUTURE},
    {"id": "main", "kind": "rounds"},
]  # fmt: skip
START: Message = {"id": "a-new-game", "stage": "league", "players": ["p0", "p1", "p2", "p3"]}
FINE: Message = {"stage": "league", "entry": "p0", "points": -1000, "why": "late"}
REFUSALS: list[tuple[str, str, Message, str]] = [
    ("player", "games", START | {"stage": "none"}, "no_stage"),
    ("player", "games", START | {"stage": "over"}, "stage_closed"),
    ("player", "games", START | {"stage": "later"}, "stage_closed"),
    ("player", "games", START | {"stage": "main"}, "stage_seated"),
    ("player", "games", START | {"players": ["p0", "p1", "p2"]}, "wrong_count"),
    ("player", "games", START | {"players": ["p0"] * 4}, "twice_at_table"),
    ("player", "games", START | {"players": ["p0", "p1", "p2", "x"]}, "not_entered"),
    ("player", "games", START | {"players": list("xyzw")}, "not_recorder"),
    ("player", "games", START | {"players": ["p1", "p2", "p3", "p4"], "scores": SCORES}, "not_recorder"),
    ("player", "games", START | {"at": PAST}, "not_recorder"),
    ("player", "games", START | {"id": "a/b"}, "bad_request"),
    ("player", "games", START | {"id": "online-0123456789abcdef"}, "id_reused"),  # reserved
    ("player", "games", START | {"id": "log-0123456789abcdef"}, "id_reused"),
    ("player", "games", START | {"scores": [25000] * 3 + [26000]}, "points_sum"),
    ("player", "games/game-played/points", {"scores": SCORES, "revision": 1}, "not_referee"),
    ("referee", "penalties", FINE | {"stage": "x"}, "no_stage"),
    ("referee", "penalties", FINE | {"game": "none"}, "no_recorded_game"),
    ("referee", "penalties", FINE | {"why": ""}, "bad_request"),
    ("referee", "penalties", FINE | {"why": "\u200b"}, "bad_request"),
    *(("referee", "penalties", FINE | {"points": wrong}, "bad_request") for wrong in (True, "5", 1.0, None)),
]  # fmt: skip


@pytest.fixture(scope="module")
def desk(url: str) -> Club:
    club = Club(url, 5, stages=STAGES)
    club.game("played").enter(DRAW, club.referee)
    return club


@pytest.mark.parametrize(("who", "path", "body", "code"), REFUSALS)
def test_invalid_game_requests_are_refused(desk: Club, who: str, path: str, body: Message, code: str) -> None:
    person = desk.players[0] if who == "player" else desk.referee
    error = person.refused(code, path, **body)
    words = person.send("POST", f"{path}?lang=ko", **body).json()["error"]["message"]
    assert code != "stage_closed" or not any(word in words for word in ("league", "main", "later", "over"))
    assert error["message"] != words
