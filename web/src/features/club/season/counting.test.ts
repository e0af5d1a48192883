import { describe, expect, test } from "vitest";
import { gamesMissing, percentOf, shareOf } from "./counting";

describe("how a year is counted", () => {
  test("has shares in percent", () => {
    expect([percentOf(0.5), percentOf(1), percentOf(0.3333), percentOf(0.29)]).toEqual(["50", "100", "33.33", "29"]);
    expect([shareOf("50"), shareOf("29"), shareOf("33.33"), shareOf("120"), shareOf("-1"), shareOf("x")]).toEqual([
      0.5, 0.29, 0.3333, 1, 0, 0,
    ]);
  });
  test("asks for a number of games", () => {
    expect([gamesMissing({ games: 3 }, 10), gamesMissing({ games: 12 }, 10), gamesMissing({ games: 0 }, 0)]).toEqual([
      7, 0, 0,
    ]);
  });
});
