import { expect, test } from "vitest";
import type { Hints, Own } from "$generated/wire";
import type { Action } from "$domain/game/choices";
import { NOTHING, type HandState, type SeatState, type TableState } from "$domain/game/tableState";
import { adviceFor } from "./coach";

const SEAT: SeatState = {
  hand: [],
  drawn: null,
  holding: false,
  melds: [],
  river: [],
  riichi: null,
  deposited: false,
  shown: null,
  dead: false,
  kita: 0,
};
const DISCARD: Action = { type: "discard", tile: "9s", drawn: true, riichi: null };
const RIVER = { tile: "9s", drawn: false, riichi: false, called: false };

function table(legal: Action[], seat: Partial<SeatState> = {}): TableState {
  const own: Own = {
    hand: "",
    drawn: null,
    waits: "",
    furiten: null,
    offered: null,
    ask: 1,
    legal,
    fouls: [],
    left_ms: null,
  };
  const hand: HandState = {
    number: 0,
    dealer: 0,
    honba: 0,
    deposits: 0,
    scores: [0, 0, 0, 0],
    indicators: [],
    wallLeft: 60,
    set: { wall: 70, replacements: 4, man: "all" },
    turn: 0,
    seats: [{ ...SEAT, ...seat }, SEAT, SEAT, SEAT],
    wareme: null,
    lastDiscard: null,
  };
  return { ...NOTHING, seat: 0, hand, own };
}

function hints(shanten: number): Hints {
  return { type: "hints", id: "", shanten, waits: [], furiten: null, discards: [], barred: [] };
}

test.each([
  ["the first discard", table([DISCARD]), 2, "discard"],
  ["the second discard", table([DISCARD], { river: [RIVER] }), 2, "numbers"],
  ["the third discard", table([DISCARD], { river: [RIVER, RIVER] }), 2, "best"],
  ["later discards", table([DISCARD], { river: [RIVER, RIVER, RIVER] }), 2, "keep"],
  ["one tile from tenpai", table([DISCARD], { river: [RIVER, RIVER, RIVER] }), 1, "near"],
  [
    "an open hand",
    table([DISCARD], {
      river: [RIVER, RIVER, RIVER],
      melds: [{ type: "pon", tiles: "888p", called: "8p", from: "right" }],
    }),
    1,
    "open",
  ],
  ["a pon", table([{ type: "pass" }, { type: "pon", red: 0 }]), 2, "pon"],
  ["a chi", table([{ type: "pass" }, { type: "chi", tiles: "67m" }]), 1, "chi"],
  ["a riichi", table([DISCARD, { ...DISCARD, riichi: "riichi" }], { river: [RIVER] }), 0, "riichi"],
  ["riichi declared", table([DISCARD], { riichi: "riichi" }), 0, "waiting"],
  ["a ron before a pon", table([{ type: "ron" }, { type: "pon", red: 0 }, { type: "pass" }]), 0, "ron"],
  ["a tsumo in riichi", table([{ type: "tsumo" }, DISCARD], { riichi: "riichi" }), -1, "tsumo"],
  ["others playing", table([]), 2, null],
] as const)("the advice for %s", (_, state, shanten, advice) => {
  expect(adviceFor(state, hints(shanten))).toBe(advice);
});
