"""All options of a ruleset, with their types, bounds and defaults.

A section of a rules file is a frozen dataclass, an option one of its fields. ``terms/options.toml`` has the
labels and meanings under the same keys. The JSON schema, the rule sheet, the checker and the record for
compiled code are generated from these classes. ``inventory.tsv`` lists the statements of the rule texts that
each option decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

POINTS: Final = 1_000_000  # bound of oka and uma
MAX_HONBA_VALUE: Final = 10_000
"""Points, limited so that payments of three wins with 10,000 honba and 10,000 deposits fit into 32 bits."""

FOUL_DEPOSIT: Final = 1000  # points that the cost ``deposit_1000`` puts on the table (inventory 202)
FoulCost = Literal["none", "chombo", "dead_hand", "deposit_1000", "noten_at_draw", "expulsion"]


def _option(
    default: Any,
    *,
    low: int | None = None,
    high: int | None = None,
    most: int = 0,
    step: int = 1,
    before: Any = None,
) -> Any:
    """Return the dataclass field of an option.

    ``low`` and ``high`` bound the number, or each number in a list or table of at most ``most`` entries; it
    must be a multiple of ``step``. An option added after version 0.1.0 declares in ``before`` the value that
    describes play without it.
    """
    metadata: dict[str, Any] = {"low": low, "high": high, "most": most, "step": step}
    if before is not None:
        metadata["before"] = before
    if isinstance(default, dict):
        return field(default_factory=lambda: MappingProxyType(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class MatchOptions:
    """Number of players, length of the game and calculation of final points."""

    players: Literal[3, 4] = _option(4)
    length: Literal["east", "hanchan", "full"] = _option("hanchan")
    start_points: int = _option(25000, low=1000, high=1_000_000, step=100)
    return_points: int = _option(30000, low=1000, high=1_000_000)
    oka: Literal["derived", "none"] | int = _option("derived", low=0, high=POINTS)
    uma: tuple[int, ...] = _option((20000, 10000, -10000, -20000), low=-POINTS, high=POINTS, most=4)
    floating_uma: tuple[tuple[int, ...], ...] = _option((), low=-POINTS, high=POINTS, most=4)
    tie: Literal["seat_order", "share"] = _option("seat_order")
    final_rounding: Literal["none", "nearest_1000", "five_down_six_up"] = _option("none")
    yakitori: int = _option(0, low=0, high=100_000, step=100)
    yakitori_to: Literal["each_winner", "shared", "first"] = _option("each_winner")
    sticks: Mapping[str, int] = _option(
        {"10000": 1, "5000": 2, "1000": 4, "100": 10}, low=0, high=1000, most=12
    )


@dataclass(frozen=True, kw_only=True)
class ChipsOptions:
    """Chips (祝儀) for wins, and their value in the final score."""

    value: int = _option(0, low=0, high=10_000, step=100)
    ippatsu: int = _option(1, low=0, high=10)
    red: int = _option(1, low=0, high=10)
    red_open: bool = _option(True)
    ura: int = _option(1, low=0, high=10)
    yakuman_ron: int = _option(10, low=0, high=30)
    yakuman_tsumo: int = _option(5, low=0, high=30)
    tobi: int = _option(0, low=0, high=30)
    tobi_to: Literal["winner", "first", "each"] = _option("winner")
    first: int = _option(0, low=0, high=30)


@dataclass(frozen=True, kw_only=True)
class TilesOptions:
    """The set of tiles and the size of the dead wall."""

    man: Literal["all", "one_nine", "one_five_nine"] = _option("all")
    red: Mapping[str, int] = _option({"5m": 1, "5p": 1, "5s": 1}, low=0, high=4, most=27)
    dead_wall: int = _option(14, low=14, high=18)


@dataclass(frozen=True, kw_only=True)
class DoraOptions:
    """Kinds of dora, and when indicators are revealed."""

    kan_dora: bool = _option(True)
    ura: bool = _option(True)
    kan_ura: bool = _option(True)
    ankan_reveal: Literal["at_once", "after_discard"] = _option("at_once")
    minkan_reveal: Literal["before_draw", "before_discard", "after_discard"] = _option("before_draw")
    delayed_dora_counts_for_ron: bool = _option(False)


@dataclass(frozen=True, kw_only=True)
class CallsOptions:
    """Calls, and discards forbidden after them (喰い替え)."""

    chi: bool = _option(True)
    kuitan: bool = _option(True)
    kuikae: Literal["forbidden", "suji_allowed", "allowed"] = _option("forbidden")
    sakizuke: Literal["atozuke", "kanzen"] = _option("atozuke")
    ankan_display: Literal["outer_down", "inner_down", "all_down"] = _option("outer_down")
    kan_limit_one_player: bool = _option(True)


@dataclass(frozen=True, kw_only=True)
class KitaOptions:
    """Norths set aside as dora (抜きドラ) and replaced from the dead wall."""

    nukidora: bool = _option(False)
    han: int = _option(1, low=0, high=4)
    discard: bool = _option(True)
    ron: Literal["any", "yakuman", "kokushi", "never"] = _option("any")
    chankan: bool = _option(False)
    rinshan: bool = _option(True)
    breaks_ippatsu: bool = _option(True)
    breaks_first_turn: bool = _option(True)


@dataclass(frozen=True, kw_only=True)
class RiichiOptions:
    """When riichi may be declared, and its effects."""

    deposit: int = _option(1000, low=0, high=100_000, step=100)
    needs_points: bool = _option(True)
    without_yaku: bool = _option(True)
    draws_left: int = _option(1, low=0, high=17)
    short_wall: Literal["forbidden", "foul"] = _option("forbidden")
    ankan: Literal["never", "same_waits", "same_structure"] = _option("same_structure")
    furiten_allowed: bool = _option(True)
    exhausted_wait: Literal["allowed", "refused", "foul"] = _option("allowed")
    double: bool = _option(True)
    double_broken_by_ankan: bool = _option(True)
    ippatsu: bool = _option(True)
    ippatsu_broken_by_ankan: bool = _option(True)
    open: bool = _option(False)
    open_han: int = _option(2, low=1, high=13)
    open_deal_in: Literal["normal", "yakuman"] = _option("normal")
    sticks_to: Literal["any_winner", "riichi_winner"] = _option("any_winner")
    stick_when_declaration_is_ronned: Literal["kept", "paid"] = _option("kept")
    shiro_pocchi: Literal["off", "ippatsu", "always"] = _option("off")


@dataclass(frozen=True, kw_only=True)
class FuritenOptions:
    """How long furiten lasts after a player lets a win pass."""

    temporary_until: Literal["own_draw", "own_draw_or_call"] = _option("own_draw")
    riichi_permanent: bool = _option(True)


@dataclass(frozen=True, kw_only=True)
class WinOptions:
    """Multiple rons, the two-han minimum, and who receives honba and deposits."""

    multiple_ron: Literal[
        "head_bump", "all", "double_triple_draw", "nearest_two", "head_bump_triple_draw"
    ] = _option("double_triple_draw")
    deposits_to: Literal["nearest", "split", "own_first"] = _option("nearest")
    honba_to: Literal["nearest", "each"] = _option("nearest")
    two_han_from_honba: int = _option(0, low=0, high=99)
    kokushi_on_ankan: bool = _option(False)
    suukantsu_by_kan: bool = _option(False)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions:
    """Conversion of han and fu to points."""

    fixed_fu: Literal[0, 20, 25, 30, 40, 50] = _option(0)
    one_han_20_fu: bool = _option(True)
    zero_han_win: Literal["none", "counted"] = _option("none")
    double_wind_pair_fu: Literal[2, 4] = _option(4)
    rinshan_tsumo_fu: bool = _option(True)
    kiriage_mangan: bool = _option(False)
    kazoe: Literal["yakuman", "sanbaiman", "multiples"] = _option("yakuman")
    multiple_yakuman: bool = _option(True)
    limit_yaku: Literal["at_least", "adds", "caps"] = _option("at_least")
    tenhou_wait: Literal["drawn", "best"] = _option("drawn")
    honba_value: int = _option(300, low=0, high=MAX_HONBA_VALUE, step=100)
    missing_share: Literal["lost", "split", "in_proportion", "plus_1000"] = _option("lost")
    wareme: Literal["off", "hand", "hand_and_honba"] = _option("off")
    kan_han: Literal[0, 1, 2] = _option(0)
    aotenjou: bool = _option(False)


@dataclass(frozen=True, kw_only=True)
class DrawOptions:
    """Exhaustive and abortive draws."""

    noten_payment: int = _option(3000, low=0, high=100_000, step=100)
    kyuushu_kyuuhai: bool = _option(True)
    suufuu_renda: bool = _option(True)
    suucha_riichi: bool = _option(True)
    suukansanra: bool = _option(True)
    sanchahou: bool = _option(True)
    suukansanra_at: Literal["after_discard", "at_once"] = _option("after_discard")
    suucha_riichi_noten: Literal["chombo", "none"] = _option("chombo")
    dealer_after_abort: Literal["stays", "passes"] = _option("stays")
    dealer_after_triple_ron: Literal["stays", "passes_if_dealer_dealt_in", "passes"] = _option("stays")
    honba_after_abort: Literal["adds", "keeps"] = _option("adds")
    nagashi_mangan: Literal["off", "as_draw", "as_win"] = _option("as_draw")
    nagashi_needs_closed: bool = _option(False)
    wait_in_melds: bool = _option(False)


@dataclass(frozen=True, kw_only=True)
class DealOptions:
    """When the dealer keeps the deal."""

    renchan: Literal["tenpai", "agari", "none"] = _option("tenpai")
    paarenchan: Literal["off", "from_eighth", "every_eighth"] = _option("off")


@dataclass(frozen=True, kw_only=True)
class EndOptions:
    """When the game ends, and who receives leftover deposits."""

    tobi: Literal["off", "below_zero", "zero_or_below"] = _option("below_zero")
    agari_yame: Literal["off", "optional", "forced"] = _option("optional")
    tenpai_yame: Literal["off", "optional", "forced"] = _option("optional")
    dealer_stop_points: int = _option(0, low=0, high=1_000_000)
    extension: Literal["none", "sudden_death"] = _option("none")
    extension_target: int = _option(30000, low=0, high=1_000_000)
    leftover_deposits: Literal["first", "nobody", "riichi_owner"] = _option("first")
    top_points: Literal[0, 50_000, 55_000, 60_000] = _option(0)


@dataclass(frozen=True, kw_only=True)
class PaoOptions:
    """Liability (パオ) of the player whose tile made a yakuman certain."""

    yakuman: tuple[str, ...] = _option(("daisangen", "daisuushii"), most=64)
    tsumo: Literal["all", "equal_shares"] = _option("all")
    ron: Literal["half", "equal_shares"] = _option("half")
    scope: Literal["that_yakuman_only", "whole_hand"] = _option("that_yakuman_only")
    honba: Literal["discarder", "liable"] = _option("discarder")
    rinshan_after_daiminkan: Literal["normal", "feeder_pays"] = _option("normal")


@dataclass(frozen=True, kw_only=True)
class FoulsOptions:
    """Whether fouls are prevented or penalised, and the cost of each."""

    mode: Literal["prevent", "penalise"] = _option("prevent")
    chombo: Literal["mangan", "flat", "to_each", "deduct"] = _option("mangan")
    chombo_points: int = _option(3000, low=0, high=100_000, step=100)
    false_win_shown: FoulCost = _option("chombo")
    false_win_called: FoulCost = _option("dead_hand")
    false_win_in_riichi: FoulCost = _option("dead_hand")
    furiten_ron: FoulCost = _option("chombo")
    noten_riichi: FoulCost = _option("chombo")
    illegal_riichi_ankan: FoulCost = _option("chombo")
    genbutsu_kuikae: FoulCost = _option("chombo")
    suji_kuikae: FoulCost = _option("dead_hand")
    late_riichi: FoulCost = _option("dead_hand")
    exhausted_riichi: FoulCost = _option("dead_hand")
    wrong_meld: FoulCost = _option("dead_hand")
    call_slip: FoulCost = _option("deposit_1000")
    acting_dead: FoulCost = _option("chombo")
    too_many_tiles: FoulCost = _option("dead_hand")
    too_few_tiles: FoulCost = _option("dead_hand")
    call_with_wrong_count: FoulCost = _option("chombo")
    late_pickup: FoulCost = _option("dead_hand")
    never_picked_up: FoulCost = _option("dead_hand")
    wrong_draw_in_riichi: FoulCost = _option("none")
    revealing_tiles: FoulCost = _option("chombo")
    looking_at_hand: FoulCost = _option("chombo")
    moving_seat: FoulCost = _option("chombo")
    collapsing_wall: FoulCost = _option("chombo")
    misconduct: FoulCost = _option("expulsion")
    riichi_withdrawn: FoulCost = _option("none")


@dataclass(frozen=True, kw_only=True)
class ClockOptions:
    """Thinking time, in seconds."""

    claim_window_s: int = _option(3, low=0, high=600)
    turn_s: int = _option(5, low=0, high=3600)
    bank_s: int = _option(20, low=0, high=36000)


@dataclass(frozen=True, kw_only=True)
class EventOptions:
    """Format of the competition that uses the rules."""

    format: Literal["individual", "team"] = _option("individual")
    days: int = _option(0, low=0, high=366)
    finalists: int = _option(0, low=0, high=10_000)


SECTIONS: dict[str, type] = {
    "match": MatchOptions,
    "chips": ChipsOptions,
    "tiles": TilesOptions,
    "dora": DoraOptions,
    "calls": CallsOptions,
    "kita": KitaOptions,
    "riichi": RiichiOptions,
    "furiten": FuritenOptions,
    "win": WinOptions,
    "score": ScoreOptions,
    "draw": DrawOptions,
    "deal": DealOptions,
    "end": EndOptions,
    "pao": PaoOptions,
    "fouls": FoulsOptions,
    "clock": ClockOptions,
    "event": EventOptions,
}
