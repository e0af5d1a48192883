import { describe, expect, test } from "vitest";
import { chartOf, stepOf } from "./chart";
import { pathOf, whereIn } from "./path";
import { clockText, pageAt, pagesOf } from "./rotation";

const ROOM = { width: 320, height: 120, left: 40, edge: 10 };

describe("the chart", () => {
  test("begins at zero and has a dot for each game", () => {
    const chart = chartOf([20000, -10000, 40000], ROOM);
    expect(chart.dots.map(({ x }) => x)).toEqual([40, 130, 220, 310]);
    expect(chart.dots[0]?.y).toBe(chart.zero);
    expect(Math.max(...chart.dots.map(({ y }) => y))).toBe(chart.dots[2]?.y);
  });

  test("keeps every dot within its lines, and zero among them", () => {
    for (const sums of [[100], [-50_000, -90_000], [1e6], [0, 0], Array.from({ length: 200 }, (_, i) => i * 1234)]) {
      const { ticks, dots } = chartOf(sums, ROOM);
      const heights = ticks.map(({ y }) => y);
      expect(ticks.some(({ points }) => points === 0)).toBe(true);
      expect(ticks.length).toBeLessThanOrEqual(7);
      for (const { y } of dots) {
        expect(y).toBeGreaterThanOrEqual(Math.min(...heights));
        expect(y).toBeLessThanOrEqual(Math.max(...heights));
      }
    }
  });

  test("has round lines", () => {
    expect([stepOf(0, 43_000), stepOf(-90_000, 120_000), stepOf(0, 0), stepOf(0, 3)]).toEqual([10_000, 50_000, 1, 1]);
  });
});

describe("the big screen", () => {
  test("shares rows evenly among its pages and loses none", () => {
    const rows = Array.from({ length: 41 }, (_, i) => i);
    const pages = pagesOf(rows, 20);
    expect(pages.map((page) => page.length)).toEqual([14, 14, 13]);
    expect(pages.flat()).toEqual(rows);
    expect(pagesOf([], 20)).toEqual([[]]);
  });

  test("goes round", () => {
    expect([0, 1, 2, 3, 4].map((turn) => pageAt(turn, 3))).toEqual([0, 1, 2, 0, 1]);
    expect(pageAt(5, 0)).toBe(0);
  });

  test.each([[0, "0:00"], [-5000, "0:00"], [999, "0:01"], [61_000, "1:01"], [3_600_000, "1:00:00"], [4_509_000, "1:15:09"]])("shows %i ms as %s", (ms, text) => {
    expect(clockText(ms)).toBe(text);
  });
});

test("addresses lead to pages and back", () => {
  expect(whereIn("/events/e1")).toEqual({ page: "home", of: "" });
  expect(whereIn("/events/e1/standings")).toEqual({ page: "standings", of: "" });
  expect(whereIn(pathOf("e1", "players", "홍 길동"))).toEqual({ page: "players", of: "홍 길동" });
  expect(whereIn("/events/e1/standings/x").page).toBe(null);
  expect(whereIn("/events/e1/games/g/more").page).toBe(null);
  expect(whereIn("/events/e1/none").page).toBe(null);
});
