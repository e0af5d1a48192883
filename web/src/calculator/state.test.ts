import { beforeAll, expect, test, vi } from "vitest";
import { choicesFor } from "./drill";
import { EMPTY, fromQuery, full, queryOf, requestOf, tapped, untapped, used, winning, type Calculation } from "./state";

beforeAll(() => vi.stubGlobal("localStorage", { getItem: () => null }));

function hand(...kinds: number[]): Calculation {
  return kinds.reduce((before, kind) => tapped(before, "hand", kind, false), EMPTY);
}

test("a fifth copy is not taken", () => {
  const four = hand(0, 0, 0, 0);
  expect(tapped(four, "hand", 0, false)).toBe(four);
  expect(used(four, 0)).toBe(4);
});

test("the last tile is the winning one, the others are sorted", () => {
  const found = hand(8, 7, 6, 5, 4, 3, 2, 1, 0, 9, 9, 9, 33, 10);
  expect(found.hand.at(-1)).toBe("2p");
  expect(found.hand.slice(0, 2)).toEqual(["1m", "2m"]);
  expect(winning(found, 0).hand.at(-1)).toBe("1m");
  expect(requestOf(found)).toMatchObject({ hand: "123456789m111p7z", win: "2p", by: "ron" });
  expect(requestOf(untapped(found, 3))).toBeNull();
});

test("a meld leaves room for three tiles less, and an open one ends riichi", () => {
  const found = tapped({ ...EMPTY, riichi: "riichi" }, "chi", 8, false);
  expect(found.melds[0]).toMatchObject({ type: "chi", tiles: "789m", called: "7m" });
  expect([full(found), found.riichi]).toEqual([11, ""]);
  expect(tapped({ ...EMPTY, riichi: "riichi" }, "ankan", 31, false).riichi).toBe("riichi");
});

test("honours make no run", () => {
  expect(tapped(EMPTY, "chi", 30, false)).toBe(EMPTY);
});

test("a red tile of any rank", () => {
  expect(tapped(EMPTY, "hand", 4, true).hand).toEqual(["0m"]);
  expect(tapped(EMPTY, "hand", 20, true).hand).toEqual(["3rs"]);
  expect(tapped(EMPTY, "hand", 31, true).hand).toEqual(["5z"]);
});

test("a link opens the same calculation again", () => {
  const found: Calculation = {
    ...tapped(tapped(hand(0, 1, 2), "pon", 31, false), "dora", 5, false),
    by: "tsumo", round: "south", seat: "west", flags: ["rinshan"], honba: 2, deposits: 1, rules: "bgm-2025",
  }; // prettier-ignore
  expect(fromQuery(new URLSearchParams(queryOf(found)))).toEqual(found);
  expect(queryOf(EMPTY)).toBe("");
});

test.each([[0], [1000], [3900], [8000], [32000]])("a drill offers %i among four different answers", (points) => {
  for (let seed = 0; seed < 5; seed++) {
    const choices = choicesFor(points, seed);
    expect(new Set(choices).size).toBe(4);
    expect(choices).toContain(points);
  }
});
