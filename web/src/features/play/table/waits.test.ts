import { describe, expect, test } from "vitest";
import type { DiscardHint, Hints, Own } from "$generated/wire";
import type { Discard } from "$domain/game/choices";
import { kindOf } from "$domain/tiles/notation";
import { acceptanceOf, countsOf, shantenOf, waitGroups } from "./waits";

const own = {
  hand: "123m",
  drawn: null,
  waits: "9s",
  furiten: null,
  offered: null,
  ask: 1,
  legal: [],
  fouls: [],
  left_ms: null,
} satisfies Own;
const wait = (tile: string, ron: number | null, tsumo: number | null = ron) => ({ tile, left: 3, ron, tsumo });

function row(tile: string, changes: Partial<DiscardHint>): DiscardHint {
  return {
    tile,
    shanten: 0,
    tiles: 4,
    accepts: "",
    waits: [],
    danger: null,
    best: false,
    safety: "",
    riichi: {},
    ...changes,
  };
}

const discards = [
  row("4m", { waits: [wait("1p", null, 1100)], riichi: { riichi: [wait("1p", 1300)], open: [wait("1p", 2600)] } }),
  row("5p", { waits: [wait("2p", null)], riichi: { riichi: [wait("2p", 2600)] } }),
  row("9m", { shanten: 1 }),
];
const hints: Hints = {
  type: "hints",
  id: "1",
  shanten: 0,
  waits: [wait("9s", null)],
  furiten: null,
  discards,
  barred: [],
};
const may = (...tiles: string[]): Discard[] => tiles.map((tile) => ({ type: "discard", tile }));
const nothing = { hints, riichi: null, possible: may("4m", "5p", "9m"), pointed: null };

describe("waits", () => {
  test("are those of the current hand if no tile is pointed at", () => {
    expect(waitGroups(own, nothing)).toEqual([{ discard: null, waits: [wait("9s", null)] }]);
  });

  test("are those after the discard under the pointer; a red tile counts as its kind", () => {
    expect(waitGroups(own, { ...nothing, pointed: "0p" })).toEqual([{ discard: "5p", waits: [wait("2p", null)] }]);
  });

  test("are empty after a discard that breaks tenpai, which gives a shanten instead", () => {
    expect(waitGroups(own, { ...nothing, pointed: "9m" })).toEqual([]);
    expect(shantenOf({ ...nothing, pointed: "9m" })).toBe(1);
  });

  test("have the value with the selected riichi, for each discard that can declare it", () => {
    expect(waitGroups(own, { ...nothing, riichi: "riichi", possible: may("4m", "0p", "5p") })).toEqual([
      { discard: "4m", waits: [wait("1p", 1300)] },
      { discard: "0p", waits: [wait("2p", 2600)] },
    ]);
    expect(waitGroups(own, { ...nothing, riichi: "open", possible: may("4m") })).toEqual([
      { discard: "4m", waits: [wait("1p", 2600)] },
    ]);
  });

  test("with riichi selected are only those of the tile under the pointer", () => {
    const pointed = { ...nothing, riichi: "riichi" as const, possible: may("4m", "5p"), pointed: "5p" };
    expect(waitGroups(own, pointed)).toEqual([{ discard: "5p", waits: [wait("2p", 2600)] }]);
  });

  test("are bare kinds without hints, and empty for a riichi of unknown value", () => {
    const silent = { ...nothing, hints: null };
    expect(waitGroups(own, silent)).toEqual([
      { discard: null, waits: [{ tile: "9s", left: null, ron: null, tsumo: null }] },
    ]);
    expect(waitGroups(own, { ...silent, riichi: "riichi" })).toEqual([]);
  });
});

describe("acceptance", () => {
  const rows = [
    row("1z", { shanten: 2, tiles: 20, best: true, accepts: "147p" }),
    row("9m", { shanten: 2, tiles: 12, best: false, accepts: "7p" }),
    row("5s", { shanten: 3, tiles: 40 }),
  ];
  const far: Hints = { ...hints, shanten: 2, waits: [], discards: rows };
  const considered = { hints: far, riichi: null, possible: may("1z", "9m", "5s"), pointed: null };

  test("is that of the discard under the pointer, otherwise of the best one", () => {
    expect(acceptanceOf(considered)).toEqual({ discard: "1z", tiles: ["1p", "4p", "7p"], count: 20, best: true });
    expect(acceptanceOf({ ...considered, pointed: "9m" })).toEqual({
      discard: "9m",
      tiles: ["7p"],
      count: 12,
      best: false,
    });
  });

  test("is unknown without hints, out of turn and in tenpai", () => {
    expect(acceptanceOf({ ...considered, hints: null })).toBeNull();
    expect(acceptanceOf({ ...considered, possible: [] })).toBeNull();
    expect(acceptanceOf(nothing)).toBeNull();
  });

  test("is shown on each discard that keeps the shanten, and on none in tenpai", () => {
    expect([...countsOf(far)]).toEqual([
      [27, { tiles: 20, best: true }],
      [8, { tiles: 12, best: false }],
    ]);
    expect(countsOf(hints).size).toBe(0);
    expect(countsOf(null).size).toBe(0);
  });
});

test("without a pointer the bar and the marks on the tiles agree on the best discard", () => {
  const worth = [
    row("9m", { shanten: 2, best: true, tiles: 40 }), // folding is better than any tile that keeps the shanten
    row("1m", { shanten: 1, best: false, tiles: 20 }),
    row("2m", { shanten: 1, best: true, tiles: 12 }),
  ];
  for (const rows of [worth, worth.slice(0, 2)]) {
    const considered = {
      hints: { ...hints, shanten: 1, discards: rows },
      riichi: null,
      possible: may("9m", "1m", "2m"),
      pointed: null,
    };
    const gold = [...countsOf(considered.hints)].filter(([, { best }]) => best).map(([kind]) => kind);
    const bar = acceptanceOf(considered);
    expect(bar?.best ? [kindOf(bar.discard)] : []).toEqual(gold);
  }
});
