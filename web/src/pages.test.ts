import { expect, test } from "vitest";
import { PAGES } from "./pageAddresses";
import { partsOf } from "$domain/path";

test("a segment that cannot be decoded stays as it is", () => {
  expect(partsOf("/events/%EB%AF%B8/games/%E0%A4%A")).toEqual(["events", "미", "games", "%E0%A4%A"]);
});

test("properties of Object.prototype are not pages", () => {
  for (const name of ["constructor", "__proto__", "toString"]) expect(PAGES.get(name)).toBe(undefined);
});
