import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Safety } from "$generated/wire";
import { loadWords, setLanguage } from "$domain/words.svelte";
import { byOpponent, safetyLabel } from "./safety";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("study");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

function row(tile: string, opponent: number, more: Partial<Safety> = {}): Safety {
  return { tile, opponent, code: "live", tiles: "", unseen: 3, waits: [], ways: 0, dora: false, ...more };
}

const ROWS = [
  row("9m", 2, { code: "genbutsu" }),
  row("1z", 2, { code: "genbutsu" }),
  row("1s", 2, { code: "suji", tiles: "4s" }),
  row("5p", 2, { dora: true }),
  row("5p", 3),
];

it("groups the tiles of a hand by opponent and reason, safest first", () => {
  const against = byOpponent(ROWS, ["0p", "1s"]);
  expect(against.map(({ opponent }) => opponent)).toEqual([2, 3]);
  expect(against.map(({ asked }) => asked.map(({ tiles }) => tiles))).toEqual([[["1s"], ["5p"]], [["5p"]]]);
  expect(against[0]?.all.map(({ tiles }) => tiles)).toEqual([["9m", "1z"], ["1s"], ["5p"]]);
});

it("says where the safety comes from, and that a tile is a dora", () => {
  expect(safetyLabel(row("1s", 2, { code: "suji", tiles: "4s" }))).toContain("⟦4s⟧");
  expect(safetyLabel(row("5p", 2, { dora: true }))).not.toBe(safetyLabel(row("5p", 2)));
  expect(safetyLabel(row("2z", 2, { code: "unseen", unseen: 1 }))).toContain("1");
});
