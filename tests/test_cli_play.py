"""Playing and watching in the terminal: keys, the clock, whole games by scripted keys, saved games."""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rich.console import Console, RenderableType
from typer.testing import CliRunner

from conftest import scale
from jantaku import terms
from jantaku.bots import bot
from jantaku.cli import demo
from jantaku.cli import keys as keyboard
from jantaku.cli.app import app
from jantaku.cli.draw import ascii_tiles
from jantaku.cli.play.command import bot_names, new, resumed, seated
from jantaku.cli.play.desk import Desk
from jantaku.cli.play.hints import hints, seen
from jantaku.cli.play.logged_walls import walls_from
from jantaku.cli.play.prompt import KEYS, Prompt, Refused
from jantaku.cli.play.results import final_sheet
from jantaku.cli.play.saving import GameFile, Seating, new_path, resume
from jantaku.cli.play.screen import Scene, keys_line, table_screen
from jantaku.cli.play.session import Left, Session, Settings, seat_names
from jantaku.cli.play.timing import Reserve
from jantaku.cli.play.wins import played
from jantaku.errors import RecordError, RequestError
from jantaku.game import Chi, Discard, EndGame, Game, Kan, Pass, PlayOn, Pon, Ron
from jantaku.game import record as game_file
from jantaku.game.actions import Action
from jantaku.game.events import Won
from jantaku.game.table import concealed, melds
from jantaku.game.walls import new_seed, tile_set
from jantaku.records import read_log
from jantaku.rules import Ruleset, load
from jantaku.rules.options import Clock
from jantaku.terms import LANGUAGES
from jantaku.tiles import RED, counts, format_tiles, parse_tiles, sort_tiles

WIDTH, HEIGHT = 80, 24
MOVES = ("left", "right", "up", "down", "home", "end")
CLOCK = Clock(claim_window_s=3, turn_s=5, bank_s=20)


def east(name: str) -> Ruleset:
    return load(name).with_changes({"match.length": "east"})


def written(screen: RenderableType, width: int = WIDTH, height: int = HEIGHT) -> str:
    """A screen as text."""
    file = io.StringIO()
    Console(file=file, width=width, height=height, color_system=None).print(screen)
    return file.getvalue()


