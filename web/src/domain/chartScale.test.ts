import { describe, expect, test } from "vitest";
import { stepOf, ticksOf } from "./chartScale";

describe("the scale of a chart", () => {
  test("covers all values and zero with few grid lines", () => {
    for (const sums of [[100], [-50_000, -90_000], [1e6], [0, 0], Array.from({ length: 200 }, (_, i) => i * 1234)]) {
      const ticks = ticksOf([0, ...sums]);
      expect(ticks).toContain(0);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(0, ...sums));
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...sums));
    }
    expect(ticksOf([9.3, 43.7])).toEqual([0, 10, 20, 30, 40, 50]);
  });

  test("has round steps", () => {
    expect([stepOf(0, 43_000), stepOf(-90_000, 120_000), stepOf(0, 0), stepOf(0, 3)]).toEqual([10_000, 50_000, 1, 1]);
  });
});
