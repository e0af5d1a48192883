"""Scenarios of the options about fouls."""

from support.options.deals import (
    EXHAUSTED,
    FALSE,
    FAR,
    KANCHAN_3S,
    LAST_3S,
    NOTEN,
    PENALISE,
    TANYAO_3S,
    Scenario,
    foul,
    hand,
)

FOULS: dict[str, list[Scenario]] = {
    "fouls.mode": [hand(*FALSE, "E foul win_shown")],
    "fouls.chombo": [hand(*FALSE, "E foul win_shown", rules={**PENALISE, "fouls.chombo_points": 4500})],
    "fouls.chombo_points": [
        hand(*FALSE, "E foul win_shown", rules={**PENALISE, "fouls.chombo": "to_each"}, values=(3000, 5000))
    ],
    "fouls.false_win_shown": [foul("E foul win_shown")],
    "fouls.false_win_called": [foul("E foul win_called")],
    "fouls.call_slip": [foul("E discard 9s", "W foul call_slip")],
    "fouls.wrong_meld": [foul("E discard 9s", "W foul wrong_meld")],
    "fouls.false_win_in_riichi": [
        foul("E riichi 7z", "S discard 9s", "E foul win_called", hands={"E": KANCHAN_3S}, draws="7z 9s")
    ],
    "fouls.furiten_ron": [
        foul(
            "E discard 9m",
            "S discard 3s",
            "W discard 3s",
            "S foul win_shown",
            hands={"S": TANYAO_3S},
            draws="9m 3s 3s",
        ),
    ],
    "fouls.riichi_withdrawn": [
        foul("E foul riichi_withdrawn", "E discard 7z", hands={"E": KANCHAN_3S}, draws="7z")
    ],
    "fouls.noten_riichi": [foul("E riichi 9s", hands={"E": NOTEN, "S": FAR})],
    "fouls.illegal_riichi_ankan": [
        foul(
            "E riichi 7z",
            "S discard 6z",
            "W discard 6z",
            "N discard 6z",
            "E ankan 1m",
            hands={"E": "1112m456p789p123s"},
            draws="7z 6z 6z 6z 1m",
            rules={"riichi.ankan": "same_waits"},
            indicators="5m5m",
            ura="5s5s",
        ),
    ],
    "fouls.genbutsu_kuikae": [
        foul("E discard 6p", "S chi 78p", "S discard 6p", hands={"S": "678p"}, draws="6p")
    ],
    "fouls.suji_kuikae": [foul("E discard 9p", "S chi 78p", "S discard 6p", hands={"S": "678p"}, draws="9p")],
    "fouls.exhausted_riichi": [
        foul(
            *EXHAUSTED[2:],
            hands=EXHAUSTED[0],
            draws=EXHAUSTED[1],
            **LAST_3S,
            rules={"riichi.exhausted_wait": "foul"},
        ),
    ],
    "fouls.late_riichi": [
        foul("until 1", "late", hands={"E": KANCHAN_3S}, draws="", rules={"riichi.short_wall": "foul"})
    ],
    "fouls.acting_dead": [
        foul(
            "E discard 9s",
            "N foul wrong_meld",
            "S discard 5z",
            "N foul call_slip",
            hands={"N": "55z147m258p369s22z"},
            draws="9s 5z",
        ),
    ],
}