class Script:
    """A desk without a terminal: keys from a script, screens kept, a clock that moves at every key."""

    def __init__(self, keys: Iterator[str | None], size: tuple[int, int] = (WIDTH, HEIGHT)) -> None:
        self.keys, self.time = keys, 0.0
        self.screens: list[RenderableType] = []
        self.width, self.height = size
        console = Console(file=io.StringIO(), width=size[0], height=size[1], color_system=None)
        self.desk = Desk(self, console, self.screens.append, lambda: self.time, self.wait)

    def key(self, timeout: float | None = None) -> str | None:
        """The next key of the script; ``None`` there lets ``timeout`` pass."""
        found = next(self.keys)
        self.time += 0.1 if found else (timeout or 0.0)
        return found

    def wait(self, seconds: float) -> None:
        self.time += seconds

    def texts(self, most: int = 400) -> list[str]:
        step = max(1, len(self.screens) // most)
        return [written(screen, self.width, self.height) for screen in self.screens[::step]]


def fuzz(seed: int, *, leave: float = 0.0) -> Iterator[str | None]:
    """Keys without end, every one that there is; winning keys often, so that hands end."""
    rng = Random(seed)
    keys = ["enter"] * 16 + list("twrockpx") * 2 + [*MOVES, "h", "?", "s", "n", "esc", "tab", "space", None]
    while True:
        yield "q" if rng.random() < leave else rng.choice(keys)


def session_of(game: Game, script: Script, path: Path, *, seat: int = 0, **settings: Any) -> Session:
    bots = [None if other == seat else bot("efficient", seed=other) for other in range(4)]
    given: dict[str, Any] = {"clock": CLOCK, "pace": 0.1} | settings
    return Session(
        game, bots, script.desk, GameFile(path, Seating(seat, ("efficient",) * 4)), Settings(**given)
    )


# --- the prompt


def turn_of(game: Game, wanted: Callable[[Game, int], bool], players: Sequence[Any]) -> int | None:
    """Play on until a seat stands before what is wanted; that seat, ``None`` where the game ends first."""
    while not game.is_over:
        seat = game.to_act[0]
        if wanted(game, seat):
            return seat
        game.play(seat, players[seat].choose(game, seat))
    return None


def stands_before(kind: type[Action] | str, number: int = 1) -> Prompt:
    """The first prompt of a seeded game in which so many actions of that kind are possible."""

    def wanted(game: Game, seat: int) -> bool:
        legal = game.legal(seat)
        if isinstance(kind, str):
            return any(isinstance(action, Discard) and action.riichi == kind for action in legal)
        return sum(isinstance(action, kind) for action in legal) >= number

    players = [bot("efficient", seed=other) for other in range(4)]
    for seed in range(100):
        game = Game("bgm-2025", seed=seed)
        seat = turn_of(game, wanted, players)
        if seat is not None:
            return Prompt.of(game.view(seat))
    raise AssertionError(kind)


def pressed(prompt: Prompt, *keys: str) -> Any:
    """What comes of keys, one after the other."""
    found: Any = prompt
    for key in keys:
        assert isinstance(found, Prompt), (key, found)
        found = found.press(key)
    return found


def test_a_turn_begins_on_the_drawn_tile() -> None:
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
def test_what_is_not_possible_is_refused_by_name(key: str) -> None:
    prompt = Prompt.of(Game("tenhou", seed=1).view(0))
    assert prompt.options == ()
    assert prompt.press(key) == Refused(KEYS[key][1])


def test_riichi_leads_only_to_tiles_that_keep_tenpai() -> None:
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


def test_claims_begin_on_letting_go() -> None:
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
    found = [pressed(prompt, *["c"] * times, "enter") for times in range(1, len(choices) + 2)]
    assert found[:-1] == choices
    assert found[-1] == choices[0]


def test_own_kans_stand_among_the_actions() -> None:
    prompt = stands_before(Kan)
    kans = [action for action in prompt.view.legal if isinstance(action, Kan)]
    assert pressed(prompt, "k") == kans[0] if len(kans) == 1 else pressed(prompt, "k", "enter") == kans[0]
    if not prompt.is_claim:
        assert pressed(prompt, "up", "down") == prompt
        assert pressed(prompt, "up", "left", "right", "enter") in (*kans, prompt.options[0].action)


def test_a_leading_dealer_is_asked_whether_to_end_the_game(tmp_path: Path) -> None:
    """Under rules that leave it to the dealer; the scripted dealer plays on and then ends the game."""
    rules = load("standard").with_changes({"match.length": "east", "end.dealer_stop": "optional"})
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
def test_what_would_be_a_foul_is_refused_as_one(key: str, tmp_path: Path) -> None:
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
    """Random keys over random games: whatever comes of them is legal or refused."""
    rng, answers = Random(3), 0
    for seed in range(max(1, scale(20) // 4)):
        game = Game("bgm-2025", seed=seed)
        for _ in range(scale(150)):
            seat = game.to_act[0]
            found: Any = Prompt.of(game.view(seat))
            for _ in range(60):
                found = found.press(rng.choice(["enter", *MOVES, *KEYS, "esc"]))
                if not isinstance(found, Prompt):
                    break
            if isinstance(found, Prompt | Refused):
                found = bot("random", seed=1).choose(game, seat)
            assert found in game.legal(seat)
            answers += 1
            game.play(seat, found)
            if game.is_over:
                break
    assert answers


# --- the clock


def test_the_reserve_is_used_after_the_turn_and_filled_every_hand() -> None:
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


def test_who_does_not_answer_discards_what_was_drawn(tmp_path: Path) -> None:
    game = Game("tenhou", seed=11)
    script = Script(iter(lambda: None, 0))
    session = session_of(game, script, tmp_path / "g.jsonl")
    drawn = game.view(0).drawn
    assert drawn is not None
    while len(game.moves) < 1:
        session._move()
    assert game.moves[0][2] == Discard(drawn, True)
    assert CLOCK.turn_s + CLOCK.bank_s <= script.time <= CLOCK.turn_s + CLOCK.bank_s + 2


# --- whole games


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
        if scale(10) < 10:  # uncompiled: a few moves will do
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
    assert seating == Seating(1, ("efficient",) * 4)


def test_leaving_saves_and_the_game_goes_on_where_it_stopped(tmp_path: Path) -> None:
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


def test_nothing_is_lost_when_something_breaks(tmp_path: Path) -> None:
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

    def interrupted(file: GameFile, found: Game) -> None:
        saves.append(1)
        if len(saves) == 1:
            raise SystemExit(129)
        save(file, found)

    monkeypatch.setattr(GameFile, "save", interrupted)
    with pytest.raises(SystemExit):
        session._save_at_last()
    assert game_file.read(path).state == game.state


def test_every_win_can_be_explained() -> None:
    """The score rebuilt for the result screen is the one the event tells."""
    wins = 0
    for seed in range(max(1, scale(30) // 10)):
        game = Game(east("standard"), seed=seed)
        players = [bot("efficient", seed=other) for other in range(4)]
        for _ in range(scale(1500)):
            if game.is_over:
                break
            seat = game.to_act[0]
            for item in played(game, seat, players[seat].choose(game, seat)):
                if item.score is not None:
                    assert isinstance(item.event, Won)
                    assert item.score.to_dict() == dict(item.event.score)
                    wins += 1
    assert wins or scale(10) < 10


# --- screens


def screen_of(prompt: Prompt, game: Game, *, height: int = HEIGHT, **scene: Any) -> str:
    names = seat_names([True, False, False, False])
    found = Scene(0, names, prompt, height=height, keys=keys_line(prompt), **scene)
    return written(table_screen(game, found), height=height)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_fits_a_small_terminal(language: terms.Language) -> None:
    with terms.using(language):
        game = Game("bgm-2025", seed=4)
        prompt = Prompt.of(game.view(0))
        lines = screen_of(prompt, game, log=["  a", "  b"]).splitlines()
    assert len(lines) == HEIGHT
    assert max(cells(line) for line in lines) <= WIDTH
    assert "Enter" in lines[-1]
    assert "▲▲" in "".join(lines)


def cells(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(line.rstrip())


def test_the_cursor_stands_under_the_tile() -> None:
    game = Game("bgm-2025", seed=4)
    prompt = Prompt.of(game.view(0))
    for keys in ((), ("home",), ("home", "right", "right")):
        at = pressed(prompt, *keys)
        lines = screen_of(at, game).splitlines()
        row = next(i for i, line in enumerate(lines) if "▲" in line)
        assert cells(lines[row][: lines[row].index("▲")] + ".") == 2 + 3 * at.cursor + 2 * (at.cursor == 13)


def test_other_hands_stay_hidden() -> None:
    """The same screen for two games that differ only in what the player cannot see."""
    game = Game("tenhou", seed=4)
    walls = [list(game.walls[0])]
    mine = set(range(4)) | set(range(16, 20)) | set(range(32, 36)) | {48, 52, 131}
    rest = [place for place in range(136) if place not in mine]
    tiles = [walls[0][place] for place in rest]
    for place, tile in zip(rest, reversed(tiles), strict=True):
        walls[0][place] = tile
    other = Game("tenhou", walls=walls)
    shown = [screen_of(Prompt.of(g.view(0)), g) for g in (game, other)]
    assert shown[0] == shown[1]
    assert concealed(game.record, 1) != concealed(other.record, 1)


def test_plain_tiles_need_no_kanji() -> None:
    game = Game("bgm-2025", seed=4)
    prompt = Prompt.of(game.view(0))
    with ascii_tiles():
        text = screen_of(prompt, game)
    assert not set(text) & set("萬筒索東南西北發中▒")
    assert format_tiles([prompt.tiles[0]]) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_name_the_best_discard(language: terms.Language) -> None:
    with terms.using(language):
        game = Game("tenhou", seed=6)
        prompt = Prompt.of(game.view(0))
        said = [line.plain for line in hints(game, prompt)]
    assert len(said) >= 3
    assert terms.table("play", language)["hint"]["bot"] in said[0]


def test_hints_weigh_danger_and_claims() -> None:
    """Against a riichi some discards cost more than others; a claim shows the distance of the hand."""
    game = Game("bgm-2025", seed=1)
    players = [bot("efficient", seed=other) for other in range(4)]
    asked: set[str] = set()
    for _ in range(scale(600)):
        if game.is_over:
            break
        seat = game.to_act[0]
        view = game.view(seat)
        prompt = Prompt.of(view)
        if prompt.is_claim or any(view.riichi):
            said = " ".join(line.plain for line in hints(game, prompt))
            asked.add("claim" if prompt.is_claim else "danger" if "danger" in said else "safe")
            assert terms.text("play.hint.bot", "en") in said
        game.play(seat, players[seat].choose(game, seat))
    assert asked == {"claim", "danger", "safe"} or scale(10) < 10


def test_seen_tiles_are_each_counted_once() -> None:
    """What lies open, with the own hand and melds, never makes a fifth tile of a kind."""
    game = Game("bgm-2025", seed=9)
    players = [bot("efficient", seed=other) for other in range(4)]
    for _ in range(scale(300)):
        seat = game.to_act[0]
        view = game.view(seat)
        own = [tile for one in melds(game.record, seat) for tile in one.tiles]
        known = counts([*concealed(game.record, seat), *own, *seen(view)])
        assert max(known) <= 4
        game.play(seat, players[seat].choose(game, seat))
        if game.is_over:
            break
    assert game.moves


# --- keys


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1bOH\x1b[F\x1b[5~\x1b[6~", ["up", "home", "end", "page_up", "page_down"]),
        (b"\x1b[1;5C\r\n \x7f\tR", ["enter", "enter", "space", "backspace", "tab", "r"]),
        ("ㄱㅂ가ｒ？".encode(), ["r", "q", "가", "r", "?"]),
        (b"\x01\x02x", ["x"]),
        (b"\xff\xffq", ["q"]),
        (b"\x1b", ["esc"]),
        (b"\x1b[99999999999999999999q", ["q"]),
    ],
)
def test_keys_of_a_terminal(typed: bytes, wanted: list[str]) -> None:
    if sys.platform == "win32":
        pytest.skip("no such terminals here")
    out, into = os.pipe()
    try:
        os.write(into, typed)
        keys = keyboard.PosixKeys(out)
        found = list(iter(lambda: keys.key(0.01), None))
        os.close(into)
        assert [key for key in found if key != "�"][-len(wanted) :] == wanted
        with pytest.raises(EOFError):
            keys.key(1.0)
    finally:
        os.close(out)


def test_keys_of_windows() -> None:
    typed = list("\xe0H\x00K\xe0?aR\r\x03")
    keys = keyboard.WindowsKeys(lambda: bool(typed), lambda: typed.pop(0))
    assert [keys.key(0.0) for _ in range(5)] == ["up", "left", "a", "r", "enter"]
    with pytest.raises(KeyboardInterrupt):
        keys.key(0.0)
    assert keys.key(0.0) is None


def test_the_terminal_is_restored_whatever_happens() -> None:
    if sys.platform == "win32":
        pytest.skip("no such terminals here")
    import pty
    import termios

    main, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)

        def ended() -> None:
            with keyboard._ended_by_signals(), keyboard._raw(terminal) as keys:
                assert termios.tcgetattr(terminal)[3] & termios.ECHO == 0
                os.write(main, b"\x1b[A")
                assert keys.key(1.0) == "up"
                os.kill(os.getpid(), signal.SIGTERM)
                keys.key(5.0)

        with pytest.raises(SystemExit) as left:
            ended()
        assert left.value.code == 128 + signal.SIGTERM
        assert termios.tcgetattr(terminal) == before
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        os.close(main)
        os.close(terminal)


def test_a_real_terminal_from_the_first_screen_to_leaving(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no such terminals here")
    import pty
    import subprocess

    main, terminal = pty.openpty()
    record = tmp_path / "game.jsonl"
    command = [sys.executable, "-m", "jantaku", "play", "--seed", "5", "--no-clock", "--speed", "0"]
    environment = os.environ | {
        "TERM": "xterm-256color",
        "COLUMNS": "80",
        "LINES": "24",
        "JANTAKU_LANG": "en",
    }
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*command, "--record", str(record), "--bots", "random"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
    )
    os.close(terminal)
    try:
        shown = until(main, b"choose a tile")
        assert b"\x1b[?1049h" in shown  # the screen of full-screen programs
        os.write(main, b"q")
        until(main, b"Leave the game?")
        os.write(main, b"y")
        assert b"\x1b[?1049l" in until(main, b"--resume")
        assert process.wait(60) == 0
    finally:
        process.kill()
        os.close(main)
    assert game_file.read(record).moves == []


def until(descriptor: int, wanted: bytes) -> bytes:
    """What a program writes up to the wanted text."""
    found = b""
    while wanted not in found:
        found += os.read(descriptor, 4096)
    return found


# --- files and options


def test_names_of_bots() -> None:
    assert bot_names("random", 3) == ["random"] * 3
    assert seated(2, "random, efficient,standard") == Seating(2, ("random", "efficient", "", "standard"))
    for wrong in ("nobody", "random,random"):
        with pytest.raises(RequestError):
            bot_names(wrong, 3)


def test_new_games_never_overwrite(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, file, _ = new("tenhou", 5, 0, "random", path)
    file.save(game)
    with pytest.raises(RequestError) as found:
        new("tenhou", 5, 0, "random", path)
    assert found.value.code == "file_exists"
    first = new_path("a/club.toml", tmp_path)
    first.write_text("", "utf-8")
    assert "club" in first.name
    assert new_path("a/club.toml", tmp_path) != first


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(RecordError) as found:
        GameFile(tmp_path / "file" / "game.jsonl").save(Game(seed=1))
    assert found.value.code == "unwritable_file"


@pytest.mark.parametrize("play", [None, 5, {}, {"seat": 9, "bots": [1] * 4}, {"seat": 0, "bots": ["random"]}])
def test_files_of_others_can_be_taken_up(play: Any, tmp_path: Path) -> None:
    import json

    path = tmp_path / "game.jsonl"
    game_file.write(Game("tenhou", seed=3), path)
    first, rest = path.read_text("utf-8").split("\n", 1)
    header = json.loads(first)
    path.write_text(json.dumps(header | {"play": play}) + "\n" + rest, "utf-8")
    game, _, seating = resumed(path, None, 2, "random")
    assert seating == Seating(2, ("random", "random", "", "random"))
    assert len(game.events) == 3


# --- watching and the demo


def run(*arguments: str, language: str = "en") -> Any:
    environment = {"JANTAKU_LANG": language, "COLUMNS": "100", "NO_COLOR": "1"}
    return CliRunner().invoke(app, list(arguments), env=environment)


@pytest.mark.parametrize("language", LANGUAGES)
def test_playing_needs_a_terminal(language: str) -> None:
    result = run("play", language=language)
    assert result.exit_code == 2
    assert "jantaku watch" in result.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_watching_tells_checks_and_counts(language: terms.Language, tmp_path: Path) -> None:
    rules = tmp_path / "short.toml"
    rules.write_text('extends = "bgm-2025"\n[match]\nlength = "east"\n', "utf-8")
    record = tmp_path / "game.jsonl"
    kind = "standard" if scale(10) == 10 else "random"
    result = run(
        "watch",
        "--rules",
        str(rules),
        "--seed",
        "7",
        "--bots",
        kind,
        "--record",
        str(record),
        language=language,
    )
    assert result.exit_code == 0, result.output
    game = game_file.read(record)
    assert game.is_over
    words = terms.table("play", language)
    for text in (words["scores"]["final_title"], words["watch"]["fair"], words["bot"].format(number=4)):
        assert text in result.stdout
    drawn = sum(1 for line in result.stdout.splitlines() if line.startswith(words["bot"].split("{")[0]))
    assert drawn >= sum(1 for event in game.events if event.type == "discarded")
    again = run("watch", "--record", str(record))
    assert again.exit_code == 2
    assert "game.jsonl" in again.stderr


def test_walls_of_a_real_game_are_the_rulesets_own_tiles(shared_data: Path) -> None:
    log = read_log(shared_data / "tenhou-logs" / "2010081709gm-00a9-0000-fe3371ad.mjlog")
    rules = load("bgm-2025")
    walls = walls_from(log, rules, new_seed(1))
    for hand in log.hands:
        wall = next(walls)
        assert sort_tiles(wall) == tile_set(rules)
        dealt = [tile // 4 for tile in hand.dealt[hand.dealer]]
        assert [tile % RED for tile in wall[0:4]] == dealt[0:4]
        assert wall[131] % RED == hand.dora // 4
    assert sort_tiles(next(walls)) == tile_set(rules)


def test_reds_of_the_ruleset_replace_those_of_the_log(shared_data: Path) -> None:
    log = read_log(shared_data / "tenhou-logs" / "2010081709gm-00a9-0000-fe3371ad.mjlog")
    reds = [
        [tile for tile in next(walls_from(log, load(name), new_seed(1))) if tile >= RED]
        for name in ("bgm-2025", "tenhou")
    ]
    assert [sort_tiles(found) for found in reds] == [parse_tiles("3rm3rp3rs"), parse_tiles("0m0p0s")]


def test_the_demo_has_a_game_even_without_real_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "REAL_GAMES", tmp_path)
    assert demo.real_game() is None
    assert demo.play_for_show() == 0
    shown = capsys.readouterr().out
    assert "seed committed to" in shown
    assert shown.rstrip().endswith("jantaku play --rules bgm-2025")
    (tmp_path / "broken.mjlog").write_text("<", "utf-8")
    assert demo.real_game() is None
