import { expect, test } from "vitest";
import { pointsIn, summed } from "./typedPoints";

test("what is no number of points is refused instead of counting as nothing", () => {
  expect(["-20,000", "0", " 12.500 "].map(pointsIn)).toEqual([-20000, 0, 12500]);
  for (const text of ["", "abc", "12x", "1e5", "--5"]) expect(() => pointsIn(text)).toThrow();
});

test("points in hundreds count in full where only that adds up", () => {
  const rules = { start: 25000, stick: 1000, leftover: "first" as const };
  const read = (...texts: string[]): [(number | null)[], boolean] => [
    summed(texts, rules).scores,
    summed(texts, rules).fits,
  ];
  expect(read("400", "300", "200", "100")).toEqual([[40000, 30000, 20000, 10000], true]);
  expect(read("410", "300", "200", "80")).toEqual([[41000, 30000, 20000, 8000], true]); // a stick that nobody won
  expect(read("40000", "30000", "20000", "10000")).toEqual([[40000, 30000, 20000, 10000], true]);
  expect(read("400", "300", "200", "111")).toEqual([[40000, 30000, 20000, 11100], false]); // what is off is told in points
  expect(summed(["400", "300", "200", "111"], rules).missing).toBe(-1100);
  expect(summed(["40000", "30000", "20000", "1000"], rules).missing).toBe(9000);
  expect(read("400", "300", "200", "")[1]).toBe(false);
});
