"""Playing in the terminal: choosing an action, the clock, whole games by scripted keys."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku import score, terms
from jantaku.adjudication.score import Score
from jantaku.bots import bot
from jantaku.cli.play.command import resumed
from jantaku.cli.play.prompt import KEYS, Prompt, Refused
from jantaku.cli.play.results import final_sheet
from jantaku.cli.play.saving import GameFile, SavedSeats, resume
from jantaku.cli.play.screen import Scene, table_screen
from jantaku.cli.play.session import Left, seat_names
from jantaku.cli.play.timing import Reserve
from jantaku.game import Chi, Discard, EndGame, Game, Kan, Pass, PlayOn, Pon, Ron
from jantaku.game.events import Won
from jantaku.records.native import game_file
from jantaku.rules import load
from jantaku.tiles import RED
from support.terminal import (
    CLOCK,
    MOVES,
    Script,
    east,
    fuzz,
    pressed,
    session_of,
    stands_before,
    turn_of,
    written,
)


def test_a_turn_starts_on_the_drawn_tile() -> None:
    game = Game("tenhou", seed=1)
    prompt = Prompt.of(game.view(0))
    assert prompt.tiles[prompt.cursor] == prompt.view.drawn
    assert pressed(prompt, "enter") == pressed(prompt, "space") == Discard(prompt.tiles[-1], True)
    assert pressed(prompt, "left", "enter") == Discard(prompt.tiles[-2])
    assert pressed(prompt, "home", "enter") == pressed(prompt, "right", "enter") == Discard(prompt.tiles[0])
    assert pressed(prompt, "home", "left") == prompt
    assert pressed(prompt, "esc") == pressed(prompt, "z") == prompt
    assert prompt.timed_out == Discard(prompt.tiles[-1], True)


@pytest.mark.parametrize("key", [key for key in KEYS if key != "n"])
def test_an_impossible_action_is_refused_with_a_reason(key: str) -> None:
    prompt = Prompt.of(Game("tenhou", seed=1).view(0))
    assert prompt.options == ()
    assert prompt.press(key) == Refused(KEYS[key][1])


def test_riichi_offers_only_tiles_that_keep_tenpai() -> None:
    prompt = stands_before("riichi")
    assert [option.declares for option in prompt.options if option.declares][:1] == ["riichi"]
    declaring = pressed(prompt, "r")
    assert declaring.declaring == "riichi"
    assert declaring.cursor in declaring.allowed
    assert pressed(declaring, "esc").declaring is pressed(declaring, "r").declaring is None
    for _ in range(20):
        answer = pressed(declaring, "enter")
        assert answer in prompt.view.legal
        assert answer.riichi == "riichi"
        declaring = pressed(declaring, "right")
    assert declaring.timed_out.riichi is None
    assert pressed(prompt, "o", "enter").riichi == "open"


def test_claims_start_on_pass() -> None:
    prompt = stands_before(Pon)
    assert pressed(prompt, "enter") == pressed(prompt, "x") == pressed(prompt, "esc") == Pass()
    assert isinstance(pressed(prompt, "p"), Pon)
    assert pressed(prompt, "up") == prompt
    assert prompt.timed_out == Pass()
    assert len(pressed(prompt, "p").type) == 3
    pair = next(option for option in prompt.options if option.key == "p").tiles
    assert (
        [tile % RED for tile in pair] == [prompt.view.offered[0] % RED] * 2 if prompt.view.offered else False
    )


def test_a_ron_is_chosen_at_once() -> None:
    assert pressed(stands_before(Ron), "enter") == pressed(stands_before(Ron), "w") == Ron()


def test_chi_is_cycled() -> None:
    prompt = stands_before(Chi, number=2)
    choices = [action for action in prompt.view.legal if isinstance(action, Chi)]
    screens = [pressed(prompt, *["c"] * times, "enter") for times in range(1, len(choices) + 2)]
    assert screens[:-1] == choices
    assert screens[-1] == choices[0]


def test_own_kans_are_among_the_actions() -> None:
    prompt = stands_before(Kan)
    kans = [action for action in prompt.view.legal if isinstance(action, Kan)]
    assert pressed(prompt, "k") == kans[0] if len(kans) == 1 else pressed(prompt, "k", "enter") == kans[0]
    if not prompt.is_claim:
        assert pressed(prompt, "up", "down") == prompt
        assert pressed(prompt, "up", "left", "right", "enter") in (*kans, prompt.options[0].action)


def test_a_leading_dealer_may_choose_to_end_the_game(tmp_path: Path) -> None:
    """Under rules that leave it to the dealer; the scripted dealer plays on and then ends the game."""
    rules = load("standard").with_changes({"match.length": "east", "end.agari_yame": "optional"})
    players = [bot("efficient", seed=other) for other in range(4)]

    def deciding(game: Game, seat: int) -> bool:
        return EndGame() in game.legal(seat)

    for seed in range(29, 29 + scale(200)):  # 29 is such a game as bots play now
        game = Game(rules, seed=seed)
        seat = turn_of(game, deciding, players)
        if seat is not None:
            break
    else:
        pytest.skip("no such game among so few")
    prompt = Prompt.of(game.view(seat))
    assert not prompt.discards
    assert pressed(prompt, "e") == pressed(prompt, "home", "enter") == EndGame()
    assert pressed(prompt, "g") == pressed(prompt, "end", "space") == PlayOn()
    assert prompt.timed_out in prompt.view.legal
    assert pressed(prompt, "up", "esc", "down") == prompt
    asked = table_screen(game, Scene(seat, seat_names([True] * 4), prompt))
    assert terms.text("play.ask.decide", "en") in written(asked)
    session = session_of(game, Script(iter(["e", "enter"])), tmp_path / "g.jsonl", seat=seat, clock=None)
    session.run()
    assert game.is_over


@pytest.mark.parametrize("key", ["r", "t", "p"])
def test_a_foul_is_refused_as_a_foul(key: str, tmp_path: Path) -> None:
    rules = load("standard").with_changes({"fouls.mode": "penalise"})
    game = Game(rules, seed=1)
    script = Script(iter([key, None, "q", "y"]))
    with pytest.raises(Left):
        session_of(game, script, tmp_path / "g.jsonl", clock=None).run()
    foul = terms.text("play.foul", "en")
    possible = bool(game.fouls(0)) and key == "r"
    assert any(foul in text for text in script.texts()) == possible
    assert game.moves == []


def test_every_answer_is_legal() -> None:
    """Random keys in random games: every resulting action is legal or refused."""
    rng, answers = Random(3), 0
    for seed in range(max(1, scale(20) // 4)):
        game = Game("bgm-2025", seed=seed)
        for _ in range(scale(150)):
            seat = game.to_act[0]
            prompt: Any = Prompt.of(game.view(seat))
            for _ in range(60):
                prompt = prompt.press(rng.choice(["enter", *MOVES, *KEYS, "esc"]))
                if not isinstance(prompt, Prompt):
                    break
            if isinstance(prompt, Prompt | Refused):
                prompt = bot("random", seed=1).choose(game, seat)
            assert prompt in game.legal(seat)
            answers += 1
            game.play(seat, prompt)
            if game.is_over:
                break
    assert answers


def test_the_reserve_is_used_after_the_turn_time_and_refilled_each_hand() -> None:
    now = 0.0
    reserve = Reserve(CLOCK, lambda: now)

    def at(time: float) -> tuple[float, float, bool, bool]:
        nonlocal now
        now = time
        left = reserve.left()
        assert left is not None
        return round(left.seconds, 3), left.of, left.reserve, reserve.is_over

    reserve.start(claim=False)
    assert at(4.0) == (1.0, 5.0, False, False)
    assert at(11.0) == (14.0, 20.0, True, False)
    reserve.stop()
    reserve.start(claim=True)
    assert at(13.9) == (0.1, 3.0, False, False)
    assert at(14.0) == (0.0, 3.0, False, True)
    reserve.stop()
    reserve.start(claim=False)
    assert at(32.9) == (0.1, 20.0, True, False)
    reserve.extend(10.0)
    assert at(42.0) == (1.0, 20.0, True, False)
    assert at(43.0) == (0.0, 20.0, True, True)
    reserve.stop()
    reserve.refill()
    reserve.start(claim=False)
    assert at(50.0) == (18.0, 20.0, True, False)


def test_without_a_clock_time_never_runs_out() -> None:
    times = iter([0.0])
    reserve = Reserve(None, lambda: next(times, 1e6))
    reserve.start(claim=True)
    assert (reserve.left(), reserve.is_over) == (None, False)


def test_a_timeout_discards_the_drawn_tile(tmp_path: Path) -> None:
    game = Game("tenhou", seed=11)
    script = Script(iter(lambda: None, 0))
    session = session_of(game, script, tmp_path / "g.jsonl")
    drawn = game.view(0).drawn
    assert drawn is not None
    while len(game.moves) < 1:
        session._move()
    assert game.moves[0][2] == Discard(drawn, True)
    assert CLOCK.turn_s + CLOCK.bank_s <= script.time <= CLOCK.turn_s + CLOCK.bank_s + 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "language", "size"),
    [
        ("bgm-2025", "en", (80, 24)),
        ("bgm-2025", "ko", (120, 40)),
        ("tenhou", "ja", (80, 24)),
    ],
)
def test_a_game_by_scripted_keys(
    rules: str, language: terms.Language, size: tuple[int, int], tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    with terms.using(language):
        game = Game(east(rules), seed=21)
        script = Script(fuzz(5), size)
        session = session_of(game, script, path, seat=1)
        if scale(10) < 10:  # uncompiled, a few moves are enough
            for _ in range(12):
                session._move()
            session.file.save(game)
        else:
            session.run()
            assert game.is_over
        texts = script.texts(120)
        words = terms.table("play", language)
        sheet = written(final_sheet(game, session.names)) if game.is_over else ""
    assert [text for text in texts if len(text.splitlines()) > size[1]] == []
    assert any(words["ask"]["discard"] in text for text in texts)
    assert any(words["you"] in text for text in texts)
    if game.is_over:
        assert words["scores"]["final_title"] in sheet
        assert any(words["help"]["title"] in text for text in texts)
    again, seating = resume(path)
    assert again.state == game.state
    assert again.events == game.events
    assert seating == SavedSeats(1, ("efficient",) * 4)


def test_leaving_saves_the_game_and_it_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = Game(east("bgm-2025"), seed=8)
    keys = iter(["enter", None, "q", "n", "enter", "q", "x", "?", "enter", "q", "y"])
    with pytest.raises(Left):
        session_of(game, Script(keys), path, clock=None).run()
    assert next(keys, "nothing") == "nothing"
    again, file, seating = resumed(path, None, 3, "standard")
    assert (again.state, seating.seat, file.path) == (game.state, 0, path)
    moves = len(again.moves)
    with pytest.raises(Left):
        session_of(again, Script(iter(["enter", "q", "enter"])), path, clock=None).run()
    assert len(again.moves) > moves
    assert game_file.read(path).moves[:moves] == game.moves


def test_a_crash_loses_no_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = Game("tenhou", seed=2)

    def keys() -> Iterator[str | None]:
        yield from ["enter"] * 3
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session_of(game, Script(keys()), path, clock=None).run()
    assert game.moves
    assert game_file.read(path).state == game.state
    assert [item.name for item in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_signal_while_saving_does_not_lose_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    game = Game("tenhou", seed=2)
    session = session_of(game, Script(iter([])), path)
    saves: list[int] = []
    save = GameFile.save

    def interrupted(file: GameFile, game: Game) -> None:
        saves.append(1)
        if len(saves) == 1:
            raise SystemExit(129)
        save(file, game)

    monkeypatch.setattr(GameFile, "save", interrupted)
    with pytest.raises(SystemExit):
        session._save_at_last()
    assert game_file.read(path).state == game.state


def test_every_win_can_be_explained() -> None:
    """The event of a win has its score, which the result screen explains."""
    wins = 0
    for seed in range(max(1, scale(30) // 10)):
        game = Game(east("standard"), seed=seed)
        players = [bot("efficient", seed=other) for other in range(4)]
        for _ in range(scale(1500)):
            if game.is_over:
                break
            seat = game.to_act[0]
            for event in game.play(seat, players[seat].choose(game, seat)):
                if isinstance(event, Won):
                    assert isinstance(event.score, Score)
                    assert score(event.score.win, game.rules) == event.score
                    wins += 1
    assert wins or scale(10) < 10
