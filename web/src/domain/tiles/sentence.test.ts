import { beforeAll, expect, test, vi } from "vitest";
import { partsOf, spoken } from "./sentence";

beforeAll(() => vi.stubGlobal("localStorage", { getItem: () => null }));

test.each([
  ["no tile here", ["no tile here"]],
  ["", []],
  ["⟦5z⟧", [["5z"]]],
  ["waits for ⟦36p⟧; ⟦0p⟧ does not", ["waits for ", ["3p", "6p"], "; ", ["0p"], " does not"]],
  ["⟦123m⟧ ⟦3rs⟧", [["1m", "2m", "3m"], " ", ["3rs"]]],
  ["a bare 3m stays", ["a bare 3m stays"]],
])("%s", (sentence, parts) => {
  expect(partsOf(sentence)).toEqual(parts);
});

test("the marks are not part of the spoken text", () => {
  expect(spoken("waits for ⟦36p⟧")).toMatch(/^waits for [^⟦⟧]+$/);
});
