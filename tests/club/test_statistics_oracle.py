"""Statistics of random events, compared with a plain count of their raw hands."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest

from jantaku.club import event_figures, event_from, season_standings, settle
from jantaku.club.statistics import Figures, RuledGame, person_figures
from jantaku.errors import RequestError
from jantaku.rules import load
from support.club_games import random_event

HandsByFigure = dict[str, list[tuple[str, int]]]


def recount(data: dict[str, Any], player: str) -> HandsByFigure:
    """Return the hands that each figure counts, given as the game and the number of the hand."""
    recount: HandsByFigure = {}
    for game in sorted(data["games"], key=lambda entered: str(entered["at"])):
        if player not in game["players"] or "hands" not in game:
            continue
        seat = game["players"].index(player)
        for i, (hand, settled) in enumerate(
            zip(game["hands"], settle(game["hands"], data["rules"]).hands, strict=True)
        ):
            for name in names(hand, seat, settled.deltas[seat]):
                recount.setdefault(name, []).append((game["id"], i))
    return recount


def names(hand: dict[str, Any], seat: int, delta: int) -> set[str]:
    """Return the names of the figures that count a hand; all wins are valid under these rules."""
    if hand["end"] == "foul":
        return {"lost"} if delta < 0 else set()
    names = {"played"}
    before = {"riichi"} if seat in hand["riichi"] else set()
    if "calls" in hand:
        names.add("calls_known")
        before |= {"call"} if seat in hand["calls"] else set()
    names |= before
    if hand["end"] == "draw":
        names |= {"draw", "tenpai_at_draw"} if seat in hand["tenpai"] else {"draw"}
    for win in hand.get("wins", ()):
        if win["seat"] == seat:
            names |= {"win", *(f"win_after_{condition}" for condition in before)}
            names |= {"known_win", f"{state(hand, win)}_win"} if is_known(hand, win) else set()
            names |= {"riichi_win"} if win["seat"] in hand["riichi"] else set()
            names |= {"tsumo"} if hand["end"] == "tsumo" else set()
            names |= {f"yaku {name}" for name in win.get("yaku", ())}
            names.add(f"han {win.get('han') or win.get('limit') or 'yakuman'}")
        elif hand.get("from") == seat:
            names |= {"deal_in", *(f"deal_in_after_{condition}" for condition in before)}
    if "deal_in" in names:
        states = {state(hand, win) for win in hand["wins"]}
        all_known = all(is_known(hand, win) for win in hand["wins"])
        names |= {f"deal_in_to_{state}" for state in states if all_known or state == "riichi"}
    return names


def is_known(hand: dict[str, Any], win: dict[str, Any]) -> bool:
    """Return whether it is recorded if the winning hand was open or closed."""
    return "calls" in hand or "open" in win or (win["seat"] in hand["riichi"] and "yaku" in win)


def state(hand: dict[str, Any], win: dict[str, Any]) -> str:
    if win["seat"] in hand["riichi"]:
        return "riichi"
    if "calls" in hand:
        return "open" if win["seat"] in hand["calls"] else "silent"
    return "open" if win.get("open") else "silent"


def hands_of(figures: Figures) -> HandsByFigure:
    """Return the hands that each of these figures counts, in the same form as ``recount``."""
    hands = {name: rate.hands for name, rate in figures.rates.items()}
    hands |= {f"yaku {bar.key}": bar.hands for bar in figures.yaku.bars}
    hands |= {f"han {bar.key}": bar.hands for bar in figures.han.bars}
    lines = [(line.game, line.hand) for line in figures.hands]
    return {name: [lines[i] for i in these] for name, these in hands.items() if these}


@pytest.mark.parametrize(("rules", "seed"), [("bgm-2025", 1), ("tenhou", 2), ("mahjongsoul", 3)])
def test_every_figure_matches_a_recount(rules: str, seed: int) -> None:
    data = random_event(Random(seed), load(rules), 9, 24)
    event = event_from(data)
    totals = event_figures(event)
    for player in (entry.id for entry in event.players):
        figures, wanted = totals.player(player), recount(data, player)
        assert figures.brief == totals.players[player]
        got = hands_of(figures)
        known = {"played", "calls_known", "lost", "known_win"}
        assert got == {name: hands for name, hands in wanted.items() if name not in known}
        assert figures.rates["call"].known == len(wanted["calls_known"])
        assert figures.rates["win"].cases == figures.brief.hands_played == len(wanted["played"])
        assert figures.rates["open_win"].known == len(wanted.get("known_win", ()))
        assert figures.rates["riichi_win"].known == figures.rates["win"].count
        check_sums(data, player, figures)


def check_sums(data: dict[str, Any], player: str, figures: Figures) -> None:
    """Check the points, the places and the sums over all opponents."""
    event = event_from(data)
    mine = [(game, game.players.index(player)) for game in event.results if player in game.players]
    assert figures.brief.points == sum(game.final[seat] for game, seat in mine)
    assert sum(figures.brief.places) == len(mine) == figures.brief.games
    for opponent in figures.opponents:
        both = [(game, seat) for game, seat in mine if opponent.opponent in game.players]
        assert sorted(opponent.games) == sorted(game.id for game, _ in both)
        theirs = [game.players.index(opponent.opponent) for game, _ in both]
        assert opponent.theirs == sum(game.final[seat] for (game, _), seat in zip(both, theirs, strict=True))
    assert sum(len(opponent.games) for opponent in figures.opponents) == len(mine) * (
        len(event.results[0].players) - 1
    )
    rons = [line for line in (figures.hands[i] for i in figures.rates["win"].hands) if line.end == "ron"]
    assert sum(len(opponent.won_from.hands) for opponent in figures.opponents) == len(rons)


def sprinkled(rng: Random, rules: str, players: int, games: int) -> dict[str, Any]:
    """Return a random event with nagashi, abortive draws, triple rons and games with points only."""
    load_ = load(rules)
    data = random_event(rng, load_, players, games)
    seats = list(range(load_.match.players))
    for game in data["games"]:
        hands = [dict(hand) for hand in game.get("hands", ())]
        for hand in hands:
            if hand["end"] == "draw" and rng.random() < 0.4:
                hand["nagashi"] = [rng.choice(seats)]
                hand["tenpai"] = [
                    seat for seat in hand["tenpai"] if seat in hand["riichi"] or rng.random() < 0.5
                ]
            elif hand["end"] == "ron" and rng.random() < 0.3:
                others = [seat for seat in seats if seat != hand["from"]]
                hand["riichi"], hand["wins"] = [], [{"seat": seat, "han": 2, "fu": 30} for seat in others]
                hand.pop("calls", None)
        with suppress(RequestError):  # keep the original if the changes would end the game earlier
            whole = settle(hands, load_)
            if whole.over:
                game["hands"] = hands
    return data


FEATS = {
    "most_wins": ("win", "played"),
    "most_riichi": ("riichi", "played"),
    "most_tenpai": ("tenpai_at_draw", "draw"),
}


def naive(data: dict[str, Any], player: str) -> dict[str, int]:
    """Count the figures of one player hand by hand, without using the statistics."""
    count = dict.fromkeys(
        (
            "games",
            "known",
            "played",
            "draw",
            "tenpai_at_draw",
            "win",
            "deal_in",
            "riichi",
            "yakuman",
            "won",
            "lost",
        ),
        0,
    )
    rules = load(data["rules"])
    for game in data["games"]:
        if player not in game["players"]:
            continue
        count["games"] += 1
        if "hands" not in game:
            continue
        count["known"] += 1
        seat = game["players"].index(player)
        for hand, settled in zip(game["hands"], settle(game["hands"], rules).hands, strict=True):
            if hand["end"] == "foul":
                continue
            count["played"] += 1
            count["riichi"] += seat in hand["riichi"]
            nagashi = hand.get("nagashi", []) if rules.draw.nagashi_mangan == "as_win" else []
            if hand["end"] == "draw" and not nagashi:
                count["draw"] += 1
                count["tenpai_at_draw"] += seat in settled.tenpai
            stands = [win["seat"] for win in hand.get("wins", ())]
            if len(stands) == 3 and rules.draw.sanchahou:
                stands = []
            if rules.win.multiple_ron.startswith("head_bump") and hand["end"] == "ron":
                order = [
                    (hand["from"] + step) % rules.match.players for step in range(1, rules.match.players)
                ]
                stands = [next(seat for seat in order if seat in stands)] if stands else []
            if seat in stands or seat in nagashi:
                count["win"] += 1
                count["won"] += settled.deltas[seat]
                count["yakuman"] += sum(
                    win.get("yakuman", 0) for win in hand.get("wins", ()) if win["seat"] == seat
                )
            if hand["end"] == "ron" and hand["from"] == seat and stands:
                count["deal_in"] += 1
                count["lost"] -= settled.deltas[seat]
    return count


def same_counts(figures: Figures, count: dict[str, int]) -> None:
    """Compare counts and denominators with those that were counted naively."""
    brief, rates = figures.brief, figures.rates
    assert (brief.games, brief.games_with_hands, brief.hands_played) == (
        count["games"],
        count["known"],
        count["played"],
    )
    for name, of in (
        ("win", "played"),
        ("deal_in", "played"),
        ("riichi", "played"),
        ("draw", "played"),
        ("tenpai_at_draw", "draw"),
    ):
        assert (rates[name].count, rates[name].cases) == (count[name], count[of]), name
    assert (figures.average_win.sum, len(figures.average_win.hands)) == (count["won"], count["win"])
    assert (figures.average_deal_in.sum, len(figures.average_deal_in.hands)) == (
        count["lost"],
        count["deal_in"],
    )


@pytest.mark.parametrize("rules", ["bgm-2025", "tenhou", "jpml-a", "wrc", "mahjongsoul-3"])
def test_every_count_and_denominator_matches_a_naive_count(rules: str) -> None:
    data = sprinkled(Random(rules), rules, 9, 24)
    totals = event_figures(event_from(data))
    counts = {entry["id"]: naive(data, entry["id"]) for entry in data["players"]}
    for player, count in counts.items():
        same_counts(totals.player(player), count)
    for feat in totals.achievements:
        unit = {"hands": "played", "draws": "draw", "wins": "win", "games": "games"}[feat.unit]
        unit = "known" if feat.kind == "comebacks" else unit
        assert feat.of == tuple(counts[player][unit] for player in feat.players), feat.kind
        if feat.kind in FEATS:
            best = max(count[FEATS[feat.kind][0]] for count in counts.values())
            assert feat.value == best
            assert set(feat.players) == {
                name for name, count in counts.items() if count[FEATS[feat.kind][0]] == best
            }
        if feat.kind == "fewest_deal_ins":
            most = max(count["played"] for count in counts.values())
            rates_ = {
                name: count["deal_in"] / count["played"]
                for name, count in counts.items()
                if 2 * count["played"] >= most
            }
            assert feat.value == min(rates_.values())
            assert set(feat.players) == {name for name, rate in rates_.items() if rate == feat.value}


def test_three_and_four_player_games_of_a_year_are_counted_separately_and_ranked_together() -> None:
    rng = Random("year")
    parts = {name: sprinkled(rng, name, 9, 12) for name in ("bgm-2025", "tenhou-3", "wrc")}
    for name, data in parts.items():
        for game in data["games"]:
            game["id"] = f"{name} {game['id']}"
    events = {name: event_from(data) for name, data in parts.items()}
    games = [RuledGame(event.rules, result) for event in events.values() for result in event.results]
    rng.shuffle(games)
    people = [entry["id"] for entry in parts["wrc"]["players"]]
    for player in people:
        counts = {load(name).fingerprint: naive(data, player) for name, data in parts.items()}
        figures = person_figures(games, player)
        assert figures.keys() == {name for name, count in counts.items() if count["games"]}
        for name, one in figures.items():
            same_counts(one, counts[name])
    year = season_standings(
        {"jantaku_season": 1, "parts": [{"id": name, "event": data} for name, data in parts.items()]}
    )
    finals = dict.fromkeys(people, 0)
    for game in games:
        for player, points in zip(game.result.players, game.result.final, strict=True):
            finals[player] += points
    entered = {row.player: year.entries[row.player]["wrc"] for row in year.ranking}
    assert {entered[row.player]: row.points for row in year.ranking} == finals
