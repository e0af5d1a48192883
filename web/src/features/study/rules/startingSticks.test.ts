import { expect, test } from "vitest";
import { sticksFor, totalOf, type Sticks } from "./startingSticks";

const USUAL: Sticks = { "10000": 1, "5000": 2, "1000": 4, "100": 10 };

test.each<[number, Sticks]>([
  [25000, USUAL],
  [30000, { "10000": 1, "5000": 3, "1000": 4, "100": 10 }],
  [35000, { "10000": 2, "5000": 2, "1000": 4, "100": 10 }],
  [20000, { "10000": 1, "5000": 1, "1000": 4, "100": 10 }],
  [27000, { "10000": 1, "5000": 2, "1000": 6, "100": 10 }],
  [20300, { "10000": 1, "5000": 2, "100": 3 }],
  [24950, { "10000": 1, "5000": 2, "1000": 4, "100": 9, "10": 5 }],
])("%i points", (points, sticks) => {
  expect(sticksFor(points, USUAL)).toEqual(sticks);
});

test.each<Sticks>([USUAL, { "10000": 3 }, { "1000": 27 }, {}, { "300": 5, "7": 2 }])(
  "from %o any sum is reached with whole sticks",
  (base) => {
    for (let points = 1000; points < 120_000; points += 637) {
      const sticks = sticksFor(points, base);
      expect(totalOf(sticks)).toBe(points);
      expect(Object.values(sticks).every((count) => Number.isInteger(count) && count > 0)).toBe(true);
    }
  },
);
