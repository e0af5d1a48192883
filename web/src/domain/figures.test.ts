import { sample } from "$domain/sample";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Figures, HandLine } from "$generated/wire";
import { loadWords, setLanguage } from "./words.svelte";
import { aboutShare, averages, linesAt, meanOf, ordinal, partlyKnown, percent, shareOf } from "./figures";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords("club");
  await setLanguage("en");
});
afterAll(() => vi.unstubAllGlobals());

test("a share counts only known cases and mentions unknown ones", () => {
  expect(percent(shareOf({ count: 5, known: 12 }))).toBe("41.7%");
  expect(percent(shareOf({ count: 0, known: 0 }))).toBe("–");
  const shares = [
    { count: 3, known: 10, cases: 10 },
    { count: 1, known: 2, cases: 10 },
    { count: 0, known: 0, cases: 10 },
    { count: 0, known: 0, cases: 0 },
  ];
  expect(shares.map(aboutShare)).toEqual(["3/10", "1/2 (known in 2 of 10)", "not recorded", ""]);
  expect([partlyKnown({ known: 12, cases: 30 }), partlyKnown({ known: 12, cases: 12 })]).toEqual([true, false]);
});

test("means are whole points, and null without hands", () => {
  expect(meanOf({ sum: 20000, hands: [0, 4, 7] })).toBe(6667);
  expect(meanOf({ sum: 0, hands: [] })).toBe(null);
});

test("the hands behind a figure are listed newest first", () => {
  const line = (hand: number): HandLine => ({
    game: "g",
    hand,
    number: hand,
    honba: 0,
    end: "draw",
    dealer: false,
    delta: 0,
    voided: false,
  });
  const figures = sample<Figures>({ hands: [line(0), line(1), line(2)] });
  expect(linesAt(figures, [0, 2, 9]).map(({ hand }) => hand)).toEqual([2, 0]);
});

test("a new player's rating is ordered at zero", () => {
  expect(ordinal({ mu: 25, sigma: 25 / 3 })).toBeCloseTo(0);
});

test("the average place is taken over a moving window of games", () => {
  const games = [1, 3, 2, 4].map((place) => ({ place }));
  expect(averages(games, 2)).toEqual([1, 2, 2.5, 3]);
  expect(averages(games)).toEqual([1, 2, 2, 2.5]);
  expect(averages([])).toEqual([]);
});
