import { expect, test } from "vitest";
import { PAGES } from "./pageAddresses";
import { partsOf } from "$domain/path";

test("a path is decoded as far as it can be", () => {
  expect(partsOf("/events/%EB%AF%B8/games/%E0%A4%A")).toEqual(["events", "미", "games", "%E0%A4%A"]);
});

test("what every object has is no page", () => {
  for (const name of ["constructor", "__proto__", "toString"]) expect(PAGES.get(name)).toBe(undefined);
});
