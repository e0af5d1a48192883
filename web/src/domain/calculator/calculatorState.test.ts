import { beforeAll, expect, test, vi } from "vitest";
import { plain } from "../tiles/notation";
import {
  kitaTiles,
  EMPTY,
  fromQuery,
  fullSize,
  copiesLeft,
  positionOf,
  queryOf,
  requestOf,
  tapped,
  untapped,
  usedCount,
  withWinningTile,
  type Calculation,
} from "./calculatorState";

beforeAll(() => vi.stubGlobal("localStorage", { getItem: () => null }));

function hand(...kinds: number[]): Calculation {
  return kinds.reduce((before, kind) => tapped(before, "hand", plain(kind)), EMPTY);
}

test("a fifth copy is ignored", () => {
  const four = hand(0, 0, 0, 0);
  expect(tapped(four, "hand", "1m")).toBe(four);
  expect(usedCount(four, 0)).toBe(4);
});

test("the last tile is the winning tile; the others are sorted", () => {
  const calculation = hand(8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 9, 9, 33, 10);
  expect(calculation.hand.at(-1)).toBe("2p");
  expect(calculation.hand.slice(0, 2)).toEqual(["1m", "2m"]);
  expect(withWinningTile(calculation, 0).hand.at(-1)).toBe("1m");
  expect(requestOf(calculation)).toMatchObject({ hand: "123456789m111p7z", win: "2p", by: "ron" });
  expect(requestOf(untapped(calculation, 3))).toBeNull();
});

test("a meld takes the room of three tiles, and an open one rules out riichi", () => {
  const calculation = tapped({ ...EMPTY, riichi: "riichi" }, "chi", "9m");
  expect(calculation.melds[0]).toMatchObject({ type: "chi", tiles: "789m", called: "7m" });
  expect([fullSize(calculation), calculation.riichi]).toEqual([11, ""]);
  expect(tapped({ ...EMPTY, riichi: "riichi" }, "ankan", "5z").riichi).toBe("riichi");
});

test("honours cannot form a run", () => {
  expect(tapped(EMPTY, "chi", "4z")).toBe(EMPTY);
});

const RED = new Map([
  [4, 1],
  [20, 2],
]); // 5m once, 3s twice

test("a set uses red tiles when the plain ones run out", () => {
  expect(tapped(EMPTY, "hand", "0m", RED).hand).toEqual(["0m"]);
  expect(tapped(EMPTY, "hand", "3rs", RED).hand).toEqual(["3rs"]);
  expect(tapped(EMPTY, "pon", "5m", RED).melds[0]?.tiles).toBe("555m");
  expect(tapped(EMPTY, "pon", "0m", RED).melds[0]?.tiles).toBe("055m");
  expect(tapped(EMPTY, "ankan", "5m", RED).melds[0]?.tiles).toBe("0555m");
  expect(tapped(EMPTY, "ankan", "3s", RED).melds[0]?.tiles).toBe("3r3r33s");
  expect(tapped(EMPTY, "chi", "0m", RED).melds[0]?.tiles).toBe("067m");
});

test.each([
  ["4m", "406m"],
  ["3m", "340m"],
  ["5m", "067m"],
])("a red five replaces the plain one in an existing chi from %s", (low, tiles) => {
  const chi = tapped(tapped(EMPTY, "chi", low, RED), "chi", "0m", RED);
  expect(chi.melds.map((meld) => meld.tiles)).toEqual([tiles]);
  expect(chi.melds[0]?.called).toBe(low === "5m" ? "0m" : low);
  const again = tapped(chi, "chi", "0m", RED); // no second red five, so nothing changes
  expect(again).toBe(chi);
});

test("a red five can join a chi when all plain ones are in use", () => {
  const hand = ["5m", "5m"].reduce((before, tile) => tapped(before, "hand", tile, RED), EMPTY);
  const chi = tapped(hand, "chi", "4m", RED);
  expect(tapped(chi, "chi", "0m", RED).melds[0]?.tiles).toBe("406m");
});

test("red and plain tiles are limited to the copies that exist", () => {
  expect(tapped(EMPTY, "hand", "0p", RED)).toBe(EMPTY);
  const red = tapped(EMPTY, "hand", "0m", RED);
  expect(tapped(red, "hand", "0m", RED)).toBe(red);
  const plains = ["5m", "5m", "5m"].reduce((before, tile) => tapped(before, "hand", tile, RED), EMPTY);
  expect([copiesLeft(plains, "5m", RED), copiesLeft(plains, "0m", RED)]).toEqual([0, 1]);
  expect(tapped(plains, "dora", "5m", RED)).toBe(plains);
});

test("a link restores the calculation", () => {
  const calculation: Calculation = {
    ...tapped(tapped(hand(0, 1, 2), "pon", "5z"), "dora", "6m"),
    by: "tsumo", round: "south", seat: "west", flags: ["rinshan"], honba: 2, deposits: 1, rules: "bgm-2025",
  }; // prettier-ignore
  expect(fromQuery(new URLSearchParams(queryOf(calculation)))).toEqual(calculation);
  expect(queryOf(EMPTY)).toBe("");
});

test("norths set aside are sent to the lab and count as used", () => {
  const calculation = { ...hand(0, 8, 30), kita: 2 };
  expect(positionOf(calculation, 100)).toMatchObject({ hand: "19m4z", kita: 2, games: 100 });
  expect(kitaTiles(calculation)).toEqual(["4z", "4z"]);
  expect([usedCount(calculation, 30), kitaTiles(EMPTY).length]).toEqual([3, 0]);
});

test("invalid link values are ignored and numbers are limited", () => {
  const empty = fromQuery(new URLSearchParams());
  for (const query of [
    "hand=constructor",
    "hand=%3Cimg%3E",
    "hand=8z",
    "dora=xx&ura=12",
    "hand=(12m)",
    `hand=${"123456789m".repeat(9)}`,
    "honba=-3&deposits=x&kita=-1",
  ]) {
    expect(fromQuery(new URLSearchParams(query))).toEqual(empty);
  }
  expect(fromQuery(new URLSearchParams("honba=1e999")).honba).toBe(99);
});
