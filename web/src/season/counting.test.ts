import { describe, expect, test } from "vitest";
import type { YearCounting } from "../generated/wire";
import { countingBody, countingDraft, gamesMissing, numbersIn, percentOf, shareOf } from "./counting";

const PLAIN: YearCounting = { min_games: 0, attendance: null, bonus: [], unit: 1, rounding: "nearest" };
const FULL: YearCounting = { min_games: 10, attendance: { points: 500, per: "day", most: 8, zone: "Asia/Seoul" }, bonus: [5000, 3000, -1000], unit: 100, rounding: "down" };

describe("how a year is counted", () => {
  test("is the same after it stood in a form", () => {
    for (const counting of [PLAIN, FULL]) expect(countingBody(countingDraft(counting))).toEqual(counting);
  });
  test("has bonuses from whatever people type between the numbers", () => {
    expect(numbersIn("5000, 3000\n−1000 / 0")).toEqual([5000, 3000, -1000, 0]);
  });
  test("has shares in percent", () => {
    expect([percentOf(0.5), percentOf(1), percentOf(0.3333), percentOf(0.29)]).toEqual(["50", "100", "33.33", "29"]);
    expect([shareOf("50"), shareOf("29"), shareOf("33.33"), shareOf("120"), shareOf("-1"), shareOf("x")]).toEqual([0.5, 0.29, 0.3333, 1, 0, 0]);
  });
  test("asks for a number of games", () => {
    expect([gamesMissing({ games: 3 }, FULL), gamesMissing({ games: 12 }, FULL), gamesMissing({ games: 0 }, PLAIN)]).toEqual([7, 0, 0]);
  });
});
