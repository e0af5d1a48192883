import { expect, it } from "vitest";
import { averages } from "./figuresOverTime";

it("averages the places of the latest games at the time of each", () => {
  const games = [1, 3, 2, 4].map((place) => ({ place }));
  expect(averages(games, 2)).toEqual([1, 2, 2.5, 3]);
  expect(averages(games)).toEqual([1, 2, 2, 2.5]);
  expect(averages([])).toEqual([]);
});
