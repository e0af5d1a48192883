import { describe, expect, test } from "vitest";
import { chartOf, stepOf } from "./pointsChartLines";

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
