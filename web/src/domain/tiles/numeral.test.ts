import { expect, it } from "vitest";
import { numeralOf } from "./numeral";

it("marks ranks alike in every suit, winds with letters, and dragons not at all", () => {
  const ranks = Array.from({ length: 9 }, (_, rank) => numeralOf(rank));
  expect(new Set(ranks).size).toBe(9);
  expect([9, 18].map((suit) => ranks.map((_, rank) => numeralOf(suit + rank)))).toEqual([ranks, ranks]);
  expect(new Set([27, 28, 29, 30].map(numeralOf)).size).toBe(4);
  expect([31, 32, 33].map(numeralOf)).toEqual(["", "", ""]);
});
