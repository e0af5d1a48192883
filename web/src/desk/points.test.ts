import { expect, test } from "vitest";
import { pointsIn } from "./points";

test("what is no number of points is refused instead of counting as nothing", () => {
  expect(["-20,000", "0", " 12.500 "].map(pointsIn)).toEqual([-20000, 0, 12500]);
  for (const text of ["", "abc", "12x", "1e5", "--5"]) expect(() => pointsIn(text)).toThrow();
});
