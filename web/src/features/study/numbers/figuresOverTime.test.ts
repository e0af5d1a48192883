import { expect, it } from "vitest";
import { averages, bandOf } from "./figuresOverTime";

it("averages the places of the latest games at the time of each", () => {
  const games = [1, 3, 2, 4].map((place) => ({ place }));
  expect(averages(games, 2)).toEqual([1, 2, 2.5, 3]);
  expect(averages(games)).toEqual([1, 2, 2, 2.5]);
  expect(averages([])).toEqual([]);
});

it("the band of ratings holds every rating with its uncertainty", () => {
  expect(
    bandOf([
      { mu: 25, sigma: 8 },
      { mu: 28, sigma: 6 },
    ]),
  ).toEqual({ low: 0, high: 50, ticks: [0, 10, 20, 30, 40, 50] });
});
