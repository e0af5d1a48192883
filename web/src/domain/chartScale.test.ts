import { describe, expect, test } from "vitest";
import { scaleOf, stepOf } from "./chartScale";

describe("the scale of a chart", () => {
  test("keeps every value within few lines, and zero among them", () => {
    for (const sums of [[100], [-50_000, -90_000], [1e6], [0, 0], Array.from({ length: 200 }, (_, i) => i * 1234)]) {
      const { low, high, ticks } = scaleOf([0, ...sums]);
      expect(ticks).toContain(0);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect([ticks[0], ticks.at(-1)]).toEqual([low, high]);
      expect(low).toBeLessThanOrEqual(Math.min(0, ...sums));
      expect(high).toBeGreaterThanOrEqual(Math.max(0, ...sums));
    }
    expect(scaleOf([9.3, 43.7])).toEqual({ low: 0, high: 50, ticks: [0, 10, 20, 30, 40, 50] });
  });

  test("has round lines", () => {
    expect([stepOf(0, 43_000), stepOf(-90_000, 120_000), stepOf(0, 0), stepOf(0, 3)]).toEqual([10_000, 50_000, 1, 1]);
  });
});
